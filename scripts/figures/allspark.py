"""The figures and tables of the Allspark paper from the results of experiments/allspark.toml."""

import functools
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import pimsweep
from contestants import ways
from pimsweep import plot

ROWS, COLS, SIZE = "hardware.node_array.rows", "hardware.node_array.cols", "image_px"
BANKS, BANDWIDTH = "hardware.dram.banks_per_node", "hardware.dram.bank_bandwidth"
# Color and marker by family; the smaller of two models has dashes and hollow marks.
FAMILIES = {"vit": ("#555555", "o"), "pvt": ("#b0b7c3", "s"), "swin": ("#2a6f4e", "^"), "focal": ("#7fa8d1", "v"),
            "twins-svt": ("#e0a458", "D"), "cswin": ("#a04668", "P")}
fact = functools.partial(pimsweep.fact, "allspark")
POLICIES = ["branch", "patch", "head", "allspark", "ideal"]
BASELINES = {"branch": "B", "patch": "P", "head": "AH"}
NAMES = {"branch": "B (branch)", "patch": "P (patch)", "head": "AH (head)", "allspark": "Allspark", "ideal": "ideal",
         "manual": "Table V as printed"}
COLORS = {"branch": "#b0b7c3", "patch": "#7fa8d1", "head": "#e0a458", "allspark": "#2a6f4e", "ideal": "#d9d9d9"}
PARTS = {"compute_time": ("computation", "#2a6f4e"), "transfer_time": ("feature-map transfer", "#7fa8d1"),
         "weight_sharing_time": ("weight sharing", "#e0a458"), "nonlinear_time": ("non-linear", "#b0b7c3")}
CAPACITY = "hardware.dram.bank_capacity"


def fig4(results):
    table = 100 * plot.wide(results.detail("fig4", "stages"), "stage", "model", "node_utilization")
    bound = fact("fig4-util")
    figure, data = plot.compare(table, "node utilization (%)", width=plot.COLUMN, xlabel="stage", ylim=(0, 100),
                                columns=3, entries=[plot.entry(f"published: below {bound:g} %", **plot.PUBLISHED_LINE)])
    plot.published_line(figure.axes[0], bound, None, (1.5, 3.5))
    return figure, data


# Whether models are those with names of ViT and PVT, and the tag of published means.
GROUPS = {"a": (True, "orig"), "b": (False, "lvt")}


def figure11(letter, results):
    original, group = GROUPS[letter]
    points = results.frame("fig11").assign(way=ways)
    times = plot.wide(points[points["model"].str.startswith(("vit", "pvt")) == original], [SIZE, "model"], "way",
                      "time")
    times = times[POLICIES].dropna(how="all")
    # B, or the first baseline that fits into memory, is 1.
    speedup = times.rdiv(times.bfill(axis=1)["branch"], axis=0)
    means = plot.relative(times, "allspark")[list(BASELINES)].mean().to_frame("allspark")
    theirs = plot.published_table("allspark", means, lambda policy, _: f"fig11-{group}-{BASELINES[policy].lower()}")
    sizes, models = plot.ordered(points[SIZE]), plot.ordered(times.index.get_level_values("model"))
    figure, axes = plt.subplot_mosaic([[size, "mean"] for size in sizes], figsize=(plot.PAGE, 5.8), width_ratios=[6, 1])
    for size in sizes:
        axis, rows = axes[size], speedup.loc[size].reindex(models)
        plot.bars(axis, rows, COLORS, NAMES, 1, names=models if size == sizes[-1] else [""] * len(models), rotation=30,
                  ha="right")
        plot.set_axes(axis, log_y=[1, 10, 100], ylim=(0.5, 3 * speedup.max().max()), ylabel=f"speedup (x)\n{size} px")
        for place, model in enumerate(models):
            missing = [name for policy, name in {**BASELINES, "allspark": "Allspark"}.items()
                       if np.isnan(rows[policy][model])]
            # Two lines of at most two names.
            names = ",\n".join(", ".join(missing[i:i + 2]) for i in (0, 2) if missing[i:i + 2])
            plot.note(axis, place, names and f"no {names}", 0.98, color="firebrick")
    plot.bars(axes["mean"], means, COLORS, NAMES, 1, theirs, BASELINES.values())
    plot.set_axes(axes["mean"], log_y=[1, 2, 5, 10, 20, 50], ylim=(0.9, 60), title="mean",
                  ylabel="speedup of Allspark over each baseline (x)")
    plot.legend(figure, 6, axes[sizes[0]], "published mean")
    return figure, pd.concat([speedup.reset_index(), means.join(theirs, rsuffix=" published").reset_index()])


fig11a, fig11b = (functools.partial(figure11, letter) for letter in GROUPS)


def fig12(results):
    columns = [SIZE, "model", "policy", "stage", "node_utilization"]
    points = results.frame("fig12")
    data = pd.concat([results.detail("fig12", "stages")[columns], points.assign(stage="all")[columns]])
    floors = {"swin-b": fact("fig12-swinb"), "twins-svt-b": fact("fig12-twinsb")}
    models, sizes = plot.ordered(points["model"]), plot.ordered(points[SIZE])
    figure, axes = plot.panels(len(sizes), len(models), 1.4 * len(sizes) + 0.7, titles=models, sharex=True, sharey=True,
                               xlabel="stage", ylabel=[f"{size} px\nutilization (%)" for size in sizes], ylim=(0, 108))
    for axis, (size, model) in zip(axes.flat, itertools.product(sizes, models)):
        table = 100 * plot.wide(data, "stage", "policy", "node_utilization", model=model, **{SIZE: size})
        plot.bars(axis, table.reindex(index=[1, 2, 3, 4, "all"], columns=POLICIES[:-1]), COLORS, NAMES,
                  published=pd.DataFrame({"allspark": {"all": floors.get(model, np.nan)}}))
    plot.legend(figure, 5, axes[0][0], "published: above")
    return figure, data


def _breakdown(results):
    """The points of Figure 13, by policy."""
    points = plot.select(results.frame("fig13a"), status=0).set_index("policy")
    return points.loc[[policy for policy in POLICIES if policy in points.index]]


def fig13a(results):
    points = _breakdown(results)
    cycles = points[list(PARTS)].mul(points["hardware.clock"], axis=0)
    moved = cycles["transfer_time"] + cycles["weight_sharing_time"]
    figure, (left, right) = plot.panels(
        1, 2, 2.8, titles=["time of an image", "transfer and sharing of Allspark"], width_ratios=[1.4, 1],
        ylabel=["time (million cycles)", "share of the time that each\nbaseline takes for both (%)"])
    plot.stacked(left, cycles / 1e6, PARTS, names=[NAMES[policy] for policy in cycles.index])
    shares = (100 * moved["allspark"] / moved[list(BASELINES)]).to_frame("ours")
    plot.bars(right, shares, plot.PALETTE[3:], names=BASELINES.values())
    right.set_ylim(0, 100)
    plot.published_range(right, fact("fig13a-xfer"), fact("fig13a-xfer", "value_hi"))
    plot.legend(figure, 6, left, right)
    return figure, cycles.join(shares).reset_index()


QUANTITIES = {"macs": ("multiply-\naccumulates", None), "noc_byte_hops": ("NoC\nworkload", "noc"),
              "dram_bytes": ("DRAM\naccesses", "dram"), "energy": ("energy", "energy")}


def fig13b(results):
    points = _breakdown(results)
    ratios = (points[list(QUANTITIES)] / points.loc["allspark", list(QUANTITIES)]).T
    return plot.compare(
        ratios, "each quantity, Allspark = 1", width=plot.COLUMN, columns=3, colors=COLORS, labels=NAMES,
        names=[text for text, _ in QUANTITIES.values()], fontsize=plot.TINY, published=(
            "allspark", lambda metric, policy: policy == "patch" and f"fig13b-p-{QUANTITIES[metric][1]}"))


def fig14(results):
    models = plot.split(results.frame("fig14").sort_values("batch", kind="stable"), "model")
    figure, axes = plot.panels(1, len(models), titles=models, sharey=True, xlabel="batch size",
                               ylabel="time of an image,\nbatch 1 = 1")
    data = []
    for axis, (model, rows) in zip(axes, models.items()):
        each = rows[list(PARTS)].div(rows["batch"] * rows["time_per_sample"].iloc[0], axis=0)
        plot.stacked(axis, each, PARTS, names=rows["batch"])
        data.append(each.assign(model=model, batch=rows["batch"]))
    plot.legend(figure, 4, axes[0])
    return figure, pd.concat(data)


def fig15(results):
    table = plot.wide(results.frame("fig15"), [CAPACITY, ROWS, SIZE, "model"], "policy", "time")
    # Only models and image sizes that every policy can run: otherwise the bars would stand for different sets.
    ratios = plot.relative(table, "allspark")[list(BASELINES)].dropna()
    tables = {f"{capacity / 2**20:g} MiB per node": rows.groupby(level=ROWS) for capacity, rows in
              ratios.groupby(level=CAPACITY)}
    means = {title: groups.mean() for title, groups in tables.items()}
    figure, data = plot.compare(
        means, "mean speedup of Allspark (x)", log_y=[1, 2, 5, 10, 20, 50], xlabel="node array", ylim=(1, 90),
        colors=COLORS, labels={policy: f"over {NAMES[policy]}" for policy in BASELINES}, base=1, rotation=45,
        names=[f"{side}x{side}" for side in next(iter(means.values())).index])
    for axis, groups in zip(figure.axes, tables.values()):
        for place, count in enumerate(groups.size()):
            plot.note(axis, place, count)
    return figure, data


def style(model):
    family, size = model.rsplit("-", 1)
    color, marker = FAMILIES[family]
    small = {"linestyle": "--", "markerfacecolor": "white"} if size == "s" else {}
    return {"color": color, "marker": marker, "markersize": 4, **small}


def ratios(points, metric, policy="allspark"):
    """The GPU's value divided by that of a policy; NaN where the policy has no schedule."""
    keys = [name for name in (SIZE, ROWS, "batch", "model") if points[name].nunique() > 1]
    table = plot.wide(points.assign(way=ways(points)), keys, "way", metric)
    return table["gpu"] / table[policy]


def fig16(results):
    points = results.frame("fig16")
    sizes, batches = plot.ordered(points[SIZE]), sorted(set(points["batch"]))
    styles = {model: style(model) for model in plot.ordered(points["model"])}
    speedup, energy, bound = ratios(points, "time"), ratios(points, "energy"), ratios(points, "time", "ideal")
    figure, axes = plot.panels(2, len(sizes), 4.8, titles=[f"{size} px" for size in sizes], sharex=True, sharey="row",
                               ylabel=["speedup over the V100 (x)", "energy of the V100,\nAllspark = 1"],
                               xlabel="batch", log_x=batches)
    for (above, below), size in zip(axes.T, sizes):
        for axis, values in ((above, speedup), (below, energy)):
            plot.lines(axis, values[size].unstack("model").sort_index().reindex(columns=styles), styles)
        plot.published_line(above, fact("fig16-avg"), "published mean")
        above.plot(batches, bound[size].groupby("batch").mean(), "k-", linewidth=0.8, label="all PEs busy, mean")
        plot.published_range(below, fact("fig16-energy"), fact("fig16-energy", "value_hi"))
    plot.log_axis(axes[0][0].yaxis, [0.2, 0.5, 1, 2, 5, 10])
    plot.log_axis(axes[1][0].yaxis, [10, 15, 20, 30, 50])
    plot.legend(figure, 5, axes[0][0], *plot.patches({"published range": "0.85"}), handlelength=3)
    return figure, speedup.rename("speedup").to_frame().join(energy.rename("energy_ratio")).reset_index()


METHODS = {"greedy": ("greedy (Allspark)", "#2a6f4e"), "ddam": ("integer programs (as DDAM)", "#8b5e83"),
           "annealing": ("annealing", "#7fa8d1"), "zig-zag": ("zig-zag", "#e0a458"),
           "random": ("random", "#b0b7c3")}


def table3(results):
    labels, colors = ({method: pair[i] for method, pair in METHODS.items()} for i in (0, 1))
    tables = {title: plot.wide(rows, "stage", "placement", "hops")[list(METHODS)].sort_index()
              for title, rows in plot.split(results.detail("table3", "interactions"), "policy", {
                  "manual": "Table V's schedule", "allspark": "our optimum"}).items()}
    return plot.compare(
        tables, "links crossed by a byte", published=("allspark", lambda stage, method: {
            "greedy": f"tab3-ours-s{stage}", "ddam": f"tab3-ddam-s{stage}"}.get(method)),
        mark="published, of the method below the mark", xlabel="stage", columns=3, colors=colors, labels=labels)


def placements(results):
    """Where the branches of stage 1 are, colored by the row of the map that they come from."""
    rows = plot.select(results.detail("table3", "places"), policy="manual", stage=1)
    side = int(np.sqrt(rows["branch"].max()))
    layers = sorted(rows["layer"].unique())
    figure, axes = plot.panels(len(layers), len(METHODS), 1.3 * len(layers) + 0.4,
                               f"Swin-B, 640 px, stage 1: {side} x {side} "
                               "windows in three layers on 16 x 16 nodes",
                               [label.replace(" (", "\n(") for label, _ in METHODS.values()])
    for axis, (layer, method) in zip(axes.flat, itertools.product(layers, METHODS)):
        image = np.full((int(rows[ROWS].iloc[0]), int(rows[COLS].iloc[0])), np.nan)
        places = plot.select(rows, placement=method, layer=layer)
        for place in places.itertuples():
            image[place.node_row:place.node_row + place.height, place.node_col:place.node_col + place.width] = \
                (place.branch - 1) // side
        shown = axis.imshow(image, cmap="viridis", vmin=0, vmax=side - 1)
        axis.set(xticks=[], yticks=[])
        axis.grid(False)
        if axis in axes[:, 0]:
            height, width = places[["height", "width"]].iloc[0]
            axis.set_ylabel(f"layer {layer}, {height} x {width} node{'s' * (height * width > 1)}\neach, "
                            f"{places['branch'].nunique()} windows", fontsize=plot.TINY)
    figure.colorbar(shown, ax=axes, shrink=0.6, ticks=range(0, side, 4), label="row of the window on the map")
    return figure, rows[["placement", "layer", "branch", "node_row", "node_col", "height", "width"]]


ROUTES = {"corner": ("by the corners (Sec. VII-B2)", "#e0a458"), "direct": ("from node to node", "#2a6f4e")}


def interaction(results):
    labels, colors = ({route: pair[i] for route, pair in ROUTES.items()} for i in (0, 1))
    tables = {f"{size} px": 100 * plot.wide(rows, "model", "interaction_route", "interaction_share")[list(ROUTES)]
              for size, rows in plot.split(results.frame("interaction"), SIZE).items()}
    return plot.compare(tables, "share of the time (%)", draw=plot.dots, log_y=[0.1, 1, 10, 100], ylim=(0.1, 100),
                        bound=(fact("fig14-interact"), "published: below this"), colors=colors, labels=labels,
                        text="{:.2g}".format)


def table5(results):
    """Swin-B, 640 px, 8 MiB; schemes are head split x patch split."""
    stages = results.detail("table5", "stages")[["hardware.noc.transfer", "policy", "stage", "temporal_layers",
                                                 "schemes", "weights_reused", "time"]]
    return None, stages.assign(time=(1e3 * stages["time"]).map("{:.3f} ms".format), policy=stages["policy"].map(NAMES))


def table6(results):
    """Memory of a node in MiB: Swin-B, 640 px, the schedule of Table V."""
    points = plot.select(results.frame("table6"), unshared_split="head").set_index(["weight_reuse", "weight_sharing"])
    ours = points.loc[[(1, 1), (0, 1), (1, 0)], ["weights_stored", "workspace", "memory_used"]].set_axis(
        ["both", "noreuse", "noshare"]).set_axis(["weights", "workspace", "total"], axis=1) / 2**20
    return None, plot.beside(ours, plot.published_table("allspark", ours, "tab6-{}-{}".format))


def table7(results):
    points = results.frame("table7")
    # Arrays by their number of nodes.
    points[ROWS] *= points[COLS]
    first = points.drop_duplicates(ROWS).set_index(ROWS)
    # The same points for all bandwidths.
    table = ratios(points, "time").unstack(ROWS).dropna()
    means, bandwidth = table.mean(), (first.index * first[BANKS] * first[BANDWIDTH] / 1e12)[table.columns]
    theirs = np.array([fact(f"tab7-{name}") for name in ("900-gb-s", "1-12-tb-s", "1-49-tb-s", "3-35-tb-s")])
    figure, axis = plot.panels(
        height=2.9, width=plot.COLUMN, title=f"Table VII: mean of {len(table)} models, sizes and\nbatches over the "
        "bandwidth", ylim=(0, 2.5), xlabel="aggregate DRAM bandwidth (TB/s)", ylabel="mean speedup over the V100 (x)")
    axis.plot(bandwidth, means, "o-", label="ours")
    axis.plot(bandwidth, theirs, label="published", **plot.PUBLISHED)
    plot.legend(figure, 2, axis)
    return figure, means.rename("speedup").reset_index().assign(bandwidth=bandwidth.to_numpy(), published=theirs)
