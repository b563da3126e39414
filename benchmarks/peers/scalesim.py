#!/usr/bin/python3
"""Runs GEMMs on systolic arrays by SCALE-Sim and by pimsweep alternately, compares their answers, and prints how long each takes.

    scalesim.py FOLDER [--runs 5] [--cases 26 28 ...] [--pimsweep PROGRAM]

FOLDER is a checkout of SCALE-Sim (scalesim/scale_sim.py, configs/scale.cfg); this Python needs numpy, pandas and tqdm. It is run
without traces. Versions from 2025 on also read a file of layouts, which they do not use here: one of the checkout. Cases are
rows of results/reference/gemm/scalesim.csv that the whole simulator was run on. SCALE-Sim takes all GEMMs of one array and
dataflow in one run. Cycles must be equal, else nothing is timed and the exit status is 1. Exit status 2: no such program or
case, or it failed.
"""

import configparser
import csv
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1] / "python")]
import alternate
import machine
import tables

CASES = tables.Cases(machine.SOURCE / "results/reference/gemm/scalesim.csv", lambda row, _: row["case_id"],
                     ["26", "28", "29", "31", "33", "38", "42", "44"], lambda row: row["mode"] == "full")
ARRAY = ["array_rows", "array_cols", "dataflow"]
SIZES = ["M", "N", "K"]


# Arguments: configuration, table of GEMMs, folder of the reports, file of layouts.
RUN = """
import inspect, sys
from scalesim.scale_sim import scalesim
config, topology, reports, layout = sys.argv[1:]
options = {"save_disk_space": True, "verbose": False, "config": config, "topology": topology, "input_type_gemm": True}
if "layout" in inspect.signature(scalesim).parameters:
    options["layout"] = layout
scalesim(**options).run_scale(top_path=reports)
"""


def groups(rows):
    """Rows of one array and dataflow, by these."""
    result = {}
    for row in rows:
        result.setdefault(tuple(row[name] for name in ARRAY), []).append(row)
    return result


def settings(checkout, array, name):
    """The checkout's own configuration with another array, and SRAMs as in the reference's README."""
    config = configparser.ConfigParser()
    config.optionxform = str
    config.read(checkout / "configs/scale.cfg")
    config["general"]["run_name"] = name
    config["architecture_presets"].update(
        dict(zip(["ArrayHeight", "ArrayWidth", "Dataflow"], array)) | {f"{one}SramSzkB": "64" for one in ("Ifmap", "Filter", "Ofmap")})
    config["run_presets"]["InterfaceBandwidth"] = "CALC"
    return config


def work(checkout, rows, folder):
    commands = []
    for array, members in groups(rows).items():
        name = "_".join(array)
        with open(folder / f"{name}.cfg", "w") as file:
            settings(checkout, array, name).write(file)
        lines = ["Layer, M, N, K,", *(", ".join([f"case{row['case_id']}", *(row[size] for size in SIZES)]) + "," for row in members)]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
        commands.append(alternate.Command(
            [sys.executable, "-c", RUN, f"{name}.cfg", f"{name}.csv", "peer", str(checkout / "layouts/conv_nets/test.csv")],
            str(folder), os.environ | {"PYTHONPATH": str(checkout)}))
    return alternate.Sequence(commands)


def answers(rows, folder, _):
    """Cycles of each row, from the reports of its array."""
    cycles = {}
    for array, members in groups(rows).items():
        with open(folder / "peer" / "_".join(array) / "COMPUTE_REPORT.csv") as file:
            for row, line in zip(members, csv.DictReader(file, skipinitialspace=True), strict=True):
                cycles[row["case_id"]] = (float(line["Total Cycles"]),)
    return [cycles[row["case_id"]] for row in rows]


def main():
    parsed = tables.arguments(__doc__, [("folder", "checkout of SCALE-Sim")], CASES)
    ignored = [name for name in CASES.columns if name not in [*ARRAY, *SIZES]]
    comparison = tables.Comparison("SCALE-Sim", lambda rows, folder: work(parsed.folder, rows, folder), answers,
                                   ['system = "gemm"', 'hardware = "gemm-nvdla"'], ["cycles_total_no_stall"], ignored, [0])
    return tables.main(parsed, CASES, comparison)


if __name__ == "__main__":
    sys.exit(main())
