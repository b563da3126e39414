"""Throughput and energy of language models on GPUs and PIM, from the results of experiments/llm.toml."""

import pandas as pd

from pimsweep import plot

# Machines with their policies.
SETUPS = {("llm-8-a100", "gpu"): "8 A100", ("llm-8-a100-attacc", "attacc"): "8 A100 with AttAcc",
          ("llm-8-a100-attacc", "attacc-ff"): "8 A100 with AttAcc, feed-forward too", ("llm-8-h200", "gpu"): "8 H200",
          ("llm-cent", "pim-all"): "CENT, 32 devices"}
COLORS = dict(zip(SETUPS.values(), ("#20416b", "#e0a458", "#9c2a1a", "#8794ca", "#2a6f4e")))
MODELS = {"gpt3-175b": "GPT-3 175B", "llama-3.1-70b": "Llama-3.1 70B", "qwen3-30b-a3b": "Qwen3 30B-A3B"}
ALL = MODELS | {"llama-2-70b": "Llama-2 70B", "llama-2-7b": "Llama-2 7B", "llama-2-13b": "Llama-2 13B",
                "qwen3-8b": "Qwen3 8B", "deepseek-v3": "DeepSeek-V3", "llama-3.1-405b": "Llama-3.1 405B"}
CARDS = {"gpu-v100": "V100", "gpu-a100": "A100", "gpu-h100": "H100", "gpu-h200": "H200", "gpu-l40s": "L40S",
         "gpu-b200": "B200", "gpu-rtx-4090": "RTX 4090",
         "gpu-rtx-pro-6000": "RTX PRO 6000"}
BATCHES = [1, 4, 16, 64, 256]
CONTEXTS = {512: "context 512", 8192: "context 8192"}
PARTS = {"attention": ("attention", "#e0a458"), "linear": ("GEMMs", "#20416b"), "head": ("LM head", "#8794ca"),
         "all-reduce": ("all-reduce", "#9c2a1a"), "other": ("other kernels", "#b8bacc")}


def _models(points, names=ALL):
    """Names of the models that the points have."""
    return {model: name for model, name in names.items() if model in set(points.model)}


def _named(points):
    """Points with the name of their setup."""
    return points.assign(setup=[SETUPS.get(pair) for pair in zip(points.hardware, points.policy)])


def _styles(names):
    return {name: {**look, "markersize": 3} for name, look in plot.markers(list(COLORS), COLORS).items() if name in set(names)}


def _lines(points, metric):
    def draw(axis, rows):
        table = plot.wide(rows, "batch", "setup", metric)
        plot.lines(axis, table, _styles(table.columns))
        return table
    return draw


def _over_batch(results, metric, ylabel):
    points = _named(results.frame("map"))
    points = points[points.context.isin(CONTEXTS)]
    panels = {context: {model: plot.Panel(rows, draw=_lines(rows, metric)) for model, rows in
                        plot.split(part, "model", MODELS).items()}
              for context, part in plot.split(points, "context", CONTEXTS).items()}
    return plot.compare(panels, ylabel, sharex=True, height=4.2, xlabel="sequences in a batch", log_x=BATCHES,
                        log_y=True, columns=4,
                        data=points[["model", "context", "batch", "setup", metric]])


def throughput(results):
    return _over_batch(results, "tokens_per_second", "{}\ntokens in a second")


def energy(results):
    return _over_batch(results, "energy_per_token", "{}\nenergy of a token (J)")


def bounds(results):
    """The largest batch that keeps a bound on the time per token, and its throughput, at context 2048."""
    points = _named(results.frame("bounds"))
    points = points[points.context == 2048].assign(bound=1e3 * points.time_bound).dropna(subset="largest_bounded_batch")
    # A logarithmic axis cannot show an empty batch.
    points = points[points.largest_bounded_batch > 0]

    def draw(metric):
        def lines(axis, rows):
            table = plot.wide(rows, "bound", "setup", metric)
            plot.lines(axis, table, _styles(table.columns))
            return table
        return lines
    panels = {name: {model: plot.Panel(rows, draw=draw(metric))
                     for model, rows in plot.split(points, "model", _models(points)).items()}
              for name, metric in (("largest batch", "largest_bounded_batch"),
                                   ("tokens in a second", "bounded_tokens_per_second"))}
    return plot.compare(panels, "{}", sharex=True, sharey="row", height=4.2, xlabel="bound on the time per token (ms)",
                        log_x=[15, 25, 50, 100, 200], log_y=True, columns=4,
                        data=points[["model", "bound", "setup", "largest_bounded_batch", "bounded_tokens_per_second"]])


def _parts(rows):
    kinds = rows.kind.where(rows.kind.isin(PARTS), "other")
    return rows.assign(part=kinds).pivot_table(index=["batch", "policy"], columns="part", values="time",
                                               aggfunc="sum").reindex(columns=list(PARTS)).fillna(0.0) * 1e3


def operators(results):
    """Time of a step by kind of operator, on GPUs alone and with attention on PIM."""
    rows = results.detail("operators", "by_operator")
    panels = {model: _parts(part) for model, part in plot.split(rows, "model", _models(rows)).items()}

    def draw(axis, table):
        plot.stacked(axis, table, PARTS, names=[f"batch {batch}\n{policy}" for batch, policy in table.index])
    return plot.compare(panels, "time of a step (ms)", draw=draw, columns=5, height=2.8)


def roofline(results):
    """Attention and GEMMs of a step by arithmetic intensity, with the rate that they reach on a GPU."""
    rows = results.detail("operators", "by_operator")
    rows = rows[(rows.policy == "gpu") & rows.operator.isin(["attention", "ffn_up"])]
    rows = rows.assign(intensity=rows.operations / rows.gpu_bytes, rate=rows.operations / rows.gpu_time / 8)

    def draw(axis, part):
        plot.roofline(axis, part, "intensity", "rate", 311.9e12, 2039e9, "operators")
        for _, row in part.iterrows():
            name = "attention" if row.operator == "attention" else "feed-forward"
            # Right of the roof, which passes through the points of GEMMs from the lower left to the upper right.
            axis.annotate(f"{name}, batch {row.batch}", (row.intensity, row.rate / 1e9), fontsize=plot.TINY,
                          xytext=(6, -13 if row.operator == "attention" else -6), textcoords="offset points")
        axis.set_ylim(bottom=part.rate.min() / 1e9 / 6)
    return plot.compare(plot.split(rows, "model", _models(rows)), "", draw=draw, columns=2, height=2.9,
                        data=rows[["model", "batch", "operator", "intensity", "rate"]])


def intensity(results):
    """Time of attention on GPUs over that on PIM: grouped heads and latent attention reuse the data that they read."""
    rows = results.detail("intensity", "by_operator")
    rows = rows[rows.operator == "attention"]
    table = rows.assign(time=rows.gpu_time + rows.pim_time).pivot_table(
        index=["model", "context"], columns=["batch", "policy"], values="time")
    ratio = pd.DataFrame({f"batch {batch}": table[batch]["gpu"] / table[batch]["attacc"]
                          for batch in sorted(rows.batch.unique())})
    panels = {f"context {context}": part.droplevel("context").reindex(
        [model for model in ("gpt3-175b", "llama-2-7b", "qwen3-8b", "llama-2-70b", "deepseek-v3")
         if model in part.index.get_level_values("model")]).rename(index={model: name.replace(" ", "\n") for model, name in ALL.items()})
        for context, part in ratio.groupby("context")}
    return plot.compare(panels, "time of attention: GPUs / PIM", base=1, log_y=True, columns=4, height=2.9)


def cards(results):
    """Tokens per second of a model of eight billion parameters on one GPU."""
    points = results.frame("cards")
    panels = {f"context {context}": plot.wide(part, "batch", "hardware", "tokens_per_second").rename(columns=CARDS)
              for context, part in points.groupby("context")}
    return plot.compare(panels, "tokens in a second", draw=plot.lines, xlabel="sequences in a batch", log_x=BATCHES,
                        log_y=True, columns=6, height=2.8)


def bits(results):
    """Tokens in a second by bits of weights and of the cache, at the largest batch that fits."""
    points = _named(results.frame("bits")).dropna(subset="tokens_per_second")
    points = points[(points.context == 16384) & (points.setup.isin(["8 A100", "8 A100 with AttAcc"]))]
    best = points.groupby(["model", "setup", "weight_bits", "cache_bits"]).tokens_per_second.max().reset_index()
    best["bits"] = [f"{weight:.0f}\n{cache:.0f}" for weight, cache in zip(best.weight_bits, best.cache_bits)]
    order = [f"{weight}\n{cache}" for weight in (16, 8, 4) for cache in (16, 8, 4)]
    models = _models(best, {"llama-3.1-70b": "Llama-3.1 70B", "llama-3.1-405b": "Llama-3.1 405B",
                            "deepseek-v3": "DeepSeek-V3"})
    panels = {model: part.pivot(index="bits", columns="setup", values="tokens_per_second").reindex(order)
              for model, part in plot.split(best, "model", models).items()}
    return plot.compare(panels, "most tokens in a second", xlabel="bits: weights, cache", entries=[plot.entry("no mark: does not fit")], log_y=True, draw=plot.dots,
                        columns=2, height=2.9, colors=[COLORS["8 A100"], COLORS["8 A100 with AttAcc"]])


def queries(results):
    """Throughput over the time per token for whole queries: the throughput that a bound on TPOT allows."""
    points = _named(results.frame("queries")).dropna(subset="tokens_per_second")

    def draw(axis, rows):
        for setup, look in _styles(rows.setup).items():
            part = rows[rows.setup == setup].sort_values("batch")
            axis.plot(1e3 * part.time_per_token, part.tokens_per_second, label=setup, **look)
    panels = plot.split(points, "model", _models(points))
    return plot.compare(panels, "tokens in a second", draw=draw, xlabel="time per token (ms)", log_y=True,
                        columns=3, height=2.8, sharey=False,
                        data=points[["model", "batch", "setup", "time_per_token", "tokens_per_second"]])
