"""Runs over several hosts: over TCP, with a link down, with a host lost, with files that only some hosts have.

The hosts are emulated (emulated_hosts.py). Needs $PIMSWEEP; exit status 77 where namespaces may not be made.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

from emulated_hosts import HERE, EmulatedHosts, enter_world

sys.path.insert(0, str(HERE.parent / "driver"))
from test_driver import PIMSWEEP
from test_faults import FaultCase

SWEEP = """name = "hosts"
[[study]]
id = "sweep"
system = "synthetic"
cost_mean = "50 ms"
[study.axes]
n = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
seed = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
"""
MPIRUN = os.path.realpath(shutil.which("mpirun"))
HOSTS = ("node1", "node2", "node3")
# Open MPI's own daemons take a silent host for lost after 3 s instead of 8 min.
KEEPALIVE = [word for name, value in (("time", 1), ("intvl", 1), ("probes", 2))
             for word in ("--mca", f"oob_tcp_keepalive_{name}", str(value))]


class Hosts(FaultCase):
    def setUp(self):
        super().setUp()
        self.name = self.write(SWEEP)
        self.hosts = EmulatedHosts(self.dir / "hosts", HOSTS)
        self.addCleanup(self.hosts.close)

    def start(self, *arguments, options=(), mpirun_on="node1", ranks_on="node1:2,node2:1,node3:1"):
        """Begins a run with rank 0 on node1; what it says goes to the file `said`."""
        command = ["mpirun", "--mca", "plm_rsh_agent", HERE / "run_on.py", *options, "--host", ranks_on, PIMSWEEP,
                   self.name, *arguments]
        with open(self.dir / "said", "w", encoding="utf-8") as said:
            process = subprocess.Popen(self.hosts.command(mpirun_on, *command), cwd=self.dir, stdout=said,
                                       stderr=subprocess.STDOUT)
        self.addCleanup(process.kill)
        return process

    def said(self):
        return (self.dir / "said").read_text()

    def run_to_end(self, *arguments, expect=0, **options):
        self.assertEqual(self.start(*arguments, **options).wait(timeout=90), expect, self.said())
        return self.said()

    def start_and_wait_for_reports(self, *arguments, **options):
        """Returns when every evaluating rank has written results to its journal."""
        process = self.start(*arguments, "--output", "out.h5", "--silence", "4", **options)
        header = 600
        journals = lambda: self.dir.glob("out.h5.journal/*.journal")
        self.wait_until(lambda: sum(path.stat().st_size > header for path in journals()) == 3)
        return process

    def wait_until(self, holds, patience=90):
        deadline = time.monotonic() + patience
        while not holds():
            self.assertLess(time.monotonic(), deadline, self.said())
            time.sleep(0.05)

    def end_mpirun(self, process):
        """Under recovery mpirun of Open MPI 4.1 waits for ever for its daemon on a lost host; a second TERM ends it."""
        for _ in range(2):
            for mpirun in self.hosts.processes(MPIRUN):
                os.kill(mpirun, signal.SIGTERM)
        process.wait(timeout=20)

    def nobody_is_left(self):
        return not any(self.hosts.processes(PIMSWEEP))

    def test_same_data_over_tcp(self):
        self.run_to_end("--output", "out.h5")
        self.assertEqual(self.digest("out.h5"), self.whole_digest(SWEEP))
        self.assertEqual(self.provenance("out.h5", "hosts"), "node1 node2 node3")
        handshake = 10000
        for host in HOSTS[1:]:
            self.assertGreater(self.hosts.bytes_sent(host), handshake)

    def test_a_link_down_for_five_seconds(self):
        process = self.start("--output", "out.h5")
        self.wait_until(lambda: len(list(self.dir.glob("out.h5.journal/*.journal"))) == 3)
        self.hosts.disconnect("node2")
        time.sleep(5)
        self.hosts.connect("node2")
        self.assertEqual(process.wait(timeout=90), 0, self.said())
        self.assertNotIn("is lost", self.said())
        self.assertEqual(self.digest("out.h5"), self.whole_digest(SWEEP))

    def test_hosts_are_lost(self):
        process = self.start_and_wait_for_reports(options=KEEPALIVE)
        self.hosts.power_off("node2")
        self.hosts.disconnect("node3")
        self.assertNotEqual(process.wait(timeout=90), 0, self.said())
        self.wait_until(self.nobody_is_left)
        self.assertGreater(self.resume_and_compare(self.name, SWEEP, "out.h5"), 0)

    def test_hosts_are_lost_under_recovery(self):
        process = self.start_and_wait_for_reports(options=["--enable-recovery", *KEEPALIVE])
        self.hosts.power_off("node2")
        self.hosts.disconnect("node3")
        self.wait_until((self.dir / "out.h5").exists)
        self.wait_until(self.nobody_is_left)
        self.assertEqual(self.digest("out.h5"), self.whole_digest(SWEEP))
        for host in HOSTS[1:]:
            self.assertRegex(self.said(), f"rank . on {host} is lost: no message for")
        self.end_mpirun(process)

    def test_the_managers_host_is_lost(self):
        self.start_and_wait_for_reports(options=KEEPALIVE)
        self.hosts.power_off("node1")
        self.wait_until(self.nobody_is_left)
        self.assertGreater(self.resume_and_compare(self.name, SWEEP, "out.h5"), 0)

    def test_the_managers_host_is_lost_under_recovery(self):
        # The host of mpirun comes first wherever it has ranks.
        process = self.start_and_wait_for_reports(options=["--enable-recovery", *KEEPALIVE], mpirun_on="node3",
                                                  ranks_on="node1:2,node2:1")
        self.hosts.power_off("node1")
        self.wait_until(self.nobody_is_left)
        self.end_mpirun(process)
        self.assertGreater(self.resume_and_compare(self.name, SWEEP, "out.h5"), 0)

    def test_an_output_folder_that_only_the_manager_has(self):
        (self.dir / "own").mkdir()
        self.hosts.run("node1", "mount", "-t", "tmpfs", "tmpfs", self.dir / "own")
        self.hosts.run("node1", "mkdir", self.dir / "own/results")
        message = self.run_to_end("--output", "own/results/out.h5", expect=2)
        for host in HOSTS[1:]:
            self.assertIn(f"on host {host}: ", message)
        left = self.hosts.run("node1", "ls", self.dir / "own/results", capture_output=True, text=True).stdout
        self.assertEqual(left, "")

    def test_an_output_folder_that_is_each_hosts_own(self):
        for host in HOSTS:
            (self.dir / "own").mkdir(exist_ok=True)
            self.hosts.run(host, "mount", "-t", "tmpfs", "tmpfs", self.dir / "own")
            self.hosts.run(host, "mkdir", self.dir / "own/out.h5.journal")
        message = self.run_to_end("--output", "own/out.h5", "--resume", expect=2)
        for host in HOSTS[1:]:
            self.assertIn(f"on host {host}: ", message)

    def test_an_experiment_that_is_another_on_one_host(self):
        self.write(SWEEP.replace("50 ms", "51 ms"), "other.toml")
        self.hosts.run("node2", "mount", "--bind", self.dir / "other.toml", self.dir / self.name)
        self.assertIn("host node2 reads a different plan", self.run_to_end("--output", "out.h5", expect=2))
        self.hosts.run("node2", "umount", self.dir / self.name)
        self.hosts.run("node3", "mount", "--bind", "/dev/null", self.dir / self.name)
        self.assertIn("on host node3: ", self.run_to_end("--output", "out.h5", expect=2))
        self.assertFalse((self.dir / "out.h5.journal").exists())


if __name__ == "__main__":
    if not enter_world():
        print("skipped: this user may not make network, PID and mount namespaces, or unshare or ip is missing")
        sys.exit(77)
    unittest.main()
