"""Shares of a metric's variance that axes and pairs of axes cause: `pimsweep sensitivity` (docs/explore.md).

All shares refer to the variance over the given points, with equal weights.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from .. import columns, quantity
from ..columns import DRAW, Values
from ..expressions import BadExpression, is_expression, table
from .frames import Study, open_studies
from .problems import bad_input, suggestion
from .tables import Output, aligned

Numbers = npt.NDArray[np.float64]
# Parts into which points (or blocks of them) fall by chance, and replicates of the bootstrap over these parts.
PARTS, REPLICATES = 64, 400
# Standard errors of half a 95 % interval.
DEVIATIONS = 1.96
# Of an axis of a whole grid.
MAX_LEVELS = 255
# Axes with fewer points for each of their values are samples, which tell the values of all other axes by chance.
MIN_USES, MAX_POINTS_OF_LIST = 2, 16
SHOWN_PAIRS = 10
METHODS = {"factorial": "full grid: exact analysis of variance",
           "saltelli": "Saltelli sample: first-order and total indices by its estimators, interactions from given data",
           "given data": "points as given: analysis of variance over values or bins, which assumes independent axes"}
COLUMNS = ("study", "index", "axis", "other", "share", "low", "high")


class Share(NamedTuple):
    """An estimate and its 95 % interval: 1.96 standard errors by a bootstrap with a fixed seed (Efron and Tibshirani, An
    Introduction to the Bootstrap, 1993, Ch. 6). An exact number is its own interval."""

    value: float
    low: float
    high: float


@dataclasses.dataclass(frozen=True)
class Levels:
    """An axis as levels 0, 1, ... of each point, as many as `count`: its values, or bins of them."""

    of: Values
    count: int


def _random_words(seed: int, count: int) -> Values:
    """64-bit words of the Mersenne Twister MT19937-64 (Nishimura, ACM Trans. Model. Comput. Simul. 10(4), 2000), which NumPy
    has for 32 bits only: results stay the same on any version of NumPy."""
    size, middle = 312, 156
    state = [seed]
    for place in range(1, size):
        state.append((6364136223846793005 * (state[-1] ^ (state[-1] >> 62)) + place) % 2**64)
    words, upper, one = np.array(state, dtype=np.uint64), np.uint64(0xFFFFFFFF80000000), np.uint64(1)

    def twist(first: Values, second: Values, other: Values) -> Values:
        mixed = (first & upper) | (second & ~upper)
        twisted: Values = other ^ (mixed >> one) ^ (mixed & one) * np.uint64(0xB5026F5AA96619E9)
        return twisted

    found = []
    for _ in range(-(-count // size)):
        words[:middle] = twist(words[:middle], words[1:middle + 1], words[middle:])
        words[middle:-1] = twist(words[middle:-1], words[middle + 1:], words[:middle - 1])
        words[-1:] = twist(words[-1:], words[:1], words[middle - 1:middle])
        out = words ^ ((words >> np.uint64(29)) & np.uint64(0x5555555555555555))
        out ^= (out << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000)
        out ^= (out << np.uint64(37)) & np.uint64(0xFFF7EEE000000000)
        found.append(out ^ (out >> np.uint64(43)))
    every: Values = np.concatenate(found)
    return every[:count]


@functools.cache
def _weights() -> Numbers:
    """(REPLICATES, PARTS): how often each replicate of the bootstrap draws each part."""
    draws = (_random_words(PARTS, REPLICATES * PARTS) % np.uint64(PARTS)).astype(np.int64).reshape(REPLICATES, PARTS)
    return np.stack([np.bincount(row, minlength=PARTS) for row in draws]).astype(np.float64)


def _parts_of(blocks: int) -> Values:
    """The part of each block: a hash of its number."""
    mixed = np.arange(1, blocks + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    parts: Values = ((mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(58)
    return parts.astype(np.int64)


def _estimate(sums: Numbers, statistic: Callable[[Numbers], Numbers], exact: bool = False) -> list[Share]:
    """Numbers that `statistic` makes of sums over all points, (..., sums) -> (..., numbers), with their intervals. `sums`,
    (PARTS, sums), has the sums of each part, so that a replicate of the bootstrap costs no pass over the points."""
    values = statistic(sums.sum(axis=0))
    half = np.zeros_like(values) if exact else DEVIATIONS * statistic(_weights() @ sums).std(axis=0, ddof=1)
    return [Share(float(value), float(value - error), float(value + error)) for value, error in zip(values, half)]


def _share_between(counts: Numbers, sums: Numbers, squares: Numbers, exact: bool) -> Numbers:
    """Share of the variance between cells, of points with this sum of squares; less what chance puts there, unless the
    design is factorial."""
    count = counts.sum(axis=-1)
    offset = sums.sum(axis=-1)**2 / count
    total = squares - offset
    between = np.divide(sums**2, counts, out=np.zeros_like(sums), where=counts > 0).sum(axis=-1) - offset
    if not exact:
        used = (counts > 0).sum(axis=-1)
        within = np.divide(total - between, count - used, out=np.zeros_like(total), where=count > used)
        between = between - (used - 1) * within
    shares: Numbers = between / total
    return shares


def _tabulated(y: Numbers, a: Levels, b: Levels, exact: bool, block: int) -> list[Share]:
    """Shares of a, of b, and of both beyond that, by analysis of variance between levels (Kelley, PNAS 21(9), 1935)."""
    cells = a.count * b.count
    part = np.repeat(_parts_of(-(-len(y) // block)), block)[:len(y)]
    place = part * cells + a.of.astype(np.int64) * b.count + b.of
    centered = y - y.mean()
    counts, sums = (np.bincount(place, weights, PARTS * cells).reshape(PARTS, cells).astype(np.float64)
                    for weights in (None, centered))
    squares = np.bincount(part, centered**2, PARTS)

    def statistic(total: Numbers) -> Numbers:
        counts, sums = (total[..., 1 + i * cells:1 + (i + 1) * cells].reshape(*total.shape[:-1], a.count, b.count) for i in (0, 1))
        first, second = (_share_between(counts.sum(axis=axis), sums.sum(axis=axis), total[..., 0], exact) for axis in (-1, -2))
        both = _share_between(counts.reshape(*total.shape[:-1], cells), sums.reshape(*total.shape[:-1], cells), total[..., 0], exact)
        return np.stack([first, second, both - first - second], axis=-1)

    return _estimate(np.column_stack([squares, counts, sums]), statistic, exact)


def first_order(y: Numbers, axis: Levels, exact: bool, block: int) -> Share:
    """Var(E[y | axis]) / Var(y), the first-order index (Sobol, Math. Comput. Simul. 55, 2001, Eq. 10), from points of any
    design whose axes are independent. `exact`: for a factorial design. `block` points in a row are drawn together."""
    return _tabulated(y, axis, Levels(np.zeros(len(y), dtype=np.int64), 1), exact, block)[0]


def interaction(y: Numbers, a: Levels, b: Levels, exact: bool, block: int) -> Share:
    """The share of two axes together beyond the shares of each."""
    return _tabulated(y, a, b, exact, block)[2]


def is_factorial(axes: Sequence[Levels]) -> bool:
    """True if each combination of levels is exactly one point."""
    shape, points = [axis.count for axis in axes], len(axes[0].of)
    return math.prod(shape) == points == len(np.unique(np.ravel_multi_index([axis.of for axis in axes], shape)))


def factorial_total(y: Numbers, axes: Sequence[Levels], axis: int) -> float:
    """E[Var(y | all other axes)] / Var(y), the total index (Homma and Saltelli, Reliab. Eng. Syst. Saf. 52, 1996), of one
    axis of a factorial design."""
    centered = y - y.mean()
    grid = np.empty([one.count for one in axes])
    grid[tuple(one.of for one in axes)] = centered
    return float(((grid - grid.mean(axis=axis, keepdims=True))**2).sum() / (centered**2).sum())


def saltelli_terms(blocks: Numbers) -> tuple[Values, Values, Values, Values]:
    """The terms of Saltelli's estimators b and f, (..., blocks, axes + 2) -> (..., blocks) or (..., blocks, axes): sums and sums
    of squares of A and B, products for first-order indices, squared differences for total ones. `blocks` are centered."""
    a, b, mixed = blocks[..., :1], blocks[..., 1:2], blocks[..., 2:]
    return (a + b)[..., 0], (a**2 + b**2)[..., 0], b * (mixed - a), (a - mixed)**2


def saltelli(y: Numbers, axes: int) -> list[tuple[Share, Share]]:
    """First-order and total index of each axis from blocks of y(A), y(B), y(A with axis 1 of B), y(A with axis 2 of B), ...
    (Saltelli et al., Comput. Phys. Commun. 181, 2010, Table 2, estimators b and f). `y` is whole blocks."""
    sums, squares, products, differences = saltelli_terms((y - y.mean()).reshape(-1, axes + 2))
    part = _parts_of(len(sums))

    def statistic(s: Numbers) -> Numbers:
        count, total, square, product, difference = np.moveaxis(s, -1, 0)
        variance = square / (2 * count) - (total / (2 * count))**2
        return np.stack([product / count / variance, difference / (2 * count) / variance], axis=-1)

    shares = []
    for axis in range(axes):
        terms = (np.ones(len(sums)), sums, squares, products[:, axis], differences[:, axis])
        first, total = _estimate(np.column_stack([np.bincount(part, term, PARTS) for term in terms]), statistic)
        shares.append((first, total))
    return shares


@dataclasses.dataclass
class AxisShares:
    """Influence of one axis."""

    axis: str
    """its name, or "a + b" for axes that advance together"""
    levels: int
    """number of values"""
    bins: int
    """of values, where there are fewer"""
    first_order: Share
    total: Share | None
    """None for points as given"""


class PairShare(NamedTuple):
    """Interaction of two axes."""

    a: str
    b: str
    interaction: Share


@dataclasses.dataclass
class Sensitivity:
    """Influence of each axis of a study on one metric."""

    study: str
    metric: str
    unit: str
    method: str
    """one of METHODS"""
    points: int
    used: int
    """points with a result and a number, in a complete block of the design"""
    mean: float
    standard_deviation: float
    axes: list[AxisShares]
    """by first-order index, the largest first"""
    pairs: list[PairShare]
    """by interaction, the largest first"""


@dataclasses.dataclass
class _Axis:
    """An axis of the points in use: its values in rising order (texts: as they appear), and which of them each point has."""

    name: str
    of: Values
    count: int

    def determines(self, other: _Axis) -> bool:
        """Whether the level of this axis tells that of the other."""
        return len(np.unique(self.of * other.count + other.of)) == len(np.unique(self.of))

    def in_bins(self, bins: int) -> Levels:
        """Neighboring values as bins of about equally many points."""
        if self.count <= bins:
            return Levels(self.of, self.count)
        below = np.concatenate([[0], np.cumsum(np.bincount(self.of, minlength=self.count))])
        middle = (below[:-1] + below[1:]) // 2
        return Levels(np.minimum(bins - 1, middle * bins // len(self.of))[self.of], bins)


@dataclasses.dataclass
class _Points:
    """The points of a study and their metric, NaN where they gave none."""

    y: Numbers
    axes: list[_Axis]

    def keep(self, rows: Values) -> _Points:
        return _Points(self.y[rows], [dataclasses.replace(axis, of=axis.of[rows]) for axis in self.axes])

    def whole_blocks(self, block: int) -> _Points:
        """Without blocks of which a point gave nothing, and points after the last whole block."""
        blocks = len(self.y) // block
        whole = ~np.isnan(self.y[:blocks * block].reshape(blocks, block)).any(axis=1)
        return self.keep(np.flatnonzero(np.repeat(whole, block)))

    def levels(self, bins: int) -> list[Levels]:
        return [axis.in_bins(bins) for axis in self.axes]


def _varying_axes(study: Study) -> list[str]:
    """Axes that differ between points, without the constants that are sampled: `draw` stands for these."""
    found = []
    for name, origin in study.points.axes.items():
        cells = study.points.column(name)
        if not origin.follows_hardware and not origin.is_drawn and cells and (cells.values != cells.values[0]).any():
            found.append(name)
    # As the file has them: rank and name of an axis decide nothing, but equal shares are listed in this order.
    return [name for name in study.group if name in found]


def _metric(study: Study, metric: str, unsealed: bool) -> tuple[Values, str]:
    """The numbers of a metric, or of an expression over columns, and their unit."""
    if is_expression(metric):
        try:
            made = table(study.path, study.id, [metric], unsealed=unsealed)
        except BadExpression as error:
            raise bad_input(str(error)) from None
        return made[metric].to_numpy(dtype=float), made.attrs["units"][metric]
    _check_metric(study, metric)
    column = study.points.column(metric)
    assert column
    return column.values, columns.attribute(study.group[metric], "units")


def _check_metric(study: Study, metric: str) -> None:
    known = [name for name in study.points.with_role("metric") if study.group[name].ndim == 1]
    if metric not in known:
        raise bad_input(f"study '{study.id}' has no metric '{metric}'{suggestion(metric, known)}; it has {', '.join(known)}")


def _read_points(study: Study, numbers: Numbers) -> _Points:
    varying = _varying_axes(study)
    status, draw = (study.points.column(name) for name in ("status", DRAW))
    assert status
    on_file = draw.values == 0 if draw and DRAW in varying else np.ones(study.size, dtype=bool)
    rows = np.flatnonzero(on_file)
    y = np.where((status.values == 0) & np.isfinite(numbers), numbers, np.nan)[rows]
    axes = []
    for name in varying:
        cells = study.points.column(name)
        if name == DRAW or not cells:
            continue
        if not cells.is_text and np.isnan(cells.values[rows]).any():
            raise bad_input(f"axis '{name}' has no number at point {rows[np.isnan(cells.values[rows])][0]}")
        codes, known = pd.factorize(cells.values[rows], sort=not cells.is_text)
        axes.append(_Axis(name, codes, len(known)))
    if not axes:
        raise bad_input(f"study '{study.id}' varies no axis")
    return _Points(y, axes)


def _saltelli_order(axes: Sequence[_Axis], points: int) -> list[int] | None:
    """For a sample of method "saltelli" over all its axes: the axis of each place of a block after the first two. Row 2 + i of
    a block is row 0 but for one axis, which is that of row 1. None where any block is not so."""
    block = len(axes) + 2
    if points < 2 * block:
        return None
    whole = points // block * block
    # (axes, blocks, places)
    cells = np.stack([axis.of[:whole].reshape(-1, block) for axis in axes])
    moved = (cells[:, :, 2:] != cells[:, :, :1]).any(axis=1)
    if (moved.sum(axis=0) != 1).any() or (moved.sum(axis=1) != 1).any():
        return None
    order = moved.argmax(axis=0)
    is_second = all((cells[axis, :, 2 + place] == cells[axis, :, 1]).all() for place, axis in enumerate(order))
    return [int(axis) for axis in order] if is_second else None


def _joined(axes: Iterable[_Axis], points: int) -> list[_Axis]:
    """Axes that advance together as one factor: what each of them does cannot be told apart. Nearly every axis of a sample has
    another value at each point and would tell those of all others, which says nothing."""
    factors: list[_Axis] = []
    for axis in sorted(axes, key=lambda one: -one.count):
        found = next((factor for factor in factors if (MIN_USES * factor.count <= points or points < MAX_POINTS_OF_LIST)
                      and factor.determines(axis)), None)
        if found:
            found.name += f" + {axis.name}"
        else:
            factors.append(axis)
    return factors


def _factorial_levels(points: _Points) -> list[Levels] | None:
    """Levels of a grid: all values of each axis. None if the points are not a whole grid."""
    levels = points.levels(MAX_LEVELS)
    return levels if all(axis.count <= MAX_LEVELS for axis in points.axes) and is_factorial(levels) else None


def _bins_for(points: int) -> int:
    """Bins per axis that leave 16 points in each cell of a pair, on average."""
    return min(max(int(math.sqrt(points) / 4), 2), 32)


def _find(study: Study, metric: str, unsealed: bool) -> Sensitivity:
    numbers, unit = _metric(study, metric, unsealed)
    points = _read_points(study, numbers)
    size = len(points.y)
    order = _saltelli_order(points.axes, size)
    block = 1
    if order:
        block = len(points.axes) + 2
    else:
        points.axes = _joined(points.axes, size)
    points = points.whole_blocks(block)
    y = points.y
    if not len(y) or y.min() == y.max():
        raise bad_input(f"study '{study.id}': {len(y)} of its {size} points have a number for '{metric}', and these do not vary")
    used, mean, deviation = len(y), float(y.mean()), float(y.std())
    levels = _factorial_levels(points)
    exact = levels is not None
    indices: list[tuple[Share, Share | None]] = []
    if exact:
        method = "factorial"
    elif order:
        method, by_place = "saltelli", saltelli(y, len(points.axes))
        indices = [by_place[order.index(axis)] for axis in range(len(order))]
        # The other points of a block repeat the values of the first two: they say less about pairs of axes than as many
        # independent points.
        points = points.keep(np.flatnonzero(np.arange(len(y)) % block < 2))
        block = 2
    else:
        method = "given data"
    y = points.y
    levels = levels or points.levels(_bins_for(len(y)))
    block = block if method == "saltelli" else 1
    for place, one in enumerate(levels if not indices else []):
        total = factorial_total(y, levels, place) if exact else None
        indices.append((first_order(y, one, exact, block), None if total is None else Share(total, total, total)))
    axes = [AxisShares(axis.name, axis.count, one.count, first, total)
            for axis, one, (first, total) in zip(points.axes, levels, indices)]
    pairs = [PairShare(points.axes[j].name, points.axes[i].name, interaction(y, levels[j], levels[i], exact, block))
             for i in range(len(levels)) for j in range(i)]
    return Sensitivity(study.id, metric, unit, method, size, used, mean, deviation,
                       sorted(axes, key=lambda one: -one.first_order.value), sorted(pairs, key=lambda one: -one.interaction.value))


def find_sensitivities(results: str, metric: str, chosen: Collection[str] = (), unsealed: bool = False) -> list[Sensitivity]:
    """The indices of a metric that is a number, or of an expression over columns, of each study or of the chosen ones: exact where the study is a whole grid, by the design's
    estimators where it is a sample of method "saltelli", else from the points as given.

    InputError: a study has no such metric, or there is nothing to explain: no axis varies, or the metric does not.
    """
    with open_studies(results, unsealed, chosen) as studies:
        if not metric:
            names = {study.id: study.points.with_role("metric") for study in studies}
            raise bad_input("sensitivity needs one metric: --metric METRIC; " + "; ".join(
                f"study '{study}' has {', '.join(metrics)}" for study, metrics in list(names.items())[:1]))
        return [_find(study, metric, unsealed) for study in studies]


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def as_text(found: Sensitivity) -> str:
    """The shares for people to read."""
    def interval(share: Share) -> str:
        return "exact" if found.method == "factorial" else f"{100 * share.low:.2f} .. {100 * share.high:.2f} %"

    mean, deviation = (quantity.text_of(number, found.unit) for number in (found.mean, found.standard_deviation))
    text = f"study {found.study}, {found.metric}: {found.used} of {found.points} points, mean {mean}, "
    text += f"standard deviation {deviation}\n{METHODS[found.method]}\n"
    text += aligned(("axis", "levels", "first order", "95 % interval", "total", "95 % interval"),
                    [[axis.axis, str(axis.levels) + (f" in {axis.bins} bins" if axis.bins < axis.levels else ""),
                      _percent(axis.first_order.value), interval(axis.first_order),
                      _percent(axis.total.value) if axis.total else "-", interval(axis.total) if axis.total else "-"]
                     for axis in found.axes])
    if found.pairs:
        text += aligned(("axes", "", "interaction", "95 % interval"),
                        [[pair.a, pair.b, _percent(pair.interaction.value), interval(pair.interaction)]
                         for pair in found.pairs[:SHOWN_PAIRS]])
    return text


def rows_of(found: Sensitivity) -> list[list[str]]:
    """The shares as rows of texts, in the order of COLUMNS."""
    rows = []
    for axis in found.axes:
        rows.append(["first order", axis.axis, "", axis.first_order])
        if axis.total:
            rows.append(["total", axis.axis, "", axis.total])
    rows += [["interaction", pair.a, pair.b, pair.interaction] for pair in found.pairs]
    return [[found.study, *map(str, names), *map(quantity.shortest, share)] for *names, share in rows]  # type: ignore[arg-type]


def print_sensitivity(found: Sequence[Sensitivity], output: Output) -> None:
    """Prints the shares as text, and writes them as CSV or JSON if the output asks for it."""
    if output.has_text:
        print("".join(map(as_text, found)), end="")
    output.add(COLUMNS, [row for one in found for row in rows_of(one)], COLUMNS[4:])
    output.write()
