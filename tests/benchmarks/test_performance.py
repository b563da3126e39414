"""benchmarks/performance.py measures every figure and fills the page's tables; no speed is judged."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "benchmarks/performance.py"
BUILD = pathlib.Path(os.environ["BUILD"])


def run(*options):
    return subprocess.run([sys.executable, SCRIPT, *options], capture_output=True, text=True)


class Performance(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_a_quick_run_fills_every_table_of_the_page(self):
        page = pathlib.Path(shutil.copy(ROOT / "docs/performance.md", self.folder))
        done = run("--quick", "--build", BUILD, "--before", BUILD, "--page", page)
        self.assertEqual(done.returncode, 0, done.stderr)
        tables = dict(re.findall(r"<!-- measured: (\w+) -->\n(.*?)<!-- end -->", page.read_text(), re.DOTALL))
        self.assertEqual(set(tables), {"machine", "limits", "speed", "mesh", "channels", "plan", "layers"})
        for name, table in tables.items():
            with self.subTest(name):
                self.assertTrue(table.strip())
                self.assertNotIn("nan", table)
        lines = tables["speed"].strip().splitlines()[2:]
        self.assertGreater(len(lines), 15)
        for line in lines:
            self.assertRegex(line, r"\| [\d.e+]+ (s|ms|us|ns) \| [\d.e+]+ (s|ms|us|ns) \| [\d.]+ \([\d.]+ to [\d.]+\) \|", line)

    def test_what_is_missing_is_said(self):
        done = run("--quick", "--build", self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"there is no program pimsweep in {self.folder}", done.stderr)
        done = run("--quick", "--build", BUILD, "--page", self.folder / "page.md")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no page", done.stderr)


if __name__ == "__main__":
    unittest.main()
