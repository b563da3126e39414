"""What makes a script of a set of drawings: arguments, files, studies that are not there."""

from __future__ import annotations

import argparse
import pathlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ..results import MissingStudy, Results
from . import style
from .machines import Drawing, with_bands


def draw(results: Any, drawings: Mapping[str, Drawing], output: pathlib.Path,
         titles: Mapping[str, str] | None = None) -> list[str]:
    """Writes each drawing that the studies of a results file allow into a folder, with bands; returns their names.

    titles: of figures, by name, for drawings that set none.
    """
    style.use_style()
    output.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name, drawing in drawings.items():
        try:
            figure, data = with_bands(drawing)(results)
        except MissingStudy:
            continue
        if figure and titles and name in titles:
            style.entitle(figure, titles[name])
        style.save(figure, data, output, name)
        print(f"{name}: {output / name}.png")
        drawn.append(name)
    return drawn


def main(doc: str | None, drawings: Mapping[str, Drawing], prefix: str = "",
         read: Callable[[pathlib.Path], Any] = Results) -> None:
    """The command line of a script: RESULTS [--output DIR] [--only FIGURE ...].

    The figures are named after the drawings, with the prefix before them; drawings get what `read` makes of RESULTS.
    """
    drawings = {f"{prefix}-{name}" if prefix else name: drawing for name, drawing in drawings.items()}
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, help="input of the drawings, such as a results file")
    parser.add_argument("--output", type=pathlib.Path, help="folder for the figures (default: that of the results file)")
    parser.add_argument("--only", nargs="+", choices=list(drawings), default=list(drawings), metavar="FIGURE",
                        help=f"drawings (default: all): {', '.join(drawings)}")
    args = parser.parse_args()
    output = args.output or args.results.parent / "figures" / args.results.stem
    if not draw(read(args.results), {name: drawings[name] for name in args.only}, output):
        sys.exit(f"{args.results}: none of its studies has a figure")
