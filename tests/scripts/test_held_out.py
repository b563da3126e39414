"""scripts/held_out.py and held_out_values.py: what is nearest on some networks or figures is judged on the others."""

import pathlib
import sys
import unittest

import numpy as np
import pandas as pd

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from held_out import shares
from held_out_values import judge_paper


class Shares(unittest.TestCase):
    def test_the_nearest_accounting_is_judged_on_the_other_networks(self):
        # Two accountings, three networks, one policy: ratios of ours to the published total.
        far = np.log([[[1.0], [1.2], [1.05]], [[1.5], [1.0], [1.0]]])
        self.assertEqual(shares(far, [0]), [0.5, 1.0])
        self.assertEqual(shares(far, [1]), [0.5, 0.5])

    def test_of_equally_near_accountings_the_mean_counts(self):
        far = np.log([[[1.0], [1.0]], [[1.0], [2.0]]])
        self.assertEqual(shares(far, [0]), [0.5, 0.5])


class HeldOutValues(unittest.TestCase):
    def test_the_nearest_machine_is_judged_on_the_other_figures(self):
        ids = [f"{figure}-{place}" for figure in "abcde" for place in range(2)]
        values = pd.DataFrame({"id": ids, "paper": "x", "where": [one[0] for one in ids], "published": "10", "role": "validation",
                               "reproduced": "20"})
        machines = pd.concat([values.drop(columns="reproduced").assign(draw=draw, number=number)
                              for draw, number in ((1, "10.5"), (2, "40"))])
        row = judge_paper(values, machines, 20)
        self.assertEqual((row["counted"], row["figures"], row["machines"]), (10, 5, 2))
        self.assertEqual((row["built_25"], row["held_out_10"], row["spread_10"]), ("0", "100", "0"))


if __name__ == "__main__":
    unittest.main()
