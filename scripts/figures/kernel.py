"""Modeled beside measured kernel times, from the results of experiments/kernel.toml; the outliers as a table."""

import functools

import accuracy_tables as tables
from measured_times import CARDS, load
from pimsweep import plot

KINDS = {"gemm": "GEMMs", "conv": "convolutions", "rnn": "recurrent layers"}
# Modeled over measured times, with the line of equal times.
SCATTER = {"draw": plot.agreement, "within": 0.25, "markersize": 2.5, "markeredgewidth": 0, "columns": 0,
           "styles": {"constants fitted to these": {"color": "0.75", "marker": "o"}}, "sharey": False,
           "artists": [("legend", {"markerscale": 2})]}


def measured_and_modeled(rows, groups):
    """A panel with the times of the rows that were fitted to, and of each group of the others."""
    chosen = {"constants fitted to these": rows.calibration,
              **{name: group & ~rows.calibration for name, group in groups.items()}}
    return plot.Panel({name: (rows.measured[of], rows.model[of]) for name, of in chosen.items() if of.any()},
                      xlabel="measured time (ms)", ylabel="modeled time (ms)")


# Each figure shows others of the same rows.
times_in = functools.cache(load)


def kernels(kind, results):
    times = times_in(results.path)
    rows = times[times.kind == kind]
    return plot.compare(measured_and_modeled(rows, {card: rows.card == card for card in CARDS.values()}),
                        height=3.5, width=plot.COLUMN, data=rows, **SCATTER)


gemm, conv, rnn = (functools.partial(kernels, kind) for kind in KINDS)


def outliers(results):
    return None, tables.outliers(times_in(results.path))
