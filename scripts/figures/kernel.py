#!/usr/bin/env python3
"""Model against measured kernel times: a scatter plot for each kind, tables of accuracy, the outliers.

Usage: kernel.py results/kernel.h5 [--output DIR] [--tables]. --tables prints the tables of docs/gpu.md, no more.
Rows that the constants were fitted to are left out of tables and outliers, and drawn gray.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from pimsweep import plot
import matplotlib.pyplot as plt
from measured_times import accuracy, load

STYLES = {"Tesla V100": ("#0072b2", "o"), "Tesla P100": ("#009e73", "s"), "GTX 1080 Ti": ("#d55e00", "^"),
          "Tesla T4": ("#cc79a7", "v")}
KINDS = {"gemm": "GEMMs", "conv": "convolutions", "rnn": "recurrent layers"}
OUTLIER = 2.5


def share(value):
    return f"{100 * value:.1f} %"


def table(rows, names):
    figures = "rows | median of abs. deviation | median deviation | 90 % of abs. deviations | rank corr."
    lines = ["| " + " | ".join(names) + f" | {figures} |", "|" + "---|" * len(names) + "---:|---:|---:|---:|---:|"]
    for key, row in rows.iterrows():
        key = key if isinstance(key, tuple) else (key,)
        lines.append("| " + " | ".join(key) + f" | {row.rows:.0f} | {share(row['median'])} | {100 * row.bias:+.1f} % | "
                     f"{share(row.p90)} | {row['rank']:.3f} |")
    return "\n".join(lines)


def tables(times):
    held = times[~times.calibration]
    groupings = [["kind"], ["kind", "card"], ["kind", "card", "precision", "pass"]]
    return "\n\n".join(table(accuracy(held, names), names) for names in groupings)


def outliers(times):
    """Rows that are off by more than a factor, the worst first."""
    held = times[~times.calibration].copy()
    held["ratio"] = held.model / held.measured
    held = held[(held.ratio > OUTLIER) | (held.ratio < 1 / OUTLIER)]
    held["factor"] = held.ratio.where(held.ratio > 1, 1 / held.ratio)
    return held.sort_values("factor", ascending=False)


def scatter(times, kind):
    rows = times[times.kind == kind]
    figure, axes = plt.subplots(figsize=(plot.COLUMN, 3.5))
    fitted = rows[rows.calibration]
    axes.loglog(fitted.measured, fitted.model, ".", color="0.75", markersize=3, label="fitted to")
    for card, (color, marker) in STYLES.items():
        held = rows[(rows.card == card) & ~rows.calibration]
        if len(held):
            axes.loglog(held.measured, held.model, marker, color=color, markersize=2, markeredgewidth=0, label=card)
    low, high = rows[["measured", "model"]].min().min() / 1.5, rows[["measured", "model"]].max().max() * 1.5
    axes.plot([low, high], [low, high], color="black", linewidth=0.7)
    for factor in (1.25, 0.8):
        axes.plot([low, high], [low * factor, high * factor], color="black", linewidth=0.5, linestyle=":",
                  label="25 % off" if factor == 1.25 else None)
    axes.set(xlim=(low, high), ylim=(low, high), xlabel="measured [ms]", ylabel="model [ms]", title=KINDS[kind])
    axes.set_aspect("equal")
    axes.legend(markerscale=2)
    return figure, rows


def main():
    only_tables = "--tables" in sys.argv
    if only_tables:
        sys.argv.remove("--tables")
        print(tables(load(sys.argv[1])))
        return
    results, output = plot.arguments(__doc__)
    times = load(results)
    for kind in KINDS:
        figure, rows = scatter(times, kind)
        return figure, rows  # NAME kernel-{kind}
    outliers(times).to_csv(output / "kernel-outliers.csv", index=False, float_format="%.4g")
    (output / "kernel-tables.md").write_text(tables(times) + "\n")
    print(f"{len(outliers(times))} of {(~times.calibration).sum()} rows are off by more than a factor of {OUTLIER}")


if __name__ == "__main__":
    main()
