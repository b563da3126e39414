#!/usr/bin/env python3
"""Measures whole runs of pimsweep on synthetic points and prints the tables of docs/scaling.md, writes them there (--page FILE), or
writes JSON (--json FILE).

Every figure stands beside what it is to be compared with, taken in the same run. Times on a machine that does other work
as well depend on that work; shares of CPU time hardly do.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import machine
import pimsweep_run

MEGABYTE = 1e6


def run(arguments, ranks, points, **axes):
    """One run in its own scratch folder."""
    with tempfile.TemporaryDirectory(dir=arguments.scratch) as folder:
        return pimsweep_run.Experiment(points, **axes).run(arguments.program, ranks, pathlib.Path(folder))


def repeated(arguments, ranks, points, **axes):
    return [run(arguments, ranks, points, **axes) for _ in range(arguments.runs)]


def spread_of(runs, value):
    return machine.spread(value(one) for one in runs)


def used_cores(ranks):
    """Cores that points can be evaluated on."""
    return min(pimsweep_run.evaluators(ranks), pimsweep_run.cores())


def short_points(arguments):
    """Points of 10 us: how much of the time goes into points."""
    points = 20_000 if arguments.quick else 1_000_000
    figures = []
    for ranks in (2,) if arguments.quick else (1, 2, 3):
        runs = repeated(arguments, ranks, points, cost_mean="10 us")
        figures.append({"ranks": ranks, "points": points, "cores": used_cores(ranks),
                        "evaluation_s": spread_of(runs, lambda one: one.evaluation_seconds),
                        "share_of_ranks": spread_of(runs, lambda one: one.points_seconds / (pimsweep_run.evaluators(ranks) * one.evaluation_seconds)),
                        "share_of_wall": spread_of(runs, lambda one: one.cost_seconds / (used_cores(ranks) * one.evaluation_seconds)),
                        "share_of_cpu": spread_of(runs, lambda one: one.cost_seconds / max(one.cpu_seconds(), 1e-9))})
    return figures


def short_points_table(figures):
    rows = [[item["ranks"], f"{item['points']:,}", machine.show(item["evaluation_s"]), machine.show(item["share_of_ranks"]), machine.show(item["share_of_wall"]),
             machine.show(item["share_of_cpu"])] for item in figures]
    return ("Points of 10 us. In points by the clock: sum of `seconds` in the results file's provenance / (evaluating ranks x evaluation); a "
            "rank that is put aside for another program mostly is so inside a point. By cost: sum of the costs asked for / (cores used x "
            "evaluation); by CPU time: sum of the costs / CPU time of all ranks during the evaluation. A synthetic point reads the clock of its "
            "thread until its cost is used up and overshoots by one or two readings, which the last two count as lost.\n\n"
            + machine.markdown(["ranks", "points", "evaluation [s]", "in points, by the clock", "by cost", "by CPU time"], rows))


def empty_points(arguments):
    """Points of no cost: minimum cost per point, and costs of file and memory."""
    figures = []
    for points in (20_000,) if arguments.quick else (1_000_000, 10_000_000):
        runs = repeated(arguments, 2, points)
        figures.append({"ranks": 2, "points": points,
                        "evaluation_s": spread_of(runs, lambda one: one.evaluation_seconds),
                        "file_s": spread_of(runs, lambda one: one.file_seconds),
                        "points_per_s": spread_of(runs, lambda one: points / one.evaluation_seconds),
                        "points_per_s_whole": spread_of(runs, lambda one: points / one.wall),
                        "cpu_us_per_point": spread_of(runs, lambda one: 1e6 * one.cpu_seconds() / points),
                        "memory_rank0": spread_of(runs, lambda one: one.ranks[0].memory),
                        "memory_rank1": spread_of(runs, lambda one: one.ranks[1].memory)})
    return figures


def empty_points_table(figures):
    rows = [[f"{item['points']:,}", machine.show(item["evaluation_s"]), machine.show(item["file_s"]), machine.show(item["points_per_s"]),
             machine.show(item["points_per_s_whole"]), machine.show(item["cpu_us_per_point"]), machine.show(item["memory_rank0"], 1 / MEGABYTE),
             machine.show(item["memory_rank1"], 1 / MEGABYTE)] for item in figures]
    return ("Points of no cost on 2 ranks.\n\n"
            + machine.markdown(["points", "evaluation [s]", "file [s]", "points/s, evaluation", "points/s, whole command", "CPU time a point [us]",
                                "peak memory of rank 0 [MB]", "of rank 1 [MB]"], rows))


def heavy_tail(arguments):
    """Costs that differ by orders of magnitude: the makespan compared with its lower bound."""
    axes = subprocess.run([str(arguments.program), "list", "axes", "synthetic"], env=machine.mpi_environment(), capture_output=True, text=True,
                          check=True).stdout
    distribution = "loguniform" if "loguniform" in axes else "lognormal"
    points, mean = (100, "1 ms") if arguments.quick else (1000, "20 ms")
    figures = []
    for ranks in (2,) if arguments.quick else (1, 2, 3, 4):
        runs = repeated(arguments, ranks, points, cost_mean=mean, cost_distribution=distribution)
        least = max(runs[0].longest_cost, runs[0].cost_seconds / used_cores(ranks))
        figures.append({"ranks": ranks, "points": points, "distribution": distribution, "longest_s": runs[0].longest_cost,
                        "sum_s": runs[0].cost_seconds, "least_s": least, "makespan_s": spread_of(runs, lambda one: one.evaluation_seconds),
                        "ratio": spread_of(runs, lambda one: one.evaluation_seconds / least),
                        "share_of_cpu": spread_of(runs, lambda one: one.cost_seconds / max(one.cpu_seconds(), 1e-9))})
    return figures


def heavy_tail_table(figures):
    first = figures[0]
    rows = [[item["ranks"], f"{item['least_s']:.3g}", machine.show(item["makespan_s"]), machine.show(item["ratio"]), machine.show(item["share_of_cpu"])]
            for item in figures]
    return (f"{first['points']:,} points with {first['distribution']} costs: sum {first['sum_s']:.3g} s, longest {first['longest_s']:.3g} s. "
            "Least: the larger of the longest point and sum / cores used.\n\n"
            + machine.markdown(["ranks", "least [s]", "makespan [s]", "makespan / least", "share of CPU time in points"], rows))


def idle_ranks(arguments):
    """Few long points, many ranks: the cost of a waiting rank."""
    ranks, cost = (5, 1.5) if arguments.quick else (64, 20)
    figures = []
    for one in [run(arguments, ranks, 2, cost_mean=f"{cost} s") for _ in range(1 if arguments.quick else arguments.runs)]:
        # Without the first and the last half second: there ranks start and end.
        shares = {}
        for number, rank in one.ranks.items():
            seconds, window = rank.cpu_between(one.begin + 0.5, one.end - 0.5)
            if window > 0:
                shares[number] = seconds / window
        waiting = sorted(share for number, share in shares.items() if number > 0)[:-2]
        figures.append({"manager": shares[0], "waiting_median": waiting[len(waiting) // 2], "waiting_max": waiting[-1], "ranks": ranks, "cost_s": cost})
    return figures


def idle_ranks_table(figures):
    first = figures[0]
    rows = [[name, machine.show(machine.spread(100 * item[key] for item in figures))]
            for name, key in (("manager", "manager"), ("waiting rank, median", "waiting_median"), ("waiting rank, worst", "waiting_max"))]
    return (f"{first['ranks']} ranks, 2 points of {first['cost_s']} s: CPU time of those that wait.\n\n"
            + machine.markdown(["", "% of a core"], rows))


def starting(arguments):
    """Ten points of no cost: the time of a command in addition to its points."""
    figures = []
    for ranks in (1,) if arguments.quick else (1, 2, 64):
        runs = repeated(arguments, ranks, 10)
        figures.append({"ranks": ranks, "start_s": spread_of(runs, lambda one: one.start_seconds), "wall_s": spread_of(runs, lambda one: one.wall)})
    return figures


def starting_table(figures):
    rows = [[item["ranks"], machine.show(item["start_s"]), machine.show(item["wall_s"])] for item in figures]
    return ("Ten points of no cost. Start: from the command to the last rank's journal.\n\n"
            + machine.markdown(["ranks", "start [s]", "whole command [s]"], rows))


def manager_rounds(arguments):
    """The manager's bookkeeping in a round: the roster compared with loops over all ranks, in one run."""
    program = arguments.program.parent / "benchmarks" / "manager_rounds"
    done = subprocess.run([str(program), "50" if arguments.quick else "2000"], capture_output=True, text=True, check=True)
    return [{"ranks": int(ranks), "all_ns": float(scan), "roster_ns": float(book)}
            for ranks, scan, book, _ in (line.split() for line in done.stdout.splitlines()[1:])]


def manager_rounds_table(figures):
    rows = [[f"{item['ranks']:,}", machine.duration(1e-9 * item["all_ns"]), machine.duration(1e-9 * item["roster_ns"])] for item in figures]
    return ("Smallest of five.\n\n" + machine.markdown(["ranks", "looks at all ranks", "roster"], rows))


MEASUREMENTS = {"short": (short_points, short_points_table), "empty": (empty_points, empty_points_table), "tail": (heavy_tail, heavy_tail_table),
                "idle": (idle_ranks, idle_ranks_table), "start": (starting, starting_table), "rounds": (manager_rounds, manager_rounds_table)}


def implausible(figures, path=""):
    """Names of figures that are not positive numbers; the CPU time of a waiting rank may be 0."""
    if isinstance(figures, dict):
        return [name for key, value in figures.items() for name in implausible(value, f"{path}/{key}")]
    if isinstance(figures, list):
        return [name for number, value in enumerate(figures) for name in implausible(value, f"{path}/{number}")]
    if isinstance(figures, str):
        return []
    sane = 0 <= figures < 1e12 and (figures > 0 or "/idle/" in path or "cpu" in path)
    too_much = "/share_of_" in path and not path.endswith("/runs") and figures > 1.1 and "cpu" not in path
    return [] if sane and not too_much else [f"{path} = {figures}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help=f"measurements: {', '.join(MEASUREMENTS)} (default: all)")
    parser.add_argument("--program", type=lambda text: pathlib.Path(text).resolve(), default=machine.BUILD / "pimsweep")
    parser.add_argument("--runs", type=int, help="repetitions of each measurement (default: 3; 1 with --quick)")
    parser.add_argument("--scratch", help="folder for the runs' files (default: the system's)")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    parser.add_argument("--page", type=pathlib.Path, help="write the tables into this page (docs/scaling.md)")
    parser.add_argument("--quick", action="store_true", help="small sizes; fails if a figure is missing or impossible")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.only if name not in MEASUREMENTS]
    if unknown:
        parser.error(f"no measurement {', '.join(unknown)}; there are {', '.join(MEASUREMENTS)}")
    if not arguments.program.is_file():
        parser.error(f"no program {arguments.program}: scripts/build.sh release builds it")
    arguments.runs = arguments.runs or (1 if arguments.quick else 3)

    figures = {"machine": machine.describe(), "load": round(machine.load(), 1)}
    print(f"{figures['machine']}; load when begun: {figures['load']}; median (minimum to maximum) of {arguments.runs} runs.", flush=True)
    tables = {}
    for name in arguments.only or MEASUREMENTS:
        measure, table = MEASUREMENTS[name]
        try:
            figures[name] = measure(arguments)
        except subprocess.CalledProcessError as error:
            sys.exit(f"scaling.py: {' '.join(map(str, error.cmd))} ended with {error.returncode}:\n{error.output}")
        tables[f"scaling.py {name}"] = table(figures[name])
        print(f"\n{tables[f'scaling.py {name}']}", flush=True)
    if arguments.page:
        machine.write_tables(arguments.page, tables)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")
    problems = implausible({name: value for name, value in figures.items() if name != "load"})
    if problems:
        sys.exit("scaling.py: impossible figures: " + ", ".join(problems))


if __name__ == "__main__":
    main()
