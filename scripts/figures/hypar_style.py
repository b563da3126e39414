"""What the figures of HyPar share: names, colors, ratios over the networks."""

import functools

import pandas as pd

import pimsweep
from pimsweep import plot

# The ten networks of the paper; AlexNet as its published numbers need it. Below it two more readings of AlexNet.
TEN = {"sfc": "SFC", "sconv": "SCONV", "lenet-c": "Lenet-c", "cifar-c": "Cifar-c", "alexnet-hypar": "AlexNet",
       "vgg-a": "VGG-A", "vgg-b": "VGG-B", "vgg-c": "VGG-C", "vgg-d": "VGG-D", "vgg-e": "VGG-E"}
ALEXNETS = {"alexnet-one-column": "AlexNet\n1 column", "alexnet": "AlexNet\nwhole"}
NAMES = {**TEN, "gmean": "mean", **ALEXNETS}
POLICIES = {"model": "Model Parallelism", "data": "Data Parallelism", "trick": "one weird trick", "hypar": "HyPar",
            "hypar-optimal": "global optimum in bytes"}
COLORS = {"model": "#e0a458", "data": "#b0b7c3", "trick": "#7fa8d1", "hypar": "#2a6f4e", "hypar-optimal": "#9cc9b0"}
TAGS = {"model": "mp", "data": "dp", "hypar": "hypar"}
NETWORKS = {"h-tree": "H tree", "torus": "torus"}
OPTIMUM = "#e07b00"
fact = functools.partial(pimsweep.fact, "hypar")


def published_name(model):
    """The model's name in published ids: there is one AlexNet."""
    return "alexnet" if model.startswith("alexnet") else model


def published(table, figure):
    """What the paper prints for models (rows) and policies (columns) of a figure."""
    return plot.published_table("hypar", table, lambda model, policy: policy in TAGS and
                                f"{figure}-{published_name(model)}-{TAGS[policy]}")


def normalized(points, metric, rows="model", baseline="data"):
    """The baseline's metric divided by each policy's: larger is better."""
    return plot.speedup(plot.wide(points, rows, "policy", metric), baseline)


def with_gmean(table, more=()):
    """The ten networks in the paper's order, their geometric mean, then `more` networks."""
    ten = plot.with_mean(table.loc[[model for model in TEN if model in table.index]], plot.gmean, "gmean")
    return pd.concat([ten, table.loc[list(more)]])


def network_groups(table):
    """Options of what draws groups, for networks and their mean."""
    return {"names": [NAMES[model] for model in table.index], "first_mean": list(table.index).index("gmean"),
            "fontsize": plot.TINY}


def network_bars(axis, table, colors, labels=None, **options):
    """Groups of bars that start at 1 for the networks and their mean."""
    plot.bars(axis, table, colors, labels, 1, **network_groups(table), **options)
    plot.log_axis(axis.yaxis)
