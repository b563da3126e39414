#!/usr/bin/env python3
"""Draws the figures of the HyPar paper, and our own, from the results of experiments/hypar.toml."""

import hypar_own as own
import hypar_paper as paper
from pimsweep import plot

DRAWINGS = {"fig5": paper.figure5, "fig6": paper.figure6, "fig7": paper.figure7, "fig8": paper.figure8,
            "fig9": paper.figure9, "fig10": paper.figure10, "fig11": paper.figure11, "fig12": paper.figure12,
            "fig13": paper.figure13, "event": own.event, "timeline": own.timeline, "gap": own.gap,
            "gap_branches": own.gap_branches, "accounting": own.accounting, "row_stationary": own.row_stationary}

if __name__ == "__main__":
    plot.main(__doc__, DRAWINGS)
