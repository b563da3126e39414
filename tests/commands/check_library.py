#!/usr/bin/env python3
"""Builds examples/library against an installation and runs it: check_library.py BUILD_DIR.

The prefix is moved after the installation, and nothing of the source tree is used.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import h5py


def run(*command, **options):
    environment = {name: value for name, value in os.environ.items() if name != "PIMSWEEP_CONFIGS"}
    return subprocess.run([str(word) for word in command], check=True, text=True, env=environment, **options)


def by_policy(study, metric):
    """{model: {policy: value}}."""
    values = {}
    for model, policy, value in zip(study["model"].asstr(), study["policy"].asstr(), study[metric][:]):
        values.setdefault(model, {})[policy] = value
    return values


def check(results):
    with h5py.File(results) as file:
        if not all((file[study]["status"][:] == 0).all() for study in ("stream", "policies")):
            sys.exit("a point failed")
        times = list(file["stream"]["time"][:])
        if times != [1e-3, 1.0]:
            sys.exit(f"256 MB and 256 GB at 256 GB/s take {times} s")
        bytes_sent = by_policy(file["policies"], "communication")
    print(bytes_sent)
    for model, policies in bytes_sent.items():
        if min(policies.values()) != policies["hypar-optimal"]:
            sys.exit(f"the optimum of {model} is none")
    if all(policies["halves"] == policies["data"] for policies in bytes_sent.values()):
        sys.exit("halves does what data does")


def main():
    with tempfile.TemporaryDirectory(prefix="pimsweep-library-") as scratch:
        scratch = pathlib.Path(scratch)
        run("cmake", "--install", sys.argv[1], "--prefix", scratch / "first", stdout=subprocess.DEVNULL)
        prefix = (scratch / "first").rename(scratch / "moved")
        example = prefix / "share/doc/pimsweep/examples/library"
        run("cmake", "-S", example, "-B", scratch / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_PREFIX_PATH={prefix}", stdout=subprocess.DEVNULL)
        run("cmake", "--build", scratch / "build", stdout=subprocess.DEVNULL)
        mysweep, results = scratch / "build/mysweep", scratch / "own.h5"
        run("mpirun", "-n", "2", mysweep, example / "own.toml", "--output", results, "--progress", "none")
        check(results)
        listed = run(mysweep, "list", "policies", "hypar", capture_output=True).stdout
        if "halves" not in listed:
            sys.exit("the list of policies lacks halves")
        printed = run(scratch / "build/evaluate", example / "point.toml", capture_output=True).stdout
        if "one communication = " not in printed:
            sys.exit(f"evaluate printed {printed}")


if __name__ == "__main__":
    main()
