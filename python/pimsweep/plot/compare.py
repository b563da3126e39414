"""A figure of tables: panels with groups of bars, marks or lines, beside them what a paper prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from .draw import bars
from .style import PAGE, legend, log_axis, panels, published_line, published_mark, published_range
from .tables import beside

Published = Mapping[str, pd.DataFrame] | Callable[[pd.DataFrame], pd.DataFrame]


def compare(tables: Mapping[str, pd.DataFrame], ylabel: str, title: str = "", published: Published | None = None,
            draw: Callable[..., None] = bars, bound: tuple[float, str] | None = None,
            band: tuple[float, float, str] | None = None, log: bool | Sequence[float] = False, stack: bool = False,
            height: float = 2.7, width: float = PAGE, xlabel: str = "", ylim: tuple[Any, Any] | None = None,
            columns: int = 4, entries: Iterable[Any] = (), mark: str = "published",
            **options: Any) -> tuple[Figure, pd.DataFrame]:
    """A panel for each of {title: table}, with one scale; returns the figure and its data, as `beside` has them.

    draw, options: what draws a table, such as `bars`, `dots` or `lines`, and its options. published: of each panel, or
    a function of its table, the published values of the same rows and columns, drawn as marks. bound, band: a
    published value or range for all, with its label. log: a logarithmic axis, with ticks. stack: panels one above the
    other. columns, entries, mark: of the legend, more entries, and the label of published values.
    """
    shape = (len(tables), 1) if stack else (1, len(tables))
    figure, axes = panels(*shape, height, title, tables if len(tables) > 1 or not title else (), width,
                          sharey=True, squeeze=False)
    data, marked = [], False
    for axis, (name, table) in zip(axes.flat, tables.items()):
        theirs = published(table) if callable(published) else (published or {}).get(name, pd.DataFrame())
        marked |= bool(theirs.notna().any(axis=None))
        draw(axis, table, **options, **({} if theirs.empty else {"published": theirs}))
        if bound:
            published_line(axis, *bound)
        if band:
            published_range(axis, *band)
        if log is not False:
            log_axis(axis.yaxis, None if log is True else log)
        axis.set(xlabel=xlabel, **({"ylim": ylim} if ylim else {}))
        data.append(beside(table, theirs).assign(panel=name))
    for axis in axes[:, 0]:
        axis.set_ylabel(ylabel)
    legend(figure, columns, axes[0, 0], *entries, *([published_mark(mark)] if marked else []))
    return figure, pd.concat(data)
