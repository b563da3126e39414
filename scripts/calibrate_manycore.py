#!/usr/bin/env python3
"""Fits the constants [fitted] of configs/hardware/xeon-phi-7250.toml and prints them.

Usage: calibrate_manycore.py [--program PIMSWEEP]. `sustained` and `memory_efficiency` have the least mean
|ln(model / measured)|, cut at 0.6, over the calibration rows, products and convolutions alike; `spawn` has the least
mean |ln(threads / published)| over the best numbers of threads of the three operations with input (32,8,8,384)
(Table II).
"""

import argparse
import pathlib
import subprocess
import tempfile
import tomllib

import h5py
import numpy as np
from calibrate_gpu import CUT
from measured_times import PASSES, PROCESSORS, is_for_calibration, measured_rows

ROOT = pathlib.Path(__file__).resolve().parents[1]
CARD = PROCESSORS["phi-7250"]
SUSTAINED = [round(0.70 + 0.01 * i, 2) for i in range(26)]
EFFICIENCY = [round(0.60 + 0.02 * i, 2) for i in range(21)]
SPAWN_US = list(range(10, 101, 2))
PUBLISHED = {"backward_weights": 26, "backward_inputs": 36, "forward": 45}


def studies():
    with open(ROOT / "experiments" / "manycore.toml", "rb") as file:
        return {study["id"]: study for study in tomllib.load(file)["study"]}


def toml(study, axes):
    """The study with other axes, as text."""
    def text(value):
        if isinstance(value, list):
            return "[" + ", ".join(text(one) for one in value) + "]"
        return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)
    table = dict(study.get("table", {}))
    if table:
        table["csv"] = str((ROOT / "experiments" / table["csv"]).resolve())
    plain = {key: value for key, value in study.items() if key not in ("axes", "table", "zip")}
    lines = ["[[study]]", *(f'"{key}" = {text(value)}' for key, value in plain.items()), "[study.axes]",
             *(f'"{key}" = {text(value)}' for key, value in axes.items())]
    if table:
        lines += ["[study.table]", *(f"{key} = {text(value)}" for key, value in table.items())]
    return "\n".join(lines)


def run(program, texts):
    with tempfile.TemporaryDirectory() as scratch:
        experiment = pathlib.Path(scratch) / "fit.toml"
        experiment.write_text('name = "fit"\n' + "\n".join(texts))
        results = pathlib.Path(scratch) / "fit.h5"
        subprocess.run([program, str(experiment), "--output", str(results), "--progress", "none"], check=True,
                       stdout=subprocess.DEVNULL)
        with h5py.File(results) as file:
            return {name: {metric: data[:] for metric, data in file[name].items() if isinstance(data, h5py.Dataset)}
                    for name in file if isinstance(file[name], h5py.Group) and "status" in file[name]}


def fit_rates(program, all_studies):
    grid = {"hardware.fitted.sustained": SUSTAINED, "hardware.fitted.memory_efficiency": EFFICIENCY}
    found = run(program, [toml(all_studies[f"phi-7250-{kind}"], grid) for kind in ("gemm", "conv")])
    shape = (len(SUSTAINED), len(EFFICIENCY), -1)
    loss = 0
    for kind in ("gemm", "conv"):
        chosen = np.array([is_for_calibration(row) for row in measured_rows(kind, CARD)])
        data = found[f"phi-7250-{kind}"]
        errors = [np.minimum(np.abs(np.log(data[f"{one}_ms"] / data[f"reference_{one}_ms"])), CUT).reshape(shape)
                  for one in PASSES[kind]]
        loss = loss + np.nanmean(np.concatenate([one[:, :, chosen] for one in errors], axis=2), axis=2) / 2
    best = np.unravel_index(np.argmin(loss), loss.shape)
    return SUSTAINED[best[0]], EFFICIENCY[best[1]], loss[best]


def fit_spawn(program, all_studies):
    axes = {"pass": list(PUBLISHED), "hardware.fitted.spawn": [f"{value} us" for value in SPAWN_US]}
    found = run(program, [toml(all_studies["table-2-8-8-384"], axes)])["table-2-8-8-384"]["best_threads"]
    published = np.array(list(PUBLISHED.values()))[:, None]
    loss = np.abs(np.log(found.reshape(len(PUBLISHED), -1) / published)).mean(axis=0)
    return SPAWN_US[int(np.argmin(loss))], loss.min()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="pimsweep")
    args = parser.parse_args()
    all_studies = studies()
    sustained, efficiency, loss = fit_rates(args.program, all_studies)
    print(f"sustained = {sustained}, memory_efficiency = {efficiency}  (mean |ln| {loss:.3f})")
    spawn, loss = fit_spawn(args.program, all_studies)
    print(f"spawn = {spawn} us  (mean |ln| {loss:.3f})")


if __name__ == "__main__":
    main()
