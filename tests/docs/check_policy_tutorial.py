#!/usr/bin/env python3
"""Follows docs/tutorials/policy.md: check_policy_tutorial.py SOURCE_DIR BUILD_DIR.

Compiles the tutorial's file and the list of policies as the build would, links them before the built libraries, and runs the
tutorial's experiment with that program. Two small files are compiled instead of a whole tree.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import h5py

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "scripts" / "figures")]
from check_docs import blocks
from pimsweep_results import texts


def compile_command(build, source):
    """What compiles one source of the build, without its own name and output."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"] == str(source):
            words = shlex.split(entry["command"])
            return words[: words.index("-o")]
    sys.exit(f"{source} is not compiled by itself: see APART in its CMakeLists.txt")


def link_command(build, objects, program):
    """What links pimsweep, with `objects` before its libraries, as another program."""
    command = subprocess.run(["ninja", "-C", build, "-t", "commands", "pimsweep"], check=True, capture_output=True,
                             text=True).stdout.splitlines()[-1]
    words = shlex.split(re.search(r"&& (.* -o pimsweep\b.*?) && ", command).group(1))
    words[words.index("-o") + 1] = str(program)
    first_library = next(i for i, word in enumerate(words) if word.endswith(".a"))
    return words[:first_library] + objects + words[first_library:]


def main():
    source, build = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
    files = {path: text for _, _, path, text in blocks(source / "docs" / "tutorials" / "policy.md") if path}
    added = next(path for path in files if path.endswith(".cpp"))
    name = pathlib.Path(added).stem
    hypar = source / "src" / "systems" / "hypar"
    registered = re.search(r"pimsweep_policies\(hypar([^)]*)\)", (hypar / "CMakeLists.txt").read_text()).group(1).split()

    with tempfile.TemporaryDirectory(prefix="pimsweep-tutorial-") as scratch:
        scratch = pathlib.Path(scratch)
        for path, text in files.items():
            if (source / path).exists():
                sys.exit(f"{path} is there already")
            (scratch / path).parent.mkdir(parents=True, exist_ok=True)
            (scratch / path).write_text(text)
        listed = scratch / "src" / "systems" / "hypar" / "policies" / "policies.h"
        subprocess.run(["cmake", f"-DFILE={listed}", "-DSYSTEM=hypar", f"-DNAMES={';'.join([name, *registered])}",
                        "-P", source / "cmake" / "PolicyList.cmake"], check=True)
        command = compile_command(build, hypar / "policy.cpp")
        objects = []
        for file in (hypar / "policy.cpp", scratch / added):
            objects.append(str(scratch / f"{file.stem}.o"))
            # The new list of policies comes before the build's.
            subprocess.run([command[0], f"-I{scratch / 'src'}", *command[1:], "-o", objects[-1], "-c", file], cwd=build, check=True)
        program = scratch / "pimsweep"
        subprocess.run(link_command(build, objects, program), cwd=build, check=True)

        results = scratch / "results.h5"
        subprocess.run([program, scratch / "experiments" / "tutorial-policy.toml", "--output", results, "--progress", "none"],
                       env=dict(os.environ, PIMSWEEP_CONFIGS=str(source / "configs")), check=True)
        with h5py.File(results) as file:
            study = file["policies"]
            rows = list(zip(texts(study["model"]), texts(study["policy"]), study["status"][:],
                            study["total_communication"][:]))
    print(*rows, sep="\n")
    moved = {(model, policy): moved for model, policy, status, moved in rows if status == 0}
    models = {model for model, *_ in rows}
    if len(moved) != len(rows) or not all(moved[model, "hypar-optimal"] <= moved[model, name] for model in models):
        sys.exit("a point is missing, or the optimum is not the best")
    if all(moved[model, name] == moved[model, "data"] for model in models):
        sys.exit("the new policy does what an old one does")


if __name__ == "__main__":
    main()
