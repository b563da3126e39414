#!/usr/bin/env python3
"""Draws the figures of experiments, several at once, in as many processes as asked for.

    draw_figures.py [-n PROCESSES] [--results DIR] [--only FIGURE ...] [--docs] [NAME | FILE.h5 ...]

Draws DIR/NAME.h5, or FILE.h5, with the drawings of scripts/figures/EXPERIMENT.py if there are any; the longest should
come first; without names, those that come line by line on standard input, as they come. Figures go to
DIR/figures/NAME, what is printed to DIR/figures/logs/NAME.figures.log. The libraries are loaded once: processes are
forked after that. The name `papers` stands for DIR/reports. --docs renews the pictures of docs/images that have the
name of a figure.
"""

import argparse
import contextlib
import gc
import importlib
import inspect
import multiprocessing
import os
import pathlib
import sys
import tomllib
import traceback

# Workers use all cores: numerical libraries must not start threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from PIL import Image
from PIL.PngImagePlugin import PngInfo

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "scripts" / "figures"
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS.parent), str(ROOT / "python")]
import pimsweep
import pimsweep.plot

# Before modules of figures make entries of legends.
pimsweep.plot.use_style()


def module_of(file):
    """The module that draws a results file: that of its name, or of the experiment that it is of; None without one."""
    names = [file.stem] if file.stem == "papers" or not file.exists() else [file.stem,
                                                                            pimsweep.open(file).attrs["experiment"]]
    return next((name for name in names if (SCRIPTS / f"{name}.py").exists()), None)


def is_drawing(value):
    """Whether it is a function of scripts/figures, or made by plot.drawing, that can be called with results alone."""
    function = getattr(value, "func", value)
    if not inspect.isfunction(function) or not (SCRIPTS / f"{function.__module__}.py").exists() and \
            function.__module__ != pimsweep.plot.drawing.__module__:
        return False
    first, *others = inspect.signature(value).parameters.values() or [None]
    return first is not None and first.name == "results" and all(other.default is not other.empty for other in others)


def drawings(name):
    """The drawings of a module by the names of their figures: its functions of `results`, but for private ones."""
    module = importlib.import_module(name)
    prefix = getattr(module, "PREFIX", f"{name}-")
    return {prefix + figure.replace("_", "-"): value for figure, value in vars(module).items()
            if not figure.startswith("_") and is_drawing(value)}


def begin_worker():
    """What still runs goes first."""
    os.nice(5)


def titles():
    """The titles of figures that set none."""
    return {figure: text["title"] for figure, text in tomllib.loads((SCRIPTS / "captions.toml").read_text()).items()}


def draw(job):
    """Draws one results file, or the reports of all papers; returns its log and how many figures it has drawn."""
    file, only = job
    figures = file.parent / "figures"
    log = figures / "logs" / f"{file.stem}.figures.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "w") as out, contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            name = module_of(file)
            known = drawings(name)
            chosen = {figure: drawing for figure, drawing in known.items() if not only or figure in only}
            results = file.parent / "reports" if name == "papers" else pimsweep.open(file)
            drawn = pimsweep.plot.draw(results, chosen, figures / file.stem, titles())
            if not drawn:
                print(f"{file}: none of its studies has a figure" if chosen else
                      f"{file}: none of these figures; there are {', '.join(known)}")
            return log, len(drawn)
        except BaseException:
            traceback.print_exc()
            return log, 0


def renew_docs(figures):
    """Renews the pictures in docs/images from the figures of the same names, in 128 colors: a third of the space."""
    for picture in (ROOT / "docs" / "images").glob("*.png"):
        for figure in figures.glob(f"*/{picture.name}"):
            drawn = Image.open(figure)
            about = PngInfo()
            about.add_text("Title", drawn.info.get("Title", ""))
            drawn.convert("RGB").quantize(128).save(picture, optimize=True, pnginfo=about)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="experiment, such as hypar, or a results file")
    parser.add_argument("-n", type=int, default=os.cpu_count(), metavar="PROCESSES", help="how many at a time")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "results", metavar="DIR",
                        help="folder of the results files (default: results)")
    parser.add_argument("--only", nargs="+", metavar="FIGURE", help="figures to draw (default: all)")
    parser.add_argument("--docs", action="store_true", help="renew docs/images")
    args = parser.parse_args()
    files = (pathlib.Path(name) if name.endswith(".h5") else args.results / f"{name}.h5"
             for name in args.names or map(str.strip, sys.stdin))
    if args.names:
        files = list(files)
        if unknown := [str(file) for file in files if not module_of(file)]:
            parser.error(f"nothing in scripts/figures draws {', '.join(unknown)}")
    jobs = ((file, args.only) for file in files if module_of(file))
    # No look for garbage goes through the libraries, which would take a tenth of the time.
    gc.collect()
    gc.freeze()
    with multiprocessing.get_context("fork").Pool(args.n, begin_worker) as pool:
        counts = dict(pool.imap_unordered(draw, jobs, chunksize=1))
    for log, count in counts.items():
        name = log.name.removesuffix(".figures.log")
        if not count:
            print(*log.read_text().splitlines()[-5:], f"draw_figures.py: {name} failed, see {log}", sep="\n",
                  file=sys.stderr)
        elif args.names:
            print(f"{log.parents[1] / name}: {count} figure{'s' * (count > 1)}")
    if args.docs:
        renew_docs(args.results / "figures")
    return 0 if all(counts.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
