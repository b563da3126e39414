"""The figures of the HyPar paper, published values beside ours, and our own, from experiments/hypar.toml's results."""

import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle

import pimsweep
from hypar_own import accounting, event, gap, gap_branches, row_stationary, timeline  # noqa: F401
from hypar_style import (ALEXNETS, COLORS, OPTIMUM, POLICIES, TEN, fact, network_bars, network_groups, normalized,
                         published, published_name, with_gmean)
from pimsweep import plot

STATES = {"dp": "#e3e6ec", "mp": COLORS["hypar"]}
FRAME = {"facecolor": "none", "edgecolor": OPTIMUM, "linewidth": 1.8}
DIFFERENT = {"markeredgecolor": "firebrick", "markeredgewidth": 1.8}
RATIO_POLICIES = ["model", "hypar", "hypar-optimal"]


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


def state_map(axis, cells, rows):
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
    axis.set_ylim(rows - 0.5, -0.5)
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
    figure, axes = plot.panels(2, 5, 6.4, titles=TEN.values(), height_ratios=heights)
    for axis, rows, height in zip(axes.flat, plot.split(data, "model", TEN).values(), np.repeat(heights, 5)):
        state_map(axis, rows, height)
    shown = data[data["published"] != ""]
    equal = (shown["published"] == shown["hypar"]).sum()
    plot.legend(figure, 3, *plot.patches({"data parallelism (dp)": STATES["dp"],
                                          "model parallelism (mp)": STATES["mp"]}),
                Rectangle((0, 0), 1, 1, label="the global optimum has the other state "
                          f"({(data['hypar'] != data['optimum']).sum()} of {len(data)})", **FRAME),
                f"published and equal ({equal}; filled: mp)",
                plot.published_mark(f"published and different ({len(shown) - equal})", **DIFFERENT))
    return figure, data


def compare(tables, figure, ylabel, ylim, title="", **options):
    """A panel of groups for each table of networks and policies, with what the paper prints for a figure."""
    return plot.compare(tables, ylabel, title, lambda table: published(table, figure), log_y=True, ylim=ylim,
                        columns=5, colors=COLORS, labels=POLICIES, stack=True,
                        **network_groups(next(iter(tables.values()))), **options)


def by_accounting(results, table_of):
    """The table of Figures 5 to 8 by the title of its panel: under the default accounting, and under reading R."""
    studies = {"default accounting": plot.select(results.frame("fig5_to_8"), energy_scope="printed"),
               "reading R": results.frame("reading_r")}
    return {name: with_gmean(table_of(points), ALEXNETS) for name, points in studies.items()}


def fig6(results):
    tables = by_accounting(results, lambda points: normalized(points, "time")[RATIO_POLICIES])
    return compare({f"{name}: HyPar is {table['hypar']['gmean']:.2f} times as fast as Data Parallelism (published "
                    f"{fact('fig6-gmean-hypar'):g})": table for name, table in tables.items()},
                   "fig6", "performance,\nData Parallelism = 1", (0.02, 50), base=1, height=4.6)


def fig7(results):
    tables = {}
    for meaning, points in plot.split(results.frame("fig5_to_8"), "energy_scope", {
            "printed": "arithmetic and exchanged words in DRAM", "all": "everything, SRAM and links too"}).items():
        table = with_gmean(normalized(points, "energy")[RATIO_POLICIES], ALEXNETS)
        tables[f"{meaning}: mean of HyPar {table['hypar']['gmean']:.2f} (published "
               f"{fact('fig7-gmean-hypar'):g})"] = table
    return compare(tables, "fig7", "energy efficiency,\nData Parallelism = 1", (0.1, 20), base=1, height=4.6)


def fig8(results):
    tables = by_accounting(results, lambda points: plot.wide(points, "model", "policy", "communication")[
        ["model", "data", "hypar", "hypar-optimal"]] / 1e9)
    published_ratio = fact("fig8-gmean-dp") / fact("fig8-gmean-hypar")
    return compare({f"{name}: Data Parallelism moves {table['data']['gmean'] / table['hypar']['gmean']:.2f} times the bytes "
                    f"of HyPar (published {published_ratio:.2f})": table for name, table in tables.items()},
                   "fig8", "total communication (GB)", (5e-3, 1e3), draw=plot.dots, height=4.6)


RING = {"markerfacecolor": "none", "linestyle": "none", "clip_on": False}
MARKS = {"HyPar, ours": {**RING, "marker": "o", "markersize": 7, "color": "firebrick", "markeredgewidth": 1.5},
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


def fig9(results):
    peak = results.frame("fig9_peak")
    points, gains, optimum = code_gains(results.frame("fig9"), peak, ["h4", "h1"])
    states = plot.select(peak, objective="time", policy="hypar")["parallelism"].iloc[0].split()
    figure, axes = plot.panels(1, 2, 3.6, width_ratios=[1.25, 1])
    space_map(figure, axes, gains, ("H4: conv1 conv2 fc1 fc2", "H1: conv1 conv2 fc1 fc2 (0: dp, 1: mp)"),
              tuple("".join(layer[level] for layer in states) for level in (3, 0)),
              "fig9", 2 * [("lenet-h4", "lenet-h1")], optimum)
    plot.legend(figure, 4, *(plot.entry(name, **style) for name, style in MARKS.items()))
    return figure, points[["h1", "h4", "time", "communication", "gain"]]


def fig10(results):
    counting = ["conversion_count", "conversion_shape"]
    points, peak = results.frame("fig10"), results.frame("fig10_peak")
    layers = plot.select(results.detail("fig10_peak", "by_layer"), objective="time", policy="hypar")
    countings = plot.ordered(zip(*(points[name] for name in counting)))
    figure, axes = plot.panels(len(countings), 2, 3.2 * len(countings), width_ratios=[1.25, 1])
    drawn = []
    for row, values in zip(axes, countings):
        at = dict(zip(counting, values))
        these, gains, optimum = code_gains(plot.select(points, at), plot.select(peak, at), ["fc1", "conv5_2"])
        states = plot.select(layers, at).set_index("layer")["parallelism"]
        space_map(figure, row, gains, ("fc1 at H1 to H4", "conv5_2 at H1 to H4 (0: dp, 1: mp)"),
                  tuple("".join("01"[state == "mp"] for state in states[name].split()) for name in ("fc1", "conv5_2")),
                  "fig10", [(f"vgga-fc1-{who}", f"vgga-conv52-{who}") for who in ("hypar", "peak")], optimum)
        row[0].set_title("conversions counted {}, halved by their {}".format(*values))
        drawn.append(these[[*counting, "conv5_2", "fc1", "time", "communication", "gain"]])
    plot.legend(figure, 4, *(plot.entry(name, **style) for name, style in MARKS.items()))
    return figure, pd.concat(drawn)


SCALINGS = {"total": "bandwidth of the whole network kept", "link": "bandwidth of each link kept"}
LINES = {"data": {"color": "#7d8799", "marker": "o"}, "hypar": {"color": COLORS["hypar"], "marker": "s"},
         "hypar-optimal": {"color": "#5fa583", "marker": "x", "linestyle": "--"}}


def fig11(results):
    points = results.frame("fig11").sort_values("accelerators")
    alone = plot.select(points, levels=0).set_index(["policy", "bandwidth_scaling"])["time"]
    points["gain"] = points.set_index(["policy", "bandwidth_scaling"]).index.map(alone) / points["time"]
    most = points["accelerators"].max()
    figure, axes = plot.panels(1, 3, 3.2, titles=[*SCALINGS.values(), "total communication, either way"],
                               xlabel="accelerators", log_x=sorted(points["accelerators"].unique()),
                               xlim=(0.8, most * 1.3), log_y=True,
                               ylabel=["performance, one accelerator = 1", "", "total communication (GB)"])
    axes[1].sharey(axes[0])
    for axis, rows in zip(axes, plot.split(points, "bandwidth_scaling", SCALINGS).values()):
        gains = plot.wide(rows, "accelerators", "policy", "gain")
        plot.lines(axis, gains, LINES, POLICIES)
        for policy, tag in (("data", "dp"), ("hypar", "hypar")):
            axis.plot(gains[policy].idxmax(), gains[policy].max(), "o", markersize=9, fillstyle="none",
                      color=LINES[policy]["color"])
            axis.plot(fact(f"fig11-{tag}-turn"), 0.05, transform=axis.get_xaxis_transform(),
                      **{**plot.PUBLISHED, "markeredgecolor": LINES[policy]["color"], "markeredgewidth": 1.5})
    axes[0].set_ylim(0.06, 2.5 * points["gain"].max())
    # Bytes do not depend on bandwidth: either scaling's points would do.
    plot.lines(axes[2], plot.wide(points[points["levels"] > 0], "accelerators", "policy", "communication",
                                  bandwidth_scaling="total") / 1e9, LINES, POLICIES)
    for axis in axes:
        axis.tick_params(axis="x", labelsize=plot.TINY)
        axis.axvspan(64 * 2**0.5, most * 1.3, color="0.93", zorder=0)
    plot.legend(figure, 3, axes[0], plot.entry("our best", marker="o", markersize=9, fillstyle="none"),
                "published best, in the color of its policy", *plot.patches({"more than in the paper": "0.93"}))
    return figure, points[["bandwidth_scaling", "policy", "accelerators", "time", "gain", "communication"]]


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
    figure, axis = plot.panels(
        height=3, title=f"Figure 12: geometric means {hypar.loc['gmean', 'H tree']:.2f} on the H tree (published "
        f"{theirs['htree']:g}), {torus.min():.2f} to {torus.max():.2f} on the torus (published {theirs['torus']:g})",
        ylabel="performance of HyPar,\nData Parallelism on the H tree = 1", ylim=(0.4, 30))
    network_bars(axis, hypar, [COLORS["hypar"], "#2f6fb0", "#7fa8d1", "#c3d6ea"], published=pd.DataFrame(
        {"H tree": {"gmean": theirs["htree"]}, networks[1]: {"gmean": theirs["torus"]}}))
    best = {"marker": "_", "color": OPTIMUM, "markersize": 6, "markeredgewidth": 1.4}
    plot.over_bars(axis, optimal, **best)
    plot.published_line(axis, theirs["sfc-torus"], f"published: above {theirs['sfc-torus']:g}", (-0.45, 0.45))
    plot.legend(figure, 3, axis, plot.entry("global optimum in time", **best), "published")
    return figure, pd.concat([table.rename_axis("model").reset_index().assign(policy=name)
                              for name, table in (("hypar", hypar), ("optimal", optimal))])


CASES = {"vgg-e-conv5": ("conv5-b32", "conv5, batch 32"), "vgg-e-fc3": ("fc3-b4096", "fc3, batch 4096")}


def fig13(results):
    tables, theirs = {}, {}
    for metric, tag, title in (("time", "perf", "performance"), ("energy", "energy", "energy efficiency")):
        gains = normalized(results.frame("fig13"), metric, ["model", "levels"], "trick")[["hypar", "hypar-optimal"]]
        gains.index = [f"{CASES[model][0]}-h{levels}" for model, levels in gains.index]
        gains = plot.with_mean(gains.sort_index(), plot.gmean, "gmean")
        printed = plot.published_table("hypar", gains, lambda case, policy: policy == "hypar" and f"fig13-{case}-{tag}")
        title += f": mean {gains['hypar']['gmean']:.2f}, published {printed['hypar']['gmean']:g}"
        tables[title], theirs[title] = gains, printed
    figure, data = plot.compare(
        tables, "performance or energy\nefficiency, one weird trick = 1", published=theirs, height=3, colors=COLORS,
        labels=POLICIES, base=1, names=[*(case[-2:].upper() for case in gains.index[:-1]), "mean"],
        first_mean=len(gains) - 1)
    for axis in figure.axes:
        plot.group_spans(axis, {text: (3 * i, 3 * i + 2) for i, (_, text) in enumerate(CASES.values())})
    return figure, data
