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
    ratios = {title: table["artifact", *OPTIMIZATIONS[title]] / table["paper", *OPTIMIZATIONS[title]]
              for title in ("Newton+", "Newton++ (both)")}
    return plot.compare(
        {title: plot.panel(ratio, names={model: f"{short}:\nmean {ratio[model].mean():.2f}"
                                         for model, short in MODELS.items()}) for title, ratio in ratios.items()},
        "time under the artifact's\ncontroller, paper's = 1", draw=plot.runs, base=1, stack=True, height=4.4,
        log_y=[0.5, 1, 2, 5, 10], xlim=(-1, len(table)), columns=None,
        data=table.set_axis(["_".join(map(str, column)) for column in table], axis=1).reset_index())


def command_optimizations(results):
    """Figure 14 on PIM alone: what each optimization gains under either controller."""
    sums = cycles(results, label_op="conv").groupby(level="label_model", sort=False).sum().loc[list(MODELS)]
    base, *others = OPTIMIZATIONS
    return plot.compare(
        {title: plot.with_mean(pd.DataFrame({name: sums[controller, *OPTIMIZATIONS[base]] /
                                             sums[controller, *OPTIMIZATIONS[name]] for name in others}))
         for controller, title in CONTROLLERS.items()}, "speedup over Newton+ (x)", base=1, published=lambda table: gains(
             dict(zip(table, ("fig14-gw", "fig14-gb", "fig14-both")))), mark="published mean, with the GPU's share of the work",
        names=MODELS, first_mean=len(MODELS), fontsize=plot.TINY)


channels = plot.drawing(
    "channels", lambda rows: rows.groupby(["channels", "controller", "n_gwrite"])["pim_cycles"].sum().unstack(
        ["controller", "n_gwrite"]) / 1e6, draw=plot.lines, styles={
            (controller, buffers): {"color": COLORS[controller], "linestyle": style,
                                    "label": f"{name}, {buffers} buffer{'s' * (buffers > 1)}"}
            for controller, name in CONTROLLERS.items() for buffers, style in ((1, "--"), (4, "-"))},
    height=2.8, width=plot.COLUMN, columns=2, xlabel="PIM channels", ylabel="time (million cycles)",
    log_x=[1, 2, 4, 8, 16, 32], log_y=True)
