#!/usr/bin/env python3
"""Draws the figures and tables of the Allspark paper from the results of experiments/allspark.toml."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import allspark_comparison as comparison
import common

POLICIES = ["branch", "patch", "head", "allspark", "ideal"]
NAMES = {"branch": "B (branch)", "patch": "P (patch)", "head": "AH (head)", "allspark": "Allspark", "ideal": "ideal",
         "manual": "Table V as printed"}
COLORS = {"branch": "#b0b7c3", "patch": "#7fa8d1", "head": "#e0a458", "allspark": "#2a6f4e", "ideal": "#d9d9d9"}
PARTS = {"compute_time": ("computation", "#2a6f4e"), "transfer_time": ("feature-map transfer", "#7fa8d1"),
         "weight_sharing_time": ("weight sharing", "#e0a458"), "nonlinear_time": ("non-linear", "#b0b7c3")}
ORIGINAL = ("vit", "pvt")
ROWS, COLS = "hardware.node_array.rows", "hardware.node_array.cols"
CAPACITY = "hardware.dram.bank_capacity"


def figure4(results, output):
    stages = common.detail(results, "fig4", "stages")
    models = common.ordered(stages["model"])
    figure, axis = plt.subplots(figsize=(common.COLUMN, 2.8))
    width = 0.8 / len(models)
    for i, model in enumerate(models):
        rows = stages[stages["model"] == model]
        axis.bar(rows["stage"] + (i - (len(models) - 1) / 2) * width, 100 * rows["node_utilization"], width,
                 label=model)
    bound = float(common.published("allspark").loc["allspark-fig4-util", "value"])
    axis.hlines(bound, 2.5, 4.5, "k", "--", linewidth=1, label=f"published: below {bound:g} % in stages 3 and 4")
    axis.set(xlabel="stage", ylabel="node utilisation [%]", xticks=[1, 2, 3, 4], ylim=(0, 100),
             title="Branch-level parallelism, 640 px, 16 x 16 nodes")
    axis.legend(ncol=2)
    common.save(figure, stages[["model", "stage", "branches", "node_utilization"]], output, "fig4")


def speedups(points):
    """Latency of B (or of the first baseline that fits) divided by each policy's; NaN where a point is infeasible."""
    table = points.pivot_table(index=["model", "image_px"], columns="policy", values="latency", sort=False,
                               dropna=False)
    table = table[POLICIES]
    return table.rdiv(table.bfill(axis=1)["branch"], axis=0)


def figure11(results, output):
    points = common.study(results, "fig11")
    speedup = speedups(points)
    original = speedup.index.get_level_values("model").str.startswith(ORIGINAL)
    facts = common.published("allspark")
    sizes = common.ordered(points["image_px"])
    for letter, rows, group, title in (("a", speedup[original], "orig", "ViT and PVT"),
                                       ("b", speedup[~original], "lvt", "local-attention models")):
        models = common.ordered(rows.index.get_level_values("model"))
        figure, axes = plt.subplots(len(sizes), 1, figsize=(common.PAGE, 2.3 * len(sizes)), sharex=True)
        for axis, size in zip(axes, sizes):
            at_size = rows.xs(size, level="image_px").reindex(models)
            for i, policy in enumerate(POLICIES):
                positions = np.arange(len(models)) + (i - 2) * 0.17
                axis.bar(positions, at_size[policy], 0.17, label=NAMES[policy], color=COLORS[policy])
            axis.set(yscale="log", ylabel=f"speedup\n{size} px", ylim=(0.7, 3 * rows.max().max()))
            for position, model in enumerate(models):
                missing = [short for short, policy in (("B", "branch"), ("P", "patch"), ("AH", "head"),
                                                       ("Allspark", "allspark"))
                           if np.isnan(at_size[policy][model])]
                if missing:
                    # Two lines of at most two names.
                    names = ",\n".join(", ".join(missing[i:i + 2]) for i in (0, 2) if missing[i:i + 2])
                    axis.text(position, 0.8, f"no {names}", ha="center", va="top", fontsize=6, color="firebrick",
                              transform=axis.get_xaxis_transform())
        means = {}
        for policy, tag in (("branch", "b"), ("patch", "p"), ("head", "ah")):
            means[policy] = ((rows["allspark"] / rows[policy]).mean(),
                             float(facts.loc[f"allspark-fig11-{group}-{tag}", "value"]))
        text = ";  ".join(f"over {NAMES[p]}: {ours:.1f}x here, {theirs:g}x published"
                          for p, (ours, theirs) in means.items())
        axes[0].set_title(f"Figure 11{letter}: {title}. Mean speedup of Allspark {text}.\n"
                          "Bars are relative to B, or where it does not fit into memory (red) to the first baseline "
                          "that does.")
        axes[0].legend(ncol=5, loc="upper left")
        axes[-1].set_xticks(np.arange(len(models)), models, rotation=30, ha="right")
        common.save(figure, rows.reset_index(), output, f"fig11{letter}")


def figure12(results, output):
    columns = ["image_px", "model", "policy", "stage", "node_utilization"]
    stages = common.detail(results, "fig12", "stages")
    points = common.study(results, "fig12")
    data = pd.concat([stages[columns], points.assign(stage="all")[columns]])
    facts = common.published("allspark")
    floors = {"swin-b": float(facts.loc["allspark-fig12-swinb", "value"]),
              "twins-svt-b": float(facts.loc["allspark-fig12-twinsb", "value"])}
    models, sizes = common.ordered(points["model"]), common.ordered(points["image_px"])
    figure, axes = plt.subplots(len(sizes), len(models), figsize=(common.PAGE, 2.2 * len(sizes)), sharey=True, sharex=True,
                                squeeze=False)
    for row, size in zip(axes, sizes):
        for axis, model in zip(row, models):
            for i, policy in enumerate(POLICIES[:-1]):
                rows = data[(data["image_px"] == size) & (data["model"] == model) & (data["policy"] == policy)]
                heights = rows.set_index("stage")["node_utilization"].reindex([1, 2, 3, 4, "all"]).fillna(0)
                axis.bar(np.arange(5) + (i - 1.5) * 0.2, 100 * heights, 0.2, label=NAMES[policy], color=COLORS[policy])
            if model in floors:
                axis.plot([3.5, 4.5], 2 * [floors[model]], "k--", linewidth=1)
            axis.set_xticks(range(5), ["1", "2", "3", "4", "all"])
        row[0].set_ylabel(f"{size} px\nutilisation [%]")
    for axis, model in zip(axes[0], models):
        axis.set_title(model)
    for axis in axes[-1]:
        axis.set_xlabel("stage")
    handles = [plt.Rectangle((0, 0), 1, 1, color=COLORS[policy]) for policy in POLICIES[:-1]]
    handles.append(plt.Line2D([], [], color="k", linestyle="--", linewidth=1))
    texts = [NAMES[policy] for policy in POLICIES[:-1]]
    texts.append("published: above, " + ", ".join(f"{m} {v:g} %" for m, v in floors.items()))
    figure.legend(handles, texts, ncol=5, loc="lower center", bbox_to_anchor=(0.5, -0.03))
    figure.suptitle("Figure 12: node utilisation (Eq. 16); the paper does not print the image size")
    common.save(figure, data, output, "fig12")


def stacked(axis, positions, rows, width, unit):
    """Stacks the parts of the latency, in the given unit; returns the totals."""
    bottom = np.zeros(len(rows))
    for part, (label, color) in PARTS.items():
        heights = rows[part].to_numpy() / unit
        axis.bar(positions, heights, width, bottom=bottom, label=label, color=color)
        bottom += heights
    return bottom


def legend_below(figure, axis, y=-0.1, ncol=5):
    handles, names = axis.get_legend_handles_labels()
    figure.legend(handles, names, ncol=ncol, loc="upper center", bbox_to_anchor=(0.5, y))


def figure13a(results, output):
    points = common.study(results, "fig13a")
    points = points[points["status"] == 0].set_index("policy")
    points = points.reindex([policy for policy in POLICIES if policy in points.index])
    cycles = points[list(PARTS)].mul(points["hardware.clock"], axis=0)
    figure, axis = plt.subplots(figsize=(common.COLUMN, 2.8))
    totals = stacked(axis, np.arange(len(points)), cycles, 0.6, 1e6)
    moved = cycles["transfer_time"] + cycles["weight_sharing_time"]
    for i, policy in enumerate(points.index):
        if policy != "allspark" and moved[policy] > 0:
            axis.text(i, totals[i] + 0.01 * totals.max(),
                      f"transfer + sharing:\nAllspark has {100 * moved['allspark'] / moved[policy]:.0f} %", ha="center",
                      va="bottom", fontsize=6)
    fact = common.published("allspark").loc["allspark-fig13a-xfer"]
    axis.set(title=f"Swin-B, 640 px (published share: {fact['value']} to {fact['value_hi']} %)",
             ylabel="million cycles",
             xticks=np.arange(len(points)), xlim=(-0.65, len(points) - 0.4), ylim=(0, 1.2 * totals.max()))
    axis.set_xticklabels([NAMES[p] for p in points.index])
    axis.legend(fontsize=7)
    common.save(figure, cycles.reset_index(), output, "fig13a")


def figure14(results, output):
    points = common.study(results, "fig14")
    models = common.ordered(points["model"])
    figure, axes = plt.subplots(1, len(models), figsize=(common.PAGE, 2.6), sharey=True)
    data = []
    for axis, model in zip(axes, models):
        rows = points[points["model"] == model].sort_values("batch")
        each = rows[list(PARTS)].div(rows["batch"], axis=0).div(rows["time_per_image"].iloc[0])
        stacked(axis, np.arange(len(rows)), each, 0.7, 1)
        axis.set(title=model, xlabel="batch size", xticks=np.arange(len(rows)))
        axis.set_xticklabels(rows["batch"])
        data.append(each.assign(model=model, batch=rows["batch"]))
    axes[0].set_ylabel("latency for an image,\nnormalised to batch 1")
    legend_below(figure, axes[-1])
    figure.suptitle("Figure 14: small batches at 224 px; the paper does not print the image size", y=1.05)
    common.save(figure, pd.concat(data), output, "fig14")


def figure15(results, output):
    points = common.study(results, "fig15")
    table = points.pivot_table(index=[ROWS, CAPACITY, "image_px", "model"], columns="policy", values="latency",
                               dropna=False)
    ratios = pd.DataFrame({policy: table[policy] / table["allspark"] for policy in POLICIES[:3]})
    # Only models and image sizes that every policy can run: otherwise the bars would stand for different sets.
    ratios = ratios.dropna()
    means = ratios.groupby(level=[ROWS, CAPACITY]).mean()
    counts = ratios.groupby(level=[ROWS, CAPACITY]).size().rename("points")
    capacities = sorted(points[CAPACITY].unique())
    figure, axes = plt.subplots(1, len(capacities), figsize=(common.PAGE, 2.7), sharey=True)
    for axis, capacity in zip(axes, capacities):
        rows = means.xs(capacity, level=CAPACITY)
        for position, side in enumerate(rows.index):
            axis.text(position, 0.99, f"{counts[side, capacity]}", ha="center", va="top", fontsize=6,
                      transform=axis.get_xaxis_transform())
        for i, policy in enumerate(POLICIES[:3]):
            axis.bar(np.arange(len(rows)) + (i - 1) * 0.26, rows[policy], 0.26, label=f"over {NAMES[policy]}",
                     color=COLORS[policy])
        axis.set(title=f"{capacity / 2**20:g} MiB per node", xlabel="node array", xticks=np.arange(len(rows)),
                 yscale="log",
                 ylim=(1, 2 * means.max().max()))
        axis.set_xticklabels([f"{r}x{r}" for r in rows.index], rotation=45)
    axes[0].set_ylabel("mean speedup of Allspark")
    legend_below(figure, axes[-1], y=-0.2)
    figure.suptitle("Figure 15: base-size models at 224 and 640 px; above the bars: how many of the 10 run under every "
                    "policy", y=1.06)
    common.save(figure, means.join(counts).reset_index(), output, "fig15")


METHODS = {"greedy": ("greedy (Allspark)", "#2a6f4e"), "ddam": ("integer programs (as DDAM)", "#8b5e83"),
           "annealing": ("annealing", "#7fa8d1"), "zig-zag": ("zig-zag", "#e0a458"),
           "random": ("random", "#b0b7c3")}
ROUTES = {"corner": ("by the corners (Sec. VII-B2)", "#e0a458"), "direct": ("from node to node", "#2a6f4e")}


def table3(results, output):
    rows = common.detail(results, "table3", "interactions")
    facts = common.published("allspark")
    stages = sorted(rows["stage"].unique())
    figure, axes = plt.subplots(1, 2, figsize=(common.PAGE, 2.9), sharey=True)
    for axis, policy in zip(axes, ("manual", "allspark")):
        for i, (method, (label, color)) in enumerate(METHODS.items()):
            chosen = rows[(rows["policy"] == policy) & (rows["placement"] == method)]
            hops = chosen.set_index("stage")["hops"].reindex(stages)
            axis.bar(np.arange(len(stages)) + (i - 2) * 0.17, hops, 0.17, label=label, color=color)
        for who, marker, shift, label in (("ours", "D", -0.34, "Allspark, published"),
                                          ("ddam", "s", -0.17, "DDAM, published")):
            values = [float(facts.loc[f"allspark-tab3-{who}-s{stage}", "value"]) for stage in stages]
            axis.plot(np.arange(len(stages)) + shift, values, marker, color="k", markerfacecolor="w", markersize=5,
                      label=label)
        axis.set(title="Table V's schedule" if policy == "manual" else "our optimum", xlabel="stage")
        axis.set_xticks(np.arange(len(stages)), stages)
    axes[0].set_ylabel("links crossed by a byte")
    legend_below(figure, axes[1], ncol=4)
    figure.suptitle("Table III: Swin-B, 640 px, 16 x 16 nodes; the paper prints neither model nor size",
                    y=1.03)
    common.save(figure, rows[["policy", "placement", "stage", "branches", "hops", "hops_of_dependence", "cycles"]],
                output, "table3")


def placements(results, output):
    """Where the branches of stage 1 are, colored by the row of the map that they come from."""
    rows = common.detail(results, "table3", "places")
    rows = rows[(rows["policy"] == "manual") & (rows["stage"] == 1)]
    side = int(np.sqrt(rows["branch"].max()))
    nodes = int(rows[ROWS].iloc[0]), int(rows[COLS].iloc[0])
    layers = sorted(rows["layer"].unique())
    figure, axes = plt.subplots(len(layers), len(METHODS), figsize=(common.PAGE, 1.7 * len(layers)), squeeze=False)
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
    figure.colorbar(shown, ax=axes, shrink=0.6, label="row of the window on the map")
    figure.suptitle("Swin-B, 640 px, stage 1: the 23 x 23 windows in three layers of 16 x 16 nodes")
    common.save(figure, rows[["placement", "layer", "branch", "node_row", "node_col", "height", "width"]], output,
                "placements")


def figure13b(results, output):
    points = common.study(results, "fig13a")
    points = points[points["status"] == 0].set_index("policy")
    columns = {"macs": "multiply-\naccumulates", "noc_byte_hops": "NoC\nworkload", "dram_bytes": "DRAM\naccesses",
               "energy": "energy"}
    ratios = points[list(columns)] / points.loc["allspark", list(columns)]
    facts = common.published("allspark")
    figure, axis = plt.subplots(figsize=(common.COLUMN, 2.8))
    shown = [policy for policy in POLICIES if policy in ratios.index]
    for i, policy in enumerate(shown):
        axis.bar(np.arange(len(columns)) + (i - 1.5) * 0.2, ratios.loc[policy], 0.2, label=NAMES[policy],
                 color=COLORS[policy])
    published = [float(facts.loc[f"allspark-fig13b-p-{name}", "value"]) for name in ("noc", "dram", "energy")]
    axis.plot(np.arange(1, 4) + (shown.index("patch") - 1.5) * 0.2, published, "D", color="k", markerfacecolor="w",
              markersize=5, label="P, published")
    axis.set(ylabel="relative to Allspark", title="Figure 13b: Swin-B, 640 px")
    axis.set_xticks(np.arange(len(columns)), columns.values())
    axis.legend(fontsize=7)
    common.save(figure, ratios.reset_index(), output, "fig13b")


def interaction(results, output):
    points = common.study(results, "interaction")
    bound = float(common.published("allspark").loc["allspark-fig14-interact", "value"])
    models, sizes = common.ordered(points["model"]), common.ordered(points["image_px"])
    figure, axes = plt.subplots(1, len(sizes), figsize=(common.PAGE, 2.7), sharey=True)
    for axis, size in zip(axes, sizes):
        for i, (route, (label, color)) in enumerate(ROUTES.items()):
            rows = points[(points["image_px"] == size) & (points["interaction_route"] == route)]
            rows = rows.set_index("model").reindex(models)
            axis.bar(np.arange(len(models)) + (i - 0.5) * 0.35, 100 * rows["interaction_share"], 0.35, label=label,
                     color=color)
        axis.set_ylim(0.1, 100)
        axis.axhline(bound, color="k", linestyle="--", linewidth=1, label=f"published: below {bound:g} %")
        axis.set(title=f"{size} px", yscale="log")
        axis.set_xticks(np.arange(len(models)), models)
    axes[0].set_ylabel("share of exchanges\nbetween branches [%]")
    legend_below(figure, axes[-1])
    common.save(figure, points[["model", "image_px", "interaction_route", "interaction_time", "interaction_share"]],
                output, "interaction")


def draw_table(frame, output, name, title):
    figure, axis = plt.subplots(figsize=(1.2 * len(frame.columns), 0.24 * (len(frame) + 1)))
    axis.axis("off")
    table = axis.table(cellText=frame.astype(str).to_numpy(), colLabels=frame.columns, cellLoc="center",
                       bbox=(0, 0, 1, 1))
    table.auto_set_font_size(False)
    table.set_fontsize(7)
    table.auto_set_column_width(range(len(frame.columns)))
    axis.set_title(title)
    common.save(figure, frame, output, name)


def table5(results, output):
    stages = common.detail(results, "table5", "stages")
    stages = stages[["hardware.noc.transfer", "policy", "stage", "temporal_layers", "schemes", "weights_reused",
                     "latency"]].copy()
    stages["latency"] = (1e3 * stages["latency"]).map("{:.3f} ms".format)
    stages["policy"] = stages["policy"].map(NAMES)
    stages = stages.rename(columns={"hardware.noc.transfer": "transfer", "temporal_layers": "layers",
                                    "weights_reused": "weight reuse"})
    draw_table(stages, output, "table5", "Table V: Swin-B, 640 px, 8 MiB (schemes: head split x patch split)")


def table6(results, output):
    points = common.study(results, "table6")
    facts = common.published("allspark")
    rows = []
    for case, reuse, sharing in (("both", 1, 1), ("noreuse", 0, 1), ("noshare", 1, 0)):
        point = points[(points["weight_reuse"] == reuse) & (points["weight_sharing"] == sharing)].iloc[0]
        row = {"case": {"both": "reuse + sharing", "noreuse": "no reuse", "noshare": "no sharing"}[case]}
        for part, metric in (("weights", "weights_stored"), ("workspace", "workspace"), ("total", "memory_used")):
            row[f"{part} [MiB]"] = f"{point[metric] / 2**20:.2f}"
            row[f"{part} published"] = facts.loc[f"allspark-tab6-{case}-{part}", "value"]
        rows.append(row)
    draw_table(pd.DataFrame(rows), output, "table6", "Table VI: memory of a node, Swin-B, 640 px, Table V's schedule")


def main():
    results, output = common.arguments(__doc__)
    drawings = {"fig4": [figure4], "fig11": [figure11], "fig12": [figure12], "fig13a": [figure13a, figure13b],
                "fig14": [figure14],
                "fig15": [figure15], "table3": [table3, placements], "table5": [table5], "table6": [table6],
                "interaction": [interaction], "fig16": [comparison.figure16], "table7": [comparison.table7],
                "fidelity": [comparison.fidelity]}
    for name, drawn in drawings.items():
        if common.study(results, name) is not None:
            for draw in drawn:
                draw(results, output)


if __name__ == "__main__":
    main()
