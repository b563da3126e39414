#!/usr/bin/env python3
"""Times whole commands: an experiment, or one of its studies, on one and two ranks.

Usage: whole_command.py PIMSWEEP EXPERIMENT [STUDY]. Prints minimum, median and maximum of five runs after one that warms up.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 5


def measure(command):
    seconds = []
    for run in range(RUNS + 1):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        if run > 0:
            seconds.append(time.perf_counter() - start)
    return min(seconds), statistics.median(seconds), max(seconds)


def main():
    program, experiment = (str(pathlib.Path(arg).resolve()) for arg in sys.argv[1:3])
    study = ["--study", sys.argv[3]] if len(sys.argv) > 3 else []
    name = " ".join([pathlib.Path(experiment).stem, *sys.argv[3:4]])
    print(f"{os.cpu_count()} cores; minimum, median, maximum of {RUNS} runs, seconds")
    with tempfile.TemporaryDirectory() as scratch:
        output = f"{scratch}/results.h5"
        for ranks in (1, 2):
            command = ["mpirun", "-n", str(ranks), program, experiment, *study, "--output", output, "--force"]
            print(f"{name} on {ranks} rank(s): " + "  ".join(f"{value:.3f}" for value in measure(command)))


if __name__ == "__main__":
    main()
