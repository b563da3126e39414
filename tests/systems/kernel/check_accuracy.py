#!/usr/bin/env python3
"""Runs experiments/kernel.toml: its accuracy on rows not fitted to against the goals, docs/gpu.md against this run.

Usage: check_accuracy.py SOURCE_DIR PIMSWEEP
"""

import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(SOURCE / "scripts"), str(SOURCE / "scripts" / "figures")]
import kernel
from measured_times import accuracy, load

# Goals: median absolute deviation and rank correlation, on the rows not used to calibrate.
GOALS = {"gemm": (0.15, 0.97), "conv": (0.25, 0.97)}


def main():
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        results = pathlib.Path(scratch) / "kernel.h5"
        experiment = str(SOURCE / "experiments" / "kernel.toml")
        subprocess.run([sys.argv[2], experiment, "--output", str(results), "--progress", "none"], check=True)
        times = load(results)
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
    docs = [line for page in ("gpu", "validation") for line in (SOURCE / "docs" / f"{page}.md").read_text().splitlines()]
    count = f"({len(kernel.outliers(times))} of {(~times.calibration).sum()})"
    if not any(count in line for line in docs):
        problems.append(f"docs/validation.md does not tell of the outliers as {count}")
    missing = [line for line in kernel.tables(times).splitlines() if line and line not in docs]
    problems += [f"docs/gpu.md lacks: {line}" for line in missing]
    if missing:
        problems.append("`scripts/figures/kernel.py RESULTS --tables` prints the tables")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
