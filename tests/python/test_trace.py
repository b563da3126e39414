"""pimsweep.trace: timelines of points as tables, and as files for Perfetto."""

import contextlib
import json
import pathlib
import tempfile
import unittest

import matplotlib
import pimsweep

matplotlib.use("Agg")

EXPERIMENT = {"name": "small", "study": [
    {"id": "training", "system": "hypar", "hardware": "hypar-hmc-array",
     "axes": {"fidelity": ["analytic", "event"], "policy": ["data", "hypar"]}, "model": "alexnet"}]}


class Traces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.enterClassContext(contextlib.chdir(scratch))
        cls.results = pimsweep.run(EXPERIMENT)
        cls.frame = cls.results.frame("training")

    def test_the_table_ends_when_the_step_does(self):
        for point, time in enumerate(self.frame["time"]):
            table = pimsweep.trace(self.results.path, point)
            self.assertAlmostEqual(table["end"].max() / time, 1, delta=1e-12)
            self.assertIn("accelerators", set(table["lane"]))
            self.assertEqual(table.attrs["units"]["bytes"], "B")
            self.assertEqual(table.attrs["point"]["point"], str(point))
            self.assertEqual(float(table.attrs["point"]["time"].split()[0]), time)

    def test_the_file_of_a_recorded_timeline_has_its_rows(self):
        stored = self.results.table("training", "timeline").to_dataframe()
        stored = stored[stored["point"] == 3].sort_values(["start", "end", "task"])
        table = pimsweep.trace(self.results.path, 3, study="training").sort_values(["start", "end"])
        self.assertEqual(list(stored["start"]), list(table["start"]))
        self.assertEqual(sorted(stored["bytes"]), sorted(table["bytes"]))
        roles = {column.name: column.timeline for column in self.results.columns("training", "timeline")}
        self.assertEqual((roles["start"], roles["units"], roles["bytes"], roles["level"]), ("start", "group", "moved", ""))

    def test_a_trace_is_written(self):
        path = pimsweep.trace(self.results.path, 0, output="trace.json")
        self.assertEqual(path, pathlib.Path("trace.json"))
        self.assertIn("traceEvents", json.loads(path.read_text(encoding="utf-8")))

    def test_a_point_that_is_not_there_is_an_input_error(self):
        with self.assertRaisesRegex(pimsweep.InputError, "numbered 0 to 3"):
            pimsweep.trace(self.results.path, 4)

    def test_a_timeline_is_drawn(self):
        from matplotlib import pyplot
        from pimsweep import plot

        _, axes = pyplot.subplots()
        table = pimsweep.trace(self.results.path, 3)
        plot.timeline(axes, table, "lane")
        self.assertEqual([tick.get_text() for tick in axes.get_yticklabels()], list(dict.fromkeys(table["lane"])))


if __name__ == "__main__":
    unittest.main()
