"""The job scripts of scripts/slurm at a time limit: requeued, resumed, complete, the same data, nothing twice.

Needs $PIMSWEEP, the program. Exit status 77 where Slurm is not installed.
"""

import datetime
import os
import pathlib
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

import h5py

from one_node_slurm import LIMIT_CHECK, OneNodeSlurm, installed

PROGRAM = pathlib.Path(os.environ["PIMSWEEP"])
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "slurm"
NAMES = ("mpirun.sbatch", "srun.sbatch", "array.sbatch")
STUDIES = ("first", "second")
# Processor time: no job may end between its submission and the next look at the time limits, LEAD seconds later. On few
# cores the jobs hold each other up, on many each has two to itself.
LEAD = 12
COST_MS = 90 if os.cpu_count() < 8 else 150
EXPERIMENT = "name = 'limit'\n" + "".join(f"""
[[study]]
id = "{study}"
system = "synthetic"
cost_mean = "{COST_MS} ms"
[study.axes]
n = {list(range(20))}
seed = [{seeds}]
""" for study, seeds in zip(STUDIES, ("1, 2, 3, 4", "5, 6, 7, 8")))
POINTS = 160


class ScriptCase(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.dir = pathlib.Path(scratch.name)
        (self.dir / "limit.toml").write_text(EXPERIMENT)
        (self.dir / "bin").mkdir()
        (self.dir / "bin" / "pimsweep").symlink_to(PROGRAM)
        self.path = f"{self.dir / 'bin'}:{os.environ['PATH']}"

    def stop_after_points(self, output):
        """Begins a run by hand and stops it when it has done something."""
        run = subprocess.Popen([PROGRAM, "limit.toml", "--output", output, "--keep-journals"], cwd=self.dir,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.wait_for_points([output])
        run.send_signal(signal.SIGUSR1)
        message, _ = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 75, message)

    def wait_for_points(self, outputs):
        """Until the journals of every output grow, and so hold more than their heads."""
        first = {}
        waiting = set(outputs)
        deadline = time.monotonic() + 100
        while waiting:
            self.assertLess(time.monotonic(), deadline, f"no points of {waiting}")
            for output in list(waiting):
                size = sum(path.stat().st_size for path in (self.dir / f"{output}.journal").glob("*.journal"))
                if size > first.setdefault(output, size) > 0:
                    waiting.remove(output)
                elif first[output] == 0:
                    del first[output]
            time.sleep(0.05)

    def points_done(self, output):
        """Number of points in the journals of an output, by `pimsweep merge`."""
        merge = subprocess.run([PROGRAM, "merge", "--force", f"{output}.journal", "--output", f"{output}.part.h5"], cwd=self.dir,
                               capture_output=True, text=True, timeout=60, check=False)
        counts = re.search(r"(\d+) points: (\d+) ok", merge.stdout)
        self.assertIsNotNone(counts, merge.stdout + merge.stderr)
        return int(counts[2])

    def provenance(self, output, key):
        with h5py.File(self.dir / output) as file:
            return int(file["provenance"].attrs[key])


class Scripts(ScriptCase):
    """What the scripts decide, with stand-ins for Slurm and the launchers."""

    def run_script(self, name, *arguments, **environment):
        stand_ins = {"scontrol": 'echo "scontrol $*"', "squeue": 'echo "$JOB_STATE"', "srun": 'exit "$STATUS"',
                     "mpirun": 'echo "$STATUS" >"$PIMSWEEP_STATUS"; exit 0'}
        for program, text in stand_ins.items():
            path = self.dir / "bin" / program
            path.write_text(f"#!/bin/bash\n{text}\n")
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        environment = {"PATH": self.path, "SLURM_JOB_ID": "7", "JOB_STATE": "RUNNING None", "STATUS": "75", **environment}
        done = subprocess.run(["bash", SCRIPTS / name, *arguments], cwd=self.dir, env=dict(os.environ, **environment),
                              capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_requeue_only_while_points_get_done(self):
        self.stop_after_points("out.h5")
        for name in NAMES:
            with self.subTest(script=name):
                for restarts in ("0", "1"):
                    status, text = self.run_script(name, "limit.toml", "out.h5", SLURM_RESTART_COUNT=restarts)
                    self.assertEqual(status, 0, text)
                    self.assertIn("scontrol requeue 7\n", text)
                left = int((self.dir / "out.h5.left").read_text())
                self.assertEqual(left, POINTS - self.points_done("out.h5"))
                status, text = self.run_script(name, "limit.toml", "out.h5", SLURM_RESTART_COUNT="2")
                self.assertEqual(status, 1, text)
                self.assertIn(f"no point was finished since the last start, {left} are left", text)
                self.assertNotIn("scontrol", text)

    def test_requeue_by_status_and_state(self):
        cases = [("75", "COMPLETING TimeLimit", "0", True), ("137", "RUNNING None", "0", True),
                 ("75", "COMPLETING None", "0", False), ("75", "RUNNING None", "3", False),
                 ("1", "RUNNING None", "0", False)]
        for name in NAMES:
            for status, state, restarts, requeued in cases:
                with self.subTest(script=name, status=status, state=state, restarts=restarts):
                    (self.dir / "out.h5.left").unlink(missing_ok=True)
                    found, text = self.run_script(name, "limit.toml", "out.h5", STATUS=status, JOB_STATE=state,
                                                  SLURM_RESTART_COUNT=restarts, MAX_RESTARTS="3")
                    self.assertEqual("scontrol requeue 7\n" in text, requeued, text)
                    self.assertEqual(found, 0 if requeued else int(status), text)

    def test_a_launcher_that_fails_is_not_tried_for_ever(self):
        for name in NAMES:
            with self.subTest(script=name):
                found = [self.run_script(name, "limit.toml", f"{name}.h5", STATUS="137", SLURM_RESTART_COUNT=restarts)[0]
                         for restarts in "012"]
                self.assertEqual(found, [0, 0, 1])

    def test_bad_input_ends_at_once(self):
        (self.dir / "bad.toml").write_text(EXPERIMENT.replace("synthetic", "synthetik"))
        for name in NAMES:
            with self.subTest(script=name):
                status, text = self.run_script(name, "bad.toml", "out.h5")
                self.assertEqual(status, 2, text)
                self.assertIn("synthetik", text)
                self.assertNotIn("scontrol", text)
        status, text = self.run_script("array.sbatch", "limit.toml", "out.h5", SLURM_ARRAY_JOB_ID="5",
                                       SLURM_ARRAY_TASK_ID="2")
        self.assertEqual(status, 2, text)
        self.assertIn("no study number 2", text)


class TimeLimit(ScriptCase):
    """All launchers at once under a real Slurm, because it looks at the limits only twice a minute."""

    def setUp(self):
        super().setUp()
        (self.dir / "slurm").mkdir()
        self.slurm = OneNodeSlurm(self.dir / "slurm")
        self.addCleanup(self.slurm.close)

    def submit(self, script, *options, output):
        return self.slurm.submit("--time=10", f"--output={output}-%A-%a.log", *options, str(SCRIPTS / script), "limit.toml",
                                 output, cwd=self.dir, PATH=f"{self.path}:{self.slurm.environment['PATH']}")

    def ends(self, job, seconds):
        """Moves the end of a running job to so many seconds from now."""
        end = datetime.datetime.now() + datetime.timedelta(seconds=seconds)
        self.slurm.update(job, EndTime=end.strftime("%Y-%m-%dT%H:%M:%S"))

    def logs(self):
        return "\n".join(f"{log.name}:\n{log.read_text()}" for log in sorted(self.dir.glob("*.log"))) + self.slurm.logs()

    def wait_for_state(self, jobs, state, seconds):
        deadline = time.monotonic() + seconds
        while others := {job: found for job in jobs if (found := self.slurm.job(job)["JobState"]) != state}:
            self.assertLess(time.monotonic(), deadline, f"not {state}: {others}\n{self.logs()}")
            self.assertFalse({"FAILED", "TIMEOUT", "CANCELLED"} & set(others.values()), f"{others}\n{self.logs()}")
            time.sleep(0.5)

    def assert_same_data(self, output, studies):
        # Not only by the program's own word.
        for study in studies:
            done = subprocess.run(["h5diff", "whole.h5", output, f"/{study}"], cwd=self.dir, capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, f"{output} {study}: {done.stdout}{done.stderr}")

    def digest(self, output):
        with h5py.File(self.dir / output) as file:
            return file.attrs["digest"]

    def test_requeued_and_resumed(self):
        subprocess.run(["mpirun", "-n", "2", PROGRAM, "limit.toml", "--output", "whole.h5"], cwd=self.dir, check=True,
                       capture_output=True, timeout=120)
        time.sleep((self.slurm.seconds_to_limit_check() - LEAD) % LIMIT_CHECK)

        # No warning: what happens where --signal is not set, or at preemption.
        unwarned = "--signal=B:CONT@1"
        warned_jobs = {self.submit("mpirun.sbatch", output="mpirun.h5"): "mpirun.h5",
                       self.submit("srun.sbatch", output="srun.h5"): "srun.h5"}
        array = self.submit("array.sbatch", unwarned, "--array=0-1", "--ntasks-per-node=1", output="array.h5")
        # The last task, whose SLURM_JOB_ID is the whole array's, is stopped alone.
        undisturbed_task, last_task = (f"{array}_{i}" for i in range(2))
        unwarned_jobs = {self.submit("mpirun.sbatch", unwarned, output="mpirun-term.h5"): "mpirun-term.h5",
                         last_task: "array.h5.studies/second.h5"}
        gather = self.submit("array.sbatch", f"--dependency=afterany:{array}", output="array.h5")
        canceled_jobs = {self.submit(f"{launcher}.sbatch", output=f"{launcher}-canceled.h5"): f"{launcher}-canceled.h5"
                          for launcher in ("mpirun", "srun")}
        jobs = {**warned_jobs, **unwarned_jobs}

        self.wait_for_points([*jobs.values(), *canceled_jobs.values()])
        self.slurm.ask("scancel", *canceled_jobs)
        for job in warned_jobs:
            self.ends(job, 80)
        # Slurm refuses an end that is over when it hears of it.
        for job in unwarned_jobs:
            self.ends(job, 5)
        self.wait_for_state(jobs, "PENDING", 90)
        for job in canceled_jobs:
            self.assertEqual(self.slurm.job(job)["JobState"], "CANCELLED", self.logs())
        done = {}
        for job, output in jobs.items():
            self.assertEqual(self.slurm.job(job)["Restarts"], "1", output)
            done[output] = self.points_done(output)
            self.assertGreater(done[output], 0, output)
            # Slurm lets a requeued job wait two minutes.
            self.slurm.update(job, StartTime="now", TimeLimit="10")

        self.wait_for_state([*jobs, undisturbed_task, gather], "COMPLETED", 200)
        self.assertEqual(self.slurm.job(undisturbed_task)["Restarts"], "0")
        for job, output in jobs.items():
            with self.subTest(output=output):
                studies = ["second"] if job == last_task else STUDIES
                self.assertEqual(self.provenance(output, "points_reused"), done[output])
                self.assertEqual(self.provenance(output, "points_computed"), POINTS * len(studies) // 2 - done[output])
                self.assert_same_data(output, studies)
                self.assertEqual(self.slurm.job(job)["ExitCode"], "0:0")
        for output in ("mpirun.h5", "mpirun-term.h5", "srun.h5", "array.h5"):
            self.assertEqual(self.digest(output), self.digest("whole.h5"), output)
        self.assert_same_data("array.h5", STUDIES)
        self.assertEqual(self.provenance("array.h5", "points_reused"), POINTS)
        self.assertEqual(self.provenance("array.h5", "points_computed"), 0)


if __name__ == "__main__":
    if not installed():
        print("skipped: Slurm is not installed (slurmctld, slurmd, slurm-client)")
        sys.exit(77)
    if not os.path.ismount("/sys/fs/cgroup"):
        print("skipped: no cgroups at /sys/fs/cgroup, without which slurmd does not start")
        sys.exit(77)
    # So that the clean-ups run, which end the daemons.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    unittest.main()
