#!/usr/bin/python3
"""Runs tokens of language models on CENT's devices by CENT's artifact and by pimsweep alternately, compares their answers, and
prints how long each takes.

    cent.py FOLDER [--runs 5] [--cases llama-2-7b/8/127 ...] [--pimsweep PROGRAM]

FOLDER is a checkout of CENT's artifact (cent_simulation/run_sim.py) whose aim_simulator you have built; this Python needs pandas
and torch. Cases are rows of results/reference/cent-points.csv: model/devices of a block (0: a pipeline of blocks)/tokens before.
The artifact writes traces of a block and of the embedding, simulates each command by command and sums up; pimsweep has
closed forms. Time and rate must agree within 0.51 %, energy within 0.005 %, power within 0.83 % (docs/cent.md), else nothing is
timed and the exit status is 1. Exit status 2: no such program or case, or it failed.
"""

import csv
import json
import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1] / "python")]
import alternate
import machine
import tables

KEYS = ["model", "hardware.cxl.devices", "tensor_parallel"]
CASES = tables.Cases(machine.SOURCE / "results/reference/cent-points.csv",
                     lambda row, _: "/".join(row[name] for name in ("model", "tensor_parallel", "context")),
                     ["llama-2-7b/0/127", "llama-2-7b/0/2047", "llama-2-7b/8/127", "llama-2-7b/8/2047", "llama-2-70b/32/127"])
MODELS = {"llama-2-7b": "Llama2-7B", "llama-2-70b": "Llama2-70B"}
METRICS = {"time_per_token": ("Token latency (ms)", 1e-3), "tokens_per_second": ("Throughput (tokens/s)", 1),
           "energy_per_token": ("Token energy (mJ)", 1e-3), "power": ("Total power (W)", 1)}
TOLERANCES = [0.0051, 0.0051, 5e-5, 0.0083]  # that all rows of the reference keep
# The artifact's own functions on fresh folders; `factorize` would list all groups that its devices can be divided into.
RUN = """
import json, pathlib, shutil, sys
import run_sim
shutil.rmtree("../trace/32_channels_per_device", ignore_errors=True)
pathlib.Path("simulation_results.csv").unlink(missing_ok=True)
for group in json.loads(pathlib.Path("groups.json").read_text()):
    sys.argv = ["run_sim.py", *group["options"]]
    args = run_sim.get_args()
    run_sim.factorize = lambda _: [group["devices_of_block"]]
    for mode in run_sim.pipeline_parallel_mode_list + run_sim.model_parallel_mode_list:
        pathlib.Path(f"../trace/32_channels_per_device/{mode}/{args.model}").mkdir(parents=True, exist_ok=True)
    run_sim.generate_trace(args, args.seqlen)
    run_sim.simulate_trace(args, args.seqlen)
    run_sim.process_results(args)
    run_sim.update_csv(args, args.seqlen)
"""


def groups(rows):
    """The simulator's arguments for all rows of a model and layout; its sequence length counts the token itself."""
    lengths = {}
    for row in rows:
        lengths.setdefault(tuple(row[name] for name in KEYS), []).append(str(int(row["context"]) + 1))
    return [{"devices_of_block": int(tensor_parallel),
             "options": ["--model", MODELS[model], "--num_devices", devices, "--generate_trace_max_workers", "1",
                         "--run_simulation_max_workers", "1", *(["--model_parallel"] if int(tensor_parallel) else []), "--seqlen", *members]}
            for (model, devices, tensor_parallel), members in lengths.items()]


def work(checkout, rows, folder):
    """One run of all groups where the artifact's relative paths lead into `folder`."""
    place = folder / "cent_simulation"
    for name in (place, folder / "trace"):
        name.mkdir()
    for name in ("compile.sh", "compile.py"):
        shutil.copy(checkout / "trace" / name, folder / "trace")
    (folder / "aim_simulator").symlink_to(checkout / "aim_simulator")
    (place / "function_sim.py").symlink_to(checkout / "cent_simulation/function_sim.py")
    (place / "groups.json").write_text(json.dumps(groups(rows)))
    (place / "run.py").write_text(RUN)
    paths = {"PYTHONPATH": [str(checkout / "cent_simulation"), os.environ.get("PYTHONPATH")],
             "PATH": [str(pathlib.Path(sys.executable).parent), os.environ.get("PATH")]}  # it starts `python3`
    return alternate.Command([sys.executable, "run.py"], str(place),
                             os.environ | {name: os.pathsep.join(filter(None, value)) for name, value in paths.items()})


def devices_of_block(line):
    """Of a line of results; 0 in a pipeline of blocks, which has more stages than devices."""
    stages, group, devices = (int(line[name]) for name in ("Pipeline parallelism", "Tensor parallelism", "Device number"))
    return group if stages * group == devices else 0


def answers(rows, folder, _):
    """The metrics of each row."""
    with open(folder / "cent_simulation/simulation_results.csv") as file:
        lines = {(line["Model"], devices_of_block(line), int(line["Sequence length"])): line for line in csv.DictReader(file)}
    return [tuple(float(lines[MODELS[row["model"]], int(row["tensor_parallel"]), int(row["context"]) + 1][column]) * unit
                  for column, unit in METRICS.values()) for row in rows]


def main():
    parsed = tables.arguments(__doc__, [("folder", "checkout of CENT's artifact")], CASES)
    comparison = tables.Comparison("CENT's artifact", lambda rows, folder: work(parsed.folder, rows, folder), answers,
                                   ['system = "cent-artifact"', 'hardware = "cent"'],
                                   list(METRICS), list(METRICS), TOLERANCES)
    return tables.main(parsed, CASES, comparison)


if __name__ == "__main__":
    sys.exit(main())
