"""Columns of a study and expressions over them, such as `time * energy`, which the program evaluates."""

from __future__ import annotations

import io
import os
import re
import subprocess
from collections.abc import Sequence

import pandas as pd

from .experiment import program

HEADING = re.compile(r"(.*) \[([^][]*)\]")


class BadExpression(ValueError):
    """A study has no such column, or an expression or a condition has mistakes; the message is that of the program."""


def is_expression(text: str) -> bool:
    """Whether a text is more than the name of a column."""
    return not re.fullmatch(r"[\w.]*", text, re.ASCII)


def table(path: str | os.PathLike[str], study: str, columns: Sequence[str], where: Sequence[str] = (),
          unsealed: bool = False) -> pd.DataFrame:
    """Columns and expressions of the points that satisfy all conditions, in SI units and in the order of the points, with
    `point`; missing numbers are NaN. Units are in `attrs["units"]`.

    BadExpression: a name, an expression or a condition has mistakes.
    """
    command = [program(), "show", os.fspath(path), "--study", study, f"--columns={','.join(columns)}", "--units", "--csv", "-"]
    for condition in where:
        command.append(f"--where={condition}")
    done = subprocess.run(command + ["--unsealed"] * unsealed, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BadExpression(done.stderr.replace("pimsweep: error: ", "").strip())
    read = pd.read_csv(io.StringIO(done.stdout), keep_default_na=False, na_values=["nan", "-nan", "inf"])
    headings = {text: HEADING.fullmatch(text) for text in read.columns}
    read = read.rename(columns={text: found.group(1) for text, found in headings.items() if found})
    read = read.drop(columns="study").sort_values("point", kind="stable").reset_index(drop=True)
    read.attrs["units"] = {found.group(1) if found else text: found.group(2) if found else "1" for text, found in headings.items()}
    return read
