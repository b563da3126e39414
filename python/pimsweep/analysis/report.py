"""Published values beside the reproduced ones: `pimsweep report` (docs/results-format.md, "Report")."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence

import pandas as pd

from ..experiment import Problem
from ..results import Results
from .frames import Frame, Study, open_studies
from .judge import Finding, answer_from_others, prove, recompute
from .problems import bad_input, raise_if_any, suggestion
from .published import ROLES, PublishedSet, PublishedValue, Query, Reading
from .tables import Output, aligned
from .tally import Tally, tally

COLUMNS = ("id", "paper", "where", "sign", "published", "published_hi", "unit", "reproduced", "deviation", "ratio_deviation",
           "verdict", "ratio_verdict", "role", "reading", "note")
NUMBERS = ("published", "published_hi", "reproduced", "deviation", "ratio_deviation")


class StudyFrames:
    """The studies of results files by the system and by the id in their own experiment, and the frames that queries need,
    on the machine of the hardware file, each made once."""

    def __init__(self, studies: Sequence[Study]):
        self._places: dict[tuple[str, str], list[Study]] = {}
        for study in studies:
            self._places.setdefault((study.system, study.origin), []).append(study)
        self._frames: dict[tuple[str, str, str], Frame] = {}

    def places(self, query: Query) -> Sequence[Study]:
        """All studies that a query may mean: one of each file that has it."""
        return self._places.get((query.system, query.study), ())

    def nominal(self, query: Query) -> Frame | None:
        """From the first results file that has the study; None if none has."""
        places, key = self.places(query), (query.system, query.study, query.table)
        if places and key not in self._frames:
            self._frames[key] = places[0].frame(query.table)
        return self._frames.get(key)


def chosen_in(results: Sequence[str], chosen: Collection[str], unsealed: bool) -> dict[str, list[str]]:
    """The chosen studies of each file that has one of them, or all files. InputError: no file has one of the studies."""
    if not chosen:
        return {path: [] for path in results}
    there = {path: list(Results(path, unsealed)) for path in results}
    known = list(dict.fromkeys(study for studies in there.values() for study in studies))
    raise_if_any(Problem(f"no results file has a study '{study}'{suggestion(study, known)}; there are {', '.join(known)}")
                 for study in chosen if study not in known)
    found = {path: [study for study in studies if study in chosen] for path, studies in there.items()}
    return {path: studies for path, studies in found.items() if studies}


@contextlib.contextmanager
def open_frames(results: Sequence[str], unsealed: bool, chosen: Collection[str] = ()) -> Iterator[StudyFrames]:
    """The studies of results files, or the chosen ones, readable until the block ends."""
    with contextlib.ExitStack() as files:
        yield StudyFrames([study for path, studies in chosen_in(results, chosen, unsealed).items()
                           for study in files.enter_context(open_studies(path, unsealed, studies))])


def _has_readings(query: Query) -> bool:
    """Whether readings have lines of their own."""
    return query.role not in ("calibrated", "definition") and not query.inconsistent


def _is_another(finding: Finding, nominal: Finding) -> bool:
    return finding.verdict != "open" and finding.reproduced != nominal.reproduced


def _find(value: PublishedValue, query: Query, readings: Sequence[Reading], frames: StudyFrames) -> list[Finding]:
    """The finding on a value, and those from the studies of readings that have the rows and give another value."""
    findings = [recompute(value, query, frames.nominal(query))]
    if query.proof:
        prove(findings[0], query, frames.nominal(query.proof))
    for reading in readings if _has_readings(query) else ():
        if query.study in reading.studies:
            replaced = {name: cells for name, cells in reading.select.items() if name in query.select}
            read = dataclasses.replace(query, system=reading.system or query.system, study=reading.studies[query.study],
                                       select={**query.select, **replaced}, role=reading.roles.get(value.id, reading.role),
                                       reading=reading.name)
            finding = recompute(value, read, frames.nominal(read))
            if _is_another(finding, findings[0]):
                findings.append(finding)
    return findings


def _find_of_others(value: PublishedValue, query: Query, readings: Sequence[Reading],
                    others: Mapping[str, Sequence[Finding]]) -> list[Finding]:
    """A value that is made of others, once more for each reading that moves one of them."""
    def under(read: Query) -> Finding:
        finding = recompute(value, read, None)
        numbers = []
        for name in read.of:
            # A reading that changes nothing has no finding of its own.
            one = next((other for other in others[name] if other.reading == read.reading), others[name][0])
            if one.number is not None:
                numbers.append(one.number)
        answer_from_others(numbers, read, finding)
        return finding

    findings = [under(query)]
    for reading in readings if _has_readings(query) else ():
        finding = under(dataclasses.replace(query, role=reading.role, reading=reading.name))
        if _is_another(finding, findings[0]):
            findings.append(finding)
    return findings


def _find_all(published: PublishedSet, frames: StudyFrames) -> list[Finding]:
    found = {}
    for value in published.values:
        query = published.queries.get(value.id)
        found[value.id] = [recompute(value, Query(), None)] if query is None else _find(value, query, published.readings, frames)
    for name, query in published.queries.items():
        if query.of:
            found[name] = _find_of_others(found[name][0].published, query, published.readings, found)
    return [finding for value in published.values for finding in found[value.id]]


def _is_of(finding: Finding, published: PublishedSet, frames: StudyFrames) -> bool:
    """Whether a finding is on a value of the studies, or on one that is made of such values."""
    def has_study(name: str) -> bool:
        query = published.queries.get(name, Query())
        return bool(query.study and frames.places(query)) or any(map(has_study, query.of))

    return has_study(finding.published.id) or bool(finding.reading) and finding.verdict != "open"


def _sets_of(published: Sequence[PublishedSet], papers: Sequence[str]) -> list[PublishedSet]:
    by_paper = {one.paper: one for one in published}
    for paper in papers:
        if paper not in by_paper:
            raise bad_input(f"there are no published values of '{paper}'{suggestion(paper, by_paper)}")
    return [by_paper[paper] for paper in papers]


def make_report(results: Sequence[str], published: Sequence[PublishedSet], papers: Sequence[str] = (),
                unsealed: bool = False, chosen: Collection[str] = ()) -> list[Finding]:
    """One finding for each published value of each paper that has a study in the results files, or of the papers that are
    named, and one more for each reading with a study of its own that gives another value.

    unsealed: whether results files without a checksum are read. chosen: only values of these studies, and those that are
    made of them. InputError: there is no such paper or study, or a check does not fit the results. ValueError,
    FileNotFoundError: as those of `pimsweep.open`.
    """
    findings: list[Finding] = []
    with open_frames(results, unsealed, chosen) as frames:
        for one in _sets_of(published, papers) if papers else published:
            if papers or chosen or any(query.study and frames.places(query) for query in one.queries.values()):
                findings += [found for found in _find_all(one, frames) if not chosen or _is_of(found, one, frames)]
    return findings


def verdict_text(verdict: str, ratio_verdict: str) -> str:
    """Both verdicts of an improvement in percent where they differ."""
    return f"{verdict}, as a ratio {ratio_verdict}" if ratio_verdict not in ("", verdict) else verdict


def _share(deviation: float | None) -> str:
    return "" if deviation is None else f"{deviation:.4f}"


def rows_of(findings: Sequence[Finding]) -> list[list[str]]:
    """The report as rows of texts, in the order of COLUMNS."""
    return [[finding.published.id, finding.published.paper, finding.published.where, finding.published.sign,
             finding.published.value, finding.published.value_hi, finding.published.unit, finding.reproduced,
             _share(finding.deviation), _share(finding.ratio_deviation), finding.verdict, finding.ratio_verdict, finding.role,
             finding.reading, finding.note] for finding in findings]


def tally_by_role(findings: Sequence[Finding]) -> dict[str, Tally]:
    """A tally of each role that occurs, in the order of ROLES; values without a check have no role and come last."""
    rows = pd.DataFrame(rows_of(findings), columns=COLUMNS)
    return {role: tally(rows[rows.role == role]) for role in (*ROLES, "") if (rows.role == role).any()}


def _summary(findings: Sequence[Finding]) -> str:
    """How many values are near, by role."""
    values = len({finding.published.id for finding in findings})
    if not findings:
        return f"{values} published values: none belongs to these results\n"
    head = ("role", "values", "compared", "exact", "within 10 %", "within 25 %", "as ratios: within 10 %", "within 25 %", "near a bound")
    rows = [[role or "not recomputed", *map(str, dataclasses.astuple(found))] for role, found in tally_by_role(findings).items()]
    return f"{values} published values\n{aligned(head, rows)}"


def print_report(findings: Sequence[Finding], output: Output) -> None:
    """Prints the report as text, and writes it as CSV or JSON if the output asks for it."""
    output.add(COLUMNS, rows_of(findings), NUMBERS)
    output.write()
    if not output.has_text:
        return
    head = ("id", "published", "unit", "reproduced", "deviation", "verdict", "role")
    rows = [[finding.published.id, finding.published.text, finding.published.unit, finding.reproduced,
             "" if finding.deviation is None else f"{100 * finding.deviation:+.1f} %", verdict_text(finding.verdict, finding.ratio_verdict),
             finding.role + (f": {finding.reading}" if finding.reading else "")] for finding in findings]
    print(aligned(head, rows) + _summary(findings), end="")
