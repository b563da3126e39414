#!/usr/bin/env python3
"""Draws every published value of all papers, ours by theirs, from the reports of `pimsweep report --csv`.

Usage: papers.py REPORTS [--output DIR]; REPORTS is the folder that holds PAPER_report.csv.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from pimsweep import plot

PAPERS = {"allspark": "Allspark", "hypar": "HyPar", "pimflow": "PIMFlow", "heteropim": "Hetero-PIM",
          "rtconc": "Runtime\nconcurrency"}
VERDICTS = {"exact": ("#2a6f4e", "o"), "within": ("#7fa8d1", "s"), "off": ("#9a3b26", "x"),
            "calibrated": ("#e0a458", "^"), "inconsistent": ("black", "*")}
LOWEST, HIGHEST = 0.1, 10


def main():
    folder, output = plot.arguments(__doc__)
    reports = pd.concat([pimsweep_results.report(folder / f"{paper}_report.csv") for paper in PAPERS])
    reports["ratio"] = 1 + pd.to_numeric(reports.deviation, errors="coerce")
    reports = reports.dropna(subset="ratio")
    figure, axes = plt.subplots(figsize=(plot.PAGE, 2.6))
    axes.axvspan(0.9, 1.1, color="#e3e6ec", label="within 10 %")
    axes.axvline(1, color="black", linewidth=0.6)
    # Marks of one paper are spread evenly over its height, in the order of the paper.
    height = reports.groupby("paper").cumcount() / reports.groupby("paper")["id"].transform("size")
    reports["place"] = reports["paper"].map(list(PAPERS).index) + 0.8 * (height - 0.5)
    for verdict, (color, marker) in VERDICTS.items():
        rows = reports[reports.verdict == verdict]
        axes.plot(rows.ratio.clip(LOWEST, HIGHEST), rows.place, marker, color=color, markersize=3, markeredgewidth=0.7,
                  label=verdict, clip_on=False)
    axes.set(xscale="log", xlim=(LOWEST, HIGHEST), xlabel="ours / published (what lies outside is drawn at the edge)",
             ylim=(len(PAPERS) - 0.5, -0.5))
    axes.set_yticks(np.arange(len(PAPERS)), PAPERS.values())
    axes.grid(axis="y", visible=False)
    plot.log_axis(axes.xaxis)
    plot.legend(figure, 6, axes)
    return figure, reports[["id", "paper", "verdict", "ratio"]]  # NAME fidelity-papers


if __name__ == "__main__":
    main()
