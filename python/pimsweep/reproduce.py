"""One figure of a paper: runs its experiment, prints its values beside the published ones, and draws it.

`pimsweep reproduce PAPER FIGURE` starts this; without a figure, it lists those of the paper.
"""

from __future__ import annotations

import argparse
import pathlib
import re
import subprocess
import sys
import tomllib

from .analysis import Finding, read_published, report
from .analysis.problems import bad_input, suggestion
from .analysis.tables import Output, Unwritable, aligned
from .experiment import BAD_INPUT, NO_OUTPUT, program

ROOT = pathlib.Path(__file__).resolve().parents[2]


def figures_of(paper: str) -> dict[str, str]:
    """The titles of a paper's figures by their names: "fig12". ValueError: there is no such paper, or no source tree."""
    captions = ROOT / "scripts" / "figures" / "captions.toml"
    if not captions.exists() or not (ROOT / "experiments").exists():
        raise bad_input(f"reproduce needs the source tree of pimsweep with its experiments and drawings; {ROOT} is none")
    everything = {name: text["title"] for name, text in tomllib.loads(captions.read_text()).items()}
    papers = sorted({file.stem for file in (ROOT / "scripts" / "figures").glob("*.py") if (ROOT / "experiments" / f"{file.stem}.toml").exists()})
    if paper not in papers:
        raise bad_input(f"there are no figures of '{paper}'{suggestion(paper, papers)}; choose from {', '.join(papers)}")
    return {name.removeprefix(f"{paper}-"): title for name, title in everything.items() if name.startswith(f"{paper}-")}


def number_of(figure: str) -> str:
    """The words by which published values name a figure: "Fig 12" for fig12, "Table VII" for table7."""
    kind, digits = re.fullmatch(r"([a-z]+)_?(\d*)[a-z]?", figure).groups() if re.fullmatch(r"[a-z]+_?\d*[a-z]?", figure) else ("", "")  # type: ignore[union-attr]
    if kind == "table" and digits:
        roman = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
        return rf"Table {roman[int(digits) - 1]}\b"
    return rf"Fig\.? {digits}\b" if kind == "fig" and digits else "$^"


def rows_of(results: pathlib.Path, published: str, paper: str, figure: str) -> list[Finding]:
    """The values of one figure: those that name it, in their id or in their place in the paper."""
    sets = read_published(pathlib.Path(published))
    if paper not in {one.paper for one in sets}:
        return []
    figure = figure.removesuffix("-paper")
    place = re.compile(number_of(figure))
    name = re.compile(rf"{paper}-{re.escape(figure.rstrip('abcdefgh') if figure[-1:].isalpha() else figure)}(?![0-9])")
    return [found for found in report.make_report([str(results)], sets, [paper])
            if place.search(found.published.where) or name.match(found.published.id)]


def reproduce(paper: str, figure: str, published: str, output: Output) -> None:
    """Runs what is missing, prints the values, and draws. ValueError: there is no such figure."""
    figures = figures_of(paper)
    if not figure:
        table = ("figure", "title"), [[name, title] for name, title in figures.items()]
        output.add(*table, ())
        output.write()
        if output.has_text:
            print(aligned(*table), end="")
        return
    if figure not in figures:
        raise bad_input(f"{paper} has no figure '{figure}'{suggestion(figure, figures)}; it has {', '.join(figures)}")
    folder = pathlib.Path("results")
    results = folder / f"{paper}.h5"
    experiment = ROOT / "experiments" / f"{paper}.toml"
    subprocess.run([program(), str(experiment), "--output", str(results), "--resume"], check=True, stdout=subprocess.DEVNULL)
    found = rows_of(results, published, paper, figure)
    if output.has_text:
        print(figures[figure])
    if found or not output.has_text:
        report.print_report(found, output)
    else:
        output.add(report.COLUMNS, [], report.NUMBERS)
        output.write()
        print("the paper prints no values of it")
    # Where ours has more panels than the paper, a second picture is like the paper's.
    variant = f"{figure.rstrip('abcdefgh')}-paper"
    pictures = {"picture": figure} | ({"as in the paper": variant} if variant in figures else {})
    draw = [sys.executable, str(ROOT / "scripts" / "draw_figures.py"), str(results), "--only"]
    subprocess.run([*draw, *(f"{paper}-{name}" for name in pictures.values())], check=True, stdout=subprocess.DEVNULL)
    for what, name in pictures.items() if output.has_text else ():
        drawn = folder / "figures" / paper / f"{paper}-{name}.png"
        print(f"{what}: {drawn if drawn.exists() else next(iter(folder.glob(f'figures/**/{paper}-{name}.png')), drawn)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--published", required=True, help="folder of the published values")
    parser.add_argument("paper")
    parser.add_argument("figure", nargs="?", default="")
    parser.add_argument("--csv", default="")
    for flag in ("--json", "--force", "--unsealed"):
        parser.add_argument(flag, action="store_true")
    given = parser.parse_args()
    try:
        reproduce(given.paper, given.figure, given.published, Output(given.csv, given.json, force=given.force))
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    except Unwritable as error:
        print(f"pimsweep: error: {error}", file=sys.stderr)
        return NO_OUTPUT
    except (OSError, ValueError) as error:
        for line in str(error).splitlines():
            print(f"pimsweep: error: {line}", file=sys.stderr)
        return BAD_INPUT
    return 0


if __name__ == "__main__":
    sys.exit(main())
