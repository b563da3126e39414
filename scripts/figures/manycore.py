"""Modeled beside measured times of a many-core, time over threads, from experiments/manycore.toml's results."""

import pandas as pd

import accuracy_tables as tables
from accuracy_tables import PASSES, TABLE_2
from kernel import KINDS, SCATTER, measured_and_modeled
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
    parts = plot.split(times, "kind", {kind: KINDS[kind] for kind in ("gemm", "conv")})
    return plot.compare({title: measured_and_modeled(rows, {"held out": ~rows.calibration})
                         for title, rows in parts.items()}, height=3.4, data=times, **SCATTER)


STYLES = plot.markers(list(PASSES))


def _over_threads(axis, rows):
    times = 1e3 * plot.wide(rows, "threads", "pass", "time")
    plot.lines(axis, times, STYLES, PASSES, marker="")
    for one, style in STYLES.items():
        best = plot.select(rows, {"pass": one})["best_threads"].iloc[0]
        axis.plot(best, times[one].min(), **style)
        published = TABLE_2[rows["size"].iloc[0]][one]
        axis.plot(published[0], published[2], **{**plot.PUBLISHED, "markeredgecolor": style["color"],
                                                 "markeredgewidth": 1.2})


def threads(results):
    rows = tables.threads(results)
    return plot.compare(plot.split(rows, "size", {size: "(32," + size.replace("-", ",") + ")" for size in TABLE_2}),
                        "time (ms)", draw=_over_threads, height=2.8, xlabel="threads", log_y=[3, 10, 30, 100, 300],
                        columns=3, entries=[plot.entry("best of an operation", marker="o"),
                                            "published best, in the color of its operation"], data=rows)


def outliers(results):
    return None, tables.outliers(load(results.path, PROCESSORS))
