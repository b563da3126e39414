#!/usr/bin/env python3
"""Tables of docs/gpu.md and docs/manycore.md: the models' accuracy on measured times, without rows that were fitted to.

Usage: accuracy_tables.py kernel|manycore|gpu-serving RESULTS prints them.
"""

import pathlib
import sys
import tomllib

import numpy as np
import pandas as pd

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import pimsweep
from measured_times import PROCESSORS, ROOT, accuracy, load

PASSES = {"backward_weights": "Conv2DBackpropFilter", "backward_inputs": "Conv2DBackpropInput", "forward": "Conv2D"}
# Table II of the concurrency-control paper: best number of threads, variance against 68 threads [%], time [ms].
TABLE_2 = {
    "8-8-384": {"backward_weights": (26, 17.3, 7.2), "backward_inputs": (36, 9.8, 5.8), "forward": (45, 11.1, 4.7)},
    "17-17-384": {"backward_weights": (42, 10.2, 11.1), "backward_inputs": (56, 2.3, 8.7), "forward": (63, 3.5, 7.4)},
    "8-8-2048": {"backward_weights": (68, 0.0, 20.3), "backward_inputs": (68, 0.0, 19.6), "forward": (66, 2.0, 14.8)},
}
# Table III: makespan [ms] and speedup.
TABLE_3 = {"serial": (41.1, 1.0), "hyper-threads": (39.9, 1.03), "partition": (29.8, 1.38)}
OUTLIER = 2.5
# A hardware file with errors of the model, and the column of the measured rows that names their class.
ERRORS = {"kernel": ("gpu-v100", "kind", {"gemm": "gemm", "conv": "convolution", "rnn": "recurrent"}),
          "manycore": ("xeon-phi-7250", "pass", {"time": "gemm", "forward": "convolution", "backward_inputs": "convolution_inputs",
                                                 "backward_weights": "convolution_weights"})}


def share(value):
    return f"{100 * value:.1f} %"


def table(rows, names):
    figures = "rows | median of abs. deviation | median deviation | 90 % of abs. deviations | rank corr."
    lines = ["| " + " | ".join(names) + f" | {figures} |", "|" + "---|" * len(names) + "---:|---:|---:|---:|---:|"]
    for key, row in rows.iterrows():
        key = key if isinstance(key, tuple) else (key,)
        lines.append("| " + " | ".join(key) + f" | {row.rows:.0f} | {share(row['median'])} | {100 * row.bias:+.1f} % | "
                     f"{share(row.p90)} | {row['rank']:.3f} |")
    return "\n".join(lines)


def inside_bands(experiment, times):
    """The rows without those that were fitted to, with `error.CLASS` of the hardware file and whether they lie inside."""
    hardware, column, classes = ERRORS[experiment]
    with open(ROOT / "configs" / "hardware" / f"{hardware}.toml", "rb") as file:
        constants = tomllib.load(file)["error"]
    rows = times[~times.calibration]
    rows = rows.assign(**{"class": rows[column].map(classes)}, ratio=rows.measured / rows.model)
    ends = rows["class"].map(constants)
    rows["low"], rows["high"] = (ends.map(lambda entry, end=end: entry[end]) for end in ("low", "high"))
    rows["inside"] = rows.ratio.between(rows.low, rows.high)
    return rows


def error_table(rows):
    """A row for each class: quantiles of measured / model, and the shares inside the band of the hardware file."""
    cards = list(rows.card.unique()) if rows.card.nunique() > 1 else []
    names = ["class", "rows", "median", "low", "high", "inside", *cards]
    lines = ["| " + " | ".join(names) + " |", "|---|" + "---:|" * (len(names) - 1)]
    for name, own in rows.groupby("class", sort=False):
        by_card = [own.inside[own.card == card].mean() for card in cards]
        lines.append(f"| {name} | {len(own)} | {own.ratio.median():.3f} | {own.low.iloc[0]} | {own.high.iloc[0]} | " +
                     " | ".join("-" if np.isnan(one) else share(one) for one in [own.inside.mean(), *by_card]) + " |")
    return "\n".join(lines)


def variances(errors, groups):
    """Variance of what the errors of a group have in common, and of the rest (analysis of variance, random effects)."""
    means, sizes = errors.groupby(groups).transform("mean"), errors.groupby(groups).size()
    rest = ((errors - means)**2).sum() / (len(errors) - len(sizes))
    between = ((means - errors.mean())**2).sum() / (len(sizes) - 1)
    size = (len(errors) - (sizes**2).sum() / len(errors)) / (len(sizes) - 1)
    return max(0, (between - rest) / size), rest


def serving_table(results):
    """Standard deviations of errors of GEMMs in bf16, by GPU: in common to equal numbers of tokens, and the rest."""
    rows = results.frame("gemm").query("precision == 'bfloat16' and n >= 512 and k >= 512")
    # A few rows are further off; they say little about the others.
    rows = rows.assign(error=np.log(rows.reference_time / rows.time).clip(-0.5, 0.5))
    parts = {device: variances(own.error, own.m) for device, own in rows.groupby("device")}
    lines = ["| GPU | rows | in common | rest |", "|---|---:|---:|---:|"]
    lines += [f"| {device} | {(rows.device == device).sum()} | {common**0.5:.3f} | {rest**0.5:.3f} |" for device, (common, rest) in parts.items()]
    common, rest = np.sum(list(parts.values()), axis=0)
    return "\n".join([*lines, "", f"{share(common / (common + rest))} of the variance is in common."])


def kernel_tables(times):
    """The tables of docs/gpu.md."""
    held = times[~times.calibration]
    groupings = [["kind"], ["kind", "card"], ["kind", "card", "precision", "pass"]]
    return "\n\n".join(table(accuracy(held, names), names) for names in groupings)


def outliers(times):
    """Rows that are off by more than a factor, the worst first."""
    held = times[~times.calibration].copy()
    held["ratio"] = held.model / held.measured
    held = held[(held.ratio > OUTLIER) | (held.ratio < 1 / OUTLIER)]
    held["factor"] = held.ratio.where(held.ratio > 1, 1 / held.ratio)
    return held.sort_values("factor", ascending=False)


def threads(results):
    """Table II: one row for each operation, size and number of threads."""
    frames = []
    for size in TABLE_2:
        frame = results.frame(f"table-2-{size}")
        frame["size"] = size
        frames.append(frame[["size", "pass", "threads", "time", "best_threads", "gain_over_all_cores"]])
    return pd.concat(frames)


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


def manycore_tables(results):
    """The tables of docs/manycore.md."""
    held = load(results.path, PROCESSORS).query("not calibration")
    groupings = [["kind"], ["kind", "pass"]]
    return "\n\n".join([*(table(accuracy(held, names), names) for names in groupings), table_2(results),
                        table_3(results)])


if __name__ == "__main__":
    experiment, path = sys.argv[1:]
    if experiment == "gpu-serving":
        print(serving_table(pimsweep.open(path)))
    else:
        is_kernel = experiment == "kernel"
        print(kernel_tables(load(path)) if is_kernel else manycore_tables(pimsweep.open(path)))
        print(error_table(inside_bands(experiment, load(path) if is_kernel else load(path, PROCESSORS))))
