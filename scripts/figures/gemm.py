#!/usr/bin/env python3
"""Draws PE arrays from experiments/gemm.toml's results: dataflows and shapes, Timeloop's mappings, objectives."""

import matplotlib.pyplot as plt
import numpy as np

from pimsweep import plot

DATAFLOWS = {"mapped": ("best mapping", "#2a6f4e"), "os": ("output stationary", "#d9b26f"),
             "ws": ("weight stationary", "#c57b57"), "is": ("input stationary", "#7f9cc0")}
MARKERS = {8: "v", 16: "<", 32: "s", 64: ">", 128: "^"}
MAPSPACES = {"uber": "exact factors", "ruby no remainders": "Ruby, exact factors", "ruby remainders 8": "Ruby, ragged"}
OBJECTIVES = ("delay then energy", "energy then delay", "energy-delay product")
ENERGY = "energy of a multiply-\naccumulate (pJ)"


def by_product(points):
    """(title, points) of each matrix product."""
    return [(f"{m} \N{MULTIPLICATION SIGN} {n} \N{MULTIPLICATION SIGN} {k}", rows)
            for (m, n, k), rows in points.groupby(["M", "N", "K"], sort=False)]


def shapes(results):
    """Utilization and energy of every product, dataflow and array shape."""
    points = results.frame("shapes")
    figure, axes = plt.subplots(2, 4, figsize=(plot.PAGE, 4.2), sharex=True)
    for axis, (title, rows) in zip(axes.flat, by_product(points)):
        for dataflow, (_, color) in DATAFLOWS.items():
            of_flow = rows[rows["dataflow"] == dataflow]
            axis.plot(of_flow["utilization_pct"], of_flow["fJ_per_MAC_total"] / 1e3, "-", color=color, linewidth=0.5)
            for size, marker in MARKERS.items():
                one = of_flow[of_flow["array_rows"] == size]
                axis.plot(one["utilization_pct"], one["fJ_per_MAC_total"] / 1e3, marker, color=color, markersize=4)
        axis.set(title=title, xlim=(-3, 103))
    for axis in axes[-1]:
        axis.set_xlabel("utilization (%)")
    for axis in axes[:, 0]:
        axis.set_ylabel(ENERGY)
    plot.legend(figure, 5, *(plt.Line2D([], [], marker="o", linestyle="", color=color, label=label)
                             for label, color in DATAFLOWS.values()),
                *(plt.Line2D([], [], marker=marker, linestyle="", color="k",
                             label=f"{rows} \N{MULTIPLICATION SIGN} {1024 // rows} PEs")
                  for rows, marker in MARKERS.items()))
    return figure, points[["M", "N", "K", "dataflow", "array_rows", "array_cols", "cycles", "utilization_pct",
                           "fJ_per_MAC_total"]]


def timeloop(results):
    """The best mappings beside Timeloop's."""
    table = results.frame("timeloop")
    table = table[["label_case_id", "label_mapspace", "M", "N", "K", "cycles", "reference_cycles", "fJ_per_MAC_total",
                   "reference_fJ_per_MAC_total"]]
    groups = {label: table[table["label_mapspace"] == mapspace] for mapspace, label in MAPSPACES.items()}
    figure, axes = plt.subplots(1, 2, figsize=(plot.PAGE, 3.4))
    for axis, metric, what, unit, scale in zip(axes, ("cycles", "fJ_per_MAC_total"),
                                               ("time", "energy"), ("cycles", "pJ per multiply-accumulate"), (1, 1e3)):
        plot.agreement(axis, {label: (rows[f"reference_{metric}"] / scale, rows[metric] / scale)
                              for label, rows in groups.items()}, log=metric == "cycles")
        axis.set(xlabel=f"{what} by Timeloop's mapping ({unit})", ylabel=f"{what} by the best mapping ({unit})")
        axis.legend()
    return figure, table


def objectives(results):
    """What each objective makes of a larger buffer."""
    points = results.frame("objectives")
    points = points[(points["array_rows"] == 8) & (points["dram_words_per_cycle"] == 1)]
    products = by_product(points)
    figure, axes = plt.subplots(2, len(products), figsize=(plot.PAGE, 4), sharex=True)
    for (top, below), (title, rows) in zip(axes.T, products):
        for objective, style in plot.markers(OBJECTIVES).items():
            line = rows[rows["metrics"] == objective].sort_values("hardware.sram.buffer")
            for axis, metric in ((top, "cycles"), (below, "fJ_per_MAC_total")):
                axis.plot(line["hardware.sram.buffer"] / 1024, line[metric] / 1e3, **style, label=objective)
        top.set_title(title)
        below.set_xlabel("buffer (KiB)")
        plot.log_axis(below.xaxis, np.unique(rows["hardware.sram.buffer"] / 1024))
    axes[0, 0].set_ylabel("time (thousand cycles)")
    axes[1, 0].set_ylabel(ENERGY)
    plot.legend(figure, 3, axes[0, 0])
    return figure, points[["M", "N", "K", "metrics", "hardware.sram.buffer", "cycles", "fJ_per_MAC_total", "mapping"]]


if __name__ == "__main__":
    plot.main(__doc__, {"shapes": shapes, "timeloop": timeloop, "objectives": objectives})
