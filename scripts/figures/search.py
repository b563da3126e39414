"""What searches have found and how fast, from the results of experiments/search.toml."""

import numpy as np
import pandas as pd

from pimsweep import plot
from pimsweep.plot import PALETTE


def front(results):
    """All points of the search by time and energy, colored by generation, and the front of the feasible ones."""
    points = plot.select(results.frame("space"), status=0)
    found = points[points["front"] == 1].sort_values("time")
    figure, axes = plot.panels(1, 1, 3.6, xlabel="time (ms)", ylabel="energy (mJ)")
    dots = axes.scatter(1e3 * points["time"], 1e3 * points["energy"], c=points["generation"], cmap="viridis_r", s=3,
                        linewidths=0, rasterized=True)
    axes.step(1e3 * found["time"], 1e3 * found["energy"], where="post", color=PALETTE[1], marker="o", markersize=3,
              label=f"front: {len(found)} of {len(points)} points with a result")
    plot.set_axes(axes, log_x=True, log_y=True)
    figure.colorbar(dots, ax=axes, label="generation")
    plot.legend(figure, 1, axes)
    return figure, found


def hypervolume(results):
    """What the front of each search dominates, by the points chosen so far."""
    studies = [study for study in results if "generations" in results.tables(study)]
    curves = pd.concat([results.detail(study, "generations").assign(study=study) for study in studies])
    figure, axes = plot.panels(1, 1, 2.6, xlabel="points chosen", ylabel="not dominated yet\n(share of the last front)")
    for color, (study, curve) in zip(PALETTE, curves.groupby("study", sort=False)):
        last = curve["hypervolume"].iloc[-1]
        axes.plot(curve["points"], np.maximum(1 - curve["hypervolume"] / last, 1e-6), color=color, label=study)
    plot.set_axes(axes, log_x=True, log_y=True)
    plot.legend(figure, 2, axes)
    return figure, curves
