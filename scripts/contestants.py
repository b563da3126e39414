"""Comparison of machines: time, energy and rated power of an image, from experiments/crossover.toml's results.

Usage: contestants.py results/crossover.h5 prints the tables of docs/crossover.md. Of results with sampled machines, those
of the machine of the file, with the share of the sampled machines on which the winner wins too.
"""

import pathlib
import sys

import pandas as pd

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import pimsweep

SYSTEMS = {"allspark": "Allspark", "allspark-32": "Allspark 32 bit", "hypar": "HyPar", "pimflow": "PIMFlow",
           "heteropim": "Hetero-PIM", "rtconc": "RTConc"}
MODELS = {"resnet-50": "ResNet-50", "swin-b": "Swin-B", "bert-base": "BERT (64 tokens)"}
STUDIES = {"allspark_operators": "allspark", "allspark": "allspark", "allspark_32bit": "allspark-32",
           "hypar": "hypar", "pimflow": "pimflow", "heteropim": "heteropim", "rtconc": "rtconc"}
# Constants that the experiment scales: their three values are half, once and twice the nominal one.
BANDWIDTH = {"allspark": "hardware.dram.bank_bandwidth", "allspark-32": "hardware.dram.bank_bandwidth",
             "hypar": "hardware.dram.bandwidth",
             "pimflow": "hardware.gpu.memory.bandwidth", "heteropim": "hardware.pim.stack.bandwidth",
             "rtconc": "hardware.cpu.memory.bandwidth"}
FACTORS = [0.5, 1, 2]
PLACE = ["model", "batch", "bandwidth"]
# Machines that share a batch; the experiment has the images of one.
COPIES = {"heteropim": 2}


def ways(points):
    """How each point runs its model: the policy of a schedule, else the execution."""
    return points["policy"].where(points["execution"] == "schedule", points["execution"])


def rated_power(system, point):
    """Watts of a whole contestant at full rate, from the constants of its hardware file (docs/crossover.md)."""
    def constant(name):
        return float(point["hardware." + name])
    if system.startswith("allspark"):
        rows, columns = constant("node_array.rows"), constant("node_array.cols")
        pes = rows * columns * constant("pe_array.rows") * constant("pe_array.cols")
        links = 2 * (rows * (columns - 1) + columns * (rows - 1))
        return (pes * constant("clock") * constant("pe_array.mac_energy")
                + rows * columns * constant("dram.bank_bandwidth") * constant("dram.energy")
                + links * constant("noc.link_bandwidth") * constant("noc.energy"))
    if system == "hypar":
        macs = (constant("accelerator.units") * constant("pe_array.rows") * constant("pe_array.cols")
                * constant("clock"))
        cube = (macs * (constant("energy.add") + constant("energy.multiply"))
                + constant("dram.bandwidth") / constant("data.word") * constant("energy.dram_word"))
        return 2 ** int(point["levels"]) * cube
    if system == "pimflow":
        return constant("gpu.power.tdp")
    if system == "rtconc":
        return constant("power")
    machine = (constant("host.idle_power") + constant("host.busy_power") + constant("pim.stack.background_power")
               + constant("pim.programmable.busy_power")
               + constant("pim.stack.bandwidth") * constant("pim.stack.inner_energy")
               + constant("pim.stack.link_bandwidth") * constant("pim.stack.outer_energy"))
    return COPIES[system] * machine


def contestants(results):
    """One row for each point: system, policy, model, batch, bandwidth as a factor, time and energy of an image."""
    frames = []
    for study, system in STUDIES.items():
        points = results.frame(study)
        values = sorted(points[BANDWIDTH[system]].unique())
        copies = COPIES.get(system, 1)
        batch = points["batch"].where(points["batch"] == 1, points["batch"] * copies)
        frames.append(pd.DataFrame({
            "system": system, "policy": ways(points) if "execution" in points else points["policy"],
            "model": points["model"],
            "batch": batch, "bandwidth": [FACTORS[values.index(value)] for value in points[BANDWIDTH[system]]],
            # A single image is on one machine.
            "time": points["time_per_sample"] * points["batch"] / batch,
            "energy": points["energy_per_sample"],
            "power": [rated_power(system, point) for point in points.to_dict("records")]}))
    return pd.concat(frames, ignore_index=True).dropna(subset=["time"])


def best(rows, metric):
    """The best policy of each system in each place."""
    return rows.loc[rows.groupby([*PLACE, "system"])[metric].idxmin()]


def winners(rows, metric):
    """Winner, its policy and its lead for each place."""
    table = []
    for place, group in best(rows, metric).groupby(PLACE):
        ranked = group.sort_values(metric)
        first, second = ranked.iloc[0], ranked.iloc[1]
        table.append((*place, first.system, first.policy, first[metric], second.system,
                      second[metric] / first[metric]))
    return pd.DataFrame(table, columns=[*PLACE, "winner", "policy", metric, "second", "lead"])


def win_shares(results, winners_of):
    """Of each winner on the machine of the file, the share of the sampled machines on which it wins; None without any.

    winners_of: makes a series of winners of the results on one machine; draws of all studies with one number belong
    together.
    """
    own = winners_of(results.machine(0))
    wins = results.on_machines(lambda one: winners_of(one).reindex(own.index) == own)
    return sum(wins) / len(wins) if wins else None


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def middle_of(results):
    """Contestants at the bandwidth as built."""
    rows = contestants(results)
    return rows[rows.bandwidth == 1]


def tables(results):
    middle = middle_of(results.machine(0))
    power = middle.groupby("system").power.first()
    print(markdown(["machine", "rated power"], [(SYSTEMS[s], f"{power[s]:.0f} W") for s in SYSTEMS]))
    for metric, unit, scale in (("time", "ms", 1e3), ("energy", "mJ", 1e3)):
        chosen = best(middle, metric)
        shares = win_shares(results, lambda one, metric=metric: winners(middle_of(one), metric).set_index(
            ["model", "batch"]).winner)
        lines = []
        for (model, batch), group in chosen.groupby(["model", "batch"], sort=False):
            by_system = group.set_index("system")
            least = by_system[metric].idxmin()
            cells = [f"{scale * by_system.loc[s, metric]:.3g} {by_system.loc[s, 'policy']}" for s in SYSTEMS]
            share = "" if shares is None else f" (in {100 * shares[model, batch]:.0f} %)"
            lines.append((MODELS[model], str(batch),
                          *(f"**{cell}**{share}" if s == least else cell for s, cell in zip(SYSTEMS, cells))))
        order = list(MODELS.values())
        lines.sort(key=lambda line: (order.index(line[0]), int(line[1])))
        print("\n" + markdown(["", "batch", *(f"{name}, {unit}" for name in SYSTEMS.values())], lines))


if __name__ == "__main__":
    tables(pimsweep.open(sys.argv[1]))
