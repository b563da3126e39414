#!/usr/bin/env python3
"""Which machine and scheduler wins where, from the results of experiments/crossover.toml.

Usage: crossover.py results/crossover.h5 [--output DIR] [--tables]. --tables prints the tables of docs/crossover.md, no
more.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.patches import Patch, Rectangle

import pimsweep
from pimsweep import plot
from allspark_comparison import ways

SYSTEMS = {"allspark": ("Allspark", "#2a6f4e", "o"), "allspark-32": ("Allspark 32 bit", "#9cc9b0", "D"),
           "hypar": ("HyPar", "#e0a458", "s"),
           "pimflow": ("PIMFlow", "#7fa8d1", "^"), "heteropim": ("Hetero-PIM", "#9a3b26", "v"),
           "rtconc": ("RTConc", "#5d6778", "P")}
# PIMFlow's machine when it leaves everything to the GPU.
WITHOUT_PIM = ("GPU without PIM", "#8a8f98", "")
MODELS = {"resnet-50": "ResNet-50", "swin-b": "Swin-B", "bert-base": "BERT (64 tokens)"}
STUDIES = {"allspark_operators": "allspark", "allspark": "allspark", "allspark_32bit": "allspark-32",
           "hypar": "hypar", "pimflow": "pimflow", "heteropim": "heteropim", "rtconc": "rtconc"}
# What the experiment scales: its three values stand for half, once and twice.
BANDWIDTH = {"allspark": "hardware.dram.bank_bandwidth", "allspark-32": "hardware.dram.bank_bandwidth",
             "hypar": "hardware.dram.bandwidth",
             "pimflow": "hardware.gpu.memory.bandwidth", "heteropim": "hardware.pim.stack.bandwidth",
             "rtconc": "hardware.cpu.memory.bandwidth"}
FACTORS = [0.5, 1, 2]
# Machines that share a batch; the experiment has the images of one.
COPIES = {"heteropim": 2}
METRICS = {"time": "time of an image", "energy": "energy of an image"}
# Contestants of the map: the published Allspark computes in 8 bits and would win everywhere.
EIGHT_BITS = "allspark"


def rated_power(system, point):
    """Watts of a whole contestant at full rate, from the constants of its hardware file (docs/crossover.md)."""
    def constant(name):
        return float(point["hardware." + name])
    if system.startswith("allspark"):
        rows, columns = constant("node_array.rows"), constant("node_array.cols")
        pes = rows * columns * constant("pe_array.rows") * constant("pe_array.cols")
        links = 2 * (rows * (columns - 1) + columns * (rows - 1))
        return (pes * constant("clock") * constant("pe_array.mac_energy")
                + rows * columns * constant("dram.bank_bandwidth") * constant("dram.energy")
                + links * constant("noc.link_bandwidth") * constant("noc.energy"))
    if system == "hypar":
        macs = (constant("accelerator.units") * constant("pe_array.rows") * constant("pe_array.cols")
                * constant("clock"))
        cube = (macs * (constant("energy.add") + constant("energy.multiply"))
                + constant("dram.bandwidth") / constant("data.word") * constant("energy.dram_word"))
        return 2 ** int(point["levels"]) * cube
    if system == "pimflow":
        return constant("gpu.power.tdp")
    if system == "rtconc":
        return constant("power")
    machine = (constant("host.idle_power") + constant("host.busy_power") + constant("pim.stack.background_power")
               + constant("pim.programmable.busy_power")
               + constant("pim.stack.bandwidth") * constant("pim.stack.inner_energy")
               + constant("pim.stack.link_bandwidth") * constant("pim.stack.outer_energy"))
    return COPIES[system] * machine


def contestants(results):
    """One row for each point: system, policy, model, batch, bandwidth as a factor, time and energy of an image."""
    frames = []
    for study, system in STUDIES.items():
        points = results.frame(study)
        values = sorted(points[BANDWIDTH[system]].unique())
        copies = COPIES.get(system, 1)
        batch = points["batch"].where(points["batch"] == 1, points["batch"] * copies)
        frames.append(pd.DataFrame({
            "system": system, "policy": ways(points) if "execution" in points else points["policy"],
            "model": points["model"],
            "batch": batch, "bandwidth": [FACTORS[values.index(value)] for value in points[BANDWIDTH[system]]],
            # A single image is on one machine.
            "time": points["time_per_sample"] * points["batch"] / batch,
            "energy": points["energy_per_sample"],
            "power": [rated_power(system, point) for _, point in points.iterrows()]}))
    return pd.concat(frames, ignore_index=True).dropna(subset=["time"])


def best(rows, metric):
    """The best policy of each system in each place."""
    places = ["model", "batch", "bandwidth", "system"]
    return rows.loc[rows.groupby(places)[metric].idxmin()]


def winners(rows, metric):
    """For each place the winner, its policy, and by what factor it leads."""
    table = []
    for place, group in best(rows, metric).groupby(["model", "batch", "bandwidth"]):
        ranked = group.sort_values(metric)
        first, second = ranked.iloc[0], ranked.iloc[1]
        table.append((*place, first.system, first.policy, first[metric], second.system,
                      second[metric] / first[metric]))
    return pd.DataFrame(table, columns=["model", "batch", "bandwidth", "winner", "policy", metric, "second", "lead"])


def rates(results):
    """Images in a second over the batch: each system's best policy, from half to twice the bandwidth."""
    rows = contestants(results)
    chosen = best(rows, "time")
    figure, axes = plt.subplots(1, 3, figsize=(plot.PAGE, 2.6), sharex=True)
    for axis, (model, title) in zip(axes, MODELS.items()):
        for system, (_, color, marker) in SYSTEMS.items():
            table = chosen[(chosen.model == model) & (chosen.system == system)].pivot(
                index="batch", columns="bandwidth", values="time")
            plot.bands(axis, table.index, 1 / table[0.5], 1 / table[2], 1 / table[1], color=color, marker=marker)
        plot.log_axis(axis.xaxis, [1, 8, 64])
        plot.log_axis(axis.yaxis)
        axis.set(title=title, xlabel="batch")
    axes[0].set_ylabel("images (sentences) in a second")
    plot.legend(figure, 7, *(plt.Line2D([], [], color=color, marker=marker, label=name)
                               for name, color, marker in SYSTEMS.values()),
                  Patch(color="0.8", label="1/2 to 2 times the bandwidth"), columnspacing=0.8)
    return figure, chosen


def map_of_winners(results):
    """A cell for each batch and bandwidth: who wins, with which policy, by what factor."""
    rows = contestants(results)
    figure, axes = plt.subplots(2, 3, figsize=(plot.PAGE, 4.6))
    tables, seen = [], {}
    for line, (metric, title) in zip(axes, METRICS.items()):
        table = winners(rows[rows.system != EIGHT_BITS], metric)
        tables.append(table.assign(metric=metric))
        for axis, model in zip(line, MODELS):
            for _, row in table[table.model == model].iterrows():
                x, y = [1, 8, 64].index(row.batch), FACTORS.index(row.bandwidth)
                name, color, _ = WITHOUT_PIM if row.policy == "gpu" else SYSTEMS[row.winner]
                seen[name] = color
                axis.add_patch(Rectangle((x, y), 1, 1, facecolor=color, alpha=0.55, edgecolor="white"))
                policy = "" if row.policy == "gpu" else f"\n{row.policy}"
                axis.text(x + 0.5, y + 0.5, f"{name.replace(' ', chr(10), 1)}{policy}\n"
                          f"\N{MULTIPLICATION SIGN} {row.lead:.3g}", ha="center", va="center", fontsize=plot.TINY)
            axis.set(xlim=(0, 3), ylim=(0, 3), xlabel="batch", title=f"{MODELS[model].split(' (')[0]}: {title}")
            axis.set_xticks(np.arange(3) + 0.5, [1, 8, 64])
            axis.set_yticks(np.arange(3) + 0.5, ["1/2", "1", "2"])
            axis.grid(False)
            axis.tick_params(length=0)
        line[0].set_ylabel("bandwidth, as built = 1")
    plot.legend(figure, 5, *(Patch(facecolor=color, alpha=0.55, label=name) for name, color in seen.items()))
    return figure, pd.concat(tables)


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def tables(rows):
    middle = rows[rows.bandwidth == 1]
    power = middle.groupby("system").power.first()
    print(markdown(["machine", "rated power"], [(SYSTEMS[s][0], f"{power[s]:.0f} W") for s in SYSTEMS]))
    for metric, unit, scale in (("time", "ms", 1e3), ("energy", "mJ", 1e3)):
        chosen = best(middle, metric)
        lines = []
        for (model, batch), group in chosen.groupby(["model", "batch"], sort=False):
            by_system = group.set_index("system")
            least = by_system[metric].idxmin()
            cells = [f"{scale * by_system.loc[s, metric]:.3g} {by_system.loc[s, 'policy']}" for s in SYSTEMS]
            lines.append((MODELS[model], str(batch),
                          *(f"**{cell}**" if s == least else cell for s, cell in zip(SYSTEMS, cells))))
        order = list(MODELS.values())
        lines.sort(key=lambda line: (order.index(line[0]), int(line[1])))
        print("\n" + markdown(["", "batch", *(f"{name}, {unit}" for name, _, _ in SYSTEMS.values())], lines))


if __name__ == "__main__":
    if "--tables" in sys.argv:
        tables(contestants(pimsweep.open(next(word for word in sys.argv[1:] if word != "--tables"))))
        sys.exit()
    plot.main(__doc__, {"crossover-rates": rates, "crossover-winners": map_of_winners})
