"""scripts/influence.py: on which points the blocks of a study are evaluated."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import influence

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


if __name__ == "__main__":
    unittest.main()
