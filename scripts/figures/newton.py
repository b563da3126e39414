"""What PIMFlow's artifact does beside what its paper says, from the results of experiments/newton.toml."""

import pandas as pd

from pimflow import CONTROLLERS, gains
from pimsweep import plot

COLORS = {"artifact": "#7d8799", "paper": "#2a6f4e"}
# n_gwrite, gwrite_hiding (the names of Figure 14 of the paper).
OPTIMIZATIONS = {"Newton+": (1, 0), "GW (hiding)": (1, 1), "GB (4 buffers)": (4, 0), "Newton++ (both)": (4, 1)}
MODELS = {"mobilenet-v2": "MBNetV2", "mnasnet-1.0": "MnasNet", "efficientnet-v1-b0": "ENetB0", "resnet-50": "ResNet50",
          "vgg-16": "VGG16"}


def cycles(results, **chosen):
    """A row for each layer, a column for each controller, number of buffers and hiding."""
    keys = ["label_model", "label_layer", "label_op"]
    return plot.wide(results.frame("controllers"), keys, ["controller", "n_gwrite", "gwrite_hiding"], "pim_cycles",
                     label_model=list(MODELS), **chosen).dropna()


def controllers(results):
    table = cycles(results)
    figure, axes = plot.panels(2, 1, 4.4, titles=("Newton+", "Newton++ (both)"), sharey=True, log_y=[0.5, 1, 2, 5, 10],
                               ylabel="time under the artifact's\ncontroller, paper's = 1", xlim=(-1, len(table)))
    for axis in axes:
        key = OPTIMIZATIONS[axis.get_title()]
        ratio = table["artifact", *key] / table["paper", *key]
        plot.runs(axis, ratio, plot.PALETTE, 1, names={model: f"{short}:\nmean {ratio[model].mean():.2f}"
                                                       for model, short in MODELS.items()})
    return figure, table.set_axis(["_".join(map(str, column)) for column in table], axis=1).reset_index()


def command_optimizations(results):
    """Figure 14 on PIM alone: what each optimization gains under either controller."""
    sums = cycles(results, label_op="conv").groupby(level="label_model", sort=False).sum().loc[list(MODELS)]
    tables = {title: plot.with_mean(pd.DataFrame({
        name: sums[controller, *OPTIMIZATIONS["Newton+"]] / sums[controller, *key]
        for name, key in list(OPTIMIZATIONS.items())[1:]})) for controller, title in CONTROLLERS.items()}
    return plot.compare(
        tables, "speedup over Newton+ (x)",
        published=lambda table: gains(dict(zip(table, ("fig14-gw", "fig14-gb", "fig14-both")))), base=1,
        mark="published mean, with the GPU's share of the work", names=[*MODELS.values(), "mean"],
        first_mean=len(MODELS), fontsize=plot.TINY)


def channels(results):
    keys = ["channels", "controller", "n_gwrite"]
    totals = results.frame("channels").groupby(keys)["pim_cycles"].sum().unstack(keys[1:]) / 1e6
    styles = {(controller, buffers): {"color": COLORS[controller], "linestyle": style}
              for controller in CONTROLLERS for buffers, style in ((1, "--"), (4, "-"))}
    figure, axis = plot.panels(height=2.8, width=plot.COLUMN, xlabel="PIM channels", ylabel="time (million cycles)",
                               log_x=[1, 2, 4, 8, 16, 32], log_y=True)
    plot.lines(axis, totals, styles, {key: f"{CONTROLLERS[key[0]]}, {key[1]} buffer{'s' * (key[1] > 1)}"
                                      for key in styles})
    plot.legend(figure, 2, axis)
    return figure, totals.set_axis([f"{controller}_{buffers}" for controller, buffers in totals], axis=1).reset_index()
