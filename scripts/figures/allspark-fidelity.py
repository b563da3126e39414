#!/usr/bin/env python3
"""Draws what experiments/allspark-fidelity.toml adds: the formulas' deviation from routers and DRAM, every schedule."""

import allspark_comparison as comparison
import common

if __name__ == "__main__":
    comparison.fidelity(*common.arguments(__doc__))
