#!/usr/bin/python3
"""Searches mappings of GEMMs on a PE array by Timeloop's mapper and by pimsweep alternately, compares their answers, and prints
how long each takes.

    timeloop.py PROGRAM [--exhaustive] [--runs 5] [--cases 37 38 ...] [--pimsweep PROGRAM]

PROGRAM is the timeloop-mapper that you have built. Cases are rows of results/reference/gemm/timeloop.csv with exact factors, on
the engine and with the energies of configs/hardware/gemm-nvdla.toml; Timeloop's own table has the multiplier. The mapper draws
mappings at random, in the row's threads, until `victory_condition` of them in a row were no better; with --exhaustive it takes
all of them that differ. Of the mapping that it ends with pimsweep must count the same cycles and words of DRAM, and the same
energy to the digits printed; and pimsweep's own best mapping must not be worse. Else nothing is timed and the exit status is 1.
Exit status 2: no such program or case, or it failed.
"""

import json
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1] / "python")]
import alternate
import machine
import tables

CASES = tables.Cases(machine.SOURCE / "results/reference/gemm/timeloop.csv", lambda row, _: row["case_id"],
                     ["37", "38", "39", "40", "41", "42", "47", "50"], lambda row: row["mapspace"] == "uber")
HARDWARE = machine.SOURCE / "configs/hardware/gemm-nvdla.toml"
SIDE = 8  # of the array
DIMENSIONS = ["M", "N", "K"]
OPERANDS = {"A": ["M", "K"], "B": ["K", "N"], "Z": ["M", "N"]}
LEVELS = ["Registers", "Accumulators", "Buffer", "DRAM"]  # L0 to L3 in Timeloop's short notation
KEPT = {"Registers": "B", "Accumulators": "Z", "Buffer": "ABZ", "DRAM": "ABZ"}
SEARCHED = {"delay then energy": ["delay", "energy"], "energy then delay": ["energy", "delay"], "energy-delay product": ["edp"]}
OBJECTIVES = ["cycles", "fJ_per_MAC_total"]
METRICS = [*OBJECTIVES, "dram_reads_A", "dram_reads_B", "dram_reads_Z", "dram_updates_Z"]
UNLIMITED = 10**9
ENERGY_DIGITS = 0.005  # fJ: half of the last digit that Timeloop prints
SMALLEST_ENERGY = 1000  # fJ for each multiply-accumulate, below every row


def architecture(row):
    """The engine as Timeloop's storage levels, innermost first."""
    with open(HARDWARE, "rb") as file:
        hardware = tomllib.load(file)

    def value(group, name):
        return float(hardware[group][name]["value"].split()[0])
    line = int(value("sram", "line"))
    storage = [{"entries": 1, "instances": SIDE * SIDE, "meshX": SIDE, "vector_access_energy": value("energy", "register_word")},
               {"entries": int(value("accumulator", "capacity")), "instances": SIDE, "meshX": SIDE,
                "vector_access_energy": value("energy", "accumulator_word")},
               {"sizeKB": int(value("sram", "buffer")), "instances": 1, "block_size": line,
                "vector_access_energy": value("energy", "buffer_line")},
               {"technology": "DRAM", "instances": 1, "block_size": line, "shared_bandwidth": float(row["dram_words_per_cycle"]),
                "vector_access_energy": value("energy", "dram_line")}]
    return {"arithmetic": {"instances": SIDE * SIDE, "meshX": SIDE, "word_bits": 8},
            "storage": [{"name": name, "word_bits": 8, **level} for name, level in zip(LEVELS, storage, strict=True)]}


def constraints():
    """N over the columns, K over the rows of the array, and rows of Z alone inside of the buffer."""
    kept = [{"target": name, "type": "datatype", "keep": list(KEPT[name]), "bypass": [one for one in OPERANDS if one not in KEPT[name]]}
            for name in LEVELS[:-1]]
    return [*kept,
            {"target": "Buffer", "type": "spatial", "factors": "M=1 K=1", "permutation": "NMK", "split": 3},
            {"target": "Accumulators", "type": "spatial", "factors": "M=1 N=1", "permutation": "KMN", "split": 0},
            *({"target": name, "type": "temporal", "factors": "N=1 K=1"} for name in LEVELS[:2])]


def search(row, exhaustive):
    """Timeloop's search of a row. 0 means no limit, except for `timeout`, with which the search would end at once."""
    limits = {name: int(row[name]) for name in ("victory_condition", "timeout", "search_size")}
    if exhaustive:
        limits = {"victory_condition": 0, "timeout": UNLIMITED, "search_size": 0}
    return {"algorithm": "linear_pruned" if exhaustive else row["algorithm"].replace("-", "_"),
            "optimization_metrics": SEARCHED[row["metrics"]], "num_threads": int(row["threads"]), **limits}


def specification(row, exhaustive):
    """Timeloop's input for a row; its YAML may be JSON."""
    shape = {"name": "GEMM", "dimensions": DIMENSIONS,
             "data_spaces": [{"name": name, "projection": [[[index]] for index in indices], "read_write": name == "Z"}
                             for name, indices in OPERANDS.items()]}
    return json.dumps({"problem": {"shape": shape, "instance": {name: int(row[name]) for name in DIMENSIONS}},
                       "arch": architecture(row), "mapspace": {"template": row["mapspace"], "constraints": constraints()},
                       "mapper": search(row, exhaustive)})


def work(parsed, rows, folder):
    commands = []
    for row, place in tables.places(rows, folder):
        (place / "gemm.yaml").write_text(specification(row, parsed.exhaustive))
        commands.append(alternate.Command([str(parsed.program), "gemm.yaml"], str(place)))
    return alternate.Sequence(commands)


def mapping(loops):
    """Timeloop's printed loops in its short notation, as the column best_mapping has them: each level's loops from the outside in,
    as in its log."""
    levels = {}
    for line in loops.splitlines():
        if level := re.match(rf"[| ]*({'|'.join(LEVELS)}) \[", line):
            current = levels.setdefault(level[1], [])
        elif loop := re.match(r"[| ]*for (\w) in \[0:(\d+)\)(?: \(Spatial-([XY])\))?", line):
            current.append(loop[1] + loop[2] + (loop[3] or ""))
    return " - ".join(f"L{LEVELS.index(name)}[{KEPT[name]}] " + " ".join(loops or ["K1"]) for name, loops in levels.items())


def number(pattern, text):
    """What the pattern's group has. Raises ValueError if the text has no such place."""
    found = re.search(pattern, text, re.MULTILINE)
    if not found:
        raise ValueError(f"nothing like {pattern}")
    return float(found[1])


def answers(rows, folder, _):
    """The metrics of each row's mapping, which is put into the row."""
    result = []
    for row, place in tables.places(rows, folder):
        statistics = (place / "timeloop-mapper.stats.txt").read_text()
        row["best_mapping"] = mapping((place / "timeloop-mapper.map.txt").read_text())
        dram = statistics[statistics.index("=== DRAM ==="):]

        def count(operand, what):
            return number(rf"^ *{operand}:\n(?:.*\n)*? *Scalar {what} \(per-instance\) *: (\d+)$", dram)
        result.append((number(r"^Cycles: (\d+)$", statistics), number(r"^fJ/Compute\n(?:.*\n)*? *Total *= ([\d.]+)$", statistics),
                       *(count(one, "reads") for one in OPERANDS), count("Z", "updates")))
    return result


def is_worse(row, ours, theirs):
    """Whether cycles and energy are worse than the mapper's by the row's objective, as far as the digits that it prints tell."""
    (cycles, energy), (their_cycles, their_energy) = ours, theirs
    their_energy += ENERGY_DIGITS
    return {"delay then energy": (cycles, energy) > (their_cycles, their_energy),
            "energy then delay": energy > their_energy or (energy >= their_energy - 2 * ENERGY_DIGITS and cycles > their_cycles),
            "energy-delay product": cycles * energy > their_cycles * their_energy}[row["metrics"]]


def main():
    parsed = tables.arguments(__doc__, [("program", "timeloop-mapper")], CASES,
                              [("exhaustive", "let Timeloop search all mappings instead of random ones")])
    axes = [*DIMENSIONS, "metrics", "dram_words_per_cycle", "best_mapping"]
    study = ['system = "gemm"', 'hardware = "gemm-nvdla"', f"array_rows = {SIDE}", f"array_cols = {SIDE}"]
    comparison = tables.Comparison("Timeloop", lambda rows, folder: work(parsed, rows, folder), answers,
                                   [*study, 'mapper = "given"'], METRICS, [name for name in CASES.columns if name not in axes],
                                   [0, ENERGY_DIGITS / SMALLEST_ENERGY, 0, 0, 0, 0], [*study, 'mapper = "search"'], OBJECTIVES, is_worse)
    return tables.main(parsed, CASES, comparison)


if __name__ == "__main__":
    sys.exit(main())
