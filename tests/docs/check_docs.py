#!/usr/bin/env python3
"""Runs every command, checks every experiment and executes every Python snippet of README.md and docs/**/*.md.

Usage: check_docs.py SOURCE_DIR BUILD_DIR. Works in a scratch copy of the tracked files, page by page and block by block
in the order a reader would follow. Fenced blocks are distinguished by their language: sh, toml (an experiment if it has a
study), python. A block with a path behind its language is a new file, which is written there. Blocks that are indented or
have no language are not commands.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

# Whole-machine scripts: running them from here would never end. Each is run by what stands beside it.
COVERED_ELSEWHERE = {
    "scripts/setup.sh": "scripts/test.sh calls it",
    "scripts/build.sh": "scripts/test.sh calls it",
    "scripts/test.sh": "it is what runs this test",
    "scripts/run.sh": "CTest entry run_script",
    "scripts/reproduce.sh": "run by hand: two minutes; CTest entries report_*, figures_pimflow, fidelity_pages, page",
    "scripts/lint.sh": "scripts/test.sh calls it",
}


def blocks(page):
    """(line number, language, path of a new file or "", text) of each fenced block."""
    text = page.read_text()
    for match in re.finditer(r"^```(\w+)(?: (\S+))?\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield text[: match.start()].count("\n") + 1, match.group(1), match.group(2) or "", match.group(3)


def commands(block):
    """Lines of a shell block without comments; a trailing backslash continues a line."""
    for line in block.replace("\\\n", " ").splitlines():
        line = line.split(" #")[0].strip()
        if line and not line.startswith("#"):
            yield line


def main():
    source, build = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="pimsweep-docs-"))
    tracked = subprocess.run(["git", "-C", source, "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, tracked):
        if not (source / name).is_file() and not (source / name).is_symlink():
            continue
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / name, scratch / name, follow_symlinks=False)
    (scratch / "build").mkdir()
    (scratch / "build" / "release").symlink_to(build)
    environment = dict(os.environ, HOME=str(scratch), PATH=f"{build}:{os.environ['PATH']}", MPLBACKEND="Agg",
                       PIMSWEEP_CONFIGS=str(scratch / "configs"),
                       PYTHONPATH=str(scratch / "python"))

    failures = []
    seconds = []

    def run(where, command, **options):
        begin = time.monotonic()
        done = subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True, timeout=240, **options)
        seconds.append((time.monotonic() - begin, f"{where}: {command}"))
        if done.returncode != 0:
            failures.append(f"{where}: exit status {done.returncode} from {command}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")

    for page in [scratch / "README.md", *sorted((scratch / "docs").rglob("*.md"))]:
        for line, language, path, text in blocks(page):
            where = f"{page.relative_to(scratch)}:{line}"
            if path:
                if (scratch / path).exists():
                    failures.append(f"{where}: {path} is there already")
                # Blocks that must be compiled are for the tests policy_tutorial and system_tutorial.
                if language != "cpp":
                    (scratch / path).write_text(text)
            elif language == "sh":
                for command in commands(text):
                    if COVERED_ELSEWHERE.keys().isdisjoint(command.split()):
                        run(where, command, shell=True, executable="/bin/bash")
            elif language == "toml" and "[[study]]" in text:
                snippet = scratch / "experiments" / f"snippet-{line}.toml"
                snippet.write_text(text)
                run(where, ["pimsweep", "check", str(snippet)])
            elif language == "python":
                run(where, ["/usr/bin/python3", "-c", text])
    shutil.rmtree(scratch)
    print(f"{len(seconds)} commands, experiments and snippets, {len(failures)} failed; the slowest:")
    for taken, what in sorted(seconds, reverse=True)[:10]:
        print(f"{taken:6.1f} s  {what[:150]}")
    for failure in failures:
        print(failure)
    sys.exit(1 if failures or not seconds else 0)


if __name__ == "__main__":
    main()
