"""The figure of `pimsweep pareto --plot`: fronts by group, metrics to maximize, shares of sampled machines."""

import contextlib
import pathlib
import subprocess
import tempfile
import unittest

import matplotlib
import numpy as np
import pandas as pd
import pimsweep
from matplotlib import pyplot
from matplotlib.colors import to_rgb
from pimsweep import plot
from pimsweep.experiment import program
from pimsweep.plot import pareto_plot

matplotlib.use("Agg")

POINTS = pd.DataFrame({"time": [1.0, 2.0, 3.0, 4.0], "energy": [4.0, 5.0, 2.0, 3.0], "model": ["a", "a", "b", "b"]})


class ParetoPlots(unittest.TestCase):
    def lines(self, *arguments):
        plot.use_style()
        _, axes = pyplot.subplots()
        self.addCleanup(pyplot.close)
        pareto_plot.fronts(axes, POINTS, "time", "energy", *arguments)
        return {line.get_label(): line.get_xydata().tolist() for line in axes.get_lines()}

    def test_the_front_has_the_points_that_no_other_beats(self):
        self.assertEqual(self.lines()["Pareto front"], [[1, 4], [3, 2]])

    def test_a_metric_may_be_maximized(self):
        self.assertEqual(self.lines({"energy"})["Pareto front"], [[1, 4], [2, 5]])

    def test_groups_have_a_front_each(self):
        lines = self.lines((), ["model"])
        self.assertEqual(lines["a"], [[1, 4]])
        self.assertEqual(lines["b"], [[3, 2], [4, 3]][:1])

    def test_shares_of_machines_are_those_on_whose_own_front_a_point_lies(self):
        machines = [POINTS, POINTS.assign(time=[1, 2, 5, 4.0]), POINTS.assign(energy=[np.nan, 5, 2, 3]),
                    POINTS.assign(time=[1, 2, 3, 0.5], energy=[4, 5, 2, 1.0])]
        shares = pareto_plot.front_shares(POINTS, machines, ["time", "energy"])
        np.testing.assert_array_equal(shares, [2 / 4, 1 / 4, 3 / 4, 2 / 4])
        shares = pareto_plot.front_shares(POINTS, machines[3:], ["time", "energy"], group_by=["model"])
        np.testing.assert_array_equal(shares, [1, 0, 0, 1])
        shares = pareto_plot.front_shares(POINTS, machines[:1], ["time", "energy"], ["energy"])
        np.testing.assert_array_equal(shares, [1, 1, 0, 0])

    def test_marks_of_the_front_are_as_full_as_the_share(self):
        _, axes = pyplot.subplots()
        self.addCleanup(pyplot.close)
        pareto_plot.fronts(axes, POINTS, "time", "energy", machines=[POINTS, POINTS.assign(energy=[4, 5, 9, 9.0])])
        marks = axes.collections[0]
        np.testing.assert_array_equal(marks.get_offsets(), [[1, 4], [3, 2]])
        color = np.array(to_rgb(plot.PALETTE[0]))
        np.testing.assert_allclose(marks.get_facecolors()[:, :3], [color, (1 + color) / 2])

    def test_only_studies_with_draws_have_shares(self):
        self.enterContext(contextlib.chdir(self.enterContext(tempfile.TemporaryDirectory())))
        study = {"system": "hypar", "hardware": "hypar-hmc-array", "model": "sfc", "policy": "hypar",
                 "axes": {"batch": [64, 256]}}
        results = pimsweep.run({"name": "drawn", "study": [{"id": "a", **study}, {
            "id": "b", **study, "uncertainty": {"samples": 2}}]})
        self.assertEqual([len(pareto_plot.on_drawn_machines(results, name)) for name in "ab"], [0, 2])
        self.assertEqual([len(machine) for machine in pareto_plot.on_drawn_machines(results, "b")], [2, 2])
        made = pareto_plot.figure(results, "time", "energy")
        self.addCleanup(pyplot.close, made)
        self.assertEqual([len(axes.collections) for axes in made.axes], [0, 1])
        self.assertIn("on the front of 50 % of machines", [text.get_text() for text in made.legends[0].get_texts()])
        made = pareto_plot.figure(results, "time", "energy", chosen=["a"])
        self.addCleanup(pyplot.close, made)
        self.assertEqual([text.get_text() for text in made.legends[0].get_texts()], ["points", "Pareto front"])

    def test_the_command_draws_what_it_prints(self):
        scratch = self.enterContext(tempfile.TemporaryDirectory())
        self.enterContext(contextlib.chdir(scratch))
        results = pimsweep.run({"name": "two", "study": [
            {"id": "a", "system": "hypar", "hardware": "hypar-hmc-array", "model": "sfc",
             "axes": {"policy": ["data", "hypar"], "batch": [64, 256]}}]})
        command = [program(), "pareto", str(results.path), "--min", "time", "--min", "energy"]
        done = subprocess.run([*command, "--plot", "front.png"], capture_output=True, text=True, check=True)
        self.assertIn("plot: front.png", done.stdout)
        self.assertEqual(pathlib.Path("front.png").read_bytes()[:4], b"\x89PNG")
        one = subprocess.run([*command[:-2], "--plot", "front.png"], capture_output=True, text=True, check=False)
        self.assertEqual(one.returncode, 2)
        self.assertIn("--plot needs two metrics, got 1", one.stderr)


if __name__ == "__main__":
    unittest.main()
