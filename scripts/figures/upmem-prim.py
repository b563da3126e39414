"""Kernels of PrIM on UPMEM's DPUs: modeled beside measured times, from the results of experiments/upmem-prim.toml."""

from pimsweep import plot

ROLES = {"fitted": "one constant fitted to each", "held-out": "held out", "approximate": "BFS, NW, SpMV"}
STYLES = {"one constant fitted to each": {"color": "0.7", "marker": "."}}


def kernels(results):
    """Times of kernels; `within` marks 5 %."""
    points = results.frame("measured")
    series = {}
    for role, name in ROLES.items():
        rows = points[points.label_role == role]
        series[name] = 1e3 * rows.reference_kernel, 1e3 * rows.kernel
    panel = plot.Panel(series, xlabel="measured time (ms)", ylabel="modeled time (ms)")
    return plot.compare(panel, height=3.5, width=plot.COLUMN, draw=plot.agreement, within=0.05, columns=0,
                        markersize=3.5, markeredgewidth=0, styles=STYLES, data=points,
                        artists=[("legend", {"markerscale": 2})])
