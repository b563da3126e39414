"""Which machine and scheduler wins where, from the results of experiments/crossover.toml."""

import pandas as pd

from contestants import FACTORS, MODELS, SYSTEMS, best, contestants, win_shares
from contestants import winners as winners_by
from pimsweep import plot

COLORS = dict(zip(SYSTEMS, ("#2a6f4e", "#90d2aa", "#e0a458", "#8794ca", "#9c2a1a", "#20416b")))
MARKERS = dict(zip(SYSTEMS, "oDs^vP"))
METRICS = {"time": "time of an image", "energy": "energy of an image"}
BATCHES = [1, 8, 64]
# Contestants of the map: the published Allspark computes in 8 bits and would win everywhere.
EIGHT_BITS = "allspark"
NO_PIM = "GPU without PIM"


def _rates(axis, rows):
    for system in SYSTEMS:
        table = 1 / plot.wide(rows, "batch", "bandwidth", "time", system=system).sort_index()
        plot.bands(axis, table.index, table[0.5], table[2], table[1], color=COLORS[system], marker=MARKERS[system],
                   label=SYSTEMS[system])


def rates(results):
    """Images in a second over the batch: each system's best policy, from half to twice the bandwidth."""
    chosen = best(contestants(results), "time")
    return plot.compare(plot.split(chosen, "model", MODELS), "images (sentences) in a second", draw=_rates, height=2.8,
                        sharex=True, xlabel="batch", log_x=BATCHES, log_y=[3, 10, 30, 100, 300, 1000, 3000], columns=7,
                        entries=plot.patches({"1/2 to 2 times the bandwidth": "0.8"}),
                        legends={"columnspacing": 0.8}, data=chosen)


def _named_winners(results, metric):
    """The winners of all places in a metric, and under which names."""
    rows = contestants(results)
    table = winners_by(rows[rows.system != EIGHT_BITS], metric)
    # PIMFlow's machine does not use PIM when it leaves everything to the GPU.
    return table, table.winner.map(SYSTEMS).mask(table.policy == "gpu", NO_PIM)


def winners(results):
    """One cell per batch and bandwidth: winner, policy, lead, and share of sampled machines."""
    colors = {**{SYSTEMS[system]: color for system, color in COLORS.items()}, NO_PIM: "#b8bacc"}
    panels, tables, seen = {}, [], {}
    for metric, title in METRICS.items():
        table, names = _named_winners(results, metric)
        # All machines have the same places.
        shares = win_shares(results, lambda one, metric=metric: _named_winners(one, metric)[1])
        tables.append(table.assign(metric=metric, **({} if shares is None else {"share": shares})))
        cells = table.assign(name=names, text=names.str.replace(" ", "\n", n=1) + "\n" + (table.policy + "\n").mask(
            names == NO_PIM, "") + table.lead.map("{:.3g} times".format) + (
                "" if shares is None else (100 * shares).map("\nin {:.0f} %".format)))
        seen |= {name: colors[name] for name in names}
        for model, part in plot.split(cells, "model", MODELS).items():
            name, text = (part.pivot(index="bandwidth", columns="batch", values=column).loc[FACTORS[::-1], BATCHES]
                          for column in ("name", "text"))
            panels[f"{model.split(' (')[0]}: {title}"] = plot.Panel(
                name.rename(index={0.5: "1/2", 1.0: "1", 2.0: "2"}), texts=text)
    counted = [plot.entry("in %: share of sampled machines with this winner")] if results.machines else []
    return plot.compare(panels, "bandwidth, as built = 1", draw=plot.cells, colors=colors, rows=2,
                        sharey=False, height=4.6, xlabel="batch", columns=5, entries=[*plot.patches(seen), *counted],
                        data=pd.concat(tables))
