"""Launches that are disturbed at random: nothing is lost, nothing is wrong, nothing hangs.

Each trial launches 2 to 8 ranks, under mpirun with or without --enable-recovery or without a launcher, on an experiment with
lists of points, a search and sampled machines. It sends a random signal to random processes after a random time, waits for the
end, resumes, and compares with an undisturbed run. A trial takes one to three seconds:

    PIMSWEEP=build/release/pimsweep python3 tests/driver/random_kills.py --trials 1000 --seed 1

A trial's choices depend on its number and the seed alone: --first repeats one. INT or TERM ends the trials early. Prints
a table; exit status 1 if a trial failed.
"""

import argparse
import collections
import dataclasses
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

PIMSWEEP = os.environ["PIMSWEEP"]
EXPERIMENT = """name = "trial"
[[study]]
id = "points"
system = "synthetic"
cost_mean = "3 ms"
infeasible_rate = 0.1
rows = 2
[study.axes]
n = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
seed = [1, 2, 3, 4, 5, 6]
[[study]]
id = "long"
system = "synthetic"
cost_mean = "50 ms"
[study.axes]
n = [0, 1, 2, 3]
[[study]]
id = "seek"
system = "synthetic"
cost_mean = "3 ms"
infeasible_rate = 0.2
[study.search]
min = ["checksum"]
population = 8
generations = 3
[study.search.ranges]
n = { from = 0, to = 60000 }
[[study]]
id = "drawn"
system = "gpu"
hardware = "gpu-v100"
model = "alexnet"
[study.axes]
batch = [1, 8]
[study.uncertainty]
samples = 8
"""
STUDIES = ("points", "long", "seek", "drawn")
FAULTS = ("KILL", "TERM", "INT", "USR1", "STOP, CONT", "STOP, KILL")
TARGETS = ("mpirun", "rank 0", "another rank", "several ranks")
# Time limit of a launch after a disturbance, on a busy machine: the manager waits for silent ranks.
PATIENCE = 90


@dataclasses.dataclass
class Outcome:
    """What was wrong in a trial; all of it is zero or empty in a good one."""
    lost: int = 0
    wrong: int = 0
    hangs: int = 0
    # mpirun does not end although all its ranks have.
    mpirun_hangs: int = 0
    left_processes: int = 0
    left_files: int = 0
    notes: str = ""

    def is_good(self):
        return not (self.lost or self.wrong or self.hangs or self.mpirun_hangs or self.left_processes or self.left_files
                    or self.notes)


def environment_of(process):
    """Empty of a process that has ended, and of the one that watches mpirun, which goes with mpirun."""
    try:
        if pathlib.Path(f"/proc/{process}/comm").read_text() == "pimsweep-watch\n":
            return {}
        entries = pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return {}
    return dict(entry.decode(errors="replace").split("=", 1) for entry in entries if b"=" in entry)


def processes_marked(mark):
    """Live processes of a trial: process to rank; None for mpirun."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        environment = environment_of(folder.name)
        if environment.get("PIMSWEEP_TRIAL") == mark:
            rank = environment.get("OMPI_COMM_WORLD_RANK")
            found[int(folder.name)] = None if rank is None else int(rank)
    return found


def local_ranks(manager):
    """Ranks of a run without a launcher: process to rank."""
    try:
        children = pathlib.Path(f"/proc/{manager}/task/{manager}/children").read_text().split()
    except OSError:
        return {}
    return {manager: 0} | {int(child): rank for rank, child in enumerate(children, start=1)}


def send(process, name):
    try:
        os.kill(process, getattr(signal, f"SIG{name}"))
    except ProcessLookupError:
        pass


def where_it_hangs(processes):
    """What each process waits for, for whoever looks into a hang."""
    lines = []
    for process, rank in processes.items():
        folder = pathlib.Path(f"/proc/{process}")
        try:
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            threads = [f"{(task / 'comm').read_text().strip()}:{(task / 'wchan').read_text()}:"
                       f"{(task / 'syscall').read_text().split()[0]}" for task in (folder / "task").iterdir()]
        except OSError:
            continue
        lines.append(f"  process {process}, rank {rank}, state {state}: {', '.join(threads)}")
        debugged = subprocess.run(["gdb", "-p", str(process), "-batch", "-ex", "thread apply all bt 14"],
                                  capture_output=True, text=True, timeout=60, check=False) if GDB else None
        if debugged:
            lines += [f"    {line}" for line in debugged.stdout.splitlines() if line.startswith(("#", "Thread"))]
    return "\n".join(lines)


GDB = any(os.access(os.path.join(folder, "gdb"), os.X_OK) for folder in os.environ["PATH"].split(os.pathsep))


class Trial:
    def __init__(self, folder, seed, number, durations, launcher):
        self.folder = folder
        self.random = random.Random(f"{seed}/{number}")
        self.is_local = launcher == "local" or (launcher == "any" and self.random.random() < 0.4)
        self.mark = f"{os.getpid()}-{number}"
        self.output = f"{number}.h5"
        self.ranks = self.random.randint(2, 8)
        self.recovery = self.random.random() < 0.5
        self.fault = self.random.choice(FAULTS)
        self.target = self.random.choice(TARGETS[1:] if self.is_local else TARGETS)
        self.delay = self.random.uniform(0, 1.1 * durations["local" if self.is_local else "mpirun"])
        self.pause = self.random.uniform(0.05, 2.5)
        self.outcome = Outcome()
        self.status = None
        self.text = ""
        self.digest = None

    def __str__(self):
        how = "without a launcher" if self.is_local else f"{'with' if self.recovery else 'without'} recovery"
        return f"{self.fault} to {self.target} of {self.ranks} after {self.delay:.3f} s, {how}"

    def victims(self):
        ranks = local_ranks(self.launch.pid) if self.is_local else processes_marked(self.mark)
        by_rank = {rank: process for process, rank in ranks.items() if rank is not None}
        others = sorted(rank for rank in by_rank if rank != 0)
        if self.target == "mpirun":
            return [self.launch.pid]
        if self.target == "rank 0":
            return [by_rank[0]] if 0 in by_rank else []
        if self.target == "another rank":
            return [by_rank[self.random.choice(others)]] if others else []
        count = self.random.randint(2, max(2, len(by_rank)))
        return [by_rank[rank] for rank in self.random.sample(sorted(by_rank), min(count, len(by_rank)))]

    def disturb(self):
        first, _, second = self.fault.partition(", ")
        victims = self.victims()
        for process in victims:
            send(process, first)
        if second:
            time.sleep(self.pause)
            for process in victims:
                send(process, second)

    def run(self):
        command = [PIMSWEEP, "trial.toml", "--output", self.output, "--silence", "4", "--grace", "2"]
        if self.is_local:
            command += ["--ranks", str(self.ranks)]
        else:
            command[:0] = ["mpirun", *(["--enable-recovery"] if self.recovery else []), "-n", str(self.ranks)]
        with open(self.folder / f"{self.output}.log", "w+") as log:
            self.launch = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                           env=dict(os.environ, PIMSWEEP_TRIAL=self.mark), start_new_session=True)
            time.sleep(self.delay)
            self.disturb()
            try:
                self.status = self.launch.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                waiting = processes_marked(self.mark)
                if self.is_local or any(rank is not None for rank in waiting.values()):
                    self.outcome.hangs = 1
                else:
                    self.outcome.mpirun_hangs = 1
                self.outcome.notes += where_it_hangs(waiting)
            self.clear_processes()
            log.seek(0)
            self.text = log.read()
        try:
            self.resume()
        except subprocess.TimeoutExpired as hang:
            self.outcome.hangs += 1
            self.outcome.notes += f"  {hang}\n"
        return self.outcome

    def clear_processes(self):
        """No process may outlive its launch by more than a moment."""
        is_hanging = self.outcome.hangs or self.outcome.mpirun_hangs
        deadline = time.monotonic() + (0 if is_hanging else 15)
        while (left := processes_marked(self.mark)) and time.monotonic() < deadline:
            time.sleep(0.1)
        if left and not is_hanging:
            self.outcome.left_processes = len(left)
            self.outcome.notes += where_it_hangs(left)
        for process in left:
            send(process, "KILL")
        if is_hanging:
            self.launch.wait(10)

    def pimsweep(self, *arguments):
        return subprocess.run([PIMSWEEP, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE,
                              check=False)

    def known_points(self):
        """How many points the journals hold, by a merge of their own; None if there are none."""
        merged = f"{self.output}.known"
        done = self.pimsweep("merge", f"{self.output}.journal", "--output", merged)
        if done.returncode == 2 and "no journal" in done.stderr:
            return 0
        with h5py.File(self.folder / merged) as file:
            count = sum(int(numpy.isin(file[study]["status"][:], (0, 1)).sum()) for study in STUDIES)
        (self.folder / merged).unlink()
        return count

    def resume(self):
        was_complete = (self.folder / self.output).exists() and not (self.folder / f"{self.output}.journal").exists()
        known = None if was_complete else self.known_points()
        done = self.pimsweep("trial.toml", "--output", self.output, "--resume")
        if done.returncode != 0:
            self.outcome.wrong = 1
            self.outcome.notes += f"  resumed: status {done.returncode}\n{done.stdout}{done.stderr}"
            return
        with h5py.File(self.folder / self.output) as file:
            self.digest = file.attrs["digest"]
            reused = int(file["provenance"].attrs["points_reused"])
        if known is not None:
            claimed = re.search(r"(\d+) of \d+ points are done and kept", self.text)
            self.outcome.lost = max(0, max(known, int(claimed[1]) if claimed else 0) - reused)
        left = [path.name for path in self.folder.glob(f"{self.output}*")
                if path.name not in (self.output, f"{self.output}.log")]
        self.outcome.left_files = len(left)
        self.outcome.notes += "".join(f"  left: {name}\n" for name in left)


def undisturbed(folder):
    """The digest of a whole run, and the time of the longest launch of each kind."""
    (folder / "trial.toml").write_text(EXPERIMENT)
    subprocess.run([PIMSWEEP, "trial.toml", "--output", "whole.h5"], cwd=folder, check=True, capture_output=True)
    with h5py.File(folder / "whole.h5") as whole:
        digest = whole.attrs["digest"]
    durations = {}
    for launcher, launch, ranks in (("local", [], ["--ranks", "8"]), ("mpirun", ["mpirun", "-n", "8"], [])):
        start = time.monotonic()
        done = subprocess.run([*launch, PIMSWEEP, "trial.toml", "--output", f"{launcher}.h5", *ranks], cwd=folder,
                              check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"an undisturbed launch ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        durations[launcher] = time.monotonic() - start
        with h5py.File(folder / f"{launcher}.h5") as many:
            assert many.attrs["digest"] == digest
    return digest, durations


def print_table(results):
    print("| fault | target | recovery | trials | points lost | wrong bytes | hangs | hangs of mpirun | processes left | files left |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for key in sorted(results):
        outcomes = results[key]
        sums = [sum(getattr(outcome, field) for outcome in outcomes)
                for field in ("lost", "wrong", "hangs", "mpirun_hangs", "left_processes", "left_files")]
        print(f"| {' | '.join(key)} | {len(outcomes)} | {' | '.join(map(str, sums))} |")


def run_trials(arguments, results):
    """Fills in the outcomes by fault, target and recovery, until all trials are done or an interrupt comes."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        folder = pathlib.Path(scratch)
        digest, durations = undisturbed(folder)
        for number in range(arguments.first, arguments.first + arguments.trials):
            trial = Trial(folder, arguments.seed, number, durations, arguments.launcher)
            if arguments.recovery and trial.recovery != (arguments.recovery == "yes"):
                continue
            outcome = trial.run()
            if trial.digest not in (None, digest):
                outcome.wrong = 1
            recovery = "local" if trial.is_local else "yes" if trial.recovery else "no"
            results[trial.fault, trial.target, recovery].append(outcome)
            if (number + 1) % 100 == 0:
                print(f"{number + 1 - arguments.first} trials so far", file=sys.stderr, flush=True)
            if not outcome.is_good():
                print(f"trial {number}: {trial}: {outcome.notes}\n{trial.text}", file=sys.stderr, flush=True)
            for path in folder.glob(f"{number}.h5*"):
                if path.is_file():
                    path.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--launcher", choices=("any", "mpirun", "local"), default="any")
    parser.add_argument("--recovery", choices=("yes", "no"), help="only with or only without --enable-recovery")
    arguments = parser.parse_args()
    results = collections.defaultdict(list)
    # A shell's background job does not get interrupts.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        run_trials(arguments, results)
    except KeyboardInterrupt:
        pass
    outcomes = [outcome for group in results.values() for outcome in group]
    failed = sum(not outcome.is_good() for outcome in outcomes)
    print_table(results)
    print(f"{len(outcomes)} trials, seed {arguments.seed}: {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
