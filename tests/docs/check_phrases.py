#!/usr/bin/env python3
"""Counts giveaway phrases in tracked code, docs and configurations by folder: check_phrases.py ROOT [FOLDER] [--update].

phrases.txt holds the phrases, phrases_allowed.txt the exceptions, phrases_ceilings.txt the number that each folder may
have. A number above the ceiling is an error, and so is a ceiling above the number: --update lowers it, but never raises
one. With FOLDER, prints each phrase in that folder with its place. Published and measured numbers (CSV) and the words
of their sources are not read.
"""

import argparse
import bisect
import fnmatch
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SUFFIXES = {".h", ".cpp", ".in", ".py", ".js", ".html", ".css", ".sh", ".cmake", ".toml", ".md", ".txt"}
# Pages written from the schemas and from results, whose words are checked where they come from; and the lists themselves.
LEFT_OUT = ("docs/fidelity*", "docs/reference/*", "tests/fuzz/corpus/*", "tests/docs/phrases*", "tests/docs/test_phrases.py",
            "results/recorded/*")
SEPARATOR = " => "


def entries(path, parts):
    """The lines of a list, cut into their parts."""
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        entry = line.split(SEPARATOR)
        if len(entry) != parts or not all(entry):
            raise SystemExit(f"{path.name}:{number}: expected {parts} parts with '{SEPARATOR.strip()}' between them")
        found.append(entry)
    return found


def read_phrases(path=HERE / "phrases.txt"):
    return [(re.compile(pattern, re.MULTILINE), advice) for pattern, advice in entries(path, 2)]


def read_ceilings(path=HERE / "phrases_ceilings.txt"):
    return {folder: int(count) for folder, count in entries(path, 2)}


def folder_of(name):
    """The folder that a file is counted in: two levels for src and tests, three for a system or a part of hardware."""
    folders = pathlib.PurePosixPath(name).parts[:-1]
    depth = 3 if folders[:2] in {("src", "systems"), ("src", "hardware")} else 2 if folders[:1] in {("src",), ("tests",)} else 1
    return "/".join(folders[:depth]) or "."


def tracked(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        is_read = pathlib.PurePath(name).suffix in SUFFIXES and (root / name).is_file()
        if is_read and not any(fnmatch.fnmatch(name, pattern) for pattern in LEFT_OUT):
            yield name


def is_allowed(name, line, allowed):
    return any(fnmatch.fnmatch(name, pattern) and part in line for pattern, part, _ in allowed)


def places_in(name, text, phrases, allowed):
    """'file:line:column: phrase => advice' for each phrase that is not allowed."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    found = []
    for pattern, advice in phrases:
        for match in pattern.finditer(text):
            at = match.end() - 1  # the pattern may begin with line breaks
            row = bisect.bisect_right(starts, at) - 1
            end = text.find("\n", at)
            if not is_allowed(name, text[starts[row]:end if end >= 0 else None], allowed):
                found.append(f"{name}:{row + 1}:{at - starts[row] + 1}: '{match[0].strip()}'{SEPARATOR}{advice}")
    return found


def problems_of(counts, ceilings):
    problems = []
    for folder in sorted(counts.keys() | ceilings.keys()):
        count, ceiling = counts.get(folder, 0), ceilings.get(folder, 0)
        if count > ceiling:
            problems.append(f"{folder}: {count} phrases, at most {ceiling} allowed: check_phrases.py ROOT {folder} lists them")
        elif count < ceiling:
            problems.append(f"{folder}: {count} phrases, fewer than its ceiling of {ceiling}: check_phrases.py ROOT --update")
    return problems


def lowered(ceilings, counts):
    return {folder: count for folder, ceiling in sorted(ceilings.items()) if (count := min(ceiling, counts.get(folder, 0)))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("folder", nargs="?", help="list the phrases of this folder")
    parser.add_argument("--update", action="store_true", help="lower ceilings to the present numbers")
    options = parser.parse_args()
    root = options.root.resolve()
    phrases, allowed = read_phrases(), entries(HERE / "phrases_allowed.txt", 3)
    counts, files = {}, 0
    for name in tracked(root):
        files += 1
        found = places_in(name, (root / name).read_text(), phrases, allowed)
        counts[folder_of(name)] = counts.get(folder_of(name), 0) + len(found)
        if options.folder and pathlib.PurePath(name).is_relative_to(options.folder):
            print("\n".join(found), end="\n" if found else "")
    if options.update:
        path = HERE / "phrases_ceilings.txt"
        comments = [line for line in path.read_text().splitlines() if line.startswith("#")]
        lines = [f"{folder}{SEPARATOR}{count}" for folder, count in lowered(read_ceilings(path), counts).items()]
        path.write_text("\n".join([*comments, *lines]) + "\n")
    problems = problems_of(counts, read_ceilings())
    print("\n".join([*problems, f"{files} files, {sum(counts.values())} phrases, {len(problems)} problems"]))
    return 1 if problems or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
