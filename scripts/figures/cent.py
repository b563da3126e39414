"""CENT's Figures 13b and 15c, by its artifact's accounting and by ours, from experiments/cent.toml's results."""

import pathlib

import pandas as pd

import pimsweep
from pimsweep import plot

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = {"llama-2-7b": "7b", "llama-2-13b": "13b", "llama-2-70b": "70b"}
NAMES = {"7b": "7B", "13b": "13B", "70b": "70B"}
PHASES = {"prefill": "cent-prompt", "decoding": "cent-generated", "query": "cent-tokens"}
ACCOUNTINGS = {"by the artifact's accounting": "", "by our own": "-own"}
COLORS = dict(zip(ACCOUNTINGS, ("#8794ca", "#2a6f4e")))


def measured(quantity, phase):
    """What the A100 took, by the names of models."""
    rows = pd.read_csv(ROOT / "results" / "reference" / "cent-gpu-measured.csv")
    rows = rows[(rows.quantity == quantity) & (rows.phase == phase) & (rows.inputs == 512)].drop_duplicates("model")
    return rows.set_index("model")["value"].rename(MODELS)


def over_gpu(results, quantity, value):
    """Of each phase a table of models and accountings: `value` of a pipeline's tokens by what was measured."""
    tables = {}
    for phase, study in PHASES.items():
        columns = {}
        for name, suffix in ACCOUNTINGS.items():
            points = results.frame(study + suffix).query("tensor_parallel == 0")
            columns[name] = value(points.groupby("model")).rename(MODELS) / measured(quantity, phase)
        tables[phase] = pd.DataFrame(columns).loc[list(NAMES)]
    return tables


def bars(tables, figure, title, ylabel):
    return plot.compare(tables, ylabel, title, ("cent", figure + "-{panel}-{}"), draw=plot.bars, names=NAMES, colors=COLORS)


def fig13b(results):
    tables = over_gpu(results, "tokens per second", lambda models: models["tokens_per_second"].mean())
    return bars(tables, "fig13b", "Figure 13b: Llama-2 in a pipeline", "tokens/s, A100 = 1")


def fig15c(results):
    tables = over_gpu(results, "tokens per joule", lambda models: 1 / models["energy_per_token"].mean())
    return bars(tables, "fig15c", "Figure 15c: Llama-2 in a pipeline", "tokens/J, A100 = 1")
