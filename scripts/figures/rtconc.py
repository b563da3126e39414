#!/usr/bin/env python3
"""Figures of the runtime concurrency paper and of docs/rtconc.md, with their data as CSV.

Usage: rtconc.py results/rtconc.h5 [--output DIR]. Published numbers come from results/published/rtconc.csv.
"""

import common
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

STEPS = {"rtconc-resnet-50": "ResNet-50", "rtconc-dcgan": "DCGAN", "rtconc-inception-v3": "Inception-v3",
         "rtconc-lstm": "LSTM"}
POLICIES = {"tensorflow-default": "TensorFlow's default", "strategy-1": "S1", "strategy-12": "S1+2",
            "strategy-123": "S1-3", "strategy-1234": "S1-4", "manual": "manual", "moldable": "ours"}


def published():
    """Printed numbers by id."""
    return common.published("rtconc").value.astype(float)


def speedups(results):
    """Figure 3, its four parts; marks: what the paper prints."""
    frame = common.study(results, "fig3")
    frame = frame[(frame.performance_model == "hill-climbing") & frame.model.isin(STEPS)]
    speed = frame.pivot(index="model", columns="policy", values="speedup").loc[list(STEPS)]
    parts = {"a": ("S1+2 over recommended", {"S1+2": speed["strategy-12"]}),
             "b": ("S3 over S1+2", {"S1-3": speed["strategy-123"] / speed["strategy-12"]}),
             "c": ("S4 over S1-3", {"S1-4": speed["strategy-1234"] / speed["strategy-123"]}),
             "d": ("over recommended", {POLICIES[one]: speed[one] for one in ("strategy-1234", "manual", "moldable")})}
    numbers = published()
    printed = {part: {step: 1 + numbers[f"rtconc-fig3{part}-" + step.removeprefix("rtconc-")] / 100 for step in STEPS}
               for part in "abc"}
    printed["d"] = {"rtconc-resnet-50": 1 + numbers["rtconc-fig3d-resnet50"] / 100,
                    "rtconc-inception-v3": 1 + numbers["rtconc-fig3d-inception"] / 100}
    figure, panels = plt.subplots(1, 4, figsize=(common.PAGE, 2.7), width_ratios=[1, 1, 1, 2.2])
    data = []
    for panel, (part, (title, bars)) in zip(panels, parts.items()):
        common.bars(panel, pd.DataFrame(bars).loc[list(STEPS)])
        for i, (label, values) in enumerate(bars.items()):
            shift, _ = common.grouped(i, len(bars))
            for place, (step, value) in enumerate(values.items()):
                mark = printed[part].get(step, np.nan) if i == 0 else np.nan
                panel.plot(place + shift, mark, **common.PUBLISHED)
                data.append({"part": part, "model": step, "policy": label, "speed": value, "published": mark})
        panel.axhline(1, color="black", linewidth=0.8, zorder=1.5)
        common.group_names(panel, STEPS.values(), rotation=35, ha="right", fontsize=common.TINY)
        panel.set_title(f"{part}: {title}", fontsize=common.SMALL)
    panels[0].set_ylabel("speedup")
    figure.suptitle("Figure 3: speedup by each strategy")
    common.legend(figure, 4, panels[-1], common.published_mark())
    return figure, pd.DataFrame(data)


def settings(results):
    """Table I: speed by operations at a time and threads of each, ours and printed."""
    frame = common.study(results, "table1")
    numbers = published()
    frame["published"] = [
        numbers[f"rtconc-tab1-{row.model.removeprefix('rtconc-')}-{row.inter}-{row.intra}-speedup"]
        for row in frame.itertuples()]
    figure, axes = plt.subplots(1, 2, figsize=(common.PAGE, 2.8), sharey=True)
    figure.suptitle("Table I: speed over operations at a time and threads of each")
    for panel, (step, rows) in zip(axes, frame.groupby("model", sort=False)):
        for i, (intra, of) in enumerate(rows.groupby("intra")):
            panel.plot(of.inter, of.speedup, color=f"C{i}", marker="os^"[i], label=f"{intra} threads")
            panel.plot(of.inter, of.published, color=f"C{i}", linestyle=":", marker="D", markerfacecolor="white",
                       markersize=4)
        panel.set_title(STEPS[step])
        panel.set_xlabel("operations at a time")
        panel.set_xticks(sorted(rows.inter.unique()))
    axes[0].set_ylabel("speed over recommended")
    common.legend(figure, 4, axes[0], common.published_mark())
    return figure, frame[["model", "inter", "intra", "time", "speedup", "published"]]


def co_running(results):
    """Figure 4: running operations over the events in the middle of the step."""
    frame = common.detail(results, "fig4", "timeline")
    numbers = published()
    figure, axes = plt.subplots(2, 3, figsize=(common.PAGE, 3.6), sharex="col", sharey=True)
    figure.suptitle("Figure 4: running operations over the events of a step (line: mean, dotted: published mean)")
    data = []
    for row, policy in zip(axes, ["strategy-123", "strategy-1234"]):
        for panel, step in zip(row, list(STEPS)[:3]):
            of = frame[(frame.model == step) & (frame.policy == policy)]
            panel.plot(of.event, of.running, linewidth=0.4)
            number = f"rtconc-fig4-{step.removeprefix('rtconc-')}-s{policy[-1]}"
            printed = numbers[number]
            panel.axhline(of.running.mean(), color=common.PALETTE[4], linewidth=1)
            panel.axhline(printed, color="black", linewidth=1, linestyle=":")
            panel.set_title(f"{STEPS[step]}, {POLICIES[policy]}: {of.running.mean():.2f} ({printed})")
            data.append({"model": step, "policy": policy, "events": len(of), "mean": of.running.mean(),
                         "published": printed, "most": of.running.max()})
    for panel in axes[:, 0]:
        panel.set_ylabel("running operations")
    axes[1][1].set_xlabel("event")
    return figure, pd.DataFrame(data)


def accuracy(results):
    """Table V: accuracy of hill climbing by interval, ours and printed."""
    frame = common.study(results, "table5")
    frame = frame[(frame.sharing == "both") & (frame.time_noise == 0) & (frame.interval > 1)].copy()
    numbers = published()
    frame["published"] = [numbers[f"rtconc-tab5-{row.model.removeprefix('rtconc-')}-x{row.interval}"] / 100
                          for row in frame.itertuples()]
    figure, axes = plt.subplots(figsize=(common.COLUMN, 3))
    axes.set_title("Table V: accuracy of hill climbing")
    for i, (step, rows) in enumerate(frame.groupby("model", sort=False)):
        axes.plot(rows.interval, rows.accuracy, color=f"C{i}", marker="os^v"[i], label=STEPS[step])
        axes.plot(rows.interval, rows.published, color=f"C{i}", linestyle=":", marker="D", markerfacecolor="white",
                  markersize=4)
    axes.set_xscale("log", base=2)
    common.plain_numbers(axes.xaxis, sorted(frame.interval.unique()))
    axes.set_xlabel("interval")
    axes.set_ylabel("accuracy")
    common.legend(figure, 3, axes, common.published_mark())
    return figure, frame[["model", "interval", "accuracy", "published"]]


def graphics_card(results):
    """Figure 5 and Table VII: a run over threads and blocks (with the host), two runs by how they share the card."""
    kinds = {"bias": "BiasAdd", "pool": "MaxPooling"}
    figure, axes = plt.subplots(1, 3, figsize=(common.PAGE, 3), width_ratios=[1, 1, 1.5])
    figure.suptitle("Figure 5 and Table VII: operations on a graphics card, alone and two at a time")
    data = []
    for panel, name, along, label in ((axes[0], "fig5a", "threads", "threads of a block (56 blocks)"),
                                      (axes[1], "fig5b", "blocks", "blocks (1024 threads)")):
        frame = common.study(results, name)
        for color, (kind, of) in enumerate(frame[frame.kind.isin(kinds)].groupby("kind")):
            for style, (width, rows) in zip(("-", "--", "-.", ":"), of.groupby("W", sort=False)):
                panel.plot(rows[along], rows.run_time * 1e6, f"C{color}{style}", label=f"{kinds[kind]}, {width} wide")
        panel.set(xscale="log", yscale="log", xlabel=label)
        common.plain_numbers(panel.xaxis, steps=(1, 3))
        common.plain_numbers(panel.yaxis, steps=(1, 2, 5))
        data.append(frame.assign(figure=name)[["figure", "kind", "W", "C", "threads", "blocks", "run_time"]])
    axes[0].set_ylabel("time of a run [\N{MICRO SIGN}s]")

    table = common.study(results, "table7")
    table = table[table["hardware.host.run"] > 0]
    rows = {"conv2dbackpropfilter": ("conv", "backward_weights", 2048),
            "conv2dbackpropinput": ("conv", "backward_inputs", 2048), "conv2d": ("conv", "forward", 2048),
            "biasadd": ("bias", "forward", 288), "maxpooling": ("pool", "forward", 288)}
    ways = ["processes", "mps", "streams"]
    numbers = published()
    for place, (name, (kind, which, channels)) in enumerate(rows.items()):
        of = table[(table.kind == kind) & (table["pass"] == which) & (table.C == channels)].set_index("co_run")
        for i, way in enumerate(ways):
            axes[2].bar(place + (i - 1) * 0.25, of.speedup[way], 0.25, color=f"C{i}", label=None if place else way)
        axes[2].plot(place, numbers[f"rtconc-tab7-{name}-corun-speedup"], **common.PUBLISHED)
        data.append(of.reset_index().assign(figure="table7")[["figure", "kind", "pass", "W", "C", "co_run", "speedup"]])
    axes[2].set_xticks(range(len(rows)),
                       ["filter\ngradient", "input\ngradient", "convo-\nlution", "bias", "max\npooling"])
    axes[2].set(ylabel="speed over one after the other", ylim=(0, 2.4))
    common.legend(figure, 4, axes[0], axes[2], common.published_mark())
    return figure, pd.concat(data)


FIGURES = {"rtconc-speedups": speedups, "rtconc-settings": settings, "rtconc-co-running": co_running,
           "rtconc-accuracy": accuracy, "rtconc-gpu": graphics_card}


def main():
    results, output = common.arguments(__doc__)
    for name, draw in FIGURES.items():
        common.save(*draw(results), output, name)


if __name__ == "__main__":
    main()
