#!/usr/bin/env python3
"""Follows docs/tutorials/policy.md: check_policy_tutorial.py SOURCE_DIR BUILD_DIR.

Adds the functions and lines of the page to copies of policies.cpp, links these with the built libraries, and runs
the page's experiments with that program. Two small files are compiled instead of a whole tree.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import h5py

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python")]
from check_docs import blocks
from pimsweep import texts
from relink import compile_source, link_program

# In the order of the page, which has two snippets for each.
SYSTEMS = ("hypar", "pimflow")


def with_policy(text, function, line):
    """The text of a policies.cpp with one more function and one more line."""
    changed, arrays = re.subn(r"^constexpr std::array \w+\{$",
                              lambda array: f"{function}\n{array.group()}\n{line.rstrip()}", text, flags=re.MULTILINE)
    if arrays != 1:
        sys.exit("policies.cpp has not one array of policies")
    return changed


def build_program(source, build, scratch, snippets):
    """The program with the page's policies: a function and a line for each of SYSTEMS."""
    objects = []
    for system, function, line in zip(SYSTEMS, snippets[::2], snippets[1::2], strict=True):
        policies = source / "src" / "systems" / system / "policies.cpp"
        added = scratch / f"{system}_policies.cpp"
        added.write_text(with_policy(policies.read_text(), function, line))
        objects.append(compile_source(build, policies, added))
    return link_program(build, objects, scratch / "pimsweep")


def run(source, program, scratch, experiment, metric):
    """{model: {policy: value of the metric}} of the experiment's study."""
    path, results = scratch / "experiment.toml", scratch / "results.h5"
    path.write_text(experiment)
    subprocess.run([program, path, "--output", results, "--force", "--progress", "none"], check=True,
                   env=dict(os.environ, PIMSWEEP_CONFIGS=str(source / "configs")))
    points = {}
    with h5py.File(results) as file:
        study = file["policies"]
        columns = (texts(study["model"]), texts(study["policy"]), study["status"][:], study[metric][:])
        for model, policy, status, value in zip(*columns):
            if status != 0:
                sys.exit(f"{model} with {policy} failed")
            points.setdefault(model, {})[policy] = value
    print(metric, points)
    return points


def check(points, new, best, other):
    """The best policy is the best; the new one does not do what another one does."""
    if not points or not all(set(values) >= {new, best, other} for values in points.values()):
        sys.exit("a policy is missing")
    if not all(values[best] <= min(values.values()) for values in points.values()):
        sys.exit(f"{best} is not the best")
    if all(values[new] == values[other] for values in points.values()):
        sys.exit(f"{new} does what {other} does")


def main():
    source, build = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
    page = list(blocks(source / "docs" / "tutorials" / "policy.md"))
    snippets = [text for _, language, _, text in page if language == "cpp"]
    hypar, pimflow = (text for _, language, _, text in page if language == "toml")
    with tempfile.TemporaryDirectory(prefix="pimsweep-tutorial-") as scratch:
        scratch = pathlib.Path(scratch)
        program = build_program(source, build, scratch, snippets)
        check(run(source, program, scratch, hypar, "communication"), "halves", "hypar-optimal", "data")
        check(run(source, program, scratch, pimflow, "time"), "all-on-pim", "newton++", "newton++")


if __name__ == "__main__":
    main()
