"""Bandwidth by pattern, DRAM and channels, and arithmetic against simulation, from experiments/dram.toml's results."""

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
COLORS = ["#2a6f4e", "#90d2aa", "#8794ca", "#e0a458", "#9c2a1a", "#20416b"]
SHARED = {("dram-DDR4_2400R", "seq"): ("#2a6f4e", "o", "DDR4, stream"),
          ("dram-DDR4_2400R", "random"): ("#90d2aa", "s", "DDR4, random"),
          ("dram-HBM2_2000", "seq"): ("#9c2a1a", "^", "HBM2, stream"),
          ("dram-HBM2_2000", "random"): ("#e0a458", "v", "HBM2, random")}
MIXES = {"1": "reads", "0.67": "67 % reads", "0": "writes"}
REQUESTS = 20000


def patterns(results):
    """Share of the data buses' rate: marks by simulation, dashes by arithmetic."""
    points = plot.select(results.frame("patterns"), read_fraction="1")
    table = plot.wide(points, "hardware", ["fidelity", "pattern"], "bandwidth_share").loc[list(DRAMS)]
    peak = (points["bandwidth"] / points["bandwidth_share"]).groupby(points["hardware"]).first()
    return plot.compare(
        table["cycle"][list(PATTERNS)], "bandwidth, peak = 1", height=3, ylim=(0, 1.05), colors=COLORS, labels=PATTERNS,
        fontsize=plot.TINY, names=lambda name: f"{DRAMS[name]}\n{peak[name] / 1e9:.3g} GB/s", columns=7, artists=[
            (plot.over_bars, table["analytic"][list(PATTERNS)], {"markersize": 7, "label": "by arithmetic"})],
        data=table.set_axis([f"{fidelity}: {pattern}" for fidelity, pattern in table], axis=1).reset_index())


channels = plot.drawing(
    "channels", lambda rows: plot.wide(rows, "channels", ["fidelity", "hardware", "pattern"], "bandwidth_share"),
    draw=plot.lines, styles={
        (fidelity, *case): {"color": color, "linestyle": line, "marker": marker, "markersize": 4, "label": name}
        for case, (color, marker, label) in SHARED.items()
        for fidelity, line, name in (("cycle", "-", label), ("analytic", ":", f"_{label} by arithmetic"))},
    height=2.8, width=plot.COLUMN, columns=2, xlabel="channels that share 65536 reads", ylabel="bandwidth, peak of all = 1",
    log_x=[1, 2, 4, 8, 16, 32], ylim=(0, 0.85))


def _up_to(axis, groups):
    """Of each group the share of points up to a deviation."""
    for (label, rows), line, style in zip(groups.items(), ("-", "--", "-."), plot.markers(MIXES).values()):
        sizes = np.sort(rows["deviation"].abs())
        axis.plot(sizes, 100 * np.arange(1, len(sizes) + 1) / len(sizes), line, color=style["color"],
                  label=f"{label}: median {np.median(sizes):.1f} %")


def arithmetic(results):
    """Arithmetic against simulation, all patterns and mixes."""
    keys = ["hardware", "pattern", "read_fraction"]
    table = plot.wide(results.frame("patterns"), keys, "fidelity", "cycles").dropna().reset_index()
    table["deviation"] = 100 * (table["analytic"] / table["cycle"] - 1)
    groups = plot.split(table, "read_fraction", MIXES)
    return plot.compare(
        {"time of each request": plot.Panel({label: (rows["cycle"] / REQUESTS, rows["analytic"] / REQUESTS)
                                             for label, rows in groups.items()}, draw=plot.agreement),
         "how far both are apart": plot.Panel(groups, draw=_up_to, xlim=(0, 60), ylim=(0, 102))},
        ["by arithmetic (cycles)", "points up to it (%)"], height=3.2, sharey=False, columns=0, data=table,
        artists=[("legend", {})], xlabel=["simulated (cycles)", "absolute deviation of arithmetic (%)"])
