"""The front of a small part of experiments/explore.toml is the one that comparing every pair of points gives.

Usage: check_front.py PIMSWEEP SOURCE_DIR
"""

import csv
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from pimsweep import texts

OBJECTIVES = ["time", "energy", "area", "cost"]


def front_by_pairs(numbers):
    """Rows that no row matches everywhere and betters somewhere."""
    return [row for row, own in enumerate(numbers)
            if not ((numbers <= own).all(axis=1) & (numbers < own).any(axis=1)).any()]


def main():
    program, source = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        results, table = pathlib.Path(folder) / "part.h5", pathlib.Path(folder) / "front.csv"
        fixed = ["hardware.pe_array.rows=8", "hardware.pe_array.cols=8", "hardware.clock=400 MHz", "batch=1",
                 "hardware.dram.bank_capacity=8 MiB"]
        subprocess.run([program, f"{source}/experiments/explore.toml", "--study", "space", "--output", results,
                        "--progress", "none", *(word for axis in fixed for word in ("--set", axis))], check=True)
        for count in range(1, len(OBJECTIVES) + 1):
            objectives = OBJECTIVES[:count]
            subprocess.run([program, "pareto", results, "--csv", table, "--force", "--group-by", "policy",
                            *(word for name in objectives for word in ("--min", name))],
                           check=True, stdout=subprocess.DEVNULL)
            with open(table, newline="") as rows:
                found = sorted(int(row["point"]) for row in csv.DictReader(rows))
            expected = []
            with h5py.File(results) as file:
                points = file["space"]
                policy = texts(points["policy"])
                for name in set(policy):
                    taken = numpy.flatnonzero((points["status"][:] == 0) & (policy == name))
                    numbers = numpy.stack([points[metric][:][taken] for metric in objectives], axis=1)
                    expected += [int(taken[row]) for row in front_by_pairs(numbers)]
            if not found or found != sorted(expected):
                sys.exit(f"{objectives}: {len(found)} points in the front, {len(expected)} by comparing all pairs")


if __name__ == "__main__":
    main()
