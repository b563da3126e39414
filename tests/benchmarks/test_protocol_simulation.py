"""What the simulation of the protocol must give whatever the costs: conservation, bounds, and cases solved by hand."""

import os
import pathlib
import random
import subprocess
import sys
import unittest

BUILD = pathlib.Path(os.environ["BUILD"])
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks"))

import protocol_simulation  # noqa: E402

FREE = dict.fromkeys(protocol_simulation.PARAMETERS, 0.0)
SCHEMES = list(protocol_simulation.SCHEMES)


def simulate(costs, **options):
    return protocol_simulation.simulate(BUILD, costs, **options)


class Laws(unittest.TestCase):
    def test_bounds_for_random_costs(self):
        random.seed(7)
        for _ in range(10):
            costs = {name: 10 ** random.uniform(-8, -4) for name in protocol_simulation.PARAMETERS}
            rows = simulate(costs, ranks=[4, 37, 200], points=[1e-4, 0.02, 1.0], schemes=SCHEMES, work=0.5, group=16,
                            distributions=["constant", "lognormal"])
            self.assertEqual(len(rows), 3 * 3 * 4 * 2)
            for row in rows:
                with self.subTest(**row):
                    # No schedule beats its bound, and no manager works more than all the time.
                    self.assertLessEqual(row["efficiency"], row["of_best"] + 1e-9)
                    self.assertLessEqual(row["of_best"], 1 + 1e-9)
                    self.assertLessEqual(row["busiest_manager"], 1 + 1e-9)
                    self.assertGreater(row["efficiency"], 0)
                    self.assertLessEqual(row["grants"], row["points"] + row["ranks"])

    def test_free_messages_leave_only_the_managers_rank(self):
        row = simulate(dict(FREE, sleep_overshoot=0), ranks=[101], points=[1.0], work=100)[0]
        # 100 of 101 ranks evaluate; a millisecond's sleep before each point is all that is lost.
        self.assertAlmostEqual(row["efficiency"], 100 / 101, delta=0.002)

    def test_a_slow_manager_is_the_limit(self):
        # One point for each grant, 1 ms of the manager for each: a thousand points a second, however many workers.
        row = simulate(dict(FREE, hear=4e-4, grant=6e-4), ranks=[1001], points=[0.1], work=1.0)[0]
        self.assertAlmostEqual(row["makespan"], row["points"] * 1e-3, delta=0.15 * row["points"] * 1e-3)
        self.assertGreater(row["root_busy"], 0.9)

    def test_alone_there_is_nothing_to_wait_for(self):
        row = simulate(FREE, ranks=[1], points=[0.01], work=10)[0]
        self.assertAlmostEqual(row["efficiency"], 1.0, delta=1e-3)

    def test_costs_of_a_point_add_up(self):
        row = simulate(dict(FREE, per_point=1e-5), ranks=[1], points=[1e-5], work=10)[0]
        self.assertAlmostEqual(row["efficiency"], 0.5, delta=0.01)

    def test_ranks_share_cores(self):
        alone, shared = (simulate(FREE, ranks=[9], points=[0.01], work=2, cores=cores)[0]["makespan"] for cores in (8, 2))
        self.assertAlmostEqual(shared / alone, 4, delta=0.2)

    def test_bad_options_are_refused(self):
        program = str(BUILD / "benchmarks" / "simulate_protocol")
        costs = [part for name in protocol_simulation.PARAMETERS for part in ("--" + name.replace("_", "-"), "1e-6")]
        for bad in (["--ranks", "0", "--points", "1"], ["--ranks", "4", "--points", "-1"], ["--ranks", "3", "--points", "1", "--schemes", "two"],
                    ["--ranks", "4", "--points", "1", "--schemes", "three"], ["--ranks", "4", "--points", "1", "--group", "1"]):
            done = subprocess.run([program, *costs, *bad], capture_output=True, text=True, timeout=60)
            self.assertNotEqual(done.returncode, 0, bad)
            self.assertTrue(done.stderr + done.stdout, bad)


if __name__ == "__main__":
    unittest.main()
