"""Figures in one style (docs/figures.md). Needs Matplotlib."""

from .draw import (agreement, bands, bars, diagonal, front, heat_map, label, pareto, quantity, roofline, stacked,
                   timeline)
from .script import draw, main
from .style import (COLUMN, HATCHES, PAGE, PALETTE, PUBLISHED, PUBLISHED_LINE, SMALL, STYLE, TEXT, TINY, LogTicks,
                    deviation, gmean, group_names, grouped, legend, log_axis, markers, ordered, plain_number,
                    published_mark, ratio_axis, save, use_style)

__all__ = ["COLUMN", "HATCHES", "PAGE", "PALETTE", "PUBLISHED", "PUBLISHED_LINE", "SMALL", "STYLE", "TEXT", "TINY",
           "LogTicks", "agreement", "bands", "bars", "deviation", "diagonal", "draw", "front", "gmean",
           "group_names", "grouped", "heat_map", "label", "legend", "log_axis", "main", "markers", "ordered", "pareto", "plain_number",
           "published_mark", "quantity", "ratio_axis", "roofline", "save", "stacked", "timeline", "use_style"]
