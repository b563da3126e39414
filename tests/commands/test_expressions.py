"""Own metrics and shards from outside: what is stored, what commands answer, and what is evaluated again."""

import csv
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["PIMSWEEP"]

STUDIES = """name = "own"
[[study]]
id = "gpus"
system = "gpu"
hardware = ["gpu-v100", "gpu-t4"]
[study.axes]
model = ["resnet-50", "vgg-a"]
batch = [1, 4, 16]
"""
DERIVED = """[study.derived]
edp = "time_per_sample * energy_per_sample"
odd = "1 / (batch - 4)"
"""
SEARCH = """[[study]]
id = "found"
system = "gpu"
hardware = "gpu-v100"
model = "resnet-50"
[study.axes]
batch = [1, 2, 4, 8, 16]
[study.derived]
edp = "time_per_sample * energy_per_sample"
[study.search]
min = ["edp", "time / batch"]
points = 5
population = 5
"""


class Expressions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.write("own.toml", STUDIES + DERIVED)
        cls.run_it("own.toml")

    @classmethod
    def write(cls, name, text):
        (cls.folder / name).write_text(text)

    @classmethod
    def run_it(cls, *arguments, expect=0):
        quiet = ("--progress", "none", "--ranks", "1") if arguments[0].endswith(".toml") else ()
        done = subprocess.run([PROGRAM, *arguments, *quiet], cwd=cls.folder, capture_output=True, text=True, timeout=120)
        if done.returncode != expect:
            raise AssertionError(f"{arguments}: exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def rows(self, results, columns, *options):
        return list(csv.DictReader(io.StringIO(self.run_it("show", results, "--columns", columns, "--csv", "-", *options))))

    def test_derived_metrics_are_stored_with_units(self):
        rows = self.rows("results/own.h5", "time_per_sample,energy_per_sample,edp", "--units")
        self.assertEqual(len(rows), 12)
        for row in rows:
            wanted = float(row["time_per_sample [s]"]) * float(row["energy_per_sample [J]"])
            self.assertAlmostEqual(float(row["edp [s*J]"]) / wanted, 1, places=14)
        self.assertIn("edp", self.run_it("show", "results/own.h5"))

    def test_values_that_are_not_finite_are_missing(self):
        for row in self.rows("results/own.h5", "batch,odd"):
            if row["batch"] == "4":
                self.assertEqual(row["odd"], "nan")
            else:
                self.assertAlmostEqual(float(row["odd"]), 1 / (int(row["batch"]) - 4))
        self.assertIn("more lack one of the numbers", self.run_it("top", "results/own.h5", "--min", "odd"))
        self.assertRegex(self.run_it("show", "results/own.h5", "--columns", "odd"),
                         r"odd is missing in \d+ points?: a metric that it depends on is missing, or its value is not finite")

    def test_expressions_are_metrics_everywhere(self):
        edp = "time_per_sample * energy_per_sample"
        stored = sorted(self.rows("results/own.h5", "edp"), key=lambda row: float(row["edp"]))
        best = stored[0]["point"]
        for command in (("top", "--min", edp, "-n", "1"), ("pareto", "--min", edp), ("show", "--columns", f"model,{edp}", "--sort", edp, "-n", "1")):
            said = self.run_it(command[0], "results/own.h5", *command[1:])
            self.assertEqual(said.splitlines()[2].split()[0], best, said)
        self.assertEqual([row["point"] for row in self.rows("results/own.h5", "edp", "--sort", f"-{edp}")],
                         [row["point"] for row in reversed(stored)])
        rows = self.rows("results/own.h5", f"edp,{edp},max(batch, 4)")
        self.assertTrue(all(row["edp"] == row[edp] and float(row["max(batch, 4)"]) >= 4 for row in rows))
        self.assertIn("gpus", self.run_it("top", "results/own.h5", "--min", edp, "--across"))

    def test_adding_one_evaluates_nothing(self):
        self.write("later.toml", STUDIES.replace('"own"', '"later"'))
        self.run_it("later.toml")
        self.write("later.toml", STUDIES.replace('"own"', '"later"') + DERIVED)
        self.assertIn("12 reused, 0 evaluated", self.run_it("later.toml", "--resume"))
        self.assertEqual(self.rows("results/later.h5", "edp,odd"), self.rows("results/own.h5", "edp,odd"))
        self.run_it("rerun", "results/later.h5", "--point", "3")

    def test_a_search_minimizes_them(self):
        self.write("found.toml", 'name = "found"\n' + SEARCH)
        self.run_it("found.toml")
        rows = self.rows("results/found.h5", "edp,time / batch,front")
        for row in rows:
            dominated = any(float(other["edp"]) <= float(row["edp"]) and float(other["time / batch"]) <= float(row["time / batch"]) and other != row
                            for other in rows)
            self.assertEqual(row["front"], str(not dominated).lower())
        self.assertIn("edp", self.run_it("pareto", "results/found.h5"))

    def test_shards_join_to_the_whole(self):
        for shard in ("1/3", "2/3", "3/3"):
            self.run_it("own.toml", "--shard", shard)
        shards = sorted((self.folder / "results" / "own.shards").glob("*.h5"))
        self.assertEqual([path.name for path in shards], ["1-of-3.h5", "2-of-3.h5", "3-of-3.h5"])
        for path in shards:
            rows = self.rows(str(path), "batch")
            self.assertEqual(len(rows), 4)
            self.assertGreater(len({row["batch"] for row in rows}), 1)
        self.run_it("merge", *(f"{path}.journal" for path in shards), "-o", "results/joined.h5")
        self.run_it("compare", "results/joined.h5", "results/own.h5")


if __name__ == "__main__":
    sys.exit(unittest.main())
