"""The figures and the table of the PIMFlow paper, published values beside ours."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from pimsweep import plot
from pimsweep.plot import COLUMN, PAGE, PUBLISHED, TINY, bars, group_names, grouped, legend, published_mark
from pimflow_style import (COLORS, CONTROLLERS, FIVE, MOBILE, NETWORKS, POLICIES, by_policy, fact, gain, less, percent)

PARTS = {"pointwise_time": ("1x1 convolutions", "#2a6f4e"), "convolution_time": ("larger convolutions", "#9cc9b0"),
         "depthwise_time": ("depthwise convolutions", "#e0a458"),
         "fully_connected_time": ("fully connected", "#2f6fb0"), "other_time": ("other", "#b0b7c3")}
CHANNELS = "hardware.gpu.memory.channels"


def convolutions(results):
    layers = results.detail("fig1", "by_layer")
    return layers[layers["kind"].isin(["convolution", "depthwise"])]


def figure1(results):
    points = results.frame("fig1").set_index("model").reindex(list(FIVE))
    layers = convolutions(results)
    figure, (left, right) = plt.subplots(1, 2, figsize=(PAGE, 2.7))
    shares = points[list(PARTS)].div(points["time"], axis=0)
    bottom = np.zeros(len(shares))
    for part, (label, color) in PARTS.items():
        left.bar(np.arange(len(shares)), 100 * shares[part], 0.7, bottom=100 * bottom, color=color, label=label)
        bottom += shares[part].to_numpy()
    left.set(ylabel="share of the time (%)", ylim=(0, 100))
    group_names(left, FIVE.values(), fontsize=TINY)
    left.set_title("time on the GPU, RTX 2080 Ti, one image")
    kinds = {"1x1 convolutions": (layers["kind"] == "convolution") & (layers["kernel"] == 1),
             "larger convolutions": (layers["kind"] == "convolution") & (layers["kernel"] > 1),
             "depthwise convolutions": layers["kind"] == "depthwise"}
    colors = {label: color for label, color in PARTS.values()}
    for (label, chosen), shift, marker in zip(kinds.items(), (-0.22, 0, 0.22), "os^"):
        rows = layers[chosen]
        positions = rows["model"].map(list(FIVE).index) + shift + spread(rows)
        right.plot(positions, rows["intensity"], marker, color=colors[label], markersize=2.6, markeredgewidth=0)
    right.set(yscale="log", ylabel="multiply-accumulates per value\nread or written once")
    plot.log_axis(right.yaxis)
    group_names(right, FIVE.values(), fontsize=TINY)
    right.set_title("intensity of each convolution")
    figure.suptitle("Figure 1: convolutions take most of the time, and many have a low intensity")
    legend(figure, 5, left)
    return figure, shares.reset_index()


def intensities(results):
    """The rows behind the right panel of Figure 1."""
    return None, convolutions(results)[["model", "layer", "kind", "kernel", "intensity"]]


def spread(rows):
    """Places of the layers of a network side by side, in the order of the network."""
    order = rows.groupby("model")["place"].rank(pct=True)
    return 0.18 * (order - 0.5)


def figure3(results):
    points = results.frame("fig3")
    times = points.pivot_table(index=CHANNELS, columns="model", values="time", sort=False).sort_index()[list(FIVE)]
    ratios = times / times.loc[24]
    figure, axis = plt.subplots(figsize=(COLUMN, 2.5))
    for model, (color, marker) in NETWORKS.items():
        axis.plot(ratios.index, ratios[model], marker=marker, color=color, markersize=4, linewidth=1.2,
                  label=FIVE[model])
    axis.set(xlabel="memory channels of the GPU", ylabel="time, 24 channels = 1", xticks=ratios.index, yscale="log")
    plot.log_axis(axis.yaxis, [0.8, 1, 1.5, 2, 3, 4])
    axis.axvline(12, color="black", linestyle="--", linewidth=0.8)
    axis.text(12.4, 0.97, "published: half of 24 is\nnot noticed by compute-\nintensive networks", fontsize=TINY,
              va="top", transform=axis.get_xaxis_transform())
    legend(figure, 3, axis)
    axis.set_title("Figure 3: time with half of the channels,\n"
                   f"ResNet50 {percent(ratios.loc[12, 'resnet-50'])}, VGG16 {percent(ratios.loc[12, 'vgg-d'])}")
    return figure, ratios.reset_index()


def figure8(results):
    points = results.detail("fig8", "by_layer")
    precisions = {"fp32": "GPU in fp32", "fp16-in/tensor-mixed": "GPU in fp16 on tensor cores"}
    figure, axes = plt.subplots(1, 2, figsize=(PAGE, 2.5), sharey=True)
    for axis, (precision, title) in zip(axes, precisions.items()):
        rows = points[points["precision"] == precision]
        for policy, marker in (("newton+", "s"), ("newton++", "o")):
            at = rows[rows["policy"] == policy].groupby("batch")["pim_speedup"]
            mean = at.apply(plot.gmean)
            color = {"newton+": COLORS["gpu"], "newton++": COLORS["pimflow-md"]}[policy]
            axis.fill_between(mean.index, at.min(), at.max(), color=color, alpha=0.2, linewidth=0)
            axis.plot(mean.index, mean, marker=marker, color=color, markersize=3.5,
                      label=f"{POLICIES[policy]}, geometric mean")
        for name, text in (("val", "published"), ("newton", "cited: Newton"), ("aim", "cited: AiM")):
            axis.plot(1, fact(f"fig8-{name}"), **PUBLISHED)
            axis.annotate(text, (1, fact(f"fig8-{name}")), (6, 0), textcoords="offset points", fontsize=TINY,
                          va="center")
        axis.axhline(1, color="0.3", linewidth=0.8)
        axis.set(xscale="log", yscale="log", xlabel="batch")
        plot.log_axis(axis.xaxis, sorted(set(rows["batch"])))
        plot.log_axis(axis.yaxis, [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50])
        axis.set_title(title)
    axes[0].set_ylabel("speedup of Newton on HBM over a\nTitan V, both 24 channels (x)")
    figure.suptitle("Figure 8: matrix-vector products of language models")
    legend(figure, 3, axes[0], Patch(color="0.85", label=f"range of {points['model'].nunique()} matrices"))
    return figure, points[["model", "policy", "precision", "batch", "pim_speedup"]]


def with_means(times):
    """Times by that of the GPU alone, then the reciprocals of the mean speedups: all networks, the mobile ones."""
    table = times.div(times["gpu"], axis=0)
    means = pd.DataFrame({name: 1 / (1 / table.loc[rows]).mean()
                          for name, rows in (("mean", list(FIVE)), ("mobile mean", MOBILE))}).T
    return pd.concat([table, means])


def time_bars(axis, table, published):
    """Bars of normalized times and the published ones, given as speedups by (row, policy); returns what is drawn."""
    drawn = []
    bars(axis, table[list(POLICIES)], COLORS, POLICIES)
    for i, policy in enumerate(POLICIES):
        shift, _ = grouped(i, len(POLICIES))
        for position, row in enumerate(table.index):
            theirs = published.get((row, policy))
            if theirs:
                axis.plot(position + shift, 1 / theirs, **{**PUBLISHED, "markersize": 4})
            drawn.append({"row": row, "policy": policy, "time": table.loc[row, policy],
                          "published": 1 / theirs if theirs else np.nan})
    axis.axhline(1, color=COLORS["gpu"], linewidth=1)
    axis.set(ylim=(0, 1.12 * max(1, table[list(POLICIES)].max().max())))
    group_names(axis, [*FIVE.values(), "mean", "mean of the\nfirst three"], first_mean=len(FIVE))
    return drawn


def figure9(results):
    points = results.frame("fig9")
    points = points[points["controller"] == "artifact"]
    figure, axes = plt.subplots(2, 1, figsize=(PAGE, 4.4))
    whole = with_means(by_policy(points, "time"))
    layers = with_means(by_policy(points, "candidate_convolution_time"))
    drawn = time_bars(axes[0], layers, {
        ("efficientnet-b0", "pimflow"): gain("fig9a-enetb0"), ("vgg-d", "pimflow"): gain("fig9a-vgg16"),
        ("mean", "pimflow"): gain("fig9a-avg")})
    axes[0].set_title("(a) all convolutions that may run on PIM: PIMFlow's mean speedup "
                      f"{percent(1 / layers.loc['mean', 'pimflow'])}, published {percent(gain('fig9a-avg'))}")
    drawn_whole = time_bars(axes[1], whole, {
        ("efficientnet-b0", "pimflow"): gain("abs-e2e-max"), ("mean", "pimflow"): gain("s1-e2e-avg-gpu"),
        **{("mobile mean", f"pimflow{tag}"): gain(f"fig9-{short}-mobile")
           for tag, short in (("-md", "md"), ("-pl", "pl"), ("", "pf"))}})
    axes[1].set_title(f"(b) whole networks: PIMFlow's mean speedup {percent(1 / whole.loc['mean', 'pimflow'])}, "
                      f"published {percent(gain('s1-e2e-avg-gpu'))}; lines: only convolutions offloaded")
    only = results.frame("fig9b")
    only = by_policy(only[only["offload"] == "convolutions"], "speedup")
    for policy in only.columns:
        shift, width = grouped(list(POLICIES).index(policy), len(POLICIES))
        axes[1].hlines(1 / only[policy], np.arange(len(only)) + shift - width / 2,
                       np.arange(len(only)) + shift + width / 2, color="black", linewidth=1.2)
    axes[1].set_ylim(top=1.08 * max(1, (1 / only).max().max()))
    for axis in axes:
        axis.set_ylabel("time, GPU alone = 1")
    figure.suptitle("Figure 9: time under every policy")
    legend(figure, 7, axes[0], published_mark())
    data = [pd.DataFrame(rows).assign(part=part) for rows, part in ((drawn, "convolutions"), (drawn_whole, "network"))]
    return figure, pd.concat(data)


def figure10(results):
    layers = results.detail("fig9", "by_layer")
    layers = layers[(layers["controller"] == "artifact") & (layers["candidate"] == 1)]
    by_layer = {"index": ["model", "layer"], "columns": "policy", "sort": False}
    columns = layers.pivot_table(values="time", **by_layer)
    choices = layers.pivot_table(values="choice", aggfunc="first", **by_layer)
    split = columns[choices["pimflow-md"] == "split"]
    counts = {model: len(split.loc[model]) for model in FIVE}
    # Two rows of panels, as wide as they have layers.
    rows = [list(FIVE)[:3], list(FIVE)[3:]]
    figure = plt.figure(figsize=(PAGE, 4.0))
    grid = figure.add_gridspec(2, 1)
    drawn = []
    for line, models in zip(grid, rows):
        panels = line.subgridspec(1, len(models), width_ratios=[counts[model] for model in models])
        first = None
        for panel, model in zip(panels, models):
            axis = first = figure.add_subplot(panel, sharey=first)
            part = split.loc[model]
            numbers = [list(columns.loc[model].index).index(layer) + 1 for layer in part.index]
            left = choices.loc[model].loc[part.index, "newton++"] == "gpu"
            for i, policy in enumerate(("newton++", "pimflow-md")):
                shift, width = grouped(i, 2)
                axis.bar(np.arange(len(part)) + shift, part[policy] / part["gpu"], width, color=COLORS[policy])
            shift, _ = grouped(0, 2)
            axis.plot(np.flatnonzero(left) + shift, np.full(left.sum(), 0.06), "o", color="black", markersize=2.6)
            axis.axhline(1, color=COLORS["gpu"], linewidth=1)
            group_names(axis, numbers, fontsize=TINY)
            axis.set_title(f"{FIVE[model]}: {len(part)} of {len(columns.loc[model])} layers")
            if models != rows[0]:
                axis.set_xlabel("layer that may run on PIM")
            if model != models[0]:
                axis.tick_params(labelleft=False)
            else:
                axis.set_ylabel("time, GPU alone = 1")
            drawn.append(pd.DataFrame({"model": model, "number": numbers, "layer": part.index,
                                       "newton++": (part["newton++"] / part["gpu"]).to_numpy(),
                                       "pimflow-md": (part["pimflow-md"] / part["gpu"]).to_numpy(),
                                       "left_on_gpu_by_newton++": left.to_numpy()}))
    figure.suptitle("Figure 10: layers that PIMFlow-md splits over GPU and PIM")
    legend(figure, 4, Patch(color=COLORS["newton++"], label="Newton++"),
           Patch(color=COLORS["pimflow-md"], label="PIMFlow-md, split over GPU and PIM"),
           Line2D([], [], marker="o", linestyle="none", color="black", markersize=2.6,
                  label="left on the GPU by Newton++"),
           Line2D([], [], color=COLORS["gpu"], linewidth=1, label="GPU alone, all channels"))
    return figure, pd.concat(drawn)


PATTERNS = {"1x1-DW-1x1": "type 1: 1x1-DW-1x1", "1x1-DW": "1x1-DW", "DW-1x1": "DW-1x1"}


def figure11(results):
    places = results.detail("fig9", "pipelines")
    places = places[places["policy"] == "pimflow"]
    figure, axes = plt.subplots(1, 3, figsize=(PAGE, 2.6), sharey=True)
    low, high = less("fig11-filter-lo"), gain("fig11-filter-hi")
    for axis, (pattern, title) in zip(axes, PATTERNS.items()):
        rows = places[places["pattern"] == pattern]
        ours = rows[rows["controller"] == "artifact"]
        position, ticks = 0, []
        for model in MOBILE:
            part = ours[ours["model"] == model]
            if part.empty:
                continue
            where = position + np.arange(len(part))
            color = NETWORKS[model][0]
            axis.bar(where, part["speedup"] - 1, 0.8, bottom=1, color=color)
            other = rows[(rows["model"] == model) & (rows["controller"] == "paper")].set_index("first")["speedup"]
            axis.plot(where, other[part["first"]], "_", color="black", markersize=4, markeredgewidth=1.1)
            ticks.append((where.mean(), FIVE[model]))
            position += len(part) + 2
        axis.set_xticks([place for place, _ in ticks], [name for _, name in ticks])
        axis.tick_params(axis="x", length=0)
        axis.grid(False, axis="x")
        axis.axhline(1, color="0.3", linewidth=0.8)
        for limit in (low, high):
            axis.axhline(limit, color="0.45", linestyle="--", linewidth=0.8)
        faster = {controller: int((rows.loc[rows["controller"] == controller, "speedup"] > 1).sum())
                  for controller in CONTROLLERS}
        axis.set_title(f"{title}\nfaster: {faster['artifact']} of {len(ours)} "
                       f"(paper's rules: {faster['paper']})")
    axes[0].set_ylabel("time apart, each in its best\nmode / time pipelined")
    figure.suptitle("Figure 11: chains of layers as pipelines")
    legend(figure, 5, *(Patch(color=NETWORKS[model][0], label=FIVE[model]) for model in MOBILE),
           Line2D([], [], marker="_", linestyle="none", color="black", label="paper's controller"),
           Line2D([], [], color="0.45", linestyle="--", linewidth=0.8, label="limits of what the paper shows"))
    columns = ["controller", "model", "pattern", "first", "last", "time", "apart", "speedup", "chosen"]
    return figure, places[columns]


ENERGIES = {"gpu_static_energy": ("GPU, static", "#b0b7c3"), "gpu_dynamic_energy": ("GPU, dynamic", "#7fa8d1"),
            "pim_energy": ("PIM", "#2a6f4e")}


def figure12(results):
    points = results.frame("fig9")
    points = points[points["controller"] == "artifact"]
    total = by_policy(points, "energy")["gpu"]
    parts = {part: by_policy(points, part).div(total, axis=0) for part in ENERGIES}
    parts = {part: pd.concat([table, table.mean().to_frame("mean").T]) for part, table in parts.items()}
    shown = ["gpu", "newton+", "newton++", "pimflow"]
    figure, axis = plt.subplots(figsize=(PAGE, 2.6))
    count = len(FIVE) + 1
    for i, policy in enumerate(shown):
        shift, width = grouped(i, len(shown))
        bottom = np.zeros(count)
        for part, (_, color) in ENERGIES.items():
            axis.bar(np.arange(count) + shift, parts[part][policy], width, bottom=bottom, color=color)
            bottom += parts[part][policy].to_numpy()
        for position in range(count):
            axis.text(position + shift, bottom[position] + 0.02, ("GPU", "N+", "N++", "PF")[i], fontsize=TINY,
                      ha="center", va="bottom")
        if policy in ("newton++", "pimflow"):
            axis.plot(count - 1 + shift, less("fig12-npp" if policy == "newton++" else "fig12-pf"), **PUBLISHED)
    axis.set(ylabel="energy, GPU alone = 1")
    axis.set_ylim(0, 1.15 * max(1, sum(parts.values())[shown].max().max()))
    group_names(axis, [*FIVE.values(), "mean"], first_mean=len(FIVE))
    means = sum(parts.values()).loc["mean"]
    axis.set_title(f"Figure 12: mean energy of Newton++ {percent(means['newton++'])} "
                   f"(published {percent(less('fig12-npp'))}), PIMFlow "
                   f"{percent(means['pimflow'])} (published {percent(less('fig12-pf'))})")
    legend(figure, 4, *(Patch(color=color, label=name) for name, color in ENERGIES.values()),
           published_mark("published mean"))
    data = pd.concat(parts, names=["part", "model"])[shown].reset_index()
    return figure, data


def figure13(results):
    points = results.frame("fig13")
    shown = ["newton+", "newton++", "pimflow", "pimflow-optimal"]
    markers = dict(zip(shown, "svo^"))
    best = fact("fig13-best")
    figure, axes = plt.subplots(2, len(FIVE), figsize=(PAGE, 3.6), sharex=True, sharey="row")
    for row, (controller, reading) in zip(axes, CONTROLLERS.items()):
        for axis, model in zip(row, FIVE):
            for policy in shown:
                rows = points[(points["model"] == model) & (points["policy"] == policy)
                              & (points["controller"] == controller)].sort_values("pim_channels")
                times = (1 / rows["speedup"]).to_numpy()
                channels = rows["pim_channels"].to_numpy()
                axis.plot(channels, times, color=COLORS[policy], linewidth=1.2, marker=markers[policy], markersize=4,
                          markerfacecolor="white")
                axis.plot(channels[times.argmin()], times.min(), markers[policy], color=COLORS[policy], markersize=5)
            axis.axvline(best, color="black", linestyle="--", linewidth=0.8)
            axis.axhline(1, color=COLORS["gpu"], linewidth=1)
            axis.set_xticks([4, 12, 20, 28])
        row[0].set_ylabel(f"{reading}\ntime, GPU alone = 1")
        row[0].set_yscale("log")
        plot.log_axis(row[0].yaxis, [0.5, 0.7, 1, 1.5, 2, 3])
    for axis, name in zip(axes[0], FIVE.values()):
        axis.set_title(name)
    axes[-1][len(FIVE) // 2].set_xlabel("PIM channels of 32")
    figure.suptitle("Figure 13: time over the division of the memory channels")
    legend(figure, 6, *(Line2D([], [], color=COLORS[policy], marker=markers[policy], markersize=4,
                               markerfacecolor="white", label=POLICIES[policy]) for policy in shown),
           Line2D([], [], color="0.3", marker="o", linestyle="none", markersize=5, label="filled: best"),
           Line2D([], [], color="black", linestyle="--", linewidth=0.8, label="published best of PIMFlow"))
    return figure, points[["controller", "model", "policy", "pim_channels", "speedup"]]


OPTIMIZATIONS = {"hiding": ("GW: hidden GWRITEs", "#b0b7c3", "fig14-gw"),
                 "buffers": ("GB: four global buffers", "#7fa8d1", "fig14-gb"),
                 "both": ("both", "#2a6f4e", "fig14-both")}


def figure14(results):
    points = results.frame("fig14")
    figure, axes = plt.subplots(1, 2, figsize=(PAGE, 2.3), sharey=True)
    drawn = []
    for axis, (controller, title) in zip(axes, CONTROLLERS.items()):
        rows = points[points["controller"] == controller]
        times = rows.pivot_table(index="model", columns="command_optimizations", values="candidate_convolution_time",
                                 sort=False).reindex(list(FIVE))
        gains = times.rdiv(times["none"], axis=0)
        gains = pd.concat([gains, gains.mean().to_frame("mean").T])
        bars(axis, gains[list(OPTIMIZATIONS)], {name: color for name, (_, color, _) in OPTIMIZATIONS.items()},
             {name: label for name, (label, _, _) in OPTIMIZATIONS.items()}, base=1)
        for i, (name, (_, _, published)) in enumerate(OPTIMIZATIONS.items()):
            shift, _ = grouped(i, 3)
            axis.plot(len(gains) - 1 + shift, gain(published), **PUBLISHED)
            drawn.append(pd.DataFrame({"controller": controller, "model": gains.index, "optimization": name,
                                       "speedup": gains[name].to_numpy()}))
        group_names(axis, [*FIVE.values(), "mean"], first_mean=len(FIVE), fontsize=TINY)
        axis.axhline(1, color="0.3", linewidth=0.8)
        means = ", ".join(percent(gains.loc["mean", name]) for name in OPTIMIZATIONS)
        axis.set_title(f"{title}: means {means}")
    axes[0].set_ylabel("speedup over Newton+,\nconvolutions")
    figure.suptitle("Figure 14: gains of the command optimizations")
    theirs = ", ".join(percent(gain(published)) for _, _, published in OPTIMIZATIONS.values())
    legend(figure, 4, axes[0], published_mark(f"published: {theirs}"))
    return figure, pd.concat(drawn)


def figure15(results):
    points = results.frame("fig15")
    sync = "hardware.synchronization"
    figure, axes = plt.subplots(1, len(MOBILE), figsize=(PAGE, 2.3), sharey=True)
    colors = dict(zip(sorted(set(points[sync])), ("#9cc9b0", "#4f9a74", "#1d4a35")))
    drawn = []
    for axis, model in zip(axes, MOBILE):
        for policy, style, marker in (("pimflow-pl", "-", "o"), ("pimflow", "--", "s")):
            for time, color in colors.items():
                rows = points[(points["model"] == model) & (points["policy"] == policy) & (points[sync] == time)]
                rows = rows.sort_values("stages").assign(ratio=lambda r: r["time"] / r["time"].iloc[0])
                axis.plot(rows["stages"], rows["ratio"], style, marker=marker, color=color, markersize=3.5,
                          linewidth=1.2)
                drawn.append(rows[["model", "policy", sync, "stages", "time", "ratio"]])
        axis.axhline(1, color="0.3", linewidth=0.8)
        axis.axvspan(1.8, 2.2, color="0.93", zorder=0)
        axis.set_title(FIVE[model])
        axis.set(xticks=[2, 3, 4, 5], xlim=(1.8, 5.2))
    axes[0].set_ylabel("time, two stages = 1")
    axes[1].set_xlabel("stages of a pipeline")
    figure.suptitle("Figure 15: pipelines of more stages")
    legend(figure, 3, *(Line2D([], [], color=color, label=f"{time * 1e6:g} \N{MICRO SIGN}s for a synchronization")
                        for time, color in colors.items()),
           Line2D([], [], color="0.3", marker="o", markersize=3.5, label="PIMFlow-pl"),
           Line2D([], [], color="0.3", linestyle="--", marker="s", markersize=3.5, label="PIMFlow"),
           Patch(color="0.93", label="published best"))
    return figure, pd.concat(drawn)


SIZES = {**{f"efficientnet-b{i}": f"B{i}" for i in range(7)}, "mnasnet-1.0": "1.0", "mnasnet-1.3": "1.3",
         "mobilenet-v2": "1.0", "mobilenet-v2-1.4": "1.4"}
FAMILIES = {"EfficientNet": (0, 7), "MnasNet": (7, 9), "MBNetV2": (9, 11)}


def figure16(results):
    points = results.frame("fig16")
    table = points.pivot_table(index="model", columns="policy", values="speedup", sort=False).reindex(list(SIZES))
    shown = ["newton++", "pimflow", "pimflow-optimal"]
    figure, (left, right) = plt.subplots(1, 2, figsize=(PAGE, 2.6), width_ratios=[1.7, 1])
    bars(left, table[shown], COLORS, POLICIES, base=1)
    for model, theirs in (("efficientnet-b0", gain("abs-e2e-max")), ("efficientnet-b6", gain("fig16-enetb6"))):
        left.plot(list(SIZES).index(model), theirs, **PUBLISHED)
    group_names(left, SIZES.values())
    for name, (begin, end) in FAMILIES.items():
        left.text((begin + end - 1) / 2, -0.15, name, transform=left.get_xaxis_transform(), ha="center", va="top")
        if begin:
            left.axvline(begin - 0.5, color="0.6", linewidth=0.6)
    left.axhline(1, color="0.3", linewidth=0.8)
    left.set_ylabel("speedup over the GPU (x)")
    left.set_title("mobile networks, artifact's controller")
    bert = results.frame("fig16_bert")
    ratios = bert.pivot_table(index=["controller", "tokens"], columns="policy", values="speedup", sort=False)
    ratios = ratios.div(ratios["newton++"], axis=0)
    tokens = sorted(set(bert["tokens"]))
    for i, (controller, color) in enumerate(zip(CONTROLLERS, (COLORS["pimflow"], COLORS["pimflow-optimal"]))):
        shift, width = grouped(i, 2)
        values = ratios.loc[controller].reindex(tokens)["pimflow"]
        right.bar(np.arange(len(tokens)) + shift, values - 1, width, bottom=1, color=color,
                  hatch="" if controller == "artifact" else "////", edgecolor="white", linewidth=0,
                  label=CONTROLLERS[controller])
    for count in (3, 64):
        right.plot(tokens.index(count), gain(f"fig16-bert-1x{count}"), **PUBLISHED)
    right.axhline(1, color="0.3", linewidth=0.8)
    group_names(right, tokens)
    right.set(xlabel="tokens", ylabel="speedup over Newton++ (x)")
    right.set_title("BERT")
    right.legend(loc="upper left")
    right.set_ylim(0.9, 1.15 * max(ratios["pimflow"].max(), gain("fig16-bert-1x64")))
    figure.suptitle("Figure 16: sizes of networks")
    legend(figure, 4, left, published_mark())
    return figure, pd.concat([table.reset_index(), ratios.reset_index()])


def table2(results):
    shares = list(range(0, 101, 10))
    columns, split = {"published": [fact(f"tab2-r{share}") for share in shares]}, {}
    for name, study, controller in (("here", "fig9", "artifact"), ("here, paper's controller", "fig9", "paper"),
                                    ("here, 1x1 convolutions as matrix products", "pointwise", "artifact")):
        splits, layers = (results.detail(study, detail) for detail in ("splits", "by_layer"))
        splits = splits[(splits["policy"] == "pimflow-md") & (splits["controller"] == controller)]
        layers = layers[(layers["policy"] == "pimflow-md") & (layers["controller"] == controller)]
        split[name] = 100 * layers.loc[layers["candidate"] == 1, "split"].mean()
        columns[name] = (100 * splits.groupby("gpu_percent")["chosen"].mean()).reindex(shares).to_numpy()
    table = pd.DataFrame(columns, index=pd.Index(shares, name="gpu_percent"))
    figure, axis = plt.subplots(figsize=(PAGE, 2.4))
    bars(axis, table[list(split)], [COLORS[name] for name in ("pimflow", "pimflow-optimal", "pimflow-pl")],
         {name: f"{name}: {share:.0f} % split over both" for name, share in split.items()},
         names=[f"{share} %" for share in shares])
    axis.plot(np.arange(len(table)), table["published"], **PUBLISHED,
              label=f"published: {fact('tab2-split'):.0f} % split over both")
    axis.set(xlabel="rows left to the GPU (0: all on PIM)", ylabel="share of the layers that\nmay run on PIM (%)")
    axis.set_title("Table II: PIMFlow-md, GPU's share of the rows")
    axis.legend(loc="upper right")
    return figure, table.reset_index()
