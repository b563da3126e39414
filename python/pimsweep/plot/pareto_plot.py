"""The figure of `pimsweep pareto --plot`: the points of each study by two metrics, and the front of each group."""

from __future__ import annotations

import argparse
import pathlib
from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..palette import PALETTE
from ..results import MissingStudy, Results
from . import style
from .draw import front, quantity


def fronts(axes: Axes, points: pd.DataFrame, x: str, y: str, maximized: Collection[str] = (),
           group_by: Sequence[str] = ()) -> None:
    """All points by two metrics, and for each value of `group_by` the line of those that no other beats in both."""
    (across, x_label), (up, y_label) = quantity(points, x), quantity(points, y)
    axes.plot(across, up, ".", color=PALETTE[5], markersize=3, label="points", rasterized=len(points) > 10_000)
    costs = pd.DataFrame({name: -points[name] if name in maximized else points[name] for name in (x, y)})
    groups = points.groupby(list(group_by), sort=False).indices if group_by else {"Pareto front": np.arange(len(costs))}
    for (name, rows), look in zip(groups.items(), style.markers(list(groups)).values()):
        best = rows[front(costs.iloc[rows], x, y)]
        best = best[np.argsort(costs[x].to_numpy()[best])]
        # The best of both moves to the side on which a metric is worse.
        step = "steps-post" if x not in maximized else "steps-pre"
        title = ", ".join(map(str, name)) if isinstance(name, tuple) else str(name)
        axes.plot(across[best], up[best], drawstyle=step, label=title, **{"markersize": 3, **look})
    style.set_axes(axes, True, True, xlabel=x_label, ylabel=y_label)


def figure(results: Results, x: str, y: str, maximized: Collection[str] = (), group_by: Sequence[str] = (),
           study: str | None = None) -> Figure:
    """A panel for each study that has both metrics and the axes of `group_by`, or for one study."""
    style.use_style()
    studies = [study] if study else list(results)
    frames = {name: results.frame(name) for name in studies
              if {x, y, *group_by} <= {column.name for column in results.columns(name)}}
    frames = {name: frame[frame["status"] == 0].reset_index(drop=True) for name, frame in frames.items()}
    if not frames:
        raise MissingStudy(f"{results.path}: no study has {', '.join([x, y, *group_by])}")
    width = style.COLUMN if len(frames) == 1 else style.PAGE
    columns = min(2, len(frames))
    rows = -(-len(frames) // columns)
    made, panels = style.panels(rows, columns, 2.6 * rows, titles=frames, width=width, squeeze=False)
    for panel, frame in zip(panels.flat, frames.values()):
        fronts(panel, frame, x, y, maximized, group_by)
    for panel in list(panels.flat)[len(frames):]:
        panel.set_axis_off()
    entries = {line.get_label(): line for panel in panels.flat for line in panel.get_lines()}
    style.legend(made, 3, *entries.values())
    return made


def main() -> None:
    """The command line: RESULTS X Y [--max METRIC ...] [--group-by AXIS ...] [--study ID] --output FILE."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("x")
    parser.add_argument("y")
    parser.add_argument("--max", action="append", default=[])
    parser.add_argument("--group-by", action="append", default=[])
    parser.add_argument("--study")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    given = parser.parse_args()
    made = figure(Results(given.results), given.x, given.y, given.max, given.group_by, given.study)
    made.savefig(given.output)
    print(f"plot: {given.output}")


if __name__ == "__main__":
    main()
