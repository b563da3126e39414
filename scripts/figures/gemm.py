#!/usr/bin/env python3
"""Draws PE arrays from experiments/gemm.toml's results: dataflows and shapes, Timeloop's mappings, objectives."""

import matplotlib.pyplot as plt
import numpy as np

from pimsweep import plot

DATAFLOWS = {"mapped": ("best mapping", "#2a6f4e"), "os": ("output stationary", "#d9b26f"),
             "ws": ("weight stationary", "#c57b57"), "is": ("input stationary", "#7f9cc0")}
MARKERS = {8: "v", 16: "<", 32: "s", 64: ">", 128: "^"}
MAPSPACES = {"uber": ("exact factors", "#c57b57", "o"), "ruby no remainders": ("Ruby, exact factors", "#d9b26f", "s"),
             "ruby remainders 8": ("Ruby, ragged", "#7f9cc0", "^")}
OBJECTIVES = {"delay then energy": ("#c57b57", "o-"), "energy then delay": ("#2a6f4e", "s-"),
              "energy-delay product": ("#7f9cc0", "^-")}


def shapes(points, output):
    """Utilization and energy of every product, dataflow and array shape."""
    products = plot.ordered(zip(points["M"], points["N"], points["K"]))
    figure, axes = plt.subplots(2, 4, figsize=(plot.PAGE, 4.2), sharex=True)
    for axis, (m, n, k) in zip(axes.flat, products):
        rows = points[(points["M"] == m) & (points["N"] == n) & (points["K"] == k)]
        for dataflow, (_, color) in DATAFLOWS.items():
            of_flow = rows[rows["dataflow"] == dataflow]
            axis.plot(of_flow["utilization_pct"], of_flow["fJ_per_MAC_total"] / 1e3, "-", color=color, linewidth=0.5)
            for size, marker in MARKERS.items():
                one = of_flow[of_flow["array_rows"] == size]
                axis.plot(one["utilization_pct"], one["fJ_per_MAC_total"] / 1e3, marker, color=color, markersize=4)
        axis.set(title=f"{m} x {n} x {k}", xlim=(-3, 103))
    for axis in axes[-1]:
        axis.set_xlabel("utilization [%]")
    for axis in axes[:, 0]:
        axis.set_ylabel("pJ / MAC")
    plot.legend(figure, 5, *(plt.Line2D([], [], marker="o", linestyle="", color=color, label=label)
                               for label, color in DATAFLOWS.values()),
                  *(plt.Line2D([], [], marker=marker, linestyle="", color="k", label=f"{rows} x {1024 // rows}")
                    for rows, marker in MARKERS.items()))
    columns = ["M", "N", "K", "dataflow", "array_rows", "array_cols", "cycles", "utilization_pct", "fJ_per_MAC_total"]
    return figure, points[columns]  # NAME shapes


def timeloop(points, output):
    """The best mappings beside Timeloop's."""
    table = points[["label_case_id", "label_mapspace", "M", "N", "K", "cycles", "reference_cycles", "fJ_per_MAC_total",
                    "reference_fJ_per_MAC_total"]].copy()
    figure, axes = plt.subplots(1, 2, figsize=(plot.PAGE, 3.2))
    for mapspace, (label, color, marker) in MAPSPACES.items():
        rows = table[table["label_mapspace"] == mapspace]
        axes[0].loglog(rows["reference_cycles"], rows["cycles"], marker, color=color, markersize=3, label=label)
        axes[1].plot(rows["reference_fJ_per_MAC_total"] / 1e3, rows["fJ_per_MAC_total"] / 1e3, marker, color=color,
                     markersize=3, label=label)
    for axis, what in zip(axes, ["cycles", "pJ / MAC"]):
        ends = axis.get_xlim()
        axis.plot(ends, ends, "k-", linewidth=0.6)
        axis.set(xlabel=f"{what}, Timeloop's mapping", ylabel=f"{what}, best mapping", xlim=ends)
        axis.legend()
    return figure, table  # NAME timeloop


def objectives(points, output):
    """What each objective makes of a larger buffer."""
    rows = points[(points["array_rows"] == 8) & (points["dram_words_per_cycle"] == 1)]
    products = plot.ordered(zip(rows["M"], rows["N"], rows["K"]))
    figure, axes = plt.subplots(2, len(products), figsize=(plot.PAGE, 4), sharex=True)
    for column, (m, n, k) in zip(axes.T, products):
        of_product = rows[(rows["M"] == m) & (rows["N"] == n) & (rows["K"] == k)]
        for objective, (color, style) in OBJECTIVES.items():
            line = of_product[of_product["metrics"] == objective].sort_values("hardware.sram.buffer")
            column[0].plot(line["hardware.sram.buffer"] / 1024, line["cycles"] / 1e3, style, color=color, markersize=3,
                           label=objective)
            column[1].plot(line["hardware.sram.buffer"] / 1024, line["fJ_per_MAC_total"] / 1e3, style, color=color,
                           markersize=3)
        column[0].set_title(f"{m} x {n} x {k}")
        column[1].set(xlabel="buffer [KiB]", xscale="log")
        column[1].set_xticks(ticks := np.unique(of_product["hardware.sram.buffer"] / 1024), [f"{t:g}" for t in ticks])
        column[1].minorticks_off()
    axes[0, 0].set_ylabel("thousand cycles")
    axes[1, 0].set_ylabel("pJ / MAC")
    plot.legend(figure, 3, axes[0, 0])
    columns = ["M", "N", "K", "metrics", "hardware.sram.buffer", "cycles", "fJ_per_MAC_total", "mapping"]
    return figure, rows[columns]  # NAME objectives


def main():
    results, output = plot.arguments(__doc__)
    shapes(results.frame("shapes"), output)
    timeloop(results.frame("timeloop"), output)
    objectives(results.frame("objectives"), output)


if __name__ == "__main__":
    main()
