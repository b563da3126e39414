"""pimsweep.page: what a page holds, and what a reader does with it in a real browser."""

import contextlib
import functools
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import browser
import h5py
import numpy as np
import pimsweep
from pimsweep.webpage import contents, details, pack, sample

HOSTILE = "<img src=x onerror=alert(1)>"
EXPERIMENT = {"name": "shown", "doc": "What a page <b>shows</b>", "study": [
    {"id": "grid", "doc": "Policies & models", "system": "hypar", "hardware": "hypar-hmc-array",
     "axes": {"policy": ["data", "hypar"], "model": ["sfc", "lenet-c", "alexnet"], "batch": [64, 128, 256, 512],
              "levels": [2, 3, 4]}},
    {"id": "steps", "system": "hypar", "hardware": "hypar-hmc-array", "fidelity": "event",
     "axes": {"policy": ["data", "hypar"], "model": ["sfc", "lenet-c"]}},
    {"id": "kernels", "system": "kernel", "hardware": "gpu-v100", "kind": "gemm",
     "axes": {"M": [64, 256, 1024, 4096], "N": [64, 1024], "K": [64, 1024]}},
    {"id": "searched", "system": "hypar", "hardware": "hypar-hmc-array", "model": "alexnet",
     "axes": {"policy": ["data", "hypar"], "batch": [64, 128, 256, 512], "levels": [2, 3, 4]},
     "search": {"min": ["time", "energy"], "points": 20, "population": 5}}]}


def rename(file, study, column, old, new):
    """Puts another text into a column of a results file."""
    texts = [new if value == old else value for value in pimsweep.texts(file[study][column])]
    attributes = dict(file[study][column].attrs)
    del file[study][column]
    packed = np.array([text.encode() for text in texts])
    made = file[study].create_dataset(column, data=packed.view("S1").reshape(len(texts), -1))
    for name in ("role", "units", "long_name", "source"):
        made.attrs[name] = attributes.get(name, "")


def add_bands(file, study):
    """Gives the main metric a range, as results of uncertain constants have it."""
    for suffix, factor in (("low", 0.8), ("high", 1.3)):
        made = file[study].create_dataset(f"time_{suffix}", data=factor * file[study]["time"][:])
        made.attrs.update({"role": "metric", "units": "s", "long_name": f"{suffix} end of the time", "source": ""})


def add_draws(file, study):
    """Makes a study look as if an axis of it was drawn at random."""
    made = file[study].create_dataset("draw", data=file[study]["K"][:])
    made.attrs.update({"role": "axis", "units": "1", "long_name": "number of the draw", "source": ""})


def declare_timeline(table):
    """Declares a table of tasks as a timeline, in which one kind of units has several lanes."""
    table.move("what", "kind")
    for column, role in (("start", "start"), ("end", "end"), ("kind", "group"), ("level", "lane"), ("layer", "name")):
        table[column].attrs["timeline"] = role


def fail(file, study, point, message):
    """Makes a point infeasible."""
    file[study]["status"][point] = 1
    texts = np.zeros((len(file[study]["status"]), 256), dtype="S1")
    texts[point, :len(message)] = list(message)
    attributes = dict(file[study]["message"].attrs)
    del file[study]["message"]
    file[study].create_dataset("message", data=texts).attrs["role"] = attributes["role"]
    for item in file[study].values():
        if isinstance(item, h5py.Dataset) and pimsweep.Column.of(item).role == "metric" and item.ndim == 1:
            item[point] = np.nan


@functools.cache
def made_page():
    """A folder with results of many shapes and their page, which all tests read."""
    scratch = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(scratch.cleanup)
    folder = pathlib.Path(scratch.name)
    with contextlib.chdir(folder):
        pimsweep.run(EXPERIMENT, output="shown.h5")
    with h5py.File(folder / "shown.h5", "r+") as file:
        rename(file, "grid", "model", "sfc", HOSTILE)
        add_bands(file, "grid")
        add_draws(file, "kernels")
        fail(file, "steps", 0, HOSTILE)
        declare_timeline(file["steps/timeline"])
    return folder, pimsweep.page(folder / "shown.h5", unsealed=True)


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch, cls.page = made_page()
        cls.path = cls.scratch / "shown.h5"
        cls.frame = pimsweep.open(cls.path, unsealed=True).frame("grid")


class Files(Pages):
    def test_the_page_lies_beside_the_results_and_is_the_same_again(self):
        self.assertEqual(self.page, self.path.with_suffix(".html"))
        again = pimsweep.page([self.path], self.scratch / "again.html", unsealed=True)
        self.assertEqual(self.page.read_bytes(), again.read_bytes())

    def test_the_first_study_of_the_experiment_comes_first(self):
        found = contents.file(self.path, 100, unsealed=True, chosen=())
        self.assertEqual([study["id"] for study in found["studies"]], ["grid", "steps", "kernels", "searched"])

    def test_names_are_text(self):
        text = self.page.read_text()
        self.assertNotIn("<img", text.split('<script type="text/plain" id="plotly">')[0])
        self.assertIn("What a page &lt;b&gt;shows", text)

    def test_the_command_says_where_the_page_is(self):
        made = self.scratch / "said.html"
        done = subprocess.run([os.environ["PIMSWEEP"], "page", "--unsealed", self.path, "-o", made, "--json"], capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(done.stdout), [{"page": str(made), "bytes": made.stat().st_size}])

    def test_the_command_writes_the_same_page(self):
        made = self.scratch / "command.html"
        done = subprocess.run([os.environ["PIMSWEEP"], "page", "--unsealed", self.path, "-o", made], capture_output=True, text=True, check=True)
        self.assertIn(f"page: {made}", done.stdout)
        self.assertEqual(self.page.read_bytes(), made.read_bytes())

    def test_what_is_no_results_file_is_refused(self):
        for name, reason in (("none.h5", "no such file"), (__file__, "not a results file")):
            done = subprocess.run([os.environ["PIMSWEEP"], "page", name], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(reason, done.stderr)
        with self.assertRaises(ValueError):
            pimsweep.page(self.path, self.scratch / "empty.html", max_points=0)

    def test_without_plotly_a_word_says_so(self):
        hidden = self.scratch / "hidden" / "plotly"
        hidden.mkdir(parents=True)
        (hidden / "__init__.py").write_text("raise ImportError\n")
        done = subprocess.run([os.environ["PIMSWEEP"], "page", "--unsealed", self.path, "-o", self.scratch / "x.html"], capture_output=True, text=True,
                              check=False, env={**os.environ, "PYTHONPATH": f"{hidden.parent}:{os.environ['PYTHONPATH']}"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("python3-plotly", done.stderr)


class Parts(unittest.TestCase):
    def test_columns_are_packed_by_what_they_hold(self):
        self.assertEqual(pack.column(np.array([3, 3])), {"value": 3})
        self.assertEqual(pack.column(np.array([np.nan, np.nan])), {"value": None})
        self.assertEqual(pack.column(np.array(["b", "a", "b"], dtype=object))["values"], ["b", "a"])
        self.assertEqual(pack.column(np.arange(1000.0))["type"], "f8")
        long = np.random.default_rng(1).random(pack.MAX_EXACT + 1)
        self.assertEqual(pack.column(long)["type"], "f4")
        # Values that do not fit into four bytes keep eight.
        self.assertEqual(pack.column(long * 1e-60)["type"], "f8")

    def test_a_sample_holds_the_fronts_and_the_extremes(self):
        numbers = np.random.default_rng(2)
        metrics = {name: numbers.random(20_000) for name in ("time", "energy", "area")}
        metrics["time"][7] = np.nan
        chosen = sample.choose(20_000, 500, metrics, list(metrics))
        self.assertEqual((len(chosen), len(np.unique(chosen))), (500, 500))
        np.testing.assert_array_equal(chosen, sample.choose(20_000, 500, metrics, list(metrics)))
        for first, second in (("time", "energy"), ("energy", "area")):
            front = sample.front(metrics[first], metrics[second])
            self.assertTrue(np.isin(front, chosen).all())
            for row in front:
                better = (metrics[first] < metrics[first][row]) & (metrics[second] < metrics[second][row])
                self.assertFalse(better.any())
        for values in metrics.values():
            self.assertIn(np.nanargmin(values), chosen)
            self.assertIn(np.nanargmax(values), chosen)

    def test_a_table_of_many_instants_is_no_chart_of_parts(self):
        with h5py.File("parts", "w", driver="core", backing_store=False) as file:
            for name, rows in (("few", details.MAX_PARTS), ("many", details.MAX_PARTS + 1)):
                file[f"{name}/point"] = np.zeros(rows, dtype=int)
                file[f"{name}/event"] = np.arange(rows)
                file[f"{name}/time"] = np.arange(float(rows))
                file[f"{name}/time"].attrs["units"] = "s"
            self.assertEqual([table["name"] for table in details.tables(file, np.arange(1), None)], ["few"])

    def test_the_best_points_keep_their_rows(self):
        owners = np.repeat(np.arange(10), 4)
        metric = np.arange(10.0)[::-1]
        limit, details.MAX_ROWS = details.MAX_ROWS, 12
        self.addCleanup(setattr, details, "MAX_ROWS", limit)
        self.assertEqual(list(details._points(owners, np.arange(10), metric)), [7, 8, 9])


@unittest.skipIf(browser.MISSING, browser.MISSING)
class Reading(Pages):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = cls.enterClassContext(browser.Browser())
        cls.browser.open(cls.page)
        cls.pictures = pathlib.Path(os.environ.get("PIMSWEEP_PICTURES", cls.scratch))
        cls.pictures.mkdir(parents=True, exist_ok=True)

    def setUp(self):
        self.browser.resize(1440)
        self.browser.complaints()
        self.browser.requests()

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual([address for address in self.browser.requests() if not address.startswith(self.page.resolve().as_uri())], [])

    def open(self, address=""):
        self.browser.follow(address)

    def cells(self, column="point"):
        """The visible cells of a column."""
        return self.browser.run("""
            const place = [...document.querySelectorAll(".filters input")].findIndex(one => one.dataset.column === arguments[0]);
            return [...document.querySelectorAll(".scroller tbody tr:not([aria-hidden])")].map(row => row.children[place].textContent)""", column)

    def type_into(self, label, text):
        self.browser.run("const field = document.querySelector(`[aria-label='${arguments[0]}']`); field.value = arguments[1];"
                         "field.dispatchEvent(new Event('input', {bubbles: true}))", label, text)

    def tables(self, study):
        """The detail tables of a study as the page holds them."""
        return self.browser.run("return JSON.parse(document.getElementById('data').textContent).studies"
                                ".find(one => one.id === arguments[0]).tables", study)

    def count(self):
        return self.browser.run("return document.querySelector('output').textContent")

    def test_the_overview_says_what_came_out(self):
        self.open()
        self.assertFalse(self.browser.run("return document.querySelector('details.about').open"))
        text = self.browser.run("return document.querySelector('.file').textContent")
        best = self.frame.time_per_sample.idxmin()
        self.assertIn(f"at point {best}: batch {self.frame.batch[best]}, levels {self.frame.levels[best]}", text)
        self.assertIn("72: all ok", text)
        self.assertIn("What a page <b>shows</b>", text)

    def test_the_table_sorts_and_filters_and_a_link_keeps_it(self):
        self.open("view=table")
        self.assertEqual(self.count(), "72 points")
        self.assertEqual(self.cells()[:3], ["0", "1", "2"])
        self.browser.run("[...document.querySelectorAll('thead button')].find(one => one.textContent === 'time_per_sample').click()")
        order = self.frame.time_per_sample.sort_values(kind="stable").index
        self.assertEqual(self.cells()[:10], [str(point) for point in order[:10]])
        self.type_into("filter policy", "=hypar")
        self.type_into("filter batch", ">= 128, != 512")
        wanted = self.frame[(self.frame.policy == "hypar") & self.frame.batch.isin([128, 256])]
        self.assertEqual(self.count(), f"{len(wanted)} of 72 points")
        self.assertEqual(self.cells()[:5], [str(point) for point in wanted.time_per_sample.sort_values(kind="stable").index[:5]])
        address = self.browser.run("return location.hash.slice(1)")
        shown = self.cells()
        self.browser.open(self.page, address)
        self.assertEqual(self.cells(), shown)
        self.type_into("filter batch", "what")
        self.assertIn("Not understood: the condition on batch", self.browser.run("return document.querySelector('.note').textContent"))

    def test_words_and_quantities_filter(self):
        self.open("view=table")
        self.type_into("words", "HYPAR lenet")
        wanted = self.frame[(self.frame.policy == "hypar") & (self.frame.model == "lenet-c")]
        self.assertEqual(self.count(), f"{len(wanted)} of 72 points")
        self.type_into("words", "")
        limit = self.frame.time_per_sample.median()
        self.type_into("filter time_per_sample", f"< {1e6 * limit!r} us")
        self.assertEqual(self.count(), f"{(self.frame.time_per_sample < limit).sum()} of 72 points")

    def test_hostile_names_are_shown_as_they_are(self):
        self.open(f"view=table&where.model=%3D{HOSTILE.replace(' ', '%20').replace('=', '%3D')}")
        self.assertEqual(set(self.cells("model")), {HOSTILE})
        for view in ("chart", "scatter", "parallel", "heat", "bands"):
            self.open(f"view={view}&color=model&panels=model&hx=model&bc=model&cp=model")
            self.browser.until("document.querySelector('.place canvas, .place .main-svg')")
            self.assertEqual(self.browser.run("return document.querySelectorAll('img').length"), 0)
        self.browser.until(f"document.body.textContent.includes({HOSTILE!r})")

    def test_keys_move_through_the_table_and_open_points(self):
        self.open("view=table")
        press = ("document.querySelector('.scroller').dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))")
        for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
            self.browser.run(press, key)
        self.assertEqual(self.browser.run("return document.querySelector('[aria-selected=true] td').textContent"), "1")
        self.browser.run(press, "End")
        self.assertIn("71", self.cells())
        self.browser.run(press, "Enter")
        told = self.browser.run("return document.querySelector('dialog').innerText")
        self.assertIn("Point 71 of grid", told)
        self.assertIn("time_per_sample", told)
        self.assertIn("point=71", self.browser.run("return location.hash"))
        # The whole explorer can be reached with the tab key.
        self.assertGreaterEqual(self.browser.run("return document.querySelector('.scroller').tabIndex"), 0)

    def test_a_click_on_a_point_of_the_scatter_plot_shows_it(self):
        self.open("view=scatter")
        rows = sample.front(self.frame.time_per_sample.to_numpy(), self.frame.energy_per_sample.to_numpy())
        self.assertIn(f"Pareto front, {len(rows)} point", self.browser.run("return document.querySelector('.place .note').textContent"))
        # A search over the canvas for a point, as a mouse does it.
        found = self.browser.run("""
            const canvas = document.querySelector("canvas"), box = canvas.getBoundingClientRect();
            const at = (kind, x, y) => canvas.dispatchEvent(new PointerEvent(kind, {clientX: box.left + x, clientY: box.top + y, bubbles: true}));
            for (let y = 20; y < box.height; y += 6) for (let x = 80; x < box.width; x += 6) {
              at("pointermove", x, y);
              const hint = document.querySelector(".hint");
              if (hint.hidden) continue;
              const told = hint.innerText;
              at("pointerdown", x, y);
              at("pointerup", x, y);
              return [told, document.querySelector("dialog[open]").innerText];
            }""")
        point = int(found[0].split("\n")[0].removeprefix("point: "))
        self.assertIn(f"Point {point} of grid", found[1])
        self.assertIn(str(self.frame.policy[point]), found[1])

    def test_a_point_has_its_timeline(self):
        self.assertEqual(next(table for table in self.tables("steps") if table["name"] == "timeline")["roles"],
                         {"start": ["start"], "end": ["end"], "group": ["units", "kind"], "lane": ["level"], "name": ["layer"]})
        self.open("study=steps&point=1")
        self.browser.until("document.querySelector('dialog .main-svg')")
        drawn = self.browser.run("const node = document.querySelector('dialog .plot'); return node.data[0].x.map((x, i) => x + node.data[0].base[i])")
        time = pimsweep.open(self.path, unsealed=True).frame("steps").time[1]
        unit = 10.0 ** (3 * np.floor(np.log10(time) / 3))
        self.assertAlmostEqual(max(drawn) * unit / time, 1, places=4)

    def test_a_point_without_a_result_says_why(self):
        self.open("study=steps&point=0")
        told = self.browser.run("return document.querySelector('dialog').innerText")
        self.assertIn(HOSTILE, told)
        self.assertIn("infeasible", self.browser.run("return document.querySelector('.file').textContent"))
        self.open("view=table&study=steps&where.status=infeasible")
        self.assertEqual(self.cells(), ["0"])

    def test_a_heat_map_has_the_best_of_each_cell(self):
        for kind, summary in (("best", "min"), ("mean", "mean")):
            self.open(f"view=heat&hx=batch&hy=policy&hm=time_per_sample&hv={kind}")
            self.browser.until("document.querySelector('.place .plot').data")
            z = np.array(self.browser.run("return document.querySelector('.place .plot').data[0].z"), dtype=float)
            table = self.frame.pivot_table(index="policy", columns="batch", values="time_per_sample", aggfunc=summary)
            linear = np.isclose(z, table.to_numpy()).all()
            self.assertTrue(linear or np.isclose(10**z, table.to_numpy()).all(), (z, table))

    def test_bands_and_rooflines_where_there_are_columns_for_them(self):
        self.open("view=bands&bx=batch&bm=time")
        self.browser.until("document.querySelector('.place .plot').data")
        low, high, middle = (np.array(self.browser.run(f"return document.querySelector('.place .plot').data[{i}].y")) for i in range(3))
        np.testing.assert_allclose(low / middle, 0.8, rtol=0.01)
        np.testing.assert_allclose(high / middle, 1.3, rtol=0.01)
        self.open("study=kernels&view=bands&bx=M&bm=time")
        self.browser.until("document.querySelector('.place .plot').data")
        low, high, middle = (self.browser.run(f"return document.querySelector('.place .plot').data[{i}].y") for i in range(3))
        times = pimsweep.open(self.path, unsealed=True).frame("kernels").groupby("M").time
        for drawn, wanted in ((low, times.min()), (high, times.max())):
            np.testing.assert_allclose(np.array(drawn) / drawn[0], wanted / wanted.iloc[0], rtol=1e-3)
        self.assertTrue((np.array(middle) <= high).all())
        self.open("study=kernels&view=roofline")
        self.assertIn("1 roof by memory bandwidth and the largest peak rate", self.browser.run("return document.querySelector('.place').textContent"))

    def test_a_study_has_tabs_for_what_it_has(self):
        tabs = "return [...document.querySelectorAll('[role=tab]')].map(tab => tab.dataset.view)"
        self.open("view=roofline")
        self.assertEqual(self.browser.run(tabs), ["chart", "table", "scatter", "parallel", "heat", "bands"])
        self.assertEqual(self.browser.run("return document.querySelector('[aria-selected=true]').dataset.view"), "chart")
        self.open("study=kernels")
        self.assertIn("roofline", self.browser.run(tabs))

    def test_a_page_opens_on_a_chart_of_the_main_metric(self):
        self.open("cp=levels&cx=batch&cl=policy")
        self.browser.until("document.querySelector('.place .plot').data")
        traces = self.browser.run("return document.querySelector('.place .plot').data.map(one => [one.name, one.y, one.customdata])")
        grouped = self.frame.groupby(["levels", "policy", "batch"]).time_per_sample
        best = grouped.min().unstack("batch")
        self.assertEqual(len(traces), len(best))
        for ((_, policy), wanted), (name, y, rows) in zip(best.iterrows(), traces):
            self.assertEqual(name, policy)
            np.testing.assert_allclose(self.frame.time_per_sample[rows], wanted, rtol=1e-12)
            np.testing.assert_allclose(np.array(y) / y[0], wanted / wanted.iloc[0], rtol=1e-9)
        self.assertIn("best (smallest) of up to 3 points", self.browser.run("return document.querySelector('.place').textContent"))
        self.open("cx=model&ck=bars")
        self.browser.until("document.querySelector('.place .plot').data?.[0].type === 'bar'")

    def test_controls_are_in_the_first_window(self):
        for width, height in ((1400, 900), (390, 800)):
            self.browser.resize(width, height=height)
            self.open()
            bottom = self.browser.run("return Math.max(...[...document.querySelectorAll('[role=tablist], .place .controls')].map(one => one.getBoundingClientRect().bottom))")
            self.assertLess(bottom, height / 2)

    def test_a_search_has_its_curve_and_no_other_study_one(self):
        self.open("study=searched&view=progress")
        self.browser.until("document.querySelector('.place .plot').data")
        generations = pimsweep.open(self.path, unsealed=True).detail("searched", "generations")
        for axis, column in (("x", "points"), ("y", "hypervolume")):
            np.testing.assert_array_equal(self.browser.run(f"return document.querySelector('.place .plot').data[0].{axis}"),
                                          generations[column])
        self.assertIn("After 20 points", self.browser.run("return document.querySelector('.place').textContent"))
        self.open("study=grid&view=progress")
        self.assertEqual(self.browser.run("return document.querySelectorAll('[data-view=progress]').length"), 0)

    def test_a_drag_in_parallel_coordinates_filters(self):
        self.open("view=parallel&lines=policy,batch,time_per_sample")
        self.browser.run("""
            const canvas = document.querySelector("canvas"), box = canvas.getBoundingClientRect();
            for (const [kind, y] of [["pointerdown", box.top + 40], ["pointerup", box.top + box.height / 2 - 10]])
              canvas.dispatchEvent(new PointerEvent(kind, {clientX: box.left + 45, clientY: y, bubbles: true}));""")
        self.assertIn("where.policy=%3Dhypar", self.browser.run("return location.hash"))
        self.assertEqual(self.count(), "36 of 72 points")

    def test_the_theme_follows_the_system_and_the_button(self):
        ground = "return getComputedStyle(document.body).backgroundColor"
        self.open()
        light = self.browser.run(ground)
        self.browser.resize(1440, dark=True)
        dark = self.browser.run(ground)
        self.assertNotEqual(light, dark)
        self.browser.run("document.querySelector('.theme').click()")
        self.assertEqual(self.browser.run(ground), light)

    def test_no_view_is_wider_than_its_window(self):
        views = ("chart", "table", "scatter", "parallel", "heat", "roofline", "bands", "progress")
        for width, dark, shown in ((390, False, views), (820, True, ("chart", "table", "scatter")), (1440, False, ("scatter", "heat"))):
            self.browser.resize(width, dark)
            for view in shown:
                studies = {"roofline": "study=kernels&color=M", "progress": "study=searched"}
                self.open(f"view={view}&{studies.get(view, 'color=policy')}")
                self.browser.run("document.querySelector('#explorer').scrollIntoView()")
                self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
                self.browser.save(self.pictures / f"{view}-{width}{'-dark' if dark else ''}.png")


if __name__ == "__main__":
    unittest.main()
