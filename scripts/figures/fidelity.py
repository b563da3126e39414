"""The coarse fidelity of every system over the fine one, from experiments/fidelity.toml's results."""

import pandas as pd

from pimsweep import plot

# Study: its title, its headline metric, its label, the finer and the coarser fidelity, the title and the axis
# of the groups of points, the other axes.
STUDIES = {
    "noc": ("routers", "avg_packet_latency", "packet latency (cycles)", "cycle", "analytic", "traffic", "traffic",
            ["topology", "k", "packet_size", "num_vcs", "vc_buf_size", "injection_rate"]),
    "dram": ("DRAM channels", "cycles", "time (million cycles)", "cycle", "analytic", "share of reads", "read_fraction",
             ["hardware", "pattern", "read_queue"]),
    "hypar": ("HyPar, exchanges as events", "time", "time of a step (s)", "event", "analytic", "policy", "policy",
              ["model", "topology", "levels", "batch"]),
    "hypar-routers": ("HyPar, exchanges on routers", "time", "time of a step (s)", "cycle", "event", "network",
                      "topology", ["policy", "model", "levels", "batch"]),
    "allspark": ("Allspark", "time", "time of an image (s)", "cycle", "analytic", "policy", "policy",
                 ["model", "image_px", "batch", "hardware.node_array.rows", "hardware.node_array.cols",
                  "hardware.dram.bank_capacity"]),
    "newton": ("Newton", "pim_cycles", "time on PIM (cycles)", "cycle", "closed-form", "controller", "controller",
               ["H", "W", "Cin", "Cout", "channels", "n_gwrite"]),
}
PREFIX = ""
SMALL = {"fontsize": plot.TINY, "title_fontsize": plot.TINY}
WORDS = {"cycle": "cycle by cycle", "event": "by events", "analytic": "by formula", "closed-form": "by formula",
         "h-tree": "H tree", "hypar": "HyPar", "hypar-optimal": "optimum in bytes", "data": "Data Parallelism",
         "model": "Model Parallelism", "trick": "one weird trick", "0": "none", "0.67": "2/3", "1": "all",
         "allspark": "Allspark", "artifact": "PIMFlow's artifact", "paper": "PIMFlow's paper"}


def fidelity(results):
    panels, drawn = {}, []
    for study, (title, metric, label, finer, coarser, legend, group, axes) in STUDIES.items():
        # Not plot.wide, whose rows are all combinations of the axes: the points are a few of very many.
        points = results.frame(study).groupby([group, *axes, "fidelity"], sort=False, observed=True)[metric].mean()
        table = points.unstack("fidelity")[[finer, coarser]].dropna()
        table /= 1e6 if "million" in label else 1
        panels[title] = plot.Panel({WORDS.get(str(name), name): (rows[finer], rows[coarser]) for name, rows in
                                    table.groupby(level=group)}, xlabel=f"{label},\n{WORDS[finer]}",
                                   ylabel=WORDS[coarser], artists=[("legend", {"title": legend, **SMALL})])
        drawn.append(table.set_axis(["finer", "coarser"], axis=1).assign(study=study, metric=metric))
    return plot.compare(panels, draw=plot.agreement, rows=2, sharey=False, height=5.2, columns=0, data=pd.concat(drawn))
