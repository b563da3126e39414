"""Fonts in PDF files.

Matplotlib cuts the glyphs of each figure out of a whole font, which takes two fifths of the time of the file. Here the
part of a font that most texts need is cut out once, and the glyphs of figures out of that.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator
from typing import Any

from fontTools import subset
from matplotlib.backends import _backend_pdf_ps

# ASCII, Latin, Greek, and punctuation to mathematics.
CHARACTERS = frozenset(chr(code) for first, end in ((0x20, 0x7F), (0xA0, 0x180), (0x370, 0x400), (0x2000, 0x2300))
                       for code in range(first, end))
_cut = _backend_pdf_ps.get_glyphs_subset


@functools.cache
def part(font: str) -> str:
    """A file in memory with CHARACTERS of a font file, for the life of this process and of those that it forks.

    Without the tables that say how glyphs join (GDEF, GPOS, GSUB, kern), which a PDF file does not need.
    """
    options = subset.Options(glyph_names=True, recommended_glyphs=True)
    options.drop_tables += ["FFTM", "GDEF", "GPOS", "GSUB", "PfEd", "BDF", "kern"]
    chooser = subset.Subsetter(options)
    chooser.populate(unicodes=map(ord, CHARACTERS))
    path = f"/proc/self/fd/{os.memfd_create(os.path.basename(font))}"
    with subset.load_font(font, options) as whole:
        chooser.subset(whole)
        whole.save(path, reorderTables=False)
    return path


def _cut_from_part(font: str, characters: Any) -> Any:
    few = isinstance(characters, str) and CHARACTERS.issuperset(characters) and not font.endswith(".ttc")
    return _cut(part(font) if few else font, characters)


@contextlib.contextmanager
def cut_once() -> Iterator[None]:
    """PDF files that are written meanwhile take their glyphs from parts of fonts, where there are files in memory (Linux)."""
    _backend_pdf_ps.get_glyphs_subset = _cut_from_part if hasattr(os, "memfd_create") else _cut
    try:
        yield
    finally:
        _backend_pdf_ps.get_glyphs_subset = _cut
