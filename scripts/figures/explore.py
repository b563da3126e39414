"""The fronts and the sensitivities of the results of experiments/explore.toml, as `pimsweep` finds them."""

import pathlib
import subprocess
import tempfile

import numpy as np
import pandas as pd
from matplotlib.colors import LogNorm

from pimsweep import plot
from pimsweep.experiment import program
from pimsweep.plot import PALETTE
from pimsweep.plot.pareto_plot import SHARES, front_shares, on_drawn_machines

OBJECTIVES = ["time", "energy", "area"]
NAMES = {"hardware.pe_array.rows": "PE rows", "hardware.pe_array.cols": "PE columns", "hardware.clock": "clock",
         "hardware.node_array.rows": "node rows", "hardware.node_array.cols": "node columns",
         "hardware.dram.bank_capacity": "bank capacity", "hardware.dram.bank_bandwidth": "bank bandwidth",
         "hardware.noc.link_bandwidth": "link bandwidth"}


def ask(*question):
    """The table that a pimsweep command writes with --csv."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "table.csv"
        subprocess.run([program(), *map(str, question), "--csv", table], check=True, stdout=subprocess.DEVNULL)
        return pd.read_csv(table, dtype={"other": str}, keep_default_na=False)


def _fronts(results):
    """The front of each batch on the machine of the file; of sampled machines the share on whose fronts a point lies."""
    machines = on_drawn_machines(results, "space")
    objectives = [word for name in OBJECTIVES for word in ("--min", name)]
    front = ask("pareto", results.path, "--study", "space", *objectives, "--group-by", "batch")
    if not machines:
        return front
    points = plot.select(results.frame("space"), status=0)
    shares = pd.Series(front_shares(points, machines, OBJECTIVES, group_by=["batch"]), points["point"])
    return front.assign(share=front["point"].map(shares))


def _size(share):
    return 1 + 14 * share


def fronts(results):
    front = _fronts(results)
    points, batches = results["space"], plot.ordered(front["batch"])
    figure, panels = plot.panels(1, len(batches), squeeze=False, xlabel="time (s)", ylabel="energy (mJ)")
    norm = LogNorm(1e6 * front["area"].min(), 1e6 * front["area"].max())
    for axes, batch in zip(panels[0], batches):
        # All points of the batch that have a result.
        taken = (points["status"].values == 0) & (points["batch"].values == batch)
        axes.hexbin(points["time"].values[taken], 1e3 * points["energy"].values[taken], xscale="log", yscale="log",
                    gridsize=45, bins="log", cmap="Greys", linewidths=0, rasterized=True)
        own = front[front["batch"] == batch].sort_values("area", ascending=False)
        dots = axes.scatter(own["time"], 1e3 * own["energy"], c=1e6 * own["area"], cmap="viridis",
                            s=_size(own["share"]) if "share" in own else 9, norm=norm, linewidths=0)
        plot.set_axes(axes, log_x=True, log_y=True, title=f"batch {batch}\n{len(own)} of {taken.sum():,}")
    bar = figure.colorbar(dots, ax=panels[0], label="area of all dies (mm\N{SUPERSCRIPT TWO})", format="%g",
                          ticks=plot.LogTicks().tick_values(norm.vmin, norm.vmax))
    bar.minorticks_off()
    if "share" in front:
        plot.legend(figure, 3, *(plot.entry(f"on the front of {100 * share:g} % of machines", marker="o",
                                            markersize=_size(share)**0.5, markeredgewidth=0) for share in SHARES))
    return figure, front


def sensitivities(results):
    study = "sample" if "sample" in results else "space"
    metrics = ["time_per_sample", "energy", "area", "cost"]
    shares = pd.concat([ask("sensitivity", results.path, "--study", study, "--metric", metric).assign(metric=metric)
                        for metric in metrics])
    axes_names = plot.ordered(shares.loc[shares["index"] == "first order", "axis"])
    figure, panels = plot.panels(1, len(metrics), 0.3 * len(axes_names) + 1.3, sharex=True, sharey=True,
                                 titles=[metric.replace("_", " ") for metric in metrics],
                                 xlabel="share of variance (%)")
    places = np.arange(len(axes_names))
    for axes, metric in zip(panels, metrics):
        for index, shift, color in (("first order", -0.2, PALETTE[3]), ("total", 0.2, PALETTE[2])):
            own = plot.select(shares, metric=metric, index=index).set_index("axis").reindex(axes_names)
            # A full grid without samples has no total indices.
            if own["share"].isna().all():
                continue
            own = 100 * own[["share", "low", "high"]].apply(pd.to_numeric)
            axes.barh(places + shift, own["share"], 0.38, color=color, label=index, error_kw={"elinewidth": 0.8},
                      xerr=[own["share"] - own["low"], own["high"] - own["share"]])
        axes.grid(axis="y", visible=False)
    panels[0].set_yticks(places, [NAMES.get(name, name) for name in axes_names])
    panels[0].invert_yaxis()
    plot.legend(figure, 2, panels[0])
    return figure, shares
