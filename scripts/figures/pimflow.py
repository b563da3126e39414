#!/usr/bin/env python3
"""Draws the figures of the PIMFlow paper, and our own, from the results of experiments/pimflow.toml."""

import pimflow_own as own
import pimflow_paper as paper
from pimsweep import plot

DRAWINGS = {**{f"fig{number}": getattr(paper, f"figure{number}") for number in (1, 3, *range(8, 17))},
            "fig1-intensity": paper.intensities, "table2": paper.table2, "controllers": own.controllers,
            "controllers-layers": own.controllers_layers, "contention": own.contention, "interval": own.interval,
            "readings": own.readings, "gpu-error": own.gpu_error}

if __name__ == "__main__":
    plot.main(__doc__, DRAWINGS, "pimflow")
