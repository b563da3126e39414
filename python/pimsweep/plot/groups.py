"""Groups of bars and of marks: a group for each row of a table, a color for each column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from ..palette import PALETTE
from .draw import labeled_table
from .machines import show, shown
from .style import BAND, MARKERS, PUBLISHED, TINY, group_names, grouped

Numbers = npt.NDArray[np.float64]
# In the order of columns, or by column, also as (label, color).
Colors: TypeAlias = Sequence[str] | Mapping[Any, str] | Mapping[Any, tuple[str, str]]
Names: TypeAlias = Iterable[Any] | Mapping[Any, str] | Callable[[Any], str]

# Offset of a text from its mark, in points.
ABOVE: dict[str, Any] = {"xytext": (0, 4), "ha": "center"}
BESIDE: dict[str, Any] = {"xytext": (4, 0), "ha": "left", "va": "center"}


def _look(colors: Colors, column: Any, place: int, labels: Mapping[Any, str] | None = None) -> dict[str, str]:
    """The color and the label of a column, as options of Axes.plot."""
    color = colors[column] if isinstance(colors, Mapping) else colors[place % len(colors)]
    label, color = (str(column), color) if isinstance(color, str) else color
    return {"color": color, "label": labels[column] if labels else label}


def _named(names: Names | None, rows: Iterable[Any]) -> Iterable[Any]:
    """Names of rows: as they come, by row, where a row without one has its own, or of a function of the row."""
    if isinstance(names, Mapping):
        return [names.get(row, row) for row in rows]
    return map(names, rows) if callable(names) else rows if names is None else names


def _groups(axes: Axes, table: pd.DataFrame, published: pd.DataFrame | None, names: Names | None,
            draw: Callable[[Any, Numbers, float, int], None], size: float = 4.5, left: float = 0, **options: Any) -> None:
    """Draws each column with `draw(column, places, width, number)`, its band, its published values, and group names.

    left: offset of published values to the left, by the width of a column.
    """
    band = show(table)
    for i, column in enumerate(table.columns):
        shift, width = grouped(i, len(table.columns))
        places = np.arange(len(table)) + shift
        draw(column, places, width, i)
        if band:
            low, high = (end.iloc[:, i].to_numpy() for end in band)
            there = ~np.isnan(low)
            axes.vlines(places[there], low[there], high[there], colors="black", linewidth=0.8, zorder=1.9, gid=BAND,
                        path_effects=[withStroke(linewidth=1.8, foreground="white")])
        if published is not None and column in published:
            axes.plot(places - left * width, published[column].reindex(table.index), clip_on=False,
                      **{**PUBLISHED, "markersize": size})
    group_names(axes, _named(names, table.index), **options)


def bars(axes: Axes, table: pd.DataFrame | xarray.DataArray, colors: Colors = PALETTE,
         labels: Mapping[Any, str] | None = None, base: float = 0, published: pd.DataFrame | None = None,
         names: Names | None = None, **options: Any) -> None:
    """A group of bars for each row of a table and a color for each column; bars start at a line at `base`.

    published: a table whose values, where it has any, are marks on the bars of the same row and column. names: of the
    groups, as they come, by row or as a function of it (default: the index); `options` are for them, see `group_names`.
    An array of one or two dimensions, the first of them the groups, gives labels and units too.
    """
    if isinstance(table, xarray.DataArray):
        table = labeled_table(axes, table)

    def draw(column: Any, places: Numbers, width: float, number: int) -> None:
        axes.bar(places, table[column] - base, width, bottom=base, **_look(colors, column, number, labels))

    if base:
        axes.axhline(base, color="0.3", linewidth=0.8, zorder=1.5)
    _groups(axes, table, published, names, draw, **options)


def dots(axes: Axes, table: pd.DataFrame | xarray.DataArray, colors: Colors = PALETTE,
         labels: Mapping[Any, str] | None = None, published: pd.DataFrame | None = None,
         names: Names | None = None, text: Callable[[float], str] | None = None, **options: Any) -> None:
    """As `bars`, but a mark for each value, for logarithmic axes without a meaningful base.

    text: writes the value above its mark, or beside it where a band stands above.
    """
    if isinstance(table, xarray.DataArray):
        table = labeled_table(axes, table)

    def draw(column: Any, places: Numbers, _: float, number: int) -> None:
        axes.plot(places, table[column], MARKERS[number % len(MARKERS)], markersize=6, markeredgecolor="0.2",
                  markeredgewidth=0.4, **_look(colors, column, number, labels))
        for place, value in zip(places, table[column] if text else []):
            axes.annotate(text(value) if text else "", (place, value), textcoords="offset points", fontsize=TINY,
                          path_effects=[withStroke(linewidth=1.5, foreground="white")],
                          **(BESIDE if shown(table) else ABOVE))

    # At the left edge of its mark: both can be seen where they agree.
    _groups(axes, table, published, names, draw, size=3, left=0.25, **options)


def stacked(axes: Axes, table: pd.DataFrame, parts: Mapping[str, tuple[str, str]], width: float = 0.7,
            places: Sequence[float] | Numbers | None = None, names: Names | None = None,
            **options: Any) -> Numbers:
    """A bar for each row of a table that stacks `parts`, {column: (label, color)}; returns the heights.

    names: labels of the bars, with options for them, see `group_names`.
    """
    bottom = np.zeros(len(table))
    for part, (name, color) in parts.items():
        axes.bar(np.arange(len(table)) if places is None else places, table[part], width, bottom=bottom, color=color,
                 label=name)
        bottom += table[part].to_numpy()
    if names is not None:
        group_names(axes, _named(names, table.index), **options)
    return bottom


def over_bars(axes: Axes, table: pd.DataFrame, columns: Iterable[Any] | None = None, **style: Any) -> None:
    """A mark for each value of a table at the place of the bar that `bars` draws for the same row and column.

    columns: all that have bars (default: those of the table); style: of the marks, as options of Axes.plot.
    """
    bars_of = list(table.columns if columns is None else columns)
    for number, column in enumerate(table.columns):
        places = np.arange(len(table)) + grouped(bars_of.index(column), len(bars_of))[0]
        axes.plot(places, table[column], **{"marker": "_", "linestyle": "none", "color": "black", **style,
                                            "label": None if number else style.get("label")})


def mean_bars(axes: Axes, tables: Mapping[str, pd.DataFrame], colors: Sequence[str],
              styles: Mapping[Any, Mapping[str, Any]], **options: Any) -> pd.DataFrame:
    """Bars of the means of the columns of {label: table}, with the values of each row as marks of its style.

    styles: of the rows, as options of Axes.plot; options: of `bars`. Returns the means, a column for each table.
    """
    means = pd.DataFrame({label: table.mean() for label, table in tables.items()})
    bars(axes, means, colors, **options)
    for row, style in styles.items():
        values = pd.DataFrame({label: table.loc[row] for label, table in tables.items()})
        over_bars(axes, values, None, **{"markersize": 3.5, "markeredgecolor": "white", "markeredgewidth": 0.4,
                                         **style})
    return means


def runs(axes: Axes, values: pd.Series[float], colors: Colors = PALETTE, base: float = 0,
         gap: float = 0, names: Mapping[Any, str] | None = None, width: float = 0.85) -> pd.Series[float]:
    """A bar for each value of a series, side by side, a color and a name for each value of the first index level.

    gap: between groups, in bars; names: of the groups, in this order. Returns the places of the bars.
    """
    groups = {group: values.loc[[group]] for group in names or values.index.unique(0)}
    places, start = [], 0.0
    for number, (group, rows) in enumerate(groups.items()):
        places.append(pd.Series(start + np.arange(len(rows)), rows.index))
        axes.bar(places[-1], rows - base, width, bottom=base, color=_look(colors, group, number)["color"])
        start += len(rows) + gap
    axes.set_xticks([float(at.mean()) for at in places], [names[group] if names else group for group in groups])
    axes.grid(False, axis="x")
    if base:
        axes.axhline(base, color="0.3", linewidth=0.8)
    return pd.concat(places)
