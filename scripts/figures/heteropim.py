#!/usr/bin/env python3
"""Draws Table I and Figures 8 to 17 of the Hetero-PIM paper for both machines, steps of all policies, and timelines."""

import matplotlib.collections
import matplotlib.colors
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import common

POLICIES = {"cpu": "#d9d9d9", "gpu": "#b0b7c3", "prog-pim": "#c9a0dc", "neurocube": "#e8c9a0", "fixed-pim": "#e0a458",
            "hetero-pim": "#7fa8d1", "lookahead": "#2a6f4e"}
PARTS = {"operation_time": ("operation", "#2a6f4e"), "movement_time": ("data movement", "#7fa8d1"),
         "synchronization_time": ("synchronization", "#e0a458")}
DEVICES = {"host": "#b0b7c3", "programmable": "#e0a458", "pairs": "#2a6f4e", "card": "#20416b",
           "neurocube": "#9a3b26"}
# The policies of Figures 8 and 9.
PUBLISHED = ["cpu", "gpu", "prog-pim", "fixed-pim", "hetero-pim"]

TITLES = {
    "fig9": "dynamic energy of a step",
    "fig10": "Neurocube over Hetero-PIM",
    "fig11": "speed at one, two and four times the clock of the stack",
    "fig17a": "energy-delay product at one, two and four times the clock of the stack",
    "fig17b": "power at one, two and four times the clock of the stack",
    "fig12": "more programmable processors",
    "fig13": "time without recursive kernels (RC) and operation pipelines (OP)",
    "fig14": "energy without recursive kernels (RC) and operation pipelines (OP)",
    "fig15": "utilization of the fixed-function units",
    "fig16": "two models together",
}
# Hardware files and titles.
MACHINES = {"heteropim": "as built", "heteropim-as-published": "calibrated machine"}


def short(name):
    return name.removeprefix("heteropim-")


def fact(name, column="value"):
    """A published number of the paper, by the rest of its id."""
    return common.fact("heteropim", name, column)


def gain(name, column="value"):
    """A published change in percent, as a ratio."""
    return 1 + fact(name, column) / 100


def both(results, output, name, study, table_of, label, published=(), marks=None, ranges=None, log=False):
    """One panel for each machine, beside it what the paper prints.

    That is one value for all bars, or two and a band between them (published); values of single bars, by row and column
    (marks); or the range of a column over all rows (ranges).
    """
    figure, axes = plt.subplots(1, 2, figsize=(common.PAGE, 2.6), sharey=True)
    drawn = []
    for axis, (hardware, machine) in zip(axes, MACHINES.items()):
        table = table_of(common.study(results, study, hardware))
        common.bars(axis, table, base=1 if log else 0)
        common.group_names(axis, [short(model) for model in table.index])
        for i, value in enumerate(published):
            axis.axhline(value, color="black", linestyle="--", linewidth=0.8,
                         label=None if i else "published" if len(published) == 1 else "limits of the published range")
        for i, ((row, column), value) in enumerate((marks or {}).items()):
            shift, _ = common.grouped(table.columns.get_loc(column), len(table.columns))
            axis.plot(table.index.get_loc(row) + shift, value, **common.PUBLISHED, label=None if i else "published")
        for column, (low, high) in (ranges or {}).items():
            place = table.columns.get_loc(column)
            axis.errorbar(-0.62 + 0.1 * place, low, [[0], [high - low]], color=common.PALETTE[place], capsize=2.5,
                          label=f"published range of {column}")
        axis.set(title=machine, yscale="log" if log else "linear", xlim=(-0.8 if ranges else -0.6, len(table) - 0.4))
        if log:
            axis.axhline(1, color="0.3", linewidth=0.8)
            common.plain_numbers(axis.yaxis, steps=(1, 2, 5))
        drawn.append(table.assign(machine=machine).reset_index())
    axes[0].set_ylabel(label)
    figure.suptitle(f"Figure {name.removeprefix('fig')}: {TITLES[name]}")
    common.legend(figure, 7, axes[0])
    common.save(figure, pd.concat(drawn), output, f"heteropim-{name}")


def wide(points, columns, metric):
    return points.pivot_table(index="model", columns=columns, values=metric, sort=False)


def table1(results, output):
    rows = common.detail(results, "table1", "by_type")
    published = common.published("heteropim")
    figure, axes = plt.subplots(2, 3, figsize=(common.PAGE, 4.6))
    drawn = []
    for column, model in enumerate(("vgg-19", "alexnet", "dcgan")):
        mine = rows[rows["model"] == f"heteropim-{model}"].set_index("type")
        lists = (("ci-{}-time", "time_share", "time"), ("mi-{}-mem", "memory_share", "memory accesses"))
        for axis, (pattern, share, label) in zip(axes[:, column], lists):
            pattern = f"heteropim-tab1-{model}-" + pattern
            theirs = {}
            for kind in mine.index:
                identity = pattern.format(kind.lower())
                if identity in published.index:
                    theirs[kind] = float(published.loc[identity, "value"])
            # The paper's five, and those of our five that are not among them.
            ours = mine[share].nlargest(5).index
            kinds = sorted(theirs, key=theirs.get, reverse=True) + [kind for kind in ours if kind not in theirs]
            table = pd.DataFrame({"published": [theirs.get(kind, np.nan) for kind in kinds],
                                  "here": [100 * mine.loc[kind, share] for kind in kinds]}, index=kinds)
            common.bars(axis, table, ["#b0b7c3", "#2a6f4e"])
            common.group_names(axis, [kind.replace("Backprop", "Bp.") for kind in kinds], rotation=45, ha="right",
                               rotation_mode="anchor", fontsize=common.TINY)
            axis.set_title(f"{model}, {label}")
            drawn.append(table.assign(model=model, list=label).reset_index(names="type"))
    for axis in axes[:, 0]:
        axis.set_ylabel("share [%]")
    figure.suptitle("Table I: operations that take most of the time and of the memory accesses")
    common.legend(figure, 2, axes[0, 0])
    common.save(figure, pd.concat(drawn), output, "heteropim-table1")


def energy(results, output):
    def table(points):
        values = wide(points[points["policy"].isin(PUBLISHED)], "policy", "dynamic_energy")
        return values.div(values["hetero-pim"], axis=0)
    ranges = {policy: (fact(f"fig9-energy-{policy}-min"), fact(f"fig9-energy-{policy}-max"))
              for policy in ("cpu", "gpu")}
    both(results, output, "fig9", "fig8", table, "dynamic energy, Hetero-PIM = 1", ranges=ranges,
         log=True)


def neurocube(results, output):
    def table(points):
        pair = points[points["policy"].isin(["hetero-pim", "neurocube"])]
        time, joules = (wide(pair, "policy", metric) for metric in ("time", "dynamic_energy"))
        return pd.DataFrame({"time": time["neurocube"] / time["hetero-pim"],
                             "dynamic energy": joules["neurocube"] / joules["hetero-pim"]})
    both(results, output, "fig10", "fig8", table, "Neurocube / Hetero-PIM", published=[fact("fig10-neurocube-perf")],
         log=True)


def frequency(results, output):
    def by_gpu(metric):
        def table(points):
            gpu = points[points["policy"] == "gpu"].groupby("model", sort=False)[metric].first()
            values = wide(points[points["policy"] == "hetero-pim"], "frequency", metric)
            values.columns = [f"{column:g}x" for column in values.columns]
            return values.rdiv(gpu, axis=0)
        return table

    def edp(points):
        values = wide(points[points["policy"] == "hetero-pim"], "frequency", "edp")
        values.columns = [f"{column:g}x" for column in values.columns]
        return values.div(values["1x"], axis=0)
    marks = {(f"heteropim-{model}", times): gain(f"fig11-{times}-{model.replace('-', '')}")
             for model in ("vgg-19", "alexnet") for times in ("2x", "4x")}
    both(results, output, "fig11", "fig11", by_gpu("time"), "speed, GPU = 1", marks=marks, log=True)
    both(results, output, "fig17a", "fig11", edp, "energy-delay product, 1x = 1")
    both(results, output, "fig17b", "fig11", by_gpu("power"), "power, GPU / Hetero-PIM",
         published=[fact("fig17b-power-min"), fact("fig17b-power-max")])


def processors(results, output):
    def table(points):
        values = wide(points, "programmable", "time")
        values.columns = [f"{column}P" for column in values.columns]
        return values.div(values["1P"], axis=0)
    both(results, output, "fig12", "fig12", table, "time, one programmable\nPIM = 1",
         published=[gain("fig12-16p-1p"), gain("fig12-16p-1p", "value_hi")])


def runtime(results, output):
    names = {(False, False): "neither", (True, False): "RC", (False, True): "OP", (True, True): "RC and OP"}

    def variants(metric, normalize):
        def table(points):
            mine = points[points["policy"] == "hetero-pim"]
            values = wide(mine, ["rc", "op"], metric)
            values.columns = [names[bool(rc), bool(op)] for rc, op in values.columns]
            values = values[list(names.values())]
            if not normalize:
                return 100 * values
            others = points[(points["policy"] != "hetero-pim") & (points["rc"] == 0) & (points["op"] == 0)]
            values = wide(others, "policy", metric).join(values)
            return values.div(values["RC and OP"], axis=0)
        return table
    both(results, output, "fig13", "fig13", variants("time", True), "time, RC and OP = 1", log=True)
    both(results, output, "fig14", "fig13", variants("dynamic_energy", True),
         "energy, RC and OP = 1", log=True)
    both(results, output, "fig15", "fig13", variants("pair_utilization", False), "pairs at work [%]",
         published=[fact("fig15-rcop")])


def corun(results, output):
    def table(points):
        index = [f"{short(w)}\n{short(p)}" for w, p in zip(points["model"], points["partner"])]
        return pd.DataFrame({"together": (points["together_time"] / points["one_by_one_time"]).to_numpy()}, index=index)
    both(results, output, "fig16", "fig16", table, "time, one after the other = 1",
         published=[1 / gain("fig16-corun-min"), 1 / gain("fig16-corun-max")])


def steps(results, output):
    figure, axes = plt.subplots(1, 2, figsize=(common.PAGE, 3), sharey=True)
    for axis, (hardware, title) in zip(axes, MACHINES.items()):
        points = common.study(results, "fig8", hardware)
        models = common.ordered(points["model"])
        common.bars(axis, wide(points, "policy", "time").loc[models, list(POLICIES)], POLICIES)
        common.group_names(axis, [short(model) for model in models])
        axis.set(yscale="log", ylim=(3e-4, 5e2), title=title)
        for i, model in enumerate(models):
            bound = points[(points["model"] == model) & (points["policy"] == "lookahead")]["work_bound"].iloc[0]
            axis.hlines(bound, i - 0.45, i + 0.45, "k", linewidth=1)
    axes[0].set_ylabel("time of a step [s]")
    axes[0].hlines([], 0, 1, "k", linewidth=1, label="hetero-pim's hardware: no schedule takes less")
    common.legend(figure, 4, axes[0])
    data = common.study(results, "fig8", "heteropim")[["model", "policy", "time", "work_bound"]]
    common.save(figure, data, output, "heteropim-steps")


def breakdown(results, output):
    figure, axes = plt.subplots(1, 2, figsize=(common.PAGE, 2.9), sharey=True)
    drawn = []
    for axis, (machine, title) in zip(axes, MACHINES.items()):
        points = common.study(results, "fig8", machine)
        points = points[points["policy"].isin(PUBLISHED)]
        below = np.zeros(len(points))
        for part, (name, color) in PARTS.items():
            share = (points[part] / points["time"]).to_numpy()
            axis.bar(range(len(points)), 100 * share, bottom=below, color=color, label=name)
            below += 100 * share
        common.group_names(axis, points["policy"], rotation=90)
        above = axis.secondary_xaxis("top")
        above.set_xticks(np.arange(len(points)).reshape(-1, len(PUBLISHED)).mean(axis=1),
                         map(short, common.ordered(points["model"])))
        above.tick_params(length=0)
        for border in range(len(PUBLISHED), len(points), len(PUBLISHED)):
            axis.axvline(border - 0.5, color="0.6", linewidth=0.6)
        axis.set_title(title)
        drawn.append(points[["model", "policy", *PARTS]].assign(machine=title))
    axes[0].set_ylabel("share of the step [%]")
    figure.suptitle("Figure 8: where the time of a step goes")
    common.legend(figure, 3, axes[0])
    common.save(figure, pd.concat(drawn), output, "heteropim-fig8")


def timeline(results, output):
    rows = common.detail(results, "timeline", "timeline")
    policies = common.ordered(rows["policy"])
    figure, axes = plt.subplots(len(policies), 1, figsize=(common.PAGE, 0.95 * len(policies)))
    for axis, policy in zip(axes, policies):
        mine = rows[rows["policy"] == policy]
        devices = [device for device in DEVICES if device in set(mine["device"])]
        most = mine["units"].max()
        for place, device in enumerate(devices):
            part = mine[mine["device"] == device]
            half = 0.45 * (part["units"] / most if device == "pairs" else np.ones(len(part)))
            corners = (("start", -1), ("start", 1), ("end", 1), ("end", -1))
            boxes = np.stack([np.column_stack((part[x], place + side * half)) for x, side in corners], axis=1)
            shades = [matplotlib.colors.to_rgba(DEVICES[device], alpha) for alpha in (1.0, 0.55)]
            axis.add_collection(matplotlib.collections.PolyCollection(
                boxes, facecolors=[shades[step % 2] for step in part["step"]], edgecolors="white", linewidths=0.2))
        axis.set(yticks=range(len(devices)), yticklabels=devices, ylim=(-0.6, len(devices) - 0.4),
                 xlim=(0, mine["end"].max()))
        axis.set_title(policy)
        axis.grid(axis="y", visible=False)
    axes[-1].set_xlabel("time [s], to a scale of its own in each panel; the second step is lighter")
    figure.suptitle(f"Two steps of {short(rows['model'].iloc[0])}")
    drawn = rows[["policy", "step", "operation", "device", "units", "start", "end"]]
    common.save(figure, drawn, output, "heteropim-timeline")


def main():
    drawings = {"table1": [table1], "fig8": [steps, breakdown, energy, neurocube], "fig11": [frequency],
                "fig12": [processors], "fig13": [runtime], "fig16": [corun], "timeline": [timeline]}
    results, output, chosen = common.arguments(__doc__, drawings)
    for name in chosen:
        if common.study(results, name) is not None:
            for draw in drawings[name]:
                draw(results, output)


if __name__ == "__main__":
    main()
