#!/usr/bin/env python3
"""Draws the figures of the PIMFlow paper, and our own, from the results of experiments/pimflow.toml."""

import common
import pimflow_own as own
import pimflow_paper as paper


DRAWINGS = {"fig1": (paper.figure1,), "fig3": (paper.figure3,), "fig8": (paper.figure8,),
            "fig9": (paper.figure9, paper.figure10, paper.figure11, paper.figure12, paper.table2, own.controllers),
            "fig13": (paper.figure13,), "fig14": (paper.figure14,), "fig15": (paper.figure15,),
            "fig16": (paper.figure16,), "contention": (own.contention,), "interval": (own.interval,),
            "readings": (own.readings,), "gpu_error": (own.gpu_error,)}


def main():
    common.draw_studies(__doc__, DRAWINGS)


if __name__ == "__main__":
    main()
