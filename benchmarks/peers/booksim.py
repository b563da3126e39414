#!/usr/bin/python3
"""Runs networks by BookSim 2.0 and by pimsweep alternately, compares their answers, and prints how long each takes.

    booksim.py PROGRAM [--runs 5] [--cases F1_2 F1_4 ...] [--pimsweep PROGRAM]

PROGRAM is the booksim that you have built. Cases are rows of results/reference/noc/booksim_reference.csv that are not
saturated. Each program draws random numbers of its own: packets' mean latency and the accepted rate must agree within 3 %, else
the case has no times and the exit status is 1. Times are those of whole commands, of pimsweep with its start and its results
file. Exit status 2: no such program or case, or it failed.
"""

import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1] / "python")]
import alternate
import machine
import pimsweep
import tables

CASES = tables.Cases(machine.SOURCE / "results/reference/noc/booksim_reference.csv", lambda row, _: row["case_id"],
                     ["F1_2", "F1_4", "F3_4", "F4_3", "F7_3", "F8_3"], lambda row: row["saturated"] == "0")
TOLERANCE = 0.03
# Axes of pimsweep that BookSim calls the same.
SHARED = ["topology", "k", "n", "traffic", "num_vcs", "vc_buf_size", "packet_size", "routing_delay", "vc_alloc_delay",
          "sw_alloc_delay", "st_final_delay", "credit_delay", "speculative", "injection_rate"]


def sample_period(case):
    """Cycles of a sample of the reference's runs (its README)."""
    rate = float(case["injection_rate"])
    periods = {"4": (12000, 6000, 3000), "8": (4000, 2000, 1000), "16": (800, 600, 500)}[case["k"]]
    return periods[0 if rate < 0.02 else 1 if rate < 0.1 else 2]


def booksim_settings(case):
    settings = {name: case[name] for name in SHARED} | {
        "routing_function": case["routing"], "vc_allocator": case["alloc"], "sw_allocator": case["alloc"],
        "injection_rate_uses_flits": 1, "sim_type": "latency", "sample_period": sample_period(case), "seed": case["seed"]}
    return "".join(f"{name} = {value};\n" for name, value in settings.items())


def experiment(case):
    """The same network as an experiment of one point."""
    def literal(text):
        return text if re.fullmatch(r"[\d.e+-]+", text) else f'"{text}"'
    axes = {name: literal(case[name]) for name in [*SHARED, "alloc", "seed"]}
    return "\n".join(['name = "peer"', "[[study]]", 'id = "network"', 'system = "noc"', 'fidelity = "cycle"',
                      f"sample_period = {sample_period(case)}", *(f"{name} = {value}" for name, value in axes.items())])


def answers_of_booksim(printed):
    """Mean latency of packets in cycles and accepted flits of a node and cycle; raises RuntimeError if not there."""
    overall = printed.rpartition("Overall Traffic Statistics")[2]
    found = [re.search(rf"{name} average = ([\d.e+-]+)", overall) for name in ("Packet latency", "Accepted flit rate")]
    if not all(found):
        raise RuntimeError(f"booksim printed no results:\n{printed[-1000:]}")
    return [float(one[1]) for one in found]


def answers_of_pimsweep(results):
    point = pimsweep.open(results).frame("network").iloc[0]
    return [point["avg_packet_latency"], point["accepted_flit_rate"]]


def row_of(case, booksim, program, runs):
    """A line of the table, and whether the answers agree."""
    with tempfile.TemporaryDirectory() as folder:
        settings, file = pathlib.Path(folder, "network.cfg"), pathlib.Path(folder, "network.toml")
        settings.write_text(booksim_settings(case))
        file.write_text(experiment(case))
        output = pathlib.Path(folder, "out.h5")
        # BookSim's main returns -1 when the simulation was stable.
        peer = alternate.Command([str(booksim), str(settings)], folder, success=255)
        own = alternate.Command([str(program), str(file), "--output", str(output), "--force", "--progress", "none"], folder,
                                machine.mpi_environment())
        theirs = answers_of_booksim(peer.run()[1])
        own.run()
        differences = [ours / other - 1 for ours, other in zip(answers_of_pimsweep(output), theirs)]
        line = [case["case_id"], f"{case['k']} x {case['k']} {case['traffic']}, {case['packet_size']} flits, rate {case['injection_rate']}",
                *(f"{100 * one:+.1f} %" for one in differences)]
        if max(map(abs, differences)) > TOLERANCE:
            return [*line, "", "", "answers differ"], False
        times = alternate.alternately(peer, own, runs)
        return [*line, *map(alternate.spread, times), alternate.ratio(*times)], True


def run(parsed):
    """Prints the table; the exit status."""
    print(f"{machine.describe()}; load when begun: {machine.load():.1f}; {parsed.runs} runs of each, alternately.\n")
    rows = [row_of(CASES.all[name], parsed.program, parsed.pimsweep, parsed.runs) for name in parsed.cases]
    print(machine.markdown(["case", "network", "latency", "accepted", "BookSim [s]", "pimsweep [s]", "ratio"],
                           [row for row, _ in rows]))
    return 0 if all(agrees for _, agrees in rows) else tables.ANSWERS_DIFFER


def main():
    parsed = tables.arguments(__doc__, [("program", "booksim")], CASES)
    return tables.exit_status(lambda: run(parsed))


if __name__ == "__main__":
    sys.exit(main())
