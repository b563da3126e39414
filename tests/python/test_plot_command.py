"""`pimsweep plot`: what is drawn, its data, and its files."""

import json
import pathlib
import subprocess
import tempfile
import unittest

import matplotlib
import pandas as pd
import pimsweep
from pimsweep.plot.command import Question, Refused, choose_studies, make

matplotlib.use("Agg")

EXPERIMENT = {"name": "plots", "study": [{
    "id": "s", "system": "gpu", "hardware": "gpu-v100", "launches": "queued",
    "axes": {"model": ["resnet-50", "vgg-a"], "batch": [1, 2, 4], "hardware.clock": ["1 GHz", "1.5 GHz"], "precision": ["fp32"]}}]}


class Plots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.path = pathlib.Path(cls.scratch.name) / "plots.h5"
        pimsweep.run(EXPERIMENT, output=cls.path)
        cls.frame = pimsweep.open(cls.path).frame("s")

    def make(self, *columns, where=(), **options):
        figure, data = make(self.path, Question(*columns), ["s"], where, **options)
        self.addCleanup(matplotlib.pyplot.close, figure)
        return figure, data

    def test_lines_have_the_numbers_of_the_results(self):
        figure, data = self.make("batch", "time_per_sample", "model", "hardware.clock")
        self.assertEqual([axes.get_title() for axes in figure.axes], ["clock 1 GHz", "clock 1.5 GHz"])
        line = figure.axes[0].get_lines()[0]
        rows = self.frame[(self.frame.model == "resnet-50") & (self.frame["hardware.clock"] == 1e9)]
        self.assertEqual(line.get_label(), "resnet-50")
        self.assertEqual(list(line.get_xdata()), [1, 2, 4])
        for drawn, stored in zip(line.get_ydata(), rows.time_per_sample):
            self.assertAlmostEqual(drawn, 1e3 * stored)
        self.assertEqual(figure.axes[0].get_ylabel(), "time per sample (ms)")
        self.assertEqual(list(data.columns), ["batch", "time_per_sample [s]", "model", "hardware.clock [Hz]", "point"])
        self.assertEqual(len(data), 12)
        # Lines differ in marks and dashes, too.
        looks = {(one.get_marker(), one.get_linestyle()) for one in figure.axes[0].get_lines()}
        self.assertEqual(len(looks), 2)

    def test_bars_and_boxes_stand_over_texts(self):
        for kind in ("bars", "box"):
            where = ["batch == 1"] if kind == "bars" else []
            figure, _ = self.make("model", "energy_per_sample", "hardware.clock", "", "", kind, where=where)
            self.assertEqual([text.get_text() for text in figure.axes[0].get_xticklabels()], ["resnet-50", "vgg-a"])
            self.assertEqual([text.get_text() for text in figure.legends[0].get_texts()], ["clock 1 GHz", "clock 1.5 GHz"])

    def test_heat_maps_have_units_in_ticks_and_a_named_color_bar(self):
        figure, _ = self.make("hardware.clock", "batch", "", "", "time_per_sample", where=['model == "vgg-a"'])
        panel, bar = figure.axes
        self.assertEqual([text.get_text() for text in panel.get_xticklabels()], ["1 GHz", "1.5 GHz"])
        self.assertEqual([text.get_text() for text in panel.get_yticklabels()], ["1", "2", "4"])
        self.assertEqual(bar.get_ylabel(), "time per sample (ms)")
        rows = self.frame[(self.frame.model == "vgg-a") & (self.frame.batch == 4) & (self.frame["hardware.clock"] == 1.5e9)]
        self.assertAlmostEqual(panel.images[0].get_array()[2, 1], 1e3 * rows.time_per_sample.item())

    def test_pareto_fronts(self):
        figure, _ = self.make("time_per_sample", "energy_per_sample", "model", "", "", "pareto")
        self.assertEqual([line.get_label() for line in figure.axes[0].get_lines()], ["points", "resnet-50", "vgg-a"])

    def test_several_studies_are_told_apart(self):
        path = self.path.with_name("two.h5")
        study = {"system": "gpu", "hardware": "gpu-v100", "model": "resnet-50", "axes": {"batch": [1, 2]}}
        pimsweep.run({"name": "two", "study": [{"id": "z", **study}, {"id": "a", **study, "precision": "int8"}]}, output=path)
        figure, data = make(path, Question("batch", "time", "study"), ["z", "a"])
        self.addCleanup(matplotlib.pyplot.close, figure)
        self.assertEqual([line.get_label() for line in figure.axes[0].get_lines()], ["z", "a"])
        self.assertEqual(list(data["study"]), ["z", "z", "a", "a"])
        self.assertEqual(choose_studies(path, ["a", "z"], Question("batch", "time", "study"), False), ["z", "a"])
        with self.assertRaisesRegex(Refused, "one study: choose one with --study, of z, a; or draw them side by side"):
            choose_studies(path, [], Question("batch", "time"), False)

    def test_what_cannot_be_drawn_is_refused(self):
        for columns, pattern in ((("batch", "time"), "same batch: name what else varies .model, hardware.clock."),
                                 (("batch", "nothing"), "has no column 'nothing'"), (("batch", "model"), "holds texts"),
                                 (("batch", "time", "", "", "", "heat"), "two axes")):
            with self.assertRaisesRegex(Refused, pattern):
                self.make(*columns)
        with self.assertRaisesRegex(Refused, "no point with a number"):
            self.make("batch", "time", "model", where=["batch > 100"])

    def test_files_are_whole_and_their_fonts_embedded(self):
        folder = pathlib.Path(self.scratch.name)
        command = [pimsweep.experiment.program(), "plot", str(self.path), "--x", "batch", "--y", "time", "--lines", "model", "--where",
                   "hardware.clock == 1e9", "--font", "serif", "-o"]
        for name, start in (("a.pdf", b"%PDF"), ("a.png", b"\x89PNG"), ("a.svg", b"<?xml")):
            subprocess.run([*command, str(folder / name)], check=True, capture_output=True, timeout=120)
            self.assertTrue((folder / name).read_bytes().startswith(start))
        self.assertIn(b"/FontFile2", (folder / "a.pdf").read_bytes())
        self.assertEqual(len(pd.read_csv(folder / "a.csv")), 6)
        shown = subprocess.run([*command, str(folder / "a.png"), "--json"], check=True, capture_output=True, text=True, timeout=120).stdout
        self.assertEqual([row["time [s]"] for row in json.loads(shown)], list(pd.read_csv(folder / "a.csv", float_precision="round_trip")["time [s]"]))


if __name__ == "__main__":
    unittest.main()
