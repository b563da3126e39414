"""Tables behind figures: a metric by rows and columns, its means, and published values of the same cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from .. import results


def ordered(values: Iterable[Any]) -> list[Any]:
    """Unique values in order of appearance."""
    return list(dict.fromkeys(values))


def gmean(values: Any) -> Any:
    """Geometric mean; of each column for a table."""
    return np.exp(np.log(values).mean())


def select(points: pd.DataFrame, chosen: dict[str, Any] | None = None, **more: Any) -> pd.DataFrame:
    """The points that have a value, or one of a list of values, in each of the given columns."""
    for column, values in {**(chosen or {}), **more}.items():
        points = points[points[column].isin(values if isinstance(values, (list, set)) else [values])]
    return points


def wide(points: pd.DataFrame, rows: Any, columns: Any, metric: str, **chosen: Any) -> pd.DataFrame:
    """A metric of the points that `select` keeps: rows by columns, both in order of appearance; NaN where none is."""
    points = select(points, **chosen)
    table = points.pivot_table(index=rows, columns=columns, values=metric, sort=False, dropna=False)
    if isinstance(columns, str):
        table = table[ordered(points[columns])]
    return table


def split(points: pd.DataFrame, by: str, names: Mapping[Any, str] | None = None,
          **chosen: Any) -> dict[str, pd.DataFrame]:
    """The points of each value of a column, {title: points}, of those that `select` keeps.

    names: the values, in the order that is wanted, and their titles (default: all, in order of appearance).
    """
    points = select(points, **chosen)
    return {title: points[points[by] == value]
            for value, title in (names or {value: str(value) for value in ordered(points[by])}).items()}


def gain(percent: float) -> float:
    """A change in percent, as papers print them, as a ratio."""
    return 1 + percent / 100


def relative(table: pd.DataFrame, column: Any) -> pd.DataFrame:
    """Every column divided by one of them."""
    return table.div(table[column], axis=0)


def speedup(table: pd.DataFrame, column: Any) -> pd.DataFrame:
    """One column divided by every column: of times, how many times as fast each is."""
    return table.rdiv(table[column], axis=0)


def with_mean(table: pd.DataFrame, mean: Callable[[pd.DataFrame], Any] = pd.DataFrame.mean,
              name: str = "mean") -> pd.DataFrame:
    """A table with the mean of each column as its last row."""
    return pd.concat([table, mean(table).to_frame(name).T])


def published_table(paper: str, table: pd.DataFrame, name: Callable[[Any, Any], str | None],
                    value: Callable[[float], float] = float) -> pd.DataFrame:
    """What a paper prints for the cells of a table: numbers in its rows and columns, NaN where it prints none.

    name: of a row and a column the id of a published value without the paper's name, or None. value: turns the
    printed number into that of the table, such as a gain in percent into a ratio.
    """
    printed = results.published(paper)["value"]

    def cell(row: Any, column: Any) -> float:
        found = printed.get(f"{paper}-{name(row, column)}")
        return value(float(found)) if found else np.nan

    return pd.DataFrame([[cell(row, column) for column in table.columns] for row in table.index],
                        table.index, table.columns, dtype=float)


def beside(ours: pd.DataFrame, theirs: pd.DataFrame,
           band: tuple[pd.DataFrame, pd.DataFrame] | None = None) -> pd.DataFrame:
    """The data of a figure: a row for each cell of a table, with our value and the published one, if there is one.

    band: the low and the high end of each of our values, columns of their own.
    """
    theirs = theirs.reindex(index=ours.index, columns=ours.columns)
    others = {"ours": ours, "published": theirs, **dict(zip(("low", "high"), band or ()))}
    return pd.DataFrame([(row, column, *(table.loc[row, column] for table in others.values()))
                         for row in ours.index for column in ours.columns],
                        columns=["row", "column", *others])
