"""Latency over load beside BookSim 2.0, from the results of experiments/noc.toml."""

import pandas as pd

from pimsweep import plot

# Curves that differ in one thing after another.
CURVES = {"A2s2": "8x8 uniform,\n1 flit", "A3": "8x8 uniform, 1 flit,\nrouting takes a cycle",
          "C2": "8x8 uniform,\n8 flits", "B2": "8x8 bitcomp,\n1 flit", "D3": "8x8 tornado,\n8 flits",
          "E1": "4x4 uniform,\nspeculative", "F1": "16x16 uniform,\nspeculative", "F8": "16x16 uniform,\n1 flit",
          "G3": "8x8 torus,\ntornado", "G7": "8x8 torus,\nbitcomp", "H2": "8x8 uniform, 8 flits,\nseparable",
          "E2": "4x4 uniform,\n4 flits"}
OURS, THEIRS = "#2a6f4e", "#e0a458"
LATENCY = "avg_packet_latency"


def rows(results, name):
    points = results.frame(name).sort_values("injection_rate", kind="stable")
    return points.assign(curve=points["label_case_id"].str.rsplit("_", n=1).str[0]).set_index("curve")


def spread(cycle, others):
    """The least and the largest latency of each row that was run with several seeds."""
    seeds = pd.concat([cycle, others]).groupby("label_case_id")[LATENCY].agg(["min", "max"])
    return seeds.loc[others["label_case_id"].unique()]


def latency_load(results):
    cycle, analytic = rows(results, "booksim"), rows(results, "estimate")
    seeds = spread(cycle, rows(results, "seeds"))
    figure, axes = plot.panels(3, 4, 5.8, titles=[f"{title} ({curve})" for curve, title in CURVES.items()],
                               xlabel="flits per node and cycle", ylabel="latency (cycles)")
    for axis, curve in zip(axes.flat, CURVES):
        ours, formula = cycle.loc[curve], analytic.loc[curve]
        theirs, saturated = (ours[ours["reference_saturated"] == is_] for is_ in (0, 1))
        axis.plot(theirs["injection_rate"], theirs[f"reference_{LATENCY}"], "o", markersize=6, color=THEIRS,
                  fillstyle="none", label="BookSim 2.0")
        axis.plot(ours["injection_rate"], ours[LATENCY], ".-", color=OURS, label="ours, cycle by cycle")
        part = ours[ours["label_case_id"].isin(seeds.index)]
        band = seeds.loc[part["label_case_id"]]
        axis.fill_between(part["injection_rate"], band["min"], band["max"], color=OURS, alpha=0.25, linewidth=0,
                          label="ours, other seeds")
        axis.plot(formula["injection_rate"], formula[LATENCY], "--", color="#b8bacc", label="ours, by formula")
        for column, style in (("reference_", {"color": THEIRS}), ("", {"color": OURS, "linestyle": ":"})):
            for rate in saturated[f"{column}accepted_flit_rate"][-1:]:
                axis.axvline(rate, linewidth=0.8, **style)
        lowest, highest = ours["zero_load_latency"].iloc[0], theirs[f"reference_{LATENCY}"].max()
        axis.set(ylim=(0.8 * lowest, 1.15 * min(4 * lowest, highest)), xlim=(0, None))
    plot.legend(figure, 6, axes[0, 0], plot.entry("saturated, BookSim", color=THEIRS, linestyle="-"),
                plot.entry("saturated, ours", color=OURS, linestyle=":"), columnspacing=0.8)
    columns = ["label_case_id", "injection_rate", f"reference_{LATENCY}", LATENCY, "reference_accepted_flit_rate",
               "accepted_flit_rate"]
    drawn = cycle[columns].merge(analytic[["label_case_id", LATENCY]], on="label_case_id", suffixes=("", "_by_formula"))
    return figure, drawn.merge(seeds.add_prefix(f"{LATENCY}_"), on="label_case_id", how="left")


def deviations(results):
    """Deviation of each row over its load as a share of the curve's capacity."""
    cycle = rows(results, "booksim")
    capacity = cycle.groupby("curve")["reference_accepted_flit_rate"].transform("max")
    data = pd.DataFrame({"case": cycle["label_case_id"], "load": cycle["injection_rate"] / capacity,
                         "saturated": cycle["reference_saturated"],
                         "latency": 100 * (cycle[LATENCY] / cycle[f"reference_{LATENCY}"] - 1),
                         "accepted": 100 * (cycle["accepted_flit_rate"] / cycle["reference_accepted_flit_rate"] - 1)})
    figure, axes = plot.panels(1, 2, sharey=True, titles=["packet latency, rows not saturated",
                                                          "accepted rate, saturated rows"], ylim=(-16, 16),
                               xlabel="injection rate, capacity = 1", ylabel="deviation from BookSim (%)")
    for axis, metric, saturated, goal in zip(axes, ("latency", "accepted"), (0, 1), (3, 5)):
        shown = data[data["saturated"] == saturated]
        axis.plot(shown["load"], shown[metric], ".", color=OURS)
        axis.axhspan(-goal, goal, color=OURS, alpha=0.1, label=f"goal: within {goal} %")
    axes[0].axvspan(0.85, data["load"][data["saturated"] == 0].max(), color="#b8bacc", alpha=0.3,
                    label="from 85 % of the capacity on: no goal")
    for axis in axes:
        axis.legend()
    return figure, data
