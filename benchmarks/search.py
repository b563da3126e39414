#!/usr/bin/env python3
"""Compares searches with the fronts that the evaluation of all points of experiments/explore.toml gives.

    search.py EXPLORE.h5 [--seeds N] [--points N] [--csv FILE]

EXPLORE.h5 has all points of the study `space`. Each algorithm of pimsweep evaluates as many points as --points says, for
each seed anew, as does Optuna's NSGA-II (Debian's python3-optuna), which looks its points up in EXPLORE.h5: its time is
that of its own arithmetic alone. The hypervolume is that between the points and the worst feasible values of the whole
space, and the table says what share of the true front's hypervolume is reached: the median over the seeds, the worst,
and the time of a run.
"""

import argparse
import csv
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib

import h5py
import numpy as np
import tomli_w

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))
import pimsweep
from pimsweep.experiment import program

FRONTS = {"time, energy": ["time", "energy"], "time, energy, area": ["time", "energy", "area"]}
ALGORITHMS = ["nsga2", "random", "sobol"]


def pareto(values):
    """The rows of an array that no other row dominates, each different row once."""
    values = np.unique(values, axis=0)
    few = 1000
    if len(values) > few:  # what some rows dominate needs no further look
        for row in pareto(values[::len(values) // few + 1]):
            values = values[(values < row).any(axis=1) | (values == row).all(axis=1)]
    front = np.empty((0, values.shape[1]))
    for row in values:  # sorted: only rows before can dominate
        if not (front <= row).all(axis=1).any():
            front = np.vstack([front, row])
    return front


def area(front, reference):
    """Hypervolume of a front of two objectives, sorted by the first one."""
    ends = np.append(front[1:, 0], reference[0])
    return float(((ends - front[:, 0]) * (reference[1] - front[:, 1])).sum())


def hypervolume(values, reference):
    """Of two objectives, or of three as slices along the last one."""
    front = pareto(values[(values < reference).all(axis=1)])
    if values.shape[1] == 2:
        return area(front, reference)
    front = front[np.argsort(front[:, 2], kind="stable")]
    ends = np.append(front[1:, 2], reference[2])
    return sum(area(pareto(front[:i + 1, :2]), reference[:2]) * (end - front[i, 2]) for i, end in enumerate(ends)
               if end > front[i, 2])


class Space:
    """All points of the study with their results."""

    def __init__(self, file):
        self.study = tomllib.loads((ROOT / "experiments" / "explore.toml").read_text())["study"][0]
        self.axes, codes = {}, []
        with h5py.File(file) as results:
            points = results["space"]
            for name in self.study["axes"]:
                column = pimsweep.texts(points[name]).astype(str) if points[name].ndim == 2 else points[name][:]
                values, first, code = np.unique(column, return_index=True, return_inverse=True)
                # In the order of the study, as the points are.
                order = np.argsort(first)
                self.axes[name] = values[order].tolist()
                codes.append(np.argsort(order)[code])
            self.ok = points["status"][:] == 0
            self.metrics = {name: points[name][:] for name in ("time", "energy", "area")}
        self.sizes = [len(values) for values in self.axes.values()]
        self.rows = np.full(np.prod(self.sizes), -1)
        self.rows[np.ravel_multi_index(codes, self.sizes)] = np.arange(len(self.ok))
        # What each run of pimsweep has taken.
        self.seconds = {}

    def values(self, objectives, rows):
        return np.stack([self.metrics[name][rows] for name in objectives], axis=1)


def used_seconds():
    """Wall seconds, and CPU seconds of this process and of all that it has started."""
    cpu = sum(usage.ru_utime + usage.ru_stime
              for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
    return np.array([time.perf_counter(), cpu])


def by_pimsweep(space, objectives, algorithm, points, seed, folder):
    """The objectives of all feasible points of a search, its wall and CPU seconds, and how many it evaluated."""
    # What does not learn chooses the same points whatever the objectives.
    name = f"{algorithm}-{len(objectives) if algorithm == 'nsga2' else ''}-{seed}"
    experiment, output = folder / f"{name}.toml", folder / f"{name}.h5"
    if not output.exists():
        study = {**space.study, "search": {"min": objectives, "algorithm": algorithm, "points": points, "seed": seed}}
        experiment.write_text(tomli_w.dumps({"name": "search", "study": [study]}))
        start = used_seconds()
        subprocess.run([program(), experiment, "--output", output, "--progress", "none"], check=True,
                       stdout=subprocess.DEVNULL)
        space.seconds[name] = used_seconds() - start
    with h5py.File(output) as file:
        found = file["space"]
        ok = found["status"][:] == 0
        values = np.stack([found[metric][:][ok] for metric in objectives], axis=1)
    return values, space.seconds[name], len(ok)


def by_optuna(space, objectives, points, seed):
    """The same by Optuna. A machine that the study's conditions exclude is pruned and counts as no evaluation."""
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    worst = [float(np.nanmax(space.metrics[name])) for name in objectives]
    seen = {}

    def evaluate(trial):
        digits = []
        for name, values in space.axes.items():
            if isinstance(values[0], str):
                digits.append(values.index(trial.suggest_categorical(name, values)))
            else:
                digits.append(trial.suggest_int(name, 0, len(values) - 1))
        row = int(space.rows[np.ravel_multi_index(digits, space.sizes)])
        feasible = row >= 0 and bool(space.ok[row])
        trial.set_user_attr("violation", 0.0 if feasible else 1.0 if row >= 0 else 2.0)
        if row >= 0:
            seen[row] = True
        if len(seen) >= points:
            trial.study.stop()
        return [float(space.metrics[name][row]) for name in objectives] if feasible else worst

    sampler = optuna.samplers.NSGAIISampler(population_size=100, seed=seed,
                                            constraints_func=lambda trial: [trial.user_attrs["violation"]])
    start = used_seconds()
    study = optuna.create_study(directions=["minimize"] * len(objectives), sampler=sampler)
    study.optimize(evaluate, n_trials=20 * points)
    rows = [row for row in seen if space.ok[row]]
    return space.values(objectives, rows), used_seconds() - start, len(seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("explore")
    parser.add_argument("--seeds", type=int, default=11)
    parser.add_argument("--points", type=int, default=10_000)
    parser.add_argument("--optuna-seeds", type=int, default=None, help="as many as --seeds by default; 0 leaves it out")
    parser.add_argument("--csv")
    arguments = parser.parse_args()
    space = Space(arguments.explore)
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for title, objectives in FRONTS.items():
            everything = space.values(objectives, np.flatnonzero(space.ok))
            reference = everything.max(axis=0)
            whole = hypervolume(everything, reference)
            print(f"{title}: {len(pareto(everything))} different points of the front, {len(everything)} feasible of "
                  f"{len(space.ok)}", flush=True)

            def add(name, results):
                shares = [hypervolume(values, reference) / whole for values, *_ in results]
                wall, cpu = np.median([of[1] for of in results], axis=0)
                rows.append({"objectives": title, "algorithm": name, "seeds": len(shares),
                             "evaluations": statistics.median(of[2] for of in results),
                             "median share": statistics.median(shares), "worst share": min(shares),
                             "wall seconds": wall, "CPU seconds": cpu})
                print(", ".join(f"{key} {value:.6g}" if isinstance(value, float) else f"{key} {value}"
                                for key, value in rows[-1].items()), flush=True)

            seeds = range(1, arguments.seeds + 1)
            for algorithm in ALGORITHMS:
                add(algorithm, [by_pimsweep(space, objectives, algorithm, arguments.points, seed, pathlib.Path(scratch))
                                for seed in seeds])
            count = arguments.seeds if arguments.optuna_seeds is None else arguments.optuna_seeds
            if count > 0:
                add("Optuna NSGA-II", [by_optuna(space, objectives, arguments.points, seed)
                                       for seed in range(1, count + 1)])
    if arguments.csv:
        with open(arguments.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
