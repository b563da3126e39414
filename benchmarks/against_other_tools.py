#!/usr/bin/env python3
"""Runs the same short points with pimsweep and with common alternatives, and prints the cost per point of each tool.

Overhead of a point = (wall x workers - sum of costs) / points. Each tool runs two numbers of points: the overhead of the
whole command holds the start, and `each further point` is the slope between the two, without the start. The last column is
the slope of the CPU time, less the cost: unlike the wall time it hardly depends on what else the machine does. Times are the
least of the repetitions: other programs only ever add.
"""

import argparse
import importlib.util
import os
import pathlib
import resource
import shutil
import sys
import tempfile

import machine
import pimsweep_run

WORKERS = 2
HERE = pathlib.Path(__file__).resolve().parent
PYTHON = sys.executable


def children_cpu():
    """CPU seconds of all processes that have been started from here and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(command, folder):
    """Wall and CPU seconds of a command; ends with what it said if it fails."""
    cpu = children_cpu()
    try:
        wall, _ = machine.timed(command, folder, machine.mpi_environment())
    except RuntimeError as error:
        sys.exit(str(error))
    return wall, children_cpu() - cpu


class Tool:
    """A way to run points. `points` are its two sizes; `workers` how many points it runs at a time."""

    def __init__(self, name, points, command, workers=WORKERS, missing=None):
        self.name, self.points, self.command, self.workers, self.missing = name, points, command, workers, missing

    def measure(self, cost, runs):
        """Least wall seconds and least CPU seconds, for each of the two sizes."""
        measured = []
        for points in self.points:
            with tempfile.TemporaryDirectory() as folder:
                measured.append([timed(self.command(points, cost, pathlib.Path(folder)), folder) for _ in range(runs)])
        return [min(wall for wall, _ in runs) for runs in measured], [min(cpu for _, cpu in runs) for runs in measured]

    def row(self, cost, walls, cpus):
        overheads = [(wall * self.workers - points * cost) / points for wall, points in zip(walls, self.points)]
        further = self.points[1] - self.points[0]
        slope = (walls[1] - walls[0]) * self.workers / further - cost
        cpu = (cpus[1] - cpus[0]) / further - cost
        return [self.name, self.workers, " / ".join(f"{points:,}" for points in self.points), " / ".join(f"{wall:.3g}" for wall in walls),
                " / ".join(machine.duration(overhead) for overhead in overheads),
                *[machine.duration(value) if value > 0 else "below noise" for value in (slope, cpu)]]


def tools(build, cost, quick):
    program = build / "benchmarks" / "one_point"
    # Processes cost milliseconds, so fewer points suffice. pimsweep needs a few thousand points to exceed its startup
    # time.
    slow = (20, 60) if quick else (500, 2_000)
    medium = (500, 2_000) if quick else (2_500, 10_000)
    fast = medium if quick or cost > 0 else (200_000, 1_000_000)

    def pimsweep(points, seconds, folder):
        (folder / "p.toml").write_text(pimsweep_run.Experiment(points, cost_mean=f"{seconds} s").text)
        return ["mpirun", "-n", str(WORKERS), str(build / "pimsweep"), "p.toml", "--output", "out.h5", "--force", "--progress", "none"]

    def shell(form):
        return lambda points, seconds, folder: ["bash", "-c", form.format(points=points, program=program, seconds=seconds, workers=WORKERS)]

    def python(kind):
        return lambda points, seconds, folder: [PYTHON, str(HERE / "python_points.py"), kind, str(points), str(seconds), str(WORKERS), str(program)]

    def mpi4py(points, seconds, folder):
        # One rank more than workers: its first only hands out.
        return ["mpirun", "-n", str(WORKERS + 1), PYTHON, str(HERE / "python_points.py"), "mpi", str(points), str(seconds)]

    return [
        Tool("pimsweep, 2 ranks", fast, pimsweep, missing=None if (build / "pimsweep").is_file() else "not built"),
        Tool("multiprocessing.Pool, point in Python", medium, python("pool")),
        Tool("mpi4py.futures, point in Python", medium, mpi4py, missing=None if importlib.util.find_spec("mpi4py") else "mpi4py is not installed"),
        Tool("shell loop over a binary", slow, shell("for n in $(seq {points}); do {program} $n {seconds} >> out.txt; done"), workers=1),
        Tool("xargs -P2", slow, shell("seq {points} | xargs -P{workers} -I@ {program} @ {seconds} > out.txt")),
        Tool("GNU parallel -j2", slow, shell("seq {points} | parallel -j{workers} {program} {{}} {seconds} > out.txt"),
             missing=None if shutil.which("parallel") else "GNU parallel is not installed"),
        Tool("multiprocessing.Pool, binary by subprocess", slow, python("subprocess")),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=lambda text: pathlib.Path(text).resolve(), default=machine.BUILD, help="build folder")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="few points")
    arguments = parser.parse_args()
    if not (arguments.build / "benchmarks" / "one_point").is_file():
        parser.error(f"no program one_point in {arguments.build}/benchmarks: scripts/build.sh release builds it")
    os.environ.setdefault("PARALLEL_HOME", tempfile.mkdtemp(prefix="parallel-"))
    (pathlib.Path(os.environ["PARALLEL_HOME"]) / "will-cite").touch()
    print(f"{machine.describe()}; load when begun: {machine.load():.1f}; least of {arguments.runs} runs.")
    for cost in (0.0, 1e-3):
        rows = []
        for tool in tools(arguments.build, cost, arguments.quick):
            if tool.missing:
                print(f"skipped: {tool.name}: {tool.missing}")
            else:
                rows.append(tool.row(cost, *tool.measure(cost, arguments.runs)))
        print(f"\nPoints of {machine.duration(cost) if cost else 'no cost'}.\n")
        print(machine.markdown(["tool", "at a time", "points", "wall [s]", "overhead of a point, whole command", "each further point", "CPU time of it"], rows), flush=True)


if __name__ == "__main__":
    main()
