#!/usr/bin/env python3
"""Follows docs/tutorials/system.md: check_system_tutorial.py SOURCE_DIR BUILD_DIR.

Compiles the page's system and a copy of registry.cpp that lists it, links both with the built libraries, runs the page's
experiment on the page's machine, and compares each point with the roofline.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

import h5py

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python")]
from check_docs import blocks
from pimsweep import texts
from relink import compile_source, link_program

# The first code of a reader's own should fit on a screen or two.
MAX_LINES = 80


def changed(path, pattern, replacement):
    """The text of a file with its one match of the pattern replaced."""
    text, places = re.subn(pattern, lambda match: replacement(match.group()), path.read_text(), flags=re.MULTILINE)
    if places != 1:
        sys.exit(f"{path} has {places} places for what the page adds")
    return text


def build_program(source, build, scratch, page):
    """The program with the page's system. `page` is its blocks of C++: a source, a declaration, a line."""
    (path, system), (_, declaration), (_, line) = page
    if len(system.splitlines()) > MAX_LINES:
        sys.exit(f"the page's system has more than {MAX_LINES} lines")
    header, registry = source / "src/systems/parts/parts.h", source / "src/systems/registry.cpp"
    texts_of = {path: system,
                "src/systems/parts/parts.h": changed(header, r"^\}  // namespace .*", lambda end: f"{declaration}\n{end}"),
                "src/systems/registry.cpp": changed(registry, r"std::array entries\{", lambda array: f"{array}\n{line}")}
    for name, text in texts_of.items():
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        (scratch / name).write_text(text)
    objects = [compile_source(build, registry, scratch / name, scratch / "src")
               for name in texts_of if name.endswith(".cpp")]
    return link_program(build, objects, scratch / "pimsweep")


def run(source, program, scratch, page):
    """Runs the experiment on the machine, and returns the results. `page` is the blocks of TOML: machine, experiment."""
    shutil.copytree(source / "configs", scratch / "configs")
    for path, text in page:
        (scratch / path).parent.mkdir(exist_ok=True)
        (scratch / path).write_text(text)
    results = scratch / "results.h5"
    environment = dict(os.environ, PIMSWEEP_CONFIGS=str(scratch / "configs"))
    for command in (["list", "axes", "roofline"],
                    [scratch / page[1][0], "--output", results, "--progress", "none"],
                    ["top", results, "--min", "time"]):
        subprocess.run([program, *command], check=True, env=environment)
    return results


def check(results, operations, peak_rate, byte_energy):
    """Each point against the roofline's arithmetic; both bounds and the ridge point have to occur."""
    bounds, at_ridge = set(), 0
    with h5py.File(results) as file:
        study = file["kernels"]
        columns = [study[name][:] for name in ("bytes", "hardware.bandwidth", "status", "time", "energy", "intensity")]
        for size, bandwidth, status, time, energy, intensity, bound in zip(*columns, texts(study["bound"]), strict=True):
            attainable = min(peak_rate, bandwidth * operations / size)
            ridge = peak_rate / bandwidth
            expected = {"time": operations / attainable, "energy": size * byte_energy, "intensity": operations / size}
            found = {"time": time, "energy": energy, "intensity": intensity}
            print(f"{size:g} B at {bandwidth:g} B/s: {bound}, {found}")
            if status != 0 or any(abs(found[name] / value - 1) > 1e-12 for name, value in expected.items()):
                sys.exit(f"expected {expected}")
            if abs(intensity / ridge - 1) < 1e-12:
                at_ridge += 1
            elif bound != ("compute" if intensity > ridge else "memory"):
                sys.exit(f"{bound} does not limit a kernel of {intensity} FLOP/B where the ridge point is {ridge}")
            bounds.add(bound)
    if bounds != {"compute", "memory"} or not at_ridge:
        sys.exit("the experiment should have points on both sides of the ridge point, and one on it")


def number(text):
    """SI value of a quantity that the page writes with one of these prefixes."""
    value, unit = text.split()
    return float(value) * {"T": 1e12, "G": 1e9, "p": 1e-12}[unit[0]]


def main():
    source, build = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
    page = list(blocks(source / "docs" / "tutorials" / "system.md"))
    code, toml = ([(path, text) for _, language, path, text in page if language == wanted] for wanted in ("cpp", "toml"))
    machine, experiment = (tomllib.loads(text) for _, text in toml)
    with tempfile.TemporaryDirectory(prefix="pimsweep-tutorial-") as scratch:
        scratch = pathlib.Path(scratch)
        program = build_program(source, build, scratch, code)
        results = run(source, program, scratch, toml)
        check(results, number(experiment["study"][0]["operations"]), number(machine["peak_rate"]["value"]),
              number(machine["byte_energy"]["value"]))


if __name__ == "__main__":
    main()
