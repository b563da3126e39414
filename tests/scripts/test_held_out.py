"""scripts/held_out.py: the accounting that is nearest on some networks is judged on the others."""

import pathlib
import sys
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from held_out import shares


class Shares(unittest.TestCase):
    def test_the_nearest_accounting_is_judged_on_the_other_networks(self):
        # Two accountings, three networks, one policy: ratios of ours to the published total.
        far = np.log([[[1.0], [1.2], [1.05]], [[1.5], [1.0], [1.0]]])
        self.assertEqual(shares(far, [0]), [0.5, 1.0])
        self.assertEqual(shares(far, [1]), [0.5, 0.5])

    def test_of_equally_near_accountings_the_mean_counts(self):
        far = np.log([[[1.0], [1.0]], [[1.0], [2.0]]])
        self.assertEqual(shares(far, [0]), [0.5, 0.5])


if __name__ == "__main__":
    unittest.main()
