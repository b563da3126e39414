"""Modeled beside measured kernel times, from the results of experiments/kernel.toml; the outliers as a table."""

import functools

import accuracy_tables as tables
from measured_times import CARDS, load
from pimsweep import plot

KINDS = {"gemm": "GEMMs", "conv": "convolutions", "rnn": "recurrent layers"}
FITTED = {"constants fitted to these": {"color": "0.75", "marker": "."}}


def scatter(axes, rows, groups):
    """Measured and modeled times of the rows that were fitted to, and of each group of the others."""
    chosen = {"constants fitted to these": rows.calibration,
              **{name: group & ~rows.calibration for name, group in groups.items()}}
    plot.agreement(axes, {name: (rows.measured[of], rows.model[of]) for name, of in chosen.items() if of.any()},
                   within=0.25, styles=FITTED, markersize=2.5, markeredgewidth=0)
    axes.set(xlabel="measured time (ms)", ylabel="modeled time (ms)")
    axes.legend(markerscale=2)


def kernels(kind, results):
    times = load(results.path)
    rows = times[times.kind == kind]
    figure, axes = plot.panels(height=3.5, width=plot.COLUMN)
    scatter(axes, rows, {card: rows.card == card for card in CARDS.values()})
    return figure, rows


gemm, conv, rnn = (functools.partial(kernels, kind) for kind in KINDS)


def outliers(results):
    return None, tables.outliers(load(results.path))
