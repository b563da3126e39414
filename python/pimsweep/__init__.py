"""Experiments of pimsweep from Python: `check` and `run` them, `open` results as labeled arrays, `plot` them."""

from .columns import Column, texts
from .experiment import Failed, InputError, Problem, Stopped, check, run
from .results import Results, open, published, report

__all__ = ["Column", "Failed", "InputError", "Problem", "Results", "Stopped", "check", "open", "published", "report",
           "run", "texts"]
