"""PE arrays from experiments/gemm.toml's results: dataflows and shapes, Timeloop's mappings, objectives."""

from pimsweep import plot

DATAFLOWS = {"mapped": ("best mapping", "#2a6f4e"), "os": ("output stationary", "#d9b26f"),
             "ws": ("weight stationary", "#c57b57"), "is": ("input stationary", "#7f9cc0")}
MARKERS = {8: "v", 16: "<", 32: "s", 64: ">", 128: "^"}
MAPSPACES = {"uber": "exact factors", "ruby no remainders": "Ruby, exact factors", "ruby remainders 8": "Ruby, ragged"}
OBJECTIVES = ["delay then energy", "energy then delay", "energy-delay product"]
ENERGY, BUFFER = "energy of a multiply-\naccumulate (pJ)", "hardware.sram.buffer"
TIMES = "\N{MULTIPLICATION SIGN}"


def by_product(points):
    """{title: points} of each matrix product."""
    return {f" {TIMES} ".join(map(str, size)): rows for size, rows in points.groupby(["M", "N", "K"], sort=False)}


def shapes(results):
    """Utilization and energy of every product, dataflow and array shape."""
    points = results.frame("shapes")
    products = by_product(points)
    figure, axes = plot.panels(2, 4, 4.4, titles=products, sharex=True, sharey=True, xlim=(-3, 103),
                               xlabel="utilization (%)", ylabel="energy, least for\nthe product = 1")
    for axis, rows in zip(axes.flat, products.values()):
        for dataflow, (_, color) in DATAFLOWS.items():
            of_flow = plot.select(rows, dataflow=dataflow)
            places = of_flow["utilization_pct"], of_flow["fJ_per_MAC_total"] / rows["fJ_per_MAC_total"].min()
            axis.plot(*places, "-", color=color, linewidth=0.5)
            for x, y, size in zip(*places, of_flow["array_rows"]):
                axis.plot(x, y, MARKERS[size], color=color)
    plot.legend(figure, 5, *(plot.entry(label, marker="o", color=color) for label, color in DATAFLOWS.values()),
                *(plot.entry(f"{rows} {TIMES} {1024 // rows} PEs", marker=marker) for rows, marker in MARKERS.items()))
    return figure, points[["M", "N", "K", "dataflow", "array_rows", "array_cols", "cycles", "utilization_pct",
                           "fJ_per_MAC_total"]]


def timeloop(results):
    """The best mappings beside Timeloop's."""
    metrics = {"cycles": ("time (cycles)", 1), "fJ_per_MAC_total": ("energy of a multiply-accumulate (pJ)", 1e3)}
    table = results.frame("timeloop")[["label_case_id", "label_mapspace", "M", "N", "K", *metrics,
                                       *(f"reference_{metric}" for metric in metrics)]]
    figure, axes = plot.panels(1, 2, 3.6, xlabel=[f"{label}, Timeloop" for label, _ in metrics.values()],
                               ylabel=[f"{label}, best mapping" for label, _ in metrics.values()])
    for axis, (metric, (_, scale)) in zip(axes, metrics.items()):
        plot.agreement(axis, {name: (rows[f"reference_{metric}"] / scale, rows[metric] / scale) for name, rows in
                              plot.split(table, "label_mapspace", MAPSPACES).items()})
        axis.legend(loc="upper left")
    return figure, table


def objectives(results):
    """What each objective makes of a larger buffer."""
    points = plot.select(results.frame("objectives"), array_rows=8, dram_words_per_cycle=1)
    products = by_product(points)
    figure, axes = plot.panels(2, len(products), 4, titles=products, sharex=True, sharey="row", xlabel="buffer (KiB)",
                               log_x=sorted(points[BUFFER].unique() / 1024), ylabel=["time (million cycles)", ENERGY])
    for column, rows in zip(axes.T, products.values()):
        for axis, metric, scale in zip(column, ("cycles", "fJ_per_MAC_total"), (1e6, 1e3)):
            table = plot.wide(rows, BUFFER, "metrics", metric).sort_index()[OBJECTIVES] / scale
            plot.lines(axis, table.set_axis(table.index / 1024))
    plot.log_axis(axes[0, 0].yaxis, [1, 2, 5, 10])
    plot.legend(figure, 3, axes[0, 0])
    return figure, points[["M", "N", "K", "metrics", BUFFER, "cycles", "fJ_per_MAC_total", "mapping"]]
