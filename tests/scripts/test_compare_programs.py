"""scripts/compare_programs.py on small results files: layouts, names, order of points, every kind of difference."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from comparison.columns import differing, read_column
from comparison.names import Names, NamesError
from comparison.studies import StudyComparison, Tally, open_new, tell_added


def texts(*values):
    return np.array(values, dtype=h5py.string_dtype())


def characters(*values):
    width = max(len(value.encode()) for value in values)
    return np.array([list(value.encode().ljust(width, b"\0")) for value in values], dtype=np.uint8).view("S1")


class Files(unittest.TestCase):
    """Studies in memory and a table of names in a scratch folder."""

    def setUp(self):
        self.file = h5py.File("memory", "w", driver="core", backing_store=False)
        self.addCleanup(self.file.close)
        self.scratch = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def study(self, name, axes, metrics, tables=None, file=None):
        group = (file or self.file).create_group(name)
        group.attrs["system"] = "toy"
        length = len(next(iter(axes.values())))
        for role, columns in (("axis", axes), ("metric", metrics)):
            for column, values in columns.items():
                group.create_dataset(column, data=values).attrs["role"] = role
        group["point"] = np.arange(length)
        group["status"] = np.zeros(length, dtype=np.int8)
        for table, columns in (tables or {}).items():
            for column, values in columns.items():
                group.create_dataset(f"{table}/{column}", data=values)
        return group

    def names(self, *rows):
        path = self.scratch / "names.csv"
        path.write_text("\n".join(["kind,system,old,new,reason", *rows]) + "\n")
        return Names(path)

    def compare(self, old, new, *rows, hardware=""):
        tally, new = Tally(), new if hasattr(new, "free") else open_new(new)
        StudyComparison("e/s", old, new, self.names(*rows), tally).run(hardware)
        tell_added("e/s", new, tally)
        return tally


class Columns(Files):
    def test_layouts_of_text(self):
        words = ["a", "", "größer", "a"]
        self.file["variable"] = texts(*words)
        self.file["characters"] = characters(*words)
        self.file["codes"] = np.array([3, 0, 1, 3], dtype=np.int8)
        self.file["codes"].attrs["flag_values"] = np.array([3, 0, 1], dtype=np.int8)
        self.file["codes"].attrs["flag_meanings"] = "a none größer"
        self.file["enumeration"] = np.array([1, 2], dtype=h5py.enum_dtype({"x": 1, "y": 2}))
        self.assertEqual(words, list(read_column(self.file["variable"])))
        self.assertEqual(words, list(read_column(self.file["characters"])))
        self.assertEqual(["a", "none", "größer", "a"], list(read_column(self.file["codes"])))
        self.assertEqual(["x", "y"], list(read_column(self.file["enumeration"])))
        constant = self.file.create_dataset("constant", (5,), "f8", chunks=(5,), fillvalue=2.5)
        self.assertEqual([2.5] * 5, list(read_column(constant)))

    def test_bits(self):
        old = np.array([1.0, np.nan, 0.0, 1.0])
        new = np.array([1.0, np.nan, -0.0, np.nextafter(1.0, 2)])
        self.assertEqual([False, False, True, True], list(differing(old, new)))
        large = np.array([2**53 + 1, 7])
        self.assertEqual([True, False], list(differing(large, np.array([2.0**53, 7.0]))))
        self.assertEqual([False, True], list(differing(np.array([1, 2]), np.array(["1", "3"], dtype=object))))
        self.assertEqual([True, True], list(differing(np.array([1, 2]), np.array(["1", "x"], dtype=object))))


class Studies(Files):
    def test_equal(self):
        one = self.study("one", {"a": [1, 2]}, {"time": [np.nan, 2.0]}, {"t": {"point": [0, 1, 1], "x": [1, 2, 3]}})
        two = self.study("two", {"a": [1, 2]}, {"time": [np.nan, 2.0]}, {"t": {"point": [0, 1, 1], "x": [1, 2, 3]}})
        tally = self.compare(one, two)
        self.assertEqual(([], [], 2, 9, 9), (tally.differences, tally.notes, tally.points, tally.values, tally.equal))

    def test_a_difference_has_its_place(self):
        one = self.study("one", {"a": [1, 2]}, {"time": [1.0, 2.0]}, {"t": {"point": [0, 1, 1], "x": [1, 2, 3]}})
        two = self.study("two", {"a": [1, 2]}, {"time": [1.0, 2.5]}, {"t": {"point": [0, 1, 1], "x": [1, 2, 4]}})
        tally = self.compare(one, two)
        self.assertEqual(["e/s/time: 1 of 2 values differ; point 1: 2.0 -> 2.5",
                          "e/s/t/x: 1 of 3 values differ; row 2: 3 -> 4"], tally.differences)
        self.assertEqual((7, 2), (tally.equal, tally.differing))

    def test_names(self):
        one = self.study("one", {"workload": texts("x", "y")}, {"latency": [1.0, 2.0]},
                         {"t": {"point": [0], "what": texts("z")}})
        two = self.study("two", {"model": characters("x", "why")}, {"time": [1.0, 2.0]},
                         {"u": {"point": [0], "task": texts("z")}})
        self.assertEqual(3, len(self.compare(one, two).differences))
        tally = self.compare(one, two, "axis,toy,workload,model,", "metric,*,latency,time,", "table,toy,t,u,",
                             "column,toy,t/what,task,", "value,toy,workload=y,why,")
        self.assertEqual(([], []), (tally.differences, tally.notes))
        # Names of another system are not names of this one.
        self.assertTrue(self.compare(one, two, "axis,other,workload,model,").differences)

    def test_another_order(self):
        one = self.study("one", {"a": [1, 1, 2], "b": texts("x", "y", "x")}, {"time": [1.0, 2.0, 3.0]},
                         {"t": {"point": [0, 2, 2], "x": [1, 2, 3]}})
        two = self.study("two", {"a": [2, 1, 1], "b": texts("x", "x", "y")}, {"time": [3.0, 1.0, 2.0]},
                         {"t": {"point": [0, 0, 1], "x": [2, 3, 1]}})
        tally = self.compare(one, two)
        self.assertEqual(([], ["e/s: points matched by all axes with those of two"]), (tally.differences, tally.notes))
        two["time"][2] = 5.0
        self.assertEqual(["e/s/time: 1 of 3 values differ; point 1: 2.0 -> 5.0"], self.compare(one, two).differences)

    def test_studies_that_became_one(self):
        v100 = self.study("v100", {"m": [1, 2]}, {"time": [1.0, 2.0]})
        p100 = self.study("p100", {"m": [1, 2]}, {"time": [3.0, 4.0]})
        hardware = texts("gpu-p100", "gpu-p100", "gpu-v100", "gpu-v100")
        both = open_new(self.study("both", {"hardware": hardware, "m": [1, 2, 1, 2]}, {"time": [3.0, 4.0, 1.0, 2.0]}))
        first = self.compare(v100, both, hardware="gpu-v100")
        self.assertEqual([], first.differences)
        self.assertIn("added: 2 points of e/s", first.notes)
        second = self.compare(p100, both, hardware="gpu-p100")
        self.assertEqual([], second.differences)
        self.assertNotIn("added: 2 points of e/s", second.notes)
        # No point is left for a third one.
        self.assertEqual(["e/s: 2 of 2 points missing, the first is 0"], self.compare(v100, both).differences)

    def test_what_is_missing(self):
        one = self.study("one", {"a": [1, 2, 3]}, {"time": [1.0, 2.0, 3.0], "old": [1, 1, 1]},
                         {"t": {"point": [0, 0], "x": [1, 2]}, "gone": {"point": [0]}})
        two = self.study("two", {"a": [1, 2]}, {"time": [1.0, 2.0], "young": [1, 1]},
                         {"t": {"point": [0, 1], "x": [1, 2]}})
        tally = self.compare(one, two)
        self.assertEqual(["e/s/old: missing", "e/s: 1 of 3 points missing, the first is 2", "e/s/gone: missing",
                          "e/s/t: 1 of 2 rows missing, the first is 1", "e/s/t: 1 rows too many"], tally.differences)
        self.assertIn("added: columns of e/s: young", tally.notes)
        tally = self.compare(one, two, "metric,toy,old,,it had no use", "table,toy,gone,,it was empty",
                             "exception,toy,e/s/t,,counted twice", "exception,*,e/s,,the range ends at 2")
        self.assertEqual([], tally.differences)
        self.assertIn("explained: e/s/old is gone (it had no use)", tally.notes)

    def test_exceptions(self):
        one = self.study("one", {"a": [1, 2]}, {"time": [1.0, 2.0], "energy": [1.0, 2.0]})
        two = self.study("two", {"a": [1, 2]}, {"time": [1.0, 2.5], "energy": [1.0, 2.0]})
        names = self.names("exception,*,*/time,,fixed", "exception,*,*/energy,,never needed")
        tally = Tally()
        StudyComparison("e/s", one, open_new(two), names, tally).run()
        self.assertEqual(([], 1, 0), (tally.differences, tally.explained, tally.differing))
        self.assertEqual(["explained: e/s/time: 1 of 2 values differ; point 1: 2.0 -> 2.5 (fixed)"], tally.notes)
        self.assertEqual(["*/energy"], [row.old for row in names.unused()])

    def test_mistakes_in_the_table(self):
        with self.assertRaises(NamesError) as raised:
            self.names("axes,*,a,b,", "exception,*,a,,", "study,*,a,b,", "axis,*,a,b,", "axis,*,a,c,")
        for line in (2, 3, 4, 6):
            self.assertIn(f"names.csv:{line}: ", str(raised.exception))


class Command(Files):
    """Programs that hand out prepared results in place of running anything."""

    def program(self, what, time):
        tree = self.scratch / what
        (tree / "experiments").mkdir(parents=True)
        (tree / "configs").mkdir()
        (tree / "experiments" / "e.toml").write_text('[[study]]\nid = "s"\nsystem = "toy"\n')
        with h5py.File(tree / "e.h5", "w") as file:
            self.study("s", {"a": [1, 2]}, {"time": time}, file=file)
            file.create_group("provenance")["seconds"] = time
            # The dimension of texts of 8 bytes is not a study.
            file["string8"] = [0] * 8
        program = tree / "program"
        program.write_text(f'#!/bin/bash\n[[ "$PIMSWEEP_CONFIGS" == "{tree}/configs" ]] || exit 2\n'
                           f'[[ "$1" == "{tree}/experiments/e.toml" ]] || exit 2\n'
                           f'cp "{tree}/e.h5" "$3"\n')
        program.chmod(0o755)
        return program

    def run_on(self, old, new, *options):
        names = self.scratch / "none.csv"
        names.write_text("kind,system,old,new,reason\n")
        done = subprocess.run(["/usr/bin/python3", ROOT / "scripts" / "compare_programs.py", old, new, "--ranks", "1",
                               "--names", names, *options], capture_output=True, text=True,
                              env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
        return done.returncode, done.stdout + done.stderr

    def test_whole_command(self):
        old, same = self.program("old", [1.0, 2.0]), self.program("same", [1.0, 2.0])
        other = self.program("other", [1.0, 3.0])
        status, told = self.run_on(old, same)
        self.assertEqual(0, status, told)
        self.assertIn("e: equal: 1 studies, 2 points, 6 values compared, 6 equal, 0 differing, 0 explained", told)
        status, told = self.run_on(old, other)
        self.assertEqual(1, status, told)
        self.assertIn("e/s/time: 1 of 2 values differ; point 1: 2.0 -> 3.0", told)
        status, told = self.run_on(old, other, "--experiments", "nonsense")
        self.assertEqual(2, status, told)
        other.write_text("#!/bin/bash\necho broken; exit 2\n")
        status, told = self.run_on(old, other)
        self.assertEqual(2, status, told)
        self.assertIn("the new program failed on e (status 2)", told)


if __name__ == "__main__":
    unittest.main()
