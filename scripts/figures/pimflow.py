#!/usr/bin/env python3
"""Draws the figures of the PIMFlow paper, and our own, from the results of experiments/pimflow.toml."""

import pimflow_own as own
import pimflow_paper as paper
from pimsweep import plot

DRAWINGS = {"fig1": paper.figure1, "fig1_intensity": paper.intensities, "fig3": paper.figure3, "fig8": paper.figure8,
            "fig9": paper.figure9, "fig10": paper.figure10, "fig11": paper.figure11, "fig12": paper.figure12,
            "fig13": paper.figure13, "fig14": paper.figure14, "fig15": paper.figure15, "fig16": paper.figure16,
            "table2": paper.table2, "controllers": own.controllers, "controllers_layers": own.controllers_layers,
            "contention": own.contention, "interval": own.interval, "readings": own.readings,
            "gpu_error": own.gpu_error}

if __name__ == "__main__":
    plot.main(__doc__, DRAWINGS)
