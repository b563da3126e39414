#!/usr/bin/env python3
"""Compares searches with the fronts that the evaluation of all points of experiments/explore.toml gives.

    search.py EXPLORE.h5 [--seeds N] [--optuna-seeds N] [--points N ...] [--csv FILE]

EXPLORE.h5 has all points of the study `space`. Each algorithm of pimsweep evaluates as many points as --points says, for
each seed, as does Optuna's NSGA-II (Debian's python3-optuna), which looks its points up in EXPLORE.h5: its time is
that of its own arithmetic alone, and a machine that the study's conditions exclude costs it nothing. One that it asks
for again counts, as it would be evaluated again; pimsweep asks for none twice. The table says, as the median over the seeds and in parentheses the worst of them: how many of the true front's
different designs are found, the hypervolume up to the worst feasible values of the whole space and that up to the worst
values of the true front (which only designs near the front enlarge), both as shares of the true front's; and the time
of a search, the median.
"""

import argparse
import csv
import importlib.util
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
ALGORITHMS = ["nsga2", "gaco", "random", "sobol"]
# Choices that depend on the objectives.
LEARNING = {"nsga2", "gaco"}


def pareto(values):
    """Distinct rows of an array that no other row dominates."""
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
        # Wall time of each run of pimsweep.
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
    name = f"{algorithm}-{len(objectives) if algorithm in LEARNING else ''}-{points}-{seed}"
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
    """The same by Optuna. A machine that the study's conditions exclude counts as no evaluation; one that Optuna asks for
    again does, since it is evaluated again. Counted last are the different ones."""
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    worst = [float(np.nanmax(space.metrics[name])) for name in objectives]
    evaluated = []

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
            evaluated.append(row)
        if len(evaluated) >= points:
            trial.study.stop()
        return [float(space.metrics[name][row]) for name in objectives] if feasible else worst

    sampler = optuna.samplers.NSGAIISampler(population_size=100, seed=seed,
                                            constraints_func=lambda trial: [trial.user_attrs["violation"]])
    start = used_seconds()
    study = optuna.create_study(directions=["minimize"] * len(objectives), sampler=sampler)
    study.optimize(evaluate, n_trials=20 * points)
    different = np.unique(evaluated)
    return space.values(objectives, different[space.ok[different]]), used_seconds() - start, len(different)


class TrueFront:
    """The best of all points, as the reference for searches."""

    def __init__(self, values):
        self.front = pareto(values)
        self.designs = set(map(tuple, self.front))
        self.references = values.max(axis=0), self.front.max(axis=0)
        self.volumes = [hypervolume(self.front, reference) for reference in self.references]

    def measure(self, found):
        """How many designs of the front are among the points found, and the shares of both hypervolumes."""
        shares = [hypervolume(found, reference) / volume for reference, volume in zip(self.references, self.volumes)]
        return len(self.designs & set(map(tuple, found))), *shares


def row_of(algorithm, runs, truth):
    """A row of the table, from the searches of all seeds."""
    measures = np.array([truth.measure(values) for values, *_ in runs])
    wall, cpu = np.median([seconds for _, seconds, _ in runs], axis=0)
    row = {"algorithm": algorithm, "seeds": len(runs), "evaluations": statistics.median(count for *_, count in runs)}
    for name, numbers in zip(("designs", "hypervolume", "near hypervolume"), measures.T):
        row[name], row[f"worst {name}"] = np.median(numbers), numbers.min()
    return row | {"wall s": wall, "CPU s": cpu}


def share_text(number):
    """Enough digits to distinguish it from 1."""
    return next((text for digits in range(3, 10) if float(text := f"{number:.{digits}f}") < 1), "1")


def printed(row):
    both = [f"{row['designs']:.0f} ({row['worst designs']:.0f})"]
    both += [f"{share_text(row[name])} ({share_text(row[f'worst {name}'])})" for name in ("hypervolume", "near hypervolume")]
    cells = [row["algorithm"], row["seeds"], f"{row['evaluations']:.0f}", *both, f"{row['wall s']:.3g}", f"{row['CPU s']:.3g}"]
    return "| " + " | ".join(map(str, cells)) + " |"


def compare(space, budgets, seeds, optuna_seeds, folder):
    """The rows of the table, which are printed as they come."""
    rows = []
    for title, objectives in FRONTS.items():
        everything = space.values(objectives, np.flatnonzero(space.ok))
        truth = TrueFront(everything)
        for points in budgets:
            print(f"\n{title}: {len(truth.front)} different designs of the true front, {len(everything)} feasible points of "
                  f"{len(space.ok)}, {points} evaluated\n", flush=True)
            print("| algorithm | seeds | different points | designs | hypervolume | near hypervolume | wall s | CPU s |")
            print("|---|---|---|---|---|---|---|---|")

            def add(name, count, search):
                if count == 0:
                    return
                runs = [search(seed) for seed in range(1, count + 1)]
                rows.append({"objectives": title, "points": points, **row_of(name, runs, truth)})
                print(printed(rows[-1]), flush=True)

            for algorithm in ALGORITHMS:
                add(algorithm, seeds, lambda seed: by_pimsweep(space, objectives, algorithm, points, seed, folder))
            add("Optuna NSGA-II", optuna_seeds, lambda seed: by_optuna(space, objectives, points, seed))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("explore")
    parser.add_argument("--seeds", type=int, default=11)
    parser.add_argument("--points", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--optuna-seeds", type=int, default=None, help="as many as --seeds by default; 0 leaves it out")
    parser.add_argument("--csv")
    arguments = parser.parse_args()
    optuna_seeds = arguments.seeds if arguments.optuna_seeds is None else arguments.optuna_seeds
    if optuna_seeds and importlib.util.find_spec("optuna") is None:
        parser.error("Optuna is not there: apt-get install python3-optuna, or leave it out with --optuna-seeds 0")
    with tempfile.TemporaryDirectory() as scratch:
        rows = compare(Space(arguments.explore), arguments.points, arguments.seeds, optuna_seeds, pathlib.Path(scratch))
    if arguments.csv:
        with open(arguments.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
