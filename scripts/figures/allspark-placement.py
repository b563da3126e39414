#!/usr/bin/env python3
"""Draws exchanges between branches by formula and on the routers, of experiments/allspark-placement.toml."""

import matplotlib.pyplot as plt
import numpy as np

from pimsweep import plot

COLORS = {"swin-b": "#2a6f4e", "focal-b": "#7fa8d1", "twins-svt-b": "#e0a458"}
ROUTES = {"corner": "by the corners", "direct": "from node to node"}
MARKERS = {"greedy": "o", "random": "x"}


def fidelity(results):
    rows = results.detail("fidelity", "interactions")
    keys = ["model", "image_px", "placement", "interaction_route", "stage"]
    cycles = rows.pivot_table(index=keys, columns="fidelity", values="cycles", sort=False).reset_index()
    figure, axes = plt.subplots(1, 2, figsize=(plot.PAGE, 3.6), sharex=True, sharey=True)
    ends = [0.8 * cycles[["analytic", "cycle"]].min().min(), 1.25 * cycles[["analytic", "cycle"]].max().max()]
    for axis, (route, title) in zip(axes, ROUTES.items()):
        part = cycles[cycles["interaction_route"] == route]
        for (model, placement), points in part.groupby(["model", "placement"], sort=False):
            axis.plot(points["cycle"], points["analytic"], MARKERS[placement], color=COLORS[model], markersize=4,
                      fillstyle="none")
        axis.plot(ends, ends, "k-", linewidth=0.8)
        error = part["analytic"] / part["cycle"] - 1
        axis.set(title=f"{title}:\nmedian {100 * error.median():+.0f} %, rank correlation "
                       f"{part[['analytic', 'cycle']].corr(method='spearman').iloc[0, 1]:.3f}",
                 xlabel="cycles on the routers", xscale="log", yscale="log")
    axes[0].set_ylabel("cycles by formula")
    plot.legend(figure, 5, *(plt.Line2D([], [], color=color, marker="o", linestyle="", fillstyle="none", label=model)
                               for model, color in COLORS.items()),
                  *(plt.Line2D([], [], color="k", marker=marker, linestyle="", fillstyle="none", label=name)
                    for name, marker in MARKERS.items()))
    return figure, cycles


if __name__ == "__main__":
    plot.main(__doc__, {"fidelity": fidelity})
