"""Figures in one style (docs/figures.md). Needs Matplotlib."""

from ..palette import PALETTE
from .compare import Panel, compare, drawing, rows
from .draw import (agreement, bands, cells, diagonal, front, heat_map, label, lines, pareto, quantity, roofline,
                   timeline)
from .groups import bars, dots, mean_bars, over_bars, runs, stacked
from .machines import with_bands
from .script import draw, main
from .style import (BAND, COLUMN, HATCHES, MARKERS, PAGE, PUBLISHED, PUBLISHED_LINE, SMALL, STYLE, TEXT, TINY,
                    LogTicks, entitle, entry, group_names, group_spans, grouped, legend, log_axis, markers, note,
                    panels, patches, plain_number, published_line, published_mark, published_range, save, set_axes,
                    use_style)
from .tables import beside, gain, gmean, ordered, published_table, relative, select, speedup, split, wide, with_mean

__all__ = ["BAND", "COLUMN", "HATCHES", "MARKERS", "PAGE", "PALETTE", "PUBLISHED", "PUBLISHED_LINE", "SMALL", "STYLE",
           "TEXT", "TINY", "LogTicks", "Panel", "agreement", "bands", "bars", "beside", "cells", "compare", "diagonal",
           "dots", "draw", "drawing", "entitle", "entry", "front", "gain", "gmean", "group_names", "group_spans",
           "grouped", "heat_map", "label", "legend", "lines", "log_axis", "main", "markers", "mean_bars", "note",
           "ordered", "over_bars", "panels", "pareto", "patches", "plain_number", "published_line", "published_mark",
           "published_range", "published_table", "quantity", "relative", "roofline", "rows", "runs", "save", "select",
           "set_axes", "speedup", "split", "stacked", "timeline", "use_style", "wide", "with_bands", "with_mean"]
