#!/usr/bin/env python3
"""Writes docs/reference: every axis and metric of every system, from the schemas.

    reference_docs.py PIMSWEEP [--output DIR] [--check]

--check writes nothing and fails if a page is not what would be written.
"""

import argparse
import difflib
import io
import pathlib
import subprocess
import sys

import pandas as pd

ROOT = pathlib.Path(__file__).resolve().parents[1]
GENERATED = "<!-- Written by scripts/reference_docs.py from `pimsweep list`. -->\n"
# Lists of names grow with every model: `pimsweep list models` has them.
LONGEST = 20


def listed(program, what):
    text = subprocess.run([program, "list", what, "--csv", "-"], check=True, capture_output=True, text=True).stdout
    return pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
                     + ["| " + " | ".join(map(cell, row)) + " |" for row in rows])


def short(allowed):
    names = allowed.split(" | ")
    return allowed if len(names) <= LONGEST else f"{names[0]} ... {names[-1]}"


def meaning(row):
    return f"{row.doc} (may be absent: {row.absent})" if row.absent else row.doc


def page(system, axes, metrics):
    def rows(of):
        return [[f"`{row.axis}`", row.type, row.unit, row.default, short(row.allowed), row.doc]
                for row in of.itertuples()]

    hardware = axes.axis.str.startswith("hardware.")
    head = ["axis", "type", "unit", "default", "allowed", "meaning"]
    text = [GENERATED + f"# {system.system}\n", f"{system.doc}. Version {system.version} of the model.\n",
            "## Axes\n", table(head, rows(axes[~hardware])) + "\n"]
    if hardware.any():
        text += ["## Constants of the hardware file, axes too\n", table(head, rows(axes[hardware])) + "\n"]
    for name, columns in metrics.groupby("table", sort=False):
        text += [f"## Detail table `{name}`\n" if name else "## Metrics\n",
                 table([f"{'column' if name else 'metric'}", "type", "unit", "range", "meaning"],
                       [[f"`{row.metric}`", row.type, row.unit, row.range, meaning(row)]
                        for row in columns.itertuples()]) + "\n"]
    return "\n".join(text)


def pages(program):
    systems, axes, metrics = (listed(program, what) for what in ("systems", "axes", "metrics"))
    index = table(["system", "axes", "metrics", "tables", "what it is"],
                  [[f"[{row.system}]({row.system}.md)", row.axes, row.metrics, row.tables, row.doc]
                   for row in systems.itertuples()])
    made = {"README.md": GENERATED + "# Every axis and metric\n\n" + index
            + "\n\nUnits are those of the results file; an "
            "experiment file may use any unit of the same kind. `pimsweep list axes SYSTEM` prints the same.\n"}
    for system in systems.itertuples():
        made[f"{system.system}.md"] = page(system, axes[axes.system == system.system],
                                           metrics[metrics.system == system.system])
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "reference")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    made = pages(args.program.resolve())
    if not args.check:
        args.output.mkdir(parents=True, exist_ok=True)
        for name, text in made.items():
            (args.output / name).write_text(text)
        return
    stale = [f"{path} belongs to no system" for path in args.output.glob("*.md") if path.name not in made]
    for name, text in made.items():
        path = args.output / name
        held = path.read_text() if path.exists() else ""
        stale += difflib.unified_diff(held.splitlines(), text.splitlines(), str(path), "generated", lineterm="", n=0)
    if stale:
        sys.exit("\n".join([*stale, "run scripts/reference_docs.py build/release/pimsweep"]))


if __name__ == "__main__":
    main()
