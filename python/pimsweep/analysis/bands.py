"""Published values among those of sampled machines: `pimsweep report --bands` (docs/uncertainty.md)."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence

import numpy as np

from .. import quantity
from .frames import Frame, Moved, Study, moved_constants
from .judge import Finding, recompute, rounding_of
from .published import PublishedSet, PublishedValue, Query, number_in
from .report import StudyFrames, open_frames
from .tables import Output, aligned

# Both ends of a band, as shares of the machines.
LOW_SHARE, HIGH_SHARE = 0.05, 0.95
COLUMNS = ("id", "paper", "where", "sign", "published", "published_hi", "unit", "role", "reproduced", "verdict", "draws",
           "least", "low", "median", "high", "most", "near", "covered", "reached", "alone")
NUMBERS = ("published", "published_hi", "reproduced", "draws", "least", "low", "median", "high", "most", "near")
MACHINE_COLUMNS = ("id", "paper", "where", "published", "unit", "role", "results", "study", "draw", "number", "near")


@dataclasses.dataclass(frozen=True)
class Spread:
    """Numbers on machines that were sampled together, in the published unit."""

    min: float
    """also of machines on which one constant differs, as `max`"""
    low: float
    median: float
    high: float
    max: float


@dataclasses.dataclass(frozen=True)
class OnMachine:
    """A published value on one sampled machine."""

    results: str
    study: str
    """its id in that file"""
    draw: int
    number: float | None
    is_near: bool


@dataclasses.dataclass
class Band:
    """A published value on the machines of `[study.uncertainty]`."""

    nominal: Finding
    """on the machine of the hardware file"""
    draws: int = 0
    """machines on which the value could be recomputed: those sampled together, if there are any"""
    spread: Spread | None = None
    """None for texts and ranges"""
    near: float = 0.0
    """share of the machines on which the value is exact or within 10 %, or the claim holds"""
    covered: bool = False
    """the published number, or one that is rounded to it, lies between both quantiles; bounds, ranges, texts and claims:
    they hold on 5 % of the machines"""
    reached: bool = False
    """it lies between the smallest and the largest, holds on any machine, or has a crossing"""
    machines: list[OnMachine] = dataclasses.field(default_factory=list)
    """of all files, however they were sampled"""
    crossings: dict[tuple[str, str], None] = dataclasses.field(default_factory=dict)
    """(constant, value): where one constant alone, all others as in the hardware file, brings out the published value that
    is off; between two tried values by linear interpolation"""


@dataclasses.dataclass(frozen=True)
class _Draw:
    """One sampled machine: its first moved constant, the number of moved ones, and the finding on it."""

    moved: Moved | None
    constants: int
    finding: Finding


def _text_of(si: float, unit: str) -> str:
    try:
        return quantity.text_of(si, unit, 3)
    except ValueError:
        return f"{si:.3g}"


def _crossing_of(curve: dict[float, float], level: float) -> float | None:
    """The first place at which a curve passes through `level`."""
    points = sorted(curve.items())
    for place, (x1, y1) in enumerate(points):
        if y1 == level:
            return x1
        if place:
            x0, y0 = points[place - 1]
            if (y0 < level) != (y1 < level):
                return x0 + (level - y0) / (y1 - y0) * (x1 - x0)
    return None


def _crossings(nominal: Finding, draws: Sequence[_Draw]) -> dict[tuple[str, str], None]:
    """The constants that bring out the published number alone. Tied constants are named by the first of them."""
    found: dict[tuple[str, str], None] = {}
    if nominal.agrees:
        return found
    curves: dict[str, dict[float, float]] = {}
    units: dict[str, str] = {}
    for draw in draws:
        moved, number = draw.moved, draw.finding.number
        if moved is None:
            continue
        if moved.text or moved.is_choice:
            if draw.finding.agrees:
                found[moved.axis, moved.text or _text_of(moved.value, moved.unit)] = None
        elif number is not None and nominal.number is not None:
            units[moved.axis] = moved.unit
            curves.setdefault(moved.axis, {})[moved.nominal] = nominal.number
            curves[moved.axis][moved.value] = number
    level = number_in(nominal.published.value)
    for axis, curve in sorted(curves.items()):
        place = None if level is None else _crossing_of(curve, level)
        if place is not None:
            found[axis, _text_of(place, units[axis])] = None
    return found


def _sampling(draws: Sequence[_Draw]) -> tuple[bool, bool]:
    """Whether machines were sampled together, and whether one constant at a time. A constant that is the only one is
    sampled both ways at once."""
    first = {draw.moved.axis for draw in draws if draw.moved}
    constants = max((draw.constants for draw in draws), default=0)
    if constants <= 1 and len(first) <= 1:
        return True, True
    alone = constants < len(first)
    return not alone, alone


def _place_among(draws: Sequence[_Draw], alone: Sequence[_Draw], band: Band) -> None:
    """Where a published value lies among the machines that were sampled together. Those that move one constant alone, if
    there are others, count for the ends only."""
    answered = [draw.finding for draw in draws if draw.finding.verdict != "open"]
    band.draws = len(answered)
    if not answered:
        return
    near = sum(finding.agrees for finding in answered)
    band.near = near / len(answered)
    band.covered, band.reached = band.near >= LOW_SHARE, near > 0
    numbers = [finding.number for finding in answered if finding.number is not None]
    if not numbers:
        return
    low, median, high = np.quantile(numbers, [LOW_SHARE, 0.5, HIGH_SHARE])
    ends = numbers + [draw.finding.number for draw in alone if draw.finding.number is not None]
    band.spread = Spread(min(ends), float(low), float(median), float(high), max(ends))
    published = band.nominal.published
    number = number_in(published.value)
    if number is not None and published.kind == "value":
        half = rounding_of(published.value)
        band.covered = number + half >= low and number - half <= high
        band.reached = number + half >= band.spread.min and number - half <= band.spread.max


class _BandMaker:
    """Recomputes the published values of one paper on the machines of all files."""

    def __init__(self, frames: StudyFrames, published: PublishedSet):
        self._frames, self._published = frames, published
        self._answers: dict[tuple[str, str], list[tuple[Study, dict[str, list[_Draw]]]]] = {}

    def make(self, value: PublishedValue, query: Query) -> Band | None:
        """None where the study has no sampled machines."""
        together: list[_Draw] = []
        alone: list[_Draw] = []
        band = Band(recompute(value, query, self._frames.nominal(query)))
        for study, answers in self._answers_on_machines(query):
            draws = answers[value.id]
            band.machines += [OnMachine(study.path, study.id, place, draw.finding.number, draw.finding.agrees)
                              for place, draw in enumerate(draws, 1) if draw.finding.verdict != "open"]
            is_together, is_alone = _sampling(draws)
            together += draws if is_together else []
            alone += draws if is_alone else []
        if not together and not alone:
            return None
        _place_among(together or alone, alone, band)
        band.crossings = _crossings(band.nominal, alone)
        band.reached = band.reached or bool(band.crossings)
        return band

    def _answers_on_machines(self, query: Query) -> list[tuple[Study, dict[str, list[_Draw]]]]:
        """By id, the values that are functions of the study of a query, on each machine of each file that has it."""
        key = (query.system, query.study)
        if key not in self._answers:
            asked = [(value, other) for value in self._published.values
                     if (other := self._published.queries.get(value.id)) and (other.system, other.study) == key
                     and not other.inconsistent]
            self._answers[key] = [(study, self._answer(study, asked)) for study in self._frames.places(query)]
        return self._answers[key]

    @staticmethod
    def _answer(study: Study, asked: Sequence[tuple[PublishedValue, Query]]) -> dict[str, list[_Draw]]:
        answers: dict[str, list[_Draw]] = {value.id: [] for value, _ in asked}
        nominal = study.frame()
        for machine in range(1, study.machines):
            frames: dict[str, Frame] = {"": study.frame(machine=machine)}
            moved = moved_constants(nominal, frames[""])
            for value, query in asked:
                if query.table not in frames:
                    frames[query.table] = study.frame(query.table, machine)
                finding = recompute(value, query, frames[query.table])
                answers[value.id].append(_Draw(moved[0] if moved else None, len(moved), finding))
        return answers


def make_bands(results: Sequence[str], published: Sequence[PublishedSet], unsealed: bool = False,
               chosen: Collection[str] = ()) -> list[Band]:
    """One band for each published value that is recomputed from a study with sampled machines. Several files may have the
    same study: machines sampled together in one, one constant at a time in another. chosen: only these studies. Errors are
    those of `make_report`."""
    found = []
    with open_frames(results, unsealed, chosen) as frames:
        for one in published:
            maker = _BandMaker(frames, one)
            made = [maker.make(value, query) for value in one.values
                    if (query := one.queries.get(value.id)) and not query.inconsistent]
            found += [band for band in made if band]
    return found


def rows_of(found: Sequence[Band]) -> list[list[str]]:
    """Bands as rows of texts, in the order of COLUMNS."""
    rows = []
    for band in found:
        value = band.nominal.published
        spread = [f"{number:.4g}" for number in dataclasses.astuple(band.spread)] if band.spread else [""] * 5
        rows.append([value.id, value.paper, value.where, value.sign, value.value, value.value_hi, value.unit,
                     band.nominal.role, band.nominal.reproduced, band.nominal.verdict, str(band.draws), *spread,
                     f"{band.near:.3f}", "yes" if band.covered else "no", "yes" if band.reached else "no",
                     "; ".join(f"{axis} = {text}" for axis, text in band.crossings)])
    return rows


def rows_on_machines(found: Sequence[Band]) -> list[list[str]]:
    """The values on each machine as rows of texts, in the order of MACHINE_COLUMNS; numbers in the published unit."""
    return [[band.nominal.published.id, band.nominal.published.paper, band.nominal.published.where, band.nominal.published.value,
             band.nominal.published.unit, band.nominal.role, one.results, one.study, str(one.draw),
             "" if one.number is None else quantity.shortest(one.number), "1" if one.is_near else "0"]
            for band in found for one in band.machines]


@dataclasses.dataclass
class BandTally:
    """How many values the bands of a paper cover."""

    paper: str
    values: int = 0
    covered: int = 0
    reached: int = 0
    widths: list[float] = dataclasses.field(default_factory=list)
    """(high - low) / |published| of the numbers"""

    @property
    def width(self) -> float:
        return float(np.median(self.widths)) if self.widths else 0.0


def tally(found: Sequence[Band]) -> list[BandTally]:
    """One for each paper, in the order of the bands; values that agree by definition, were calibrated or contradict
    themselves are not counted."""
    tallies: dict[str, BandTally] = {}
    for band in found:
        if band.draws == 0 or band.nominal.role in ("calibrated", "definition"):
            continue
        paper = band.nominal.published.paper
        one = tallies.setdefault(paper, BandTally(paper))
        one.values += 1
        one.covered += band.covered
        one.reached += band.reached
        number = number_in(band.nominal.published.value)
        if band.spread and number:
            one.widths.append((band.spread.high - band.spread.low) / abs(number))
    return list(tallies.values())


def _band_text(band: Band) -> str:
    if band.spread is None or number_in(band.nominal.published.value) is None:
        return f"holds on {100 * band.near:.0f} %"
    return f"{band.spread.median:.4g} [{band.spread.low:.4g}, {band.spread.high:.4g}]"


def print_bands(found: Sequence[Band], output: Output) -> None:
    """Prints the bands as text, and writes them as CSV or JSON if the output asks for it."""
    output.add(COLUMNS, rows_of(found), NUMBERS)
    output.write()
    if not output.has_text:
        return
    if not found:
        print("no study has sampled machines: run the experiment with --draws, or write [study.uncertainty]")
        return
    rows = [[band.nominal.published.id, band.nominal.published.text, band.nominal.published.unit, band.nominal.reproduced,
             _band_text(band), "covered" if band.covered else "reached" if band.reached else "not reached",
             band.nominal.verdict] for band in found]
    print(aligned(("id", "published", "unit", "ours", "median [5 %, 95 %]", "published is", "verdict"), rows), end="")
    print(aligned(("paper", "values", "covered", "reached", "median width"),
                  [[one.paper, str(one.values), str(one.covered), str(one.reached), f"{100 * one.width:.0f} %"]
                   for one in tally(found)]), end="")
