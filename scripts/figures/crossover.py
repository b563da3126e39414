#!/usr/bin/env python3
"""Draws which machine and scheduler wins where, from the results of experiments/crossover.toml."""

import pathlib
import sys

import numpy as np
import pandas as pd
from matplotlib.patches import Patch, Rectangle

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from contestants import FACTORS, MODELS, SYSTEMS, best, contestants, winners
from pimsweep import plot

COLORS = dict(zip(SYSTEMS, ("#2a6f4e", "#9cc9b0", "#e0a458", "#7fa8d1", "#9a3b26", "#5d6778")))
MARKERS = dict(zip(SYSTEMS, "oDs^vP"))
METRICS = {"time": "time of an image", "energy": "energy of an image"}
BATCHES = [1, 8, 64]
# Contestants of the map: the published Allspark computes in 8 bits and would win everywhere.
EIGHT_BITS = "allspark"


def rates(results):
    """Images in a second over the batch: each system's best policy, from half to twice the bandwidth."""
    chosen = best(contestants(results), "time")
    figure, axes = plot.panels(1, 3, 2.8, "Each machine under its best policy", MODELS.values(), sharex=True,
                               sharey=True)
    for axis, model in zip(axes, MODELS):
        for system in SYSTEMS:
            table = 1 / plot.wide(chosen, "batch", "bandwidth", "time", model=model, system=system).sort_index()
            plot.bands(axis, table.index, table[0.5], table[2], table[1], color=COLORS[system], marker=MARKERS[system],
                       label=SYSTEMS[system])
        plot.log_axis(axis.xaxis, BATCHES)
        axis.set_xlabel("batch")
    plot.log_axis(axes[0].yaxis, [3, 10, 30, 100, 300, 1000, 3000])
    axes[0].set_ylabel("images (sentences) in a second")
    plot.legend(figure, 7, axes[0], Patch(color="0.8", label="1/2 to 2 times the bandwidth"), columnspacing=0.8)
    return figure, chosen


def map_of_winners(results):
    """A cell for each batch and bandwidth: who wins, with which policy, by what factor."""
    rows = contestants(results)
    figure, axes = plot.panels(2, 3, 4.6, titles=[f"{model.split(' (')[0]}: {title}" for title in METRICS.values()
                                                 for model in MODELS.values()])
    tables, seen = [], {}
    for line, metric in zip(axes, METRICS):
        table = winners(rows[rows.system != EIGHT_BITS], metric)
        tables.append(table.assign(metric=metric))
        for axis, model in zip(line, MODELS):
            for row in table[table.model == model].itertuples():
                x, y = BATCHES.index(row.batch), FACTORS.index(row.bandwidth)
                # PIMFlow's machine when it leaves everything to the GPU has no part in PIM.
                name, color = (("GPU without PIM", "#8a8f98") if row.policy == "gpu" else
                               (SYSTEMS[row.winner], COLORS[row.winner]))
                seen[name] = Patch(facecolor=color, alpha=0.55, label=name)
                axis.add_patch(Rectangle((x, y), 1, 1, facecolor=color, alpha=0.55, edgecolor="white"))
                policy = "" if row.policy == "gpu" else f"{row.policy}\n"
                axis.text(x + 0.5, y + 0.5, f"{name.replace(' ', chr(10), 1)}\n{policy}{row.lead:.3g} times",
                          ha="center", va="center", fontsize=plot.TINY)
            axis.set(xlim=(0, 3), ylim=(0, 3), xlabel="batch")
            axis.set_xticks(np.arange(3) + 0.5, BATCHES)
            axis.set_yticks(np.arange(3) + 0.5, ["1/2", "1", "2"])
            axis.grid(False)
            axis.tick_params(length=0)
        line[0].set_ylabel("bandwidth, as built = 1")
    figure.suptitle("The best machine of 32 bits, its policy, and how many times as good as the second it is")
    plot.legend(figure, 5, *seen.values())
    return figure, pd.concat(tables)


if __name__ == "__main__":
    plot.main(__doc__, {"rates": rates, "winners": map_of_winners}, "crossover")
