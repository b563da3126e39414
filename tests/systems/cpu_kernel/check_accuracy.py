#!/usr/bin/env python3
"""Runs experiments/manycore.toml: accuracy on rows not fitted to against the goals, docs/manycore.md against this run.

Usage: check_accuracy.py SOURCE_DIR PIMSWEEP
"""

import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(SOURCE / "scripts"), str(SOURCE / "scripts" / "figures")]
import manycore
from measured_times import PROCESSORS, accuracy, load

# Median absolute deviation and rank correlation, on the rows not used to calibrate.
GOALS = {"gemm": (0.20, 0.95), "conv": (0.20, 0.95)}


def main():
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        results = pathlib.Path(scratch) / "manycore.h5"
        experiment = str(SOURCE / "experiments" / "manycore.toml")
        subprocess.run([sys.argv[2], experiment, "--output", str(results), "--progress", "none"], check=True)
        times = load(results, PROCESSORS)
        tables = manycore.tables(results)
    if not 0.2 < times.calibration.mean() < 0.3:
        problems.append(f"{times.calibration.mean():.2f} of the rows are for calibration, not about a fourth")
    held = accuracy(times[~times.calibration], ["kind"])
    for kind, (median, rank) in GOALS.items():
        row = held.loc[kind]
        print(f"{kind}: {row.rows:.0f} rows, median {row['median']:.3f}, rank correlation {row['rank']:.3f}")
        if row["median"] > median:
            problems.append(f"{kind}: median deviation {row['median']:.3f}, goal {median}")
        if row["rank"] < rank:
            problems.append(f"{kind}: rank correlation {row['rank']:.3f}, goal {rank}")
    docs = (SOURCE / "docs" / "manycore.md").read_text().splitlines()
    missing = [line for line in tables.splitlines() if line and line not in docs]
    problems += [f"docs/manycore.md lacks: {line}" for line in missing]
    if missing:
        problems.append("`scripts/figures/manycore.py RESULTS --tables` prints the tables")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
