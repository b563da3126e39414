"""What the commands print: aligned text, CSV and JSON, laid out as the program lays out its own tables."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
import sys
from collections.abc import Sequence

from .. import output

GAP = "  "
# The path that stands for the standard output.
STANDARD_OUTPUT = "-"
JSON_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
Rows = Sequence[Sequence[str]]


class Unwritable(RuntimeError):
    """An output cannot be written, as on a full disk."""


def aligned(head: Sequence[str], rows: Rows) -> str:
    """Columns with two blanks between them, a line for each row."""
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "".join(GAP.join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip(" ") + "\n" for line in lines)


def csv_text(head: Sequence[str], rows: Rows) -> str:
    """RFC 4180, lines ended by \\n."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    return text.getvalue()


def _json_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _json_number(cell: str) -> str:
    """A cell of a column of numbers. Some such columns have texts too."""
    if cell in ("", "nan", "-nan", "inf", "-inf"):
        return "null"
    return cell if JSON_NUMBER.fullmatch(cell) else _json_text(cell)


@dataclasses.dataclass
class Output:
    """Where a command writes: text for people, unless `--json` or CSV on the standard output take its place."""

    csv: str = ""
    """file for CSV, "-" for the standard output, empty for none"""
    json: bool = False
    inputs: Sequence[str] = ()
    """files that are never replaced"""
    force: bool = False
    """whether files of other columns are replaced"""
    _csv: str = ""
    _objects: list[str] = dataclasses.field(default_factory=list)

    @property
    def has_text(self) -> bool:
        return not self.json and self.csv != STANDARD_OUTPUT

    def add(self, head: Sequence[str], rows: Rows, numbers: Sequence[str]) -> None:
        """Adds a table whose columns `numbers` have numbers, and texts in all others."""
        self._csv += csv_text(head, rows)
        self._objects += ["{" + ", ".join(f"{_json_text(name)}: {_json_number(cell) if name in numbers else _json_text(cell)}"
                                          for name, cell in zip(head, row)) + "}" for row in rows]

    def write(self) -> None:
        """Writes all tables: CSV one after another, JSON as one list of rows."""
        if self.csv:
            self.write_csv(self.csv, self._csv)
        if self.json:
            text = "\n " + ",\n ".join(self._objects) + "\n" if self._objects else ""
            sys.stdout.write(f"[{text}]\n")

    def write_csv(self, path: str, text: str) -> None:
        """Writes CSV to a file, or to the standard output."""
        if path == STANDARD_OUTPUT:
            sys.stdout.write(text)
            return
        try:
            with output.written(path, self.inputs, text.partition("\n")[0].encode(), self.force) as file:
                file.write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise Unwritable(f"cannot write '{path}': {error.strerror}") from None
