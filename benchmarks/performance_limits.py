"""What this machine can do at most, as bounds for performance.py: start of processes and of MPI, memory, zlib, vectors."""

import pathlib
import statistics
import time
import zlib

import numpy

import machine

# Bytes that a core of current x86 processors reads from its second-level cache in a cycle, and instructions that it ends.
CACHE_BYTES_PER_CYCLE = 32
INSTRUCTIONS_PER_CYCLE = 4
RANKS = 2
# Prints how long MPI_Init and MPI_Finalize take, by the library that the program is linked with.
MPI_PROGRAM = """
import ctypes, time
library = ctypes.CDLL("libmpi.so.40", mode=ctypes.RTLD_GLOBAL)
begin = time.perf_counter()
assert library.MPI_Init(None, None) == 0
assert library.MPI_Finalize() == 0
print(f" {time.perf_counter() - begin} ")  # mpirun joins lines of two ranks
"""


def seconds_of(command, folder, runs):
    """Median wall seconds of a command after one warm-up run, and the output of the last run."""
    done = [machine.timed(command, folder, machine.mpi_environment()) for _ in range(runs + 1)]
    return statistics.median(seconds for seconds, _ in done[1:]), done[-1][1].stdout


def clock():
    """Hz, as /proc/cpuinfo has it."""
    rates = [float(line.split(":")[1]) for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("cpu MHz")]
    return 1e6 * max(rates) if rates else float("nan")


def copy_rate():
    """Bytes read and written in a second by one core, far beyond its caches."""
    source = numpy.ones(32 << 20)
    target = numpy.empty_like(source)
    shortest = float("inf")
    for _ in range(4):
        begin = time.perf_counter()
        numpy.copyto(target, source)
        shortest = min(shortest, time.perf_counter() - begin)
    return 2 * source.nbytes / shortest


def shuffled(column):
    """A column's bytes as HDF5's filter orders them: first bytes of all elements, then second ones."""
    raw = numpy.ascontiguousarray(column)
    return raw.view(numpy.uint8).reshape(-1, raw.dtype.itemsize).T.tobytes()


def deflate_seconds(columns):
    """Seconds of one core for zlib at level 1 on these columns."""
    total = 0.0
    for column in columns:
        text = shuffled(column)
        begin = time.perf_counter()
        zlib.compress(text, 1)
        total += time.perf_counter() - begin
    return total


def measure(folder, runs):
    """Bounds by name: seconds, or rates in SI."""
    start, _ = seconds_of(["true"], folder, runs)
    launcher, _ = seconds_of(["mpirun", "-n", str(RANKS), "true"], folder, runs)
    _, printed = seconds_of(["mpirun", "-n", str(RANKS), "/usr/bin/python3", "-c", MPI_PROGRAM], folder, 1)
    random = numpy.random.default_rng(1)
    smooth = numpy.cumsum(random.random(1 << 20))
    return {"process": start, "mpirun": launcher, "mpi_init": max(map(float, printed.split())), "clock": clock(), "copy": copy_rate(),
            "deflate": smooth.nbytes / deflate_seconds([smooth])}


def instructions(count):
    """Seconds of `instructions` instructions, from the measured bounds."""
    return lambda limits: count / INSTRUCTIONS_PER_CYCLE / limits["clock"]


def cache_bytes(count):
    return lambda limits: count / CACHE_BYTES_PER_CYCLE / limits["clock"]


def table(limits):
    rows = [["start of a process (`true`)", machine.duration(limits["process"])],
            [f"`mpirun -n {RANKS} true`", machine.duration(limits["mpirun"])],
            ["MPI_Init and MPI_Finalize under it", machine.duration(limits["mpi_init"])],
            ["clock", f"{limits['clock'] / 1e9:.3g} GHz"],
            ["memory, one core copying", f"{limits['copy'] / 1e9:.3g} GB/s"],
            ["zlib, level 1, a smooth column of reals", f"{limits['deflate'] / 1e6:.3g} MB/s"]]
    return machine.markdown(["this machine", ""], rows)
