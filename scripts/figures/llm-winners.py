"""Which machine gives the most tokens in a second, and how sure that is, from the results of experiments/llm-winners.toml."""

from contestants import win_shares
from pim_pays import CARDS, PAYS, bands
from pim_pays import MODELS as PAYS_MODELS
from pimsweep import plot

SETUPS = {("llm-8-a100", "gpu"): "8 A100", ("llm-8-a100-attacc", "attacc"): "8 A100 with AttAcc",
          ("llm-8-a100-attacc", "attacc-ff"): "8 A100 with AttAcc, feed-forward too"}
COLORS = dict(zip(SETUPS.values(), ("#20416b", "#e0a458", "#9c2a1a")))
MODELS = {"gpt3-175b": "GPT-3 175B", "llama-2-70b": "Llama-2 70B", "llama-3.1-70b": "Llama-3.1 70B"}
PLACE = ["model", "batch", "context"]


def _winners(results):
    """Setup with the highest throughput for each batch and context, and its factor over GPUs alone."""
    points = results.frame("winners").dropna(subset="tokens_per_second")
    points = points.assign(setup=[SETUPS[pair] for pair in zip(points.hardware, points.policy)])
    ranked = points.sort_values("tokens_per_second", ascending=False, kind="stable").set_index(PLACE)
    first = ranked.groupby(PLACE).first()
    alone = ranked[ranked.setup == "8 A100"].tokens_per_second
    return first.assign(lead=first.tokens_per_second / alone.reindex(first.index))


def winners(results):
    """One cell per batch and context: the winner, its factor over GPUs alone, and its share of sampled machines."""
    table = _winners(results.machine(0) if results.machines else results)
    shares = win_shares(results, lambda one: _winners(one).setup) if results.machines else None
    text = table.lead.map("{:.2f} x".format).mask(table.lead.isna(), "no room")
    if shares is not None:
        table = table.assign(share=shares)
        text += "\n" + (100 * shares).map("{:.0f} %".format)
    table = table.assign(text=text).reset_index()
    panels = {}
    for model, part in plot.split(table, "model", MODELS).items():
        names, texts = (part.pivot(index="context", columns="batch", values=column).sort_index(ascending=False).rename(index="{:,.0f}".format)
                        for column in ("setup", "text"))
        panels[model] = plot.Panel(names, texts=texts.fillna(""))
    seen = {name: color for name, color in COLORS.items() if name in set(table.setup)}
    counted = [plot.entry("second line: share of sampled machines with this winner; no room: memory of GPUs alone is too small")] if results.machines else []
    return plot.compare(panels, "tokens of context", draw=plot.cells, colors=seen, height=3.1,
                        xlabel="sequences in a batch", entries=[*plot.patches(seen), *counted], data=table)


def pays(results):
    """One cell per batch and context: the speedup by PIM over GPUs alone, and its band over sampled machines."""
    table = bands(results).dropna()
    sure, never, open_ = (f"at least {PAYS} x on 95 % of the machines", f"less than {PAYS} x on 95 % of the machines",
                          "depends on the machine")
    table["verdict"] = open_
    table.loc[table.low >= PAYS, "verdict"] = sure
    table.loc[table.high < PAYS, "verdict"] = never
    table["text"] = [f"{row.own:.2f}\n{row.low:.2f}-{row.high:.2f}" for row in table.itertuples()]
    panels = {model: {card: plot.Panel(rows) for card, rows in plot.split(part, "hardware", CARDS).items()}
              for model, part in plot.split(table.reset_index(), "model", PAYS_MODELS).items()}
    colors = {sure: "#2a6f4e", open_: "#e0a458", never: "#b8bacc"}
    return plot.compare(panels, "{}\ntokens of context", draw=_cells, colors=colors, height=5.6,
                        xlabel="sequences in a batch", entries=plot.patches(colors), data=table.drop(columns="text"))


def _cells(axis, rows, **options):
    names, texts = (rows.pivot(index="context", columns="batch", values=column).sort_index(ascending=False).rename(index="{:,.0f}".format)
                    for column in ("verdict", "text"))
    plot.cells(axis, names, texts=texts.fillna(""), **options)
    return names
