"""Goodput and highest rates of machines that serve language models, from the results of experiments/serving.toml."""

from pimsweep import plot

SETUPS = {("llm-8-a100", "gpu"): "8 A100", ("llm-8-a100-attacc", "attacc"): "8 A100 with AttAcc",
          ("llm-8-a100-attacc", "attacc-ff"): "8 A100 with AttAcc, feed-forward too", ("gpu-h100", "gpu"): "H100",
          ("llm-8-a100-attacc", "best-of-step"): "8 A100 with AttAcc, best of each step",
          ("llm-neupims", "gpu"): "8 NeuPIMs devices, no PIM", ("llm-neupims", "neupims"): "8 NeuPIMs devices",
          ("llm-ianus", "gpu"): "IANUS, no PIM", ("llm-ianus", "ianus"): "IANUS", ("llm-papi", "papi"): "PAPI",
          ("llm-duplex-h100", "gpu"): "4 H100", ("llm-duplex", "duplex"): "4 H100 with Duplex"}
TRACES = {"azure-2023-conv": "conversations", "azure-2023-code": "code"}


def _named(points):
    """Points with the name of their setup."""
    return points.assign(setup=[SETUPS.get(pair) for pair in zip(points.hardware, points.policy)])


def _over_rate(results, titles):
    """Metrics over the rate, means of five seeds. `titles`: the title of the panel of each."""
    points = _named(results.frame("goodput"))
    means = points.groupby(["request_rate", "setup"])[list(titles)].mean().reset_index()
    panels = {title: plot.wide(means, "request_rate", "setup", metric) for metric, title in titles.items()}
    return plot.compare(panels, draw=plot.lines, sharey=False, height=2.9, xlabel="request rate (1/s)",
                        columns=3)


def goodput(results):
    """Goodput and attainment over the rate."""
    return _over_rate(results, {"goodput": "goodput (requests/s)",
                                "slo_attainment": "SLO attainment"})


def costs(results):
    """Joules and dollars of tokens over the rate."""
    return _over_rate(results, {"energy_per_token": "energy per generated token (J)",
                                "cost_per_million_tokens": "price per million tokens (USD)"})


def highest(results):
    """Highest rate within the service levels: medians of five seeds."""
    points = _named(results.frame("highest-rate"))
    points = points.assign(machine=points.setup + "\n" + points.model, requests=points.trace.map(TRACES))
    order = list(dict.fromkeys(points.machine))
    table = points.groupby(["machine", "requests"]).max_request_rate.median().unstack().reindex(order)
    return plot.compare(table, "max request rate (1/s)", height=4.2, columns=2, log_y=True, rotation=60)


def tails(results):
    """99th percentile of the latency over rate and running requests; empty: saturated."""
    points = results.frame("map")
    points = points.assign(request_rate=points.request_rate.astype(int))
    table = points.pivot(index="max_num_seqs", columns="request_rate", values="e2el_p99")

    def draw(axis, rows):
        plot.heat_map(axis, rows, text=lambda value: "" if value != value else f"{value:.1f}")
        axis.set(xlabel="request rate (1/s; blank: saturated)", ylabel="max running requests")
        return rows
    return plot.compare(table, draw=draw, width=plot.COLUMN, columns=0)


def chunks(results):
    """Latencies over the tokens of a step."""
    points = results.frame("chunks").set_index("max_num_batched_tokens")
    panels = {"TTFT (s)": points[["ttft_p50", "ttft_p90", "ttft_p99"]],
              "inter-token latency (s)": points[["itl_p50", "itl_p90", "itl_p99"]]}
    names = {"p50": "median", "p90": "90th percentile", "p99": "99th percentile"}
    panels = {name: table.rename(columns=lambda column: names[column[-3:]]) for name, table in panels.items()}
    return plot.compare(panels, draw=plot.lines, sharey=False, log_x=list(points.index), log_y=True, height=2.7,
                        xlabel="max tokens per step", columns=3)
