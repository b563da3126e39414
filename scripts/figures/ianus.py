"""Times of a token on IANUS, without PIM and on an A100, from experiments/ianus.toml's results."""

import pandas as pd

from pimsweep import plot

MODELS = {"ianus-gpt2-xl": "GPT-2 XL,\n64 in, 256 out", "ianus-gpt2-2.5b": "GPT-2 2.5B,\n128 in, 64 out"}
LENGTHS = {"ianus-gpt2-xl": (64, 256), "ianus-gpt2-2.5b": (128, 64)}
MACHINES = {"IANUS": ("llm-ianus", "ianus"), "without PIM": ("llm-ianus", "gpu"), "A100": ("gpu-a100", "gpu")}
COLORS = dict(zip(MACHINES, ("#2a6f4e", "#b8bacc", "#8794ca")))
IDS = {("ianus-gpt2-xl", "IANUS"): "fig9-xl", ("ianus-gpt2-xl", "without PIM"): "fig9-xl-npu",
       ("ianus-gpt2-2.5b", "IANUS"): "s7.2-2.5b", ("ianus-gpt2-2.5b", "A100"): "s7.2-2.5b-a100"}


def token(results):
    """Our time per token beside the four published ones."""
    points = results.frame("ianus-queries")
    rows = {}
    for model, (prompt, out) in LENGTHS.items():
        of_model = points[(points.model == model) & (points.context == prompt) & (points.new_tokens == out)]
        rows[model] = {name: 1e3 * of_model[(of_model.hardware == hardware) & (of_model.policy == policy)].time_per_token.item()
                       for name, (hardware, policy) in MACHINES.items()}
    return plot.compare(pd.DataFrame(rows).T, "time per token (ms)", "IANUS, one sequence",
                        ("ianus", lambda model, machine: IDS.get((model, machine))), draw=plot.bars, names=MODELS, colors=COLORS)
