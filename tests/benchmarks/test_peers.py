"""benchmarks/peers: answers are compared before times, with a stand-in for the peer."""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "benchmarks/peers/booksim.py"
CASE = "F7_1"
# Prints what the reference says of the case, and ends as BookSim does.
STAND_IN = """#!/bin/sh
grep -q 'traffic = neighbor;' "$1" || exit 1
echo '====== Overall Traffic Statistics ======'
echo 'Packet latency average = {latency} (1 samples)'
echo 'Accepted flit rate average = {accepted} (1 samples)'
exit 255
"""


class BookSim(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        with open(ROOT / "results/reference/noc/booksim_reference.csv") as file:
            row = next(row for row in csv.DictReader(file) if row["case_id"] == CASE)
        self.latency, self.accepted = float(row["avg_packet_latency"]), float(row["accepted_flit_rate"])

    def compare(self, latency, *options):
        program = self.folder / "booksim"
        program.write_text(STAND_IN.format(latency=latency, accepted=self.accepted))
        program.chmod(0o755)
        return subprocess.run([sys.executable, SCRIPT, program, "--pimsweep", os.environ["PIMSWEEP"], "--runs", "2",
                               "--cases", *(options or [CASE])], capture_output=True, text=True)

    def test_equal_answers_are_timed(self):
        done = self.compare(self.latency)
        self.assertEqual(done.returncode, 0, done.stderr)
        line = done.stdout.splitlines()[-1]
        self.assertRegex(line, rf"^\| {CASE} \| 16 x 16 neighbor, 8 flits.* to .* to .* to ")

    def test_answers_that_differ_have_no_times(self):
        done = self.compare(1.1 * self.latency)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("answers differ", done.stdout)
        self.assertNotIn(" to ", done.stdout)

    def test_without_the_peer_or_the_case_it_says_so(self):
        done = subprocess.run([sys.executable, SCRIPT, self.folder / "nowhere"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no program", done.stderr)
        done = self.compare(self.latency, "F1_7", "X")
        self.assertEqual(done.returncode, 2)
        self.assertIn("not among the cases that are not saturated: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
