"""Pareto fronts."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def is_optimal(costs: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which points, (points, costs), no other dominates: none is at most as large in all costs and smaller in one. Equal
    points share their fate; a point with a missing cost (NaN) is not optimal."""
    order = np.lexsort(costs.T[::-1])
    optimal = np.zeros(len(costs), dtype=bool)
    kept = np.empty((0, costs.shape[1]))
    for i in order:
        one = costs[i]
        if np.isnan(one).any():
            continue
        dominated = ((kept <= one).all(axis=1) & (kept < one).any(axis=1)).any()
        if not dominated:
            optimal[i] = True
            if not (kept == one).all(axis=1).any():
                kept = np.vstack([kept, one])
    return optimal
