"""Mistakes in the files and options that an analysis reads, with their places and the nearest valid names."""

from __future__ import annotations

from collections.abc import Iterable

from ..experiment import InputError, Problem


def bad_input(message: str, file: str = "", line: int = 0, column: int = 0) -> InputError:
    """An error with one problem."""
    return InputError([Problem(message, file, line, column)])


def raise_if_any(problems: Iterable[Problem]) -> None:
    """Raises one InputError with all problems in the order of the files, each listed once."""
    if found := sorted(dict.fromkeys(problems), key=lambda problem: (problem.file, problem.line, problem.column)):
        raise InputError(found)


def _edit_distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (letter != other))
    return row[-1]


def suggestion(name: str, candidates: Iterable[str]) -> str:
    """ " (did you mean 'X'?)" for the candidate with the smallest edit distance; if none is near, for the shortest one
    of which the name is a part; else empty."""
    known = list(candidates)
    limit = max(2, len(name) // 3)
    near = [(distance, place) for place, one in enumerate(known)
            if abs(len(one) - len(name)) <= limit and (distance := _edit_distance(name, one)) <= limit]
    if near:
        return f" (did you mean '{known[min(near)[1]]}'?)"
    whole = [one for one in known if len(name) >= 4 and name in one]
    return f" (did you mean '{min(whole, key=len)}'?)" if whole else ""
