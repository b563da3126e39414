"""Ranks that die, hang or come back, disks that fill, time that runs out: what is kept, what a rerun computes again.

Each run is compared with an undisturbed one, and with what its journals held before it was resumed.
"""

import contextlib
import fcntl
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import struct
import subprocess
import termios
import time
import unittest

import h5py
import numpy

from test_driver import BULKY, DriverCase, PIMSWEEP, texts

SWEEP = """name = "faults"
[[study]]
id = "slow"
system = "synthetic"
cost_mean = "4 ms"
infeasible_rate = 0.1
[study.axes]
n = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
seed = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
[[study]]
id = "tables"
system = "synthetic"
rows = 3
[study.axes]
n = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
"""
POINTS = 210
BLOCK_POINTS = 50000
BLOCKS = f"""name = "blocks"
[[study]]
id = "tables"
system = "synthetic"
rows = 2
failure_rate = 0
infeasible_rate = 0.1
[study.axes]
n = {list(range(200))}
seed = {list(range(BLOCK_POINTS // 200))}
"""
FILE_LIMIT = 8 << 20
LONG = """name = "long"
[[study]]
id = "long"
system = "synthetic"
cost_mean = "300 ms"
[study.axes]
n = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
"""


def children_of(parent):
    threads = pathlib.Path(f"/proc/{parent}/task").glob("*/children")
    return [int(child) for thread in threads for child in thread.read_text().split()]


def has_open(process, path):
    for descriptor in pathlib.Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(OSError):
            if os.readlink(descriptor) == str(path.resolve()):
                return True
    return False


def stopped_child(parent, patience=60):
    """The first child of a process that is found stopped."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        for child in children_of(parent):
            if pathlib.Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] == "T":
                return child
        time.sleep(0.05)
    raise TimeoutError(f"no child of process {parent} has stopped")


class FaultCase(DriverCase):
    @classmethod
    def setUpClass(cls):
        cls.undisturbed = {}

    def whole_digest(self, text):
        """The digest of an undisturbed run."""
        if text not in self.undisturbed:
            self.run_it(self.write(text, "whole.toml"), "--output", "whole.h5", "--force")
            self.undisturbed[text] = self.digest("whole.h5")
        return self.undisturbed[text]

    def launch(self, ranks, *arguments, recovery=False, expect=None, env=None):
        command = ["mpirun", *(["--enable-recovery"] if recovery else []), "-n", str(ranks), PIMSWEEP, *arguments]
        done = subprocess.run(command, cwd=self.dir, capture_output=True, text=True, timeout=120, check=False, env=env)
        if expect is not None:
            self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def start(self, ranks, *arguments, recovery=False):
        """Begins a run; what it says comes through the process' stdout."""
        command = ["mpirun", *(["--enable-recovery"] if recovery else []), "-n", str(ranks), PIMSWEEP, *arguments]
        return subprocess.Popen(command, cwd=self.dir, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def process_of_rank(self, launch, rank, patience=20):
        mark = f"OMPI_COMM_WORLD_RANK={rank}".encode()
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            for child in children_of(launch):
                if mark in pathlib.Path(f"/proc/{child}/environ").read_bytes().split(b"\0"):
                    return child
            time.sleep(0.05)
        raise TimeoutError(f"the launch has no rank {rank}")

    def wait_for_journals(self, output, count):
        """Until ranks have begun to evaluate."""
        deadline = time.monotonic() + 60
        while len(list((self.dir / f"{output}.journal").glob("*.journal"))) < count:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        time.sleep(0.3)

    def known_points(self, output, may_be_gone=False):
        """How many points the journals of an output hold, by a merge of their own. None if they may be gone and are."""
        done = subprocess.run([PIMSWEEP, "merge", "--force", f"{output}.journal", "--output", "known.h5"], cwd=self.dir,
                              capture_output=True, text=True, check=False)
        # A run that ends removes its journals, before the search for them or while they are merged.
        if may_be_gone and ("no journal" in done.stderr or "cannot read the journal" in done.stderr):
            return None
        self.assertIn(done.returncode, (0, 1, 75), done.stderr)
        with h5py.File(self.dir / "known.h5") as file:
            return sum(int(numpy.isin(file[study]["status"][:], (0, 1)).sum()) for study in file
                       if isinstance(file[study], h5py.Group) and study != "provenance")

    def resume_and_compare(self, name, text, output):
        """Nothing that was done is computed again, and the data is that of an undisturbed run."""
        known = self.known_points(output)
        deadline = time.monotonic() + 20
        while True:  # ranks of a killed launch may hold the output for a moment
            done = subprocess.run([PIMSWEEP, name, "--output", output, "--resume"], cwd=self.dir, capture_output=True,
                                  text=True, timeout=120, check=False)
            if "another run is writing" not in done.stderr or time.monotonic() > deadline:
                break
            known = self.known_points(output)
            time.sleep(0.1)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(int(self.provenance(output, "points_reused")), known)
        self.assertEqual(self.digest(output), self.whole_digest(text))
        return known


class LostRanks(FaultCase):
    def test_others_take_over_under_recovery(self):
        name = self.write(SWEEP)
        for kind in ("kill", "segv", "exit"):
            with self.subTest(kind=kind):
                message = self.launch(4, name, "--output", f"{kind}.h5", "--fault", f"{kind}@rank=2,nth=5", recovery=True)
                self.assertIn("rank 2", message)
                self.assertIn("its process is gone", message)
                self.assertEqual(self.digest(f"{kind}.h5"), self.whole_digest(SWEEP), message)
                self.assertFalse((self.dir / f"{kind}.h5.journal").exists())

    def test_all_but_the_manager_die(self):
        name = self.write(SWEEP)
        message = self.launch(2, name, "--output", "two.h5", "--fault", "kill@rank=1,nth=3", recovery=True)
        self.assertEqual(self.digest("two.h5"), self.whole_digest(SWEEP), message)

    def test_the_manager_dies(self):
        # Points of different length: a rank leaves between two points, or after --grace in the middle of one.
        for ranks, cost in ((2, "10 ms"), (4, "60 s")):
            with self.subTest(ranks=ranks, cost=cost):
                text = SWEEP.replace("4 ms", cost)
                output = f"{ranks}-{cost}.h5"
                process = self.start(ranks, self.write(text), "--output", output, "--grace", "1", recovery=True)
                manager = self.process_of_rank(process.pid, 0)
                self.wait_for_journals(output, ranks - 1)
                os.kill(manager, signal.SIGKILL)
                start = time.monotonic()
                message, _ = process.communicate(timeout=30)
                self.assertLess(time.monotonic() - start, 10)
                self.assertNotEqual(process.returncode, 0)
                self.assertIn("the manager, rank 0, is gone", message)
                if cost != "60 s":
                    self.resume_and_compare("test.toml", text, output)

    def test_ranks_die_while_the_results_file_is_written(self):
        # Several blocks of points and of a table.
        text = BLOCKS
        name = self.write(text)
        whole = self.whole_digest(text)
        for ranks, lost in ((2, 1), (5, 2)):
            with self.subTest(ranks=ranks):
                output = f"kill-{ranks}.h5"
                process = self.start(ranks, name, "--output", output, "--fault", "stop@rank=0,rows=20000", recovery=True)
                manager = stopped_child(process.pid)
                os.kill(self.process_of_rank(process.pid, lost), signal.SIGKILL)
                os.kill(manager, signal.SIGCONT)
                message, _ = process.communicate(timeout=60)
                self.assertIn(f"rank {lost}", message)
                self.assertIn("its process is gone", message)
                self.assertEqual(self.digest(output), whole, message)
                self.assertFalse((self.dir / f"{output}.journal").exists())
                self.assertFalse(list(self.dir.glob(f"{output}.*")))

    def test_the_manager_dies_while_the_results_file_is_written(self):
        name = self.write(BLOCKS)
        for ranks in (2, 5):
            with self.subTest(ranks=ranks):
                output = f"manager-{ranks}.h5"
                message = self.launch(ranks, name, "--output", output, "--fault", "kill@rank=0,rows=40000", "--grace", "1", recovery=True)
                # Open MPI's own runtime may fail at the loss and end the other ranks before they can say anything.
                if "PMIX ERROR" not in message:
                    self.assertIn("the manager, rank 0, is gone", message)
                self.assertFalse((self.dir / output).exists())
                self.assertEqual(self.resume_and_compare(name, BLOCKS, output), BLOCK_POINTS)
                self.assertFalse((self.dir / f"{output}.journal").exists())
                self.assertFalse(list(self.dir.glob(f"{output}.*")))

    def test_the_manager_dies_in_the_first_second(self):
        name = self.write(SWEEP)
        for delay in (0, 0.2, 0.5, 0.8):
            with self.subTest(delay=delay):
                output = f"{delay}.h5"
                process = self.start(4, name, "--output", output, recovery=True)
                manager = self.process_of_rank(process.pid, 0)
                time.sleep(delay)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(manager, signal.SIGKILL)
                # Ranks that are still in MPI_Init wait 30 s, and a busy machine starts and ends them slowly.
                message, _ = process.communicate(timeout=90)
                if process.returncode == 0:
                    self.assertEqual(self.digest(output), self.whole_digest(SWEEP), message)

    def test_a_rank_dies_before_mpi_has_started(self):
        dies = ["sh", "-c", '[ "$OMPI_COMM_WORLD_RANK" = 0 ] && kill -KILL $$; exec "$@"', "sh"]
        done = subprocess.run(
            ["mpirun", "--enable-recovery", "-n", "3", *dies, PIMSWEEP, self.write(SWEEP), "--output", "out.h5"],
            cwd=self.dir, capture_output=True, text=True, timeout=60, check=False)
        self.assertIn("MPI did not start within 30 s", done.stderr)

    def test_a_launcher_that_hangs_after_its_ranks_is_ended(self):
        launcher = self.dir / "mpirun"
        launcher.write_text("#!/usr/bin/python3\n"
                            "import subprocess, sys, threading\n"
                            "subprocess.run(sys.argv[1:])\n"
                            "print('the rank has ended', flush=True)\n"
                            "lock = threading.Lock()\n"
                            "with lock:\n"
                            "    lock.acquire()\n")
        launcher.chmod(0o755)
        rank = {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_LOCAL_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"}
        hung = subprocess.run([launcher, PIMSWEEP, self.write(SWEEP), "--output", "out.h5"], cwd=self.dir, env=os.environ | rank,
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertIn("the rank has ended", hung.stdout)
        self.assertEqual(hung.returncode, -signal.SIGKILL)
        self.assertEqual(self.digest("out.h5"), self.whole_digest(SWEEP))

    @unittest.skipUnless(os.geteuid() == 0, "a host name of its own needs root")
    def test_the_manager_of_another_host_dies(self):
        name = self.write(SWEEP.replace("4 ms", "60 s"))
        options = [name, "--output", "out.h5", "--silence", "3", "--grace", "1"]
        elsewhere = ["unshare", "--uts", "sh", "-c", 'hostname elsewhere && exec "$@"', "sh"]
        if subprocess.run([*elsewhere, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("this container may not give out host names")
        process = subprocess.Popen(
            ["mpirun", "--enable-recovery", "-n", "1", PIMSWEEP, *options, ":", "-n", "1", *elsewhere, PIMSWEEP, *options],
            cwd=self.dir, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        manager = self.process_of_rank(process.pid, 0)
        self.wait_for_journals("out.h5", 2)
        time.sleep(4)  # longer than the silence that is allowed: the others know that the manager is there
        self.assertIsNone(process.poll())
        os.kill(manager, signal.SIGKILL)
        message, _ = process.communicate(timeout=30)
        self.assertIn("rank 1 on elsewhere stops: the manager, rank 0, is gone", message)

    def test_launch_ends_without_recovery_and_is_resumed(self):
        # mpirun ends the others two seconds after the first: the sweep takes longer.
        text = LONG.replace('"300 ms"', '"600 ms"')
        name = self.write(text)
        for kind in ("kill", "exit"):
            with self.subTest(kind=kind):
                self.launch(4, name, "--output", f"{kind}.h5", "--fault", f"{kind}@rank=2,nth=2")
                self.assertGreater(self.resume_and_compare(name, text, f"{kind}.h5"), 0)

    def test_a_point_that_kills_two_is_quarantined(self):
        name = self.write(SWEEP)
        self.run_it(name, "--output", "whole.h5", "--force")
        for kind in ("kill", "exit"):
            with self.subTest(kind=kind):
                output = f"{kind}.h5"
                message = self.launch(4, name, "--output", output, "--fault", f"{kind}@point=77", recovery=True)
                self.assertIn("1 crashed", message)
                with h5py.File(self.dir / output) as file, h5py.File(self.dir / "whole.h5") as whole:
                    status = file["slow/status"][:]
                    self.assertEqual(numpy.flatnonzero(status == 3).tolist(), [77])
                    self.assertIn("killed", texts(file["slow/message"])[77])
                    others = numpy.arange(len(status)) != 77
                    numpy.testing.assert_array_equal(status[others], whole["slow/status"][:][others])
                # It stays in quarantine until it is asked for.
                self.run_it(name, "--output", output, "--resume", expect=1)
                self.assertEqual(self.provenance(output, "points_computed"), "0")
                self.run_it(name, "--output", output, "--resume", "--retry-crashed")
                self.assertEqual(self.provenance(output, "points_computed"), "1")
                self.assertEqual(self.digest(output), self.whole_digest(SWEEP))

    def test_a_point_that_crashes_a_lone_process(self):
        name = self.write(SWEEP)
        for kind, status in (("segv", -signal.SIGSEGV), ("exit", 1)):
            with self.subTest(kind=kind):
                output = f"{kind}.h5"
                self.run_it(name, "--output", output, "--fault", f"{kind}@point=77", expect=status)
                # All before it are kept, to the last: the crash handed them over.
                self.assertEqual(self.known_points(output), 77)
                message = self.run_it(name, "--output", output, "--resume", "--fault", f"{kind}@point=77", expect=1)
                self.assertIn("point 77 killed its rank in an earlier run", message)
                self.assertIn("1 crashed", message)
                self.assertEqual(self.provenance(output, "points_reused"), "77")

    def test_a_hanging_point(self):
        name = self.write(SWEEP)
        for ranks in (2, 4):
            with self.subTest(ranks=ranks):
                message = self.launch(ranks, name, "--output", f"{ranks}.h5", "--point-limit", "2", "--fault",
                                      "hang@rank=1,nth=4", expect=0)
                self.assertIn("--point-limit", message)
                self.assertEqual(self.digest(f"{ranks}.h5"), self.whole_digest(SWEEP), message)
        message = self.launch(4, name, "--output", "always.h5", "--point-limit", "2", "--fault", "hang@point=33", expect=1)
        self.assertIn("no result within 2 s", message)
        with h5py.File(self.dir / "always.h5") as file:
            self.assertEqual(numpy.flatnonzero(file["slow/status"][:] == 3).tolist(), [33])

    def test_a_silent_rank_that_comes_back(self):
        text = LONG.replace('"300 ms"', '"1 s"')
        name = self.write(text)
        process = self.start(4, name, "--output", "back.h5", "--silence", "4", "--fault", "stop@rank=2,nth=2")
        message = ""
        for line in process.stdout:
            message += line
            if "rank 2" in line and "is lost: no message for" in line:
                subprocess.run(["pkill", "-CONT", "-f", f"^{PIMSWEEP} {name} --output back.h5"], check=True)
        self.assertEqual(process.wait(timeout=60), 0, message)
        self.assertIn("is lost: no message for", message)
        self.assertIn("is back", message)
        self.assertEqual(self.digest("back.h5"), self.whole_digest(text), message)

    def test_a_manager_that_was_stopped_blames_nobody(self):
        # Few seconds of processor time, which take ten times as long on a busy machine.
        name = self.write(LONG)
        # With three ranks, the manager also evaluates, so that a fault can strike it.
        process = self.start(3, name, "--output", "out.h5", "--silence", "2", "--fault", "stop@rank=0,nth=1")
        manager = stopped_child(process.pid)
        time.sleep(3)
        os.kill(manager, signal.SIGCONT)
        message, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, message)
        self.assertNotIn("is lost", message)
        self.assertEqual(self.digest("out.h5"), self.whole_digest(LONG), message)

    def test_a_silent_rank_is_left_behind(self):
        name = self.write(SWEEP)
        message = self.launch(4, name, "--output", "out.h5", "--silence", "2", "--fault", "stop@rank=3,nth=4", expect=0)
        self.assertIn("no message for", message)
        self.assertEqual(self.digest("out.h5"), self.whole_digest(SWEEP))

    def test_faults_are_checked(self):
        self.assertIn("KIND@point=P", self.run_it(self.write(SWEEP), "--fault", "melt@rank=1,nth=1", expect=2))


class TimeAndSignals(FaultCase):
    def allocation(self, left):
        """An environment in which Slurm says how much time is left."""
        squeue = self.dir / "squeue"
        squeue.write_text(f'#!/bin/sh\n[ "$*" = "-h -j 42 -o %L" ] && echo {left}\n')
        squeue.chmod(0o755)
        return dict(os.environ, PATH=f"{self.dir}:{os.environ['PATH']}", SLURM_JOB_ID="42")

    def test_time_limit(self):
        name = self.write(LONG)
        start = time.monotonic()
        message = self.run_it(name, "--output", "out.h5", "--time-limit", "5", expect=75)
        self.assertLess(time.monotonic() - start, 12)
        self.assertGreater(self.check_stopped(name, "out.h5", message), 0)
        self.assertIn("--time-limit", self.run_it(name, "--output", "x.h5", "--time-limit", "soon", expect=2))

    def test_a_plan_that_no_limit_holds(self):
        """All of the time goes to points, none to a file that could not be written in it."""
        name = self.write('name = "huge"\n[[study]]\nid = "huge"\nsystem = "synthetic"\ncost_mean = "50 us"\n[study.axes]\n'
                          f"n = {list(range(5000))}\nseed = {list(range(5000))}\n")
        known = 0
        for option in ([], ["--resume"]):
            begin = time.monotonic()
            message = self.run_it(name, "--output", "out.h5", "--time-limit", "15", *option, expect=75)
            self.assertLess(time.monotonic() - begin, 60)
            done = int(re.search(r"(\d+) of 25000000 points are done and kept", message)[1])
            self.assertGreater(done, known)
            known = done
            self.assertIn("no results file", message)
            self.assertFalse((self.dir / "out.h5").exists())

    def test_slurm_allocation(self):
        name = self.write(LONG)
        message = self.run_it(name, "--output", "1.h5", expect=75, env=self.allocation("0:05"))
        self.assertGreater(self.check_stopped(name, "1.h5", message), 0)
        # Slurm is asked once MPI has started, which may take seconds where others use the cores. There the ranks may not
        # end a single point in time.
        message = self.launch(4, name, "--output", "4.h5", expect=75, env=self.allocation("0:03"))
        self.check_stopped(name, "4.h5", message)

    def check_stopped(self, name, output, message):
        """Some points are left, and the others are kept; returns how many these are."""
        self.assertIn("time limit", message)
        with h5py.File(self.dir / output) as file:
            status = file["long/status"][:]
        self.assertTrue((status == 4).any())
        done = self.resume_and_compare(name, LONG, output)
        # A rank may still keep a point that it ended once the manager no longer waited.
        self.assertGreaterEqual(done, (status == 0).sum())
        return done

    def test_second_interrupt_leaves_at_once(self):
        name = self.write(LONG.replace("300 ms", "30 s"))
        process = subprocess.Popen([PIMSWEEP, name, "--output", "out.h5"], cwd=self.dir, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        while not list((self.dir / "out.h5.journal").glob("*.journal")):
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)
        self.assertEqual(process.returncode, 75)
        self.assertLess(time.monotonic() - start, 2)
        self.assertEqual(self.known_points("out.h5"), 0)

    def test_grace_ends_a_long_point(self):
        name = self.write(LONG.replace("300 ms", "30 s"))
        for ranks in (1, 4):
            with self.subTest(ranks=ranks):
                output = f"{ranks}.h5"
                process = self.start(ranks, name, "--output", output, "--grace", "1")
                while len(list((self.dir / f"{output}.journal").glob("*.journal"))) < max(1, ranks - 1):
                    time.sleep(0.05)
                time.sleep(0.3)
                start = time.monotonic()
                process.send_signal(signal.SIGUSR1)
                message, _ = process.communicate(timeout=20)
                self.assertLess(time.monotonic() - start, 8)
                self.assertEqual(process.returncode, 75, message)


class Disks(FaultCase):
    def test_results_file_cannot_be_written(self):
        name = self.write(BULKY)
        self.run_it(name, "--output", "out.h5", "--keep-journals")
        whole = self.digest("out.h5")
        self.assertGreater((self.dir / "out.h5").stat().st_size, FILE_LIMIT)
        (self.dir / "out.h5").unlink()

        def limit():
            # As on a full disk. MPI's own files are smaller.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))

        message = self.run_it(name, "--output", "out.h5", "--resume", expect=74, preexec_fn=limit)
        self.assertIn("out.h5", message)
        self.assertIn("File too large", message)
        self.assertFalse((self.dir / "out.h5").exists())
        self.assertFalse(list(self.dir.glob("out.h5*.tmp")))
        self.run_it(name, "--output", "out.h5", "--resume")
        self.assertEqual(self.provenance("out.h5", "points_computed"), "0")
        self.assertEqual(self.digest("out.h5"), whole)

    @unittest.skipUnless(os.geteuid() == 0, "mounting a small disk needs root")
    def test_small_disk(self):
        name = self.write(BULKY)
        disk = self.dir / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk], check=False)
        if mounted.returncode != 0:
            self.skipTest("this container may not mount")
        try:
            message = self.run_it(name, "--output", "disk/out.h5", expect=74)
            self.assertIn("No space left", message)
            known = self.known_points("disk/out.h5")
            self.assertGreater(known, 0)
            subprocess.run(["mount", "-o", "remount,size=200m", disk], check=True)
            self.run_it(name, "--output", "disk/out.h5", "--resume")
            self.assertEqual(int(self.provenance("disk/out.h5", "points_reused")), known)
            self.assertEqual(self.digest("disk/out.h5"), self.whole_digest(BULKY))
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_read_only_folder(self):
        name = self.write(SWEEP)
        # /proc is a folder in which not even root can make a file.
        folder = "/proc/self"
        if os.geteuid() != 0:
            (self.dir / "folder").mkdir(mode=0o555)
            folder = "folder"
        message = self.run_it(name, "--output", f"{folder}/out.h5", expect=2)
        self.assertIn(f"{folder}/out.h5", message)

    def test_journal_of_another_experiment(self):
        other = SWEEP.replace("seed = [1,", "seed = [50, 1,").replace('name = "faults"', 'name = "other"')
        self.run_it(self.write(other, "other.toml"), "--output", "other.h5", "--keep-journals")
        name = self.write(SWEEP.replace("seed = [1,", "seed = [60, 1,"))
        shutil.copytree(self.dir / "other.h5.journal", self.dir / "out.h5.journal")
        self.run_it(name, "--output", "out.h5", "--resume")
        # Points that both have are reused, by content; the remaining points of the other file are not included.
        self.assertEqual(self.provenance("out.h5", "points_reused"), str(POINTS))
        self.run_it(name, "--output", "fresh.h5")
        self.assertEqual(self.digest("out.h5"), self.digest("fresh.h5"))


class Sharing(FaultCase):
    def test_cache(self):
        name = self.write(SWEEP)
        self.run_it(name, "--output", "a.h5", "--cache", "cache")
        renamed = self.write(SWEEP.replace('"faults"', '"others"').replace('id = "slow"', 'id = "same"')
                             .replace("n = [0, 1,", "n = [500, 0, 1,"), "renamed.toml")
        self.run_it(renamed, "--output", "b.h5", "--cache", "cache")
        self.assertEqual(self.provenance("b.h5", "points_reused"), str(POINTS))
        self.assertEqual(self.provenance("b.h5", "points_computed"), "10")
        self.run_it(renamed, "--output", "c.h5")
        self.assertEqual(self.digest("b.h5"), self.digest("c.h5"))
        # A damaged file in the cache costs only what it held.
        for path in (self.dir / "cache").rglob("*.journal"):
            os.truncate(path, path.stat().st_size // 2)
        self.run_it(renamed, "--output", "d.h5", "--cache", "cache")
        self.assertEqual(self.digest("d.h5"), self.digest("c.h5"))
        self.assertIn("/proc/cache", self.run_it(name, "--output", "e.h5", "--cache", "/proc/cache", expect=2))

    def test_cache_leftovers(self):
        name = self.write(SWEEP)
        self.run_it(name, "--output", "a.h5", "--cache", "cache")
        journal = next((self.dir / "cache").rglob("*.journal"))
        folder, content = journal.parent, journal.read_bytes()

        def leave(name, content, age=3600):
            path = folder / name
            path.write_bytes(content)
            os.utime(path, (time.time() - age, time.time() - age))
            return path

        gone = [leave("killed-1.journal.4711.tmp", content), leave("killed-2.journal.4712.tmp", b"")]
        kept = [leave("writing.journal.4713.tmp", content), leave("new.journal.4714.tmp", content, age=0),
                leave("notes.journal.4715.tmp", b"notes of somebody else"), leave("notes.txt", b"notes"),
                leave("old.journal.backup.tmp", content), folder / "link.journal.4716.tmp", journal]
        kept[5].symlink_to(kept[3])
        with open(kept[0], "ab") as writer:
            fcntl.flock(writer, fcntl.LOCK_EX)
            self.run_it(self.write(SWEEP.replace("n = [0, 1,", "n = [600, 0, 1,"), "more.toml"), "--output", "b.h5",
                        "--cache", "cache")
        self.assertEqual([path for path in gone if path.exists()], [])
        self.assertEqual([path for path in kept if not os.path.lexists(path)], [])
        self.assertEqual(self.provenance("b.h5", "points_reused"), str(POINTS))

    def test_the_run_before_removes_its_journals_while_the_next_waits(self):
        name = self.write(SWEEP)
        folder = self.dir / "out.h5.journal"
        folder.mkdir()
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            process = subprocess.Popen([PIMSWEEP, name, "--output", "out.h5", "--resume"], cwd=self.dir, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            while not has_open(process.pid, folder / "lock"):
                self.assertIsNone(process.poll())
            (folder / "lock").unlink()
            folder.rmdir()
        message, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, message)
        self.assertEqual(self.digest("out.h5"), self.whole_digest(SWEEP))

    def test_merge_of_studies_run_apart(self):
        name = self.write(SWEEP)
        for study in ("slow", "tables"):
            self.run_it(name, "--study", study, "--output", f"{study}.h5", "--keep-journals")
        self.run_it("merge", "slow.h5.journal", "tables.h5.journal", "--output", "merged.h5")
        self.assertEqual(self.digest("merged.h5"), self.whole_digest(SWEEP))

    def test_merge_while_a_run_goes_on(self):
        name = self.write(LONG)
        process = subprocess.Popen(self.command(name, "--output", "out.h5", ranks=2), cwd=self.dir, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        while len(list((self.dir / "out.h5.journal").glob("*.journal"))) < 2:
            time.sleep(0.02)
        counts = []
        while len(counts) < 50:
            known = self.known_points("out.h5", may_be_gone=True)
            if known is None:
                break
            counts.append(known)
            time.sleep(0.2)
        message, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, message)
        self.assertEqual(counts, sorted(counts))
        self.assertTrue(any(0 < count < 20 for count in counts), counts)

    def shown_on_terminal(self, *command, columns=0):
        """What a terminal shows that is stderr of a command, whose stdout is a pipe."""
        manager, terminal = pty.openpty()
        if columns:
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen(command, cwd=self.dir, stdout=subprocess.DEVNULL, stderr=terminal)
        os.close(terminal)
        shown = b""
        while True:
            try:
                shown += os.read(manager, 4096)
            except OSError:  # the program has closed its end
                break
        os.close(manager)
        self.assertEqual(process.wait(timeout=60), 0)
        return shown.decode()

    def test_bars_on_a_terminal(self):
        name = self.write(SWEEP.replace('"4 ms"', '"10 ms"'))
        text = self.shown_on_terminal(PIMSWEEP, name, "--output", "a.h5", "--progress", "bar")
        # A bar for each study, drawn over the ones before, and a line for all.
        self.assertRegex(text, r"slow   \[=* *\] +\d+ % of 200 points")
        self.assertRegex(text, r"tables \[=* *\] +\d+ % of 10 points")
        self.assertRegex(text, r"\d+ %, \d+ of 210 points, .*/s, .* left, 1 of 1 rank at work")
        self.assertIn("\x1b[3F", text)
        self.assertRegex(text, r"slow   \[={30}\] 100 % of 200 points")

    def test_bars_under_mpirun_on_a_terminal(self):
        name = self.write(SWEEP.replace('"4 ms"', '"10 ms"'))
        text = self.shown_on_terminal("mpirun", "-n", "2", PIMSWEEP, name, "--output", "a.h5", columns=50)
        # Mpirun passes stderr on from a pipe.
        self.assertRegex(text, r"slow   \[=* *\] +\d+ % of")
        self.assertIn("\x1b[3F", text)
        lines = [re.sub(r"\x1b\[\d*[FK]", "", line) for line in text.split("\r\n")]
        self.assertLess(max(len(line) for line in lines if "%" in line), 50)

    def test_lines_of_progress_without_a_terminal(self):
        name = self.write(SWEEP.replace('"4 ms"', '"30 ms"'))
        started = time.monotonic()
        process = subprocess.Popen(["mpirun", "-n", "2", PIMSWEEP, name, "--output", "a.h5"], cwd=self.dir, text=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        times = []
        for line in process.stderr:
            self.assertRegex(line, r"^\d\d:\d\d:\d\d \d+ %, \d+ of 210 points, .* of 2 ranks at work$")
            times.append(time.monotonic() - started)
        process.stderr.close()
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertGreaterEqual(len(times), 2, times)
        # The intervals double.
        self.assertLess(len(times), 5 + 2 * max(times), times)

    def test_summary(self):
        message = self.run_it(self.write(SWEEP), "--output", "a.h5")
        self.assertRegex(message, r"210 points: \d+ ok, \d+ infeasible, 0 failed; 0 reused, 210 evaluated in .* on 1 rank")
        self.assertRegex(message, r"points/s, ranks busy \d+ %; slowest: slow\[\d+\] ")
        self.assertTrue(re.search(r"a\.h5 \(written in", message))
        self.assertNotIn("without mpirun", message)
        cheap = self.write(SWEEP.replace('"4 ms"', '"0 s"'))
        message = self.run_it(cheap, "--output", "b.h5", ranks=2)
        self.assertRegex(message, r"all points together took \d+ ms, .* without mpirun is faster")


if __name__ == "__main__":
    unittest.main()
