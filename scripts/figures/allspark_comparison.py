"""Allspark beside a V100 (Figure 16, Table VII) and beside its own simulation."""

import matplotlib.pyplot as plt
import numpy as np

import common

ROWS, COLS = "hardware.node_array.rows", "hardware.node_array.cols"
BANKS, BANDWIDTH = "hardware.dram.banks_per_node", "hardware.dram.bank_bandwidth"
# Color and marker by family, dashes for the smaller of two models.
FAMILIES = {"vit": ("#555555", "o"), "pvt": ("#b0b7c3", "s"), "swin": ("#2a6f4e", "^"), "focal": ("#7fa8d1", "v"),
            "twins-svt": ("#e0a458", "D"), "cswin": ("#a04668", "P")}


def style(model):
    family, size = model.rsplit("-", 1)
    color, marker = FAMILIES[family]
    return {"color": color, "marker": marker, "markersize": 3, "linestyle": "--" if size == "s" else "-",
            "label": model}


def ratios(points, metric, policy="allspark"):
    """The GPU's value by that of a policy; NaN where the policy has no schedule."""
    keys = [name for name in (ROWS, "model", "image_px", "batch") if points[name].nunique() > 1]
    table = points.pivot_table(index=keys, columns="policy", values=metric, sort=False, dropna=False)
    return table["gpu"] / table[policy]


def figure16(results, output):
    points = common.study(results, "fig16")
    facts = common.published("allspark")
    speedup, energy = ratios(points, "latency"), ratios(points, "energy")
    bound = ratios(points, "latency", "ideal").groupby(["image_px", "batch"]).mean()
    sizes, models = common.ordered(points["image_px"]), common.ordered(points["model"])
    figure, axes = plt.subplots(2, len(sizes), figsize=(common.PAGE, 4.6), sharex=True, sharey="row")
    for column, size in enumerate(sizes):
        for row, values in enumerate((speedup, energy)):
            axis = axes[row][column]
            for model in models:
                rows = values.xs((model, size), level=("model", "image_px")).dropna()
                axis.plot(np.log2(rows.index), rows, **style(model))
            axis.set(yscale="log", yticks=(0.2, 0.5, 1, 2, 5) if row == 0 else (20, 50, 100))
            axis.minorticks_off()
            common.plain_numbers(axis.yaxis)
        axes[0][column].set(title=f"{size} px")
        axes[0][column].axhline(float(facts.loc["allspark-fig16-avg", "value"]), color="k", linestyle=":", linewidth=1)
        axes[0][column].plot(np.log2(bound[size].index), bound[size], "k-", linewidth=0.8)
        axes[1][column].axhspan(float(facts.loc["allspark-fig16-energy", "value"]),
                                float(facts.loc["allspark-fig16-energy", "value_hi"]),
                                color="k", alpha=0.1)
        axes[1][column].set(xlabel="batch", xticks=range(7))
        axes[1][column].set_xticklabels(2**np.arange(7))
    axes[0][0].set_ylabel("speedup over the V100")
    axes[1][0].set_ylabel("energy of the V100 by ours")
    handles, labels = axes[0][0].get_legend_handles_labels()
    handles += [plt.Line2D([], [], color="k", linestyle=":"), plt.Line2D([], [], color="k", linewidth=0.8),
                plt.Rectangle((0, 0), 1, 1, color="k", alpha=0.1)]
    labels += ["published mean", "all PEs busy,\nmean of all models", "published energy"]
    figure.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0.03), ncol=5)
    common.save(figure, speedup.rename("speedup").to_frame().join(energy.rename("energy_ratio")).reset_index(), output,
                "fig16")


def table7(results, output):
    points = common.study(results, "table7")
    # Arrays by their number of nodes.
    points[ROWS], points[COLS] = points[ROWS] * points[COLS], 1
    speedup = ratios(points, "latency")
    # The same points for all bandwidths.
    table = speedup.unstack(ROWS).dropna()
    first = points.drop_duplicates(ROWS).set_index(ROWS)
    bandwidth = (first.index * first[COLS] * first[BANKS] * first[BANDWIDTH]).reindex(table.columns) / 1e12
    facts = common.published("allspark")
    published = [float(facts.loc[f"allspark-tab7-{name}", "value"])
                 for name in ("900-gb-s", "1-12-tb-s", "1-49-tb-s", "3-35-tb-s")]
    means = table.mean()
    figure, axis = plt.subplots(figsize=(common.COLUMN, 2.7))
    axis.plot(bandwidth, means / means.iloc[-1], "o-", color="#2a6f4e", label=f"here, of {means.iloc[-1]:.2f}")
    axis.plot(bandwidth, np.array(published) / published[-1], label=f"published, of {published[-1]:g}",
              **common.PUBLISHED)
    axis.set(xlabel="aggregate DRAM bandwidth [TB/s]",
             ylabel="mean speedup over the V100,\nrelative to the whole bandwidth",
             ylim=(0.7, 1.1), title=f"Table VII: {len(table)} models, sizes and batches")
    axis.legend(fontsize=7)
    drawn = means.rename("speedup").reset_index().assign(bandwidth=bandwidth.to_numpy(), published=published)
    common.save(figure, drawn, output, "table7")


def fidelity(results, output):
    points = common.study(results, "fidelity")
    points = points[(points["policy"] == "allspark") & (points["fidelity"] == "cycle")]
    bound = float(common.published("allspark").loc["allspark-s8b-dev", "value"])
    table = points.pivot_table(index="model", columns="image_px", values="formula_deviation", sort=False)
    figure, axis = plt.subplots(figsize=(common.PAGE, 2.6))
    for i, (size, color) in enumerate(zip(table.columns, ("#b0b7c3", "#7fa8d1", "#2a6f4e"))):
        axis.bar(np.arange(len(table)) + (i - 1) * 0.27, 100 * table[size], 0.27, label=f"{size} px", color=color)
    axis.axhline(bound, color="k", linestyle="--", linewidth=1, label=f"published: within {bound:g} %")
    axis.set(ylabel="formula beside\nsimulation, abs. [%]",
             title="Allspark's schedules by formula and on routers and DRAM")
    axis.set_xticks(np.arange(len(table)), table.index, rotation=30, ha="right")
    axis.legend(loc="center left")
    common.save(figure, points[["model", "image_px", "latency", "formula_deviation"]], output, "fidelity")
