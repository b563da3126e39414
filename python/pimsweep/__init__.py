"""Experiments of pimsweep from Python: `check` and `run` them, `open` results as labeled arrays, `plot` and `trace` them."""

import importlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import plot
    from .calibration import Calibration, calibrate
    from .columns import Column, texts
    from .experiment import Failed, InputError, Problem, Stopped, check, run
    from .expressions import BadExpression
    from .results import MissingMachine, MissingStudy, Results, fact, facts, open, published, published_folder, report
    from .tracing import trace
    from .webpage import MissingPlotly, page

# The module of each name. It is imported when the name is first used: pandas, xarray and matplotlib take most of a second.
_MODULES = {name: module for module, names in {
    "calibration": ("Calibration", "calibrate"),
    "columns": ("Column", "texts"),
    "experiment": ("Failed", "InputError", "Problem", "Stopped", "check", "run"),
    "expressions": ("BadExpression",),
    "results": ("MissingMachine", "MissingStudy", "Results", "fact", "facts", "open", "published", "published_folder", "report"),
    "tracing": ("trace",),
    "webpage": ("MissingPlotly", "page"),
}.items() for name in names}

__all__ = ["BadExpression", "Calibration", "Column", "Failed", "InputError", "MissingMachine", "MissingPlotly", "MissingStudy", "Problem", "Results",
           "Stopped", "calibrate", "check", "fact", "facts", "open", "page", "published", "published_folder", "report", "run",
           "texts", "trace"]


def __getattr__(name: str) -> Any:
    if name == "plot":
        return importlib.import_module(".plot", __name__)
    if name not in _MODULES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    value = getattr(importlib.import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "plot"})


# The program starts modules of the package by -m: its users asked for a command, not for Python.
if sys.argv[:1] == ["-m"]:
    try:
        importlib.import_module(".results", __name__)
    except ModuleNotFoundError as error:
        from .requirements import missing
        sys.exit(missing(error))
