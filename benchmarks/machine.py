"""What the benchmarks share: the machine in words, MPI's settings, commands and their times, tables."""

import functools
import os
import pathlib
import platform
import re
import statistics
import subprocess
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
BUILD = SOURCE / "build" / "release"


def describe():
    """Processor, cores and system of this machine, in one line."""
    model = platform.machine()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{model}, {len(os.sched_getaffinity(0))} cores, Linux {platform.release().split('-')[0]}"


def load():
    """What else runs: the mean number of runnable processes in the last minute."""
    return os.getloadavg()[0]


@functools.cache
def mpi_environment():
    """This process' environment with the settings of scripts/mpi-env.sh, which is asked for once."""
    script = SOURCE / "scripts" / "mpi-env.sh"
    printed = subprocess.run(["bash", "-c", f"source '{script}' && env -0"], capture_output=True, text=True, check=True)
    environment = dict(line.split("=", 1) for line in printed.stdout.split("\0") if "=" in line)
    environment.setdefault("PIMSWEEP_CONFIGS", str(SOURCE / "configs"))
    return environment


def timed(command, folder, environment=None, success=(0,)):
    """Wall seconds of a command, and the CompletedProcess with what it printed. Raises RuntimeError, with its last words, if its
    exit status is none of `success` or it cannot be run."""
    begin = time.perf_counter()
    try:
        done = subprocess.run([str(word) for word in command], cwd=folder, env=environment, capture_output=True, text=True)
    except OSError as error:
        raise RuntimeError(f"cannot run {command[0]}: {error.strerror}") from error
    seconds = time.perf_counter() - begin
    if done.returncode not in success:
        raise RuntimeError(f"{command[0]} ended with status {done.returncode}:\n{(done.stdout + done.stderr)[-1000:]}")
    return seconds, done


def spread(values):
    """Median, minimum and maximum."""
    values = list(values)
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "runs": len(values)}


def show(values, scale=1.0, digits=3):
    """A spread as text: median (minimum to maximum)."""
    median, low, high = (f"{values[key] * scale:.{digits}g}" for key in ("median", "min", "max"))
    return median if values["runs"] == 1 else f"{median} ({low} to {high})"


def duration(seconds):
    """Seconds in the unit that suits them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def markdown(header, rows):
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def write_tables(page, tables):
    """Puts each table of a page between <!-- measured: NAME --> and <!-- end -->. Raises KeyError if the page lacks the comments of a table."""
    text = page.read_text()
    for name, table in tables.items():
        text, places = re.subn(rf"(<!-- measured: {re.escape(name)} -->\n).*?(<!-- end -->)", lambda match: f"{match[1]}{table}\n{match[2]}", text,
                               flags=re.DOTALL)
        if places != 1:
            raise KeyError(f"{page} has {places} places for the table {name}")
    page.write_text(text)
