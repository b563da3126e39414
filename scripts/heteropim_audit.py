#!/usr/bin/env python3
"""Hardware that each claim of the Hetero-PIM paper (Sec. VI-A to VI-G) requires, and the GPU by measured times.

Reads the results of experiments/heteropim.toml and, for the second part, of experiments/kernel.toml (study
conv, hardware gpu-gtx-1080-ti). Prints the tables of docs/heteropim.md. With --nearness, also how near the numbers of Figures 8
to 17 are on each machine, by the checks of results/published/heteropim.toml: the reading's are counted nowhere else.
"""

import argparse
import dataclasses
import pathlib
import sys

import pandas as pd

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))
import pimsweep
from pimsweep.analysis import make_report, read_published

# Hardware files.
MACHINES = {"built": "heteropim", "reading": "heteropim-reading"}
# The columns that name a layer in the measured sheets and in table "convolutions".
LAYER = ["W", "H", "C", "K", "filter_h", "filter_w", "stride_h", "stride_w"]


def of_machine(results, study, machine=None):
    points = results.frame(study)
    return points if machine is None else points[points["hardware"] == machine]


def by_policy(results, study, machine, metric):
    points = of_machine(results, study, machine)
    return points.pivot_table(index="model", columns="policy", values=metric, sort=False)


def rounded(value, digits=3):
    return f"{float(f'{value:.{digits}g}'):g}"


def span(values, digits=3):
    """Range of values as text."""
    low, high = rounded(min(values), digits), rounded(max(values), digits)
    return low if low == high else f"{low} to {high}"


class Claims:
    """Rows claim, published, as stated, needs, by what the pairs have, reading."""

    def __init__(self, results):
        self.results = results
        self.work = of_machine(results, "fig8", MACHINES["built"]).groupby("model", sort=False)["work"].first()
        pairs = of_machine(results, "fig12")
        self.peak = 2 * pairs["pairs"].max() * pairs["hardware.pim.pair.clock"].iloc[0]
        self.rows = []

    def speed(self, name, published, base, over, models=None, frequency=1.0, words=""):
        """`base` is compared with the policy `over`; `published` are ratios of their speeds."""
        ratios, needed = {}, []
        for state, machine in MACHINES.items():
            times = by_policy(self.results, "fig8", machine, "time")
            subject = times[base]
            if frequency != 1:
                points = of_machine(self.results, "fig11", machine)
                chosen = (points["policy"] == base) & (points["frequency"] == frequency)
                subject = points[chosen].set_index("model")["time"]
            among = models or list(times.index)
            ratios[state] = [times[over][m] / subject[m] for m in among]
            if state == "built":
                needed = [ratio * self.work[m] / times[over][m] for m in among for ratio in published]
        self.add(name, f"{words} {span(published)}".strip(), ratios, needed, frequency)

    def add(self, name, published, ratios, needed=None, frequency=1.0):
        needs = span([value / 1e9 for value in needed]) if needed else ""
        share = span([value / (self.peak * frequency) for value in needed], 2) if needed else ""
        self.rows.append([name, published, span(ratios["built"]), needs, share, span(ratios["reading"])])

    def metric(self, name, published, value):
        self.add(name, published, {state: value(machine) for state, machine in MACHINES.items()})


def claims(results):
    table = Claims(results)
    models = list(table.work.index)
    named = {model.removeprefix("heteropim-"): model for model in models}
    table.speed("slowest PIM over CPU (VI-A)", [1.19], "prog-pim", "cpu")
    table.speed("fastest PIM over CPU (VI-A)", [28], "hetero-pim", "cpu")
    table.speed("over Progr PIM (VI-A)", [2.5, 23], "hetero-pim", "prog-pim")
    table.speed("over Fixed PIM (VI-A)", [1.4, 5.7], "hetero-pim", "fixed-pim")
    close = [named[name] for name in ("vgg-19", "alexnet", "inception-v3")]
    table.speed("over GPU: VGG-19, AlexNet, Inception-v3 (VI-A)", [0.9, 1.1], "hetero-pim", "gpu", close)
    table.speed("over GPU: DCGAN (VI-A)", [1], "hetero-pim", "gpu", [named["dcgan"]], words="below")
    table.speed("over GPU: ResNet-50 (VI-A)", [1], "hetero-pim", "gpu", [named["resnet-50"]], words="above")
    table.speed("over Neurocube (VI-C)", [3], "hetero-pim", "neurocube", words="at least")
    for model, frequency, ratio in (("vgg-19", 2.0, 1.36), ("alexnet", 2.0, 1.17), ("vgg-19", 4.0, 1.37),
                                    ("alexnet", 4.0, 1.60)):
        name = f"over GPU at {frequency:g}x: {model} (VI-D)"
        table.speed(name, [ratio], "hetero-pim", "gpu", [named[model]], frequency)

    def energy(over):
        def ratio(machine):
            values = by_policy(results, "fig8", machine, "dynamic_energy")
            return list(values[over] / values["hetero-pim"])
        return ratio

    def variants(machine, metric, policy="hetero-pim"):
        points = of_machine(results, "fig13", machine)
        mine = points[points["policy"] == policy]
        return mine.pivot_table(index="model", columns=["rc", "op"], values=metric, sort=False)

    def bare_over(policy, metric):
        def ratio(machine):
            return list(variants(machine, metric, policy)[0, 0] / variants(machine, metric)[0, 0])
        return ratio

    def runtime(metric):
        def ratio(machine):
            values = variants(machine, metric)
            return list(values[0, 0] / values[1, 1])
        return ratio

    def utilization(after, before):
        def ratio(machine):
            values = variants(machine, "pair_utilization")
            return list(values[after] / values[before])
        return ratio

    def frequency_ratio(metric, over_gpu):
        def ratio(machine):
            points = of_machine(results, "fig11", machine)
            points = points[points["frequency"] == 4.0] if over_gpu else points
            if over_gpu:
                values = points.pivot_table(index="model", columns="policy", values=metric, sort=False)
                return list(values["gpu"] / values["hetero-pim"])
            mine = points[points["policy"] == "hetero-pim"]
            values = mine.pivot_table(index="model", columns="frequency", values=metric, sort=False)
            return list(values[4.0] / values.min(axis=1))
        return ratio

    def processors(machine):
        points = of_machine(results, "fig12", machine)
        values = points.pivot_table(index="model", columns="programmable", values="time", sort=False)
        return list(values[16] / values[1])

    table.metric("energy, CPU by Hetero (VI-B)", "3 to 24", energy("cpu"))
    table.metric("energy, GPU by Hetero (VI-B)", "1.3 to 5", energy("gpu"))
    table.metric("energy, Neurocube by Hetero (VI-C)", "at least 3", energy("neurocube"))
    table.metric("time, 16 programmable PIMs by one (VI-D)", "1.12 to 1.14", processors)
    table.metric("over Progr PIM without RC and OP (VI-E)", "up to 8.5", bare_over("prog-pim", "time"))
    table.metric("over Fixed PIM without RC and OP (VI-E)", "1.07 to 1.3", bare_over("fixed-pim", "time"))
    table.metric("RC and OP together, time (VI-E)", "up to 3.8", runtime("time"))
    table.metric("energy, Progr PIM by Hetero without RC and OP (VI-E)", "up to 2.7",
                 bare_over("prog-pim", "dynamic_energy"))
    table.metric("RC and OP together, energy (VI-E)", "up to 3.9", runtime("dynamic_energy"))
    table.metric("utilization by RC (VI-E)", "up to 1.66", utilization((1, 0), (0, 0)))
    table.metric("utilization by OP after RC (VI-E)", "up to 1.18", utilization((1, 1), (1, 0)))
    table.metric("utilization with RC and OP (VI-E)", "near 1", lambda m: list(variants(m, "pair_utilization")[1, 1]))
    table.metric("co-running (VI-F)", "1.69 to 1.83",
                 lambda m: list(of_machine(results, "fig16", m)["corun_speedup"]))
    table.metric("EDP at 4x by the least of 1x, 2x, 4x (VI-G)", "1", frequency_ratio("edp", False))
    table.metric("power, GPU by Hetero at 4x (VI-G)", "1.5 to 2.6", frequency_ratio("power", True))
    print("| claim | published | as stated | needs, GFLOP/s | by pairs | reading |")
    print("|---|---|---|---|---|---|")
    for row in table.rows:
        print("| " + " | ".join(row) + " |")


def card(results, kernels):
    """The card's convolutions that DeepBench has measured, each at the batch nearest to the step's."""
    rows = results.detail("fig8", "convolutions")
    rows = rows[rows["hardware"] == MACHINES["built"]]
    whole = by_policy(results, "fig8", MACHINES["built"], "time")["gpu"]
    sheet = of_machine(kernels, "conv", "gpu-gtx-1080-ti")
    # The padding of these layers follows from the rest, and sheets for inference have the same layers in int8.
    sheet = sheet[sheet["precision"] == "fp32"]
    print("\n| model | pass | work covered | measured | model on these | deviation |\n|---|---|---|---|---|---|")
    steps = {}
    for model, mine in rows.groupby("model", sort=False):
        for name, part in mine.groupby("pass", sort=False):
            measured = sheet.dropna(subset=[f"reference_{name}_ms"])
            nearest = measured.sort_values("N").groupby(LAYER).last().reset_index()
            both = part.merge(nearest, on=LAYER, suffixes=("", "_sheet"))
            if both.empty:
                continue
            covered = both["work"].sum() / part["work"].sum()
            # Times for each image, at the sheet's batch.
            images = both["N"] / both["N_sheet"]
            theirs = (both[f"reference_{name}_ms"] * images).sum() / 1e3
            ours = (both[f"{name}_ms"] * images).sum() / 1e3
            step = steps.setdefault(model, [0.0, 0.0])
            step[0] += theirs
            step[1] += both["kernel_time"].sum()
            print(f"| {model.removeprefix('heteropim-')} | {name} | {100 * covered:.0f} % | {1e3 * theirs:.3g} ms | "
                  f"{1e3 * ours:.3g} ms | {100 * (ours / theirs - 1):+.0f} % |")
    work = of_machine(results, "fig8", MACHINES["built"]).groupby("model", sort=False)["work"].first()
    peak = Claims(results).peak
    print("\n| model | step, by the model | with measured kernels | parity then needs | by what the pairs have |")
    print("|---|---|---|---|---|")
    for model, (measured, modeled) in steps.items():
        replaced = whole[model] - modeled + measured
        rate = work[model] / replaced
        print(f"| {model.removeprefix('heteropim-')} | {1e3 * whole[model]:.3g} ms | {1e3 * replaced:.3g} ms | "
              f"{rate / 1e12:.3g} TFLOP/s | {rate / peak:.2g} |")


def table1(results):
    """The five first types of operations of each list beside the published ones."""
    rows = results.detail("table1", "by_type")
    published = pimsweep.published("heteropim")
    print("\n| | time, published | time, here | memory accesses, published | memory accesses, here |")
    print("|---|---|---|---|---|")
    for model in ("vgg-19", "alexnet", "dcgan"):
        mine = rows[rows["model"] == f"heteropim-{model}"]
        cells = []
        for kind, share, rank in (("ci", "time", "time_rank"), ("mi", "mem", "memory_rank")):
            pattern = rf"heteropim-tab1-{model}-{kind}-(?!other).*-{share}"
            theirs = published[published.index.str.match(pattern)]
            names = theirs["axis"]
            counts = published.reindex([identity.rsplit("-", 1)[0] + "-inv" for identity in theirs.index])["value"]
            cells.append("<br>".join(f"{entry.split('op=')[1].split(';')[0]} {value} ({count})" for entry, value, count
                                     in zip(names, theirs["value"], counts)))
            top = mine.sort_values(rank).head(5)
            column = "time_share" if share == "time" else "memory_share"
            cells.append("<br>".join(f"{kind_of} {100 * part:.1f} ({count})" for kind_of, part, count
                                     in zip(top["type"], top[column], top["invocations"])))
        print(f"| {model} | " + " | ".join(cells) + " |")


def findings(results, machine):
    """The findings on numbers of Figures 8 to 17, on one machine: deviation, reproduced, published, unit."""
    def on_machine(selection):
        return {column: [machine if one == "heteropim" else one for one in allowed] if column == "hardware" else allowed
                for column, allowed in selection.items()}

    (one,) = (one for one in read_published(ROOT / "results/published") if one.paper == "heteropim")
    queries = {name: dataclasses.replace(query, select=on_machine(query.select), over=on_machine(query.over))
               for name, query in one.queries.items()}
    found = make_report([results], [dataclasses.replace(one, queries=queries)])
    rows = pd.DataFrame([(finding.published.id, finding.published.value, finding.published.unit, finding.reproduced, finding.deviation)
                         for finding in found], columns=["id", "published", "unit", "reproduced", "deviation"])
    figures = rows[rows["id"].str.match(r"heteropim-fig(?:[89]|1\d)[ab]?-") & rows["deviation"].notna()]
    numbers = figures[pd.to_numeric(figures["published"], errors="coerce").notna()].copy()
    numbers["deviation"] = numbers["deviation"].abs()
    return numbers


def nearness(results):
    """Numbers within 10 and 25 % on each machine, as printed and, where they are gains in percent, as ratios."""
    print("\n| machine | numbers | within 10 % | within 10 % as ratios | within 25 % |\n|---|---:|---:|---:|---:|")
    for machine in MACHINES.values():
        rows = findings(results, machine)
        percent = rows["unit"].str.startswith("% s")
        ratios = (100 + rows["reproduced"].astype(float)) / (100 + rows["published"].astype(float)) - 1
        as_ratio = ratios.abs().where(percent, rows["deviation"])
        near = [(deviation <= limit).sum() for deviation, limit in
                ((rows["deviation"], 0.1), (as_ratio, 0.1), (rows["deviation"], 0.25))]
        print(f"| `{machine}` | {len(rows)} | " + " | ".join(map(str, near)) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", help="results of experiments/heteropim.toml")
    parser.add_argument("kernels", nargs="?", help="results of experiments/kernel.toml")
    parser.add_argument("--nearness", action="store_true", help="compare both machines with every number")
    args = parser.parse_args()
    results = pimsweep.open(args.results)
    claims(results)
    table1(results)
    if args.nearness:
        nearness(args.results)
    if args.kernels:
        card(results, pimsweep.open(args.kernels))


if __name__ == "__main__":
    main()
