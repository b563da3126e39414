"""Table I and Figures 8 to 17 of the Hetero-PIM paper for both machines, steps of all policies, and timelines."""

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


def by_clock(points, metric):
    return wide(points, "frequency", metric, policy="hetero-pim").rename(columns="{:g}x".format)


def over_gpu(metric):
    return lambda points: by_clock(points, metric).rdiv(wide(points, "policy", metric)["gpu"], axis=0)


RUNTIME = {(0, 0): "neither", (1, 0): "RC", (0, 1): "OP", (1, 1): "RC and OP"}


def variants(points, metric):
    return wide(points, ["rc", "op"], metric, policy="hetero-pim")[list(RUNTIME)].set_axis(RUNTIME.values(), axis=1)


def without(metric):
    """Both kinds of units alone and the runtime without its parts, over the whole runtime."""
    def table(points):
        values = variants(points, metric)
        base = values.pop("RC and OP")
        alone = wide(points, "policy", metric, policy=["prog-pim", "fixed-pim"], rc=0, op=0)
        return alone.join(values).div(base, axis=0)
    return table


def corun(points):
    points = points.set_index(["model", "partner"])
    return (points["together_time"] / points["one_by_one_time"]).to_frame("time of two models together")


def both(study, label, table_of, marks=None, ranges=None, **options):
    """A drawing with groups of bars for both machines, beside them what the paper prints.

    marks: of a row and a column the id of a published gain in percent. ranges: published ones of columns, as a group
    of their own.
    """
    def draw(results):
        tables = {text: table_of(rows) for text, rows in plot.split(results.frame(study), "hardware", MACHINES).items()}
        names = ["\n".join(map(name, [row] if isinstance(row, str) else row)) for row in tables["as stated"].index]
        if ranges:
            tables = {text: table.reindex([*table.index, "published"]) for text, table in tables.items()}
            names.append("published\nrange")
        figure, data = plot.compare(
            tables, label, published=("heteropim", marks, lambda gain: 1 + gain / 100) if marks else None, names=names,
            fontsize=plot.TINY, columns=7,
            entries=["smallest and largest published, in the color of the policy"] if ranges else [], **options)
        for axis, table in zip(figure.axes, tables.values()):
            for column, limits in (ranges or {}).items():
                place = len(table) - 1 + plot.grouped(list(table).index(column), table.shape[1])[0]
                axis.plot([place, place], limits, color=plot.PALETTE[list(table).index(column)],
                          **{**plot.PUBLISHED, "linestyle": "--"})
        return figure, data
    return draw


# Models of Table I; of its lists the ids of their values and our column.
LISTED = {f"heteropim-{model}": model for model in ("vgg-19", "alexnet", "dcgan")}
LISTS = {"time": ("ci-{}-time", "time_share"), "memory accesses": ("mi-{}-mem", "memory_share")}


def table1(results):
    figure, axes = plot.panels(2, 3, 4.4, titles=[f"{name(model)}, {what}" for what in LISTS for model in LISTED],
                               sharey="row", ylabel="share (%)", ylim=(0, 48))
    drawn = []
    for column, (model, rows) in zip(axes.T, plot.split(results.detail("table1", "by_type"), "model", LISTED).items()):
        for axis, (what, (pattern, share)) in zip(column, LISTS.items()):
            ours = (100 * rows.set_index("type")[share]).to_frame("ours")
            theirs = plot.published_table("heteropim", ours, lambda kind, _: f"tab1-{model}-" + pattern.format(
                kind.lower())).dropna().sort_values("ours", ascending=False)
            # The paper's five, and those of our five that are not among them.
            ours = ours.loc[plot.ordered([*theirs.index, *ours["ours"].nlargest(5).index])]
            plot.bars(axis, ours, published=theirs, names=[kind.replace("Backprop", "Bp.") for kind in ours.index],
                      rotation=45, ha="right", rotation_mode="anchor", fontsize=plot.TINY)
            drawn.append(ours.assign(published=theirs, model=model, list=what).reset_index(names="type"))
    plot.legend(figure, 2, axes[0, 0], "published")
    return figure, pd.concat(drawn)


def machines(results, rows, height, **options):
    """A panel for each machine, side by side or in rows, and the points of Figure 8 that it is drawn from."""
    figure, axes = plot.panels(rows, 2 // rows, height, titles=MACHINES.values(), sharex=rows > 1, sharey=True,
                               **options)
    return figure, list(zip(axes, plot.split(results.frame("fig8"), "hardware", MACHINES).values()))


def steps(results):
    figure, panels = machines(results, 1, 3.2, ylabel="time of a step (s)", log_y=True)
    for axis, points in panels:
        times = wide(points, "policy", "time")[list(POLICIES)]
        plot.dots(axis, times, POLICIES, names=map(name, times.index))
        bounds = wide(points, "policy", "work_bound")["lookahead"]
        axis.hlines(bounds, np.arange(len(times)) - 0.45, np.arange(len(times)) + 0.45, "k", linewidth=1,
                    label="hetero-pim's hardware: no schedule takes less")
    plot.legend(figure, 4, panels[0][0])
    return figure, results.frame("fig8")[["hardware", "model", "policy", "time", "work_bound"]]


def fig8(results):
    figure, panels = machines(results, 2, 4.2, ylim=(0, 100), ylabel="share of the step (%)")
    points = plot.select(results.frame("fig8"), policy=FIVE)
    for axis, rows in panels:
        rows = plot.select(rows, policy=FIVE)
        plot.stacked(axis, rows[list(PARTS)].mul(100 / rows["time"], axis=0), PARTS, 0.8,
                     names=rows["policy"].str.removesuffix("-pim").replace("fixed", "fix"), fontsize=plot.TINY)
    plot.group_spans(axis, {name(model): (5 * i, 5 * i + 4) for i, model in enumerate(plot.ordered(rows["model"]))})
    plot.legend(figure, 3, axis)
    return figure, points[["hardware", "model", "policy", *PARTS]]


def timeline(results):
    rows = results.detail("timeline", "timeline")
    policies = plot.split(rows.assign(color=list(zip(rows["device"], rows["step"] % 2))), "policy")
    figure, axes = plot.panels(len(policies), 1, 0.95 * len(policies), f"Two steps of {name(rows['model'].iloc[0])}",
                               policies, xlabel="time (s), to a scale of its own in each panel; the second step is "
                               "lighter")
    colors = {(device, step): to_rgba(color, 0.55 if step else 1)
              for device, (_, color) in DEVICES.items() for step in (0, 1)}
    for axis, mine in zip(axes, policies.values()):
        lanes = {device: text for device, (text, _) in DEVICES.items() if device in set(mine["device"])}
        plot.timeline(axis, mine, "device", "color", scale=1, unit="", colors=colors, lanes=lanes)
    return figure, rows[["policy", "step", "operation", "device", "units", "start", "end"]]


# Figures with bars for both machines; ratios are on a logarithmic axis.
RATIO = {"base": 1, "log_y": True}
fig9 = both("fig8", "dynamic energy, Hetero-PIM = 1", lambda points: plot.relative(
    wide(points, "policy", "dynamic_energy", policy=FIVE), "hetero-pim")[FIVE[:-1]], ranges={
        policy: [fact(f"fig9-energy-{policy}-{end}") for end in ("min", "max")] for policy in ("cpu", "gpu")}, **RATIO)
fig10 = both("fig8", "time or energy of Neurocube,\nHetero-PIM = 1", lambda points: pd.DataFrame({
    metric.replace("_", " "): plot.relative(wide(points, "policy", metric), "hetero-pim")["neurocube"]
    for metric in ("time", "dynamic_energy")}), bound=(fact("fig10-neurocube-perf"), "published: at least"), **RATIO)
fig11 = both("fig11", "speedup over the GPU (x)", over_gpu("time"), lambda model, clock:
             f"fig11-{clock}-{model.removeprefix('heteropim-').replace('-', '')}", **RATIO)
fig12 = both("fig12", "time, one programmable PIM = 1", lambda points: plot.relative(
    wide(points, "programmable", "time"), 1)[[4, 16]].rename(columns="{} programmable PIMs".format),
             band=(gain("fig12-16p-1p"), gain("fig12-16p-1p", "value_hi"), "published range, 16 PIMs"))
fig13 = both("fig13", "time, RC and OP = 1", without("time"),
             bound=(fact("fig13-runtime"), "published: neither, at most"), **RATIO)
fig14 = both("fig13", "energy, RC and OP = 1", without("dynamic_energy"),
             bound=(fact("fig14-runtime"), "published: neither, at most"), **RATIO)
fig15 = both("fig13", "units at work (%)", lambda points: 100 * variants(points, "pair_utilization"),
             bound=(fact("fig15-rcop"), "published, RC and OP"))
fig16 = both("fig16", "time, one after the other = 1", corun,
             band=(1 / gain("fig16-corun-max"), 1 / gain("fig16-corun-min"), "published range"))
fig17a = both("fig11", "energy-delay product, 1x = 1", lambda points: plot.relative(by_clock(points, "edp"), "1x"))
fig17b = both("fig11", "power of the GPU, Hetero-PIM = 1", over_gpu("power"),
              band=(fact("fig17b-power-min"), fact("fig17b-power-max"), "published range, 4x"))
