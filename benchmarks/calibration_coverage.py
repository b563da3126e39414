#!/usr/bin/env python3
"""How often the 95 % ranges of `pimsweep calibrate` hold the constants from which times were computed.

Usage: calibration_coverage.py [--trials 200] [--noise 0.05] [--program PIMSWEEP]. The rows are the kernels of
experiments/examples/measured.csv on a V100 with known constants; each trial multiplies their times by other log-normal
noise. Prints for each constant the share of trials in which each kind of range holds it.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

import h5py
import numpy as np

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "experiments" / "examples"
TRUE = {"hardware.fitted.launch": "12.5 us", "hardware.fitted.stall": 0.41, "hardware.fitted.sustained": 0.88}
SI = {"hardware.fitted.launch": 12.5e-6, "hardware.fitted.stall": 0.41, "hardware.fitted.sustained": 0.88}
STUDY = """name = "{name}"
[[study]]
id = "{name}"
system = "kernel"
hardware = "gpu-v100"
{keys}
[study.table]
csv = "{name}.csv"
"""
FIT = """reference = ["time_ms"]
[study.calibration]
observe = "time_ms"
constants = {constants}
folds = 2
starts = 1
[study.calibration.ranges]
"hardware.fitted.launch" = {{ from = "1 us", to = "100 us" }}
"hardware.fitted.stall" = {{ from = 0.05, to = 4 }}
"hardware.fitted.sustained" = {{ from = 0.3, to = 1 }}
"""
RANGES = ["profile", "jackknife", "confidence"]


def write_table(path, rows, times=None):
    names = ["kind", "M", "N", "K"]
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names if times is None else [*names, "time_ms"])
        for number, row in enumerate(rows):
            writer.writerow([row[name] for name in names] + ([] if times is None else [repr(float(times[number]))]))


def true_times(program, folder, rows):
    """Times of the rows with the true constants, in ms."""
    write_table(folder / "true.csv", rows)
    keys = "\n".join(f'"{name}" = {json.dumps(value)}' for name, value in TRUE.items())
    (folder / "true.toml").write_text(STUDY.format(name="true", keys=keys))
    subprocess.run([program, str(folder / "true.toml"), "-o", str(folder / "true.h5"), "--progress", "none"], check=True,
                   stdout=subprocess.DEVNULL)
    with h5py.File(folder / "true.h5") as file:
        return file["true"]["time_ms"][:]


def trial(program, folder, rows, times):
    write_table(folder / "fit.csv", rows, times)
    done = subprocess.run([program, "calibrate", str(folder / "fit.toml"), "-o", str(folder / "fitted.toml"), "--force",
                           "--json", "--progress", "none"], check=True, capture_output=True, text=True)
    return {one["name"]: one for one in json.loads(done.stdout)["constants"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--noise", type=float, default=0.05)
    parser.add_argument("--program", default="pimsweep")
    args = parser.parse_args()
    with open(EXAMPLES / "measured.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    held = {name: dict.fromkeys(RANGES, 0) for name in TRUE}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "fit.toml").write_text(STUDY.format(name="fit", keys="") + FIT.format(constants=json.dumps(list(TRUE))))
        times = true_times(args.program, folder, rows)
        for number in range(args.trials):
            noise = np.exp(args.noise * np.random.default_rng(number).standard_normal(len(times)))
            found = trial(args.program, folder, rows, times * noise)
            for name, true in SI.items():
                for kind in RANGES:
                    low, high = found[name][kind]
                    held[name][kind] += low <= true <= high
    for name, counts in held.items():
        print(name, *(f"{kind} {count / args.trials:.1%}" for kind, count in counts.items()), sep="  ")


if __name__ == "__main__":
    main()
