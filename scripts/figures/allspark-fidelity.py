"""What experiments/allspark-fidelity.toml adds: the formulas' deviation from routers and DRAM, every schedule."""

from allspark import SIZE
from pimsweep import plot

PREFIX = "allspark-"


def fidelity(results):
    points = plot.select(results.frame("fidelity"), policy="allspark", fidelity="cycle")
    table = 100 * plot.wide(points, "model", SIZE, "formula_deviation")
    return plot.compare(
        table, "absolute deviation of the\nformula from simulation (%)", colors=("#b0b7c3", "#7fa8d1", "#2a6f4e"),
        labels={size: f"{size} px" for size in table}, rotation=30, ha="right")
