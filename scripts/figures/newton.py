"""What PIMFlow's artifact does beside what its paper says, from the results of experiments/newton.toml."""

from pimflow import CONTROLLERS, gains
from pimsweep import plot

COLORS = {"artifact": "#8794ca", "paper": "#2a6f4e"}
# n_gwrite, gwrite_hiding (the names of Figure 14 of the paper).
OPTIMIZATIONS = {"Newton+": (1, 0), "GW (hiding)": (1, 1), "GB (4 buffers)": (4, 0), "Newton++ (both)": (4, 1)}
MODELS = {"mobilenet-v2": "MBNetV2", "mnasnet-1.0": "MnasNet", "efficientnet-v1-b0": "ENetB0", "resnet-50": "ResNet50",
          "vgg-16": "VGG16"}


def cycles(rows, **chosen):
    """A row for each layer, a column for each controller, number of buffers and hiding."""
    return plot.wide(rows, ["label_model", "label_layer", "label_op"], ["controller", "n_gwrite", "gwrite_hiding"],
                     "pim_cycles", label_model=list(MODELS), **chosen).dropna()


def controllers(results):
    table = cycles(results.frame("controllers"))
    ratios = {title: table["artifact", *OPTIMIZATIONS[title]] / table["paper", *OPTIMIZATIONS[title]]
              for title in ("Newton+", "Newton++ (both)")}
    return plot.compare(
        {title: plot.Panel(ratio, names={model: f"{short}:\nmean {ratio[model].mean():.2f}"
                                         for model, short in MODELS.items()}) for title, ratio in ratios.items()},
        "time under the artifact's\ncontroller, paper's = 1", draw=plot.runs, base=1, stack=True, height=4.4,
        log_y=[0.5, 1, 2, 5, 10], xlabel="layer shapes of each network, first to last; the data name them",
        xlim=(-1, len(table)), columns=0,
        data=table.set_axis(["_".join(map(str, column)) for column in table], axis=1).reset_index())


def _gains(rows):
    """What each optimization gains in convolutions under a controller."""
    sums = cycles(rows, label_op="conv").droplevel("controller", axis=1).groupby(level=0, sort=False).sum()
    sums = sums[list(OPTIMIZATIONS.values())].set_axis(list(OPTIMIZATIONS), axis=1)
    return plot.with_mean(plot.speedup(sums, "Newton+").drop(columns="Newton+"))


# Figure 14 on PIM alone.
command_optimizations = plot.drawing(
    "controllers", _gains, {"controller": CONTROLLERS}, ylabel="speedup over Newton+ (x)", base=1,
    published=lambda table: gains({"mean": dict(zip(table, ("fig14-gw", "fig14-gb", "fig14-both")))}),
    names=MODELS, first_mean=len(MODELS), mark="published mean, with the GPU's share of the work", fontsize=plot.TINY)
channels = plot.drawing(
    "channels", lambda rows: rows.groupby(["channels", "controller", "n_gwrite"])["pim_cycles"].sum().unstack(
        ["controller", "n_gwrite"]) / 1e6, draw=plot.lines, styles={
            (controller, buffers): {"color": COLORS[controller], "linestyle": style,
                                    "label": f"{name}, {buffers} buffer{'s' * (buffers > 1)}"}
            for controller, name in CONTROLLERS.items() for buffers, style in ((1, "--"), (4, "-"))},
    height=2.8, width=plot.COLUMN, columns=2, xlabel="PIM channels", ylabel="time (million cycles)",
    log_x=[1, 2, 4, 8, 16, 32], log_y=True)
