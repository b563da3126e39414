"""Comparisons of a list of cases as a whole: a peer runs them in sequence, pimsweep as a table of points."""

import argparse
import csv
import dataclasses
import json
import math
import operator
import pathlib
import sys
import tempfile

import alternate
import machine

ANSWERS_DIFFER = 1
DIFFERS = "differs"
WORSE = "worse"


def path(text):
    return pathlib.Path(text).resolve()


def arguments(description, programs, cases, flags=()):
    """Parses the command line: `programs` are (name, what it is) of what the user has built, `cases` the default ones, `flags`
    (name, what it does) of further options. Ends the process with status 2 where a program or a case is missing."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, what in programs:
        parser.add_argument(name, type=path, metavar=name.upper(), help=what)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cases", nargs="+", default=list(cases))
    parser.add_argument("--pimsweep", type=path, default=machine.BUILD / "pimsweep")
    for name, what in flags:
        parser.add_argument(f"--{name}", action="store_true", help=what)
    parsed = parser.parse_args()
    if parsed.runs < 1:
        parser.error(f"--runs must be at least 1, not {parsed.runs}")
    for program in [*(getattr(parsed, name) for name, _ in programs), parsed.pimsweep]:
        if not program.exists():
            parser.error(f"there is no program {program}; nothing was compared")
    if unknown := [name for name in parsed.cases if name not in cases.all]:
        parser.error(f"not among the cases: {', '.join(unknown)}")
    return parsed


def line_number(_, number):
    return str(number)


class Cases:
    """Rows of a table of reference by name, which `name_of` makes of a row and its number from 1; iterates over those that
    are run unless others are asked for."""

    def __init__(self, file, name_of, default, suits=lambda row: True):
        with open(file) as opened:
            rows = list(csv.DictReader(opened))
        self.columns = list(rows[0])
        self.all = {name_of(row, number): row for number, row in enumerate(rows, 1) if suits(row)}
        self.default = default

    def __iter__(self):
        return iter(self.default)


def places(rows, folder):
    """Each row with its own folder, for a peer that reads and writes in the current folder."""
    for number, row in enumerate(rows):
        place = folder / f"row{number}"
        place.mkdir(exist_ok=True)
        yield row, place


def relative_difference(one, other):
    if one == other:
        return 0.0
    return abs(one - other) / abs(other) if other else math.inf


@dataclasses.dataclass
class Comparison:
    """`peer_work(rows, folder)` is a command or sequence that the peer takes for all rows; `answers_of_peer(rows, folder,
    printed)` reads a tuple of numbers for each of them, and may complete the rows; `study` are the lines of pimsweep's study,
    whose columns `metrics` are the same numbers within `tolerances`. If the peer searches, `study` counts what it found, and
    `search` are the lines of the study that searches instead, and `is_worse(row, ours, theirs)` says of its `objectives`, some of
    the metrics, whether it found worse."""

    peer: str
    peer_work: object
    answers_of_peer: object
    study: list
    metrics: list
    ignored: list
    tolerances: list
    search: list | None = None
    objectives: list | None = None
    is_worse: object = None

    def experiment(self, study):
        """Text of pimsweep's experiment; its points are the lines of points.csv, without the columns that are `ignored`."""
        return "\n".join(['name = "peer"', "[[study]]", 'id = "points"', *study, "[study.table]", 'csv = "points.csv"',
                          f"ignore = {json.dumps(self.ignored)}"]) + "\n"

    def peer_answers(self, peer, rows, folder):
        printed = peer.run()[1]
        try:
            return self.answers_of_peer(rows, folder, printed)
        except (OSError, LookupError, ValueError) as error:
            raise RuntimeError(f"cannot read the answers of {self.peer}: {type(error).__name__}: {error}") from error

    def own_answers(self, program, study, folder):
        """pimsweep's command for a study, and the answers of a first run."""
        import pimsweep  # a second's work, and often there is nothing to compare
        (folder / "peer.toml").write_text(self.experiment(study))
        own = alternate.Command([str(program), "peer.toml", "--output", "own.h5", "--force", "--progress", "none"], str(folder),
                                machine.mpi_environment())
        own.run()
        return own, list(pimsweep.open(folder / "own.h5").frame("points")[self.metrics].itertuples(index=False, name=None))

    def print_answers(self, names, metrics, theirs, ours, verdicts):
        print(machine.markdown(["case", *(f"{metric}, {who}" for metric in metrics for who in (self.peer, "pimsweep")), ""],
                               [[name, *(f"{value:.10g}" for pair in zip(other, one) for value in pair), verdict]
                                for name, one, other, verdict in zip(names, ours, theirs, verdicts, strict=True)]) + "\n")

    def counts_agree(self, names, theirs, ours):
        """Prints both answers; whether they agree."""
        def verdict(one, other):
            differences = list(map(relative_difference, one, other))
            if any(map(operator.gt, differences, self.tolerances)):
                return DIFFERS
            return f"{100 * max(differences):.2g} % apart" if any(differences) else "equal"
        verdicts = list(map(verdict, ours, theirs))
        self.print_answers(names, self.metrics, theirs, ours, verdicts)
        return DIFFERS not in verdicts

    def none_is_worse(self, rows, names, theirs, ours):
        """Prints the results of both; returns True if pimsweep's are never worse."""
        def verdict(row, one, other):
            if self.is_worse(row, one, other):
                return WORSE
            return "better" if any(map(operator.gt, map(relative_difference, one, other), tolerances)) else "equal"
        places = [self.metrics.index(name) for name in self.objectives]
        theirs, ours = ([[one[place] for place in places] for one in found] for found in (theirs, ours))
        tolerances = [self.tolerances[place] for place in places]
        verdicts = list(map(verdict, rows, ours, theirs))
        print("The best that each search found:\n")
        self.print_answers(names, self.objectives, theirs, ours, verdicts)
        return WORSE not in verdicts

    def run(self, cases, parsed):
        """Prints all tables; the exit status."""
        import h5py
        rows = [dict(cases.all[name]) for name in parsed.cases]
        print(f"{machine.describe()}; load when begun: {machine.load():.1f}; {parsed.runs} runs of each, alternately.\n")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            peer = self.peer_work(rows, folder)
            theirs = self.peer_answers(peer, rows, folder)
            with open(folder / "points.csv", "w", newline="") as file:
                writer = csv.DictWriter(file, cases.columns)
                writer.writeheader()
                writer.writerows(rows)
            own, ours = self.own_answers(parsed.pimsweep, self.study, folder)
            if not self.counts_agree(parsed.cases, theirs, ours):
                print("The answers differ, so nothing was timed.")
                return ANSWERS_DIFFER
            if self.search:
                own, best = self.own_answers(parsed.pimsweep, self.search, folder)
                if not self.none_is_worse(rows, parsed.cases, theirs, best):
                    print("The peer found better, so nothing was timed.")
                    return ANSWERS_DIFFER
            times = alternate.alternately(peer, own, parsed.runs)
            with h5py.File(folder / "own.h5") as file:
                points = float(file["provenance/points/seconds"][:].sum())
        print("Seconds of all cases, median (minimum to maximum):\n")
        print(machine.markdown([self.peer, "pimsweep", "ratio"], [[*map(alternate.spread, times), alternate.ratio(*times)]]))
        print(f"\nOf pimsweep's time, the evaluation of the points took {machine.duration(points)}.")
        return 0


def exit_status(run):
    """That of `run()`; 2, and the reason on the error output, where a program failed."""
    try:
        return run()
    except RuntimeError as error:
        print(f"{pathlib.Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 2


def main(parsed, cases, comparison):
    return exit_status(lambda: comparison.run(cases, parsed))
