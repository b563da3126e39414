#!/usr/bin/env python3
"""Simulates the driver on up to 65,536 ranks with message costs measured on a machine; draws docs/images/scaling_simulation.png.

  protocol_simulation.py measure NAME     message costs of this machine -> benchmarks/recorded/NAME.json
  protocol_simulation.py check            real managers and real runs beside what the simulation predicts
  protocol_simulation.py sweep            efficiency for ranks and point costs, four ways to hand out work; picture and CSV
  protocol_simulation.py draw             tables and picture of the CSV again

Efficiency is the time spent in points divided by (ranks x makespan); the manager's rank counts. The sweep shows the best
possible makespan, which is the larger of (time in points / ranks) and the longest point, divided by the makespan.
"""

import argparse
import concurrent.futures
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

import machine
import pimsweep_run

RECORDED = machine.SOURCE / "benchmarks" / "recorded"
PARAMETERS = ("hear", "grant", "look", "latency", "sleep_overshoot", "per_grant", "per_point")
GRANT_SECONDS = 0.03
# In the order of the picture.
SCHEMES = {"one": "one manager, 30 ms grants", "averaged": "averaged costs",
           "longer": "averaged costs, longer grants", "two": "two levels of managers"}
ENOUGH = 0.9


def measured_costs(build, ranks=3, extra=()):
    """The JSON of message_costs, run on this machine."""
    command = ["mpirun", *extra, "-n", str(ranks), str(build / "benchmarks" / "message_costs")]
    done = subprocess.run(command, env=machine.mpi_environment(), capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"message_costs: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def simulate(build, costs, **options):
    """Rows of simulate_protocol as dicts of numbers; options are its options."""
    command = [str(build / "benchmarks" / "simulate_protocol")]
    for name in PARAMETERS:
        command += ["--" + name.replace("_", "-"), repr(costs[name])]
    for name, value in options.items():
        text = ",".join(str(item) for item in value) if isinstance(value, (list, tuple)) else str(value)
        command += ["--" + name, text]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return numbers(csv.DictReader(io.StringIO(text)))


def measure(arguments):
    samples = [measured_costs(arguments.build, extra=arguments.mpirun.split()) for _ in range(arguments.runs)]
    record = {"machine": machine.describe(), "mpi": samples[0]["mpi"], "mpirun": arguments.mpirun,
              "load_before": round(machine.load(), 1), "runs": arguments.runs}
    for name in PARAMETERS:
        record[name] = machine.spread(sample[name] for sample in samples)["median"]
    path = RECORDED / f"{arguments.name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record, indent=1) + "\n")
    print(path.read_text(), end="")


def load_costs(arguments):
    costs = json.loads(arguments.costs.read_text())
    if arguments.latency is not None:
        costs["latency"] = arguments.latency
    return costs


def check_managers(arguments, costs, ranks, points):
    """The driver's own manager with points that sleep, so that ranks need no cores."""
    rows = []
    for number in ranks:
        for cost, work in points:
            total = max(10, int(work / cost)) * (number - 1)
            command = ["mpirun", "-n", str(number), str(arguments.build / "benchmarks" / "sleeping_points"), str(cost), str(total)]
            runs = []
            for _ in range(arguments.runs):
                done = subprocess.run(command, env=machine.mpi_environment(), capture_output=True, text=True, check=True)
                runs.append(json.loads(done.stdout))
            # On a busy machine whoever sleeps is woken late; how late, the same run tells. No journal is written.
            overslept = machine.spread(run["overslept"] for run in runs)["median"]
            sleeping = dict(costs, sleep_overshoot=overslept, per_grant=overslept, per_point=0.0)
            predicted = simulate(arguments.build, sleeping, ranks=[number], points=[cost], work=work)[0]
            assert predicted["points"] == total
            makespans = [run["makespan"] for run in runs]
            measured = machine.spread(total * cost / (number * makespan) for makespan in makespans)
            rows.append([number, machine.duration(cost), total, machine.duration(overslept), f"{predicted['efficiency']:.3f}",
                         machine.show(measured)])
    return rows


def check_runs(arguments, costs, ranks, cost=1e-3, work=2.0):
    """Whole runs of pimsweep with busy points; more ranks than cores share them."""
    cores = pimsweep_run.cores()
    rows = []
    for number in ranks:
        evaluators = number if number < 4 else number - 1
        total = max(10, int(work / cost)) * evaluators
        predicted = simulate(arguments.build, costs, ranks=[number], points=[cost], work=work, cores=cores)[0]
        efficiencies, shares = [], []
        for _ in range(arguments.runs):
            with tempfile.TemporaryDirectory() as folder:
                run = pimsweep_run.Experiment(total, cost_mean=f"{cost} s").run(arguments.build / "pimsweep", number, pathlib.Path(folder))
            efficiencies.append(total * cost / (number * run.evaluation_seconds))
            shares.append(total * cost / run.points_seconds)
        rows.append([number, machine.duration(cost), total, f"{predicted['efficiency']:.3f}", machine.show(machine.spread(efficiencies)),
                     machine.show(machine.spread(shares))])
    return rows


def check(arguments):
    costs = load_costs(arguments)
    managers = [4, 8, 16] if arguments.quick else [4, 8, 16, 32, 64]
    points = [(1e-3, 0.3)] if arguments.quick else [(1e-5, 3.0), (0.05, 3.0)]
    print(machine.markdown(["ranks", "point", "points", "woken late by", "predicted", "measured"], check_managers(arguments, costs, managers, points)))
    print()
    runs = [1, 2] if arguments.quick else [1, 2, 3, 4, 6, 8]
    print(machine.markdown(["ranks", "point", "points", "predicted", "measured", "cores got by points"],
                           check_runs(arguments, costs, runs, work=0.3 if arguments.quick else 3.0)))


def keeps_up(rows, scheme, distribution, point):
    """The largest number of ranks up to which a scheme is as good as ENOUGH of the best scheme there; 0 if none."""
    last = 0
    for number in sorted({row["ranks"] for row in rows}):
        here = {row["scheme"]: row["of_best"] for row in rows
                if (row["distribution"], row["point"], row["ranks"]) == (distribution, point, number)}
        if here[scheme] < ENOUGH * max(here.values()):
            break
        last = int(number)
    return last


def sweep(arguments):
    costs = load_costs(arguments)
    ranks = [64, 256] if arguments.quick else [64 * 4**step for step in range(9) if 64 * 4**step <= arguments.up_to]
    points = [1e-5, 1e-2] if arguments.quick else [1e-6, 1e-5, 1e-3, 1e-2, 0.1, 1.0, 10.0]
    kinds = [(scheme, distribution) for scheme in SCHEMES for distribution in ("constant", "lognormal")]
    with concurrent.futures.ThreadPoolExecutor(pimsweep_run.cores()) as pool:
        parts = pool.map(lambda kind: simulate(arguments.build, costs, ranks=ranks, points=points, schemes=kind[0],
                                               distributions=kind[1], group=arguments.group, work=arguments.work), kinds)
        rows = [row for part in parts for row in part]
    with open(arguments.csv, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    draw(arguments)


def numbers(rows):
    """Rows of a CSV reader with their numbers as such."""
    return [{key: value if key in ("scheme", "distribution") else float(value) for key, value in row.items()} for row in rows]


def draw(arguments):
    """Tables and picture of a sweep's CSV."""
    with open(arguments.csv, newline="") as file:
        rows = numbers(csv.DictReader(file))
    ranks = sorted({int(row["ranks"]) for row in rows})
    points = sorted({row["point"] for row in rows})
    tables(load_costs(arguments), rows, ranks, points)
    picture(rows, ranks, points, arguments)


def tables(costs, rows, ranks, points):
    exchange = costs["hear"] + costs["grant"]
    by_key = {(row["scheme"], row["distribution"], row["point"], int(row["ranks"])): row for row in rows}
    for scheme in SCHEMES:
        print(f"\nScheme `{scheme}`, constant costs (lognormal costs in brackets):\n")
        print(machine.markdown(["point", *[f"{number:,} ranks" for number in ranks]],
                               [[machine.duration(point), *[f"{by_key[scheme, 'constant', point, number]['of_best']:.3f} "
                                                            f"({by_key[scheme, 'lognormal', point, number]['of_best']:.3f})"
                                                            for number in ranks]] for point in points]))
    print(f"\nAn exchange costs the manager {machine.duration(exchange)}. Ranks up to which a scheme reaches "
          f"{100 * ENOUGH:.0f} % of what the best scheme does there:\n")
    print(machine.markdown(
        ["point", "grant / exchange", "distribution", *SCHEMES.values()],
        [[machine.duration(point), f"{max(GRANT_SECONDS, point) / exchange:,.0f}",
          distribution, *[f"{keeps_up(rows, scheme, distribution, point):,}" for scheme in SCHEMES]]
         for point in points for distribution in ("constant", "lognormal")]))


def picture(rows, ranks, points, arguments):
    import matplotlib

    matplotlib.use("Agg")
    sys.path.insert(0, str(machine.SOURCE / "python"))
    from pimsweep import plot

    plot.use_style()
    figure, axes = plot.panels(2, 2, 4.6, "Efficiency of the protocol by the mean cost of a point", SCHEMES.values(), sharex=True,
                               sharey=True)
    for axis, scheme in zip(axes.flat, SCHEMES):
        for point, color, marker in zip(points, plot.PALETTE, plot.MARKERS):
            for distribution, style in (("constant", "-"), ("lognormal", ":")):
                mine = [row for row in rows if (row["scheme"], row["distribution"], row["point"]) == (scheme, distribution, point)]
                axis.plot([row["ranks"] for row in mine], [row["of_best"] for row in mine], style, color=color, marker=marker,
                          markersize=3, label=machine.duration(point).replace("us", "\N{MICRO SIGN}s") if distribution == "constant" else None)
    plot.log_axis(axis.xaxis, ranks)
    axis.xaxis.set_major_formatter(lambda number, _: f"{number:,.0f}")
    axis.set_ylim(0, 1.02)
    for axis in axes[:, 0]:
        axis.set_ylabel("minimum makespan / makespan")
    for axis in axes[-1]:
        axis.set_xlabel("ranks")
    plot.legend(figure, 9, axes[0, 0], plot.entry("lognormal", linestyle=":"))
    figure.savefig(arguments.picture)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["measure", "check", "sweep", "draw"])
    parser.add_argument("name", nargs="?", default="this-machine", help="measure: name of the record")
    parser.add_argument("--build", type=pathlib.Path, default=machine.BUILD, help="build folder")
    parser.add_argument("--costs", type=pathlib.Path, default=RECORDED / "shared-memory.json", help="record of message costs")
    parser.add_argument("--latency", type=float, help="one-way latency in seconds in place of the record's: 2e-6 for InfiniBand, 30e-6 for TCP")
    parser.add_argument("--mpirun", default="", help='measure: options of mpirun, such as "--mca btl tcp,self"')
    parser.add_argument("--runs", type=int, default=3, help="repetitions of each measurement")
    parser.add_argument("--group", type=int, default=64, help="ranks of a group in the two-level scheme")
    parser.add_argument("--work", type=float, default=10.0, help="least seconds of work for each rank (never less than ten points)")
    parser.add_argument("--up-to", type=int, default=65536, help="sweep: largest number of ranks")
    parser.add_argument("--csv", type=pathlib.Path, default=RECORDED / "scaling_simulation.csv")
    parser.add_argument("--picture", type=pathlib.Path, default=machine.SOURCE / "docs" / "images" / "scaling_simulation.png")
    parser.add_argument("--quick", action="store_true", help="few ranks and costs")
    arguments = parser.parse_args()
    {"measure": measure, "check": check, "sweep": sweep, "draw": draw}[arguments.action](arguments)


if __name__ == "__main__":
    main()
