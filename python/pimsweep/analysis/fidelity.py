"""How far the axis `fidelity` moves results, ranks and Pareto fronts: `pimsweep fidelity` (docs/results-format.md,
"Comparison of fidelities")."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from .. import quantity
from ..columns import Values
from ..experiment import Problem
from ..pareto import is_optimal
from .frames import Frame, Study, open_studies
from .problems import raise_if_any, suggestion
from .tables import Output, aligned

FIDELITY = "fidelity"
# The finest ones, if a study has them.
FINEST = ("cycle", "event")
METRIC_COLUMNS = ("study", "finer", "coarser", "metric", "points", "mean", "median", "percentile_95", "worst", "worst_point",
                  "rank_correlation")
FRONT_COLUMNS = ("study", "finer", "coarser", "minimized", "groups", "designs", "finer_front", "coarser_front", "common", "regret",
                 "worst_regret")
# Columns of words, before those of numbers.
WORDS = 4


@dataclasses.dataclass(frozen=True)
class MetricAgreement:
    """Deviation of a metric at one fidelity from a finer one, (coarser - finer) / |finer|, over the points that both have."""

    study: str
    finer: str
    coarser: str
    metric: str
    points: int
    mean: float
    median: float
    """of the absolute deviations, as the 95 % quantile"""
    percentile_95: float
    worst: float
    """the deviation of largest absolute value, with its sign"""
    worst_point: int
    """of the coarser fidelity"""
    rank_correlation: float
    """Spearman's; NaN where nothing varies"""


@dataclasses.dataclass(frozen=True)
class FrontAgreement:
    """Agreement of two fidelities on the best designs (points but for their fidelity)."""

    study: str
    finer: str
    coarser: str
    minimized: Sequence[str]
    groups: int
    """groups of designs that compete with each other; the counts are sums over them"""
    designs: int
    finer_front: int
    coarser_front: int
    common: int
    regret: float
    """by how much the first minimized metric of the design that the coarser fidelity finds best exceeds, at the finer one,
    that of the best design there: the mean over the groups"""
    worst_regret: float


@dataclasses.dataclass(frozen=True)
class _Pairs:
    """Rows of the designs that have a result at both fidelities."""

    finer: Values
    coarser: Values

    def with_numbers(self, *metrics: Values) -> _Pairs:
        """Only designs for which all metrics are finite at both."""
        kept = np.ones(len(self.finer), dtype=bool)
        for metric in metrics:
            kept &= np.isfinite(metric[self.finer]) & np.isfinite(metric[self.coarser])
        return _Pairs(self.finer[kept], self.coarser[kept])


def _numbers(frame: Frame, name: str) -> Values:
    column = frame.column(name)
    assert column is not None
    return column.values


def _pair_up(frame: Frame, finer: str, coarser: str) -> _Pairs:
    designs = frame.groups([name for name in frame.axes if name != FIDELITY])
    fidelity = _numbers(frame, FIDELITY)
    fine, coarse = np.flatnonzero(fidelity == finer), np.flatnonzero(fidelity == coarser)
    known, first = np.unique(designs[fine], return_index=True)
    places = np.minimum(np.searchsorted(known, designs[coarse]), len(known) - 1)
    found = known[places] == designs[coarse]
    return _Pairs(fine[first[places[found]]], coarse[found])


def deviations(ours: Values, reference: Values) -> Values:
    """(ours - reference) / |reference|; for a reference of 0, either 0 or infinite."""
    with np.errstate(all="ignore"):
        return np.where(ours == reference, 0.0, (ours - reference) / np.abs(reference))


def _rank_correlation(a: Values, b: Values) -> float:
    """Spearman's: the correlation of the ranks, equal values at the mean of theirs."""
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return math.nan
    return float(np.corrcoef(pd.Series(a).rank(), pd.Series(b).rank())[1, 0])


def _compare_metric(study: str, finer: str, coarser: str, metric: str, numbers: Values, pairs: _Pairs) -> MetricAgreement | None:
    pairs = pairs.with_numbers(numbers)
    if not len(pairs.finer):
        return None
    fine, coarse = numbers[pairs.finer], numbers[pairs.coarser]
    deviation = deviations(coarse, fine)
    worst = int(np.argmax(np.abs(deviation)))
    median, percentile = np.quantile(np.abs(deviation), [0.5, 0.95])
    return MetricAgreement(study, finer, coarser, metric, len(fine), float(deviation.mean()), float(median), float(percentile),
                           float(deviation[worst]), int(pairs.coarser[worst]), _rank_correlation(fine, coarse))


def _compare_fronts(study: str, finer: str, coarser: str, frame: Frame, pairs: _Pairs, minimized: Sequence[str],
                    group_by: Sequence[str]) -> FrontAgreement | None:
    metrics = [_numbers(frame, name) for name in minimized]
    pairs = pairs.with_numbers(*metrics)
    if not len(pairs.finer):
        return None
    groups = frame.groups([name for name in group_by if frame.column(name) is not None])[pairs.finer]
    counts, regrets = np.zeros(4, dtype=int), []
    for group in np.unique(groups):
        rows = [of[groups == group] for of in (pairs.finer, pairs.coarser)]
        fine, coarse = (is_optimal(np.stack([metric[of] for metric in metrics], axis=1)) for of in rows)
        counts += (len(fine), fine.sum(), coarse.sum(), (fine & coarse).sum())
        truth, estimate = (metrics[0][of] for of in rows)
        regrets.append(float(deviations(truth[np.argmin(estimate)], truth.min())))
    designs, finer_front, coarser_front, common = map(int, counts)
    return FrontAgreement(study, finer, coarser, minimized, len(regrets), designs, finer_front, coarser_front, common,
                          sum(regrets) / len(regrets), max(0.0, *regrets))


@dataclasses.dataclass(frozen=True)
class Agreement:
    metrics: Sequence[MetricAgreement]
    fronts: Sequence[FrontAgreement]


def _levels(study: Study) -> list[str]:
    """The fidelities of a study, the finest first; none without that axis."""
    column = study.points.column(FIDELITY)
    found = list(dict.fromkeys(column.values)) if column is not None and column.is_text else []
    return [one for one in found if one in FINEST] + [one for one in found if one not in FINEST]


def _check_names(given: Sequence[str], what: str, known: set[str]) -> list[Problem]:
    names = sorted(known)
    return [Problem(f"there is no {what} '{name}'{suggestion(name, names)}; there are {', '.join(names)}")
            for name in given if name not in known]


def compare_fidelities(results: str, minimized: Sequence[str] = (), group_by: Sequence[str] = (),
                       unsealed: bool = False, chosen: Collection[str] = ()) -> Agreement:
    """Compares the fidelities of every study that varies the axis `fidelity`: `cycle` or `event`, where there is one, is the
    finest; all others are compared with it. Nothing where no study does.

    minimized: metrics of the fronts; the first metric of the system, and `energy` if it has that, if not given. Studies
    without them have no front. group_by: designs with different values of these axes do not compete; `model` if not given.
    chosen: only these studies. InputError: none of the studies has a metric or an axis that is named.
    """
    metrics: list[MetricAgreement | None] = []
    fronts: list[FrontAgreement | None] = []
    known_metrics: set[str] = set()
    known_axes: set[str] = set()
    with open_studies(results, unsealed, chosen) as studies:
        for study in studies:
            levels = _levels(study)
            if len(levels) < 2:
                continue
            frame = study.whole()
            names = study.points.with_role("metric")
            numeric = [name for name in names if (column := frame.column(name)) is not None and not column.is_text]
            known_metrics |= set(numeric)
            known_axes |= set(study.points.with_role("axis"))
            objectives = list(minimized) or names[:1] + ["energy"] * ("energy" in names)
            for level in levels[1:]:
                pairs = _pair_up(frame, levels[0], level)
                metrics += [_compare_metric(study.id, levels[0], level, name, _numbers(frame, name), pairs) for name in numeric]
                if objectives and set(objectives) <= set(numeric):
                    fronts.append(_compare_fronts(study.id, levels[0], level, frame, pairs, objectives, group_by or ["model"]))
    if known_metrics:
        raise_if_any(_check_names(minimized, "metric", known_metrics) + _check_names(group_by, "axis", known_axes))
    return Agreement([one for one in metrics if one], [one for one in fronts if one])


def _signed(share: float) -> str:
    return f"{100 * share:+.2f} %"


def _exact(number: float) -> str:
    return quantity.shortest(number) if math.isfinite(number) else ""


def as_text(agreement: Agreement) -> str:
    """The agreement for people to read."""
    equal: dict[str, list[str]] = {}
    rows = []
    for one in agreement.metrics:
        if one.worst == 0:
            equal.setdefault(one.study, []).append(one.metric)
            continue
        correlation = "-" if math.isnan(one.rank_correlation) else f"{one.rank_correlation:.4f}"
        rows.append([one.study, one.metric, str(one.points), *map(_signed, (one.mean, one.median, one.percentile_95, one.worst)),
                     str(one.worst_point), correlation])
    head = ("study", "metric", "points", "mean", "median |d|", "95 % |d|", "worst", "at point", "rank corr.")
    text = f"fidelities: deviation d = (coarser - finer) / |finer|\n{aligned(head, rows)}"
    text += "".join(f"{study}: equal in every point: {', '.join(names)}\n" for study, names in sorted(equal.items()))
    if agreement.fronts:
        fronts = ("study", "finer", "coarser", "minimized", "groups", "designs", "finer front", "coarser front", "in both", "regret",
                  "worst")
        text += aligned(fronts, [[*_front_words(one, ", "), _signed(one.regret), _signed(one.worst_regret)] for one in agreement.fronts])
    return text


def _front_words(one: FrontAgreement, separator: str) -> list[str]:
    return [one.study, one.finer, one.coarser, separator.join(one.minimized),
            *map(str, (one.groups, one.designs, one.finer_front, one.coarser_front, one.common))]


def print_fidelity(agreement: Agreement, output: Output) -> None:
    """Prints the agreement as text, and writes it as CSV or JSON if the output asks for it."""
    if output.has_text:
        print(as_text(agreement), end="")
    output.add(METRIC_COLUMNS, [[one.study, one.finer, one.coarser, one.metric, str(one.points), _exact(one.mean), _exact(one.median),
                                 _exact(one.percentile_95), _exact(one.worst), str(one.worst_point), _exact(one.rank_correlation)]
                                for one in agreement.metrics], METRIC_COLUMNS[WORDS:])
    if agreement.fronts:
        output.add(FRONT_COLUMNS, [[*_front_words(one, " "), _exact(one.regret), _exact(one.worst_regret)]
                                   for one in agreement.fronts], FRONT_COLUMNS[WORDS:])
    output.write()
