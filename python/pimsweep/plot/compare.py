"""Figures as data: panels of tables, the functions that draw them, and published values next to them."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from .groups import bars
from .machines import shown
from .style import PAGE, bands_in, legend, panels, published_line, published_range, set_axes
from .tables import beside, published_table, select, split, wide

Published = Mapping[str, pd.DataFrame] | Callable[[pd.DataFrame], pd.DataFrame] | tuple[Any, ...]
AXES = ("log_x", "log_y", "xlim", "ylim", "xlabel", "ylabel", "xticks", "yticks", "title")
LAYOUT = (*AXES[:6], "sharex", "sharey", "width_ratios", "height_ratios")


class Panel:
    """Contents of a panel, a table or any input of its `draw`, and options that differ from the figure's."""

    def __init__(self, table: Any, **options: Any) -> None:
        self.table, self.options = table, options


def _published(published: Published | None, name: str, table: pd.DataFrame) -> pd.DataFrame:
    if isinstance(published, tuple):
        paper, ids, *value = published
        ids = functools.partial(ids.format, panel=name.lower()) if isinstance(ids, str) else ids
        return published_table(paper, table, ids, *value)
    return published(table) if callable(published) else (published or {}).get(name, pd.DataFrame())


def _draw(axis: Any, name: str, table: Any, draw: Callable[..., Any] = bars, published: Published | None = None,
          bound: tuple[Any, ...] | None = None, band: tuple[Any, ...] | None = None, artists: Any = (),
          **options: Any) -> tuple[Any, pd.DataFrame]:
    """Draws one panel; returns its table, or the one that `draw` returned, and the published values."""
    theirs = _published(published, name, table)
    axes = {key: options.pop(key) for key in AXES if key in options}
    axes = {key: value(table) if callable(value) else value for key, value in axes.items()}
    drawn = draw(axis, table, **options, **({} if theirs.empty else {"published": theirs}))
    if bound:
        published_line(axis, *bound)
    if band:
        published_range(axis, *band)
    for method, *arguments, style in artists.get(name, ()) if isinstance(artists, Mapping) else artists:
        (functools.partial(method, axis) if callable(method) else getattr(axis, method))(*arguments, **style)
    set_axes(axis, **axes)
    return drawn if isinstance(drawn, pd.DataFrame) else table, theirs


def compare(tables: Any, ylabel: Any = "", title: str = "", published: Published | None = None, *, rows: int = 1,
            titles: Callable[[str, Any], str] | None = None, stack: bool = False, height: float = 2.7,
            width: float = PAGE, columns: int = 4, entries: Iterable[Any] = (), mark: str = "published",
            legends: Mapping[str, Any] | None = None, data: pd.DataFrame | None = None,
            **options: Any) -> tuple[Figure, pd.DataFrame]:
    """A panel for each of {name: table}, with one scale; returns the figure and its data, as `beside` has them.

    tables: also one alone, or {row: {name: table}} for a grid, whose label `ylabel` may name the row as `{}`; a `Panel`
    has options of its own. titles: makes them of names and tables (default: the names). published: of each panel, as a
    function of its table, or as the arguments of `published_table` but for the table, the published values of the same
    rows and columns, drawn as marks; ids may be a format of row, column and `panel`, the name in small letters. rows,
    stack: in so many rows, or one above the other. columns, entries, mark, legends: of the legend below, which is left
    out with 0, more entries, the label of published values, other options. data: other than the tables. Options, of all
    panels or of one: draw, what draws a table, such as `bars` or `lines`; bound, band, see `published_line` and
    `published_range`; artists, a list, or {name: list}, of (method of Axes, or function of axes, arguments ...,
    options); those of `panels` and of Axes.set, or functions of the table that give them, such as `rows`; others are
    for what draws.
    """
    tables = tables if isinstance(tables, Mapping) else {"": tables}
    nested = all(isinstance(of_row, Mapping) for of_row in tables.values())
    lines = tables if nested else {"": tables}
    cells = [(line, name, one if isinstance(one, Panel) else Panel(one))
             for line, of_line in lines.items() for name, one in of_line.items()]
    rows = len(lines) if nested else len(cells) if stack else rows
    if nested and isinstance(ylabel, str):
        ylabel = [ylabel.format(line) for line in lines]
    texts = [(titles(name, one.table) if titles else name) or "" for _, name, one in cells]
    layout: dict[str, Any] = {"sharey": True}
    layout |= {key: options.pop(key) for key in LAYOUT if not callable(options.get(key, bool))}
    figure, axes = panels(rows, -(-len(cells) // rows), height, title, texts[:len(cells) // rows if nested else None],
                          width, squeeze=False, ylabel=ylabel, **layout)
    drawn, marked = [], False
    for axis, (line, name, one) in zip(axes.flat, cells):
        own: dict[str, Any] = {"published": published, **options, **one.options}
        table, theirs = _draw(axis, name, one.table, **own)
        marked |= bool(theirs.notna().any(axis=None))
        if data is None and isinstance(table, pd.DataFrame):
            drawn.append(beside(table, theirs, shown(table)).assign(
                panel=", ".join(str(text) for text in (line, name) if text)))
    if columns:
        legend(figure, columns, *axes.flat, *entries, *([mark] if marked and mark else []), **(legends or {}))
    elif any(map(bands_in, axes.flat)):
        legend(figure, 1)
    return figure, pd.concat(drawn).dropna(axis=1, how="all") if data is None else data


def _split_by(points: pd.DataFrame, table: Any, by: Mapping[str, Any]) -> Any:
    if not by:
        return wide(points, *table) if isinstance(table, tuple) else table(points) if table else points
    (column, names), *others = by.items()
    return {title: _split_by(rows, table, dict(others)) for title, rows in split(points, column, names).items()}


# Ticks at the rows of a table.
rows = operator.attrgetter("index")


def drawing(study: str | tuple[str, str] | Mapping[str, str], table: Any = None,
            by: Mapping[str, Mapping[Any, str] | None] | None = None, where: dict[str, Any] | None = None,
            data: list[str] | None = None, **options: Any) -> Callable[[Any], tuple[Figure, pd.DataFrame]]:
    """A figure of a study as data: a function of results that `compare` draws with the options.

    study: or a study and one of its detail tables, or {name: study} for a panel each. table: what a panel shows of its
    points, as a function of them, or as rows, columns and metric of `wide`; the points themselves without it. by:
    {column: names by value}, a panel for each value, or for two columns a grid. where: which points. data: the columns
    of the points that are its data, other than its tables. A title, a height and entries of the legend that are
    functions get the tables.
    """
    def points_of(results: Any, one: Any) -> pd.DataFrame:
        return select(results.detail(*one) if isinstance(one, tuple) else results.frame(one), where)

    def draw(results: Any) -> tuple[Figure, pd.DataFrame]:
        studies: Mapping[str, Any] = study if isinstance(study, Mapping) else dict[str, Any]({"": study})
        tables = {name: _split_by(points_of(results, one), table, by or {}) for name, one in studies.items()}
        tables = tables if studies is study else tables[""]
        given = {key: value(tables) if key in ("title", "entries", "height") and callable(value) else value
                 for key, value in options.items()}
        return compare(tables, data=points_of(results, study)[data] if data else None, **given)
    return draw
