"""Exchanges between branches by formula and on the routers, of experiments/allspark-placement.toml."""

from pimsweep import plot

COLORS = {"swin-b": "#2a6f4e", "focal-b": "#8794ca", "twins-svt-b": "#e0a458"}
ROUTES = {"corner": "by the corners", "direct": "from node to node"}
PREFIX = "allspark-"
MARKERS = {"greedy": "o", "random": "x"}


def exchange_fidelity(results):
    keys = ["interaction_route", "model", "placement", "image_px", "stage"]
    cycles = plot.wide(results.detail("fidelity", "interactions"), keys, "fidelity", "cycles").dropna()
    panels = {}
    for route, title in ROUTES.items():
        part = cycles.loc[route]
        error = part["analytic"] / part["cycle"] - 1
        panels[f"{title}: median {100 * error.median():+.0f} %,\nrank correlation "
               f"{part.corr(method='spearman').iloc[0, 1]:.3f}"] = plot.Panel(
            {f"{model}, {placement}": (rows["cycle"], rows["analytic"]) for (model, placement), rows in
             part.groupby(level=["model", "placement"], sort=False)})
    styles = {f"{model}, {placement}": {"color": color, "marker": marker, "markersize": 4}
              for model, color in COLORS.items() for placement, marker in MARKERS.items()}
    return plot.compare(panels, "time by formula (cycles)", draw=plot.agreement, styles=styles, fillstyle="none",
                        height=3.8, sharex=True, xlabel="time on the routers (cycles)", columns=3,
                        data=cycles.reset_index())
