"""The figures and tables of the Allspark paper from the results of experiments/allspark.toml."""

import functools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from contestants import ways
from pimsweep import facts, plot

ROWS, COLS, SIZE, CAPACITY = "hardware.node_array.rows", "hardware.node_array.cols", "image_px", \
    "hardware.dram.bank_capacity"
# Color and marker by family; the smaller of two models has dashes and hollow marks.
FAMILIES = {"vit": ("#20416b", "o"), "pvt": ("#b8bacc", "s"), "swin": ("#2a6f4e", "^"), "focal": ("#8794ca", "v"),
            "twins-svt": ("#e0a458", "D"), "cswin": ("#9c2a1a", "P")}
POLICIES = {"branch": ("B (branch)", "#b8bacc"), "patch": ("P (patch)", "#8794ca"), "head": ("AH (head)", "#e0a458"),
            "allspark": ("Allspark", "#2a6f4e"), "ideal": ("ideal", "#90d2aa"), "manual": ("Table V as printed", "")}
NAMES = {policy: name for policy, (name, _) in POLICIES.items()}
BASELINES = {"branch": "B", "patch": "P", "head": "AH"}
SHOWN = [*BASELINES, "allspark", "ideal"]
PARTS = {"compute_time": ("computation", "#2a6f4e"), "transfer_time": ("feature-map transfer", "#8794ca"),
         "weight_sharing_time": ("weight sharing", "#e0a458"), "nonlinear_time": ("non-linear", "#b8bacc")}
fact = facts("allspark")

fig4 = plot.drawing(
    ("fig4", "stages"), lambda rows: 100 * plot.wide(rows, "stage", "model", "node_utilization"),
    ylabel="node utilization (%)", width=plot.COLUMN, xlabel="stage", ylim=(0, 100), columns=3,
    bound=(fact("fig4-util"), None, (1.5, 3.5)),
    entries=[plot.entry(f"published: below {fact('fig4-util'):g} %", **plot.PUBLISHED_LINE)])

# Tag of published means, and True if its models have names of ViT and PVT.
GROUPS = {"a": (True, "orig"), "b": (False, "lvt")}


def speedups11(original, results):
    """Times of the models with or without names of ViT and PVT by size and way, and speedups over B."""
    points = results.frame("fig11").assign(way=ways)
    times = plot.wide(points[points["model"].str.startswith(("vit", "pvt")) == original], [SIZE, "model"], "way",
                      "time")
    times = times[SHOWN].dropna(how="all")
    # B, or the first baseline that fits into memory, is 1.
    return points, times, times.rdiv(times.bfill(axis=1)["branch"], axis=0).dropna(axis=1, how="all")


def figure11(letter, results):
    original, group = GROUPS[letter]
    points, times, speedup = speedups11(original, results)
    means = plot.relative(times, "allspark")[list(BASELINES)].mean().to_frame("allspark")
    theirs = plot.published_table("allspark", means, lambda policy, _: f"fig11-{group}-{BASELINES[policy].lower()}")
    sizes, models = plot.ordered(points[SIZE]), plot.ordered(times.index.get_level_values("model"))
    figure, axes = plt.subplot_mosaic([[size, "mean"] for size in sizes], figsize=(plot.PAGE, 5.8), width_ratios=[6, 1])
    for size in sizes:
        axis, rows = axes[size], speedup.loc[size].reindex(models)
        # B is 1 wherever it fits.
        plot.bars(axis, rows.drop(columns="branch", errors="ignore"), POLICIES, base=1, names=models if size == sizes[-1] else [""] * len(models), rotation=30,
                  ha="right")
        plot.set_axes(axis, log_y=[1, 10, 100], ylim=(0.5, 3 * speedup.max().max()), ylabel=f"speedup (x)\n{size} px")
        for place, model in enumerate(models):
            missing = [name for policy, name in {**BASELINES, "allspark": "Allspark"}.items()
                       if policy not in rows or np.isnan(rows[policy][model])]
            # Two lines of at most two names.
            names = ",\n".join(", ".join(missing[i:i + 2]) for i in (0, 2) if missing[i:i + 2])
            plot.note(axis, place, names and f"no {names}", 0.98, color="#9c2a1a")
    plot.bars(axes["mean"], means, POLICIES, None, 1, theirs, BASELINES)
    plot.set_axes(axes["mean"], log_y=[1, 2, 5, 10, 20, 50], ylim=(0.9, 60), title="mean",
                  ylabel="speedup of Allspark over each baseline (x)")
    plot.legend(figure, 6, axes[sizes[0]], "published mean")
    return figure, pd.concat([speedup.reset_index(), means.join(theirs, rsuffix=" published").reset_index()])


fig11a, fig11b = (functools.partial(figure11, letter) for letter in GROUPS)


def fig11_paper(results):
    """Figure 11 in one panel, as in the paper: all models, means over the sizes of images."""
    tables = [speedups11(original, results)[2] for original, _ in GROUPS.values()]
    means = pd.concat(tables).groupby("model").mean()
    models = plot.ordered(results.frame("fig11")["model"])
    return plot.compare(means.reindex(models)[[way for way in SHOWN[1:] if way in means]], "speedup over B (x)",
                        height=2.9, columns=5, log_y=[1, 10, 100], colors=POLICIES, base=1, rotation=30, ha="right")


def fig12(results):
    columns = [SIZE, "model", "policy", "stage", "node_utilization"]
    points = results.frame("fig12")
    data = pd.concat([results.detail("fig12", "stages")[columns], points.assign(stage="all")[columns]])
    floors = {"swin-b": fact("fig12-swinb"), "twins-svt-b": fact("fig12-twinsb")}
    sizes = plot.ordered(points[SIZE])
    return plot.compare(
        {size: {model: 100 * plot.wide(rows, "stage", "policy", "node_utilization", **{SIZE: size}).reindex(
            index=[1, 2, 3, 4, "all"], columns=SHOWN[:-1]) for model, rows in plot.split(data, "model").items()}
         for size in sizes}, "{} px\nutilization (%)", height=1.4 * len(sizes) + 0.7, sharex=True, xlabel="stage",
        published={model: pd.DataFrame({"allspark": {"all": floor}}) for model, floor in floors.items()}, ylim=(0, 108),
        colors=POLICIES, columns=3, mark="Allspark, published: at least",
        bound=(fact("fig12-others"), f"others, published: below {fact('fig12-others'):g} %", (3.55, 4.2)))


def _breakdown(results):
    """The points of Figure 13, by policy."""
    points = plot.select(results.frame("fig13a"), status=0).set_index("policy")
    return points.loc[[policy for policy in SHOWN if policy in points.index]]


def fig13a(results):
    points = _breakdown(results)
    cycles = points[list(PARTS)].mul(points["hardware.clock"], axis=0)
    moved = cycles["transfer_time"] + cycles["weight_sharing_time"]
    shares = (100 * moved["allspark"] / moved[list(BASELINES)]).to_frame("ours")
    return plot.compare(
        {"time of an image": plot.Panel(cycles / 1e6, draw=plot.stacked, parts=PARTS, names=NAMES),
         "transfer and sharing of Allspark": plot.Panel(
             shares, colors=plot.PALETTE[3:], names=BASELINES, ylim=(0, 100),
             band=(fact("fig13a-xfer"), fact("fig13a-xfer", "value_hi")))},
        ["time (million cycles)", "share of the time that each\nbaseline takes for both (%)"], height=2.8,
        sharey=False, width_ratios=[1.4, 1], columns=6)


QUANTITIES = {"macs": "multiply-\naccumulates", "noc_byte_hops": "NoC\nworkload", "dram_bytes": "DRAM\naccesses",
              "energy": "energy"}
TAGS = {"noc_byte_hops": "noc", "dram_bytes": "dram", "energy": "energy"}


def fig13b(results):
    points = _breakdown(results)[list(QUANTITIES)]
    return plot.compare(
        (points / points.loc["allspark"]).T, "each quantity, Allspark = 1", width=plot.COLUMN, columns=3,
        colors=POLICIES, names=QUANTITIES, fontsize=plot.TINY, published=(
            "allspark", lambda metric, policy: policy == "patch" and f"fig13b-p-{TAGS.get(metric)}"))


def _of_batch_1(rows):
    rows = rows.sort_values("batch").set_index("batch")
    return rows[list(PARTS)].div(rows.index * rows["time_per_sample"].iloc[0], axis=0)


fig14 = plot.drawing("fig14", _of_batch_1, {"model": None}, draw=plot.stacked, parts=PARTS, names=str, height=2.6,
                     xlabel="batch size", ylabel="time of an image,\nbatch 1 = 1")


def fig15(results):
    table = plot.wide(results.frame("fig15"), [CAPACITY, ROWS, SIZE, "model"], "policy", "time")
    # Only models and image sizes that every policy can run: otherwise the bars would cover different sets.
    ratios = plot.relative(table, "allspark")[list(BASELINES)].dropna()
    groups = {capacity: rows.groupby(level=ROWS) for capacity, rows in ratios.groupby(level=CAPACITY)}
    return plot.compare(
        {f"{capacity / 2**20:g} MiB per node": plot.Panel(rows.mean(), artists=[
            (plot.note, place, count, {}) for place, count in enumerate(rows.size())])
         for capacity, rows in groups.items()},
        "mean speedup of Allspark (x)", log_y=[1, 2, 5, 10, 20, 50], xlabel="node array", ylim=(1, 90),
        colors={policy: (f"over {name}", color) for policy, (name, color) in POLICIES.items()}, base=1, rotation=45,
        names="{0}x{0}".format)


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
    styles = {model: style(model) for model in plot.ordered(points["model"])}
    speedup, energy, bound = ratios(points, "time"), ratios(points, "energy"), ratios(points, "time", "ideal")
    line = {"color": "black", "linewidth": 0.8, "label": "all PEs busy, mean"}

    def row(values, artists=lambda size: (), **options):
        return {f"{size} px": plot.Panel(values[size].unstack("model").sort_index().reindex(columns=styles),
                                         artists=artists(size), **options) for size in plot.ordered(points[SIZE])}
    return plot.compare(
        {"speedup over the V100 (x)": row(
            speedup, lambda size: [("plot", bound[size].groupby("batch").mean(), line)], log_y=[0.2, 0.5, 1, 2, 5, 10],
            bound=(fact("fig16-avg"), "published mean")),
         "energy of the V100,\nAllspark = 1": row(
             energy, band=(fact("fig16-energy"), fact("fig16-energy", "value_hi")), log_y=[10, 15, 20, 30, 50])},
        "{}", height=4.8, sharex=True, sharey="row", xlabel="batch", log_x=plot.rows, draw=plot.lines, styles=styles,
        columns=5, legends={"handlelength": 3})


def fig16_paper(results):
    """Figure 16 as in the paper: a panel each for speed and energy, means over the sizes of images."""
    points = results.frame("fig16")
    models = plot.ordered(points["model"])

    def means(metric):
        table = ratios(points, metric).groupby(["model", "batch"]).mean().unstack("batch").reindex(models)
        return table.rename(columns=lambda batch: f"batch {batch}")
    return plot.compare(
        {"speedup over the V100 (x)": plot.Panel(means("time"), bound=(fact("fig16-avg"), "published mean")),
         "energy of the V100, Allspark = 1": plot.Panel(
             means("energy"), band=(fact("fig16-energy"), fact("fig16-energy", "value_hi")), log_y=[10, 20, 50])},
        sharey=False, height=2.9, columns=6, rotation=30, ha="right")


METHODS = {"greedy": ("greedy (Allspark)", "#2a6f4e"), "ddam": ("integer programs (as DDAM)", "#7858b8"),
           "annealing": ("annealing", "#8794ca"), "zig-zag": ("zig-zag", "#e0a458"),
           "random": ("random", "#b8bacc")}
table3 = plot.drawing(
    ("table3", "interactions"), lambda rows: plot.wide(rows, "stage", "placement", "hops")[list(METHODS)].sort_index(),
    {"policy": {"manual": "Table V's schedule", "allspark": "our optimum"}}, ylabel="links crossed by a byte",
    published=("allspark", lambda stage, method: {
        "greedy": f"tab3-ours-s{stage}", "ddam": f"tab3-ddam-s{stage}"}.get(method)),
    mark="published, of the method below the mark", xlabel="stage", columns=3, colors=METHODS)


def placements(results):
    """Where the branches of stage 1 are, colored by the row of the map that they come from."""
    rows = plot.select(results.detail("table3", "places"), policy="manual", stage=1)
    side = int(np.sqrt(rows["branch"].max()))
    layers = sorted(rows["layer"].unique())

    def draw(axis, places):
        image = np.full((int(rows[ROWS].iloc[0]), int(rows[COLS].iloc[0])), np.nan)
        for place in places.itertuples():
            image[place.node_row:place.node_row + place.height, place.node_col:place.node_col + place.width] = \
                (place.branch - 1) // side
        axis.imshow(image, cmap="viridis", vmin=0, vmax=side - 1)
        axis.grid(False)
        if axis.get_subplotspec().is_first_col():
            height, width = places[["height", "width"]].iloc[0]
            axis.set_ylabel(f"layer {places['layer'].iloc[0]}, {height} x {width} node{'s' * (height * width > 1)}\n"
                            f"each, {places['branch'].nunique()} windows", fontsize=plot.TINY)
    figure, data = plot.compare(
        {layer: plot.split(rows[rows["layer"] == layer], "placement", {
            method: label.replace(" (", "\n(") for method, (label, _) in METHODS.items()}) for layer in layers},
        title=f"Swin-B, 640 px, stage 1: {side} x {side} windows in three layers on 16 x 16 nodes", draw=draw,
        height=1.3 * len(layers) + 0.4, sharey=False, xticks=[], yticks=[], columns=0,
        data=rows[["placement", "layer", "branch", "node_row", "node_col", "height", "width"]])
    figure.colorbar(figure.axes[-1].images[0], ax=figure.axes, shrink=0.6, ticks=range(0, side, 4),
                    label="row of the window on the map")
    return figure, data


ROUTES = {"corner": ("by the corners (Sec. VII-B2)", "#e0a458"), "direct": ("from node to node", "#2a6f4e")}
interaction = plot.drawing(
    "interaction", lambda rows: 100 * plot.wide(rows, "model", "interaction_route", "interaction_share")[list(ROUTES)],
    {SIZE: {size: f"{size} px" for size in (224, 640)}}, ylabel="share of the time (%)", draw=plot.dots,
    log_y=[0.1, 1, 10, 100], ylim=(0.1, 100), bound=(fact("fig14-interact"), "published: below this"), colors=ROUTES,
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
    bandwidth = first.index * first["hardware.dram.banks_per_node"] * first["hardware.dram.bank_bandwidth"] / 1e12
    means = pd.DataFrame({"ours": table.mean(), "published": [
        fact(f"tab7-{name}") for name in ("900-gb-s", "1-12-tb-s", "1-49-tb-s", "3-35-tb-s")]})
    return plot.compare(
        means.set_index(bandwidth[table.columns]), "mean speedup over the V100 (x)",
        f"Table VII: mean of {len(table)} models, sizes and\nbatches over the bandwidth", draw=plot.lines,
        styles={"ours": {"marker": "o", "color": "#2a6f4e"}, "published": plot.PUBLISHED}, columns=2,
        height=2.9, width=plot.COLUMN, ylim=(0, 2.5), xlabel="aggregate DRAM bandwidth (TB/s)")
