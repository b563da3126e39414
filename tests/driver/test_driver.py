"""Whole runs from outside: what each event gives, in exit status, files and data (the table of docs/driver.md)."""

import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from pimsweep import texts

PIMSWEEP = os.environ["PIMSWEEP"]
RANKS = [int(ranks) for ranks in os.environ["RANKS"].split(",")]
# mpirun, mpirun.mpich, or local: pimsweep starts the ranks itself.
LAUNCHER = os.environ.get("LAUNCHER", "mpirun")

EXPERIMENT = """name = "test"
[[study]]
id = "mixed"
system = "synthetic"
infeasible_rate = 0.1
cost_mean = "20 us"
cost_distribution = "lognormal"
[study.axes]
rows = [0, 1, 3]
label = ["a", "ä b", ""]
n = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
seed = [1, 2, 3]
[[study]]
id = "second"
system = "synthetic"
[study.axes]
n = [100, 101]
"""
POINTS = 272
FAILING = EXPERIMENT.replace('cost_mean = "20 us"', "failure_rate = 0.05")
SLOW = EXPERIMENT.replace('"20 us"', '"10 ms"').replace("lognormal", "constant")
# About 25 MB of journal.
BULKY = """name = "bulky"
[[study]]
id = "tables"
system = "synthetic"
rows = 40000
[study.axes]
n = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
"""


# A card whose uncertain constants may be drawn.
VAGUE = """name = "test"
[[study]]
id = "vague"
system = "kernel"
hardware = "gpu-v100"
kind = "gemm"
K = 256
[study.axes]
M = [64, 512, 4096]
N = [32, 1024]
"""


class DriverCase(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.dir = pathlib.Path(scratch.name)

    def write(self, text, name="test.toml"):
        (self.dir / name).write_text(text)
        return name

    @staticmethod
    def command(*arguments, ranks=None):
        if LAUNCHER == "local":
            return [PIMSWEEP, *arguments, *(["--ranks", str(ranks)] if ranks else [])]
        launch = [LAUNCHER, "-n", str(ranks)] if ranks else []
        return [*launch, PIMSWEEP, *arguments]

    def run_it(self, *arguments, ranks=None, expect=0, **options):
        command = self.command(*arguments, ranks=ranks)
        done = subprocess.run(command, cwd=self.dir, capture_output=True, text=True, timeout=120, **options)
        self.assertEqual(done.returncode, expect, f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def digest(self, name):
        with h5py.File(self.dir / name) as file:
            return file.attrs["digest"]

    def provenance(self, name, key):
        with h5py.File(self.dir / name) as file:
            return file["provenance"].attrs[key]

    def start_and_wait_for_points(self, *arguments, ranks=None, output="out.h5"):
        """Starts a run in its own process group and returns when its journals hold something."""
        process = subprocess.Popen(self.command(*arguments, "--output", output, ranks=ranks), cwd=self.dir, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        folder = self.dir / f"{output}.journal"
        deadline = time.monotonic() + 60
        while sum(path.stat().st_size for path in folder.glob("*.journal")) < 3000:
            self.assertIsNone(process.poll(), "the run ended before it could be disturbed")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        return process

    def resume_when_free(self, name, output, ranks, expect=0):
        """Ranks of a killed mpirun may live on for a moment; until they are gone the output is theirs."""
        for _ in range(100):
            command = self.command(name, "--output", output, "--resume", ranks=ranks)
            done = subprocess.run(command, cwd=self.dir, capture_output=True, text=True, timeout=120, check=False)
            if "another run is writing" not in done.stderr:
                break
            time.sleep(0.1)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)


class AnyRanks(DriverCase):
    """Run for each number of ranks in $RANKS."""

    def test_same_data_for_any_number_of_ranks(self):
        name = self.write(FAILING)
        self.run_it(name, "--output", "alone.h5", expect=1)
        with h5py.File(self.dir / "alone.h5") as alone:
            self.assertTrue((alone["mixed/status"][:] == 2).any())
            self.assertTrue((alone["mixed/status"][:] == 1).any())
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                self.run_it(name, "--output", f"{ranks}.h5", ranks=ranks, expect=1)
                self.assertEqual(self.digest(f"{ranks}.h5"), self.digest("alone.h5"))
                self.assertEqual(self.provenance(f"{ranks}.h5", "ranks"), str(ranks))
                self.assertFalse((self.dir / f"{ranks}.h5.journal").exists())
                # Not only by the program's own word.
                for study in ("mixed", "second"):
                    done = subprocess.run(["h5diff", "alone.h5", f"{ranks}.h5", f"/{study}"], cwd=self.dir,
                                          capture_output=True, text=True, check=False)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_drawn_machines_are_the_same_for_any_number_of_ranks(self):
        name = self.write(VAGUE)
        self.run_it(name, "--draws", "32", "--output", "alone.h5")
        with h5py.File(self.dir / "alone.h5") as alone:
            study = alone["vague"]
            self.assertEqual(list(study["draw"][:33]), list(range(33)))
            self.assertEqual(len(set(study["time"][:33])), 33)
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                self.run_it(name, "--draws", "32", "--output", f"{ranks}.h5", ranks=ranks)
                self.assertEqual(self.digest(f"{ranks}.h5"), self.digest("alone.h5"))

    def test_bad_input_is_told_once_and_ends_all_ranks(self):
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                message = self.run_it(self.write(EXPERIMENT.replace("lognormal", "lognormla")), ranks=ranks, expect=2)
                self.assertEqual(message.count("lognormla"), 1, message)
                message = self.run_it("missing.toml", ranks=ranks, expect=2)
                self.assertIn("missing.toml", message)

    def test_resume_after_kill(self):
        name = self.write(SLOW)
        self.run_it(self.write(SLOW), "--output", "whole.h5", ranks=2)
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                output = f"killed{ranks}.h5"
                process = self.start_and_wait_for_points(name, ranks=ranks, output=output)
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                self.assertFalse((self.dir / output).exists())
                self.resume_when_free(name, output, ranks)
                self.assertEqual(self.digest(output), self.digest("whole.h5"))
                self.assertGreater(int(self.provenance(output, "points_reused")), 0)
                self.assertGreater(int(self.provenance(output, "points_computed")), 0)

    def test_stop_signal(self):
        name = self.write(SLOW)
        for ranks in [None, *RANKS]:
            with self.subTest(ranks=ranks):
                process = self.start_and_wait_for_points(name, ranks=ranks, output=f"stopped{ranks}.h5")
                process.send_signal(signal.SIGUSR1)
                message, _ = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 75, message)
                self.assertIn("--resume", message)
                with h5py.File(self.dir / f"stopped{ranks}.h5") as file:
                    status = file["mixed/status"][:]
                    self.assertIn("signal 10", file["provenance"].attrs["stopped"])
                self.assertTrue((status == 4).any() and (status != 4).any())
                self.assertTrue(list((self.dir / f"stopped{ranks}.h5.journal").glob("*.journal")))

    def test_max_failures(self):
        name = self.write(EXPERIMENT.replace('cost_mean = "20 us"', 'failure_rate = 1\ncost_mean = "3 ms"'))
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                message = self.run_it(name, "--output", f"{ranks}.h5", "--max-failures", "3", ranks=ranks, expect=1)
                self.assertIn("--max-failures", message)
                with h5py.File(self.dir / f"{ranks}.h5") as file:
                    status = numpy.concatenate([file["mixed/status"][:], file["second/status"][:]])
                self.assertGreaterEqual((status == 2).sum(), 3)
                self.assertGreater((status == 4).sum(), 0)
                self.assertTrue((self.dir / f"{ranks}.h5.journal").exists())


class OneRank(DriverCase):
    """What does not depend on the number of ranks."""

    def test_failures_are_data(self):
        for kind in ("point_error", "exception"):
            with self.subTest(kind=kind):
                name = self.write(FAILING.replace("[study.axes]", f'failure_kind = "{kind}"\n[study.axes]', 1))
                message = self.run_it(name, "--output", f"{kind}.h5", expect=1)
                self.assertIn("sampled to fail", message)
                with h5py.File(self.dir / f"{kind}.h5") as file:
                    status = file["mixed/status"][:]
                    messages = texts(file["mixed/message"])
                    checksum = file["mixed/checksum"][:]
                self.assertTrue((status == 2).any())
                for text in messages[status == 2]:
                    self.assertIn("sampled to fail", text)
                numpy.testing.assert_array_equal(numpy.isnan(checksum), status != 0)

    def test_default_output(self):
        self.assertIn("results/test.h5", self.run_it(self.write(EXPERIMENT)))
        self.assertTrue((self.dir / "results/test.h5").exists())

    def test_existing_output_needs_resume_or_force(self):
        name = self.write(EXPERIMENT)
        self.run_it(name, "--output", "out.h5")
        first = self.digest("out.h5")
        message = self.run_it(name, "--output", "out.h5", expect=2)
        self.assertIn("--resume", message)
        self.assertIn("--force", message)
        self.run_it(name, "--output", "out.h5", "--force")
        self.assertEqual(self.provenance("out.h5", "points_computed"), str(POINTS))
        self.run_it(name, "--output", "out.h5", "--resume")
        self.assertEqual(self.provenance("out.h5", "points_computed"), "0")
        self.assertEqual(self.digest("out.h5"), first)
        self.assertIn("one of the two", self.run_it(name, "--output", "out.h5", "--resume", "--force", expect=2))
        (self.dir / "other.h5.journal").mkdir()
        self.assertIn("other.h5.journal", self.run_it(name, "--output", "other.h5", expect=2))

    def test_resume_after_the_experiment_grew(self):
        self.run_it(self.write(EXPERIMENT), "--output", "out.h5")
        grown = self.write(EXPERIMENT.replace("seed = [1, 2, 3]", "seed = [0, 1, 2, 3]").replace("rows = [0, 1, 3]", "rows = [3, 1]"))
        self.run_it(grown, "--output", "out.h5", "--resume")
        # 2 x 3 x 10 x 3 + 2 points are known, 2 x 3 x 10 x 1 are new.
        self.assertEqual(self.provenance("out.h5", "points_reused"), "182")
        self.assertEqual(self.provenance("out.h5", "points_computed"), "60")
        self.run_it(grown, "--output", "fresh.h5")
        self.assertEqual(self.digest("out.h5"), self.digest("fresh.h5"))

    def test_resume_evaluates_failed_points_again(self):
        name = self.write(FAILING)
        self.run_it(name, "--output", "out.h5", expect=1)
        with h5py.File(self.dir / "out.h5") as file:
            failed = int((file["mixed/status"][:] == 2).sum())
        self.assertGreater(failed, 0)
        self.run_it(name, "--output", "out.h5", "--resume", expect=1)
        self.assertEqual(self.provenance("out.h5", "points_computed"), str(failed))

    def test_resume_with_a_torn_journal(self):
        name = self.write(EXPERIMENT)
        self.run_it(name, "--output", "out.h5", "--keep-journals")
        whole = self.digest("out.h5")
        (self.dir / "out.h5").unlink()
        journal, = (self.dir / "out.h5.journal").glob("*.journal")
        os.truncate(journal, journal.stat().st_size * 2 // 3)
        message = self.run_it(name, "--output", "out.h5", "--resume")
        self.assertIn("warning", message)
        self.assertGreater(int(self.provenance("out.h5", "points_reused")), 0)
        self.assertEqual(self.digest("out.h5"), whole)

    def test_journals_know_how_machines_were_drawn(self):
        name = self.write(VAGUE)
        options = [name, "--draws", "8", "--draw-method", "lhs", "--draw-constants",
                   "hardware.error.gemm,hardware.fitted.launch", "--where", "M > 64 && N == 32"]
        self.run_it(*options, "--output", "out.h5", "--keep-journals")
        self.run_it("merge", "--output", "merged.h5", "out.h5.journal")
        self.assertEqual(self.digest("merged.h5"), self.digest("out.h5"))
        with h5py.File(self.dir / "merged.h5") as merged:
            study = merged["vague"]
            self.assertEqual((study["M"].shape[0], set(study["N"][:])), (2 * 9, {32}))
            self.assertEqual(len(set(study["hardware.error.gemm"][:])), 9)
            self.assertEqual(len(set(study["hardware.fitted.stall"][:])), 1)
            self.assertEqual(study["bands/point"][:].tolist(), [0, 9])
            self.assertTrue((study["bands/time_low"][:] < study["bands/time_high"][:]).all())
        journal, = (self.dir / "out.h5.journal").glob("*.journal")
        os.truncate(journal, journal.stat().st_size // 2)
        (self.dir / "out.h5").unlink()
        self.run_it(*options, "--output", "out.h5", "--resume")
        self.assertGreater(int(self.provenance("out.h5", "points_reused")), 0)
        self.assertEqual(self.digest("merged.h5"), self.digest("out.h5"))

    def test_more_machines_keep_those_that_were_drawn(self):
        name = self.write(VAGUE)
        self.run_it(name, "--draws", "8", "--output", "out.h5")
        self.run_it(name, "--draws", "16", "--output", "out.h5", "--resume")
        self.assertEqual(int(self.provenance("out.h5", "points_reused")), 6 * 9)
        self.run_it("rerun", "out.h5", "--point", "20")

    def test_merge(self):
        name = self.write(EXPERIMENT)
        self.run_it(name, "--output", "out.h5", "--keep-journals")
        self.run_it("merge", "--output", "merged.h5", "out.h5.journal")
        self.assertEqual(self.digest("merged.h5"), self.digest("out.h5"))
        journal, = (self.dir / "out.h5.journal").glob("*.journal")
        os.truncate(journal, journal.stat().st_size // 2)
        self.run_it("merge", "--output", "part.h5", str(journal), expect=75)
        with h5py.File(self.dir / "part.h5") as part, h5py.File(self.dir / "out.h5") as whole:
            status = part["mixed/status"][:]
            self.assertTrue((status == 4).any() and (status == 0).any())
            known = status != 4
            numpy.testing.assert_array_equal(part["mixed/cost"][:][known], whole["mixed/cost"][:][known])
        self.assertIn("no journal", self.run_it("merge", "--output", "x.h5", "nowhere", expect=2))

    def test_unwritable_output(self):
        name = self.write(EXPERIMENT)
        self.assertIn("/proc/no/x.h5", self.run_it(name, "--output", "/proc/no/x.h5", expect=2))
        (self.dir / "folder").mkdir()
        self.assertIn("is a folder", self.run_it(name, "--output", "folder", expect=2))
        (self.dir / "file").write_text("")
        self.assertIn("file/x.h5", self.run_it(name, "--output", "file/x.h5", expect=2))

    def test_a_file_that_is_no_results_file(self):
        name = self.write(EXPERIMENT)
        (self.dir / "out.h5").write_text("not HDF5")
        self.assertIn("out.h5", self.run_it(name, "--output", "out.h5", "--resume", expect=2))
        self.assertFalse((self.dir / "out.h5.journal").exists())

    def test_disk_full_in_the_middle(self):
        name = self.write(BULKY)

        def limit():
            # A file may not grow beyond this: write(2) fails as on a full disk. MPI's own files are smaller.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (12 << 20, 12 << 20))

        message = self.run_it(name, "--output", "out.h5", expect=74, preexec_fn=limit)
        self.assertIn(".journal", message)
        self.assertIn("--resume", message)
        self.run_it(name, "--output", "out.h5", "--resume")
        self.assertGreater(int(self.provenance("out.h5", "points_reused")), 0)
        self.run_it(name, "--output", "fresh.h5")
        self.assertEqual(self.digest("out.h5"), self.digest("fresh.h5"))

    def test_second_run_on_the_same_output(self):
        name = self.write(SLOW)
        process = self.start_and_wait_for_points(name)
        message = self.run_it(name, "--output", "out.h5", "--resume", expect=2)
        self.assertIn("another run", message)
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 75)

    def test_reserved_study_name(self):
        message = self.run_it(self.write(EXPERIMENT.replace('"second"', '"provenance"')), expect=2)
        self.assertIn("provenance", message)

    def test_progress(self):
        name = self.write(EXPERIMENT)
        self.assertIn("plain", self.run_it(name, "--output", "a.h5", "--progress", "nosuch", expect=2))
        self.assertFalse((self.dir / "a.h5.journal").exists())
        self.run_it(name, "--output", "a.h5", "--progress", "none")


if __name__ == "__main__":
    unittest.main()
