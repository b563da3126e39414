#!/usr/bin/env python3
"""How far a plain roofline comes: max(operations / (a peak), bytes / (b bandwidth)) + launch.

a, b and the launch time are fitted for each GPU to the rows that the model of docs/gpu.md was fitted to, by the same
measure. Prints the accuracy on the other rows.
"""

import itertools
import tomllib

import numpy as np
import pandas as pd
from measured_times import CARDS, PASSES, ROOT, accuracy, is_for_calibration, measured_rows

CUT = 0.6
BYTES = {"fp32": 4, "fp16-in/fp32-math": 2, "fp16-in/tensor-mixed": 2, "int8": 1}


def work(kind, row):
    """Operations and values of a kernel."""
    if kind == "gemm":
        m, n, k = (float(row[name]) for name in "MNK")
        return 2 * m * n * k, m * k + k * n + m * n
    n, c, k, h, w, r, s, p, q = (float(row[name]) for name in
                                 ("N", "C", "K", "H", "W", "filter_h", "filter_w", "out_h", "out_w"))
    return 2 * n * k * c * r * s * p * q, n * c * h * w + n * k * p * q + c * k * r * s


def rows_of(short, card):
    with open(ROOT / "configs" / "hardware" / f"gpu-{short}.toml", "rb") as file:
        hardware = tomllib.load(file)
    sm = hardware["sm"]
    rate = {name: sm[f"{name}_rate"]["value"] for name in ("fp32", "tensor", "int8", "int8_tensor")}
    peak = {"fp32": rate["fp32"], "fp16-in/fp32-math": rate["fp32"], "fp16-in/tensor-mixed": rate["tensor"],
            "int8": max(rate["int8"], rate["int8_tensor"])}
    cycles = float(hardware["clock"]["value"].split()[0]) * 1e6 * sm["count"]["value"]
    bandwidth = float(hardware["memory"]["bandwidth"]["value"].split()[0]) * 1e9
    rows = []
    for kind in ("gemm", "conv"):
        for row in measured_rows(kind, card):
            operations, values = work(kind, row)
            for one in PASSES[kind]:
                if row[f"{one}_ms"]:
                    rows.append((card, kind, is_for_calibration(row), float(row[f"{one}_ms"]) / 1e3,
                                 operations / (peak[row["precision"]] * cycles),
                                 values * BYTES[row["precision"]] / bandwidth))
    return pd.DataFrame(rows, columns=["card", "kind", "calibration", "measured", "math", "memory"])


def predicted(rows, constants):
    math, memory, launch = constants
    return np.maximum(rows.math / math, rows.memory / memory) + launch


def loss(rows, constants):
    errors = np.minimum(np.abs(np.log(predicted(rows, constants) / rows.measured)), CUT)
    return errors.groupby(rows.kind).mean().mean()


def fit(rows):
    """The best of a grid, which gets finer around the best so far."""
    best = (0.6, 0.6, 1e-5)
    for spread in (3.0, 1.5, 1.2, 1.08, 1.03):
        grids = [value * np.geomspace(1 / spread, spread, 9) for value in best]
        best = min(itertools.product(*grids), key=lambda constants: loss(rows, constants))
    return best


def main():
    all_rows = []
    for short, card in CARDS.items():
        rows = rows_of(short, card)
        constants = fit(rows[rows.calibration])
        rows["model"] = predicted(rows, constants)
        all_rows.append(rows)
        print(f"gpu-{short}: math {constants[0]:.3f}, memory {constants[1]:.3f}, launch {constants[2] * 1e6:.1f} us")
    held = pd.concat(all_rows)
    held = held[~held.calibration]
    print(accuracy(held, ["kind"]).round(3).to_string())
    print(accuracy(held, ["kind", "card"]).round(3).to_string())


if __name__ == "__main__":
    main()
