"""Published values and the checks that recompute them: results/published/PAPER.csv and PAPER.toml."""

from __future__ import annotations

import ast
import dataclasses
import math
import operator
import os.path
import pathlib
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import quantity
from ..experiment import InputError, Problem
from .problems import bad_input, raise_if_any, suggestion

# How a published value is meant, by the words of the column `kind`.
KINDS = {"exact": "value", "average": "value", "max": "value", "largest": "value", "smallest": "value", "range": "range",
         "bound": "upper bound", "min": "lower bound", "ordering": "order"}
SIGNS = {"upper bound": "<=", "lower bound": ">="}
REDUCTIONS = ("only", "mean", "geomean", "median", "min", "max", "sum", "argmax", "argmin", "range", "all", "most")
PAIR_CLAIMS = ("at_least", "at_most", "above", "below")
NEIGHBOR_CLAIMS = ("increasing", "decreasing")
ROLES = ("validation", "artifact", "reading", "calibrated", "definition")
NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
CELL = re.compile(r'"(?:[^"]|"")*"|[^,\r\n]*')


def number_in(text: str) -> float | None:
    """The finite number that a text is, if it is one."""
    number = float(text) if NUMBER.fullmatch(text) else math.inf
    return number if math.isfinite(number) else None


@dataclasses.dataclass(frozen=True)
class Place:
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def problem(self, message: str) -> Problem:
        return Problem(message, self.file, self.line, self.column)


@dataclasses.dataclass(frozen=True)
class PublishedValue:
    """A number (or text, or claim of an order) that a paper prints: a row of PAPER.csv."""

    id: str
    paper: str
    where: str
    kind: str
    """one of the values of KINDS"""
    value: str
    """as printed: a number or a text such as "4x2"; empty for an order"""
    value_hi: str
    unit: str

    @property
    def sign(self) -> str:
        """The sign before a published bound."""
        return SIGNS.get(self.kind, "")

    @property
    def text(self) -> str:
        """As printed, with the sign of a bound or both ends of a range, without the unit: ">= 3", "1.1 .. 4.9"."""
        return f"{self.sign} {self.value}".strip() + (f" .. {self.value_hi}" if self.value_hi else "")


# Columns and their allowed values.
Selection = Mapping[str, Sequence[str]]


@dataclasses.dataclass(frozen=True)
class Reading:
    """A choice where a paper leaves something open, made with the published results in sight: a [[reading]].

    alternatives: how many were tried. studies: by study, the one in which the choice is made; the report has a second
    line for each check of the former, recomputed from the latter, with this role. system: that of the latter studies,
    if it is not that of the check. select: columns whose values replace those that a check selects. roles: by id, another
    role of a value under this reading, such as `calibrated` where a constant of the reading was fitted to it.
    """

    name: str = ""
    doc: str = ""
    alternatives: int = 0
    studies: Mapping[str, str] = dataclasses.field(default_factory=dict)
    select: Selection = dataclasses.field(default_factory=dict)
    system: str = ""
    role: str = "reading"
    roles: Mapping[str, str] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Query:
    """How a published value is recomputed from a results file: a [[check]] (docs/results-format.md, "Report")."""

    id: str = ""
    system: str = ""
    study: str = ""
    table: str = ""
    metric: str = ""
    select: Selection = dataclasses.field(default_factory=dict)
    over: Selection = dataclasses.field(default_factory=dict)
    by: str = ""
    of: Sequence[str] = ()
    formula: str = ""
    numbers: Mapping[str, float] = dataclasses.field(default_factory=dict)
    """measured values, by their names in the formula"""
    pair: Sequence[str] = ()
    reduce: str = "only"
    claim: str = ""
    along: str = ""
    together: Sequence[str] = ()
    role: str = "validation"
    reading: str = ""
    inconsistent: str = ""
    """why the paper contradicts itself here, which `arithmetic` or `proof` shows"""
    arithmetic: str = ""
    """what the value would have to be by other printed numbers, in its published unit"""
    printed: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """ids of these numbers, by their names in the arithmetic"""
    implied: float | None = None
    """the number that the arithmetic gives"""
    proof: Query | None = None
    """a ratio above 1 where the paper's own equations contradict the value"""
    note: str = ""
    where: Place = Place("", 0, 0)


@dataclasses.dataclass(frozen=True)
class PublishedSet:
    """The published values of one paper, and the queries and readings for them."""

    paper: str
    values: Sequence[PublishedValue]
    queries: Mapping[str, Query]
    """by the id of the value"""
    readings: Sequence[Reading] = ()


def _calls() -> dict[str, Callable[..., float]]:
    names = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh",
             "ln": "log", "abs": "fabs"}
    same = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "log2", "log10", "exp", "sqrt", "sign", "rint")
    found: dict[str, Callable[..., float]] = {name: getattr(np, names.get(name, name)) for name in (*same, *names)}
    return found | {"log": np.log, "min": lambda *x: min(x), "max": lambda *x: max(x), "sum": lambda *x: sum(x),
                    "avg": lambda *x: sum(x) / len(x)}


CALLS = _calls()
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow,
    ast.USub: operator.neg, ast.UAdd: operator.pos}


def evaluate(formula: str, numbers: Mapping[str, float]) -> float:
    """The value of arithmetic such as "gpu / (4096 * value)", with `^` for powers. ValueError: it is not arithmetic, or it
    names something else than `numbers`."""
    def of(node: ast.AST) -> Any:
        if isinstance(node, ast.Expression):
            return of(node.body)
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return np.float64(node.value)
        if isinstance(node, ast.Name):
            if node.id not in numbers:
                raise ValueError(f"unknown name '{node.id}'{suggestion(node.id, sorted(numbers))}")
            return np.float64(numbers[node.id])
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](of(node.left), of(node.right))
        if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](of(node.operand))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args and not node.keywords:
            if node.func.id not in CALLS:
                raise ValueError(f"unknown function '{node.func.id}'{suggestion(node.func.id, sorted(CALLS))}")
            return CALLS[node.func.id](*map(of, node.args))
        raise ValueError("not arithmetic")

    try:
        with np.errstate(all="ignore"):
            return float(of(ast.parse(formula.strip().replace("^", "**"), mode="eval")))
    except SyntaxError as error:
        raise ValueError(f"formula '{formula}': {error.msg} at position {error.offset}") from None
    except (ValueError, TypeError, RecursionError, MemoryError) as error:
        raise ValueError(f"formula '{formula}': {error}") from None


# A cell of a CSV file and its place.
Cell = tuple[str, Place]


def read_cells(path: pathlib.Path) -> tuple[list[str], list[dict[str, Cell]]]:
    """The header of a CSV file, and each row by the names of the header. InputError: rows of another length."""
    lines: list[list[Cell]] = []
    text = path.read_text(encoding="utf-8-sig")
    at, line, start = 0, 1, 0
    row: list[Cell] = []
    while at < len(text):
        found = CELL.match(text, at)
        assert found
        cell, place = found[0], Place(str(path), line, at - start + 1)
        row.append((cell[1:-1].replace('""', '"') if cell.startswith('"') else cell, place))
        if breaks := cell.count("\n"):
            line, start = line + breaks, at + cell.rindex("\n") + 1
        at = found.end()
        if text[at:at + 1] == ",":
            at += 1
            if at < len(text):
                continue
            row.append(("", Place(str(path), line, at - start + 1)))
        elif at < len(text) and text[at] not in "\r\n":
            raise bad_input("text after a closing quote; a quote within a cell is written twice", str(path), line, at - start + 1)
        at += 2 if text.startswith("\r\n", at) else 1
        line, start = line + 1, at
        if len(row) > 1 or row[0][0]:
            lines.append(row)
        row = []
    if not lines:
        raise bad_input("the table is empty: a header line with column names is missing", str(path))
    head = [cell for cell, _ in lines[0]]
    raise_if_any(one[0][1].problem(f"this row has {len(one)} cells, the header has {len(head)}")
                 for one in lines[1:] if len(one) != len(head))
    return head, [dict(zip(head, one)) for one in lines[1:]]


def _values(path: pathlib.Path, problems: list[Problem]) -> list[PublishedValue]:
    head, rows = read_cells(path)
    fields = ("id", "paper", "where", "kind", "value", "value_hi", "unit")
    for name in fields:
        if name not in head:
            raise bad_input(f"there is no column '{name}'", str(path), 1, 1)
    values = []
    for row in rows:
        cells = {name: row[name][0] for name in fields}
        kind, place = row["kind"]
        if kind not in KINDS:
            problems.append(place.problem(f"kind = \"{kind}\" is none of {', '.join(KINDS)}{suggestion(kind, KINDS)}"))
        cells["kind"] = KINDS.get(kind, "value")
        # Bounds and ranges are numbers; a value may be a text such as "4x2".
        for name in ("value", "value_hi") if cells["kind"] not in ("value", "order") else ():
            if number_in(cells[name]) is None and (name == "value" or cells[name]):
                problems.append(row[name][1].problem(f"expected a finite number, got '{cells[name]}'"))
        values.append(PublishedValue(**cells))
    return values


def _measured(path: pathlib.Path) -> Callable[[Mapping[str, str]], float]:
    """Looks up the value, in SI units, of the rows of a CSV file that have given texts in given columns. ValueError: a
    column is unknown, there is no such row, or there are several with different values."""
    head, rows = read_cells(path)

    def known(name: str) -> str:
        if name not in head:
            raise ValueError(f"{path}: there is no column '{name}'{suggestion(name, head)}")
        return name

    for name in ("value", "unit"):
        known(name)

    def value(wanted: Mapping[str, str]) -> float:
        found = {quantity.in_si(row["value"][0], row["unit"][0]) for row in rows
                 if all(row[known(name)][0] == text for name, text in wanted.items())}
        if len(found) != 1:
            listed = ", ".join(f'{name} = "{text}"' for name, text in wanted.items())
            raise ValueError(f"{path}: {len(found)} different values with {listed}, expected one")
        return found.pop()

    return value


def _described(node: object) -> str:
    """A value of a TOML file, for messages."""
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "real")):
        if isinstance(node, kind):
            return f"the {name} {_text(node)}"
    if isinstance(node, str):
        return f"the text '{node}'"
    if isinstance(node, list):
        return "a list"
    return "a table" if isinstance(node, dict) else "a date or time"


def _text(node: object) -> str:
    if isinstance(node, float):
        return quantity.shortest(node)
    return str(node).lower() if isinstance(node, bool) else str(node)


class _Block:
    """One block of a TOML file, with the places of its keys and values, which tomllib does not tell."""

    def __init__(self, path: pathlib.Path, text: str, start: int, end: int):
        self._path, self._text, self._start, self._end = path, text, start, end

    def _at(self, offset: int) -> Place:
        line_start = self._text.rfind("\n", 0, offset) + 1
        return Place(str(self._path), self._text.count("\n", 0, offset) + 1, offset - line_start + 1)

    @property
    def place(self) -> Place:
        return self._at(self._start)

    def key(self, *path: str, value: bool = False) -> Place:
        """The place of a key of the block, or of a table in it, or of its value."""
        at, found = self._start, None
        for depth, name in enumerate(path):
            before = r"(?m:^\s*)" if depth == 0 else r"[{,\s]"
            found = re.compile(rf"{before}(?P<key>[\"']?{re.escape(name)}[\"']?)\s*=\s*(?P<value>)").search(self._text, at, self._end)
            if found is None:
                return self.place
            at = found.end()
        assert found
        return self._at(found.start("value" if value else "key"))


class _CheckReader:
    """Reads the checks and readings of one PAPER.toml. What is wrong goes to `problems`, all of it."""

    def __init__(self, path: pathlib.Path, paper: str, values: Sequence[PublishedValue], problems: list[Problem]):
        self._path, self._paper, self._problems = path, paper, problems
        self._values = {value.id: value for value in values}
        self._block = _Block(path, "", 0, 0)
        self._rows: dict[str, dict[str, dict[str, str]]] = {}
        self.queries: dict[str, Query] = {}
        self.readings: list[Reading] = []

    def read(self) -> None:
        text = self._path.read_text(encoding="utf-8")
        try:
            root = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            place = re.search(r" \(at line (\d+), column (\d+)\)", str(error))
            line, column = (int(place[1]), int(place[2])) if place else (0, 0)
            raise bad_input(f"not valid TOML: {str(error)[:place.start()] if place else error}",
                            str(self._path), line, column) from None
        headers = [(found[1], found.start()) for found in re.finditer(r"(?m)^\[\[(\w+)\]\]", text)]
        ends = [start for _, start in headers[1:]] + [len(text)]
        blocks = {kind: [_Block(self._path, text, start, end) for (one, start), end in zip(headers, ends) if one == kind]
                  for kind in ("check", "reading")}
        whole = _Block(self._path, text, 0, headers[0][1] if headers else len(text))
        self._block = whole
        measured = None
        for key, node in root.items():
            if key == "measured":
                measured = self._open_measured(node)
            elif key not in blocks:
                self._unknown(key, "a file of checks", ("measured", "check", "reading"))
            elif not isinstance(node, list) or not all(isinstance(item, dict) for item in node):
                self._expected((key,), f"[[{key}]] blocks", node)
            else:
                for item, block in zip(node, blocks[key] or [whole] * len(node)):
                    self._block = block
                    self._read_check(item) if key == "check" else self._read_reading(item)
                self._block = whole
        self._check_readings()
        for query in list(self.queries.values()):
            self._check_others(query)
            self.queries[query.id] = self._with_implied(self._with_numbers(query, measured))

    def _add(self, place: Place, message: str) -> None:
        self._problems.append(place.problem(message))

    def _expected(self, path: tuple[str, ...], what: str, node: object) -> None:
        self._add(self._block.key(*path, value=True), f"'{path[-1]}': expected {what}, got {_described(node)}")

    def _unknown(self, key: str, owner: str, allowed: Sequence[str]) -> None:
        self._add(self._block.key(key), f"unknown key '{key}' in {owner}{suggestion(key, allowed)}; "
                                        f"allowed: {', '.join(allowed)}")

    def _open_measured(self, node: object) -> Callable[[Mapping[str, str]], float] | None:
        if not isinstance(node, str) or not node:
            self._expected(("measured",), "text that is not empty", node)
            return None
        try:
            return _measured(pathlib.Path(os.path.normpath(self._path.parent / node)))
        except (OSError, ValueError) as error:
            self._add(self._block.key("measured", value=True), str(error))
            return None

    def _as_text(self, node: object, *path: str) -> str:
        if not isinstance(node, str):
            self._expected(path, "text", node)
        return node if isinstance(node, str) else ""

    def _as_texts(self, node: object, *path: str) -> tuple[str, ...]:
        if not isinstance(node, list):
            self._expected(path, "a list of texts", node)
            return ()
        return tuple(self._as_text(item, *path) for item in node)

    def _as_word(self, node: object, key: str, what: str, allowed: Sequence[str]) -> str:
        word = self._as_text(node, key)
        if word and word not in allowed:
            self._add(self._block.key(key, value=True),
                      f"there is no {what} '{word}'{suggestion(word, allowed)}; allowed: {', '.join(allowed)}")
        return word if word in allowed else ""

    def _as_cells(self, node: object, *path: str) -> tuple[str, ...]:
        """A value or a list of them. Booleans are 0 and 1 in results files."""
        items = node if isinstance(node, list) else [node]
        for item in items:
            if not isinstance(item, (str, int, float)):
                self._expected(path, "a value or a list of them", item)
        return tuple(_text(int(item) if isinstance(item, bool) else item) for item in items if isinstance(item, (str, int, float)))

    def _as_table(self, node: object, what: str, *path: str) -> dict[str, Any]:
        if not isinstance(node, dict):
            self._expected(path, what, node)
            return {}
        return node

    def _as_selection(self, node: object, key: str) -> Selection:
        return {column: self._as_cells(values, key, column)
                for column, values in self._as_table(node, "a table of columns and values", key).items()}

    def _as_rows(self, node: object) -> dict[str, dict[str, str]]:
        """By the name in the formula: the texts that a row of measured values has in its columns."""
        rows = {}
        for name, row in self._as_table(node, "a table of names and rows", "with").items():
            cells = self._as_table(row, "a table of columns and texts", "with", name)
            rows[name] = {column: found[0] for column, value in cells.items() if (found := self._as_cells(value, "with", name, column))}
        return rows

    def _as_proof(self, node: object, key: str) -> Query:
        """A ratio of rows of a study, without the keys of a published value."""
        table = self._as_table(node, "a table of study, table, metric, select, over and pair", key)
        texts = {name: self._as_text(table.get(name, ""), key, name) for name in ("system", "study", "table", "metric")}
        selections = {name: {column: self._as_cells(cells, key, name, column)
                             for column, cells in self._as_table(table.get(name, {}), "a table of columns and values", key, name).items()}
                      for name in ("select", "over")}
        texts["system"] = texts["system"] or self._paper
        return Query(pair=self._as_texts(table.get("pair", []), key, "pair"), where=self._block.place,
                     **texts, **selections)  # type: ignore[arg-type]

    def _read_check(self, table: Mapping[str, Any]) -> None:
        texts = ("id", "system", "study", "table", "metric", "by", "formula", "along", "reading", "inconsistent", "arithmetic", "note")
        readers: dict[str, Callable[[Any, str], Any]] = {
            **dict.fromkeys(texts, self._as_text), **dict.fromkeys(("select", "over"), self._as_selection),
            **dict.fromkeys(("of", "pair", "together"), self._as_texts),
            "reduce": lambda node, key: self._as_word(node, key, "reduction", REDUCTIONS) or "only",
            "claim": lambda node, key: self._as_word(node, key, "claim", PAIR_CLAIMS + NEIGHBOR_CLAIMS),
            "role": lambda node, key: self._as_word(node, key, "role", ROLES) or "validation",
            "printed": lambda node, key: {name: self._as_text(one, key, name)
                                          for name, one in self._as_table(node, "a table of names and ids", key).items()},
            "proof": lambda node, key: self._as_proof(node, key),
            "with": lambda node, _: self._as_rows(node)}
        given: dict[str, Any] = {}
        for key, node in table.items():
            if key in readers:
                given[key] = readers[key](node, key)
            else:
                self._unknown(key, "a check", [field.name for field in dataclasses.fields(Query)
                                               if field.name not in ("numbers", "implied", "where")] + ["with"])
        rows = given.pop("with", {})
        given.setdefault("system", self._paper)
        query = Query(**given, where=self._block.place)
        self._rows.setdefault(query.id, rows)
        self._check_keys(query)
        self._take(query)

    def _check_keys(self, query: Query) -> None:
        """Words that go with a key that is missing, or that have no use for one that is there."""
        claim = f'claim = "{query.claim}"'
        rules = ((query.reduce in ("argmax", "argmin") and not query.along, f"reduce = \"{query.reduce}\"", "'along'"),
                 (query.claim in NEIGHBOR_CLAIMS and not query.along, claim, "'along'"),
                 (query.claim in PAIR_CLAIMS and not query.over, claim, "'over'"),
                 (query.study and not query.metric, "a check with a study", "'metric'"),
                 (query.of and query.study, "a check of other values", "no 'study'"),
                 (query.role == "reading" and not query.reading, 'role = "reading"', "'reading'"),
                 (query.reading and query.role != "reading", "a check with a reading", "'role = \"reading\"'"),
                 (bool(query.inconsistent) != bool(query.arithmetic or query.proof), "a contradiction",
                  "'inconsistent' and 'arithmetic' or 'proof'"))
        for is_broken, what, key in rules:
            if is_broken:
                self._add(query.where, f"{what} requires {key}")

    def _take(self, query: Query) -> None:
        value = self._values.get(query.id)
        # Both ends of other kinds need not be numbers.
        if query.reduce == "range" and value and not (value.kind == "range" and value.value_hi):
            self._add(query.where, f"reduce = \"range\" requires a published range, which '{query.id}' is not")
        if value is None:
            self._add(query.where, f"'{query.id}' is not a published id{suggestion(query.id, self._values)}")
        elif query.id in self.queries:
            self._add(query.where, f"'{query.id}' has a check already")
        else:
            self.queries[query.id] = query

    def _read_reading(self, table: Mapping[str, Any]) -> None:
        given: dict[str, Any] = {}
        for key, node in table.items():
            if key in ("name", "doc", "system"):
                given[key] = self._as_text(node, key)
            elif key == "studies":
                studies = self._as_table(node, "a table of studies", key)
                given[key] = {nominal: self._as_text(study, key, nominal) for nominal, study in studies.items()}
            elif key == "select":
                given[key] = self._as_selection(node, key)
            elif key == "roles":
                given[key] = self._as_roles(node, key)
            elif key == "role":
                given[key] = self._as_word(node, key, "role", ROLES) or "reading"
            elif key != "alternatives":
                self._unknown(key, "a reading", [field.name for field in dataclasses.fields(Reading)])
            elif isinstance(node, int) and not isinstance(node, bool):
                given[key] = node
            else:
                self._expected((key,), "an integer", node)
        reading = Reading(**given)
        if not reading.name or not reading.doc or reading.alternatives < 1:
            self._add(self._block.place, "a reading requires 'name', 'doc' and 'alternatives', at least 1")
        self.readings.append(reading)

    def _as_roles(self, node: object, key: str) -> dict[str, str]:
        roles = {name: self._as_text(role, key, name) for name, role in self._as_table(node, "a table of ids and roles", key).items()}
        for name, role in roles.items():
            if name not in self._values:
                self._add(self._block.key(key, name), f"'{name}' is not a published id{suggestion(name, self._values)}")
            if role not in ROLES:
                self._add(self._block.key(key, name, value=True), f"there is no role '{role}'{suggestion(role, ROLES)}")
        return roles

    def _check_readings(self) -> None:
        names = [reading.name for reading in self.readings]
        for query in self.queries.values():
            if query.reading and query.reading not in names:
                self._add(query.where, f"there is no [[reading]] '{query.reading}'{suggestion(query.reading, names)}")

    def _check_others(self, query: Query) -> None:
        for name in query.of:
            if name not in self.queries or self.queries[name].of:
                self._add(query.where, f"'{name}' is not a value with a check of its own{suggestion(name, self._values)}")

    def _with_implied(self, query: Query) -> Query:
        """The query with what other printed numbers say of its value."""
        if not query.arithmetic:
            return query
        numbers = {}
        for name, one in query.printed.items():
            number = number_in(self._values[one].value) if one in self._values else None
            if number is None:
                self._add(query.where, f"'{one}' is not a published number{suggestion(one, self._values)}")
                return query
            numbers[name] = number
        try:
            return dataclasses.replace(query, implied=evaluate(query.arithmetic, numbers))
        except ValueError as error:
            self._add(query.where, str(error))
            return query

    def _with_numbers(self, query: Query, measured: Callable[[Mapping[str, str]], float] | None) -> Query:
        """The query with its measured values, which may stand below the checks."""
        rows = self._rows[query.id]
        if rows and measured is None:
            self._add(query.where, "a check with measured values requires the key 'measured' of the file: their CSV file")
            return query
        try:
            numbers = {name: measured(row) for name, row in rows.items()} if measured else {}
            if query.formula:
                evaluate(query.formula, {**numbers, "value": 1.0})
            elif numbers:
                raise ValueError("a check with 'with' requires 'formula'")
        except ValueError as error:
            self._add(query.where, str(error))
            return query
        return dataclasses.replace(query, numbers=numbers)


def read_published(folder: str | pathlib.Path) -> list[PublishedSet]:
    """Every PAPER.csv and PAPER.toml of a folder, by paper. InputError: all their mistakes."""
    paths = sorted(pathlib.Path(folder).glob("*.csv"))
    if not paths:
        raise bad_input(f"there are no published values in '{folder}'")
    problems: list[Problem] = []
    sets = []
    for path in paths:
        try:
            values = _values(path, problems)
            reader = _CheckReader(path.with_suffix(".toml"), path.stem, values, problems)
            if path.with_suffix(".toml").exists():
                reader.read()
        except InputError as error:
            problems += error.problems
            continue
        sets.append(PublishedSet(path.stem, values, reader.queries, reader.readings))
    raise_if_any(problems)
    return sets
