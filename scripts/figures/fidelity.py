#!/usr/bin/env python3
"""Draws the coarse fidelity of every system over the fine one, from experiments/fidelity.toml's results."""

import matplotlib.pyplot as plt
import pandas

from pimsweep import plot

# Study: its headline metric, its unit, the finer and the coarser fidelity, and the axes drawn, the one that tells
# groups of points apart first.
STUDIES = {
    "noc": ("avg_packet_latency", "cycles", "cycle", "analytic",
            ["traffic", "topology", "k", "packet_size", "num_vcs", "vc_buf_size", "injection_rate"]),
    "dram": ("cycles", "clocks", "cycle", "analytic", ["read_fraction", "hardware", "pattern", "read_queue"]),
    "hypar": ("time", "s", "event", "analytic", ["policy", "model", "topology", "levels", "batch"]),
    "hypar-routers": ("time", "s", "cycle", "event", ["topology", "policy", "model", "levels", "batch"]),
    "allspark": ("time", "s", "cycle", "analytic",
                 ["policy", "model", "image_px", "batch", "hardware.node_array.rows",
                  "hardware.node_array.cols", "hardware.dram.bank_capacity"]),
    "newton": ("pim_cycles", "clocks", "cycle", "closed-form",
               ["controller", "H", "W", "Cin", "Cout", "channels", "n_gwrite"]),
}
COLORS = ["#2a6f4e", "#d9b26f", "#7f9cc0", "#c57b57", "#333333"]
MARKERS = "os^vD"


def pairs(points, metric, finer, coarser, axes):
    """Both fidelities' values of the points that agree in all axes."""
    fine, coarse = (points[points["fidelity"] == level].set_index(axes)[metric] for level in (finer, coarser))
    return pandas.DataFrame({"finer": fine, "coarser": coarse}).dropna().reset_index()


def main():
    results, output = plot.arguments(__doc__)
    figure, panels = plt.subplots(2, len(STUDIES) // 2, figsize=(plot.PAGE, 4.8))
    drawn = []
    for panel, (study, (metric, unit, finer, coarser, axes)) in zip(panels.flat, STUDIES.items()):
        table = pairs(results.frame(study), metric, finer, coarser, axes)
        for color, marker, (name, rows) in zip(COLORS, MARKERS, table.groupby(axes[0])):
            panel.plot(rows["finer"], rows["coarser"], marker, color=color, markersize=3, label=name)
        ends = table[["finer", "coarser"]].stack().agg(["min", "max"]).to_numpy() * [0.8, 1.25]
        scale = "log" if ends[1] > 10 * ends[0] else "linear"
        panel.plot(ends, ends, "k-", linewidth=0.6)
        panel.set(title=study, xlabel=f"{metric} by {finer} [{unit}]", ylabel=f"by {coarser} [{unit}]",
                  xlim=ends, ylim=ends, xscale=scale, yscale=scale)
        panel.legend(fontsize=plot.TINY, title=axes[0], title_fontsize=plot.TINY)
        drawn.append(table[["finer", "coarser"]].assign(study=study, metric=metric))
    return figure, pandas.concat(drawn)  # NAME fidelity


if __name__ == "__main__":
    main()
