"""The command line from outside: what bad and good input gives, in words and exit status."""

import csv
import json
import os
import pathlib
import re
import shutil
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

PROGRAM = os.environ["PIMSWEEP"]

GOOD = """name = "good"
[[study]]
id = "one"
system = "allspark"
hardware = "allspark-3d-dram"
model = "swin-t"
[study.axes]
policy = ["patch", "allspark"]
"""

SYNTHETIC = """name = "synthetic"
[[study]]
id = "one"
system = "synthetic"
[study.axes]
rows = [0, 2]
n = [1, 2, 3, 4, 5, 6, 7, 8, 9007199254740993]
failure_rate = [0.1]
infeasible_rate = [0.1]
label = ["a", "ü"]
"""


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.dir = pathlib.Path(self.scratch.name)
        self.addCleanup(self.scratch.cleanup)

    def write(self, text, name="experiment.toml"):
        (self.dir / name).write_text(text)
        return name

    def run_it(self, *arguments, ranks=None, expect=0):
        command = [PROGRAM, *arguments]
        if ranks:
            command = ["mpirun", "-n", str(ranks), *command]
        done = subprocess.run(command, cwd=self.dir, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, expect, f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def check_fails(self, text, *parts):
        """`pimsweep check` exits with 2 and says all the parts."""
        message = self.run_it("check", self.write(text), expect=2)
        for part in parts:
            self.assertIn(part, message)
        return message

    # Bad input.

    def test_unknown_key_names_place_and_nearest(self):
        self.check_fails(GOOD.replace('model = "swin-t"', 'modle = "swin-t"'), "experiment.toml:6:1", "modle", "model")

    def test_unknown_axis_value(self):
        self.check_fails(GOOD.replace("swin-t", "swin-x"), "experiment.toml:6", "swin-x", "swin-t")

    def test_wrong_unit(self):
        self.check_fails(GOOD.replace("[study.axes]", '[study.axes]\n"hardware.clock" = ["400 MB"]'), "experiment.toml:8", "400 MB", "Hz")

    def test_missing_unit(self):
        self.check_fails(GOOD.replace("[study.axes]", '[study.axes]\n"hardware.clock" = [400]'), "experiment.toml:8", "unit")

    def test_missing_file(self):
        self.assertIn("nowhere.toml", self.run_it("check", "nowhere.toml", expect=2))

    def test_empty_axis(self):
        self.check_fails(GOOD.replace('["patch", "allspark"]', "[]"), "experiment.toml:8", "policy")

    def test_unknown_hardware_lists_the_nearest(self):
        self.check_fails(GOOD.replace("allspark-3d-dram", "allspark-3d-drum"), "experiment.toml:5", "allspark-3d-dram")

    def test_unknown_system(self):
        self.check_fails(GOOD.replace('system = "allspark"', 'system = "allspork"'), "experiment.toml:4", "allspark")

    def test_broken_toml(self):
        self.check_fails(GOOD.replace('id = "one"', 'id = "one'), "experiment.toml:3")

    def test_all_problems_at_once(self):
        text = GOOD.replace('model = "swin-t"', 'modle = "swin-t"').replace('"patch"', '"pathc"') + '"hardware.clokc" = ["1 GHz"]\n'
        message = self.check_fails(text, "modle", "pathc", "hardware.clokc")
        self.assertGreaterEqual(message.count("experiment.toml:"), 3)

    def test_errors_come_once_under_mpirun(self):
        message = self.run_it(self.write(GOOD.replace("swin-t", "swin-x")), ranks=3, expect=2)
        self.assertEqual(message.count("swin-x"), 1, message)

    def test_unknown_option_and_subcommand_words(self):
        self.assertIn("pimsweep: error: there is no option '--resum' (did you mean '--resume'?)\n", self.run_it("--resum", expect=2))
        self.assertIn("systems", self.run_it("list", "sistems", expect=2))
        for arguments in (["sttaus"], ["sttaus", "out.h5"]):
            message = self.run_it(*arguments, expect=2)
            self.assertIn("pimsweep: error: there is no command and no experiment file 'sttaus' (did you mean 'status'?)", message)
        message = self.run_it("show", "out.h5", "--colums", "n", expect=2)
        self.assertIn("pimsweep: error: show: there is no option '--colums' (did you mean '--columns'?)\n", message)
        self.assertIn("pimsweep: error: show: results is required\n", self.run_it("show", expect=2))
        self.assertIn("one argument too many", self.run_it("a.toml", "b.toml", expect=2))

    def test_help(self):
        short = self.run_it(expect=2)
        self.assertEqual(len(re.findall("(?m)^  .*pimsweep", short)), 3)
        self.assertLess(len(short.splitlines()), 10)
        self.assertEqual(self.run_it("help"), self.run_it("--help"))
        self.assertEqual(self.run_it("help", "show"), self.run_it("show", "--help"))
        self.assertIn("did you mean 'show'", self.run_it("help", "shw", expect=2))

    def test_run_may_be_written(self):
        self.run_it("run", self.write(GOOD), "--output", "out.h5")
        self.assertIn("2 reused", self.run_it("run", "experiment.toml", "--output", "out.h5", "--resume"))
        self.run_it("run", expect=2)

    def test_every_line_of_a_message_has_the_same_beginning(self):
        text = GOOD.replace('model = "swin-t"', 'modle = "swin-t"').replace('"patch"', '"pathc"')
        done = subprocess.run([PROGRAM, "check", self.write(text)], cwd=self.dir, capture_output=True, text=True, timeout=60)
        self.assertGreaterEqual(len(done.stderr.splitlines()), 2)
        for line in done.stderr.splitlines():
            self.assertTrue(line.startswith("pimsweep: error: experiment.toml:"), line)

    def test_commands_under_mpirun_print_once(self):
        self.run_it(self.write(GOOD), "--output", "out.h5")
        self.assertEqual(self.run_it("status", "out.h5", ranks=3).count("2 points"), 1)
        (self.dir / "script.sh").write_text(f"{PROGRAM} status out.h5\n")
        done = subprocess.run(["mpirun", "-n", "2", "bash", "script.sh"], cwd=self.dir, capture_output=True, text=True, timeout=60)
        # A process that a script starts is not a rank of the launch.
        self.assertEqual(done.stdout.count("2 points"), 2)

    def test_missing_damaged_and_foreign_files_are_told_apart(self):
        self.synthetic()
        data = (self.dir / "out.h5").read_bytes()
        (self.dir / "cut.h5").write_bytes(data[: len(data) // 2])
        (self.dir / "changed.h5").write_bytes(data[:-200] + b"x" + data[-199:])
        self.assertIn("cannot read 'none.h5': No such file", self.run_it("show", "none.h5", expect=2))
        self.assertIn("not a results file of pimsweep: it is not an HDF5 file", self.run_it("show", "experiment.toml", expect=2))
        self.assertIn("it was cut short", self.run_it("show", "cut.h5", expect=2))
        self.assertIn("damaged", self.run_it("show", "changed.h5", expect=2))

    def test_a_new_folder_is_told(self):
        self.assertIn("note: made the folder 'new/folder'", self.run_it(self.write(GOOD), "-o", "new/folder/x.h5"))
        self.assertNotIn("made the folder", self.run_it("experiment.toml", "-o", "new/folder/y.h5"))

    def test_unknown_study_and_override(self):
        self.assertIn("one", self.run_it("check", self.write(GOOD), "--study", "oen", expect=2))
        self.assertIn("batch", self.run_it("check", self.write(GOOD), "--set", "bacth=2", expect=2))

    def test_a_study_that_cannot_run_is_bad_input(self):
        name = self.write(GOOD.replace("swin-t", "vgg-a"))
        for arguments in (["check", name], ["plan", name], [name]):
            message = self.run_it(*arguments, expect=2)
            self.assertIn("experiment.toml:6:9: study 'one' cannot run any point: vgg-a", message)
            self.assertIn("alternatives: execution operators, gpu; system gemm, gpu, ", message)
        self.assertFalse((self.dir / "results").exists())

    def test_models_that_cannot_run_are_told_before_anything_runs(self):
        models = '[study.axes]\nmodel = ["swin-t", "vgg-a"]'
        name = self.write(GOOD.replace('model = "swin-t"\n', "").replace("[study.axes]", models))
        warning = "pimsweep: warning: experiment.toml:7:20: study 'one': vgg-a (family layers) has no stages"
        self.assertIn("'one': 2 of 4 combinations of model, policy cannot run", self.run_it("check", name))
        for arguments in (["check", name], ["plan", name]):
            self.assertIn(warning, self.run_it(*arguments))
        self.assertEqual(self.run_it(name, ranks=2, expect=1).count(warning), 1)
        with h5py.File(self.dir / "results/good.h5") as file:
            self.assertEqual(list(file["one/status"]), [0, 0, 2, 2])

    def test_point_out_of_range(self):
        for point in ("2", "-1"):
            message = self.run_it("explain", self.write(GOOD), "--point", point, expect=2)
            self.assertIn(f"--point {point}: the points of experiment.toml are numbered 0 to 1", message)

    def test_unwritable_output(self):
        self.assertIn("no-folder", self.run_it(self.write(GOOD), "--output", "/proc/no-folder/x.h5", expect=2))

    # Good input.

    def test_run_resume_force(self):
        name = self.write(GOOD)
        self.run_it(name, "--output", "out.h5")
        with h5py.File(self.dir / "out.h5") as file:
            self.assertEqual(list(file["one/status"][:]), [0, 0])
            time = file["one/time"][:]
        self.assertTrue((time > 0).all() and time[1] < time[0])
        self.assertIn("out.h5", self.run_it(name, "--output", "out.h5", expect=2))
        self.run_it(name, "--output", "out.h5", "--resume")
        self.run_it(name, "--output", "out.h5", "--force")

    def test_merge_needs_only_the_journals(self):
        name = self.write(GOOD)
        self.run_it(name, "--set", "image_px=256", "--output", "out.h5", "--keep-journals")
        self.run_it("merge", "out.h5.journal", "-o", "merged.h5")
        with h5py.File(self.dir / "out.h5") as out, h5py.File(self.dir / "merged.h5") as merged:
            self.assertEqual(out.attrs["digest"], merged.attrs["digest"])
        self.write(GOOD.replace('["patch", "allspark"]', '["patch", "allspark", "head"]'))
        message = self.run_it("merge", "--force", "out.h5.journal", "-o", "merged.h5", expect=75)
        self.assertIn("has changed", message)
        self.assertIn("no journal", self.run_it("merge", "nowhere", "-o", "other.h5", expect=2))

    def test_infeasible_capacity_is_a_result(self):
        self.run_it(self.write(GOOD), "--set", "hardware.dram.bank_capacity=1 KiB", "--output", "out.h5")
        with h5py.File(self.dir / "out.h5") as file:
            self.assertEqual(list(file["one/status"][:]), [1, 1])
            for message in texts(file["one/message"]):
                self.assertIn("1024 B", message)

    def test_rank_counts_give_the_same_data(self):
        name = self.write(GOOD)
        digests = set()
        for ranks in (1, 2, 3):
            self.run_it(name, "--output", f"{ranks}.h5", ranks=ranks)
            with h5py.File(self.dir / f"{ranks}.h5") as file:
                digests.add(file.attrs["digest"])
        self.assertEqual(len(digests), 1)

    def synthetic(self):
        """Runs 36 points: ok, infeasible and failed ones, with detail rows and an integer that no double holds."""
        self.run_it(self.write(SYNTHETIC), "--output", "out.h5", "--progress", "none", expect=1)

    def test_rerun_is_bit_for_bit(self):
        self.synthetic()
        with h5py.File(self.dir / "out.h5") as file:
            statuses = list(file["one/status"][:])
        self.assertEqual(set(statuses), {0, 1, 2})
        for point in range(len(statuses)):
            self.assertIn("equal bit for bit", self.run_it("rerun", "out.h5", "--point", str(point)))
        failed = self.run_it("rerun", "out.h5", "--point", str(statuses.index(2)), "--study", "one", "--all")
        self.assertIn("sampled to fail", failed)
        self.run_it(self.write(GOOD), "--output", "good.h5")
        self.assertIn(", unchanged", self.run_it("rerun", "good.h5", "--point", "1"))

    def test_rerun_shows_what_differs(self):
        self.synthetic()
        with h5py.File(self.dir / "out.h5", "r+") as file:
            point = max(i for i, (status, rows) in enumerate(zip(file["one/status"][:], file["one/rows"][:])) if status == 0 and rows)
            file["one/checksum"][point] = numpy.nextafter(file["one/checksum"][point], 0)
            row = list(file["one/detail/point"][:]).index(point)
            file["one/detail/value"][row + 1] = 0.5
        printed = self.run_it("rerun", "out.h5", "--unsealed", "--point", str(point), expect=1)
        self.assertIn("2 of 11 values differ", printed)
        self.assertIn("checksum", printed)
        self.assertIn("detail[1].value", printed)
        self.assertNotIn("detail[0].value", printed)
        self.assertIn(", unchanged", printed)

    def test_rerun_says_why_the_identity_differs(self):
        self.synthetic()
        with h5py.File(self.dir / "out.h5", "r+") as file:
            study = file["one"]
            study.attrs["system_version"] = 0
            study["identity_low"][0] += 1
            study.move("cost_mean", "mean_cost")
        printed = self.run_it("rerun", "out.h5", "--unsealed", "--point", "0", expect=1)
        self.assertIn("version 0 and has version 1 now", printed)
        self.assertIn("'mean_cost' of the file no longer exists", printed)
        self.assertIn("lacks axis 'cost_mean'; its default 0 is used", printed)
        self.assertIn("equal bit for bit", printed)

    def test_rerun_refuses_what_cannot_be_rerun(self):
        self.synthetic()
        self.assertIn("0 to 35", self.run_it("rerun", "out.h5", "--point", "36", expect=2))
        self.assertIn("--point -1: ", self.run_it("rerun", "out.h5", "--point", "-1", expect=2))
        self.assertIn("did you mean 'one'", self.run_it("rerun", "out.h5", "--point", "0", "--study", "oen", expect=2))
        self.assertIn("nowhere.h5", self.run_it("rerun", "nowhere.h5", "--point", "0", expect=2))
        self.assertIn("experiment.toml", self.run_it("rerun", "experiment.toml", "--point", "0", expect=2))
        self.run_it("rerun", "out.h5", expect=2)
        with h5py.File(self.dir / "foreign.h5", "w") as file:
            file["x"] = 1
        self.assertIn("is not a results file", self.run_it("rerun", "foreign.h5", "--point", "0", expect=2))
        self.assertIn("'format'", self.run_it("rerun", "foreign.h5", "--unsealed", "--point", "0", expect=2))
        shutil.copy(self.dir / "out.h5", self.dir / "old.h5")
        with h5py.File(self.dir / "old.h5", "r+") as file:
            file.attrs["format_version"] = 1
        self.assertIn("version 1", self.run_it("rerun", "old.h5", "--unsealed", "--point", "0", expect=2))
        self.assertIn("--force", self.run_it("experiment.toml", "--output", "old.h5", "--resume", expect=2))
        with h5py.File(self.dir / "out.h5", "r+") as file:
            file["one/status"][3] = 4
            file.copy("one", "two")
        self.assertIn("was not run", self.run_it("rerun", "out.h5", "--unsealed", "--point", "3", "--study", "one", expect=2))
        self.assertIn("one, two", self.run_it("rerun", "out.h5", "--unsealed", "--point", "3", expect=2))

    def test_stored_axes_are_checked_before_a_point_runs_again(self):
        self.run_it(self.write(GOOD), "--output", "good.h5")
        with h5py.File(self.dir / "good.h5", "r+") as file:
            rows = file["one/hardware.node_array.rows"]
            self.assertEqual(rows.id.get_storage_size(), 0)
            del file["one/hardware.node_array.rows"]
            made = file["one"].create_dataset("hardware.node_array.rows", data=[2**62] * 2, chunks=(2,), maxshape=(None,))
            made.attrs.create("role", "axis", dtype=h5py.string_dtype())
        printed = self.run_it("rerun", "good.h5", "--unsealed", "--point", "0", expect=2)
        self.assertIn("axis 'hardware.node_array.rows' must be at most", printed)

    def test_files_that_are_none_are_refused(self):
        for name in ("pipe.h5", "pipe.toml"):
            os.mkfifo(self.dir / name)
        for command in ("status", "report", "compare"):
            self.assertIn("not a regular file", self.run_it(command, "pipe.h5", expect=2))
        self.assertIn("it is a FIFO", self.run_it("check", "pipe.toml", expect=2))

    def test_a_file_that_another_program_wrote_to_is_refused(self):
        self.synthetic()
        with h5py.File(self.dir / "out.h5", "r+") as file:
            file.attrs["remark"] = "looked at"
        self.assertIn("--unsealed", self.run_it("status", "out.h5", expect=2))
        self.assertIn("36 points", self.run_it("status", "out.h5", "--unsealed", expect=1))
        self.assertIn("--force", self.run_it("experiment.toml", "--output", "out.h5", "--resume", expect=2))

    def test_a_damaged_results_file_is_refused(self):
        self.synthetic()
        data = bytearray((self.dir / "out.h5").read_bytes())
        data[len(data) // 2] ^= 1
        (self.dir / "out.h5").write_bytes(data)
        for arguments in (("compare", "out.h5"), ("rerun", "out.h5", "--point", "0"), ("report", "out.h5")):
            self.assertIn("damaged", self.run_it(*arguments, expect=2))

    def test_list(self):
        for what in ("systems", "axes", "metrics", "models", "hardware", "policies"):
            self.assertIn("swin-b" if what == "models" else "allspark", self.run_it("list", what))
        self.assertTrue(self.run_it("list", "models", "--csv", "-").startswith("model,family,image_px,parameters,macs"))
        self.assertIn("allspark-3d-dram", self.run_it("list", "hardware", "allspark-3d-dram"))
        self.assertIn("did you mean 'swin-b'", self.run_it("list", "models", "swin-bb", expect=2))
        self.assertIn("`pimsweep model NAME`", self.run_it("list", "operators", expect=2))

    def test_training(self):
        self.assertIn("heteropim-vgg-19", self.run_it("training"))
        self.assertRegex(self.run_it("training", "heteropim-vgg-19"), r"Conv2DBackpropInput +15 ")
        rows = self.run_it("training", "vgg-a", "--batch", "2", "--operations", "--csv", "-").splitlines()
        self.assertTrue(rows[0].startswith("operation,type,name,inputs,outputs,multiplications"))
        self.assertTrue(any('"(2,224,224,3) (3,3,3,64)"' in row for row in rows))
        self.assertIn("did you mean 'heteropim-lstm'", self.run_it("training", "heteropim-lstn", expect=2))
        self.assertIn("(gather)", self.run_it("training", "focal-t", expect=2))

    def test_plan_tells_what_is_new_and_what_it_takes(self):
        name = self.write(SYNTHETIC.replace("failure_rate = [0.1]", 'cost_mean = ["1 ms"]').replace("infeasible_rate", "seed")
                          .replace("seed = [0.1]", "seed = [1]"))
        first = self.run_it("plan", name, "--ranks", "5")
        self.assertIn("36 points in all: 36 new, 0 reused", first)
        self.assertRegex(first, r"0\.001\d* s +the system's estimate")
        self.assertIn("on 5 ranks", first)
        self.assertRegex(first, r"sbatch --ntasks=5 --time=00:0\d:00 --mem-per-cpu=\d+M \S+/scripts/slurm/mpirun.sbatch "
                                r"experiment.toml results/synthetic.h5")
        self.run_it(name, "--cache", "cache")
        grown = self.write((self.dir / name).read_text().replace("n = [1,", "n = [-0, 1,").replace("-0, ", "0, "), name)
        self.assertIn("40 points in all: 4 new, 36 reused", self.run_it("plan", grown))
        self.assertIn("40 points in all: 40 new, 0 reused", self.run_it("plan", grown, "--output", "other.h5"))
        self.assertIn("40 points in all: 4 new, 36 reused",
                      self.run_it("plan", grown, "--output", "other.h5", "--cache", "cache"))
        # Looking changes nothing.
        self.assertFalse((self.dir / "other.h5").exists())
        self.assertFalse((self.dir / "other.h5.journal").exists())
        self.assertEqual(self.run_it("plan", grown, "--ids"), "one\n")
        self.assertEqual(self.run_it("plan", grown, "--name"), "synthetic\n")
        # A system without an opinion is tried out.
        self.assertIn("points evaluated now", self.run_it("plan", self.write(SYNTHETIC)))

    def test_plan_does_not_wait_for_long_points(self):
        name = self.write(SYNTHETIC.replace("failure_rate = [0.1]", 'cost_mean = ["1 h"]'))
        start = time.monotonic()
        text = self.run_it("plan", name)
        self.assertLess(time.monotonic() - start, 20)
        self.assertIn("3600 s", text.replace("3.6e+03", "3600"))

    def test_status(self):
        name = self.write(SYNTHETIC.replace("0.1", "0"))
        self.run_it(name, "--output", "a.h5")
        self.assertIn("36 points: 36 ok", self.run_it("status", "a.h5"))
        failing = self.write(SYNTHETIC, "failing.toml")
        self.run_it(failing, "--output", "b.h5", expect=1)
        self.run_it("status", "b.h5", expect=1)
        slow = self.write(SYNTHETIC.replace("failure_rate = [0.1]", 'cost_mean = ["200 ms"]'), "slow.toml")
        process = subprocess.Popen([PROGRAM, slow, "--output", "c.h5"], cwd=self.dir, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        while not (self.dir / "c.h5.journal" / "lock").exists():
            time.sleep(0.02)
        time.sleep(0.5)
        self.assertRegex(self.run_it("status", "c.h5", expect=75), r"a run is writing it now: \d+ of 36 points done")
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(timeout=30), 75)
        self.assertRegex(self.run_it("status", "c.h5", expect=75), r"[1-9]\d* not run")
        (self.dir / "c.h5").unlink()
        self.assertRegex(self.run_it("status", "c.h5", expect=75), r"--resume continues its run: [1-9]\d* of 36 points done")
        self.assertIn("nowhere.h5", self.run_it("status", "nowhere.h5", expect=2))

    def test_a_watched_run_is_shown_until_it_ends(self):
        two = SYNTHETIC.replace("0.1", "0") + SYNTHETIC.split("\n", 1)[1].replace("one", "two").replace("0.1", "0")
        slow = self.write(two.replace("failure_rate = [0]", 'cost_mean = ["50 ms"]'))
        process = subprocess.Popen([PROGRAM, slow, "--output", "w.h5"], cwd=self.dir, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        while not (self.dir / "w.h5.journal" / "lock").exists():
            time.sleep(0.02)
        text = self.run_it("status", "w.h5", "--watch")
        self.assertEqual(process.wait(timeout=30), 0)
        self.assertRegex(text, r"(?m)^two +\d+ +36$")
        self.assertTrue(text.endswith("72 points: 72 ok, 0 infeasible, 0 failed, 0 crashed, 0 not run\n"), text)

    def test_a_run_says_what_came_out(self):
        text = self.run_it(self.write(GOOD), "--output", "out.h5")
        self.assertRegex(text, r"(?m)^one: best time_per_sample [\d.]+ ms at policy allspark \(point 1\); up to [\d.]+ ms")

    def test_show(self):
        self.run_it(self.write(SYNTHETIC.replace("[0.1]", "[0.3]")), "--output", "out.h5", expect=1)
        lines = self.run_it("show", "out.h5", "-n", "36").splitlines()
        self.assertEqual(lines[0], "study one (synthetic): 36 points")
        self.assertEqual(lines[1].split(), ["point", "rows", "n", "label", "cost", "message"])
        self.assertEqual(len(lines), 38)
        self.assertTrue(any("sampled to fail" in line for line in lines[2:]), lines)
        best = self.run_it("show", "out.h5", "-n", "3").splitlines()
        self.assertIn("by cost", best[0])
        self.assertEqual(len(best), 5)
        some = self.run_it("show", "out.h5", "--where", 'status == "ok" && n < 3', "--columns", "n", "--sort", "-n")
        numbers = [int(line.split()[1]) for line in some.splitlines()[2:]]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertLessEqual(set(numbers), {1, 2})
        narrow = dict(os.environ, COLUMNS="30")
        done = subprocess.run([PROGRAM, "show", "out.h5"], cwd=self.dir, capture_output=True, text=True, env=narrow, timeout=60)
        self.assertIn("not shown: ", done.stdout)
        self.assertLessEqual(max(map(len, done.stdout.splitlines()[1:-1])), 30)
        self.assertIn("has no column 'cots'", self.run_it("show", "out.h5", "--columns", "cots", expect=2))
        self.assertIn("holds texts", self.run_it("show", "out.h5", "--sort", "label", expect=2))
        self.assertIn("unknown name", self.run_it("show", "out.h5", "--where", "nn > 1", expect=2))
        self.assertIn("one", self.run_it("show", "out.h5", "--across"))
        self.assertRegex(self.run_it("show", "out.h5", "--across", "--where", "n == 2"), r"\bn 2\b")
        best = json.loads(self.run_it("top", "out.h5", "--min", "cost", "-n", "1", "--where", "n == 2", "--json"))
        self.assertEqual([row["n"] for row in best], [2])
        self.assertEqual(len(self.run_it("show", "out.h5", "--csv", "-").splitlines()), 37)
        ranking = self.run_it("top", "out.h5", "--min", "cost", "-n", "2", "--csv", "-").splitlines()
        self.assertEqual([line.split(",")[0] for line in ranking], ["study", "one", "one"])

    def read(self, *arguments, expect=0):
        """What a command prints as JSON."""
        done = subprocess.run([PROGRAM, *arguments, "--json"], cwd=self.dir, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, expect, done.stderr)
        return json.loads(done.stdout)

    def test_json(self):
        self.synthetic()
        read = self.read
        state = read("status", "out.h5", expect=1)
        self.assertEqual((state["state"], state["points"]), ("complete", 36))
        self.assertEqual(sum(state[key] for key in ("ok", "infeasible", "failed", "crashed", "not_run")), 36)
        self.assertEqual(state["studies"][0]["study"], "one")
        plan = read("plan", "experiment.toml", "--output", "out.h5")
        self.assertEqual((plan["points"], plan["reused"] + plan["new"]), (36, 36))
        self.assertEqual(plan["studies"][0]["varies"], ["rows", "n", "label"])
        good = read("check", "experiment.toml")
        self.assertEqual((good["ok"], good["points"], good["problems"]), (True, 36, []))
        bad = read("check", self.write(SYNTHETIC.replace("rows =", "rwos ="), "bad.toml"), expect=2)
        self.assertEqual([(problem["file"], problem["line"], problem["column"]) for problem in bad["problems"]], [("bad.toml", 6, 1)])
        self.assertIn("did you mean 'rows'", bad["problems"][0]["message"])
        models = read("list", "models", "swin-t")
        self.assertEqual((models[0]["model"], type(models[0]["macs"])), ("swin-t", int))
        best = read("top", "out.h5", "--min", "cost", "-n", "3")
        self.assertEqual(len(best), 3)
        self.assertEqual([type(best[0][key]) for key in ("study", "point", "n", "label")], [str, int, int, str])
        rows = read("show", "out.h5")
        self.assertEqual(len(rows), 36)
        self.assertIn(None, [row["cost"] for row in rows])
        self.assertIn(9007199254740993, [row["n"] for row in rows])
        self.assertIsInstance(read("report", "out.h5"), list)
        self.assertIsInstance(read("training"), list)
        self.run_it("list", "models", "--json", "--csv", "-", expect=2)

    def test_summaries_for_scripts(self):
        read = self.read
        self.write(SYNTHETIC)
        run = read("run", "experiment.toml", "--output", "out.h5", "--keep-journals", expect=1)
        self.assertEqual((run["file"], run["state"], run["points"], run["evaluated"], run["reused"]), ("out.h5", "complete", 36, 36, 0))
        self.assertGreater(run["seconds"], 0)
        self.assertEqual(run["failed"], run["studies"][0]["failed"])
        self.assertEqual(read("experiment.toml", "--output", "out.h5", "--resume", expect=1)["reused"], 36 - run["failed"])
        self.run_it("run", "experiment.toml", "--output", "out.h5", "--force", "--keep-journals", "--csv", "run.csv", expect=1)
        lines = (self.dir / "run.csv").read_text().splitlines()
        self.assertEqual(lines[0], "study,points,ok,infeasible,failed,crashed,not_run")
        self.assertEqual(lines[1:], [",".join(str(run["studies"][0][name]) for name in lines[0].split(","))])
        merged = read("merge", "out.h5.journal", "-o", "merged.h5", expect=1)
        self.assertEqual((merged["ok"], merged["failed"], "evaluated" in merged), (run["ok"], run["failed"], False))
        self.assertEqual(read("rerun", "out.h5", "--point", "0"), [])
        rows = read("rerun", "out.h5", "--point", "0", "--all")
        self.assertEqual((rows[0]["value"], rows[0]["result"]), ("identity", "equal"))
        self.assertEqual((rows[1]["value"], rows[1]["stored"], rows[1]["now"]), ("status", "ok", "ok"))
        self.assertEqual(set(read("--version", "--json")), {"version", "git_revision"})
        self.assertIn("results format", read("--version", "--verbose", "--json"))
        self.assertIn("point 0 of study one", self.run_it("rerun", "out.h5", "--point", "0", "--csv", "rows.csv"))
        self.assertEqual((self.dir / "rows.csv").read_text(), "value,stored,now,result\n")

    def test_fidelities_for_scripts(self):
        self.write('''name = "fidelities"
[[study]]
id = "s"
system = "hypar"
hardware = "hypar-hmc-array"
model = "sfc"
[study.axes]
fidelity = ["analytic", "event"]
policy = ["data", "hypar"]
''', "fidelities.toml")
        self.run_it("fidelities.toml", "--output", "f.h5")
        rows = json.loads(self.run_it("fidelity", "f.h5", "--json"))
        of_time = [row for row in rows if row.get("metric") == "time"]
        self.assertEqual([(row["finer"], row["coarser"], row["points"]) for row in of_time], [("event", "analytic", 2)])
        self.assertIsInstance(of_time[0]["worst"], float)
        fronts = [row for row in rows if "regret" in row]
        self.assertEqual([(row["minimized"], row["designs"]) for row in fronts], [("time energy", 2)])
        lines = self.run_it("fidelity", "f.h5", "--csv", "-").splitlines()
        self.assertEqual([line for line in lines if line.startswith("study,finer,coarser,metric,points,mean,")], lines[:1])
        self.assertEqual(len(lines), len(rows) + 2)

    def test_csv_goes_beside_the_text(self):
        self.synthetic()
        for arguments in (["list", "systems"], ["model", "swin-t"], ["training"], ["show", "out.h5"], ["report", "out.h5"],
                          ["pareto", "out.h5", "--min", "cost"], ["top", "out.h5", "--min", "cost"],
                          ["sensitivity", "out.h5", "--metric", "checksum"], ["compare", "out.h5", "out.h5"]):
            text = self.run_it(*arguments)
            self.assertEqual(self.run_it(*arguments, "--csv", "table.csv", "--force"), text)
            alone = self.run_it(*arguments, "--csv", "-")
            self.assertEqual((self.dir / "table.csv").read_text(), alone)
            self.assertNotEqual(alone, text)

    def test_export(self):
        self.run_it(self.write(SYNTHETIC), "--output", "out.h5", expect=1)
        self.run_it("export", "out.h5")
        with open(self.dir / "out" / "one.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        with h5py.File(self.dir / "out.h5") as file:
            cost = file["one/cost"][:]
            n = file["one/n"][:]
        self.assertEqual([int(row["n"]) for row in rows], list(n))
        written = [float(row["cost [s]"] or "nan") for row in rows]
        numpy.testing.assert_array_equal(written, cost)
        self.assertEqual({row["status"] for row in rows}, {"ok", "infeasible", "failed"})
        self.assertEqual({row["label"] for row in rows}, {"a", "ü"})
        lines = self.run_it("export", "out.h5", "--table", "detail", "-o", "-", "--format", "jsonl").splitlines()
        records = [json.loads(line) for line in lines]
        self.assertTrue(records and all(record["study"] == "one" for record in records))
        points = self.run_it("export", "out.h5", "--table", "points", "-o", "-", "--format", "jsonl").splitlines()
        self.assertIn(None, [json.loads(line)["cost"] for line in points])
        with_units = self.run_it("export", "out.h5", "--table", "points", "-o", "-", "--units", "row").splitlines()
        self.assertEqual(len(with_units), 38)
        self.assertIn(",s,", with_units[1])
        self.assertIn("'detail'", self.run_it("export", "out.h5", "--table", "details", expect=2))
        self.assertIn("--table", self.run_it("export", "out.h5", "-o", "-", expect=2))

    def test_formulas_of_spreadsheets(self):
        self.run_it(self.write('''name = "formulas"
[[study]]
id = "one"
system = "synthetic"
[study.axes]
label = ["=1+1", "+cmd|' /C calc'!A0", "-5", "@@SUM(A1)", "a=b"]
'''), "--output", "out.h5")
        export = ["export", "out.h5", "--table", "points", "-o", "-"]
        plain = self.run_it(*export)
        self.assertIn("note: 7 texts of one begin with", plain)  # the metric `tag` begins with the label
        self.assertIn(",=1+1,", plain)
        safe = list(csv.DictReader(self.run_it(*export, "--format", "spreadsheet").splitlines()))
        self.assertEqual([row["label"] for row in safe], ["'=1+1", "'+cmd|' /C calc'!A0", "-5", "'@SUM(A1)", "a=b"])
        self.run_it("export", "out.h5", "--format", "spreadsheet")
        self.assertTrue((self.dir / "out" / "one.csv").exists())

    def test_names_that_a_results_file_cannot_hold(self):
        for letters, status in ((200, 0), (201, 2)):
            self.write(f'name = "x"\n[[study]]\nid = "{letters * "a"}"\nsystem = "synthetic"\n')
            for command in ("check", "plan"):
                message = self.run_it(command, "experiment.toml", expect=status)
                self.assertEqual("results files hold names of at most 200" in message, status == 2, message)

    def test_mistakes_of_the_command_line_are_told_once(self):
        message = self.run_it(self.write(GOOD), "--nonsense", ranks=3, expect=2)
        self.assertEqual(message.count("--nonsense"), 1, message)

    def test_plan_and_explain(self):
        name = self.write(GOOD)
        self.assertIn("policy", self.run_it("plan", name))
        self.assertEqual(self.run_it("plan", name, "--name"), "good\n")
        self.assertIn("cycles", self.run_it("explain", name, "--point", "1"))

    def test_explain_fits_the_terminal(self):
        name = self.write(GOOD)
        wide = self.run_it("explain", name, "--point", "1")
        self.assertGreater(max(map(len, wide.splitlines())), 100)
        narrow = dict(os.environ, COLUMNS="100")
        done = subprocess.run([PROGRAM, "explain", name, "--point", "1"], cwd=self.dir, capture_output=True, text=True,
                              env=narrow, timeout=60)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
        meaning = re.search(r"(?m)^cost +\S+ \S+ +(manufacturing .*)$", wide).group(1)
        self.assertIn(meaning, " ".join(done.stdout.split()))
        self.assertRegex(wide, r"pe_utilization +0\.\d{1,8} ")
        self.assertRegex(self.run_it("explain", name, "--point", "1", "--exact"), r"pe_utilization +0\.\d{12,} ")
        absent = self.run_it("explain", name, "--point", "1", "--set", "execution=operators")
        self.assertRegex(absent, r"(?m)^cost +- +manufacturing cost .* \(absent: executions operators")

    def test_explain_places_a_point_in_the_roofline(self):
        name = self.write(GOOD)
        verdict = json.loads(self.run_it("explain", name, "--point", "1", "--json"))["verdict"]
        [part] = verdict["roofline"]
        self.assertEqual((part["part"], verdict["no_roofline"]), ("node array", ""))
        self.assertRegex(verdict["bound"], "^(neither compute nor memory|compute|memory) of node array")
        self.assertAlmostEqual(part["ridge_point"] * part["memory_bandwidth"] / part["peak_rate"], 1)
        self.assertAlmostEqual(part["operations_per_byte"] * part["bandwidth"] / part["rate"], 1)
        self.assertLessEqual(part["rate"], part["peak_rate"])
        self.assertRegex(self.run_it("explain", name, "--point", "1"), r"roofline of node array +\S+ OP/B, ridge at \S+: .* %\), .* %\)")
        ideal = self.run_it("explain", name, "--point", "1", "--set", "execution=ideal")
        self.assertIn("none: execution 'ideal' moves no data", ideal)
        noc = self.write('name = "noc"\n[[study]]\nid = "s"\nsystem = "noc"\ninjection_rate = 0.1\nfidelity = "analytic"\n')
        self.assertIn("none: a network moves flits and computes nothing", self.run_it("explain", noc, "--point", "0"))

    def test_explain_tells_why_a_point_fails(self):
        newton = self.write('name = "newton"\n[[study]]\nid = "s"\nsystem = "newton"\nhardware = "newton-HBM_1Gbps"\n'
                            'H = 1\nW = 1\nCin = 8\nCout = 8\nKH = 3\n')
        explained = self.run_it("explain", newton, "--point", "0", expect=1)
        self.assertRegex(explained, r"KH +3 +experiment")
        self.assertIn("status failed: a 3 x 1 kernel does not fit an image of 1 x 1", explained)
        # The identity of such a point cannot cover its network.
        swin = self.write('name = "swin"\n[[study]]\nid = "s"\nsystem = "allspark"\nhardware = "allspark-3d-dram"\n'
                          'model = "swin-t"\nimage_px = 3\npolicy = "branch"\n')
        self.assertIn("status failed: swin-t takes images of", self.run_it("explain", swin, "--point", "0", expect=1))

    def test_hardware_is_an_axis(self):
        self.write('name = "lists"\n[lists]\ngpus = ["gpu-v100", "gpu-t4"]\n[[study]]\nid = "gemm"\nsystem = "kernel"\n'
                   'hardware = "@gpus"\nkind = "gemm"\nK = 512\n[study.axes]\nM = [256, 512]\n')
        self.assertIn("M, hardware\n", self.run_it("plan", "experiment.toml"))
        explained = self.run_it("explain", "experiment.toml", "--point", "2", "--all")
        self.assertRegex(explained, r"hardware +gpu-t4 +experiment")
        self.assertRegex(explained, r"hardware.clock +\S+ \S+ +hardware gpu-t4: ")
        self.run_it("experiment.toml", "--output", "out.h5")
        with h5py.File(self.dir / "out.h5") as file:
            self.assertEqual({name for name in file.attrs if name.startswith("hardware_")},
                             {"hardware_gpu-v100", "hardware_gpu-t4"})
            clocks = list(file["gemm/hardware.clock"][:])
            self.assertEqual(clocks[0], clocks[1])
            self.assertNotEqual(clocks[0], clocks[2])
        self.assertIn("equal bit for bit", self.run_it("rerun", "out.h5", "--point", "3"))
        best = self.run_it("top", "out.h5", "--min", "time_ms", "-n", "1")
        self.assertRegex(best, r"M +hardware *\n")
        # Another order of the files gives the same points in another order.
        self.write((self.dir / "experiment.toml").read_text().replace('"gpu-v100", "gpu-t4"', '"gpu-t4", "gpu-v100"'))
        self.assertIn("4 reused", self.run_it("experiment.toml", "--output", "out.h5", "--resume"))

    NET = ('family = "layers"\n[[model]]\nname = "{}"\nimage_px = 8\nimage_channels = 1\n'
           'layers = ["fc 16", "relu", "fc 10", "softmax"]\n')

    def make_folders(self):
        """A folder of models and training steps, and an experiment that names them."""
        for folder in ("mine/models", "mine/training", "mine/hardware"):
            (self.dir / folder).mkdir(parents=True)
        self.write(self.NET.format("net"), "mine/models/net.toml")
        shipped = pathlib.Path(__file__).resolve().parents[2] / "configs" / "training" / "heteropim.toml"
        self.write(shipped.read_text().split("[[model]]")[0] + '[[model]]\nname = "step"\nmodel = "net"\nbatch = 4\n',
                   "mine/training/step.toml")
        return self.write('name = "mine"\nmodel_folders = "mine/models"\ntraining_folders = "mine/training"\n'
                          '[[study]]\nid = "steps"\nsystem = "heteropim"\nhardware = "heteropim"\nmodel = "step"\n'
                          'policy = "cpu"\n'
                          '[[study]]\nid = "images"\nsystem = "gpu"\nhardware = "gpu-v100"\n'
                          '[study.axes]\nmodel = ["net", "lenet-c"]\n')

    def test_results_keep_models_of_other_folders(self):
        name = self.make_folders()
        self.run_it(name, "--output", "out.h5")
        with h5py.File(self.dir / "out.h5") as file:
            kept = {key for key in file.attrs if key.startswith(("model_", "training_"))}
        self.assertEqual(kept, {"model_net", "training_step"})
        # The same bits from another folder.
        (self.dir / "mine").rename(self.dir / "other")
        self.write((self.dir / name).read_text().replace("mine/", "other/"))
        self.assertIn("3 reused", self.run_it(name, "--output", "out.h5", "--resume"))
        # Without the files, and beside others of the same names.
        shutil.rmtree(self.dir / "other")
        (self.dir / "configs" / "models").mkdir(parents=True)
        self.write(self.NET.format("net").replace("fc 16", "fc 17"), "configs/models/net.toml")
        before = os.environ["PIMSWEEP_CONFIGS"]
        self.addCleanup(os.environ.__setitem__, "PIMSWEEP_CONFIGS", before)
        os.environ["PIMSWEEP_CONFIGS"] = f"{self.dir}/configs:{before}"
        for study, point in (("steps", "0"), ("images", "0"), ("images", "1")):
            printed = self.run_it("rerun", "out.h5", "--study", study, "--point", point)
            self.assertIn("equal bit for bit", printed)
            self.assertIn(", unchanged", printed)

    def test_folders_of_the_environment(self):
        self.make_folders()
        before = os.environ["PIMSWEEP_CONFIGS"]
        self.addCleanup(os.environ.__setitem__, "PIMSWEEP_CONFIGS", before)
        os.environ["PIMSWEEP_CONFIGS"] = f"mine:{before}"
        listed = list(csv.DictReader(self.run_it("list", "models", "--csv", "-").splitlines()))
        self.assertEqual({row["model"]: row["file"] for row in listed}["net"], "mine/models/net.toml")
        self.assertTrue({row["model"]: row["file"] for row in listed}["swin-t"].endswith("configs/models/swin.toml"))
        self.assertIn("mine/training/step.toml", self.run_it("training"))
        self.run_it("check", self.write(GOOD))
        os.environ["PIMSWEEP_CONFIGS"] = f"mine:nowhere:{before}"
        self.assertIn("PIMSWEEP_CONFIGS names 'nowhere'", self.run_it("check", "experiment.toml", expect=2))

    def test_broken_files_are_warnings_unless_they_are_used(self):
        name = self.make_folders()
        self.write(self.NET.format("other").replace("fc 16", "fx 16"), "mine/models/broken.toml")
        self.write("family = \n", "mine/models/unreadable.toml")
        self.write("[[model", "mine/training/broken.toml")
        self.write('base = "gpu-v100"\n[clokc]\nvalue = "1 GHz"\nsource = "x"\n', "mine/hardware/card.toml")
        self.write('base = "gpu-v100"\n', "mine/hardware/good.toml")
        text = (self.dir / name).read_text()
        self.write('hardware_folders = "mine/hardware"\n' + text)
        printed = self.run_it("check", name)
        self.assertIn("ok, 2 studies, 3 points", printed)
        for warning in ("mine/models/broken.toml:6:12: ", "mine/models/unreadable.toml:1:", "mine/training/broken.toml:1:",
                        "mine/hardware/card.toml:2:2: ", "did you mean 'clock'"):
            self.assertIn(f"pimsweep: warning: {warning}" if warning.startswith("mine") else warning, printed)
        self.assertNotIn("good.toml", printed)
        before = os.environ["PIMSWEEP_CONFIGS"]
        self.addCleanup(os.environ.__setitem__, "PIMSWEEP_CONFIGS", before)
        os.environ["PIMSWEEP_CONFIGS"] = f"mine:{before}"
        for subject, listed in (("models", "net "), ("hardware", "mine/hardware/good.toml")):
            printed = self.run_it("list", subject)
            self.assertIn(listed, printed)
            self.assertIn("pimsweep: warning: mine/models/broken.toml:6:12: ", printed)
        self.assertIn("mine/models/broken.toml:6:12: ", self.run_it("list", "models", "other", expect=2))
        message = self.run_it("list", "models", "nett", expect=2)
        self.assertIn("did you mean 'net'", message)
        self.assertIn("not read because of errors: mine/models/broken.toml:6:12, mine/models/unreadable.toml:1:", message)

    def test_table_and_compare(self):
        self.write("layer,model,policy,time\nfirst,swin-t,allspark,1.0\nsecond,,allspark,2.0\n", "points.csv")
        table = GOOD.split("[study.axes]")[0].replace('model = "swin-t"\n', "") + (
            '[study.table]\ncsv = "points.csv"\nlabels = ["layer"]\nreference = ["time"]\n')
        message = self.check_fails(table, "points.csv:3:8")
        self.assertIn("model", message)
        self.write("layer,model,policy,time\nfirst,swin-t,allspark,1.0\nsecond,swin-s,allspark,2.0\n", "points.csv")
        self.run_it(self.write(table), "--output", "out.h5")
        printed = self.run_it("compare", "out.h5")
        self.assertIn("time", printed)
        self.assertIn("second", printed)

    def test_two_files_are_compared(self):
        self.run_it(self.write(GOOD), "--output", "a.h5")
        self.run_it("experiment.toml", "--output", "b.h5", "--set", "hardware.clock=350 MHz")
        self.assertIn("the results are equal", self.run_it("compare", "a.h5", "a.h5"))
        printed = self.run_it("compare", "a.h5", "b.h5", expect=1)
        self.assertRegex(printed, r"(?m)^  hardware.clock +2 points +\S+ MHz +350 MHz$")
        self.assertRegex(printed, r"(?m)^  time +2 +2 +[\d.]+ % +\+[\d.]+ %$")
        self.assertIn("policy allspark", printed)
        found = json.loads(self.run_it("compare", "a.h5", "b.h5", "--json", expect=1))
        self.assertFalse(found["equal"])
        time = next(column for column in found["studies"][0]["outputs"] if column["column"] == "time" and not column["table"])
        with h5py.File(self.dir / "a.h5") as a, h5py.File(self.dir / "b.h5") as b:
            changes = (b["one/time"][:] - a["one/time"][:]) / a["one/time"][:]
        self.assertEqual(time["largest"][0]["change"], max(changes))
        rows = list(csv.DictReader(self.run_it("compare", "a.h5", "b.h5", "--csv", "-", expect=1).splitlines()))
        self.assertIn("time", [row["column"] for row in rows])
        self.run_it("compare", "a.h5", "b.h5", "--tolerance", "2", expect=2)
        self.assertIn("nowhere.h5", self.run_it("compare", "a.h5", "nowhere.h5", expect=2))

    def test_a_python_package_that_is_missing_is_named_with_the_command_that_installs_it(self):
        self.synthetic()
        folder = self.dir / "packages"
        folder.mkdir()
        (folder / "h5py.py").write_text("raise ModuleNotFoundError('gone', name='h5py')")
        for arguments in (("report", "out.h5"), ("fidelity", "out.h5"), ("sensitivity", "out.h5", "--metric", "cost"), ("page", "out.h5")):
            done = subprocess.run([PROGRAM, *arguments], cwd=self.dir, capture_output=True, text=True, timeout=120,
                                  env={**os.environ, "PYTHONPATH": str(folder)})
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, r"\A.*'h5py' is not installed\n.*apt-get install .*python3-h5py.*\n\Z")

    def test_report_csv(self):
        self.write(GOOD.replace('id = "one"', 'id = "fig13a"').replace('model = "swin-t"', 'model = "swin-b"\nimage_px = 640'))
        self.run_it("experiment.toml", "--output", "out.h5")
        self.run_it("report", "out.h5", "--csv", "report.csv")
        self.assertIn("cannot write 'none/report.csv'", self.run_it("report", "out.h5", "--csv", "none/report.csv", expect=74))
        lines = (self.dir / "report.csv").read_text().splitlines()
        self.assertEqual(lines[0], "id,paper,where,sign,published,published_hi,unit,reproduced,deviation,ratio_deviation,verdict,ratio_verdict,role,"
                         "reading,note")
        self.assertTrue(any(line.startswith("allspark-fig13a-xfer") for line in lines))


if __name__ == "__main__":
    unittest.main()
