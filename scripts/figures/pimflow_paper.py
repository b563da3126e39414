"""The figures and the table of the PIMFlow paper, published values beside ours."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.patches import Patch

from pimflow_style import (COLORS, CONTROLLERS, FIVE, MOBILE, NETWORKS, POLICIES, SPEEDUP, by_policy, fact, gain, gains,
                           less, percent)
from pimsweep import plot

PARTS = {"pointwise_time": ("1x1 convolutions", "#2a6f4e"), "convolution_time": ("larger convolutions", "#9cc9b0"),
         "depthwise_time": ("depthwise convolutions", "#e0a458"),
         "fully_connected_time": ("fully connected", "#2f6fb0"), "other_time": ("other", "#b0b7c3")}
CHANNELS = "hardware.gpu.memory.channels"
MEAN = {"first_mean": len(FIVE)}


def intensities(results):
    """The rows behind the right panel of Figure 1: convolutions, in the order of their networks."""
    layers = plot.select(results.detail("fig1", "by_layer"), kind=["convolution", "depthwise"])
    return None, layers[["model", "layer", "place", "kind", "kernel", "intensity"]]


def figure1(results):
    points = results.frame("fig1").set_index("model").loc[list(FIVE)]
    shares = 100 * points[list(PARTS)].div(points["time"], axis=0)
    layers = intensities(results)[1]
    figure, (left, right) = plot.panels(1, 2, 2.7, "Figure 1: where the time of an image goes, and the intensity of "
                                        "convolutions", ["time on the GPU, RTX 2080 Ti, one image",
                                                         "each convolution"])
    plot.stacked(left, shares, PARTS)
    left.set(ylabel="share of the time (%)", ylim=(0, 100))
    kinds = {"1x1 convolutions": (layers["kind"] == "convolution") & (layers["kernel"] == 1),
             "larger convolutions": (layers["kind"] == "convolution") & (layers["kernel"] > 1),
             "depthwise convolutions": layers["kind"] == "depthwise"}
    colors = dict(PARTS.values())
    for (label, chosen), shift, marker in zip(kinds.items(), (-0.22, 0, 0.22), "os^"):
        rows = layers[chosen]
        order = 0.18 * (rows.groupby("model")["place"].rank(pct=True) - 0.5)
        right.plot(rows["model"].map(list(FIVE).index) + shift + order, rows["intensity"], marker, color=colors[label],
                   markersize=2.6, markeredgewidth=0)
    right.set_ylabel("multiply-accumulates per value\nread or written once")
    plot.log_axis(right.yaxis)
    for axis in (left, right):
        plot.group_names(axis, FIVE.values(), fontsize=plot.TINY)
    plot.legend(figure, 5, left)
    return figure, shares.reset_index()


def figure3(results):
    times = plot.wide(results.frame("fig3"), CHANNELS, "model", "time").sort_index()[list(FIVE)]
    ratios = times / times.loc[24]
    figure, axis = plot.panels(height=2.7, width=plot.COLUMN)
    axis.set_title("Figure 3: time with half of the channels,\n"
                   f"ResNet50 {percent(ratios.loc[12, 'resnet-50'])}, VGG16 {percent(ratios.loc[12, 'vgg-d'])}")
    plot.lines(axis, ratios, NETWORKS, FIVE)
    axis.set(xlabel="memory channels of the GPU", ylabel="time, 24 channels = 1", xticks=ratios.index)
    plot.log_axis(axis.yaxis, [0.8, 1, 1.5, 2, 3])
    axis.axvline(12, **plot.PUBLISHED_LINE)
    axis.text(12.4, 0.97, "published: half of 24 is\nnot noticed by compute-\nintensive networks", fontsize=plot.TINY,
              va="top", transform=axis.get_xaxis_transform())
    plot.legend(figure, 3, axis)
    return figure, ratios.reset_index()


PRECISIONS = {"fp32": "GPU in fp32", "fp16-in/tensor-mixed": "GPU in fp16 on tensor cores"}


def figure8(results):
    points = results.detail("fig8", "by_layer")
    figure, axes = plot.panels(1, 2, 2.6, "Figure 8: matrix-vector products of language models", PRECISIONS.values(),
                               sharey=True)
    for axis, precision in zip(axes, PRECISIONS):
        for policy, marker, color in (("newton+", "s", COLORS["gpu"]), ("newton++", "o", COLORS["pimflow-md"])):
            at = plot.select(points, precision=precision, policy=policy).groupby("batch")["pim_speedup"]
            mean = at.apply(plot.gmean)
            plot.bands(axis, mean.index, at.min(), at.max(), mean, color=color, marker=marker,
                       label=f"{POLICIES[policy]}, geometric mean")
        for name, text in (("val", "published"), ("newton", "cited: Newton"), ("aim", "cited: AiM")):
            axis.plot(1, fact(f"fig8-{name}"), **plot.PUBLISHED)
            axis.annotate(text, (1, fact(f"fig8-{name}")), (6, 0), textcoords="offset points", fontsize=plot.TINY,
                          va="center")
        axis.axhline(1, color="0.3", linewidth=0.8)
        plot.log_axis(axis.xaxis, sorted(set(points["batch"])))
        plot.log_axis(axis.yaxis, [0.1, 0.3, 1, 3, 10, 30])
        axis.set_xlabel("batch")
    axes[0].set_ylabel("speedup of Newton on HBM over\na Titan V, 24 channels each (x)")
    plot.legend(figure, 4, axes[0], plot.published_mark("published"),
                Patch(color="0.85", label=f"range of {points['model'].nunique()} matrices"))
    return figure, points[["model", "policy", "precision", "batch", "pim_speedup"]]


# Published speedups of Figure 9, by network or mean, then by policy.
PARTS_OF_FIGURE9 = {
    "all_convolution_time": ("(a) all convolutions", {
        "efficientnet-b0": {"pimflow": "fig9a-enetb0"}, "vgg-d": {"pimflow": "fig9a-vgg16"},
        "mean": {"pimflow": "fig9a-avg"},
        "mobile mean": {"pimflow-md": "fig9-md-mobile", "pimflow-pl": "fig9-pl-mobile", "pimflow": "fig9-pf-mobile"}}),
    "time": ("(b) whole networks", {
        "efficientnet-b0": {"pimflow": "abs-e2e-max"}, "mean": {"pimflow": "s1-e2e-avg-gpu"}})}


def figure9(results):
    tables, theirs = {}, {}
    for metric, (title, ids) in PARTS_OF_FIGURE9.items():
        times = by_policy(results.frame("fig9"), metric, controller="artifact")
        speedup = times.rdiv(times["gpu"], axis=0)[list(POLICIES)]
        means = pd.DataFrame({"mean": speedup.mean(), "mobile mean": speedup.loc[MOBILE].mean()}).T
        title += (f": PIMFlow's mean speedup {percent(means.loc['mean', 'pimflow'])}, published "
                  f"{percent(gains(ids).loc['mean', 'pimflow'])}")
        tables[title], theirs[title] = 1 / pd.concat([speedup, means]), 1 / gains(ids)
    only = 1 / by_policy(results.frame("fig9b"), "speedup", offload="convolutions")
    figure, data = plot.compare(
        tables, "time, GPU alone = 1", "Figure 9: time under every policy", theirs, stack=True, height=4.4,
        colors=COLORS,
        labels=POLICIES, ylim=(0, 1.08 * only.max().max()), names=[*FIVE.values(), "mean", "mean of the\nfirst three"],
        entries=[plot.entry("only convolutions offloaded", linestyle="-", linewidth=1.2)], **MEAN)
    for axis in figure.axes:
        axis.axhline(1, color=COLORS["gpu"], linewidth=1)
    for policy in only:
        shift, width = plot.grouped(list(POLICIES).index(policy), len(POLICIES))
        figure.axes[1].hlines(only[policy], np.arange(len(only)) + shift - width / 2,
                              np.arange(len(only)) + shift + width / 2,
                       color="black", linewidth=1.2)
    return figure, data


def figure10(results):
    layers = plot.select(results.detail("fig9", "by_layer"), controller="artifact", candidate=1)
    times = plot.wide(layers, ["model", "layer"], "policy", "time").dropna(how="all")
    layers = layers.assign(number=layers.groupby(["model", "policy"]).cumcount() + 1)
    keys = layers.set_index(["policy", "model", "layer"])
    split = keys.loc["pimflow-md"].query("choice == 'split'")
    table = times.loc[split.index, ["newton++", "pimflow-md"]].div(times.loc[split.index, "gpu"], axis=0)
    table["number"], table["on GPU"] = split["number"], keys.loc["newton++"].loc[split.index, "choice"] == "gpu"
    # Two rows of panels, as wide as they have layers.
    figure = plt.figure(figsize=(plot.PAGE, 4.0))
    first = None
    for line, models in zip(figure.add_gridspec(2, 1), (MOBILE, list(FIVE)[3:])):
        widths = [len(table.loc[model]) for model in models]
        for panel, model in zip(line.subgridspec(1, len(models), width_ratios=widths), models):
            part = table.loc[model]
            axis = figure.add_subplot(panel, sharey=first)
            first = first or axis
            plot.bars(axis, part[["newton++", "pimflow-md"]], COLORS, names=part["number"], fontsize=plot.TINY)
            left = np.flatnonzero(part["on GPU"])
            axis.plot(left + plot.grouped(0, 2)[0], np.full(len(left), 0.06), "o", color="black", markersize=2.6)
            axis.axhline(1, color=COLORS["gpu"], linewidth=1)
            axis.set(title=f"{FIVE[model]}: {len(part)} of {len(times.loc[model])} split",
                     xlabel="number of the layer" if models != MOBILE else "")
            if model == models[0]:
                axis.set_ylabel("time, GPU alone = 1")
            else:
                axis.tick_params(labelleft=False)
    figure.suptitle("Figure 10: layers that PIMFlow-md splits over GPU and PIM, of those that may run on PIM")
    plot.legend(figure, 4, Patch(color=COLORS["newton++"], label="Newton++"),
                Patch(color=COLORS["pimflow-md"], label="PIMFlow-md, split over GPU and PIM"),
                plot.entry("left on the GPU by Newton++", marker="o", markersize=2.6),
                plot.entry("GPU alone, all channels", color=COLORS["gpu"], linestyle="-", linewidth=1))
    return figure, table.reset_index()


PATTERNS = {"1x1-DW-1x1": "type 1: 1x1-DW-1x1", "1x1-DW": "1x1-DW", "DW-1x1": "DW-1x1"}


def figure11(results):
    places = plot.select(results.detail("fig9", "pipelines"), policy="pimflow")
    figure, axes = plot.panels(1, 3, 2.7, "Figure 11: chains of layers as pipelines", sharey=True)
    for axis, (pattern, title) in zip(axes, PATTERNS.items()):
        rows = plot.wide(places, ["model", "first"], "controller", "speedup", pattern=pattern).dropna()
        position, ticks = 0, []
        for model in [model for model in MOBILE if model in rows.index]:
            where = position + np.arange(len(rows.loc[model]))
            axis.bar(where, rows.loc[model]["artifact"] - 1, 0.8, bottom=1, color=NETWORKS[model]["color"])
            axis.plot(where, rows.loc[model]["paper"], "_", color="black", markersize=4, markeredgewidth=1.1)
            ticks.append((where.mean(), FIVE[model]))
            position = where[-1] + 3
        axis.set_xticks(*zip(*ticks))
        axis.grid(False, axis="x")
        axis.axhline(1, color="0.3", linewidth=0.8)
        for limit in (less("fig11-filter-lo"), gain("fig11-filter-hi")):
            plot.published_line(axis, limit, None)
        axis.set_title(f"{title}: faster are\n{(rows['artifact'] > 1).sum()} of {len(rows)} "
                       f"(paper's controller: {(rows['paper'] > 1).sum()})")
    axes[0].set_ylabel("speedup of the pipeline over\neach layer in its best mode (x)")
    plot.legend(figure, 5, *(Patch(color=NETWORKS[model]["color"], label=FIVE[model]) for model in MOBILE),
                plot.entry("paper's controller", marker="_"),
                plot.entry("the paper shows only gains and losses beyond these", **plot.PUBLISHED_LINE))
    return figure, places[["controller", "model", "pattern", "first", "last", "time", "apart", "speedup", "chosen"]]


ENERGIES = {"gpu_static_energy": ("GPU, static", "#b0b7c3"), "gpu_dynamic_energy": ("GPU, dynamic", "#7fa8d1"),
            "pim_energy": ("PIM", "#2a6f4e")}


def figure12(results):
    points = plot.select(results.frame("fig9"), controller="artifact")
    total = by_policy(points, "energy")["gpu"]
    shown = {"gpu": "GPU", "newton+": "N+", "newton++": "N++", "pimflow": "PF"}
    parts = {part: plot.with_mean(by_policy(points, part)[list(shown)].div(total, axis=0)) for part in ENERGIES}
    means = sum(parts.values()).loc["mean"]
    theirs = {"newton++": less("fig12-npp"), "pimflow": less("fig12-pf")}
    title = "Figure 12: mean energy of Newton++ {} (published {}), PIMFlow {} (published {})".format(
        *(percent(values[policy]) for policy in theirs for values in (means, theirs)))
    figure, axis = plot.panels(title=title)
    for i, (policy, short) in enumerate(shown.items()):
        shift, width = plot.grouped(i, len(shown))
        places = np.arange(len(FIVE) + 1) + shift
        heights = plot.stacked(axis, pd.DataFrame({part: table[policy] for part, table in parts.items()}),
                               {part: (name if not i else "", color) for part, (name, color) in ENERGIES.items()},
                               width, places)
        for place, height in zip(places, heights):
            axis.text(place, height + 0.02, short, fontsize=plot.TINY, ha="center", va="bottom")
        if policy in theirs:
            axis.plot(places[-1], theirs[policy], **plot.PUBLISHED)
    axis.set(ylabel="energy, GPU alone = 1", ylim=(0, 1.15))
    plot.group_names(axis, [*FIVE.values(), "mean"], **MEAN)
    plot.legend(figure, 4, axis, plot.published_mark("published mean"))
    return figure, pd.concat(parts, names=["part", "model"]).reset_index()


def figure13(results):
    points = results.frame("fig13")
    styles = {policy: {"color": COLORS[policy], "marker": marker, "markerfacecolor": "white"}
              for policy, marker in zip(("newton+", "newton++", "pimflow", "pimflow-optimal"), "svo^")}
    figure, axes = plot.panels(2, len(FIVE), 3.6, "Figure 13: time over the division of the memory channels",
                               FIVE.values(), sharex=True, sharey=True)
    for row, (controller, reading) in zip(axes, CONTROLLERS.items()):
        for axis, model in zip(row, FIVE):
            times = 1 / plot.wide(points, "pim_channels", "policy", "speedup", controller=controller, model=model)
            times = times.sort_index()
            plot.lines(axis, times, styles, POLICIES)
            for policy, style in styles.items():
                axis.plot(times[policy].idxmin(), times[policy].min(), **{**style, "markerfacecolor": style["color"]})
            axis.axvline(fact("fig13-best"), **plot.PUBLISHED_LINE)
            axis.axhline(1, color=COLORS["gpu"], linewidth=1)
            axis.set_xticks([4, 12, 20, 28])
        row[0].set_ylabel(f"{reading}\ntime, GPU alone = 1")
    plot.log_axis(axes[0, 0].yaxis, [0.5, 0.7, 1, 1.5, 2])
    axes[-1][len(FIVE) // 2].set_xlabel("PIM channels of 32")
    plot.legend(figure, 6, axes[0, 0], plot.entry("filled: best", marker="o"),
                plot.entry("published best of PIMFlow", **plot.PUBLISHED_LINE))
    return figure, points[["controller", "model", "policy", "pim_channels", "speedup"]]


OPTIMIZATIONS = {"hiding": ("GW: hidden GWRITEs", "#b0b7c3", "fig14-gw"),
                 "buffers": ("GB: four global buffers", "#7fa8d1", "fig14-gb"),
                 "both": ("both", "#2a6f4e", "fig14-both")}


def figure14(results):
    labels, colors, ids = ({name: values[i] for name, values in OPTIMIZATIONS.items()} for i in range(3))
    tables = {}
    for controller, title in CONTROLLERS.items():
        times = by_policy(results.frame("fig14"), "all_convolution_time", "command_optimizations",
                          controller=controller)
        tables[title] = plot.with_mean(times.rdiv(times["none"], axis=0)[list(OPTIMIZATIONS)])
    return plot.compare(
        tables, "speedup over Newton+ (x)", "Figure 14: what the optimizations of PIM commands gain in convolutions",
        lambda _: gains(ids), mark="published mean", colors=colors, labels=labels, base=1,
        names=[*FIVE.values(), "mean"], fontsize=plot.TINY, **MEAN)


def figure15(results):
    points, sync = results.frame("fig15"), "hardware.synchronization"
    colors = dict(zip(sorted(set(points[sync])), ("#9cc9b0", "#4f9a74", "#1d4a35")))
    figure, axes = plot.panels(1, len(MOBILE), 2.5, "Figure 15: pipelines of more stages", map(FIVE.get, MOBILE),
                               sharey=True)
    drawn = []
    for axis, model in zip(axes, MOBILE):
        for policy, style in (("pimflow-pl", "o-"), ("pimflow", "s--")):
            times = plot.wide(points, "stages", sync, "time", model=model, policy=policy).sort_index()
            for time, color in colors.items():
                axis.plot(times.index, times[time] / times[time].iloc[0], style, color=color, markersize=3.5)
            drawn.append((times / times.iloc[0]).reset_index().assign(model=model, policy=policy))
        axis.axhline(1, color="0.3", linewidth=0.8)
        axis.axvspan(1.8, 2.2, color="0.9", zorder=0)
        axis.set(xticks=[2, 3, 4, 5], xlim=(1.8, 5.2))
    axes[0].set_ylabel("time, two stages = 1")
    axes[1].set_xlabel("stages of a pipeline")
    plot.legend(figure, 3, *(plot.entry(f"{time * 1e6:g} \N{MICRO SIGN}s for a synchronization", color=color,
                                        linestyle="-")
                             for time, color in colors.items()), plot.entry("PIMFlow-pl", marker="o", linestyle="-"),
                plot.entry("PIMFlow", marker="s", linestyle="--"), Patch(color="0.9", label="published best"))
    return figure, pd.concat(drawn)


SIZES = {**{f"efficientnet-b{i}": f"B{i}" for i in range(7)}, "mnasnet-1.0": "1.0", "mnasnet-1.3": "1.3",
         "mobilenet-v2": "1.0", "mobilenet-v2-1.4": "1.4"}


def figure16(results):
    table = plot.wide(results.frame("fig16"), "model", "policy", "speedup").loc[list(SIZES)]
    bert = plot.wide(results.frame("fig16_bert"), ["tokens", "controller"], "policy", "speedup").sort_index()
    bert = (bert["pimflow"] / bert["newton++"]).unstack("controller")[list(CONTROLLERS)]
    figure, (left, right) = plot.panels(1, 2, 2.8, "Figure 16: sizes of networks",
                                        ["mobile networks, artifact's controller", "BERT"], width_ratios=[1.7, 1])
    plot.bars(left, table[["newton++", "pimflow", "pimflow-optimal"]], COLORS, POLICIES, 1, gains({
        "efficientnet-b0": {"pimflow": "abs-e2e-max"}, "efficientnet-b6": {"pimflow": "fig16-enetb6"}}), SIZES.values())
    plot.group_spans(left, {"EfficientNet": (0, 6), "MnasNet": (7, 8), "MBNetV2": (9, 10)})
    left.set_ylabel(SPEEDUP)
    plot.bars(right, bert, ["#5d6778", "#d3dbe6"], {name: f"PIMFlow, {text}" for name, text in CONTROLLERS.items()}, 1,
              gains({3: {"artifact": "fig16-bert-1x3"}, 64: {"artifact": "fig16-bert-1x64"}}))
    right.set(xlabel="tokens", ylabel="speedup over Newton++ (x)", ylim=(0.95, None))
    plot.legend(figure, 3, left, right, plot.published_mark())
    return figure, pd.concat([table.reset_index(), bert.reset_index()])


# Study and controller of each reading of Table II.
TABLE2 = {"ours": ("fig9", "artifact"), "ours, paper's controller": ("fig9", "paper"),
          "ours, a card's fp32 kernels": ("fig9_card", "artifact")}


def table2(results):
    shares = range(0, 101, 10)
    columns, labels = {}, {}
    for name, (study, controller) in TABLE2.items():
        splits, layers = (plot.select(results.detail(study, detail), policy="pimflow-md", controller=controller,
                                      unique_convolution=1) for detail in ("splits", "by_layer"))
        columns[name] = (100 * splits.groupby("gpu_percent")["chosen"].mean()).reindex(shares)
        labels[name] = f"{name}: {100 * layers['split'].mean():.0f} % split over both"
    table = pd.DataFrame(columns)
    theirs = [fact(f"tab2-r{share}") for share in shares]
    figure, axis = plot.panels(height=2.7, title="Table II: PIMFlow-md, share of the rows that is left to the GPU")
    plot.bars(axis, table, [COLORS[name] for name in ("pimflow", "pimflow-optimal", "pimflow-pl")], labels,
              names=[f"{share} %" for share in shares])
    axis.plot(np.arange(len(table)), theirs, **plot.PUBLISHED,
              label=f"published: {fact('tab2-split'):.0f} % split over both")
    axis.set(xlabel="rows left to the GPU (0 %: all on PIM)", ylabel="share of the shapes of\nconvolutions (%)")
    plot.legend(figure, 2, axis)
    return figure, table.assign(published=theirs).reset_index()
