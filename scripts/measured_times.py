"""Measured kernel times beside the model's: results/reference/measured with experiments/kernel.toml."""

import csv
import pathlib
import sys
import zlib

import numpy as np
import pandas as pd

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))
import pimsweep

MEASURED = ROOT / "results" / "reference" / "measured"
CARDS = {"v100": "Tesla V100", "p100": "Tesla P100", "gtx-1080-ti": "GTX 1080 Ti", "t4": "Tesla T4"}
PROCESSORS = {"phi-7250": "Xeon Phi 7250"}
PASSES = {"gemm": ["time"], "conv": ["forward", "backward_inputs", "backward_weights"],
          "rnn": ["forward", "backward_inputs", "backward_weights", "backward_total"]}


def identity(row):
    """Key of a measurement, without its result: the text that decides whether a row is for calibration."""
    return ",".join(value for name, value in row.items() if not name.endswith("_ms") and name != "algorithm")


def is_for_calibration(row):
    """A fourth of the rows, by a checksum of what is measured: the constants in use were fitted to it."""
    return zlib.crc32(identity(row).encode()) % 4 == 0


def measured_rows(kind, card):
    with open(MEASURED / f"{kind}_times.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if row["device"] == card]


def load(path, names=None):
    """One row for each measured time, on the machine of the file; measured and model are in ms.

    names: {name in studies: name in sheets}, by default those of GPUs.
    """
    names = names or CARDS
    rows = []
    results = pimsweep.open(path).machine(0)
    for kind, passes in PASSES.items():
        # experiments/kernel.toml has one study for all GPUs, experiments/manycore.toml one for each processor.
        studies = {kind: list(names.values())} if kind in results else {f"{short}-{kind}": [card]
                                                                        for short, card in names.items()}
        for study, devices in studies.items():
            if study in results:
                measured = [row for device in devices for row in measured_rows(kind, device)]
                rows += times_of(study, results.frame(study), kind, passes, measured)
    rows.sort(key=lambda row: list(names.values()).index(row[0]))
    return pd.DataFrame(rows, columns=["card", "kind", "precision", "pass", "row", "calibration", "measured", "model",
                                       "algorithm"])


def times_of(study, points, kind, passes, measured):
    """The rows of one study, whose points stand in the order of the measured rows."""
    if len(measured) != len(points):
        raise SystemExit(f"{study}: {len(points)} points for {len(measured)} measured rows")
    rows = []
    for name in passes:
        if f"reference_{name}_ms" not in points:
            continue
        model = points[f"{name}_ms"]
        reference = points[f"reference_{name}_ms"]
        if not np.array_equal(reference, [float(row[f"{name}_ms"] or "nan") for row in measured], equal_nan=True):
            raise SystemExit(f"{study}: the points stand in another order than the measured rows")
        for row, ours, theirs in zip(measured, model, reference):
            if np.isnan(ours) or np.isnan(theirs):
                continue
            rows.append((row["device"], kind, row["precision"], name, identity(row), is_for_calibration(row), theirs,
                         ours, row.get("algorithm", "")))
    return rows


def accuracy(frame, by):
    """Rows, median |deviation|, median deviation, 90th percentile of |deviation|, rank correlation."""
    def one(group):
        deviation = group.model / group.measured - 1
        # Spearman's coefficient is Pearson's of the ranks.
        rank = group.model.rank().corr(group.measured.rank())
        return pd.Series({"rows": len(group), "median": deviation.abs().median(), "bias": deviation.median(),
                          "p90": deviation.abs().quantile(0.9), "rank": rank})
    # pandas wants a single key without a list.
    groups = frame.groupby(by if len(by) > 1 else by[0], sort=False)
    return pd.DataFrame({key: one(group) for key, group in groups}).T
