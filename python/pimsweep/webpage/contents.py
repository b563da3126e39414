"""What a page shows of results files: where they come from, their studies, and the points of each."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from .. import columns, results
from ..columns import Column
from . import details, pack, sample

Values = npt.NDArray[Any]
# Metrics by which designs are compared although no system names them its main ones.
FURTHER_OBJECTIVES = ("area", "cost")
MAX_OBJECTIVES = 5
# Maximum number of generations whose progress is drawn; a longer search is thinned evenly, keeping the last.
MAX_GENERATIONS = 2000
OK = 0


def _numbers(column: h5py.Dataset, is_ok: Values) -> Values:
    """A metric, NaN where its point has no result."""
    found: Values = np.where(is_ok, column[:].astype(np.float64), np.nan)
    return found


def _main_metrics(group: h5py.Group) -> list[str]:
    """The metrics by which the system compares designs; of a file of an earlier version, the first that is a number."""
    named = [name for name in columns.text(group.attrs.get("main_metrics", "")).split() if name in group]
    numeric = (name for name, item in group.items()
               if isinstance(item, h5py.Dataset) and item.ndim == 1 and Column.of(item).role == "metric")
    return named or list(numeric)[:1]


def _best(metric: h5py.Dataset, numbers: Values, axes: Sequence[h5py.Dataset]) -> dict[str, Any] | None:
    """What came out in a metric: the least value, its point with its axes, median and largest value, number of points."""
    there = np.flatnonzero(np.isfinite(numbers))
    if not len(there):
        return None
    found, row = numbers[there], there[numbers[there].argmin()]
    return {"metric": Column.of(metric).name, "unit": Column.of(metric).unit, "points": len(there), "point": int(row),
            "best": float(found.min()), "median": float(np.partition(found, len(found) // 2)[len(found) // 2]),
            "worst": float(found.max()),
            "place": [[Column.of(axis).name, pack.cell(columns.values(axis, np.array([row]))[0]), Column.of(axis).unit]
                      for axis in axes]}


def _varies(column: h5py.Dataset) -> bool:
    if column.ndim == 1 or len(column) <= pack.MAX_EXACT:
        return columns.constant(column) is None
    # The first texts suffice for most columns.
    return bool((column[:1024] != column[0]).any()) or columns.constant(column) is None


def _counts(status: h5py.Dataset) -> dict[str, int]:
    """How many points have each status, those that occur."""
    names = columns.text(status.attrs["flag_meanings"]).split()
    counts = np.bincount(status[:], minlength=len(names))
    return {name: int(count) for name, count in zip(names, counts) if count}


def _column(item: h5py.Dataset, rows: Values | None) -> dict[str, Any]:
    about = Column.of(item)
    is_unwritten = item.ndim == 1 and columns.is_unwritten(item)
    cells = np.array([item.fillvalue]) if is_unwritten else columns.values(item, rows)
    if "flag_meanings" in item.attrs:
        words = dict(zip(item.attrs["flag_values"], columns.text(item.attrs["flag_meanings"]).split()))
        cells = np.array([words[cell] for cell in cells], dtype=object)
    return {"name": about.name, "role": about.role, "unit": pack.unit(about), "doc": about.doc,
            **pack.column(cells)}


def _progress(group: h5py.Group) -> dict[str, list[Any]] | None:
    """Progress of a search over its generations: best results after each number of points; empty if the study is not a search."""
    table = group.get("generations")
    if not isinstance(table, h5py.Group) or "hypervolume" not in table or not len(table["points"]):
        return None
    last = len(table["points"]) - 1
    rows = np.unique(np.linspace(0, last, min(last + 1, MAX_GENERATIONS)).round().astype(int))
    return {key: [pack.cell(value) for value in table[key][:][rows]]
            for key in ("points", "infeasible", "front", "hypervolume")}


def study(name: str, group: h5py.Group, limit: int) -> dict[str, Any]:
    """A study with at most `limit` of its points, its columns packed."""
    items = {key: item for key, item in group.items()
             if isinstance(item, h5py.Dataset) and key not in results.INTERNAL}
    size = len(group["point"])
    main = _main_metrics(group)
    objectives = list(dict.fromkeys([*main, *(key for key in FURTHER_OBJECTIVES if key in items)]))[:MAX_OBJECTIVES]
    is_ok = group["status"][:] == OK
    metrics = {key: _numbers(items[key], is_ok) for key in objectives if items[key].ndim == 1}
    chosen = sample.choose(size, limit, metrics, list(metrics))
    rows = None if len(chosen) == size else chosen
    # Constants that follow the hardware file vary with the axis `hardware`, which stands for them.
    axes = [item for item in items.values() if Column.of(item).role == "axis" and not columns.origin(item).follows_hardware and _varies(item)] if size else []
    return {"id": name, "system": columns.text(group.attrs["system"]), "title": columns.text(group.attrs.get("title", "")),
            "version": str(columns.plain(group.attrs.get("system_version", ""))), "size": size, "shown": len(chosen),
            "counts": _counts(group["status"]), "main": main, "objectives": list(metrics),
            "axes": [Column.of(axis).name for axis in axes],
            "best": [found for key in main if key in metrics and (found := _best(items[key], metrics[key], axes))],
            "columns": [{"name": "point", "role": "point", "unit": "", "doc": "number of the point in its study",
                         **pack.column(chosen)},
                        *(_column(item, rows) for item in items.values())] if size else [],
            "search": _progress(group),
            "tables": details.tables(group, chosen, metrics.get(main[0]) if main else None)}


def file(path: str | os.PathLike[str], limit: int, unsealed: bool, chosen: Collection[str] = ()) -> dict[str, Any]:
    """What a results file says of itself and of its run, and its studies, or the chosen ones."""
    opened = results.open(path, unsealed)
    with opened.file() as source:
        return {"name": opened.path.name, "attrs": opened.attrs,
                "provenance": {key: str(value) for key, value in opened.provenance.items()},
                "studies": [study(name, opened.checked(source, name), limit) for name in opened.studies if not chosen or name in chosen]}
