"""pimsweep.plot: what is drawn is what was given, with units, ticks and marks as the style has them."""

import contextlib
import io
import os
import pathlib
import tempfile
import unittest
import unittest.mock

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pimsweep
import xarray
from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont
from matplotlib import font_manager
from matplotlib.backends import _backend_pdf_ps
from pimsweep import plot
from pimsweep.plot import fonts


class Plots(unittest.TestCase):
    def setUp(self):
        self.enterContext(plt.rc_context(plot.STYLE))
        self.figure, self.axes = plt.subplots()
        self.addCleanup(plt.close, self.figure)
        self.data = xarray.Dataset({"time": ("point", [3e-3, 1e-3, 2e-3, 2.5e-3], {"units": "s"}),
                                    "energy": ("point", [1.0, 4.0, 2.0, 3.0], {"units": "J"}),
                                    "ops": ("point", [1e9, 2e9, 4e9, 8e9], {"units": "OPS"})})

    def test_quantities_have_handy_units(self):
        values, label = plot.quantity(self.data, "time")
        self.assertEqual(label, "time (ms)")
        np.testing.assert_allclose(values, [3, 1, 2, 2.5])
        self.assertEqual(plot.label("hardware.noc.link_bandwidth", "GB/s"), "noc, link bandwidth (GB/s)")
        frame = pd.DataFrame({"wait": [2e-6]})
        frame.attrs["units"] = {"wait": "s"}
        self.assertEqual(plot.quantity(frame, "wait")[1], "wait (\N{MICRO SIGN}s)")

    def test_logarithmic_axes_have_three_labels_or_more(self):
        for low, high in ((1, 1e9), (0.9, 11), (30, 45), (0.02, 0.9), (1, 1.2)):
            with self.subTest(low=low, high=high):
                ticks = plot.LogTicks().tick_values(low, high)
                self.assertTrue(3 <= len(ticks) <= 8, ticks)
                self.assertTrue(((ticks >= low * 0.999) & (ticks <= high * 1.001)).all())

    def test_bars_start_at_their_base_and_carry_marks(self):
        table = pd.DataFrame({"a": [2.0, 0.5], "b": [3.0, 1.0]}, index=["x", "y"])
        plot.bars(self.axes, table, base=1, published=pd.DataFrame({"b": {"y": 7.0}}))
        self.assertEqual([(bar.get_y(), bar.get_height()) for bar in self.axes.patches],
                         [(1, 1), (1, -0.5), (1, 2), (1, 0)])
        line, marks = self.axes.lines
        self.assertEqual(list(line.get_ydata()), [1, 1])
        self.assertEqual(marks.get_marker(), plot.PUBLISHED["marker"])
        np.testing.assert_array_equal(marks.get_ydata(), [np.nan, 7.0])
        self.assertEqual([text.get_text() for text in self.axes.get_xticklabels()], ["x", "y"])

    def test_the_front_is_that_of_all_pairs(self):
        values = pd.DataFrame(np.random.default_rng(3).integers(0, 6, (60, 3)), columns=list("abc"))
        rows = values.to_numpy()
        slow = [not any((other <= row).all() and (other < row).any() for other in rows) for row in rows]
        np.testing.assert_array_equal(plot.front(values, "a", "b", "c"), slow)
        np.testing.assert_array_equal(plot.pareto(self.axes, self.data, "time", "energy"), [True, True, True, False])
        self.assertEqual(self.axes.get_xlabel(), "time (ms)")

    def test_points_without_a_value_are_not_on_the_front(self):
        values = pd.DataFrame({"a": [np.nan, 2.0], "b": [0.0, 1.0]})
        np.testing.assert_array_equal(plot.front(values, "a", "b"), [False, True])

    def test_heat_maps_write_each_cell(self):
        table = pd.DataFrame([[1.0, 2.0], [3.0, 4.0]], index=pd.Index([8, 16], name="rows"),
                             columns=pd.Index(["a", "b"], name="policy"))
        plot.heat_map(self.axes, table, "{:.1f}".format)
        self.assertEqual([text.get_text() for text in self.axes.texts], ["1.0", "2.0", "3.0", "4.0"])
        self.assertEqual((self.axes.get_xlabel(), self.axes.get_ylabel()), ("policy", "rows"))

    def test_arrays_of_results_have_units_in_ticks_labels_and_color_bar(self):
        array = xarray.DataArray([[1e-3, 2e-3], [3e-3, 4e-3]], name="time", attrs={"units": "s"}, dims=("policy", "hardware.clock"), coords={
            "policy": ["a", "b"], "hardware.clock": ("hardware.clock", [2e8, 4e8], {"units": "Hz"})})
        plot.heat_map(self.axes, array)
        self.assertEqual([text.get_text() for text in self.axes.get_xticklabels()], ["200 MHz", "400 MHz"])
        self.assertEqual([axes.get_ylabel() for axes in self.axes.figure.axes], ["policy", "time (ms)"])
        _, other = plt.subplots()
        plot.lines(other, array.transpose("hardware.clock", "policy"))
        self.assertEqual((other.get_xlabel(), other.get_ylabel()), ("clock (MHz)", "time (ms)"))
        np.testing.assert_allclose(other.lines[1].get_ydata(), [3, 4])
        for draw in (plot.bars, plot.dots):
            _, other = plt.subplots()
            draw(other, array)
            self.assertEqual((other.get_xlabel(), other.get_ylabel()), ("policy", "time (ms)"))
            self.assertEqual([text.get_text() for text in other.get_xticklabels()], ["a", "b"])
            self.assertEqual(other.get_legend_handles_labels()[1], ["clock 200 MHz", "clock 400 MHz"])
        self.assertEqual([list(line.get_ydata()) for line in other.lines], [[1, 3], [2, 4]])

    def test_rooflines_bend_at_the_ridge(self):
        self.data["intensity"] = ("point", [1.0, 2.0, 4.0, 100.0])
        plot.roofline(self.axes, self.data, "intensity", "ops", peak=1e10, bandwidth=1e9)
        roof = self.axes.lines[0]
        self.assertEqual(roof.get_xdata()[1], 10)
        np.testing.assert_allclose(roof.get_ydata()[1:], [10, 10])

    def test_timelines_have_a_lane_each(self):
        tasks = pd.DataFrame({"unit": ["a", "b", "a"], "kind": ["x", "y", "x"], "start": [0, 0.5e-3, 1e-3],
                              "end": [1e-3, 1e-3, 2e-3]})
        entries = plot.timeline(self.axes, tasks, "unit", color="kind")
        self.assertEqual([entry.get_label() for entry in entries], ["x", "y"])
        self.assertEqual([text.get_text() for text in self.axes.get_yticklabels()], ["a", "b"])
        self.assertEqual(self.axes.get_xlim(), (0, 2))

    def test_bands_and_agreement(self):
        plot.bands(self.axes, [1, 2], [1, 1], [3, 4], [2, 2])
        self.assertEqual((len(self.axes.collections), len(self.axes.lines)), (1, 1))
        _, other = plt.subplots()
        plot.agreement(other, {"a": ([1, 10], [2, 9]), "b": ([3], [3])}, within=0.25)
        self.assertEqual(other.get_xlim(), other.get_ylim())
        self.assertEqual([line.get_label() for line in other.lines[:2]], ["a", "b"])

    def test_agreement_in_panels_of_one_scale_shows_all_points(self):
        figure, (left, right) = plot.panels(1, 2, sharex=True, sharey=True)
        self.addCleanup(plt.close, figure)
        plot.agreement(left, {"a": ([10, 1000], [10, 900])})
        plot.agreement(right, {"a": ([1, 30], [2, 30])})
        for axes in (left, right):
            self.assertLess(axes.get_xlim()[0], 1)
            self.assertGreater(axes.get_xlim()[1], 1000)

    def test_marks_and_lines_carry_published_values(self):
        table = pd.DataFrame({"a": [2.0, 0.5], "b": [3.0, 1.0]}, index=["x", "y"])
        theirs = pd.DataFrame({"b": {"y": 7.0}})
        plot.dots(self.axes, table, published=theirs, text="{:g}".format)
        self.assertEqual([line.get_label() for line in self.axes.lines[:2]], ["a", "b"])
        np.testing.assert_array_equal(self.axes.lines[2].get_ydata(), [np.nan, 7.0])
        self.assertEqual([text.get_text() for text in self.axes.texts], ["2", "0.5", "3", "1"])
        _, other = plt.subplots()
        plot.lines(other, table.set_axis([1, 2]), published=theirs.set_axis([2]))
        self.assertEqual([list(line.get_xdata()) for line in other.lines], [[1, 2], [1, 2], [2]])

    def test_tasks_that_overlap_have_rows_of_their_own(self):
        tasks = pd.DataFrame({"unit": ["a"] * 4, "start": [0.0, 1.0, 3.0, 5.0], "end": [2.0, 3.0, 4.0, 6.0]})
        plot.timeline(self.axes, tasks, "unit", scale=1, window=(0.5, 5.5))
        boxes = [path.vertices for path in self.axes.collections[0].get_paths()]
        self.assertEqual([(box[:, 0].min(), box[:, 0].max()) for box in boxes], [(0.5, 2), (1, 3), (3, 4), (5, 5.5)])
        np.testing.assert_allclose([np.ptp(box[:, 1]) for box in boxes], [0.4, 0.4, 0.8, 0.8])
        np.testing.assert_allclose([box[:, 1].min() for box in boxes[:2]], [-0.4, 0])

    def test_tables_keep_the_order_of_the_plan(self):
        points = pd.DataFrame({"model": ["z", "z", "a", "a"], "policy": ["q", "b", "q", "b"], "time": [1.0, 2, 3, 8],
                               "kind": [1, 1, 2, 2]})
        table = plot.wide(points, "model", "policy", "time")
        self.assertEqual((list(table.index), list(table)), (["z", "a"], ["q", "b"]))
        np.testing.assert_allclose(plot.with_mean(table, plot.gmean).loc["mean"], [np.sqrt(3), 4])
        self.assertEqual(len(plot.select(points, policy=["q"], kind=2)), 1)

    def test_published_values_stand_in_the_same_cells(self):
        table = pd.DataFrame({"hypar": [1.0, 2.0], "data": [1.0, 1.0]}, index=["sfc", "none"])
        theirs = plot.published_table("hypar", table, lambda row, column: f"fig6-{row}-{column}", lambda value: -value)
        expected = -pimsweep.fact("hypar", "fig6-sfc-hypar")
        np.testing.assert_array_equal(theirs, [[expected, np.nan], [np.nan, np.nan]])
        rows = plot.beside(table, theirs)
        self.assertEqual(rows.loc[0].to_list(), ["sfc", "hypar", 1.0, expected])
        self.assertEqual(rows["published"].notna().sum(), 1)

    def test_comparisons_have_a_panel_for_each_table(self):
        tables = {"one": pd.DataFrame({"a": [1.0, 10.0]}), "two": pd.DataFrame({"a": [2.0, 30.0]})}
        figure, data = plot.compare(tables, "time (s)", "both", {"two": pd.DataFrame({"a": [3.0]})}, log_y=True, base=1,
                                    bound=(5, "bound"), band=(1, 2, "range"), mark="theirs")
        axes = figure.axes
        self.addCleanup(plt.close, figure)
        self.assertEqual([axis.get_title() for axis in axes], ["one", "two"])
        self.assertEqual((axes[0].get_ylabel(), axes[1].get_ylabel(), axes[0].get_yscale()), ("time (s)", "", "log"))
        self.assertEqual(axes[0].get_ylim(), axes[1].get_ylim())
        self.assertEqual({text.get_text() for text in figure.legends[0].get_texts()}, {"a", "bound", "range", "theirs"})
        self.assertEqual(data["published"].notna().sum(), 1)
        self.assertEqual(list(data["panel"]), ["one", "one", "two", "two"])

    def test_figures_of_a_study_are_data(self):
        points = pd.DataFrame({"model": ["a", "a", "b", "b"], "kind": [1, 2, 1, 2], "x": [3, 3, 3, 3], "y": [1.0, 2, 4, 8]})
        results = unittest.mock.Mock(frame=lambda study: {"one": points}[study])
        panels = {"model": {"b": "second", "a": "first"}}
        figure, data = plot.drawing(
            "one", ("x", "kind", "y"), panels, draw=plot.lines, log_x=plot.rows, titles=lambda name, table: f"{name} {len(table)}",
            artists={"first": [("axhline", 5, {"color": "red"})]}, ylabel="y")(results)
        self.addCleanup(plt.close, figure)
        self.assertEqual([axis.get_title() for axis in figure.axes], ["second 1", "first 1"])
        self.assertEqual([len(axis.lines) for axis in figure.axes], [2, 3])
        self.assertEqual(list(figure.axes[0].get_xticks()), [3])
        self.assertEqual((list(data["ours"]), list(data["panel"])), ([4, 8, 1, 2], ["second"] * 2 + ["first"] * 2))
        self.assertNotIn("published", data)
        figure, data = plot.drawing(
            "one", None, {"model": None, "kind": None}, None, ["y"], columns=0, ylabel="at {}",
            draw=lambda axes, rows: axes.plot(rows["x"], rows["y"]))(results)
        self.addCleanup(plt.close, figure)
        self.assertEqual([axis.get_title() for axis in figure.axes], ["1", "2", "", ""])
        self.assertEqual([axis.get_ylabel() for axis in figure.axes], ["at a", "", "at b", ""])
        self.assertEqual((list(data), figure.legends), (["y"], []))

    def test_panels_have_options_of_their_own(self):
        tables = {"a": plot.Panel(pd.DataFrame({"u": [1.0]}), colors={"u": ("label", "#000000")}, ylim=(0, 3)),
                  "b": plot.Panel(pd.DataFrame({"v": [2.0]}), draw=plot.dots, names={0: "zero"})}
        figure, _ = plot.compare(tables, "y", sharey=False)
        self.addCleanup(plt.close, figure)
        self.assertEqual(figure.axes[0].get_ylim(), (0, 3))
        self.assertEqual([text.get_text() for text in figure.legends[0].get_texts()], ["label", "v"])
        self.assertEqual([text.get_text() for text in figure.axes[1].get_xticklabels()], ["zero"])

    def test_names_of_groups_of_groups(self):
        plot.group_spans(self.axes, {"left": (0, 1), "right": (2, 4)})
        self.assertEqual([(text.get_text(), text.get_position()[0]) for text in self.axes.texts],
                         [("left", 0.5), ("right", 3)])
        self.assertEqual(self.axes.lines[0].get_xdata()[0], 1.5)

    def test_panels_have_their_labels_at_the_edges(self):
        figure, axes = plot.panels(2, 2, titles="abcd", xlabel="x", ylabel=["up", "down"], log_y=[1, 10], xlim=(1, 5))
        self.addCleanup(plt.close, figure)
        self.assertEqual([[axis.get_xlabel() for axis in row] for row in axes], [["", ""], ["x", "x"]])
        self.assertEqual([[axis.get_ylabel() for axis in row] for row in axes], [["up", ""], ["down", ""]])
        self.assertEqual([axis.get_title() for axis in axes.flat], list("abcd"))
        self.assertEqual((axes[1, 1].get_yscale(), axes[1, 1].get_xscale()), ("log", "linear"))
        self.assertEqual((list(axes[0, 1].get_yticks()), axes[0, 1].get_xlim()), ([1, 10], (1, 5)))
        figure, axes = plot.panels(1, 2, xlabel=["a", "b"], ylabel=["c", "d"], log_x=True)
        self.addCleanup(plt.close, figure)
        self.assertEqual([(axis.get_xlabel(), axis.get_ylabel(), axis.get_xscale()) for axis in axes],
                         [("a", "c", "log"), ("b", "d", "log")])

    def test_titles_are_as_wide_as_the_figure_and_do_not_replace_others(self):
        figure, _ = plot.panels(width=plot.COLUMN)
        self.addCleanup(plt.close, figure)
        plot.entitle(figure, "one word " * 12)
        title = figure.texts[0].get_text()
        self.assertEqual(title.count("\n"), 1)
        plot.entitle(figure, "another")
        self.assertEqual([text.get_text() for text in figure.texts], [title])

    def test_points_by_the_values_of_a_column(self):
        points = pd.DataFrame({"model": ["b", "a", "b"], "kind": [1, 1, 2], "time": [1, 2, 3]})
        parts = plot.split(points, "model")
        self.assertEqual({title: list(rows["time"]) for title, rows in parts.items()}, {"b": [1, 3], "a": [2]})
        self.assertEqual(list(parts), ["b", "a"])
        parts = plot.split(points, "model", {"a": "first", "b": "second"}, kind=1)
        self.assertEqual([(title, list(rows["time"])) for title, rows in parts.items()],
                         [("first", [2]), ("second", [1])])

    def test_tables_over_one_of_their_columns(self):
        table = pd.DataFrame({"a": [1.0, 2.0], "b": [4.0, 1.0]})
        self.assertEqual(plot.relative(table, "a")["b"].to_list(), [4, 0.5])
        self.assertEqual(plot.speedup(table, "a")["b"].to_list(), [0.25, 2])
        self.assertEqual(plot.speedup(table, "a")["a"].to_list(), [1, 1])

    def test_marks_stand_over_the_bars_of_their_columns(self):
        table = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
        plot.bars(self.axes, table)
        plot.over_bars(self.axes, table[["b"]], table.columns, label="limit")
        middles = [bar.get_x() + bar.get_width() / 2 for bar in self.axes.patches[2:]]
        np.testing.assert_allclose(self.axes.lines[0].get_xdata(), middles)
        self.assertEqual(self.axes.lines[0].get_label(), "limit")

    def test_means_carry_what_they_are_means_of(self):
        tables = {"old": pd.DataFrame({"x": [1.0, 3.0]}, index=["m", "n"]),
                  "new": pd.DataFrame({"x": [2.0, 6.0]}, index=["m", "n"])}
        means = plot.mean_bars(self.axes, tables, plot.PALETTE, {"m": {"marker": "o"}, "n": {"marker": "s"}}, base=1)
        self.assertEqual(means.loc["x"].to_list(), [2, 4])
        self.assertEqual([bar.get_height() for bar in self.axes.patches], [1, 3])
        marks = {line.get_marker(): line for line in self.axes.lines if line.get_marker() in ("o", "s")}
        self.assertEqual([marks["o"].get_ydata()[0], marks["s"].get_ydata()[0]], [2, 6])
        self.assertAlmostEqual(marks["s"].get_xdata()[0], sum(self.axes.patches[1].get_bbox().intervalx) / 2)

    def test_runs_of_bars_by_group(self):
        index = pd.MultiIndex.from_tuples([("b", 1), ("b", 2), ("a", 1)])
        places = plot.runs(self.axes, pd.Series([2.0, 3.0, 0.5], index), base=1, gap=2, names={"a": "A", "b": "B"})
        self.assertEqual((places.to_list(), list(places.index)), ([0, 3, 4], [("a", 1), ("b", 1), ("b", 2)]))
        self.assertEqual([bar.get_height() for bar in self.axes.patches], [-0.5, 1, 2])
        self.assertEqual(list(self.axes.get_xticks()), [0, 3.5])
        self.assertEqual([text.get_text() for text in self.axes.get_xticklabels()], ["A", "B"])

    def test_cells_have_the_color_and_text_of_their_category(self):
        table = pd.DataFrame([["p", "q"], ["q", None]], index=["top", "low"], columns=[1, 2])
        plot.cells(self.axes, table, {"p": "#000000", "q": "#ffffff"}, table.fillna("none"))
        mesh = self.axes.collections[0]
        np.testing.assert_array_equal(np.ma.filled(mesh.get_array(), np.nan).ravel(), [0, 1, 1, np.nan])
        self.assertEqual([text.get_text() for text in self.axes.texts], ["p", "q", "q", "none"])
        self.assertEqual([text.get_color() for text in self.axes.texts], ["white", "black", "black", "black"])
        self.assertEqual(self.axes.texts[1].get_position(), (1, 0))
        self.assertGreater(*self.axes.get_ylim())

    def test_legends_take_panels_artists_and_texts(self):
        plot.bars(self.axes, pd.DataFrame({"a": [1.0]}))
        plot.legend(self.figure, 3, self.axes, *plot.patches({"area": "0.9"}), "theirs")
        self.assertEqual([text.get_text() for text in self.figure.legends[0].get_texts()], ["a", "area", "theirs"])
        self.assertEqual(self.figure.legends[0].get_lines()[-1].get_marker(), plot.PUBLISHED["marker"])

    def test_legends_are_not_wider_than_the_figure(self):
        figure, axes = plot.panels(width=plot.COLUMN)
        self.addCleanup(plt.close, figure)
        plot.legend(figure, 4, *(plot.entry(f"a label of some length, number {i}") for i in range(4)))
        self.assertEqual(len(figure.legends), 1)
        extent = figure.legends[0].get_window_extent(figure.canvas.get_renderer())
        self.assertLessEqual(extent.width, figure.bbox.width)

    def test_comparisons_look_up_what_a_paper_prints(self):
        table = pd.DataFrame({"hypar": [1.0]}, index=["sfc"])
        figure, data = plot.compare(table, "ratio", published=("hypar", "fig6-{}-{}".format))
        self.addCleanup(plt.close, figure)
        self.assertEqual(data["published"].to_list(), [pimsweep.fact("hypar", "fig6-sfc-hypar")])

    def test_drawings_get_the_titles_that_they_do_not_set(self):
        def bare(results):
            return plot.panels()[0], pd.DataFrame({"a": [results]})

        def titled(results):
            return plot.panels(title="own")[0], pd.DataFrame({"a": [results]})

        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(plt, "close"), \
                contextlib.redirect_stdout(io.StringIO()):
            titles = {"bare": "given", "titled": "given"}
            plot.draw(1, {"bare": bare, "titled": titled}, pathlib.Path(folder), titles)
            self.assertEqual((pathlib.Path(folder) / "bare.csv").read_text(), "a\n1\n")
            self.assertEqual([plt.figure(number).texts[0].get_text() for number in plt.get_fignums()[-2:]],
                             ["given", "own"])
        plt.close("all")

    def test_figures_are_written_with_their_data(self):
        plot.bars(self.axes, pd.DataFrame({"a": [1.0], "b": [2.0]}))
        plot.legend(self.figure, 2, self.axes)
        with tempfile.TemporaryDirectory() as folder:
            plot.save(self.figure, pd.DataFrame({"a": [1.0]}), pathlib.Path(folder), "one")
            plot.save(None, pd.DataFrame({"a": [1.0]}), pathlib.Path(folder), "rows")
            self.assertEqual({path.name for path in pathlib.Path(folder).iterdir()},
                             {"one.png", "one.pdf", "one.csv", "rows.csv"})
        # Bars of different colors differ in their hatches too.
        self.assertEqual(len({bar.get_hatch() for bar in self.axes.patches}), 2)

    def test_titles_stand_above_ticks_on_top_and_else_on_the_panel(self):
        figure, (below, above) = plot.panels(1, 2, titles=["below", "above"])
        above.xaxis.tick_top()
        below.title.set_fontsize(9)
        with tempfile.TemporaryDirectory() as folder:
            plot.save(figure, pd.DataFrame(), pathlib.Path(folder), "titles")
        self.assertEqual(below.title.get_position()[1], 1)
        self.assertEqual((below.get_title(), below.title.get_fontsize()), ("below", 9))
        self.assertGreater(above.title.get_position()[1], 1)

    def test_glyphs_are_those_of_the_font(self):
        font = font_manager.findfont("DejaVu Sans")

        def outlines(path, text):
            with TTFont(_backend_pdf_ps.get_glyphs_subset(path, text)) as cut:
                pens = {character: RecordingPen() for character in text}
                for character, pen in pens.items():
                    cut.getGlyphSet()[cut.getBestCmap()[ord(character)]].draw(pen)
                return {character: pen.value for character, pen in pens.items()}
        # The last text has a character beyond the part of the font.
        for text in ("Speedup", "3 × µJ ≥ 10−²", "café Ω", "a♥"):
            expected = outlines(font, text)
            with fonts.cut_once():
                self.assertEqual(outlines(font, text), expected)
        self.assertEqual(fonts.part(font), fonts.part(font))
        self.assertLess(os.stat(fonts.part(font)).st_size, os.stat(font).st_size / 4)


if __name__ == "__main__":
    unittest.main()
