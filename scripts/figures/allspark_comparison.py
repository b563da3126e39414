"""Allspark beside a V100 (Figure 16, Table VII) and beside its own simulation."""

import functools

import numpy as np

import pimsweep
from contestants import ways
from pimsweep import plot

ROWS, COLS, SIZE = "hardware.node_array.rows", "hardware.node_array.cols", "image_px"
BANKS, BANDWIDTH = "hardware.dram.banks_per_node", "hardware.dram.bank_bandwidth"
# Color and marker by family; the smaller of two models has dashes and hollow marks.
FAMILIES = {"vit": ("#555555", "o"), "pvt": ("#b0b7c3", "s"), "swin": ("#2a6f4e", "^"), "focal": ("#7fa8d1", "v"),
            "twins-svt": ("#e0a458", "D"), "cswin": ("#a04668", "P")}
fact = functools.partial(pimsweep.fact, "allspark")


def style(model):
    family, size = model.rsplit("-", 1)
    color, marker = FAMILIES[family]
    small = {"linestyle": "--", "markerfacecolor": "white"} if size == "s" else {}
    return {"color": color, "marker": marker, "markersize": 4, **small}


def ratios(points, metric, policy="allspark"):
    """The GPU's value divided by that of a policy; NaN where the policy has no schedule."""
    keys = [name for name in (SIZE, ROWS, "batch", "model") if points[name].nunique() > 1]
    table = plot.wide(points.assign(way=ways(points)), keys, "way", metric)
    return table["gpu"] / table[policy]


def fig16(results):
    points = results.frame("fig16")
    sizes, batches = plot.ordered(points[SIZE]), sorted(set(points["batch"]))
    styles = {model: style(model) for model in plot.ordered(points["model"])}
    speedup, energy, bound = ratios(points, "time"), ratios(points, "energy"), ratios(points, "time", "ideal")
    figure, axes = plot.panels(2, len(sizes), 4.8, titles=[f"{size} px" for size in sizes], sharex=True, sharey="row",
                               ylabel=["speedup over the V100 (x)", "energy of the V100,\nAllspark = 1"],
                               xlabel="batch", log_x=batches)
    for (above, below), size in zip(axes.T, sizes):
        for axis, values in ((above, speedup), (below, energy)):
            plot.lines(axis, values[size].unstack("model").sort_index().reindex(columns=styles), styles)
        plot.published_line(above, fact("fig16-avg"), "published mean")
        above.plot(batches, bound[size].groupby("batch").mean(), "k-", linewidth=0.8, label="all PEs busy, mean")
        plot.published_range(below, fact("fig16-energy"), fact("fig16-energy", "value_hi"))
    plot.log_axis(axes[0][0].yaxis, [0.2, 0.5, 1, 2, 5, 10])
    plot.log_axis(axes[1][0].yaxis, [10, 15, 20, 30, 50])
    plot.legend(figure, 5, axes[0][0], *plot.patches({"published range": "0.85"}), handlelength=3)
    return figure, speedup.rename("speedup").to_frame().join(energy.rename("energy_ratio")).reset_index()


def table7(results):
    points = results.frame("table7")
    # Arrays by their number of nodes.
    points[ROWS] *= points[COLS]
    first = points.drop_duplicates(ROWS).set_index(ROWS)
    # The same points for all bandwidths.
    table = ratios(points, "time").unstack(ROWS).dropna()
    means, bandwidth = table.mean(), (first.index * first[BANKS] * first[BANDWIDTH] / 1e12)[table.columns]
    theirs = np.array([fact(f"tab7-{name}") for name in ("900-gb-s", "1-12-tb-s", "1-49-tb-s", "3-35-tb-s")])
    figure, axis = plot.panels(
        height=2.9, width=plot.COLUMN, title=f"Table VII: mean of {len(table)} models, sizes and\nbatches over the "
        "bandwidth", ylim=(0, 2.5), xlabel="aggregate DRAM bandwidth (TB/s)", ylabel="mean speedup over the V100 (x)")
    axis.plot(bandwidth, means, "o-", label="ours")
    axis.plot(bandwidth, theirs, label="published", **plot.PUBLISHED)
    plot.legend(figure, 2, axis)
    return figure, means.rename("speedup").reset_index().assign(bandwidth=bandwidth.to_numpy(), published=theirs)


def fidelity(results):
    points = plot.select(results.frame("fidelity"), policy="allspark", fidelity="cycle")
    table = 100 * plot.wide(points, "model", SIZE, "formula_deviation")
    return plot.compare(
        table, "absolute deviation of the\nformula from simulation (%)", colors=("#b0b7c3", "#7fa8d1", "#2a6f4e"),
        labels={size: f"{size} px" for size in table}, rotation=30, ha="right")
