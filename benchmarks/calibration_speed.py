#!/usr/bin/env python3
"""Time of a large calibration: calibration_speed.py [--rows 10000] [--ranks 2] [--profile] [--program PIMSWEEP].

Random GEMMs on a V100 with known constants and 5 % noise, six constants, five folds; --profile adds the ranges. Prints wall time and
processor time of all ranks, which a busy machine does not change.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import tempfile
import time

import numpy as np
from calibration_coverage import STUDY, true_times, write_table

CONSTANTS = ["hardware.fitted.launch", "hardware.fitted.stall", "hardware.fitted.sustained", "hardware.memory.latency_cycles",
             "hardware.l2.bytes_per_cycle", "hardware.memory.efficiency"]
FIT = """reference = ["time_ms"]
[study.calibration]
observe = "time_ms"
constants = {constants}
at_most = 6
folds = 5
profile = {profile}
[study.calibration.ranges]
"hardware.memory.efficiency" = {{ from = 0.6, to = 0.95 }}
"""


def random_rows(count):
    """GEMMs of 16 to 8192 rows, columns and depth, even on a logarithmic scale, in steps of 16."""
    sizes = np.exp2(np.random.default_rng(0).uniform(4, 13, (count, 3)))
    return [dict(zip(("kind", "M", "N", "K"), ("gemm", *map(int, row)))) for row in np.round(sizes / 16) * 16]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--program", default="pimsweep")
    args = parser.parse_args()
    rows = random_rows(args.rows)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        times = true_times(args.program, folder, rows)
        noise = np.exp(0.05 * np.random.default_rng(1).standard_normal(len(times)))
        write_table(folder / "fit.csv", rows, times * noise)
        (folder / "fit.toml").write_text(STUDY.format(name="fit", keys="") + FIT.format(
            constants=json.dumps(CONSTANTS), profile=str(args.profile).lower()))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = time.monotonic()
        subprocess.run([args.program, "calibrate", str(folder / "fit.toml"), "-o", str(folder / "fitted.toml"), "--ranks",
                        str(args.ranks), "--progress", "none"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{args.rows} rows: {time.monotonic() - begin:.0f} s on {args.ranks} ranks, {busy:.0f} s of processor time")


if __name__ == "__main__":
    main()
