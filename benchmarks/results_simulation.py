"""Simulates how ranks encode the blocks of a results file and rank 0 places them, with costs measured on this machine: scaling.py results.

The evaluation before it is that of simulate_protocol, scheme `driver`. Costs are processor times, so that other programs touch them
little. Not simulated: the disk, a file system that all hosts share, MPI's start.
"""

import heapq
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import machine
import pimsweep_run
import protocol_simulation

BLOCK_ROWS = 16384  # src/results/column_info.h
MAX_LOAD = 3  # of src/driver/encoding_team.cpp
WAITING_PER_MEMBER = 4
RANKS_WITH_OWN_MANAGER = 4
MEASURED_RANKS = 5
PHASES = ("start", "evaluate", "gather", "encode", "answer")
RANKS = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


def processor_seconds(pid):
    """Of all threads, in nanosecond steps; 0 of a process that has ended."""
    total = 0
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return 0.0
    for thread in threads:
        try:
            total += int(pathlib.Path(f"/proc/{pid}/task/{thread}/schedstat").read_text().split()[0])
        except (OSError, IndexError):
            continue  # it has just ended
    return total * 1e-9


def phase_of(folder, before):
    """What the run is at, by its files. Phases do not come back."""
    names = {path.name for path in folder.iterdir()}
    journals = list((folder / "out.h5.journal").glob("*")) if "out.h5.journal" in names else []
    now = "start"
    if sum(path.suffix == ".journal" for path in journals) >= pimsweep_run.evaluators(MEASURED_RANKS):
        now = "evaluate"
    if any(name.startswith("out.h5.index") for name in names):
        now = "gather"
    if any(path.name.startswith("blocks.") for path in journals):
        now = "encode"
    if "out.h5" in names:
        now = "answer"
    return PHASES[max(PHASES.index(now), PHASES.index(before))]


def watch(program, points):
    """Processor seconds of each rank in each phase of a run."""
    spent = {phase: [0.0] * MEASURED_RANKS for phase in PHASES}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "benchmark.toml").write_text(pimsweep_run.Experiment(points).text)
        command = ["mpirun", "-n", str(MEASURED_RANKS), str(program), "benchmark.toml", "--output", "out.h5", "--keep-journals", "--progress", "none"]
        with subprocess.Popen(command, cwd=folder, env=machine.mpi_environment(), stdout=subprocess.DEVNULL) as process:
            ranks, last, phase = {}, {}, "start"
            while process.poll() is None:
                if len(ranks) < MEASURED_RANKS:
                    ranks.update(pimsweep_run.rank_processes(process.pid))
                now = {rank: processor_seconds(pid) for rank, pid in ranks.items()}
                for rank, seconds in now.items():
                    spent[phase][rank] += max(0.0, seconds - last.get(rank, 0.0))
                last = now
                phase = phase_of(folder, phase)
                time.sleep(0.002)
        if process.returncode != 0:
            sys.exit(f"results_simulation.py: {' '.join(command)} ended with {process.returncode}")
    return spent


def costs_of(spent, points):
    """Seconds of each part of a run of so many points."""
    blocks = -(-points // BLOCK_ROWS)
    return {"evaluate": sum(spent["evaluate"]) / points,
            "encode": sum(spent["encode"][1:]) / blocks,
            "place": spent["encode"][0] / blocks,
            "gather": spent["gather"][0] / blocks,
            "answer": spent["answer"][0] / blocks}


def measure(program, points, runs):
    """Processor seconds: of a point evaluated and journaled, and for each block of encoding it, of placing it, and of what rank 0 does
    before and after. Medians of several runs."""
    samples = [costs_of(watch(program, points), points) for _ in range(runs)]
    return {name: machine.spread(sample[name] for sample in samples)["median"] for name in samples[0]}


class Team:
    """EncodingTeam: rank 0 hands out blocks, takes what comes and places it in order."""

    def __init__(self, blocks, ranks, costs):
        self.blocks, self.costs = blocks, costs
        self.encodes_here = ranks < RANKS_WITH_OWN_MANAGER
        self.workers = [(0, rank) for rank in range(1, ranks)]  # tasks in hand, rank
        self.free = [0.0] * ranks
        self.arrivals = []
        self.limit = WAITING_PER_MEMBER * ranks
        self.next = self.placed = 0
        self.waiting = set()
        self.in_flight = 0
        self.now = self.busy = 0.0
        self.encoding = []  # intervals in which a worker does

    def spend(self, seconds):
        self.now += seconds
        self.busy += seconds

    def next_block(self):
        open_blocks = self.in_flight + len(self.waiting)
        first_is_out = self.next > 0 and self.placed == 0  # it decides how the others are stored
        if self.next == self.blocks or first_is_out or (open_blocks >= 2 * self.limit and self.in_flight > 0):
            return None
        self.next += 1
        return self.next - 1

    def hand_out(self):
        while self.workers[0][0] < MAX_LOAD and (block := self.next_block()) is not None:
            load, rank = heapq.heappop(self.workers)
            heapq.heappush(self.workers, (load + 1, rank))
            begin = max(self.free[rank], self.now + self.costs["latency"])
            self.free[rank] = begin + self.costs["encode"]
            self.encoding.append((begin, self.free[rank]))
            heapq.heappush(self.arrivals, (self.free[rank] + self.costs["latency"], rank, block))
            self.in_flight += 1

    def take(self, block):
        self.hand_out()
        self.waiting.add(block)
        while self.placed in self.waiting:
            self.waiting.remove(self.placed)
            self.placed += 1
            self.spend(self.costs["place"])

    def receive(self):
        any_came = False
        while self.arrivals and self.arrivals[0][0] <= self.now:
            _, rank, block = heapq.heappop(self.arrivals)
            self.in_flight -= 1
            load = next(load for load, other in self.workers if other == rank)
            self.workers.remove((load, rank))
            self.workers.append((load - 1, rank))
            heapq.heapify(self.workers)
            self.take(block)
            any_came = True
        return any_came

    def run(self):
        self.spend(self.costs["gather"] * self.blocks)
        while self.placed < self.blocks:
            was_busy = self.receive()
            self.hand_out()
            if self.encodes_here and (block := self.next_block()) is not None:
                self.spend(self.costs["encode"])
                self.take(block)
            elif not was_busy and self.arrivals:
                # Within the sleep of a rank that has waited.
                self.now = max(self.now, self.arrivals[0][0] + self.costs["sleep"])
        self.spend(self.costs["answer"] * self.blocks)
        return {"results": self.now, "busy": self.busy, "alone": self.now - length_of_union(self.encoding)}


def length_of_union(intervals):
    total, end = 0.0, 0.0
    for begin, until in sorted(intervals):
        total += max(0.0, until - max(begin, end))
        end = max(end, until)
    return total


def evaluation(build, protocol, ranks, points, seconds):
    """Seconds of the evaluation of so many points by simulate_protocol."""
    seconds = max(seconds, 1e-9)
    return protocol_simulation.simulate(build, protocol, ranks=[ranks], points=[seconds], schemes="driver",
                                        work=seconds * points / pimsweep_run.evaluators(ranks))[0]["makespan"]


def simulate(costs, build, all_ranks=RANKS):
    """Runs of cheap and of longer points for each number of ranks."""
    protocol = json.loads((protocol_simulation.RECORDED / "quiet.json").read_text()) | {"per_point": costs["evaluate"]}
    costs = costs | {"latency": protocol["latency"], "sleep": 0.5e-3}
    rows = []
    for points, seconds in ((10**7, 0.0), (10**6, 0.01)):
        for ranks in all_ranks:
            before = evaluation(build, protocol, ranks, points, seconds)
            results = Team(-(-points // BLOCK_ROWS), ranks, costs).run()
            whole = before + results["results"]
            rows.append({"points": points, "cpu_of_point": seconds, "ranks": ranks, "evaluation": before, **results, "whole": whole,
                         "share_alone": results["alone"] / whole})
    return rows


def text_of(costs, rows):
    lines = [machine.markdown(["cost of a block of 16,384 points", "processor time"],
                              [["encoding, any rank", machine.duration(costs["encode"])],
                               ["taking and placing, seal included, rank 0", machine.duration(costs["place"])],
                               ["heads of the journals' frames, rank 0", machine.duration(costs["gather"])],
                               ["summary for the user, rank 0", machine.duration(costs["answer"])]]),
             f"\nA point of no cost takes {machine.duration(costs['evaluate'])}, its journal included. Encoding takes "
             f"{costs['encode'] / costs['place']:.1f} times as long as placing: with more ranks than that besides rank 0, rank 0 is the limit.\n",
             machine.markdown(["points", "ranks", "evaluation", "results file", "rank 0 busy with it", "whole", "rank 0 alone"],
                              [[f"{row['points']:.0e}".replace("e+0", "e") + (f" of {machine.duration(row['cpu_of_point'])}" if row["cpu_of_point"] else " of no cost"),
                                f"{row['ranks']:,}", machine.duration(row["evaluation"]), machine.duration(row["results"]),
                                machine.duration(row["busy"]), machine.duration(row["whole"]), f"{100 * row['share_alone']:.2g} %"] for row in rows])]
    return "\n".join(lines)
