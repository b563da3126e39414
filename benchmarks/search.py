#!/usr/bin/env python3
"""Compares searches with the fronts that the evaluation of all points of experiments/explore.toml gives.

    search.py EXPLORE.h5 [--seeds N] [--points N] [--csv FILE]

EXPLORE.h5 has all points of the study `space`. Each algorithm of pimsweep evaluates as many points as --points says, for
each seed anew, as does Optuna's NSGA-II (Debian's python3-optuna), which looks its points up in EXPLORE.h5: its time is
that of its own arithmetic alone. The hypervolume is that between the points and the worst feasible values of the whole
space, and the table says what share of the true front's hypervolume is reached: the median over the seeds, the worst,
and the wall time.
"""

import argparse
import csv
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))
import pimsweep
from pimsweep.experiment import program

FRONTS = {"time, energy": ["time", "energy"], "time, energy, area": ["time", "energy", "area"]}
ALGORITHMS = ["nsga2", "random", "sobol"]


def pareto(values):
    """The rows of an array that no other row dominates, each different row once."""
    values = np.unique(values, axis=0)
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
        points = pimsweep.open(file).frame("space")
        self.axes = {name: list(dict.fromkeys(points[name])) for name in self.study["axes"]}
        codes = [points[name].map({value: i for i, value in enumerate(values)}).to_numpy()
                 for name, values in self.axes.items()]
        self.sizes = [len(values) for values in self.axes.values()]
        self.rows = np.full(np.prod(self.sizes), -1)
        self.rows[np.ravel_multi_index(codes, self.sizes)] = np.arange(len(points))
        self.ok = (points["status"] == 0).to_numpy()
        self.metrics = {name: points[name].to_numpy() for name in ("time", "energy", "area")}

    def values(self, objectives, rows):
        return np.stack([self.metrics[name][rows] for name in objectives], axis=1)


def by_pimsweep(space, objectives, algorithm, points, seed, folder):
    """The objectives of all points of a search, and its wall seconds."""
    study = {**space.study, "search": {"min": objectives, "algorithm": algorithm, "points": points, "seed": seed}}
    output = folder / f"{algorithm}-{len(objectives)}-{seed}.h5"
    start = time.perf_counter()
    pimsweep.run({"name": "search", "study": [study]}, output=output)
    seconds = time.perf_counter() - start
    found = pimsweep.open(output).frame("space")
    return found.loc[found["status"] == 0, objectives].to_numpy(), seconds


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
    start = time.perf_counter()
    study = optuna.create_study(directions=["minimize"] * len(objectives), sampler=sampler)
    study.optimize(evaluate, n_trials=20 * points)
    seconds = time.perf_counter() - start
    rows = [row for row in seen if space.ok[row]]
    return space.values(objectives, rows), seconds, len(seen), len(study.trials)


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
                rows.append({"objectives": title, "algorithm": name, "seeds": len(shares),
                             "evaluations": statistics.median(of[2] for of in results),
                             "median share": statistics.median(shares), "worst share": min(shares),
                             "median seconds": statistics.median(of[1] for of in results)})
                print(", ".join(f"{key} {value:.6g}" if isinstance(value, float) else f"{key} {value}"
                                for key, value in rows[-1].items()), flush=True)

            seeds = range(1, arguments.seeds + 1)
            for algorithm in ALGORITHMS:
                add(algorithm, [(*by_pimsweep(space, objectives, algorithm, arguments.points, seed,
                                              pathlib.Path(scratch)), arguments.points) for seed in seeds])
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
