#!/usr/bin/env python3
"""Draws what PIMFlow's artifact does beside what its paper says, from the results of experiments/newton.toml."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from pimsweep import plot

CONTROLLERS = {"artifact": ("artifact's controller", "#b0b7c3"), "paper": ("paper's controller", "#2a6f4e")}
# n_gwrite, gwrite_hiding (the names of Figure 14 of the paper).
OPTIMIZATIONS = {"Newton+": (1, 0), "GW (hiding)": (1, 1), "GB (4 buffers)": (4, 0), "Newton++ (both)": (4, 1)}
MODELS = ["mobilenet-v2", "mnasnet-1.0", "efficientnet-v1-b0", "resnet-50", "vgg-16"]


def cycles(results):
    """A row for each layer, a column for each controller, number of buffers and hiding."""
    points = results.frame("controllers")
    return points.pivot_table(index=["label_model", "label_layer", "label_op"], sort=False,
                              columns=["controller", "n_gwrite", "gwrite_hiding"], values="pim_cycles")


def controllers(results):
    table = cycles(results)
    table = table.loc[[model for model in MODELS if model in table.index.get_level_values(0)]]
    sizes = [len(table.xs(model, level="label_model")) for model in MODELS]
    starts = np.cumsum([0, *sizes])
    figure, axes = plt.subplots(2, 1, figsize=(plot.PAGE, 4.4), sharex=True, sharey=True)
    for axis, name in zip(axes, ("Newton+", "Newton++ (both)")):
        ratio = table[("artifact", *OPTIMIZATIONS[name])] / table[("paper", *OPTIMIZATIONS[name])]
        for model, start in zip(MODELS, starts):
            part = ratio.xs(model, level="label_model")
            axis.bar(np.arange(start, start + len(part)), part - 1, 0.85, bottom=1)
            axis.text(start + len(part) / 2 - 0.5, 0.97, f"mean {part.mean():.2f}", ha="center", va="top",
                      fontsize=plot.TINY, transform=axis.get_xaxis_transform())
        plot.ratio_axis(axis)
        axis.set(ylabel="cycles, paper's\ncontroller = 1", title=f"{name}: cycles of the artifact's controller",
                 xlim=(-1, len(ratio)))
        axis.grid(axis="x", visible=False)
    axes[0].set_ylim(0.4, 1.7 * axes[0].get_ylim()[1])
    axes[-1].set_xticks((starts[:-1] + starts[1:] - 1) / 2, MODELS)
    axes[-1].set_xlabel("layers, each shape once, 16 PIM channels")
    data = table.set_axis(["_".join(map(str, column)) for column in table.columns], axis=1)
    return figure, data.reset_index()


def command_optimizations(results):
    """Figure 14 on PIM alone: what each optimization gains under either controller."""
    table = cycles(results)
    convolutions = table[table.index.get_level_values("label_op") == "conv"]
    convolutions = convolutions.groupby(level="label_model", sort=False).sum().loc[MODELS]
    figure, axes = plt.subplots(1, 2, figsize=(plot.PAGE, 2.9), sharey=True)
    rows = []
    for axis, (controller, (title, _)) in zip(axes, CONTROLLERS.items()):
        base = convolutions[(controller, *OPTIMIZATIONS["Newton+"])]
        speedups = pd.DataFrame({name: base / convolutions[(controller, *key)] for name, key in OPTIMIZATIONS.items()})
        rows.append(speedups.add_prefix(f"{controller}: "))
        plot.bars(axis, speedups, base=1, rotation=20, fontsize=plot.TINY)
        plot.ratio_axis(axis, log=False)
        axis.set_title(title)
    axes[0].set_ylabel("speedup over Newton+ (x)")
    plot.legend(figure, 4, axes[0])
    figure.suptitle("Figure 14 on PIM alone: command optimizations, convolutions on 16 channels\n"
                    "(the paper adds the GPU and finds 9, 14 and 22 %)")
    return figure, pd.concat(rows, axis=1).reset_index()


def channels(results):
    points = results.frame("channels")
    figure, axis = plt.subplots(figsize=(plot.COLUMN, 2.8))
    data = []
    for controller, (title, color) in CONTROLLERS.items():
        for buffers, style in ((1, "--"), (4, "-")):
            rows = points[(points["controller"] == controller) & (points["n_gwrite"] == buffers)]
            total = rows.groupby("channels")["pim_cycles"].sum()
            axis.plot(total.index, total / 1e6, style, color=color,
                      label=f"{title}, {buffers} buffer{'s' if buffers > 1 else ''}")
            data.append(total.rename(f"{controller}_{buffers}"))
    axis.set(xlabel="PIM channels", ylabel="time (million cycles)", title="All layers over the channels")
    plot.log_axis(axis.xaxis, [1, 2, 4, 8, 16, 32])
    plot.log_axis(axis.yaxis)
    plot.legend(figure, 2, axis)
    return figure, pd.concat(data, axis=1).reset_index()


if __name__ == "__main__":
    plot.main(__doc__, {"controllers": controllers, "command_optimizations": command_optimizations,
                        "channels": channels})
