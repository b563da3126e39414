#!/usr/bin/env python3
"""Finds British spellings in tracked files: check_spelling.py ROOT [--fix].

british.txt has the words. Published and measured numbers (CSV) keep the words of their source. --fix writes the
American words (files are yours to rename).
"""

import argparse
import pathlib
import re
import subprocess
import sys

WORDS = pathlib.Path(__file__).with_name("british.txt")
# American words that hold one of the list.
FINE = "fulfill|programm(?:ed|er)"
# Files that quote old names.
OLD_NAMES = ("CHANGELOG.md",)
# Besides, pages written from published numbers and their words.
LEFT_OUT = ("docs/fidelity", "tests/fuzz/corpus", *OLD_NAMES)
# Names of others: a job state of Slurm, a color map of matplotlib.
KEPT = ('"CANCELLED"', '"Greys"')


def read_words(text):
    """{British: American}."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return dict(line.rsplit(" ", 1) for line in lines)


def pattern_of(words, kept=()):
    """Finds words of the list as group 1, and as a whole what is to stay."""
    # Pictures in notebooks are in base64.
    stays = [FINE, "[A-Za-z0-9+/]{200,}", *map(re.escape, kept)]
    forms = [form_of(word) for word in sorted(words, key=len, reverse=True)]
    return re.compile(f"(?:{'|'.join(stays)})|({'|'.join(forms)})", re.IGNORECASE)


def form_of(word):
    if " " in word:
        return rf"\b{word}\b"
    return word[:-1] + "(?:e|ing|ation|able)" if word.endswith("ise") else word


def american(found, words):
    """What should stand in place of a British word, in its case."""
    small = found.lower()
    if small in words:
        better = words[small]
    else:
        verb = next(word for word in words if word.endswith("ise") and small.startswith(word[:-1]))
        better = words[verb][:-1] + small[len(verb) - 1:]
    return better.upper() if found.isupper() else better.capitalize() if found[0].isupper() else better


def problems_in(name, text, words, pattern):
    """A line for each British word: file, line, column, the word and the American one. Line 0 is the file's name."""
    found = [f"{name}:0:0: {match[1]}: {american(match[1], words)}" for match in pattern.finditer(name) if match[1]]
    for number, line in enumerate(text.splitlines(), 1):
        for match in pattern.finditer(line):
            if match[1]:
                found.append(f"{name}:{number}:{match.start() + 1}: {match[1]}: {american(match[1], words)}")
    return found


def fixed(text, words, pattern):
    return pattern.sub(lambda match: american(match[1], words) if match[1] else match[0], text)


def tracked(root):
    """(name, path) of each tracked text file that is to be read."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        path = root / name
        left_out = any(pathlib.PurePath(name).is_relative_to(folder) for folder in LEFT_OUT)
        if path.is_file() and path.suffix != ".csv" and path.resolve() != WORDS and not left_out:
            if b"\0" not in path.read_bytes():
                yield name, path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--fix", action="store_true", help="put the American words in place")
    options = parser.parse_args()
    words = read_words(WORDS.read_text())
    pattern = pattern_of(words, KEPT)
    problems, files = [], 0
    for name, path in tracked(options.root.resolve()):
        files += 1
        text = path.read_text()
        found = problems_in(name, text, words, pattern)
        if found and options.fix:
            path.write_text(fixed(text, words, pattern))
        problems += found
    for problem in problems:
        print(problem)
    print(f"{files} files, {len(problems)} British spellings{' corrected' if options.fix else ''}")
    return 1 if files == 0 or problems and not options.fix else 0


if __name__ == "__main__":
    sys.exit(main())
