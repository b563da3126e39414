"""The one style of all figures, and what every figure script shares."""

import argparse
import functools
import io
import itertools
import math
import pathlib
import string
import textwrap

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.backends import _backend_pdf_ps
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer
from matplotlib.legend import Legend
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Bbox
from PIL import Image

import pimsweep_results
from pimsweep_results import published

# Apart in lightness as well as in hue, so that they can be told apart in grey and by colour-blind readers.
PALETTE = ["#2a6f4e", "#e0a458", "#7fa8d1", "#20416b", "#9a3b26", "#b0b7c3", "#9cc9b0"]

# One and both columns of a two-column page, in inches: text has its true size in print.
COLUMN, PAGE = 3.5, 7.16
TEXT, SMALL = 8, 7

plt.rcParams.update({
    "axes.prop_cycle": plt.cycler(color=PALETTE),
    "figure.dpi": 200, "savefig.dpi": 200, "savefig.pad_inches": 0.02,
    "font.size": TEXT, "axes.labelsize": TEXT, "axes.titlesize": TEXT, "figure.titlesize": TEXT,
    "xtick.labelsize": SMALL, "ytick.labelsize": SMALL, "legend.fontsize": SMALL,
    "lines.linewidth": 1.2, "lines.markersize": 4, "hatch.linewidth": 0.4,
    # Text stays text in PDF: searchable, and accepted by publishers.
    "pdf.fonttype": 42,
    # Fixed: to look for titles that meet tick labels measures all ticks once more.
    "axes.titley": 1.0,
    "axes.grid": True, "axes.axisbelow": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False,
    "legend.frameon": False, "legend.handlelength": 1.6, "legend.columnspacing": 1.2,
})

# How a published value is marked beside ours.
PUBLISHED = {"marker": "D", "markersize": 4.5, "markerfacecolor": "white", "markeredgecolor": "black",
             "linestyle": "none"}

# Bars of a figure differ in hatch as well as in colour, in the order in which their colours appear.
HATCHES = ["", "////", "....", "\\\\\\\\", "xxxx", "----", "++++", "||||", "oooo"]


CHARACTERS = frozenset(string.printable.strip() + " \N{MINUS SIGN}")


def _keep_fonts():
    """Cuts a font for PDF once for all figures: that takes as long as to draw one. Only where it is known how."""
    if not matplotlib.__version__.startswith("3.6."):
        return
    cut = functools.lru_cache(maxsize=None)(_backend_pdf_ps.get_glyphs_subset)

    def kept(path, characters):
        return io.BytesIO(cut(path, "".join(sorted(CHARACTERS.union(characters)))).getvalue())
    _backend_pdf_ps.get_glyphs_subset = kept


_keep_fonts()


def arguments(doc, parts=None):
    """Parses `RESULTS --output DIR`, makes the folder, gives both and, of `parts`, what `--only` names (else all)."""
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


_open = functools.lru_cache(maxsize=None)(pimsweep_results.open)


def study(results, name, hardware=None):
    """The points of a study, a row each, of one hardware file if it is named; None if the file has no such study."""
    file = _open(results)
    points = file.study(name) if name in file.studies else None
    return points if points is None or hardware is None else points[points["hardware"] == hardware]


def detail(results, name, table):
    """A detail table of a study joined with its points' columns (the table's own win)."""
    return _open(results).detail(name, table)


def ordered(values):
    """Unique values in order of appearance."""
    return list(dict.fromkeys(values))


def gmean(values):
    """Geometric mean, of each column for a table."""
    return np.exp(np.log(values).mean())


def deviation(ours, theirs):
    """Label of how far our value is from a published one, in per cent of the published."""
    percent = round(100 * (ours / theirs - 1))
    return f"{percent:+d} %".replace("-", "\N{MINUS SIGN}") if percent else "0 %"


def plain_numbers(axis):
    """1 and 10 instead of powers of ten."""
    axis.set_major_formatter(plt.FuncFormatter(lambda value, _: f"{value:g}"))


def _bars(axes):
    """The bars of a panel, by colour."""
    bars = {}
    for container in axes.containers:
        if isinstance(container, BarContainer):
            for bar in container:
                bars.setdefault(to_hex(bar.get_facecolor()), []).append(bar)
    return bars


def _hatch(figure):
    """Gives the bars of each colour a hatch of their own, and so the legends' patches of that colour.

    The bars of a colour in a panel become one path, because to lay a hatch takes longer than to draw its bars.
    """
    panels = {axes: _bars(axes) for axes in figure.axes}
    colours = ordered(itertools.chain(*panels.values()))
    hatches = dict(zip(colours, itertools.cycle(HATCHES))) if len(colours) > 1 else {}
    legends = [child for parent in (figure, *figure.axes) for child in parent.get_children()
               if isinstance(child, Legend)]
    everywhere = [bar for bars in panels.values() for of_colour in bars.values() for bar in of_colour]
    for patch in [*everywhere, *(patch for legend in legends for patch in legend.get_patches())]:
        if not patch.get_hatch() and (hatch := hatches.get(to_hex(patch.get_facecolor()))):
            patch.set_hatch(hatch)
            # Hatches have the colour of the edge.
            if patch.get_edgecolor() == patch.get_facecolor():
                patch.set(edgecolor="black", linewidth=0)
    for axes, bars in panels.items():
        for of_colour in bars.values():
            _join(axes, of_colour)


def _join(axes, bars):
    """Replaces the bars of a panel that look alike by one path."""
    # Limits that follow the bars are found while there are bars.
    axes.autoscale_view()
    alike = {}
    for bar in bars:
        look = bar.get_facecolor(), bar.get_edgecolor(), bar.get_linewidth(), bar.get_hatch(), bar.get_zorder()
        alike.setdefault(look, []).append(bar)
    for same in alike.values():
        paths = [bar.get_patch_transform().transform_path(bar.get_path()) for bar in same
                 if np.isfinite(bar.get_bbox().get_points()).all()]
        joined = PathPatch(Path.make_compound_path(*paths), zorder=same[0].get_zorder())
        joined.update_from(same[0])
        for bar in same:
            bar.remove()
        axes.add_patch(joined)


def _spare(figure):
    """Leaves out what takes time and shows nothing: ticks between many decades, the place of a name that is empty."""
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        if axis.get_scale() == "log" and high > 1e3 * low:
            axis.set_minor_locator(plt.NullLocator())
        if not axis.get_label_text():
            # Else it is looked for below the tick labels, which are measured for that.
            axis.set_label_coords(0.5, 0)


def _wrap(figure, width):
    """Breaks titles into lines of about the same length where they are wider than what is below them.

    The figure is `width` inches wide.
    """
    renderer = figure.canvas.get_renderer()

    def added_lines(text, allowed):
        taken = text.get_window_extent(renderer).width / figure.dpi
        if taken <= 1.02 * allowed:
            return 0
        lines = []
        for line in text.get_text().splitlines():
            parts = math.ceil(len(line) * taken / allowed / max(map(len, text.get_text().splitlines())))
            lines += textwrap.wrap(line, math.ceil(1.08 * len(line) / parts))
        added = len(lines) - len(text.get_text().splitlines())
        text.set_text("\n".join(lines))
        return added

    panels = {round(axes.get_position().x0, 2) for axes in figure.axes if axes.get_title()}
    below = max(added_lines(axes.title, 1.05 * width * axes.get_position().width if len(panels) > 1 else width)
                for axes in figure.axes)
    above = figure._suptitle
    added = added_lines(above, width) if above else 0
    if above and (below or added) and not figure.get_layout_engine():
        # It grows upwards, and makes room for what has grown below it.
        line = 1.2 * above.get_fontsize() / 72 / figure.get_figheight()
        above.set_y(above.get_position()[1] + line * (below - 1))
        above.set_verticalalignment("bottom")


def _picture(figure):
    """The figure as a picture with a margin around its ink, also what stands out of the figure; its box in inches."""
    if engine := figure.get_layout_engine():
        engine.execute(figure)
        # Once: drawing would do it again.
        figure.set_layout_engine(None)
    for axes in figure.axes:
        locate = axes.get_axes_locator()
        axes.apply_aspect(locate(axes, None) if locate else None)
    dpi = figure.dpi
    margin = round(plt.rcParams["savefig.pad_inches"] * dpi)
    around = figure.bbox_inches.padded(1.3)
    while True:
        # Half a pixel more, so that rounding takes none away.
        height, width = (math.ceil(size * dpi) for size in (around.height, around.width))
        area = Bbox.from_bounds(around.x0, around.y0, (width + 0.5) / dpi, (height + 0.5) / dpi)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="rgba", dpi=dpi, bbox_inches=area)
        image = np.frombuffer(buffer.getbuffer(), np.uint32).reshape(height, width)
        inked = image != 0xffffffff
        rows, columns = (np.flatnonzero(inked.any(axis=along)) for along in (1, 0))
        top, bottom = rows[0] - margin, rows[-1] + 1 + margin
        left, right = columns[0] - margin, columns[-1] + 1 + margin
        if top >= 0 and left >= 0 and bottom <= height and right <= width:
            whole = Image.fromarray(image.view(np.uint8).reshape(height, width, 4)).convert("RGB")
            return whole.crop((left, top, right, bottom)), Bbox.from_bounds(
                area.x0 + left / dpi, area.y0 + (height - bottom) / dpi, (right - left) / dpi, (bottom - top) / dpi)
        around = around.padded(1)


def _fit(figure):
    """Makes the drawing, with what stands beside its axes, as wide as a column or a page; the height follows by half.

    Text keeps its size, so a legend or title that alone is wider than that stays wider. Gives the drawing as a picture
    and its box in inches. It is drawn to be measured: that takes no longer, and most often the first drawing fits.
    """
    before = figure.get_figwidth()
    width = COLUMN if before < (COLUMN + PAGE) / 2 else PAGE
    places = [axes.get_position() for axes in figure.axes]
    # Axes grow with the figure, what stands beside them does not: half an inch of tick labels and names.
    growing = max(place.x1 for place in places) - min(place.x0 for place in places)
    first = width if figure.get_layout_engine() else (width - 0.5) / growing
    figure.set_size_inches(first, figure.get_figheight() * min(1, (1 + first / before) / 2))
    _wrap(figure, width - 2 * plt.rcParams["savefig.pad_inches"])
    for _ in range(4):
        picture, box = _picture(figure)
        if abs(box.width - width) <= 0.02 * width:
            break
        figure.set_figwidth(max(0.75 * width, figure.get_figwidth() + (width - box.width) / growing))
    return picture, box


def save(figure, data, output, name):
    """Writes NAME.png, NAME.pdf and the drawn data as NAME.csv, as wide as a column or a page."""
    _hatch(figure)
    _spare(figure)
    picture, box = _fit(figure)
    # Stronger compression takes half as long again, and saves a twentieth.
    picture.save(output / f"{name}.png", dpi=(figure.dpi, figure.dpi), compress_level=3)
    # No creation date: the same data give the same file.
    figure.savefig(output / f"{name}.pdf", bbox_inches=box, metadata={"CreationDate": None})
    plt.close(figure)
    data.to_csv(output / f"{name}.csv", index=False, float_format="%.9g")
    print(f"{name}: {output / name}.png")
