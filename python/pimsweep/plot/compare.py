"""A figure of tables: panels with groups of bars, marks or lines, beside them what a paper prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from .groups import bars
from .style import PAGE, Log, legend, panels, published_line, published_range
from .tables import beside, published_table

Published = Mapping[str, pd.DataFrame] | Callable[[pd.DataFrame], pd.DataFrame] | tuple[Any, ...]


def _published(published: Published | None, name: str, table: pd.DataFrame) -> pd.DataFrame:
    if isinstance(published, tuple):
        return published_table(published[0], table, *published[1:])
    return published(table) if callable(published) else (published or {}).get(name, pd.DataFrame())


def compare(tables: Mapping[str, pd.DataFrame] | pd.DataFrame, ylabel: str, title: str = "",
            published: Published | None = None, draw: Callable[..., Any] = bars,
            bound: tuple[float, str] | None = None, band: tuple[float, float, str] | None = None, log_x: Log = False,
            log_y: Log = False, stack: bool = False, height: float = 2.7, width: float = PAGE, xlabel: str = "",
            ylim: tuple[Any, Any] | None = None, columns: int = 4, entries: Iterable[Any] = (),
            mark: str = "published", **options: Any) -> tuple[Figure, pd.DataFrame]:
    """A panel for each of {title: table}, with one scale; returns the figure and its data, as `beside` has them.

    draw, options: what draws a table, such as `bars`, `dots` or `lines`, and its options. published: of each panel,
    as a function of its table, or as the arguments of `published_table` but for the table, the published values of the
    same rows and columns, drawn as marks. bound, band: a
    published value or range for all, with its label. log_x, log_y: logarithmic axes, with ticks. stack: panels one
    above the other. columns, entries, mark: of the legend, more entries, and the label of published values.
    """
    tables = {"": tables} if isinstance(tables, pd.DataFrame) else tables
    shape = (len(tables), 1) if stack else (1, len(tables))
    figure, axes = panels(*shape, height, title, tables if len(tables) > 1 or not title else (), width,
                          sharey=True, squeeze=False, ylabel=ylabel, xlabel=xlabel,
                          log_x=log_x, log_y=log_y, ylim=ylim)
    data, marked = [], False
    for axis, (name, table) in zip(axes.flat, tables.items()):
        theirs = _published(published, name, table)
        marked |= bool(theirs.notna().any(axis=None))
        draw(axis, table, **options, **({} if theirs.empty else {"published": theirs}))
        if bound:
            published_line(axis, *bound)
        if band:
            published_range(axis, *band)
        data.append(beside(table, theirs).assign(panel=name))
    legend(figure, columns, axes[0, 0], *entries, *([mark] if marked else []))
    return figure, pd.concat(data)
