"""The figures of the PIMFlow paper, published values beside ours, and our own, from experiments/pimflow.toml."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from pimsweep import facts, plot

# The five networks of the paper, in its order, and those that it calls mobile.
FIVE = {"efficientnet-b0": "ENetB0", "mnasnet-1.0": "MnasNet", "mobilenet-v2": "MBNetV2", "resnet-50": "ResNet50",
        "vgg-d": "VGG16"}
MOBILE = {model: FIVE[model] for model in list(FIVE)[:3]}
# Different lightness, so that they are distinguishable without color.
POLICIES = {"newton+": ("Newton+", "#b8bacc"), "newton++": ("Newton++", "#8794ca"),
            "pimflow-md": ("PIMFlow-md", "#20416b"), "pimflow-pl": ("PIMFlow-pl", "#e0a458"),
            "pimflow": ("PIMFlow", "#2a6f4e"), "pimflow-optimal": ("best plan", "#90d2aa")}
NAMES, COLORS = ({policy: look[i] for policy, look in POLICIES.items()} for i in (0, 1))
# A line for each network has its own marker as well.
NETWORKS = {model: {"label": FIVE[model], "color": color, "marker": marker}
            for model, color, marker in zip(FIVE, ("#2a6f4e", "#e0a458", "#8794ca", "#20416b", "#9c2a1a"), "os^vP")}
HANDLES = [plot.entry(**look) for look in NETWORKS.values()]
CONTROLLERS = {"artifact": "artifact's controller", "paper": "paper's controller"}
GPU = {"color": "0.35", "linewidth": 1}
ONE = {"color": "0.3", "linewidth": 0.8}
# Light enough for the networks' marks on them.
LIGHT, MIDDLE, DARK = "#b8bacc", "#8794ca", "#90d2aa"
MEAN = {"first_mean": len(FIVE)}
CHANNELS, BANDWIDTH, CLOCK, SYNCHRONIZATION = (f"hardware.{name}" for name in (
    "gpu.memory.channels", "gpu.memory.bandwidth", "gpu.clock", "synchronization"))
SPEEDUP, WHOLE = "speedup over the GPU (x)", "mean speedup of whole networks"
MICRO = "\N{MICRO SIGN}s"
fact = facts("pimflow")


def by_policy(points, metric, columns="policy", **chosen):
    """A row for each of the five networks, a column for each policy, or as told."""
    return plot.wide(points, "model", columns, metric, **chosen).loc[list(FIVE)]


def gains(ids):
    """A table of published speedups, {row: {column: id}}."""
    return pd.DataFrame({row: {column: plot.gain(fact(id_)) for column, id_ in of_row.items()}
                         for row, of_row in ids.items()}).T


def percent(ratio):
    """A speedup as the paper writes it."""
    return f"{100 * (ratio - 1):+.0f} %".replace("-", "\N{MINUS SIGN}")


def _over(row, table):
    return table / table.loc[row]


def mean_bars(axis, tables, **options):
    """Bars of the means of {label: table of networks by what is compared}, with the networks as marks."""
    styles = {model: {**look, "label": None} for model, look in NETWORKS.items()}
    return plot.mean_bars(axis, tables, styles=styles, base=1, **options)


PARTS = {"pointwise_time": ("1x1 convolutions", "#2a6f4e"), "convolution_time": ("larger convolutions", "#90d2aa"),
         "depthwise_time": ("depthwise convolutions", "#e0a458"),
         "fully_connected_time": ("fully connected", "#20416b"), "other_time": ("other", "#b8bacc")}


def fig1_intensity(results):
    """The rows behind the right panel of Figure 1: convolutions, in the order of their networks."""
    layers = plot.select(results.detail("fig1", "by_layer"), kind=["convolution", "depthwise"])
    return None, layers[["model", "layer", "place", "kind", "kernel", "intensity"]]


def _intensities(axis, layers, names, **options):
    kinds = [(layers["kind"] == "convolution") & (layers["kernel"] == 1),
             (layers["kind"] == "convolution") & (layers["kernel"] > 1), layers["kind"] == "depthwise"]
    for chosen, (_, color), shift, marker in zip(kinds, PARTS.values(), (-0.22, 0, 0.22), "os^"):
        rows = layers[chosen]
        order = 0.18 * (rows.groupby("model")["place"].rank(pct=True) - 0.5)
        axis.plot(rows["model"].map(list(names).index) + shift + order, rows["intensity"], marker, color=color,
                  markersize=2.6, markeredgewidth=0)
    plot.group_names(axis, names.values(), **options)


def fig1(results):
    points = results.frame("fig1").set_index("model").loc[list(FIVE)]
    shares = 100 * points[list(PARTS)].div(points["time"], axis=0)
    return plot.compare({
        "time on the GPU, RTX 2080 Ti, one image": plot.Panel(shares, draw=plot.stacked, parts=PARTS, ylim=(0, 100)),
        "each convolution": plot.Panel(fig1_intensity(results)[1], draw=_intensities, log_y=True)},
        ["share of the time (%)", "multiply-accumulates per value\nread or written once"], sharey=False, columns=5,
        names=FIVE, fontsize=plot.TINY, data=shares.reset_index())


fig3 = plot.drawing(
    "fig3", lambda rows: _over(24, plot.wide(rows, CHANNELS, "model", "time").sort_index()), draw=plot.lines,
    styles=NETWORKS, width=plot.COLUMN, columns=3, xticks=plot.rows,
    title=lambda table: "Figure 3: time with half of the channels,\nResNet50 "
    f"{percent(table.loc[12, 'resnet-50'])}, VGG16 {percent(table.loc[12, 'vgg-d'])}",
    ylabel="time, 24 channels = 1", xlabel="memory channels of the GPU", log_y=[0.8, 1, 1.5, 2, 3],
    artists=[("axvline", 12, plot.PUBLISHED_LINE),
             (plot.note, 12.4, "published: half of 24 is\nnot noticed by compute-\nintensive networks", 0.97,
              {"ha": "left"})])


def _speedups_of_newton(axis, rows):
    for policy, marker, color in (("newton+", "s", GPU["color"]), ("newton++", "o", COLORS["pimflow-md"])):
        at = plot.select(rows, policy=policy).groupby("batch")["pim_speedup"]
        mean = at.apply(plot.gmean)
        plot.bands(axis, mean.index, at.min(), at.max(), mean, color=color, marker=marker,
                   label=f"{NAMES[policy]}, geometric mean")
    for name, text in (("val", "published"), ("newton", "cited: Newton"), ("aim", "cited: AiM")):
        axis.plot(1, fact(f"fig8-{name}"), **plot.PUBLISHED)
        axis.annotate(text, (1, fact(f"fig8-{name}")), (-6, 0), textcoords="offset points", fontsize=plot.TINY,
                      ha="right", va="center")


fig8 = plot.drawing(
    ("fig8", "by_layer"), None, {"precision": {"fp32": "GPU in fp32",
                                               "fp16-in/tensor-mixed": "GPU in fp16 on tensor cores"}},
    draw=_speedups_of_newton, artists=[("axhline", 1, ONE)], height=2.6, xlabel="batch", log_x=lambda rows: sorted(
        set(rows["batch"])), xlim=(0.26, 80), log_y=[0.1, 0.3, 1, 3, 10, 30],
    ylabel="speedup of Newton on HBM over\na Titan V, 24 channels each (x)",
    entries=lambda tables: [plot.published_mark(), *plot.patches({
        f"range of {tables['GPU in fp32']['model'].nunique()} matrices": "0.85"})],
    data=["model", "policy", "precision", "batch", "pim_speedup"])


# Published speedups of Figure 9, by network or mean, then by policy.
PARTS_OF_FIGURE9 = {
    "all_convolution_time": ("(a) all convolutions", {
        "efficientnet-b0": {"pimflow": "fig9a-enetb0"}, "vgg-d": {"pimflow": "fig9a-vgg16"},
        "mean": {"pimflow": "fig9a-avg"},
        "mobile mean": {"pimflow-md": "fig9-md-mobile", "pimflow-pl": "fig9-pl-mobile", "pimflow": "fig9-pf-mobile"}}),
    "time": ("(b) whole networks", {
        "efficientnet-b0": {"pimflow": "abs-e2e-max"}, "mean": {"pimflow": "s1-e2e-avg-gpu"}})}


def fig9(results):
    tables, theirs = {}, {}
    for metric, (title, ids) in PARTS_OF_FIGURE9.items():
        speedup = plot.speedup(by_policy(results.frame("fig9"), metric, controller="artifact"), "gpu")[list(POLICIES)]
        speedup.loc["mean"], speedup.loc["mobile mean"] = speedup.mean(), speedup.loc[list(MOBILE)].mean()
        title += (f": PIMFlow's mean speedup {percent(speedup.loc['mean', 'pimflow'])}, published "
                  f"{percent(gains(ids).loc['mean', 'pimflow'])}")
        tables[title], theirs[title] = plot.Panel(1 / speedup, artists=[("axhline", 1, GPU)]), 1 / gains(ids)
    only = 1 / by_policy(results.frame("fig9b"), "speedup", offload="convolutions")
    dash = {"markersize": 5, "markeredgewidth": 1.2}
    tables[title].options["artists"].append((plot.over_bars, only, POLICIES, dash))
    return plot.compare(
        tables, "time, GPU alone = 1", published=theirs, stack=True, height=4.4, colors=POLICIES,
        ylim=(0, 1.08 * only.max().max()), names={**FIVE, "mobile mean": "mean of the\nfirst three"},
        entries=[plot.entry("only convolutions offloaded", marker="_", **dash)], **MEAN)


def fig10(results):
    layers = plot.select(results.detail("fig9", "by_layer"), controller="artifact", candidate=1)
    times = plot.wide(layers, ["model", "layer"], "policy", "time").dropna(how="all")
    layers = layers.assign(number=layers.groupby(["model", "policy"]).cumcount() + 1)
    keys = layers.set_index(["policy", "model", "layer"])
    split = keys.loc["pimflow-md"].query("choice == 'split'")
    table = times.loc[split.index, ["newton++", "pimflow-md"]].div(times.loc[split.index, "gpu"], axis=0)
    table["number"], table["on GPU"] = split["number"], keys.loc["newton++"].loc[split.index, "choice"] == "gpu"
    # Two rows of panels, as wide as they have layers.
    figure = plt.figure(figsize=(plot.PAGE, 4.0))
    first = None
    for line, models in zip(figure.add_gridspec(2, 1), (list(MOBILE), list(FIVE)[3:])):
        widths = [len(table.loc[model]) for model in models]
        for panel, model in zip(line.subgridspec(1, len(models), width_ratios=widths), models):
            part = table.loc[model]
            axis = figure.add_subplot(panel, sharey=first)
            first = first or axis
            plot.bars(axis, part[["newton++", "pimflow-md"]], COLORS, names=part["number"], fontsize=plot.TINY)
            left = np.flatnonzero(part["on GPU"])
            axis.plot(left + plot.grouped(0, 2)[0], np.full(len(left), 0.06), "o", color="black", markersize=2.6)
            axis.axhline(1, **GPU)
            axis.set(title=f"{FIVE[model]}: {len(part)} of {len(times.loc[model])} split",
                     xlabel="number of the layer" if model not in MOBILE else "",
                     ylabel="time, GPU alone = 1" if model == models[0] else "")
            axis.tick_params(labelleft=model == models[0])
    plot.legend(figure, 4, *plot.patches({"Newton++": COLORS["newton++"], "PIMFlow-md, split over GPU and PIM":
                                          COLORS["pimflow-md"]}),
                plot.entry("left on the GPU by Newton++", marker="o", markersize=2.6),
                plot.entry("GPU alone, all channels", linestyle="-", **GPU))
    return figure, table.reset_index()


def _chains(axis, places):
    rows = plot.wide(places, ["model", "first"], "controller", "speedup").dropna()
    names = {model: name for model, name in MOBILE.items() if model in rows.index}
    at = plot.runs(axis, rows["artifact"], {model: look["color"] for model, look in NETWORKS.items()}, 1, 2, names, 0.8)
    axis.plot(at, rows["paper"].loc[at.index], "_", color="black", markersize=4, markeredgewidth=1.1)
    axis.set_title(f"{axis.get_title()}: faster are\n{(rows['artifact'] > 1).sum()} of {len(rows)} "
                   f"(paper's controller: {(rows['paper'] > 1).sum()})")


fig11 = plot.drawing(
    ("fig9", "pipelines"), None, {"pattern": {"1x1-DW-1x1": "type 1: 1x1-DW-1x1", "1x1-DW": "1x1-DW",
                                              "DW-1x1": "DW-1x1"}}, {"policy": "pimflow"},
    draw=_chains, ylabel="speedup of the pipeline over\neach layer in its best mode (x)", columns=5,
    artists=[("axhline", plot.gain(change), plot.PUBLISHED_LINE)
             for change in (-fact("fig11-filter-lo"), fact("fig11-filter-hi"))],
    entries=[*plot.patches({name: NETWORKS[model]["color"] for model, name in MOBILE.items()}),
             plot.entry("paper's controller", marker="_"),
             plot.entry("the paper shows only gains and losses beyond these", **plot.PUBLISHED_LINE)],
    data=["controller", "model", "pattern", "first", "last", "time", "apart", "speedup", "chosen"])

ENERGIES = {"gpu_static_energy": ("GPU, static", "#b8bacc"), "gpu_dynamic_energy": ("GPU, dynamic", "#8794ca"),
            "pim_energy": ("PIM", "#2a6f4e")}


def _energies(axis, parts, theirs):
    shown = {"gpu": "GPU", "newton+": "N+", "newton++": "N++", "pimflow": "PF"}
    shifts = [plot.grouped(i, len(shown))[0] for i in range(len(shown))]
    places = np.add.outer(np.arange(len(FIVE) + 1), shifts).ravel()
    plot.stacked(axis, parts, ENERGIES, plot.grouped(0, len(shown))[1], places)
    for place, (_, policy) in zip(places, parts.index):
        axis.text(place, 0.02, shown[policy], fontsize=plot.TINY, ha="center", va="bottom")
    axis.plot(places[-2:], theirs, **plot.PUBLISHED)
    plot.group_names(axis, [*FIVE.values(), "mean"], **MEAN)


def fig12(results):
    points = plot.select(results.frame("fig9"), controller="artifact")
    total = by_policy(points, "energy")["gpu"]
    parts = pd.DataFrame({part: plot.with_mean(by_policy(points, part)[["gpu", "newton+", "newton++", "pimflow"]].div(
        total, axis=0)).stack() for part in ENERGIES})
    theirs = [plot.gain(-fact("fig12-npp")), plot.gain(-fact("fig12-pf"))]
    ours = parts.loc["mean"].sum(axis=1)[["newton++", "pimflow"]]
    title = "Figure 12: mean energy of Newton++ {} (published {}), PIMFlow {} (published {})".format(
        *(percent(value) for pair in zip(ours, theirs) for value in pair))
    return plot.compare(parts, "energy, GPU alone = 1", title, draw=_energies, theirs=theirs, height=2.6,
                        ylim=(0, 1.05), entries=["published mean"])


def _divisions(axis, times):
    styles = {policy: {"color": COLORS[policy], "marker": marker}
              for policy, marker in zip(("newton+", "newton++", "pimflow", "pimflow-optimal"), "svo^")}
    plot.lines(axis, times, styles, NAMES, markerfacecolor="white")
    for policy, style in styles.items():
        axis.plot(times[policy].idxmin(), times[policy].min(), **style)


fig13 = plot.drawing(
    "fig13", lambda rows: 1 / plot.wide(rows, "pim_channels", "policy", "speedup").sort_index(),
    {"controller": CONTROLLERS, "model": FIVE}, draw=_divisions, height=3.6, sharex=True, xticks=[4, 12, 20, 28],
    ylabel="{}\ntime, GPU alone = 1", xlabel=["", "", "PIM channels of 32", "", ""], log_y=[0.5, 0.7, 1, 1.5, 2],
    artists=[("axvline", fact("fig13-best"), plot.PUBLISHED_LINE), ("axhline", 1, GPU)], columns=6,
    entries=[plot.entry("filled: best", marker="o"), plot.entry("published best of PIMFlow", **plot.PUBLISHED_LINE)])

OPTIMIZATIONS = {"hiding": ("GW: hidden GWRITEs", "#b8bacc"), "buffers": ("GB: four global buffers", "#8794ca"),
                 "both": ("both", "#2a6f4e")}
fig14 = plot.drawing(
    "fig14", lambda rows: plot.with_mean(plot.speedup(by_policy(
        rows, "all_convolution_time", "command_optimizations"), "none")[list(OPTIMIZATIONS)]),
    {"controller": CONTROLLERS}, ylabel="speedup over Newton+ (x)", published=lambda _: gains(
        {"mean": dict(zip(OPTIMIZATIONS, ("fig14-gw", "fig14-gb", "fig14-both")))}), mark="published mean",
    colors=OPTIMIZATIONS, base=1, names=FIVE, fontsize=plot.TINY, **MEAN)

SYNCHRONIZATIONS = {0: "#90d2aa", 1e-6: "#8794ca", 5e-6: "#20416b"}
STAGED = {"pimflow-pl": {"marker": "o", "linestyle": "-"}, "pimflow": {"marker": "s", "linestyle": "--"}}


fig15 = plot.drawing(
    "fig15", lambda rows: _over(2, plot.wide(rows, "stages", ["policy", SYNCHRONIZATION], "time").sort_index()),
    {"model": MOBILE}, {"policy": list(STAGED)}, draw=plot.lines, markersize=3.5, styles={
        (policy, time): {"color": color, "label": "_", **style} for policy, style in STAGED.items()
        for time, color in SYNCHRONIZATIONS.items()},
    height=2.5, xlim=(1.8, 5.2), xticks=plot.rows, xlabel=["", "stages of a pipeline", ""],
    ylabel="time, two stages = 1", columns=3,
    artists=[("axhline", 1, ONE), ("axvspan", 1.8, 2.2, {"color": "0.9", "zorder": 0})],
    entries=[*(plot.entry(f"{time * 1e6:g} {MICRO} for a synchronization", color=color, linestyle="-")
               for time, color in SYNCHRONIZATIONS.items()),
             *(plot.entry(NAMES[policy], **style) for policy, style in STAGED.items()),
             *plot.patches({"published best": "0.9"})])

SIZES = {**{f"efficientnet-b{i}": f"B{i}" for i in range(7)}, "mnasnet-1.0": "1.0", "mnasnet-1.3": "1.3",
         "mobilenet-v2": "1.0", "mobilenet-v2-1.4": "1.4"}


def fig16(results):
    table = plot.wide(results.frame("fig16"), "model", "policy", "speedup").loc[list(SIZES)]
    bert = plot.wide(results.frame("fig16_bert"), ["tokens", "controller"], "policy", "speedup").sort_index()
    bert = (bert["pimflow"] / bert["newton++"]).unstack("controller")[list(CONTROLLERS)]
    mobile, published = "mobile networks, artifact's controller", {
        "efficientnet-b0": {"pimflow": "abs-e2e-max"}, "efficientnet-b6": {"pimflow": "fig16-enetb6"}}
    return plot.compare({
        mobile: plot.Panel(
            table[["newton++", "pimflow", "pimflow-optimal"]], colors=POLICIES, names=SIZES,
            artists=[(plot.group_spans, {"EfficientNet": (0, 6), "MnasNet": (7, 8), "MBNetV2": (9, 10)}, {})]),
        "BERT": plot.Panel(bert, colors=["#20416b", "#b8bacc"], ylim=(0.95, None), labels={
            name: f"PIMFlow, {text}" for name, text in CONTROLLERS.items()})},
        [SPEEDUP, "speedup over Newton++ (x)"], height=2.8, width_ratios=[1.7, 1], sharey=False, xlabel=["", "tokens"],
        base=1, columns=3, published={mobile: gains(published), "BERT": gains(
            {3: {"artifact": "fig16-bert-1x3"}, 64: {"artifact": "fig16-bert-1x64"}})})


# Study and controller of each reading of Table II, and its color.
TABLE2 = {"ours": ("fig9", "artifact", COLORS["pimflow"]),
          "ours, paper's controller": ("fig9", "paper", COLORS["pimflow-optimal"]),
          "ours, fp32 kernels of a GPU": ("fig9_card", "artifact", COLORS["pimflow-pl"])}


def table2(results):
    table, colors = pd.DataFrame(index=pd.Index(range(0, 101, 10), name="gpu_percent")), {}
    for name, (study, controller, color) in TABLE2.items():
        splits, layers = (plot.select(results.detail(study, detail), policy="pimflow-md", controller=controller,
                                      unique_convolution=1) for detail in ("splits", "by_layer"))
        table[name] = 100 * splits.groupby("gpu_percent")["chosen"].mean()
        colors[name] = f"{name}: {100 * layers['split'].mean():.0f} % split over both", color
    theirs = [fact(f"tab2-r{share}") for share in table.index]
    mark = {**plot.PUBLISHED, "label": f"published: {fact('tab2-split'):.0f} % split over both", "clip_on": False}
    return plot.compare(table, "share of the shapes of\nconvolutions (%)", columns=2, colors=colors,
                        names="{} %".format, xlabel="rows left to the GPU (0 %: all on PIM)",
                        artists=[("plot", range(len(theirs)), theirs, mark)],
                        data=table.assign(published=theirs).reset_index())


def _times_on_pim(results):
    """PIM's time for each layer, a column for each controller."""
    layers = plot.select(results.detail("fig9", "by_layer"), policy=["newton+", "newton++"])
    return plot.wide(layers, ["policy", "model", "layer"], "controller", "pim_time").dropna()


def controllers(results):
    """PIM's times under both controllers, and what they make of every policy."""
    times = 1e6 * _times_on_pim(results)
    slower = (times["artifact"] / times["paper"]).groupby("policy").median()
    tables = {label: by_policy(rows, "speedup")[list(POLICIES)]
              for label, rows in plot.split(results.frame("fig9"), "controller", CONTROLLERS).items()}
    return plot.compare({
        "time of each layer on PIM": plot.Panel({
            f"{NAMES[policy]}: {slower[policy]:.2f}x in the median": (rows["paper"], rows["artifact"])
            for policy, rows in times.groupby(level="policy", sort=False)}, draw=plot.agreement, markeredgewidth=0.3,
            markeredgecolor="white", log_x=[0.1, 10, 1000], log_y=[0.1, 10, 1000]),
        WHOLE: plot.Panel(tables, draw=mean_bars, colors=(LIGHT, DARK),
                          names=[name.replace("-", "-\n") for name in NAMES.values()],
                          published=lambda _: gains({"pimflow": {CONTROLLERS["artifact"]: "s1-e2e-avg-gpu"}}))},
        [f"artifact's controller ({MICRO})", SPEEDUP], xlabel=[f"paper's controller ({MICRO})", ""], height=2.8,
        sharey=False, width_ratios=[1, 1.9], entries=["published mean", *HANDLES], mark="")


def controllers_layers(results):
    """The rows behind the left panel."""
    return None, _times_on_pim(results).reset_index()


contention = plot.drawing(
    "contention", lambda rows: 100 * (plot.relative(by_policy(rows, "time", "contention"), "none") - 1)[
        ["broadcast", "unicast"]], where={"policy": "pimflow"}, draw=plot.dots,
    published=("pimflow", lambda model, kind: kind == "broadcast" and {
        "mobilenet-v2": "s7-cont-mbnetv2", "resnet-50": "s7-cont-resnet50"}.get(model)),
    ylabel="slowdown of PIMFlow (%)", width=plot.COLUMN, columns=2, text="{:.2g}".format, names=FIVE, ylim=(-0.05, 1),
    colors={"broadcast": ("each value fetched once", COLORS["pimflow"]),
            "unicast": ("by each channel for itself", COLORS["pimflow-pl"])})


interval = plot.drawing(
    "interval", lambda rows: 100 * (1 / _over(10, plot.wide(rows, "split_interval", "model", "time").sort_index()) - 1),
    {"policy": {"pimflow-md": "PIMFlow-md", "pimflow": "PIMFlow"}}, draw=plot.lines, styles=NETWORKS, height=2.5,
    titles=lambda name, table: name if name != "PIMFlow" else
    f"PIMFlow; ENetB0 at 2 %: {table.loc[2, 'efficientnet-b0']:+.2f} %, published {fact('fn1-2pct'):+g} %",
    ylabel="speedup over an interval\nof 10 % (%)", xlabel="split interval (% of the rows)", log_x=plot.rows, columns=6,
    artists={"PIMFlow-md": [("axhline", 0, ONE)], "PIMFlow": [
        ("axhline", 0, ONE), ("plot", 2, fact("fn1-2pct"), plot.PUBLISHED)]}, entries=["published (ENetB0)"])


PRECISIONS = {"fp32": "fp32", "fp16-in/fp32-math": "fp16 stored,\nfp32\narithmetic",
              "fp16-in/tensor-mixed": "fp16 on\ntensor cores"}


def readings(results):
    """What the paper leaves open, one bar each: PIMFlow's speedup."""
    points = plot.select(results.frame("readings"), policy="pimflow")
    names = {(precision, elementwise): text + ("" if elementwise == "fused" else ",\nactivations\ncounted")
             for precision, text in PRECISIONS.items() for elementwise in ("fused", "counted")}
    pointwise = by_policy(results.frame("pointwise"), "speedup", controller="artifact")["pimflow"]
    # The bandwidth of the artifact is the first.
    tables = {f"mean, {bandwidth / rows[CHANNELS].iloc[0] / 1e9:g} GB/s a channel":
              by_policy(rows, "speedup", ["precision", "elementwise"])[list(names)].assign(
                  **{"1x1": pointwise * (1 if number == 0 else np.nan)})
              for number, (bandwidth, rows) in enumerate(points.groupby(BANDWIDTH))}
    theirs = plot.gain(fact("s1-e2e-avg-gpu"))
    return plot.compare(
        plot.Panel(tables), "speedup of PIMFlow\nover the GPU (x)", draw=mean_bars, colors=(LIGHT, DARK), height=2.9,
        names=[*names.values(), "fp32, 1x1\nconvolutions as\nGEMMs"], first_mean=len(names),
        bound=(theirs, f"published mean {percent(theirs)}"), entries=HANDLES)


# Policies, and whether a layer's decision may change with the GPU's times.
CHANGES = {"Newton++:\nother device": ("newton++", lambda layers, others: layers["choice"] != others["choice"]),
           "PIMFlow-md:\nother mode": ("pimflow-md", lambda layers, others: layers["choice"] != others["choice"]),
           "PIMFlow-md:\nover a tenth\nof the rows": ("pimflow-md", lambda layers, others: 10 * (
               layers["gpu_rows"] - others["gpu_rows"]).abs() > layers["rows"])}


def gpu_error(results):
    """How decisions and speedups move with all times of the GPU."""
    points = results.frame("gpu_error")
    layers = plot.select(results.detail("gpu_error", "by_layer"), candidate=1).set_index(["policy", "model", "layer"])
    clocks = sorted(set(points[CLOCK]))
    names = {clock: f"GPU times {clocks[1] / clock:.3g}x" for clock in clocks}
    at = {clock: layers[layers[CLOCK] == clock] for clock in clocks}
    changes = pd.DataFrame({names[clock]: {
        name: 100 * differs(at[clocks[1]].loc[policy], at[clock].loc[policy]).mean()
        for name, (policy, differs) in CHANGES.items()} for clock in (clocks[0], clocks[2])})
    tables = {names[clock]: by_policy(points, "speedup", **{CLOCK: clock}) for clock in clocks}
    return plot.compare({
        WHOLE: plot.Panel(tables, draw=mean_bars, names=NAMES,
                          published=lambda _: gains({"pimflow": {names[clocks[1]]: "s1-e2e-avg-gpu"}})),
        "decisions that change": plot.Panel(changes)}, [SPEEDUP, "layers that may run on\nPIM and change (%)"],
        height=2.6, sharey=False, colors=dict(zip(names.values(), (LIGHT, MIDDLE, DARK))), columns=5,
        entries=["published mean", *HANDLES], mark="")
