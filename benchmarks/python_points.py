"""The same point in Python, for against_other_tools.py: busy for so many seconds of processor time.

Usage: python_points.py pool|subprocess POINTS SECONDS WORKERS [PROGRAM], or under mpirun: python_points.py mpi POINTS SECONDS.
"""

import functools
import multiprocessing
import subprocess
import sys
import time


def busy(seconds, number):
    end = time.thread_time() + seconds
    while seconds > 0 and time.thread_time() < end:
        pass
    return number, seconds


def started(program, seconds, number):
    """The point in a process of its own."""
    return subprocess.run([program, str(number), str(seconds)], capture_output=True, text=True, check=True).stdout


def main():
    kind, points, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    if kind == "mpi":
        from mpi4py.futures import MPICommExecutor

        with MPICommExecutor() as executor:
            if executor is not None:
                results = list(executor.map(functools.partial(busy, seconds), range(points), chunksize=1))
                print(len(results))
        return
    point = functools.partial(busy, seconds) if kind == "pool" else functools.partial(started, sys.argv[5], seconds)
    with multiprocessing.Pool(int(sys.argv[4])) as pool:
        print(len(pool.map(point, range(points), chunksize=1)))


if __name__ == "__main__":
    main()
