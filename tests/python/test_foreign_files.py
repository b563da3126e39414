"""Damaged and hostile results files: the package refuses what the program refuses, with a reason and without a crash.

Damage is either to the bytes alone, which the seal tells, or to the structure of a file that is sealed again, as one is that
somebody has made to harm its reader.
"""

import contextlib
import gzip
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

import h5py
import numpy as np
import pimsweep
from pimsweep import files

EXPERIMENT = {"name": "foreign", "study": [
    {"id": "s", "system": "synthetic", "rows": 3, "axes": {"n": [1, 2, 3], "label": ["a", "b" * 300]}}]}
FLIPS = 24


def seal(path):
    content = path.read_bytes()
    hash_ = files._hash_function()(content, len(content))
    path.write_bytes(content + b"pimsweep seal 1\n" + hash_.high.to_bytes(8, "little") + hash_.low.to_bytes(8, "little"))


def replace(file, name, data, **options):
    """Puts other data in place of a column, with its attributes."""
    attributes = dict(file[name].attrs)
    del file[name]
    made = file.create_dataset(name, data=data, **options) if data is not None else file.create_dataset(name, **options)
    for key, value in attributes.items():
        if key not in ("DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME"):
            made.attrs[key] = value


def external_link(file, folder):
    del file["s/checksum"]
    file["s/checksum"] = h5py.ExternalLink(folder / "whole.h5", "/s/checksum")


def soft_link(file, folder):
    del file["s/checksum"]
    file["s/checksum"] = h5py.SoftLink("/s/n")


def external_study(file, folder):
    file["t"] = h5py.ExternalLink(folder / "whole.h5", "/s")


def external_storage(file, folder):
    (folder / "secret.bin").write_bytes(bytes(range(48)))
    replace(file, "s/checksum", None, shape=(6,), dtype="f8", external=[(str(folder / "secret.bin"), 0, 48)])


def virtual_storage(file, folder):
    layout = h5py.VirtualLayout((6,), "f8")
    layout[:] = h5py.VirtualSource(str(folder / "whole.h5"), "s/checksum", (6,))
    del file["s/checksum"]
    file.create_virtual_dataset("s/checksum", layout)


HOSTILE = {
    "version": lambda file, folder: file.attrs.modify("format_version", 99),
    "format": lambda file, folder: file.attrs.modify("format", "other results"),
    "external link": external_link,
    "soft link": soft_link,
    "external study": external_study,
    "external storage": external_storage,
    "virtual storage": virtual_storage,
    "group in itself": lambda file, folder: file["s"].__setitem__("again", file["s"]),
    "filter": lambda file, folder: replace(file, "s/checksum", np.zeros(6), chunks=(6,), compression="lzf"),
    "length": lambda file, folder: replace(file, "s/checksum", np.zeros(5), chunks=(5,)),
    "no numbers of rows": lambda file, folder: file.__delitem__("s/point"),
    "very long": lambda file, folder: replace(file, "s/point", None, shape=(1 << 45,), dtype="i8", chunks=(1024,)),
    "type": lambda file, folder: replace(file, "s/checksum", np.array(["x"] * 6, dtype=h5py.string_dtype()), chunks=(6,)),
    "compound": lambda file, folder: replace(file, "s/checksum", np.zeros(6, dtype=[("a", "f8"), ("b", "i4")]), chunks=(6,)),
    "dimensions": lambda file, folder: replace(file, "s/checksum", np.zeros((6, 2)), chunks=(6, 2)),
    "length of a table": lambda file, folder: replace(file, "s/detail/point", np.zeros(2, "i8"), chunks=(2,)),
}


class ForeignFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        with contextlib.chdir(cls.folder):
            pimsweep.run(EXPERIMENT, output="whole.h5")
        cls.whole = cls.folder / "whole.h5"

    def show(self, path):
        return subprocess.run([os.environ["PIMSWEEP"], "show", path], capture_output=True, text=True, check=False)

    def read_all(self, path, **options):
        """Reads every column, as a page does."""
        results = pimsweep.open(path, **options)
        for study in results:
            results.frame(study)
            results[study].load()
            for table in results.tables(study):
                results.detail(study, table)

    def assert_refused(self, path):
        self.assertEqual(self.show(path).returncode, 2)
        with self.assertRaises(ValueError):
            self.read_all(path)

    def assert_no_page(self, path):
        done = subprocess.run([os.environ["PIMSWEEP"], "page", path], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertTrue(done.stderr.startswith("pimsweep: error: "), done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertFalse(path.with_suffix(".html").exists())

    def test_the_whole_file_is_read(self):
        self.read_all(self.whole)
        self.assertEqual(self.show(self.whole).returncode, 0)

    def test_changed_and_missing_bytes(self):
        content = self.whole.read_bytes()
        chosen = random.Random(1)
        damaged = {f"flip {place}": content[:place] + bytes([content[place] ^ 64]) + content[place + 1:]
                   for place in chosen.sample(range(len(content)), FLIPS)}
        damaged |= {f"cut {size}": content[:size] for size in (0, 7, 100, len(content) // 2, len(content) - 32)}
        path = self.folder / "damaged.h5"
        for name, bytes_ in damaged.items():
            with self.subTest(damage=name):
                path.write_bytes(bytes_)
                self.assertEqual(self.show(path).returncode, 2)
                with self.assertRaises(ValueError):
                    pimsweep.open(path)

    def test_sealed_files_of_another_structure(self):
        for name, change in HOSTILE.items():
            with self.subTest(damage=name):
                path = self.folder / f"{name.replace(' ', '-')}.h5"
                path.write_bytes(self.whole.read_bytes())
                with h5py.File(path, "r+") as file:
                    change(file, self.folder)
                seal(path)
                self.assert_refused(path)
                if name in ("version", "external storage", "very long"):
                    self.assert_no_page(path)

    def test_links_that_hdf5_wrote_and_cannot_decode(self):
        """Fuzzing made this file: HDF5 1.10.8 wrote it in a series of deletions, and crashes when it lists /provenance."""
        path = self.folder / "undecodable.h5"
        path.write_bytes(gzip.decompress((pathlib.Path(__file__).parent / "undecodable_link.h5.gz").read_bytes()))
        self.assertIn("cannot be listed", self.show(path).stderr)
        self.assert_refused(path)
        self.assert_no_page(path)

    def test_without_a_seal(self):
        path = self.folder / "unsealed.h5"
        path.write_bytes(self.whole.read_bytes())
        with h5py.File(path, "r+") as file:
            file["s/checksum"][0] = 7
        self.assert_refused(path)
        self.assert_no_page(path)
        self.read_all(path, unsealed=True)
        self.assertEqual(pimsweep.open(path, unsealed=True).frame("s").checksum[0], 7)
        subprocess.run([os.environ["PIMSWEEP"], "page", "--unsealed", path], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    unittest.main()
