"""Runs pimsweep on synthetic points under mpirun and watches it from outside: phases, memory, CPU time of each rank."""

import dataclasses
import os
import pathlib
import subprocess
import time

import h5py

import machine

TICK = os.sysconf("SC_CLK_TCK")
SAMPLE_SECONDS = 0.25


def cores():
    return len(os.sched_getaffinity(0))


def evaluators(ranks):
    """From four ranks on, rank 0 only manages."""
    return ranks if ranks < 4 else ranks - 1


@dataclasses.dataclass
class Rank:
    """What was last seen of one rank."""

    memory: int = 0  # peak resident memory, bytes
    cpu: list = dataclasses.field(default_factory=list)  # (time, CPU seconds so far)

    def cpu_between(self, begin, end):
        """(CPU seconds, seconds) between the first and the last sample within begin and end."""
        inside = [(when, seconds) for when, seconds in self.cpu if begin <= when <= end]
        if len(inside) < 2:
            return 0.0, 0.0
        return inside[-1][1] - inside[0][1], inside[-1][0] - inside[0][0]


@dataclasses.dataclass
class Run:
    wall: float  # mpirun's start to its end
    start_seconds: float  # until every evaluating rank has its journal
    evaluation_seconds: float  # from the first grant to the last report, by the program's own clock
    file_seconds: float  # from the last byte of a journal to the end: results file and MPI's end
    begin: float
    end: float
    ranks: dict
    points_seconds: float  # sum over the points of what their evaluation took, wall time
    cost_seconds: float  # sum of the processor time that they were meant to take
    longest_cost: float

    def cpu_seconds(self):
        """CPU time of all ranks during the evaluation."""
        return sum(rank.cpu_between(self.begin, self.end)[0] for rank in self.ranks.values())


class Experiment:
    """So many synthetic points; axes are fixed for all of them."""

    def __init__(self, points, **axes):
        self.points = points
        # The product of two lists, so that the file stays short.
        inner = next(size for size in range(min(points, 4000), 0, -1) if points % size == 0)
        lines = ['name = "benchmark"', "[[study]]", 'id = "points"', 'system = "synthetic"']
        lines += [f'{name} = "{value}"' for name, value in axes.items()]
        lines += ["[study.axes]", f"seed = {list(range(points // inner))}", f"n = {list(range(inner))}"]
        self.text = "\n".join(lines) + "\n"

    def run(self, program, ranks, folder):
        """Runs in `folder` on so many ranks. Raises CalledProcessError with what the program said if it fails."""
        (folder / "benchmark.toml").write_text(self.text)
        journals = folder / "out.h5.journal"
        command = ["mpirun", "-n", str(ranks), str(program), "benchmark.toml", "--output", "out.h5", "--force", "--keep-journals",
                   "--progress", "none"]
        begin = None
        seen = {}
        start = time.time()
        with open(folder / "said.txt", "w+") as said:
            process = subprocess.Popen(command, cwd=folder, env=machine.mpi_environment(), stdout=said, stderr=said)
            sampled = 0.0
            while process.poll() is None:
                if begin is None and journals.is_dir() and len(list(journals.glob("*.journal"))) >= evaluators(ranks):
                    begin = time.time()
                if time.time() - sampled >= SAMPLE_SECONDS:
                    sampled = time.time()
                    sample(process.pid, seen)
                time.sleep(0.002 if begin is None else SAMPLE_SECONDS / 2)
            finish = time.time()
            said.seek(0)
            if process.returncode != 0:
                raise subprocess.CalledProcessError(process.returncode, command, said.read())
        # The kernel's file times come from a clock with a tick of some milliseconds.
        written = max(path.stat().st_mtime for path in journals.glob("*.journal"))
        begin = min(begin if begin is not None else written, written)
        with h5py.File(folder / "out.h5") as file:
            costs = file["points/cost"][:]
            seconds = file["provenance/points/seconds"][:]
            evaluation = float(file["provenance"].attrs["evaluation_seconds"])
        return Run(wall=finish - start, start_seconds=begin - start, evaluation_seconds=evaluation,
                   file_seconds=finish - written, begin=begin, end=written, ranks=seen, points_seconds=float(seconds.sum()),
                   cost_seconds=float(costs.sum()), longest_cost=float(costs.max()))


def rank_processes(mpirun):
    """The process of each rank that mpirun has started so far."""
    children = []
    for thread in pathlib.Path(f"/proc/{mpirun}/task").glob("*"):  # many ranks are started by several threads
        try:
            children += (thread / "children").read_text().split()
        except OSError:
            continue  # it has just ended
    ranks = {}
    for pid in children:
        try:
            variables = (pathlib.Path("/proc") / pid / "environ").read_bytes().split(b"\0")
        except OSError:
            continue  # it has just ended
        number = next((int(value.split(b"=")[1]) for value in variables if value.startswith(b"OMPI_COMM_WORLD_RANK=")), None)
        if number is not None:
            ranks[number] = pid
    return ranks


def sample(mpirun, seen):
    """Adds what /proc says of mpirun's children now."""
    for number, pid in rank_processes(mpirun).items():
        folder = pathlib.Path("/proc") / pid
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            peak = next(int(line.split()[1]) * 1024 for line in (folder / "status").read_text().splitlines() if line.startswith("VmHWM"))
        except (OSError, StopIteration):
            continue  # it has just ended
        rank = seen.setdefault(number, Rank())
        rank.memory = max(rank.memory, peak)
        rank.cpu.append((time.time(), (int(fields[11]) + int(fields[12])) / TICK))
