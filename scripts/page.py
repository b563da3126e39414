#!/usr/bin/env python3
"""Makes one folder that opens in a browser without a network: a map of all papers with every published number beside ours,
and a page of figures for each paper.

    page.py [--figures DIR] [--captions FILE] [--reports DIR] [--results DIR] [--output DIR]

Figures are DIR/EXPERIMENT/NAME.png, with NAME.pdf and NAME.csv beside them; what is shown is copied into the output
folder. FILE has `title` and `caption` of each in the table [NAME]. DIR/EXPERIMENT.h5 of the results says when and how they
came about.
"""

import argparse
import pathlib
import re
import shutil
import tomllib
import urllib.parse

import numpy as np
import pandas as pd
from fidelity_docs import (AGREEMENT, LEFT_OUT, PAPERS, READING, ROLES, SPLIT, VERDICTS, count_of, describe, left_out, machines_note,
                           printed, ratio, read_reasons, read_reports, readings, splits, totals)

import pimsweep
from pimsweep.analysis.report import verdict_text
from pimsweep.analysis.tally import as_built, headline
from pimsweep.webpage import pack
from pimsweep.webpage.document import document, escape, plain
from pimsweep.webpage.overview import table

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Pixels of the page for one of a figure, which has 200 for an inch.
SCALE = 0.6
# Titles of experiments that belong to no paper.
PARTS = {"allspark-fidelity": "Allspark's formulas and simulation", "allspark-placement": "Allspark's placements", "crossover": "Networks on six machines",
         "dram": "DRAM channels", "fidelity": "Coarse and fine models", "gemm": "PE arrays", "gpu": "GPUs", "kernel": "GPU kernels, measured and modeled",
         "llm": "Language models", "llm-fidelity": "Language models, coarse and fine", "llm-optimum": "Policies of language models and the optimum",
         "llm-winners": "Best machines for language models", "manycore": "Xeon Phi, measured and modeled", "newton": "Newton's channels",
         "noc": "Routers", "search": "Search", "explore": "A million machines", "serving": "Serving", "serving-check": "Serving, measured and modeled",
         "upmem-prim": "UPMEM, measured and modeled"}
ROMAN = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"]
# Columns of the table of values that are shown at first.
SHOWN = ["paper", "where", "what", "published", "ours", "deviation", "verdict", "role", "note"]
INTRODUCTION = """<p>{papers} papers on processing in memory print {count:,} numbers about their results. pimsweep models their
machines and recomputes these numbers; this page shows ours beside theirs. {headline}</p>
<p>Figures have our values as colors, and published ones as white diamonds or dashed lines. The link under a figure leads to
the values that belong to it, in the <a href="#study=values">table of all values</a>.</p>"""


def places(png, report):
    """Which places of a paper a figure shows, by its name: fig11a is "Fig 11a" or "Fig 11", table2 is "Table II" or "Table 2"."""
    named = re.search(r"(fig|table)(\d+)([a-z]?)$", png.stem)
    if report is None or not named:
        return []
    kind, number, letter = named.groups()
    numbers = f"(?:{number}|{ROMAN[int(number)]})" if kind == "table" and int(number) < len(ROMAN) else number
    pattern = rf"\b{kind.title()} {numbers}{f'{letter}?' if letter else '[a-z]?'}(?![0-9A-Za-z])"
    return [where for where in dict.fromkeys(report["where"]) if re.search(pattern, where)]


def rows_link(paper, wheres=()):
    """A link to the values of a paper, or to those of some of its places."""
    conditions = {"study": "values", "where.paper": f"={PAPERS[paper]}"}
    if wheres:
        conditions["where.where"] = " | ".join(f"={where}" for where in wheres)
    return f'<a href="index.html#{escape(urllib.parse.urlencode(conditions))}">its values</a>'


def png_size(path):
    """Width and height on the page, which does not jump while pictures load."""
    head = path.read_bytes()[16:24]
    return tuple(round(SCALE * int.from_bytes(part, "big")) for part in (head[:4], head[4:]))


def figure(png, output, caption, report):
    """A figure with its caption and links, its files copied into the page's folder."""
    folder = png.parent.name
    target = output / "figures" / folder
    target.mkdir(parents=True, exist_ok=True)
    links = []
    for suffix in (".png", ".pdf", ".csv"):
        if (source := png.with_suffix(suffix)).exists():
            shutil.copy2(source, target / source.name)
            links.append(f'<a href="figures/{escape(folder)}/{escape(source.name)}">{suffix[1:].upper()}</a>')
    if wheres := places(png, report):
        links.append(rows_link(folder, wheres))
    width, height = png_size(png)
    title, text = caption.get("title", png.stem), caption.get("caption", "")
    return (f'<figure id="{escape(png.stem)}"{" class=wide-figure" if width > 560 else ""}>'
            f'<a href="figures/{escape(folder)}/{escape(png.name)}"><img src="figures/{escape(folder)}/{escape(png.name)}" '
            f'width="{width}" height="{height}" loading="lazy" alt="{escape(f"{title}. {text}".strip())}"></a>'
            f'<figcaption><strong>{escape(title)}</strong> {escape(text)} ({", ".join(links)})</figcaption></figure>')


def in_order(png):
    """The figures of a paper by their numbers, then its tables, then all others."""
    named = re.search(r"-(fig|table)(\d+)([a-z]?)$", png.stem)
    return (("fig", "table").index(named[1]), int(named[2]), named[3]) if named else (2, 0, png.stem)


def gallery(folder, output, texts, report):
    return [figure(png, output, texts.get(png.stem, {}), report) for png in sorted(folder.glob("*.png"), key=in_order)]


def title_of(name):
    return PAPERS.get(name) or PARTS.get(name, name)


def paper_page(name, drawn, report):
    """The figures of a paper or a part."""
    nav = '<nav aria-label="pages"><a href="index.html">All papers</a></nav>'
    agreement = f"<p>{escape(headline(report))} The table has {rows_link(name)}.</p>" if report is not None else ""
    return plain(f"pimsweep: {title_of(name)}", f"""<header><h1>{escape(title_of(name))}</h1></header>
<main>{nav}{agreement}<div class="figures">{"".join(drawn)}</div></main>""")


def card(name, folder, drawn, report):
    """A tile of the map, with a first picture if there is any, which leads to a page."""
    about = [f"{len(drawn)} figure{'s' * (len(drawn) > 1)}"] if drawn else []
    if report is not None:
        about.append(f"{len(as_built(report))} published values")
    picture = ""
    if drawn:
        png = min(folder.glob("*.png"), key=in_order)
        width, height = png_size(png)
        picture = (f'<a href="{escape(name)}.html"><img src="figures/{escape(name)}/{escape(png.name)}" width="{width}" '
                   f'height="{height}" loading="lazy" alt=""></a>')
    return (f'<figure>{picture}<figcaption><a href="{escape(name)}.html"><strong>{escape(title_of(name))}</strong></a> '
            f'{", ".join(about)}</figcaption></figure>')


def cells(rows):
    return [[escape(str(cell)) for cell in row] for row in rows]


def split_table(reports):
    return table(["paper", *SPLIT], cells(splits(reports)))


def shares(reports):
    """How near the values are, by role and paper, and which no share counts."""
    return (table(["paper", "role", *AGREEMENT, "median deviation"], cells(totals(reports))) +
            table(["paper", "reading", "role", *READING], cells(readings(reports))) +
            table(["paper", "values", *LEFT_OUT], cells(left_out(reports))))


def words(meanings, kind):
    rows = [[f"<strong>{word}</strong>", escape(meaning)] for word, meaning in meanings.items()]
    return table([kind, "meaning"], rows)


def runs(folder, names):
    """Where the figures come from: revision, date and command of each results file."""
    rows = []
    for path in (folder / f"{name}.h5" for name in names):
        if path.exists():
            results = pimsweep.open(path)
            rows.append([escape(path.stem), escape(results.attrs.get("git_revision", "")), escape(results.provenance.get("finished", "")),
                         f'<code>{escape(results.provenance.get("command_line", ""))}</code>'])
    if not rows:
        return '<p class="note">From the reports as last recorded: no results files lie beside them.</p>'
    return f'<details><summary>Revision, date and command of each run</summary>{table(["experiment", "revision", "finished", "command"], rows)}</details>'


def value_rows(reports, reasons):
    """A row for each published value."""
    for paper, report in reports.items():
        for row in report.itertuples():
            reason = reasons[paper][row.reason]["reason"] if row.reason >= 0 else ""
            yield {"paper": PAPERS[paper], "where": row.where, "what": describe(row), "published": f"{printed(row)} {row.unit}{ratio(row.published, row.unit)}",
                   "ours": row.reproduced + ratio(row.reproduced, row.unit), "deviation": 100 * float(row.deviation or "nan"), "verdict": verdict_text(row.verdict, row.ratio_verdict),
                   "role": row.role + (f": {row.reading}" if row.reading else ""),
                   "note": "; ".join(filter(None, [row.note, reason, machines_note(row)])), "meaning": VERDICTS[row.verdict], "id": row.id}


def values(reports, reasons):
    """All published values as a study of the explorer."""
    frame = pd.DataFrame(value_rows(reports, reasons))
    published = pd.concat(reports.values()).published.reset_index(drop=True)
    for name, texts in (("our_number", frame.ours), ("published_number", published)):
        frame.insert(0, name, pd.to_numeric(texts, errors="coerce"))
    docs = {"deviation": "(ours - published) / published", "meaning": "what the verdict says"}
    packed = [{"name": name, "role": "label" if frame[name].dtype == object else "metric", "unit": "%" if name == "deviation" else "",
               "doc": docs.get(name, name), **pack.column(frame[name].to_numpy())} for name in frame]
    numbers = {"name": "point", "role": "point", "unit": "", "doc": "number of the value", **pack.column(np.arange(len(frame)))}
    return {"id": "values", "key": "values", "size": len(frame), "shown": len(frame), "main": [], "objectives": [], "axes": [],
            "columns": [numbers, *packed], "tables": [], "usual": SHOWN, "views": ["table", "scatter"], "noun": "value"}


def introduction(reports):
    """What the page is about, and the count of values that agree."""
    everything = pd.concat(reports.values())
    return INTRODUCTION.format(papers=count_of(reports).capitalize(), count=len(as_built(everything)), headline=escape(headline(everything)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--figures", type=pathlib.Path, default=ROOT / "results" / "figures")
    parser.add_argument("--captions", type=pathlib.Path, default=ROOT / "scripts" / "figures" / "captions.toml")
    parser.add_argument("--reports", type=pathlib.Path, default=ROOT / "results" / "recorded")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "results")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "results" / "page")
    args = parser.parse_args()
    shutil.rmtree(args.output / "figures", ignore_errors=True)
    args.output.mkdir(parents=True, exist_ok=True)
    reports = read_reports(args.reports)
    texts = tomllib.loads(args.captions.read_text()) if args.captions.exists() else {}
    # The overview first, then the papers, then what they are made of.
    names = ["papers", *PAPERS]
    drawn = {folder for folder in args.figures.iterdir() if any(folder.glob("*.png"))}
    folders = sorted(drawn | {args.figures / paper for paper in reports},
                     key=lambda folder: (names.index(folder.name) if folder.name in names else len(names), folder.name))
    galleries = {folder: gallery(folder, args.output, texts, reports.get(folder.name)) for folder in folders}
    everything = pd.concat(reports.values())
    overview, tiles = "", []
    for folder, drawn in galleries.items():
        name, report = folder.name, reports.get(folder.name)
        if name == "papers":
            overview = "".join(drawn)
            continue
        (args.output / f"{name}.html").write_text(paper_page(name, drawn, report))
        tiles.append(card(name, folder, drawn, report))
    body = f"""<header><h1>Figures and published numbers</h1></header>
<main>{introduction(reports)}
<nav aria-label="sections"><a href="#map">Papers and parts</a><a href="#agreement">Agreement</a><a href="#values">Every value</a></nav>
<section id="map"><h2>Papers and parts</h2><div class="figures map">{"".join(tiles)}</div></section>
<section id="agreement"><h2>Agreement</h2><div class="figures">{overview}</div>
{split_table(reports)}
<details><summary>By role, readings and values that are left out</summary>{shares(reports)}
{words(ROLES, "role")}
{words(VERDICTS, "verdict")}</details>
<p>Everything here is made by <code>scripts/reproduce.sh</code>.</p>
{runs(args.results, [folder.name for folder in folders])}</section>
<section id="values"><h2>Every published value</h2><div id="explorer" tabindex="-1"></div></section></main>"""
    page = document("pimsweep: figures and published numbers", body, {"studies": [values(reports, read_reasons())]},
                    "img-src 'self' file: data: blob:")
    (args.output / "index.html").write_text(page)
    print(f"page: {args.output / 'index.html'}: {sum(map(len, galleries.values()))} figures, "
          f"{len(as_built(everything))} values")


if __name__ == "__main__":
    main()
