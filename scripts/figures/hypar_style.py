"""What the figures of HyPar share: names, colors, ratios over the networks."""

import pandas as pd

import pimsweep
from pimsweep import plot
from pimsweep.plot import TINY

# The ten networks of the paper; AlexNet as its published numbers need it. Below it two more readings of AlexNet.
TEN = {"sfc": "SFC", "sconv": "SCONV", "lenet-c": "Lenet-c", "cifar-c": "Cifar-c", "alexnet-hypar": "AlexNet",
       "vgg-a": "VGG-A", "vgg-b": "VGG-B", "vgg-c": "VGG-C", "vgg-d": "VGG-D", "vgg-e": "VGG-E"}
ALEXNETS = {"alexnet-one-column": "AlexNet\n1 column", "alexnet": "AlexNet\nwhole"}
POLICIES = {"model": "Model Parallelism", "data": "Data Parallelism", "trick": "one weird trick", "hypar": "HyPar",
            "hypar-optimal": "global optimum in bytes"}
COLORS = {"model": "#e0a458", "data": "#b0b7c3", "trick": "#7fa8d1", "hypar": "#2a6f4e", "hypar-optimal": "#9cc9b0"}
TAGS = {"model": "mp", "data": "dp", "hypar": "hypar"}
TIME = "time"
DP, MP, OPTIMUM, MARK = "#e3e6ec", COLORS["hypar"], "#e07b00", "firebrick"


def fact(name):
    """A published number of the paper, by the rest of its id."""
    return pimsweep.fact("hypar", name)


def published_name(model):
    """The model's name in published ids: there is one AlexNet."""
    return "alexnet" if model.startswith("alexnet") else model


def normalized(points, metric, index="model", baseline="data"):
    """The baseline's metric divided by each policy's: larger is better."""
    table = points.pivot_table(index=index, columns="policy", values=metric, sort=False)
    return table.rdiv(table[baseline], axis=0)


def with_gmean(table):
    """The ten networks in the paper's order, then their geometric mean."""
    table = table.reindex([model for model in TEN if model in table.index])
    return pd.concat([table, plot.gmean(table).to_frame("gmean").T])


def network_axis(axis, models):
    names = {**TEN, **ALEXNETS, "gmean": "Gmean"}
    plot.group_names(axis, [names[model] for model in models], list(models).index("gmean"), fontsize=TINY)


def label_above(axis, labels):
    """Upright labels above the axes, given as (position, text, color)."""
    above = axis.secondary_xaxis("top")
    above.set_xticks([position for position, _, _ in labels], [text for _, text, _ in labels], rotation=90,
                     fontsize=TINY)
    above.tick_params(length=0, pad=1)
    above.spines[:].set_visible(False)
    for label, (_, _, color) in zip(above.get_xticklabels(), labels):
        label.set_color(color)


def ratio_axis(axis):
    """For bars of ratios, which start at 1 and go up or down."""
    axis.axhline(1, color="0.3", linewidth=0.8)
    axis.set_yscale("log")
    plot.log_axis(axis.yaxis)
