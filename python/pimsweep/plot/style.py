"""The style of all figures: sizes, colors, hatches, axes, legends, files (docs/figures.md).

Matplotlib's constrained layout places panels, titles and legends inside a figure of fixed size.
"""

from __future__ import annotations

import itertools
import pathlib
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.collections import Collection, LineCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from ..palette import PALETTE
from . import fonts

MARKERS = "os^vDP<>"
# Lines differ in dashes as well as in color and marks.
DASHES: tuple[Any, ...] = ("-", "--", (0, (1, 1)), (0, (4, 1, 1, 1)), (0, (6, 1)), (0, (4, 1, 1, 1, 1, 1)), "-.", (0, (2, 2)))

# Widths of one and of both columns of a two-column page, in inches; text keeps its true size in print.
COLUMN, PAGE = 3.35, 7.0
TEXT, SMALL, TINY = 8, 7, 6

STYLE: dict[str, Any] = {
    "figure.constrained_layout.use": True, "figure.figsize": (PAGE, 2.6), "figure.dpi": 200, "savefig.dpi": 200,
    "axes.prop_cycle": plt.cycler(color=PALETTE),
    "font.size": TEXT, "axes.labelsize": TEXT, "axes.titlesize": TEXT, "figure.titlesize": TEXT,
    "xtick.labelsize": SMALL, "ytick.labelsize": SMALL, "legend.fontsize": SMALL, "legend.title_fontsize": SMALL,
    "lines.linewidth": 1.2, "lines.markersize": 4, "hatch.linewidth": 0.4,
    # Text stays searchable in PDF files, in a format that publishers accept.
    "pdf.fonttype": 42,
    "axes.grid": True, "axes.axisbelow": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False,
    "legend.frameon": False, "legend.handlelength": 1.6, "legend.columnspacing": 1.2,
}

# Marks and lines of published values.
PUBLISHED: dict[str, Any] = {"marker": "D", "markersize": 4.5, "markerfacecolor": "white", "markeredgecolor": "black",
                             "linestyle": "none"}
PUBLISHED_LINE: dict[str, Any] = {"color": "black", "linestyle": "--", "linewidth": 0.9}

# Label of artists for bands over sampled machines in legends.
BAND = "5 % to 95 % of machines"

# Bars differ in hatch as well as in color, in the order in which the colors appear in a figure. All have the same
# distance between lines.
HATCHES = ["", "///", "...", "\\\\\\", "xxx", "---", "++", "||", "oo"]


def use_style() -> None:
    """Sets the style of all subsequent figures."""
    plt.rcParams.update(STYLE)


class LogTicks(ticker.Locator):  # type: ignore[misc]
    """Ticks of a logarithmic axis at round numbers, as few as make at least three."""

    STEPS = ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7), tuple(np.arange(10, 100) / 10))

    def __call__(self) -> Any:
        return self.tick_values(*self.axis.get_view_interval())

    def tick_values(self, vmin: float, vmax: float) -> Any:
        low, high = sorted((vmin, vmax))
        if low <= 0:
            return []
        decades = np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
        inside = np.array([])
        for steps in self.STEPS:
            ticks = np.multiply.outer(10.0**decades, steps).ravel()
            inside = ticks[(ticks >= low * (1 - 1e-9)) & (ticks <= high * (1 + 1e-9))]
            if len(inside) >= 3:
                break
        # Nobody reads more than eight.
        return inside[::-(-len(inside) // 8)] if len(inside) > 8 else inside


def plain_number(value: float) -> str:
    """1, 0.5, 2000, 10^5: with an exponent only for large and small numbers, so that labels of an axis have room."""
    if value and not 1e-4 <= abs(value) < 1e5:
        exponent = int(np.floor(np.log10(abs(value)) + 1e-9))
        factor = value / 10.0**exponent
        power = f"10^{{{exponent}}}"
        return f"${power}$" if abs(factor - 1) < 1e-9 else f"${factor:g}\\cdot{power}$"
    return f"{value:g}"


class LogFormatter(ticker.Formatter):  # type: ignore[misc]
    """Plain numbers, or exponents at all ticks of an axis if any of them has one."""

    def __call__(self, value: float, pos: int | None = None) -> str:
        ends = self.axis.get_view_interval()
        ticks = [tick for tick in self.locs if min(ends) <= tick <= max(ends)]
        with_exponent = any(plain_number(tick).startswith("$") for tick in ticks) and all(
            abs(np.log10(tick) - round(np.log10(tick))) < 1e-9 for tick in ticks)
        return f"$10^{{{round(np.log10(value))}}}$" if with_exponent else plain_number(value)


def log_axis(axis: Axis, ticks: Iterable[float] | None = None) -> None:
    """Makes an axis logarithmic, with plain numbers at `ticks`, or at three round numbers or more."""
    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    axis.set_major_locator(LogTicks() if ticks is None else ticker.FixedLocator(list(ticks)))
    axis.set_minor_locator(ticker.NullLocator())
    axis.set_major_formatter(LogFormatter())


def entry(label: str, **style: Any) -> Line2D:
    """A legend entry for marks or lines of a style."""
    return Line2D([], [], **{"color": "black", "linestyle": "none", **style}, label=label)


def patches(colors: Mapping[str, Any], **style: Any) -> list[Patch]:
    """Legend entries for areas, {label: color}; `style` is that of the areas, such as alpha."""
    return [Patch(facecolor=color, label=label, **style) for label, color in colors.items()]


def published_mark(label: str = "published", **style: Any) -> Line2D:
    """A legend entry for published values."""
    return entry(label, **{**PUBLISHED, **style})


def published_line(axes: Axes, value: float, label: str | None = "published", across: Sequence[float] = ()) -> None:
    """A published value as a dashed line over the panel, or between two places `across` it."""
    if across:
        axes.plot(across, [value, value], label=label, **PUBLISHED_LINE)
    else:
        axes.axhline(value, label=label, **PUBLISHED_LINE)


def published_range(axes: Axes, low: float, high: float, label: str | None = "published range") -> None:
    """A published range as a gray band over the panel."""
    axes.axhspan(low, high, color="0.85", zorder=0, label=label)


Log = bool | Sequence[float]


def panels(rows: int = 1, columns: int = 1, height: float = 2.6, title: str = "", titles: Iterable[str] = (),
           width: float = PAGE, *, xlabel: str | Sequence[str] = "", ylabel: str | Sequence[str] = "",
           log_x: Log = False, log_y: Log = False, xlim: Any = None, ylim: Any = None,
           **options: Any) -> tuple[Figure, Any]:
    """A figure of rows x columns panels, with a title above all and one for each; `options` of plt.subplots.

    xlabel: below every column, or a list with one for each. ylabel: beside every row, or a list with one for each; in
    a single row a list has one for each panel. log_x, log_y: logarithmic axes, with ticks where these are given.
    """
    figure, axes = plt.subplots(rows, columns, figsize=(width, height), **options)
    grid = np.reshape(axes, (rows, columns))
    if title:
        figure.suptitle(title)
    for panel, text in zip(grid.flat, titles):
        panel.set_title(text)
    for panel in grid.flat:
        set_axes(panel, log_x=log_x, log_y=log_y, xlim=xlim, ylim=ylim)
    for panel, text in zip(grid[-1], [xlabel] * columns if isinstance(xlabel, str) else xlabel):
        panel.set_xlabel(text)
    for panel, text in zip(grid[:, 0] if rows > 1 or isinstance(ylabel, str) else grid[0],
                           [ylabel] * rows if isinstance(ylabel, str) else ylabel):
        panel.set_ylabel(text)
    return figure, axes


def set_axes(axes: Axes, log_x: Log = False, log_y: Log = False, **options: Any) -> None:
    """Makes axes of a panel logarithmic, with ticks where these are given; `options` of Axes.set, None is left out."""
    for axis, log in ((axes.xaxis, log_x), (axes.yaxis, log_y)):
        if log is not False:
            log_axis(axis, None if log is True else log)
    axes.set(**{name: value for name, value in options.items() if value is not None})


def entitle(figure: Figure, title: str) -> None:
    """Sets the title above all panels, in lines that are as long as the figure is wide; one that is there stays."""
    if not figure.texts:
        # Characters of this size take about an eighteenth of an inch.
        figure.suptitle(textwrap.fill(title, int(18 * figure.get_figwidth())))


def grouped(count: int, of: int, total: float = 0.84) -> tuple[float, float]:
    """Offset of bar number `count` in a group of `of` bars, and the width of a bar."""
    width = total / of
    return (count - (of - 1) / 2) * width, 0.92 * width


def group_names(axes: Axes, names: Iterable[Any], first_mean: int | None = None, **options: Any) -> None:
    """Labels groups of bars; a line separates the groups from `first_mean` on, which are means."""
    names = list(names)
    axes.set_xticks(np.arange(len(names)), names, **options)
    axes.set_xlim(-0.6, len(names) - 0.4)
    axes.grid(False, axis="x")
    if first_mean is not None:
        axes.axvline(first_mean - 0.5, color="0.6", linewidth=0.6)


def note(axes: Axes, place: float, text: Any, height: float = 0.99, **options: Any) -> None:
    """A small text below the top of a panel, above what is drawn at a place; `height` is a share of the panel."""
    axes.text(place, height, text, **{"ha": "center", "va": "top", "fontsize": TINY, **options},
              transform=axes.get_xaxis_transform())


def group_spans(axes: Axes, spans: Mapping[str, tuple[float, float]], low: float = -0.15) -> None:
    """Names groups of groups below their labels, {name: (first place, last place)}, with lines between them."""
    for i, (name, (first, last)) in enumerate(spans.items()):
        axes.text((first + last) / 2, low, name, transform=axes.get_xaxis_transform(), ha="center", va="top")
        if i:
            axes.axvline(first - 0.5, color="0.6", linewidth=0.6)


def legend(figure: Figure, columns: int, *entries: Any, **options: Any) -> None:
    """Adds a legend below all panels, in `columns` columns, or in fewer if these are wider than the figure.

    entries: panels with labeled artists, single artists, or texts for the mark of published values; of several with
    one label, the first. An entry for bands comes last where panels have any.
    Constrained layout makes room for legends of figures from Matplotlib 3.7 on (`loc="outside lower center"`). Before
    that, the height of the legend is taken from the area that the layout fills.
    """
    handles: dict[str, Any] = {}
    for entry in entries:
        for handle in entry.get_legend_handles_labels()[0] if isinstance(entry, Axes) else [
                published_mark(entry) if isinstance(entry, str) else entry]:
            handles.setdefault(handle.get_label(), handle)
    for axes in figure.axes:
        handles |= {BAND: _band_entry(band) for band in bands_in(axes)[:1]}
    below = figure.legend(handles=list(handles.values()), ncol=columns, loc="lower center", borderaxespad=0.2,
                          **options)
    extent = below.get_window_extent(figure.canvas.get_renderer())
    if extent.width > figure.bbox.width and columns > 1:
        below.remove()
        return legend(figure, columns - 1, *entries, **options)
    height = extent.height / figure.bbox.height
    figure.get_layout_engine().set(rect=(0, height, 1, 1 - height))


def bands_in(axes: Axes) -> list[Collection]:
    """The bands over sampled machines in a panel."""
    return [artist for artist in axes.collections if artist.get_gid() == BAND]


def _band_entry(band: Collection) -> Line2D | Patch:
    """A legend entry for a band, that of bars or that of lines."""
    if isinstance(band, LineCollection):
        return entry(BAND, marker="|", markersize=7, markeredgewidth=0.8)
    return Patch(facecolor=to_rgb(band.get_facecolor()[0]), alpha=0.3, label=BAND)


def _hatch(figure: Figure) -> None:
    """Gives the bars of each color, and patches of that color in legends, a distinct hatch."""
    bars = [bar for axes in figure.axes for container in axes.containers if isinstance(container, BarContainer)
            for bar in container]
    colors = list(dict.fromkeys(to_hex(bar.get_facecolor()) for bar in bars))
    hatches = dict(zip(colors, itertools.cycle(HATCHES))) if len(colors) > 1 else {}
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes if axes.get_legend())]
    for patch in [*bars, *(patch for legend_ in legends for patch in legend_.get_patches())]:
        if not patch.get_hatch() and (hatch := hatches.get(to_hex(patch.get_facecolor()))):
            patch.set_hatch(hatch)
            # A hatch has the color of the edge.
            if patch.get_edgecolor() == patch.get_facecolor():
                patch.set(edgecolor="black", linewidth=0)


def _fix_places(figure: Figure) -> None:
    """Keeps Matplotlib from measuring all tick labels for the places of titles and of labels without text."""
    for axes in figure.axes:
        if axes.xaxis.get_ticks_position() == "bottom":
            axes.set_title(axes.get_title(), y=1, fontsize=axes.title.get_fontsize())
        for axis in (axes.xaxis, axes.yaxis):
            if not axis.get_label_text():
                axis.set_label_coords(0.5, 0.5)


def title_of(figure: Figure) -> str:
    """The title of the whole figure, without its line breaks; empty without one."""
    # Matplotlib has a public function for it from 3.8 on.
    title = getattr(figure, "_suptitle", None)
    return "" if title is None else " ".join(title.get_text().split())


def save(figure: Figure | None, data: pd.DataFrame, output: pathlib.Path, name: str) -> None:
    """Writes NAME.png, NAME.pdf and the drawn data as NAME.csv, and closes the figure; data alone without a figure."""
    data.to_csv(output / f"{name}.csv", index=False, float_format="%.9g")
    if figure is None:
        return
    _hatch(figure)
    _fix_places(figure)
    # Each file takes one drawing; `savefig` adds a second one for figures with a layout.
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    colors = Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba(), "raw", "RGBA", 0, 1)
    about = PngInfo()
    about.add_text("Title", title_of(figure))
    # Beyond level 3, files shrink by 5 % and take a third longer.
    colors.convert("RGB").save(output / f"{name}.png", compress_level=3, dpi=(figure.dpi, figure.dpi), pnginfo=about)
    figure.set_layout_engine("none")
    # Without a creation date, equal data give equal files.
    with fonts.cut_once():
        FigureCanvasPdf(figure).print_pdf(output / f"{name}.pdf", metadata={"CreationDate": None})
    plt.close(figure)


def markers(names: Sequence[Any], colors: Mapping[Any, Any] | None = None) -> dict[Any, dict[str, Any]]:
    """A color, a marker and dashes for each name, as options of Axes.plot: lines are distinguishable without their colors.

    colors: of each name; those of the palette if not given.
    """
    own = [colors[name] for name in names] if colors else PALETTE
    return {name: {"color": color, "marker": marker, "linestyle": dashes}
            for name, color, marker, dashes in zip(names, itertools.cycle(own), itertools.cycle(MARKERS), itertools.cycle(DASHES))}
