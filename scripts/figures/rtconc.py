"""Figures of the runtime concurrency paper and of docs/rtconc.md, from the results of experiments/rtconc.toml."""

import functools

import pandas as pd

import pimsweep
from pimsweep import plot

STEPS = {"rtconc-resnet-50": "ResNet-50", "rtconc-dcgan": "DCGAN", "rtconc-inception-v3": "Inception-v3",
         "rtconc-lstm": "LSTM"}
fact = functools.partial(pimsweep.fact, "rtconc")


def short(step):
    return step.removeprefix("rtconc-")


# Parts of Figure 3: what is 1, the policy that is, and the policies that are drawn.
PARTS = {"a": ("recommended", None, {"strategy-12": "S1 and S2"}),
         "b": ("S1 and S2", "strategy-12", {"strategy-123": "S1 to S3"}),
         "c": ("S1 to S3", "strategy-123", {"strategy-1234": "S1 to S4"}),
         "d": ("recommended", None, {"strategy-1234": "S1 to S4", "manual": "manual", "moldable": "ours"})}
SHORTER = {"fig3d-resnet-50": "fig3d-resnet50", "fig3d-inception-v3": "fig3d-inception"}
COLORS = {"strategy-12": "#b0b7c3", "strategy-123": "#7fa8d1", "strategy-1234": "#2a6f4e", "manual": "#e0a458",
          "moldable": "#20416b"}


def speedups(results):
    """Figure 3, its four parts; marks: what the paper prints."""
    speed = plot.wide(results.frame("fig3"), "model", "policy", "speedup", performance_model="hill-climbing",
                      model=list(STEPS)).loc[list(STEPS)]
    figure, panels = plot.panels(1, 4, 2.9, sharey=True, width_ratios=[1, 1, 1, 2], log_y=[1, 1.5, 2, 3, 5],
                                 ylabel="speedup (x)")
    data = []
    for panel, (part, (base, one, policies)) in zip(panels, PARTS.items()):
        table = speed[list(policies)].div(speed[one] if one else 1, axis=0)
        ids = {step: f"fig3{part}-{short(step)}" for step in STEPS}
        theirs = plot.published_table("rtconc", table, lambda step, policy: policy == next(iter(policies)) and
                                      SHORTER.get(ids[step], ids[step]), lambda percent: 1 + percent / 100)
        plot.bars(panel, table, COLORS, policies, 1, theirs, STEPS.values(), rotation=35, ha="right",
                  fontsize=plot.TINY)
        panel.set_title(f"{part}: {', '.join(policies.values()) if part != 'd' else 'whole runtimes'},\n{base} = 1")
        data.append(plot.beside(table, theirs).assign(part=part))
    plot.legend(figure, 4, *panels[[0, 1, 3]], "published")
    return figure, pd.concat(data)


def settings(results):
    """Table I: speed by operations at a time and threads of each, ours and printed."""
    tables = {name: plot.wide(results.frame("table1"), "inter", "intra", "speedup", model=step)
              for step, name in list(STEPS.items())[:2]}
    theirs = {name: plot.published_table("rtconc", table, f"tab1-{name.lower()}-{{}}-{{}}-speedup".format)
              for name, table in tables.items()}
    return plot.compare(tables, "speedup over recommended (x)", published=theirs, draw=plot.lines, log_x=[1, 2, 4],
                        xlabel="operations at a time",
                        labels={intra: f"{intra} threads" for intra in (34, 68, 136)})


def accuracy(results):
    """Table V: accuracy of hill climbing by interval, ours and printed."""
    frame = plot.select(results.frame("table5"), sharing="both", time_noise=0)
    table = 100 * plot.wide(frame[frame.interval > 1], "interval", "model", "accuracy").sort_index()
    return plot.compare(table, "accuracy (%)", published=(
        "rtconc", lambda interval, step: f"tab5-{short(step)}-x{interval}"), draw=plot.lines, labels=STEPS, height=3,
        width=plot.COLUMN, columns=3, xlabel="interval (threads)", log_x=table.index)


def co_running(results):
    """Figure 4: running operations over the events in the middle of the step."""
    frame = results.detail("fig4", "timeline")
    figure, axes = plot.panels(2, 3, 3.8, sharex="col", sharey=True, ylabel="running operations",
                               xlabel=["", "event (each network has a step of its own length)", ""])
    data = []
    for row, (policy, name) in zip(axes, {"strategy-123": "S1 to S3", "strategy-1234": "S1 to S4"}.items()):
        for panel, step in zip(row, STEPS):
            of = plot.select(frame, model=step, policy=policy)
            mean, printed = of.running.mean(), fact(f"fig4-{short(step)}-s{policy[-1]}")
            panel.plot(of.event, of.running, linewidth=0.4, label="running operations")
            panel.axhline(mean, color=plot.PALETTE[4], linewidth=1, label="mean")
            plot.published_line(panel, printed, "published mean")
            panel.set_title(f"{STEPS[step]}, {name}: mean {mean:.2f},\npublished {printed:g}", fontsize=plot.SMALL)
            panel.set_xlim(0, of.event.max())
            data.append({"model": step, "policy": policy, "events": len(of), "mean": mean, "published": printed,
                         "largest": of.running.max()})
    plot.legend(figure, 3, axes[0][0])
    return figure, pd.DataFrame(data)


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
    """Figure 5: a run over threads and blocks; Table VII: two runs by how they share the card."""
    figure, axes = plot.panels(1, 3, 3.3, titles=["Figure 5a", "Figure 5b", "Table VII"], width_ratios=[1, 1, 1.4],
                               xlabel=[label for _, label, _ in ALONG.values()], ylabel=[
                                   "time, TensorFlow's 56 blocks\nof 1024 threads = 1", "",
                                   "speedup over one\nafter the other (x)"])
    axes[1].sharey(axes[0])
    data = []
    for panel, (name, (along, _, usual)) in zip(axes, ALONG.items()):
        times = plot.wide(plot.select(results.frame(name), kind=list(KINDS)), along, ["kind", "W"],
                          "run_time").sort_index()
        for i, kind in enumerate(KINDS):
            for style, (width, line) in zip(("-", "--", "-.", ":"), times[kind].items()):
                panel.plot(line.index, line / line[usual], style, color=plot.PALETTE[i],
                           label=f"{KINDS[kind]}, {width} wide")
        best = fact(f"{name}-max")
        plot.published_line(panel, 1 / (1 + best / 100), f"published best ({name[3:]}): up to {best:g} % faster")
        plot.set_axes(panel, log_x=True, log_y=True)
        data.append(times.stack(["kind", "W"]).rename("run_time").reset_index().assign(figure=name))
    table = results.frame("table7")
    speed = plot.wide(table[table["hardware.host.run"] > 0], ["kind", "pass", "C"], "co_run",
                      "speedup").loc[list(TABLE7)]
    theirs = plot.published_table("rtconc", speed, lambda operation, how: how == "mps" and
                                  f"tab7-{TABLE7[operation][0]}-corun-speedup")
    plot.bars(axes[2], speed[list(SHARING)], plot.PALETTE[3:], SHARING, 1, theirs,
              [name for _, name in TABLE7.values()], fontsize=plot.TINY)
    plot.legend(figure, 4, axes[0], *axes[1].lines[-1:], axes[2], "published")
    return figure, pd.concat([*data, speed.reset_index().assign(figure="table7")])
