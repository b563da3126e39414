"""Our own figures of HyPar: overlap, a timeline, optimum gaps, the accounting of bytes, row-stationary computation."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import TwoSlopeNorm
from matplotlib.patches import Patch, Rectangle

from pimsweep import plot
from pimsweep.plot import PUBLISHED, SMALL, TINY, bars, grouped, legend, published_mark
from hypar_style import (ALEXNETS, COLORS, POLICIES, TAGS, TEN, TIME, fact, label_above, network_axis, normalized,
                         published_name, ratio_axis, with_gmean)


def event(results):
    points = results.frame("event")
    points = points[points["model"].isin(TEN)]
    times = points.pivot_table(index=["model", "policy", "topology"], columns=points["overlap"].astype(bool),
                               values=TIME, sort=False)
    speedup = (times[False] / times[True]).unstack(["policy", "topology"])
    figure, (top, below) = plt.subplots(2, 1, figsize=(plot.PAGE, 4.6))
    drawn = []
    bars_ = [(policy, topology) for policy in ("model", "data", "hypar") for topology in ("h-tree", "torus")]
    names = {"h-tree": "H tree", "torus": "torus"}
    table = with_gmean(speedup)
    for i, (policy, topology) in enumerate(bars_):
        shift, width = grouped(i, len(bars_))
        top.bar(np.arange(len(table)) + shift, table[policy, topology] - 1, width, bottom=1, color=COLORS[policy],
                hatch="xxxx" if topology == "torus" else None, edgecolor="white", linewidth=0,
                label=f"{POLICIES[policy]}, {names[topology]}: mean {table[policy, topology]['gmean']:.2f}")
        drawn += [{"quantity": "no overlap / overlap", "model": m, "policy": policy, "topology": topology, "value": v}
                  for m, v in table[policy, topology].items()]
    top.set(ylabel="step time without overlap,\nwith overlap = 1", ylim=(1, 1.5 * np.nanmax(table[bars_].to_numpy() - 1) + 1))
    top.set_title("What exchanges beside computation save")
    top.legend(ncol=3, loc="upper left", fontsize=TINY)
    network_axis(top, table.index)
    gains = {(overlap, topology): times[overlap].xs(topology, level="topology").unstack("policy")
             for overlap in (False, True) for topology in names}
    gains = with_gmean(pd.DataFrame({key: gain["data"] / gain["hypar"] for key, gain in gains.items()}))
    shades = {(False, "h-tree"): "#9cc9b0", (True, "h-tree"): COLORS["hypar"], (False, "torus"): "#c3d6ea",
              (True, "torus"): "#2f6fb0"}
    order = [(False, "h-tree"), (True, "h-tree"), (False, "torus"), (True, "torus")]
    for i, (overlap, topology) in enumerate(order):
        shift, width = grouped(i, len(order))
        label = f"{names[topology]}, {'' if overlap else 'no '}overlap: mean {gains[overlap, topology]['gmean']:.2f}"
        below.bar(np.arange(len(gains)) + shift, gains[overlap, topology] - 1, width, bottom=1,
                  color=shades[overlap, topology], label=label)
        drawn += [{"quantity": f"Data Parallelism / HyPar, overlap {overlap}", "model": m, "policy": "hypar",
                   "topology": topology, "value": v}
                  for m, v in gains[overlap, topology].items()]
    ratio_axis(below)
    below.set(ylabel="performance of HyPar,\nData Parallelism = 1", ylim=(0.9, 32))
    below.set_title("HyPar over Data Parallelism, both on the same network")
    below.legend(ncol=2, loc="upper center", fontsize=TINY)
    network_axis(below, gains.index)
    return figure, pd.DataFrame(drawn)


TASKS = {"forward": "#2a6f4e", "error": "#7fb89a", "gradient": "#b7c77a", "F summed": "#2f6fb0",
         "F converted": "#9fc2e6",
         "E converted": "#c6a5d8", "dW summed": "#e0a458"}


def stacked(tasks):
    """Adds y and height in the lane of a task's level: tasks that meet there (on the same links) share its height."""
    lanes = []
    for level, lane in tasks.sort_values("start").groupby("level"):
        # A group of tasks ends where one starts after all before it have ended.
        before = lane["end"].cummax().shift(fill_value=-np.inf)
        for _, group in lane.groupby((lane["start"] >= before * (1 - 1e-12)).cumsum()):
            ends, rows = [], []
            for task in group.itertuples():
                row = next((r for r, end in enumerate(ends) if end <= task.start * (1 + 1e-12)), len(ends))
                ends[row:row + 1] = [task.end]
                rows.append(row)
            height = 0.8 / len(ends)
            lanes.append(group.assign(y=level - 0.4 + height * np.array(rows), height=height))
    return pd.concat(lanes)


def timeline(results, model="vgg-a", policy="hypar"):
    tasks = results.detail("event", "timeline")
    chosen = (tasks["model"] == model) & (tasks["policy"] == policy) & (tasks["topology"] == "h-tree")
    alone = tasks.loc[chosen & (tasks["overlap"] == 0), TIME].iloc[0]
    tasks = tasks[chosen & (tasks["overlap"] == 1)].sort_values("start")
    if tasks.empty:
        return
    # A row's other columns, the point's axes, take longer to go through than its own.
    tasks = stacked(tasks[["task", "what", "layer", "level", "start", "end", TIME]])
    step, unit = tasks[TIME].iloc[0], 1e3
    sums = tasks[tasks["what"] == "F summed"]
    tail = tasks.loc[(tasks["level"] == 0) & (tasks["what"] == "gradient"), "start"].nlargest(3).min()
    converted = tasks.loc[tasks["what"] == "E converted", "end"].max()
    windows = [(0, step, "the whole step"),
               (sums["start"].min() - 0.01 * step, converted + 0.02 * step, "fully connected layers, forward, error"),
               (tail - 0.01 * step, step * 1.002, "the last layers")]
    figure, axes = plt.subplots(3, 1, figsize=(plot.PAGE, 6.2))
    for axis, (start, end, title) in zip(axes, windows):
        seen = tasks[(tasks["end"] > start) & (tasks["start"] < end)]
        # A white edge between wide bars would hide narrow ones.
        wide = seen["end"] - seen["start"] > 0.004 * (end - start)
        axis.barh(seen["y"], unit * (seen["end"] - seen["start"]), seen["height"], left=unit * seen["start"],
                  align="edge",
                  color=seen["what"].map(TASKS), edgecolor=seen["what"].map(TASKS).where(~wide, "white"), linewidth=0.4)
        for task in seen.itertuples():
            left, right = max(task.start, start), min(task.end, end)
            fraction = (right - left) / (end - start)
            # About 0.0085 of the width for a character of this size, and a lane high enough to hold it.
            if fraction > 0.0085 * len(task.layer) and task.height > 0.3:
                axis.text(unit * (left + right) / 2, task.y + task.height / 2, task.layer, ha="center", va="center",
                          fontsize=6, clip_on=True, color="white" if task.what in ("forward", "F summed") else "black",
                          bbox={"facecolor": TASKS[task.what], "edgecolor": "none", "pad": 0.8})
        levels = sorted(tasks["level"].unique())
        axis.set(xlim=(unit * start, unit * end), ylim=(max(levels) + 0.5, -0.5), yticks=levels)
        axis.set_yticklabels(["products"] + [f"H{level}" for level in levels[1:]])
        axis.set_title(title)
        axis.grid(False, axis="y")
    for start, end, _ in windows[1:]:
        axes[0].axvspan(unit * start, unit * end, color="0.93", zorder=0)
    axes[-1].set_xlabel("time since the step began (ms)")
    legend(figure, len(TASKS), *(Patch(color=color, label=name) for name, color in TASKS.items()))
    figure.suptitle(f"A step of {TEN[model]} under {POLICIES[policy]}, H tree, exchanges beside computation: "
                    f"{unit * step:.0f} ms, one after the other {unit * alone:.0f} ms.\n"
                    "Gray: what the lower panels enlarge")
    return figure, tasks[["task", "what", "layer", "level", "start", "end"]]


def annotate(axis, table, text, light):
    """Writes text(value) into each cell, white where light(value)."""
    for y, row in enumerate(table.to_numpy()):
        for x, value in enumerate(row):
            # Clipped, so that nobody looks whether it stands out of the axes.
            axis.text(x, y, text(value), ha="center", va="center", fontsize=TINY, clip_on=True,
                      color="white" if light(value) else "black")


def gap(results):
    points = results.frame("gap")
    bytes_ = points.pivot_table(index=["model", "batch", "levels"], columns="policy", values="communication",
                                sort=False)
    percent = 100 * (bytes_["hypar"] / bytes_["hypar-optimal"] - 1)
    models = plot.ordered(points["model"])
    names = {**TEN, **{model: name.replace("\n", ", ") for model, name in ALEXNETS.items()}}
    figure, axes = plt.subplots(3, -(-len(models) // 3), figsize=(plot.PAGE, 6.6), sharex=True, sharey=True)
    top = percent.max()
    for axis, model in zip(axes.flat, models):
        table = percent[model].unstack("levels").sort_index()
        image = axis.imshow(table, cmap="YlGnBu", vmin=0, vmax=top, aspect="auto")
        annotate(axis, table, lambda value: f"{value:.1f}" if value > 1e-9 else "", lambda value: value > 0.55 * top)
        axis.set_title(f"{names[model]}: at most {percent[model].max():.1f} %", fontsize=TINY)
        axis.set_xticks(range(len(table.columns)))
        axis.set_xticklabels([f"H{level}" for level in table.columns])
        axis.set_yticks(range(len(table)))
        axis.set_yticklabels(table.index)
        axis.grid(False)
        axis.tick_params(length=0)
    for axis in axes[:, 0]:
        axis.set_ylabel("batch")
    for axis in axes[-1]:
        axis.set_xlabel("levels")
    figure.colorbar(image, ax=axes, aspect=40, label="more bytes than the global optimum (%)")
    worst = percent.idxmax()
    exact = (percent < 1e-9).sum()
    figure.suptitle(f"Optimum gap of HyPar: none at {exact} of {len(percent)} points, mean {percent.mean():.2f} %, "
                    f"at most {top:.2f} % ({names[worst[0]]}, batch {worst[1]}, H{worst[2]})\nEmpty cells: no gap")
    return figure, percent.rename("gap_percent").reset_index()


def gap_branches(results):
    points = results.frame("gap_branches")
    bytes_ = points.pivot_table(index=["batch", "model"], columns="policy", values="communication", sort=False)
    batches = sorted(points["batch"].unique())
    figure, axes = plt.subplots(1, len(batches), figsize=(plot.PAGE, 3), sharey=True)
    for axis, batch in zip(axes, batches):
        table = bytes_.xs(batch, level="batch")
        shares = table[["hypar", "hypar-optimal"]].div(table["data"], axis=0)
        gaps = 100 * (table["hypar"] / table["hypar-optimal"] - 1)
        bars(axis, shares, COLORS, POLICIES)
        for position, value in enumerate(gaps):
            axis.text(position, 1.03, f"{value:.2f}" if value > 1e-9 else "0", ha="center", fontsize=SMALL)
        axis.axhline(1, color="0.4", linewidth=0.8)
        axis.set_title(f"batch {batch}: gap {f'at most {gaps.max():.2f} %' if gaps.max() > 1e-9 else 'zero'}")
        plot.group_names(axis, table.index, rotation=30, ha="right")
        axis.set_ylim(0, 1.15)
    axes[0].set_ylabel("total communication,\nData Parallelism = 1")
    legend(figure, 2, axes[0])
    figure.suptitle(f"Networks with branches on {points['accelerators'].iloc[0]:.0f} accelerators; "
                    "above the bars: optimum gap of HyPar in bytes (%)")
    drawn = bytes_.assign(gap_percent=100 * (bytes_["hypar"] / bytes_["hypar-optimal"] - 1)).reset_index()
    return figure, drawn


def accounting(results):
    points = results.frame("accounting")
    axes_of_study = ["partial_sum_count", "feature_maps", "conversion_count", "conversion_shape"]
    points["published"] = [1e9 * fact(f"fig8-{published_name(m)}-{TAGS[p]}") for m,
                           p in zip(points["model"], points["policy"])]
    points["ratio"] = points["communication"] / points["published"]
    figure, panels = plt.subplots(1, 2, figsize=(plot.PAGE, 4.6), sharey=True)
    for axis, policy in zip(panels, ("model", "hypar")):
        table = points[points["policy"] == policy].pivot_table(index=axes_of_study, columns="model", values="ratio")
        table = table[list(TEN)]
        table = table.sort_index(ascending=False)
        limit = np.abs(np.log2(points["ratio"])).max()
        axis.imshow(np.log2(table), cmap="RdBu_r", norm=TwoSlopeNorm(0, -limit, limit), aspect="auto")
        annotate(axis, table, lambda value: f"{value:.2f}", lambda value: abs(np.log2(value)) > 0.62 * limit)
        close = (np.abs(table - 1) < 0.02).to_numpy()
        for y, x in zip(*np.nonzero(close)):
            axis.add_patch(Rectangle((x - 0.47, y - 0.44), 0.94, 0.88, fill=False, edgecolor="black", linewidth=1))
        axis.set_title(f"{POLICIES[policy]}: {close.sum()} of {close.size} framed,\n"
                       f"at most {close.sum(axis=1).max()} of ten in a reading")
        axis.set_xticks(range(len(TEN)))
        axis.set_xticklabels(TEN.values(), rotation=45, ha="right")
        axis.set_yticks(range(len(table)))
        axis.set_yticklabels([",  ".join(key) for key in table.index])
        axis.grid(False)
    panels[0].set_ylabel("partial sums,  feature maps,  conversions,  halved by")
    figure.suptitle("Figure 8 under every reading of Tables 1 and 2: total communication, ours / published "
                    "(framed: within 2 %)")
    return figure, points[[*axes_of_study, "model", "policy", "communication", "published", "ratio"]]


def row_stationary(results):
    points, peak = results.frame("row_stationary"), results.frame("fig5_to_8")
    peak = peak[peak["energy_scope"] == "printed"]
    by = points.pivot_table(index="model", columns=["policy", "objective"], values=TIME, sort=False)
    table = with_gmean(pd.DataFrame({"peak rate x utilization": normalized(peak, TIME)["hypar"],
                                     "row-stationary mapping": by["data", "bytes"] / by["hypar", "bytes"],
                                     "row-stationary, optimum in time":
                                     by["data", "time"] / by["hypar-optimal", "time"]}))
    count = peak["mac_count"].iloc[0]
    table = table.rename(columns={"peak rate x utilization": f"peak rate x utilization (MACs by {count})"})
    compute = {name: frame[frame["policy"] == "hypar"].drop_duplicates("model").set_index("model")["compute_time"]
               for name, frame in (("peak", peak), ("mapping", points))}
    ratio = with_gmean((compute["mapping"] / compute["peak"]).to_frame("ratio"))["ratio"]
    figure, (top, below) = plt.subplots(2, 1, figsize=(plot.PAGE, 4), sharex=True, height_ratios=[2, 1])
    colors = ["#b0b7c3", COLORS["hypar"], COLORS["hypar-optimal"]]
    bars(top, table, colors, base=1)
    label_above(top, [(position + grouped(i, len(colors))[0], f"{value:.2f}", "black")
                      for i, name in enumerate(table) for position, value in enumerate(table[name])])
    for position, model in enumerate(table.index):
        top.plot(position + grouped(0, len(colors))[0], fact(f"fig6-{published_name(model)}-hypar"), **PUBLISHED)
    ratio_axis(top)
    top.set(ylim=(0.9, 30), ylabel="performance of HyPar,\nData Parallelism = 1")
    legend(figure, 2, top, published_mark())
    means = table.loc["gmean"]
    top.set_title(f"Computation by the row-stationary mapping: HyPar gains {means['row-stationary mapping']:.2f} "
                  f"instead of {means.iloc[0]:.2f} (published {fact('fig6-gmean-hypar'):g})")
    below.bar(np.arange(len(ratio)), ratio, 0.5, color="#7fa8d1")
    for position, value in enumerate(ratio):
        below.text(position, value + 0.02 * ratio.max(), f"{value:.2f}", ha="center", va="bottom", fontsize=TINY)
    below.set(ylabel="computation time,\nmapping / peak", ylim=(0, 1.2 * ratio.max()))
    network_axis(top, table.index)
    network_axis(below, table.index)
    return figure, table.assign(compute_ratio=ratio).rename_axis("model").reset_index()
