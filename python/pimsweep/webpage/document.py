"""One HTML file of parts: text, style, scripts, packed data, plotly.js. It asks for nothing from anywhere."""

from __future__ import annotations

import base64
import html
import json
import pathlib
import sys
import zlib
from typing import Any

from ..palette import DARK_PALETTE, PALETTE

HERE = pathlib.Path(__file__).resolve().parent
# In the order in which they need each other.
SCRIPTS = ("elements", "format", "theme", "columns", "conditions", "state", "study", "table", "canvas", "scatter", "parallel",
           "plots", "chart", "heatmap", "roofline", "bands", "progress", "timeline", "point", "main")


class MissingPlotly(RuntimeError):
    """plotly, whose plotly.js becomes part of a page, is not installed."""


def plotly() -> str:
    """plotly.js as the installed package plotly has it, deflated, in base64."""
    # Outside of notebooks, plotly would spend a third of a second on importing IPython for them.
    is_notebook = "IPython" in sys.modules
    sys.modules.setdefault("IPython", None)  # type: ignore[arg-type]
    try:
        from plotly import offline
    except ImportError:
        raise MissingPlotly("a page needs plotly: install python3-plotly, as scripts/setup.sh does") from None
    finally:
        if not is_notebook:
            del sys.modules["IPython"]
    return base64.b64encode(zlib.compress(offline.get_plotlyjs().encode(), 6)).decode()


def escape(text: Any) -> str:
    return html.escape(str(text))


def _json(data: Any) -> str:
    """JSON that is safe in a script element."""
    return json.dumps(data, allow_nan=False, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def document(title: str, body: str, data: Any, sources: str = "img-src data: blob:") -> str:
    """A page with a body that is HTML already, and data that the explorer shows.

    sources: what the page may load, as a content security policy says it.
    """
    script = "\n".join((HERE / "js" / f"{name}.js").read_text() for name in SCRIPTS)
    return _filled("page.html", title=escape(title), style=_style(), body=body, sources=sources,
                   data=_json({"palette": PALETTE, "dark_palette": DARK_PALETTE, **data}), plotly=plotly(),
                   script=f'"use strict";\n(() => {{\n{script}\n}})();')


def plain(title: str, body: str) -> str:
    """A page without data and scripts, which shows pictures of its folder."""
    return _filled("plain.html", title=escape(title), style=_style(), body=body)


def _style() -> str:
    return (HERE / "page.css").read_text()


def _filled(template: str, **texts: str) -> str:
    # One pass, since inserted text may look like a placeholder.
    pieces = (HERE / template).read_text().split("@@")
    return "".join(texts[piece] if place % 2 else piece for place, piece in enumerate(pieces))
