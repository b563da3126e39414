"""Figures as data: panels of tables, what draws them, and beside them what a paper prints."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from .groups import bars
from .style import PAGE, legend, panels, published_line, published_range, set_axes
from .tables import beside, published_table, select, split, wide

Published = Mapping[str, pd.DataFrame] | Callable[[pd.DataFrame], pd.DataFrame] | tuple[Any, ...]
AXES = ("log_x", "log_y", "xlim", "ylim", "xlabel", "ylabel", "xticks", "yticks", "title")
LAYOUT = (*AXES[:6], "sharex", "sharey", "width_ratios", "height_ratios")


@dataclasses.dataclass(frozen=True)
class Panel:
    """What a panel shows, and its options where they differ from those of the figure."""

    table: Any
    options: Mapping[str, Any]


def panel(table: Any, **options: Any) -> Panel:
    """A panel with options of its own; the table may be whatever its `draw` takes."""
    return Panel(table, options)


def _published(published: Published | None, name: str, table: pd.DataFrame) -> pd.DataFrame:
    if isinstance(published, tuple):
        paper, ids, *value = published
        ids = functools.partial(ids.format, panel=name.lower()) if isinstance(ids, str) else ids
        return published_table(paper, table, ids, *value)
    return published(table) if callable(published) else (published or {}).get(name, pd.DataFrame())


def _draw(axis: Any, name: str, table: Any, draw: Callable[..., Any] = bars, published: Published | None = None,
          bound: tuple[Any, ...] | None = None, band: tuple[Any, ...] | None = None, artists: Iterable[Any] = (),
          **options: Any) -> pd.DataFrame:
    """Draws one panel; returns its published values."""
    theirs = _published(published, name, table)
    axes = {key: options.pop(key) for key in AXES if key in options}
    axes = {key: value(table) if callable(value) else value for key, value in axes.items()}
    draw(axis, table, **options, **({} if theirs.empty else {"published": theirs}))
    if bound:
        published_line(axis, *bound)
    if band:
        published_range(axis, *band)
    for method, *arguments, style in artists:
        (functools.partial(method, axis) if callable(method) else getattr(axis, method))(*arguments, **style)
    set_axes(axis, **axes)
    return theirs


def compare(tables: Any, ylabel: Any = "", title: str = "", published: Published | None = None, *, rows: int = 1,
            stack: bool = False, height: float = 2.7, width: float = PAGE, columns: int | None = 4,
            entries: Iterable[Any] = (), mark: str = "published", legends: Mapping[str, Any] | None = None,
            data: pd.DataFrame | None = None, **options: Any) -> tuple[Figure, pd.DataFrame]:
    """A panel for each of {title: table}, with one scale; returns the figure and its data, as `beside` has them.

    tables: also one alone, or {row: {title: table}} for a grid, whose label `ylabel` may name the row as `{}`; with
    `panel` a table has options of its own. published: of each panel, as a function of its table, or as the arguments
    of `published_table` but for the table, the published values of the same rows and columns, drawn as marks; ids may
    be a format of row, column and `panel`, the title in small letters. rows,
    stack: in so many rows, or one above the other. columns, entries, mark, legends: of the legend below, or of a legend
    in each panel with 0 columns (None: no legend), more entries, the label of published values, other options. data: other than the
    tables. Options, of all panels or of one: draw, what draws a table, such as `bars`, `dots` or `lines`; bound, band,
    a published value or range, see `published_line` and `published_range`; artists, a list of (method of Axes, or
    function of axes, arguments ..., options); those of `panels` and of Axes.set, or functions of the table that give
    them, such as `rows`; others are for what draws.
    """
    tables = tables if isinstance(tables, Mapping) else {"": tables}
    nested = all(isinstance(of_row, Mapping) for of_row in tables.values())
    lines = tables if nested else {"": tables}
    cells = [(line, name, one if isinstance(one, Panel) else Panel(one, {}))
             for line, of_line in lines.items() for name, one in of_line.items()]
    rows = len(lines) if nested else len(cells) if stack else rows
    if nested and isinstance(ylabel, str):
        ylabel = [ylabel.format(line) for line in lines]
    titles = [name or "" for _, name, _ in cells][:len(cells) // rows if nested else None]
    layout = {"sharey": True, **{key: options.pop(key) for key in LAYOUT if not callable(options.get(key, bool))}}
    figure, axes = panels(rows, -(-len(cells) // rows), height, title, titles if len(cells) > 1 or not title else (),
                          width, squeeze=False, ylabel=ylabel, **layout)
    drawn, marked = [], False
    for axis, (line, name, one) in zip(axes.flat, cells):
        own = {key: value for key, value in one.options.items() if key != "legends"}
        theirs = _draw(axis, name, one.table, **{"published": published, **options, **own})
        marked |= bool(theirs.notna().any(axis=None))
        if data is None:
            drawn.append(beside(one.table, theirs).assign(panel=", ".join(filter(None, (line, name)))))
    if columns:
        legend(figure, columns, *axes.flat, *entries, *([mark] if marked and mark else []), **(legends or {}))
    for axis, (_, _, one) in zip(axes.flat, cells if columns == 0 else ()):
        axis.legend(**{**(legends or {}), **one.options.get("legends", {})})
    if data is None:
        data = pd.concat(drawn) if marked else pd.concat(drawn).drop(columns="published")
    return figure, data


def _split_by(points: pd.DataFrame, table: Any, by: Mapping[str, Any]) -> Any:
    if not by:
        return wide(points, *table) if isinstance(table, tuple) else table(points) if table else points
    (column, names), *others = by.items()
    return {title: _split_by(rows, table, dict(others)) for title, rows in split(points, column, names).items()}


def rows(table: pd.DataFrame) -> Any:
    """The names of the rows of a table, such as for ticks."""
    return table.index


def drawing(study: str | tuple[str, str], table: Callable[[pd.DataFrame], Any] | tuple[Any, ...] | None = None,
            by: Mapping[str, Mapping[Any, str] | None] | None = None, where: dict[str, Any] | None = None,
            data: list[str] | None = None, **options: Any) -> Callable[[Any], tuple[Figure, pd.DataFrame]]:
    """A figure of a study as data: a function of results that `compare` draws with the options.

    study: or a study and one of its detail tables. table: what a panel shows of its points, or rows, columns and metric
    of `wide`; the points themselves without it. by: {column: titles by value}, a panel for each value, or for two columns
    a grid. where: which points. data: the columns of the points that are its data, other than its tables. A title,
    a height and entries of the legend that are functions get the tables.
    """
    def draw(results: Any) -> tuple[Figure, pd.DataFrame]:
        points = select(results.detail(*study) if isinstance(study, tuple) else results.frame(study), where)
        tables = _split_by(points, table, by or {})
        given = {key: value(tables) if key in ("title", "entries", "height") and callable(value) else value
                 for key, value in options.items()}
        return compare(tables, data=points[data] if data else None, **given)
    return draw
