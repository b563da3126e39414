"""Timelines of points: the program writes them as traces for Perfetto, or they become tables."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
from typing import Any, overload

import pandas as pd

from .experiment import BAD_INPUT, Failed, InputError, Problem, program


@overload
def trace(file: str | os.PathLike[str], point: int, study: str | None = None, output: None = None) -> pd.DataFrame: ...


@overload
def trace(file: str | os.PathLike[str], point: int, study: str | None = None, *,
          output: str | os.PathLike[str]) -> pathlib.Path: ...


def trace(file: str | os.PathLike[str], point: int, study: str | None = None,
          output: str | os.PathLike[str] | None = None) -> pd.DataFrame | pathlib.Path:
    """The timeline of a point of a results file, or of an experiment file.

    Writes it to `output`, a trace for https://ui.perfetto.dev, and returns the path. Without `output`, returns a table
    with a row for each interval: `group` and `lane` (a unit), `name`, `start` and `end` in seconds, and whatever else the
    system records; units are in `attrs["units"]`, axes and metrics of the point in `attrs["point"]`, as texts. What the
    results file does not hold is evaluated again.

    InputError: the point does not exist, or it has no timeline. Failed: anything else.
    """
    target = "-" if output is None else os.fspath(output)
    command = [program(), "trace", os.fspath(file), "--point", str(point), "-o", target]
    command += ["--study", study] if study is not None else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == BAD_INPUT:
        raise InputError([Problem(done.stderr.strip().removeprefix("pimsweep: ").removeprefix("error: "))])
    if done.returncode:
        raise Failed(done.stderr.strip())
    return _table(json.loads(done.stdout)) if output is None else pathlib.Path(output)


def _table(written: dict[str, Any]) -> pd.DataFrame:
    events = written["traceEvents"]
    names = {(event["name"], event["pid"], event["tid"]): event["args"]["name"]
             for event in events if event["ph"] == "M" and "name" in event["args"]}
    rows, units = [], dict[str, str]()
    plain: dict[str, str] = {}
    for event in events:
        if event["ph"] != "X":
            continue
        row = {"group": names["process_name", event["pid"], 0],
               "lane": names["thread_name", event["pid"], event["tid"]], "name": event["name"]}
        for key, value in event["args"].items():
            if key not in plain:
                found = re.fullmatch(r"(.*) \[(.*)\]", key)
                plain[key] = found.group(1) if found else key
                units[plain[key]] = found.group(2) if found else "1"
            row[plain[key]] = value
        rows.append(row)
    table = pd.DataFrame(rows)
    table.attrs["units"] = units
    table.attrs["point"] = written["otherData"]
    return table
