"""Our own figures of PIMFlow: the two controllers, contention, finer splits, readings, the error of the GPU model."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from pimsweep import plot
from pimsweep.plot import COLUMN, PAGE, PUBLISHED, TINY, bars, group_names, grouped, legend, published_mark
from pimflow_style import COLORS, CONTROLLERS, FIVE, NETWORKS, POLICIES, by_policy, fact, gain, percent

# Light enough for the networks' marks on them.
LIGHT, MIDDLE, DARK = "#cfd4dd", "#c3d6ea", "#8fbfa6"
BANDWIDTH = "hardware.gpu.memory.bandwidth"


def network_dots(axis, position, values):
    """The networks behind a mean, as small marks."""
    for model, (color, marker) in NETWORKS.items():
        axis.plot(position, values[model], marker, color=color, markersize=3.5, markeredgecolor="white",
                  markeredgewidth=0.4)


def network_handles():
    return [Line2D([], [], marker=marker, linestyle="none", color=color, label=FIVE[model])
            for model, (color, marker) in NETWORKS.items()]


def times_on_pim(results):
    """PIM's time for each layer, a column for each controller."""
    layers = results.detail("fig9", "by_layer")
    layers = layers[layers["policy"].isin(["newton+", "newton++"]) & layers["pim_time"].notna()]
    return layers.pivot_table(index=["policy", "model", "layer"], columns="controller", values="pim_time")


def controllers(results):
    """PIM's times under both controllers, and what they make of every policy."""
    times = times_on_pim(results)
    figure, (left, right) = plt.subplots(1, 2, figsize=(PAGE, 2.8), width_ratios=[1, 1.9])
    for policy, marker in (("newton+", "s"), ("newton++", "o")):
        rows = 1e6 * times.loc[policy]
        slower = (rows["artifact"] / rows["paper"]).median()
        left.loglog(rows["paper"], rows["artifact"], marker, color=COLORS[policy], markersize=3, markeredgewidth=0.3,
                    markeredgecolor="white", label=f"{POLICIES[policy]}: {slower:.2f}x in the median")
    ends = [1e6 * times.min().min() / 1.5, 1e6 * times.max().max() * 1.5]
    left.plot(ends, ends, color="black", linewidth=0.7)
    left.set(xlabel="paper's controller (\N{MICRO SIGN}s)", ylabel="artifact's controller (\N{MICRO SIGN}s)",
             xlim=ends, ylim=ends)
    for axis in (left.xaxis, left.yaxis):
        plot.log_axis(axis)
    left.set_title("time of each layer on PIM")
    left.legend(fontsize=TINY, loc="lower right", handletextpad=0.1, borderaxespad=0.1)

    points = results.frame("fig9")
    drawn = []
    for i, (controller, color) in enumerate(zip(CONTROLLERS, (LIGHT, DARK))):
        speedups = by_policy(points[points["controller"] == controller], "speedup")
        shift, width = grouped(i, 2)
        for position, policy in enumerate(POLICIES):
            right.bar(position + shift, speedups[policy].mean() - 1, width, bottom=1, color=color)
            network_dots(right, position + shift, speedups[policy])
            drawn.append({"controller": controller, "policy": policy, "mean": speedups[policy].mean(),
                          **speedups[policy]})
    right.plot(list(POLICIES).index("pimflow"), gain("s1-e2e-avg-gpu"), **PUBLISHED)
    right.axhline(1, color="0.3", linewidth=0.8)
    group_names(right, [name.replace("-", "-\n") for name in POLICIES.values()])
    right.set_ylabel("speedup over the GPU (x)")
    right.set_title("mean speedup of whole networks")
    legend(figure, 4, *(Patch(color=color, label=name) for name, color in zip(CONTROLLERS.values(), (LIGHT, DARK))),
           published_mark("published mean"), *network_handles())
    return figure, pd.DataFrame(drawn)


def controllers_layers(results):
    """The rows behind the left panel."""
    return None, times_on_pim(results).reset_index()


def contention(results):
    points = results.frame("contention")
    points = points[points["policy"] == "pimflow"]
    times = points.pivot_table(index="model", columns="contention", values="time", sort=False).reindex(list(FIVE))
    slower = 100 * (times.div(times["none"], axis=0) - 1)
    figure, axis = plt.subplots(figsize=(COLUMN, 2.3))
    shown = {"broadcast": "each value fetched once", "unicast": "by each channel for itself"}
    for i, (kind, name) in enumerate(shown.items()):
        shift, _ = grouped(i, 2)
        axis.plot([place + shift for place in range(len(slower))], slower[kind], "os"[i], label=name)
        for position, value in enumerate(slower[kind]):
            axis.text(position + shift, 1.25 * value, f"{value:.2g}", ha="center", va="bottom", fontsize=TINY)
    for model, name in (("mobilenet-v2", "mbnetv2"), ("resnet-50", "resnet50")):
        axis.plot(list(FIVE).index(model), fact(f"s7-cont-{name}"), **PUBLISHED)
    group_names(axis, FIVE.values())
    axis.set(ylabel="slowdown of PIMFlow (%)", ylim=(0.01, 20),
             title="Contention of GPU and PIM\nfor the values of feature maps")
    plot.log_axis(axis.yaxis, [0.01, 0.1, 1, 10])
    legend(figure, 2, axis, published_mark())
    return figure, slower.reset_index()


def interval(results):
    points = results.frame("interval")
    figure, axes = plt.subplots(1, 2, figsize=(PAGE, 2.4), sharey=True)
    drawn = []
    for axis, policy in zip(axes, ("pimflow-md", "pimflow")):
        times = points.pivot_table(index="split_interval", columns=["policy", "model"], values="time").sort_index()
        gains = 100 * (times[policy].loc[10] / times[policy] - 1)
        for model, (color, marker) in NETWORKS.items():
            axis.plot(gains.index, gains[model], marker=marker, color=color, markersize=4, linewidth=1.2,
                      label=FIVE[model])
        drawn.append(gains.reset_index().assign(policy=policy))
        axis.axhline(0, color="0.3", linewidth=0.8)
        axis.set(xscale="log", xlabel="split interval (% of the rows)")
        plot.log_axis(axis.xaxis, gains.index)
        axis.set_title(POLICIES[policy])
    ours = drawn[1].set_index("split_interval").loc[2, "efficientnet-b0"]
    axes[1].plot(2, fact("fn1-2pct"), **PUBLISHED)
    axes[1].set_title(f"PIMFlow; 2 %, ENetB0: {ours:+.2f} %, published {fact('fn1-2pct'):+g} %")
    axes[0].set_ylabel("speedup over an interval\nof 10 %  (%)")
    legend(figure, 6, axes[0], published_mark("published (ENetB0)"))
    return figure, pd.concat(drawn)


PRECISIONS = {"fp32": "fp32", "fp16-in/fp32-math": "fp16 stored,\nfp32\narithmetic",
              "fp16-in/tensor-mixed": "fp16 on\ntensor cores"}


def readings(results):
    """What the paper leaves open, one bar each: PIMFlow's speedup."""
    points = results.frame("readings")
    points = points[points["policy"] == "pimflow"]
    cases = {}
    for precision, label in PRECISIONS.items():
        for elementwise in ("fused", "counted"):
            for bandwidth in sorted(set(points[BANDWIDTH])):
                rows = points[(points["precision"] == precision) & (points["elementwise"] == elementwise)
                              & (points[BANDWIDTH] == bandwidth)]
                cases[label, elementwise, bandwidth] = rows.set_index("model")["speedup"]
    groups = [(label, elementwise) for label in PRECISIONS.values() for elementwise in ("fused", "counted")]
    names = [label if elementwise == "fused" else f"{label},\nactivations\ncounted" for label, elementwise in groups]
    product = results.frame("pointwise")
    product = product[(product["policy"] == "pimflow") & (product["controller"] == "artifact")]
    figure, axis = plt.subplots(figsize=(PAGE, 2.7))
    bandwidths = sorted(set(points[BANDWIDTH]))
    drawn = []
    for i, (bandwidth, color) in enumerate(zip(bandwidths, (LIGHT, DARK))):
        shift, width = grouped(i, 2)
        for position, group in enumerate(groups):
            drawn.append(reading(axis, position + shift, width, color, cases[(*group, bandwidth)], names[position],
                                 bandwidth))
    shift, width = grouped(0, 2)
    products = product.set_index("model")
    drawn.append(reading(axis, len(groups), width, LIGHT, products["speedup"], "1x1 as products", bandwidths[0]))
    group_names(axis, [*names, "fp32, 1x1\nconvolutions as\nmatrix products"], first_mean=len(groups))
    axis.axhline(1, color="0.3", linewidth=0.8)
    published = axis.axhline(gain("s1-e2e-avg-gpu"), color="black", linestyle="--", linewidth=0.9,
                             label=f"published mean {percent(gain('s1-e2e-avg-gpu'))}")
    axis.set_ylabel("speedup of PIMFlow\nover the GPU (x)")
    channels = points["hardware.gpu.memory.channels"].iloc[0]
    legend(figure, 4, *(Patch(color=color, label=f"mean, {bandwidth / channels / 1e9:g} GB/s a channel")
                        for bandwidth, color in zip(bandwidths, (LIGHT, DARK))),
           published, *network_handles())
    return figure, pd.DataFrame(drawn)


def reading(axis, position, width, color, speedups, name, bandwidth):
    mean = speedups.mean()
    axis.bar(position, mean - 1, width, bottom=1, color=color)
    network_dots(axis, position, speedups)
    return {"reading": name.replace("\n", " "), "bandwidth": bandwidth, "mean": mean, **speedups}


CLOCK = "hardware.gpu.clock"


def other_choice(layers, others):
    return layers["choice"] != others["choice"]


def other_rows(layers, others):
    return 10 * (layers["gpu_rows"] - others["gpu_rows"]).abs() > layers["rows"]


def gpu_error(results):
    """How decisions and speedups move with all times of the GPU."""
    points = results.frame("gpu_error")
    layers = results.detail("gpu_error", "by_layer")
    layers = layers[layers["candidate"] == 1].set_index(["policy", "model", "layer"])
    clocks = sorted(set(points[CLOCK]))
    nominal = clocks[len(clocks) // 2]
    factors = {clock: nominal / clock for clock in clocks}
    names = {clock: f"{factor:.3g}x" for clock, factor in factors.items()}
    figure, (left, right) = plt.subplots(1, 2, figsize=(PAGE, 2.4))
    drawn = []
    for i, (clock, color) in enumerate(zip(clocks, (LIGHT, MIDDLE, DARK))):
        speedups = by_policy(points[points[CLOCK] == clock], "speedup")
        shift, width = grouped(i, len(clocks))
        for position, policy in enumerate(speedups.columns):
            left.bar(position + shift, speedups[policy].mean() - 1, width, bottom=1, color=color)
            network_dots(left, position + shift, speedups[policy])
            drawn.append({"what": "mean speedup", "factor": factors[clock], "policy": policy,
                          "value": speedups[policy].mean()})
    left.axhline(1, color="0.3", linewidth=0.8)
    group_names(left, [POLICIES[policy] for policy in speedups.columns])
    left.plot(list(speedups.columns).index("pimflow"), gain("s1-e2e-avg-gpu"), **PUBLISHED)
    left.set_ylabel("speedup over the GPU (x)")
    left.set_title("mean speedup of whole networks")
    changes = {"Newton++:\nother device": ("newton++", other_choice),
               "PIMFlow-md:\nother mode": ("pimflow-md", other_choice),
               "PIMFlow-md:\nover a tenth\nof the rows": ("pimflow-md", other_rows)}
    at = {clock: layers[layers[CLOCK] == clock] for clock in clocks}
    others = [clock for clock in clocks if clock != nominal]
    for i, (clock, color) in enumerate(zip(others, (LIGHT, DARK))):
        shift, width = grouped(i, len(others))
        for position, (name, (policy, differs)) in enumerate(changes.items()):
            share = 100 * differs(at[nominal].loc[policy], at[clock].loc[policy]).mean()
            right.bar(position + shift, share, width, color=color)
            right.text(position + shift, share, f"{share:.0f}", ha="center", va="bottom")
            drawn.append({"what": name.replace("\n", " "), "factor": factors[clock], "policy": policy, "value": share})
    group_names(right, changes)
    right.margins(y=0.12)
    right.set_ylabel("layers that may run on\nPIM and change (%)")
    right.set_title("decisions that change")
    legend(figure, 5, *(Patch(color=color, label=f"GPU times {names[clock]}")
                        for clock, color in zip(clocks, (LIGHT, MIDDLE, DARK))),
           published_mark("published mean"), *network_handles())
    return figure, pd.DataFrame(drawn)
