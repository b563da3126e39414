#!/usr/bin/env python3
"""Draws the coarse fidelity of every system over the fine one, from experiments/fidelity.toml's results."""

import matplotlib.pyplot as plt
import pandas as pd

from pimsweep import plot

# Study: its title, its headline metric, its label, the finer and the coarser fidelity, and the axes drawn, the one that
# tells groups of points apart first.
STUDIES = {
    "noc": ("routers", "avg_packet_latency", "packet latency (cycles)", "cycle", "analytic",
            ["traffic", "topology", "k", "packet_size", "num_vcs", "vc_buf_size", "injection_rate"]),
    "dram": ("DRAM channels", "cycles", "time (clocks)", "cycle", "analytic",
             ["read_fraction", "hardware", "pattern", "read_queue"]),
    "hypar": ("HyPar, exchanges as events", "time", "time of a step (s)", "event", "analytic",
              ["policy", "model", "topology", "levels", "batch"]),
    "hypar-routers": ("HyPar, exchanges on routers", "time", "time of a step (s)", "cycle", "event",
                      ["topology", "policy", "model", "levels", "batch"]),
    "allspark": ("Allspark", "time", "time of an image (s)", "cycle", "analytic",
                 ["policy", "model", "image_px", "batch", "hardware.node_array.rows",
                  "hardware.node_array.cols", "hardware.dram.bank_capacity"]),
    "newton": ("Newton", "pim_cycles", "time on PIM (clocks)", "cycle", "closed-form",
               ["controller", "H", "W", "Cin", "Cout", "channels", "n_gwrite"]),
}
NAMES = {"read_fraction": "share of reads"}


def pairs(points, metric, finer, coarser, axes):
    """Both fidelities' values of the points that agree in all axes."""
    fine, coarse = (points[points["fidelity"] == level].set_index(axes)[metric] for level in (finer, coarser))
    return pd.DataFrame({"finer": fine, "coarser": coarse}).dropna().reset_index()


def fidelity(results):
    figure, panels = plt.subplots(2, len(STUDIES) // 2, figsize=(plot.PAGE, 5.2))
    drawn = []
    for panel, (study, (title, metric, label, finer, coarser, axes)) in zip(panels.flat, STUDIES.items()):
        table = pairs(results.frame(study), metric, finer, coarser, axes)
        plot.agreement(panel, {name: (rows["finer"], rows["coarser"]) for name, rows in table.groupby(axes[0])})
        panel.set(title=title, xlabel=f"{label},\nfidelity {finer}",
                  ylabel=f"fidelity {coarser}")
        panel.legend(fontsize=plot.TINY, title=NAMES.get(axes[0], axes[0]), title_fontsize=plot.TINY)
        drawn.append(table[["finer", "coarser"]].assign(study=study, metric=metric))
    figure.suptitle("Coarser over finer fidelities; the line is where both are equal")
    return figure, pd.concat(drawn)


if __name__ == "__main__":
    plot.main(__doc__, {"fidelity": fidelity})
