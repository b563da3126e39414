"""Exchanges between branches by formula and on the routers, of experiments/allspark-placement.toml."""

from pimsweep import plot

COLORS = {"swin-b": "#2a6f4e", "focal-b": "#7fa8d1", "twins-svt-b": "#e0a458"}
ROUTES = {"corner": "by the corners", "direct": "from node to node"}
PREFIX = "allspark-"
MARKERS = {"greedy": "o", "random": "x"}


def exchange_fidelity(results):
    keys = ["interaction_route", "model", "placement", "image_px", "stage"]
    cycles = plot.wide(results.detail("fidelity", "interactions"), keys, "fidelity", "cycles").dropna()
    figure, axes = plot.panels(1, 2, 3.8, sharex=True, sharey=True, xlabel="time on the routers (cycles)",
                               ylabel="time by formula (cycles)")
    for axis, (route, title) in zip(axes, ROUTES.items()):
        part = cycles.loc[route]
        groups = {f"{model}, {placement}": rows for (model, placement), rows in
                  part.groupby(level=["model", "placement"], sort=False)}
        plot.agreement(axis, {name: (rows["cycle"], rows["analytic"]) for name, rows in groups.items()},
                       fillstyle="none",
                       styles={name: {"color": COLORS[model], "marker": MARKERS[placement], "markersize": 4}
                               for name in groups for model, placement in [name.split(", ")]})
        error = part["analytic"] / part["cycle"] - 1
        axis.set(title=f"{title}: median {100 * error.median():+.0f} %,\nrank correlation "
                 f"{part.corr(method='spearman').iloc[0, 1]:.3f}")
    plot.legend(figure, 3, axes[0])
    return figure, cycles.reset_index()
