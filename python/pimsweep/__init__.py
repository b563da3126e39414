"""Experiments of pimsweep from Python: `check` and `run` them, `open` results as labeled arrays, `plot` and `trace` them."""

import importlib
from typing import Any

from .columns import Column, texts
from .experiment import Failed, InputError, Problem, Stopped, check, run
from .page import MissingPlotly, page
from .results import MissingMachine, MissingStudy, Results, fact, facts, open, published, report
from .tracing import trace

__all__ = ["Column", "Failed", "InputError", "MissingMachine", "MissingPlotly", "MissingStudy", "Problem", "Results",
           "Stopped", "check", "fact", "facts", "open", "page", "published", "report", "run", "texts", "trace"]


def __getattr__(name: str) -> Any:
    # Matplotlib is loaded by those who draw.
    if name == "plot":
        return importlib.import_module(".plot", __name__)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
