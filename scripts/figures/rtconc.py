"""Figures of the runtime concurrency paper and of docs/rtconc.md, from the results of experiments/rtconc.toml."""

import itertools

import pandas as pd

from pimsweep import facts, plot

STEPS = {"rtconc-resnet-50": "ResNet-50", "rtconc-dcgan": "DCGAN", "rtconc-inception-v3": "Inception-v3",
         "rtconc-lstm": "LSTM"}
fact = facts("rtconc")


def short(step):
    return step.removeprefix("rtconc-")


# Parts of Figure 3: what is 1, the policy that is, and the policies that are drawn.
PARTS = {"a": ("recommended", None, {"strategy-12": "S1 and S2"}),
         "b": ("S1 and S2", "strategy-12", {"strategy-123": "S1 to S3"}),
         "c": ("S1 to S3", "strategy-123", {"strategy-1234": "S1 to S4"}),
         "d": ("recommended", None, {"strategy-1234": "S1 to S4", "manual": "manual", "moldable": "ours"})}
SHORTER = {"fig3d-resnet-50": "fig3d-resnet50", "fig3d-inception-v3": "fig3d-inception"}
COLORS = {"strategy-12": "#b8bacc", "strategy-123": "#8794ca", "strategy-1234": "#2a6f4e", "manual": "#e0a458",
          "moldable": "#20416b"}


def speedups(results):
    """Figure 3, its four parts; marks: what the paper prints."""
    speed = plot.wide(results.frame("fig3"), "model", "policy", "speedup", performance_model="hill-climbing",
                      model=list(STEPS)).loc[list(STEPS)]
    panels = {}
    for part, (base, one, policies) in PARTS.items():
        ids = {step: f"fig3{part}-{short(step)}" for step in STEPS}
        drawn = ", ".join(policies.values()) if part != "d" else "whole runtimes"
        panels[f"{part}: {drawn},\n{base} = 1"] = plot.Panel(
            speed[list(policies)].div(speed[one] if one else 1, axis=0), labels=policies,
            published=("rtconc", lambda step, policy, ids=ids, first=next(iter(policies)): policy == first and
                       SHORTER.get(ids[step], ids[step]), plot.gain))
    return plot.compare(panels, "speedup (x)", height=2.9, width_ratios=[1, 1, 1, 2], log_y=[1, 1.5, 2, 3, 5],
                        colors=COLORS, base=1, names=STEPS, rotation=35, ha="right", fontsize=plot.TINY)


# Table I: speed by concurrent operations and threads per operation, ours and published.
settings = plot.drawing(
    "table1", ("inter", "intra", "speedup"), {"model": {step: STEPS[step] for step in list(STEPS)[:2]}},
    published=("rtconc", "tab1-{panel}-{}-{}-speedup"), ylabel="speedup over recommended (x)", draw=plot.lines,
    log_x=[1, 2, 4], xlabel="operations at a time", labels={intra: f"{intra} threads" for intra in (34, 68, 136)})

# Table V: accuracy of hill climbing by interval, ours and printed.
accuracy = plot.drawing(
    "table5", lambda rows: 100 * plot.wide(rows[rows["interval"] > 1], "interval", "model", "accuracy").sort_index(),
    where={"sharing": "both", "time_noise": 0}, ylabel="accuracy (%)", published=(
        "rtconc", lambda interval, step: f"tab5-{short(step)}-x{interval}"), draw=plot.lines, labels=STEPS, height=3,
    width=plot.COLUMN, columns=3, xlabel="interval (threads)", log_x=plot.rows)


def co_running(results):
    """Figure 4: running operations over the events in the middle of the step."""
    panels, data = {}, []
    for (policy, name), step in itertools.product({"strategy-123": "S1 to S3", "strategy-1234": "S1 to S4"}.items(),
                                                  list(STEPS)[:3]):
        of = plot.select(results.detail("fig4", "timeline"), model=step, policy=policy).set_index("event")
        mean, printed = of["running"].mean(), fact(f"fig4-{short(step)}-s{policy[-1]}")
        title = f"{STEPS[step]}, {name}: mean {mean:.2f},\npublished {printed:g}"
        panels[title] = plot.Panel(
            of[["running"]], artists=[("axhline", mean, {"color": plot.PALETTE[4], "linewidth": 1, "label": "mean"}),
                                      (plot.published_line, printed, "published mean", {}),
                                      ("set_title", title, {"fontsize": plot.SMALL})], xlim=(0, of.index.max()))
        data.append({"model": step, "policy": policy, "events": len(of), "mean": mean, "published": printed,
                     "largest": of["running"].max()})
    return plot.compare(panels, "running operations", rows=2, height=3.8, sharex="col", columns=3, draw=plot.lines,
                        labels={"running": "running operations"}, linewidth=0.4, marker="",
                        xlabel=["", "event (each network has a step of its own length)", ""], data=pd.DataFrame(data))


KINDS = {"bias": "BiasAdd", "pool": "MaxPooling"}
# Figure 5: what varies, its label, its value in TensorFlow, which is 1.
ALONG = {"fig5a": ("threads", "threads of a block (56 blocks)", 1024),
         "fig5b": ("blocks", "blocks (1024 threads each)", 56)}
# Table VII: the operations by their columns kind, pass and C, and their names.
TABLE7 = {("conv", "backward_weights", 2048): ("conv2dbackpropfilter", "filter\ngradient"),
          ("conv", "backward_inputs", 2048): ("conv2dbackpropinput", "input\ngradient"),
          ("conv", "forward", 2048): ("conv2d", "convo-\nlution"), ("bias", "forward", 288): ("biasadd", "bias"),
          ("pool", "forward", 288): ("maxpooling", "max\npooling")}
SHARING = {"processes": "two processes", "mps": "two processes, MPS", "streams": "two streams"}


def gpu(results):
    """Figure 5: a run over threads and blocks; Table VII: two runs by how they share the GPU."""
    panels = {}
    for name, (along, _, usual) in ALONG.items():
        times = plot.wide(results.frame(name), along, ["kind", "W"], "run_time", kind=list(KINDS)).sort_index()
        best = fact(f"{name}-max")
        panels[f"Figure {name[3:]}"] = plot.Panel(
            (times / times.loc[usual])[list(KINDS)], draw=plot.lines, log_x=True, log_y=True, styles={
                (kind, width): {"color": plot.PALETTE[i], "linestyle": style, "label": f"{KINDS[kind]}, {width} wide"}
                for i, kind in enumerate(KINDS) for style, width in zip(("-", "--", "-.", ":"), times[kind])},
            bound=(1 / plot.gain(best), f"published best: up to {fact('fig5a-max'):g} % (5a), {fact('fig5b-max'):g} % (5b) faster"))
    table = results.frame("table7")
    speed = plot.wide(table[table["hardware.host.run"] > 0], ["kind", "pass", "C"], "co_run",
                      "speedup").loc[list(TABLE7), list(SHARING)]
    panels["Table VII"] = plot.Panel(
        speed, colors=plot.PALETTE[3:], labels=SHARING, base=1, ylim=(1, 2.15), names=[name for _, name in TABLE7.values()],
        fontsize=plot.TINY, published=("rtconc", lambda operation, how: how == "mps" and
                                       f"tab7-{TABLE7[operation][0]}-corun-speedup"))
    figure, data = plot.compare(
        panels, ["time, TensorFlow's 56 blocks\nof 1024 threads = 1", "", "speedup over one\nafter the other (x)"],
        height=3.3, width_ratios=[1, 1, 1.4], xlabel=[label for _, label, _ in ALONG.values()], sharey=False)
    figure.axes[1].sharey(figure.axes[0])
    return figure, data
