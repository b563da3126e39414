"""Comparisons of a list of cases as a whole: a peer takes them one after another, pimsweep as a table of points."""

import argparse
import csv
import dataclasses
import json
import pathlib
import sys
import tempfile

import alternate
import machine

ANSWERS_DIFFER = 1


def path(text):
    return pathlib.Path(text).resolve()


def arguments(description, programs, cases):
    """Parses the command line: `programs` are (name, what it is) of what the user has built, `cases` the default ones.
    Ends the process with status 2 where a program or a case is missing."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, what in programs:
        parser.add_argument(name, type=path, metavar=name.upper(), help=what)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cases", nargs="+", default=list(cases))
    parser.add_argument("--pimsweep", type=path, default=machine.BUILD / "pimsweep")
    parsed = parser.parse_args()
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


def answers_differ(ours, theirs, tolerance):
    return any(abs(one - other) > tolerance * abs(other) for one, other in zip(ours, theirs, strict=True))


@dataclasses.dataclass
class Comparison:
    """`peer_work(rows, folder)` is a command or sequence that the peer takes for all rows; `answers_of_peer(rows, folder,
    printed)` reads a tuple of numbers for each of them; `study` are the lines of pimsweep's study, whose columns
    `metrics` are the same numbers."""

    peer: str
    peer_work: object
    answers_of_peer: object
    study: list
    metrics: list
    ignored: list
    tolerance: float

    def experiment(self):
        """Text of pimsweep's experiment; its points are the lines of points.csv, without the columns that are `ignored`."""
        return "\n".join(['name = "peer"', "[[study]]", 'id = "points"', *self.study, "[study.table]", 'csv = "points.csv"',
                          f"ignore = {json.dumps(self.ignored)}"]) + "\n"

    def peer_answers(self, peer, rows, folder):
        printed = peer.run()[1]
        try:
            return self.answers_of_peer(rows, folder, printed)
        except (OSError, LookupError, ValueError) as error:
            raise RuntimeError(f"cannot read the answers of {self.peer}: {type(error).__name__}: {error}") from error

    def run(self, cases, parsed):
        """Prints both tables; the exit status."""
        # A second's work, and often there is nothing to compare.
        import h5py
        import pimsweep
        rows = [cases.all[name] for name in parsed.cases]
        print(f"{machine.describe()}; load when begun: {machine.load():.1f}; {parsed.runs} runs of each, alternately.\n")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            with open(folder / "points.csv", "w", newline="") as file:
                writer = csv.DictWriter(file, cases.columns)
                writer.writeheader()
                writer.writerows(rows)
            (folder / "peer.toml").write_text(self.experiment())
            own = alternate.Command([str(parsed.pimsweep), "peer.toml", "--output", "own.h5", "--force", "--progress", "none"],
                                    name, machine.mpi_environment())
            peer = self.peer_work(rows, folder)
            theirs = self.peer_answers(peer, rows, folder)
            own.run()
            frame = pimsweep.open(folder / "own.h5").frame("points")
            ours = list(frame[self.metrics].itertuples(index=False, name=None))
            differs = [answers_differ(one, other, self.tolerance) for one, other in zip(ours, theirs, strict=True)]
            print(machine.markdown(["case", *(f"{metric}, {who}" for metric in self.metrics for who in (self.peer, "pimsweep")), ""],
                                   [[case, *(f"{value:.10g}" for pair in zip(other, one) for value in pair), "differs" if wrong else "equal"]
                                    for case, one, other, wrong in zip(parsed.cases, ours, theirs, differs)]))
            if any(differs):
                print("\nThe answers differ, so nothing was timed.")
                return ANSWERS_DIFFER
            times = alternate.alternately(peer, own, parsed.runs)
            with h5py.File(folder / "own.h5") as file:
                points = float(file["provenance/points/seconds"][:].sum())
        print("\nSeconds of all cases, median (minimum to maximum):\n")
        print(machine.markdown([self.peer, "pimsweep", "ratio"], [[*map(alternate.spread, times), alternate.ratio(*times)]]))
        print(f"\nOf pimsweep's time, the evaluation of the points took {machine.duration(points)}.")
        return 0


def main(parsed, cases, comparison):
    try:
        return comparison.run(cases, parsed)
    except RuntimeError as error:
        print(f"{pathlib.Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 2
