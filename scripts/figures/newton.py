#!/usr/bin/env python3
"""Draws what PIMFlow's artifact does beside what its paper says, from the results of experiments/newton.toml."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from pimsweep import plot

CONTROLLERS = {"artifact": ("as in the artifact", "#b0b7c3"), "paper": ("as in the paper", "#2a6f4e")}
# n_gwrite, gwrite_hiding (the names of Figure 14 of the paper).
OPTIMIZATIONS = {"Newton+": (1, 0), "GW (hiding)": (1, 1), "GB (4 buffers)": (4, 0), "Newton++ (both)": (4, 1)}
MODELS = ["mobilenet-v2", "mnasnet-1.0", "efficientnet-v1-b0", "resnet-50", "vgg-16"]


def cycles(results):
    """A row for each layer, a column for each controller, number of buffers and hiding."""
    points = results.frame("controllers")
    return points.pivot_table(index=["label_model", "label_layer", "label_op"], sort=False,
                              columns=["controller", "n_gwrite", "gwrite_hiding"], values="pim_cycles")


def by_layer(table, output):
    figure, axes = plt.subplots(2, 1, figsize=(plot.PAGE, 4.4), sharex=True)
    table = table.loc[[model for model in MODELS if model in table.index.get_level_values(0)]]
    starts = [0]
    for axis, name in zip(axes, ("Newton+", "Newton++ (both)")):
        ratio = table[("artifact", *OPTIMIZATIONS[name])] / table[("paper", *OPTIMIZATIONS[name])]
        start, starts = 0, [0]
        for model in MODELS:
            part = ratio.xs(model, level="label_model")
            axis.bar(np.arange(start, start + len(part)), part, 0.85, label=f"{model}: mean {part.mean():.2f}")
            start += len(part)
            starts.append(start)
        axis.axhline(1, color="k", linewidth=0.8)
        axis.set(yscale="log", ylabel="artifact / paper",
                 title=f"{name}: cycles of the artifact's controller for each of the paper's")
        plot.log_axis(axis.yaxis, [0.5, 1, 2, 4, 8] if ratio.max() > 5 else [0.5, 1, 2, 4])
        axis.legend(ncol=5, loc="upper center", fontsize=plot.TINY, columnspacing=0.8)
        axis.set(ylim=(0.4, 1.7 * ratio.max()), xlim=(-1, len(ratio)))
    axes[-1].set_xticks([(a + b - 1) / 2 for a, b in zip(starts, starts[1:])], MODELS)
    axes[-1].set_xlabel("layers, each shape once, 16 PIM channels")
    axes[-1].grid(axis="x", visible=False)
    axes[0].grid(axis="x", visible=False)
    data = table.copy()
    data.columns = [f"{controller}_{buffers}_{hiding}" for controller, buffers, hiding in data.columns]
    return figure, data.reset_index()  # NAME controllers


def command_optimizations(table, output):
    """Figure 14 on PIM alone: what each optimization gains under either controller."""
    convolutions = table[table.index.get_level_values("label_op") == "conv"]
    convolutions = convolutions.groupby(level="label_model", sort=False).sum()
    convolutions = convolutions.loc[MODELS]
    figure, axes = plt.subplots(1, 2, figsize=(plot.PAGE, 2.9), sharey=True)
    rows = []
    for axis, (controller, (title, _)) in zip(axes, CONTROLLERS.items()):
        base = convolutions[(controller, *OPTIMIZATIONS["Newton+"])]
        speedups = pd.DataFrame({name: base / convolutions[(controller, *key)] for name, key in OPTIMIZATIONS.items()})
        rows.append(speedups.add_prefix(f"{controller}: "))
        plot.bars(axis, speedups)
        plot.group_names(axis, MODELS, rotation=20, fontsize=plot.TINY)
        axis.set_title(f"controller {title}")
    axes[0].set_ylabel("speedup over its Newton+")
    plot.legend(figure, 4, axes[0])
    figure.suptitle("Command optimizations on PIM alone, convolutions on 16 channels\n"
                    "(Figure 14 adds the GPU and finds 9, 14 and 22 %)")
    return figure, pd.concat(rows, axis=1).reset_index()  # NAME command_optimizations


def channels(results):
    points = results.frame("channels")
    figure, axis = plt.subplots(figsize=(plot.COLUMN, 2.8))
    data = []
    for controller, (title, color) in CONTROLLERS.items():
        for n_gwrite, style in ((1, "--"), (4, "-")):
            rows = points[(points["controller"] == controller) & (points["n_gwrite"] == n_gwrite)]
            total = rows.groupby("channels")["pim_cycles"].sum()
            axis.plot(total.index, total / 1e6, style, color=color, label=f"{title}, n_gwrite {n_gwrite}")
            data.append(total.rename(f"{controller}_{n_gwrite}"))
    axis.set(xlabel="PIM channels", ylabel="million cycles, all layers", yscale="log", xscale="log",
             title="All layers over the channels")
    plot.log_axis(axis.xaxis, [1, 2, 4, 8, 16, 32])
    plot.legend(figure, 2, axis)
    return figure, pd.concat(data, axis=1).reset_index()  # NAME channels


def main():
    results, output = plot.arguments(__doc__)
    table = cycles(results)
    by_layer(table, output)
    command_optimizations(table, output)
    channels(results)


if __name__ == "__main__":
    main()
