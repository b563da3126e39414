#!/usr/bin/env python3
"""Checks that #include directions follow docs/architecture.md: arrows point down only.

Usage: check_includes.py SRC_DIR, or check_includes.py --self-test.
"""

import pathlib
import re
import sys
import tempfile

# What each room may include besides itself.
ALLOWED = {
    "base": set(),
    "workload": {"base"},
    "hardware": {"base", "workload"},
    "systems": {"base", "workload", "hardware"},
    "sweep": {"base", "workload", "hardware", "systems"},
    "results": {"base", "workload", "hardware", "systems"},
    "driver": {"base", "workload", "hardware", "systems", "sweep", "results"},
    "commands": {"base", "workload", "hardware", "systems", "sweep", "results", "driver"},
    "main.cpp": {"base", "sweep", "results", "driver", "commands"},
}

# Library headers that belong to one room.
OWNED = {
    re.compile(r"^(mpi|boost/mpi)\b"): "driver",
    re.compile(r"^(hdf5|H5\w*|netcdf)\b"): "results",
}

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
            # A file right in src/systems (the registry) knows all machines; one machine knows devices, but no other machine.
            if (room == "systems" == parts[0] and len(path.parts) > 2 and len(parts) > 2
                    and parts[1] not in ("devices", path.parts[1])):
                problems.append(f"{where}: system {path.parts[1]} may not include system {parts[1]}: {target}")
    return problems


def self_test():
    files = {
        "base/good.h": '#include <vector>\n#include "base/other.h"\n',
        "systems/registry.cpp": '#include "systems/a/a.h"\n',
        "systems/a/a.cpp": '#include "systems/a/a.h"\n#include "systems/system.h"\n#include "hardware/part.h"\n',
        "driver/good.cpp": '#include <mpi.h>\n#include "sweep/plan.h"\n',
        "results/good.cpp": "#include <hdf5.h>\n",
    }
    violations = {
        "base/up.h": '#include "workload/graph.h"\n',
        "hardware/up.cpp": '\n  #  include "systems/system.h"\n',
        "sweep/sideways.cpp": '#include "results/journal.h"\n',
        "results/sideways.cpp": '#include "sweep/plan.h"\n',
        "systems/a/other.cpp": '#include "systems/b/b.h"\n',
        "results/mpi.cpp": "#include <mpi.h>\n",
        "driver/hdf5.cpp": "#include <hdf5.h>\n",
        "sweep/relative.cpp": '#include "../base/error.h"\n',
        "attic/old.cpp": "\n",
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


def main():
    if sys.argv[1] == "--self-test":
        self_test()
        return
    src = pathlib.Path(sys.argv[1])
    problems = problems_in(src)
    for problem in problems:
        print(problem)
    files = sum(1 for file in src.rglob("*.cpp"))
    print(f"{files} sources, {len(problems)} problems")
    sys.exit(1 if problems or files == 0 else 0)


if __name__ == "__main__":
    main()
