"""The figure of `pimsweep pareto --plot`: fronts by group, metrics to maximize, studies without the metrics."""

import contextlib
import pathlib
import subprocess
import tempfile
import unittest

import matplotlib
import pandas as pd
import pimsweep
from matplotlib import pyplot
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
        self.assertIn("a plot has two metrics, not 1", one.stderr)


if __name__ == "__main__":
    unittest.main()
