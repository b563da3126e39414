"""The columns of a results file as it stores them (docs/results-format.md): numbers, texts, long texts."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt
import pandas as pd
from xarray.backends import BackendArray
from xarray.core import indexing

Values = npt.NDArray[Any]
# The axis that numbers the machines of a study whose constants are sampled; 0 is that of the hardware file.
DRAW = "draw"
# The group with the texts that are longer than a column is wide.
LONG_TEXTS = "long_texts"


def text(value: bytes | str) -> str:
    """A text as HDF5 returns it, as str."""
    return value.decode() if isinstance(value, bytes) else str(value)


def plain(value: Any) -> Any:
    """An attribute as HDF5 returns it, texts as str."""
    return text(value) if isinstance(value, (bytes, str)) else value


def name_of(column: h5py.Dataset) -> str:
    """The name of a column within its group."""
    return str(column.name).rpartition("/")[2]


def _short_texts(column: h5py.Dataset, rows: Values | None = None) -> Values:
    """The texts of a column of characters, or of some of its rows in order, as an array of str."""
    characters = column[:] if rows is None else column[:][rows]
    packed = characters.view(f"S{characters.shape[1]}")[:, 0]
    if not len(packed):
        return np.array([], dtype=object)
    # A column of a million rows has few different texts, often one: each is decoded once.
    codes, different = (np.zeros(len(packed), int), packed[:1]) if (packed == packed[0]).all() else pd.factorize(packed)
    found: Values = np.array([value.decode() for value in different], dtype=object)[codes]
    return found


def texts(column: h5py.Dataset, rows: Values | None = None) -> Values:
    """The texts of a column of characters, or of some of its rows in order, as an array of str, long texts whole."""
    found = _short_texts(column, rows)
    pieces = column.parent.get(f"{LONG_TEXTS}/{name_of(column)}")
    if pieces is not None and len(found):
        owners, whole = pieces["owner"][:], _short_texts(pieces["text"])
        if rows is not None:
            asked = np.isin(owners, rows)
            owners, whole = np.searchsorted(rows, owners[asked]), whole[asked]
        found[owners] = ""
        np.add.at(found, owners, whole)
    return found


def values(column: h5py.Dataset, rows: Values | None = None) -> Values:
    """All values of a column, or those of some rows, which are in order."""
    if column.ndim == 2:
        return texts(column, rows)
    found: Values = column[:] if rows is None else column[:][rows]
    return found


def is_unwritten(column: h5py.Dataset) -> bool:
    """Whether a column is stored as its fill value alone, as constant numbers are."""
    return bool(column.id.get_storage_size() == 0)


def stored(group: h5py.Group, name: str) -> h5py.Dataset | None:
    """A column that is not stored as its fill value alone, None for others and for groups. Faster than
    `group[name]`, which counts over thousands of columns."""
    found = h5py.h5o.open(group.id, name.encode())
    return h5py.Dataset(found) if isinstance(found, h5py.h5d.DatasetID) and found.get_storage_size() else None


def constant(column: h5py.Dataset) -> Any:
    """The value that all rows of a column share; None if they differ or if there are no rows."""
    if not column.shape[0]:
        return None
    if column.ndim == 2:
        characters = column[:]
        if (characters != characters[0]).any():
            return None
        first: Any = texts(column)
        # Long texts may begin alike.
        return first[0] if (first == first[0]).all() else None
    if is_unwritten(column):
        return column.fillvalue
    numbers = column[:]
    return numbers[0] if (numbers == numbers[0]).all() else None


def attribute(item: h5py.HLObject, name: str) -> str:
    """A text attribute of a column, a study or a file, empty if it is missing."""
    return text(item.attrs.get(name, ""))


@dataclasses.dataclass(frozen=True)
class Origin:
    """Where the values of an axis come from."""

    follows_hardware: bool
    """a constant with the value of the point's hardware file: it varies with the axis `hardware` alone"""
    is_drawn: bool
    """value of a sampled machine (`[study.uncertainty]`), numbered by the axis `draw`"""
    is_choice: bool
    """sampled among listed values, not from a range"""
    method: str
    """of the axis `draw`: how machines are sampled, such as sobol or saltelli; empty for other axes"""
    block: int
    """of the axis `draw`: machines in one of Saltelli's blocks; 0 for other methods"""


def origin(column: h5py.Dataset) -> Origin:
    """Where the values of an axis come from, by its attributes."""
    kind = attribute(column, "origin")
    return Origin(follows_hardware=name_of(column).startswith("hardware.") and kind == "hardware",
                  is_drawn=kind in ("sampled_range", "sampled_values"), is_choice=kind == "sampled_values",
                  method=attribute(column, "method") if kind == "draw" else "", block=int(column.attrs.get("block", 0)))


@dataclasses.dataclass(frozen=True)
class Column:
    """One column of a study or of a detail table, as the schema of its system describes it."""

    name: str
    role: str
    """axis, metric, label, reference, status, identity, detail or band"""
    unit: str
    doc: str
    source: str
    timeline: str = ""
    """Of a detail table whose rows are intervals: start, end, group, lane, name, task, after, moved or held."""

    @classmethod
    def of(cls, column: h5py.Dataset) -> Column:
        given = (attribute(column, name) for name in ("role", "units", "long_name", "source", "timeline"))
        return cls(name_of(column), *given)


def attributes(column: h5py.Dataset) -> dict[str, Any]:
    """The attributes of a column that are for readers."""
    names = ("units", "long_name", "source", "role", "absent", "timeline", "origin", "method", "seed", "block", "valid_min", "flag_values", "flag_meanings")
    return {name: plain(column.attrs[name]) for name in names if name in column.attrs}


class LazyColumn(BackendArray):
    """A column that is read when its values are asked for, in the shape of its study."""

    def __init__(self, open_file: Callable[[], h5py.File], name: str, column: h5py.Dataset, shape: tuple[int, ...]):
        self.open_file, self.name, self.shape = open_file, name, shape
        self.dtype = np.dtype(object) if column.ndim == 2 else column.dtype

    @functools.cached_property
    def _all(self) -> Values:
        with self.open_file() as file:
            return values(file[self.name]).reshape(self.shape)

    def __getitem__(self, key: Any) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.VECTORIZED,
                                                  lambda index: self._all[index])

    def data(self) -> Any:
        return indexing.LazilyIndexedArray(self)  # type: ignore[no-untyped-call]
