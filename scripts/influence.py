#!/usr/bin/python3
"""Sobol indices of the figures and tables of the papers: influence.py FOLDER [STUDY ...]

FOLDER holds together.h5, studies of experiments/uncertainty.toml on machines drawn together (scripts/bands.sh). For
each of them, or those named, a regression of ranks screens all constants; at most 12 with a share of 2 % or more of its
values or 5 % or more of those of a figure, or that move a value which no such constant moves, are drawn again in BLOCKS
(default: 512) of Saltelli's blocks, on the points alone that published values are recomputed from. Replaces the figures that these
studies give in results/recorded/influence.csv; a figure of several studies needs all of them.
"""

import os
import pathlib
import subprocess
import sys
import tomllib

import numpy as np
import pandas as pd

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import pimsweep
from pimsweep import influence
from pimsweep.analysis import make_bands, read_published

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = os.environ.get("PIMSWEEP", str(ROOT / "build/release/pimsweep"))
PUBLISHED = {one.paper: one for one in read_published(ROOT / "results/published")}
BLOCKS = int(os.environ.get("BLOCKS", "512"))
# Drawn first: where all constants are choices, these blocks have every machine, and no other one is evaluated again.
PILOT_BLOCKS = 8
# Evaluated at a time, if less than all: a study goes over its machines with every point, and only few of them stay in
# a system's caches.
BLOCKS_AT_A_TIME = int(os.environ.get("BLOCKS_AT_A_TIME", BLOCKS))
MOST_CONSTANTS, LEAST_SHARE, LEAST_SHARE_OF_FIGURE, SHOWN_SHARE = 12, 0.02, 0.05, 0.005


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


def selections(check):
    """What a check allows for its points and for those that they are divided by, which agree with them elsewhere."""
    select, over = check.get("select", {}), check.get("over")
    return [select] if over is None else [select, select | over]


def points_of_checks(checks, axes):
    """The points that any of the checks needs."""
    needed = dict.fromkeys(condition(one, axes) for check in checks for one in selections(check))
    return "true" if "true" in needed or not needed else " || ".join(f"({one})" for one in needed)


def strongest(values, figures, machines):
    """The constants that move the values of a study, by their mean share over all values or over those of a figure, and
    of each value that none of these moves the one that moves it most. `figures` has the figure of each value."""
    shares = {place: found for place, row in enumerate(values) if not (found := influence.rank_shares(machines, row)).empty}
    if not shares:
        return []
    table = pd.DataFrame(shares).fillna(0)
    by_figure = table.T.groupby(lambda place: figures[place]).mean().max()
    size = np.maximum(table.mean(axis=1) / LEAST_SHARE, by_figure / LEAST_SHARE_OF_FIGURE).nlargest(MOST_CONSTANTS)
    found = list(size.index[size >= 1])
    for place in table:
        if table[place].max() > 0 and not table.loc[found, place].any() and len(found) < MOST_CONSTANTS:
            found.append(table[place].idxmax())
    return found


def run_blocks(options, blocks, output):
    """Evaluates blocks of machines, but for the points that the output has already."""
    subprocess.run([PROGRAM, *options, "--draws", str(blocks), "--output", output,
                    "--resume", "--progress", "none"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def blocks_in(output, study):
    """The number of blocks that a file has already."""
    if not output.exists():
        return 0
    machines = influence.machines_of(pimsweep.open(output), study)
    return len(machines.constants) // machines.block


def draw_blocks(results, study, read, folder):
    """Draws the blocks of a study; returns their file, or None where nothing decides."""
    paper, origin = study.split("-", 1)
    rows = read.rows[read.rows["study"] == study]
    if rows.empty:
        return None
    machines = read.machines[str(results.path), study]
    ids, values = read.numbers(rows, machines)
    constants = strongest(values, list(rows.drop_duplicates("id").set_index("id")["where"].reindex(ids)), machines)
    if not constants:
        return None
    names = [name for first in constants for name in machines.tied[first]]
    options = ["experiments/uncertainty.toml", "--study", study, "--draw-method", "saltelli", "--draw-constants",
               ",".join(names)]
    where = points_of_checks(checks_of(paper, origin), set(results.axes(study)))
    options += ["--where", where] if where != "true" else []
    print(f"{study}: {', '.join(constants)}", flush=True)
    output = folder / f"blocks-{study}.h5"
    # A file of fewer blocks would lose those that it has.
    known = blocks_in(output, study)
    for blocks in [PILOT_BLOCKS, *range(PILOT_BLOCKS + BLOCKS_AT_A_TIME, BLOCKS, BLOCKS_AT_A_TIME), BLOCKS]:
        if blocks >= min(known, BLOCKS):
            run_blocks(options, blocks, output)
    return output


def values_on_machines(path):
    """The published values on each machine of a results file."""
    return influence.values_of(make_bands([str(path)], list(PUBLISHED.values())))


def check_whole(figures, studies):
    """Ends unless each figure (paper, where) has all studies that its values are recomputed from among those drawn."""
    for paper in sorted({paper for paper, _ in figures}):
        where = {value.id: value.where for value in PUBLISHED[paper].values}
        needed = {(where[query.id], f"{paper}-{query.study}") for query in PUBLISHED[paper].queries.values() if query.study}
        absent = sorted({(figure, study) for figure, study in needed if (paper, figure) in figures and study not in studies})
        if absent:
            sys.exit("\n".join(f"influence.py: {paper}'s {figure} needs {study} as well" for figure, study in absent))


def replace_figures(table, path):
    """Writes the figures of a table in the place of their rows in a file, new ones at its end."""
    merged = pd.read_csv(path) if path.exists() else table.iloc[:0]
    key = ["paper", "where"]
    old = {figure: rows for figure, rows in merged.groupby(key, sort=False)}
    old |= {figure: rows for figure, rows in table.groupby(key, sort=False)}
    pd.concat(old.values()).sort_values("paper", kind="stable").to_csv(path, index=False, float_format="%.3f")


def main():
    folder = pathlib.Path(sys.argv[1]).absolute()
    results = pimsweep.open(folder / "together.h5")
    studies = sys.argv[2:] or list(results)
    together = values_on_machines(results.path)
    read = influence.Values(together)
    figures = set(read.rows[read.rows["study"].isin(studies)][["paper", "where"]].itertuples(index=False, name=None))
    check_whole(figures, set(studies))
    files = [file for study in studies if (file := draw_blocks(results, study, read, folder))]
    rows = pd.concat([together, *map(values_on_machines, files)])
    table = influence.influence(rows[[figure in figures for figure in zip(rows["paper"], rows["where"])]])
    replace_figures(table[table[["total", "rank"]].max(axis=1) >= SHOWN_SHARE],
                    ROOT / "results/recorded/influence.csv")


if __name__ == "__main__":
    main()
