"""The table of names that changed between two versions of the program, and of differences that have a reason.

A CSV file with the columns kind, system, old, new, reason:

| kind | old | new |
|---|---|---|
| study | experiment/study | experiment/study; several old ones may have become one |
| axis, metric | column of a study | column |
| table | detail table | detail table |
| column | column of a detail table, or table/column where only one table is meant | column |
| value | column=text, or table/column=text | text that says the same |
| system | name of a system | name |
| exception | pattern with * and ? for experiment/study, experiment/study[/table]/column | empty |

`system` is the old name of the system that a row is for, or *. Where `new` is empty, what was old has gone on purpose.
An exception and whatever has gone need a reason. All names in exceptions are old ones.
"""

import csv
import fnmatch
from dataclasses import dataclass

FIELDS = ["kind", "system", "old", "new", "reason"]
KINDS = ("axis", "metric", "column", "table", "study", "system", "value", "exception")


class NamesError(Exception):
    """A mistake in the table, with its place."""


@dataclass
class Row:
    kind: str
    system: str
    old: str
    new: str
    reason: str
    line: int
    used: bool = False


class Names:
    def __init__(self, path=None):
        self.rows = read_rows(path) if path else []

    def _find(self, kinds, system, olds):
        """The row for the first of `olds` that has one; one for this system comes before one for all."""
        for old in olds:
            for wanted in (system, "*"):
                for row in self.rows:
                    if row.kind in kinds and row.system == wanted and row.old == old:
                        row.used = True
                        return row
        return None

    def study(self, path):
        """New experiment/study of an old one; empty if it has gone."""
        row = self._find(("study",), "*", [path])
        return row.new if row else path

    def system(self, system):
        row = self._find(("system",), "*", [system])
        return row.new if row else system

    def table(self, system, table):
        row = self._find(("table",), system, [table])
        return row.new if row else table

    def column(self, system, table, column):
        """New name of a column of a study (`table` is empty) or of a detail table; empty if it has gone."""
        if table:
            row = self._find(("column",), system, [f"{table}/{column}", column])
            return row.new if row else column
        row = self._find(("axis", "metric"), system, [column])
        if row:
            return row.new
        for prefix in ("reference_", "label_"):
            if column.startswith(prefix):
                row = self._find(("axis", "metric"), system, [column.removeprefix(prefix)])
                if row:
                    return prefix + row.new
        return column

    def values(self, system, table, column):
        """{old text: new text} of a column."""
        found = {}
        for row in self.rows:
            name, _, text = row.old.partition("=")
            if row.kind == "value" and row.system in (system, "*") and name in (column, f"{table}/{column}"):
                row.used = True
                found[text] = row.new
        return found

    def reason(self, system, path):
        """Why there may be a difference at a path of old names; empty if it is unexplained."""
        for row in self.rows:
            if row.kind == "exception" and row.system in (system, "*") and fnmatch.fnmatchcase(path, row.old):
                row.used = True
                return row.reason
        return ""

    def reason_gone(self, kinds, system, olds):
        row = self._find(kinds, system, olds)
        return row.reason if row and not row.new else ""

    def unused(self):
        return [row for row in self.rows if not row.used]


def read_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != FIELDS:
            raise NamesError(f"{path}:1: the columns are {', '.join(FIELDS)}, not {', '.join(reader.fieldnames or [])}")
        rows = [Row(*(record[field] or "" for field in FIELDS), reader.line_num) for record in reader]
    problems, seen = [], set()
    for row in rows:
        problem = problem_of(row)
        if (row.kind, row.system, row.old) in seen:
            problem = f"'{row.old}' of kind {row.kind} stands here twice"
        seen.add((row.kind, row.system, row.old))
        if problem:
            problems.append(f"{path}:{row.line}: {problem}")
    if problems:
        raise NamesError("\n".join(problems))
    return rows


def problem_of(row):
    if row.kind not in KINDS:
        return f"no kind '{row.kind}'; there are {', '.join(KINDS)}"
    if not row.old:
        return "the column old is empty"
    if not row.system:
        return "the column system is empty; * stands for all"
    if row.kind == "study" and any(name.count("/") != 1 for name in (row.old, row.new) if name):
        return "a study is named experiment/study"
    if row.kind == "value" and "=" not in row.old:
        return "an old value is named column=text"
    if row.kind == "exception" and row.new:
        return "an exception has no new name"
    if not row.new and row.kind != "value" and not row.reason:
        return "what has gone, and an exception, needs a reason"
    return ""
