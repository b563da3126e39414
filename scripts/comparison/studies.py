"""Compares the studies of two results files value by value."""

import pathlib
from dataclasses import dataclass, field

import h5py
import numpy as np

from comparison.columns import differing, read_column, translate
from comparison.matching import match_points, match_rows


@dataclass
class Tally:
    """What came out of one experiment."""

    studies: int = 0
    points: int = 0
    values: int = 0
    differing: int = 0
    explained: int = 0
    differences: list = field(default_factory=list)  # unexplained, as lines
    notes: list = field(default_factory=list)        # what was done, what is explained, what was added

    @property
    def equal(self):
        return self.values - self.differing - self.explained

    def report(self, reason, text):
        """A difference as a whole, such as a column that is missing."""
        if reason:
            self.notes.append(f"explained: {text} ({reason})")
        else:
            self.differences.append(text)


@dataclass
class NewStudy:
    """A new study and which of its points no old one was matched with yet: several old studies may have become one."""

    group: h5py.Group
    free: np.ndarray
    columns: set = field(default_factory=set)
    tables: set = field(default_factory=set)


def open_new(group):
    return NewStudy(group, np.ones(group["status"].shape[0], dtype=bool))


def datasets(group, *left_out):
    return sorted(name for name, item in group.items() if isinstance(item, h5py.Dataset) and name not in left_out)


def tables(group):
    return sorted(name for name, item in group.items() if isinstance(item, h5py.Group))


class StudyComparison:
    def __init__(self, path, old, new, names, tally, shown=3):
        self.path, self.old, self.new, self.names, self.tally, self.shown = path, old, new, names, tally, shown
        self.system = text(old.attrs["system"])
        self.moved = ""

    def run(self, hardware=""):
        """`hardware` is the name of the old study's hardware file, for studies that became one."""
        renamed = self.names.system(self.system)
        if renamed != text(self.new.group.attrs["system"]):
            # Another system need not have all columns.
            self.moved = self.reason(f"{self.path}/system")
            system = text(self.new.group.attrs["system"])
            self.tally.report(self.moved, f"{self.path}: system {system} in place of {renamed}")
        columns = self.pair_columns("", self.old, self.new.group, ("point",))
        self.new.columns.update(columns.values())
        places = self.match(columns, hardware)
        self.tally.studies += 1
        self.tally.points += len(places)
        self.report_lost("points", places, self.path)
        for name, renamed in columns.items():
            self.compare_column("", name, self.old, renamed, self.new.group, places)
        for name in tables(self.old):
            self.compare_table(name, places)

    def reason(self, path):
        return self.names.reason(self.system, path)

    def pair_columns(self, table, old, new, left_out):
        """{old name: new name} of common columns; prints the others."""
        paired = {}
        for name in datasets(old, *left_out):
            path = "/".join(filter(None, (self.path, table, name)))
            renamed = self.names.column(self.system, table, name)
            if not renamed:
                kinds, olds = (("column",), [f"{table}/{name}", name]) if table else (("axis", "metric"), [name])
                self.tally.report(self.names.reason_gone(kinds, self.system, olds), f"{path} is gone")
            elif not isinstance(new.get(renamed), h5py.Dataset):
                self.tally.report(self.reason(path) or self.moved, missing(path, name, renamed))
            else:
                paired[name] = renamed
        return paired

    def values_of(self, table, name, group):
        return translate(read_column(group[name]), self.names.values(self.system, table, name))

    def match(self, columns, hardware):
        keys = [name for name in columns if text(self.old[name].attrs.get("role", "")) in ("axis", "label")]
        pairs = [(self.values_of("", name, self.old), read_column(self.new.group[columns[name]])) for name in keys]
        length, free = self.old["status"].shape[0], self.free_points(hardware)
        in_order = length == len(free) and not any(differing(old, new).any() for old, new in pairs)
        places, how = match_points(pairs, length, free, in_order)
        self.new.free[places[places >= 0]] = False
        if how != "in order":
            self.tally.notes.append(f"{self.path}: points matched {how} with those of {self.new.group.name[1:]}")
        return places

    def free_points(self, hardware):
        """Points not taken yet; where hardware has become an axis, those of the old study's hardware."""
        free = self.new.free.copy()
        if hardware and "hardware" in self.new.group and "hardware" not in self.old:
            renamed = self.names.values(self.system, "", "hardware").get(hardware, hardware)
            stems = np.array([pathlib.PurePath(str(name)).stem for name in read_column(self.new.group["hardware"])])
            if (free & (stems == renamed)).any():
                free &= stems == renamed
        return free

    def report_lost(self, what, places, path):
        lost = np.flatnonzero(places < 0)
        if len(lost):
            self.tally.report(self.reason(path),
                              f"{path}: {len(lost)} of {len(places)} {what} missing, the first is {lost[0]}")

    def compare_column(self, table, name, old, renamed, new, places):
        path = "/".join(filter(None, (self.path, table, name)))
        old, new = self.values_of(table, name, old), read_column(new[renamed])
        whole = len(old) == len(new) and np.array_equal(places, np.arange(len(places)))
        matched = slice(None) if whole else places >= 0
        new_values = new if whole else new[places[matched]]
        wrong = differing(old[matched], new_values)
        compared, count = len(wrong), int(wrong.sum())
        self.tally.values += compared
        if not count:
            return
        reason = self.reason(path)
        if reason:
            self.tally.explained += count
        else:
            self.tally.differing += count
        rows = np.arange(len(old))[matched]
        first = ", ".join(f"{'row' if table else 'point'} {rows[at]}: {shown(old[rows[at]])} -> {shown(new_values[at])}"
                          for at in np.flatnonzero(wrong)[:self.shown])
        self.tally.report(reason, f"{path}: {count} of {compared} values differ; {first}")

    def compare_table(self, name, places):
        path = f"{self.path}/{name}"
        renamed = self.names.table(self.system, name)
        if not renamed:
            self.tally.report(self.names.reason_gone(("table",), self.system, [name]), f"{path} is gone")
            return
        if not isinstance(self.new.group.get(renamed), h5py.Group):
            self.tally.report(self.reason(path) or self.moved, missing(path, name, renamed))
            return
        old, new = self.old[name], self.new.group[renamed]
        self.new.tables.add(renamed)
        columns = self.pair_columns(name, old, new, ("row", "point"))
        new_points = new["point"][:]
        rows = match_rows(old["point"][:], new_points, places)
        self.report_lost("rows", rows, path)
        surplus = int(np.isin(new_points, places[places >= 0]).sum() - (rows >= 0).sum())
        if surplus:
            self.tally.report(self.reason(path), f"{path}: {surplus} rows too many")
        for column, new_name in columns.items():
            self.compare_column(name, column, old, new_name, new, rows)
        added = set(datasets(new, "row", "point")) - set(columns.values())
        if added:
            self.tally.notes.append(f"added: columns of {path}: {', '.join(sorted(added))}")


def tell_added(path, new, tally):
    """What a new study has beyond all old ones that became it."""
    columns = sorted(set(datasets(new.group, "point")) - new.columns)
    more = sorted(set(tables(new.group)) - new.tables)
    for what, names in (("columns", columns), ("tables", more)):
        if names:
            tally.notes.append(f"added: {what} of {path}: {', '.join(names)}")
    if new.free.any():
        tally.notes.append(f"added: {int(new.free.sum())} points of {path}")


def missing(path, name, renamed):
    return f"{path}: missing" + (f" (as {renamed})" if renamed != name else "")


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def shown(value):
    written = repr(value.item() if isinstance(value, np.generic) else value)
    return written if len(written) <= 60 else written[:57] + "..."
