"""The figure of `pimsweep pareto --plot`: the points of each study by two metrics, and the front of each group."""

from __future__ import annotations

import argparse
import pathlib
import sys
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .. import expressions
from ..columns import DRAW
from ..output import written
from ..palette import PALETTE
from ..results import MissingStudy, Results
from . import style
from .draw import front, quantity

Shares = npt.NDArray[np.float64]
# Marks that the legend explains.
SHARES = (0, 0.5, 1)


def _costs(points: pd.DataFrame, metrics: Sequence[str], maximized: Collection[str]) -> pd.DataFrame:
    """Metrics that are to be small."""
    return pd.DataFrame({name: -points[name] if name in maximized else points[name] for name in metrics})


def _groups(points: pd.DataFrame, group_by: Sequence[str]) -> dict[Any, npt.NDArray[np.intp]]:
    """The rows of each value of `group_by`; of all points without."""
    return dict(points.groupby(list(group_by), sort=False).indices) if group_by else {
        "Pareto front": np.arange(len(points))}


def front_shares(points: pd.DataFrame, machines: Sequence[pd.DataFrame], metrics: Sequence[str],
                 maximized: Collection[str] = (), group_by: Sequence[str] = ()) -> Shares:
    """Of each point, the share of machines on whose own front of its group it lies.

    points: on the machine of the file; machines: the same points, in the same order, on each sampled machine, NaN where
    they have no result.
    """
    counts = np.zeros(len(points))
    for machine in machines:
        costs = _costs(machine, metrics, maximized)
        for rows in _groups(points, group_by).values():
            counts[rows] += front(costs.iloc[rows], *metrics)
    return counts / max(len(machines), 1)


def on_drawn_machines(results: Results, study: str) -> list[pd.DataFrame]:
    """Points of a study that have a result on the machine of the file, on each sampled machine; NaN where they fail."""
    if not results.is_drawn(study):
        return []
    kept = results.machine(0).frame(study)["status"] == 0

    def of(one: Results) -> pd.DataFrame:
        points = one.frame(study)[kept]
        return points.where(points["status"] == 0)
    return results.on_machines(of)


def filled(color: Any, shares: Sequence[float] | Shares) -> list[tuple[float, ...]]:
    """Fills of marks in a color: white for a share of 0, full color for 1."""
    return [tuple(1 - share * (1 - part) for part in to_rgb(color)) for share in shares]


def fronts(axes: Axes, points: pd.DataFrame, x: str, y: str, maximized: Collection[str] = (),
           group_by: Sequence[str] = (), machines: Sequence[pd.DataFrame] = ()) -> None:
    """All points by two metrics, and for each value of `group_by` the line of those that no other beats in both.

    machines: the same points on sampled machines; marks of the front are as full as `front_shares` says.
    """
    (across, x_label), (up, y_label) = quantity(points, x), quantity(points, y)
    axes.plot(across, up, ".", color=PALETTE[5], markersize=3, label="points", rasterized=len(points) > 10_000)
    costs = _costs(points, (x, y), maximized)
    shares = front_shares(points, machines, (x, y), maximized, group_by)
    groups = _groups(points, group_by)
    for (name, rows), look in zip(groups.items(), style.markers(list(groups)).values()):
        best = rows[front(costs.iloc[rows], x, y)]
        best = best[np.argsort(costs[x].to_numpy()[best])]
        # The best of both moves to the side on which a metric is worse.
        step = "steps-post" if x not in maximized else "steps-pre"
        title = ", ".join(map(str, name)) if isinstance(name, tuple) else str(name)
        axes.plot(across[best], up[best], drawstyle=step, label=title, **{"markersize": 3, **look})
        if machines:
            axes.scatter(across[best], up[best], 12, filled(look["color"], shares[best]), look["marker"], zorder=3,
                         edgecolors=look["color"], linewidths=0.8)
    style.set_axes(axes, True, True, xlabel=x_label, ylabel=y_label)


def _add_expressions(frame: pd.DataFrame, results: Results, study: str, metrics: Sequence[str]) -> None:
    """Adds those metrics that are expressions over columns."""
    wanted = [metric for metric in metrics if expressions.is_expression(metric)]
    if not wanted:
        return
    made = expressions.table(results.path, study, wanted, unsealed=results.unsealed).set_index("point")
    for metric in wanted:
        frame[metric] = made[metric].reindex(frame["point"]).to_numpy()
        frame.attrs["units"][metric] = made.attrs["units"][metric]


def share_entries() -> list[Line2D]:
    """Legend entries for marks that are as full as shares of machines."""
    return [style.entry(f"on the front of {100 * share:g} % of machines", marker="o", markersize=3.5,
                        markerfacecolor=fill) for share, fill in zip(SHARES, filled("black", SHARES))]


def figure(results: Results, x: str, y: str, maximized: Collection[str] = (), group_by: Sequence[str] = (),
           chosen: Sequence[str] = ()) -> Figure:
    """A panel for each study, or each of the chosen ones, that has both metrics and the axes of `group_by`."""
    style.use_style()
    studies = [study for study in results if not chosen or study in chosen]
    # Machines that are groups have a front each.
    one = results if DRAW in group_by else results.machine(0)
    metrics = [metric for metric in (x, y) if not expressions.is_expression(metric)]
    frames = {name: one.frame(name) for name in studies
              if {*metrics, *group_by} <= {column.name for column in one.columns(name)}}
    for name, frame in frames.items():
        _add_expressions(frame, results, name, (x, y))
    frames = {name: frame[frame["status"] == 0].reset_index(drop=True) for name, frame in frames.items()}
    # Expressions are known on the machine of the file alone.
    is_stored = one is not results and len(metrics) == 2
    machines = {name: on_drawn_machines(results, name) if is_stored else [] for name in frames}
    if not frames:
        raise MissingStudy(f"{results.path}: no study has {', '.join([x, y, *group_by])}")
    width = style.COLUMN if len(frames) == 1 else style.PAGE
    columns = min(2, len(frames))
    rows = -(-len(frames) // columns)
    made, panels = style.panels(rows, columns, 2.6 * rows, titles=frames, width=width, squeeze=False)
    for panel, (name, frame) in zip(panels.flat, frames.items()):
        fronts(panel, frame, x, y, maximized, group_by, machines[name])
    for panel in list(panels.flat)[len(frames):]:
        panel.set_axis_off()
    entries = {line.get_label(): line for panel in panels.flat for line in panel.get_lines()}
    style.legend(made, 3, *entries.values(), *(share_entries() if any(machines.values()) else ()))
    return made


# By file name extension: metadata that name the generator (output.MARK) and suppress dates, so that equal data give
# equal files.
METADATA: dict[str, dict[str, str | None]] = {".png": {"Software": "pimsweep"},
                                              ".pdf": {"Creator": "pimsweep", "CreationDate": None},
                                              ".svg": {"Creator": "pimsweep", "Date": None}}


def main() -> int:
    """The command line: RESULTS X Y [--max METRIC ...] [--group-by AXIS ...] [--study ID ...] --output FILE [--force]."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("x")
    parser.add_argument("y")
    parser.add_argument("--max", action="append", default=[])
    parser.add_argument("--group-by", action="append", default=[])
    parser.add_argument("--study", action="append", default=[])
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--unsealed", action="store_true")
    given = parser.parse_args()
    ending = given.output.suffix.lower()
    try:
        made = figure(Results(given.results, given.unsealed), given.x, given.y, given.max, given.group_by, given.study)
        if ending.removeprefix(".") not in made.canvas.get_supported_filetypes():
            raise ValueError(f"a plot is a file that ends with {', '.join(METADATA)}, not '{ending}'")
        with written(given.output, [given.results], force=given.force) as temporary:
            made.savefig(temporary, format=ending.removeprefix("."), metadata=METADATA.get(ending))
    except (OSError, ValueError) as error:
        print(f"pimsweep: error: {error}", file=sys.stderr)
        return 74 if isinstance(error, OSError) and not isinstance(error, FileNotFoundError) else 2
    print(f"plot: {given.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
