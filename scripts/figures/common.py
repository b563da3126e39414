"""What every paper's figure script shares: reading results, saving a figure with its data."""

import argparse
import functools
import pathlib

import matplotlib

matplotlib.use("Agg")
import h5py
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

# Apart in lightness as well as in hue.
PALETTE = ["#2a6f4e", "#e0a458", "#7fa8d1", "#20416b", "#9a3b26", "#b0b7c3", "#9cc9b0"]

plt.rcParams.update({
    "axes.prop_cycle": plt.cycler(color=PALETTE),
    "figure.dpi": 150, "savefig.bbox": "tight", "font.size": 9, "axes.grid": True, "axes.axisbelow": True,
    "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
})

# How a published value is marked beside ours.
PUBLISHED = {"marker": "D", "markersize": 4.5, "markerfacecolor": "white", "markeredgecolor": "black",
             "linestyle": "none"}


def arguments(doc, parts=None):
    """Parses `RESULTS --output DIR` and makes the folder; of `parts`, what `--only` names (else all) is returned too."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("results", help="results file written by pimsweep")
    parser.add_argument("--output", default=None, help="folder for the figures (default: beside the results file)")
    if parts is not None:
        parser.add_argument("--only", nargs="+", choices=parts, default=list(parts), help="what to draw (default: all)")
    args = parser.parse_args()
    results = pathlib.Path(args.results)
    output = pathlib.Path(args.output) if args.output else results.parent / "figures" / results.stem
    output.mkdir(parents=True, exist_ok=True)
    return (results, output) if parts is None else (results, output, args.only)


def _columns(group):
    frame = {}
    for name, item in group.items():
        if isinstance(item, h5py.Dataset) and item.ndim == 1:
            values = item.asstr()[:] if h5py.check_string_dtype(item.dtype) else item[:]
            frame[name] = values
    return pd.DataFrame(frame)


@functools.lru_cache(maxsize=None)
def _study(results, name):
    with h5py.File(results) as file:
        return _columns(file[name]) if name in file else None


def study(results, name):
    """The points of a study, a row each; None if the file has no such study."""
    points = _study(results, name)
    return None if points is None else points.copy()


def detail(results, name, table):
    """A detail table of a study joined with its points' columns (the table's own win)."""
    with h5py.File(results) as file:
        rows = _columns(file[name][table])
    points = study(results, name)
    points = points[[column for column in points.columns if column not in rows.columns or column == "point"]]
    return rows.merge(points, on="point")


@functools.lru_cache(maxsize=None)
def published(paper):
    """The published values of a paper, by id."""
    path = pathlib.Path(__file__).resolve().parents[2] / "results" / "published" / f"{paper}.csv"
    return pd.read_csv(path, dtype=str, keep_default_na=False).set_index("id")


def ordered(values):
    """Unique values in order of appearance."""
    return list(dict.fromkeys(values))


def gmean(values):
    """Geometric mean, of each column for a table."""
    return np.exp(np.log(values).mean())


def deviation(ours, theirs):
    """Label of how far our value is from a published one, in per cent of the published."""
    percent = round(100 * (ours / theirs - 1))
    return f"{percent:+d} %".replace("-", "\N{MINUS SIGN}") if percent else "0 %"


def plain_numbers(axis):
    """1 and 10 instead of powers of ten."""
    axis.set_major_formatter(plt.FuncFormatter(lambda value, _: f"{value:g}"))


def save(figure, data, output, name):
    """Writes NAME.png, NAME.pdf and the drawn data as NAME.csv."""
    figure.savefig(output / f"{name}.png")
    # No creation date: the same data give the same file.
    figure.savefig(output / f"{name}.pdf", metadata={"CreationDate": None})
    plt.close(figure)
    data.to_csv(output / f"{name}.csv", index=False, float_format="%.9g")
    print(f"{name}: {output / name}.png")
