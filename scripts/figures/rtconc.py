#!/usr/bin/env python3
"""Figures of the runtime concurrency paper and of docs/rtconc.md, from the results of experiments/rtconc.toml."""

import functools

import matplotlib.pyplot as plt
import pandas as pd

import pimsweep
from pimsweep import plot

STEPS = {"rtconc-resnet-50": "ResNet-50", "rtconc-dcgan": "DCGAN", "rtconc-inception-v3": "Inception-v3",
         "rtconc-lstm": "LSTM"}
POLICIES = {"tensorflow-default": "TensorFlow's default", "strategy-1": "S1", "strategy-12": "S1+2",
            "strategy-123": "S1-3", "strategy-1234": "S1-4", "manual": "manual", "moldable": "ours"}
fact = functools.partial(pimsweep.fact, "rtconc")


def short(step):
    return step.removeprefix("rtconc-")


def speedups(results):
    """Figure 3, its four parts; marks: what the paper prints."""
    frame = results.frame("fig3")
    frame = frame[(frame.performance_model == "hill-climbing") & frame.model.isin(STEPS)]
    speed = frame.pivot(index="model", columns="policy", values="speedup").loc[list(STEPS)]
    parts = {"a": ("S1+2,\nrecommended = 1", {"S1+2": speed["strategy-12"]}),
             "b": ("S1-3,\nS1+2 = 1", {"S1-3": speed["strategy-123"] / speed["strategy-12"]}),
             "c": ("S1-4,\nS1-3 = 1", {"S1-4": speed["strategy-1234"] / speed["strategy-123"]}),
             "d": ("recommended = 1", {POLICIES[one]: speed[one] for one in ("strategy-1234", "manual", "moldable")})}
    printed = {part: {step: 1 + fact(f"fig3{part}-{short(step)}") / 100 for step in STEPS} for part in "abc"}
    printed["d"] = {"rtconc-resnet-50": 1 + fact("fig3d-resnet50") / 100,
                    "rtconc-inception-v3": 1 + fact("fig3d-inception") / 100}
    figure, panels = plt.subplots(1, 4, figsize=(plot.PAGE, 2.7), width_ratios=[1, 1, 1, 2.2])
    data = []
    for panel, (part, (title, columns)) in zip(panels, parts.items()):
        first = list(columns)[0]
        marks = pd.DataFrame({first: pd.Series(printed[part]).reindex(list(STEPS))})
        plot.bars(panel, pd.DataFrame(columns), published=marks, names=STEPS.values(), rotation=35, ha="right",
                  fontsize=plot.TINY)
        for label, values in columns.items():
            data += [{"part": part, "model": step, "policy": label, "speed": value,
                      "published": marks[first][step] if label == first else None} for step, value in values.items()]
        plot.ratio_axis(panel, log=False)
        panel.set_title(f"{part}: {title}", fontsize=plot.SMALL)
    panels[0].set_ylabel("speedup (x)")
    figure.suptitle("Figure 3: speedup by each strategy")
    plot.legend(figure, 4, panels[-1], plot.published_mark())
    return figure, pd.DataFrame(data)


def ours_and_printed(panel, rows, x, y, names):
    """A line with markers for each group, its published values as diamonds joined by a dashed line of its color."""
    for (key, of), style in zip(rows, plot.markers(range(9)).values()):
        panel.plot(of[x], of[y], **style, label=names(key))
        panel.plot(of[x], of.published, **{**plot.PUBLISHED, "linestyle": "--", "linewidth": 0.7, "markersize": 3.5},
                   color=style["color"])


def settings(results):
    """Table I: speed by operations at a time and threads of each, ours and printed."""
    frame = results.frame("table1")
    frame["published"] = [fact(f"tab1-{short(row.model)}-{row.inter}-{row.intra}-speedup")
                          for row in frame.itertuples()]
    figure, axes = plt.subplots(1, 2, figsize=(plot.PAGE, 2.8), sharey=True)
    figure.suptitle("Table I: speed by operations at a time and threads of each")
    for panel, (step, rows) in zip(axes, frame.groupby("model", sort=False)):
        ours_and_printed(panel, rows.groupby("intra"), "inter", "speedup", lambda intra: f"{intra} threads")
        panel.set(title=STEPS[step], xlabel="operations at a time", xticks=sorted(rows.inter.unique()))
    axes[0].set_ylabel("speedup over recommended (x)")
    plot.legend(figure, 4, axes[0], plot.published_mark())
    return figure, frame[["model", "inter", "intra", "time", "speedup", "published"]]


def co_running(results):
    """Figure 4: running operations over the events in the middle of the step."""
    frame = results.detail("fig4", "timeline")
    figure, axes = plt.subplots(2, 3, figsize=(plot.PAGE, 3.8), sharex="col", sharey=True)
    figure.suptitle("Figure 4: running operations over the events of a step")
    data = []
    for row, policy in zip(axes, ["strategy-123", "strategy-1234"]):
        for panel, step in zip(row, list(STEPS)[:3]):
            of = frame[(frame.model == step) & (frame.policy == policy)]
            printed = fact(f"fig4-{short(step)}-s{policy[-1]}")
            panel.plot(of.event, of.running, linewidth=0.4)
            panel.axhline(of.running.mean(), color=plot.PALETTE[4], linewidth=1, label="mean")
            panel.axhline(printed, **plot.PUBLISHED_LINE, label="published mean")
            panel.set_title(f"{STEPS[step]}, {POLICIES[policy]}: mean {of.running.mean():.2f},\npublished {printed:g}",
                            fontsize=plot.SMALL)
            data.append({"model": step, "policy": policy, "events": len(of), "mean": of.running.mean(),
                         "published": printed, "most": of.running.max()})
    for panel in axes[:, 0]:
        panel.set_ylabel("running operations")
    axes[1][1].set_xlabel("event")
    plot.legend(figure, 2, axes[0][0])
    return figure, pd.DataFrame(data)


def accuracy(results):
    """Table V: accuracy of hill climbing by interval, ours and printed."""
    frame = results.frame("table5")
    frame = frame[(frame.sharing == "both") & (frame.time_noise == 0) & (frame.interval > 1)].copy()
    frame["published"] = [fact(f"tab5-{short(row.model)}-x{row.interval}") / 100 for row in frame.itertuples()]
    figure, axes = plt.subplots(figsize=(plot.COLUMN, 3))
    ours_and_printed(axes, frame.groupby("model", sort=False), "interval", "accuracy", STEPS.get)
    plot.log_axis(axes.xaxis, sorted(frame.interval.unique()))
    axes.set(title="Table V: accuracy of hill climbing", xlabel="interval (threads)", ylabel="accuracy")
    plot.legend(figure, 3, axes, plot.published_mark())
    return figure, frame[["model", "interval", "accuracy", "published"]]


def graphics_card(results):
    """Figure 5 and Table VII: a run over threads and blocks (with the host), two runs by how they share the card."""
    kinds = {"bias": "BiasAdd", "pool": "MaxPooling"}
    figure, axes = plt.subplots(1, 3, figsize=(plot.PAGE, 3), width_ratios=[1, 1, 1.5])
    figure.suptitle("Figure 5 and Table VII: operations on a graphics card, alone and two at a time")
    data = []
    for panel, name, along, label in ((axes[0], "fig5a", "threads", "threads of a block (56 blocks)"),
                                      (axes[1], "fig5b", "blocks", "blocks (1024 threads)")):
        frame = results.frame(name)
        for color, (kind, of) in enumerate(frame[frame.kind.isin(kinds)].groupby("kind")):
            for style, (width, rows) in zip(("-", "--", "-.", ":"), of.groupby("W", sort=False)):
                panel.plot(rows[along], rows.run_time * 1e6, f"C{color}{style}", label=f"{kinds[kind]}, {width} wide")
        panel.set(xlabel=label)
        plot.log_axis(panel.xaxis)
        plot.log_axis(panel.yaxis)
        data.append(frame.assign(figure=name)[["figure", "kind", "W", "C", "threads", "blocks", "run_time"]])
    axes[0].set_ylabel("time of a run (\N{MICRO SIGN}s)")

    table = results.frame("table7")
    table = table[table["hardware.host.run"] > 0]
    rows = {"conv2dbackpropfilter": ("conv", "backward_weights", 2048, "filter\ngradient"),
            "conv2dbackpropinput": ("conv", "backward_inputs", 2048, "input\ngradient"),
            "conv2d": ("conv", "forward", 2048, "convo-\nlution"), "biasadd": ("bias", "forward", 288, "bias"),
            "maxpooling": ("pool", "forward", 288, "max\npooling")}
    speed = {}
    for name, (kind, which, channels, _) in rows.items():
        of = table[(table.kind == kind) & (table["pass"] == which) & (table.C == channels)]
        speed[name] = of.set_index("co_run").speedup
        data.append(of.assign(figure="table7")[["figure", "kind", "pass", "W", "C", "co_run", "speedup"]])
    marks = pd.DataFrame({"mps": {name: fact(f"tab7-{name}-corun-speedup") for name in rows}})
    plot.bars(axes[2], pd.DataFrame(speed).T[["processes", "mps", "streams"]], published=marks,
              names=[label for *_, label in rows.values()])
    plot.ratio_axis(axes[2], log=False)
    axes[2].set_ylabel("speedup over one after the other (x)")
    plot.legend(figure, 4, axes[0], axes[2], plot.published_mark())
    return figure, pd.concat(data)


if __name__ == "__main__":
    plot.main(__doc__, {"rtconc-speedups": speedups, "rtconc-settings": settings, "rtconc-co-running": co_running,
                        "rtconc-accuracy": accuracy, "rtconc-gpu": graphics_card})
