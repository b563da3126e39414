"""Sampled machines with known distributions: bands, ratios, and which constant decides."""

import contextlib
import pathlib
import tempfile
import unittest

import numpy as np
import pandas as pd
import pimsweep
from pimsweep import influence

GB = 1e9
# DRAM costs 1 to 3 USD/GB, uniformly; a square millimeter of logic 0.1 to 0.3 USD; a unit has about 1 mm^2,
# log-normally. No die has lanes, so that their area decides nothing.
HARDWARE = """
name = "vague"
[dram_cost]
value = "2 USD/GB"
basis = "assumed"
source = "test"
low = "1 USD/GB"
high = "3 USD/GB"
range = "test"
[wafer_cost]
value = "0.2 USD/mm^2"
basis = "assumed"
source = "test"
low = "0.1 USD/mm^2"
high = "0.3 USD/mm^2"
range = "test"
[unit_area]
value = "1 mm^2"
basis = "calibrated"
source = "test"
distribution = "log-normal"
low = "0.5 mm^2"
high = "2 mm^2"
range = "test"
[lane_area]
value = "1 mm^2"
basis = "assumed"
source = "test"
low = "0.5 mm^2"
high = "1.2 mm^2"
range = "test"
"""
AREA, COST = "hardware.unit_area", "hardware.dram_cost"


def experiment(**uncertainty):
    return {"name": "vague", "hardware_folders": ["."], "study": [
        {"id": "parts", "system": "silicon", "hardware": "vague", "units": 100,
         "axes": {"dram": ["8 GB", "16 GB"]}, "uncertainty": uncertainty}]}


class Machines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.enterClassContext(contextlib.chdir(cls.scratch))
        pathlib.Path("vague.toml").write_text(HARDWARE)

    def run_it(self, output, ranks=None, **uncertainty):
        return pimsweep.run(experiment(**uncertainty), output=output, ranks=ranks)

    def bands(self, **uncertainty):
        return self.run_it("bands.h5", **uncertainty).detail("parts", "bands").set_index("dram")

    def test_quantiles_are_those_of_the_distribution(self):
        found = self.bands(samples=4000, method="random", constants=[COST])
        for dram, row in found.iterrows():
            logic = 100 * 0.2
            for name, price in (("low", 1.1), ("median", 2.0), ("high", 2.9)):
                # The standard error of a quantile of 4000 uniform draws is at most 0.016 of the price.
                self.assertAlmostEqual((row[f"cost_{name}"] - logic) / (dram / GB), price, delta=0.05)
        area = self.bands(samples=4000, method="lhs", constants=[AREA])
        for name, size in (("low", 0.5), ("median", 1.0), ("high", 2.0)):
            np.testing.assert_allclose(area[f"area_{name}"] * 1e6 / 100, size, rtol=0.01)

    def test_a_constant_without_influence_has_a_band_of_no_width(self):
        found = self.bands(samples=64, constants=["hardware.lane_area"])
        self.assertEqual(found["machines"].tolist(), [64, 64])
        for metric in ("cost", "area"):
            np.testing.assert_array_equal(found[f"{metric}_low"], found[f"{metric}_high"])
            np.testing.assert_array_equal(found[f"{metric}_median"], found[metric])
        area = self.bands(samples=64, constants=[COST])
        np.testing.assert_array_equal(area["area_low"], area["area_high"])

    def test_ratios_are_taken_on_one_machine(self):
        cost = self.run_it("ratio.h5", samples=64, constants=[COST, "hardware.lane_area"])["parts"]["cost"]
        dram = cost - 100 * 0.2
        np.testing.assert_allclose(dram.isel(dram=1) / dram.isel(dram=0), 2)

    def test_machines_are_the_same_on_any_ranks(self):
        one, two = (self.run_it(f"{ranks}.h5", ranks=ranks, samples=200) for ranks in (1, 2))
        self.assertEqual(one.attrs["digest"], two.attrs["digest"])
        pd.testing.assert_frame_equal(one.detail("parts", "bands"), two.detail("parts", "bands"))

    def values(self, results, metric):
        """The influence on a value that is the metric with 8 GB."""
        frame = results.frame("parts").query("dram == 8e9 and draw > 0")
        rows = pd.DataFrame({"id": "it", "paper": "test", "where": "Fig. 1", "results": str(results.path), "study": "parts",
                             "draw": frame["draw"], "number": frame[metric]})
        return influence.influence(rows).set_index("axis")

    def test_shares_of_a_sum_are_those_of_its_terms(self):
        constants = [COST, "hardware.wafer_cost", "hardware.lane_area"]
        # 8 GB at 1 to 3 USD and 100 mm^2 at 0.1 to 0.3 USD: the widths are 16 and 20 USD.
        expected = pd.Series({COST: 16**2, "hardware.wafer_cost": 20**2, "hardware.lane_area": 0}) / (16**2 + 20**2)
        blocks = self.values(self.run_it("blocks.h5", samples=512, method="saltelli", constants=constants), "cost")
        self.assertEqual(blocks["machines"].unique().tolist(), [512 * 5])
        self.assertEqual(blocks["blocks"].unique().tolist(), [512])
        for axis, share in expected.items():
            for kind in ("first", "total"):
                self.assertAlmostEqual(blocks.loc[axis, kind], share, delta=0.05)
                self.assertLess(blocks.loc[axis, f"{kind}_error"], 0.1)
        self.assertEqual(blocks.loc["hardware.lane_area", "total"], 0)
        ranks = self.values(self.run_it("ranks.h5", samples=256, method="lhs", constants=constants), "cost")
        for axis, share in expected.items():
            self.assertAlmostEqual(ranks.loc[axis, "rank"], share, delta=0.06)
        self.assertEqual(influence.strongest(ranks.reset_index(), 1)["axis"].tolist(), ["hardware.wafer_cost"])

    def test_a_result_that_hardly_any_machine_changes_does_not_count(self):
        results = self.run_it("rare.h5", samples=512, method="saltelli", constants=[COST, "hardware.wafer_cost"])
        machines = influence.machines_of(results, "parts")
        cost = results.frame("parts").query("dram == 8e9 and draw > 0")["cost"].to_numpy()
        first_two = np.arange(len(cost)) % machines.block < 2
        by_cost = np.argsort(np.where(first_two, cost, 0))
        for changed, counts in ((influence.FEWEST - 1, False), (influence.FEWEST, True)):
            claim = np.zeros_like(cost)
            claim[by_cost[len(cost) - changed:]] = 1
            alone, both = (influence.blocks_of(machines, np.array(numbers)) for numbers in ([cost], [cost, claim]))
            self.assertEqual(bool((both.squares != alone.squares).any()), counts)
        # Also where no result varies at all, or none has a block without gaps.
        gaps = np.where(np.arange(len(cost)) % machines.block == 0, np.nan, cost)
        for numbers in (np.zeros((1, len(cost))), gaps[np.newaxis]):
            self.assertIsNone(influence.blocks_of(machines, numbers))

    def test_interactions_are_in_the_total_alone(self):
        product = self.values(self.run_it("product.h5", samples=512, method="saltelli",
                                          constants=[AREA, "hardware.wafer_cost"]), "cost")
        self.assertGreater(product["total"].sum(), product["first"].sum() + 0.02)
        self.assertEqual(influence.share_text(0.612, 0.041), "61 ± 4 %")


if __name__ == "__main__":
    unittest.main()
