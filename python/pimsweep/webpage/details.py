"""Detail tables with the behavior of a point over time: timelines, and durations of its parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from .. import columns
from ..columns import Column
from . import pack

Values = npt.NDArray[Any]
# Rows of a table that go into a page.
MAX_ROWS = 100_000
# Parts of a point whose durations make a chart; a table with more of them is not a list of parts.
MAX_PARTS = 100
ROLES = ("group", "lane", "name", "start", "end")


def _declared(items: Mapping[str, h5py.Dataset]) -> dict[str, list[str]]:
    """Columns by their role in a timeline, as the attribute `timeline` names it."""
    found: dict[str, list[str]] = {}
    for name, item in items.items():
        role = columns.text(item.attrs.get("timeline", ""))
        if role in ROLES:
            found.setdefault(role, []).append(name)
    return found


def _guessed(items: Mapping[str, h5py.Dataset]) -> dict[str, list[str]]:
    """The same for a table that declares nothing: `start` and `end`, or a duration `time` of the parts of a point."""
    words = [name for name, item in items.items() if item.ndim == 2]
    if {"start", "end"} <= items.keys():
        lane = next((name for name in ("device", "unit", "lane", "what") if name in items), words[0] if words else "start")
        return {"lane": [lane], "name": [name for name in words if name != lane] or [lane], "start": ["start"],
                "end": ["end"]}
    if "time" in items and Column.of(items["time"]).unit == "s":
        first = next((name for name in items if name not in ("row", "point")), "time")
        return {"lane": [first], "name": [name for name in words if name != first][:2] or [first], "duration": ["time"]}
    return {}


def _points(owners: Values, chosen: Values, metric: Values | None) -> Values:
    """The points whose rows fit into a page, the best ones first, in order."""
    first, last = np.searchsorted(owners, chosen, "left"), np.searchsorted(owners, chosen, "right")
    counts = last - first
    order = np.arange(len(chosen)) if metric is None else np.argsort(metric[chosen], kind="stable")
    order = order[counts[order] > 0]
    fit = order[np.cumsum(counts[order]) <= MAX_ROWS]
    return np.sort(chosen[fit])


def _table(name: str, group: h5py.Group, chosen: Values, metric: Values | None) -> dict[str, Any] | None:
    items = {key: item for key, item in group.items() if isinstance(item, h5py.Dataset)}
    declared = _declared(items)
    roles = declared or _guessed(items)
    empty = {"name": name, "roles": roles, "rows": 0} if declared else None
    if not roles or not len(group["point"]):
        return empty
    owners = group["point"][:]
    if "duration" in roles and np.bincount(owners).max() > MAX_PARTS:
        return None
    order = np.argsort(owners, kind="stable") if (np.diff(owners) < 0).any() else np.arange(len(owners))
    points = _points(owners[order], chosen, metric)
    rows = order[np.isin(owners[order], points)]
    if not len(rows):
        return empty
    used = [key for keys in roles.values() for key in keys]
    ordered = np.sort(rows)
    back = np.searchsorted(ordered, rows)
    return {"name": name, "roles": roles, "rows": len(rows),
            "columns": [{"name": key, "unit": pack.unit(Column.of(items[key])), "doc": Column.of(items[key]).doc,
                         **pack.column(columns.values(items[key], ordered)[back])}
                        for key in dict.fromkeys(["point", *used])]}


def tables(study: h5py.Group, chosen: Values, metric: Values | None) -> list[dict[str, Any]]:
    """The tables of a study that can be drawn over time, with the rows of the selected points.

    A declared timeline is there without rows too, since `pimsweep trace` can evaluate its points again.
    """
    groups = {name: item for name, item in study.items() if isinstance(item, h5py.Group) and name != "long_texts"}
    found = (_table(name, group, chosen, metric) for name, group in groups.items())
    return [table for table in found if table]
