"""Calibrated constants of configs/hardware: each names the experiment that gives it, and repeated fits give it."""

import fnmatch
import functools
import json
import os
import pathlib
import re
import subprocess
import tempfile
import tomllib
import unittest

PROGRAM = os.environ["PIMSWEEP"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
HARDWARE = ROOT / "configs" / "hardware"
# Fits to hundreds of rows, which take up to a minute each (docs/calibrations.md has their results).
SLOW = {"gemm", "gemm-fp8", "decode", "prefill", "experts"}
ALL_ROWS = [("phi-7250", ()), *(("gpus", ("--where", f"hardware == 'gpu-{card}'")) for card in ("v100", "p100", "gtx-1080-ti", "t4"))]
# A fit to a single number, without a range.
TOLERANCE = 0.06


def entries(table, name=()):
    """All calibrated constants of a file: (name, table)."""
    if table.get("basis") == "calibrated":
        yield ".".join(name), table
    for key, value in table.items():
        if isinstance(value, dict):
            yield from entries(value, (*name, key))


def kernels(content):
    """A kernel of UPMEM has cycles, which a study fits by their factor."""
    for kernel in content.get("model", []):
        if kernel.get("basis") == "calibrated":
            yield "cycles_factor", kernel


def calibrated():
    """(file, name, entry) of each calibrated constant."""
    for path in sorted(HARDWARE.rglob("*.toml")):
        content = tomllib.loads(path.read_text())
        for name, entry in [*entries(content), *kernels(content)]:
            yield path.stem, name, entry


def named(entry):
    """The experiment and the study that an entry names."""
    texts = f"{entry.get('source', '')}\n{entry.get('rows', '')}"
    return re.search(r"(experiments/[\w/-]+\.toml), study ([\w-]+)", texts)


@functools.cache
def studies(experiment):
    return {study["id"]: study for study in tomllib.loads((ROOT / experiment).read_text())["study"]}


def is_about(study, name):
    """True if a study fits a constant, has it as an axis, or has the rows of an error of the model."""
    if name.startswith("error."):
        return "reference" in study["table"]
    constants = study.get("calibration", {}).get("constants", [])
    patterns = [*study.get("axes", []), *([constants] if isinstance(constants, str) else constants)]
    return any(fnmatch.fnmatch(f"hardware.{name}", pattern) for pattern in patterns)


def rows_of(study, file, entry):
    """Options for the rows of one GPU or kernel, where a study has those of several."""
    if study.get("hardware") == "@gpus":
        return "--where", f"hardware == '{file}'"
    return ("--where", f"benchmark == '{entry['name']}'") if "name" in entry else ()


@functools.cache
def report_of(experiment, study, options):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([PROGRAM, "calibrate", str(ROOT / experiment), "--study", study, "-o", f"{folder}/fitted.toml", "--json",
                               "--progress", "none", *options], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


class Constants(unittest.TestCase):
    def test_experiments_that_sources_name(self):
        found = 0
        for file, name, entry in calibrated():
            with self.subTest(file=file, constant=name):
                match = named(entry)
                self.assertIsNotNone(match, "the source does not name an experiment and its study")
                study = studies(match[1]).get(match[2])
                self.assertIsNotNone(study, f"{match[0]} does not exist")
                self.assertTrue(is_about(study, name), f"{match[0]} is not about it")
                found += 1
        self.assertGreater(found, 50)

    def test_fits_give_the_constants(self):
        """The value of the file lies in the range of the fit, or near a fit that has none."""
        for file, name, entry in calibrated():
            experiment, study_id = named(entry).groups()
            study = studies(experiment)[study_id]
            if "calibration" not in study or (experiment.endswith("/gpu-serving.toml") and study_id in SLOW):
                continue
            with self.subTest(file=file, constant=name, study=study_id):
                report = report_of(experiment, study_id, rows_of(study, file, entry))
                if name.startswith("error."):
                    factor, = (one for one in report["error_factors"] if one["name"] == f"hardware.{name}")
                    self.assertAlmostEqual(factor["low"] / entry["low"], 1, delta=0.01)
                    self.assertAlmostEqual(factor["high"] / entry["high"], 1, delta=0.01)
                    continue
                constant, = (one for one in report["constants"] if one["name"] == f"hardware.{name}")
                low, high = constant["confidence"]
                if low is None:
                    low, high = constant["fitted"] * (1 - TOLERANCE), constant["fitted"] * (1 + TOLERANCE)
                self.assertTrue(low <= constant["file"] <= high, constant)

    def test_fits_to_all_rows(self):
        """A fit to all of DeepBench's rows that predicted others better would replace the constants of the hardware files."""
        for study, options in ALL_ROWS:
            with self.subTest(study=study, options=options):
                report = report_of("experiments/calibration/deepbench.toml", study, options)
                self.assertTrue(report["keep_old"], report["verdict"])


if __name__ == "__main__":
    unittest.main()
