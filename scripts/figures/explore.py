#!/usr/bin/env python3
"""Draws the fronts and the sensitivities of the results of experiments/explore.toml, as `pimsweep` finds them."""

import pathlib
import subprocess
import tempfile

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from pimsweep import plot
from pimsweep.experiment import program
from pimsweep.plot import PALETTE

OBJECTIVES = ["time", "energy", "area"]
NAMES = {"hardware.pe_array.rows": "PE rows", "hardware.pe_array.cols": "PE columns", "hardware.clock": "clock",
         "hardware.node_array.rows": "node rows", "hardware.node_array.cols": "node columns",
         "hardware.dram.bank_capacity": "bank capacity", "hardware.dram.bank_bandwidth": "bank bandwidth",
         "hardware.noc.link_bandwidth": "link bandwidth"}


def ask(*question):
    """The table that a pimsweep command writes with --csv."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "table.csv"
        subprocess.run([program(), *map(str, question), "--csv", table], check=True, stdout=subprocess.DEVNULL)
        return pd.read_csv(table, dtype={"other": str}, keep_default_na=False)


def cloud(results, batch):
    """Time and energy of all points of a batch that have a result."""
    points = results["space"]
    taken = (points["status"].values == 0) & (points["batch"].values == batch)
    return [points[name].values[taken] for name in ("time", "energy")]


def fronts(results):
    objectives = [word for name in OBJECTIVES for word in ("--min", name)]
    front = ask("pareto", results.path, "--study", "space", *objectives, "--group-by", "batch")
    batches = plot.ordered(front["batch"])
    figure, panels = plt.subplots(1, len(batches), figsize=(plot.PAGE, 2.4), squeeze=False)
    norm = plt.matplotlib.colors.LogNorm(1e6 * front["area"].min(), 1e6 * front["area"].max())
    for axes, batch in zip(panels[0], batches):
        time, energy = cloud(results, batch)
        axes.hexbin(1e3 * time, 1e3 * energy, xscale="log", yscale="log", gridsize=45, bins="log", cmap="Greys",
                    linewidths=0, rasterized=True)
        own = front[front["batch"] == batch].sort_values("area", ascending=False)
        dots = axes.scatter(1e3 * own["time"], 1e3 * own["energy"], c=1e6 * own["area"], s=9, cmap="viridis",
                            norm=norm, linewidths=0)
        axes.set_title(f"batch {batch}\n{len(own)} of {len(time)}")
        axes.set_xlabel("time (ms)")
        plot.log_axis(axes.xaxis)
        plot.log_axis(axes.yaxis)
    panels[0][0].set_ylabel("energy (mJ)")
    figure.colorbar(dots, ax=panels[0], label="area of all dies (mm$^2$)")
    figure.suptitle("Fronts of time, energy and area: points on them, of all that have a result")
    return figure, front


def sensitivities(results):
    study = "sample" if "sample" in results else "space"
    metrics = ["time_per_sample", "energy", "area", "cost"]
    shares = pd.concat([ask("sensitivity", results.path, "--study", study, "--metric", metric).assign(metric=metric)
                        for metric in metrics])
    axes_names = plot.ordered(shares.loc[shares["index"] == "first order", "axis"])
    figure, panels = plt.subplots(1, len(metrics), figsize=(plot.PAGE, 0.3 * len(axes_names) + 1.1), sharey=True)
    places = np.arange(len(axes_names))
    for axes, metric in zip(panels, metrics):
        for index, shift, color in (("first order", -0.2, PALETTE[3]), ("total", 0.2, PALETTE[2])):
            own = shares[(shares["metric"] == metric) & (shares["index"] == index)].set_index("axis")
            if own.empty:
                continue
            own = own.reindex(axes_names).astype({"share": float, "low": float, "high": float})
            error = 100 * np.array([own["share"] - own["low"], own["high"] - own["share"]])
            axes.barh(places + shift, 100 * own["share"], 0.38, xerr=error, color=color, label=index,
                      error_kw={"elinewidth": 0.8})
        axes.set_title(metric.replace("_", " "))
        axes.set_xlabel("share of variance (%)")
        axes.grid(axis="y", visible=False)
    panels[0].set_yticks(places, [NAMES.get(name, name) for name in axes_names])
    panels[0].invert_yaxis()
    # Bars of the energy leave most of its panel empty.
    panels[metrics.index("energy")].legend(loc="upper right")
    return figure, shares


if __name__ == "__main__":
    plot.main(__doc__, {"fronts": fronts, "sensitivities": sensitivities})
