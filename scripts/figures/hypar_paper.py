"""The figures of the HyPar paper, published values beside ours."""

import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch, Rectangle

import pimsweep
from hypar_style import (ALEXNETS, COLORS, OPTIMUM, POLICIES, TEN, fact, network_bars, network_groups, normalized,
                         published, published_name, with_gmean)
from pimsweep import plot

SCOPES = {"printed": "arithmetic and exchanged words in DRAM", "all": "everything, SRAM and links too"}
DP, MP, DIFFERENT = "#e3e6ec", COLORS["hypar"], "firebrick"
CODES = [f"{code:04b}" for code in range(16)]
RATIO_POLICIES = ["model", "hypar", "hypar-optimal"]


def printed_states(layers, levels):
    """States that the paper prints, by (model, layer, level): cells, whole networks and the codes of Sec. 6.3."""
    facts = pimsweep.published("hypar")["value"]
    states = {}
    for model in layers:
        for layer in layers[model]:
            for level in levels:
                name = f"hypar-fig5-{published_name(model)}"
                state = facts.get(f"{name}-{layer}-h{level}", facts.get(f"{name}-all"))
                if state:
                    states[model, layer, level] = state
    for level in (1, 4):
        for layer, state in zip(layers["lenet-c"], facts[f"hypar-fig9-lenet-h{level}"].split()):
            states["lenet-c", layer, level] = state
    for layer, name in (("conv5_2", "conv52"), ("fc1", "fc1")):
        for level, state in zip(levels, facts[f"hypar-fig10-vgga-{name}-hypar"].split()):
            states["vgg-a", layer, level] = state
    return states


def state_map(axis, cells, layers, rows):
    """A square for each layer and level of a network: HyPar's state, what the optimum and the paper have."""
    levels = sorted(set(cells["level"]))
    image = np.full((rows, len(levels)), np.nan)
    for cell in cells.itertuples():
        y, x = layers.index(cell.layer), levels.index(cell.level)
        image[y, x] = cell.hypar == "mp"
        if cell.optimum != cell.hypar:
            axis.add_patch(Rectangle((x - 0.42, y - 0.4), 0.84, 0.8, fill=False, edgecolor=OPTIMUM, linewidth=1.8))
        if cell.published:
            differs = {} if cell.published == cell.hypar else {"markeredgecolor": DIFFERENT, "markeredgewidth": 1.8}
            axis.plot(x, y, **{**plot.PUBLISHED, "markerfacecolor": MP if cell.published == "mp" else "white",
                               **differs})
    axis.pcolormesh(np.arange(len(levels) + 1) - 0.5, np.arange(rows + 1) - 0.5, image, vmin=0, vmax=1,
                    cmap=ListedColormap([DP, MP]), zorder=0, edgecolor="white", linewidth=1.2)
    axis.set(ylim=(rows - 0.5, -0.5))
    axis.set_xticks(range(len(levels)), [f"H{level}" for level in levels], fontsize=plot.TINY)
    axis.set_yticks(range(len(layers)), layers, fontsize=plot.TINY)
    axis.xaxis.tick_top()
    axis.tick_params(length=0)
    axis.grid(False)
    axis.spines[:].set_visible(False)


def figure5(results):
    cells = plot.select(results.detail("fig5_to_8", "by_layer_and_level"), energy_scope="printed", model=list(TEN))
    keys = ["model", "layer", "level"]
    states = cells.pivot_table(index=keys, columns="policy", values="parallelism", aggfunc="first", sort=False)
    layers = {model: plot.ordered(rows["layer"]) for model, rows in cells.groupby("model", sort=False)}
    printed = printed_states(layers, sorted(set(cells["level"])))
    data = states[["hypar", "hypar-optimal"]].set_axis(["hypar", "optimum"], axis=1).reset_index()
    data["published"] = [printed.get(tuple(key), "") for key in data[keys].to_numpy()]
    heights = [max(len(layers[model]) for model in row) for row in (list(TEN)[:5], list(TEN)[5:])]
    figure, axes = plot.panels(2, 5, 6.4, f"Figure 5: parallelism chosen by HyPar, batch {cells['batch'].iloc[0]}",
                               TEN.values(), height_ratios=heights)
    for axis, model, rows in zip(axes.flat, TEN, np.repeat(heights, 5)):
        state_map(axis, data[data["model"] == model], layers[model], rows)
    shown = data[data["published"] != ""]
    equal = (shown["published"] == shown["hypar"]).sum()
    plot.legend(figure, 3, Patch(color=DP, label="data parallelism (dp)"),
                Patch(color=MP, label="model parallelism (mp)"),
                Patch(facecolor="none", edgecolor=OPTIMUM, linewidth=1.8, label="the global optimum has the other state"
                      f" ({(data['hypar'] != data['optimum']).sum()} of {len(data)})"),
                plot.published_mark(f"published and equal ({equal})"),
                plot.published_mark(f"published and different ({len(shown) - equal})", markeredgecolor=DIFFERENT,
                                    markeredgewidth=1.8))
    return figure, data


def compare(tables, figure, ylabel, ylim, title, **options):
    """A panel of groups for each table of networks and policies, with what the paper prints for a figure."""
    return plot.compare(tables, ylabel, title, lambda table: published(table, figure), log=True, ylim=ylim,
                        columns=5, colors=COLORS, labels=POLICIES, stack=True,
                        **network_groups(next(iter(tables.values()))), **options)


def figure6(results):
    points = plot.select(results.frame("fig5_to_8"), energy_scope="printed")
    table = with_gmean(normalized(points, "time")[RATIO_POLICIES], ALEXNETS)
    title = (f"Figure 6: HyPar is {table['hypar']['gmean']:.2f} times as fast as Data Parallelism (published "
             f"{fact('fig6-gmean-hypar'):g})")
    return compare({"": table}, "fig6", "performance,\nData Parallelism = 1", (0.02, 50), title, base=1)


def figure7(results):
    tables = {}
    for scope, meaning in SCOPES.items():
        table = normalized(plot.select(results.frame("fig5_to_8"), energy_scope=scope), "energy")
        table = with_gmean(table[RATIO_POLICIES], ALEXNETS)
        mean = f"mean of HyPar {table['hypar']['gmean']:.2f} (published {fact('fig7-gmean-hypar'):g})"
        tables[f"{meaning}: {mean}"] = table
    return compare(tables, "fig7", "energy efficiency,\nData Parallelism = 1", (0.1, 20),
                   "Figure 7: energy efficiency, with energy counted in two ways", base=1, height=4.6)


def figure8(results):
    bytes_ = plot.wide(results.frame("fig5_to_8"), "model", "policy", "communication", energy_scope="printed")
    table = with_gmean(bytes_[["model", "data", "hypar", "hypar-optimal"]], ALEXNETS) / 1e9
    return compare({"": table}, "fig8", "total communication (GB)", (5e-3, 1e3), "Figure 8: Data Parallelism moves "
                   f"{table['data']['gmean'] / table['hypar']['gmean']:.2f} times the bytes of HyPar (published "
                   f"{fact('fig8-gmean-dp') / fact('fig8-gmean-hypar'):.2f})", draw=plot.dots)


def space_map(figure, axes, gains, labels, hypar, theirs, optimum):
    """Heat map of 16 x 16 points, and the same points from best to worst.

    hypar: row and column of HyPar's choice; theirs: the published ones of HyPar and of the peak, and both gains.
    """
    left, right = axes
    image = plot.heat_map(left, gains, cmap="viridis", origin="lower", aspect="equal")
    figure.colorbar(image, ax=left)
    left.tick_params(labelsize=plot.TINY)
    left.tick_params(axis="x", rotation=90)
    left.set(ylabel=labels[0], xlabel=labels[1])
    order = gains.stack().sort_values(ascending=False)
    peaks = [place for place, gain in order.items() if np.isclose(gain, order.iloc[0], rtol=1e-9)]
    ring = {"markerfacecolor": "none", "linestyle": "none", "clip_on": False}
    marks = {"HyPar, ours": ([hypar], {**ring, "marker": "o", "markersize": 7, "color": "firebrick",
                                       "markeredgewidth": 1.5}),
             "peak, ours": (peaks, {**ring, "marker": "*", "markersize": 7, "markerfacecolor": OPTIMUM,
                                    "markeredgecolor": "white", "markeredgewidth": 0.5}),
             "HyPar, published": ([theirs["hypar"]], {**ring, "marker": "s", "markersize": 8, "color": "black"}),
             "peak, published": ([theirs["peak"]], {**plot.PUBLISHED, **ring, "markersize": 9})}
    for places, style in marks.values():
        for row, column in places:
            left.plot(gains.columns.get_loc(column), gains.index.get_loc(row), **style)
    ranks = np.arange(1, len(order) + 1)
    right.plot(ranks, order, color="0.4")
    rank = (order > gains.loc[hypar] * (1 + 1e-9)).sum() + 1
    for name, value, at in (("peak, ours", order.iloc[0], 1), ("HyPar, ours", gains.loc[hypar], rank)):
        right.plot(at, value, **marks[name][1], label=f"{name}: {value:.3f}")
    for name, style in (("peak", ":"), ("hypar", "--")):
        right.axhline(theirs[f"{name}_value"], **{**plot.PUBLISHED_LINE, "linestyle": style},
                      label=f"{POLICIES.get(name, name)}, published: {theirs[f'{name}_value']:g}")
    right.axhline(optimum, color=COLORS["hypar"], linewidth=0.8, label=f"best of all assignments: {optimum:.3f}")
    right.legend(loc="lower left")
    right.set(xlabel="points, best first", ylabel="performance, Data Parallelism = 1", ylim=(0, None))
    return [plot.entry(name, **style) for name, (_, style) in marks.items()]


def code_gains(points, peak, rows):
    """Gains over Data Parallelism by the codes of two overrides, and that of the optimum in time."""
    times = plot.select(peak, objective="time").set_index("policy")["time"]
    points = points.assign(gain=times["data"] / points["time"], **{
        name: points[column].str.split("=").str[1] for name, column in zip(rows, ("more_overrides", "overrides"))})
    gains = points.pivot_table(index=rows[0], columns=rows[1], values="gain").reindex(index=CODES, columns=CODES)
    return points, gains, times["data"] / times["hypar-optimal"]


def printed_codes(*names):
    facts = pimsweep.published("hypar")["axis"]
    return tuple(facts[f"hypar-{name}"].split("code=")[1] for name in names)


def figure9(results):
    points, peak = results.frame("fig9"), results.frame("fig9_peak")
    points, gains, optimum = code_gains(points, peak, ["h4", "h1"])
    states = plot.select(peak, objective="time", policy="hypar")["parallelism"].iloc[0].split()
    hypar = tuple("".join(layer[level] for layer in states) for level in (3, 0))
    printed = printed_codes("fig9-lenet-h4", "fig9-lenet-h1")
    theirs = {"hypar": printed, "peak": printed, "hypar_value": fact("fig9-hypar"), "peak_value": fact("fig9-peak")}
    figure, axes = plot.panels(1, 2, 3.6, f"Figure 9: Lenet-c, {len(points)} points, H2 and H3 as HyPar has them",
                               width_ratios=[1.25, 1])
    handles = space_map(figure, axes, gains, ("H4: conv1 conv2 fc1 fc2", "H1: conv1 conv2 fc1 fc2 (0: dp, 1: mp)"),
                        hypar, theirs, optimum)
    plot.legend(figure, 4, *handles)
    return figure, points[["h1", "h4", "time", "communication", "gain"]]


def figure10(results):
    counting = ["conversion_count", "conversion_shape"]
    points, peak = results.frame("fig10"), results.frame("fig10_peak")
    layers = plot.select(results.detail("fig10_peak", "by_layer"), objective="time", policy="hypar")
    theirs = {who: printed_codes(f"fig10-vgga-fc1-{who}", f"fig10-vgga-conv52-{who}") for who in ("hypar", "peak")}
    theirs |= {f"{who}_value": fact(f"fig10-{who}") for who in ("hypar", "peak")}
    countings = plot.ordered(zip(*(points[name] for name in counting)))
    figure, axes = plot.panels(len(countings), 2, 3.2 * len(countings), "Figure 10: VGG-A, 256 points for each way to "
                               "count conversions, all other layers as HyPar has them", width_ratios=[1.25, 1])
    drawn = []
    for row, values in zip(axes, countings):
        at = dict(zip(counting, values))
        these, gains, optimum = code_gains(plot.select(points, at), plot.select(peak, at), ["fc1", "conv5_2"])
        states = plot.select(layers, at).set_index("layer")["parallelism"]
        hypar = tuple("".join("01"[state == "mp"] for state in states[name].split()) for name in ("fc1", "conv5_2"))
        handles = space_map(figure, row, gains, ("fc1 at H1 to H4", "conv5_2 at H1 to H4 (0: dp, 1: mp)"), hypar,
                            theirs, optimum)
        row[0].set_title("conversions counted {}, halved by their {}".format(*values))
        drawn.append(these[[*counting, "conv5_2", "fc1", "time", "communication", "gain"]])
    plot.legend(figure, 4, *handles)
    return figure, pd.concat(drawn)


SCALINGS = {"total": "bandwidth of the whole network kept", "link": "bandwidth of each link kept"}
LINES = {"data": {"color": "#7d8799", "marker": "o"}, "hypar": {"color": COLORS["hypar"], "marker": "s"},
         "hypar-optimal": {"color": "#5fa583", "marker": "x", "linestyle": "--"}}


def figure11(results):
    points = results.frame("fig11").sort_values("accelerators")
    alone = plot.select(points, levels=0).set_index(["policy", "bandwidth_scaling"])["time"]
    points["gain"] = points.set_index(["policy", "bandwidth_scaling"]).index.map(alone) / points["time"]
    figure, axes = plot.panels(1, 3, 3.2, "Figure 11: VGG-A on a growing array",
                               [*SCALINGS.values(), "total communication, either way"])
    axes[1].sharey(axes[0])
    for axis, scaling in zip(axes, SCALINGS):
        gains = plot.wide(points, "accelerators", "policy", "gain", bandwidth_scaling=scaling)
        plot.lines(axis, gains, LINES, POLICIES)
        for policy, tag in (("data", "dp"), ("hypar", "hypar")):
            axis.plot(gains[policy].idxmax(), gains[policy].max(), "o", markersize=9, fillstyle="none",
                      color=LINES[policy]["color"])
            axis.plot(fact(f"fig11-{tag}-turn"), 0.05, transform=axis.get_xaxis_transform(),
                      **{**plot.PUBLISHED, "markeredgecolor": LINES[policy]["color"], "markeredgewidth": 1.5})
    axes[0].set(ylabel="performance, one accelerator = 1", ylim=(0.06, 2.5 * points["gain"].max()))
    # Bytes do not depend on bandwidth: either scaling's points would do.
    bytes_ = plot.wide(points[points["levels"] > 0], "accelerators", "policy", "communication",
                       bandwidth_scaling="total")
    plot.lines(axes[2], bytes_ / 1e9, LINES, POLICIES)
    axes[2].set(ylabel="total communication (GB)")
    most = points["accelerators"].max()
    for axis in axes:
        plot.log_axis(axis.xaxis, sorted(points["accelerators"].unique()))
        plot.log_axis(axis.yaxis)
        axis.set(xlabel="accelerators", xlim=(0.8, most * 1.3))
        axis.tick_params(axis="x", labelsize=plot.TINY)
        axis.axvspan(64 * 2**0.5, most * 1.3, color="0.93", zorder=0)
    plot.legend(figure, 3, axes[0], plot.entry("our best", marker="o", markersize=9, fillstyle="none"),
                plot.published_mark("published best, in the color of its policy"),
                Patch(color="0.93", label="more than in the paper"))
    return figure, points[["bandwidth_scaling", "policy", "accelerators", "time", "gain", "communication"]]


READINGS = {("balanced", "alternating"): "torus, balanced rings", ("dimension-order", "alternating"):
            "torus, dimension order", ("dimension-order", "row-major"): "torus, dimension order, row-major levels"}


def figure12(results):
    points = results.frame("fig12")
    routing, mapping = (points[f"hardware.network.torus_{name}"] for name in ("routing", "mapping"))
    points["network"] = ["H tree" if network == "h-tree" else READINGS[reading]
                         for network, reading in zip(points["topology"], zip(routing, mapping))]
    networks = plot.ordered(points["network"])
    data = plot.wide(points, "model", "network", "time", policy="data")["H tree"]
    hypar, optimal = (with_gmean(plot.wide(points, "model", "network", "time", policy=policy, objective=objective)
                                 [networks].rdiv(data, axis=0))
                      for policy, objective in (("hypar", "bytes"), ("hypar-optimal", "time")))
    torus = hypar.loc["gmean", networks[1:]]
    theirs = {name: fact(f"fig12-{name}") for name in ("htree", "torus", "sfc-torus")}
    figure, axis = plot.panels(
        height=3, title=f"Figure 12: geometric means {hypar.loc['gmean', 'H tree']:.2f} on the H tree (published "
        f"{theirs['htree']:g}), {torus.min():.2f} to {torus.max():.2f} on the torus (published {theirs['torus']:g})")
    marks = pd.DataFrame({"H tree": {"gmean": theirs["htree"]}, networks[1]: {"gmean": theirs["torus"]}})
    network_bars(axis, hypar, [COLORS["hypar"], "#2f6fb0", "#7fa8d1", "#c3d6ea"], published=marks)
    best = {"marker": "_", "color": OPTIMUM, "markersize": 6, "markeredgewidth": 1.4}
    for i, network in enumerate(networks):
        axis.plot(np.arange(len(hypar)) + plot.grouped(i, len(networks))[0], optimal[network], linestyle="none", **best)
    plot.published_line(axis, theirs["sfc-torus"], f"published: above {theirs['sfc-torus']:g}", (-0.45, 0.45))
    axis.set(ylabel="performance of HyPar,\nData Parallelism on the H tree = 1", ylim=(0.4, 30))
    plot.legend(figure, 3, axis, plot.entry("global optimum in time", **best), plot.published_mark())
    return figure, pd.concat([table.rename_axis("model").reset_index().assign(policy=name)
                              for name, table in (("hypar", hypar), ("optimal", optimal))])


CASES = {"vgg-e-conv5": ("conv5-b32", "conv5, batch 32"), "vgg-e-fc3": ("fc3-b4096", "fc3, batch 4096")}


def figure13(results):
    tables, theirs = {}, {}
    for metric, tag, title in (("time", "perf", "performance"), ("energy", "energy", "energy efficiency")):
        gains = normalized(results.frame("fig13"), metric, ["model", "levels"], "trick")[["hypar", "hypar-optimal"]]
        gains.index = [f"{CASES[model][0]}-h{levels}" for model, levels in gains.index]
        gains = plot.with_mean(gains.sort_index(), plot.gmean, "gmean")
        printed = plot.published_table("hypar", gains, lambda case, policy: policy == "hypar" and f"fig13-{case}-{tag}")
        title += f": mean {gains['hypar']['gmean']:.2f}, published {printed['hypar']['gmean']:g}"
        tables[title], theirs[title] = gains, printed
    figure, data = plot.compare(
        tables, "performance or energy\nefficiency, one weird trick = 1",
        "Figure 13: HyPar against one weird trick, one "
        "layer of VGG-E on 4, 8 and 16 accelerators", theirs, height=3, colors=COLORS, labels=POLICIES, base=1,
        names=[*(case[-2:].upper() for case in gains.index[:-1]), "mean"], first_mean=len(gains) - 1)
    for axis in figure.axes:
        plot.group_spans(axis, {text: (3 * i, 3 * i + 2) for i, (_, text) in enumerate(CASES.values())})
    return figure, data
