#!/usr/bin/env python3
"""Random experiments, disturbed at random: soak.py [--minutes 60] [--seed 1] [--program PIMSWEEP].

Each trial draws an experiment, launches it several times with random ranks, signals, kills and full disks, resumes it
to the end, and compares with an undisturbed run: no point that was reported may be lost, no byte may differ, nothing
may hang, no process and no file may be left. Beside the trials one long run goes on, whose memory must stay flat.

Prints a table; exit status 1 if anything failed. A trial depends on its number and the seed alone: --first repeats one.
Disks are filled only for root, who may mount a small one.
"""

import argparse
import collections
import contextlib
import dataclasses
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "driver"))
# Cheap enough that a trial takes seconds, on any machine.
SHIPPED = ("gemm", "gpu", "hypar", "kernel", "manycore", "newton", "pimflow", "heteropim")
FAULTS = ("none", "KILL a rank", "KILL rank 0", "KILL mpirun", "STOP, CONT", "STOP, KILL", "USR1", "TERM", "INT",
          "full disk")
MAX_LAUNCHES = 3
# So long a launch may take on a busy machine.
PATIENCE = 120
DISK_MB = 64


@dataclasses.dataclass
class Outcome:
    """What was wrong in a launch; all zero in a good one."""
    lost: int = 0
    wrong: int = 0
    hangs: int = 0
    processes: int = 0
    files: int = 0


def sweep_of_synthetic(draw):
    """An experiment whose points take up to some ms and fill up to some rows."""
    studies = "".join(f"""
[[study]]
id = "s{number}"
system = "synthetic"
cost_mean = "{draw.choice((0.1, 1, 5, 20))} ms"
cost_distribution = "{draw.choice(("constant", "exponential", "lognormal"))}"
infeasible_rate = {draw.choice((0, 0.2))}
rows = {draw.choice((0, 1, 7, 400))}
[study.axes]
n = {list(range(draw.randint(1, 20)))}
label = {draw.sample(["a", "ä b", "", "c", "long " * 30], 2)}
seed = {draw.sample(range(1000), draw.randint(1, 8))}
""" for number in range(draw.randint(1, 3)))
    return f'name = "soak"\n{studies}'


def sweep_of_machines(draw):
    """Machines drawn at random, as in experiments/examples/sample.toml."""
    text = (ROOT / "experiments" / "examples" / "sample.toml").read_text()
    return re.sub(r"(?m)^seed = \d+", f"seed = {draw.randrange(1000)}", text)


class Experiment:
    """File and options of a run, and what it gives undisturbed."""

    def __init__(self, draw, program, folder):
        kind = draw.random()
        self.options = []
        self.file = folder / "soak.toml"
        if kind < 0.5:
            self.file.write_text(sweep_of_synthetic(draw))
        elif kind < 0.6:
            self.file.write_text(sweep_of_machines(draw))
        else:
            self.file = ROOT / "experiments" / f"{draw.choice(SHIPPED)}.toml"
            plan = subprocess.run([program, "plan", self.file, "--ids"], capture_output=True, text=True, check=True)
            ids = plan.stdout.split()
            for study in draw.sample(ids, min(2, len(ids))):
                self.options += ["--study", study]
            if self.file.stem in ("gpu", "hypar") and draw.random() < 0.5:
                self.options += ["--set", f"batch={draw.randint(1, 64)}"]
        start = time.monotonic()
        done = subprocess.run([program, self.file, *self.options, "--output", folder / "whole.h5"], capture_output=True,
                              text=True, timeout=600, check=False)
        self.seconds = time.monotonic() - start
        self.status = done.returncode
        self.digest = digest_of(folder / "whole.h5") if self.status in (0, 1) else None

    def __str__(self):
        return " ".join([self.file.name, *self.options])


def digest_of(path):
    with h5py.File(path) as file:
        return file.attrs["digest"]


class Trial:
    def __init__(self, arguments, folder, disk, number):
        self.draw = random.Random(f"{arguments.seed}/{number}")
        self.program, self.folder, self.disk, self.number = arguments.program, folder, disk, number
        self.mark = f"{os.getpid()}-{number}"
        self.experiment = Experiment(self.draw, self.program, folder)
        self.outcomes = []
        self.story = [f"trial {number}: {self.experiment}"]

    def run(self):
        """[(fault, Outcome)] of its launches; the last one's outcome has what is found at the end."""
        if self.experiment.digest is None:  # a --set that the experiment does not allow
            return []
        place = self.disk if self.disk and self.draw.random() < 0.3 else self.folder
        self.output = place / "out.h5"
        known, done = 0, False
        for _ in range(self.draw.randint(1, MAX_LAUNCHES)):
            full = place == self.disk and self.draw.random() < 0.5
            fault = "full disk" if full else self.draw.choice(FAULTS[:-1])
            outcome, text, status = self.launch(fault)
            self.outcomes.append((fault, outcome))
            self.story.append(f"{fault}: status {status}\n{text}")
            done = self.output.exists() and not self.journals().exists()
            if done:
                break
            outcome.lost = max(0, known - self.known_points())
            claimed = re.search(r"(\d+) of \d+ points are done and kept", text)
            known = max(self.known_points(), int(claimed[1]) if claimed else 0)
        self.finish(known, done)
        return self.outcomes

    def journals(self):
        return self.output.with_name("out.h5.journal")

    def launch(self, fault):
        ranks = self.draw.randint(1, 6)
        command = [self.program, self.experiment.file, *self.experiment.options, "--output", self.output, "--resume",
                   "--silence", "3", "--grace", "2"]
        if ranks > 1 or "mpirun" in fault:
            recovery = ["--enable-recovery"] if self.draw.random() < 0.5 else []
            command = ["mpirun", *recovery, "-n", str(ranks), *command]
        outcome = Outcome()
        with open(self.folder / "log", "w+", encoding="utf-8") as log:
            process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                       env=dict(os.environ, PIMSWEEP_TRIAL=self.mark), start_new_session=True)
            self.disturb(fault, process)
            try:
                status = process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                status, outcome.hangs = None, 1
                self.story.append(random_kills.where_it_hangs(random_kills.processes_marked(self.mark)))
            outcome.processes = self.clear_processes(process)
            if self.disk:
                (self.disk / "ballast").unlink(missing_ok=True)
            log.seek(0)
            return outcome, log.read(), status

    def fill_disk(self, room):
        """Leaves so many bytes. The run writes meanwhile: what was free a moment ago may be taken."""
        with open(self.disk / "ballast", "wb") as ballast:
            size = 0
            while (free := os.statvfs(self.disk).f_bavail * os.statvfs(self.disk).f_frsize) > room:
                with contextlib.suppress(OSError):
                    os.posix_fallocate(ballast.fileno(), size, free - room)
                    size += free - room

    def disturb(self, fault, process):
        if fault == "full disk":
            self.fill_disk(self.draw.choice((0, 4, 64, 1024)) << 10)
            return
        time.sleep(self.draw.uniform(0, 0.8 + self.experiment.seconds))
        by_rank = {rank: pid for pid, rank in random_kills.processes_marked(self.mark).items() if rank is not None}
        others = [pid for rank, pid in sorted(by_rank.items()) if rank != 0]
        victim = {"KILL rank 0": by_rank.get(0), "KILL mpirun": process.pid, "USR1": process.pid, "TERM": process.pid,
                  "INT": process.pid}.get(fault, self.draw.choice(others) if others else process.pid)
        signals = re.findall("[A-Z0-9]{3,}", fault)
        for name in signals if victim else ():
            random_kills.send(victim, name)
            if len(signals) > 1:
                time.sleep(self.draw.uniform(0.1, 5))

    def clear_processes(self, launch):
        """How many processes outlived their launch by more than a moment; ends them."""
        deadline = time.monotonic() + (0 if launch.poll() is None else 15)
        while (left := random_kills.processes_marked(self.mark)) and time.monotonic() < deadline:
            time.sleep(0.1)
        for process in left:
            random_kills.send(process, "KILL")
        launch.wait(10)
        return len(left) if launch.returncode != -signal.SIGKILL else 0

    def known_points(self):
        """How many points the journals hold, by a merge of their own."""
        merged = self.folder / "known.h5"
        done = subprocess.run([self.program, "merge", self.journals(), "--output", merged], capture_output=True,
                              text=True, timeout=PATIENCE, check=False)
        if done.returncode == 2 and "no journal" in done.stderr:
            return 0
        with h5py.File(merged) as file:
            studies = [item for item in file.values() if isinstance(item, h5py.Group) and "status" in item]
            count = sum(int(numpy.isin(study["status"][:], (0, 1)).sum()) for study in studies)
        merged.unlink()
        return count

    def finish(self, known, done):
        """The last resume, undisturbed, and what is left after it."""
        outcome = self.outcomes[-1][1]
        if not done:
            ended = subprocess.run([self.program, self.experiment.file, *self.experiment.options, "--output",
                                    self.output, "--resume", "--retry-crashed"], cwd=self.folder, capture_output=True,
                                   text=True, timeout=600, check=False)
            self.story.append(f"resumed: status {ended.returncode}\n{ended.stdout}{ended.stderr}")
            if ended.returncode != self.experiment.status:
                outcome.wrong += 1
                return
            with h5py.File(self.output) as file:
                outcome.lost += max(0, known - int(file["provenance"].attrs["points_reused"]))
        outcome.wrong += digest_of(self.output) != self.experiment.digest
        left = [path.name for path in self.output.parent.iterdir()
                if path.name.startswith("out.h5") and path != self.output]
        outcome.files += len(left)
        self.story += [f"left: {name}" for name in left]


class LongRun:
    """A run of cheap points that takes longer than the trials, and the memory that it holds."""

    def __init__(self, program, folder, minutes):
        text = f"""name = "long"
[[study]]
id = "long"
system = "synthetic"
cost_mean = "10 ms"
[study.axes]
n = {list(range(1000))}
seed = {list(range(20 + round(10 * minutes)))}
"""
        (folder / "long.toml").write_text(text)
        self.samples = []
        self.log = open(folder / "long.log", "w", encoding="utf-8")
        self.process = subprocess.Popen(["nice", "-n", "10", program, "long.toml", "--output", "long.h5"], cwd=folder,
                                        stdout=self.log, stderr=self.log)

    def sample(self):
        try:
            status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return
        if found := re.search(r"VmRSS:\s+(\d+) kB", status):
            self.samples.append(int(found[1]))

    def end(self):
        """Whether its memory was flat: the second half of the time needed no more than the first, but for 2 %."""
        self.process.send_signal(signal.SIGUSR1)
        status = self.process.wait(300)
        half = len(self.samples) // 2
        if half < 2:
            print("long run: too short to tell")
            return True
        first, second = max(self.samples[1:half + 1]), max(self.samples[half:])
        print(f"long run: status {status}, {len(self.samples)} samples of its memory, at most {first} kB in the first "
              f"half, {second} kB in the second")
        return status == 75 and second <= 1.02 * first


def print_table(results):
    print("| fault | launches | points lost | wrong results | hangs | processes left | files left |")
    print("|---|---|---|---|---|---|---|")
    for fault in sorted(results, key=FAULTS.index):
        sums = [sum(getattr(outcome, field.name) for outcome in results[fault])
                for field in dataclasses.fields(Outcome)]
        print(f"| {fault} | {len(results[fault])} | {' | '.join(map(str, sums))} |")


def small_disk(folder):
    """A disk that can be filled, or None. It vanishes with the mount namespace of this process."""
    if "SOAK_MOUNTS" not in os.environ:
        return None
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", disk], check=True)
    return disk


def run_trials(arguments, folder, disk, long_run, results):
    end = time.monotonic() + 60 * arguments.minutes
    number = arguments.first
    while time.monotonic() < end:
        place = folder / str(number)
        place.mkdir()
        trial = Trial(arguments, place, disk, number)
        outcomes = trial.run()
        for fault, outcome in outcomes:
            results[fault].append(outcome)
        if any(outcome != Outcome() for _, outcome in outcomes):
            print("\n".join(trial.story), file=sys.stderr, flush=True)
        shutil.rmtree(place)
        for path in disk.iterdir() if disk else ():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        long_run.sample()
        number += 1
        print(f"trial {trial.number}: {trial.experiment}, {', '.join(fault for fault, _ in outcomes)}", flush=True)
    return number - arguments.first


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first trial")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "pimsweep")
    return parser.parse_args()


def main():
    arguments = read_options()
    arguments.program = arguments.program.resolve()
    os.environ.setdefault("PIMSWEEP_CONFIGS", str(ROOT / "configs"))
    results = collections.defaultdict(list)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pimsweep-soak-") as scratch:
        folder = pathlib.Path(scratch)
        disk = small_disk(folder)
        long_run = LongRun(arguments.program, folder, arguments.minutes)
        try:
            trials = run_trials(arguments, folder, disk, long_run, results)
        finally:
            flat = long_run.end()
            if disk:
                subprocess.run(["umount", disk], check=True)
    print_table(results)
    failed = sum(outcome != Outcome() for outcomes in results.values() for outcome in outcomes)
    print(f"{trials} trials in {(time.monotonic() - start) / 60:.1f} min, seed {arguments.seed}: {failed} launches "
          f"failed, memory {'flat' if flat else 'NOT FLAT'}")
    return 0 if failed == 0 and flat else 1


if __name__ == "__main__":
    if os.geteuid() == 0 and "SOAK_MOUNTS" not in os.environ:
        os.environ["SOAK_MOUNTS"] = "1"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])
    os.environ["PIMSWEEP"] = str(read_options().program.resolve())
    import random_kills
    sys.exit(main())
