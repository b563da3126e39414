#!/usr/bin/env python3
"""Prints the steps of an image's or a package's recipe as a bash script, for machines without the recipe's own tool.

    steps.py Dockerfile|pimsweep.def|spack/package.py

The script runs in the root of a bare Debian 12 that has the source folder at /source (scripts/check_recipes.sh). It ends with
what the image runs, with the script's arguments.
"""

import json
import pathlib
import shlex
import sys
import types

HERE = pathlib.Path(__file__).resolve().parent
# Debian's packages for what the Spack recipe depends on.
DEBIAN = {"c": "gcc", "cxx": "g++", "cmake": "cmake", "pkgconfig": "pkg-config", "mpi": "libopenmpi-dev openmpi-bin",
          "hdf5": "libhdf5-dev", "boost": "libboost-dev libboost-graph-dev", "cli11": "libcli11-dev",
          "tomlplusplus": "libtomlplusplus-dev", "nlohmann-json": "nlohmann-json3-dev", "fmt": "libfmt-dev",
          "xxhash": "libxxhash-dev", "cbc": "coinor-libcbc-dev", "muparser": "libmuparser-dev", "nlopt": "libnlopt-dev",
          "onnx": "libonnx-dev", "protobuf": "libprotobuf-dev", "zlib-api": "zlib1g-dev", "python": "python3", "py-numpy": "python3-numpy", "py-pandas": "python3-pandas",
          "py-xarray": "python3-xarray", "py-h5py": "python3-h5py"}


def copy(sources, target):
    yield f"mkdir -p {target if target.endswith('/') else pathlib.PurePath(target).parent}"
    # Patterns are expanded by the shell.
    yield f"cp {' '.join('/source/' + source for source in sources)} {target}"


def docker_steps(text):
    for line in text.replace("\\\n", " ").splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "COPY":
            *sources, target = rest.split()
            yield from copy(sources, target)
        elif word == "RUN":
            yield f"({rest})"
        elif word == "ENV":
            yield f"export {rest}"
        elif word == "WORKDIR":
            yield f"mkdir -p {rest} && cd {rest}"
        elif word == "ENTRYPOINT":
            yield f"{shlex.join(json.loads(rest))} \"$@\""
        elif word not in ("", "#", "FROM"):
            sys.exit(f"steps.py: Dockerfile: no step is known for {word}")


def apptainer_steps(text):
    sections, lines = {}, []
    for line in text.splitlines():
        if line.startswith("%"):
            lines = sections[line.strip()] = []
        elif line.strip():
            lines.append(line.strip())
    for line in sections.pop("%files"):
        source, target = line.split()
        yield from copy([source], target)
    for name, end in (("%post", ")"), ("%environment", None), ("%runscript", None)):
        body = sections.pop(name)
        yield from ["(", *body, end] if end else body
    if sections:
        sys.exit(f"steps.py: pimsweep.def: no step is known for {', '.join(sections)}")


def spack_steps(text):
    """The phases of a CMakePackage: configure, build, install."""
    needed = []
    directives = types.ModuleType("spack.package")
    directives.CMakePackage = object
    directives.depends_on = lambda spec, **_: needed.append(spec.partition("@")[0].partition("~")[0].strip())
    for name in ("license", "version", "conflicts"):
        setattr(directives, name, lambda *_, **__: None)
    sys.modules |= {"spack": types.ModuleType("spack"), "spack.package": directives}
    recipe = {}
    exec(compile(text, "package.py", "exec"), recipe)
    yield "apt-get update -qq"
    yield ("DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends make "
           + " ".join(DEBIAN[name] for name in needed))
    arguments = shlex.join(recipe["Pimsweep"]().cmake_args())
    yield f"cmake -S /source -B /build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/opt/pimsweep {arguments}"
    yield "[[ -n \"${PIMSWEEP_CONFIGURE_ONLY:-}\" ]] && exit"
    yield "cmake --build /build --parallel \"$(nproc)\""
    yield "cmake --install /build"
    yield "export PYTHONPATH=/opt/pimsweep/lib/python3/dist-packages"
    yield "/opt/pimsweep/bin/pimsweep \"$@\""


STEPS = {"Dockerfile": docker_steps, "pimsweep.def": apptainer_steps, "spack/package.py": spack_steps}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in STEPS:
        sys.exit(__doc__)
    print("set -e")
    for step in STEPS[sys.argv[1]]((HERE / sys.argv[1]).read_text()):
        print(step)


if __name__ == "__main__":
    main()
