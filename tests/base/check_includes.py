#!/usr/bin/env python3
"""Checks what docs/architecture.md says of the tree: includes point down only, namespaces repeat folders, components of a
library form no circle.

Usage: check_includes.py SRC_DIR, or check_includes.py --self-test.
"""

import pathlib
import re
import sys
import tempfile

import components

# The rooms that each room may include besides itself.
ALLOWED = {
    "base": set(),
    "workload": {"base"},
    "hardware": {"base", "workload"},
    "systems": {"base", "workload", "hardware"},
    "sweep": {"base", "workload", "hardware", "systems"},
    "search": {"base", "workload", "hardware", "systems", "sweep"},
    "calibrate": {"base", "workload", "hardware", "systems", "sweep"},
    "journal": {"base", "workload", "hardware", "systems"},
    "results": {"base", "workload", "hardware", "systems", "sweep", "journal"},
    "driver": {"base", "workload", "hardware", "systems", "sweep", "search", "calibrate", "journal", "results"},
    "commands": {"base", "workload", "hardware", "systems", "sweep", "search", "calibrate", "journal", "results", "driver"},
    "main.cpp": {"commands"},
}

# Library headers that belong to one room.
OWNED = {
    re.compile(r"^(mpi|boost/mpi)\b"): "driver",
    re.compile(r"^(hdf5|H5\w*|netcdf)\b"): "results",
    re.compile(r"^toml\+\+/"): "base",
    re.compile(r"^nlopt\b"): "calibrate",
}

# Folders that hold an abstract problem: they know no system, and of hardware at most what stands here.
ABSTRACT = {
    "systems/allspark/placement": {"base", "hardware", "systems/allspark/scheduler", "workload"},
    "systems/allspark/scheduler": {"base"},
    "systems/heteropim/runtime": {"base"},
    "systems/hypar/search": {"base"},
    "systems/llm/schedule": {"base"},
    "systems/pimflow/search": {"base"},
    "systems/rtconc/regression": {"base"},
    "systems/rtconc/schedule": {"base", "hardware/manycore"},
    "systems/serving/engine": {"base"},
}

# The folders of src/systems that every system may include, and those that a system may include of another one.
SHARED_SYSTEMS = {"devices"}
SHARED_PARTS = {"artifacts": "systems/llm/step/", "serving": "systems/llm/step/"}

NAMESPACE = re.compile(r"^namespace (pimsweep[\w:]*) \{", re.MULTILINE)

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)


def problems_in(src):
    problems = []
    for file in sorted(src.rglob("*")):
        if file.suffix not in {".h", ".hpp", ".cpp"}:
            continue
        path = file.relative_to(src)
        room = path.parts[0]
        if room not in ALLOWED:
            problems.append(f"{path}: '{room}' is not a room")
            continue
        text = file.read_text()
        for match in INCLUDE.finditer(text):
            target = match.group(1)
            where = f"{path}:{text[:match.start(1)].count(chr(10)) + 1}"
            for header, owner in OWNED.items():
                if header.match(target) and room != owner:
                    problems.append(f"{where}: only {owner} may include {target}")
            parts = pathlib.PurePosixPath(target).parts
            if ".." in parts:
                problems.append(f"{where}: includes are relative to src/: {target}")
            if parts[0] in ALLOWED and parts[0] != room and parts[0] not in ALLOWED[room]:
                problems.append(f"{where}: {room} may not include {target}")
            # A file right in src/systems (the registry) knows all machines; one machine knows no other.
            if room == "systems" == parts[0] and len(path.parts) > 2 and len(parts) > 2 and parts[1] != path.parts[1] \
                    and parts[1] not in SHARED_SYSTEMS \
                    and not target.startswith(SHARED_PARTS.get(path.parts[1], "systems/none/")):
                problems.append(f"{where}: system {path.parts[1]} may not include system {parts[1]}: {target}")
            folder = path.parent.as_posix()
            if folder in ABSTRACT and parts[0] in ALLOWED and not target.startswith(f"{folder}/") \
                    and not any(target.startswith(f"{allowed}/") for allowed in ABSTRACT[folder]):
                problems.append(f"{where}: {folder} knows an abstract problem only and may not include {target}")
        problems += namespace_problems(path, text)
    return problems


def namespace_problems(path, text):
    """The namespace of a file repeats its folder; base is the project's own namespace."""
    folders = [part for part in path.parent.parts if part != "base"]
    wanted = "::".join(["pimsweep", *folders])
    return [f"{path}:{text[:match.start()].count(chr(10)) + 1}: namespace {match.group(1)} in a folder of {wanted}"
            for match in NAMESPACE.finditer(text)
            if match.group(1) != wanted and not match.group(1).startswith(f"{wanted}::")]


def self_test():
    files = {
        "base/good.h": '#include <vector>\n#include "base/other.h"\n',
        "systems/registry.cpp": '#include "systems/a/a.h"\n',
        "systems/a/a.cpp": '#include "systems/a/a.h"\n#include "systems/system.h"\n#include "hardware/part.h"\n',
        "driver/good.cpp": '#include <mpi.h>\n#include "sweep/plan.h"\n',
        "results/good.cpp": "#include <hdf5.h>\nnamespace pimsweep::results {\n",
        "systems/a/b.cpp": '#include "systems/devices/card.h"\n',
        "systems/hypar/search/good.cpp": '#include "base/error.h"\n#include "systems/hypar/search/problem.h"\n',
    }
    violations = {
        "base/up.h": '#include "workload/graph.h"\n',
        "hardware/up.cpp": '\n  #  include "systems/system.h"\n',
        "sweep/sideways.cpp": '#include "journal/journal.h"\n',
        "results/sideways.cpp": '#include "search/search.h"\n',
        "systems/a/other.cpp": '#include "systems/b/b.h"\n',
        "results/mpi.cpp": "#include <mpi.h>\n",
        "driver/hdf5.cpp": "#include <hdf5.h>\n",
        "sweep/toml.cpp": "#include <toml++/toml.h>\n",
        "sweep/relative.cpp": '#include "../base/error.h"\n',
        "attic/old.cpp": "\n",
        "hardware/dram/rules.cpp": "namespace pimsweep::dram {\n",
        "systems/hypar/search/up.cpp": '#include "systems/hypar/machine.h"\n',
    }
    with tempfile.TemporaryDirectory() as scratch:
        src = pathlib.Path(scratch)
        for name, text in files.items():
            (src / name).parent.mkdir(parents=True, exist_ok=True)
            (src / name).write_text(text)
        assert problems_in(src) == [], problems_in(src)
        for name, text in violations.items():
            (src / name).parent.mkdir(parents=True, exist_ok=True)
            (src / name).write_text(text)
            found = problems_in(src)
            assert len(found) == 1 and found[0].startswith(name), (name, found)
            (src / name).unlink()
    components_self_test()


def components_self_test():
    """Two libraries, one of which has a circle through a source, a long header and too many floors."""
    files = {
        "a/CMakeLists.txt": "",
        "b/CMakeLists.txt": "",
        "a/low.h": "",
        "a/high.cpp": '#include "a/high.h"\n#include "a/low.h"\n#include "b/x.h"\n',
        "a/high.h": "",
        "b/x.h": "",
        "b/x.cpp": '#include "b/x.h"\n#include "b/parts/y.h"\n',
        "b/parts/y.h": '#include "b/x.h"\n',
        "b/long.h": "\n" * (components.MAX_HEADER_LINES + 1),
    }
    files |= {f"c/{n}.h": f'#include "c/{n + 1}.h"\n' for n in range(components.MAX_FLOORS)}
    files[f"c/{components.MAX_FLOORS}.h"] = ""
    with tempfile.TemporaryDirectory() as scratch:
        src = pathlib.Path(scratch)
        for name, text in files.items():
            (src / name).parent.mkdir(parents=True, exist_ok=True)
            (src / name).write_text(text)
        tree = components.Tree(src)
    # The file c/CMakeLists.txt is missing, so c is not a library; its floors count nevertheless.
    assert tree.library_of("b/parts/y") == "b" and tree.library_of("c/1") == "."
    problems = components.problems_of(tree)
    assert len(problems) == 3, problems
    assert problems[0] == "b/parts/y: circle of components: b/parts/y, b/x", problems
    assert problems[1] == f"c: {components.MAX_FLOORS + 1} floors, at most {components.MAX_FLOORS} allowed", problems
    assert problems[2].startswith("b/long.h: header of more than"), problems


def main():
    if sys.argv[1] == "--self-test":
        self_test()
        return
    src = pathlib.Path(sys.argv[1])
    problems = problems_in(src) + components.problems_of(components.Tree(src))
    for problem in problems:
        print(problem)
    files = sum(1 for file in src.rglob("*.cpp"))
    print(f"{files} sources, {len(problems)} problems")
    sys.exit(1 if problems or files == 0 else 0)


if __name__ == "__main__":
    main()
