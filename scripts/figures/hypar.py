"""The figures of the HyPar paper, published values beside ours, and our own, from experiments/hypar.toml's results."""

import functools

import numpy as np
import pandas as pd
from matplotlib.colors import TwoSlopeNorm
from matplotlib.patches import Rectangle

import pimsweep
from pimsweep import plot

# The ten networks of the paper; AlexNet as its published numbers need it. Below it two more readings of AlexNet.
TEN = {"sfc": "SFC", "sconv": "SCONV", "lenet-c": "Lenet-c", "cifar-c": "Cifar-c", "alexnet-hypar": "AlexNet",
       "vgg-a": "VGG-A", "vgg-b": "VGG-B", "vgg-c": "VGG-C", "vgg-d": "VGG-D", "vgg-e": "VGG-E"}
ALEXNETS = {"alexnet-one-column": "AlexNet\n1 column", "alexnet": "AlexNet\nwhole"}
POLICIES = {"model": ("Model Parallelism", "#e0a458"), "data": ("Data Parallelism", "#b8bacc"),
            "trick": ("one weird trick", "#8794ca"), "hypar": ("HyPar", "#2a6f4e"),
            "hypar-optimal": ("global optimum in bytes", "#90d2aa")}
NAMES, COLORS = ({policy: look[i] for policy, look in POLICIES.items()} for i in (0, 1))
TAGS = {"model": "mp", "data": "dp", "hypar": "hypar"}
NETWORKS = {"h-tree": "H tree", "torus": "torus"}
# Groups for the networks and their mean; ratios are bars that start at 1.
GROUPS = {"names": {**TEN, "gmean": "mean", **ALEXNETS}, "first_mean": len(TEN), "fontsize": plot.TINY, "log_y": True}
RATIOS = {**GROUPS, "base": 1}
OURS = ["model", "hypar", "hypar-optimal"]
OPTIMUM = "#9c2a1a"
OVER_DATA = "performance of HyPar,\nData Parallelism = 1"
fact = pimsweep.facts("hypar")


def published_name(model):
    """The model's name in published ids: there is one AlexNet."""
    return "alexnet" if model.startswith("alexnet") else model


def published(figure):
    """What the paper prints for models (rows) and policies (columns) of a figure, as `plot.compare` looks it up."""
    return "hypar", lambda model, policy: policy in TAGS and f"{figure}-{published_name(model)}-{TAGS[policy]}"


def normalized(points, metric, rows="model", baseline="data"):
    """The baseline's metric divided by each policy's: larger is better."""
    return plot.speedup(plot.wide(points, rows, "policy", metric), baseline)


def with_gmean(table, more=()):
    """The ten networks in the paper's order, their geometric mean, then `more` networks."""
    return pd.concat([plot.with_mean(table.loc[list(TEN)], plot.gmean, "gmean"), table.loc[list(more)]])


STATES = {"dp": "0.92", "mp": COLORS["hypar"]}
FRAME = {"facecolor": "none", "edgecolor": "#e0a458", "linewidth": 1.8}
DIFFERENT = {"markeredgecolor": OPTIMUM, "markeredgewidth": 1.8}


def printed_states(layers, levels):
    """States that the paper prints, by (model, layer, level): cells, whole networks and the codes of Sec. 6.3."""
    facts = pimsweep.published("hypar")["value"]
    names = {model: f"hypar-fig5-{published_name(model)}" for model in layers}
    states = {(model, layer, level): facts.get(f"{name}-{layer}-h{level}", facts.get(f"{name}-all", ""))
              for model, name in names.items() for layer in layers[model] for level in levels}
    for level in (1, 4):
        for layer, state in zip(layers["lenet-c"], facts[f"hypar-fig9-lenet-h{level}"].split()):
            states["lenet-c", layer, level] = state
    for layer, name in (("conv5_2", "conv52"), ("fc1", "fc1")):
        for level, state in zip(levels, facts[f"hypar-fig10-vgga-{name}-hypar"].split()):
            states["vgg-a", layer, level] = state
    return states


def state_map(axis, cells):
    """A square for each layer and level of a network: HyPar's state, what the optimum and the paper have."""
    states = cells.pivot(index="layer", columns="level", values="hypar").loc[plot.ordered(cells["layer"])]
    plot.cells(axis, states.rename(columns="H{}".format), STATES)
    for cell in cells.itertuples():
        x, y = states.columns.get_loc(cell.level), states.index.get_loc(cell.layer)
        if cell.optimum != cell.hypar:
            axis.add_patch(Rectangle((x - 0.42, y - 0.4), 0.84, 0.8, **FRAME))
        if cell.published:
            axis.plot(x, y, **{**plot.PUBLISHED, "markerfacecolor": "white" if cell.published == "dp" else STATES["mp"],
                               **({} if cell.published == cell.hypar else DIFFERENT)})
    axis.xaxis.tick_top()
    axis.tick_params(length=0, labelsize=plot.TINY)


def fig5(results):
    cells = plot.select(results.detail("fig5_to_8", "by_layer_and_level"), energy_scope="printed", model=list(TEN))
    keys = ["model", "layer", "level"]
    layers = {model: plot.ordered(rows["layer"]) for model, rows in plot.split(cells, "model").items()}
    printed = printed_states(layers, sorted(set(cells["level"])))
    data = cells.pivot_table(index=keys, columns="policy", values="parallelism", aggfunc="first", sort=False)
    data = data[["hypar", "hypar-optimal"]].set_axis(["hypar", "optimum"], axis=1).reset_index()
    data["published"] = [printed[tuple(key)] for key in data[keys].to_numpy()]
    heights = [max(len(layers[model]) for model in row) for row in (list(TEN)[:5], list(TEN)[5:])]
    shown = data[data["published"] != ""]
    equal = (shown["published"] == shown["hypar"]).sum()
    return plot.compare(
        {name: plot.Panel(rows, ylim=(height - 0.5, -0.5)) for (name, rows), height in
         zip(plot.split(data, "model", TEN).items(), np.repeat(heights, 5))},
        draw=state_map, rows=2, sharey=False, height=6.4, height_ratios=heights, columns=3, data=data, entries=[
            *plot.patches({"data parallelism (dp)": STATES["dp"], "model parallelism (mp)": STATES["mp"]}),
            Rectangle((0, 0), 1, 1, label="the global optimum has the other state "
                      f"({(data['hypar'] != data['optimum']).sum()} of {len(data)})", **FRAME),
            f"published and equal ({equal}; filled: mp)",
            plot.published_mark(f"published and different ({len(shown) - equal})", **DIFFERENT)])


# A panel of groups above another, with what the paper prints; Figures 6 and 8 under two accountings.
groups = functools.partial(plot.drawing, stack=True, height=4.6, columns=5, colors=POLICIES, **GROUPS)
by_accounting = functools.partial(groups, {"default accounting": "fig5_to_8", "reading R": "reading_r"},
                                  where={"energy_scope": "printed"})
fig6 = by_accounting(
    lambda points: with_gmean(normalized(points, "time")[OURS], ALEXNETS), base=1, published=published("fig6"),
    titles=lambda name, table: f"{name}: HyPar is {table['hypar']['gmean']:.2f} times as fast as Data Parallelism "
    f"(published {fact('fig6-gmean-hypar'):g})", ylabel="performance,\nData Parallelism = 1", ylim=(0.02, 50))
fig7 = groups(
    "fig5_to_8", lambda points: with_gmean(normalized(points, "energy")[OURS], ALEXNETS), {"energy_scope": {
        "printed": "arithmetic and exchanged words in DRAM", "all": "everything, SRAM and links too"}}, base=1,
    published=published("fig7"), titles=lambda name, table: f"{name}: mean of HyPar {table['hypar']['gmean']:.2f} "
    f"(published {fact('fig7-gmean-hypar'):g})", ylabel="energy efficiency,\nData Parallelism = 1", ylim=(0.1, 20))
fig8 = by_accounting(
    lambda points: with_gmean(plot.wide(points, "model", "policy", "communication")[
        ["model", "data", "hypar", "hypar-optimal"]] / 1e9, ALEXNETS), draw=plot.dots, published=published("fig8"),
    titles=lambda name, table: f"{name}: Data Parallelism moves {table['data']['gmean'] / table['hypar']['gmean']:.2f} "
    f"times the bytes of HyPar (published {fact('fig8-gmean-dp') / fact('fig8-gmean-hypar'):.2f})",
    ylabel="total communication (GB)", ylim=(5e-3, 1e3), mark="published, at the left of its mark")

RING = {"markerfacecolor": "none", "linestyle": "none", "clip_on": False}
MARKS = {"HyPar, ours": {**RING, "marker": "o", "markersize": 7, "color": OPTIMUM, "markeredgewidth": 1.5},
         "peak, ours": {**RING, "marker": "*", "markersize": 7, "markerfacecolor": OPTIMUM, "markeredgecolor": "white",
                        "markeredgewidth": 0.5},
         "HyPar, published": {**RING, "marker": "s", "markersize": 8, "color": "black"},
         "peak, published": {**plot.PUBLISHED, **RING, "markersize": 9}}


def space_map(figure, axes, gains, labels, hypar, name, places, optimum):
    """Heat map of 16 x 16 points, and the same points from best to worst, with the values of the paper's figure `name`.

    hypar: row and column of HyPar's choice; places: the ids of the published ones of HyPar and of the peak.
    """
    left, right = axes
    printed = pimsweep.published("hypar")["axis"].str.split("code=").str[1]
    theirs = [tuple(printed[f"hypar-{name}-{id_}"] for id_ in ids) for ids in places]
    image = plot.heat_map(left, gains, cmap="viridis", origin="lower", aspect="equal")
    figure.colorbar(image, ax=left, label="performance, Data Parallelism = 1")
    left.tick_params(labelsize=plot.TINY)
    left.tick_params(axis="x", rotation=90)
    left.set(ylabel=labels[0], xlabel=labels[1])
    order = gains.stack().sort_values(ascending=False)
    best = order.index[np.isclose(order, order.iloc[0], rtol=1e-9)]
    for cells, style in zip(([hypar], best, theirs[:1], theirs[1:]), MARKS.values()):
        for row, column in cells:
            left.plot(gains.columns.get_loc(column), gains.index.get_loc(row), **style)
    right.plot(np.arange(1, len(order) + 1), order, color="0.4")
    for who, cell in (("peak, ours", best[0]), ("HyPar, ours", hypar)):
        rank = (order > gains.loc[cell] * (1 + 1e-9)).sum() + 1
        right.plot(rank, gains.loc[cell], **MARKS[who], label=f"{who}: {gains.loc[cell]:.3f}")
    for who, style in (("peak", ":"), ("HyPar", "--")):
        value = fact(f"{name}-{who.lower()}")
        right.axhline(value, **{**plot.PUBLISHED_LINE, "linestyle": style}, label=f"{who}, published: {value:g}")
    right.axhline(optimum, color=COLORS["hypar"], linewidth=0.8, label=f"best of all assignments: {optimum:.3f}")
    right.legend(loc="lower left")
    right.set(xlabel="points, best first", ylabel="performance, Data Parallelism = 1", ylim=(0, None))


def code_gains(points, peak, rows):
    """Gains over Data Parallelism by the codes of two overrides, and that of the optimum in time."""
    times = plot.select(peak, objective="time").set_index("policy")["time"]
    points = points.assign(gain=times["data"] / points["time"], **{
        name: points[column].str.split("=").str[1] for name, column in zip(rows, ("more_overrides", "overrides"))})
    codes = [f"{code:04b}" for code in range(16)]
    gains = points.pivot_table(index=rows[0], columns=rows[1], values="gain").reindex(index=codes, columns=codes)
    return points, gains, times["data"] / times["hypar-optimal"]


def spaces(name, rows, labels, hypar_of, places, height, counting=()):
    """A drawing of 16 x 16 points for each way to count conversions; see `space_map`.

    hypar_of: of HyPar's states, 0 or 1 by layer and level, the row and the column of its choice.
    """
    def draw(results):
        points, peak, layers = results.frame(name), results.frame(f"{name}_peak"), plot.select(
            results.detail(f"{name}_peak", "by_layer"), objective="time", policy="hypar")
        countings = plot.ordered(map(tuple, points[list(counting)].to_numpy()))
        figure, axes = plot.panels(len(countings), 2, height * len(countings), squeeze=False, width_ratios=[1.25, 1])
        drawn = []
        for row, values in zip(axes, countings):
            at = dict(zip(counting, values))
            these, gains, optimum = code_gains(plot.select(points, at), plot.select(peak, at), rows)
            states = plot.select(layers, at).set_index("layer")["parallelism"].str.split(expand=True)
            hypar = tuple(map("".join, hypar_of(states.replace({"dp": "0", "mp": "1"}))))
            space_map(figure, row, gains, labels, hypar, name, places, optimum)
            row[0].set_title("conversions counted {}, halved by their {}".format(*values) if values else "")
            drawn.append(these[[*counting, *rows, "time", "communication", "gain"]])
        plot.legend(figure, 4, *(plot.entry(name, **style) for name, style in MARKS.items()))
        return figure, pd.concat(drawn)
    return draw


fig9 = spaces("fig9", ["h4", "h1"], ("H4: conv1 conv2 fc1 fc2", "H1: conv1 conv2 fc1 fc2 (0: dp, 1: mp)"),
              lambda states: (states[3], states[0]), 2 * [("lenet-h4", "lenet-h1")], 3.6)
fig10 = spaces("fig10", ["fc1", "conv5_2"], ("fc1 at H1 to H4", "conv5_2 at H1 to H4 (0: dp, 1: mp)"),
               lambda states: (states.loc["fc1"], states.loc["conv5_2"]),
               [(f"vgga-fc1-{who}", f"vgga-conv52-{who}") for who in ("hypar", "peak")], 3.2,
               ("conversion_count", "conversion_shape"))


LINES = {"data": {"color": "#8794ca", "marker": "o"}, "hypar": {"color": COLORS["hypar"], "marker": "s"},
         "hypar-optimal": {"color": COLORS["hypar-optimal"], "marker": "x", "linestyle": "--"}}


def turning_lines(axis, gains):
    """Performance over the number of accelerators, with our best and the published best."""
    plot.lines(axis, gains, LINES, NAMES)
    for policy, tag in (("data", "dp"), ("hypar", "hypar")):
        axis.plot(gains[policy].idxmax(), gains[policy].max(), "o", markersize=9, fillstyle="none",
                  color=LINES[policy]["color"])
        axis.plot(fact(f"fig11-{tag}-turn"), 0.05, transform=axis.get_xaxis_transform(),
                  **{**plot.PUBLISHED, "markeredgecolor": LINES[policy]["color"], "markeredgewidth": 1.5})


def fig11(results):
    points = results.frame("fig11").sort_values("accelerators")
    alone = plot.select(points, levels=0).set_index(["policy", "bandwidth_scaling"])["time"]
    points["gain"] = points.set_index(["policy", "bandwidth_scaling"]).index.map(alone) / points["time"]
    most = points["accelerators"].max()
    gains = {f"bandwidth of {what} kept": plot.Panel(
        plot.wide(points, "accelerators", "policy", "gain", bandwidth_scaling=scaling), draw=turning_lines,
        ylim=(0.06, 2.5 * points["gain"].max())) for scaling, what in (("total", "the whole network"), (
            "link", "each link"))}
    # Bytes do not depend on bandwidth: either scaling's points would do.
    moved = plot.wide(points[points["levels"] > 0], "accelerators", "policy", "communication",
                      bandwidth_scaling="total") / 1e9
    return plot.compare(
        {**gains, "total communication, either way": plot.Panel(moved, draw=plot.lines, styles=LINES, labels=NAMES)},
        ["performance, one accelerator = 1", "", "total communication (GB)"], height=3.2, xlabel="accelerators",
        sharey=False, log_x=sorted(points["accelerators"].unique()), xlim=(0.8, most * 1.3), log_y=True, columns=3,
        artists=[("tick_params", "x", {"labelsize": plot.TINY}),
                 ("axvspan", 64 * 2**0.5, most * 1.3, {"color": "0.93", "zorder": 0})],
        entries=[plot.entry("our best", marker="o", markersize=9, fillstyle="none"),
                 "published best, in the color of its policy", *plot.patches({"more than in the paper": "0.93"})],
        data=points[["bandwidth_scaling", "policy", "accelerators", "time", "gain", "communication"]])


READINGS = {("balanced", "alternating"): "torus, balanced rings", ("dimension-order", "alternating"):
            "torus, dimension order", ("dimension-order", "row-major"): "torus, dimension order, row-major levels"}


def fig12(results):
    points = results.frame("fig12")
    readings = zip(*(points[f"hardware.network.torus_{name}"] for name in ("routing", "mapping")))
    points["network"] = ["H tree" if network == "h-tree" else READINGS[reading]
                         for network, reading in zip(points["topology"], readings)]
    networks = plot.ordered(points["network"])
    data = plot.wide(points, "model", "network", "time", policy="data")["H tree"]
    hypar, optimal = (with_gmean(plot.wide(points, "model", "network", "time", policy=policy, objective=objective)
                                 [networks].rdiv(data, axis=0))
                      for policy, objective in (("hypar", "bytes"), ("hypar-optimal", "time")))
    torus = hypar.loc["gmean", networks[1:]]
    theirs = {name: fact(f"fig12-{name}") for name in ("htree", "torus", "sfc-torus")}
    best = {"marker": "_", "color": OPTIMUM, "markersize": 6, "markeredgewidth": 1.4}
    return plot.compare(
        hypar, "performance of HyPar,\nData Parallelism on the H tree = 1",
        f"Figure 12: geometric means {hypar.loc['gmean', 'H tree']:.2f} on the H tree (published "
        f"{theirs['htree']:g}), {torus.min():.2f} to {torus.max():.2f} on the torus (published {theirs['torus']:g})",
        {"": pd.DataFrame({"H tree": {"gmean": theirs["htree"]}, networks[1]: {"gmean": theirs["torus"]}})},
        height=3, ylim=(0.4, 30), colors=[COLORS["hypar"], "#20416b", "#8794ca", "#b8bacc"], columns=3,
        artists=[(plot.over_bars, optimal, best)],
        bound=(theirs["sfc-torus"], f"published: above {theirs['sfc-torus']:g}", (-0.45, 0.45)),
        entries=[plot.entry("global optimum in time", **best)], **RATIOS,
        data=pd.concat([table.rename_axis("model").reset_index().assign(policy=name)
                        for name, table in (("hypar", hypar), ("optimal", optimal))]))


CASES = {"vgg-e-conv5": ("conv5-b32", "conv5, batch 32"), "vgg-e-fc3": ("fc3-b4096", "fc3, batch 4096")}
SPANS = {text: (3 * i, 3 * i + 2) for i, (_, text) in enumerate(CASES.values())}


def fig13(results):
    tables, theirs = {}, {}
    for metric, tag, title in (("time", "perf", "performance"), ("energy", "energy", "energy efficiency")):
        gains = normalized(results.frame("fig13"), metric, ["model", "levels"], "trick")[["hypar", "hypar-optimal"]]
        gains.index = [f"{CASES[model][0]}-h{levels}" for model, levels in gains.index]
        gains = plot.with_mean(gains.sort_index(), plot.gmean, "gmean")
        printed = plot.published_table("hypar", gains, lambda case, policy: policy == "hypar" and f"fig13-{case}-{tag}")
        title += f": mean {gains['hypar']['gmean']:.2f}, published {printed['hypar']['gmean']:g}"
        tables[title], theirs[title] = gains, printed
    return plot.compare(
        tables, "performance or energy\nefficiency, one weird trick = 1", published=theirs, height=3, colors=POLICIES,
        base=1, names=lambda case: "mean" if case == "gmean" else case[-2:].upper(), first_mean=len(gains) - 1,
        artists=[(plot.group_spans, SPANS, {})])


def event(results):
    times = plot.wide(results.frame("event"), "model", ["overlap", "policy", "topology"], "time", model=list(TEN))
    saved = with_gmean(pd.DataFrame({
        f"{NAMES[policy]}, {name}": times[0, policy, network] / times[1, policy, network]
        for policy in ("data", "hypar") for network, name in NETWORKS.items()}))
    gains = with_gmean(pd.DataFrame({
        f"{name}, {how} overlap": times[overlap, "data", network] / times[overlap, "hypar", network]
        for network, name in NETWORKS.items() for overlap, how in enumerate(("without", "with"))}))
    saved, gains = (table.rename(columns=lambda name: f"{name}: mean {table[name]['gmean']:.2f}")
                    for table in (saved, gains))
    return plot.compare({
        "What exchanges beside computation save": plot.Panel(
            saved, colors=["#8794ca", "#b8bacc", COLORS["hypar"], COLORS["hypar-optimal"]], ylim=(0.95, 2.3)),
        "HyPar over Data Parallelism, both on the same network": plot.Panel(
            gains, colors=["#90d2aa", COLORS["hypar"], "#b8bacc", "#20416b"], ylim=(0.9, 45))},
        ["time without overlap,\nwith overlap = 1", OVER_DATA], stack=True, height=4.6, sharey=False, columns=0,
        artists=[("legend", {"ncol": 2, "loc": "upper center", "fontsize": plot.TINY})], **RATIOS)


TASKS = {"forward": "#2a6f4e", "error": "#90d2aa", "gradient": "#e0a458", "F summed": "#20416b",
         "F converted": "#8794ca", "E converted": "#7858b8", "dW summed": "#9c2a1a"}
TASK_NAMES = {"forward": "forward GEMMs", "error": "error GEMMs", "gradient": "gradient GEMMs",
              "F summed": "feature maps (F) summed", "F converted": "F converted", "E converted": "errors (E) converted",
              "dW summed": "weight gradients (dW) summed"}


def timeline(results, model="vgg-a", policy="hypar"):
    tasks = plot.select(results.detail("event", "timeline"), model=model, policy=policy, topology="h-tree")
    alone = plot.select(tasks, overlap=0)["time"].iloc[0]
    tasks = plot.select(tasks, overlap=1).sort_values("start")
    step = tasks["time"].iloc[0]
    tail = plot.select(tasks, level=0, what="gradient")["start"].nlargest(3).min()
    windows = {"fully connected layers, forward and error":
               (plot.select(tasks, what="F summed")["start"].min() - 0.01 * step,
                plot.select(tasks, what="E converted")["end"].max() + 0.02 * step),
               "the last layers": (tail - 0.01 * step, step * 1.002)}
    enlarged = [("axvspan", *(1e3 * np.clip(window, 0, step)), {"color": "0.93", "zorder": 0})
                for window in windows.values()]
    return plot.compare(
        {"the whole step": plot.Panel(tasks, window=(0, step), artists=enlarged),
         **{title: plot.Panel(tasks, window=window) for title, window in windows.items()}},
        title=f"A step of {TEN[model]} under {NAMES[policy]} on the H tree with overlap: {1e3 * step:.0f} ms, "
        f"without {1e3 * alone:.0f} ms. Gray: enlarged below.\nSummed: partial sums added over the links of a level; "
        "converted: layout changed between data and model parallelism", draw=plot.timeline, lane="level", color="what", text="layer", unit="",
        colors=TASKS, lanes={level: f"H{level}" if level else "GEMMs" for level in sorted(tasks["level"].unique())},
        stack=True, sharey=False, height=6.2, xlabel="time since the step began (ms)", columns=4,
        entries=plot.patches({name: TASKS[what] for what, name in TASK_NAMES.items()}), data=tasks[["task", "what", "layer", "level", "start", "end"]])


def gap(results):
    bytes_ = plot.wide(results.frame("gap"), ["model", "batch", "levels"], "policy", "communication")
    percent = (100 * (bytes_["hypar"] / bytes_["hypar-optimal"] - 1)).rename("gap_percent")
    names = {**TEN, **{model: name.replace("\n", ", ") for model, name in ALEXNETS.items()}}
    worst = percent.idxmax()
    figure, data = plot.compare(
        {title: percent.groupby(["model", by], sort=False).max().unstack(by).loc[list(names)].sort_index(axis=1).rename(
            index=names).rename_axis(index="") for title, by in (
                ("largest over 1 to 6 levels", "batch"), ("largest over batches from 1 to 4096", "levels"))},
        title=f"Optimum gap of HyPar: none at {(percent < 1e-9).sum()} of {len(percent)} points, mean "
        f"{percent.mean():.2f} %, at most {percent.max():.2f} % ({names[worst[0]]}, batch {worst[1]}, {worst[2]} "
        "levels)",
        draw=plot.heat_map, text=lambda value: f"{value:.1f}" if value > 1e-9 else "0", vmin=0, vmax=percent.max(),
        height=3.4, width_ratios=[10, 6], columns=0, data=percent.reset_index())
    figure.colorbar(figure.axes[1].images[0], ax=figure.axes, label="more bytes than the global optimum (%)")
    return figure, data


def gap_branches(results):
    bytes_ = plot.wide(results.frame("gap_branches"), ["batch", "model"], "policy", "communication")
    shares = plot.relative(bytes_, "data")[["hypar", "hypar-optimal"]]
    gaps = 100 * (shares["hypar"] / shares["hypar-optimal"] - 1)
    return plot.compare(
        {f"batch {batch}": plot.Panel(rows.droplevel("batch"), artists=[
            ("text", place, 1.03, f"{gap_:.2f}" if gap_ > 1e-9 else "0", {"ha": "center", "fontsize": plot.SMALL})
            for place, gap_ in enumerate(gaps[batch])]) for batch, rows in shares.groupby(level="batch")},
        "total communication,\nData Parallelism = 1", height=3, ylim=(0, 1.15), colors=POLICIES, rotation=30,
        ha="right")


COUNTED = ["partial_sum_count", "feature_maps", "conversion_count", "conversion_shape"]
COUNTS = {"once": 1, "twice": 2}
MAPS = {"product": "full", "pooled": "pooled"}


def _reading(sums, maps, conversions, shape):
    return f"{MAPS[maps]} maps, sums {COUNTS[sums]}x, conversions {COUNTS[conversions]}x by {shape}"


def accounting(results):
    points = results.frame("accounting")
    points["published"] = [1e9 * fact(f"fig8-{published_name(model)}-{TAGS[policy]}")
                           for model, policy in zip(points["model"], points["policy"])]
    points["ratio"] = points["communication"] / points["published"]
    limit = np.abs(np.log2(points["ratio"])).max()
    panels = {}
    for policy in ("model", "hypar"):
        table = plot.select(points, policy=policy).pivot_table(index=COUNTED, columns="model", values="ratio")
        table = table[list(TEN)].sort_index(ascending=False)
        close = (np.abs(table - 1) < 0.02).to_numpy()
        panels[f"{NAMES[policy]}: {close.sum()} of {close.size} framed,\n"
               f"at most {close.sum(axis=1).max()} of ten in a reading"] = plot.Panel(
            np.log2(table).set_axis([_reading(*key) for key in table.index]).rename_axis(columns=""),
            artists=[
                ("tick_params", "y", {"labelsize": plot.TINY}),
                ("set_xticklabels", list(TEN.values()), {"rotation": 45, "ha": "right"}),
                *(("add_patch", Rectangle((x - 0.47, y - 0.44), 0.94, 0.88, fill=False, edgecolor="black", linewidth=1),
                   {}) for y, x in zip(*np.nonzero(close)))])
    return plot.compare(
        panels, draw=plot.heat_map, text=lambda value: f"{2**value:.2f}", cmap="RdBu_r", height=4.6, columns=0,
        norm=TwoSlopeNorm(0, -limit, limit), data=points[[*COUNTED, "model", "policy", "communication", "published",
                                                          "ratio"]])


def row_stationary(results):
    peak, points = plot.select(results.frame("fig5_to_8"), energy_scope="printed"), results.frame("row_stationary")
    by = plot.wide(points, "model", ["policy", "objective"], "time")
    by_peak, mapped = f"peak rate x utilization (MACs by {peak['mac_count'].iloc[0]})", "row-stationary mapping"
    table = with_gmean(pd.DataFrame({by_peak: normalized(peak, "time")["hypar"],
                                     mapped: by["data", "bytes"] / by["hypar", "bytes"],
                                     "row-stationary, optimum in time":
                                     by["data", "time"] / by["hypar-optimal", "time"]}))
    compute = [plot.wide(frame, "model", "policy", "compute_time")["hypar"] for frame in (points, peak)]
    ratio = with_gmean((compute[0] / compute[1]).to_frame("compute_ratio"))
    means = table.loc["gmean"]
    theirs = plot.published_table(published("fig6")[0], table, lambda model, column: column == by_peak and
                                  published("fig6")[1](model, "hypar"))
    return plot.compare(
        {"": plot.Panel(table, colors=["#b8bacc", COLORS["hypar"], COLORS["hypar-optimal"]], ylim=(0.9, 30)),
         None: plot.Panel(ratio, colors={"compute_ratio": ("_", "#8794ca")}, ylim=(0.35, 1.4))},
        [OVER_DATA, "computation time,\npeak rate = 1"],
        f"Computation by the row-stationary mapping: HyPar gains {means[mapped]:.2f} instead of "
        f"{means[by_peak]:.2f} (published {fact('fig6-gmean-hypar'):g})", {"": theirs}, stack=True, height=4,
        sharex=True, sharey=False, height_ratios=[2, 1], columns=2, **RATIOS)
