"""Standards, controllers and attention PIM on them, from experiments/dram-2026.toml's results."""

import pandas

from pimsweep import plot

DRAMS = {
    "dram-DDR4_3200AA": "DDR4\n3200", "dram-DDR5_4800AN": "DDR5\n4800", "dram-DDR5_6400AN": "DDR5\n6400",
    "dram-LPDDR5_6400": "LPDDR5\n6400", "dram-LPDDR5X_8533": "LPDDR5X\n8533", "dram-GDDR6_14000": "GDDR6\n14000",
    "dram-HBM2_2000": "HBM2\n2000", "dram-HBM2E_3600": "HBM2E\n3600", "dram-HBM3_6400": "HBM3\n6400",
    "dram-HBM3E_9200": "HBM3E\n9200",
}
PATTERNS = {
    "seq": "stream", "hit_allbanks": "stream, all banks", "tile16x4rows_allbanks": "tiles of 16",
    "random_8rows_allbanks": "random, 8 rows", "random": "random", "stride_row_1bank": "new row, 1 bank",
}
COLORS = ["#2a6f4e", "#90d2aa", "#8794ca", "#e0a458", "#9c2a1a", "#20416b"]
CONTROLLERS = {
    ("RoBaBgRaCoCh BaBg^Ro", "Open", "FRFCFS", 0, 0.2, "AllBank"): "banks XOR row",
    ("MOP4CLXOR", "Open", "FRFCFS", 0, 0.2, "AllBank"): "MOP4CLXOR",
    ("RoBaRaCoCh", "Closed", "FRFCFS", 0, 0.2, "AllBank"): "closed rows",
    ("RoBaRaCoCh", "Open", "FRFCFS-AllHits", 0, 0.2, "AllBank"): "all hits first",
    ("RoBaRaCoCh", "Open", "FRFCFS-AllHits", 4, 0.2, "AllBank"): "all hits, cap 4",
    ("RoBaRaCoCh", "Open", "FRFCFS", 0, 0.7, "AllBank"): "short write drains",
    ("RoBaRaCoCh", "Open", "FRFCFS", 0, 0.2, "PerBank"): "refresh per bank",
    ("RoBaRaCoCh", "Open", "FRFCFS", 0, 0.2, "No"): "no refresh",
}
STREAMS = {"seq": "stream", "random_8rows_allbanks": "random, 8 rows", "random": "random"}
STACKS = {"dram-HBM2E_3600": "HBM2E", "dram-HBM3_6400": "HBM3", "dram-HBM3E_9200": "HBM3E"}


def standards(results):
    """Bandwidth of reads by pattern."""
    points = plot.select(results.frame("standards"), read_fraction="1")
    table = plot.wide(points, "hardware", "pattern", "bandwidth_share").loc[list(DRAMS)]
    peak = (points["bandwidth"] / points["bandwidth_share"]).groupby(points["hardware"]).first()
    return plot.compare(table[list(PATTERNS)], "bandwidth, peak = 1", height=3, ylim=(0, 1.05), colors=COLORS,
                        labels=PATTERNS, fontsize=plot.TINY, columns=6,
                        names=lambda name: f"{DRAMS[name]}\n{peak[name] / 1e9:.3g} GB/s", data=table.reset_index())


def controllers(results):
    """Bandwidth with another controller over that of the default."""
    keys = ["mapping", "row_policy", "scheduler", "hit_cap", "write_low", "refresh"]
    table = plot.wide(results.frame("policies"), keys, ["pattern", "hardware"], "bandwidth")
    table = table / table.loc[("RoBaRaCoCh", "Open", "FRFCFS", 0, 0.2, "AllBank")]
    table = table.loc[list(CONTROLLERS)].set_axis(list(CONTROLLERS.values()))
    drams = [name for name in DRAMS if name in table["seq"]]
    return plot.compare({label: table[pattern][drams] for pattern, label in STREAMS.items()}, "bandwidth, default = 1",
                        rows=3, height=5.5, sharey=False, colors=COLORS, labels={name: DRAMS[name].replace("\n", "-") for name in drams},
                        fontsize=plot.TINY, columns=5, data=table)


def pim(results):
    """Attention PIM on three standards: tokens a second and joules a token."""
    points = plot.select(results.frame("pim-standards"), context=8192, batch=[64, 128]).copy()
    points["limit"] = points["hardware.pim.stack.power_limit"].astype(int).map({1: "power limit", 0: "no power limit"})
    points["joules"] = points["energy"] / points["batch"]
    tables = {}
    for metric, label in (("tokens_per_second", "tokens/s"), ("joules", "J/token")):
        table = plot.wide(points, ["batch", "limit"], "memory", metric)[list(STACKS)]
        tables[label] = table.set_axis([f"batch {batch},\n{limit}" for batch, limit in table.index])
    return plot.compare(tables, list(tables), height=3, sharey=False, colors=COLORS, labels=STACKS, fontsize=plot.TINY,
                        columns=4)


def memories(results):
    """A product on three kinds of PIM by memory, and attention PIM by its power limit."""
    studies = {"newton-memories": "Newton", "aim-memories": "AiM", "hbm-pim-memories": "HBM-PIM"}
    times = {label: results.frame(study).query("refresh_rate == 1").set_index("memory")["time"] * 1e6
             for study, label in studies.items()}
    table = pandas.DataFrame(times)
    return plot.compare(table, "us", height=3, colors=COLORS, fontsize=plot.TINY, columns=3,
                        names=lambda name: DRAMS.get(name, "its own"), data=table.reset_index())
