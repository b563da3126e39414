"""Table I and Figures 8 to 17 of the Hetero-PIM paper for both machines, steps of all policies, and timelines."""

import functools

import numpy as np
import pandas as pd
from matplotlib.colors import to_rgba

from pimsweep import facts, plot

POLICIES = {"cpu": "#20416b", "gpu": "#b8bacc", "prog-pim": "#7858b8", "neurocube": "#90d2aa", "fixed-pim": "#e0a458",
            "hetero-pim": "#8794ca", "lookahead": "#2a6f4e"}
PARTS = {"operation_time": ("operation", "#2a6f4e"), "movement_time": ("data movement", "#8794ca"),
         "synchronization_time": ("synchronization", "#e0a458")}
DEVICES = {"host": ("host", "#b8bacc"), "programmable": ("programmable PIM", "#e0a458"),
           "pairs": ("fixed-function units", "#2a6f4e"), "card": ("GPU", "#20416b"),
           "neurocube": ("Neurocube", "#9c2a1a")}
# The policies of Figures 8 and 9.
FIVE = ["cpu", "gpu", "prog-pim", "fixed-pim", "hetero-pim"]
MODELS = {"vgg-19": "VGG-19", "alexnet": "AlexNet", "dcgan": "DCGAN", "resnet-50": "ResNet-50",
          "inception-v3": "Inception-v3", "lstm": "LSTM", "word2vec": "word2vec"}
RUNTIME = {(0, 0): "neither", (1, 0): "RC", (0, 1): "OP", (1, 1): "RC and OP"}
fact = facts("heteropim")
# A panel for each hardware file; ratios are on a logarithmic axis.
both = functools.partial(plot.drawing, by={"hardware": {"heteropim": "as stated", "heteropim-reading": "reading"}})
RATIO = {"base": 1, "log_y": True}


def name(models):
    """The name of a model, or of several."""
    models = [models] if isinstance(models, str) else models
    return "\n".join(MODELS.get(model.removeprefix("heteropim-"), model) for model in models)


def wide(points, columns, metric, **chosen):
    return plot.wide(points, "model", columns, metric, **chosen)


def by_clock(points, metric):
    return wide(points, "frequency", metric, policy="hetero-pim").rename(columns="{:g}x".format)


def over_gpu(metric):
    return lambda points: by_clock(points, metric).rdiv(wide(points, "policy", metric)["gpu"], axis=0)


def variants(points, metric):
    return wide(points, ["rc", "op"], metric, policy="hetero-pim")[list(RUNTIME)].set_axis(
        RUNTIME.values(), axis=1)


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


# Models of Table I; of its lists the ids of their values and our column.
LISTED = {f"heteropim-{model}": model for model in ("vgg-19", "alexnet", "dcgan")}
LISTS = {"time": ("ci-{}-time", "time_share"), "memory accesses": ("mi-{}-mem", "memory_share")}


def table1(results):
    panels, drawn = {}, []
    for what, (pattern, share) in LISTS.items():
        for model, rows in plot.split(results.detail("table1", "by_type"), "model", LISTED).items():
            ours = (100 * rows.set_index("type")[share]).to_frame("ours")
            theirs = plot.published_table("heteropim", ours, lambda kind, _: f"tab1-{model}-" + pattern.format(
                kind.lower())).dropna().sort_values("ours", ascending=False)
            # The paper's five, and those of our five that are not among them.
            ours = ours.loc[plot.ordered([*theirs.index, *ours["ours"].nlargest(5).index])]
            panels[f"{name(model)}, {what}"] = plot.Panel(ours, published=lambda _, theirs=theirs: theirs)
            drawn.append(ours.assign(published=theirs, model=model, list=what).reset_index(names="type"))
    return plot.compare(panels, "share (%)", rows=2, height=4.4, sharey="row", ylim=(0, 48), columns=2, rotation=45,
                        names=lambda kind: kind.replace("Backprop", "Bp."), ha="right", rotation_mode="anchor",
                        fontsize=plot.TINY, data=pd.concat(drawn))


def _steps(axis, points, **options):
    times, bounds = wide(points, "policy", "time")[list(POLICIES)], wide(points, "policy", "work_bound")["lookahead"]
    plot.dots(axis, times, POLICIES, **options)
    axis.hlines(bounds, np.arange(len(times)) - 0.45, np.arange(len(times)) + 0.45, "k", linewidth=1,
                label="hetero-pim's hardware: no schedule takes less")


def _shares(axis, points):
    rows = points.assign(label=points["policy"].str.removesuffix("-pim").replace("fixed", "fix")).set_index("label")
    plot.stacked(axis, rows[list(PARTS)].mul(100 / rows["time"], axis=0), PARTS, 0.8, names=str, fontsize=plot.TINY)
    if axis.get_subplotspec().is_last_row():
        plot.group_spans(axis, {name(model): (5 * i, 5 * i + 4) for i, model in enumerate(plot.ordered(rows["model"]))})


def _timeline(axis, rows):
    rows = rows.assign(color=list(zip(rows["device"], rows["step"] % 2)))
    colors = {(device, step): to_rgba(color, 0.55 if step else 1)
              for device, (_, color) in DEVICES.items() for step in (0, 1)}
    lanes = {device: text for device, (text, _) in DEVICES.items() if device in set(rows["device"])}
    plot.timeline(axis, rows, "device", "color", scale=1, unit="", colors=colors, lanes=lanes)


steps = both("fig8", draw=_steps, names=name, height=3.2, ylabel="time of a step (s)", log_y=True,
             data=["hardware", "model", "policy", "time", "work_bound"])
fig8 = both("fig8", where={"policy": FIVE}, draw=_shares, stack=True, sharex=True, height=4.2, ylim=(0, 100), columns=3,
            ylabel="share of the step (%)", data=["hardware", "model", "policy", *PARTS])
timeline = plot.drawing(
    ("timeline", "timeline"), None, {"policy": None}, draw=_timeline, stack=True, sharey=False, columns=0,
    title=lambda policies: f"Two steps of {name(policies['cpu']['model'].iloc[0])}",
    height=lambda policies: 0.95 * len(policies),
    xlabel="time (s), to a scale of its own in each panel; the second step is lighter",
    data=["policy", "step", "operation", "device", "units", "start", "end"])

groups = functools.partial(both, names=name, fontsize=plot.TINY, columns=7)
RANGE = "published\nrange"
fig9 = groups(
    "fig8", lambda points: plot.relative(wide(points, "policy", "dynamic_energy", policy=FIVE), "hetero-pim")[
        FIVE[:-1]].pipe(lambda table: table.reindex([*table.index, RANGE])), ylabel="dynamic energy, Hetero-PIM = 1",
    artists=[("plot", [5 + plot.grouped(i, 4)[0]] * 2, [fact(f"fig9-energy-{policy}-{end}") for end in ("min", "max")],
              {"color": plot.PALETTE[i], **plot.PUBLISHED, "linestyle": "--"}) for i, policy in enumerate(FIVE[:2])],
    entries=["smallest and largest published, in the color of the policy"], **RATIO)
fig10 = groups("fig8", lambda points: pd.DataFrame({
    metric.replace("_", " "): plot.relative(wide(points, "policy", metric), "hetero-pim")["neurocube"]
    for metric in ("time", "dynamic_energy")}), ylabel="time or energy of Neurocube,\nHetero-PIM = 1",
    bound=(fact("fig10-neurocube-perf"), "published: at least"), **RATIO)


def fig11(results):
    machine = plot.select(results.frame("fig11"), hardware="heteropim", policy="hetero-pim").iloc[0]
    pairs = 2 * machine["pairs"] * machine["hardware.pim.pair.clock"]
    gpu = machine[["hardware.gpu.sm.count", "hardware.gpu.sm.fp32_rate", "hardware.gpu.clock"]].prod()
    return groups(
        "fig11", over_gpu("time"), ylabel="speedup over the GPU (x)", published=(
            "heteropim", lambda model, clock: f"fig11-{clock}-{model.removeprefix('heteropim-').replace('-', '')}",
            plot.gain), title="Figure 11: speed at one, two and four times the clock of the stack\n"
        f"As stated, its pairs peak at {pairs / 1e12:.2f} TFLOP/s at 1x, the GPU at {gpu / 1e12:.1f}", **RATIO)(results)


fig12 = groups("fig12", lambda points: plot.relative(wide(points, "programmable", "time"), 1)[[4, 16]].rename(
    columns="{} programmable PIMs".format), ylabel="time, one programmable PIM = 1",
    band=(plot.gain(fact("fig12-16p-1p")), plot.gain(fact("fig12-16p-1p", "value_hi")), "published range, 16 PIMs"))
fig13, fig14 = (groups("fig13", without(metric), ylabel=f"{what}, RC and OP = 1",
                     bound=(fact(id_), "published: neither, at most"), **RATIO)
                for metric, what, id_ in (("time", "time", "fig13-runtime"),
                                          ("dynamic_energy", "energy", "fig14-runtime")))
fig15 = groups("fig13", lambda points: 100 * variants(points, "pair_utilization"), ylabel="units at work (%)",
             bound=(fact("fig15-rcop"), "published, RC and OP"))
fig16 = groups("fig16", corun, ylabel="time, serial = 1",
             band=(1 / plot.gain(fact("fig16-corun-max")), 1 / plot.gain(fact("fig16-corun-min")), "published range"))
fig17a = groups("fig11", lambda points: plot.relative(by_clock(points, "edp"), "1x"),
                ylabel="energy-delay product, 1x = 1")
fig17b = groups("fig11", over_gpu("power"), ylabel="power of the GPU, Hetero-PIM = 1",
              band=(fact("fig17b-power-min"), fact("fig17b-power-max"), "published range, 4x"))
