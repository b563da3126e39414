#!/usr/bin/env python3
"""How well an accounting of HyPar's exchanges that is chosen on some networks predicts the others: held_out.py RESULTS [NETWORKS].

RESULTS has the study `accountings` of experiments/hypar.toml. For each way to take NETWORKS (default: 2) of the ten, the
accounting is chosen whose totals of Figure 8 (Model Parallelism and HyPar) are nearest the published ones of these
networks, and judged on those of the others; of accountings that are equally near, the mean counts.
"""

import itertools
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import pimsweep

CHOICES = ["feature_maps", "converted_maps", "partial_sum_count", "conversion_count", "mp_dp_count", "mp_mp_convolution_count",
           "mp_mp_connected_count"]
POLICIES = {"model": "mp", "hypar": "hypar"}
# Logarithms of ratios that differ by less are equal.
ROUNDING = 1e-9


def published(model, policy):
    return pimsweep.fact("hypar", f"fig8-{'alexnet' if model == 'alexnet-hypar' else model}-{POLICIES[policy]}") * 1e9


def deviations(results):
    """Logarithms of ours by published, (accountings, networks, policies), and the accountings."""
    points = results.frame("accountings")[["model", "policy", *CHOICES, "communication"]]
    table = points.pivot_table(index=CHOICES, columns=["model", "policy"], values="communication")
    numbers = np.array([[published(*column) for column in table]])
    return np.log(table.to_numpy() / numbers).reshape(len(table), -1, len(POLICIES)), table.index


def shares(far, chosen_on):
    """Shares within 10 and 25 % of the networks that an accounting was not chosen on."""
    distance = np.abs(far[:, chosen_on]).sum(axis=(1, 2))
    best = distance <= distance.min() + ROUNDING
    others = np.delete(np.abs(np.exp(far[best]) - 1), chosen_on, axis=1)
    return [(others <= limit).mean() for limit in (0.10, 0.25)]


def main():
    results = pimsweep.open(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    far, accountings = deviations(results)
    found = np.array([shares(far, list(some)) for some in itertools.combinations(range(far.shape[1]), count)])
    print(f"{len(accountings)} accountings, {len(found)} choices of {count} of {far.shape[1]} networks")
    for name, values in (("median", np.median(found, axis=0)), ("lowest", found.min(axis=0))):
        print(f"{name} of the held-out totals: {100 * values[0]:.0f} % within 10 %, {100 * values[1]:.0f} % within 25 %")
    all_far = np.abs(np.exp(far) - 1).reshape(len(far), -1)
    near = (all_far <= 0.10).sum(axis=1)
    print(f"most totals of {all_far.shape[1]} within 10 %: {near.max()}, by {(near == near.max()).sum()} accountings")
    for place in np.flatnonzero(near == near.max())[:8]:
        print("  " + ", ".join(map(str, accountings[place])))


if __name__ == "__main__":
    main()
