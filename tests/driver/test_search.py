"""Searches from outside: the same file on any number of ranks, after kills, and with another budget."""

import os
import signal
import time
import unittest

import h5py
import numpy

from test_driver import DriverCase

RANKS = [1, 2, 3]

# 10,000 machines of which 300 are evaluated; one in ten is infeasible, some miss the constraint.
EXPERIMENT = """name = "test"
[[study]]
id = "before"
system = "synthetic"
[study.axes]
n = [1, 2, 3]
[[study]]
id = "found"
system = "synthetic"
infeasible_rate = 0.1
failure_rate = 0.02
cost_mean = "20 us"
cost_distribution = "lognormal"
where = "n % 2 == 0 || seed < 50"
[study.search]
min = ["cost"]
max = ["checksum"]
constraints = ["checksum > 1e14 && cost < '200 us'"]
population = 30
points = 300
seed = 5
[study.search.ranges]
n = { from = 0, to = 99 }
seed = { from = 1, to = 100 }
[[study]]
id = "after"
system = "synthetic"
[study.axes]
n = [4, 5]
""".replace("n % 2 == 0", "n < 50")
ANTS = 'population = 30\nalgorithm = "gaco"\n'
SLOW = EXPERIMENT.replace('"20 us"', '"5 ms"').replace("lognormal", "constant").replace("cost < '200 us'", "cost < 1")


class Searches(DriverCase):
    def columns(self, name, *columns, study="found"):
        with h5py.File(self.dir / name) as file:
            return [file[f"{study}/{column}"][:] for column in columns]

    def test_same_data_for_any_number_of_ranks(self):
        for algorithm, text in (("nsga2", EXPERIMENT), ("gaco", EXPERIMENT.replace("population = 30\n", ANTS))):
            name = self.write(text)
            alone = f"{algorithm}-alone.h5"
            self.run_it(name, "--output", alone, expect=1)
            for ranks in RANKS:
                with self.subTest(algorithm=algorithm, ranks=ranks):
                    output = f"{algorithm}-{ranks}.h5"
                    self.run_it(name, "--output", output, ranks=ranks, expect=1)
                    self.assertEqual(self.digest(output), self.digest(alone))

    def test_what_the_file_says_of_the_points(self):
        self.run_it(self.write(EXPERIMENT), "--output", "out.h5", expect=1)
        generation, feasible, front, status, cost, checksum, n, seed = self.columns(
            "out.h5", "generation", "feasible", "front", "status", "cost", "checksum", "n", "seed")
        self.assertEqual(list(numpy.unique(generation, return_counts=True)[1]), [30] * 10)
        self.assertTrue(((n < 50) | (seed < 50)).all())
        self.assertEqual(len(set(zip(n, seed))), 300)
        with numpy.errstate(invalid="ignore"):
            meets = (status == 0) & (checksum > 1e14) & (cost < 200e-6)
        self.assertTrue((meets == (feasible == 1)).all())
        self.assertTrue((status == 1).any() and (status == 2).any() and ((status == 0) & ~meets).any())
        best = [bool(meets[a]) and not any(
            cost[b] <= cost[a] and checksum[b] >= checksum[a] and (cost[b], checksum[b]) != (cost[a], checksum[a])
            for b in numpy.flatnonzero(meets)) for a in range(300)]
        self.assertEqual(list(front == 1), best)
        points, infeasible, size, volume = self.columns("out.h5", "points", "infeasible", "front", "hypervolume",
                                                        study="found/generations")
        self.assertEqual(list(points), list(range(30, 301, 30)))
        self.assertEqual(infeasible[-1], 300 - meets.sum())
        self.assertEqual(size[-1], sum(best))
        self.assertTrue((numpy.diff(volume) >= 0).all() and 0 < volume[0] < volume[-1] <= 1)

    def test_killed_in_the_middle_and_resumed_to_equal_data(self):
        for text, ranks, kills in ((SLOW, None, 5), (SLOW.replace("population = 30\n", ANTS), 3, 1)):
            name = self.write(text)
            self.run_it(name, "--output", "whole.h5", "--force", ranks=2, expect=1)
            output = f"killed-{ranks}.h5"
            for kill in range(kills):
                process = self.start_and_wait_for_points(name, *["--resume"] * (kill > 0), ranks=ranks, output=output)
                time.sleep(0.1)
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
            self.assertFalse((self.dir / output).exists())
            self.resume_when_free(name, output, 2, expect=1)
            self.assertEqual(self.digest(output), self.digest("whole.h5"))
            self.assertGreater(int(self.provenance(output, "points_reused")), 0)
            self.assertGreater(int(self.provenance(output, "points_computed")), 0)

    def test_a_changed_budget_continues(self):
        self.run_it(self.write(EXPERIMENT.replace("points = 300", "points = 100")), "--output", "out.h5", expect=1)
        short = self.columns("out.h5", "n", "seed")
        longer = self.write(EXPERIMENT)
        text = self.run_it(longer, "--output", "out.h5", "--resume", expect=1)
        self.assertTrue((numpy.array([column[:100] for column in self.columns("out.h5", "n", "seed")]) == short).all())
        self.assertEqual(self.provenance("out.h5", "points_computed"), str(200 + self.failed(short)), text)
        self.run_it(longer, "--output", "new.h5", expect=1)
        self.assertEqual(self.digest("out.h5"), self.digest("new.h5"))

    def failed(self, short):
        """How many of the first points failed: those are evaluated again."""
        status, = self.columns("out.h5", "status")
        return int((status[:len(short[0])] == 2).sum())

    def test_stopped_merged_and_resumed(self):
        name = self.write(SLOW)
        process = self.start_and_wait_for_points(name)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 75)
        rows = len(self.columns("out.h5", "status")[0])
        self.assertLess(rows, 300)
        self.run_it("merge", "out.h5.journal", "-o", "merged.h5", expect=75)
        self.assertEqual(len(self.columns("merged.h5", "status")[0]), rows)
        self.run_it(name, "--output", "out.h5", "--resume", expect=1)
        self.assertEqual(len(self.columns("out.h5", "status")[0]), 300)

    def test_the_front_is_rechecked(self):
        name = self.write(EXPERIMENT.replace("failure_rate = 0.02\n", "rows = 0\n").replace(
            "[study.search.ranges]", "[study.search.recheck]\nrows = 1\n[study.search.ranges]"))
        self.run_it(name, "--output", "out.h5")
        generation, front, rows, n, seed = self.columns("out.h5", "generation", "front", "rows", "n", "seed")
        again = generation == 11
        self.assertEqual(list(rows == 1), list(again))
        searched = (front == 1) & ~again
        self.assertEqual(sorted(zip(n[searched], seed[searched])), sorted(zip(n[again], seed[again])))
        self.assertTrue(((front == 1) & again).any())

    def test_bad_input_is_told_with_its_place(self):
        name = self.write(EXPERIMENT.replace('min = ["cost"]', 'min = ["csot"]'))
        text = self.run_it(name, expect=2)
        self.assertIn("test.toml:16:8: unknown metric 'csot' of system 'synthetic' (did you mean 'cost'?)", text)


if __name__ == "__main__":
    unittest.main()
