"""Drawings of scripts/figures/pimflow.py on the results of experiments/pimflow.toml: every panel has data, every mark can be seen."""

import os
import pathlib
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
import draw_figures
import matplotlib.pyplot as plt
import pimsweep
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from pimsweep import plot

NAMES = {"fig1", "fig3", "fig8", "fig9", "fig10", "fig11", "fig12", "fig13", "fig14", "fig15", "fig16", "table2",
         "controllers", "contention", "interval", "readings", "gpu-error"}
# Figures of which the paper prints at least one number: the marks beside ours.
MARKED = NAMES - {"fig1", "fig3", "fig10", "fig11", "fig13", "fig15", "readings"}


def is_published(line):
    return line.get_marker() == plot.PUBLISHED["marker"] and line.get_markerfacecolor() == "white"


class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Draws all, writes only one: most of the time goes into the files."""
        plot.use_style()
        results = pimsweep.open(os.environ["RESULTS"])
        cls.figures = {name.removeprefix("pimflow-"): drawn for name, drawing in draw_figures.drawings("pimflow").items()
                       if (drawn := drawing(results))[0]}
        for name, (figure, _) in cls.figures.items():
            plot.entitle(figure, draw_figures.titles()[f"pimflow-{name}"])
        with tempfile.TemporaryDirectory() as folder:
            plot.save(*cls.figures["fig3"], pathlib.Path(folder), "fig3")
            cls.files = {path.name: path.stat().st_size for path in pathlib.Path(folder).iterdir()}

    @classmethod
    def tearDownClass(cls):
        plt.close("all")

    def test_all_are_drawn_and_written(self):
        self.assertEqual(set(self.figures), NAMES)
        for ending in ("png", "pdf", "csv"):
            self.assertGreater(self.files[f"fig3.{ending}"], 100)

    def test_data_are_whole(self):
        for name, (_, data) in self.figures.items():
            with self.subTest(name):
                self.assertGreater(len(data), 1)
                self.assertFalse(data.isna().all().any(), "a column without a value")
                numbers = data.select_dtypes("number").to_numpy()
                self.assertFalse(np.isinf(numbers).any())

    def test_no_panel_is_empty(self):
        for name, (figure, _) in self.figures.items():
            for panel, axis in enumerate(figure.axes):
                with self.subTest(name, panel=panel):
                    bars = [bar for bar in axis.patches if isinstance(bar, Rectangle) and bar.get_height() != 0]
                    lines = [line for line in axis.lines if len(line.get_xdata()) > 2]
                    self.assertTrue(bars or lines)

    def test_titles_and_legends_fit(self):
        for name, (figure, _) in self.figures.items():
            renderer = FigureCanvasAgg(figure).get_renderer()
            figure.draw(renderer)
            lowest = min(axis.get_tightbbox(renderer).y0 for axis in figure.axes)
            for text in [*figure.texts, *figure.legends, *(axis.title for axis in figure.axes)]:
                with self.subTest(name, text=text):
                    box = text.get_window_extent(renderer)
                    self.assertGreaterEqual(box.x0, 0)
                    self.assertLessEqual(box.x1, figure.bbox.width)
                    if text in figure.legends:
                        self.assertLessEqual(box.y1, lowest + 1)

    def test_text_has_six_points_or_more_in_print(self):
        for name, (figure, _) in self.figures.items():
            with self.subTest(name):
                self.assertIn(figure.get_figwidth(), (plot.COLUMN, plot.PAGE))
                sizes = [text.get_fontsize() for text in figure.findobj(Text) if text.get_text().strip()]
                self.assertGreaterEqual(min(sizes), plot.TINY)

    def test_every_point_lies_within_its_panel(self):
        for name, (figure, _) in self.figures.items():
            marks = 0
            for panel, axis in enumerate(figure.axes):
                (left, right), (low, high) = axis.get_xlim(), axis.get_ylim()
                for line in axis.lines:
                    if line.get_transform() != axis.transData:
                        continue
                    with self.subTest(name, panel=panel):
                        x, y = (np.asarray(values, dtype=float) for values in line.get_data())
                        seen = ~np.isnan(y)
                        self.assertTrue(((left <= x) & (x <= right))[seen].all())
                        self.assertTrue(((low <= y) & (y <= high))[seen].all())
                    marks += is_published(line)
            with self.subTest(name):
                self.assertEqual(marks > 0, name in MARKED)


if __name__ == "__main__":
    unittest.main()
