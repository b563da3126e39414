"""A run in which one system call on its files fails: it goes on or says so and stops, and the resumed result is the same.

First counts the calls on the output and its journals that an undisturbed run makes. Then lets the N-th call of each kind
fail (opening, writing, syncing, renaming; the driver maps no file), with "no space left" for writes and "input/output error"
for all others, resumes without a fault, and compares. By default every N; --sample takes so many of each kind, evenly spread.

    PIMSWEEP=build/release/pimsweep python3 tests/driver/io_faults.py build/release/tests/driver/libio_faults.so

Prints a table; exit status 1 if a run was wrong.
"""

import argparse
import errno
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import h5py

PIMSWEEP = os.environ["PIMSWEEP"]
EXPERIMENT = """name = "faults"
[[study]]
id = "points"
system = "synthetic"
cost_mean = "2 ms"
rows = 2
[study.axes]
n = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
"""
KINDS = ("open", "write", "sync", "rename")
# The run goes on; it is refused; an output cannot be written. The last can be resumed.
GOOD_STATUS = (0, 2, 74)


class Faults:
    def __init__(self, folder, library, ranks):
        self.folder = folder
        self.library = library
        self.launch = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
        self.counts = folder / "counts"
        (folder / "faults.toml").write_text(EXPERIMENT)

    def run(self, *arguments, fault=None):
        environment = dict(os.environ)
        if fault is not None:
            self.counts.write_bytes(bytes(8 * len(KINDS)))
            environment.update(LD_PRELOAD=str(self.library), IO_FAULTS_FOLDER=str(self.folder / "out"),
                               IO_FAULTS_COUNTS=str(self.counts), IO_FAULTS_FAIL=fault)
        return subprocess.run([*self.launch, PIMSWEEP, self.folder / "faults.toml", "--output", self.folder / "out/a.h5",
                               "--progress", "none", *arguments], env=environment, capture_output=True, text=True,
                              timeout=120, check=False)

    def digest(self):
        try:
            with h5py.File(self.folder / "out/a.h5") as file:
                return file.attrs["digest"]
        except OSError as error:
            return str(error)

    def undisturbed(self):
        """The digest, and the number of calls of each kind."""
        done = self.run(fault="")
        assert done.returncode == 0, done.stderr
        return self.digest(), dict(zip(KINDS, struct.unpack(f"{len(KINDS)}Q", self.counts.read_bytes())))

    def problem(self, kind, number, digest):
        """What is wrong after the N-th call of a kind failed; None if nothing is. Also the exit status."""
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        error = errno.ENOSPC if kind == "write" else errno.EIO
        done = self.run(fault=f"{kind}:{number}:{error}")
        if done.returncode not in GOOD_STATUS:
            return f"status {done.returncode}: {done.stderr}", done.returncode
        if done.returncode == 0 and self.digest() != digest:
            return f"wrong data: {done.stderr}", done.returncode
        again = self.run("--resume")
        if again.returncode != 0:
            return f"resumed: status {again.returncode}: {again.stderr}", done.returncode
        left = sorted(path.name for path in (self.folder / "out").iterdir())
        if self.digest() != digest or left != ["a.h5"]:
            return f"resumed: digest {self.digest()}, files {left}", done.returncode
        return None, done.returncode


def evenly_spread(count, sample):
    if sample is None or sample >= count:
        return list(range(1, count + 1))
    return sorted({1 + round(i * (count - 1) / max(1, sample - 1)) for i in range(sample)})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=pathlib.Path, help="the preloaded library, libio_faults.so")
    parser.add_argument("--sample", type=int, help="so many calls of each kind")
    parser.add_argument("--ranks", type=int, default=1)
    arguments = parser.parse_args()
    failed = 0
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        faults = Faults(pathlib.Path(scratch).resolve(), arguments.library.resolve(), arguments.ranks)
        digest, counts = faults.undisturbed()
        for kind in KINDS:
            statuses = []
            numbers = evenly_spread(counts[kind], arguments.sample)
            for number in numbers:
                problem, status = faults.problem(kind, number, digest)
                statuses.append(status)
                if problem:
                    failed += 1
                    print(f"{kind} {number} of {counts[kind]}: {problem}", file=sys.stderr, flush=True)
            rows.append((kind, counts[kind], len(numbers), *(statuses.count(status) for status in GOOD_STATUS)))
    print("| call | in a run | let fail | run went on (0) | refused at the start (2) | cannot be written (74) |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |")
    print(f"{failed} wrong")
    return 1 if failed or not all(counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
