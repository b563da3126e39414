#!/usr/bin/env python3
"""Draws Table I and Figures 8 to 17 of the Hetero-PIM paper for both machines, steps of all policies, and timelines."""

import functools

import matplotlib.collections
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import to_rgba

import pimsweep
from pimsweep import plot

POLICIES = {"cpu": "#d9d9d9", "gpu": "#b0b7c3", "prog-pim": "#c9a0dc", "neurocube": "#e8c9a0", "fixed-pim": "#e0a458",
            "hetero-pim": "#7fa8d1", "lookahead": "#2a6f4e"}
PARTS = {"operation_time": ("operation", "#2a6f4e"), "movement_time": ("data movement", "#7fa8d1"),
         "synchronization_time": ("synchronization", "#e0a458")}
DEVICES = {"host": "#b0b7c3", "programmable": "#e0a458", "pairs": "#2a6f4e", "card": "#20416b",
           "neurocube": "#9a3b26"}
# The policies of Figures 8 and 9.
PUBLISHED = ["cpu", "gpu", "prog-pim", "fixed-pim", "hetero-pim"]
# Hardware files and titles.
MACHINES = {"heteropim": "as built", "heteropim-as-published": "calibrated machine"}
fact = functools.partial(pimsweep.fact, "heteropim")


def short(name):
    return name.removeprefix("heteropim-")


def gain(name, column="value"):
    """A published change in percent, as a ratio."""
    return 1 + fact(name, column) / 100


def by_machine(points):
    """(title, points) of each machine."""
    return [(title, points[points["hardware"] == hardware]) for hardware, title in MACHINES.items()]


def wide(points, columns, metric, **chosen):
    """A row for each model; `chosen` are columns and the values to keep."""
    for column, values in chosen.items():
        points = points[points[column].isin(values)]
    return points.pivot_table(index="model", columns=columns, values=metric, sort=False)


def both(results, title, study, table_of, label, published=(), marks=None, ranges=None, log=False):
    """One panel for each machine, beside it what the paper prints.

    That is one value for all bars, or two and a band between them (published); values of single bars, by row and column
    (marks); or the range of a column over all rows (ranges).
    """
    figure, axes = plt.subplots(1, 2, sharey=True)
    drawn = []
    for axis, (machine, points) in zip(axes, by_machine(results.frame(study))):
        table = table_of(points)
        marked = pd.DataFrame(np.nan, table.index, table.columns)
        for (row, column), value in (marks or {}).items():
            marked.loc[row, column] = value
        plot.bars(axis, table, base=1 if log else 0, published=marked, names=map(short, table.index))
        for i, value in enumerate(published):
            axis.axhline(value, **plot.PUBLISHED_LINE,
                         label=None if i else "published" if len(published) == 1 else "limits of the published range")
        for column, (low, high) in (ranges or {}).items():
            place = table.columns.get_loc(column)
            axis.errorbar(-0.62 + 0.1 * place, low, [[0], [high - low]], color=plot.PALETTE[place], capsize=2.5,
                          label=f"published range of {column}")
        axis.set(title=machine, xlim=(-0.8 if ranges else -0.6, len(table) - 0.4))
        if log:
            plot.ratio_axis(axis)
        drawn.append(table.assign(machine=machine).reset_index())
    axes[0].set_ylabel(label)
    figure.suptitle(title)
    plot.legend(figure, 7, axes[0], *([plot.published_mark()] if marks else []))
    return figure, pd.concat(drawn)


def table1(results):
    rows = results.detail("table1", "by_type")
    published = pimsweep.published("heteropim")["value"].astype(float, errors="ignore")
    figure, axes = plt.subplots(2, 3, figsize=(plot.PAGE, 4.2), sharey="row")
    drawn = []
    for column, model in enumerate(("vgg-19", "alexnet", "dcgan")):
        mine = rows[rows["model"] == f"heteropim-{model}"].set_index("type")
        lists = (("ci-{}-time", "time_share", "time"), ("mi-{}-mem", "memory_share", "memory accesses"))
        for axis, (pattern, share, label) in zip(axes[:, column], lists):
            ids = {kind: f"heteropim-tab1-{model}-" + pattern.format(kind.lower()) for kind in mine.index}
            theirs = {kind: float(published[name]) for kind, name in ids.items() if name in published.index}
            # The paper's five, and those of our five that are not among them.
            ours = mine[share].nlargest(5).index
            kinds = sorted(theirs, key=theirs.get, reverse=True) + [kind for kind in ours if kind not in theirs]
            table = pd.DataFrame({"published": [theirs.get(kind, np.nan) for kind in kinds],
                                  "here": [100 * mine.loc[kind, share] for kind in kinds]}, index=kinds)
            plot.bars(axis, table[["here"]], published=table[["published"]].set_axis(["here"], axis=1),
                      names=[kind.replace("Backprop", "Bp.") for kind in kinds], rotation=45, ha="right",
                      rotation_mode="anchor", fontsize=plot.TINY)
            axis.set_title(f"{model}, {label}")
            drawn.append(table.assign(model=model, list=label).reset_index(names="type"))
    for axis in axes[:, 0]:
        axis.set_ylabel("share (%)")
    figure.suptitle("Table I: operations that take most of the time and of the memory accesses")
    plot.legend(figure, 2, axes[0, 0], plot.published_mark())
    return figure, pd.concat(drawn)


def energy(results):
    def table(points):
        values = wide(points, "policy", "dynamic_energy", policy=PUBLISHED)
        return values.div(values["hetero-pim"], axis=0)
    ranges = {policy: (fact(f"fig9-energy-{policy}-min"), fact(f"fig9-energy-{policy}-max"))
              for policy in ("cpu", "gpu")}
    return both(results, "Figure 9: dynamic energy of a step", "fig8", table, "dynamic energy, Hetero-PIM = 1",
                ranges=ranges, log=True)


def neurocube(results):
    def table(points):
        time, joules = (wide(points, "policy", metric) for metric in ("time", "dynamic_energy"))
        return pd.DataFrame({"time": time["neurocube"] / time["hetero-pim"],
                             "dynamic energy": joules["neurocube"] / joules["hetero-pim"]})
    return both(results, "Figure 10: time and energy of Neurocube beside Hetero-PIM", "fig8", table,
                "Neurocube, Hetero-PIM = 1", published=[fact("fig10-neurocube-perf")], log=True)


def by_clock(points, metric):
    values = wide(points, "frequency", metric, policy=["hetero-pim"])
    return values.set_axis([f"{column:g}x" for column in values.columns], axis=1)


def by_gpu(metric):
    def table(points):
        gpu = points[points["policy"] == "gpu"].groupby("model", sort=False)[metric].first()
        return by_clock(points, metric).rdiv(gpu, axis=0)
    return table


CLOCKS = "at one, two and four times the clock of the stack"


def frequency(results):
    marks = {(f"heteropim-{model}", times): gain(f"fig11-{times}-{model.replace('-', '')}")
             for model in ("vgg-19", "alexnet") for times in ("2x", "4x")}
    return both(results, f"Figure 11: speed {CLOCKS}", "fig11", by_gpu("time"), "speedup over the GPU (x)", marks=marks,
                log=True)


def energy_delay(results):
    def table(points):
        values = by_clock(points, "edp")
        return values.div(values["1x"], axis=0)
    return both(results, f"Figure 17a: energy-delay product {CLOCKS}", "fig11", table, "energy-delay product, 1x = 1")


def power(results):
    return both(results, f"Figure 17b: power {CLOCKS}", "fig11", by_gpu("power"), "power of the GPU, Hetero-PIM = 1",
                published=[fact("fig17b-power-min"), fact("fig17b-power-max")])


def processors(results):
    def table(points):
        values = wide(points, "programmable", "time")
        return values.set_axis([f"{column}P" for column in values.columns], axis=1).div(values[1], axis=0)
    return both(results, "Figure 12: more programmable processors", "fig12", table,
                "time, one programmable\nPIM = 1",
                published=[gain("fig12-16p-1p"), gain("fig12-16p-1p", "value_hi")])


RUNTIME = {(False, False): "neither", (True, False): "RC", (False, True): "OP", (True, True): "RC and OP"}
WITHOUT = "without recursive kernels (RC) and operation pipelines (OP)"


def variants(points, metric):
    values = wide(points, ["rc", "op"], metric, policy=["hetero-pim"])
    return values.set_axis([RUNTIME[bool(rc), bool(op)] for rc, op in values.columns], axis=1)[list(RUNTIME.values())]


def normalized(metric):
    def table(points):
        others = wide(points[points["policy"] != "hetero-pim"], "policy", metric, rc=[0], op=[0])
        values = others.join(variants(points, metric))
        return values.div(values["RC and OP"], axis=0)
    return table


def runtime(results):
    return both(results, f"Figure 13: time {WITHOUT}", "fig13", normalized("time"), "time, RC and OP = 1", log=True)


def runtime_energy(results):
    return both(results, f"Figure 14: energy {WITHOUT}", "fig13", normalized("dynamic_energy"),
                "energy, RC and OP = 1", log=True)


def utilization(results):
    return both(results, "Figure 15: utilization of the fixed-function units", "fig13",
                lambda points: 100 * variants(points, "pair_utilization"), "pairs at work (%)",
                published=[fact("fig15-rcop")])


def corun(results):
    def table(points):
        index = [f"{short(w)}\n{short(p)}" for w, p in zip(points["model"], points["partner"])]
        return pd.DataFrame({"together": (points["together_time"] / points["one_by_one_time"]).to_numpy()}, index=index)
    return both(results, "Figure 16: two models together", "fig16", table, "time, one after the other = 1",
                published=[1 / gain("fig16-corun-min"), 1 / gain("fig16-corun-max")])


def steps(results):
    figure, axes = plt.subplots(1, 2, figsize=(plot.PAGE, 3), sharey=True)
    for axis, (title, points) in zip(axes, by_machine(results.frame("fig8"))):
        times = wide(points, "policy", "time")
        for i, (policy, mark) in enumerate(zip(POLICIES, "os^vDP*")):
            axis.plot(np.arange(len(times)) + plot.grouped(i, len(POLICIES))[0], times[policy], mark,
                      color=POLICIES[policy], markeredgecolor="0.3", markeredgewidth=0.4, label=policy)
        bounds = points[points["policy"] == "lookahead"].set_index("model")["work_bound"][times.index]
        axis.hlines(bounds, np.arange(len(times)) - 0.45, np.arange(len(times)) + 0.45, "k", linewidth=1,
                    label="hetero-pim's hardware: no schedule takes less")
        plot.group_names(axis, map(short, times.index))
        plot.log_axis(axis.yaxis)
        axis.set_title(title)
    axes[0].set_ylabel("time of a step (s)")
    figure.suptitle("Time of a step under every policy")
    plot.legend(figure, 4, axes[0])
    return figure, by_machine(results.frame("fig8"))[0][1][["model", "policy", "time", "work_bound"]]


def breakdown(results):
    figure, axes = plt.subplots(1, 2, figsize=(plot.PAGE, 2.9), sharey=True)
    drawn = []
    for axis, (title, points) in zip(axes, by_machine(results.frame("fig8"))):
        points = points[points["policy"].isin(PUBLISHED)]
        plot.stacked(axis, points[list(PARTS)].mul(100 / points["time"], axis=0), PARTS, width=0.8)
        plot.group_names(axis, points["policy"], rotation=90)
        above = axis.secondary_xaxis("top")
        above.set_xticks(np.arange(len(points)).reshape(-1, len(PUBLISHED)).mean(axis=1),
                         map(short, plot.ordered(points["model"])))
        above.tick_params(length=0)
        for border in range(len(PUBLISHED), len(points), len(PUBLISHED)):
            axis.axvline(border - 0.5, color="0.6", linewidth=0.6)
        axis.set_title(title)
        drawn.append(points[["model", "policy", *PARTS]].assign(machine=title))
    axes[0].set_ylabel("share of the step (%)")
    figure.suptitle("Figure 8: where the time of a step goes")
    plot.legend(figure, 3, axes[0])
    return figure, pd.concat(drawn)


def timeline(results):
    rows = results.detail("timeline", "timeline")
    policies = plot.ordered(rows["policy"])
    figure, axes = plt.subplots(len(policies), 1, figsize=(plot.PAGE, 0.95 * len(policies)))
    for axis, policy in zip(axes, policies):
        mine = rows[rows["policy"] == policy]
        devices = [device for device in DEVICES if device in set(mine["device"])]
        for place, device in enumerate(devices):
            part = mine[mine["device"] == device]
            half = 0.45 * (part["units"] / mine["units"].max() if device == "pairs" else np.ones(len(part)))
            corners = (("start", -1), ("start", 1), ("end", 1), ("end", -1))
            boxes = np.stack([np.column_stack((part[x], place + side * half)) for x, side in corners], axis=1)
            shades = [to_rgba(DEVICES[device], alpha) for alpha in (1.0, 0.55)]
            axis.add_collection(matplotlib.collections.PolyCollection(
                boxes, facecolors=[shades[step % 2] for step in part["step"]], edgecolors="white", linewidths=0.2))
        axis.set(yticks=range(len(devices)), yticklabels=devices, ylim=(-0.6, len(devices) - 0.4),
                 xlim=(0, mine["end"].max()), title=policy)
        axis.grid(axis="y", visible=False)
    axes[-1].set_xlabel("time (s), to a scale of its own in each panel; the second step is lighter")
    figure.suptitle(f"Two steps of {short(rows['model'].iloc[0])}")
    return figure, rows[["policy", "step", "operation", "device", "units", "start", "end"]]


DRAWINGS = {"table1": table1, "steps": steps, "fig8": breakdown, "fig9": energy, "fig10": neurocube,
            "fig11": frequency, "fig17a": energy_delay, "fig17b": power, "fig12": processors, "fig13": runtime,
            "fig14": runtime_energy, "fig15": utilization, "fig16": corun, "timeline": timeline}

if __name__ == "__main__":
    plot.main(__doc__, {f"heteropim-{name}": drawing for name, drawing in DRAWINGS.items()})
