"""Fits constants of hardware files to measured rows with the program pimsweep (docs/calibration.md)."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import tempfile
from typing import Any

import pandas as pd
import xarray as xr

from .experiment import STOPPED, Experiment, Failed, Stopped, _ask, _file, program


@dataclasses.dataclass(frozen=True)
class Calibration:
    """What `pimsweep calibrate` found."""

    report: dict[str, Any]
    """The whole report, as --json prints it."""
    hardware: dict[str, str]
    """The text of each fitted hardware file, by the name of its file."""
    constants: xr.Dataset
    """One entry for each constant: values of the file and of the fit, in SI units, and the ends of the ranges."""
    values: xr.Dataset
    """One entry for each reference value: predictions with the constants of the file, with the fitted ones, and with
    those of a fit without the row; numbers in SI units, NaN where there is none."""
    splits: xr.Dataset
    """The constants that were fitted without the rows of each split, and its median errors on them."""

    @property
    def verdict(self) -> str:
        """What the fit is worth, in a sentence."""
        return str(self.report["verdict"])

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draws predicted / reference of each held-out value over its reference, before and after the fit."""
        from . import plot

        import matplotlib.pyplot as plt

        plot.use_style()
        figure, axes = plt.subplots(figsize=(plot.COLUMN, 2.6))
        for name, text, marker in (("file", "before", "o"), ("held_out", "fitted without the row", "s")):
            axes.plot(self.values["reference"], self.values[name] / self.values["reference"], marker, markersize=2,
                      alpha=0.6, label=text)
        axes.axhline(1, **plot.PUBLISHED_LINE)
        axes.set(xscale="log", yscale="log", xlabel="reference", ylabel="predicted / reference")
        axes.legend()
        figure.savefig(path)
        plt.close(figure)


def _constants(report: dict[str, Any]) -> xr.Dataset:
    ends = ("range", "profile", "jackknife", "confidence")
    rows = [{**{key: value for key, value in row.items() if key not in ends},
             **{f"{key}_{end}": row[key][i] for key in ends for i, end in enumerate(("low", "high"))}}
            for row in report["constants"]]
    frame = pd.DataFrame(rows).set_index("name").rename_axis("constant")
    numbers = [name for name in frame if name not in ("unit", "moves_rows")]
    return xr.Dataset.from_dataframe(frame.astype(dict.fromkeys(numbers, float)))


def _splits(report: dict[str, Any]) -> xr.Dataset:
    constants = pd.DataFrame([split["constants"] for split in report["splits"]], dtype=float)
    errors = {name: [split[name]["median"] for split in report["splits"]] for name in ("file", "fitted", "one_factor")}
    data: dict[str, Any] = {f"median_error_{name}": ("split", values) for name, values in errors.items()}
    data["value"] = (("split", "constant"), constants.to_numpy())
    return xr.Dataset(data, {"split": range(1, len(constants) + 1), "constant": list(constants.columns)})


def calibrate(experiment: Experiment, output: str | os.PathLike[str] | None = None, ranks: int | None = None,
              resume: bool = False) -> Calibration:
    """Fits the constants of the study with [study.calibration] in an experiment and judges them on held-out rows.

    experiment: the path of a file, or a dict with the same keys. output: the fitted hardware file to write, whose
    results file with all fits has the same name and the ending .h5; without it, both are temporary. ranks: all cores if
    not given. resume: keeps the fits that an earlier call has finished; otherwise they are discarded.

    InputError: the experiment has mistakes, or nothing can be fitted. Stopped: the run ended early and can go on.
    Failed: anything else.
    """
    if ranks is not None and ranks < 1:
        raise ValueError(f"ranks must be 1 or more, not {ranks}")
    with _file(experiment) as (file, keys), tempfile.TemporaryDirectory() as scratch:
        fitted = pathlib.Path(output) if output is not None else pathlib.Path(scratch) / "fitted.toml"
        command = [program(), "calibrate", str(file), "--output", str(fitted), "--json", "--progress", "none",
                   "--resume" if resume else "--force", *(["--ranks", str(ranks)] if ranks else [])]
        done = _ask(command, file, keys)
        if done.returncode == STOPPED:
            raise Stopped(done.stderr.strip())
        if done.returncode != 0:
            raise Failed(f"exit status {done.returncode}: {done.stderr.strip()}")
        report = json.loads(done.stdout)
        hardware = {pathlib.Path(path).name: pathlib.Path(path).read_text() for path in report["files"]}
    values = xr.Dataset.from_dataframe(pd.DataFrame(report["values"]).rename_axis("value"))
    for name in ("reference", "file", "fitted", "held_out"):
        values[name] = values[name].astype(float)
    return Calibration(report, hardware, _constants(report), values, _splits(report))
