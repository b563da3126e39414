#!/usr/bin/env python3
"""Where PIM pays on H100 and H200: speedups of a decode step on machines sampled around the nominal one (docs/llm.md).

Usage: pim_pays.py results/llm-winners.h5
"""

import pathlib
import sys

import numpy as np
import pandas as pd

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import pimsweep

# PIM pays where it makes a step that many times as fast.
PAYS = 1.2
CARDS = {"llm-8-h100-attacc": "8 H100", "llm-8-h200-attacc": "8 H200"}
MODELS = {"gpt3-175b": "GPT-3 175B", "llama-3.1-70b": "Llama-3.1 70B"}
PLACE = ["hardware", "model", "context", "batch"]
# Contexts of the table.
CONTEXTS = [512, 4096, 32768]


def speedups(results):
    """Speedup of the fastest policy with PIM over GPUs alone on one machine; NaN where GPUs alone have no room."""
    times = results.frame("pays").set_index([*PLACE, "policy"]).time_per_token.unstack("policy")
    return times["gpu"] / times.drop(columns="gpu").min(axis=1)


def bands(results):
    """Speedups on the nominal machine, with their quantiles of 5 and 95 % over the sampled ones."""
    sampled = pd.DataFrame(results.on_machines(speedups))
    own = speedups(results.machine(0))
    low, high = np.quantile(sampled[own.index], [0.05, 0.95], axis=0)
    return pd.DataFrame({"own": own, "low": low, "high": high})


def cell(row):
    if np.isnan(row.own):
        return ""
    text = f"{row.own:.2f} [{row.low:.2f}, {row.high:.2f}]"
    return f"**{text}**" if row.low >= PAYS else text


def table(results):
    """Lines in Markdown: a row for each GPU, model and context, a column for each batch; bold where PIM surely pays."""
    cells = bands(results).apply(cell, axis=1).unstack("batch")
    lines = ["| GPUs, model | context | " + " | ".join(f"batch {batch}" for batch in cells.columns) + " |",
             "|---|---:|" + "---|" * len(cells.columns)]
    lines += [f"| {CARDS[card]}, {MODELS[model]} | {context:,} | {' | '.join(row)} |"
              for (card, model, context), row in zip(cells.index, cells.to_numpy()) if context in CONTEXTS]
    return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(table(pimsweep.open(sys.argv[1])))
