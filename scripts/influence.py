#!/usr/bin/python3
"""Sobol indices of the figures and tables of the papers: influence.py FOLDER

FOLDER holds together.h5, the studies of experiments/uncertainty.toml on machines drawn together (scripts/bands.sh). For
each study a regression of ranks screens all constants; at most 12 with a share of 2 % or more are drawn again in 512 of
Saltelli's blocks, on the points alone that published values are recomputed from. A study whose points would take
longer than SECONDS_OF_STUDY (default: 620) of processor time keeps the shares of the regression. Writes
results/recorded/influence.csv.
"""

import json
import os
import pathlib
import subprocess
import sys
import tomllib

import h5py
import pandas as pd

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import pimsweep
from pimsweep import influence

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = os.environ.get("PIMSWEEP", str(ROOT / "build/release/pimsweep"))
BLOCKS = int(os.environ.get("BLOCKS", "512"))
# The next longer study, PIMFlow's Figure 9, has a table of layers that would take 20 GB to read.
SECONDS = float(os.environ.get("SECONDS_OF_STUDY", "620"))
MOST_CONSTANTS, LEAST_SHARE, SHOWN_SHARE = 12, 0.02, 0.005


def checks_of(paper, study):
    """The checks of a paper that are recomputed from a study."""
    with open(ROOT / f"results/published/{paper}.toml", "rb") as file:
        return [check for check in tomllib.load(file)["check"] if check.get("study") == study]


def literal(value):
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def condition(selection, axes):
    """The points that a selection allows, as a condition over axes."""
    parts = []
    for column, allowed in selection.items():
        if column in axes:
            values = allowed if isinstance(allowed, list) else [allowed]
            parts.append("(" + " || ".join(f"{column} == {literal(value)}" for value in values) + ")")
    return " && ".join(parts) or "true"


def points_of_checks(checks, axes):
    """The points that any of the checks needs."""
    needed = dict.fromkeys(condition(check[key], axes) for check in checks for key in ("select", "over") if key in check)
    return "true" if "true" in needed or not needed else " || ".join(f"({one})" for one in needed)


def strongest(values, machines):
    """The constants that move the values of a study, those that they are tied to included."""
    shares = [influence.rank_shares(machines, row) for row in values]
    shares = [one for one in shares if not one.empty]
    if not shares:
        return []
    mean = pd.concat(shares, axis=1).fillna(0).mean(axis=1).nlargest(MOST_CONSTANTS)
    return [name for name in mean.index if mean[name] >= LEAST_SHARE]


def seconds_of_point(results, study):
    """What a point of a study takes on average."""
    with h5py.File(results.path) as file:
        return float(file["provenance"][study]["seconds"][:].mean())


def draw_blocks(results, study, read, folder):
    """Draws the blocks of a study; returns their file, or None where there is nothing to draw or it takes too long."""
    paper, origin = study.split("-", 1)
    rows = read.rows[read.rows["study"] == study]
    if rows.empty:
        return None
    machines = read.machines[str(results.path), study]
    constants = strongest(read.numbers(rows, machines)[1], machines)
    if not constants:
        return None
    names = [name for first in constants for name in machines.tied[first]]
    options = ["experiments/uncertainty.toml", "--study", study, "--draws", str(BLOCKS), "--draw-method", "saltelli",
               "--draw-constants", ",".join(names)]
    where = points_of_checks(checks_of(paper, origin), set(results.axes(study)))
    options += ["--where", where] if where != "true" else []
    planned = json.loads(subprocess.run([PROGRAM, "plan", *options, "--json"], cwd=ROOT, check=True,
                                        capture_output=True, text=True).stdout)
    points = sum(one["points"] for one in planned["studies"])
    seconds = points * seconds_of_point(results, study)
    print(f"{study}: {points} points, {', '.join(constants)}", flush=True)
    if seconds > SECONDS:
        print(f"  about {seconds:.0f} s of processor time: left to the regression", flush=True)
        return None
    output = folder / f"blocks-{study}.h5"
    subprocess.run(["mpirun", "-n", str(os.cpu_count()), PROGRAM, *options, "--output", output, "--resume", "--progress",
                    "none"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return output


def values_on_machines(files, path):
    """Writes the published values on each machine of results files."""
    subprocess.run([PROGRAM, "report", "--bands", *files, "--csv", "/dev/null", "--machines", path], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)
    return path


def main():
    folder = pathlib.Path(sys.argv[1]).absolute()
    results = pimsweep.open(folder / "together.h5")
    together = values_on_machines([results.path], folder / "machines.csv")
    read = influence.Values(together)
    files = [file for study in results if (file := draw_blocks(results, study, read, folder))]
    values = [together, *(values_on_machines([file], file.with_suffix(".csv")) for file in files)]
    every = folder / "values.csv"
    pd.concat([pd.read_csv(one, dtype=str, keep_default_na=False) for one in values]).to_csv(every, index=False)
    table = influence.influence(every)
    table[table[["total", "rank"]].max(axis=1) >= SHOWN_SHARE].to_csv(
        ROOT / "results/recorded/influence.csv", index=False, float_format="%.3f")


if __name__ == "__main__":
    main()
