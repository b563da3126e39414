#!/usr/bin/env python3
"""Model against measured kernel times: a scatter plot for each kind, tables of accuracy, the outliers.

Usage: kernel.py results/kernel.h5 [--output DIR] [--tables]. --tables prints the tables of docs/gpu.md, no more.
Rows that the constants were fitted to are left out of tables and outliers, and drawn gray.
"""

import functools
import pathlib
import sys

import matplotlib.pyplot as plt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from measured_times import accuracy, load
from pimsweep import plot

CARDS = ("Tesla V100", "Tesla P100", "GTX 1080 Ti", "Tesla T4")
KINDS = {"gemm": "GEMMs", "conv": "convolutions", "rnn": "recurrent layers"}
FITTED = {"constants fitted to these": {"color": "0.75", "marker": "."}}
OUTLIER = 2.5


def share(value):
    return f"{100 * value:.1f} %"


def table(rows, names):
    figures = "rows | median of abs. deviation | median deviation | 90 % of abs. deviations | rank corr."
    lines = ["| " + " | ".join(names) + f" | {figures} |", "|" + "---|" * len(names) + "---:|---:|---:|---:|---:|"]
    for key, row in rows.iterrows():
        key = key if isinstance(key, tuple) else (key,)
        lines.append("| " + " | ".join(key) + f" | {row.rows:.0f} | {share(row['median'])} | {100 * row.bias:+.1f} % | "
                     f"{share(row.p90)} | {row['rank']:.3f} |")
    return "\n".join(lines)


def tables(times):
    held = times[~times.calibration]
    groupings = [["kind"], ["kind", "card"], ["kind", "card", "precision", "pass"]]
    return "\n\n".join(table(accuracy(held, names), names) for names in groupings)


def outliers(times):
    """Rows that are off by more than a factor, the worst first."""
    held = times[~times.calibration].copy()
    held["ratio"] = held.model / held.measured
    held = held[(held.ratio > OUTLIER) | (held.ratio < 1 / OUTLIER)]
    held["factor"] = held.ratio.where(held.ratio > 1, 1 / held.ratio)
    return held.sort_values("factor", ascending=False)


def scatter(axes, rows, groups, title):
    """Measured and modeled times of the rows that were fitted to, and of each group of the others."""
    chosen = {"constants fitted to these": rows.calibration,
              **{name: group & ~rows.calibration for name, group in groups.items()}}
    plot.agreement(axes, {name: (rows.measured[of], rows.model[of]) for name, of in chosen.items() if of.any()},
                   within=0.25, styles=FITTED, markersize=2.5, markeredgewidth=0)
    axes.set(xlabel="measured time (ms)", ylabel="modeled time (ms)", title=title)
    axes.legend(markerscale=2)


def kernels(kind, results):
    times = load(results.path)
    rows = times[times.kind == kind]
    figure, axes = plt.subplots(figsize=(plot.COLUMN, 3.5))
    scatter(axes, rows, {card: rows.card == card for card in CARDS}, KINDS[kind])
    return figure, rows


if __name__ == "__main__":
    if "--tables" in sys.argv:
        print(tables(load(next(word for word in sys.argv[1:] if word != "--tables"))))
        sys.exit()
    plot.main(__doc__, {**{f"kernel-{kind}": functools.partial(kernels, kind) for kind in KINDS},
                        "kernel-outliers": lambda results: (None, outliers(load(results.path)))})
