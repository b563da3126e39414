#!/usr/bin/python3
"""Runs layers on Newton's DRAM channels by PIMFlow's simulator and by pimsweep alternately, compares their answers, and prints
how long each takes.

    newton.py CODEGEN RAMULATOR [--runs 5] [--cases mobilenet-v2/b1_expand/16/4/1 ...] [--pimsweep PROGRAM]

CODEGEN is the generator of commands (pim_codegen) of PIMFlow's artifact and RAMULATOR its Ramulator, which you have built.
Cases are rows of results/reference/newton/newton_cycles.csv that run wholly on PIM: model/layer/channels/buffers/hiding. The
artifact generates the commands of a layer, then simulates its first channel. Cycles must be equal, else nothing is timed and the
exit status is 1. Exit status 2: no such program or case, or it failed.
"""

import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1] / "python")]
import alternate
import machine
import tables

CASES = tables.Cases(machine.SOURCE / "results/reference/newton/newton_cycles.csv",
                     lambda row, _: "/".join(row[name] for name in ("model", "layer", "channels", "n_gwrite", "gwrite_hiding")),
                     ["mobilenet-v2/b1_expand/16/4/1", "resnet-50/l1b0_down/8/4/1", "resnet-50/l2b0_conv1/16/4/0",
                      "resnet-50/l2b0_conv2/16/2/0", "resnet-50/l3b0_down/20/4/1", "resnet-50/l4b0_down/16/1/1",
                      "resnet-50/fc/20/4/1", "synthetic/s13/28/4/1"], lambda row: row["split_out_of_10"] == "10")
CHANNELS = 32  # of the machine; PIM has the last ones
SETTINGS = {"standard": "GDDR6", "channels": 1, "ranks": 1, "speed": "GDDR6_3500", "org": "GDDR6_8Gb_x16",
            "record_cmd_trace": "off", "print_cmd_trace": "off", "cpu_tick": 2, "mem_tick": 1, "early_exit": "on",
            "expected_limit_insts": 200000000, "warmup_insts": 100000000, "cache": "no", "translation": "None"}


def commands(codegen, ramulator, number, row, folder):
    """The generator's and the simulator's command for a row."""
    name = f"layer{number}"
    shape = {"oc": "Cout", "ic": "Cin", "h": "H", "w": "W", "kh": "KH", "kw": "KW", "ph": "pad", "pw": "pad", "stride": "stride",
             "n_channel": "channels", "gw": "n_gwrite"}
    options = [word for option, column in shape.items() for word in (f"-{option}", row[column])]
    environment = dict(os.environ)
    if row["gwrite_hiding"] == "0":
        environment["RAMULATOR_DISABLE_GWRITE_LATENCY_HIDING"] = "1"
    trace = f"{name}-{CHANNELS - int(row['channels'])}.pim"
    return [alternate.Command([str(codegen), *options, "-name", name], str(folder)),
            alternate.Command([str(ramulator), "ramulator.cfg", "--mode=dram", trace], str(folder), environment)]


def work(parsed, rows, folder):
    (folder / "ramulator.cfg").write_text("".join(f"{name} = {value}\n" for name, value in SETTINGS.items()))
    return alternate.Sequence([one for number, row in enumerate(rows)
                               for one in commands(parsed.codegen, parsed.ramulator, number, row, folder)])


def answers(rows, _, printed):
    """Cycles of each row; the simulator speaks after the generator."""
    found = [re.search(r"^Cycle (\d+)", text, re.MULTILINE) for text in printed[1::2]]
    if not all(found) or len(found) != len(rows):
        raise RuntimeError(f"the simulator printed no cycles:\n{printed[-1][-1000:]}")
    return [(float(one[1]),) for one in found]


def main():
    parsed = tables.arguments(__doc__, [("codegen", "generator of commands"), ("ramulator", "simulator")], CASES)
    comparison = tables.Comparison("PIMFlow's simulator", lambda rows, folder: work(parsed, rows, folder), answers,
                                   ['system = "newton"', 'hardware = "newton-GDDR6_3500"', 'controller = "artifact"', 'fidelity = "cycle"'],
                                   ["pim_cycles"], ["model", "layer", "op", "pim_cycles", "wall_seconds"], [0])
    return tables.main(parsed, CASES, comparison)


if __name__ == "__main__":
    sys.exit(main())
