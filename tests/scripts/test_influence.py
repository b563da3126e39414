"""scripts/influence.py: which constants are drawn in blocks, and on which points these are evaluated."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import influence
import numpy as np
import pandas as pd
from pimsweep.influence import Machines

AXES = {"policy", "model", "batch"}


class PointsOfChecks(unittest.TestCase):
    def test_points_that_divide_others_agree_with_them_in_all_axes_but_those_named(self):
        check = {"select": {"policy": "pim", "model": ["a", "b"]}, "over": {"policy": "gpu"}}
        self.assertEqual(influence.points_of_checks([check], AXES),
                         '((policy == "pim") && (model == "a" || model == "b")) || '
                         '((policy == "gpu") && (model == "a" || model == "b"))')

    def test_equal_conditions_count_once_and_columns_of_tables_not_at_all(self):
        checks = [{"select": {"batch": 4, "layer": "conv1"}}, {"select": {"batch": 4}}]
        self.assertEqual(influence.points_of_checks(checks, AXES), "((batch == 4))")

    def test_a_check_without_a_condition_needs_all_points(self):
        self.assertEqual(influence.points_of_checks([{"select": {"batch": 4}}, {}], AXES), "true")
        self.assertEqual(influence.points_of_checks([{"over": {"policy": "gpu"}}], AXES), "true")


class Strongest(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(0)
        self.constants = pd.DataFrame(random.random((200, 3)), columns=["strong", "rare", "idle"])
        self.machines = Machines("lhs", 0, self.constants, {name: [name] for name in self.constants})

    def test_a_value_that_only_a_weak_constant_moves_keeps_it(self):
        values = np.array([self.constants["strong"]] * 99 + [self.constants["rare"]])
        self.assertEqual(influence.strongest(values, ["Fig. 1"] * 100, self.machines), ["strong", "rare"])
        self.assertEqual(influence.strongest(values[:99], ["Fig. 1"] * 99, self.machines), ["strong"])

    def test_a_figure_keeps_what_moves_its_values(self):
        # 16 % of the variance of one value in a hundred.
        values = np.array([self.constants["strong"]] * 99 + [self.constants["strong"] + 0.4 * self.constants["rare"]])
        self.assertEqual(influence.strongest(values, ["Fig. 1"] * 100, self.machines), ["strong"])
        self.assertEqual(influence.strongest(values, ["Fig. 1"] * 99 + ["Fig. 2"], self.machines), ["strong", "rare"])


if __name__ == "__main__":
    unittest.main()
