"""Bands of figures: quantiles of what a drawing shows on each sampled machine."""

import itertools
import pathlib
import sys
import tempfile
import unittest

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pimsweep
from pimsweep import plot

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import contestants

MACHINES = 7
NUMBERS = np.random.default_rng(5)


def points(machines=MACHINES, times=None):
    """Two policies on two models: model 0's times move together, model 1's do not; the draw varies fastest."""
    frame = pd.DataFrame(itertools.product((0, 1), (0, 1), range(machines + 1)), columns=["policy", "model", "draw"])
    if times is None:
        common, alone = NUMBERS.uniform(1, 2, machines + 1), NUMBERS.uniform(1, 2, (2, machines + 1))
        times = np.concatenate([common, alone[0], 2 * common, alone[1]])
    return frame.assign(time=times)


def ratios(rows):
    return plot.relative(plot.wide(rows, "model", "policy", "time"), 0)[[1]]


def quantiles(values):
    return np.quantile(values, [0.05, 0.95], axis=-1)


class Bands(unittest.TestCase):
    def setUp(self):
        self.enterContext(plt.rc_context(plot.STYLE))
        self.addCleanup(plt.close, "all")
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def results(self, **studies):
        """A results file of numbers."""
        with h5py.File(self.folder / "results.h5", "w") as file:
            file.attrs.update({"format": "pimsweep results", "format_version": 3})
            for study, frame in studies.items():
                for name, values in {"point": np.arange(len(frame)), **frame}.items():
                    column = file.create_dataset(f"{study}/{name}", data=values)
                    column.attrs["role"] = "metric" if name == "time" else "axis"
        return pimsweep.open(self.folder / "results.h5", unsealed=True)

    def test_a_ratio_is_taken_on_each_machine(self):
        frame = points()
        results = self.results(one=frame)
        figure, data = plot.with_bands(plot.drawing("one", ratios))(results)
        times = frame["time"].to_numpy().reshape(2, 2, MACHINES + 1)
        expected = quantiles((times[1] / times[0])[:, 1:])
        (band,) = figure.axes[0].collections
        np.testing.assert_allclose([segment[:, 1] for segment in band.get_segments()], expected.T)
        np.testing.assert_allclose(data[["low", "high"]], expected.T)
        self.assertEqual((data["low"][0], data["high"][0]), (2, 2))
        self.assertGreater(data["high"][1], data["low"][1])
        # The bars are those of the machine of the file.
        np.testing.assert_allclose(data["ours"], (times[1] / times[0])[:, 0])
        np.testing.assert_allclose([bar.get_height() for bar in figure.axes[0].patches], data["ours"])
        self.assertEqual([text.get_text() for text in figure.legends[0].get_texts()], ["1", plot.BAND])

    def test_marks_and_lines_have_bands_in_their_places(self):
        frame = points()
        results = self.results(one=frame)
        times = frame["time"].to_numpy().reshape(2, 2, MACHINES + 1)
        low, high = quantiles(times[:, :, 1:])
        drawing = plot.drawing("one", ("model", "policy", "time"), draw=plot.dots)
        axes = plot.with_bands(drawing)(results)[0].axes[0]
        for policy, band in enumerate(axes.collections):
            segments = np.array(band.get_segments())
            np.testing.assert_allclose(segments[:, 0, 0], axes.lines[policy].get_xdata())
            np.testing.assert_allclose(segments[:, :, 1], np.transpose([low[policy], high[policy]]))
        drawing = plot.drawing("one", ("model", "policy", "time"), draw=plot.lines)
        figure, _ = plot.with_bands(drawing)(results)
        for policy, band in enumerate(figure.axes[0].collections):
            (area,) = band.get_paths()
            corners = {tuple(corner) for corner in area.vertices}
            self.assertEqual(corners, {(model, end[policy, model]) for model in (0, 1) for end in (low, high)})
        self.assertIn(plot.BAND, [text.get_text() for text in figure.legends[0].get_texts()])

    def test_without_drawn_machines_a_figure_is_as_it_was(self):
        alone = points(0)
        drawing = plot.drawing("one", ratios)
        for results in (self.results(one=alone.drop(columns="draw")),
                        self.results(one=alone.drop(columns="draw"), other=points())):
            with self.subTest(results.studies):
                figure, data = plot.with_bands(drawing)(results)
                self.assertEqual(len(figure.axes[0].collections), 0)
                pd.testing.assert_frame_equal(data, drawing(results)[1])
                self.assertEqual([text.get_text() for text in figure.legends[0].get_texts()], ["1"])

    def test_what_is_the_same_on_all_machines_has_no_band(self):
        frame = points(times=np.repeat([1.0, 2.0, 3.0, 4.0], MACHINES + 1))
        figure, data = plot.with_bands(plot.drawing("one", ratios))(self.results(one=frame))
        self.assertEqual((len(figure.axes[0].collections), list(data)), (0, ["row", "column", "ours", "panel"]))

    def test_rows_are_those_of_the_same_name(self):
        def sorted_by_time(rows):
            table = plot.wide(rows, "model", "policy", "time")[[0]].sort_values(0)
            return table.rename(columns={0: f"mean {table[0].mean():.3f}"})
        frame = points(2, [1, 9, 3, 2, 2, 9, 1, 1, 1, 1, 1, 1])
        _, data = plot.with_bands(plot.drawing("one", sorted_by_time))(self.results(one=frame))
        np.testing.assert_allclose(data[["row", "low", "high"]], [[0, *quantiles([9, 3])], [1, *quantiles([2, 9])]])

    def test_data_of_their_own_have_both_ends_of_what_moves(self):
        def drawing(results):
            rows = results.frame("one").sort_values("time")
            data = pd.DataFrame({"name": ("ab"[model] for model in rows["model"]), "policy": rows["policy"] // 5,
                                 "time": rows["time"]})
            return plot.compare(ratios(results.frame("one")), data=data.drop_duplicates("name"))
        frame = points(2, [1, 9, 3, 2, 2, 8, 10, 10, 10, 10, 10, 10])
        _, data = plot.with_bands(drawing)(self.results(one=frame))
        self.assertEqual(list(data), ["name", "policy", "time", "time low", "time high"])
        np.testing.assert_allclose(data.set_index("name").loc[["a", "b"], ["time low", "time high"]],
                                   [quantiles([9, 3]), quantiles([2, 8])])

    def test_panels_show_whole_bands(self):
        frame = points(2, [1, 1, 1, 1, 1, 1, 0.5, 3, 0.2, 1, 1, 1])
        drawing = plot.drawing("one", ratios, ylim=(0, 1.1))
        low, high = plot.with_bands(drawing)(self.results(one=frame))[0].axes[0].get_ylim()
        self.assertEqual(low, 0)
        self.assertGreater(high, np.quantile([3, 0.2], 0.95))

    def test_a_figure_has_the_machines_that_all_its_studies_have(self):
        few, many = points(2), points()
        panels = plot.drawing({"few": "few", "many": "many"}, ratios)
        _, data = plot.with_bands(panels)(self.results(few=few, many=many))
        times = many["time"].to_numpy().reshape(2, 2, -1)[:, :, 1:3]
        np.testing.assert_allclose(data[["low", "high"]][2:], quantiles(times[1] / times[0]).T)

    def test_a_machine_with_other_panels_does_not_count(self):
        def panel_for_each(results):
            rows = results.frame("one")
            return plot.compare({model: ratios(part) for model, part in rows[rows["time"] > 0].groupby("model")})
        frame = points(3, [1, 9, 3, 2, 2, 8, 10, -1, 10, 10, 10, 10, 10, 10, 10, -1])
        _, data = plot.with_bands(panel_for_each)(self.results(one=frame))
        np.testing.assert_allclose(data[["low", "high"]], [quantiles([10 / 9, 10 / 3]), quantiles([10 / 8, 1])])

    def test_figures_without_bars_marks_and_lines_are_of_one_machine(self):
        runs = []

        def shares(axes, table, **_):
            runs.append(plot.stacked(axes, table, {0: ("a", "C0"), 1: ("b", "C1")}))
        drawing = plot.drawing("one", ("model", "policy", "time"), draw=shares)
        figure, data = plot.with_bands(drawing)(self.results(one=points()))
        self.assertEqual((len(runs), figure.axes[0].collections[:]), (1, []))
        self.assertNotIn("low", data)

    def test_winners_are_those_of_most_machines_or_of_few(self):
        frame = points(4, [1, 1, 3, 3, 3, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0.5])

        def fastest(one):
            return plot.wide(one.frame("one"), "model", "policy", "time").idxmin(axis=1)
        shares = contestants.win_shares(self.results(one=frame), fastest)
        self.assertEqual(shares.to_list(), [1 / 4, 3 / 4])
        self.assertIsNone(contestants.win_shares(self.results(one=points(0).drop(columns="draw")), fastest))


if __name__ == "__main__":
    unittest.main()
