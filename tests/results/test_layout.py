"""The results file opened by other people's readers: xarray (both engines), h5py, h5dump."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import netCDF4
import numpy
import xarray

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import pimsweep

ENGINES = ("netcdf4", "h5netcdf")


class Layout(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.path = pathlib.Path(cls.scratch.name) / "sample.h5"
        subprocess.run([os.environ["WRITE_SAMPLE"], cls.path], check=True)

    def test_xarray_opens_every_study(self):
        for engine in ENGINES:
            for study, size in (("big", 5000), ("small.1", 3), ("none", 0)):
                with self.subTest(engine=engine, study=study):
                    with xarray.open_dataset(self.path, group=study, engine=engine) as data:
                        self.assertEqual(dict(data.sizes), {"point": size})
                        self.assertEqual(data["point"].values.tolist(), list(range(size)))
                        self.assertEqual(data["latency"].dims, ("point",))
                        self.assertEqual(data["latency"].attrs["units"], "s")
                        self.assertEqual(data["latency"].attrs["long_name"], "time")
                        self.assertEqual(data["latency"].attrs["source"], "sample version 3")
                        self.assertEqual(data["hardware.noc.link_bandwidth"].attrs["source"], "experiment")
                        self.assertEqual(data["status"].attrs["flag_meanings"], "ok infeasible failed crashed not_run")
                        self.assertEqual(len(data.to_dataframe()), size)

    def test_values_agree_between_readers(self):
        with h5py.File(self.path) as file:
            group = file["big"]
            for engine in ENGINES:
                with xarray.open_dataset(self.path, group="big", engine=engine) as data:
                    numpy.testing.assert_array_equal(data["latency"].values, group["latency"][:])
                    numpy.testing.assert_array_equal(data["count"].values, numpy.arange(5000) % 7)
                    numpy.testing.assert_array_equal(data["fast"].values, (numpy.arange(5000) % 2 == 0).astype(int))
                    self.assertEqual(data["model"].values.tolist(), pimsweep.texts(group["model"]).tolist())
                    self.assertEqual(data["label_layer"].values[4999], "layer 4999")

    def test_constant_columns_are_in_every_row(self):
        constants = {"mode": "grüß", "wide": 2**60 + 1, "level": 0.25, "on": 1}
        for engine in ENGINES:
            with xarray.open_dataset(self.path, group="big", engine=engine) as data:
                for name, value in constants.items():
                    with self.subTest(engine=engine, name=name):
                        self.assertEqual(data[name].values.tolist(), [value] * 5000)
                        self.assertNotIn("_FillValue", data[name].attrs)
                frame = data.to_dataframe()
                self.assertEqual(frame["mode"].unique().tolist(), ["grüß"])
                self.assertEqual(int(frame["wide"].sum()) % 2**60, 5000)
        with h5py.File(self.path) as file:
            for name, value in constants.items():
                column = file["big"][name]
                rows = pimsweep.texts(column) if name == "mode" else column[:]
                self.assertEqual(rows.tolist(), [value] * 5000)
                self.assertLess(column.id.get_storage_size(), 500 if name == "mode" else 1)
        with netCDF4.Dataset(self.path) as file:
            # netCDF4-python 1.6 joins characters of more than one byte in the wrong way.
            file.set_auto_chartostring(False)
            for name, value in constants.items():
                rows = file["big"][name][:]
                if name == "mode":
                    rows = numpy.char.decode(netCDF4.chartostring(rows, encoding="none"), "utf-8")
                self.assertFalse(numpy.ma.is_masked(rows))
                self.assertEqual(rows.tolist(), [value] * 5000)

    def test_texts_are_str(self):
        for engine in ENGINES:
            with xarray.open_dataset(self.path, group="big", engine=engine) as data:
                for name in ("model", "mode", "label_layer", "scheme", "message"):
                    self.assertTrue(all(type(text) is str for text in data[name].values), name)
                ok = data["status"].values == 0
                self.assertTrue((data["message"].values[ok] == "").all())
                self.assertTrue((data["message"].values[data["status"].values == 2] != "").all())

    def test_texts_of_every_length(self):
        def expected(row):
            return {77: "lang: " + 2000 * "ä€😀", 20000: 257 * "x"}.get(row, "" if row % 2 else f"{row} é")
        for study, size in (("texts", 20001), ("few", 100)):
            with h5py.File(self.path) as file:
                self.assertEqual(pimsweep.texts(file[study]["text"]).tolist(), [expected(row) for row in range(size)])
            results = pimsweep.open(self.path)
            self.assertEqual(results.tables(study), [])
            self.assertEqual(results.frame(study)["text"][77], expected(77))
            for engine in ENGINES:
                with self.subTest(study=study, engine=engine):
                    with xarray.open_dataset(self.path, group=study, engine=engine) as data:
                        short = data["text"].values
                    width = 256 if study == "texts" else 4096
                    for row in range(size):
                        if len(expected(row).encode()) <= width:
                            self.assertEqual(short[row], expected(row))
                        else:
                            self.assertTrue(short[row].endswith("…") and expected(row).startswith(short[row][:-1]))
                            self.assertGreater(len(short[row].encode()), width - 4)
                    with xarray.open_dataset(self.path, group=f"{study}/long_texts/text", engine=engine) as pieces:
                        whole = pieces.to_dataframe().groupby("owner")["text"].sum()
                    self.assertEqual(whole.to_dict(), {row: expected(row) for row in range(size)
                                                       if len(expected(row).encode()) > width})

    def test_a_file_that_was_written_to_is_read_without_its_seal(self):
        path = self.path.with_name("edited.h5")
        shutil.copy(self.path, path)
        self.assertEqual(path.read_bytes()[-32:-16], b"pimsweep seal 1\n")
        with h5py.File(path, "r+") as file:
            file["big"].attrs["remark"] = "looked at"
        self.assertNotIn(b"pimsweep seal 1\n", path.read_bytes()[-32:])
        with xarray.open_dataset(path, group="big") as data:
            self.assertEqual(data.attrs["remark"], "looked at")

    def test_missing_is_nan_and_status_says_why(self):
        with h5py.File(self.path) as file:
            status = file["big/status"][:]
            latency = file["big/latency"][:]
        self.assertEqual(set(status), {0, 1, 2, 3, 4})
        numpy.testing.assert_array_equal(numpy.isnan(latency), status != 0)

    def test_tables_are_tidy(self):
        for engine in ENGINES:
            with xarray.open_dataset(self.path, group="big/stages", engine=engine) as data:
                self.assertEqual(data["time"].dims, ("row",))
                frame = data.to_dataframe()
                self.assertTrue((frame["point"].diff().dropna() >= 0).all())
                self.assertTrue((frame.groupby("point")["stage"].apply(list).map(lambda rows: rows == list(range(len(rows))))).all())
                self.assertEqual(set(frame["name"]), {"stage ü"})
            with xarray.open_dataset(self.path, group="big/empty", engine=engine) as data:
                self.assertEqual(dict(data.sizes), {"row": 0})

    def test_root_says_what_it_is(self):
        with h5py.File(self.path) as file:
            self.assertEqual(file.attrs["format"], "pimsweep results")
            self.assertEqual(file.attrs["format_version"], 3)
            self.assertEqual(file.attrs["experiment_text"], 'name = "sample"\n')
            self.assertEqual(file.attrs["hardware_chip"], 'doc = "a chip"\n')
            self.assertRegex(file.attrs["digest"], "^[0-9a-f]{32}$")
            for name in ("pimsweep_version", "git_revision", "hdf5_version"):
                self.assertTrue(file.attrs[name])
            self.assertEqual(file["provenance"].attrs["hosts"], "here")
            seconds = file["provenance/big/seconds"][:]
            numpy.testing.assert_array_equal(numpy.isnan(seconds), file["big/status"][:] == 4)

    def test_storage(self):
        with h5py.File(self.path) as file:
            latency = file["big/latency"]
            self.assertEqual(latency.dtype, numpy.float64)
            count = file["big/count"]
            self.assertEqual((count.compression, count.shuffle, count.fletcher32), ("gzip", True, True))
            # Random bits are left as they are.
            self.assertIsNone(file["big/identity_low"].compression)
            self.assertTrue(latency.fletcher32)
            # Few bytes are stored as they are, equal numbers as the fill value.
            few = file["small.1/hardware.noc.link_bandwidth"]
            self.assertEqual((few.chunks, few.compression, few.id.get_storage_size()), (None, None, 24))
            self.assertEqual(file["small.1/reference_latency"].id.get_storage_size(), 0)
            self.assertEqual(file["small.1/reference_latency"][:].tolist(), [0.5, 0.5, 0.5])
            # Long groups have chunks.
            self.assertEqual((file["texts/point"].chunks, file["texts/point"].compression), ((16384,), "gzip"))
            self.assertTrue(file["texts/identity_low"].fletcher32)
            # As wide as the longest text, in steps of 8.
            self.assertEqual((file["big/model"].dtype, file["big/model"].shape), (numpy.dtype("S1"), (5000, 8)))
            self.assertEqual(file["big/label_layer"].shape, (5000, 16))
            self.assertIn("/string16", file["big/label_layer"].dims[1][0].name)
            # Texts repeat, and so does what pads them.
            self.assertLess(file["big/model"].id.get_storage_size(), 5000)
            self.assertEqual(file["small.1/scheme"].id.get_storage_size(), 0)
            self.assertIn("point", latency.dims[0])
            self.assertEqual(file["big/count"].dtype, numpy.int64)

    def test_h5dump_reads_everything(self):
        done = subprocess.run(["h5dump", self.path], capture_output=True, text=True, check=True)
        self.assertNotIn("error", done.stderr)

    def test_same_input_same_bytes(self):
        again = self.path.with_name("again.h5")
        subprocess.run([os.environ["WRITE_SAMPLE"], again], check=True)
        self.assertEqual(self.path.read_bytes(), again.read_bytes())


if __name__ == "__main__":
    unittest.main()
