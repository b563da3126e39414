#!/usr/bin/env python3
"""Draws what experiments/allspark-fidelity.toml adds: the formulas' deviation from routers and DRAM, every schedule."""

from allspark_comparison import fidelity
from pimsweep import plot

if __name__ == "__main__":
    plot.main(__doc__, {"allspark-fidelity": fidelity})
