#!/usr/bin/python3
"""Measures the figures of docs/performance.md and writes its tables.

    performance.py [--build build/release] [--before BUILD_TREE] [--runs 5] [--page docs/performance.md] [--quick] [--longest]

Runs the built benchmark programs (scripts/build.sh release) and whole commands; with --before those of a second build tree
too, alternately, run by run, so that whatever else the machine does slows both alike. The page's tables stand between
<!-- measured: NAME --> and <!-- end -->. Without --page the tables are printed. Takes a minute or two on an idle machine;
--quick runs everything once and small;
--longest runs the plan of 1e8 points too, which takes 10 GB of disk and some minutes. Exit status 2: a program is missing or fails.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "python")]
import machine
import performance_figures
import performance_growth
import performance_limits


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    path = lambda text: pathlib.Path(text).resolve()
    parser.add_argument("--build", type=path, default=machine.BUILD)
    parser.add_argument("--before", type=path, metavar="BUILD_TREE")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--page", type=path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--longest", action="store_true")
    parsed = parser.parse_args()
    for tree in filter(None, (parsed.build, parsed.before)):
        if not (tree / "pimsweep").is_file():
            parser.error(f"there is no program pimsweep in {tree}")
    if parsed.page and not parsed.page.is_file():
        parser.error(f"there is no page {parsed.page}")
    return parsed


def speed_table(times, limits, before):
    """`times` has seconds of each run, by figure and tree."""
    rows = []
    for figure in performance_figures.ALL:
        new = statistics.median(times[figure, "now"])
        limit = figure.limit(limits) if figure.limit else None
        row = [figure.what, f"`{figure.command}`", machine.duration(new)]
        if before:
            old = times.get((figure, "before"))
            ratios = [one / other for one, other in zip(old, times[figure, "now"])] if old else []
            row += [machine.duration(statistics.median(old)), f"{statistics.median(ratios):.3g} ({min(ratios):.3g} to {max(ratios):.3g})"] \
                if old else ["", ""]
        rows.append([*row, f"{machine.duration(limit)}: {figure.bound}" if limit else figure.bound, f"{new / limit:.3g}" if limit else ""])
    header = ["", "measured by", "now", *(["before", "before / now"] if before else []), "bound", "now / bound"]
    return machine.markdown(header, rows)


def main():
    parsed = parse()
    trees = {"now": parsed.build} | ({"before": parsed.before} if parsed.before else {})
    runs = 1 if parsed.quick else parsed.runs
    about = f"{machine.describe()}; load when begun: {machine.load():.1f}; medians of {runs} runs."
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            limits = performance_limits.measure(folder, runs)
            times = performance_figures.measure(trees, runs, folder, parsed.quick)
            tables = {"machine": about, "limits": performance_limits.table(limits),
                      "speed": speed_table(times, limits, parsed.before), **performance_growth.tables(trees, folder, parsed.quick, parsed.longest)}
    except (RuntimeError, subprocess.CalledProcessError, OSError) as error:
        print(f"performance.py: {error}", file=sys.stderr)
        return 2
    if parsed.page:
        machine.write_tables(parsed.page, tables)
    else:
        print("\n\n".join(f"{name}:\n\n{table}" for name, table in tables.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
