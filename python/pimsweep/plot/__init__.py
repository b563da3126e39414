"""Figures in one style (docs/figures.md). Needs Matplotlib."""

from ..palette import PALETTE
from .compare import compare
from .draw import (agreement, bands, bars, diagonal, dots, front, heat_map, label, lines, pareto, quantity, roofline,
                   stacked, timeline)
from .script import draw, main
from .style import (COLUMN, HATCHES, MARKERS, PAGE, PUBLISHED, PUBLISHED_LINE, SMALL, STYLE, TEXT, TINY,
                    LogTicks, entry, group_names, group_spans, grouped, legend, log_axis, markers, panels,
                    plain_number, published_line, published_mark, published_range, save, use_style)
from .tables import beside, gmean, ordered, published_table, select, wide, with_mean

__all__ = ["COLUMN", "HATCHES", "MARKERS", "PAGE", "PALETTE", "PUBLISHED", "PUBLISHED_LINE", "SMALL", "STYLE", "TEXT",
           "TINY", "LogTicks", "agreement", "bands", "bars", "beside", "compare", "diagonal", "dots", "draw", "entry",
           "front",
           "gmean", "group_names", "group_spans", "grouped", "heat_map", "label", "legend", "lines", "log_axis",
           "main", "markers", "ordered", "panels", "pareto", "plain_number", "published_line", "published_mark",
           "published_range", "published_table", "quantity", "roofline", "save", "select", "stacked",
           "timeline", "use_style", "wide", "with_mean"]
