"""PE arrays from experiments/gemm.toml's results: dataflows and shapes, Timeloop's mappings, objectives."""

from pimsweep import plot

DATAFLOWS = {"mapped": ("best mapping", "#2a6f4e"), "os": ("output stationary", "#e0a458"),
             "ws": ("weight stationary", "#9c2a1a"), "is": ("input stationary", "#8794ca")}
MARKERS = {8: "v", 16: "<", 32: "s", 64: ">", 128: "^"}
MAPSPACES = {"uber": "exact factors", "ruby no remainders": "Ruby, exact factors", "ruby remainders 8": "Ruby, ragged"}
OBJECTIVES = ["delay then energy", "energy then delay", "energy-delay product"]
ENERGY, BUFFER = "energy of a multiply-\naccumulate (pJ)", "hardware.sram.buffer"
TIMES = "\N{MULTIPLICATION SIGN}"


def by_gemm(points):
    """{title: points} of each GEMM."""
    return {f" {TIMES} ".join(map(str, size)): rows for size, rows in points.groupby(["M", "N", "K"], sort=False)}


def _shapes(axis, rows):
    for dataflow, (_, color) in DATAFLOWS.items():
        of_flow = plot.select(rows, dataflow=dataflow)
        places = of_flow["utilization_pct"], of_flow["fJ_per_MAC_total"] / rows["fJ_per_MAC_total"].min()
        axis.plot(*places, "-", color=color, linewidth=0.5)
        for x, y, size in zip(*places, of_flow["array_rows"]):
            axis.plot(x, y, MARKERS[size], color=color)


def shapes(results):
    """Utilization and energy of every GEMM, dataflow and array shape."""
    points = results.frame("shapes")
    return plot.compare(
        by_gemm(points), "energy,\nGEMM's minimum = 1", draw=_shapes, rows=2, height=4.4, sharex=True,
        xlim=(-3, 103), xlabel="utilization (%)", columns=5, entries=[
            *(plot.entry(label, marker="o", color=color) for label, color in DATAFLOWS.values()),
            *(plot.entry(f"{rows} {TIMES} {1024 // rows} PEs", marker=marker) for rows, marker in MARKERS.items())],
        data=points[["M", "N", "K", "dataflow", "array_rows", "array_cols", "cycles", "utilization_pct",
                     "fJ_per_MAC_total"]])


def timeloop(results):
    """The best mappings beside Timeloop's."""
    metrics = {"cycles": ("time (cycles)", 1), "fJ_per_MAC_total": ("energy of a multiply-accumulate (pJ)", 1e3)}
    table = results.frame("timeloop")[["label_case_id", "label_mapspace", "M", "N", "K", *metrics,
                                       *(f"reference_{metric}" for metric in metrics)]]
    parts = plot.split(table, "label_mapspace", MAPSPACES)
    return plot.compare(
        {metric: plot.Panel({name: (rows[f"reference_{metric}"] / scale, rows[metric] / scale)
                             for name, rows in parts.items()}, title="") for metric, (_, scale) in metrics.items()},
        [f"{label}, best mapping" for label, _ in metrics.values()], draw=plot.agreement, sharey=False, height=3.6,
        xlabel=[f"{label}, Timeloop" for label, _ in metrics.values()], columns=0,
        artists=[("legend", {"loc": "upper left"})], data=table)


def objectives(results):
    """What each objective makes of a larger buffer."""
    points = plot.select(results.frame("objectives"), array_rows=8, dram_words_per_cycle=1)

    def row(metric, scale, **options):
        tables = {title: plot.wide(rows, BUFFER, "metrics", metric).sort_index()[OBJECTIVES] / scale
                  for title, rows in by_gemm(points).items()}
        return {title: plot.Panel(table.set_axis(table.index / 1024), **options) for title, table in tables.items()}
    return plot.compare(
        {"time (million cycles)": row("cycles", 1e6, log_y=[1, 2, 5, 10]), ENERGY: row("fJ_per_MAC_total", 1e3)}, "{}",
        draw=plot.lines, height=4, sharex=True, sharey="row", xlabel="buffer (KiB)", log_x=plot.rows, columns=3,
        data=points[["M", "N", "K", "metrics", BUFFER, "cycles", "fJ_per_MAC_total", "mapping"]])
