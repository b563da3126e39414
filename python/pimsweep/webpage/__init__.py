"""Results files as one HTML file that needs no network (docs/page.md)."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Collection, Sequence
from typing import Any

from ..output import written
from . import contents
from .document import MissingPlotly, document, escape
from .overview import overview

__all__ = ["MAX_POINTS", "MissingPlotly", "page"]

Path = str | os.PathLike[str]
# Maximum number of points that a browser filters, sorts and draws without delay.
MAX_POINTS = 100_000


def _named(files: list[dict[str, Any]]) -> None:
    """Gives each study the name of its file, and a key that is unique in the page."""
    for file in files:
        for study in file["studies"]:
            study["file"] = file["name"]
            study["key"] = study["id"] if len(files) == 1 else f'{file["name"]}/{study["id"]}'


def page(file: Path | Sequence[Path], output: Path | None = None, max_points: int = MAX_POINTS,
         force: bool = False, unsealed: bool = False, chosen: Collection[str] = ()) -> pathlib.Path:
    """Writes one HTML file that shows results files in a browser, and returns its path. Equal files give equal pages.

    file: a results file, or several. output: the page, that of the first file with the ending .html if not given.
    max_points: points of a study that the page has; of a longer one, those of the Pareto fronts and others at random.
    chosen: only these studies. force: whether the page replaces a file of another kind. unsealed: as for `pimsweep.open`.

    FileNotFoundError, ValueError: the file does not exist or is not a results file. OutputRefused: there is another file at
    `output`. MissingPlotly: plotly is not installed.
    """
    if max_points < 1:
        raise ValueError(f"max_points must be 1 or more, not {max_points}")
    paths = [file] if isinstance(file, (str, os.PathLike)) else list(file)
    files = [contents.file(path, max_points, unsealed, chosen) for path in paths]
    missing = set(chosen) - {study["id"] for found in files for study in found["studies"]}
    if missing:
        raise ValueError(f"no file has a study {', '.join(sorted(missing))}")
    _named(files)
    names = ", ".join(dict.fromkeys(found["attrs"].get("experiment", found["name"]) for found in files))
    head = f"""<header><h1>{escape(names)}</h1></header>
<main><section id="explorer" tabindex="-1"></section>
<details class="about"><summary>Experiment, studies, best points and provenance</summary>
{"".join(map(overview, files))}</details></main>"""
    target = pathlib.Path(output) if output is not None else pathlib.Path(paths[0]).with_suffix(".html")
    text = document(names, head, {"studies": [study for found in files for study in found["studies"]]})
    with written(target, paths, b'<meta name="generator" content="pimsweep">', force) as temporary:
        temporary.write_text(text)
    return target
