#!/usr/bin/env python3
"""Draws the figures of several experiments at once, in as many processes as asked for.

    draw_figures.py [-n PROCESSES] [--results DIR] [--docs] NAME ...

Runs scripts/figures/NAME.py on DIR/NAME.h5 for every NAME that has such a script, the longest should come first;
without names, for those that come line by line on standard input, as they come. Figures go to DIR/figures/NAME, what
the scripts print to DIR/figures/logs/NAME.figures.log. The libraries are loaded once: processes are forked after that.
--docs renews the pictures of docs/images that have the name of a figure.
"""

import argparse
import contextlib
import multiprocessing
import os
import pathlib
import runpy
import sys
import traceback

from PIL import Image

SCRIPTS = pathlib.Path(__file__).resolve().parent / "figures"
sys.path.insert(0, str(SCRIPTS))
import pimsweep.plot  # noqa: F401  (loaded here, used by the scripts)


def draw(job):
    """Runs one script; returns its name and whether it came to its end."""
    name, results = job
    figures = results / "figures"
    sys.argv = [f"{name}.py", str(results / f"{name}.h5"), "--output", str(figures / name)]
    with open(figures / "logs" / f"{name}.figures.log", "w") as log, contextlib.redirect_stdout(log), \
            contextlib.redirect_stderr(log):
        try:
            runpy.run_path(str(SCRIPTS / f"{name}.py"), run_name="__main__")
        except BaseException:
            traceback.print_exc()
            return name, False
    return name, True


def renew_docs(figures):
    """Renews the pictures in docs/images from the figures of the same names, in 128 colors: a third of the space."""
    for picture in (SCRIPTS.parents[1] / "docs" / "images").glob("*.png"):
        for figure in figures.glob(f"*/{picture.name}"):
            Image.open(figure).convert("RGB").quantize(128).save(picture, optimize=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="experiment, such as hypar")
    parser.add_argument("-n", type=int, default=os.cpu_count(), metavar="PROCESSES", help="how many at a time")
    parser.add_argument("--results", type=pathlib.Path, default=SCRIPTS.parents[1] / "results", metavar="DIR",
                        help="folder of the results files (default: results)")
    parser.add_argument("--docs", action="store_true", help="renew docs/images")
    args = parser.parse_args()
    (args.results / "figures" / "logs").mkdir(parents=True, exist_ok=True)
    names = args.names or map(str.strip, sys.stdin)
    jobs = ((name, args.results) for name in names if (SCRIPTS / f"{name}.py").exists())
    # What still runs goes first.
    with multiprocessing.get_context("fork").Pool(args.n, initializer=os.nice, initargs=(5,)) as pool:
        failed = [name for name, fine in pool.imap_unordered(draw, jobs, chunksize=1) if not fine]
    for name in failed:
        log = args.results / "figures" / "logs" / f"{name}.figures.log"
        print(*log.read_text().splitlines()[-5:], f"draw_figures.py: {name} failed, see {log}", sep="\n",
              file=sys.stderr)
    if args.docs:
        renew_docs(args.results / "figures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
