#!/usr/bin/env python3
"""Writes docs/fidelity.md and docs/fidelity/*.md: every published number beside ours, from the reports of all papers.

    fidelity_docs.py [--reports DIR] [--output DIR] [--check]

DIR of reports holds PAPER_report.csv as `pimsweep report RESULTS --csv` writes it (default: results/recorded). --check
writes nothing and fails if a page of the output folder (default: docs) is not what would be written.
"""

import argparse
import collections
import difflib
import fnmatch
import pathlib
import sys
import tomllib

import pandas as pd

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts" / "figures"))
import pimsweep_results

PAPERS = {"allspark": "Allspark", "hypar": "HyPar", "pimflow": "PIMFlow", "heteropim": "Hetero-PIM",
          "rtconc": "Runtime concurrency control"}
VERDICTS = {"exact": "equal at the printed precision; an order that holds in every comparison",
            "within": "at most 10 % away, or inside the printed range or bound",
            "off": "further away",
            "calibrated": "a constant was fitted to it, so it validates nothing",
            "inconsistent": "the paper contradicts itself or its own hardware here",
            "open": "not recomputed"}
GENERATED = "<!-- Written by scripts/fidelity_docs.py; edit that, or what it reads. -->\n"


def read_reports(folder):
    """The reports of all papers, with the published description and the known reason of each value."""
    reports = {}
    for paper in PAPERS:
        report = pimsweep_results.report(folder / f"{paper}_report.csv")
        described = report.join(pimsweep_results.published(paper)[["quantity", "model", "policy", "axis"]], on="id")
        reports[paper] = described.fillna("")
    return reports


def read_reasons(reports):
    """The reasons of results/recorded/reasons.toml; fails on one that no value of its paper needs."""
    with open(ROOT / "results" / "recorded" / "reasons.toml", "rb") as file:
        reasons = tomllib.load(file)["reason"]
    for reason in reasons:
        ids = reports[reason["paper"]].id
        idle = [pattern for pattern in reason["ids"] if not fnmatch.filter(ids, pattern)]
        if idle:
            sys.exit(f"results/recorded/reasons.toml: no published value is named {', '.join(idle)}")
    return reasons


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def table(head, rows):
    """A Markdown table; columns of `head` that end in `:` are numbers."""
    lines = ["| " + " | ".join(name.rstrip(":") for name in head) + " |",
             "|" + "|".join("---:" if name.endswith(":") else "---" for name in head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows])


def percent(deviation):
    """A deviation as the report has it, in per cent."""
    if not deviation:
        return ""
    value = 100 * float(deviation)
    return f"{value:+.1f} %" if abs(value) < 1000 else f"{value:+.3g} %"


def printed(row):
    return row.published + (f" to {row.published_hi}" if row.published_hi else "")


def summary(counts, name):
    """A row of totals: how many of each verdict, and how many of those that can be compared are near."""
    compared = sum(counts[verdict] for verdict in ("exact", "within", "off"))
    near = counts["exact"] + counts["within"]
    share = f"{100 * near / compared:.0f} %" if compared else ""
    return [name, sum(counts.values()), *(counts[verdict] for verdict in VERDICTS), share]


def median_deviation(rows):
    deviations = pd.to_numeric(rows[rows.verdict.isin(["exact", "within", "off"])].deviation, errors="coerce").dropna()
    return f"{100 * deviations.abs().median():.1f} %"


def constants():
    """Calibrated constants of configs/hardware: file, key, value, what they were fitted to."""
    def walk(entry, key):
        if "calibrated" in entry:
            yield key, entry
        for name, value in entry.items():
            if isinstance(value, dict):
                yield from walk(value, f"{key}.{name}" if key else name)

    for path in sorted((ROOT / "configs" / "hardware").glob("*.toml")):
        for key, entry in walk(tomllib.loads(path.read_text()), ""):
            yield path.stem, key, entry


def constants_page():
    rows = [[f"[{stem}](../../configs/hardware/{stem}.toml)", f"`{key}`", entry["value"], ", ".join(entry["calibrated"]),
             entry["source"]] for stem, key, entry in constants()]
    return (GENERATED + "# Calibrated constants\n\n"
            f"{len(rows)} constants of configs/hardware were fitted. All others are printed in a source or marked as an "
            "assumption where they stand.\nWhat a constant was fitted to validates nothing: published numbers have the "
            "verdict `calibrated`, rows of measured times are left out of the tables of\n[gpu.md](../gpu.md) and "
            "[manycore.md](../manycore.md).\n\n"
            + table(["hardware file", "constant", "value", "fitted to", "source"], rows) + "\n")


def reason_of(row, reasons):
    """Place in `reasons` of the reason for a value that is off."""
    for i, reason in enumerate(reasons):
        if row.verdict == "off" and row.paper == reason["paper"] and any(fnmatch.fnmatch(row.id, pattern) for pattern in reason["ids"]):
            return i
    return None


def paper_page(paper, report, all_reasons):
    reasons = [reason for reason in all_reasons if reason["paper"] == paper]
    counts = collections.Counter(report.verdict)
    notes, used = {}, collections.defaultdict(list)
    for row in report.itertuples():
        place = reason_of(row, reasons)
        if place is not None:
            used[place].append(row)
        letter = "" if place is None else f"[{place + 1}](#reasons) "
        notes[row.id] = letter + row.note
    text = [GENERATED + f"# Fidelity: {PAPERS[paper]}\n",
            f"{len(report)} published values: " + ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS) + ". "
            f"How the machine is modelled and what was read how: [{paper}.md](../{paper}.md). [fidelity.md](../fidelity.md) "
            "tells what the verdicts mean.\n"]
    contradictions = report[report.verdict == "inconsistent"]
    if len(contradictions):
        text += ["## Contradictions in the paper\n",
                 table(["where", "value", "printed", "ours", "arithmetic"],
                       [[row.where, f"`{row.id}`", f"{printed(row)} {row.unit}", row.reproduced, row.note]
                        for row in contradictions.itertuples()]) + "\n"]
    text += ["## Reasons\n"]
    rows = [[i + 1, len(used[i]), reason["where"], reason["reason"]] for i, reason in enumerate(reasons)]
    noted = [row for row in report.itertuples() if row.verdict == "off" and row.note and reason_of(row, reasons) is None]
    bare = [row for row in report.itertuples() if row.verdict == "off" and not row.note and reason_of(row, reasons) is None]
    text += [f"Of the {counts['off']} values that are off, {sum(map(len, used.values()))} have a reason in this table, "
             f"{len(noted)} one of their own in the note, and {len(bare)} are not explained.\n"]
    if rows:
        text += [table(["no.:", "values:", "where", "why they are off"], rows) + "\n"]
    if bare:
        text += ["Not explained: " + ", ".join(f"`{row.id}`" for row in bare) + ".\n"]
    text += ["## Every published number\n"]
    for where, rows in report.groupby("where", sort=False):
        lines = [[f"`{row.id.removeprefix(paper + '-')}`",
                  "; ".join(filter(None, [row.quantity, row.model, row.policy, row.axis])),
                  printed(row), row.unit, row.reproduced, percent(row.deviation), row.verdict, notes[row.id]]
                 for row in rows.itertuples()]
        got = collections.Counter(rows.verdict)
        title = f"{where} ({', '.join(f'{got[v]} {v}' for v in VERDICTS if got[v])})"
        text += [f"<details><summary>{cell(title)}</summary>\n",
                 table(["value", "what", "published:", "unit", "ours:", "deviation:", "verdict", "note"], lines),
                 "\n</details>\n"]
    return "\n".join(text)


def overview(reports, reasons):
    total = sum((collections.Counter(report.verdict) for report in reports.values()), collections.Counter())
    rows = [summary(collections.Counter(report.verdict), f"[{PAPERS[paper]}](fidelity/{paper}.md)")
            + [median_deviation(report)] for paper, report in reports.items()]
    rows.append([*summary(total, "all"), median_deviation(pd.concat(reports.values()))])
    head = ["paper", "values:", *(f"{verdict}:" for verdict in VERDICTS), "near:", "median deviation:"]
    contradictions = [[PAPERS[paper], row.where, f"{printed(row)} {row.unit}", row.note]
                      for paper, report in reports.items() for row in report.itertuples() if row.verdict == "inconsistent"]
    worst = []
    for paper, report in reports.items():
        counted = collections.Counter(reason_of(row, [r for r in reasons if r["paper"] == paper]) for row in report.itertuples())
        own = [r for r in reasons if r["paper"] == paper]
        worst += [[PAPERS[paper], counted[i], reason["where"], reason["reason"]] for i, reason in enumerate(own) if counted[i] >= 10]
    fitted = list(constants())
    return "\n".join([
        GENERATED + "# Fidelity\n",
        f"Every number that the five papers print and that could be compared: {sum(total.values())} values. "
        "`scripts/reproduce.sh` computes all of them anew and writes\nthese pages; tests fail when a value moves in either "
        "direction, or when a page is not what the values give.\n",
        table(head, rows) + "\n",
        "`near` is the share of exact and within among the values that can be compared (exact, within, off), so it counts "
        "neither calibrated nor contradictory\nones. The median is that of the absolute deviation over the same values.\n",
        table(["verdict", "meaning"], VERDICTS.items()) + "\n",
        "![Ours by published, every value](images/fidelity-papers.png)\n",
        "Each mark is a published value; the band is 10 % to either side. The pages of the papers have every row. "
        "[validation.md](validation.md) has the parts\nthat have measurements or other simulators to be compared with.\n",
        "## Contradictions in the papers\n",
        table(["paper", "where", "printed", "arithmetic"], contradictions) + "\n",
        "## Largest groups of values that are off\n",
        table(["paper", "values:", "where", "why"], worst) + "\n",
        "## Calibrated constants\n",
        f"{len(fitted)} constants were fitted: [fidelity/constants.md](fidelity/constants.md). {total['calibrated']} published "
        "values served for it.\n"])


def pages(folder):
    reports = read_reports(folder)
    reasons = read_reasons(reports)
    return {"fidelity.md": overview(reports, reasons), "fidelity/constants.md": constants_page(),
            **{f"fidelity/{paper}.md": paper_page(paper, report, reasons) for paper, report in reports.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reports", type=pathlib.Path, default=ROOT / "results" / "recorded")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    stale = []
    for name, text in pages(args.reports).items():
        path = args.output / name
        if args.check:
            held = path.read_text() if path.exists() else ""
            stale += difflib.unified_diff(held.splitlines(), text.splitlines(), str(path), "generated", lineterm="", n=0)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if stale:
        sys.exit("\n".join([*stale, "run scripts/fidelity_docs.py and review what it changes"]))


if __name__ == "__main__":
    main()
