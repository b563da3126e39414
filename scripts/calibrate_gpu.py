#!/usr/bin/env python3
"""Fits the constants [fitted] of configs/hardware/gpu-*.toml to the calibration rows and prints them.

Usage: calibrate_gpu.py [--program PIMSWEEP] [--fourth N]. Only constants marked `calibrated` are fitted, from the same
start for all GPUs. Constants vary one at a time over a grid around their value, which gets finer from round to round; the best
has the least mean |ln(model / measured)|, cut at 0.6 so that no outlier decides, products and convolutions alike. The
constants in use rest on fourth 0 of the rows; what fourths 1 to 3 give is the range of these constants in configs.
"""

import argparse
import pathlib
import subprocess
import tempfile
import tomllib

import h5py
import numpy as np
from measured_times import CARDS, MEASURED, PASSES, is_for_calibration, measured_rows

ROOT = pathlib.Path(__file__).resolve().parents[1]
KINDS = ["gemm", "conv"]
CUT = 0.6
START = {"sustained": 0.8, "launch": 1e-5, "stall": 0.5, "skinny": 0.2}
ROUNDS = [2.5, 2.0, 2.0, 1.5, 1.25, 1.1, 1.05, 1.02]
GRID = 9
LIMITS = {"sustained": (0.05, 1.0), "launch": (1e-7, 1e-3), "stall": (0.01, 10.0), "skinny": (0.005, 1.0)}


def calibrated(hardware):
    """Names of the fitted constants of a hardware file."""
    with open(ROOT / "configs" / "hardware" / f"{hardware}.toml", "rb") as file:
        fitted = tomllib.load(file)["fitted"]
    return [name for name, entry in fitted.items() if "calibrated" in entry]


def text(name, value):
    return f'"{value * 1e6:.5g} us"' if name == "launch" else f"{value:.5g}"


def losses(program, short, values, name, grid, fourth):
    """Loss for each value of one constant, with the others fixed."""
    card = CARDS[short]
    with tempfile.TemporaryDirectory() as scratch:
        studies = []
        for kind in KINDS:
            fixed = "\n".join(f'"hardware.fitted.{other}" = {text(other, value)}' for other, value in values.items()
                              if other != name)
            references = ", ".join(f'"{one}_ms"' for one in PASSES[kind])
            labels = '"suite", "algorithm", "out_w", "out_h"' if kind == "conv" else '"suite"'
            studies.append(f"""[[study]]
id = "{kind}"
system = "kernel"
hardware = "gpu-{short}"
kind = "{kind}"
where = "device == '{card}'"
{fixed}
[study.axes]
"hardware.fitted.{name}" = [{", ".join(text(name, value) for value in grid)}]
[study.table]
csv = "{MEASURED}/{kind}_times.csv"
labels = [{labels}]
reference = [{references}]
""")
        experiment = pathlib.Path(scratch) / "fit.toml"
        experiment.write_text('name = "fit"\n' + "\n".join(studies))
        results = pathlib.Path(scratch) / "fit.h5"
        subprocess.run([program, str(experiment), "--output", str(results), "--progress", "none"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        total = np.zeros(len(grid))
        with h5py.File(results) as file:
            for kind in KINDS:
                chosen = np.array([is_for_calibration(row, fourth) for row in measured_rows(kind, card)])
                errors = []
                for one in PASSES[kind]:
                    model = file[kind][f"{one}_ms"][:].reshape(len(grid), -1)[:, chosen]
                    measured = file[kind][f"reference_{one}_ms"][:].reshape(len(grid), -1)[:, chosen]
                    errors.append(np.minimum(np.abs(np.log(model / measured)), CUT))
                total += np.nanmean(np.concatenate(errors, axis=1), axis=1) / len(KINDS)
    return total


def fit(program, short, fourth):
    values = {name: START[name] for name in calibrated(f"gpu-{short}")}
    loss = None
    for spread in ROUNDS:
        for name in values:
            low, high = LIMITS[name]
            grid = np.clip(values[name] * np.geomspace(1 / spread, spread, GRID), low, high)
            # The grid's middle is kept exactly; values clipped at a limit must not occur twice.
            grid = np.unique([float(f"{value:.5g}") for value in grid])
            found = losses(program, short, values, name, grid, fourth)
            values[name] = float(grid[np.argmin(found)])
            loss = found.min()
    return values, loss


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="pimsweep")
    parser.add_argument("--fourth", type=int, choices=range(4), default=0)
    args = parser.parse_args()
    for short in CARDS:
        values, loss = fit(args.program, short, args.fourth)
        print(f"gpu-{short}: " + ", ".join(f"{name} = {text(name, value)}" for name, value in values.items())
              + f"  (mean |ln| {loss:.3f})", flush=True)


if __name__ == "__main__":
    main()
