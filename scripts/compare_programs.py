#!/usr/bin/env python3
"""Compares the results of two versions of pimsweep bit for bit: compare_programs.py OLD_PROGRAM NEW_PROGRAM [options].

Runs every experiment of experiments/*.toml with both programs, each with the experiment files and the configs of its
own tree (the folder around the program that has experiments and configs), on two ranks. Then compares every value of
every column of every study and detail table, but for provenance. NaN equals NaN; units and descriptions are not
compared. What has another name now is listed in scripts/renamed.csv, and so is every difference that has a reason
(scripts/comparison/names.py describes the table). Exit status: 0 if all is equal or explained, 1 if not, 2 if a program
fails.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import tomllib

import h5py

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
from comparison.names import Names, NamesError
from comparison.studies import StudyComparison, Tally, missing, open_new, tell_added

RUN = 'source "$0/scripts/mpi-env.sh"; exec mpirun -n "$1" "${@:2}"'


def fail(message):
    print(f"compare_programs.py: {message}", file=sys.stderr)
    sys.exit(2)


class Program:
    """One version: runs its experiments and keeps their results."""

    def __init__(self, what, program, tree, experiments, results, ranks):
        self.what, self.program, self.results, self.ranks = what, program.resolve(), results, ranks
        self.tree = (tree or tree_around(self.program)).resolve()
        self.experiments = (experiments or self.tree / "experiments").resolve()
        if not os.access(self.program, os.X_OK):
            fail(f"no program {program}")
        results.mkdir(parents=True, exist_ok=True)

    def names(self):
        return {path.stem for path in self.experiments.glob("*.toml")}

    def run(self, name):
        """The results of an experiment, run unless its file is there. Points may fail (exit status 1)."""
        output = self.results / f"{name}.h5"
        if not output.is_file():
            experiment = self.experiments / f"{name}.toml"
            command = [self.program, experiment, "--output", output, "--force", "--progress", "none"]
            done = subprocess.run(["bash", "-c", RUN, ROOT, str(self.ranks), *command], cwd=self.tree, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env=dict(os.environ, PIMSWEEP_CONFIGS=str(self.tree / "configs")))
            if done.returncode not in (0, 1) or not output.is_file():
                sys.stderr.write(done.stdout)
                fail(f"the {self.what} program failed on {name} (status {done.returncode})")
        return output

    def hardware(self, name):
        """{study: name of its hardware file} for studies with one."""
        studies = tomllib.loads((self.experiments / f"{name}.toml").read_text()).get("study", [])
        return {study["id"]: pathlib.PurePath(study["hardware"]).stem
                for study in studies if isinstance(study.get("hardware"), str)}


def tree_around(program):
    for folder in program.parents:
        if (folder / "experiments").is_dir() and (folder / "configs").is_dir():
            return folder
    fail(f"no folder around {program} has experiments and configs: name its tree")


def studies_of(file):
    """Names of the studies; the root also has provenance and the dimensions of texts."""
    return sorted(name for name, item in file.items() if isinstance(item, h5py.Group) and name != "provenance")


class Comparison:
    def __init__(self, old, new, names, shown):
        self.old, self.new, self.names, self.shown = old, new, names, shown
        self.files, self.new_studies = {}, {}

    def new_file(self, experiment):
        """The new results of an experiment, or None if there is no such experiment."""
        if experiment not in self.files:
            known = experiment in self.new.names()
            self.files[experiment] = h5py.File(self.new.run(experiment)) if known else None
        return self.files[experiment]

    def new_study(self, path):
        """Where the points of an old experiment/study lie now, or None."""
        if path not in self.new_studies:
            experiment, _, study = path.partition("/")
            file = self.new_file(experiment)
            self.new_studies[path] = open_new(file[study]) if file is not None and study in file else None
        return self.new_studies[path]

    def compare(self, experiment):
        tally = Tally()
        hardware = self.old.hardware(experiment)
        with h5py.File(self.old.run(experiment)) as file:
            for study in studies_of(file):
                self.compare_study(experiment, study, file[study], hardware.get(study, ""), tally)
        self.tell_added(experiment, tally)
        return tally

    def compare_study(self, experiment, study, group, hardware, tally):
        path = f"{experiment}/{study}"
        renamed = self.names.study(path)
        new = self.new_study(renamed) if renamed else None
        if not renamed:
            tally.report(self.names.reason_gone(("study",), "*", [path]), f"{path} is gone")
        elif new is None:
            tally.report(self.names.reason(group.attrs["system"], path), missing(path, path, renamed))
        else:
            if renamed != path:
                tally.notes.append(f"{path} is {renamed} now")
            StudyComparison(path, group, new, self.names, tally, self.shown).run(hardware)

    def tell_added(self, experiment, tally):
        file = self.new_file(experiment)
        for study in studies_of(file or {}):
            path = f"{experiment}/{study}"
            if self.new_studies.get(path) is None:
                tally.notes.append(f"added: study {path}, {file[study]['status'].shape[0]} points")
            else:
                tell_added(path, self.new_studies[path], tally)


def print_tally(experiment, tally, seconds):
    verdict = "DIFFERENT" if tally.differences else "equal" if not tally.explained else "equal or explained"
    print(f"{experiment}: {verdict}: {tally.studies} studies, {tally.points} points, {tally.values} values compared, "
          f"{tally.equal} equal, {tally.differing} differing, {tally.explained} explained ({seconds:.0f} s)")
    for line in (*tally.differences, *tally.notes):
        print(f"  {line}")
    sys.stdout.flush()


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path, metavar="OLD_PROGRAM")
    parser.add_argument("new", type=pathlib.Path, metavar="NEW_PROGRAM")
    parser.add_argument("--experiments", nargs="+", metavar="NAME", help="only these (default: all of both trees)")
    parser.add_argument("--old-tree", type=pathlib.Path, metavar="DIR", help="tree of the old program")
    parser.add_argument("--new-tree", type=pathlib.Path, metavar="DIR", help="tree of the new program")
    parser.add_argument("--old-experiments", type=pathlib.Path, metavar="DIR", help="experiments of the old program")
    parser.add_argument("--old-results", type=pathlib.Path, metavar="DIR", help="keep results there, use what is there")
    parser.add_argument("--new-results", type=pathlib.Path, metavar="DIR", help="likewise for the new program")
    parser.add_argument("--names", type=pathlib.Path, default=ROOT / "scripts" / "renamed.csv", metavar="CSV")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--shown", type=int, default=3, help="differing values to show for a column (default: 3)")
    return parser.parse_args()


def main():
    options = read_options()
    try:
        names = Names(options.names)
    except (NamesError, OSError) as error:
        fail(error)
    with tempfile.TemporaryDirectory(prefix="pimsweep-compare-") as scratch:
        scratch = pathlib.Path(scratch)
        old = Program("old", options.old, options.old_tree, options.old_experiments,
                      (options.old_results or scratch / "old").resolve(), options.ranks)
        new = Program("new", options.new, options.new_tree, None,
                      (options.new_results or scratch / "new").resolve(), options.ranks)
        wanted = {pathlib.PurePath(name).stem for name in options.experiments or old.names()}
        if wanted - old.names():
            fail(f"no experiment {', '.join(sorted(wanted - old.names()))} in {old.experiments}")
        return compare_all(Comparison(old, new, names, options.shown), sorted(wanted), not options.experiments)


def compare_all(comparison, wanted, everything):
    different = []
    for experiment in wanted:
        start = time.monotonic()
        tally = comparison.compare(experiment)
        print_tally(experiment, tally, time.monotonic() - start)
        if tally.differences:
            different.append(experiment)
    if everything:
        for experiment in sorted(comparison.new.names() - comparison.old.names()):
            print(f"added: experiment {experiment}")
        for row in comparison.names.unused():
            print(f"unused: line {row.line} of the table of names ({row.kind} {row.old})")
    print(f"{len(wanted)} experiments, {len(different)} different" + (f": {', '.join(different)}" if different else ""))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
