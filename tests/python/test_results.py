"""pimsweep.open: studies as labeled arrays that hold what the file holds."""

import contextlib
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np
import pandas as pd
import pimsweep
import xarray

EXPERIMENT = {"name": "shapes", "study": [
    {"id": "product", "system": "hypar", "hardware": "hypar-hmc-array",
     "axes": {"policy": ["data", "hypar"], "model": ["sfc", "lenet-c"]},
     "zip": [{"batch": [64, 256, 64], "levels": [2, 3, 4]}]},
    {"id": "some", "system": "hypar", "hardware": "hypar-hmc-array", "where": "batch > 64 || policy == 'data'",
     "axes": {"policy": ["data", "hypar"], "batch": [64, 256]}, "model": "sfc"},
    {"id": "one", "system": "hypar", "hardware": "hypar-hmc-array", "model": "sfc", "policy": "data"}]}


class Package(unittest.TestCase):
    def test_libraries_are_loaded_when_they_are_used(self):
        libraries = ("h5py", "matplotlib", "numpy", "pandas", "xarray")
        loaded = subprocess.run([sys.executable, "-c", f"import sys, pimsweep; print([name for name in {libraries} if name in sys.modules])"],
                                capture_output=True, text=True, check=True)
        self.assertEqual(loaded.stdout, "[]\n")

    def test_every_name_is_found_on_first_use(self):
        subprocess.run([sys.executable, "-c", "import pimsweep; [getattr(pimsweep, name) for name in (*pimsweep.__all__, 'plot')]"], check=True)
        self.assertLessEqual({*pimsweep.__all__, "plot"}, set(dir(pimsweep)))
        with self.assertRaisesRegex(AttributeError, "no attribute 'opne'"):
            pimsweep.opne


class Datasets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.enterClassContext(contextlib.chdir(cls.scratch))
        cls.results = pimsweep.run(EXPERIMENT)

    def test_a_file_is_a_mapping_of_studies(self):
        # In the order of the experiment.
        self.assertEqual(list(self.results), [study["id"] for study in EXPERIMENT["study"]])
        self.assertEqual(len(self.results), 3)
        self.assertIn("training", self.results["one"].coords["task"].item())
        with self.assertRaisesRegex(KeyError, "no study 'none'; there are: "):
            self.results["none"]

    def test_products_have_a_dimension_for_each_axis(self):
        data = self.results["product"]
        self.assertEqual(dict(data.sizes), {"policy": 2, "model": 2, "levels": 3})
        self.assertEqual(data["batch"].dims, ("levels",))
        self.assertEqual(data["batch"].values.tolist(), [64, 256, 64])
        self.assertEqual(data["objective"].ndim, 0)
        frame = self.results.frame("product")
        for row in frame.itertuples():
            point = data.sel(policy=row.policy, model=row.model, levels=row.levels)
            self.assertEqual(float(point["time"]), row.time)
            self.assertEqual(int(point["point"]), row.point)

    def test_other_studies_have_points(self):
        for study, size in (("some", 3), ("one", 1)):
            data = self.results[study]
            self.assertEqual(dict(data.sizes), {"point": size})
            np.testing.assert_array_equal(data["time"], self.results.frame(study)["time"])
        self.assertEqual(self.results["some"]["policy"].dims, ("point",))
        self.assertEqual(self.results["some"]["model"].item(), "sfc")

    def test_expressions_have_the_axes_of_their_study(self):
        for study in ("product", "some"):
            data = self.results[study]
            edp = self.results.evaluate(study, "time * energy")
            self.assertEqual((edp.dims, edp.attrs["units"]), (data["time"].dims, "s*J"))
            np.testing.assert_allclose(edp, data["time"] * data["energy"], rtol=1e-12)
        with self.assertRaisesRegex(pimsweep.BadExpression, "'\\+' needs equal units"):
            self.results.evaluate("some", "time + energy")

    def test_units_and_descriptions_are_attributes(self):
        time = self.results["product"]["time"]
        self.assertEqual(time.attrs["units"], "s")
        self.assertEqual(time.attrs["role"], "metric")
        self.assertTrue(time.attrs["long_name"])
        self.assertEqual(self.results["product"].attrs["system"], "hypar")
        self.assertIn("ok", self.results["product"]["status"].attrs["flag_meanings"])
        self.assertEqual(self.results.metrics("product")[0], "time")

    def test_all_columns_are_there_once(self):
        data = self.results["product"]
        with h5py.File(self.results.path) as file:
            stored = {name for name, item in file["product"].items() if isinstance(item, h5py.Dataset)}
        self.assertEqual(set(data.variables), stored - {"identity_high", "identity_low"})

    def test_values_are_read_when_asked_for(self):
        results = pimsweep.open(self.results.path)
        data = results["product"]
        moved = results.path.rename("moved.h5")
        try:
            with self.assertRaises(FileNotFoundError):
                data["time"].load()
        finally:
            moved.rename(results.path)
        self.assertGreater(float(data["time"].min()), 0)

    def test_detail_tables(self):
        name = self.results.tables("product")[0]
        table, joined = self.results.table("product", name), self.results.detail("product", name)
        self.assertEqual(table["point"].dims, ("row",))
        self.assertEqual(table.sizes["row"], len(joined))
        self.assertIn("policy", joined)
        with self.assertRaisesRegex(KeyError, f"there are: .*{name}"):
            self.results.table("product", "none")

    def test_datasets_are_ordinary_ones(self):
        data = self.results["product"]
        ratio = data["time"].sel(policy="data") / data["time"].sel(policy="hypar")
        self.assertEqual(ratio.dims, ("model", "levels"))
        data[["time", "energy"]].to_netcdf("part.nc", engine="h5netcdf")
        with xarray.open_dataset("part.nc", engine="h5netcdf") as part:
            xarray.testing.assert_equal(part["time"], data["time"])
        self.assertEqual(len(data["time"].to_dataframe()), 12)

    def test_a_machine_is_a_file_without_draws(self):
        drawn = pimsweep.run({"name": "shapes-drawn", "study": [
            {**study, "uncertainty": {"samples": 3}} for study in EXPERIMENT["study"]]})
        self.assertEqual((drawn.machines, self.results.machines), ([1, 2, 3], []))
        own = drawn.machine(0)
        for study in self.results:
            pd.testing.assert_frame_equal(*(file.frame(study).drop(columns="point") for file in (own, self.results)))
            self.assertEqual(own[study].sizes, self.results[study].sizes)
            self.assertEqual(own.axes(study), self.results.axes(study))
            table = own.tables(study)[0]
            self.assertEqual(own.table(study, table).sizes, self.results.table(study, table).sizes)
            pd.testing.assert_frame_equal(*(file.detail(study, table).drop(columns=["point", "row"])
                                            for file in (own, self.results)))
        times = drawn["product"]["time"]
        for machine in (1, 3):
            one = drawn.machine(machine)["product"]
            np.testing.assert_array_equal(one["time"], times.sel(draw=machine))
            self.assertNotIn("draw", one.coords)
            np.testing.assert_array_equal(drawn.machine(machine).frame("product")["time"], one["time"].values.ravel())
        self.assertTrue((times.std("draw") > 0).any())
        with self.assertRaisesRegex(pimsweep.MissingMachine, "no machine 4 in one; there are 0 to 3"):
            own.machine(4).frame("one")

    def test_studies_without_draws_are_the_same_on_all_machines(self):
        experiment = {"name": "one-drawn", "study": [EXPERIMENT["study"][2], {
            **EXPERIMENT["study"][2], "id": "drawn", "uncertainty": {"samples": 2}}]}
        results = pimsweep.run(experiment)
        self.assertEqual(results.machines, [1, 2])
        for machine in (0, 2):
            pd.testing.assert_frame_equal(results.machine(machine).frame("one"), results.frame("one"))
            self.assertEqual(results.machine(machine)["one"].sizes, {"point": 1})
            self.assertEqual(results.machine(machine)["drawn"].sizes, {"point": 1})

    def test_other_files_are_refused(self):
        pathlib.Path("text.h5").write_text("no HDF5")
        with h5py.File("foreign.h5", "w"):
            pass
        for name, unsealed in (("text.h5", False), ("foreign.h5", True)):
            with self.assertRaisesRegex(ValueError, f"{name}: not a results file of pimsweep"):
                pimsweep.open(name, unsealed)
        with self.assertRaisesRegex(ValueError, "foreign.h5 has no checksum"):
            pimsweep.open("foreign.h5")
        with self.assertRaisesRegex(FileNotFoundError, "none.h5: no such file"):
            pimsweep.open("none.h5")

    def test_published_values(self):
        self.assertGreater(len(pimsweep.published("hypar")), 100)
        self.assertGreater(pimsweep.fact("hypar", "fig6-gmean-hypar"), 1)
        with self.assertRaisesRegex(KeyError, "there are: allspark"):
            pimsweep.published("none")


if __name__ == "__main__":
    unittest.main()
