#!/usr/bin/env python3
"""Draws the figures and tables of the Allspark paper from the results of experiments/allspark.toml."""

import functools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import allspark_comparison as comparison
from allspark_comparison import COLS, ROWS, SIZE, fact
from pimsweep import plot

POLICIES = ["branch", "patch", "head", "allspark", "ideal"]
BASELINES = {"branch": "B", "patch": "P", "head": "AH"}
NAMES = {"branch": "B (branch)", "patch": "P (patch)", "head": "AH (head)", "allspark": "Allspark", "ideal": "ideal",
         "manual": "Table V as printed"}
COLORS = {"branch": "#b0b7c3", "patch": "#7fa8d1", "head": "#e0a458", "allspark": "#2a6f4e", "ideal": "#d9d9d9"}
PARTS = {"compute_time": ("computation", "#2a6f4e"), "transfer_time": ("feature-map transfer", "#7fa8d1"),
         "weight_sharing_time": ("weight sharing", "#e0a458"), "nonlinear_time": ("non-linear", "#b0b7c3")}
CAPACITY = "hardware.dram.bank_capacity"


def figure4(results):
    table = 100 * plot.wide(results.detail("fig4", "stages"), "stage", "model", "node_utilization")
    bound = fact("fig4-util")
    figure, data = plot.compare({"Figure 4: parallelism of branches,\n640 px, 16 x 16 nodes": table},
                                "node utilization (%)", width=plot.COLUMN, xlabel="stage", ylim=(0, 100),
                                entries=[plot.entry(f"published: below {bound:g} %", **plot.PUBLISHED_LINE)])
    plot.published_line(figure.axes[0], bound, None, (1.5, 3.5))
    return figure, data


# Models by the beginning of their names, and the tag of published means.
GROUPS = {"a": ("ViT and PVT", True, "orig"), "b": ("local-attention models", False, "lvt")}


def figure11(letter, results):
    title, original, group = GROUPS[letter]
    points = results.frame("fig11").assign(way=comparison.ways)
    times = plot.wide(points[points["model"].str.startswith(("vit", "pvt")) == original], [SIZE, "model"], "way",
                      "time")
    times = times[POLICIES].dropna(how="all")
    # B, or the first baseline that fits into memory, is 1.
    speedup = times.rdiv(times.bfill(axis=1)["branch"], axis=0)
    means = times[list(BASELINES)].div(times["allspark"], axis=0).mean().to_frame("allspark")
    theirs = plot.published_table("allspark", means, lambda policy, _: f"fig11-{group}-{BASELINES[policy].lower()}")
    sizes, models = plot.ordered(points[SIZE]), plot.ordered(times.index.get_level_values("model"))
    figure, axes = plt.subplot_mosaic([[size, "mean"] for size in sizes], figsize=(plot.PAGE, 5.8), width_ratios=[6, 1])
    for size in sizes:
        axis, rows = axes[size], speedup.loc[size].reindex(models)
        plot.bars(axis, rows, COLORS, NAMES, 1, names=models if size == sizes[-1] else [""] * len(models), rotation=30,
                  ha="right")
        plot.log_axis(axis.yaxis, [1, 10, 100])
        axis.set(ylabel=f"speedup (x)\n{size} px", ylim=(0.7, 3 * speedup.max().max()))
        for place, model in enumerate(models):
            missing = [name for policy, name in {**BASELINES, "allspark": "Allspark"}.items()
                       if np.isnan(rows[policy][model])]
            # Two lines of at most two names.
            names = ",\n".join(", ".join(missing[i:i + 2]) for i in (0, 2) if missing[i:i + 2])
            axis.text(place, 0.98, names and f"no {names}", ha="center", va="top", fontsize=plot.TINY,
                      color="firebrick", transform=axis.get_xaxis_transform())
    plot.bars(axes["mean"], means, COLORS, NAMES, 1, theirs, BASELINES.values())
    plot.log_axis(axes["mean"].yaxis, [1, 2, 5, 10, 20, 50])
    axes["mean"].set(title="mean", ylabel="speedup of Allspark over each baseline (x)", ylim=(0.9, 60))
    figure.suptitle(f"Figure 11{letter}: {title}; speedup over B, or over the first baseline that fits into memory "
                    "(red: what does not fit)")
    plot.legend(figure, 6, axes[sizes[0]], plot.published_mark("published mean"))
    return figure, pd.concat([speedup.reset_index(), means.join(theirs, rsuffix=" published").reset_index()])


def figure12(results):
    columns = [SIZE, "model", "policy", "stage", "node_utilization"]
    points = results.frame("fig12")
    data = pd.concat([results.detail("fig12", "stages")[columns], points.assign(stage="all")[columns]])
    floors = {"swin-b": fact("fig12-swinb"), "twins-svt-b": fact("fig12-twinsb")}
    models, sizes = plot.ordered(points["model"]), plot.ordered(points[SIZE])
    figure, axes = plot.panels(len(sizes), len(models), 1.4 * len(sizes) + 0.7,
                               "Figure 12: node utilization (Eq. 16); the "
                               "paper does not print the image size of its values", models, sharex=True, sharey=True)
    for row, size in zip(axes, sizes):
        for axis, model in zip(row, models):
            table = 100 * plot.wide(data, "stage", "policy", "node_utilization", model=model, **{SIZE: size})
            table = table.reindex(index=[1, 2, 3, 4, "all"], columns=POLICIES[:-1])
            marks = pd.DataFrame({"allspark": {"all": floors.get(model, np.nan)}})
            plot.bars(axis, table, COLORS, NAMES, published=marks)
        row[0].set(ylabel=f"{size} px\nutilization (%)", ylim=(0, 108))
    for axis in axes[-1]:
        axis.set_xlabel("stage")
    plot.legend(figure, 5, axes[0][0], plot.published_mark("published: above"))
    return figure, data


def breakdown(results):
    """The points of Figure 13, by policy."""
    points = plot.select(results.frame("fig13a"), status=0).set_index("policy")
    return points.loc[[policy for policy in POLICIES if policy in points.index]]


def figure13a(results):
    points = breakdown(results)
    cycles = points[list(PARTS)].mul(points["hardware.clock"], axis=0)
    moved = cycles["transfer_time"] + cycles["weight_sharing_time"]
    figure, (left, right) = plot.panels(1, 2, 2.8, "Figure 13a: Swin-B, 640 px", width_ratios=[1.4, 1], titles=[
        "time of an image", "transfer and sharing of Allspark"])
    plot.stacked(left, cycles / 1e6, PARTS)
    plot.group_names(left, [NAMES[policy] for policy in cycles.index])
    left.set_ylabel("time (million cycles)")
    shares = (100 * moved["allspark"] / moved[list(BASELINES)]).to_frame("ours")
    plot.bars(right, shares, plot.PALETTE[3:], names=BASELINES.values())
    right.set(ylabel="share of the time that each\nbaseline takes for both (%)", ylim=(0, 100))
    plot.published_range(right, fact("fig13a-xfer"), fact("fig13a-xfer", "value_hi"))
    plot.legend(figure, 6, left, right)
    return figure, cycles.join(shares).reset_index()


QUANTITIES = {"macs": ("multiply-\naccumulates", None), "noc_byte_hops": ("NoC\nworkload", "noc"),
              "dram_bytes": ("DRAM\naccesses", "dram"), "energy": ("energy", "energy")}


def figure13b(results):
    points = breakdown(results)
    ratios = (points[list(QUANTITIES)] / points.loc["allspark", list(QUANTITIES)]).T
    return plot.compare(
        {"Figure 13b: Swin-B, 640 px": ratios}, "each quantity, Allspark = 1", width=plot.COLUMN, columns=3,
        colors=COLORS, labels=NAMES, names=[text for text, _ in QUANTITIES.values()], fontsize=plot.TINY,
        published=lambda table: plot.published_table("allspark", table, lambda metric, policy: policy == "patch" and
                                                     f"fig13b-p-{QUANTITIES[metric][1]}"))


def figure14(results):
    points = results.frame("fig14")
    models = plot.ordered(points["model"])
    figure, axes = plot.panels(1, len(models),
                               title="Figure 14: small batches at 224 px; the paper does not print the image "
                               "size, and no value but that of the exchanges", titles=models, sharey=True)
    data = []
    for axis, model in zip(axes, models):
        rows = plot.select(points, model=model).sort_values("batch")
        each = rows[list(PARTS)].div(rows["batch"] * rows["time_per_sample"].iloc[0], axis=0)
        plot.stacked(axis, each, PARTS)
        plot.group_names(axis, rows["batch"])
        axis.set_xlabel("batch size")
        data.append(each.assign(model=model, batch=rows["batch"]))
    axes[0].set_ylabel("time of an image,\nbatch 1 = 1")
    plot.legend(figure, 4, axes[0])
    return figure, pd.concat(data)


def figure15(results):
    table = plot.wide(results.frame("fig15"), [CAPACITY, ROWS, SIZE, "model"], "policy", "time")
    # Only models and image sizes that every policy can run: otherwise the bars would stand for different sets.
    ratios = table[list(BASELINES)].div(table["allspark"], axis=0).dropna()
    tables = {f"{capacity / 2**20:g} MiB per node": rows.groupby(level=ROWS) for capacity, rows in
              ratios.groupby(level=CAPACITY)}
    means = {title: groups.mean() for title, groups in tables.items()}
    figure, data = plot.compare(
        means, "mean speedup of Allspark (x)",
        "Figure 15: base-size models at 224 and 640 px; above: how many of 10 run "
        "under every policy (the paper prints no values)", log=[1, 2, 5, 10, 20, 50], xlabel="node array", ylim=(1, 90),
        colors=COLORS, labels={policy: f"over {NAMES[policy]}" for policy in BASELINES}, base=1, rotation=45,
        names=[f"{side}x{side}" for side in next(iter(means.values())).index])
    for axis, groups in zip(figure.axes, tables.values()):
        for place, count in enumerate(groups.size()):
            axis.text(place, 0.99, count, ha="center", va="top", fontsize=plot.TINY,
                      transform=axis.get_xaxis_transform())
    return figure, data


METHODS = {"greedy": ("greedy (Allspark)", "#2a6f4e"), "ddam": ("integer programs (as DDAM)", "#8b5e83"),
           "annealing": ("annealing", "#7fa8d1"), "zig-zag": ("zig-zag", "#e0a458"),
           "random": ("random", "#b0b7c3")}


def table3(results):
    rows = results.detail("table3", "interactions")
    labels, colors = ({method: pair[i] for method, pair in METHODS.items()} for i in (0, 1))
    tables = {title: plot.wide(rows, "stage", "placement", "hops", policy=policy)[list(METHODS)].sort_index()
              for policy, title in (("manual", "Table V's schedule"), ("allspark", "our optimum"))}
    return plot.compare(
        tables, "links crossed by a byte",
        "Table III: Swin-B, 640 px, 16 x 16 nodes; the paper prints neither model nor size",
        lambda table: plot.published_table("allspark", table, lambda stage, method: {
            "greedy": f"tab3-ours-s{stage}", "ddam": f"tab3-ddam-s{stage}"}.get(method)),
        mark="published, of the method below the mark", xlabel="stage", columns=3, colors=colors, labels=labels)


def placements(results):
    """Where the branches of stage 1 are, colored by the row of the map that they come from."""
    rows = plot.select(results.detail("table3", "places"), policy="manual", stage=1)
    side = int(np.sqrt(rows["branch"].max()))
    layers = sorted(rows["layer"].unique())
    figure, axes = plot.panels(len(layers), len(METHODS), 1.3 * len(layers) + 0.4,
                               f"Swin-B, 640 px, stage 1: {side} x {side} "
                               "windows in three layers on 16 x 16 nodes", METHODS)
    for (i, layer), (j, method) in ((y, x) for y in enumerate(layers) for x in enumerate(METHODS)):
        image = np.full((int(rows[ROWS].iloc[0]), int(rows[COLS].iloc[0])), np.nan)
        places = plot.select(rows, placement=method, layer=layer)
        for place in places.itertuples():
            image[place.node_row:place.node_row + place.height, place.node_col:place.node_col + place.width] = \
                (place.branch - 1) // side
        shown = axes[i][j].imshow(image, cmap="viridis", vmin=0, vmax=side - 1)
        axes[i][j].set(xticks=[], yticks=[])
        axes[i][j].grid(False)
        if not j:
            height, width = places[["height", "width"]].iloc[0]
            axes[i][j].set_ylabel(f"layer {layer}, {height} x {width} node{'s' * (height * width > 1)}\neach, "
                                  f"{places['branch'].nunique()} windows", fontsize=plot.TINY)
    figure.colorbar(shown, ax=axes, shrink=0.6, ticks=range(0, side, 4), label="row of the window on the map")
    return figure, rows[["placement", "layer", "branch", "node_row", "node_col", "height", "width"]]


ROUTES = {"corner": ("by the corners (Sec. VII-B2)", "#e0a458"), "direct": ("from node to node", "#2a6f4e")}


def interaction(results):
    points = results.frame("interaction")
    labels, colors = ({route: pair[i] for route, pair in ROUTES.items()} for i in (0, 1))
    tables = {f"{size} px": 100 * plot.wide(points, "model", "interaction_route", "interaction_share", **{SIZE: size})
              [list(ROUTES)] for size in plot.ordered(points[SIZE])}
    return plot.compare(tables, "share of the time (%)", "Figure 14, a part of it: exchanges between branches",
                        draw=plot.dots, bound=(fact("fig14-interact"), "published: below this"),
                        log=[0.1, 1, 10, 100], ylim=(0.1, 100), colors=colors, labels=labels, text="{:.2g}".format)


def table5(results):
    """Swin-B, 640 px, 8 MiB; schemes are head split x patch split."""
    stages = results.detail("table5", "stages")
    stages = stages[["hardware.noc.transfer", "policy", "stage", "temporal_layers", "schemes", "weights_reused",
                     "time"]]
    return None, stages.assign(time=(1e3 * stages["time"]).map("{:.3f} ms".format), policy=stages["policy"].map(NAMES))


def table6(results):
    """Memory of a node in MiB: Swin-B, 640 px, the schedule of Table V."""
    points = results.frame("table6").set_index(["weight_reuse", "weight_sharing"])
    cases = {"both": (1, 1), "noreuse": (0, 1), "noshare": (1, 0)}
    metrics = {"weights": "weights_stored", "workspace": "workspace", "total": "memory_used"}
    ours = pd.DataFrame({part: {case: points.loc[key, metric] / 2**20 for case, key in cases.items()}
                         for part, metric in metrics.items()})
    return None, plot.beside(ours, plot.published_table("allspark", ours, "tab6-{}-{}".format))


DRAWINGS = {
    "fig4": figure4, "fig11a": functools.partial(figure11, "a"), "fig11b": functools.partial(figure11, "b"),
    "fig12": figure12, "fig13a": figure13a, "fig13b": figure13b, "fig14": figure14, "fig15": figure15,
    "fig16": comparison.figure16, "table3": table3, "table5": table5, "table6": table6, "table7": comparison.table7,
    "interaction": interaction, "placements": placements,
}

if __name__ == "__main__":
    plot.main(__doc__, DRAWINGS, "allspark")
