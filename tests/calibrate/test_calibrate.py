"""`pimsweep calibrate` on machines whose constants are known: values, ranges, ranks, stops, bad input."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import tomllib
import unittest

import h5py
import numpy as np
import pimsweep

PROGRAM = os.environ["PIMSWEEP"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "experiments" / "examples"
TRUE = {"hardware.fitted.launch": 12.5e-6, "hardware.fitted.stall": 0.41, "hardware.fitted.sustained": 0.88}
STUDY = (EXAMPLES / "calibration.toml").read_text()
TABLE = (EXAMPLES / "measured.csv").read_text()


class Calibrate(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "measured.csv").write_text(TABLE)

    def command(self, *options, text=STUDY, output="fitted.toml"):
        (self.folder / "fit.toml").write_text(text)
        return [PROGRAM, "calibrate", str(self.folder / "fit.toml"), "-o", str(self.folder / output), "--progress", "none",
                *options]

    def fit(self, *options, **form):
        done = subprocess.run(self.command("--json", *options, **form), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refused(self, text, *options):
        """The message of bad input, which leaves no file."""
        done = subprocess.run(self.command(*options, text=text), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual({file.name for file in self.folder.iterdir()}, {"fit.toml", "measured.csv"})
        return done.stderr

    def test_known_constants(self):
        report = self.fit("--ranks", "2")
        again = self.command("--resume", "--csv", str(self.folder / "rows.csv"))
        self.assertIn("Fitting 3 constants lowers the median error", subprocess.run(
            again, check=True, capture_output=True, text=True).stdout)
        for constant in report["constants"]:
            if constant["name"] in TRUE:
                low, high = constant["confidence"]
                self.assertLessEqual(low, TRUE[constant["name"]], constant)
                self.assertGreaterEqual(high, TRUE[constant["name"]], constant)
                self.assertLessEqual(low, constant["fitted"])
                self.assertGreaterEqual(high, constant["fitted"])
        still = [constant["name"] for constant in report["constants"] if not constant["moves_rows"]]
        # Energy does not change times, nor do constants of other kernels.
        self.assertEqual(still, ["hardware.energy.l2", "hardware.fitted.memory_efficiency", "hardware.fitted.tensor_efficiency",
                                 "hardware.fitted.attention_efficiency"])
        self.assertFalse(report["keep_old"])
        self.assertTrue(all(value["moved"] for value in report["values"]))
        held = report["held_out"]
        self.assertEqual(held["fitted"]["values"], 66)
        self.assertLess(held["fitted"]["median"], 0.05)
        self.assertLess(held["fitted"]["median"], held["file"]["median"])
        self.assertLess(held["fitted"]["median"], held["one_factor"]["median"])
        fitted = tomllib.loads((self.folder / "fitted.toml").read_text())["fitted"]
        self.assertEqual(fitted["launch"]["basis"], "calibrated")
        launch, = (one for one in report["constants"] if one["name"] == "hardware.fitted.launch")
        self.assertEqual(float(fitted["launch"]["value"].removesuffix(" s")), launch["fitted"])
        self.assertIn("66 rows of measured.csv", fitted["launch"]["source"])
        self.assertEqual(len((self.folder / "rows.csv").read_text().splitlines()), 67)
        subprocess.run([PROGRAM, "check", str(self.folder / "fit.toml"), "--set",
                        f"hardware={self.folder / 'fitted.toml'}"], check=True, capture_output=True)

    def test_ranks_and_resume(self):
        first = self.fit("--ranks", "1", output="first.toml")
        for ranks in ("2", "7"):
            other = self.fit("--ranks", ranks, output="other.toml", *(["--force"] if ranks == "7" else []))
            self.assertEqual({**first, "files": []}, {**other, "files": []})
            self.assertEqual((self.folder / "first.toml").read_bytes(), (self.folder / "other.toml").read_bytes())
        killed = subprocess.Popen(self.command("--ranks", "1", output="killed.toml"), stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        while killed.poll() is None and not any(file.stat().st_size > 500 for file in self.folder.glob("killed.h5.*/*")):
            time.sleep(0.01)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        self.assertFalse((self.folder / "killed.toml").exists())
        self.fit("--resume", output="killed.toml")
        self.assertEqual((self.folder / "first.toml").read_bytes(), (self.folder / "killed.toml").read_bytes())

    def test_expressions(self):
        """The rate of a kernel says as much as its time; several observations have weights."""
        quick = STUDY.replace("at_most = 3", "at_most = 3\nprofile = false\nstarts = 1\nfolds = 2")
        times = self.fit("--ranks", "1", text=quick, output="times.toml")
        rates = self.fit("--ranks", "1", output="rates.toml", text=quick.replace(
            'observe = "time_ms"', 'observe = [{ metric = "M * N * K / time_ms", weight = 3 }, "time_ms"]'))
        self.assertEqual(sorted({value["metric"] for value in rates["values"]}), ["M*N*K/time_ms", "time_ms"])
        self.assertEqual(rates["held_out"]["fitted"]["values"], 2 * times["held_out"]["fitted"]["values"])
        for time_fit, rate_fit in zip(times["constants"], rates["constants"]):
            if time_fit["name"] == "hardware.fitted.launch":
                self.assertAlmostEqual(rate_fit["fitted"] / time_fit["fitted"], 1, delta=0.01)

    def test_rows_of_other_kernels(self):
        """Rows that the model does not describe: a weight takes them out, a bounded loss makes them hardly count."""
        header, *rows = TABLE.splitlines()
        others = [row.rsplit(",", 1) if int(row.split(",")[1]) < 300 else (row, None) for row in rows]
        slow = [row if time is None else f"{row},{3 * float(time):.5f}" for row, time in others]
        (self.folder / "measured.csv").write_text("\n".join([header, *slow]) + "\n")
        observe = 'observe = "time_ms"'
        quick = "\nprofile = false\nfolds = 2"
        weighted = '{ metric = "time_ms", weight = "2 * (M >= 300)" }'
        texts = {"huber": STUDY + quick, "bounded": STUDY + quick + '\nloss = "bounded"',
                 "weighted": STUDY.replace(observe, f"observe = {weighted}") + quick}
        distances = {}
        for name, text in texts.items():
            fitted = {one["name"]: one["fitted"] for one in self.fit("--ranks", "1", "--force", text=text)["constants"]}
            launch = "hardware.fitted.launch"
            distances[name] = abs(np.log(fitted[launch] / TRUE[launch]))
        self.assertLess(distances["weighted"], 0.1, distances)
        self.assertLess(distances["bounded"], distances["huber"] / 2, distances)

    def test_error_factors(self):
        """The spread of held-out rows becomes errors of the model in the fitted file, and bands have them."""
        report = self.fit("--ranks", "1", text=STUDY.replace("at_most = 3", "at_most = 3\nprofile = false"))
        common, by_shape = report["error_factors"]
        names = ["hardware.error.gemm", "hardware.error.gemm_by_shape"]
        self.assertEqual([common["name"], by_shape["name"]], names)
        self.assertEqual((common["values"], by_shape["values"]), (66, 66))
        # 5 and 95 % quantiles of 5 % noise: about 8 % to either side, and 8 % / sqrt(66) for all rows together.
        self.assertTrue(0.86 < by_shape["low"] < 0.96 < 1.04 < by_shape["high"] < 1.16, by_shape)
        self.assertTrue(0.95 < common["low"] < 1 < common["high"] < 1.05, common)
        error = tomllib.loads((self.folder / "fitted.toml").read_text())["error"]["gemm_by_shape"]
        self.assertEqual((error["value"], error["distribution"]), (1, "log-normal"))
        self.assertAlmostEqual(error["low"], by_shape["low"], places=3)
        draws = 64
        (self.folder / "rows.toml").write_text(f"""name = "rows"
[[study]]
id = "rows"
system = "kernel"
hardware = "{self.folder / 'fitted.toml'}"
[study.uncertainty]
samples = {draws}
constants = {json.dumps(names)}
[study.table]
csv = "measured.csv"
reference = ["time_ms"]
""")
        subprocess.run([PROGRAM, str(self.folder / "rows.toml"), "-o", str(self.folder / "rows.h5"), "--progress", "none"],
                       check=True, stdout=subprocess.DEVNULL)
        with h5py.File(self.folder / "rows.h5") as file:
            times = np.log(file["rows"]["time_ms"][:].reshape(66, draws + 1)[:, 1:])
        width = float(np.mean(np.diff(np.quantile(times, [0.05, 0.95], axis=1), axis=0)))
        self.assertAlmostEqual(width / np.log(by_shape["high"] / by_shape["low"]), 1, delta=0.2)
        # All rows together have the common factor, and a little of the errors of shapes.
        self.assertLess(np.diff(np.quantile(times.mean(axis=0), [0.05, 0.95]))[0], 0.4 * width)

    def test_rows_that_say_nothing(self):
        """The rate of thin GEMMs does not move others."""
        text = STUDY.replace('"hardware.fitted.*", "hardware.memory.latency_cycles", "hardware.energy.l2"', '"hardware.fitted.skinny"')
        text = text.replace("gpu-v100", "gpu-p100").replace("at_most = 3", "profile = false\nstarts = 1\nfolds = 2")
        thin = "".join(f"gemm,2048,8,{1024 * depth},{0.02 + 0.01 * depth}\n" for depth in range(1, 9))
        (self.folder / "measured.csv").write_text(TABLE + thin)
        report = self.fit("--ranks", "1", text=text)
        self.assertEqual([value["moved"] for value in report["values"]], [False] * 66 + [True] * 8)

    def test_errors_of_an_observation(self):
        """What the values of one observation have in common does not count as an error by shape."""
        text = STUDY.replace("at_most = 3", "at_most = 3\nprofile = false\nstarts = 1").replace(
            'observe = "time_ms"', 'observe = ["time_ms", "time"]').replace('["time_ms"]', '["time_ms", "time"]')
        header, *lines = TABLE.splitlines()
        rows = [f"{line},{1.3 * float(line.split(',')[-1])}" for line in lines]
        (self.folder / "measured.csv").write_text("\n".join([f"{header},time [ms]", *rows]) + "\n")
        common, by_shape = self.fit("--ranks", "1", text=text)["error_factors"]
        self.assertGreater(common["high"] / common["low"], 1.3)
        self.assertLess(by_shape["high"] / by_shape["low"], 1.3)

    def test_no_held_out_rows(self):
        text = STUDY.replace('"hardware.fitted.*", "hardware.memory.latency_cycles", "hardware.energy.l2"',
                             '"hardware.fitted.launch"').replace("at_most = 3", "folds = 0\nprofile = false")
        (self.folder / "measured.csv").write_text("kind,M,N,K,time_ms\ngemm,64,64,64,0.015\n")
        report = self.fit("--ranks", "1", text=text)
        self.assertAlmostEqual(report["values"][0]["fitted"], 0.015, places=7)
        self.assertFalse(report["keep_old"])
        self.assertIn("None was held out", report["verdict"])
        self.assertIn("no row was held out", (self.folder / "fitted.toml").read_text())
        (self.folder / "fitted.toml").unlink()
        (self.folder / "fitted.h5").unlink()
        message = self.refused(text.replace('"hardware.fitted.launch"', '"hardware.fitted.launch", "hardware.fitted.stall"'))
        self.assertIn("1 groups of rows cannot determine 2 constants", message)

    def test_python(self):
        """The same from a dict as from a file, as datasets."""
        quick = STUDY.replace("at_most = 3", "at_most = 3\nprofile = false\nstarts = 1\nfolds = 2")
        report = self.fit("--ranks", "1", text=quick)
        keys = tomllib.loads(quick)
        keys["study"][0]["table"]["csv"] = str(self.folder / "measured.csv")
        for experiment in (self.folder / "fit.toml", keys):
            found = pimsweep.calibrate(experiment, ranks=1)
            self.assertEqual(found.constants["fitted"].sel(constant="hardware.fitted.launch").item(),
                             next(one["fitted"] for one in report["constants"] if one["name"] == "hardware.fitted.launch"))
            self.assertEqual(found.values["held_out"].to_numpy().tolist(), [one["held_out"] for one in report["values"]])
            self.assertEqual((found.splits.sizes["split"], list(found.hardware)), (2, ["fitted.toml"]))
        del keys["study"][0]["calibration"]
        with self.assertRaisesRegex(pimsweep.InputError, r"none of the studies has a table \[study.calibration\]"):
            pimsweep.calibrate(keys)

    def test_constants_that_act_together(self):
        text = STUDY.replace('"hardware.fitted.*", "hardware.memory.latency_cycles", "hardware.energy.l2"',
                             '"hardware.fitted.sustained", "hardware.clock"').replace(
                                 "at_most = 3", 'profile = false\n[study.calibration.ranges]\n'
                                 '"hardware.clock" = { from = "1.3 GHz", to = "1.8 GHz" }')
        rows = "".join(f"gemm,{size},{size},{size},{size**3 / 5e9 * (1 + 0.01 * (size % 7)):.4g}\n"
                       for size in range(4096, 9000, 256))
        (self.folder / "measured.csv").write_text("kind,M,N,K,time_ms\n" + rows)
        pair, = self.fit(text=text)["pairs"]
        self.assertTrue(pair["act_together"] or abs(pair["correlation"]) > 0.95, pair)

    def test_bad_input(self):
        def changed(old, new):
            self.assertIn(old, STUDY)
            return STUDY.replace(old, new)

        self.assertIn("none of the constants moves any of the rows",
                      self.refused(changed('constants = ["hardware.fitted.*", "hardware.memory.latency_cycles", "hardware.energy.l2"]',
                                           'constants = ["hardware.energy.l2"]')))
        self.assertIn("'hardware.fitted.launch': a constant is fitted between two different values", self.refused(
            STUDY + '[study.calibration.ranges]\n"hardware.fitted.launch" = { from = "1 us", to = "1 us" }\n'))
        self.assertIn("70 folds of 66 groups of rows: a fold would be empty",
                      self.refused(changed("at_most = 3", "at_most = 3\nfolds = 70")))
        message = self.refused(changed('observe = "time_ms"', 'observe = "time"'))
        self.assertIn("fit.toml:14:11: metric 'time' does not have a reference column", message)
        self.assertIn("observation 'M * 2' does not name a metric",
                      self.refused(changed('observe = "time_ms"', 'observe = "M * 2"')))
        self.assertIn("fit.toml:14:11: metric 'energy' does not have a reference column",
                      self.refused(changed('observe = "time_ms"', 'observe = "time_ms * energy"')))
        self.assertIn("duplicate observation 'time_ms'",
                      self.refused(changed('observe = "time_ms"', 'observe = ["time_ms", "time_ms"]')))
        message = self.refused(changed('observe = "time_ms"', 'observe = { metric = "time_ms", weight = "100 - M" }'))
        self.assertIn("fit.toml:14:42: weight '100 - M' of row", message)
        self.assertIn("expected a number of at least 0", message)
        self.assertIn("no row has a weight above 0",
                      self.refused(changed('observe = "time_ms"', 'observe = { metric = "time_ms", weight = "0 * M" }')))
        message = self.refused(changed('observe = "time_ms"', 'observe = { metric = "time_ms", weight = "MM" }'))
        self.assertIn("'MM'", message)
        self.assertIn("'loss' = \"bounded\" needs an error without a unit",
                      self.refused(changed("at_most = 3", 'at_most = 3\nerror = "absolute"\nloss = "bounded"')))
        message = self.refused(changed("at_most = 3", 'at_most = 3\nloss = "bound"'))
        self.assertIn("did you mean 'bounded'?", message)
        self.assertIn("'folds' must be from 2 to 1000, or 0 to hold out nothing, got 1",
                      self.refused(changed("at_most = 3", "at_most = 3\nfolds = 1")))
        message = self.refused(changed('"hardware.fitted.*"', '"hardware.fited.launch"'))
        self.assertIn("'hardware.fited.launch' does not match any constant of system 'kernel'", message)
        self.assertIn("did you mean 'hardware.fitted.launch'?", message)
        lines = TABLE.splitlines()
        for table, expected in (
                (lines[:1] + [line.rsplit(",", 1)[0] + ",2" for line in lines[1:]], "'time_ms' is 2 in every row"),
                (lines[:2] + ["gemm,64,64,64,0"] + lines[2:], "reference 'time_ms' of row 2 is 0"),
                (lines[:2] + ["gemm,64,64,64,nan"] + lines[2:], "measured.csv:3:15"),
                (lines[:2] + ["gemm,64,64,64,fast"] + lines[2:], "measured.csv:3:15"),
                (lines[:1], "the table does not have rows after its header"),
                ([line.replace("time_ms", "time_ms [W]") for line in lines], "'1 W' has the wrong dimension"),
                (lines[:1] + [line + "e3" for line in lines[1:]], "is in the median 1164 times the value"),
                (lines[:1] + [line.rsplit(",", 1)[0] + "," for line in lines[1:]], "'time_ms' does not have any value"),
                (lines[:5], "5 folds of 4 groups of rows"),
                (lines[:5] + [line.rsplit(",", 1)[0] + "," for line in lines[5:]], "5 folds of 4 groups of rows"),
                (lines[:6], "4 groups of rows remain to fit 4 constants")):
            with self.subTest(expected=expected):
                (self.folder / "measured.csv").write_text("\n".join(table) + "\n")
                self.assertIn(expected, self.refused(changed("at_most = 3", "at_most = 4")))

    def test_rows_without_a_value(self):
        """Rows that the machine cannot run leave folds and constants with fewer groups."""
        text = STUDY.replace("gpu-v100", "gpu-p100").replace("at_most = 3", "at_most = 1\nprofile = false\nstarts = 1")
        header, *lines = TABLE.splitlines()
        header += ",precision"
        run = [line + ",fp32" for line in lines[:20]]
        cannot = [line + ",fp16-in/tensor-mixed" for line in lines[20:]]
        (self.folder / "measured.csv").write_text("\n".join([header, *run, *cannot[:2]]) + "\n")
        report = self.fit("--ranks", "1", text=text)
        self.assertEqual((report["rows"], report["groups"], report["excluded"]), (20, 20, 2))
        for output in self.folder.glob("fitted.*"):
            output.unlink()
        (self.folder / "measured.csv").write_text("\n".join([header, *run[:3], *cannot]) + "\n")
        self.assertIn("without 46 rows that this machine cannot run, a fold would be empty: leave them out by 'where' ('Tesla P100' has",
                      self.refused(text))

    def test_outputs(self):
        """Outputs are checked before anything runs."""
        for name, csv, expected in (("fitted.h5", "rows.csv", "-o names the fitted hardware file"), ("fitted", "rows.csv", "does not end so"),
                                    ("fitted.toml", "fitted.toml", "-o and --csv name the same file"),
                                    ("fitted.toml", "measured.csv", "--force replaces it"), ("fit.toml", "rows.csv", "--force replaces it")):
            with self.subTest(output=name, csv=csv):
                done = subprocess.run(self.command("--csv", str(self.folder / csv), output=name), capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 2)
                self.assertIn(expected, done.stderr)
                self.assertEqual({file.name for file in self.folder.iterdir()}, {"fit.toml", "measured.csv"})


if __name__ == "__main__":
    unittest.main()
