"""Allspark beside a V100 (Figure 16, Table VII) and beside its own simulation."""

import matplotlib.pyplot as plt
import numpy as np

import pimsweep
from pimsweep import plot

TIME = "time"
ROWS, COLS = "hardware.node_array.rows", "hardware.node_array.cols"
BANKS, BANDWIDTH = "hardware.dram.banks_per_node", "hardware.dram.bank_bandwidth"
# Color and marker by family, dashes for the smaller of two models.
FAMILIES = {"vit": ("#555555", "o"), "pvt": ("#b0b7c3", "s"), "swin": ("#2a6f4e", "^"), "focal": ("#7fa8d1", "v"),
            "twins-svt": ("#e0a458", "D"), "cswin": ("#a04668", "P")}


def style(model):
    family, size = model.rsplit("-", 1)
    color, marker = FAMILIES[family]
    return {"color": color, "marker": marker, "markersize": 3, "linestyle": "--" if size == "s" else "-",
            "label": model}


def ways(points):
    """How each point runs its model: the policy of a schedule, else the execution."""
    return points["policy"].where(points["execution"] == "schedule", points["execution"])


def ratios(points, metric, policy="allspark"):
    """The GPU's value by that of a policy; NaN where the policy has no schedule."""
    keys = [name for name in (ROWS, "model", "image_px", "batch") if points[name].nunique() > 1]
    table = points.pivot_table(index=keys, columns=ways(points), values=metric, sort=False, dropna=False)
    return table["gpu"] / table[policy]


def figure16(results):
    points = results.frame("fig16")
    speedup, energy = ratios(points, TIME), ratios(points, "energy")
    bound = ratios(points, TIME, "ideal").groupby(["image_px", "batch"]).mean()
    sizes, models = plot.ordered(points["image_px"]), plot.ordered(points["model"])
    figure, axes = plt.subplots(2, len(sizes), figsize=(plot.PAGE, 4.8), sharex=True, sharey="row")
    for column, size in enumerate(sizes):
        for row, values in enumerate((speedup, energy)):
            axis = axes[row][column]
            for model in models:
                rows = values.xs((model, size), level=("model", "image_px")).dropna()
                axis.plot(np.log2(rows.index), rows, **style(model))
            plot.log_axis(axis.yaxis)
        axes[0][column].set(title=f"{size} px")
        axes[0][column].axhline(pimsweep.fact("allspark", "fig16-avg"), color="k", linestyle=":", linewidth=1)
        axes[0][column].plot(np.log2(bound[size].index), bound[size], "k-", linewidth=0.8)
        limits = [pimsweep.fact("allspark", "fig16-energy", end) for end in ("value", "value_hi")]
        axes[1][column].axhspan(*limits, color="k", alpha=0.1)
        axes[1][column].set(xlabel="batch", xticks=range(7))
        axes[1][column].set_xticklabels(2**np.arange(7))
    axes[0][0].set_ylabel("speedup over the V100 (x)")
    axes[1][0].set_ylabel("energy of the V100,\nAllspark = 1")
    figure.suptitle("Figure 16: speedup and energy of Allspark over a V100")
    plot.legend(figure, 5, axes[0][0], plt.Line2D([], [], color="k", linestyle=":", label="published mean"),
                  plt.Line2D([], [], color="k", linewidth=0.8, label="all PEs busy, mean"),
                  plt.Rectangle((0, 0), 1, 1, color="k", alpha=0.1, label="published energy"), handlelength=3)
    return figure, speedup.rename("speedup").to_frame().join(energy.rename("energy_ratio")).reset_index()


def table7(results):
    points = results.frame("table7")
    # Arrays by their number of nodes.
    points[ROWS], points[COLS] = points[ROWS] * points[COLS], 1
    speedup = ratios(points, TIME)
    # The same points for all bandwidths.
    table = speedup.unstack(ROWS).dropna()
    first = points.drop_duplicates(ROWS).set_index(ROWS)
    bandwidth = (first.index * first[COLS] * first[BANKS] * first[BANDWIDTH]).reindex(table.columns) / 1e12
    published = [pimsweep.fact("allspark", f"tab7-{name}")
                 for name in ("900-gb-s", "1-12-tb-s", "1-49-tb-s", "3-35-tb-s")]
    means = table.mean()
    figure, axis = plt.subplots(figsize=(plot.COLUMN, 2.7))
    axis.plot(bandwidth, means / means.iloc[-1], "o-", color="#2a6f4e",
              label=f"here, {means.iloc[-1]:.2f} at the whole")
    axis.plot(bandwidth, np.array(published) / published[-1], label=f"published, {published[-1]:g} at the whole",
              **plot.PUBLISHED)
    axis.set(xlabel="aggregate DRAM bandwidth (TB/s)",
             ylabel="mean speedup over the V100,\nwhole bandwidth = 1",
             ylim=(0.7, 1.1), title=f"Table VII: {len(table)} models, sizes and batches")
    axis.legend(loc="lower right")
    drawn = means.rename("speedup").reset_index().assign(bandwidth=bandwidth.to_numpy(), published=published)
    return figure, drawn


def fidelity(results):
    points = results.frame("fidelity")
    points = points[(points["policy"] == "allspark") & (points["fidelity"] == "cycle")]
    bound = pimsweep.fact("allspark", "s8b-dev")
    table = points.pivot_table(index="model", columns="image_px", values="formula_deviation", sort=False)
    figure, axis = plt.subplots(figsize=(plot.PAGE, 2.6))
    plot.bars(axis, 100 * table, ("#b0b7c3", "#7fa8d1", "#2a6f4e"), {size: f"{size} px" for size in table.columns},
              rotation=30, ha="right")
    axis.set(ylabel="absolute deviation of the\nformula from simulation (%)",
             title=f"Allspark's schedules by formula and on routers and DRAM (published: within {bound:g} %)")
    plot.legend(figure, 3, axis)
    return figure, points[["model", "image_px", TIME, "formula_deviation"]]
