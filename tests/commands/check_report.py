#!/usr/bin/env python3
"""Makes the report of a paper and compares it with the recorded one: check_report.py PIMSWEEP SOURCE_DIR PAPER
[RESULTS]. RESULTS is where the results are kept for another test.

A difference in either direction fails: a change of a model must show in review. To record a reviewed change, copy the file
that this names over results/recorded/<paper>_report.csv and run scripts/fidelity_docs.py, which makes docs/fidelity.md of it.
"""

import csv
import difflib
import pathlib
import subprocess
import sys
import tempfile


def moved(recorded, report):
    """New error and verdict of each value that differs from the record."""
    def rows(path):
        with open(path, newline="") as file:
            return {(row["id"], row["reading"]): row for row in csv.DictReader(file)}

    before, after = rows(recorded), rows(report)
    for name in sorted(before.keys() & after.keys()):
        old, new = before[name], after[name]
        if (old["deviation"], old["verdict"]) != (new["deviation"], new["verdict"]):
            yield f"{' '.join(filter(None, name))}: {old['deviation']} {old['verdict']} -> {new['deviation']} {new['verdict']}"


def main():
    program, source, paper = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="pimsweep-report-"))
    results = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else scratch / "results.h5"
    report = scratch / "report.csv"
    subprocess.run([program, source / "experiments" / f"{paper}.toml", "--output", results, "--force", "--progress", "none"], check=True)
    subprocess.run([program, "report", results, "--csv", report], check=True, stdout=subprocess.DEVNULL)
    recorded = source / "results" / "recorded" / f"{paper}_report.csv"
    difference = list(difflib.unified_diff(recorded.read_text().splitlines(), report.read_text().splitlines(),
                                           str(recorded), str(report), lineterm="", n=0))
    print("\n".join(difference) or "the report is as recorded")
    print("\n".join(moved(recorded, report)))
    sys.exit(1 if difference else 0)


if __name__ == "__main__":
    main()
