"""Our own figures of PIMFlow: the two controllers, contention, finer splits, readings, the error of the GPU model."""

import pandas as pd

from pimflow_style import (COLORS, CONTROLLERS, FIVE, NETWORKS, POLICIES, by_policy, fact, gain, gains, mean_bars,
                           network_handles, percent)
from pimsweep import plot

# Light enough for the networks' marks on them.
LIGHT, MIDDLE, DARK = "#cfd4dd", "#c3d6ea", "#8fbfa6"
BANDWIDTH, CLOCK = "hardware.gpu.memory.bandwidth", "hardware.gpu.clock"
WHOLE = "mean speedup of whole networks"


def _times_on_pim(results):
    """PIM's time for each layer, a column for each controller."""
    layers = plot.select(results.detail("fig9", "by_layer"), policy=["newton+", "newton++"])
    return plot.wide(layers, ["policy", "model", "layer"], "controller", "pim_time").dropna()


def controllers(results):
    """PIM's times under both controllers, and what they make of every policy."""
    times = 1e6 * _times_on_pim(results)
    slower = (times["artifact"] / times["paper"]).groupby("policy").median()
    figure, (left, right) = plot.panels(1, 2, 2.8, titles=["time of each layer on PIM", WHOLE], width_ratios=[1, 1.9],
                                        xlabel=["paper's controller (\N{MICRO SIGN}s)", ""],
                                        ylabel=["artifact's controller (\N{MICRO SIGN}s)", ""])
    plot.agreement(left, {f"{POLICIES[policy]}: {slower[policy]:.2f}x in the median": (rows["paper"], rows["artifact"])
                          for policy, rows in times.groupby(level="policy", sort=False)},
                   markeredgewidth=0.3, markeredgecolor="white")
    plot.set_axes(left, log_x=[0.1, 10, 1000], log_y=[0.1, 10, 1000])
    tables = {label: by_policy(rows, "speedup")[list(POLICIES)]
              for label, rows in plot.split(results.frame("fig9"), "controller", CONTROLLERS).items()}
    means = mean_bars(right, tables, (LIGHT, DARK), [name.replace("-", "-\n") for name in POLICIES.values()],
                      gains({CONTROLLERS["artifact"]: "s1-e2e-avg-gpu"}, "pimflow"))
    plot.legend(figure, 4, left, right, "published mean", *network_handles())
    return figure, means.reset_index(names="policy")


def controllers_layers(results):
    """The rows behind the left panel."""
    return None, _times_on_pim(results).reset_index()


def contention(results):
    times = by_policy(results.frame("contention"), "time", "contention", policy="pimflow")
    slower = 100 * (plot.relative(times, "none") - 1)[["broadcast", "unicast"]]
    ids = {"mobilenet-v2": "s7-cont-mbnetv2", "resnet-50": "s7-cont-resnet50"}
    return plot.compare(
        slower, "slowdown of PIMFlow (%)", published=("pimflow", lambda model, kind: kind == "broadcast" and
                                                      ids.get(model)), draw=plot.dots, width=plot.COLUMN, columns=2,
        colors=(COLORS["pimflow"], COLORS["pimflow-pl"]), text="{:.2g}".format, names=FIVE.values(), ylim=(-0.05, 1),
        labels={"broadcast": "each value fetched once", "unicast": "by each channel for itself"})


def interval(results):
    points, theirs = results.frame("interval"), fact("fn1-2pct")
    policies = {"pimflow-md": POLICIES["pimflow-md"], "pimflow": "PIMFlow; ENetB0 at 2 %: {:+.2f} %, published {:+g} %"}
    figure, axes = plot.panels(1, 2, 2.5, sharey=True, xlabel="split interval (% of the rows)",
                               log_x=sorted(set(points["split_interval"])),
                               ylabel="speedup over an interval\nof 10 % (%)")
    drawn = {}
    for axis, (policy, title) in zip(axes, policies.items()):
        times = plot.wide(points, "split_interval", "model", "time", policy=policy).sort_index()
        drawn[policy] = 100 * (times.loc[10] / times - 1)
        plot.lines(axis, drawn[policy], NETWORKS, FIVE)
        axis.axhline(0, color="0.3", linewidth=0.8)
        axis.set_title(title.format(drawn[policy].loc[2, "efficientnet-b0"], theirs))
    axes[1].plot(2, theirs, **plot.PUBLISHED)
    plot.legend(figure, 6, axes[0], "published (ENetB0)")
    return figure, pd.concat(drawn, names=["policy"]).reset_index()


PRECISIONS = {"fp32": "fp32", "fp16-in/fp32-math": "fp16 stored,\nfp32\narithmetic",
              "fp16-in/tensor-mixed": "fp16 on\ntensor cores"}


def readings(results):
    """What the paper leaves open, one bar each: PIMFlow's speedup."""
    points = results.frame("readings")
    tables = {}
    for bandwidth in sorted(set(points[BANDWIDTH])):
        table = by_policy(points, "speedup", ["precision", "elementwise"],
                          **{"policy": "pimflow", BANDWIDTH: bandwidth})
        label = f"mean, {bandwidth / points['hardware.gpu.memory.channels'].iloc[0] / 1e9:g} GB/s a channel"
        tables[label] = table[[(precision, counted) for precision in PRECISIONS for counted in ("fused", "counted")]]
    # The bandwidth of the artifact is the first.
    first = next(iter(tables))
    tables[first]["1x1", ""] = by_policy(results.frame("pointwise"), "speedup", controller="artifact")["pimflow"]
    tables = {label: table.reindex(columns=tables[first].columns) for label, table in tables.items()}
    names = [text + ("" if elementwise == "fused" else ",\nactivations\ncounted")
             for text in PRECISIONS.values() for elementwise in ("fused", "counted")]
    figure, axis = plot.panels(height=2.9)
    means = mean_bars(axis, tables, (LIGHT, DARK), [*names, "fp32, 1x1\nconvolutions as\nmatrix products"],
                      first_mean=len(names))
    theirs = gain("s1-e2e-avg-gpu")
    plot.published_line(axis, theirs, f"published mean {percent(theirs)}")
    axis.set_ylabel("speedup of PIMFlow\nover the GPU (x)")
    plot.legend(figure, 4, axis, *network_handles())
    means.index = ["; ".join(filter(None, key)) for key in means.index]
    return figure, means.reset_index(names="reading")


# What may change with the GPU's times: policy, and whether a layer's decision differs.
CHANGES = {"Newton++:\nother device": ("newton++", lambda layers, others: layers["choice"] != others["choice"]),
           "PIMFlow-md:\nother mode": ("pimflow-md", lambda layers, others: layers["choice"] != others["choice"]),
           "PIMFlow-md:\nover a tenth\nof the rows": ("pimflow-md", lambda layers, others: 10 * (
               layers["gpu_rows"] - others["gpu_rows"]).abs() > layers["rows"])}


def gpu_error(results):
    """How decisions and speedups move with all times of the GPU."""
    points = results.frame("gpu_error")
    layers = plot.select(results.detail("gpu_error", "by_layer"), candidate=1).set_index(["policy", "model", "layer"])
    clocks = sorted(set(points[CLOCK]))
    names = {clock: f"GPU times {clocks[1] / clock:.3g}x" for clock in clocks}
    colors = dict(zip(names.values(), (LIGHT, MIDDLE, DARK)))
    at = {clock: layers[layers[CLOCK] == clock] for clock in clocks}
    changes = pd.DataFrame({names[clock]: {
        name: 100 * differs(at[clocks[1]].loc[policy], at[clock].loc[policy]).mean()
        for name, (policy, differs) in CHANGES.items()} for clock in (clocks[0], clocks[2])})
    figure, (left, right) = plot.panels(1, 2, 2.6, titles=[WHOLE, "decisions that change"],
                                        ylabel=["", "layers that may run on\nPIM and change (%)"])
    tables = {names[clock]: by_policy(points, "speedup", **{CLOCK: clock}) for clock in clocks}
    policies = tables[names[clocks[1]]].columns
    means = mean_bars(left, tables, colors, map(POLICIES.get, policies),
                      gains({names[clocks[1]]: "s1-e2e-avg-gpu"}, "pimflow"))
    plot.bars(right, changes, colors)
    plot.legend(figure, 5, left, "published mean", *network_handles())
    return figure, pd.concat([means.rename_axis("what").reset_index(), changes.rename_axis("what").reset_index()])
