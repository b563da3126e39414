"""Every published value of all papers, ours by theirs, from the reports of `pimsweep report --csv`."""

import numpy as np
import pandas as pd

import pimsweep
from fidelity_docs import with_bands
from pimsweep import plot
from pimsweep.analysis.judge import QUARTER, WITHIN
from pimsweep.analysis.tally import counted, short_headline, within

# Papers with recomputed values.
PAPERS = {"allspark": "Allspark", "hypar": "HyPar", "pimflow": "PIMFlow", "heteropim": "Hetero-PIM",
          "rtconc": "Runtime\nconcurrency", "cent": "CENT", "attacc": "AttAcc", "ianus": "IANUS", "neupims": "NeuPIMs",
          "duplex": "Duplex", "papi": "PAPI"}
LOWEST, HIGHEST = 0.1, 10
PREFIX = "fidelity-"


def _lanes(axes, rows, drawn, classes):
    """Ours by theirs, a paper in each row, and in it a lane for each class of values, {label: (which, color, marker)}."""
    axes.axvspan(0.9, 1.1, color="0.9", label="within 10 %")
    axes.axvline(1, color="black", linewidth=0.6)
    for number, (label, (which, color, marker)) in enumerate(classes.items()):
        lane = 0.9 * ((number + 0.5) / len(classes) - 0.5)
        of_class = rows[which]
        # Values of one lane are spread over its height, in the order of the paper.
        height = (of_class.groupby("paper").cumcount() + 0.5) / of_class.groupby("paper")["id"].transform("size") - 0.5
        axes.plot(of_class.ratio.clip(LOWEST, HIGHEST), of_class["paper"].map(drawn.index) + lane + 0.6 / len(classes) * height, marker,
                  color=color, markersize=2.5, markeredgewidth=0.7, label=f"{label}: {len(of_class)}", clip_on=False)
        for paper, key in enumerate(drawn):
            axes.text(1.02, paper + lane, (of_class["paper"] == key).sum() or "", transform=axes.get_yaxis_transform(), va="center",
                      fontsize=plot.TINY)
    for border in range(1, len(drawn)):
        axes.axhline(border - 0.5, color="0.8", linewidth=0.6)


def papers(results):
    """Of a folder that holds PAPER_report.csv of some papers."""
    paths = {paper: results / f"{paper}_report.csv" for paper in PAPERS}
    drawn = [paper for paper, path in paths.items() if path.exists()]
    reports = with_bands(pd.concat([pimsweep.report(paths[paper]) for paper in drawn]))
    rows = counted(reports)
    near, fair = within(rows, WITHIN), within(rows, QUARTER)
    # A claim or a text has no number: it holds, or is drawn at the edge.
    rows = rows.assign(ratio=(1 + pd.to_numeric(rows.deviation, errors="coerce")).fillna(near.map({True: 1.0, False: LOWEST})))
    sure, covered = rows.determined == "yes", rows.covered == "yes"
    figure, (left, right) = plot.panels(1, 2, 0.9 + 0.5 * len(drawn), short_headline(reports), sharey=True, titles=[
        f"printed facts determine these {sure.sum()}", f"these {(~sure).sum()} depend on unprinted constants"])
    _lanes(left, rows, drawn, {"within 10 %": (sure & near, "#2a6f4e", "o"), "within 25 %": (sure & fair & ~near, "#8794ca", "s"),
                               "farther": (sure & ~fair, "#9c2a1a", "x")})
    _lanes(right, rows, drawn, {"within the range of these constants": (~sure & covered, "#20416b", "^"),
                                "outside of it": (~sure & ~covered, "#e0a458", "D")})
    for axes in (left, right):
        plot.set_axes(axes, log_x=[0.1, 0.2, 0.5, 1, 2, 5, 10], xlim=(LOWEST, HIGHEST), ylim=(len(drawn) - 0.5, -0.5),
                      xlabel="ours, published = 1 (others at the edge)")
        axes.grid(axis="y", visible=False)
    left.set_yticks(np.arange(len(drawn)), [PAPERS[paper] for paper in drawn])
    plot.legend(figure, 3, left, right)
    return figure, rows[["id", "paper", "verdict", "ratio", "determined", "covered"]]
