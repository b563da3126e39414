"""A measured run of an engine beside its simulation, from the results of experiments/serving-check.toml."""

import pathlib

import pandas as pd

from pimsweep import plot

REFERENCE = pathlib.Path(__file__).resolve().parents[2] / "results" / "reference" / "serving"


def occupancy(results):
    """Running and waiting requests, the cache in use, and preemptions, over time on the RTX 4090."""
    steps = results.detail("timeline", "step_times")
    measured = pd.read_csv(REFERENCE / "rtx4090-llama-3.1-8b-timeseries.csv").set_index("t")
    # The state after the last step that has ended by each second.
    last = steps.end.searchsorted(measured.index, side="right") - 1
    state = steps.iloc[last.clip(min=0)].set_index(measured.index)
    panels = {"running requests": (state.running, measured.running),
              "waiting requests": (state.waiting, measured.waiting),
              "KV cache in use": (state.kv_cache, measured.kv_cache_pct / 100)}
    tables = {name: pd.DataFrame({"simulated": ours, "measured": theirs}) for name, (ours, theirs) in panels.items()}
    # vLLM's log does not count them.
    tables["preemptions, in all"] = pd.DataFrame({"simulated": state.preemptions, "measured": float("nan")})
    styles = {"simulated": {"color": "#9c2a1a"}, "measured": {"color": "#20416b", "linestyle": "--"}}
    return plot.compare(tables, draw=plot.lines, styles=styles, sharey=False, height=2.5, xlabel="time (s)", columns=2)


def imbalance(results):
    """Tokens in the fullest channel relative to the mean, by the rule of placement."""
    points = results.frame("placement")
    rules = ["round-robin", "min-blocks", "min-tokens", "each-step"]
    table = points.pivot(index="hardware.pim.channel.count", columns="channel_placement",
                         values="channel_imbalance")[rules]
    table = table.rename(index=lambda channels: f"{channels} channels", columns={"each-step": "reassigned in each step"})
    return plot.compare(table, "fullest channel / mean", height=2.7, columns=2)
