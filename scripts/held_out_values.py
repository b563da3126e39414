#!/usr/bin/env python3
"""What the unprinted constants of a paper are worth: held_out_values.py VALUES MACHINES [--splits 20] [--csv FILE].

`pimsweep report --bands RESULTS --csv VALUES --machines MACHINES` writes both for experiments/held-out.toml: published values as built,
and on sampled machines. A split takes a fifth of a paper's figures at random; of the machines that differ in a few
unprinted constants, the nearest one to their values (mean |ln(ours / published)|, cut at ln 2, so that no outlier decides) is
judged on the values of all other figures, next to the machine as built. Values of one figure are never divided.
"""

import argparse
import sys

import numpy as np
import pandas as pd

CUT = np.log(2)
FITTED = 0.2
LIMITS = (0.10, 0.25)
# Values that say nothing about the model, as in docs/fidelity.md.
LEFT_OUT = ("calibrated", "definition", "artifact")


def logarithms(values, machines):
    """ln(ours / published), (values, machines) with the machine as built first, and the figure of each value."""
    built = values.assign(draw=0, number=values.reproduced)
    columns = ["id", "where", "published", "draw", "number"]
    rows = pd.concat([built[~built.role.isin(LEFT_OUT)][columns], machines[machines.id.isin(values.id)][columns]])
    for name in ("published", "number"):
        rows[name] = pd.to_numeric(rows[name], errors="coerce")
    rows = rows[(rows.published > 0) & (rows.number > 0)]
    table = rows.assign(far=np.log(rows.number / rows.published)).pivot_table(index=["where", "id"], columns="draw", values="far")
    table = table.dropna()
    return table.to_numpy(), table.index.get_level_values("where")


def shares(far):
    """Shares of the values within each of LIMITS."""
    deviation = np.abs(np.expm1(far))
    return [float((deviation <= limit).mean()) for limit in LIMITS]


def judge_split(far, figures, seed):
    """Shares within LIMITS of the held-out values, as built and on the machine that was chosen on the others."""
    names = np.unique(figures)
    fitted = np.random.default_rng(seed).permutation(names)[:max(1, round(FITTED * len(names)))]
    is_fitted = np.isin(figures, fitted)
    distance = np.minimum(np.abs(far[is_fitted]), CUT).mean(axis=0)
    return shares(far[~is_fitted, 0]) + shares(far[~is_fitted, int(np.argmin(distance))])


def judge_paper(values, machines, splits):
    far, figures = logarithms(values, machines)
    found = np.array([judge_split(far, figures, seed) for seed in range(splits)])
    mean, spread = found.mean(axis=0), (found[:, 2:] - found[:, :2]).std(axis=0)
    return {"paper": machines.paper.iloc[0], "counted": len(far), "figures": len(np.unique(figures)),
            "machines": far.shape[1] - 1, "splits": splits,
            **{name: f"{100 * value:.0f}" for name, value in zip(
                ("built_10", "built_25", "held_out_10", "held_out_25", "spread_10", "spread_25"), [*mean, *spread])}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("values")
    parser.add_argument("machines")
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--csv", default=sys.stdout)
    args = parser.parse_args()
    values, machines = (pd.read_csv(path, dtype=str) for path in (args.values, args.machines))
    machines["draw"] = machines.draw.astype(int)
    table = pd.DataFrame([judge_paper(values[values.paper == paper], rows, args.splits)
                          for paper, rows in machines.groupby("paper", sort=False)])
    table.to_csv(args.csv, index=False)


if __name__ == "__main__":
    main()
