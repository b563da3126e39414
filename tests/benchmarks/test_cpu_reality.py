"""benchmarks/cpu_reality tells every operation with every number of threads, and medians that follow from its table."""

import csv
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import unittest


class CpuReality(unittest.TestCase):
    def test_table(self):
        with tempfile.TemporaryDirectory() as scratch:
            table = pathlib.Path(scratch) / "table.csv"
            printed = subprocess.run([os.environ["CPU_REALITY"], "--seconds", "0.001", "--csv", str(table)], check=True,
                                     capture_output=True, text=True).stdout
            with open(table, newline="") as file:
                rows = list(csv.DictReader(file))
        threads = sorted({int(row["threads"]) for row in rows})
        self.assertEqual(threads, list(range(1, threads[-1] + 1)))
        for kind, operations in (("gemm", 8), ("elementwise", 5)):
            mine = [row for row in rows if row["operation"].startswith(kind)]
            self.assertEqual(len(mine), operations * len(threads))
            deviations = [abs(float(row["model_ms"]) / float(row["measured_ms"]) - 1) for row in mine]
            told = re.search(rf"{kind}: median absolute deviation ([\d.]+) %", printed)
            self.assertAlmostEqual(float(told.group(1)), 100 * statistics.median(deviations), delta=0.2)

    def test_bad_option(self):
        done = subprocess.run([os.environ["CPU_REALITY"], "--seconds", "0"], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("--seconds", done.stderr)


if __name__ == "__main__":
    unittest.main()
