"""The program with other sources in place of some of its own: compiled with the build's commands, linked before its
libraries, so that none of the build is compiled again."""

import json
import re
import shlex
import subprocess
import sys


def compile_command(build, source):
    """What compiles one source of the build, without its own name and output."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"] == str(source):
            words = shlex.split(entry["command"])
            return words[: words.index("-o")]
    sys.exit(f"{source} is not compiled by itself: a unity build has to leave it out")


def link_command(build, objects, program):
    """What links pimsweep, with `objects` before its libraries, as another program."""
    command = subprocess.run(["ninja", "-C", build, "-t", "commands", "pimsweep"], check=True, capture_output=True,
                             text=True).stdout.splitlines()[-1]
    words = shlex.split(re.search(r"&& (.* -o pimsweep\b.*?) && ", command).group(1))
    words[words.index("-o") + 1] = str(program)
    first_library = next(i for i, word in enumerate(words) if word.endswith(".a"))
    return words[:first_library] + objects + words[first_library:]


def compile_source(build, like, source, include=None):
    """The object of `source`, compiled as `like` of the build is; `include` is searched before the build's folders."""
    words = compile_command(build, like)
    if include:
        first = next(i for i, word in enumerate(words) if word.startswith("-I"))
        words.insert(first, f"-I{include}")
    output = str(source.with_suffix(".o"))
    subprocess.run([*words, "-o", output, "-c", source], cwd=build, check=True)
    return output


def link_program(build, objects, program):
    subprocess.run(link_command(build, objects, program), cwd=build, check=True)
    return program
