"""Recomputes published values from the rows of a study, and judges how near they are (docs/results-format.md, "Report")."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from .. import quantity
from ..columns import Values
from .frames import Column, Frame
from .problems import bad_input, suggestion
from .published import NEIGHBOR_CLAIMS, PublishedValue, Query, Selection, evaluate, number_in

# The largest deviation of a value that is `within`, and the second limit of summaries.
WITHIN, QUARTER = 0.10, 0.25
# Share of comparisons from which on a claim counts as `within`.
MOSTLY = 0.90
# Verdicts from the nearest to the furthest.
VERDICTS = ("exact", "within", "near", "off", "inconsistent", "open")
# Those of values that were recomputed where the paper does not contradict itself, and of these the ones that agree.
COMPARED, AGREEING = VERDICTS[:4], VERDICTS[:2]
# Two numbers that differ by less, relative to their size, are equal to a claim.
ROUNDING = 1e-12


@dataclasses.dataclass
class Finding:
    """A published value beside the reproduced one: one line of the report."""

    published: PublishedValue
    reproduced: str = ""
    """in the published unit; empty when open"""
    number: float | None = None
    """behind it, or the share of comparisons in which a claim holds; None for texts and ranges"""
    deviation: float | None = None
    """(reproduced - published) / published; None where that has no meaning"""
    ratio_deviation: float | None = None
    """the same of the ratios that published improvements stand for (14 % speedup: 1.14); None for other units"""
    verdict: str = "open"
    ratio_verdict: str = ""
    """the verdict on these ratios; empty for other units"""
    role: str = ""
    """what agreement says, one of ROLES; empty where there is nothing to recompute"""
    reading: str = ""
    note: str = ""

    @property
    def agrees(self) -> bool:
        return self.verdict in AGREEING

    def remark(self, text: str) -> None:
        """Adds a remark behind the note."""
        self.note += f"; {text}" if self.note else text


def _half_digit(printed: str) -> float:
    """Half a unit of the last printed digit: 6.94 -> 0.005, 17.6e12 -> 0.05e12."""
    digits, _, exponent = printed.lower().partition("e")
    return 0.5 * 10.0**(int(exponent or 0) - len(digits.partition(".")[2])) * (1 + 1e-9)


def rounding_of(printed: str) -> float:
    """How far the number that was printed may lie from the one that was rounded to it: half a unit of its last digit, but
    not more than counts as near."""
    return min(_half_digit(printed), WITHIN * abs(number_in(printed) or 0.0))


def _scale_of(unit: str) -> float:
    """A published unit in SI units; 1 for counts, ratios and words."""
    known = {"%": 0.01, "": 1.0, "x": 1.0, "KB": 1000.0}
    if unit in known:
        return known[unit]
    if unit.startswith("million "):
        return 1e6
    try:
        return quantity.scale_of(unit)
    except ValueError:
        return 1.0


def in_published_unit(value: float, unit: str) -> float:
    """A value in the unit in which the paper prints it: "82 % speedup" is a ratio of 1.82, "26 % reduction" one of 0.74."""
    if unit in ("% speedup", "% slowdown"):
        return 100 * (value - 1)
    return 100 * (1 - value) if unit == "% reduction" else value / _scale_of(unit)


def _improvement_ratio(value: float, unit: str) -> float | None:
    """The ratio that an improvement in a published unit stands for; None for other units."""
    if unit in ("% speedup", "% slowdown"):
        return 1 + value / 100
    return 1 - value / 100 if unit == "% reduction" else None


def _divided(numerator: float, denominator: float) -> float:
    with np.errstate(all="ignore"):
        return float(np.float64(numerator) / np.float64(denominator))


def _verdict(deviation: float, is_exact: bool, has_ends: bool) -> str:
    """has_ends: whether a bound or range is printed. It is missed or not, and never agrees because it is missed by little."""
    if is_exact:
        return "exact"
    if abs(deviation) > WITHIN:
        return "off"
    return "near" if has_ends and deviation != 0 else "within"


def _is_reversed(reproduced: float, published: PublishedValue) -> bool:
    """Whether a gain is printed and a loss computed, or the other way round: never an agreement, near 1 as both may be."""
    printed = number_in(published.value)
    if published.unit != "x" or published.kind != "value" or printed is None:
        return False
    half = _half_digit(published.value)
    return (printed - 1) * (reproduced - 1) < 0 and abs(printed - 1) > half and abs(reproduced - 1) > half


def judge_number(reproduced: float, finding: Finding) -> None:
    """Sets the deviations and the verdicts of a finding on a published number."""
    published = finding.published
    low, high = number_in(published.value), number_in(published.value_hi)
    assert low is not None
    nearest, printed = (high, published.value_hi) if high is not None and reproduced > high else (low, published.value)
    deviation = _divided(reproduced - nearest, nearest)
    ratio, ours = _improvement_ratio(nearest, published.unit), _improvement_ratio(reproduced, published.unit)
    ratio_deviation = ours / ratio - 1 if ratio is not None and ours is not None and ratio > 0 else None
    has_ends = published.kind in ("range", "upper bound", "lower bound")
    # A printed 1 is not equal to 0.6, though that rounds to it.
    is_exact = not has_ends and abs(reproduced - low) <= _half_digit(published.value) and (abs(deviation) <= WITHIN or low == 0)
    if has_ends:
        slack = rounding_of(printed)
        inside = {"range": low - slack <= reproduced <= (low if high is None else high) + slack,
                  "upper bound": reproduced <= low + slack, "lower bound": reproduced >= low - slack}[published.kind]
        if inside:
            deviation, ratio_deviation = 0.0, None if ratio_deviation is None else 0.0
    finding.deviation, finding.ratio_deviation = deviation if low != 0 or has_ends else None, ratio_deviation
    finding.verdict = "off" if low == 0 and not is_exact and not has_ends else _verdict(deviation, is_exact, has_ends)
    if finding.verdict == "within" and _is_reversed(reproduced, published):
        finding.verdict = "off"
        finding.remark("a gain for a loss")
    if ratio_deviation is not None:
        finding.ratio_verdict = _verdict(ratio_deviation, is_exact, has_ends)


def _judge_ends(low: float, high: float, finding: Finding) -> None:
    """The same for both ends of a published range; the deviation is that of the end that is further off."""
    published = finding.published
    ends = []
    for number, printed in ((low, published.value), (high, published.value_hi)):
        end = Finding(dataclasses.replace(published, kind="value", value=printed, value_hi=""))
        judge_number(number, end)
        ends.append(end)
    first, last = ends
    further = first if abs(first.deviation or 0) > abs(last.deviation or 0) else last
    finding.deviation, finding.ratio_deviation = further.deviation, further.ratio_deviation
    finding.verdict = max(first.verdict, last.verdict, key=VERDICTS.index)
    if further.ratio_verdict:
        finding.ratio_verdict = max(first.ratio_verdict, last.ratio_verdict, key=VERDICTS.index)


def _column(frame: Frame, name: str, query: Query) -> Column:
    found = frame.column(name)
    if found is None:
        raise bad_input(f"{query.id}: study '{query.study}' has no column '{name}'{suggestion(name, frame.names())}",
                        query.where.file, query.where.line, query.where.column)
    return found


def _along(frame: Frame, query: Query) -> Values:
    """The column that a query goes along, which must hold numbers."""
    found = _column(frame, query.along, query)
    if found.is_text:
        raise bad_input(f"{query.id}: column '{query.along}' of study '{query.study}' holds texts, expected numbers",
                        query.where.file, query.where.line, query.where.column)
    return found.values


def _select(frame: Frame, selections: Iterable[Selection], query: Query) -> Values:
    """The rows with a metric and with allowed values in all columns."""
    metric = _column(frame, query.metric, query)
    # A point without a result has no number; an infeasible one may have some, such as the memory that it would need.
    chosen = np.ones(frame.rows, dtype=bool) if metric.is_text else ~np.isnan(metric.values)
    for selection in selections:
        for name, allowed in selection.items():
            column = _column(frame, name, query)
            cells: Iterable[Any] = allowed if column.is_text else (number_in(text) for text in allowed)
            chosen &= np.any([column.values == cell for cell in cells if cell is not None] or [np.zeros(frame.rows, bool)], axis=0)
    return np.flatnonzero(chosen)


def _machine_constants(frame: Frame, query: Query) -> set[str]:
    """Where pairs are of two hardware files: the constants that have one value on each machine, and so tell no rows of it
    apart. On sampled machines these are not the values of the files."""
    if "hardware" not in query.over:
        return set()
    machines = frame.groups(["hardware"])
    count = len(np.unique(machines))
    return {name for name, origin in frame.axes.items() if name.startswith("hardware.") and not origin.follows_hardware
            and len(np.unique(frame.groups(["hardware", name]))) == count}


def _pairing_groups(frame: Frame, query: Query, along: str = "") -> Values:
    """Equal for rows that are paired: all axes agree but those that `over` names and the constants of the machines. Along an
    axis, that axis and those that change together with it are left out too."""
    left_out = {*query.over, *_machine_constants(frame, query)}
    if along:
        left_out |= {along, *query.together}
    axes = [name for name, origin in frame.axes.items() if not origin.follows_hardware and name not in left_out]
    for name in query.pair:
        _column(frame, name, query)
    return frame.groups(axes + [name for name in query.pair if name != along])


@dataclasses.dataclass(frozen=True)
class _Samples:
    """The values of a query, each with the row of `select` that it came from, and whether its claim holds."""

    rows: Values
    values: Values
    holds: Values

    def without_missing(self) -> _Samples:
        kept = ~np.isnan(self.values)
        return self if kept.all() else _Samples(self.rows[kept], self.values[kept], self.holds[kept])


def _pairs(first: Values, second: Values) -> tuple[Values, Values]:
    """The places of all pairs of equal numbers, in the order of the first ones, then of the second ones."""
    order = np.argsort(second, kind="stable")
    begin, end = (np.searchsorted(second[order], first, side) for side in ("left", "right"))  # type: ignore[call-overload]
    counts = end - begin
    places = np.repeat(np.arange(len(first)), counts)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return places, order[np.repeat(begin, counts) + within]


def _samples(frame: Frame, query: Query) -> _Samples:
    metric = _column(frame, query.metric, query).values
    rows = _select(frame, [query.select], query)
    with np.errstate(all="ignore"):
        if not query.over:
            values = metric[rows] / _column(frame, query.by, query).values[rows] if query.by else metric[rows]
            return _Samples(rows, values, np.ones(len(rows), dtype=bool))
        groups = _pairing_groups(frame, query)
        partners = _select(frame, [query.over], query)
        mine_at, theirs_at = _pairs(groups[rows], groups[partners])
        rows = rows[mine_at]
        mine, theirs = metric[rows], metric[partners[theirs_at]]
        claims = {"at_least": mine >= theirs * (1 - ROUNDING), "at_most": mine <= theirs * (1 + ROUNDING),
                  "above": mine > theirs * (1 + ROUNDING), "below": mine < theirs * (1 - ROUNDING)}
        return _Samples(rows, theirs / mine, claims.get(query.claim, np.ones(len(rows), dtype=bool)))


def _neighbors_holding(frame: Frame, query: Query, samples: _Samples) -> Values:
    """Whether the claim holds of each two neighbors along `query.along` with all other axes equal; equal neighbors satisfy
    both directions."""
    along = _along(frame, query)[samples.rows]
    series = _pairing_groups(frame, query, query.along)[samples.rows]
    order = np.lexsort((along, series))
    along, series, values = along[order], series[order], samples.values[order]
    # Of equal places the last one counts.
    last = np.append((along[1:] != along[:-1]) | (series[1:] != series[:-1]), True)
    series, values = series[last], values[last]
    steps = np.diff(values)[series[1:] == series[:-1]]
    holds: Values = steps >= 0 if query.claim == "increasing" else steps <= 0
    return holds


def _only(values: Values, query: Query) -> float:
    if len(values) == 1:
        return float(values[0])
    raise bad_input(f"{query.id}: {len(values)} rows match, name a reduction (mean, max, ...) or select one row",
                    query.where.file, query.where.line, query.where.column)


def _reduced(values: Values, query: Query) -> float:
    """One value of many, by all reductions but those along a column."""
    values = np.sort(values)
    if query.reduce == "all":
        return float(values[0]) if values[0] == values[-1] else _only(values, query)
    if query.reduce == "geomean":
        with np.errstate(all="ignore"):
            return float(np.exp(np.log(values).mean()))
    reductions: dict[str, Callable[[Values], Any]] = {"min": np.min, "max": np.max, "median": np.median, "sum": np.sum, "mean": np.mean}
    found = reductions.get(query.reduce)
    return float(found(values)) if found else _only(values, query)


def _published_form(value: float, query: Query, unit: str) -> float:
    """The formula of a query applied to a value, in the published unit."""
    if query.formula:
        value = evaluate(query.formula, {**query.numbers, "value": value})
    return in_published_unit(value, unit)


def _ends(values: Values, query: Query, unit: str) -> tuple[float, float]:
    """The smallest and the largest value in a published unit. A larger ratio is a smaller reduction."""
    low, high = sorted(_published_form(float(end), query, unit) for end in (values.min(), values.max()))
    return low, high


def _answer_text(frame: Frame, query: Query, finding: Finding) -> None:
    rows = _select(frame, [query.select], query)
    texts, counts = np.unique(_column(frame, query.metric, query).values[rows].astype(str), return_counts=True)
    enough = len(rows) == 1
    if query.reduce in ("all", "most"):
        enough = len(texts) == 1 if query.reduce == "all" else len(texts) > 0
    if not enough:
        finding.remark(f"{len(rows)} rows with {len(texts)} texts match, one is needed")
        return
    most = int(np.argmax(counts))
    finding.reproduced = str(texts[most])
    if query.reduce == "most":
        finding.remark(f"{counts[most]} of {len(rows)} rows")
    finding.verdict = "exact" if finding.reproduced == finding.published.value else "off"


def _answer_claim(holds: Values, finding: Finding) -> None:
    if not len(holds):
        return
    share = int(holds.sum()) / len(holds)
    finding.number, finding.reproduced = share, f"{share:.3g}"
    finding.verdict = "exact" if share == 1 else "within" if share >= MOSTLY else "off"
    explained = f"share of {len(holds)} comparisons in which the claim holds"
    finding.note = f"{explained}; {finding.note}" if finding.note else explained


def _set_number(number: float, finding: Finding) -> None:
    """A number in the published unit."""
    finding.number, finding.reproduced = number, f"{number:.4g}"
    if number_in(finding.published.value) is not None:
        judge_number(number, finding)


def _answer(frame: Frame, query: Query, finding: Finding) -> None:
    if _column(frame, query.metric, query).is_text:
        _answer_text(frame, query, finding)
        return
    samples, unit = _samples(frame, query), finding.published.unit
    # Ratios of two zeros; a claim about them holds or not.
    samples = samples if query.claim else samples.without_missing()
    values = samples.values
    if not len(values):
        finding.remark("no point with a result matches")
    elif query.claim:
        is_along = query.claim in NEIGHBOR_CLAIMS
        _answer_claim(_neighbors_holding(frame, query, samples) if is_along else samples.holds, finding)
    elif query.reduce == "range":
        low, high = _ends(values, query, unit)
        finding.reproduced = f"{low:.4g} .. {high:.4g}"
        _judge_ends(low, high, finding)
    elif query.reduce in ("argmax", "argmin"):
        place = np.argmax(values) if query.reduce == "argmax" else np.argmin(values)
        _set_number(_published_form(float(_along(frame, query)[samples.rows[place]]), query, unit), finding)
    else:
        if query.reduce in ("mean", "geomean", "median") and len(values) > 1:
            low, high = _ends(values, query, unit)
            finding.remark(f"{query.reduce} of {len(values)} values, {low:.4g} to {high:.4g}")
        _set_number(_published_form(_reduced(values, query), query, unit), finding)


def answer_from_others(values: Sequence[float], query: Query, finding: Finding) -> None:
    """Recomputes a value from the numbers of the values that the query is of, in their published units."""
    if len(values) < len(query.of):
        finding.remark("not all of its values were recomputed")
    else:
        _set_number(_reduced(np.array(values), query), finding)


def recompute(published: PublishedValue, query: Query, frame: Frame | None) -> Finding:
    """The finding on a published value; `frame` is the study or table of its query, None if there is none.

    InputError: the query names a column that does not exist, or it selects several rows without a reduction.
    """
    role = query.role if query.study or query.of else ""
    finding = Finding(published, note=query.note, role=role, reading=query.reading)
    if frame is not None:
        _answer(frame, query, finding)
    if query.implied is not None and contradicts(published, query.implied):
        _contradict(finding, query, f"{query.implied:.4g} {published.unit}")
    return finding


def _contradict(finding: Finding, query: Query, shown: str) -> None:
    finding.verdict, finding.ratio_verdict = "inconsistent", ""
    reason = f"{query.inconsistent}: {shown}"
    finding.note = f"{reason}; {finding.note}" if finding.note else reason


def contradicts(published: PublishedValue, implied: float) -> bool:
    """Whether a value is not the one that other numbers of its paper imply, by more than its printed digits tell."""
    finding = Finding(published)
    judge_number(implied, finding)
    return finding.verdict != ("exact" if published.kind == "value" else "within")


def prove(finding: Finding, query: Query, frame: Frame | None) -> None:
    """Makes a finding inconsistent where the proof of its query, a ratio of rows of `frame`, is above 1."""
    assert query.proof
    one = Finding(PublishedValue("", "", "", "value", "1", "", "x"))
    if frame is not None:
        _answer(frame, query.proof, one)
    if one.number is not None and one.number > 1 + ROUNDING:
        _contradict(finding, query, f"{one.number:.4g} times ours")
