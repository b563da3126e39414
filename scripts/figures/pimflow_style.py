"""What the figures of PIMFlow share: names, colours, published numbers, axes."""

import numpy as np

import common
from common import COLUMN, PAGE, SMALL

# The five networks of the paper, in its order, and those that it calls mobile.
FIVE = {"efficientnet-b0": "ENetB0", "mnasnet-1.0": "MnasNet", "mobilenet-v2": "MBNetV2", "resnet-50": "ResNet50",
        "vgg-d": "VGG16"}
MOBILE = list(FIVE)[:3]
POLICIES = {"newton+": "Newton+", "newton++": "Newton++", "pimflow-md": "PIMFlow-md", "pimflow-pl": "PIMFlow-pl",
            "pimflow": "PIMFlow", "pimflow-optimal": "best plan"}
# Of different lightness, so that they can be told apart without colour too.
COLOURS = {"gpu": "#5d6778", "newton+": "#b0b7c3", "newton++": "#7fa8d1", "pimflow-md": "#2f6fb0",
           "pimflow-pl": "#e0a458", "pimflow": "#2a6f4e", "pimflow-optimal": "#9cc9b0"}
# A line for each network has its own marker as well.
NETWORKS = {"efficientnet-b0": ("#2a6f4e", "o"), "mnasnet-1.0": ("#e0a458", "s"), "mobilenet-v2": ("#7fa8d1", "^"),
            "resnet-50": ("#20416b", "v"), "vgg-d": ("#9a3b26", "P")}
CONTROLLERS = {"artifact": "artifact's controller", "paper": "paper's controller"}


def fact(name):
    """A published number of the paper, by the rest of its id."""
    return float(common.published("pimflow").loc[f"pimflow-{name}", "value"])


def gain(name):
    """A published speedup in per cent, as a ratio."""
    return 1 + fact(name) / 100


def less(name):
    """A published reduction in per cent, as what is left."""
    return 1 - fact(name) / 100


def by_policy(points, metric):
    """A row for each of the five networks, a column for each policy."""
    table = points.pivot_table(index="model", columns="policy", values=metric, sort=False)
    return table.reindex(list(FIVE))


def grouped(count, of, total=0.84):
    """Offset of the count-th bar of a group, and the width of a bar."""
    width = total / of
    return (count - (of - 1) / 2) * width, 0.92 * width


def group_axis(axis, names, first_mean=None, **options):
    """Names below the groups; a line in front of the groups that are means."""
    axis.set_xticks(np.arange(len(names)))
    axis.set_xticklabels(names, fontsize=SMALL, **options)
    axis.set_xlim(-0.6, len(names) - 0.4)
    axis.grid(False, axis="x")
    if first_mean is not None:
        axis.axvline(first_mean - 0.5, color="0.6", linewidth=0.6)


def percent(ratio):
    """A speedup as the paper writes it."""
    return f"{100 * (ratio - 1):+.0f} %".replace("-", "\N{MINUS SIGN}")


def legend_below(figure, handles, names, y=0.0, **options):
    figure.legend(handles, names, loc="upper center", bbox_to_anchor=(0.5, y), fontsize=SMALL, columnspacing=1.2,
                  handlelength=1.4, **options)
