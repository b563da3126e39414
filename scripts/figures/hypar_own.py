"""Our own figures of HyPar: overlap, a timeline, optimum gaps, the accounting of bytes, row-stationary computation."""

import numpy as np
import pandas as pd
from matplotlib.colors import TwoSlopeNorm
from matplotlib.patches import Rectangle

from hypar_style import (ALEXNETS, COLORS, NETWORKS, POLICIES, TAGS, TEN, fact, network_bars, normalized, published,
                         published_name, with_gmean)
from pimsweep import plot


def event(results):
    times = plot.wide(results.frame("event"), ["model", "policy", "topology"], "overlap", "time", model=list(TEN))
    by_policy = times.unstack("policy")
    saved = with_gmean((times[0] / times[1]).unstack(["policy", "topology"]))
    saved = saved[[(policy, network) for policy in ("data", "hypar") for network in NETWORKS]]
    gains = with_gmean(pd.concat({
        (overlap, network): plot.relative(by_policy[overlap].xs(network, level="topology"), "hypar")["data"]
        for network in NETWORKS for overlap in (0, 1)}, axis=1))
    figure, axes = plot.panels(2, 1, 4.6, titles=["What exchanges beside computation save",
                                                  "HyPar over Data Parallelism, both on the same network"],
                               ylabel=["time without overlap,\nwith overlap = 1",
                                       "performance of HyPar,\nData Parallelism = 1"])
    for axis, table, colors, ylim, name in (
            (axes[0], saved, ["#7d8799", "#d5d9e0", COLORS["hypar"], COLORS["hypar-optimal"]], (0.95, 2.3),
             lambda policy, network: f"{POLICIES[policy]}, {NETWORKS[network]}"),
            (axes[1], gains, ["#9cc9b0", COLORS["hypar"], "#c3d6ea", "#2f6fb0"], (0.9, 45),
             lambda overlap, network: f"{NETWORKS[network]}, {'with' if overlap else 'without'} overlap")):
        network_bars(axis, table, colors, {key: f"{name(*key)}: mean {table[key]['gmean']:.2f}" for key in table})
        axis.legend(ncol=2, loc="upper center", fontsize=plot.TINY)
        axis.set_ylim(ylim)
    return figure, pd.concat([table.set_axis(["; ".join(map(str, key)) for key in table], axis=1)
                              .rename_axis("model").reset_index().melt("model").assign(quantity=quantity)
                              for quantity, table in (("time without overlap", saved), ("gain of HyPar", gains))])


TASKS = {"forward": "#2a6f4e", "error": "#7fb89a", "gradient": "#b7c77a", "F summed": "#2f6fb0",
         "F converted": "#9fc2e6", "E converted": "#c6a5d8", "dW summed": "#e0a458"}


def timeline(results, model="vgg-a", policy="hypar"):
    tasks = plot.select(results.detail("event", "timeline"), model=model, policy=policy, topology="h-tree")
    alone = plot.select(tasks, overlap=0)["time"].iloc[0]
    tasks = plot.select(tasks, overlap=1).sort_values("start")
    step = tasks["time"].iloc[0]
    tail = plot.select(tasks, level=0, what="gradient")["start"].nlargest(3).min()
    windows = {"the whole step": (0, step), "fully connected layers, forward and error":
               (plot.select(tasks, what="F summed")["start"].min() - 0.01 * step,
                plot.select(tasks, what="E converted")["end"].max() + 0.02 * step),
               "the last layers": (tail - 0.01 * step, step * 1.002)}
    figure, axes = plot.panels(3, 1, 6.2, f"A step of {TEN[model]} under {POLICIES[policy]} on the H tree, exchanges "
                               f"beside computation: {1e3 * step:.0f} ms, one after the other {1e3 * alone:.0f} ms.\n"
                               "Gray: what the lower panels enlarge", windows, xlabel="time since the step began (ms)")
    lanes = {level: f"H{level}" if level else "products" for level in sorted(tasks["level"].unique())}
    for axis, window in zip(axes, windows.values()):
        plot.timeline(axis, tasks, "level", "what", "layer", unit="", colors=TASKS, lanes=lanes, window=window)
        axes[0].axvspan(*(1e3 * np.clip(window, 0, step)), color="0.93" if window[0] else "white", zorder=0)
    plot.legend(figure, len(TASKS), *plot.patches(TASKS))
    return figure, tasks[["task", "what", "layer", "level", "start", "end"]]


def gap(results):
    bytes_ = plot.wide(results.frame("gap"), ["model", "batch", "levels"], "policy", "communication")
    percent = (100 * (bytes_["hypar"] / bytes_["hypar-optimal"] - 1)).rename("gap_percent")
    names = {**TEN, **{model: name.replace("\n", ", ") for model, name in ALEXNETS.items()}}
    worst = percent.idxmax()
    figure, axes = plot.panels(1, 2, 3.4,
                               f"Optimum gap of HyPar: none at {(percent < 1e-9).sum()} of {len(percent)} points, "
                               f"mean {percent.mean():.2f} %, at most {percent.max():.2f} % ({names[worst[0]]}, batch "
                               f"{worst[1]}, {worst[2]} levels)",
                               ["largest over 1 to 6 levels", "largest over batches from 1 to 4096"], sharey=True,
                               width_ratios=[10, 6])
    for axis, by in zip(axes, ("batch", "levels")):
        table = percent.groupby(["model", by], sort=False).max().unstack(by).loc[list(names)].sort_index(axis=1)
        image = plot.heat_map(axis, table.rename(index=names).rename_axis(index=""),
                              lambda value: f"{value:.1f}" if value > 1e-9 else "0", vmin=0, vmax=percent.max())
    figure.colorbar(image, ax=axes, label="more bytes than the global optimum (%)")
    return figure, percent.reset_index()


def gap_branches(results):
    bytes_ = plot.wide(results.frame("gap_branches"), ["batch", "model"], "policy", "communication")
    shares = plot.relative(bytes_, "data")[["hypar", "hypar-optimal"]]
    tables = {f"batch {batch}": rows.droplevel("batch") for batch, rows in shares.groupby(level="batch")}
    figure, data = plot.compare(tables, "total communication,\nData Parallelism = 1", height=3, ylim=(0, 1.15),
                                colors=COLORS, labels=POLICIES, rotation=30, ha="right")
    for axis, table in zip(figure.axes, tables.values()):
        for place, gap_ in enumerate(100 * (table["hypar"] / table["hypar-optimal"] - 1)):
            axis.text(place, 1.03, f"{gap_:.2f}" if gap_ > 1e-9 else "0", ha="center", fontsize=plot.SMALL)
    return figure, data


READINGS = ["partial_sum_count", "feature_maps", "conversion_count", "conversion_shape"]


def accounting(results):
    points = results.frame("accounting")
    points["published"] = [1e9 * fact(f"fig8-{published_name(model)}-{TAGS[policy]}")
                           for model, policy in zip(points["model"], points["policy"])]
    points["ratio"] = points["communication"] / points["published"]
    limit = np.abs(np.log2(points["ratio"])).max()
    figure, panels = plot.panels(1, 2, 4.6, sharey=True)
    for axis, policy in zip(panels, ("model", "hypar")):
        table = plot.select(points, policy=policy).pivot_table(index=READINGS, columns="model", values="ratio")
        table = table[list(TEN)].sort_index(ascending=False)
        shown = np.log2(table).set_axis([",  ".join(key) for key in table.index]).rename(columns=TEN)
        plot.heat_map(axis, shown.rename_axis(columns=""), lambda value: f"{2**value:.2f}", cmap="RdBu_r",
                      norm=TwoSlopeNorm(0, -limit, limit))
        close = (np.abs(table - 1) < 0.02).to_numpy()
        for y, x in zip(*np.nonzero(close)):
            axis.add_patch(Rectangle((x - 0.47, y - 0.44), 0.94, 0.88, fill=False, edgecolor="black", linewidth=1))
        axis.set_title(f"{POLICIES[policy]}: {close.sum()} of {close.size} framed,\n"
                       f"at most {close.sum(axis=1).max()} of ten in a reading")
        axis.set_xticklabels(TEN.values(), rotation=45, ha="right")
    panels[0].set_ylabel("partial sums,  feature maps,  conversions,  halved by")
    return figure, points[[*READINGS, "model", "policy", "communication", "published", "ratio"]]


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
    figure, (top, below) = plot.panels(
        2, 1, 4, f"Computation by the row-stationary mapping: HyPar gains {means[mapped]:.2f} instead of "
        f"{means[by_peak]:.2f} (published {fact('fig6-gmean-hypar'):g})", sharex=True,
        height_ratios=[2, 1], ylabel=["performance of HyPar,\nData Parallelism = 1",
                                      "computation time,\npeak rate = 1"])
    theirs = published(table[[by_peak]].set_axis(["hypar"], axis=1), "fig6").set_axis([by_peak], axis=1)
    network_bars(top, table, ["#b0b7c3", COLORS["hypar"], COLORS["hypar-optimal"]], published=theirs)
    network_bars(below, ratio, ["#7fa8d1"])
    top.set_ylim(0.9, 30)
    below.set_ylim(0.35, 1.4)
    plot.legend(figure, 2, top, "published")
    return figure, table.join(ratio).rename_axis("model").reset_index()
