"""Checks and runs experiments with the program pimsweep."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from . import results

Experiment = str | os.PathLike[str] | Mapping[str, Any]
# "22:35:24 29 %, 5201 of 17918 points, ..."
PROGRESS = re.compile(r"\d\d:\d\d:\d\d +\d+ %")
# Exit statuses of the program.
SOME_FAILED, BAD_INPUT, NO_OUTPUT, STOPPED = 1, 2, 74, 75


@dataclasses.dataclass(frozen=True)
class Problem:
    """One mistake in an experiment."""

    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    key: str = ""
    """Where it is in an experiment that was given as a dict, such as `study[0].axes.policy`."""

    def __str__(self) -> str:
        place = self.key or ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{place}: {self.message}" if place else self.message


class InputError(ValueError):
    """An experiment has mistakes; `problems` has all of them."""

    def __init__(self, problems: list[Problem]):
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))


class Failed(RuntimeError):
    """The program failed or could not write its output."""


class Stopped(RuntimeError):
    """The run stopped early; with `resume=True` it goes on."""


def program() -> str:
    """The program: $PIMSWEEP, of PATH, of the installation or of the source tree that the package belongs to."""
    if given := os.environ.get("PIMSWEEP"):
        return given
    here = pathlib.Path(__file__).resolve()
    beside = (here.parents[4] / "bin" / "pimsweep", here.parents[2] / "build" / "release" / "pimsweep")
    found = shutil.which("pimsweep") or next((str(path) for path in beside if path.exists()), None)
    if found is None:
        raise FileNotFoundError("the program pimsweep is not on PATH; set PIMSWEEP to its path")
    return found


def _plain(value: Any) -> Any:
    """The value with numbers and arrays of NumPy as those of Python."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value


def _keys(text: str) -> list[str]:
    """The key path of each line of a file that tomli_w wrote."""
    found, seen, table, key, item = [], dict[str, int](), "", "", 0
    for line in text.splitlines():
        if header := re.fullmatch(r"(\[\[?)(.*?)\]\]?", line):
            table = header.group(2)
            if header.group(1) == "[[":
                seen[table] = seen.get(table, -1) + 1
            table, key = _numbered(table, seen), ""
        elif name := re.match(r'("(?:[^"\\]|\\.)*"|[\w-]+) = ', line):
            key, item = f"{table}.{name.group(1)}".lstrip("."), 0
        elif line.startswith("    "):
            found.append(f"{key}[{item}]")
            item += 1
            continue
        found.append(key or table)
    return found


def _numbered(table: str, seen: Mapping[str, int]) -> str:
    """The name of a table with the numbers of the arrays that it is in: study.axes is study[0].axes."""
    path, parts = "", []
    for part in table.split("."):
        path = f"{path}.{part}".lstrip(".")
        parts.append(f"{part}[{seen[path]}]" if path in seen else part)
    return ".".join(parts)


def _problem(told: Mapping[str, Any], file: pathlib.Path, keys: list[str]) -> Problem:
    """A problem as the program reports it; in an experiment that was a dict, its position is a key."""
    name, line = told["file"], told["line"]
    if keys and pathlib.Path(name).name == file.name:
        return Problem(told["message"], key=keys[line - 1] if 0 < line <= len(keys) else "")
    return Problem(told["message"], name, line, told["column"])


@contextlib.contextmanager
def _file(experiment: Experiment) -> Iterator[tuple[pathlib.Path, list[str]]]:
    """The experiment's file and, of a dict, the key path of each of its lines."""
    if not isinstance(experiment, Mapping):
        yield pathlib.Path(experiment), []
        return
    import tomli_w  # only those who write experiments need it

    text = tomli_w.dumps(_plain(experiment))
    # Here, for the paths in an experiment are relative to its file.
    with tempfile.NamedTemporaryFile("w", dir=".", prefix=".pimsweep-", suffix=".toml") as file:
        file.write(text)
        file.flush()
        yield pathlib.Path(file.name), _keys(text)


def _check(file: pathlib.Path, keys: list[str]) -> None:
    done = subprocess.run([program(), "check", str(file), "--json"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, BAD_INPUT) or not done.stdout:
        raise Failed(done.stderr.strip())
    if problems := json.loads(done.stdout)["problems"]:
        raise InputError([_problem(told, file, keys) for told in problems])


def _ask(command: list[str], file: pathlib.Path, keys: list[str], progress: bool = False) -> subprocess.CompletedProcess[str]:
    done = _follow(command) if progress else subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == BAD_INPUT:
        _check(file, keys)  # raises with the places of all mistakes in the experiment
        raise InputError([Problem(line.removeprefix("pimsweep: error: ")) for line in done.stderr.strip().splitlines()])
    return done


def _is_notebook() -> bool:
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return type(shell).__name__ == "ZMQInteractiveShell"


def _shown() -> Callable[[str], None]:
    """Shows a line of progress in the place of the last one."""
    if _is_notebook():
        from IPython.display import display

        handle = display({"text/plain": "starting"}, raw=True, display_id=True)
        def update(line: str) -> None:
            handle.update({"text/plain": line}, raw=True)
        return update

    def rewrite(line: str) -> None:
        print(f"\r{line:<100}", end="", file=sys.stderr, flush=True)
    return rewrite


def _follow(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs the program and shows its progress; the rest of what it says is kept."""
    show, said = _shown(), []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        for line in process.stderr:
            if PROGRESS.match(line):
                show(line.strip())
            else:
                said.append(line)
        printed = process.stdout.read()
    show(printed.partition("\n")[0])
    if not _is_notebook():
        print(file=sys.stderr)
    return subprocess.CompletedProcess(command, process.returncode, printed, "".join(said))


def check(experiment: Experiment) -> None:
    """Raises InputError with every mistake in an experiment, given as the path of a file or as a dict."""
    with _file(experiment) as (file, keys):
        _check(file, keys)


def run(experiment: Experiment, ranks: int | None = None, resume: bool = True,
        output: str | os.PathLike[str] | None = None, progress: bool | None = None) -> results.Results:
    """Runs an experiment and opens its results.

    experiment: the path of a file, or a dict with the same keys; paths in a dict are relative to the current folder.
    ranks: all cores if not given. resume: keeps the points that the output holds already; otherwise they are
    discarded. output: the results file, results/NAME.h5 if not given. progress: whether progress is shown; in notebooks and
    terminals if not given.

    InputError: the experiment has mistakes. Stopped: the run ended early and can go on. Failed: anything else. Points
    that failed are a warning; their column `message` has the reasons.
    """
    if ranks is not None and ranks < 1:
        raise ValueError(f"ranks must be 1 or more, not {ranks}")
    with _file(experiment) as (file, keys):
        if output is None:
            name = _ask([program(), "plan", str(file), "--name"], file, keys).stdout.strip()
            output = pathlib.Path("results") / f"{name}.h5"
        shown = progress if progress is not None else _is_notebook() or sys.stderr.isatty()
        command = [program(), str(file), "--output", str(output), "--resume" if resume else "--force",
                   "--progress", "plain" if shown else "none", *(["--ranks", str(ranks)] if ranks else [])]
        done = _ask(command, file, keys, shown)
    if done.returncode == STOPPED:
        raise Stopped(done.stderr.strip())
    if done.returncode not in (0, SOME_FAILED) or not pathlib.Path(output).exists():
        raise Failed(f"exit status {done.returncode}: {done.stderr.strip() or done.stdout.strip()}")
    if done.returncode == SOME_FAILED:
        warnings.warn(done.stderr.strip() or f"{output}: some points failed", stacklevel=2)
    return results.open(output)
