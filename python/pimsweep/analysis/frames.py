"""Studies of results files and their detail tables, read column by column, on the machine of the hardware file or on
one of the sampled machines."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import h5py
import numpy as np
import pandas as pd

from .. import columns, files
from ..columns import DRAW, Values
from ..experiment import Problem
from .problems import bad_input, raise_if_any, suggestion

# Larger integers are not exact as doubles.
MAX_EXACT = 2**53


class Column:
    """A column in memory: real numbers (NaN where missing) or texts. One with an integer that no double represents
    exactly holds texts, with all digits.

    values: one-dimensional array of float64, or of str as objects.
    unit: of the numbers, "1" for texts.
    """

    def __init__(self, values: Values, unit: str, whole: Column | None = None, rows: Values | None = None):
        self.values, self.unit = values, unit
        self._whole, self._rows = whole, rows

    @property
    def is_text(self) -> bool:
        return self.values.dtype == object

    @functools.cached_property
    def codes(self) -> Values:
        """Integers that are equal where the cells have equal bits."""
        if self._whole is not None:
            return self._whole.codes[self._rows]
        found: Values = pd.factorize(self.values if self.is_text else self.values.view(np.int64))[0]
        return found

    def take(self, rows: Values | None) -> Column:
        """Some of the rows; all for None."""
        return self if rows is None else Column(self.values[rows], self.unit, self, rows)


class Table:
    """All rows of a study's points or of a detail table. Each column is read once, when it is asked for."""

    def __init__(self, group: h5py.Group):
        self._group = group
        self._columns: dict[str, Column | None] = {}

    def names(self) -> list[str]:
        """All columns, in the order of the file."""
        return [name for name in self._group if self._group.get(name, getclass=True) is h5py.Dataset]

    @functools.cached_property
    def axes(self) -> dict[str, columns.Origin]:
        """The axes that are not stored as one constant, and where each comes from, sorted by name."""
        stored = (item for name in sorted(self._group) if (item := columns.stored(self._group, name)) is not None)
        return {columns.name_of(item): columns.origin(item) for item in stored if columns.attribute(item, "role") == "axis"}

    def with_role(self, role: str) -> list[str]:
        """The columns of a role, in the order of the file."""
        return [name for name in self.names() if columns.attribute(self._group[name], "role") == role]

    def column(self, name: str) -> Column | None:
        """A column; None if there is no such column."""
        if name not in self._columns:
            item = self.item(name)
            self._columns[name] = None if item is None else _read(item)
        return self._columns[name]

    def item(self, name: str) -> h5py.Dataset | None:
        """A column in the file; None if there is no such column."""
        item = self._group.get(name)
        return item if isinstance(item, h5py.Dataset) else None


def _read(item: h5py.Dataset) -> Column:
    unit = columns.attribute(item, "units")
    if columns.is_unwritten(item) and item.ndim == 1:
        cells = np.full(item.shape, item.fillvalue)
    else:
        cells = columns.values(item)
    if cells.dtype != object and cells.dtype.kind != "f" and cells.size and np.abs(cells).max() > MAX_EXACT:
        return Column(np.array([str(cell) for cell in cells], dtype=object), unit)
    return Column(cells if cells.dtype == object else cells.astype(np.float64), unit)


class Frame:
    """Rows of a study's points, or of a detail table joined with the points: of two columns with one name, the table's."""

    def __init__(self, size: int, points: Table, of_points: Values | None, table: Table | None = None,
                 of_table: Values | None = None):
        """of_points, of_table: which row of each is the frame's row; None: all in order."""
        self.rows = size
        self._points, self._of_points, self._table, self._of_table = points, of_points, table, of_table
        self._columns: dict[str, Column | None] = {}
        self._groups: dict[tuple[str, ...], Values] = {}

    def column(self, name: str) -> Column | None:
        """A column; None if there is no such column."""
        if name not in self._columns:
            own = self._table.column(name) if self._table else None
            if own is not None:
                self._columns[name] = own.take(self._of_table)
            else:
                shared = self._points.column(name)
                self._columns[name] = shared.take(self._of_points) if shared else None
        return self._columns[name]

    def names(self) -> list[str]:
        """All columns, sorted."""
        return sorted({*self._points.names(), *(self._table.names() if self._table else ())})

    @property
    def axes(self) -> dict[str, columns.Origin]:
        """The axes that may differ between points, and where each comes from, sorted by name."""
        return self._points.axes

    def groups(self, names: Sequence[str]) -> Values:
        """Integers that are equal for rows with equal cells in all of these columns."""
        key = tuple(names)
        if key not in self._groups:
            codes = np.zeros(self.rows, dtype=np.int64)
            for name in names:
                column = self.column(name)
                if column is not None and self.rows and (column.codes != column.codes[0]).any():
                    codes = pd.factorize(codes * (column.codes.max() + 1) + column.codes)[0]
            self._groups[key] = codes
        return self._groups[key]


class Study:
    """A study of a results file: its points and tables on each of its machines."""

    def __init__(self, file: h5py.File, study: str):
        self.path, self.id = str(file.filename), study
        self.group = file[study]
        self.system = columns.attribute(self.group, "system")
        self.origin = columns.attribute(self.group, "origin") or study
        """the study's id in the experiment that it is included from"""
        self._tables: dict[str, Table] = {}
        self._places: dict[str, Sequence[Values]] = {}

    @functools.cached_property
    def points(self) -> Table:
        """The points on all machines, once their columns have been checked."""
        files.check_study(self.group.file, self.id)
        return Table(self.group)

    @functools.cached_property
    def size(self) -> int:
        """The number of points on all machines."""
        point = self.points.item("point")
        assert point is not None
        return int(point.shape[0])

    @functools.cached_property
    def _draws(self) -> Values | None:
        """The machine of each point; None if no machine was sampled."""
        item = self.points.item(DRAW)
        if item is None or item.dtype.kind != "i" or columns.attribute(item, "role") != "axis":
            return None
        draws = columns.values(item)
        wrong = np.flatnonzero((draws < 0) | (draws >= self.size))
        if len(wrong):
            raise bad_input(f"'{self.path}': point {wrong[0]} is of machine {draws[wrong[0]]}, "
                            f"but there are only {self.size} points")
        return draws

    @property
    def machines(self) -> int:
        """The number of machines: that of the hardware file, and the sampled ones."""
        return 1 if self._draws is None else int(self._draws.max()) + 1

    def _owners(self, table: str) -> Values:
        """The point of each row of a table."""
        item = self._table(table).item("point")
        owners: Values = columns.values(item)
        if owners.dtype.kind != "i" or ((owners < 0) | (owners >= self.size)).any() or (np.diff(owners) < 0).any():
            raise bad_input(f"'{self.path}': table '{table}' has rows of unknown points, or they are out of order")
        return owners

    def _table(self, table: str) -> Table:
        if table not in self._tables:
            if not isinstance(self.group.get(table), h5py.Group):
                raise bad_input(f"'{self.path}': study '{self.id}' has no table '{table}'")
            files.check_table(self.group.file, self.id, table)
            self._tables[table] = Table(self.group[table])
        return self._tables[table]

    def _rows_of_machines(self, table: str) -> Sequence[Values]:
        """The rows of each machine, in the order of the file."""
        if table not in self._places:
            assert self._draws is not None
            draws = self._draws[self._owners(table)] if table else self._draws
            order = np.argsort(draws, kind="stable")
            self._places[table] = np.split(order, np.searchsorted(draws[order], np.arange(1, self.machines)))
        return self._places[table]

    def whole(self) -> Frame:
        """The points on all machines."""
        return Frame(self.size, self.points, None)

    def frame(self, table: str = "", machine: int = 0) -> Frame:
        """The points, or the rows of a detail table, on one machine."""
        rows = None if self._draws is None else self._rows_of_machines(table)[machine]
        if not table:
            return Frame(self.size if rows is None else len(rows), self.points, rows)
        owners = self._owners(table)
        owners = owners if rows is None else owners[rows]
        return Frame(len(owners), self.points, owners, self._table(table), rows)


@dataclasses.dataclass(frozen=True)
class Moved:
    """A constant that has another value on a sampled machine than on that of the hardware file."""

    axis: str
    nominal: float
    """on the machine of the file; both are those of the first row in which they differ"""
    value: float
    text: str
    """of a column of texts"""
    unit: str
    is_choice: bool


def moved_constants(nominal: Frame, drawn: Frame) -> list[Moved]:
    """All axes whose values differ from those on the machine of the hardware file."""
    moved = []
    for name, origin in drawn.axes.items():
        ours, theirs = drawn.column(name), nominal.column(name)
        if name == DRAW or ours is None or theirs is None or len(ours.values) != len(theirs.values):
            continue
        differing = np.flatnonzero(ours.values != theirs.values)
        if len(differing):
            old, new = theirs.values[differing[0]], ours.values[differing[0]]
            numbers: tuple[Any, Any, str] = (0.0, 0.0, new) if ours.is_text else (float(old), float(new), "")
            moved.append(Moved(name, *numbers, ours.unit, origin.is_choice))
    return moved


@contextlib.contextmanager
def open_studies(path: str, unsealed: bool = False, chosen: Collection[str] = ()) -> Iterator[list[Study]]:
    """The studies of a results file, sorted by id, readable until the block ends.

    unsealed: whether a file without a checksum is read. chosen: only these studies. InputError: there is no such study.
    ValueError, FileNotFoundError: as those of `files.open_file`.
    """
    with files.open_file(path, unsealed) as file:
        names = sorted(files.studies(file))
        raise_if_any(Problem(f"'{path}' has no study '{study}'{suggestion(study, names)}; it has {', '.join(names)}")
                     for study in chosen if study not in names)
        yield [Study(file, name) for name in names if not chosen or name in chosen]
