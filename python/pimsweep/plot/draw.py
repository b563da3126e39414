"""Draws points of a study into the axes of a figure: lines, fronts, heat maps, rooflines, timelines, bands.

`data` is an xarray.Dataset or a pandas table of a results file; labels and units come from its attributes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.patches import Patch
from matplotlib.text import Text

from ..palette import PALETTE
from ..pareto import is_optimal
from ..quantity import text_of
from .machines import show
from .style import BAND, PUBLISHED, TINY, markers, set_axes

Data: TypeAlias = xarray.Dataset | pd.DataFrame
Numbers = npt.NDArray[np.float64]
PREFIXES = {1e-12: "p", 1e-9: "n", 1e-6: "\N{MICRO SIGN}", 1e-3: "m", 1.0: "", 1e3: "k", 1e6: "M", 1e9: "G", 1e12: "T"}
SCALED = re.compile(r"(s|J|W|Hz|B|bit|OPS|FLOPS)(/s)?")


def label(name: str, unit: str = "") -> str:
    """The label of an axis: `time (ms)`."""
    words = name.removeprefix("hardware.").replace("_", " ").replace(".", ", ")
    return f"{words} ({unit})" if unit and unit != "1" else words


def quantity(data: Data, name: str) -> tuple[Numbers, str]:
    """The values of a column in a unit that makes them handy, and the label with that unit."""
    column = data[name]
    values = np.asarray(column, dtype=np.float64)
    of_table = data.attrs.get("units", {}) if isinstance(data, pd.DataFrame) else {}
    unit = of_table.get(name) or column.attrs.get("units", "")
    if unit == "m^2":
        return values * 1e6, label(name, "mm\N{SUPERSCRIPT TWO}")
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    if not SCALED.fullmatch(unit) or not sizes.size:
        return values, label(name, unit)
    middle = np.median(sizes)
    scale = max((scale for scale in PREFIXES if scale <= middle), default=min(PREFIXES))
    return values / scale, label(name, PREFIXES[scale] + unit)


def _tick_texts(array: xarray.DataArray, dimension: str) -> list[str]:
    """The values along a dimension with their unit: 200 MHz."""
    unit = array[dimension].attrs.get("units", "1")
    is_quantity = unit != "1" and np.issubdtype(array[dimension].dtype, np.number)
    return [text_of(float(value), unit) if is_quantity else str(value) for value in array[dimension].to_numpy()]


def _named(array: xarray.DataArray) -> xarray.Dataset:
    return array.to_dataset(name=array.name or "value")


def lines(axes: Axes, table: pd.DataFrame | xarray.DataArray, styles: Mapping[Any, Mapping[str, Any]] | None = None,
          labels: Mapping[Any, str] | None = None, published: pd.DataFrame | None = None, **style: Any) -> None:
    """A line with marks for each column of a table over its index; `styles` are options of Axes.plot by column.

    published: a table whose values are marks, joined by a dashed line of the color of the same column. An array of one or
    two dimensions, the first of them x, gives labels and units too.
    """
    if isinstance(table, xarray.DataArray):
        table = labeled_table(axes, table, numbers=True)
    band = show(table)
    for column, usual in (styles or markers(list(table.columns))).items():
        own = {"label": labels[column]} if labels else {}
        (line,) = axes.plot(table.index, table[column], **{"label": str(column), **usual, **style, **own})
        if band:
            # Lighter where many lie over each other.
            bands(axes, table.index, *(end[column] for end in band), color=line.get_color()).set(
                gid=BAND, alpha=max(0.1, min(0.2, 0.8 / table.shape[1])))
        if published is not None and column in published:
            axes.plot(published.index, published[column], **{**PUBLISHED, "linestyle": "--", "linewidth": 0.7,
                                                             "markersize": 3.5}, color=usual["color"])


def labeled_table(axes: Axes, array: xarray.DataArray, numbers: bool = False) -> pd.DataFrame:
    """An array of one or two dimensions in handy units, a column for each value of the second one; labels the axes.

    numbers: whether numbers of the first dimension stay numbers; otherwise the rows have their values as texts with units.
    """
    x, *others = map(str, array.dims)
    values, y_label = quantity(_named(array), str(array.name or "value"))
    across, x_label = quantity(array.coords.to_dataset(), x) if numbers and np.issubdtype(array[x].dtype, np.number) else \
        (np.array(_tick_texts(array, x)), label(x))
    axes.set(xlabel=x_label, ylabel=y_label)
    columns = [str(array.name or "value")]
    if others:
        prefix = f"{label(others[0])} " if np.issubdtype(array[others[0]].dtype, np.number) else ""
        columns = [f"{prefix}{text}" for text in _tick_texts(array, others[0])]
    return pd.DataFrame(values.reshape(len(across), -1), index=across, columns=columns)


def front(data: Data, *metrics: str) -> npt.NDArray[np.bool_]:
    """True for Pareto-optimal points: no other is at most as large in all `metrics` and smaller in one."""
    return is_optimal(np.stack([np.asarray(data[name], dtype=np.float64).ravel() for name in metrics], axis=1))


def pareto(axes: Axes, data: Data, x: str, y: str) -> npt.NDArray[np.bool_]:
    """All points by two metrics to minimize, and the Pareto front as a line."""
    (across, x_label), (up, y_label) = quantity(data, x), quantity(data, y)
    across, up = across.ravel(), up.ravel()
    optimal = front(data, x, y)
    axes.plot(across, up, ".", color=PALETTE[5], markersize=3, label="points", rasterized=len(up) > 10_000)
    best = np.flatnonzero(optimal)
    best = best[np.argsort(across[best])]
    axes.plot(across[best], up[best], "o-", color=PALETTE[0], drawstyle="steps-post", label="Pareto front")
    set_axes(axes, True, True, xlabel=x_label, ylabel=y_label)
    return optimal


def _ink(ground: Any) -> str:
    """Black or white, as it can be read on a color."""
    red, green, blue = to_rgb(ground)
    return "white" if 0.3 * red + 0.6 * green + 0.1 * blue < 0.5 else "black"


def heat_map(axes: Axes, table: pd.DataFrame | xarray.DataArray, text: Callable[[float], str] | None = None,
             **options: Any) -> Any:
    """A cell for each value of a table, written into it by `text` in black or white; returns the image.

    An array of two dimensions, rows and columns, as `pimsweep.open` gives it, has units in its ticks and a color bar.
    """
    bar, across, up = "", [], []
    if isinstance(table, xarray.DataArray):
        up, across = (_tick_texts(table, str(dimension)) for dimension in table.dims)
        values, bar = quantity(_named(table), str(table.name or "value"))
        names = [pd.Index(table[dimension].to_numpy(), name=dimension) for dimension in table.dims]
        table = pd.DataFrame(values, *names)
    image = axes.imshow(table, **{"cmap": "YlGnBu", "aspect": "auto", **options})
    axes.set_xticks(range(table.shape[1]), across or table.columns)
    axes.set_yticks(range(table.shape[0]), up or table.index)
    if bar:
        axes.figure.colorbar(image, ax=axes, label=bar)
    axes.set(xlabel=label(str(table.columns.name or "")), ylabel=label(str(table.index.name or "")))
    axes.grid(False)
    axes.tick_params(length=0)
    if text:
        for (row, column), value in np.ndenumerate(np.asarray(table, dtype=np.float64)):
            # Clipped, so that the layout ignores text outside of the axes.
            axes.text(column, row, text(float(value)), ha="center", va="center", fontsize=TINY, clip_on=True,
                      color=_ink(image.cmap(image.norm(float(value)))))
    return image


def cells(axes: Axes, table: pd.DataFrame, colors: Mapping[Any, str], texts: pd.DataFrame | None = None,
          **options: Any) -> None:
    """A cell for each value of a table in the color of its category, the first row on top; others stay empty.

    texts: what is written into each cell; options: of Axes.pcolormesh.
    """
    kinds = {kind: number for number, kind in enumerate(colors)}
    codes = np.array([[kinds.get(kind, np.nan) for kind in row] for row in table.to_numpy()], dtype=np.float64)
    height, width = codes.shape
    axes.pcolormesh(np.arange(width + 1) - 0.5, np.arange(height + 1) - 0.5, codes, vmin=0, vmax=max(len(kinds) - 1, 1),
                    cmap=ListedColormap(list(colors.values())), **{"zorder": 0, "edgecolor": "white", "linewidth": 1.2,
                                                                  **options})
    for (row, column), text in np.ndenumerate(texts.to_numpy() if texts is not None else np.empty((0, 0))):
        axes.text(column, row, text, ha="center", va="center", fontsize=TINY, color=_ink(colors.get(table.iat[row, column], "white")))
    axes.set_xticks(range(width), table.columns)
    axes.set_yticks(range(height), table.index)
    axes.set_ylim(height - 0.5, -0.5)
    axes.tick_params(length=0)
    axes.grid(False)
    axes.spines[:].set_visible(False)


def roofline(axes: Axes, data: Data, intensity: str, rate: str, peak: float, bandwidth: float,
             name: str = "points") -> None:
    """Points by operations for each byte and operations in a second, under the roof of a machine.

    peak: operations in a second; bandwidth: bytes in a second; name: of the points in the legend.
    """
    across, up = (np.asarray(data[name], dtype=np.float64).ravel() for name in (intensity, rate))
    ridge = peak / bandwidth
    ends = np.array([min(np.nanmin(across), ridge) / 3, max(np.nanmax(across), ridge) * 3])
    roof = np.array([ends[0], ridge, ends[1]])
    axes.plot(roof, np.minimum(peak, bandwidth * roof) / 1e9, color="black", linewidth=1, label="roof")
    axes.plot(across, up / 1e9, "o", color=PALETTE[0], label=name)
    set_axes(axes, True, True, xlim=ends, xlabel="operations for each byte", ylabel=label(rate, "Gop/s"))


def _share_lane(starts: Numbers, ends: Numbers) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Row of each task of a lane, and the number of rows, so that overlapping tasks have different rows."""
    row, rows = np.zeros(len(starts), dtype=np.int64), np.ones(len(starts), dtype=np.int64)
    busy: list[float] = []
    group: list[int] = []
    for task in np.argsort(starts, kind="stable"):
        if busy and starts[task] >= max(busy) * (1 - 1e-12):
            rows[group] = len(busy)
            busy, group = [], []
        row[task] = next((at for at, end in enumerate(busy) if end <= starts[task] * (1 + 1e-12)), len(busy))
        busy[row[task]:row[task] + 1] = [ends[task]]
        group.append(int(task))
    rows[group] = len(busy)
    return row, rows


def timeline(axes: Axes, tasks: pd.DataFrame, lane: str, color: str | None = None, text: str | None = None,
             scale: float = 1e3, unit: str = "ms", colors: Mapping[Any, Any] | None = None,
             lanes: Mapping[Any, str] | None = None, window: tuple[float, float] | None = None) -> list[Patch]:
    """Tasks as boxes from `start` to `end` in a lane each of the column `lane`, the first on top.

    Tasks of a lane that overlap share its height. color: the column whose values have a color each (`colors`, or
    those of the palette); returns entries of a legend for them. text: the column that is written into boxes that are
    wide enough. unit: of the label, which is left out without one. lanes: which lanes, in which order, under which
    names. window: the part of the time that is drawn.
    """
    lanes = lanes or {name: str(name) for name in dict.fromkeys(tasks[lane])}
    kinds = list(dict.fromkeys(tasks[color])) if color else []
    colors = colors or {kind: PALETTE[i % len(PALETTE)] for i, kind in enumerate(kinds)}
    begin, end = window or (tasks["start"].min(), tasks["end"].max())
    seen = tasks[(tasks["end"] >= begin) & (tasks["start"] <= end)]
    for place, name in enumerate(lanes):
        of_lane = seen[seen[lane] == name]
        starts, ends = of_lane["start"].to_numpy(float), of_lane["end"].to_numpy(float)
        row, rows = _share_lane(starts, ends)
        height, low = 0.8 / rows, place - 0.4 + 0.8 * row / rows
        left, right = scale * np.maximum(starts, begin), scale * np.minimum(ends, end)
        corners = [np.column_stack(corner) for corner in ((left, low), (left, low + height), (right, low + height),
                                                          (right, low))]
        axes.add_collection(PolyCollection(np.stack(corners, axis=1), edgecolors="white", linewidths=0.2, facecolors=[
            colors[kind] for kind in of_lane[color]] if color else PALETTE[0]))
        # About 0.0085 of the width for a character of this size, in a row that is high enough to hold it.
        for i, word in enumerate(of_lane[text].astype(str) if text else []):
            if (right[i] - left[i]) / (scale * (end - begin)) > 0.0085 * len(word) and rows[i] < 3:
                axes.add_artist(Text((left[i] + right[i]) / 2, low[i] + height[i] / 2, word, ha="center", va="center",
                                     fontsize=TINY, clip_on=True, bbox={"facecolor": "white", "alpha": 0.6, "pad": 0.5,
                                                                       "edgecolor": "none"}))
    axes.set_yticks(range(len(lanes)), lanes.values())
    axes.set(ylim=(len(lanes) - 0.4, -0.6), xlim=(scale * begin, scale * end))
    if unit:
        axes.set_xlabel(label("time", unit))
    axes.grid(False, axis="y")
    return [Patch(color=shade, label=str(kind)) for kind, shade in colors.items()]


def bands(axes: Axes, x: Any, low: Any, high: Any, middle: Any = None, **style: Any) -> PolyCollection:
    """A line within a band of the same color; `style` is for the line. Returns the band."""
    options = {"color": PALETTE[0], **style}
    area = axes.fill_between(x, low, high, color=options["color"], alpha=0.2, linewidth=0)
    if middle is not None:
        axes.plot(x, middle, **options)
    return area


def agreement(axes: Axes, groups: Mapping[Any, tuple[Any, Any]], within: float | None = None, log: bool = True,
              styles: Mapping[Any, Mapping[str, Any]] | None = None, **style: Any) -> None:
    """Points of each group, {label: (x, y)}, with the line of equal values; see `diagonal`."""
    for (name, (x, y)), usual in zip(groups.items(), markers(list(groups)).values()):
        own = styles.get(name, {}) if styles else {}
        options = {**usual, "linestyle": "none", "markersize": 3, **own, **style}
        axes.plot(x, y, label=str(name), **options)
    diagonal(axes, within, log)


def diagonal(axes: Axes, within: float | None = None, log: bool = True) -> None:
    """Gives both axes of a panel the same range, with the line of equal values and, if given, a share off to each side.

    For points that are drawn already, such as ours over theirs, here or in panels that share the scale.
    """
    panels = axes.get_shared_x_axes().get_siblings(axes)
    drawn = np.concatenate([np.asarray(values, dtype=np.float64) for panel in panels for line in panel.lines
                            if line.get_gid() != "diagonal" for values in line.get_data()])
    drawn = drawn[np.isfinite(drawn) & ((drawn > 0) | (not log))]
    low, high = drawn.min() / 1.25, drawn.max() * 1.25
    axes.axline((low, low), (high, high), color="black", linewidth=0.7, gid="diagonal")
    for factor in (1 + within, 1 / (1 + within)) if within else ():
        axes.axline((low, low * factor), (high, high * factor), color="black", linewidth=0.5, linestyle=":",
                    gid="diagonal", label=f"{100 * within:g} % off" if within and factor > 1 else None)
    set_axes(axes, log, log, xlim=(low, high), ylim=(low, high), aspect="equal")
