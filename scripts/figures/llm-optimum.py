"""Rules of language models by the optimum, from the results of experiments/llm-optimum.toml."""

import pandas as pd

from pimsweep import plot

RULES = {"gpu": "GPUs alone", "attacc": "AttAcc", "attacc-ff": "AttAcc, feed-forward too", "ianus": "IANUS", "neupims": "NeuPIMs",
         "papi": "PAPI", "duplex": "Duplex", "pim-all": "all on PIM"}
COLORS = dict(zip(RULES.values(), ("#20416b", "#e0a458", "#9c2a1a", "#8794ca", "#2a6f4e", "#7858b8", "#90d2aa", "#b8bacc")))
MODELS = {"gpt3-175b": "GPT-3 175B", "llama-3.1-70b": "Llama-3.1 70B", "gpt3-13b": "GPT-3 13B", "gpt3-30b": "GPT-3 30B"}
BATCHES = [1, 4, 16, 64, 256]


def _by_optimum(points, place):
    """Time of each rule by that of the optimum at the same place, a column for each rule."""
    table = points.dropna(subset="time").pivot_table(index=place, columns="policy", values="time")
    return table.div(table["llm-optimal"], axis=0).drop(columns="llm-optimal").rename(columns=RULES)


def _styles(table, colors):
    """Of each column: the same in all panels."""
    return {name: {**look, "markersize": 3} for name, look in plot.markers(list(colors), colors).items() if name in table.columns}


def _rules(axis, table):
    plot.lines(axis, table, _styles(table, COLORS))
    axis.axhline(1, color="black", linewidth=0.6)


def rules(results):
    """Each rule by the optimum over batch and context, on eight A100 with AttAcc."""
    table = _by_optimum(results.frame("attacc"), ["model", "context", "batch"])
    panels = {f"context {context}": {MODELS[model]: plot.Panel(rows.droplevel(["model", "context"]), draw=_rules)
                                     for model, rows in part.groupby("model")}
              for context, part in table.groupby("context")}
    return plot.compare(panels, "{}\ntime / optimum", sharex=True, height=4.2, xlabel="sequences in a batch", log_x=BATCHES,
                        columns=4, data=table.reset_index())


def turns(results):
    """Two batches in turn, and one batch with heads in a pipeline, by the optimum, on four NPUs of NeuPIMs."""
    points = results.frame("neupims")
    points = points[points.context == 128]
    names = {("gpu", "projections"): "NPU alone", ("attacc", "none"): "attention on PIM, one batch",
             ("attacc", "projections"): "heads in a pipeline, one batch", ("neupims", "projections"): "two batches in turn (NeuPIMs)"}
    place = ["model", "hardware.pim.dual_row_buffer", "batch"]
    best = points[points.policy == "llm-optimal"].set_index(place).time
    table = points.assign(rule=[names.get(pair) for pair in zip(points.policy, points.pipelining)])
    table = table.pivot_table(index=place, columns="rule", values="time").div(best, axis=0)
    colors = dict(zip(names.values(), COLORS.values()))
    buffers = {1: "dual row buffers", 0: "one row buffer"}

    def draw(axis, rows):
        plot.lines(axis, rows, _styles(rows, colors))
        axis.axhline(1, color="black", linewidth=0.6)
    panels = {f"{MODELS[model]},\n{buffers[int(dual)]}": plot.Panel(rows.droplevel([0, 1]), draw=draw)
              for (model, dual), rows in table.groupby(level=[0, 1])}
    return plot.compare(panels, "time / optimum", xlabel="sequences in a batch", columns=3, height=2.8,
                        data=table.reset_index())


def skew(results):
    """Rules by the optimum over the skew of Mixtral's experts, on four H100 with Logic-PIM."""
    points = results.frame("duplex")
    points = points[(points.context == 2048) & points.batch.isin([4, 16, 64, 256])]
    table = _by_optimum(points, ["batch", "routing_exponent"])
    panels = {f"{batch} sequences": plot.Panel(rows.droplevel("batch"), draw=_rules) for batch, rows in table.groupby("batch")}
    return plot.compare(panels, "time / optimum", xlabel="exponent of Zipf's law", columns=4, height=2.8,
                        data=table.reset_index())


def machine(results):
    """What the optimum gains where one constant of eight A100 with AttAcc is twice as good."""
    points = results.frame("machine").dropna(subset="time")
    better = {"hardware.pim.link.bandwidth": ("second link to PIM", max), "hardware.pim.stack.clock": ("PIM clock x 2", max),
              "hardware.gpu.memory.bandwidth": ("GPU bandwidth x 2", max), "hardware.gpu.collective.custom_latency": ("all-reduce latency / 2", min)}
    base = {axis: (min if choose is max else max)(points[axis]) for axis, (_, choose) in better.items()}
    place = ["model", "batch", "context"]

    def at(values):
        rows = points[(points[list(values)] == pd.Series(values)).all(axis=1)]
        return rows.set_index(place).time

    gains = pd.DataFrame({name: at(base) / at(base | {axis: choose(points[axis])}) for axis, (name, choose) in better.items()})
    gains.index = [f"{MODELS[model]}\nbatch {batch}\ncontext {context}" for model, batch, context in gains.index]
    return plot.compare(gains, "time / time on the better machine", base=1, columns=4, height=2.8)


def chunks(results):
    """Tokens in a second, generated and read, over the size of a prompt's chunk in each step."""
    points = results.frame("chunks").dropna(subset="time")
    points = points.assign(rate=(points.batch + points.chunk) / points.time,
                           rule=points.policy.replace(RULES | {"llm-optimal": "optimum"}))
    colors = COLORS | {"optimum": "black"}

    def draw(axis, rows):
        plot.lines(axis, rows, _styles(rows, colors))
    machines = {"llm-8-a100-attacc": "8 A100 with AttAcc", "llm-duplex": "4 H100 with Logic-PIM"}
    panels = {f"{machines[hardware]}, {batch} sequences": plot.Panel(plot.wide(rows, "chunk", "rule", "rate"), draw=draw)
              for (hardware, batch), rows in points.groupby(["hardware", "batch"])}
    return plot.compare(panels, "tokens in a second", xlabel="tokens of a chunk", log_x=[16, 64, 256, 1024, 4096], columns=2,
                        height=4.2, rows=2, data=points[["hardware", "batch", "chunk", "rule", "time", "rate"]])
