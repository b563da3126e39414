#!/usr/bin/env python3
"""Draws Table I and Figures 8 to 17 of the Hetero-PIM paper for both machines, steps of all policies, and timelines."""

import functools

import numpy as np
import pandas as pd
from matplotlib.colors import to_rgba

import pimsweep
from pimsweep import plot

POLICIES = {"cpu": "#d9d9d9", "gpu": "#b0b7c3", "prog-pim": "#c9a0dc", "neurocube": "#e8c9a0", "fixed-pim": "#e0a458",
            "hetero-pim": "#7fa8d1", "lookahead": "#2a6f4e"}
PARTS = {"operation_time": ("operation", "#2a6f4e"), "movement_time": ("data movement", "#7fa8d1"),
         "synchronization_time": ("synchronization", "#e0a458")}
DEVICES = {"host": ("host", "#b0b7c3"), "programmable": ("programmable PIM", "#e0a458"),
           "pairs": ("fixed-function units", "#2a6f4e"), "card": ("graphics card", "#20416b"),
           "neurocube": ("Neurocube", "#9a3b26")}
# The policies of Figures 8 and 9.
FIVE = ["cpu", "gpu", "prog-pim", "fixed-pim", "hetero-pim"]
# Hardware files and titles.
MACHINES = {"heteropim": "as stated", "heteropim-reading": "reading"}
MODELS = {"vgg-19": "VGG-19", "alexnet": "AlexNet", "dcgan": "DCGAN", "resnet-50": "ResNet-50",
          "inception-v3": "Inception-v3", "lstm": "LSTM", "word2vec": "word2vec"}
fact = functools.partial(pimsweep.fact, "heteropim")


def name(model):
    return MODELS[model.removeprefix("heteropim-")]


def gain(id_, column="value"):
    """A published change in percent, as a ratio."""
    return 1 + fact(id_, column) / 100


def wide(points, columns, metric, **chosen):
    return plot.wide(points, "model", columns, metric, **chosen)


def machines(results, study, height, title, rows=1):
    """A panel for each machine, side by side or one above the other, and the points that it is drawn from."""
    figure, axes = plot.panels(rows, 2 // rows, height, title, MACHINES.values(), sharex=rows > 1, sharey=True)
    points = results.frame(study)
    return figure, [(axis, points[points["hardware"] == hardware]) for axis, hardware in zip(axes, MACHINES)]


def both(study, title, label, table_of, marks=None, ranges=None, **options):
    """A drawing with groups of bars for both machines, beside them what the paper prints.

    marks: of a row and a column the id of a published gain in percent. ranges: published ones of columns, as a group
    of their own.
    """
    def draw(results):
        points = results.frame(study)
        tables = {text: table_of(points[points["hardware"] == hardware]) for hardware, text in MACHINES.items()}
        names = ["\n".join(map(name, [row] if isinstance(row, str) else row)) for row in tables["as stated"].index]
        if ranges:
            tables = {text: table.reindex([*table.index, "published"]) for text, table in tables.items()}
            names.append("published\nrange")
        def printed(table):
            return plot.published_table("heteropim", table, marks or (lambda row, column: None),
                                        lambda gain: 1 + gain / 100)

        limits = [plot.published_mark("smallest and largest published")] if ranges else []
        figure, data = plot.compare(tables, label, title, printed, names=names, fontsize=plot.TINY, columns=7,
                                    entries=limits, **options)
        for axis, table in zip(figure.axes, tables.values()):
            for column, limits in (ranges or {}).items():
                place = len(table) - 1 + plot.grouped(list(table).index(column), table.shape[1])[0]
                axis.plot([place, place], limits, **{**plot.PUBLISHED, "linestyle": "--", "color": "black"})
        return figure, data
    return draw


def energy(points):
    values = wide(points, "policy", "dynamic_energy", policy=FIVE)
    return values[FIVE[:-1]].div(values["hetero-pim"], axis=0)


def neurocube(points):
    values = {metric: wide(points, "policy", metric) for metric in ("time", "dynamic_energy")}
    return pd.DataFrame({metric.replace("_", " "): table["neurocube"] / table["hetero-pim"]
                         for metric, table in values.items()})


def by_clock(points, metric):
    values = wide(points, "frequency", metric, policy="hetero-pim")
    return values.set_axis([f"{column:g}x" for column in values.columns], axis=1)


def by_gpu(metric, points):
    return by_clock(points, metric).rdiv(wide(points, "policy", metric)["gpu"], axis=0)


def energy_delay(points):
    values = by_clock(points, "edp")
    return values.div(values["1x"], axis=0)


def processors(points):
    values = wide(points, "programmable", "time")
    return values.div(values[1], axis=0)[[4, 16]].rename(columns="{} programmable PIMs".format)


RUNTIME = {(0, 0): "neither", (1, 0): "RC", (0, 1): "OP", (1, 1): "RC and OP"}
WITHOUT = "without recursive kernels (RC) and operation pipelines (OP)"


def variants(points, metric):
    return wide(points, ["rc", "op"], metric, policy="hetero-pim")[list(RUNTIME)].set_axis(RUNTIME.values(), axis=1)


def normalized(metric, points):
    values = variants(points, metric)
    base = values.pop("RC and OP")
    return wide(points, "policy", metric, policy=["prog-pim", "fixed-pim"], rc=0, op=0).join(values).div(base, axis=0)


def utilization(points):
    return 100 * variants(points, "pair_utilization")


def corun(points):
    points = points.set_index(["model", "partner"])
    return (points["together_time"] / points["one_by_one_time"]).to_frame("time of two models together")


def table1(results):
    rows = results.detail("table1", "by_type")
    printed = pimsweep.published("heteropim")["value"]
    lists = {"time": ("ci-{}-time", "time_share"), "memory accesses": ("mi-{}-mem", "memory_share")}
    figure, axes = plot.panels(2, 3, 4.4, "Table I: operations that take most of the time and of the memory accesses",
                               sharey="row")
    drawn = []
    for column, model in zip(axes.T, ("vgg-19", "alexnet", "dcgan")):
        mine = plot.select(rows, model=f"heteropim-{model}").set_index("type")
        for axis, (what, (pattern, share)) in zip(column, lists.items()):
            ids = {kind: f"heteropim-tab1-{model}-" + pattern.format(kind.lower()) for kind in mine.index}
            theirs = pd.Series({kind: printed.get(id_) for kind, id_ in ids.items()}).dropna().astype(float)
            theirs = theirs.sort_values(ascending=False)
            # The paper's five, and those of our five that are not among them.
            kinds = plot.ordered([*theirs.index, *mine[share].nlargest(5).index])
            table = (100 * mine.loc[kinds, share]).to_frame("ours")
            plot.bars(axis, table, published=theirs.to_frame("ours"),
                      names=[kind.replace("Backprop", "Bp.") for kind in kinds],
                      rotation=45, ha="right", rotation_mode="anchor", fontsize=plot.TINY)
            axis.set_title(f"{name(model)}, {what}")
            drawn.append(table.assign(published=theirs, model=model, list=what).reset_index(names="type"))
    for axis in axes[:, 0]:
        axis.set_ylabel("share (%)")
    plot.legend(figure, 2, axes[0, 0], plot.published_mark())
    return figure, pd.concat(drawn)


def steps(results):
    figure, panels = machines(results, "fig8", 3.2, "Time of a step under every policy")
    for axis, points in panels:
        times = wide(points, "policy", "time")[list(POLICIES)]
        plot.dots(axis, times, POLICIES, names=map(name, times.index))
        bounds = wide(points, "policy", "work_bound")["lookahead"]
        axis.hlines(bounds, np.arange(len(times)) - 0.45, np.arange(len(times)) + 0.45, "k", linewidth=1,
                    label="hetero-pim's hardware: no schedule takes less")
        plot.log_axis(axis.yaxis)
    panels[0][0].set_ylabel("time of a step (s)")
    plot.legend(figure, 4, panels[0][0])
    return figure, results.frame("fig8")[["hardware", "model", "policy", "time", "work_bound"]]


def breakdown(results):
    figure, panels = machines(results, "fig8", 4.2, "Figure 8: where the time of a step goes", 2)
    drawn = []
    for axis, points in panels:
        points = plot.select(points, policy=FIVE)
        plot.stacked(axis, points[list(PARTS)].mul(100 / points["time"], axis=0), PARTS, width=0.8)
        plot.group_names(axis, points["policy"].replace({"prog-pim": "prog", "fixed-pim": "fixed",
                                                         "hetero-pim": "hetero"}))
        axis.set(ylabel="share of the step (%)", ylim=(0, 100))
        drawn.append(points[["hardware", "model", "policy", *PARTS]])
    models = plot.ordered(drawn[0]["model"])
    axis.tick_params(axis="x", labelsize=plot.TINY)
    plot.group_spans(axis, {name(model): (5 * i, 5 * i + 4) for i, model in enumerate(models)})
    plot.legend(figure, 3, axis)
    return figure, pd.concat(drawn)


def timeline(results):
    rows = results.detail("timeline", "timeline")
    policies = plot.ordered(rows["policy"])
    figure, axes = plot.panels(len(policies), 1, 0.95 * len(policies), f"Two steps of {name(rows['model'].iloc[0])}",
                               policies)
    rows["color"] = list(zip(rows["device"], rows["step"] % 2))
    colors = {(device, step): to_rgba(color, 0.55 if step else 1)
              for device, (_, color) in DEVICES.items() for step in (0, 1)}
    for axis, policy in zip(axes, policies):
        mine = plot.select(rows, policy=policy)
        lanes = {device: text for device, (text, _) in DEVICES.items() if device in set(mine["device"])}
        plot.timeline(axis, mine, "device", "color", scale=1, unit="s", colors=colors, lanes=lanes)
        axis.set_xlabel("")
    axes[-1].set_xlabel("time (s), to a scale of its own in each panel; the second step is lighter")
    return figure, rows[["policy", "step", "operation", "device", "units", "start", "end"]]


# Bars of ratios on a logarithmic axis.
RATIO = {"base": 1, "log": True}
CLOCKS = "at one, two and four times the clock of the stack"
DRAWINGS = {
    "table1": table1, "steps": steps, "fig8": breakdown,
    "fig9": both("fig8", "Figure 9: dynamic energy of a step", "dynamic energy, Hetero-PIM = 1", energy, ranges={
        policy: (fact(f"fig9-energy-{policy}-min"), fact(f"fig9-energy-{policy}-max")) for policy in ("cpu", "gpu")},
                 **RATIO),
    "fig10": both("fig8", "Figure 10: time and energy of Neurocube", "time or energy of Neurocube,\nHetero-PIM = 1",
                  neurocube, bound=(fact("fig10-neurocube-perf"), "published: at least"), **RATIO),
    "fig11": both("fig11", f"Figure 11: speed {CLOCKS}", "speedup over the GPU (x)", functools.partial(by_gpu, "time"),
                  lambda model, clock: f"fig11-{clock}-{model.removeprefix('heteropim-').replace('-', '')}", **RATIO),
    "fig12": both("fig12", "Figure 12: more programmable PIMs", "time, one programmable PIM = 1", processors,
                  band=(gain("fig12-16p-1p"), gain("fig12-16p-1p", "value_hi"), "published range, 16 PIMs")),
    "fig13": both("fig13", f"Figure 13: time {WITHOUT}", "time, RC and OP = 1", functools.partial(normalized, "time"),
                  bound=(fact("fig13-runtime"), "published: neither, at most"), **RATIO),
    "fig14": both("fig13", f"Figure 14: energy {WITHOUT}", "energy, RC and OP = 1",
                  functools.partial(normalized, "dynamic_energy"),
                  bound=(fact("fig14-runtime"), "published: neither, at most"), **RATIO),
    "fig15": both("fig13", "Figure 15: utilization of the fixed-function units", "units at work (%)", utilization,
                  bound=(fact("fig15-rcop"), "published, RC and OP")),
    "fig16": both("fig16", "Figure 16: two models together", "time, one after the other = 1", corun,
                  band=(1 / gain("fig16-corun-max"), 1 / gain("fig16-corun-min"), "published range")),
    "fig17a": both("fig11", f"Figure 17a: energy-delay product {CLOCKS}", "energy-delay product, 1x = 1", energy_delay),
    "fig17b": both("fig11", f"Figure 17b: power {CLOCKS}", "power of the GPU, Hetero-PIM = 1",
                   functools.partial(by_gpu, "power"), band=(fact("fig17b-power-min"), fact("fig17b-power-max"),
                                                             "published range, 4x")),
    "timeline": timeline}

if __name__ == "__main__":
    plot.main(__doc__, DRAWINGS, "heteropim")
