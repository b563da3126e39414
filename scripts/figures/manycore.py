"""Modeled beside measured times of a many-core, time over threads, from experiments/manycore.toml's results."""

import pandas as pd

import accuracy_tables as tables
from accuracy_tables import PASSES, TABLE_2
from kernel import KINDS, scatter
from measured_times import PROCESSORS, load
from pimsweep import plot


def shape(results):
    """The share of the numbers of threads at which the time over threads does not bend upward."""
    rows = []
    for (size, one), group in tables.threads(results).groupby(["size", "pass"], sort=False):
        times = group.sort_values("threads").time.to_numpy()
        second = times[2:] - 2 * times[1:-1] + times[:-2]
        rows.append({"size": size, "pass": one, "concave_share": (second < -1e-9 * times[1:-1]).mean()})
    return None, pd.DataFrame(rows)


def measured(results):
    times = load(results.path, PROCESSORS)
    kinds = ("gemm", "conv")
    figure, both = plot.panels(1, 2, 3.4, titles=map(KINDS.get, kinds))
    for axes, kind in zip(both, kinds):
        rows = times[times.kind == kind]
        scatter(axes, rows, {"held out": ~rows.calibration})
    return figure, times


def threads(results):
    rows = tables.threads(results)
    figure, panels = plot.panels(1, 3, 2.8, titles=["(32," + size.replace("-", ",") + ")" for size in TABLE_2],
                                 sharey=True, xlabel="threads", ylabel="time (ms)", log_y=[3, 10, 30, 100, 300])
    styles = plot.markers(list(PASSES))
    for axes, (size, published) in zip(panels, TABLE_2.items()):
        times = 1e3 * plot.wide(rows, "threads", "pass", "time", size=size)
        plot.lines(axes, times, styles, PASSES, marker="")
        for one, style in styles.items():
            best = plot.select(rows, {"size": size, "pass": one})["best_threads"].iloc[0]
            axes.plot(best, times[one].min(), **style)
            axes.plot(published[one][0], published[one][2], **{**plot.PUBLISHED, "markeredgecolor": style["color"],
                                                               "markeredgewidth": 1.2})
    plot.legend(figure, 3, panels[0], plot.entry("best (marks: operation)", marker="o"),
                "published best, in the color of its operation")
    return figure, rows


def outliers(results):
    return None, tables.outliers(load(results.path, PROCESSORS))
