"""The figures of the HyPar paper, published values beside ours."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

import pimsweep
from pimsweep import plot
from pimsweep.plot import PUBLISHED, TINY, bars, grouped, legend, published_mark
from hypar_style import (ALEXNETS, COLORS, DP, MARK, MP, OPTIMUM, POLICIES, TAGS, TEN, TIME, fact, label_above,
                         network_axis, normalized, published_name, ratio_axis, with_gmean)

TEXT_COLORS = {"model": "#9a6414", "data": "#5d6778", "hypar": "#2a6f4e"}
SCOPES = {"printed": "arithmetic and exchanged words in DRAM", "all": "everything, SRAM and links too"}
ROUTING, MAPPING = "hardware.network.torus_routing", "hardware.network.torus_mapping"
CODES = [f"{code:04b}" for code in range(16)]
RATIO_POLICIES = ["model", "hypar", "hypar-optimal"]
ABOVE = "above: our deviation"


def all_networks(table):
    """The ten networks, their geometric mean, then the further readings of AlexNet."""
    return pd.concat([with_gmean(table), table.reindex([model for model in ALEXNETS if model in table.index])])


def figure5(results):
    cells = results.detail("fig5_to_8", "by_layer_and_level")
    cells = cells[(cells["energy_scope"] == "printed") & cells["model"].isin(TEN)]
    columns = ["model", "layer", "level"]
    states = cells.pivot_table(index=columns, columns="policy", values="parallelism", aggfunc="first", sort=False)
    layers = {model: plot.ordered(rows["layer"]) for model, rows in cells.groupby("model")}
    printed = printed_states(layers, sorted(set(cells["level"])))
    models = plot.ordered(cells["model"])
    figure = plt.figure(figsize=(plot.PAGE, 6.6))
    heights = [max(len(layers[model]) for model in row) for row in (models[:5], models[5:])]
    grid = figure.add_gridspec(2, 5, height_ratios=heights)
    for i, model in enumerate(models):
        axis = figure.add_subplot(grid[i // 5, i % 5])
        rows = states.xs(model, level="model")
        levels = sorted(set(rows.index.get_level_values("level")))
        hypar = rows["hypar"].unstack("level").reindex(layers[model])[levels]
        edges = [np.arange(size + 1) - 0.5 for size in reversed(hypar.shape)]
        axis.pcolormesh(*edges, hypar == "mp", cmap=ListedColormap([DP, MP]), vmin=0, vmax=1, edgecolor="white",
                        linewidth=1.2)
        places = {}
        for y, layer in enumerate(layers[model]):
            for x, level in enumerate(levels):
                if rows["hypar"][layer, level] != rows["hypar-optimal"][layer, level]:
                    axis.add_patch(Rectangle((x - 0.42, y - 0.4), 0.84, 0.8, fill=False, edgecolor=OPTIMUM,
                                             linewidth=1.8))
                theirs = printed.get((model, layer, level))
                if theirs:
                    places.setdefault((theirs, theirs == hypar.loc[layer, level]), []).append((x, y))
        for (theirs, agrees), at in places.items():
            axis.plot(*zip(*at), "o", markersize=4.5, markerfacecolor=MP if theirs == "mp" else DP,
                      markeredgecolor=("white" if theirs == "mp" else "0.3") if agrees else MARK,
                      markeredgewidth=0.9 if agrees else 1.8)
        axis.set_title(TEN[model])
        axis.set(xticks=range(len(levels)), yticks=range(len(layers[model])),
                 ylim=(heights[i // 5] - 0.5, -0.5))
        axis.set_xticklabels([f"H{level}" for level in levels], fontsize=TINY)
        axis.set_yticklabels(layers[model], fontsize=TINY)
        axis.xaxis.tick_top()
        axis.tick_params(length=0)
        axis.grid(False)
        axis.spines[:].set_visible(False)
    differ = int((states["hypar"] != states["hypar-optimal"]).sum())
    checks = [states["hypar"][key] == theirs for key, theirs in printed.items()]
    dot = {"marker": "o", "linestyle": "none", "markersize": 5}
    legend(figure, 3, Patch(color=DP, label="dp"), Patch(color=MP, label="mp"),
           Patch(facecolor="none", edgecolor=OPTIMUM, linewidth=1.8,
                 label=f"the global optimum has the other state ({differ} cells)"),
           Line2D([], [], markerfacecolor=DP, markeredgecolor="0.3", label=f"printed and equal ({sum(checks)})", **dot),
           Line2D([], [], markerfacecolor=DP, markeredgecolor=MARK, markeredgewidth=1.8,
                  label=f"printed and different ({len(checks) - sum(checks)})", **dot))
    figure.suptitle(f"Figure 5: parallelism chosen by HyPar, {len(states)} cells, batch {cells['batch'].iloc[0]}")
    data = states[["hypar", "hypar-optimal"]].reset_index()
    data["published"] = [printed.get(tuple(key), "") for key in data[columns].to_numpy()]
    return figure, data


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


def compare(axis, table, policies, figure, base=0):
    """Bars with published values as marks on them and deviations in a row above; returns what is drawn."""
    if base:
        bars(axis, table[policies], COLORS, POLICIES, base)
    network_axis(axis, table.index)
    drawn, deviations = [], []
    for i, policy in enumerate(policies):
        positions = np.arange(len(table)) + grouped(i, len(policies))[0]
        theirs = [fact(f"{figure}-{published_name(model)}-{TAGS[policy]}") if policy in TAGS else np.nan
                  for model in table.index]
        drawn += [{"model": model, "policy": policy, "ours": ours, "published": printed}
                  for (model, ours), printed in zip(table[policy].items(), theirs)]
        if not base:
            # Bars on a logarithmic axis would begin anywhere.
            axis.plot(positions, table[policy], "s", color=COLORS[policy], markersize=5, label=POLICIES[policy])
        if policy in TAGS:
            axis.plot(positions, theirs, **{**PUBLISHED, "markersize": 4.5 if base else 3})
            deviations += [(position, plot.deviation(ours, printed), TEXT_COLORS[policy])
                           for position, ours, printed in zip(positions, table[policy], theirs)]
    label_above(axis, deviations)
    return drawn


def figure6(results):
    points = results.frame("fig5_to_8")
    table = all_networks(normalized(points[points["energy_scope"] == "printed"], TIME))
    figure, axis = plt.subplots()
    drawn = compare(axis, table, RATIO_POLICIES, "fig6", base=1)
    ratio_axis(axis)
    axis.set(ylim=(0.02, 50), ylabel="performance,\nData Parallelism = 1")
    mean, theirs = table["hypar"]["gmean"], fact("fig6-gmean-hypar")
    axis.set_title(f"Figure 6: HyPar is {mean:.2f} times as fast as Data Parallelism (published {theirs:g}); {ABOVE}")
    legend(figure, 4, axis, published_mark())
    return figure, pd.DataFrame(drawn)


def figure7(results):
    points = results.frame("fig5_to_8")
    figure, axes = plt.subplots(len(SCOPES), 1, figsize=(plot.PAGE, 4.6), sharey=True)
    drawn = []
    for axis, (scope, meaning) in zip(axes, SCOPES.items()):
        table = all_networks(normalized(points[points["energy_scope"] == scope], "energy"))
        drawn += [{"energy_scope": scope, **row} for row in compare(axis, table, RATIO_POLICIES, "fig7", base=1)]
        ratio_axis(axis)
        axis.set(ylim=(0.1, 20), ylabel="energy efficiency,\nData Parallelism = 1")
        mean, theirs = table["hypar"]["gmean"], fact("fig7-gmean-hypar")
        axis.set_title(f"energy scope {scope}: {meaning}. HyPar {mean:.2f} (published {theirs:g})")
    legend(figure, 4, axes[0], published_mark())
    figure.suptitle(f"Figure 7: energy efficiency under both scopes; {ABOVE}")
    return figure, pd.DataFrame(drawn)


def figure8(results):
    points = results.frame("fig5_to_8")
    points = points[points["energy_scope"] == "printed"]
    bytes_ = points.pivot_table(index="model", columns="policy", values="communication", sort=False)
    table = all_networks(bytes_) / 1e9
    figure, axis = plt.subplots()
    drawn = compare(axis, table, ["model", "data", "hypar", "hypar-optimal"], "fig8")
    plot.log_axis(axis.yaxis)
    axis.set(ylim=(5e-3, 1e3), ylabel="total communication (GB)")
    less = table.loc["gmean", "data"] / table.loc["gmean", "hypar"]
    theirs = fact("fig8-gmean-dp") / fact("fig8-gmean-hypar")
    axis.set_title(f"Figure 8: Data Parallelism has {less:.2f} times the bytes of HyPar (published {theirs:.2f}); {ABOVE}")
    legend(figure, 5, axis, published_mark())
    return figure, pd.DataFrame(drawn)


def space_map(figure, axes, gains, hypar, theirs, labels, optimum):
    """Heat map of 256 points, and the same points in order; gains has 16 x 16 codes, hypar is one (row, column)."""
    left, right = axes
    image = left.imshow(gains, cmap="viridis", origin="lower", aspect="equal")
    figure.colorbar(image, ax=left, label="performance, Data Parallelism = 1")
    best = gains.to_numpy().max()
    peaks = [place for place, gain in gains.stack().items() if np.isclose(gain, best, rtol=1e-9)]
    hollow = {"markerfacecolor": "none", "markeredgewidth": 1.5, "linestyle": "none", "clip_on": False}
    star = {"marker": "*", "color": OPTIMUM, "markeredgecolor": "white", "markeredgewidth": 0.5, "linestyle": "none",
            "clip_on": False}
    marks = [("HyPar here", [hypar], {"marker": "o", "markersize": 8, "color": MARK, **hollow}),
             ("peak here", peaks, {"markersize": 8, **star}),
             ("HyPar published", [theirs["hypar"]], {"marker": "s", "markersize": 11, "color": "black", **hollow}),
             ("peak published", [theirs["peak"]], {"marker": "D", "markersize": 11, "color": "black", **hollow})]
    order = gains.stack().sort_values(ascending=False)
    right.plot(np.arange(1, len(order) + 1), order.to_numpy(), color="0.4", linewidth=1.2)
    for name, points, style in marks:
        for row, column in points:
            left.plot(gains.columns.get_loc(column), gains.index.get_loc(row), **style)
    hypar_value = gains.loc[hypar]
    rank = int((order > hypar_value * (1 + 1e-9)).sum()) + 1
    right.plot(1, best, "*", color=OPTIMUM, markersize=9, label=f"peak here {best:.3f}")
    right.plot(rank, hypar_value, "o", color=MARK, markerfacecolor="none", markersize=7,
               label=f"HyPar here {hypar_value:.3f}")
    right.axhline(theirs["peak_value"], color="k", linestyle=":", linewidth=1,
                  label=f"peak published {theirs['peak_value']:g}")
    right.axhline(theirs["hypar_value"], color="k", linestyle="--", linewidth=0.7,
                  label=f"HyPar published {theirs['hypar_value']:g}")
    right.axhline(optimum, color=COLORS["hypar"], linestyle="-", linewidth=0.8,
                  label=f"best of all assignments {optimum:.3f}")
    right.legend(loc="lower right")
    right.set(xlabel="points, best first", ylabel="performance", ylim=(0, None))
    for set_ticks, set_labels, codes in ((left.set_xticks, left.set_xticklabels, gains.columns),
                                         (left.set_yticks, left.set_yticklabels, gains.index)):
        set_ticks(range(len(codes)))
        set_labels(codes, fontsize=TINY, family="monospace")
    left.tick_params(axis="x", rotation=90)
    left.grid(False)
    left.set(xlabel=labels[1], ylabel=labels[0])
    return [Line2D([], [], **style, label=name) for name, _, style in marks]


def code_of(override):
    return override.split("=")[1]


def figure9(results):
    points, peak = results.frame("fig9"), results.frame("fig9_peak")
    peak = peak[peak["objective"] == "time"]
    data = peak.loc[peak["policy"] == "data", TIME].iloc[0]
    optimum = data / peak.loc[peak["policy"] == "hypar-optimal", TIME].iloc[0]
    points = points.assign(h1=points["overrides"].map(code_of), h4=points["more_overrides"].map(code_of),
                           gain=data / points[TIME])
    gains = points.pivot_table(index="h4", columns="h1", values="gain").reindex(index=CODES, columns=CODES)
    states = peak.loc[peak["policy"] == "hypar", "parallelism"].iloc[0].split()
    hypar = tuple("".join(layer[level] for layer in states) for level in (3, 0))
    facts = pimsweep.published("hypar")
    printed = tuple(facts.loc[f"hypar-fig9-lenet-h{level}", "axis"].split("code=")[1] for level in (4, 1))
    theirs = {"hypar": printed, "peak": printed, "hypar_value": fact("fig9-hypar"), "peak_value": fact("fig9-peak")}
    figure, axes = plt.subplots(1, 2, figsize=(plot.PAGE, 3.6), width_ratios=[1.25, 1])
    handles = space_map(figure, axes, gains, hypar, theirs,
                               ("H4: conv1 conv2 fc1 fc2", "H1: conv1 conv2 fc1 fc2 (0 dp, 1 mp)"), optimum)
    legend(figure, 4, *handles)
    figure.suptitle(f"Figure 9: Lenet-c, {len(points)} points, H2 and H3 as HyPar has them")
    return figure, points[["h1", "h4", TIME, "communication", "gain"]]


def at_counting(frame, count, shape):
    return frame[(frame["conversion_count"] == count) & (frame["conversion_shape"] == shape)]


def figure10(results):
    points, peak = results.frame("fig10"), results.frame("fig10_peak")
    peak = peak[peak["objective"] == "time"]
    layers = results.detail("fig10_peak", "by_layer").query("objective == 'time'")
    facts = pimsweep.published("hypar")
    printed = {who: tuple(facts.loc[f"hypar-fig10-vgga-{layer}-{who}", "axis"].split("code=")[1]
                          for layer in ("fc1", "conv52")) for who in ("hypar", "peak")}
    theirs = {**printed, "hypar_value": fact("fig10-hypar"), "peak_value": fact("fig10-peak")}
    countings = plot.ordered(zip(points["conversion_count"], points["conversion_shape"]))
    figure, axes = plt.subplots(len(countings), 2, figsize=(plot.PAGE, 3.2 * len(countings)), width_ratios=[1.25, 1])
    drawn = []
    for row, (count, shape) in zip(axes, countings):
        best = at_counting(peak, count, shape)
        data = best.loc[best["policy"] == "data", TIME].iloc[0]
        optimum = data / best.loc[best["policy"] == "hypar-optimal", TIME].iloc[0]
        these = at_counting(points, count, shape)
        these = these.assign(conv5_2=these["overrides"].map(code_of), fc1=these["more_overrides"].map(code_of),
                             gain=data / these[TIME])
        gains = these.pivot_table(index="fc1", columns="conv5_2", values="gain").reindex(index=CODES, columns=CODES)
        chosen = at_counting(layers, count, shape).query("policy == 'hypar'").set_index("layer")["parallelism"]
        hypar = tuple("".join("01"[state == "mp"] for state in chosen[layer].split()) for layer in ("fc1", "conv5_2"))
        handles = space_map(figure, row, gains, hypar, theirs,
                                   ("fc1 at H1 to H4", "conv5_2 at H1 to H4 (0 dp, 1 mp)"), optimum)
        row[0].set_title(f"conversions counted {count}, halved by their {shape}")
        drawn.append(these[["conversion_count", "conversion_shape", "conv5_2", "fc1", TIME,
                            "communication", "gain"]])
    legend(figure, 4, *handles)
    figure.suptitle(f"Figure 10: VGG-A, {len(drawn[0])} points for each counting, all other layers as HyPar has them")
    return figure, pd.concat(drawn)


def figure11(results):
    points = results.frame("fig11").sort_values("accelerators")
    alone = points[points["levels"] == 0].set_index(["policy", "bandwidth_scaling"])[TIME]
    points["gain"] = [alone[p, b] / t for p, b, t in zip(points["policy"], points["bandwidth_scaling"],
                                                         points[TIME])]
    turns = {"data": fact("fig11-dp-turn"), "hypar": fact("fig11-hypar-turn")}
    titles = {"total": "bandwidth of the whole network kept", "link": "bandwidth of each link kept"}
    styles = {"data": ("o-", "#7d8799"), "hypar": ("o-", COLORS["hypar"]), "hypar-optimal": ("x--", "#5fa583")}
    paper, most = 64, points["accelerators"].max()
    figure, axes = plt.subplots(1, 3, figsize=(plot.PAGE, 3.2))
    axes[1].sharey(axes[0])
    for axis, scaling in zip(axes, titles):
        for policy, (style, color) in styles.items():
            rows = points[(points["bandwidth_scaling"] == scaling) & (points["policy"] == policy)]
            axis.plot(rows["accelerators"], rows["gain"], style, color=color, markersize=4, linewidth=1.3,
                      label=POLICIES[policy])
            if policy in turns:
                top = rows.loc[rows["gain"].idxmax()]
                axis.annotate(f"best {top['gain']:.2f} at {top['accelerators']:.0f}",
                              (top["accelerators"], top["gain"]), xytext=(3, 6) if policy == "hypar" else (-4, -27),
                              textcoords="offset points", color=color,
                              ha="right" if top["accelerators"] == most else "center")
                axis.plot(turns[policy], 0.05, transform=axis.get_xaxis_transform(),
                          **{**PUBLISHED, "markeredgecolor": color, "markeredgewidth": 1.5})
        axis.set_title(titles[scaling])
    axes[0].set(ylabel="performance, one accelerator = 1", ylim=(0.06, 2.5 * points["gain"].max()))
    # Bytes do not depend on bandwidth: either scaling's points would do.
    for policy, (style, color) in styles.items():
        rows = points[(points["bandwidth_scaling"] == "total") & (points["policy"] == policy) & (points["levels"] > 0)]
        axes[2].plot(rows["accelerators"], rows["communication"] / 1e9, style, color=color, markersize=4,
                     linewidth=1.3)
    axes[2].set(ylabel="total communication (GB)")
    axes[2].set_title("total communication, either way")
    for axis in axes:
        axis.set(xscale="log", yscale="log", xlabel="accelerators", xlim=(0.8, most * 1.3))
        plot.log_axis(axis.xaxis, sorted(points["accelerators"].unique()))
        plot.log_axis(axis.yaxis)
        axis.tick_params(axis="x", labelsize=TINY)
        axis.axvspan(paper * 2**0.5, most * 1.3, color="0.9", zorder=0)
    legend(figure, 5, axes[0], published_mark("published best"), Patch(color="0.9", label="beyond the paper"))
    figure.suptitle("Figure 11: VGG-A on a growing array")
    return figure, points[["bandwidth_scaling", "policy", "accelerators", TIME, "gain",
                                "communication"]]


def figure12(results):
    points = results.frame("fig12")
    reading = {("balanced", "alternating"): "torus, balanced rings",
               ("dimension-order", "alternating"): "torus, dimension order",
               ("dimension-order", "row-major"): "torus, dimension order, row-major levels"}
    points["network"] = ["H tree" if t == "h-tree" else reading[r, m] for t, r,
                         m in zip(points["topology"], points[ROUTING], points[MAPPING])]
    networks = plot.ordered(points["network"])
    colors = dict(zip(networks, [COLORS["hypar"], "#2f6fb0", "#7fa8d1", "#c3d6ea"]))
    data = points[(points["policy"] == "data") & (points["network"] == "H tree")]
    data = data.drop_duplicates("model").set_index("model")[TIME]
    tables = {}
    for name, policy, objective in (("hypar", "hypar", "bytes"), ("optimal", "hypar-optimal", "time")):
        rows = points[(points["policy"] == policy) & (points["objective"] == objective)]
        times = rows.pivot_table(index="model", columns="network", values=TIME, sort=False)[networks]
        tables[name] = with_gmean(times.rdiv(data, axis=0))
    figure, axis = plt.subplots(figsize=(plot.PAGE, 3))
    hypar = tables["hypar"]
    bars(axis, hypar, colors, base=1)
    for i, network in enumerate(networks):
        positions = np.arange(len(hypar)) + grouped(i, len(networks))[0]
        axis.plot(positions, tables["optimal"][network], "_", color=OPTIMUM, markersize=6, markeredgewidth=1.4)
    end = len(hypar) - 1
    for i, name in ((0, "htree"), (1, "torus")):
        axis.plot(end + grouped(i, len(networks))[0], fact(f"fig12-{name}"), **PUBLISHED)
    axis.plot([-0.45, 0.45], 2 * [fact("fig12-sfc-torus")], "k--", linewidth=1)
    ratio_axis(axis)
    axis.set(ylabel="performance of HyPar,\nData Parallelism on the H tree = 1", ylim=(0.4, 30))
    network_axis(axis, hypar.index)
    legend(figure, 3, axis, Line2D([], [], marker="_", linestyle="none", color=OPTIMUM, markeredgewidth=1.4,
                                   label="global optimum in time"), published_mark(),
           Line2D([], [], color="k", linestyle="--", linewidth=1,
                  label=f"published: above {fact('fig12-sfc-torus'):g}"))
    means = hypar.loc["gmean"]
    torus = means[networks[1:]]
    theirs = {name: fact(f"fig12-{name}") for name in ("htree", "torus")}
    axis.set_title(f"Figure 12: geometric means {means['H tree']:.2f} on the H tree (published {theirs['htree']:g}), "
                   f"{torus.min():.2f} to {torus.max():.2f} on the torus (published {theirs['torus']:g})")
    drawn = pd.concat([table.rename_axis("model").reset_index().assign(policy=name) for name, table in tables.items()])
    return figure, drawn


def figure13(results):
    points = results.frame("fig13")
    cases = {"vgg-e-conv5": ("conv5-b32", "conv5, batch 32"), "vgg-e-fc3": ("fc3-b4096", "fc3, batch 4096")}
    figure, axes = plt.subplots(1, 2, figsize=(plot.PAGE, 3.2), sharey=True)
    drawn = []
    for axis, (metric, tag, title) in zip(axes, ((TIME, "perf", "performance"),
                                                 ("energy", "energy", "energy efficiency (scope printed)"))):
        gains = normalized(points, metric, index=["model", "levels"], baseline="trick").sort_index()
        keys = [f"{cases[model][0]}-h{levels}" for model, levels in gains.index] + ["gmean"]
        gains = pd.concat([gains.reset_index(drop=True), plot.gmean(gains).to_frame().T], ignore_index=True)
        bars(axis, gains[["hypar", "hypar-optimal"]], COLORS, POLICIES)
        for position, key in enumerate(keys):
            theirs = fact(f"fig13-{key}-{tag}")
            axis.plot(position - 0.21, theirs, **PUBLISHED)
            axis.text(position - 0.21, max(theirs, gains["hypar"][position]) + 0.08,
                      plot.deviation(gains["hypar"][position], theirs), ha="center", va="bottom", fontsize=TINY)
            drawn.append({"metric": metric, "case": key, "hypar": gains["hypar"][position],
                          "hypar-optimal": gains["hypar-optimal"][position], "published": theirs})
        axis.axhline(1, color=COLORS["trick"], linewidth=1.2)
        axis.set_title(f"{title}:\nmean {gains['hypar'].iloc[-1]:.2f}, published {fact(f'fig13-gmean-{tag}'):g}")
        plot.group_names(axis, [key.split("-")[-1].upper() if key != "gmean" else "Gmean" for key in keys])
        for start, (_, text) in zip((1, 4), cases.values()):
            axis.text(start, -0.12, text, ha="center", va="top", transform=axis.get_xaxis_transform())
        for edge in (2.5, 5.5):
            axis.axvline(edge, color="0.6", linewidth=0.6)
    axes[0].set(ylabel="over one weird trick", ylim=(0, 3))
    legend(figure, 3, axes[0], published_mark())
    figure.suptitle("Figure 13: HyPar against one weird trick, one layer of VGG-E on 4, 8 and 16 accelerators;\n"
                    "above the bars: deviation from the published value")
    return figure, pd.DataFrame(drawn)
