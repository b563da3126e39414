"""Experiments of pimsweep from Python: `check` and `run` them, `open` results as labeled arrays, `plot` and `trace` them."""

import importlib
import sys
from typing import Any

try:
    from .calibration import Calibration, calibrate
    from .columns import Column, texts
    from .experiment import Failed, InputError, Problem, Stopped, check, run
    from .expressions import BadExpression
    from .page import MissingPlotly, page
    from .results import MissingMachine, MissingStudy, Results, fact, facts, open, published, published_folder, report
    from .tracing import trace
except ModuleNotFoundError as error:
    from .requirements import missing
    # The program starts modules of the package by -m: its users asked for a command, not for Python.
    if sys.argv[:1] == ["-m"]:
        sys.exit(missing(error))
    raise

__all__ = ["BadExpression", "Calibration", "Column", "Failed", "InputError", "MissingMachine", "MissingPlotly", "MissingStudy", "Problem", "Results",
           "Stopped", "calibrate", "check", "fact", "facts", "open", "page", "published", "published_folder", "report", "run",
           "texts", "trace"]


def __getattr__(name: str) -> Any:
    # Matplotlib is loaded only for figures.
    if name == "plot":
        return importlib.import_module(".plot", __name__)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
