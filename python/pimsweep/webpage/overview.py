"""The head of a page: results, provenance and main outcomes. Plain HTML."""

from __future__ import annotations

import tomllib
import urllib.parse
from collections.abc import Mapping, Sequence
from typing import Any

from .document import escape

PREFIXES = {-15: "f", -12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P"}
MAX_AXES = 6
# Rows of the table of provenance: label, and attribute of the file or of the run.
ORIGIN = {"revision": "git_revision", "version": "pimsweep_version", "started": "started", "finished": "finished",
          "command": "command_line", "hosts": "hosts", "ranks": "ranks", "points computed": "points_computed",
          "points reused": "points_reused", "stopped": "stopped", "ranks lost": "ranks_lost", "digest": "digest"}


def quantity(value: Any, unit: str) -> str:
    """A number with four digits, and a prefix of its unit where it has one."""
    if not isinstance(value, (int, float)):
        return str(value) or "none"
    if unit in ("", "1"):
        return f"{value:.4g}" if abs(value) < 1e6 and not isinstance(value, int) else f"{value:,}"
    if not value:
        return f"0 {unit}"
    power = next((power for power in reversed(PREFIXES) if abs(value) >= 0.9995 * 10.0**power), min(PREFIXES))
    return f"{value / 10.0**power:.4g} {PREFIXES[power]}{unit}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    cells = "".join(f'<th scope="col">{name}</th>' for name in head)
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table class="plain"><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table></div>'


def _best(best: Mapping[str, Any]) -> str:
    value = f'{escape(best["metric"])} <strong>{escape(quantity(best["best"], best["unit"]))}</strong>'
    if best["best"] == best["worst"]:
        return f'{value} at all {best["points"]:,} points'
    place = ", ".join(f"{escape(name)} {escape(quantity(value, unit))}" for name, value, unit in best["place"][:MAX_AXES])
    if len(best["place"]) > MAX_AXES:
        place += f' and {len(best["place"]) - MAX_AXES} more'
    return (f'{value} at point {best["point"]}: {place}; up to {escape(quantity(best["worst"], best["unit"]))}, '
            f'median {escape(quantity(best["median"], best["unit"]))}')


def _study(study: Mapping[str, Any]) -> list[str]:
    names = {escape(name.replace("_", " ")): count for name, count in study["counts"].items()}
    counts = f"all {next(iter(names))}" if len(names) == 1 else ", ".join(f"{count:,} {name}" for name, count in names.items())
    name = f'<a href="#study={urllib.parse.quote(study["key"], safe="")}">{escape(study["id"])}</a>'
    return [f'{name}<br><small>{escape(study["title"])}</small>', escape(study["system"]),
            f'{study["size"]:,}: {counts}' if study["size"] else "0", "<br>".join(map(_best, study["best"])) or "no result"]


def _experiment(text: str) -> str:
    """The description that an experiment file gives itself."""
    try:
        return str(tomllib.loads(text).get("doc", ""))
    except tomllib.TOMLDecodeError:
        return ""


def overview(file: Mapping[str, Any]) -> str:
    """Name, description, studies with their counts and best points, the run, and the experiment's text."""
    text = file["attrs"].get("experiment_text", "")
    told = {**file["attrs"], **file["provenance"]}
    origin = [[name, f"<code>{escape(told[key])}</code>"] for name, key in ORIGIN.items() if told.get(key)]
    return f"""<section class="file">
<h2>{escape(file["name"])}</h2>
<p>{escape(_experiment(text))}</p>
{table(["study", "system", "points", "best by main metrics (smaller is better)"],
       [_study(study) for study in file["studies"]])}
<details><summary>Provenance</summary>{table(["", ""], origin)}</details>
<details><summary>Experiment file</summary><pre>{escape(text)}</pre></details>
</section>"""
