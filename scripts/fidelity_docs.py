#!/usr/bin/env python3
"""Writes docs/fidelity.md and docs/fidelity/*.md: every published number beside ours, from the reports of all papers.

    fidelity_docs.py [--reports DIR] [--output DIR] [--check] [--summary]

DIR of reports holds PAPER_report.csv as `pimsweep report RESULTS --csv` writes it (default: results/recorded).
results/recorded/bands.csv says what the values are on other machines, influence.csv which constants decide them
(scripts/bands.sh), determined.csv which values printed facts determine. --check writes nothing and fails
if a page of the output folder (default: docs) is not what would be written, or if a value that is off was not computed
on other machines.
"""

import argparse
import collections
import difflib
import fnmatch
import functools
import pathlib
import sys
import textwrap
import tomllib

import numpy as np
import pandas as pd

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))
import pimsweep
from pimsweep import influence
from pimsweep.analysis import read_published
from pimsweep.analysis.report import verdict_text
from pimsweep.analysis.tables import aligned
from pimsweep.analysis.tally import (COUNTED_ROLES, as_built, compared, counted, headline, is_determined, percent_or_dash, share, split, tally, within)

PAPERS = {"allspark": "Allspark", "hypar": "HyPar", "pimflow": "PIMFlow", "heteropim": "Hetero-PIM",
          "rtconc": "Runtime concurrency control", "cent": "CENT", "attacc": "AttAcc", "ianus": "IANUS", "neupims": "NeuPIMs",
          "duplex": "Duplex", "papi": "PAPI", "pimphony": "PIMphony", "samsung": "Samsung's PIM"}
# The page of a paper's model, where it is not PAPER.md.
MODEL_PAGES = {"attacc": "llm", "ianus": "llm", "neupims": "llm", "duplex": "llm", "papi": "llm", "pimphony": "llm", "samsung": "llm"}
VERDICTS = {"exact": "equal at the printed precision; an order that holds in every comparison",
            "within": "at most 10 % away, or inside the printed range or bound as far as the printed digits tell",
            "near": "outside a printed range or bound by more than rounding, at most 10 %; counted within 25 %, not within 10 %",
            "off": "further away",
            "inconsistent": "the paper contradicts itself or its own hardware here",
            "open": "not recomputed"}
ROLES = {"validation": "recomputed; nothing was chosen with the printed value known",
         "artifact": "recomputed by the rules of the paper's own simulator, faults included: says that these rules are understood, not that "
                     "they are right; counted apart",
         "reading": "agreement depends on a post hoc choice, made with the results known",
         "calibrated": "a constant was fitted to it",
         "definition": "true by construction: a baseline, a repeated value, arithmetic, a trivial zero; counted in no share"}
# The blocks that scripts/influence.py evaluates.
BLOCKS = 512
GENERATED = "<!-- Written by scripts/fidelity_docs.py; edit that, or what it reads. -->\n"


def read_reasons():
    """The reasons of results/recorded/reasons.toml, by paper."""
    with open(ROOT / "results" / "recorded" / "reasons.toml", "rb") as file:
        reasons = tomllib.load(file)["reason"]
    return {paper: [reason for reason in reasons if reason["paper"] == paper] for paper in PAPERS}


@functools.cache
def published_sets():
    """The published values, checks and readings of all papers."""
    return {one.paper: one for one in read_published(pimsweep.published_folder())}


def place_of_reason(value, reasons):
    """Place of the first reason that fits a value that is off; -1 if none does."""
    if value.verdict == "off":
        for place, reason in enumerate(reasons):
            if any(fnmatch.fnmatch(value.id, pattern) for pattern in reason["ids"]):
                return place
    return -1


def read_reports(folder):
    """The report of each paper that has one, with the published description of each value and the place of its reason."""
    reports = {}
    for paper, reasons in read_reasons().items():
        if not (folder / f"{paper}_report.csv").exists():
            continue
        report = pimsweep.report(folder / f"{paper}_report.csv")
        idle = [pattern for reason in reasons for pattern in reason["ids"] if not fnmatch.filter(report.id, pattern)]
        if idle:
            sys.exit(f"results/recorded/reasons.toml: no published value is named {', '.join(idle)}")
        described = pimsweep.published(paper)[["quantity", "model", "policy", "axis"]]
        reports[paper] = report.join(described, on="id").fillna("")
        reports[paper]["reason"] = [place_of_reason(value, reasons) for value in report.itertuples()]
        reports[paper] = with_bands(reports[paper])
    if not reports:
        sys.exit(f"{folder} has no PAPER_report.csv")
    return reports


def recorded(name):
    """A table of results/recorded, as text."""
    return pd.read_csv(ROOT / "results" / "recorded" / name, dtype=str, keep_default_na=False)


def with_bands(report):
    """The report with what other machines give: quantiles, the smallest and the largest number, whether the published one
    is covered and reached, and by which constant alone. Nothing for values that are not those on which these machines were
    recorded. `determined` says whether printed facts determine the value, as it was when the ranges were frozen; of values that came
    later by their present bands."""
    bands = recorded("bands.csv")
    columns = ["id", "reproduced", "draws", "least", "low", "median", "high", "most", "near", "covered", "reached", "alone"]
    frozen = recorded("determined.csv").set_index("id").determined
    later = bands.set_index("id").apply(lambda band: "yes" if is_determined(band) else "no", axis=1)
    report = report.merge(bands[columns], on=["id", "reproduced"], how="left").fillna("")
    return report.assign(determined=report.id.map(frozen).fillna(report.id.map(later)).fillna(""))


def untested(reports):
    """The values that are off and for which no machine was sampled as they are now, and counted ones without any."""
    rows = as_built(pd.concat(reports.values()))
    return list(rows[(rows.verdict == "off") & (rows.draws == "")].id) + list(counted(rows)[lambda rows: rows.determined == ""].id)


def describe(value):
    """What a published value is of."""
    return "; ".join(filter(None, [value.quantity, value.model, value.policy, value.axis]))


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def table(head, rows):
    """A Markdown table; columns of `head` that end in `:` are numbers."""
    lines = ["| " + " | ".join(name.rstrip(":") for name in head) + " |",
             "|" + "|".join("---:" if name.endswith(":") else "---" for name in head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows])


def percent(deviation):
    """A deviation as the report has it, in percent."""
    if not deviation:
        return ""
    value = 100 * float(deviation)
    return f"{value:+.1f} %" if abs(value) < 1000 else f"{value:+.3g} %"


def printed(row):
    """As printed: with the sign of a bound, or both ends of a range."""
    return f"{row.sign} " * bool(row.sign) + row.published + (f" to {row.published_hi}" if row.published_hi else "")


def ratio(value, unit):
    """What an improvement in percent is as a ratio, in brackets: 14 % speedup is 1.14 x."""
    signs = {"% speedup": 1, "% slowdown": 1, "% reduction": -1}
    try:
        return f" ({1 + signs[unit] * float(value) / 100:.3g} x)"
    except (KeyError, ValueError):
        return ""


def agreement(report):
    """How many values are compared, exact, within 10 % and within 25 %, as printed and as ratios, and near a bound."""
    found = tally(report)
    near = (found.exact, found.within_10_percent, found.within_25_percent, found.ratio_within_10_percent, found.ratio_within_25_percent)
    return [found.compared, *(share(count, found.compared) for count in near), found.near]


AGREEMENT = ["compared", "exact", "within 10 %", "within 25 %", "as ratios: within 10 %", "within 25 %", "near a bound"]


def with_all(reports):
    """The papers and, if there are several, all of them together."""
    return [*reports.items(), *([("all", pd.concat(reports.values()))] if len(reports) > 1 else [])]


def totals(reports, name=PAPERS.get):
    """A row for each paper and role, and for all papers: how near the values are, each counted once, as built."""
    for role in ("validation", "reading", "artifact"):
        some = {paper: as_built(report)[lambda rows, role=role: rows.role == role] for paper, report in reports.items()}
        for paper, of_role in with_all({paper: of_role for paper, of_role in some.items() if len(of_role)}):
            yield [name(paper, "all"), role, *agreement(of_role), median_deviation(of_role)]


def splits(reports, name=PAPERS.get):
    """A row for each paper, and for all: shares of the values that printed facts determine, coverage of the others."""
    for paper, report in with_all(reports):
        found = split(report)
        sure, other = found.determined, found.dependent
        if sure.compared + other.compared:
            yield [name(paper, "all"), sure.compared + other.compared, sure.compared,
                   *(share(count, sure.compared) for count in (sure.within_10_percent, sure.within_25_percent,
                                                               sure.ratio_within_10_percent, sure.ratio_within_25_percent)),
                   other.compared, share(found.covered, other.compared), percent_or_dash(found.width),
                   *(share(count, other.compared) for count in (other.within_10_percent, other.within_25_percent))]


SPLIT = ["counted", "determined", "within 10 %", "within 25 %", "as ratios: within 10 %", "within 25 %",
         "dependent", "covered", "median width", "within 10 %", "within 25 %"]


def near_text(found):
    """How many values are within 10 and 25 %, as printed and, where that differs, as ratios."""
    ratios = (found.ratio_within_10_percent, found.ratio_within_25_percent)
    text = f"{found.within_10_percent} / {found.within_25_percent} of {found.compared}"
    return text + (f", as ratios {ratios[0]} / {ratios[1]}" if ratios != (found.within_10_percent, found.within_25_percent) else "")


def readings(reports, name=PAPERS.get):
    """A row for each reading with rows of its own: how near the values that it moves are, as built and under it, and all
    values of the paper that are counted then."""
    for paper, report in reports.items():
        for reading in published_sets()[paper].readings:
            under = report[report.duplicated("id") & (report.reading == reading.name)]
            moved = under[under.role.isin(COUNTED_ROLES)]
            if len(moved):
                built = as_built(report)
                rows = (built[built.id.isin(moved.id)], moved, counted(built), counted(pd.concat([under, built])))
                yield [name(paper, ""), reading.name, moved.role.iloc[0], *(near_text(tally(some)) for some in rows)]


READING = ["values that it moves: as built", "under it", "the paper's values: as built", "under it"]


def left_out(reports, name=PAPERS.get):
    """A row for each paper, and for all: the values that no share counts."""
    for paper, report in with_all(reports):
        report = as_built(report)
        roles = collections.Counter(report.role)
        verdicts = collections.Counter(report[~report.role.isin(["calibrated", "definition"])].verdict)
        yield [name(paper, "all"), len(report), roles["calibrated"], roles["definition"], verdicts["inconsistent"], verdicts["open"]]


LEFT_OUT = ["calibrated", "definition", "contradictory", "not recomputed"]


def median_deviation(rows):
    deviations = pd.to_numeric(compared(rows).deviation, errors="coerce").dropna()
    return f"{100 * deviations.abs().median():.1f} %" if len(deviations) else "-"


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
    rows = [[f"[{stem}](../../configs/hardware/{stem}.toml)", f"`{key}`", entry["value"],
             ", ".join(entry["calibrated"]), entry["source"]] for stem, key, entry in constants()]
    return f"""{GENERATED}# Calibrated constants

{len(rows)} constants of configs/hardware were fitted. All others are printed in a source \
or marked as assumptions in their files.
A value to which a constant was fitted validates nothing: published numbers have the role `calibrated`, \
rows of measured times are left
out of the tables of [gpu.md](../gpu.md) and [manycore.md](../manycore.md).

{table(["hardware file", "constant", "value", "fitted to", "source"], rows)}
"""


def contradictions(report):
    """Rows where a paper contradicts itself, each value once."""
    return report[(report.verdict == "inconsistent") & (report.role != "definition")].itertuples()


def reasons_section(report, reasons):
    """Which values are off for which reason, and which for none that is known."""
    off = report[report.verdict == "off"]
    with_reason = off[off.reason >= 0]
    noted = off[(off.reason < 0) & (off.note != "")]
    bare = off[(off.reason < 0) & (off.note == "")]
    def reached(values):
        return f"{(values.reached == 'yes').sum()} of {(values.draws != '').sum()}" if (values.draws != "").any() else "-"
    rows = [[place + 1, (off.reason == place).sum(), reached(off[off.reason == place]), reason["where"], reason["reason"]]
            for place, reason in enumerate(reasons)]
    text = [f"Of the {len(off)} values that are off, {len(with_reason)} have a reason in this table, {len(noted)} one "
            f"of their own in the note, and {len(bare)} are not explained.\n",
            f"All constants that no source prints were moved through their ranges (configs/hardware), together on {off.draws.max()} "
            "machines and one at a\ntime, with the choices that the paper leaves open ([uncertainty.md](../uncertainty.md)): "
            f"{reached(off)} values that are off are reached on some machine.\n"]
    if rows:
        text.append(table(["no.:", "values:", "reached on some machine:", "where", "why they are off"], rows) + "\n")
    if len(bare):
        text.append("Not explained: " + ", ".join(f"`{name}`" for name in bare.id) + ".\n")
    return "\n".join(text)


def machines_note(value):
    """What other machines give for a value that is off."""
    if value.verdict != "off" or not value.draws:
        return ""
    moves = value.least != value.most
    spread = f"{value.least} to {value.most}" if moves else f"{value.least or value.reproduced} on all"
    found = f"reached with {value.alone}" if value.alone else "reached" if value.reached == "yes" else "not reached"
    return f"machines: {spread}, {found}"


def value_row(value):
    reason = f"[{value.reason + 1}](#reasons) " if value.reason >= 0 else ""
    return [f"`{value.id.removeprefix(value.paper + '-')}`", describe(value),
            printed(value) + ratio(value.published, value.unit), value.unit,
            value.reproduced + ratio(value.reproduced, value.unit), percent(value.deviation), verdict_text(value.verdict, value.ratio_verdict),
            value.role + (f": {value.reading}" if value.reading else ""),
            reason + "; ".join(filter(None, [value.note, machines_note(value)]))]


def verdict_counts(report, verdicts=VERDICTS):
    """"70 exact, 46 within" and so on."""
    counts = collections.Counter(report.verdict)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in verdicts)


def paper_page(paper, report, reasons):
    page = MODEL_PAGES.get(paper, paper)
    text = [f"""{GENERATED}# Fidelity: {PAPERS[paper]}

{len(as_built(report))} published values: {verdict_counts(as_built(report))}. The model, and how the paper was read:
[{page}.md](../{page}.md). [fidelity.md](../fidelity.md) explains verdicts and roles.
"""]
    if rows := list(totals({paper: report})):
        text += [table(["paper", "role", *(f"{name}:" for name in AGREEMENT), "median deviation:"], rows) + "\n"]
    if rows := [[reading.name, reading.doc, reading.alternatives, *agreement(report[report.reading == reading.name])[:3]]
                for reading in published_sets()[paper].readings]:
        text += ["## Readings\n\nPost hoc choices, made with the results known. Those with a study of their own have a second row "
                 "for each value that they change.\n",
                 table(["reading", "what was chosen", "alternatives tried:", "values:", "exact:", "within 10 %:"], rows) + "\n"]
    if rows := [[value.where, f"`{value.id}`", f"{printed(value)} {value.unit}", value.reproduced, value.note]
                for value in contradictions(report)]:
        text += ["## Contradictions in the paper\n",
                 table(["where", "value", "printed", "ours", "arithmetic"], rows) + "\n"]
    if (as_built(report).verdict == "off").any():
        text += ["## Reasons\n", reasons_section(as_built(report), reasons)]
    text += [*deciding_section(paper, report), "## Every published number\n"]
    for where, values in report.groupby("where", sort=False):
        present = [verdict for verdict in VERDICTS if (values.verdict == verdict).any()]
        text += [f"<details><summary>{cell(where)} ({verdict_counts(values, present)})</summary>\n",
                 table(["value", "what", "published:", "unit", "ours:", "deviation:", "verdict", "role", "note"],
                       map(value_row, values.itertuples())), "\n</details>\n"]
    return "\n".join(text)


def crossings(values):
    """Where each constant alone brings out values that are off: {axis: [values of the axis]}."""
    places = collections.defaultdict(list)
    for value in values[values.verdict == "off"].itertuples():
        for one in filter(None, value.alone.split("; ")):
            axis, place = one.split(" = ", 1)
            places[axis].append(place)
    return places


def short_list(texts, most=2):
    different = list(dict.fromkeys(texts))
    more = f" and {len(different) - most} more" if len(different) > most else ""
    return ", ".join(different[:most]) + more


def share_of(one):
    """A constant with its share, and the error of the share if it is known."""
    if one.method == "saltelli":
        return f"`{one.axis}` {influence.share_text(one.total, one.total_error)}"
    return f"`{one.axis}` {influence.share_text(one.rank, float('nan'))} of ranks"


def deciding_section(paper, report):
    """The three constants that decide each figure or table, and where they bring out the published numbers."""
    shares = influence.strongest(pd.read_csv(ROOT / "results" / "recorded" / "influence.csv").query("paper == @paper"), 3)
    if shares.empty:
        return
    rows = []
    for where, constants in shares.groupby("where", sort=False):
        values = as_built(report[report["where"] == where])
        off, places = (values.verdict == "off").sum(), crossings(values)
        told = ", ".join(map(share_of, constants.itertuples()))
        blocks = constants["blocks"].iloc[0]
        if 0 < blocks < BLOCKS:
            told += f" (from {blocks:.0f} blocks)"
        found = [f"`{axis}` = {short_list(places[axis])}" for axis in constants.axis if axis in places]
        rows.append([where, constants["values"].iloc[0], told, off, "; ".join(found) or "-"])
    ranks = ""
    if (shares["method"] == "rank").any():
        ranks = '; "of ranks" is a regression on 64 machines,\nfor want of blocks with narrow intervals ([why](../uncertainty.md#influence-of-constants))'
    yield f"""## What decides each figure

Shares of the variance over machines whose unprinted constants and open choices are drawn from their ranges, of all values of a figure
that move: total Sobol indices with 95 % intervals, from {BLOCKS} blocks unless told otherwise{ranks}.
The last column says where one of these constants alone, all others as in the hardware file, brings out a published
number that is off ([uncertainty.md](../uncertainty.md)).

{table(["where", "values:", "what decides", "off:", "comes out at"], rows)}
"""


def bands_table(reports, name=PAPERS.get):
    """A row for each paper, and for all: how many values the bands cover, and how wide these are."""
    for paper, report in with_all(reports):
        rows = as_built(report)[lambda rows: rows.role.isin(["validation", "reading"]) & (rows.draws != "")]
        if rows.empty:
            continue
        low, high, published = (pd.to_numeric(rows[column], errors="coerce") for column in ("low", "high", "published"))
        width, covered = (high - low) / published.abs(), rows.covered == "yes"
        yield [name(paper, "all"), len(rows), share(covered.sum(), len(rows)), share((rows.reached == "yes").sum(), len(rows)),
               *(percent_or_dash(some.median()) for some in (width, width[width > 0], width[covered & (width > 0)])),
               (width > 0).sum()]


def contradictions_explained():
    """A sentence on each number that lies far outside of all machines, by id."""
    with open(ROOT / "results" / "recorded" / "reasons.toml", "rb") as file:
        return tomllib.load(file)["contradictions"]


def contradicting(reports, most=10):
    """The numbers that lie furthest outside of all machines, at most one for each reason."""
    rows = as_built(pd.concat(reports.values()))
    rows = rows[(rows.role == "validation") & (rows.verdict == "off") & (rows.reached == "no") & (rows.reason >= 0)]
    ends = rows[["least", "most"]].apply(pd.to_numeric, errors="coerce").abs()
    published = pd.to_numeric(rows.published, errors="coerce").abs()
    known = ends.notna().all(axis=1) & (ends > 0).all(axis=1) & (published > 0)
    rows, ends, published = rows[known], ends[known], published[known]
    factor = np.maximum(published / ends.max(axis=1), ends.min(axis=1) / published)
    rows = rows.assign(factor=factor).sort_values("factor", ascending=False, kind="stable").drop_duplicates(["paper", "reason"])
    return rows.head(most)


def contradicting_rows(reports):
    sentences = contradictions_explained()
    for value in contradicting(reports).itertuples():
        yield [PAPERS[value.paper], f"`{value.id.removeprefix(value.paper + '-')}`", f"{printed(value)} {value.unit}",
               f"{value.least} to {value.most}" if value.least != value.most else value.least, f"{value.factor:.3g}",
               sentences.get(value.id, "")]


def reach(reports, name=PAPERS.get):
    """A row for each paper, and for all: how many values that are off any machine reaches."""
    for paper, report in with_all(reports):
        off = as_built(report)[lambda rows: rows.verdict == "off"]
        if off.empty:
            continue
        drawn = off[off.draws != ""]
        yield [name(paper, "all"), len(off), len(drawn), (drawn.reached == "yes").sum(), (drawn.alone != "").sum(),
               (drawn.reached != "yes").sum()]


def count_of(reports):
    words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"]
    return words[len(reports)] if len(reports) < len(words) else str(len(reports))


def overview(reports, reasons):
    everything = pd.concat(reports.values())
    def link(paper, other):
        return f"[{PAPERS[paper]}](fidelity/{paper}.md)" if paper in PAPERS else other
    contradicted = [[PAPERS[value.paper], value.where, f"{printed(value)} {value.unit}", value.note]
                    for value in contradictions(everything)]
    large = [[PAPERS[paper], size, reason["where"], reason["reason"]] for paper, report in reports.items()
             for place, reason in enumerate(reasons[paper]) if (size := (report.reason == place).sum()) >= 10]
    return f"""{GENERATED}# Fidelity

Every number that {count_of(reports)} papers print about their results: {len(as_built(everything))} values. \
`scripts/reproduce.sh` recomputes all of them
and writes these pages; tests fail when a value moves in either direction, or when a page \
does not match the values.
Of five papers on training and inference of networks every printed number is here, of those on language models
what was read: CENT's and AttAcc's data, and printed numbers of the others. Where a value is recomputed by the rules of an artifact,
our own accounting has a row beside it: most rows of CENT and AttAcc with the role validation are these, on constants of the artifact.

{headline(everything)}

{table(["paper", *(f"{name}:" for name in SPLIT)], splits(reports, link))}

Determined are values whose 5 % and 95 % quantiles over 64 sampled machines, whose unprinted constants and open choices are drawn
together, lie within 20 % of the median, and claims and texts on which 95 % of the machines agree. That was decided once, with the
ranges of that time (results/recorded/determined.csv): a later change of a range moves no value from one side to the other. A share of
near values says how right a model is only where printed facts determine the value; of the others, coverage counts for as much as the
band is narrow.

Each value counts once, as built: by the rules that the paper prints, with the defaults of the program. By role:

{table(["paper", "role", *(f"{name}:" for name in AGREEMENT), "median deviation:"], totals(reports, link))}

Readings are post hoc choices. Those with rows of their own count in no table above. Here are the values that each of them moves, and
all counted values of its paper, within 10 % / within 25 %, as built and under the reading; "own" and "clocks" are our accounting
beside that of an artifact.

{table(["paper", "reading", "role", *(f"{name}:" for name in READING)], readings(reports, link))}

Verdicts use the quantity as printed. Improvements in percent have a second verdict, as the ratios that they stand for: 14 % for a printed
16 % is off by 12 % as printed, and by 2 % as 1.14 for 1.16. In no share:

{table(["paper", "values:", *(f"{name}:" for name in LEFT_OUT)], left_out(reports, link))}

{table(["role", "meaning"], ROLES.items())}

{table(["verdict", "meaning"], VERDICTS.items())}

![Ours by published, every value](images/fidelity-papers.png)

Each mark is a published value; the band is 10 % to either side. The pages of the papers have every row.
[validation.md](validation.md) has the parts that were compared with measurements and other simulators.

## Contradictions in the papers

{table(["paper", "where", "printed", "arithmetic"], contradicted)}

## Largest groups of values that are off

{table(["paper", "values:", "where", "why"], large)}

## What no assumption reaches

Constants that no source prints have ranges, with the source of the range ([uncertainty.md](uncertainty.md)). Each was moved through its
range, all together and one at a time, with the choices that a paper leaves open, and every published value that is off was asked
whether any such machine reaches it:

{table(["paper", "off:", "tested:", "reached:", "by one constant alone:", "not reached:"], reach(reports, link))}

The ten numbers that lie furthest outside of all machines, one for each reason; the factor is what lacks from the nearest machine:

{table(["paper", "value", "published:", "all machines:", "factor:", "why no machine has it"], contradicting_rows(reports))}

## Every number with its band

From 5 to 95 % of 64 machines, whose constants and choices are drawn together (experiments/uncertainty.toml). A band that covers by
being wide is worth little; its width is relative to the published value, and the median is over all bands, those of values that no
constant moves included.

{table(["paper", "values:", "covered:", "reached:", "median width:", "of those that move:", "of those that move and cover:", "that move:"], bands_table(reports, link))}

## Held-out figures

At most three unprinted constants of a paper, the most influential ones, fitted to a fifth of its figures by the nearest of some sampled machines,
and judged on the other figures: means over random divisions of the figures, within 10 % / within 25 %, and the standard deviation of the difference
(experiments/held-out.toml, scripts/held_out_values.py). It measures what these constants are worth, and is not part of the shares above.

{table(["paper", "values:", "figures:", "machines:", "divisions:", "as built:", "fitted to a fifth:", "deviation of the difference:"], held_out_rows(link))}

The share within 10 % changes by more than that deviation for {held_out_changes(link)}.

## Calibrated constants

{len(list(constants()))} constants were fitted: [fidelity/constants.md](fidelity/constants.md).
{(everything.role == "calibrated").sum()} published values were used in the fits.
"""


def held_out_rows(link):
    """results/recorded/held_out.csv, which scripts/held_out_values.py writes."""
    return [[link(row.paper, row.paper), row.counted, row.figures, row.machines, row.splits, f"{row.built_10} / {row.built_25} %",
             f"{row.held_out_10} / {row.held_out_25} %", f"{row.spread_10} / {row.spread_25} %"]
            for row in recorded("held_out.csv").itertuples()]


def held_out_changes(link):
    """The papers whose held-out figures a fit changes."""
    rows = recorded("held_out.csv").set_index("paper").astype(int)
    changed = rows.index[(rows.held_out_10 - rows.built_10).abs() > rows.spread_10]
    return ", ".join(link(paper, paper) for paper in changed) or "none of them"


def readme(text, reports):
    """README.md with the count of values that agree, between two comments."""
    begin, end = "<!-- shares, by scripts/fidelity_docs.py -->\n", "\n<!-- end of shares -->"
    found = textwrap.fill(headline(pd.concat(reports.values())), 128)
    return text[: text.index(begin) + len(begin)] + found + text[text.index(end):]


def summary(reports):
    """The count of values that agree, for a terminal."""
    return f"{aligned(['paper', *SPLIT], [list(map(str, row)) for row in splits(reports)])}{textwrap.fill(headline(pd.concat(reports.values())), 128)}"


def pages(reports):
    reasons = read_reasons()
    return {"fidelity.md": overview(reports, reasons), "fidelity/constants.md": constants_page(),
            **{f"fidelity/{paper}.md": paper_page(paper, report, reasons[paper]) for paper, report in reports.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reports", type=pathlib.Path, default=ROOT / "results" / "recorded")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--summary", action="store_true", help="print the count of values that agree, and write nothing")
    args = parser.parse_args()
    reports = read_reports(args.reports)
    if args.summary:
        return print(summary(reports))
    stale = [f"no machines were drawn for {name} as it is now: run scripts/bands.sh" for name in untested(reports)]
    stale += [f"results/recorded/reasons.toml has no sentence on {name}"
              for name in contradicting(reports).id if name not in contradictions_explained()]
    written = {args.output / name: text for name, text in pages(reports).items()}
    if args.output == ROOT / "docs":
        written[ROOT / "README.md"] = readme((ROOT / "README.md").read_text(), reports)
    for path, text in written.items():
        if args.check:
            held = path.read_text() if path.exists() else ""
            stale += difflib.unified_diff(held.splitlines(), text.splitlines(), str(path), "generated", lineterm="",
                                          n=0)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if stale and not args.check:
        print("\n".join(stale), file=sys.stderr)
    elif stale:
        sys.exit("\n".join([*stale, "run scripts/fidelity_docs.py and review what it changes"]))


if __name__ == "__main__":
    main()
