"""What experiments/allspark-fidelity.toml adds: the formulas' deviation from routers and DRAM, every schedule."""

from allspark import SIZE
from pimsweep import plot

PREFIX = "allspark-"
fidelity = plot.drawing(
    "fidelity", lambda rows: 100 * plot.wide(rows, "model", SIZE, "formula_deviation").rename(columns="{} px".format),
    where={"policy": "allspark", "fidelity": "cycle"}, ylabel="absolute deviation of the\nformula from simulation (%)",
    colors=("#b8bacc", "#8794ca", "#2a6f4e"), rotation=30, ha="right")
