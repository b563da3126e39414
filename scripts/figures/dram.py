#!/usr/bin/env python3
"""Draws bandwidth by pattern and DRAM, and arithmetic against simulation, from experiments/dram.toml's results."""

import matplotlib.pyplot as plt
import numpy as np

from pimsweep import plot

DRAMS = {
    "dram-DDR4_2400R": "DDR4\n2400", "dram-DDR4_3200AA": "DDR4\n3200", "dram-GDDR6_14000": "GDDR6\n14000",
    "dram-PIMFlow_GDDR6": "GDDR6\nPIMFlow", "dram-HBM2_2000": "HBM2\n2000", "dram-HMC_vault": "HMC\nvault",
    "dram-Allspark_400MHz_1bank": "Allspark\n1 bank", "dram-Allspark_400MHz_4banks": "Allspark\n4 banks",
}
PATTERNS = {
    "seq": "stream", "hit_allbanks": "stream, all banks", "tile16x4rows_allbanks": "tiles of 16",
    "random_8rows_allbanks": "random, 8 rows", "random": "random", "stride_row_1bank": "new row, 1 bank",
}
COLORS = ["#2a6f4e", "#5b9f7a", "#9cc9ad", "#d9b26f", "#c57b57", "#8c4a3c"]


def by_pattern(points, output):
    """Share of the data buses' rate: bars by simulation, marks by arithmetic."""
    table = points[points["read_fraction"] == "1"].pivot_table(
        index="hardware", columns=["fidelity", "pattern"], values="bandwidth_share").loc[list(DRAMS)]
    peak = (points["bandwidth"] / points["bandwidth_share"]).groupby(points["hardware"]).first()
    figure, axis = plt.subplots(figsize=(plot.PAGE, 3))
    plot.bars(axis, table["cycle"][list(PATTERNS)], COLORS, PATTERNS)
    for i, pattern in enumerate(PATTERNS):
        at = np.arange(len(DRAMS)) + plot.grouped(i, len(PATTERNS))[0]
        axis.plot(at, table[("analytic", pattern)], "_", color="k", markersize=7,
                  label=None if i else "by arithmetic")
    axis.set(ylabel="bandwidth / peak", ylim=(0, 1.05), title="20000 reads of one channel, queue of 32, with refresh")
    plot.group_names(axis, [f"{label}\n{peak[name] / 1e9:.3g} GB/s" for name, label in DRAMS.items()],
                       fontsize=plot.TINY)
    plot.legend(figure, 7, axis)
    data = table.copy()
    data.columns = [f"{fidelity}: {pattern}" for fidelity, pattern in data.columns]
    return figure, data.reset_index()  # NAME patterns


def deviation(points, output):
    """Arithmetic against simulation, all patterns and mixes."""
    keys = ["hardware", "pattern", "read_fraction"]
    table = points.pivot_table(index=keys, columns="fidelity", values="cycles").reset_index()
    table["deviation"] = 100 * (table["analytic"] / table["cycle"] - 1)
    figure, axes = plt.subplots(1, 2, figsize=(plot.PAGE, 3.2))
    kinds = {"1": ("reads", "#2a6f4e", "o", "-"), "0.67": ("67 % reads", "#c57b57", "s", "--"),
             "0": ("writes", "#b0b7c3", "^", "-.")}
    for mix, (label, color, marker, line) in kinds.items():
        rows = table[table["read_fraction"] == mix]
        axes[0].loglog(rows["cycle"] / 20000, rows["analytic"] / 20000, marker, color=color, label=label,
                       markersize=2.5)
        sizes = np.sort(rows["deviation"].abs())
        axes[1].plot(sizes, np.arange(1, len(sizes) + 1) / len(sizes), line, color=color,
                     label=f"{label}: median {np.median(sizes):.1f} %")
    ends = [0.9, 500]
    axes[0].plot(ends, ends, "k-", linewidth=0.6)
    axes[0].set(xlabel="cycles for each request, simulated", ylabel="cycles for each request, by arithmetic")
    axes[1].set(xlabel="deviation of cycles [%]", ylabel="share of points", xlim=(0, 60), ylim=(0, 1.02))
    for axis in axes:
        axis.legend()
    return figure, table  # NAME arithmetic


def main():
    results, output = plot.arguments(__doc__)
    points = results.frame("patterns")
    by_pattern(points, output)
    deviation(points, output)


if __name__ == "__main__":
    main()
