"""Bands of figures: the values of a drawing on each sampled machine (docs/uncertainty.md).

A drawing is a function of results. It runs on the machine of the file and, for its tables alone, on each sampled machine:
whatever it makes of the points, such as ratios of two policies, is made on one machine at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..results import Results
from .style import bands_in

Drawing: TypeAlias = Callable[[Any], tuple[Figure | None, pd.DataFrame]]
Band: TypeAlias = tuple[pd.DataFrame, pd.DataFrame]
QUANTILES = (0.05, 0.95)


class Run:
    """One run of a drawing: the tables that it shows, in order, with their bands over those of runs on machines."""

    current: Run | None = None

    def __init__(self, machines: Sequence[Run] = ()) -> None:
        self.machines = machines
        self.tables: list[pd.DataFrame] = []
        self.bands: list[Band | None] = []
        self.figure: Figure | None = None
        self.data = pd.DataFrame()

    def draw(self, drawing: Drawing, results: Results) -> Run:
        before, Run.current = Run.current, self
        try:
            self.figure, self.data = drawing(results)
        finally:
            Run.current = before
        return self

    def close(self) -> Run:
        if self.figure:
            plt.close(self.figure)
        return self

    def show(self, table: pd.DataFrame) -> Band | None:
        self.bands.append(_band(table, [machine.tables[len(self.tables)] for machine in self.machines]))
        self.tables.append(table)
        return self.bands[-1]


def show(table: pd.DataFrame) -> Band | None:
    """Low and high end of the band of each value in the next table to draw; None without bands."""
    return Run.current.show(table) if Run.current else None


def shown(table: pd.DataFrame) -> Band | None:
    """The band of a table that has been drawn."""
    run = Run.current or Run()
    return next((band for one, band in zip(run.tables, run.bands) if one is table), None)


def with_bands(drawing: Drawing) -> Drawing:
    """The same drawing, whose `bars`, `dots` and `lines` have bands if its results have sampled machines.

    Its data get columns with the ends of bands: `low` and `high` where `compare` makes them, else two for each column
    of numbers that differ between machines, whose rows are found by their texts. Machines on which it shows more or
    fewer tables, for want of results, are left out.
    """
    def draw(results: Any) -> tuple[Figure | None, pd.DataFrame]:
        if not isinstance(results, Results) or not results.machines:
            return drawing(results)
        own = Run().draw(drawing, results.machine(0))
        if own.tables:
            own.close()
            machines = [run for run in results.on_machines(lambda one: Run().draw(drawing, one).close())
                        if len(run.tables) == len(own.tables)]
            own = Run(machines).draw(drawing, results.machine(0))
            own.data = own.data if "low" in own.data else _with_ends(own.data, [run.data for run in machines])
            for axes in own.figure.axes if own.figure else ():
                _show_whole_bands(axes)
        return own.figure, own.data
    return draw


def _show_whole_bands(axes: Axes) -> None:
    """Widens the vertical range of a panel that would cut a band off."""
    low, high = axes.get_ylim()
    extents = [band.get_datalim(axes.transData) for band in bands_in(axes)]
    if any(extent.y0 < low or extent.y1 > high for extent in extents):
        axes.autoscale(axis="y")
        axes.set_ylim(min(low, axes.get_ylim()[0]), max(high, axes.get_ylim()[1]))


def _ends(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Both quantiles over the first dimension, ignoring NaN."""
    numbers = np.asarray(values, dtype=np.float64)
    flat = pd.DataFrame(numbers.reshape(len(numbers), -1)).quantile(list(QUANTILES))
    ends: npt.NDArray[np.float64] = flat.to_numpy().reshape(2, *numbers.shape[1:])
    return ends


def _band(table: pd.DataFrame, machines: Sequence[pd.DataFrame]) -> Band | None:
    """The band of each value; None where all machines show the same."""
    values = [_like(table, one).to_numpy(float) for one in machines]
    if all(_same(one, table.to_numpy(float)) for one in values):
        return None
    low, high = (pd.DataFrame(end, table.index, table.columns) for end in _ends(values))
    return low, high


def _like(table: pd.DataFrame, one: pd.DataFrame) -> pd.DataFrame:
    """Rows and columns of a table, by name, from the table of another machine; NaN if missing there.

    Columns whose names are others there, as those with a mean in them are, are taken in their order.
    """
    if len(one.columns) == len(table.columns) and set(one.columns) != set(table.columns):
        one = one.set_axis(table.columns, axis=1)
    return one.reindex(index=table.index, columns=table.columns)


def _same(one: npt.ArrayLike, other: npt.ArrayLike) -> bool:
    """Whether numbers are equal but for rounding."""
    return np.allclose(one, other, rtol=1e-9, atol=0, equal_nan=True)


def _by_texts(data: pd.DataFrame, texts: list[str]) -> pd.DataFrame:
    """The rows by their texts, numbered where several have the same."""
    keys = pd.Series([str(row) for row in data[texts].to_numpy().tolist()], dtype=object)
    return data.set_index([keys, keys.groupby(keys).cumcount()])


def _with_ends(data: pd.DataFrame, machines: Sequence[pd.DataFrame]) -> pd.DataFrame:
    numbers = list(data.select_dtypes("number"))
    texts = [name for name in data if name not in numbers]
    own, *others = (_by_texts(one, texts) for one in (data, *machines))
    ends = {}
    for name in numbers:
        values = [one[name].reindex(own.index).to_numpy(float) for one in others]
        if not all(_same(one, own[name].to_numpy(float)) for one in values):
            ends[f"{name} low"], ends[f"{name} high"] = _ends(values)
    return data.assign(**ends)
