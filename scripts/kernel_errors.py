#!/usr/bin/env python3
"""Tables "Error as a factor" of docs/gpu.md and docs/manycore.md: measured / model as a log-normal factor.

Usage: kernel_errors.py kernel|manycore RESULTS [--seed N]

Each class of kernels has its distribution from half of the rows that no constant was fitted to; of the other half, the
share inside its 90 % band is counted.
"""

import argparse
import hashlib
import statistics

import numpy as np
import pandas as pd
from accuracy_tables import share
from measured_times import CARDS, PROCESSORS, load

SEEDS = 100
INSIDE = 0.9
# Standard deviations from the median of a normal distribution to the end of that band.
DEVIATIONS = statistics.NormalDist().inv_cdf((1 + INSIDE) / 2)
# Machines, and classes by a column of the measured rows: `error.CLASS` of the hardware files.
EXPERIMENTS = {
    "kernel": (CARDS, "kind", {"gemm": "gemm", "conv": "convolution", "rnn": "recurrent"}),
    "manycore": (PROCESSORS, "pass", {"time": "gemm", "forward": "convolution", "backward_inputs": "convolution_inputs",
                                      "backward_weights": "convolution_weights"}),
}


def held_errors(experiment, results):
    """The rows of `load` that are not for calibration, with their class and `error`: ln(measured / model)."""
    machines, column, names = EXPERIMENTS[experiment]
    held = load(results, machines).query("not calibration")
    return held.assign(error=np.log(held.measured / held.model), **{"class": held[column].map(names)})


def first_half(rows, seed):
    """Selects the rows for fitting: half of the layers of each GPU and precision, with all passes, by a checksum."""
    # No CRC, as is_for_calibration takes: it is linear, so that another seed would do no more than swap the halves.
    checksums = [int.from_bytes(hashlib.sha256(f"{seed},{row}".encode()).digest()[:6]) for row in rows["row"]]
    place = pd.Series(checksums, rows.index).groupby([rows.card, rows.precision]).rank(method="dense", pct=True)
    return place <= 0.5


def band(errors):
    """Both ends of the 90 % band: as far from the median of the logarithms to either side.

    The distance is that of rank 0.9 (n + 1) of n rows: close to 90 % of further rows are expected inside, whatever the
    distribution (conformal prediction).
    """
    median = errors.median()
    distance = np.quantile((errors - median).abs(), INSIDE, method="weibull")
    return median - distance, median + distance


def split_share(rows, seed=0):
    """The band of the first half, and whether the rows of the other half lie inside."""
    half = first_half(rows, seed)
    limits = band(rows.error[half])
    return limits, rows.error[~half].between(*limits)


def error_table(held, seed):
    """A row for each class: the distribution of half of the rows, the share of the others inside its band."""
    lines = ["| class | fitted rows | median | sigma | low | high | other rows | inside | "
             f"mean of {SEEDS} splits | lowest to highest |", "|---|" + "---:|" * 9]
    for name, rows in held.groupby("class", sort=False):
        (low, high), within = split_share(rows, seed)
        sigma = (high - low) / 2 / DEVIATIONS
        factors = " | ".join(f"{one:.3f}" for one in (np.exp((low + high) / 2), sigma, np.exp(low), np.exp(high)))
        shares = [split_share(rows, one)[1].mean() for one in range(SEEDS)]
        lines.append(f"| {name} | {len(rows) - len(within)} | {factors} | {len(within)} | {share(within.mean())} | "
                     f"{share(np.mean(shares))} | {share(min(shares))} to {share(max(shares))} |")
    return "\n".join(lines)


def spread_table(held):
    """Standard deviations of errors and of their means by GPU; the share of a GPU's rows in the band of the other GPUs."""
    cards = held.card.unique()
    lines = ["| class | single rows | means by GPU | means by GPU, precision and pass | inside the band of the other "
             f"GPUs: {' | '.join(cards)} |", "|---|" + "---:|" * (3 + len(cards))]
    for name, rows in held.groupby("class", sort=False):
        means = [rows.groupby(by).error.mean().std() for by in ("card", ["card", "precision", "pass"])]
        shares = [rows.error[rows.card == card].between(*band(rows.error[rows.card != card])).mean() for card in cards]
        lines.append(f"| {name} | {rows.error.std():.2f} | " + " | ".join(f"{one:.2f}" for one in means) + " | " +
                     " | ".join("-" if np.isnan(one) else share(one) for one in shares) + " |")
    return "\n".join(lines)


def tables(held, seed=0):
    """The tables of the docs; a single processor has no spread over processors."""
    return [error_table(held, seed), *([spread_table(held)] if held.card.nunique() > 1 else [])]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("experiment", choices=EXPERIMENTS)
    parser.add_argument("results")
    parser.add_argument("--seed", type=int, default=0)
    a = parser.parse_args()
    print("\n\n".join(tables(held_errors(a.experiment, a.results), a.seed)))
