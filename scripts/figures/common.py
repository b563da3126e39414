"""The style of all figures, and what the figure scripts share.

Matplotlib's constrained layout places panels, titles and legends inside a figure of fixed size.
"""

import argparse
import functools
import itertools
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer
from matplotlib.lines import Line2D

import pimsweep_results
from pimsweep_results import published

# Colors differ in lightness as well as in hue, for gray print and color-blind readers.
PALETTE = ["#2a6f4e", "#e0a458", "#7fa8d1", "#20416b", "#9a3b26", "#b0b7c3", "#9cc9b0"]

# Widths of one and of both columns of a two-column page, in inches; text keeps its true size in print.
COLUMN, PAGE = 3.5, 7.16
TEXT, SMALL, TINY = 8, 7, 6

plt.rcParams.update({
    "figure.constrained_layout.use": True, "figure.figsize": (PAGE, 2.6), "figure.dpi": 200, "savefig.dpi": 200,
    "axes.prop_cycle": plt.cycler(color=PALETTE),
    "font.size": TEXT, "axes.labelsize": TEXT, "axes.titlesize": TEXT, "figure.titlesize": TEXT,
    "xtick.labelsize": SMALL, "ytick.labelsize": SMALL, "legend.fontsize": SMALL, "legend.title_fontsize": SMALL,
    "lines.linewidth": 1.2, "lines.markersize": 4, "hatch.linewidth": 0.4,
    # Text stays searchable in PDF files, in a format that publishers accept.
    "pdf.fonttype": 42,
    "axes.grid": True, "axes.axisbelow": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False,
    "legend.frameon": False, "legend.handlelength": 1.6, "legend.columnspacing": 1.2,
})

# Marks of published values beside ours.
PUBLISHED = {"marker": "D", "markersize": 4.5, "markerfacecolor": "white", "markeredgecolor": "black",
             "linestyle": "none"}

# Bars differ in hatch as well as in color, in the order in which the colors appear in a figure.
HATCHES = ["", "////", "....", "\\\\\\\\", "xxxx", "----", "++++", "||||", "oooo"]


def arguments(doc, parts=None):
    """Parses `RESULTS --output DIR` and creates the folder.

    Returns both paths and, if `parts` are given, those that `--only` names (default: all).
    """
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("results", help="results file written by pimsweep")
    parser.add_argument("--output", default=None, help="folder for the figures (default: beside the results file)")
    if parts is not None:
        parser.add_argument("--only", nargs="+", choices=parts, default=list(parts), help="what to draw (default: all)")
    args = parser.parse_args()
    results = pathlib.Path(args.results)
    output = pathlib.Path(args.output) if args.output else results.parent / "figures" / results.stem
    output.mkdir(parents=True, exist_ok=True)
    return (results, output) if parts is None else (results, output, args.only)


def draw_studies(doc, drawings):
    """Calls the functions (results, output) of each study in `drawings` that the results file contains."""
    results, output, chosen = arguments(doc, drawings)
    for name in chosen:
        if study(results, name) is not None:
            for draw in drawings[name]:
                draw(results, output)


_open = functools.lru_cache(maxsize=None)(pimsweep_results.open)


def study(results, name, hardware=None):
    """The points of a study, one per row, of one hardware file if it is named; None if the file has no such study."""
    file = _open(results)
    points = file.study(name) if name in file.studies else None
    return points if points is None or hardware is None else points[points["hardware"] == hardware]


def detail(results, name, table):
    """A detail table of a study joined with the columns of its points (the table's own columns take precedence)."""
    return _open(results).detail(name, table)


def fact(paper, name, column="value"):
    """A published number, by the part of its id after the paper's name."""
    return float(published(paper).loc[f"{paper}-{name}", column])


def ordered(values):
    """Unique values in order of appearance."""
    return list(dict.fromkeys(values))


def gmean(values):
    """Geometric mean; of each column for a table."""
    return np.exp(np.log(values).mean())


def deviation(ours, theirs):
    """Label with the deviation of our value from a published one in percent."""
    percent = round(100 * (ours / theirs - 1))
    return f"{percent:+d} %".replace("-", "\N{MINUS SIGN}") if percent else "0 %"


def plain_numbers(axis, ticks=None, steps=None):
    """Labels such as 1 and 10 instead of powers of ten, at `ticks` or at these `steps` of each decade, if given."""
    if ticks is not None:
        axis.set_ticks(ticks)
        axis.set_minor_locator(plt.NullLocator())
    if steps is not None:
        axis.set_major_locator(plt.LogLocator(subs=steps))
        axis.set_minor_formatter(plt.NullFormatter())
    axis.set_major_formatter(plt.FuncFormatter(lambda value, _: f"{value:g}"))


def grouped(count, of, total=0.84):
    """Offset of bar number `count` in a group of `of` bars, and the width of a bar."""
    width = total / of
    return (count - (of - 1) / 2) * width, 0.92 * width


def bars(axes, table, colors=PALETTE, labels=None, base=0):
    """Draws a group of bars for each row of a table and a color for each column; bars start at `base`.

    `colors` is a list, or a dictionary by column as `labels` (default: the names of the columns).
    """
    for i, column in enumerate(table.columns):
        shift, width = grouped(i, len(table.columns))
        color = colors[column] if isinstance(colors, dict) else colors[i]
        axes.bar(np.arange(len(table)) + shift, table[column] - base, width, bottom=base, color=color,
                 label=labels[column] if labels else str(column))


def group_names(axes, names, first_mean=None, **options):
    """Labels groups of bars; a line separates the groups from `first_mean` on, which are means."""
    axes.set_xticks(np.arange(len(names)), names, **options)
    axes.set_xlim(-0.6, len(names) - 0.4)
    axes.grid(False, axis="x")
    if first_mean is not None:
        axes.axvline(first_mean - 0.5, color="0.6", linewidth=0.6)


def published_mark(label="published"):
    """A legend entry for published values."""
    return Line2D([], [], **PUBLISHED, label=label)


def legend(figure, columns, *entries, **options):
    """Adds a legend below all panels, in so many columns; entries are labeled artists, or panels with such artists.

    Constrained layout makes room for legends of figures from Matplotlib 3.7 on (`loc="outside lower center"`). Before
    that, the height of the legend is taken from the area that the layout fills.
    """
    handles = [handle for entry in entries
               for handle in (entry.get_legend_handles_labels()[0] if isinstance(entry, plt.Axes) else [entry])]
    below = figure.legend(handles=handles, ncol=columns, loc="lower center", borderaxespad=0.2, **options)
    height = below.get_window_extent(figure.canvas.get_renderer()).height / figure.bbox.height
    figure.get_layout_engine().set(rect=(0, height, 1, 1 - height))


def _hatch(figure):
    """Gives the bars of each color, and the patches of that color in legends, a hatch of their own."""
    bars_ = [bar for axes in figure.axes for container in axes.containers if isinstance(container, BarContainer)
             for bar in container]
    colors = ordered(to_hex(bar.get_facecolor()) for bar in bars_)
    hatches = dict(zip(colors, itertools.cycle(HATCHES))) if len(colors) > 1 else {}
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes if axes.get_legend())]
    for patch in [*bars_, *(patch for legend_ in legends for patch in legend_.get_patches())]:
        if not patch.get_hatch() and (hatch := hatches.get(to_hex(patch.get_facecolor()))):
            patch.set_hatch(hatch)
            # A hatch has the color of the edge.
            if patch.get_edgecolor() == patch.get_facecolor():
                patch.set(edgecolor="black", linewidth=0)


def save(figure, data, output, name):
    """Writes NAME.png, NAME.pdf and the drawn data as NAME.csv, and closes the figure."""
    _hatch(figure)
    # Each file takes one drawing; `savefig` adds a second one for figures with a layout.
    figure.canvas.draw()
    plt.imsave(output / f"{name}.png", figure.canvas.buffer_rgba(), dpi=figure.dpi)
    figure.set_layout_engine("none")
    # Without a creation date, equal data give equal files.
    FigureCanvasPdf(figure).print_pdf(output / f"{name}.pdf", metadata={"CreationDate": None})
    plt.close(figure)
    data.to_csv(output / f"{name}.csv", index=False, float_format="%.9g")
    print(f"{name}: {output / name}.png")
