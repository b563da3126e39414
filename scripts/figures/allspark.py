#!/usr/bin/env python3
"""Draws the figures and tables of the Allspark paper from the results of experiments/allspark.toml."""

import functools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import allspark_comparison as comparison
import pimsweep
from pimsweep import plot
from allspark_comparison import TIME
from pimsweep import fact
from pimsweep.plot import TINY, legend

POLICIES = ["branch", "patch", "head", "allspark", "ideal"]
NAMES = {"branch": "B (branch)", "patch": "P (patch)", "head": "AH (head)", "allspark": "Allspark", "ideal": "ideal",
         "manual": "Table V as printed"}
COLORS = {"branch": "#b0b7c3", "patch": "#7fa8d1", "head": "#e0a458", "allspark": "#2a6f4e", "ideal": "#d9d9d9"}
PARTS = {"compute_time": ("computation", "#2a6f4e"), "transfer_time": ("feature-map transfer", "#7fa8d1"),
         "weight_sharing_time": ("weight sharing", "#e0a458"), "nonlinear_time": ("non-linear", "#b0b7c3")}
ORIGINAL = ("vit", "pvt")
ROWS, COLS = "hardware.node_array.rows", "hardware.node_array.cols"
CAPACITY = "hardware.dram.bank_capacity"


def figure4(results):
    stages = results.detail("fig4", "stages")
    models = plot.ordered(stages["model"])
    figure, axis = plt.subplots(figsize=(plot.COLUMN, 2.8))
    table = 100 * stages.pivot_table(index="stage", columns="model", values="node_utilization")[models]
    plot.bars(axis, table)
    bound = fact("allspark", "fig4-util")
    axis.hlines(bound, 1.5, 3.5, "k", "--", linewidth=1, label=f"published: below {bound:g} % in stages 3 and 4")
    axis.set(xlabel="stage", ylabel="node utilization (%)", ylim=(0, 100),
             title="Figure 4: parallelism of branches,\n640 px, 16 x 16 nodes")
    legend(figure, 2, axis)
    return figure, stages[["model", "stage", "branches", "node_utilization"]]


def speedups(points):
    """Time of B (or of the first baseline that fits) divided by each policy's; NaN where a point is infeasible."""
    table = points.pivot_table(index=["model", "image_px"], columns=comparison.ways(points), values=TIME, sort=False,
                               dropna=False)
    table = table[POLICIES]
    return table.rdiv(table.bfill(axis=1)["branch"], axis=0)


def figure11(letter, results):
    points = results.frame("fig11")
    speedup = speedups(points)
    original = speedup.index.get_level_values("model").str.startswith(ORIGINAL)
    sizes = plot.ordered(points["image_px"])
    rows, group, title = ((speedup[original], "orig", "ViT and PVT") if letter == "a" else
                          (speedup[~original], "lvt", "local-attention models"))
    models = plot.ordered(rows.index.get_level_values("model"))
    figure, axes = plt.subplots(len(sizes), 1, figsize=(plot.PAGE, 1.75 * len(sizes) + 0.6), sharex=True)
    for axis, size in zip(axes, sizes):
        at_size = rows.xs(size, level="image_px").reindex(models)
        plot.bars(axis, at_size[POLICIES], COLORS, NAMES, base=1)
        plot.ratio_axis(axis)
        axis.set(ylabel=f"speedup (x)\n{size} px", ylim=(0.7, 3 * rows.max().max()))
        for position, model in enumerate(models):
            missing = [short for short, policy in (("B", "branch"), ("P", "patch"), ("AH", "head"),
                                                   ("Allspark", "allspark"))
                       if np.isnan(at_size[policy][model])]
            if missing:
                # Two lines of at most two names.
                names = ",\n".join(", ".join(missing[i:i + 2]) for i in (0, 2) if missing[i:i + 2])
                axis.text(position, 0.8, f"no {names}", ha="center", va="top", fontsize=TINY, color="firebrick",
                          transform=axis.get_xaxis_transform())
    means = {}
    for policy, tag in (("branch", "b"), ("patch", "p"), ("head", "ah")):
        means[policy] = ((rows["allspark"] / rows[policy]).mean(),
                         fact("allspark", f"fig11-{group}-{tag}"))
    text = ", ".join(f"{NAMES[p].split()[0]} {ours:.1f} ({theirs:g})" for p, (ours, theirs) in means.items())
    figure.suptitle(f"Figure 11{letter}: {title}. Mean speedup of Allspark (published) over {text}.\n"
                    "Bars are relative to B, or where it does not fit into memory (red) to the first baseline that "
                    "does.")
    plot.group_names(axes[-1], models, rotation=30, ha="right")
    legend(figure, 5, axes[0])
    return figure, rows.reset_index()


def figure12(results):
    columns = ["image_px", "model", "policy", "stage", "node_utilization"]
    stages = results.detail("fig12", "stages")
    points = results.frame("fig12")
    data = pd.concat([stages[columns], points.assign(stage="all")[columns]])
    floors = {"swin-b": fact("allspark", "fig12-swinb"), "twins-svt-b": fact("allspark", "fig12-twinsb")}
    models, sizes = plot.ordered(points["model"]), plot.ordered(points["image_px"])
    figure, axes = plt.subplots(len(sizes), len(models), figsize=(plot.PAGE, 1.4 * len(sizes) + 0.7), sharey=True,
                                sharex=True, squeeze=False)
    for row, size in zip(axes, sizes):
        for axis, model in zip(row, models):
            rows = data[(data["image_px"] == size) & (data["model"] == model)]
            heights = rows.pivot_table(index="stage", columns="policy", values="node_utilization", dropna=False)
            heights = 100 * heights.reindex(index=[1, 2, 3, 4, "all"], columns=POLICIES[:-1]).fillna(0)
            plot.bars(axis, heights, COLORS, NAMES, names=["1", "2", "3", "4", "all"])
            if model in floors:
                axis.plot([3.5, 4.5], 2 * [floors[model]], "k--", linewidth=1)
        row[0].set_ylabel(f"{size} px\nutilization (%)")
    for axis, model in zip(axes[0], models):
        axis.set_title(model)
    for axis in axes[-1]:
        axis.set_xlabel("stage")
    above = ", ".join(f"{model} {value:g} %" for model, value in floors.items())
    legend(figure, 5, axes[0][0],
           plt.Line2D([], [], color="k", linestyle="--", linewidth=1, label=f"published: above, {above}"))
    figure.suptitle("Figure 12: node utilization (Eq. 16); the paper does not print the image size")
    return figure, data


def stacked(axis, positions, rows, width, unit):
    """Stacks the parts of the time, in the given unit; returns the totals."""
    bottom = np.zeros(len(rows))
    for part, (label, color) in PARTS.items():
        heights = rows[part].to_numpy() / unit
        axis.bar(positions, heights, width, bottom=bottom, label=label, color=color)
        bottom += heights
    return bottom


def figure13a(results):
    points = results.frame("fig13a")
    points = points[points["status"] == 0].set_index("policy")
    points = points.reindex([policy for policy in POLICIES if policy in points.index])
    cycles = points[list(PARTS)].mul(points["hardware.clock"], axis=0)
    figure, axis = plt.subplots(figsize=(plot.COLUMN, 3))
    totals = stacked(axis, np.arange(len(points)), cycles, 0.6, 1e6)
    moved = cycles["transfer_time"] + cycles["weight_sharing_time"]
    for i, policy in enumerate(points.index):
        if policy != "allspark" and moved[policy] > 0:
            axis.text(i, totals[i] + 0.01 * totals.max(),
                      f"{100 * moved['allspark'] / moved[policy]:.0f} %", ha="center", va="bottom", fontsize=TINY)
    low, high = (fact("allspark", "fig13a-xfer", column) for column in ("value", "value_hi"))
    axis.set(title="Figure 13a: Swin-B, 640 px; above: transfer and\n"
                   f"sharing, Allspark / policy (published {low:g} to {high:g} %)",
             ylabel="time (million cycles)",
             xticks=np.arange(len(points)), xlim=(-0.65, len(points) - 0.4), ylim=(0, 1.2 * totals.max()))
    axis.set_xticklabels([NAMES[p] for p in points.index], fontsize=TINY)
    legend(figure, 2, axis)
    return figure, cycles.reset_index()


def figure14(results):
    points = results.frame("fig14")
    models = plot.ordered(points["model"])
    figure, axes = plt.subplots(1, len(models), sharey=True)
    data = []
    for axis, model in zip(axes, models):
        rows = points[points["model"] == model].sort_values("batch")
        each = rows[list(PARTS)].div(rows["batch"], axis=0).div(rows["time_per_sample"].iloc[0])
        stacked(axis, np.arange(len(rows)), each, 0.7, 1)
        axis.set(title=model, xlabel="batch size", xticks=np.arange(len(rows)))
        axis.set_xticklabels(rows["batch"])
        data.append(each.assign(model=model, batch=rows["batch"]))
    axes[0].set_ylabel("time of an image,\nbatch 1 = 1")
    legend(figure, 4, axes[0])
    figure.suptitle("Figure 14: small batches at 224 px; the paper does not print the image size")
    return figure, pd.concat(data)


def figure15(results):
    points = results.frame("fig15")
    table = points.pivot_table(index=[ROWS, CAPACITY, "image_px", "model"], columns="policy", values=TIME,
                               dropna=False)
    ratios = pd.DataFrame({policy: table[policy] / table["allspark"] for policy in POLICIES[:3]})
    # Only models and image sizes that every policy can run: otherwise the bars would stand for different sets.
    ratios = ratios.dropna()
    means = ratios.groupby(level=[ROWS, CAPACITY]).mean()
    counts = ratios.groupby(level=[ROWS, CAPACITY]).size().rename("points")
    capacities = sorted(points[CAPACITY].unique())
    figure, axes = plt.subplots(1, len(capacities), figsize=(plot.PAGE, 2.7), sharey=True)
    for axis, capacity in zip(axes, capacities):
        rows = means.xs(capacity, level=CAPACITY)
        for position, side in enumerate(rows.index):
            axis.text(position, 0.99, f"{counts[side, capacity]}", ha="center", va="top", fontsize=TINY,
                      transform=axis.get_xaxis_transform())
        plot.bars(axis, rows, COLORS, {policy: f"over {NAMES[policy]}" for policy in POLICIES}, base=1,
                  names=[f"{r}x{r}" for r in rows.index], rotation=45)
        axis.set(title=f"{capacity / 2**20:g} MiB per node", xlabel="node array", ylim=(1, 2 * means.max().max()))
        plot.log_axis(axis.yaxis)
    axes[0].set_ylabel("mean speedup of Allspark (x)")
    legend(figure, 3, axes[0])
    figure.suptitle("Figure 15: base-size models at 224 and 640 px; above: how many of 10 run under every policy")
    return figure, means.join(counts).reset_index()


METHODS = {"greedy": ("greedy (Allspark)", "#2a6f4e"), "ddam": ("integer programs (as DDAM)", "#8b5e83"),
           "annealing": ("annealing", "#7fa8d1"), "zig-zag": ("zig-zag", "#e0a458"),
           "random": ("random", "#b0b7c3")}
ROUTES = {"corner": ("by the corners (Sec. VII-B2)", "#e0a458"), "direct": ("from node to node", "#2a6f4e")}


def table3(results):
    rows = results.detail("table3", "interactions")
    stages = sorted(rows["stage"].unique())
    figure, axes = plt.subplots(1, 2, figsize=(plot.PAGE, 2.8), sharey=True)
    for axis, policy in zip(axes, ("manual", "allspark")):
        hops = rows[rows["policy"] == policy].pivot_table(index="stage", columns="placement", values="hops")
        plot.bars(axis, hops.reindex(index=stages, columns=list(METHODS)),
                    {method: color for method, (_, color) in METHODS.items()},
                    {method: label for method, (label, _) in METHODS.items()})
        for i, (who, marker, label) in enumerate((("ours", "D", "Allspark, published"),
                                                  ("ddam", "s", "DDAM, published"))):
            values = [fact("allspark", f"tab3-{who}-s{stage}") for stage in stages]
            axis.plot(np.arange(len(stages)) + plot.grouped(i, len(METHODS))[0], values, label=label,
                      **{**plot.PUBLISHED, "marker": marker})
        axis.set(title="Table V's schedule" if policy == "manual" else "our optimum", xlabel="stage")
    axes[0].set_ylabel("links crossed by a byte")
    legend(figure, 4, axes[0])
    figure.suptitle("Table III: Swin-B, 640 px, 16 x 16 nodes; the paper prints neither model nor size")
    return figure, rows[["policy", "placement", "stage", "branches", "hops", "hops_of_dependence", "cycles"]]


def placements(results):
    """Where the branches of stage 1 are, colored by the row of the map that they come from."""
    rows = results.detail("table3", "places")
    rows = rows[(rows["policy"] == "manual") & (rows["stage"] == 1)]
    side = int(np.sqrt(rows["branch"].max()))
    nodes = int(rows[ROWS].iloc[0]), int(rows[COLS].iloc[0])
    layers = sorted(rows["layer"].unique())
    figure, axes = plt.subplots(len(layers), len(METHODS), figsize=(plot.PAGE, 1.3 * len(layers) + 0.4),
                                squeeze=False)
    for column, method in enumerate(METHODS):
        for row, layer in enumerate(layers):
            image = np.full(nodes, np.nan)
            for place in rows[(rows["placement"] == method) & (rows["layer"] == layer)].itertuples():
                rectangle = (slice(place.node_row, place.node_row + place.height),
                             slice(place.node_col, place.node_col + place.width))
                image[rectangle] = (place.branch - 1) // side
            shown = axes[row][column].imshow(image, cmap="viridis", vmin=0, vmax=side - 1)
            axes[row][column].set(xticks=[], yticks=[], ylabel=f"layer {layer}" if column == 0 else "",
                                  title=method if row == 0 else "")
            axes[row][column].grid(False)
    figure.colorbar(shown, ax=axes, shrink=0.6, ticks=range(0, side, 4), label="row of the window on the map")
    figure.suptitle("Swin-B, 640 px, stage 1: 23 x 23 windows in three layers on 16 x 16 nodes; in the last, each has several nodes")
    return figure, rows[["placement", "layer", "branch", "node_row", "node_col", "height", "width"]]


def figure13b(results):
    points = results.frame("fig13a")
    points = points[points["status"] == 0].set_index("policy")
    columns = {"macs": "multiply-\naccumulates", "noc_byte_hops": "NoC\nworkload", "dram_bytes": "DRAM\naccesses",
               "energy": "energy"}
    ratios = points[list(columns)] / points.loc["allspark", list(columns)]
    figure, axis = plt.subplots(figsize=(plot.COLUMN, 2.6))
    shown = [policy for policy in POLICIES if policy in ratios.index]
    plot.bars(axis, ratios.loc[shown].T, COLORS, NAMES, names=columns.values(), fontsize=TINY)
    axis.plot(np.arange(1, 4) + plot.grouped(shown.index("patch"), len(shown))[0],
              [fact("allspark", f"fig13b-p-{name}") for name in ("noc", "dram", "energy")],
              **plot.PUBLISHED, label="P, published")
    axis.set(ylabel="Allspark = 1", title="Figure 13b: Swin-B, 640 px")
    legend(figure, 3, axis)
    return figure, ratios.reset_index()


def interaction(results):
    points = results.frame("interaction")
    bound = fact("allspark", "fig14-interact")
    models, sizes = plot.ordered(points["model"]), plot.ordered(points["image_px"])
    figure, axes = plt.subplots(1, len(sizes), figsize=(plot.PAGE, 2.7), sharey=True)
    for axis, size in zip(axes, sizes):
        shares = 100 * points[points["image_px"] == size].pivot_table(index="model", columns="interaction_route",
                                                                      values="interaction_share")
        plot.bars(axis, shares.reindex(index=models, columns=list(ROUTES)),
                    {route: color for route, (_, color) in ROUTES.items()},
                    {route: label for route, (label, _) in ROUTES.items()})
        axis.set_ylim(0.1, 100)
        axis.axhline(bound, color="k", linestyle="--", linewidth=1, label=f"published: below {bound:g} %")
        axis.set(title=f"{size} px", yscale="log")
        plot.log_axis(axis.yaxis)
    axes[0].set_ylabel("share of exchanges\nbetween branches (%)")
    legend(figure, 3, axes[0])
    return figure, points[["model", "image_px", "interaction_route", "interaction_time", "interaction_share"]]


def table5(results):
    """Swin-B, 640 px, 8 MiB; schemes are head split x patch split."""
    stages = results.detail("table5", "stages")
    stages = stages[["hardware.noc.transfer", "policy", "stage", "temporal_layers", "schemes", "weights_reused",
                     TIME]].copy()
    stages[TIME] = (1e3 * stages[TIME]).map("{:.3f} ms".format)
    stages["policy"] = stages["policy"].map(NAMES)
    stages = stages.rename(columns={"hardware.noc.transfer": "transfer", "temporal_layers": "layers",
                                    "weights_reused": "weight reuse"})
    return None, stages


def table6(results):
    """Memory of a node: Swin-B, 640 px, the schedule of Table V."""
    points = results.frame("table6")
    rows = []
    for case, reuse, sharing in (("both", 1, 1), ("noreuse", 0, 1), ("noshare", 1, 0)):
        point = points[(points["weight_reuse"] == reuse) & (points["weight_sharing"] == sharing)].iloc[0]
        row = {"case": {"both": "reuse + sharing", "noreuse": "no reuse", "noshare": "no sharing"}[case]}
        for part, metric in (("weights", "weights_stored"), ("workspace", "workspace"), ("total", "memory_used")):
            row[f"{part}  (MiB)"] = f"{point[metric] / 2**20:.2f}"
            row[f"{part} published"] = pimsweep.published("allspark").loc[f"allspark-tab6-{case}-{part}", "value"]
        rows.append(row)
    return None, pd.DataFrame(rows)


DRAWINGS = {
    "fig4": figure4, "fig11a": functools.partial(figure11, "a"), "fig11b": functools.partial(figure11, "b"),
    "fig12": figure12, "fig13a": figure13a, "fig13b": figure13b, "fig14": figure14, "fig15": figure15,
    "fig16": comparison.figure16, "table3": table3, "table5": table5, "table6": table6, "table7": comparison.table7,
    "interaction": interaction, "placements": placements, "fidelity": comparison.fidelity,
}

if __name__ == "__main__":
    plot.main(__doc__, DRAWINGS)
