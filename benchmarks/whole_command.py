#!/usr/bin/env python3
"""Times whole commands: an experiment, or one of its studies, on one and two ranks.

Usage: whole_command.py PIMSWEEP EXPERIMENT [STUDY]. Prints median, minimum and maximum of five runs after one that warms up.
"""

import os
import pathlib
import sys
import tempfile

import machine

RUNS = 5


def main():
    program, experiment = (str(pathlib.Path(arg).resolve()) for arg in sys.argv[1:3])
    study = ["--study", sys.argv[3]] if len(sys.argv) > 3 else []
    name = " ".join([pathlib.Path(experiment).stem, *sys.argv[3:4]])
    print(f"{os.cpu_count()} cores; median (minimum to maximum) of {RUNS} runs, seconds")
    with tempfile.TemporaryDirectory() as scratch:
        for ranks in (1, 2):
            command = ["mpirun", "-n", ranks, program, experiment, *study, "--output", f"{scratch}/results.h5", "--force"]
            seconds = [machine.timed(command, scratch, machine.mpi_environment())[0] for _ in range(RUNS + 1)]
            print(f"{name} on {ranks} rank(s): {machine.show(machine.spread(seconds[1:]))}")


if __name__ == "__main__":
    main()
