"""Which points of a long study go into a page: those that matter, and others at random."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[Any]
SEED = 1


def front(first: Values, second: Values) -> Values:
    """Rows of the Pareto front of two metrics, the smaller the better; NaN is on no front."""
    rows = np.flatnonzero(np.isfinite(first) & np.isfinite(second))
    rows = rows[np.lexsort((second[rows], first[rows]))]
    if not len(rows):
        return rows
    least = np.minimum.accumulate(second[rows])
    return rows[np.diff(least, prepend=np.inf) < 0]


def extremes(metrics: Mapping[str, Values]) -> list[Values]:
    """The rows with the least and the largest value of each metric."""
    found = []
    for numbers in metrics.values():
        there = np.flatnonzero(np.isfinite(numbers))
        if len(there):
            found.append(there[[numbers[there].argmin(), numbers[there].argmax()]])
    return found


def choose(size: int, limit: int, metrics: Mapping[str, Values], main: Sequence[str]) -> Values:
    """Rows in order: all, or `limit` of them with the fronts of each two of `main`, the extremes, and others at random."""
    if size <= limit:
        return np.arange(size)
    kept = [front(metrics[a], metrics[b]) for a, b in itertools.combinations(main, 2)]
    must = np.unique(np.concatenate([*kept, *extremes(metrics), np.array([], dtype=np.int64)]))[:limit]
    others = np.setdiff1d(np.arange(size), must, assume_unique=True)
    drawn = np.random.default_rng(SEED).choice(others, limit - len(must), replace=False)
    return np.sort(np.concatenate([must, drawn]))
