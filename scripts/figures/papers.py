"""Every published value of all papers, ours by theirs, from the reports of `pimsweep report --csv`."""

import numpy as np
import pandas as pd

import pimsweep
from fidelity_docs import with_bands
from pimsweep import plot
from pimsweep.analysis.judge import AGREEING
from pimsweep.analysis.tally import COUNTED_ROLES, as_built, short_headline

# Papers with recomputed values.
PAPERS = {"allspark": "Allspark", "hypar": "HyPar", "pimflow": "PIMFlow", "heteropim": "Hetero-PIM",
          "rtconc": "Runtime\nconcurrency", "cent": "CENT", "attacc": "AttAcc", "ianus": "IANUS", "neupims": "NeuPIMs",
          "duplex": "Duplex", "papi": "PAPI"}
# Each in a row of its own within a paper, so that none hides another.
VERDICTS = {"exact": ("#2a6f4e", "o"), "within": ("#8794ca", "s"), "near": ("#c9a227", "D"), "off": ("#9c2a1a", "x"),
            "inconsistent": ("black", "*")}
LOWEST, HIGHEST = 0.1, 10
PREFIX = "fidelity-"


def papers(results):
    """Of a folder that holds PAPER_report.csv of some papers."""
    paths = {paper: results / f"{paper}_report.csv" for paper in PAPERS}
    drawn = [paper for paper, path in paths.items() if path.exists()]
    reports = with_bands(pd.concat([pimsweep.report(paths[paper]) for paper in drawn]))
    title = short_headline(reports)
    reports = as_built(reports)[lambda rows: rows.role.isin(COUNTED_ROLES) & rows.verdict.isin(VERDICTS)]
    # A claim or a text has no number: it holds, or is drawn at the edge.
    holds = reports.verdict.isin(AGREEING).map({True: 1.0, False: LOWEST})
    reports["ratio"] = (1 + pd.to_numeric(reports.deviation, errors="coerce")).fillna(holds)
    figure, axes = plot.panels(height=0.8 + 0.72 * len(drawn), title=title)
    axes.axvspan(0.9, 1.1, color="#e3e6ec", label="within 10 %")
    axes.axvline(1, color="black", linewidth=0.6)
    names = []
    for verdict, (color, marker) in VERDICTS.items():
        rows = reports[reports.verdict == verdict]
        lane = (list(VERDICTS).index(verdict) + 0.5) / len(VERDICTS) - 0.5
        # Values of one lane are spread over its height, in the order of the paper.
        height = (rows.groupby("paper").cumcount() + 0.5) / rows.groupby("paper")["id"].transform("size") - 0.5
        places = rows["paper"].map(drawn.index) + 0.9 * lane + 0.12 * height
        axes.plot(rows.ratio.clip(LOWEST, HIGHEST), places, marker, color=color, markersize=3, markeredgewidth=0.7,
                  label=f"{verdict} ({len(rows)})", clip_on=False)
        names += [(paper + 0.9 * lane, (rows["paper"] == key).sum()) for paper, key in enumerate(drawn)]
    for place, count in names:
        axes.text(1.01, place, count or "", transform=axes.get_yaxis_transform(), va="center", fontsize=plot.TINY)
    for border in range(1, len(drawn)):
        axes.axhline(border - 0.5, color="0.8", linewidth=0.6)
    plot.set_axes(axes, log_x=[0.1, 0.2, 0.5, 1, 2, 5, 10], xlim=(LOWEST, HIGHEST), ylim=(len(drawn) - 0.5, -0.5),
                  xlabel="ours, published = 1 (what lies outside is drawn at the edge; right: how many)")
    axes.set_yticks(np.arange(len(drawn)), [PAPERS[paper] for paper in drawn])
    axes.grid(axis="y", visible=False)
    plot.legend(figure, 6, axes)
    return figure, reports[["id", "paper", "verdict", "ratio"]]
