#!/usr/bin/env python3
"""Runs an experiment on measured kernel times: accuracy on rows not fitted to against the goals, shares inside the
bands of errors against theirs, the docs against this run.

Usage: check_accuracy.py SOURCE_DIR PIMSWEEP kernel|manycore
"""

import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(SOURCE / "scripts")]
import accuracy_tables
import pimsweep
from measured_times import PROCESSORS, accuracy, load

# Goals: median absolute deviation and rank correlation, on the rows not used to calibrate.
GPU_GOALS = {"gemm": (0.15, 0.97), "conv": (0.25, 0.97)}
CPU_GOALS = {"gemm": (0.20, 0.95), "conv": (0.20, 0.95)}


# Shares of rows inside a band of 90 %.
SHARES = (0.85, 0.95)


def gpu_lines(results):
    """The rows, and the lines that the docs must have."""
    times = load(results)
    outliers = f"({len(accuracy_tables.outliers(times))} of {(~times.calibration).sum()})"
    return times, accuracy_tables.kernel_tables(times).splitlines(), [outliers]


def cpu_lines(results):
    return load(results, PROCESSORS), accuracy_tables.manycore_tables(pimsweep.open(results)).splitlines(), []


EXPERIMENTS = {"kernel": (GPU_GOALS, gpu_lines, ("gpu", "validation")),
               "manycore": (CPU_GOALS, cpu_lines, ("manycore",))}


def shares_inside(experiment, rows):
    """Share of rows inside the band of the error of their class. Classes of 40 rows may miss by chance: of the processor
    only all rows together are asked."""
    shares = {name: own.inside.mean() for name, own in rows.groupby("class")} if experiment == "kernel" else {}
    return shares | {"all rows together": rows.inside.mean()}


def main():
    experiment = sys.argv[3]
    goals, lines_of, pages = EXPERIMENTS[experiment]
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        results = pathlib.Path(scratch) / f"{experiment}.h5"
        file = str(SOURCE / "experiments" / f"{experiment}.toml")
        subprocess.run([sys.argv[2], file, "--output", str(results), "--progress", "none"], check=True)
        times, lines, counts = lines_of(results)
    rows = accuracy_tables.inside_bands(experiment, times)
    lines += accuracy_tables.error_table(rows).splitlines()
    shares = shares_inside(experiment, rows)
    counts.append(f"all rows together ({accuracy_tables.share(shares['all rows together'])})")
    for name, share in shares.items():
        print(f"{name}: {share:.3f} of the errors inside the band of 90 %")
        if not SHARES[0] <= share <= SHARES[1]:
            problems.append(f"{name}: {share:.3f} of the errors inside the band, not {SHARES[0]} to {SHARES[1]}")
    if not 0.2 < times.calibration.mean() < 0.3:
        problems.append(f"{times.calibration.mean():.2f} of the rows are for calibration, not about a fourth")
    held = accuracy(times[~times.calibration], ["kind"])
    for kind, (median, rank) in goals.items():
        row = held.loc[kind]
        print(f"{kind}: {row.rows:.0f} rows, median {row['median']:.3f}, rank correlation {row['rank']:.3f}")
        if not row["median"] <= median:
            problems.append(f"{kind}: median deviation {row['median']:.3f}, goal {median}")
        if not row["rank"] >= rank:
            problems.append(f"{kind}: rank correlation {row['rank']:.3f}, goal {rank}")
    docs = [line for page in pages for line in (SOURCE / "docs" / f"{page}.md").read_text().splitlines()]
    missing = [line for line in lines if line and line not in docs]
    missing += [count for count in counts if not any(count in line for line in docs)]
    problems += [f"docs ({', '.join(pages)}) lack: {line}" for line in missing]
    if missing:
        problems.append(f"`scripts/accuracy_tables.py {experiment} RESULTS` prints the tables")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
