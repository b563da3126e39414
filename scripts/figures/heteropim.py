#!/usr/bin/env python3
"""Draws steps of all policies on both machines, and timelines, from the results of experiments/heteropim.toml."""

import matplotlib.pyplot as plt
import numpy as np

import common

POLICIES = {"cpu": "#d9d9d9", "gpu": "#b0b7c3", "prog-pim": "#c9a0dc", "neurocube": "#e8c9a0", "fixed-pim": "#e0a458",
            "hetero-pim": "#7fa8d1", "lookahead": "#2a6f4e"}
PARTS = {"operation_time": ("operation", "#2a6f4e"), "movement_time": ("data movement", "#7fa8d1"),
         "synchronisation_time": ("synchronisation", "#e0a458")}
DEVICES = {"host": "#b0b7c3", "programmable": "#e0a458", "pairs": "#2a6f4e"}


def short(name):
    return name.removeprefix("heteropim-")


def steps(results, output):
    figure, axes = plt.subplots(1, 2, figsize=(10, 3), sharey=True)
    for axis, study, title in zip(axes, ("fig8", "fig8_published"), ("as built", "calibrated machine")):
        points = common.study(results, study)
        models = common.ordered(points["workload"])
        width = 0.8 / len(POLICIES)
        for i, (policy, colour) in enumerate(POLICIES.items()):
            rows = points[points["policy"] == policy].set_index("workload").loc[models]
            axis.bar(np.arange(len(models)) + (i - 3) * width, rows["time"], width, color=colour, label=policy)
        axis.set(yscale="log", ylim=(3e-4, 5e2), title=title, xticks=range(len(models)), xticklabels=[short(name) for name in models])
        axis.tick_params(axis="x", labelsize=7)
        for i, model in enumerate(models):
            bound = points[(points["workload"] == model) & (points["policy"] == "lookahead")]["work_bound"].iloc[0]
            axis.hlines(bound, i - 0.45, i + 0.45, "k", linewidth=1)
    axes[0].set_ylabel("time of a step [s]")
    axes[0].hlines([], 0, 1, "k", linewidth=1, label="hetero-pim's hardware: no schedule takes less")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, -0.12), ncol=8, fontsize=7)
    data = common.study(results, "fig8")[["workload", "policy", "time", "work_bound"]]
    common.save(figure, data, output, "heteropim-steps")


def breakdown(results, output):
    points = common.study(results, "fig8_published")
    points = points[points["policy"].isin(["cpu", "gpu", "prog-pim", "fixed-pim", "hetero-pim"])]
    labels = [f"{short(w)} {p}" for w, p in zip(points["workload"], points["policy"])]
    figure, axis = plt.subplots(figsize=(8, 3))
    below = np.zeros(len(points))
    for part, (name, colour) in PARTS.items():
        share = (points[part] / points["time"]).to_numpy()
        axis.bar(range(len(points)), 100 * share, bottom=below, color=colour, label=name)
        below += 100 * share
    axis.set(ylabel="share of the step [%]", xticks=range(len(points)), title="calibrated machine")
    axis.set_xticklabels(labels, rotation=90, fontsize=6)
    axis.legend(ncol=3, fontsize=7, loc="lower right")
    common.save(figure, points[["workload", "policy", *PARTS]], output, "heteropim-breakdown")


def timeline(results, output):
    rows = common.detail(results, "timeline", "timeline")
    policies = common.ordered(rows["policy"])
    figure, axes = plt.subplots(len(policies), 1, figsize=(9, 1.5 * len(policies)), sharex=True)
    for axis, policy in zip(axes, policies):
        mine = rows[rows["policy"] == policy]
        most = mine[mine["device"] == "pairs"]["units"].max()
        for place, (device, colour) in enumerate(DEVICES.items()):
            part = mine[mine["device"] == device]
            height = 0.9 * (part["units"] / most if device == "pairs" else 1.0)
            dark = np.where(part["step"] % 2 == 0, 1.0, 0.55)
            for begin, end, tall, alpha in zip(part["begin"], part["end"], np.broadcast_to(height, len(part)), dark):
                axis.barh(place, end - begin, tall, begin, color=colour, alpha=alpha, edgecolor="white", linewidth=0.2)
        axis.set(yticks=range(len(DEVICES)), yticklabels=DEVICES, title=policy)
        axis.grid(axis="y", visible=False)
    axes[-1].set_xlabel("time [s]; the second step is lighter")
    figure.tight_layout()
    common.save(figure, rows[["policy", "step", "operation", "device", "units", "begin", "end"]], output, "heteropim-timeline")


def main():
    results, output = common.arguments(__doc__)
    for name, draw in (("fig8", steps), ("fig8_published", breakdown), ("timeline", timeline)):
        if common.study(results, name) is not None:
            draw(results, output)


if __name__ == "__main__":
    main()
