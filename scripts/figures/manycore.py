#!/usr/bin/env python3
"""Many-core model: scatter against measured times, time over threads, tables of docs/manycore.md.

Usage: manycore.py results/manycore.h5 [--output DIR] [--tables]. --tables prints the tables, no more. Rows that the
constants were fitted to are left out of tables and drawn gray.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from pimsweep import plot
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from kernel import OUTLIER, outliers, table
from measured_times import PROCESSORS, accuracy, load

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


def is_convex(frame):
    """Share of inner points at which the time over threads does not bend upwards."""
    times = frame.sort_values("threads").time.to_numpy()
    second = times[2:] - 2 * times[1:-1] + times[:-2]
    return np.mean(second < -1e-9 * times[1:-1])


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
    times = load(results, PROCESSORS)
    held = times[~times.calibration]
    groupings = [["kind"], ["kind", "pass"]]
    return "\n\n".join([*(table(accuracy(held, names), names) for names in groupings), table_2(results),
                        table_3(results)])


def scatter(times):
    figure, both = plt.subplots(1, 2, figsize=(plot.PAGE, 3.4))
    for axes, (kind, title) in zip(both, KINDS.items()):
        rows = times[times.kind == kind]
        for fitted, color, label in ((True, plot.PALETTE[5], "fitted to"), (False, plot.PALETTE[3], "held out")):
            some = rows[rows.calibration == fitted]
            axes.loglog(some.measured, some.model, ".", color=color, markersize=4, label=label)
        low, high = rows[["measured", "model"]].min().min() / 1.5, rows[["measured", "model"]].max().max() * 1.5
        for factor, style in ((1, "-"), (1.25, ":"), (0.8, ":")):
            axes.plot([low, high], [low * factor, high * factor], color="black", linewidth=0.6, linestyle=style,
                      label="25 % off" if factor == 1.25 else None)
        axes.set(xlim=(low, high), ylim=(low, high), xlabel="measured [ms]", ylabel="model [ms]", title=title)
        axes.set_aspect("equal")
        axes.legend()
    return figure


def over_threads(rows):
    figure, panels = plt.subplots(1, 3, figsize=(plot.PAGE, 2.8))
    for axes, (size, published) in zip(panels, TABLE_2.items()):
        for index, (one, name) in enumerate(PASSES.items()):
            mine = rows[(rows["size"] == size) & (rows["pass"] == one)].sort_values("threads")
            line, = axes.plot(mine.threads, mine.time * 1e3, label=name, linewidth=1,
                              linestyle=("-", "--", "-.")[index])
            axes.plot(mine.best_threads.iloc[0], mine.time.min() * 1e3, "os^"[index], color=line.get_color(),
                      markersize=4)
            axes.axvline(published[one][0] + 0.25 * (index - 1), color=line.get_color(), linewidth=0.8, linestyle=":")
        axes.set(title="(32," + size.replace("-", ",") + ")", xlabel="threads", ylabel="time [ms]", yscale="log")
        plot.log_axis(axes.yaxis)
    plot.legend(figure, 5, panels[0], plt.Line2D([], [], color="black", marker="o", linestyle="", label="best"),
                  plt.Line2D([], [], color="black", linestyle=":", linewidth=0.8, label="published best"))
    return figure


def main():
    only_tables = "--tables" in sys.argv
    if only_tables:
        sys.argv.remove("--tables")
        print(tables(sys.argv[1]))
        return
    results, output = plot.arguments(__doc__)
    times = load(results, PROCESSORS)
    plot.save(scatter(times), times, output, "manycore-measured")
    rows = threads(results)
    plot.save(over_threads(rows), rows, output, "manycore-threads")
    (output / "manycore-tables.md").write_text(tables(results) + "\n")
    outliers(times).to_csv(output / "manycore-outliers.csv", index=False, float_format="%.4g")
    print(f"{len(outliers(times))} of {(~times.calibration).sum()} rows are off by more than a factor of {OUTLIER}")
    for (size, one), group in rows.groupby(["size", "pass"], sort=False):
        print(f"{size} {one}: the time bends downwards at {100 * is_convex(group):.0f} % of the numbers of threads")


if __name__ == "__main__":
    main()
