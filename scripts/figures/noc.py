#!/usr/bin/env python3
"""Draws latency over load beside BookSim 2.0, from the results of experiments/noc.toml."""

import matplotlib.pyplot as plt
import pandas as pd

from pimsweep import plot

# Curves that differ in one thing after another.
CURVES = {"A2s2": "8x8 uniform,\n1 flit", "A3": "8x8 uniform, 1 flit,\nrouting takes a cycle",
          "C2": "8x8 uniform,\n8 flits", "B2": "8x8 bitcomp,\n1 flit", "D3": "8x8 tornado,\n8 flits",
          "E1": "4x4 uniform,\nspeculative", "F1": "16x16 uniform,\nspeculative", "F8": "16x16 uniform,\n1 flit",
          "G3": "8x8 torus,\ntornado", "G7": "8x8 torus,\nbitcomp", "H2": "8x8 uniform, 8 flits,\nseparable",
          "E2": "4x4 uniform,\n4 flits"}


def rows(results, name):
    points = results.frame(name)
    points["curve"] = points["label_case_id"].str.rsplit("_", n=1).str[0]
    return points


def spread(cycle, others):
    """The least and the largest latency of each row that was run with several seeds."""
    column = "avg_packet_latency"
    seeds = pd.concat([cycle, others]).groupby("label_case_id")[column].agg(["min", "max"])
    return seeds.loc[others["label_case_id"].unique()]


def curves(results):
    cycle, analytic = rows(results, "booksim"), rows(results, "estimate")
    seeds = spread(cycle, rows(results, "seeds"))
    figure, axes = plt.subplots(3, 4, figsize=(plot.PAGE, 5.6))
    for axis, (curve, title) in zip(axes.flat, CURVES.items()):
        ours, formula = (table[table["curve"] == curve].sort_values("injection_rate") for table in (cycle, analytic))
        theirs = ours[ours["reference_saturated"] == 0]
        axis.plot(theirs["injection_rate"], theirs["reference_avg_packet_latency"], "o", markersize=6, color="#c2703d",
                  fillstyle="none", label="BookSim 2.0")
        axis.plot(ours["injection_rate"], ours["avg_packet_latency"], ".-", color="#2a6f4e", label="cycle by cycle")
        if (part := ours[ours["label_case_id"].isin(seeds.index)]).size:
            band = seeds.loc[part["label_case_id"]]
            axis.fill_between(part["injection_rate"], band["min"], band["max"], color="#2a6f4e", alpha=0.25,
                              linewidth=0, label="other seeds")
        axis.plot(formula["injection_rate"], formula["avg_packet_latency"], "--", color="#b0b7c3", label="by formula")
        saturated = ours[ours["reference_saturated"] == 1]
        if len(saturated):
            axis.axvline(saturated["reference_accepted_flit_rate"].iloc[-1], color="#c2703d", linewidth=0.8)
            axis.axvline(saturated["accepted_flit_rate"].iloc[-1], color="#2a6f4e", linewidth=0.8, linestyle=":")
        lowest = ours["zero_load_latency"].iloc[0]
        highest = theirs["reference_avg_packet_latency"].max()
        axis.set(title=f"{title} ({curve})", ylim=(0.8 * lowest, 1.15 * min(4 * lowest, highest)), xlim=(0, None))
    for axis in axes[-1]:
        axis.set_xlabel("flits per node and cycle")
    for axis in axes[:, 0]:
        axis.set_ylabel("latency (cycles)")
    plot.legend(figure, 4, max(axes.flat, key=lambda axis: len(axis.get_legend_handles_labels()[0])))
    figure.suptitle("Latency over load; upright lines: accepted rate in saturation (solid BookSim, dotted ours)")
    columns = ["label_case_id", "injection_rate", "reference_avg_packet_latency", "avg_packet_latency",
               "reference_accepted_flit_rate", "accepted_flit_rate"]
    drawn = cycle[columns].merge(analytic[["label_case_id", "avg_packet_latency"]], on="label_case_id",
                                 suffixes=("", "_by_formula"))
    drawn = drawn.merge(seeds.add_prefix("avg_packet_latency_"), on="label_case_id", how="left")
    return figure, drawn


def deviations(results):
    """Deviation of each row over its load as a share of the curve's capacity."""
    cycle = rows(results, "booksim")
    capacity = cycle.groupby("curve")["reference_accepted_flit_rate"].transform("max")
    data = pd.DataFrame({"case": cycle["label_case_id"], "load": cycle["injection_rate"] / capacity,
                         "saturated": cycle["reference_saturated"],
                         "latency": 100 * (cycle["avg_packet_latency"] / cycle["reference_avg_packet_latency"] - 1),
                         "accepted": 100 * (cycle["accepted_flit_rate"] / cycle["reference_accepted_flit_rate"] - 1)})
    figure, axes = plt.subplots(1, 2, sharey=True)
    open_rows, closed = data[data["saturated"] == 0], data[data["saturated"] == 1]
    axes[0].plot(open_rows["load"], open_rows["latency"], ".", color="#2a6f4e")
    axes[0].axvspan(0.85, open_rows["load"].max(), color="#b0b7c3", alpha=0.3, label="from 85 % of the capacity on")
    axes[0].axhspan(-3, 3, color="#2a6f4e", alpha=0.1, label="within 3 %")
    axes[0].set(xlabel="injection rate, capacity = 1", ylabel="deviation from BookSim (%)", ylim=(-15, 15),
                title="packet latency, rows not saturated")
    axes[1].plot(closed["load"], closed["accepted"], ".", color="#2a6f4e")
    axes[1].axhspan(-5, 5, color="#2a6f4e", alpha=0.1, label="within 5 %")
    axes[1].set(xlabel="injection rate, capacity = 1", title="accepted rate, saturated rows")
    for axis in axes:
        axis.legend()
    figure.suptitle("Deviation from BookSim 2.0")
    return figure, data


if __name__ == "__main__":
    plot.main(__doc__, {"latency_load": curves, "deviations": deviations})
