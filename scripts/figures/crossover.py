"""Which machine and scheduler wins where, from the results of experiments/crossover.toml."""

import pandas as pd

from contestants import FACTORS, MODELS, SYSTEMS, best, contestants
from contestants import winners as winners_by
from pimsweep import plot

COLORS = dict(zip(SYSTEMS, ("#2a6f4e", "#9cc9b0", "#e0a458", "#7fa8d1", "#9a3b26", "#5d6778")))
MARKERS = dict(zip(SYSTEMS, "oDs^vP"))
METRICS = {"time": "time of an image", "energy": "energy of an image"}
BATCHES = [1, 8, 64]
# Contestants of the map: the published Allspark computes in 8 bits and would win everywhere.
EIGHT_BITS = "allspark"


def rates(results):
    """Images in a second over the batch: each system's best policy, from half to twice the bandwidth."""
    chosen = best(contestants(results), "time")
    figure, axes = plot.panels(1, 3, 2.8, titles=MODELS.values(), sharex=True, sharey=True, xlabel="batch",
                               log_x=BATCHES, ylabel="images (sentences) in a second",
                               log_y=[3, 10, 30, 100, 300, 1000, 3000])
    for axis, rows in zip(axes, plot.split(chosen, "model", MODELS).values()):
        for system in SYSTEMS:
            table = 1 / plot.wide(rows, "batch", "bandwidth", "time", system=system).sort_index()
            plot.bands(axis, table.index, table[0.5], table[2], table[1], color=COLORS[system], marker=MARKERS[system],
                       label=SYSTEMS[system])
    plot.legend(figure, 7, axes[0], *plot.patches({"1/2 to 2 times the bandwidth": "0.8"}), columnspacing=0.8)
    return figure, chosen


def winners(results):
    """A cell for each batch and bandwidth: who wins, with which policy, by what factor."""
    rows = contestants(results)
    figure, axes = plot.panels(2, 3, 4.6, titles=[f"{model.split(' (')[0]}: {title}" for title in METRICS.values()
                                                 for model in MODELS.values()], ylabel="bandwidth, as built = 1",
                               xlabel="batch")
    colors = {**{SYSTEMS[system]: color for system, color in COLORS.items()}, "GPU without PIM": "#8a8f98"}
    tables, seen = [], {}
    for line, metric in zip(axes, METRICS):
        table = winners_by(rows[rows.system != EIGHT_BITS], metric)
        tables.append(table.assign(metric=metric))
        # PIMFlow's machine when it leaves everything to the GPU has no part in PIM.
        on_gpu = table.policy == "gpu"
        names = table.winner.map(SYSTEMS).mask(on_gpu, "GPU without PIM")
        policies = (table.policy + "\n").mask(on_gpu, "")
        cells = table.assign(name=names, text=names.str.replace(" ", "\n", n=1) + "\n" + policies +
                             table.lead.map("{:.3g} times".format))
        seen |= {name: colors[name] for name in names}
        for axis, part in zip(line, plot.split(cells, "model", MODELS).values()):
            name, text = (part.pivot(index="bandwidth", columns="batch", values=column).loc[FACTORS[::-1], BATCHES]
                          for column in ("name", "text"))
            plot.cells(axis, name.rename(index={0.5: "1/2", 1.0: "1", 2.0: "2"}), colors, text, alpha=0.55)
    plot.legend(figure, 5, *plot.patches(seen))
    return figure, pd.concat(tables)
