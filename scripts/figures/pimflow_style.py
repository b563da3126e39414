"""What the figures of PIMFlow share: names, colors, published numbers, axes."""

import functools

import pandas as pd

import pimsweep
from pimsweep import plot

# The five networks of the paper, in its order, and those that it calls mobile.
FIVE = {"efficientnet-b0": "ENetB0", "mnasnet-1.0": "MnasNet", "mobilenet-v2": "MBNetV2", "resnet-50": "ResNet50",
        "vgg-d": "VGG16"}
MOBILE = list(FIVE)[:3]
POLICIES = {"newton+": "Newton+", "newton++": "Newton++", "pimflow-md": "PIMFlow-md", "pimflow-pl": "PIMFlow-pl",
            "pimflow": "PIMFlow", "pimflow-optimal": "best plan"}
# Of different lightness, so that they can be told apart without color too.
COLORS = {"gpu": "#5d6778", "newton+": "#b0b7c3", "newton++": "#7fa8d1", "pimflow-md": "#2f6fb0",
          "pimflow-pl": "#e0a458", "pimflow": "#2a6f4e", "pimflow-optimal": "#9cc9b0"}
# A line for each network has its own marker as well.
NETWORKS = {model: {"color": color, "marker": marker}
            for model, color, marker in zip(FIVE, ("#2a6f4e", "#e0a458", "#7fa8d1", "#20416b", "#9a3b26"), "os^vP")}
CONTROLLERS = {"artifact": "artifact's controller", "paper": "paper's controller"}
SPEEDUP = "speedup over the GPU (x)"
fact = functools.partial(pimsweep.fact, "pimflow")


def gain(name):
    """A published speedup in percent, as a ratio."""
    return 1 + fact(name) / 100


def less(name):
    """A published reduction in percent, as what is left."""
    return 1 - fact(name) / 100


def by_policy(points, metric, columns="policy", **chosen):
    """A row for each of the five networks, a column for each policy, or as told."""
    return plot.wide(points, "model", columns, metric, **chosen).loc[list(FIVE)]


def gains(ids, row="mean"):
    """A table of published speedups for one row, {column: id}, or for several, {row: {column: id}}."""
    rows = ids if any(isinstance(of_row, dict) for of_row in ids.values()) else {row: ids}
    return pd.DataFrame({name: {column: gain(id_) for column, id_ in ids_.items()} for name, ids_ in rows.items()}).T


def percent(ratio):
    """A speedup as the paper writes it."""
    return f"{100 * (ratio - 1):+.0f} %".replace("-", "\N{MINUS SIGN}")


def network_handles():
    return [plot.entry(name, **NETWORKS[model]) for model, name in FIVE.items()]


def mean_bars(axis, tables, colors, names, published=None, **options):
    """Bars of the means of {label: table of networks by what is compared}, with the networks as marks."""
    axis.set_ylabel(SPEEDUP)
    return plot.mean_bars(axis, tables, colors, NETWORKS, base=1, published=published, names=names, **options)
