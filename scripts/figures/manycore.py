#!/usr/bin/env python3
"""Many-core model: scatter against measured times, time over threads, tables of docs/manycore.md.

Usage: manycore.py results/manycore.h5 [--output DIR] [--tables]. --tables prints the tables, no more. Rows that the
constants were fitted to are left out of tables and drawn gray.
"""

import pathlib
import sys

import matplotlib.pyplot as plt
import pandas as pd

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from kernel import outliers, scatter, table
from measured_times import PROCESSORS, accuracy, load
from pimsweep import open as open_results
from pimsweep import plot

KINDS = {"gemm": "GEMMs", "conv": "convolutions"}
PASSES = {"backward_weights": "Conv2DBackpropFilter", "backward_inputs": "Conv2DBackpropInput", "forward": "Conv2D"}
# Table II of the concurrency-control paper: best number of threads, variance against 68 threads [%], time [ms].
TABLE_2 = {
    "8-8-384": {"backward_weights": (26, 17.3, 7.2), "backward_inputs": (36, 9.8, 5.8), "forward": (45, 11.1, 4.7)},
    "17-17-384": {"backward_weights": (42, 10.2, 11.1), "backward_inputs": (56, 2.3, 8.7), "forward": (63, 3.5, 7.4)},
    "8-8-2048": {"backward_weights": (68, 0.0, 20.3), "backward_inputs": (68, 0.0, 19.6), "forward": (66, 2.0, 14.8)},
}
# Table III: makespan [ms] and speedup.
TABLE_3 = {"serial": (41.1, 1.0), "hyper-threads": (39.9, 1.03), "partition": (29.8, 1.38)}


def threads(results):
    """Table II: one row for each operation, size and number of threads."""
    frames = []
    for size in TABLE_2:
        frame = results.frame(f"table-2-{size}")
        frame["size"] = size
        frames.append(frame[["size", "pass", "threads", "time", "best_threads", "gain_over_all_cores"]])
    return pd.concat(frames)


def shape(results):
    """The share of the numbers of threads at which the time over threads does not bend upward."""
    rows = []
    for (size, one), group in threads(results).groupby(["size", "pass"], sort=False):
        times = group.sort_values("threads").time.to_numpy()
        second = times[2:] - 2 * times[1:-1] + times[:-2]
        rows.append({"size": size, "pass": one, "concave_share": (second < -1e-9 * times[1:-1]).mean()})
    return None, pd.DataFrame(rows)


def table_2(results):
    rows = threads(results)
    lines = ["| operation | input | best threads | published | over 68 threads | published | time | published |",
             "|---|---|---:|---:|---:|---:|---:|---:|"]
    for size, published in TABLE_2.items():
        for one, (best, gain, time) in published.items():
            mine = rows[(rows["size"] == size) & (rows["pass"] == one)]
            shape = "(32," + size.replace("-", ",") + ")"
            lines.append(f"| {PASSES[one]} | {shape} | {mine.best_threads.iloc[0]:.0f} | {best} | "
                         f"{100 * mine.gain_over_all_cores.iloc[0]:.1f} % | {gain} % | "
                         f"{1e3 * mine.time.min():.1f} ms | {time} ms |")
    return "\n".join(lines)


def table_3(results):
    rows = results.frame("table-3").set_index("co_run")
    lines = ["| both gradients, (32,8,8,2048) | threads | makespan | published | speedup | published |",
             "|---|---:|---:|---:|---:|---:|"]
    for how, (makespan, speedup) in TABLE_3.items():
        row = rows.loc[how]
        lines.append(f"| {how} | {row.threads:.0f} | {1e3 * row.makespan:.1f} ms | {makespan} ms | {row.speedup:.2f} | "
                     f"{speedup} |")
    return "\n".join(lines)


def tables(results):
    held = load(results.path, PROCESSORS).query("not calibration")
    groupings = [["kind"], ["kind", "pass"]]
    return "\n\n".join([*(table(accuracy(held, names), names) for names in groupings), table_2(results),
                        table_3(results)])


def measured(results):
    times = load(results.path, PROCESSORS)
    figure, both = plt.subplots(1, 2, figsize=(plot.PAGE, 3.4))
    for axes, (kind, title) in zip(both, KINDS.items()):
        rows = times[times.kind == kind]
        scatter(axes, rows, {"held out": ~rows.calibration}, title)
    return figure, times


def over_threads(results):
    rows = threads(results)
    figure, panels = plt.subplots(1, 3, figsize=(plot.PAGE, 2.8), sharey=True)
    for axes, (size, published) in zip(panels, TABLE_2.items()):
        for (one, name), style in zip(PASSES.items(), plot.markers(range(3)).values()):
            mine = rows[(rows["size"] == size) & (rows["pass"] == one)].sort_values("threads")
            axes.plot(mine.threads, mine.time * 1e3, **{**style, "marker": ""}, label=name)
            axes.plot(mine.best_threads.iloc[0], mine.time.min() * 1e3, **style)
            axes.plot(published[one][0], published[one][2], **{**plot.PUBLISHED, "markeredgecolor": style["color"],
                                                               "markeredgewidth": 1.2})
        axes.set(title="(32," + size.replace("-", ",") + ")", xlabel="threads")
        plot.log_axis(axes.yaxis)
    panels[0].set_ylabel("time (ms)")
    figure.suptitle("Table II: time over threads; the best number of threads, ours and published")
    plot.legend(figure, 5, panels[0], plt.Line2D([], [], color="black", marker="o", linestyle="", label="best"),
                plot.published_mark("published best, in its operation's color"))
    return figure, rows


if __name__ == "__main__":
    if "--tables" in sys.argv:
        print(tables(open_results(next(word for word in sys.argv[1:] if word != "--tables"))))
        sys.exit()
    plot.main(__doc__, {"manycore-measured": measured, "manycore-threads": over_threads, "manycore-shape": shape,
                        "manycore-outliers": lambda results: (None, outliers(load(results.path, PROCESSORS)))})
