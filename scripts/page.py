#!/usr/bin/env python3
"""Makes one folder that opens in a browser without a network: all figures, and every published number beside ours.

    page.py [--figures DIR] [--reports DIR] [--output DIR]

Figures are DIR/EXPERIMENT/NAME.png, with NAME.pdf and NAME.csv beside them; what is shown is copied into the output
folder.
"""

import argparse
import collections
import html
import pathlib
import shutil

from fidelity_docs import PAPERS, VERDICTS, describe, percent, printed, read_reasons, read_reports

ROOT = pathlib.Path(__file__).resolve().parents[1]

STYLE = """
:root { color-scheme: light dark; --line: #cfd4dd; --soft: #f4f5f7; --mark: #2a6f4e; }
@media (prefers-color-scheme: dark) { :root { --line: #4a4f58; --soft: #23262b; --mark: #7fc3a2; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1180px; margin: 0 auto; padding: 0 16px 64px; }
nav { position: sticky; top: 0; z-index: 1; background: Canvas; padding: 8px 0; border-bottom: 1px solid var(--line); }
nav { overflow-x: auto; white-space: nowrap; } nav a { margin-right: 14px; } a { color: var(--mark); }
section, tr { scroll-margin-top: 64px; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(340px, 1fr)); gap: 16px; align-items: start; }
figure { margin: 0; border: 1px solid var(--line); border-radius: 6px; padding: 8px; }
figure.wide { grid-column: 1 / -1; }
figure img { max-width: 100%; height: auto; background: white; display: block; margin: 0 auto; }
figcaption { font-size: 13px; margin-top: 4px; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { border-bottom: 1px solid var(--line); padding: 3px 8px; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; } #values td { overflow-wrap: anywhere; }
#values { table-layout: fixed; } #values th { position: sticky; top: 41px; background: Canvas; }
.verdict { padding: 0 6px; border-radius: 8px; border: 1px solid currentColor; white-space: nowrap; }
.exact, .within { color: var(--mark); } .off { color: #b0432c; } .inconsistent { font-weight: bold; }
.controls { display: flex; flex-wrap: wrap; gap: 12px; margin: 12px 0; } input[type=search] { min-width: 20em; }
@media (max-width: 900px) {
  div.wide { overflow-x: auto; } #values { min-width: 860px; } #values th { position: static; }
}
@media print { nav, .controls { display: none; } }
"""

SCRIPT = """
const rows = [...document.querySelectorAll("#values tbody tr")];
const texts = rows.map(row => row.textContent.toLowerCase());
function filter() {
  const words = document.getElementById("words").value.toLowerCase().split(/\\s+/);
  const paper = document.getElementById("paper").value;
  const verdicts = new Set([...document.querySelectorAll(".controls input:checked")].map(box => box.value));
  let shown = 0;
  rows.forEach((row, i) => {
    row.hidden = !(verdicts.has(row.dataset.verdict) && (!paper || paper === row.dataset.paper) &&
                   words.every(word => texts[i].includes(word)));
    shown += !row.hidden;
  });
  document.getElementById("shown").textContent = shown + " of " + rows.length + " values";
}
document.querySelector(".controls").addEventListener("input", filter);
filter();
"""


def png_size(path):
    """Width and height in pixels, so that the page does not jump while pictures load."""
    head = path.read_bytes()[16:24]
    return int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")


def gallery(folder, output):
    """The figures of one experiment, copied into the page's folder."""
    parts = []
    for png in sorted(folder.glob("*.png")):
        target = output / "figures" / folder.name
        target.mkdir(parents=True, exist_ok=True)
        links = []
        for suffix in (".png", ".pdf", ".csv"):
            if (source := png.with_suffix(suffix)).exists():
                shutil.copy2(source, target / source.name)
                links.append(f'<a href="figures/{folder.name}/{source.name}">{suffix[1:]}</a>')
        width, height = png_size(png)
        parts.append(f'<figure{" class=wide" if width > 900 else ""}>'
                     f'<img src="figures/{folder.name}/{png.name}" width="{width}" height="{height}" loading="lazy" '
                     f'alt="{html.escape(png.stem)}">'
                     f'<figcaption>{html.escape(png.stem)} ({", ".join(links)})</figcaption></figure>')
    return parts


def totals(reports):
    head = "".join(f'<th class="number">{html.escape(name)}</th>' for name in ("values", *VERDICTS))
    lines = [f"<tr><th>paper</th>{head}</tr>"]
    for paper, report in reports.items():
        counts = collections.Counter(report.verdict)
        cells = "".join(f'<td class="number">{count}</td>' for count in (len(report), *(counts[v] for v in VERDICTS)))
        lines.append(f"<tr><td>{PAPERS[paper]}</td>{cells}</tr>")
    return '<div class="wide"><table>' + "".join(lines) + "</table></div>"


def values(reports, reasons):
    lines = []
    for paper, report in reports.items():
        for row in report.itertuples():
            note = "; ".join(filter(None, [row.note, reasons[paper][row.reason]["reason"] if row.reason >= 0 else ""]))
            texts = map(html.escape, (PAPERS[paper], row.where, describe(row)))
            numbers = map(html.escape, (f"{printed(row)} {row.unit}", row.reproduced, percent(row.deviation)))
            lines.append(f'<tr id="{html.escape(row.id)}" data-paper="{paper}" data-verdict="{row.verdict}">'
                         + "".join(f"<td>{text}</td>" for text in texts)
                         + "".join(f'<td class="number">{text}</td>' for text in numbers)
                         + f'<td><span class="verdict {row.verdict}">{row.verdict}</span></td>'
                         + f"<td>{html.escape(note)}</td></tr>")
    widths = {"paper": 8, "where": 9, "what": 24, "published": 11, "ours": 8, "deviation": 8, "verdict": 9, "note": 23}
    numbers = ("published", "ours", "deviation")
    head = "".join(f"<th{' class=number' if name in numbers else ''} style='width: {width}%'>{name}</th>"
                   for name, width in widths.items())
    return (f'<div class="wide"><table id="values"><thead><tr>{head}</tr></thead><tbody>' + "\n".join(lines)
            + "</tbody></table></div>")


def controls():
    boxes = "".join(f'<label title="{html.escape(meaning)}"><input type="checkbox" value="{verdict}" checked> '
                    f'{verdict}</label>' for verdict, meaning in VERDICTS.items())
    papers = "".join(f'<option value="{paper}">{name}</option>' for paper, name in PAPERS.items())
    return (f'<div class="controls">'
            f'<input type="search" id="words" placeholder="words, such as: table v" aria-label="words">'
            f'<select id="paper" aria-label="paper"><option value="">all papers</option>{papers}</select>{boxes}'
            f'<span id="shown"></span></div>')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--figures", type=pathlib.Path, default=ROOT / "results" / "figures")
    parser.add_argument("--reports", type=pathlib.Path, default=ROOT / "results" / "recorded")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "results" / "page")
    args = parser.parse_args()
    shutil.rmtree(args.output / "figures", ignore_errors=True)
    args.output.mkdir(parents=True, exist_ok=True)
    reports = read_reports(args.reports)
    # The overview first, then the papers, then what they are made of.
    titles = {"papers": "Overview", **PAPERS}
    names = list(titles)
    folders = sorted((folder for folder in args.figures.iterdir() if folder.is_dir()),
                     key=lambda folder: (names.index(folder.name) if folder.name in names else len(names), folder.name))
    galleries = {folder.name: drawn for folder in folders if (drawn := gallery(folder, args.output))}
    sections = [f'<section id="figures-{name}"><h2>{html.escape(titles.get(name, name))}</h2>'
                f'<div class="figures">{"".join(drawn)}</div></section>' for name, drawn in galleries.items()]
    links = "".join(f'<a href="#figures-{name}">{html.escape(titles.get(name, name))}</a>' for name in galleries)
    page = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>pimsweep: figures and published numbers</title><style>{STYLE}</style></head><body>
<h1>Figures and published numbers</h1>
<nav><a href="#report">Every number</a>{links}</nav>
{totals(reports)}
{"".join(sections)}
<section id="report"><h2>Every published number</h2>{controls()}
{values(reports, read_reasons())}</section>
<script>{SCRIPT}</script></body></html>
"""
    (args.output / "index.html").write_text(page)
    print(f"page: {args.output / 'index.html'}: {sum(map(len, galleries.values()))} figures, "
          f"{sum(map(len, reports.values()))} values")


if __name__ == "__main__":
    main()
