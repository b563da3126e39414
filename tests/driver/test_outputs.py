"""What commands write takes the place of nothing that could be missed; closed streams and bad settings lose nothing."""

import itertools
import os
import signal
import subprocess
import unittest

from test_driver import DriverCase, EXPERIMENT, PIMSWEEP, POINTS

NETWORK = """name = "net"
[[study]]
id = "net"
system = "hypar"
hardware = "hypar-hmc-array"
fidelity = "event"
model = "sfc"
policy = "hypar"
"""


class OutputCase(DriverCase):
    def setUp(self):
        super().setUp()
        self.name = self.write(EXPERIMENT)

    def bytes_of(self, *names):
        return {name: (self.dir / name).read_bytes() for name in names}

    def assert_kept(self, names, *arguments):
        """A command is refused, and changes none of these files, nor leaves another one."""
        before, listed = self.bytes_of(*names), sorted(self.dir.rglob("*"))
        with self.subTest(arguments=arguments):
            message = self.run_it(*arguments, expect=2)
            self.assertEqual(before, self.bytes_of(*names), message)
            self.assertEqual(listed, sorted(self.dir.rglob("*")), message)
            return message


class Replaced(OutputCase):
    """What each command may replace."""

    def test_merge(self):
        self.run_it(self.name, "--output", "out.h5", "--keep-journals")
        self.run_it(self.name, "--study", "second", "--output", "other.h5")
        journal, = (self.dir / "out.h5.journal").glob("*.journal")
        journal = str(journal.relative_to(self.dir))
        lock = "out.h5.journal/lock"
        for output in (journal, lock):
            for force in ([], ["--force"]):
                message = self.assert_kept([journal, lock], "merge", "out.h5.journal", "-o", output, *force)
                self.assertIn("it is in a folder of journals", message)
        self.assertIn("--force replaces it", self.assert_kept(["other.h5"], "merge", "out.h5.journal", "-o", "other.h5"))
        for force in ([], ["--force"]):
            self.assert_kept([self.name], "merge", "out.h5.journal", "-o", self.name, *force)
        self.run_it("merge", "out.h5.journal", "-o", "other.h5", "--force")
        self.assertEqual(self.digest("other.h5"), self.digest("out.h5"))
        # Job scripts merge into the folder itself.
        for _ in range(2):
            self.run_it("merge", "--force", "out.h5.journal", "-o", "out.h5.journal/partial.h5")
        self.assertFalse((self.dir / "other.h5.journal").exists())

    def test_merge_is_refused_during_a_run(self):
        slow = self.write(EXPERIMENT.replace('"20 us"', '"20 ms"').replace("lognormal", "constant"))
        process = self.start_and_wait_for_points(slow, ranks=2)
        self.addCleanup(process.wait)
        self.addCleanup(os.killpg, process.pid, signal.SIGKILL)
        self.addCleanup(process.stdout.close)
        self.assertIn("another run is writing", self.run_it("merge", "out.h5.journal", "-o", "out.h5", expect=2))
        self.run_it("merge", "out.h5.journal", "-o", "now.h5", expect=75)

    def test_runs_replace_results_alone(self):
        (self.dir / "points.csv").write_text("n\n1\n2\n")
        self.write('name = "t"\n[[study]]\nid = "t"\nsystem = "synthetic"\n[study.table]\ncsv = "points.csv"\n', "table.toml")
        (self.dir / "foreign.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + 100 * b"\0")
        for output in ("table.toml", "points.csv", "foreign.h5"):
            for option in ("--force", "--resume"):
                message = self.assert_kept(["table.toml", "points.csv", "foreign.h5"], "table.toml", "--output", output, option)
                self.assertIn("is not a results file of pimsweep", message)
        # A damaged results file may be replaced: it was ours.
        self.run_it(self.name, "--output", "out.h5")
        damaged = self.dir / "out.h5"
        damaged.write_bytes(damaged.read_bytes()[:-100])
        self.run_it(self.name, "--output", "out.h5", "--force")
        self.run_it("show", "out.h5")
        (self.dir / "empty.h5").touch()
        self.run_it(self.name, "--output", "empty.h5", "--force")

    def test_tables(self):
        self.run_it(self.name, "--output", "out.h5", "--keep-journals")
        for force in ([], ["--force"]):
            message = self.assert_kept(["out.h5"], "show", "out.h5", "--csv", "out.h5", *force)
            self.assertIn("this command reads it", message)
            self.assert_kept(["out.h5.journal/lock"], "show", "out.h5", "--csv", "out.h5.journal/lock", *force)
            self.assert_kept(["out.h5"], "export", "out.h5", "--study", "second", "--table", "points", "-o", "out.h5", *force)
        self.assertIn("--force replaces it", self.assert_kept([self.name], "list", "systems", "--csv", self.name))
        self.assert_kept([self.name], "trace", self.name, "--point", "0", "-o", self.name)
        # The same columns replace a table, others do not.
        for _ in range(2):
            self.run_it("show", "out.h5", "--study", "second", "--csv", "table.csv")
        self.assert_kept(["table.csv"], "list", "systems", "--csv", "table.csv")
        self.run_it("list", "systems", "--csv", "table.csv", "--force")
        self.assertIn("synthetic", (self.dir / "table.csv").read_text())
        (self.dir / "empty.csv").touch()
        self.run_it("list", "systems", "--csv", "empty.csv")
        # No table is written if one of them may not be.
        (self.dir / "tables").mkdir()
        (self.dir / "tables/second.csv").write_text("mine\n")
        self.assert_kept(["tables/second.csv"], "export", "out.h5", "-o", "tables")
        self.assertEqual(self.run_it("show", "out.h5", "--study", "second", "--csv", "/dev/stdout").count("n,"), 1)

    def test_links_stay(self):
        (self.dir / "far").mkdir()
        (self.dir / "near").symlink_to("far")
        (self.dir / "link.csv").symlink_to("far/systems.csv")
        (self.dir / "far/systems.csv").touch()
        self.run_it("list", "systems", "--csv", "link.csv")
        self.run_it("list", "systems", "--csv", "near/other.csv")
        self.assertTrue((self.dir / "link.csv").is_symlink())
        self.assertEqual(*self.bytes_of("far/systems.csv", "far/other.csv").values())

    def test_traces_and_networks(self):
        name = self.write(NETWORK)
        (self.dir / "notes.json").write_text('{"displayTimeUnit": "ns"}')
        trace = ["trace", name, "--point", "0", "-o"]
        self.assert_kept(["notes.json"], *trace, "notes.json")
        for _ in range(2):
            self.run_it(*trace, "trace.json")
            self.run_it("model", "vgg-a", "--onnx", "vgg.onnx")
        self.run_it(*trace, "notes.json", "--force")
        self.assert_kept(["notes.json"], "model", "vgg-a", "--onnx", "notes.json")
        self.assert_kept(["vgg.onnx"], "model", "vgg.onnx", "--onnx", "vgg.onnx")

    def test_pages_and_plots(self):
        self.run_it(self.name, "--study", "second", "--output", "out.h5")
        plot = ["pareto", "out.h5", "--min", "checksum", "--min", "n2", "--plot"]
        for force in ([], ["--force"]):
            self.assert_kept(["out.h5"], "page", "out.h5", "-o", "out.h5", *force)
        (self.dir / "out.html").write_text("<p>mine</p>")
        self.assertIn("--force replaces it", self.assert_kept(["out.html"], "page", "out.h5"))
        self.run_it("page", "out.h5", "--force")
        self.run_it("page", "out.h5")
        self.assertIn("metric", self.run_it(*plot, "plot.svg", expect=2))

    def test_python_runs_nothing_of_the_current_folder(self):
        self.run_it(self.name, "--study", "second", "--output", "out.h5")
        for module in ("html", "json", "h5py", "numpy", "argparse", "pathlib", "base64", "random", "numbers"):
            self.write("raise SystemExit('code of the current folder')", f"{module}.py")
        (self.dir / "pimsweep").mkdir()
        self.write("raise SystemExit('code of the current folder')", "pimsweep/__init__.py")
        for path in (None, "", "/nowhere:", ":/nowhere", "/nowhere::/nowhere"):
            environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
            self.run_it("page", "out.h5", env=environment | ({} if path is None else {"PYTHONPATH": path}))

    def test_full_disks(self):
        self.run_it(self.name, "--study", "second", "--output", "out.h5")
        for arguments in (["show", "out.h5", "--csv", "/dev/full"], ["list", "systems", "--csv", "/dev/full"],
                          ["export", "out.h5", "--study", "second", "--table", "points", "-o", "/dev/full"]):
            with self.subTest(arguments=arguments):
                self.assertIn("No space left on device", self.run_it(*arguments, expect=74))


class ClosedStreams(OutputCase):
    def test_all_combinations(self):
        """Nothing is lost to a stream that is closed: no file gets its number."""
        for closed in itertools.chain.from_iterable(itertools.combinations((0, 1, 2), count) for count in (1, 2, 3)):
            for ranks in (1, 3):
                with self.subTest(closed=closed, ranks=ranks):
                    output = f"{''.join(map(str, closed))}-{ranks}.h5"
                    shell = " ".join(f"{stream}{'<' if stream == 0 else '>'}&-" for stream in closed)
                    done = subprocess.run(["bash", "-c", f'exec "$@" {shell}', "-", PIMSWEEP, self.name, "--output", output,
                                           "--ranks", str(ranks), "--progress", "plain"], cwd=self.dir, timeout=60,
                                          check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    self.assertEqual(done.returncode, 0)
                    self.assertEqual(self.provenance(output, "points_computed"), str(POINTS))
                    self.assertFalse((self.dir / f"{output}.journal").exists())


class OldResults(OutputCase):
    """--force keeps the previous results until the new ones are whole."""

    def setUp(self):
        super().setUp()
        self.slow = self.write(EXPERIMENT.replace('"20 us"', '"20 ms"').replace("lognormal", "constant"), "slow.toml")
        self.run_it(self.name, "--output", "out.h5")
        self.before = self.bytes_of("out.h5")

    def assert_as_before(self):
        self.assertEqual(self.bytes_of("out.h5"), self.before)

    def test_bad_settings(self):
        for environment in ({"PIMSWEEP_RANKS": "abc"}, {"PIMSWEEP_RANKS": "0"}):
            self.run_it(self.name, "--output", "out.h5", "--force", expect=2, env=os.environ | environment)
        for options in (["--ranks", "0"], ["--time-limit", "soon"], ["--cache", "/dev/null/x"], ["--set", "n"],
                        ["--max-failures", "few"], ["--grace", "x"], ["--fault", "strange"]):
            self.run_it(self.name, "--output", "out.h5", "--force", *options, expect=2)
        self.assert_as_before()
        self.assertFalse((self.dir / "out.h5.journal").exists())

    def test_journals_come_back(self):
        self.run_it(self.name, "--output", "kept.h5", "--keep-journals")
        before = {path: path.read_bytes() for path in (self.dir / "kept.h5.journal").iterdir()}
        self.run_it(self.name, "--output", "kept.h5", "--force", "--fault", "strange", expect=2)
        self.assertLessEqual(before.items(), {path: path.read_bytes() for path in (self.dir / "kept.h5.journal").iterdir()}.items())
        self.run_it(self.name, "--output", "kept.h5", "--resume")
        self.assertEqual(self.provenance("kept.h5", "points_computed"), "0")

    def test_killed_and_resumed(self):
        process = self.start_and_wait_for_points(self.slow, "--force")
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=20)
        self.assert_as_before()
        self.assertIn("not written yet, but --resume continues its run", self.run_it("status", "out.h5", expect=75))
        # Points that --force discarded are not reused.
        self.resume_when_free(self.slow, "out.h5", None)
        self.assertNotEqual(self.bytes_of("out.h5"), self.before)
        self.assertGreater(int(self.provenance("out.h5", "points_computed")), 0)
        self.assertFalse((self.dir / "out.h5.journal").exists())

    def test_a_file_that_appears_meanwhile_stays(self):
        process = self.start_and_wait_for_points(self.slow, output="new.h5")
        (self.dir / "new.h5").write_text("mine")
        message, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 74, message)
        self.assertIn("has appeared meanwhile", message)
        self.assertEqual((self.dir / "new.h5").read_text(), "mine")
        (self.dir / "new.h5").unlink()
        self.run_it(self.slow, "--output", "new.h5", "--resume")
        self.assertEqual(self.provenance("new.h5", "points_computed"), "0")

    def test_stopped(self):
        process = self.start_and_wait_for_points(self.slow, "--force")
        process.terminate()
        message, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 75, message)
        self.assert_as_before()
        self.assertIn("keeps the previous results", message)
        self.run_it("merge", "out.h5.journal", "-o", "out.h5", "--force", expect=75)
        self.assertNotEqual(self.bytes_of("out.h5"), self.before)
        self.run_it(self.slow, "--output", "out.h5", "--resume")


if __name__ == "__main__":
    unittest.main()
