#!/usr/bin/env python3
"""Draws the figures of the HyPar paper, and our own, from the results of experiments/hypar.toml."""

import hypar_own as own
import hypar_paper as paper
from pimsweep import plot

DRAWINGS = {**{f"fig{number}": getattr(paper, f"figure{number}") for number in range(5, 14)}, "event": own.event,
            "timeline": own.timeline, "gap": own.gap, "gap-branches": own.gap_branches, "accounting": own.accounting,
            "row-stationary": own.row_stationary}

if __name__ == "__main__":
    plot.main(__doc__, DRAWINGS, "hypar")
