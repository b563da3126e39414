#!/usr/bin/python3
"""Runs DRAM channels under patterns of requests by Ramulator 2.1 and by pimsweep alternately, compares their answers, and prints
how long each takes.

    ramulator.py FOLDER [--runs 5] [--cases 5 30 ...] [--pimsweep PROGRAM]

FOLDER is a checkout of Ramulator 2.1 that you have built with its Python module (python/ramulator). Cases are rows of
results/reference/dram/dram_reference.csv on channels that it comes with. Requests are a trace of addresses, written before the
clock runs; the program stops with the last request that a queue accepts, and so the cycles up to there must be equal, else
nothing is timed and the exit status is 1. Exit status 2: no such program or case, or it failed.
"""

import json
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1] / "python")]
import alternate
import machine
import tables

# Standard, its organization and timing, controller, accesses that a row holds, names of the parts of a channel, or none.
CHANNELS = {
    "dram-DDR4_2400R": ("DDR4", "DDR4_8Gb_x8", "DDR4_2400R", "GenericDDR", 128, "rank"),
    "dram-DDR4_3200AA": ("DDR4", "DDR4_8Gb_x8", "DDR4_3200AA", "GenericDDR", 128, "rank"),
    "dram-GDDR6_14000": ("GDDR6", "GDDR6_8Gb_x16", "GDDR6_14000_1350mV_double", "GenericDDR", 64, None),
    "dram-HBM2_2000": ("HBM2", "HBM2_2Gb", "HBM2_2000Mbps", "HBM12", 32, "pseudochannel"),
    "dram-DDR5_4800AN": ("DDR5", "DDR5_16Gb_x8", "DDR5_4800AN", "GenericDDR", 64, "rank"),
    "dram-DDR5_6400AN": ("DDR5", "DDR5_16Gb_x8", "DDR5_6400AN", "GenericDDR", 64, "rank"),
    "dram-HBM3_6400": ("HBM3", "HBM3_4Gb", "HBM3_6400Mbps", "HBM34", 32, "pseudochannel"),
}
CASES = tables.Cases(
    machine.SOURCE / "results/reference/dram/dram_reference.csv", lambda row, _: row["case_id"],
    ["209", "210", "213", "214", "8", "30", "32", "36", "37", "63", "67", "104", "109", "219", "232"],
    lambda row: row["hardware"] in CHANNELS and (row["mapping"] == "RoBaRaCoCh" or row["pattern"] in ("seq", "random")))
# Run in the peer's own process: all cases, one after another.
RUN = """
import json, ramulator

for case in json.load(open("cases.json")):
    dram = getattr(ramulator.dram, case["standard"])(org_preset=case["organization"], timing_preset=case["timing"], **case["parts"])
    refresh = ramulator.refresh_manager.AllBank() if case["refresh"] else ramulator.refresh_manager.NoRefresh()
    controller = getattr(ramulator.controller, case["controller"])(
        dram=dram, scheduler=getattr(ramulator.scheduler, case["scheduler"])(), refresh_manager=refresh,
        row_policy=ramulator.row_policy.Open(), addr_mapper=getattr(ramulator.addr_mapper, case["mapping"])(),
        read_buffer_size=case["read_queue"], write_buffer_size=case["write_queue"])
    memory = ramulator.memory_system.GenericDRAM(clock_ratio=1, controllers=[controller],
                                                 channel_mapper=ramulator.channel_mapper.CacheLineInterleave())
    simulation = ramulator.Simulation(ramulator.frontend.LoadStoreTrace(clock_ratio=1, path=case["trace"]), memory)
    simulation.run()
    print("cycles", simulation.stats["memory_system"]["controller"]["cycles"], flush=True)
"""


def splitmix64(seed):
    """Random 64-bit numbers (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014)."""
    mask = (1 << 64) - 1
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        mixed = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
        yield mixed ^ (mixed >> 31)


class Addresses:
    """Flat numbers of the accesses of a row's pattern (docs/dram.md), whose mapping, unless they are flat anyway, has columns
    lowest and banks above them, the domain fastest."""

    def __init__(self, row):
        sizes = dict(word.split("=") for word in row["organization"].split())
        self.columns = CHANNELS[row["hardware"]][4]
        self.rows = int(sizes["row"])
        self.domains = int(sizes.get("rank") or sizes.get("pseudochannel") or 1)
        self.groups, self.bank_count = int(sizes["bankgroup"]), int(sizes["bank"])
        self.banks = self.domains * self.groups * self.bank_count

    def at(self, bank, row, column):
        return (row % self.rows * self.banks + bank) * self.columns + column % self.columns

    def by_domain(self, number):
        """Place, domain fastest, of a bank that is counted with the domain slowest."""
        domain, rest = divmod(number, self.groups * self.bank_count)
        group, bank = divmod(rest, self.bank_count)
        return (bank * self.groups + group) * self.domains + domain

    def of(self, pattern, i, draw):
        """Access i; `draw(n)` is a random number below n."""
        run = i // 16
        if pattern == "random":
            return draw(self.banks * self.rows * self.columns)
        if pattern == "random_8rows_allbanks":
            bank, row = self.by_domain(draw(self.banks)), draw(8)
            return self.at(bank, row, draw(self.columns))
        if pattern in ("random_1bank", "random_8rows_1bank"):
            row = draw(self.rows if pattern == "random_1bank" else 8)
            return self.at(0, row, draw(self.columns))
        return {"seq": i % (self.banks * self.rows * self.columns),
                "stride_row_1bank": self.at(0, i, 0),
                "stride_row_allbanks": self.at(i % self.banks, i // self.banks, 0),
                "hit_1bank": self.at(0, i // self.columns, i),
                "hit_allbanks": self.at(i % self.banks, i // (self.banks * self.columns), i // self.banks),
                "tile16x4rows_allbanks": self.at(run % self.banks, run // self.banks, i % 16),
                "pingpong_2rows_1bank": self.at(0, i % 2, i // 2)}[pattern]


def trace(row):
    """Lines of the peer's trace of a row."""
    numbers = splitmix64(int(row["seed"] or 0))

    def draw(below):
        return next(numbers) % below
    addresses, size, mix = Addresses(row), int(row["bytes_per_request"]), row["read_fraction"]
    for i in range(int(row["requests"])):
        address = addresses.of(row["pattern"], i, draw) * size
        if mix.endswith("(random)"):
            write = draw(100) >= round(100 * float(mix.split()[0]))
        else:
            write = {"1": False, "0": True, "0.5 (alternate R,W)": i % 2 == 1}.get(mix, i // 64 % 2 == 1)
        yield f"{'ST' if write else 'LD'} {address}\n"


def work(checkout, rows, folder):
    cases = []
    for number, row in enumerate(rows):
        name = f"trace{number}"
        (folder / name).write_text("".join(trace(row)))
        standard, organization, timing, controller, _, parts = CHANNELS[row["hardware"]]
        cases.append({"standard": standard, "organization": organization, "timing": timing, "controller": controller,
                      "parts": {"rank": 1} if parts == "rank" else {}, "refresh": row["refresh"] == "AllBank",
                      "scheduler": row["scheduler"].replace("-", ""), "mapping": row["mapping"], "trace": name,
                      "read_queue": int(row["read_queue"] or 32), "write_queue": int(row["write_queue"] or 32)})
    (folder / "cases.json").write_text(json.dumps(cases))
    (folder / "run.py").write_text(RUN)
    return alternate.Command([sys.executable, "run.py"], str(folder), os.environ | {"PYTHONPATH": str(checkout / "python")})


def answers(rows, _, printed):
    """Cycles of each row up to the last accepted request."""
    found = [(float(line.split()[1]),) for line in printed.splitlines() if line.startswith("cycles ")]
    if len(found) != len(rows):
        raise RuntimeError(f"the simulator printed no cycles:\n{printed[-1000:]}")
    return found


def main():
    parsed = tables.arguments(__doc__, [("folder", "checkout of Ramulator 2.1")], CASES)
    axes = ["hardware", "pattern", "requests", "read_fraction", "mapping", "scheduler", "refresh", "row_policy", "read_queue",
            "write_queue", "seed"]
    comparison = tables.Comparison("Ramulator 2.1", lambda rows, folder: work(parsed.folder, rows, folder), answers,
                                   ['system = "dram"', 'fidelity = "cycle"'], ["cycles_last_accept"],
                                   [name for name in CASES.columns if name not in axes], [0])
    return tables.main(parsed, CASES, comparison)


if __name__ == "__main__":
    sys.exit(main())
