"""The figures of `pimsweep plot`: a metric over an axis as lines, bars, boxes, a heat map or a Pareto front (docs/plot.md).

The program selects the points (`pimsweep show --csv`), so that conditions mean the same as in every other command.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
import sys
from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .. import expressions
from ..analysis.problems import suggestion
from ..analysis.tables import Output, Unwritable
from ..experiment import BAD_INPUT, NO_OUTPUT
from ..output import OutputRefused, written
from ..palette import PALETTE
from ..pareto import is_optimal
from ..quantity import text_of
from ..results import Results
from . import style
from .draw import label, quantity
from .pareto_plot import METADATA

WIDTHS = {"column": style.COLUMN, "page": style.PAGE}
FONTS: dict[str, dict[str, Any]] = {"sans": {"font.family": "sans-serif"},
         "serif": {"font.family": "serif", "font.serif": ["STIX", "STIXGeneral", "DejaVu Serif"], "mathtext.fontset": "stix"}}
MAX_SERIES, MAX_PANELS, MAX_TICKS = 12, 12, 40
# Column that tells studies apart.
STUDY = "study"


class Refused(ValueError):
    """A figure that cannot be drawn from these results."""


@dataclasses.dataclass(frozen=True)
class Question:
    """What to draw: columns of one study, or of several, where `study` is one of lines, facets and x."""

    x: str
    y: str
    lines: str = ""
    facets: str = ""
    heat: str = ""
    kind: str = ""

    def columns(self) -> list[str]:
        return list(dict.fromkeys(filter(None, (self.x, self.y, self.lines, self.facets, self.heat))))


def points_of(path: pathlib.Path, studies: Sequence[str], columns: Sequence[str], where: Sequence[str], unsealed: bool) -> pd.DataFrame:
    """The chosen columns of all points that have a number in each, in SI units, with their units as attributes."""
    tables = []
    for study in studies:
        # In the order of the points: that of their values in the experiment.
        try:
            table = expressions.table(path, study, [*(name for name in columns if name != STUDY), "status"], where, unsealed)
        except expressions.BadExpression as error:
            raise Refused(str(error)) from None
        units = table.attrs["units"] | {STUDY: "1"}
        table = table[table["status"] == "ok"].drop(columns="status").dropna()
        if not len(table):
            raise Refused(f"study '{study}' has no point with a number in {', '.join(columns)}" + (" under these conditions" if where else ""))
        tables.append(table.assign(study=study))
        if tables[0].attrs["units"] | {STUDY: "1"} != units:
            raise Refused(f"studies '{studies[0]}' and '{study}' have different units of {', '.join(columns)}")
    found = pd.concat(tables, ignore_index=True)
    found.attrs["units"] = units
    return found


def varying(path: pathlib.Path, study: str, unsealed: bool) -> list[str]:
    """Axes that differ between the points of a study, without constants that follow the hardware."""
    dataset = Results(path, unsealed)
    return [name for name in dataset.axes(study) if dataset.frame(study)[name].nunique() > 1]


def choose_studies(path: pathlib.Path, chosen: Sequence[str], question: Question, unsealed: bool) -> list[str]:
    """The studies of a figure: one, or several if it tells them apart."""
    known = list(Results(path, unsealed))
    for study in chosen:
        if study not in known:
            raise Refused(f"'{path}' has no study '{study}'{suggestion(study, known)}; it has {', '.join(known)}")
    studies = [study for study in known if not chosen or study in chosen]
    if len(studies) > 1 and STUDY not in question.columns():
        raise Refused(f"a figure is of one study: choose one with --study, of {', '.join(studies)}; or draw them side by side with --lines study or "
                      "--facets study")
    return studies


def one_each(points: pd.DataFrame, keys: Sequence[str], others: Sequence[str]) -> None:
    """Refused: several points have the same place in the figure."""
    most = int(points.groupby(list(keys), sort=False).size().max())
    if most > 1:
        rest = [name for name in others if name not in keys]
        raise Refused(f"up to {most} points have the same {', '.join(keys)}: name what else varies ({', '.join(rest)}) with --lines or "
                      "--facets, fix it with --where, or draw their spread with --kind box")


def is_number(column: pd.Series[Any]) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column)) and not pd.api.types.is_bool_dtype(column)


def ticks_of(points: pd.DataFrame, name: str) -> list[str]:
    """The different values of a column in their order, with units: 200 MHz."""
    unit = points.attrs["units"].get(name, "1")
    return [text_of(value, unit) if is_number(points[name]) and unit != "1" else
            f"{value:g}" if isinstance(value, float) else str(value) for value in different(points, name)]


def names_of(points: pd.DataFrame, name: str) -> list[str]:
    """The different values of a column for titles and legends; numbers have the name of the column: batch 8."""
    texts = ticks_of(points, name)
    return [f"{label(name)} {text}" for text in texts] if is_number(points[name]) else texts


def different(points: pd.DataFrame, name: str) -> list[Any]:
    """Numbers in ascending order, texts in that of the results."""
    found = list(dict.fromkeys(points[name]))
    return sorted(found) if is_number(points[name]) else found


def set_categories(axis: Any, texts: Sequence[str]) -> None:
    """Ticks at 0, 1, ...; texts that would overlap are turned."""
    axis.set_ticks(range(len(texts)), texts)
    if axis.axis_name == "x" and sum(map(len, texts)) > 14 * axis.axes.figure.get_figwidth():
        for text in axis.get_ticklabels():
            text.set(rotation=40, ha="right", rotation_mode="anchor")


class Drawing:
    """One figure: panels by `facets`, series by `lines`."""

    def __init__(self, points: pd.DataFrame, question: Question, width: float, title: str):
        self.points, self.question = points, question
        self.series = different(points, question.lines) if question.lines else [None]
        self.names = dict(zip(self.series, names_of(points, question.lines))) if question.lines else {None: ""}
        self.facets = different(points, question.facets) if question.facets else [None]
        for what, found, limit in (("--lines", self.series, MAX_SERIES), ("--facets", self.facets, MAX_PANELS)):
            if len(found) > limit:
                raise Refused(f"{what}: {len(found)} values are more than the {limit} that a figure can show: choose some with --where")
        columns = min(len(self.facets), 2 if width < style.PAGE else 3)
        rows = -(-len(self.facets) // columns)
        facet_texts = names_of(points, question.facets) if question.facets else []
        self.figure, panels = style.panels(rows, columns, 2.3 * rows + 0.2, title, facet_texts, width, squeeze=False,
                                           sharex=question.kind not in ("heat", "pareto"), sharey=question.kind not in ("pareto",))
        self.panels = list(panels.flat)
        for panel in self.panels[len(self.facets):]:
            panel.set_axis_off()
        self.scaled, self.label = {}, {}
        for name in question.columns():
            if is_number(points[name]):
                self.scaled[name], self.label[name] = quantity(points, name)
            else:
                self.scaled[name], self.label[name] = points[name].to_numpy(), label(name)

    def rows(self, facet: Any, series: Any = None) -> Any:
        chosen = np.ones(len(self.points), dtype=bool)
        if facet is not None:
            chosen &= (self.points[self.question.facets] == facet).to_numpy()
        if series is not None:
            chosen &= (self.points[self.question.lines] == series).to_numpy()
        return chosen

    def draw(self) -> Figure:
        for panel, facet in zip(self.panels, self.facets):
            getattr(self, f"draw_{self.question.kind}")(panel, facet)
        if self.question.kind != "heat":
            self.finish()
        return self.figure

    def finish(self) -> None:
        x, y = self.question.x, self.question.y
        shown = self.panels[:len(self.facets)]
        columns = shown[0].get_gridspec().ncols
        for number, panel in enumerate(shown):
            if number + columns >= len(shown):
                panel.set_xlabel(self.label[x])
                panel.tick_params(labelbottom=True)
            if number % columns == 0:
                panel.set_ylabel(self.label[y])
        if self.question.lines or self.question.kind == "pareto":
            style.legend(self.figure, 4, *shown)

    def draw_lines(self, panel: Axes, facet: Any) -> None:
        for series, look in style.markers(self.series).items():
            rows = self.rows(facet, series)
            order = np.argsort(self.scaled[self.question.x][rows], kind="stable")
            panel.plot(self.scaled[self.question.x][rows][order], self.scaled[self.question.y][rows][order],
                       label=self.names[series] or self.label[self.question.y], **look)

    def places(self, rows: Any) -> Any:
        order = {value: place for place, value in enumerate(different(self.points, self.question.x))}
        return self.points[self.question.x][rows].map(order).to_numpy(dtype=float)

    def draw_bars(self, panel: Axes, facet: Any) -> None:
        for number, (series, look) in enumerate(style.markers(self.series).items()):
            rows = self.rows(facet, series)
            offset, width = style.grouped(number, len(self.series))
            panel.bar(self.places(rows) + offset, self.scaled[self.question.y][rows], width, color=look["color"],
                      hatch=style.HATCHES[number % len(style.HATCHES)], edgecolor="black", linewidth=0.3, label=self.names[series])
        set_categories(panel.xaxis, ticks_of(self.points, self.question.x))
        panel.grid(False, axis="x")

    def draw_box(self, panel: Axes, facet: Any) -> None:
        texts = ticks_of(self.points, self.question.x)
        for number, (series, look) in enumerate(style.markers(self.series).items()):
            offset, width = style.grouped(number, len(self.series))
            rows = self.rows(facet, series)
            places, values = self.places(rows), self.scaled[self.question.y][rows]
            groups = [values[places == place] for place in range(len(texts))]
            drawn = panel.boxplot(groups, positions=np.arange(len(texts)) + offset, widths=0.8 * width, whis=(5, 95), showfliers=False,
                                  patch_artist=True, manage_ticks=False, medianprops={"color": "black"})
            for box in drawn["boxes"]:
                box.set(facecolor=look["color"], linewidth=0.6)
            panel.plot([], [], "s", color=look["color"], label=self.names[series])
        set_categories(panel.xaxis, texts)
        panel.grid(False, axis="x")

    def draw_heat(self, panel: Axes, facet: Any) -> None:
        question = self.question
        rows = self.rows(facet)
        across, up = different(self.points, question.x), different(self.points, question.y)
        cells = np.full((len(up), len(across)), np.nan)
        for x, y, value in zip(self.points[question.x][rows], self.points[question.y][rows], self.scaled[question.heat][rows]):
            cells[up.index(y), across.index(x)] = value
        found = self.scaled[question.heat]
        image = panel.imshow(cells, origin="lower", cmap="viridis", aspect="auto", vmin=found.min(), vmax=found.max())
        set_categories(panel.xaxis, ticks_of(self.points, question.x))
        set_categories(panel.yaxis, ticks_of(self.points, question.y))
        number = self.panels.index(panel)
        panel.set(xlabel=label(question.x), ylabel="" if number % panel.get_gridspec().ncols else label(question.y))
        panel.grid(False)
        panel.tick_params(length=0)
        if panel is self.panels[len(self.facets) - 1]:
            self.figure.colorbar(image, ax=self.panels[:len(self.facets)], label=self.label[question.heat], pad=0.02)

    def draw_pareto(self, panel: Axes, facet: Any) -> None:
        x, y = self.question.x, self.question.y
        here = self.rows(facet)
        panel.plot(self.scaled[x][here], self.scaled[y][here], ".", color=PALETTE[5], markersize=3, label="points",
                   rasterized=here.sum() > 10_000)
        for series, look in style.markers(self.series).items():
            rows = self.rows(facet, series)
            across, up = self.scaled[x][rows], self.scaled[y][rows]
            best = np.flatnonzero(is_optimal(np.stack([across, up], axis=1)))
            best = best[np.argsort(across[best])]
            panel.plot(across[best], up[best], drawstyle="steps-post", label=self.names[series] or "Pareto front", **look)


def choose_kind(question: Question, points: pd.DataFrame) -> str:
    """The kind that suits the columns, if none is given."""
    if question.kind == "heat" and not question.heat or question.heat and question.kind not in ("", "heat"):
        raise Refused("a heat map has two axes, --x and --y, and the color of its cells, --heat METRIC")
    kind = question.kind or ("heat" if question.heat else "lines" if is_number(points[question.x]) else "bars")
    numbers = {"heat": [question.heat], "lines": [question.x, question.y], "pareto": [question.x, question.y]}.get(kind, [question.y])
    texts = [name for name in numbers if not is_number(points[name])]
    if texts:
        raise Refused(f"--kind {kind} needs numbers, and {', '.join(texts)} holds texts")
    return kind


def make(path: pathlib.Path, question: Question, studies: Sequence[str], where: Sequence[str] = (), width: str = "column", font: str = "sans",
         title: str = "", log: tuple[bool, bool] = (False, False), unsealed: bool = False) -> tuple[Figure, pd.DataFrame]:
    """The figure, and the data in it in SI units. Refused: these results cannot be drawn so."""
    style.use_style()
    matplotlib.rcParams.update({**FONTS[font], "svg.fonttype": "none"})
    points = points_of(path, studies, question.columns(), where, unsealed)
    question = dataclasses.replace(question, kind=choose_kind(question, points))
    keys = [question.x, *([question.y] if question.kind == "heat" else []), *filter(None, (question.lines, question.facets))]
    if question.kind not in ("pareto", "box"):
        one_each(points, keys, list(dict.fromkeys(name for study in studies for name in varying(path, study, unsealed))))
    for name in {"heat": [question.x, question.y], "bars": [question.x], "box": [question.x]}.get(question.kind, []):
        if (count := points[name].nunique()) > MAX_TICKS:
            raise Refused(f"{name} has {count} values, more than the {MAX_TICKS} that a figure can name: choose some with --where")
    drawing = Drawing(points, question, WIDTHS[width], title)
    if question.kind != "heat":
        for panel in drawing.panels[:len(drawing.facets)]:
            style.set_axes(panel, log_x=log[0], log_y=log[1])
    figure = drawing.draw()
    return figure, points[[*question.columns(), "point"]].rename(
        columns={name: f"{name} [{unit}]" for name, unit in points.attrs["units"].items() if unit != "1"})


def cells_of(data: pd.DataFrame) -> list[list[str]]:
    """Rows of texts, with all digits of numbers."""
    return [[f"{value:.17g}" if isinstance(value, float) else str(value) for value in row] for row in data.itertuples(index=False)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=pathlib.Path)
    for name in ("x", "y", "lines", "facets", "heat", "kind", "title"):
        parser.add_argument(f"--{name}", default="")
    for name in ("study", "where"):
        parser.add_argument(f"--{name}", action="append", default=[])
    parser.add_argument("--width", default="column")
    parser.add_argument("--font", default="sans")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--csv", default="")
    for flag in ("log-x", "log-y", "json", "force", "unsealed"):
        parser.add_argument(f"--{flag}", action="store_true")
    return parser


def main() -> int:
    given = _parser().parse_args()
    ending = given.output.suffix.lower()
    try:
        if ending not in METADATA:
            raise Refused(f"a figure is a file that ends with {', '.join(METADATA)}, not '{ending}'")
        question = Question(given.x, given.y, given.lines, given.facets, given.heat, given.kind)
        studies = choose_studies(given.results, given.study, question, given.unsealed)
        figure, data = make(given.results, question, studies, given.where, given.width, given.font, given.title,
                            (given.log_x, given.log_y), given.unsealed)
        # The data go next to the figure, unless --csv names another place.
        output = Output(given.csv or str(given.output.with_suffix(".csv")), given.json, [given.results], given.force)
        output.add(list(data), cells_of(data), [name for name in data if is_number(data[name])])
        with written(given.output, [given.results], force=given.force) as temporary:
            figure.savefig(temporary, format=ending.removeprefix("."), metadata=METADATA[ending])
        output.write()
    except (OSError, ValueError, Unwritable) as error:
        for line in str(error).splitlines():
            print(f"pimsweep: error: {line}", file=sys.stderr)
        is_output = isinstance(error, (OSError, Unwritable)) and not isinstance(error, FileNotFoundError)
        return NO_OUTPUT if is_output and not isinstance(error, OutputRefused) else BAD_INPUT
    if output.has_text:
        print(f"plot: {given.output}, data: {output.csv}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
