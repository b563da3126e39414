"""Runs without an MPI launcher: pimsweep starts its ranks itself, as processes of this host. What each event gives."""

import os
import pathlib
import resource
import signal
import subprocess
import time
import unittest

import h5py
import numpy

from test_driver import EXPERIMENT, PIMSWEEP
from test_faults import LONG, SWEEP, FaultCase, children_of

# One point.
POINT = """name = "point"
[[study]]
id = "point"
system = "synthetic"
[study.axes]
n = [1]
"""


def is_there(process):
    """Whether a process runs; one that has ended may wait for init to take notice."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class LocalCase(FaultCase):
    def run_local(self, ranks, *arguments, expect=0):
        return self.run_it(*arguments, "--ranks", str(ranks), expect=expect)

    def start_local(self, ranks, *arguments):
        return subprocess.Popen([PIMSWEEP, *arguments, "--ranks", str(ranks)], cwd=self.dir, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, start_new_session=True)

    def assert_gone(self, processes, seconds=5):
        deadline = time.monotonic() + seconds
        while any(is_there(process) for process in processes):
            self.assertLess(time.monotonic(), deadline, processes)
            time.sleep(0.02)


class LocalLaunch(LocalCase):
    def ranks_of(self, text, *prefix, environment=None):
        """On how many ranks a run is by default."""
        name = self.write(text)
        own = {key: value for key, value in os.environ.items() if key != "PIMSWEEP_RANKS"}
        done = subprocess.run([*prefix, PIMSWEEP, name, "--output", "out.h5", "--force"], cwd=self.dir, capture_output=True,
                              text=True, timeout=60, check=False, env=own | (environment or {}))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.provenance("out.h5", "mpi"), "no MPI")
        return int(self.provenance("out.h5", "ranks"))

    def test_all_cores_by_default(self):
        cores = sorted(os.sched_getaffinity(0))
        self.assertEqual(self.ranks_of(EXPERIMENT, "taskset", "-c", str(cores[0])), 1)
        if len(cores) > 1:
            self.assertEqual(self.ranks_of(EXPERIMENT, "taskset", "-c", f"{cores[0]},{cores[-1]}"), 2)
        # From three evaluating ranks on there is one more, which only manages.
        self.assertEqual(self.ranks_of(EXPERIMENT, environment={"PIMSWEEP_RANKS": "5"}), 5)

    def test_threads_of_a_point_change_no_bit(self):
        # One point of a network in four tiles: without others, it gets the cores that are idle.
        name = self.write("""name = "mesh"
[[study]]
id = "mesh"
system = "noc"
fidelity = "cycle"
k = 16
[study.axes]
injection_rate = [0.1]
""")
        for ranks in ("1", "4"):
            self.run_it(name, "--output", f"{ranks}.h5", env=os.environ | {"PIMSWEEP_RANKS": ranks})
        self.assertEqual(self.digest("1.h5"), self.digest("4.h5"))

    def test_no_more_ranks_than_points(self):
        self.assertEqual(self.ranks_of(POINT, environment={"PIMSWEEP_RANKS": "9"}), 1)
        self.assertEqual(self.ranks_of(POINT.replace("[1]", "[1, 2, 3]"), environment={"PIMSWEEP_RANKS": "9"}), 3)
        self.assertEqual(self.ranks_of(POINT.replace("[1]", "[1, 2, 3, 4]"), environment={"PIMSWEEP_RANKS": "9"}), 5)

    def test_numbers_of_ranks_are_checked(self):
        name = self.write(POINT)
        self.assertIn("--ranks", self.run_local(0, name, expect=2))
        for number in ("none", "0", "2 ranks"):
            message = self.run_it(name, expect=2, env=os.environ | {"PIMSWEEP_RANKS": number})
            self.assertIn(f"PIMSWEEP_RANKS must be a number of ranks from 1 on, read '{number}'", message)
        self.assertFalse((self.dir / "results").exists() and list((self.dir / "results").iterdir()))
        message = subprocess.run(["mpirun", "-n", "2", PIMSWEEP, name, "--ranks", "2"], cwd=self.dir, capture_output=True,
                                 text=True, timeout=60, check=False)
        self.assertEqual(message.returncode, 2)
        self.assertEqual(message.stderr.count("--ranks is for runs without an MPI launcher"), 1)

    def test_launchers_that_do_not_fit_are_refused(self):
        name = self.write(POINT)
        message = self.run_it(name, expect=2, env=os.environ | {"PMI_RANK": "0", "PIMSWEEP_MPI": "/nowhere/mpi.so"})
        self.assertIn("PIMSWEEP_MPI names '/nowhere/mpi.so', which is not an MPI module of pimsweep", message)
        message = self.run_it(name, expect=2, env=os.environ | {"PMI_RANK": "0", "PIMSWEEP_MPI": "nosuch"})
        self.assertIn("started by a launcher of nosuch, for which this pimsweep has no module", message)
        # Open MPI's mpirun starts two ranks, but MPICH knows nothing of it, or the other way round.
        if "MPICH" in subprocess.run([PIMSWEEP, "--version", "--verbose"], capture_output=True, text=True, check=True).stdout:
            done = subprocess.run(["mpirun", "-n", "2", PIMSWEEP, name], cwd=self.dir, capture_output=True, text=True, timeout=60,
                                  check=False, env=os.environ | {"PIMSWEEP_MPI": "mpich"})
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count("the launcher has started 2 processes, of which MPICH"), 1, done.stderr)

    def test_processes_that_cannot_be_started(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))

        name = self.write(EXPERIMENT)
        message = self.run_it(name, "--ranks", "32", "--output", "out.h5", expect=2, preexec_fn=limit)
        self.assertRegex(message, r"cannot start process \d+ of 32: Too many open files")
        self.assertFalse((self.dir / "out.h5.journal").exists())

    def test_too_many_ranks_are_refused_at_once(self):
        name, too_many = self.write(EXPERIMENT), 32 * len(os.sched_getaffinity(0)) + 1
        for options, environment in ((["--ranks", str(too_many)], {}), ([], {"PIMSWEEP_RANKS": str(too_many)})):
            begin = time.monotonic()
            message = self.run_it(name, "--output", "out.h5", *options, expect=2, env=os.environ | environment)
            self.assertLess(time.monotonic() - begin, 2)
            self.assertRegex(message, rf"^pimsweep: error: {too_many} ranks are too many for \d+ cores?: .*\n$")
        self.assertEqual(list(self.dir.iterdir()), [self.dir / name])

    def test_a_stop_signal_reaches_all(self):
        name = self.write(LONG.replace("300 ms", "700 ms"))
        for target in ("rank 0", "all"):
            with self.subTest(target=target):
                process = self.start_local(3, name, "--output", f"{target}.h5", "--grace", "10")
                self.wait_for_journals(f"{target}.h5", 3)
                if target == "all":
                    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
                else:
                    process.send_signal(signal.SIGTERM)
                message, _ = process.communicate(timeout=30)
                self.assertEqual(process.returncode, 75, message)
                with h5py.File(self.dir / f"{target}.h5") as file:
                    status = file["long/status"][:]
                # Points in flight are finished; no rank starts the next point of its grant.
                self.assertTrue(1 <= (status == 0).sum() <= 6, status)

    def test_second_interrupt_leaves_at_once(self):
        name = self.write(LONG.replace("300 ms", "30 s"))
        process = self.start_local(3, name, "--output", "out.h5")
        self.wait_for_journals("out.h5", 3)
        processes = [process.pid, *children_of(process.pid)]
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=10)
        self.assertEqual(process.returncode, 75)
        self.assert_gone(processes)

    def test_status_while_it_runs(self):
        name = self.write(LONG)
        process = self.start_local(2, name, "--output", "out.h5")
        self.wait_for_journals("out.h5", 2)
        done = subprocess.run([PIMSWEEP, "status", "out.h5"], cwd=self.dir, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 75, done.stdout)
        self.assertIn("2 of 2 ranks at work", process.communicate(timeout=60)[0])
        self.assertEqual(process.returncode, 0)


class FirstSecond(LocalCase):
    """Between the fork and the first point."""

    def start_and_find_ranks(self, count, *arguments):
        process = self.start_local(count, *arguments)
        self.addCleanup(process.stdout.close)
        deadline = time.monotonic() + 20
        while len(ranks := children_of(process.pid)) < count - 1:
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), deadline)
        return process, ranks

    def test_ranks_that_die_at_once_hold_nobody(self):
        name = self.write(SWEEP)
        for killed in (1, 2, 3):
            with self.subTest(killed=killed):
                output = f"{killed}.h5"
                process, ranks = self.start_and_find_ranks(4, name, "--output", output)
                for rank in ranks[:killed]:
                    os.kill(rank, signal.SIGKILL)
                message, _ = process.communicate(timeout=20)
                self.assertEqual(process.returncode, 0 if killed < 3 else 75, message)
                self.assertNotIn("rank 1 on  is lost", message)
                self.run_it(name, "--output", output, "--resume")
                self.assertEqual(self.digest(output), self.whole_digest(SWEEP))

    def test_a_signal_ends_the_start(self):
        name = self.write(SWEEP)
        process, ranks = self.start_and_find_ranks(3, name, "--output", "out.h5")
        for rank in ranks:
            os.kill(rank, signal.SIGSTOP)
        begin = time.monotonic()
        process.send_signal(signal.SIGTERM)
        message, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 75, message)
        self.assertLess(time.monotonic() - begin, 25)
        self.assert_gone(ranks)
        self.assertEqual(self.run_it(name, "--output", "out.h5", "--resume").count("0 failed"), 1)

    def test_a_signal_ends_planning(self):
        name = self.write('name = "huge"\n[[study]]\nid = "huge"\nsystem = "synthetic"\nwhere = "sin(n) * cos(seed) > 0.99999"\n[study.axes]\n'
                          f"n = {list(range(60000))}\nseed = {list(range(60000))}\n")
        process = self.start_local(2, name, "--output", "out.h5", "--grace", "1")
        self.addCleanup(process.stdout.close)
        time.sleep(2)
        begin = time.monotonic()
        process.send_signal(signal.SIGTERM)
        message, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 75, message)
        self.assertLess(time.monotonic() - begin, 4)

    def test_a_limit_of_file_sizes_is_a_full_disk(self):
        name = self.write(SWEEP)
        for size in (0, 1, 100, 1 << 10, 8 << 10):
            with self.subTest(size=size):
                output = f"{size}.h5"
                done = subprocess.run([PIMSWEEP, name, "--output", output, "--ranks", "3"], cwd=self.dir, capture_output=True,
                                      text=True, timeout=60, check=False,
                                      preexec_fn=lambda size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
                self.assertEqual(done.returncode, 74, done.stderr)
                self.assertIn("File too large", done.stderr)
                self.run_it(name, "--output", output, "--resume")
                self.assertEqual(self.digest(output), self.whole_digest(SWEEP))
                self.assertFalse((self.dir / f"{output}.journal").exists())


class LostRanks(LocalCase):
    def test_others_take_over(self):
        name = self.write(SWEEP)
        for ranks in (2, 4):
            for kind in ("kill", "segv", "exit"):
                with self.subTest(ranks=ranks, kind=kind):
                    output = f"{kind}{ranks}.h5"
                    message = self.run_local(ranks, name, "--output", output, "--fault", f"{kind}@rank=1,nth=5")
                    self.assertIn("rank 1", message)
                    self.assertIn("its process is gone", message)
                    self.assertEqual(self.digest(output), self.whole_digest(SWEEP), message)
                    self.assertFalse((self.dir / f"{output}.journal").exists())

    def test_rank_0_dies(self):
        text = LONG.replace("300 ms", "100 ms")
        name = self.write(text)
        process = self.start_local(4, name, "--output", "out.h5")
        self.wait_for_journals("out.h5", 3)
        while self.known_points("out.h5") == 0:
            self.assertIsNone(process.poll())
        workers = children_of(process.pid)
        self.assertEqual(len(workers), 3)
        process.kill()
        self.assert_gone(workers)
        process.communicate(timeout=10)
        self.assertGreater(self.resume_and_compare(name, text, "out.h5"), 0)

    def test_a_point_that_kills_two_is_quarantined(self):
        name = self.write(SWEEP)
        message = self.run_local(4, name, "--output", "out.h5", "--fault", "segv@point=77", expect=1)
        self.assertIn("1 crashed", message)
        with h5py.File(self.dir / "out.h5") as file:
            self.assertEqual(numpy.flatnonzero(file["slow/status"][:] == 3).tolist(), [77])
        self.run_local(4, name, "--output", "out.h5", "--resume", "--retry-crashed")
        self.assertEqual(self.provenance("out.h5", "points_computed"), "1")
        self.assertEqual(self.digest("out.h5"), self.whole_digest(SWEEP))

    def test_a_signal_to_all_is_no_crash(self):
        # The first point is suspect, and so the next run evaluates it in a process of its own.
        name = self.write(LONG.replace("300 ms", "1 s"))
        self.run_local(1, name, "--output", "out.h5", "--fault", "segv@point=0", expect=-signal.SIGSEGV)
        process = self.start_local(1, name, "--output", "out.h5", "--resume")
        deadline = time.monotonic() + 20
        while not children_of(process.pid):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        time.sleep(0.3)  # its handlers are set
        os.killpg(process.pid, signal.SIGTERM)  # as mpirun and Slurm do
        message, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 75, message)
        with h5py.File(self.dir / "out.h5") as file:
            self.assertEqual(file["long/status"][:].tolist(), [4] * 20, message)

    def test_hanging_and_silent_ranks_end_with_the_run(self):
        name = self.write(SWEEP)
        for fault, options in (("hang@rank=1,nth=4", ["--point-limit", "2"]), ("stop@rank=3,nth=4", ["--silence", "2"])):
            with self.subTest(fault=fault):
                process = self.start_local(4, name, "--output", f"{fault[:4]}.h5", "--fault", fault, *options)
                self.wait_for_journals(f"{fault[:4]}.h5", 3)
                workers = children_of(process.pid)
                message, _ = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 0, message)
                self.assertIn("is lost", message)
                self.assertEqual(self.digest(f"{fault[:4]}.h5"), self.whole_digest(SWEEP))
                self.assert_gone(workers)


if __name__ == "__main__":
    unittest.main()
