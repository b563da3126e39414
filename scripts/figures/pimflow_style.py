"""What the figures of PIMFlow share: names, colors, published numbers, axes."""


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
NETWORKS = {"efficientnet-b0": ("#2a6f4e", "o"), "mnasnet-1.0": ("#e0a458", "s"), "mobilenet-v2": ("#7fa8d1", "^"),
            "resnet-50": ("#20416b", "v"), "vgg-d": ("#9a3b26", "P")}
CONTROLLERS = {"artifact": "artifact's controller", "paper": "paper's controller"}


def fact(name):
    """A published number of the paper, by the rest of its id."""
    return pimsweep.fact("pimflow", name)


def gain(name):
    """A published speedup in percent, as a ratio."""
    return 1 + fact(name) / 100


def less(name):
    """A published reduction in percent, as what is left."""
    return 1 - fact(name) / 100


def by_policy(points, metric):
    """A row for each of the five networks, a column for each policy."""
    table = points.pivot_table(index="model", columns="policy", values=metric, sort=False)
    return table.reindex(list(FIVE))


def percent(ratio):
    """A speedup as the paper writes it."""
    return f"{100 * (ratio - 1):+.0f} %".replace("-", "\N{MINUS SIGN}")
