"""The figures of the PIMFlow paper, published values beside ours, and our own, from experiments/pimflow.toml."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from pimflow_own import contention, controllers, controllers_layers, gpu_error, interval, readings  # noqa: F401
from pimflow_style import (COLORS, CONTROLLERS, FIVE, MOBILE, NETWORKS, POLICIES, SPEEDUP, by_policy, fact, gain, gains,
                           less, percent)
from pimsweep import plot

PARTS = {"pointwise_time": ("1x1 convolutions", "#2a6f4e"), "convolution_time": ("larger convolutions", "#9cc9b0"),
         "depthwise_time": ("depthwise convolutions", "#e0a458"),
         "fully_connected_time": ("fully connected", "#2f6fb0"), "other_time": ("other", "#b0b7c3")}
CHANNELS = "hardware.gpu.memory.channels"
MEAN = {"first_mean": len(FIVE)}


def fig1_intensity(results):
    """The rows behind the right panel of Figure 1: convolutions, in the order of their networks."""
    layers = plot.select(results.detail("fig1", "by_layer"), kind=["convolution", "depthwise"])
    return None, layers[["model", "layer", "place", "kind", "kernel", "intensity"]]


def fig1(results):
    points = results.frame("fig1").set_index("model").loc[list(FIVE)]
    shares = 100 * points[list(PARTS)].div(points["time"], axis=0)
    layers = fig1_intensity(results)[1]
    figure, (left, right) = plot.panels(
        1, 2, 2.7, titles=["time on the GPU, RTX 2080 Ti, one image", "each convolution"],
        ylabel=["share of the time (%)", "multiply-accumulates per value\nread or written once"])
    plot.stacked(left, shares, PARTS, names=FIVE.values(), fontsize=plot.TINY)
    left.set_ylim(0, 100)
    kinds = [(layers["kind"] == "convolution") & (layers["kernel"] == 1),
             (layers["kind"] == "convolution") & (layers["kernel"] > 1), layers["kind"] == "depthwise"]
    for chosen, (_, color), shift, marker in zip(kinds, PARTS.values(), (-0.22, 0, 0.22), "os^"):
        rows = layers[chosen]
        order = 0.18 * (rows.groupby("model")["place"].rank(pct=True) - 0.5)
        right.plot(rows["model"].map(list(FIVE).index) + shift + order, rows["intensity"], marker, color=color,
                   markersize=2.6, markeredgewidth=0)
    plot.log_axis(right.yaxis)
    plot.group_names(right, FIVE.values(), fontsize=plot.TINY)
    plot.legend(figure, 5, left)
    return figure, shares.reset_index()


def fig3(results):
    times = plot.wide(results.frame("fig3"), CHANNELS, "model", "time").sort_index()[list(FIVE)]
    ratios = times / times.loc[24]
    figure, axis = plot.panels(
        height=2.7, width=plot.COLUMN, title="Figure 3: time with half of the channels,\nResNet50 "
        f"{percent(ratios.loc[12, 'resnet-50'])}, VGG16 {percent(ratios.loc[12, 'vgg-d'])}",
        xlabel="memory channels of the GPU", ylabel="time, 24 channels = 1", log_y=[0.8, 1, 1.5, 2, 3])
    plot.lines(axis, ratios, NETWORKS, FIVE)
    axis.set_xticks(ratios.index)
    axis.axvline(12, **plot.PUBLISHED_LINE)
    plot.note(axis, 12.4, "published: half of 24 is\nnot noticed by compute-\nintensive networks", 0.97, ha="left")
    plot.legend(figure, 3, axis)
    return figure, ratios.reset_index()


PRECISIONS = {"fp32": "GPU in fp32", "fp16-in/tensor-mixed": "GPU in fp16 on tensor cores"}


def fig8(results):
    points = results.detail("fig8", "by_layer")
    figure, axes = plot.panels(1, 2, titles=PRECISIONS.values(), sharey=True, xlabel="batch", log_x=sorted(set(
        points["batch"])), log_y=[0.1, 0.3, 1, 3, 10, 30],
        ylabel="speedup of Newton on HBM over\na Titan V, 24 channels each (x)")
    for axis, rows in zip(axes, plot.split(points, "precision", PRECISIONS).values()):
        for policy, marker, color in (("newton+", "s", COLORS["gpu"]), ("newton++", "o", COLORS["pimflow-md"])):
            at = plot.select(rows, policy=policy).groupby("batch")["pim_speedup"]
            mean = at.apply(plot.gmean)
            plot.bands(axis, mean.index, at.min(), at.max(), mean, color=color, marker=marker,
                       label=f"{POLICIES[policy]}, geometric mean")
        for name, text in (("val", "published"), ("newton", "cited: Newton"), ("aim", "cited: AiM")):
            axis.plot(1, fact(f"fig8-{name}"), **plot.PUBLISHED)
            axis.annotate(text, (1, fact(f"fig8-{name}")), (6, 0), textcoords="offset points", fontsize=plot.TINY,
                          va="center")
        axis.axhline(1, color="0.3", linewidth=0.8)
    plot.legend(figure, 4, axes[0], "published", *plot.patches({
        f"range of {points['model'].nunique()} matrices": "0.85"}))
    return figure, points[["model", "policy", "precision", "batch", "pim_speedup"]]


# Published speedups of Figure 9, by network or mean, then by policy.
PARTS_OF_FIGURE9 = {
    "all_convolution_time": ("(a) all convolutions", {
        "efficientnet-b0": {"pimflow": "fig9a-enetb0"}, "vgg-d": {"pimflow": "fig9a-vgg16"},
        "mean": {"pimflow": "fig9a-avg"},
        "mobile mean": {"pimflow-md": "fig9-md-mobile", "pimflow-pl": "fig9-pl-mobile", "pimflow": "fig9-pf-mobile"}}),
    "time": ("(b) whole networks", {
        "efficientnet-b0": {"pimflow": "abs-e2e-max"}, "mean": {"pimflow": "s1-e2e-avg-gpu"}})}


def fig9(results):
    tables, theirs = {}, {}
    for metric, (title, ids) in PARTS_OF_FIGURE9.items():
        times = by_policy(results.frame("fig9"), metric, controller="artifact")
        speedup = plot.speedup(times, "gpu")[list(POLICIES)]
        means = pd.DataFrame({"mean": speedup.mean(), "mobile mean": speedup.loc[MOBILE].mean()}).T
        title += (f": PIMFlow's mean speedup {percent(means.loc['mean', 'pimflow'])}, published "
                  f"{percent(gains(ids).loc['mean', 'pimflow'])}")
        tables[title], theirs[title] = 1 / pd.concat([speedup, means]), 1 / gains(ids)
    only = 1 / by_policy(results.frame("fig9b"), "speedup", offload="convolutions")
    dash = {"markersize": 5, "markeredgewidth": 1.2}
    figure, data = plot.compare(
        tables, "time, GPU alone = 1", published=theirs, stack=True, height=4.4, colors=COLORS, labels=POLICIES,
        ylim=(0, 1.08 * only.max().max()), names=[*FIVE.values(), "mean", "mean of the\nfirst three"],
        entries=[plot.entry("only convolutions offloaded", marker="_", **dash)], **MEAN)
    for axis in figure.axes:
        axis.axhline(1, color=COLORS["gpu"], linewidth=1)
    plot.over_bars(figure.axes[1], only, POLICIES, **dash)
    return figure, data


def fig10(results):
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
                     xlabel="number of the layer" if models != MOBILE else "",
                     ylabel="time, GPU alone = 1" if model == models[0] else "")
            axis.tick_params(labelleft=model == models[0])
    plot.legend(figure, 4, *plot.patches({"Newton++": COLORS["newton++"], "PIMFlow-md, split over GPU and PIM":
                                          COLORS["pimflow-md"]}),
                plot.entry("left on the GPU by Newton++", marker="o", markersize=2.6),
                plot.entry("GPU alone, all channels", color=COLORS["gpu"], linestyle="-", linewidth=1))
    return figure, table.reset_index()


PATTERNS = {"1x1-DW-1x1": "type 1: 1x1-DW-1x1", "1x1-DW": "1x1-DW", "DW-1x1": "DW-1x1"}


def fig11(results):
    places = plot.select(results.detail("fig9", "pipelines"), policy="pimflow")
    colors = {model: NETWORKS[model]["color"] for model in MOBILE}
    figure, axes = plot.panels(1, 3, 2.7, sharey=True,
                               ylabel="speedup of the pipeline over\neach layer in its best mode (x)")
    for axis, (title, part) in zip(axes, plot.split(places, "pattern", PATTERNS).items()):
        rows = plot.wide(part, ["model", "first"], "controller", "speedup").dropna()
        names = {model: FIVE[model] for model in MOBILE if model in rows.index}
        at = plot.runs(axis, rows["artifact"], colors, 1, 2, names, 0.8)
        axis.plot(at, rows["paper"].loc[at.index], "_", color="black", markersize=4, markeredgewidth=1.1)
        for limit in (less("fig11-filter-lo"), gain("fig11-filter-hi")):
            plot.published_line(axis, limit, None)
        axis.set_title(f"{title}: faster are\n{(rows['artifact'] > 1).sum()} of {len(rows)} "
                       f"(paper's controller: {(rows['paper'] > 1).sum()})")
    plot.legend(figure, 5, *plot.patches({FIVE[model]: color for model, color in colors.items()}),
                plot.entry("paper's controller", marker="_"),
                plot.entry("the paper shows only gains and losses beyond these", **plot.PUBLISHED_LINE))
    return figure, places[["controller", "model", "pattern", "first", "last", "time", "apart", "speedup", "chosen"]]


ENERGIES = {"gpu_static_energy": ("GPU, static", "#b0b7c3"), "gpu_dynamic_energy": ("GPU, dynamic", "#7fa8d1"),
            "pim_energy": ("PIM", "#2a6f4e")}


def fig12(results):
    points = plot.select(results.frame("fig9"), controller="artifact")
    total = by_policy(points, "energy")["gpu"]
    shown = {"gpu": "GPU", "newton+": "N+", "newton++": "N++", "pimflow": "PF"}
    parts = {part: plot.with_mean(by_policy(points, part)[list(shown)].div(total, axis=0)) for part in ENERGIES}
    theirs = {"newton++": less("fig12-npp"), "pimflow": less("fig12-pf")}
    means = sum(parts.values()).loc["mean"]
    figure, axis = plot.panels(title="Figure 12: mean energy of Newton++ {} (published {}), PIMFlow {} (published {})"
                               .format(*(percent(values[policy]) for policy in theirs for values in (means, theirs))),
                               ylabel="energy, GPU alone = 1", ylim=(0, 1.15))
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
    plot.group_names(axis, [*FIVE.values(), "mean"], **MEAN)
    plot.legend(figure, 4, axis, "published mean")
    return figure, pd.concat(parts, names=["part", "model"]).reset_index()


def fig13(results):
    points = results.frame("fig13")
    styles = {policy: {"color": COLORS[policy], "marker": marker, "markerfacecolor": "white"}
              for policy, marker in zip(("newton+", "newton++", "pimflow", "pimflow-optimal"), "svo^")}
    figure, axes = plot.panels(2, len(FIVE), 3.6, titles=FIVE.values(), sharex=True, sharey=True,
                               xlabel=["", "", "PIM channels of 32", "", ""], log_y=[0.5, 0.7, 1, 1.5, 2],
                               ylabel=[f"{reading}\ntime, GPU alone = 1" for reading in CONTROLLERS.values()])
    for axis, (controller, model) in zip(axes.flat, itertools.product(CONTROLLERS, FIVE)):
        times = 1 / plot.wide(points, "pim_channels", "policy", "speedup", controller=controller, model=model)
        plot.lines(axis, times.sort_index(), styles, POLICIES)
        for policy, style in styles.items():
            axis.plot(times[policy].idxmin(), times[policy].min(), **{**style, "markerfacecolor": style["color"]})
        axis.axvline(fact("fig13-best"), **plot.PUBLISHED_LINE)
        axis.axhline(1, color=COLORS["gpu"], linewidth=1)
        axis.set_xticks([4, 12, 20, 28])
    plot.legend(figure, 6, axes[0, 0], plot.entry("filled: best", marker="o"),
                plot.entry("published best of PIMFlow", **plot.PUBLISHED_LINE))
    return figure, points[["controller", "model", "policy", "pim_channels", "speedup"]]


OPTIMIZATIONS = {"hiding": ("GW: hidden GWRITEs", "#b0b7c3", "fig14-gw"),
                 "buffers": ("GB: four global buffers", "#7fa8d1", "fig14-gb"),
                 "both": ("both", "#2a6f4e", "fig14-both")}


def fig14(results):
    labels, colors, ids = ({name: values[i] for name, values in OPTIMIZATIONS.items()} for i in range(3))
    tables = {title: plot.with_mean(plot.speedup(by_policy(
        rows, "all_convolution_time", "command_optimizations"), "none")[list(OPTIMIZATIONS)])
        for title, rows in plot.split(results.frame("fig14"), "controller", CONTROLLERS).items()}
    return plot.compare(tables, "speedup over Newton+ (x)", published=lambda _: gains(ids), mark="published mean",
                        colors=colors, labels=labels, base=1, names=[*FIVE.values(), "mean"], fontsize=plot.TINY,
                        **MEAN)


def fig15(results):
    points, sync = results.frame("fig15"), "hardware.synchronization"
    colors = dict(zip(sorted(set(points[sync])), ("#9cc9b0", "#4f9a74", "#1d4a35")))
    figure, axes = plot.panels(1, len(MOBILE), 2.5, titles=map(FIVE.get, MOBILE), sharey=True, xlim=(1.8, 5.2),
                               xlabel=["", "stages of a pipeline", ""], ylabel="time, two stages = 1")
    drawn = []
    for axis, model in zip(axes, MOBILE):
        for policy, style in (("pimflow-pl", "o-"), ("pimflow", "s--")):
            times = plot.wide(points, "stages", sync, "time", model=model, policy=policy).sort_index()
            times /= times.iloc[0]
            for time, color in colors.items():
                axis.plot(times.index, times[time], style, color=color, markersize=3.5)
            drawn.append(times.reset_index().assign(model=model, policy=policy))
        axis.axhline(1, color="0.3", linewidth=0.8)
        axis.axvspan(1.8, 2.2, color="0.9", zorder=0)
        axis.set_xticks([2, 3, 4, 5])
    plot.legend(figure, 3, *(plot.entry(f"{time * 1e6:g} \N{MICRO SIGN}s for a synchronization", color=color,
                                        linestyle="-")
                             for time, color in colors.items()), plot.entry("PIMFlow-pl", marker="o", linestyle="-"),
                plot.entry("PIMFlow", marker="s", linestyle="--"), *plot.patches({"published best": "0.9"}))
    return figure, pd.concat(drawn)


SIZES = {**{f"efficientnet-b{i}": f"B{i}" for i in range(7)}, "mnasnet-1.0": "1.0", "mnasnet-1.3": "1.3",
         "mobilenet-v2": "1.0", "mobilenet-v2-1.4": "1.4"}


def fig16(results):
    table = plot.wide(results.frame("fig16"), "model", "policy", "speedup").loc[list(SIZES)]
    bert = plot.wide(results.frame("fig16_bert"), ["tokens", "controller"], "policy", "speedup").sort_index()
    bert = (bert["pimflow"] / bert["newton++"]).unstack("controller")[list(CONTROLLERS)]
    figure, (left, right) = plot.panels(1, 2, 2.8, titles=["mobile networks, artifact's controller", "BERT"],
                                        width_ratios=[1.7, 1], xlabel=["", "tokens"],
                                        ylabel=[SPEEDUP, "speedup over Newton++ (x)"])
    plot.bars(left, table[["newton++", "pimflow", "pimflow-optimal"]], COLORS, POLICIES, 1, gains({
        "efficientnet-b0": {"pimflow": "abs-e2e-max"}, "efficientnet-b6": {"pimflow": "fig16-enetb6"}}), SIZES.values())
    plot.group_spans(left, {"EfficientNet": (0, 6), "MnasNet": (7, 8), "MBNetV2": (9, 10)})
    plot.bars(right, bert, ["#5d6778", "#d3dbe6"], {name: f"PIMFlow, {text}" for name, text in CONTROLLERS.items()}, 1,
              gains({3: {"artifact": "fig16-bert-1x3"}, 64: {"artifact": "fig16-bert-1x64"}}))
    right.set_ylim(0.95, None)
    plot.legend(figure, 3, left, right, "published")
    return figure, pd.concat([table.reset_index(), bert.reset_index()])


# Study and controller of each reading of Table II.
TABLE2 = {"ours": ("fig9", "artifact"), "ours, paper's controller": ("fig9", "paper"),
          "ours, a card's fp32 kernels": ("fig9_card", "artifact")}


def table2(results):
    shares = range(0, 101, 10)
    table, labels = pd.DataFrame(index=pd.Index(shares, name="gpu_percent")), {}
    for name, (study, controller) in TABLE2.items():
        splits, layers = (plot.select(results.detail(study, detail), policy="pimflow-md", controller=controller,
                                      unique_convolution=1) for detail in ("splits", "by_layer"))
        table[name] = 100 * splits.groupby("gpu_percent")["chosen"].mean()
        labels[name] = f"{name}: {100 * layers['split'].mean():.0f} % split over both"
    theirs = [fact(f"tab2-r{share}") for share in shares]
    figure, axis = plot.panels(height=2.7, xlabel="rows left to the GPU (0 %: all on PIM)",
                               ylabel="share of the shapes of\nconvolutions (%)")
    plot.bars(axis, table, [COLORS[name] for name in ("pimflow", "pimflow-optimal", "pimflow-pl")], labels,
              names=[f"{share} %" for share in shares])
    axis.plot(np.arange(len(table)), theirs, **plot.PUBLISHED, clip_on=False,
              label=f"published: {fact('tab2-split'):.0f} % split over both")
    plot.legend(figure, 2, axis)
    return figure, table.assign(published=theirs).reset_index()
