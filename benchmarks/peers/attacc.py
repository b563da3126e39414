#!/usr/bin/python3
"""Runs steps of language models by AttAcc's simulator and by pimsweep alternately, compares their answers, and prints how long
each takes.

    attacc.py FOLDER [--runs 5] [--cases 1 9 ...] [--pimsweep PROGRAM]

FOLDER is a checkout of AttAcc's simulator (main.py); this Python needs pandas. Cases are lines of
results/reference/attacc/points.csv, counted from 1. The clocks of PIM are those that both come with (ramulator.out there). Times
and energies of a token must agree within 1e-6, else nothing is timed and the exit status is 1. Exit status 2: no such program or
case, or it failed.
"""

import csv
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1] / "python")]
import alternate
import machine
import tables

CASES = tables.Cases(machine.SOURCE / "results/reference/attacc/points.csv", tables.line_number,
                     ["1", "4", "9", "20", "30", "40", "60", "80"])
MODELS = {"gpt3-175b": "GPT-175B", "llama-65b": "LLAMA-65B", "mt-nlg-530b": "MT-530B", "opt-66b": "OPT-66B"}
CARDS = {"attacc-artifact-a100": "A100a", "attacc-artifact-h100": "H100"}
PLACEMENTS = {"bank": "bank", "bank-group": "bg", "buffer": "buffer"}


def options(row):
    """The simulator's arguments for a row."""
    words = ["--system", "dgx" if row["policy"] == "gpu" else "dgx-attacc", "--gpu", CARDS[row["hardware"]],
             "--ngpu", row["hardware.gpu.count"], "--pim", PLACEMENTS[row["hardware.pim.stack.placement"]],
             "--model", MODELS[row["model"]], "--word", str(int(row["bits"]) // 8), "--lin", row["context"],
             "--lout", row["new_tokens"], "--batch", row["batch"]]
    flags = {"--powerlimit": row["hardware.pim.stack.power_limit"] == "true", "--ffopt": row["policy"] == "attacc-ff",
             "--pipeopt": row["pipelining"] == "projections"}
    return [*words, *(flag for flag, is_set in flags.items() if is_set)]


def work(checkout, rows, folder):
    """One run of the simulator for each row."""
    commands = []
    for row, place in tables.places(rows, folder):
        for shared in ("ramulator.out", "ramulator2"):
            (place / shared).symlink_to(checkout / shared)
        commands.append(alternate.Command([sys.executable, str(checkout / "main.py"), *options(row)], str(place),
                                          os.environ | {"PYTHONPATH": str(checkout)}))
    return alternate.Sequence(commands)


def answers(rows, folder, _):
    """Seconds and joules of a token."""
    result = []
    for row, place in tables.places(rows, folder):
        with open(place / "output.csv") as file:
            last = list(csv.DictReader(file))[-1]
        result.append((float(last["g_time (ms)"]) * 1e-3, float(last["g_energy (nJ)"]) * 1e-9 / float(row["batch"])))
    return result


def main():
    parsed = tables.arguments(__doc__, [("folder", "checkout of AttAcc's simulator")], CASES)
    comparison = tables.Comparison("AttAcc's simulator", lambda rows, folder: work(parsed.folder, rows, folder), answers,
                                   ['system = "attacc-artifact"'],
                                   ["time_per_token", "energy_per_token"],
                                   ["time_per_token", "energy_per_token", "time_to_first_token"], [1e-6, 1e-6])
    return tables.main(parsed, CASES, comparison)


if __name__ == "__main__":
    sys.exit(main())
