"""Results files as labeled arrays.

    results = pimsweep.open("results/hypar.h5")
    points = results["fig12"]          # xarray.Dataset
    points["time"].attrs["units"]      # "s"
"""

from __future__ import annotations

import functools
import os
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import h5py
import numpy as np
import pandas as pd
import xarray

from . import columns
from .columns import Column, LazyColumn, Values

AXES = ("axis", "label")
# Columns for the program's own use.
INTERNAL = ("point", "identity_high", "identity_low")


class MissingStudy(KeyError):
    """A results file has no study, or a study no detail table, of that name."""

    def __str__(self) -> str:
        return str(self.args[0])


def _factors(varying: Mapping[str, Values], size: int) -> dict[str, int] | None:
    """The axes whose product is the study, slowest first, with their lengths; None if it is not a product."""
    regular: dict[str, tuple[int, int]] = {}
    rows = np.arange(size)
    for name, column in varying.items():
        codes, different = pd.factorize(column)
        stride, length = int(np.argmax(codes != 0)), len(different)
        if size % (stride * length) == 0 and (codes == rows // stride % length).all():
            regular[name] = (stride, length)
    chain: list[str] = []
    block = 1
    while block < size:
        # Where several axes change together, the one with the most values tells them apart; machines are told apart by
        # their number rather than by one of their constants.
        next_ = max((name for name in regular if regular[name][0] == block),
                    key=lambda name: (regular[name][1], name == "draw"), default=None)
        if next_ is None:
            return None
        chain.append(next_)
        block *= regular[next_][1]
    return {name: regular[name][1] for name in reversed(chain)}


def _along(column: Values, names: Sequence[str]) -> tuple[tuple[str, ...], Values]:
    """An array without the dimensions over which it is constant, and the names of the others."""
    kept: list[str] = []
    for dimension, name in enumerate(names):
        first = column.take([0], axis=len(kept))
        if (column == first).all():
            column = first.squeeze(axis=len(kept))
        else:
            kept.append(name)
    return tuple(kept), column


class Results(Mapping[str, xarray.Dataset]):
    """A results file: a mapping from the id of each study to its points.

    A study whose axes are a full product has a dimension for each of them, named after the axis that varies, slowest
    first; an axis that changes together with others is a coordinate along theirs. Other studies (samples, tables,
    products with a condition) have the one dimension `point`. An axis with the same value everywhere is a coordinate
    without a dimension.

    Values are read when they are asked for, each column once; the file is open only meanwhile.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = pathlib.Path(path)
        with self._file() as file:
            self.attrs = {name: columns.text(value) for name, value in file.attrs.items()}
            if self.attrs.get("format") != "pimsweep results":
                raise ValueError(f"{self.path}: no results file of pimsweep")
            self.provenance = {name: columns.plain(value)
                               for name, value in file["provenance"].attrs.items()} if "provenance" in file else {}
            self.studies = [name for name, item in file.items()
                            if isinstance(item, h5py.Group) and name != "provenance"]
        self._datasets: dict[str, xarray.Dataset] = {}
        self._frames: dict[str, pd.DataFrame] = {}

    def _file(self) -> h5py.File:
        if not self.path.exists():
            raise FileNotFoundError(f"{self.path}: no such file")
        try:
            return h5py.File(self.path)
        except OSError as error:
            raise ValueError(f"{self.path}: no results file of pimsweep ({error})") from None

    def _group(self, file: h5py.File, study: str, table: str | None = None) -> h5py.Group:
        if study not in self.studies:
            raise MissingStudy(f"{self.path}: no study '{study}'; there are: {', '.join(self.studies)}")
        if table is None:
            return file[study]
        there = _tables(file[study])
        if table not in there:
            raise MissingStudy(f"{self.path}: no table '{table}' in {study}; there are: {', '.join(there) or 'none'}")
        return file[study][table]

    def __getitem__(self, study: str) -> xarray.Dataset:
        if study not in self._datasets:
            with self._file() as file:
                self._datasets[study] = self._dataset(self._group(file, study))
        return self._datasets[study]

    def __iter__(self) -> Iterator[str]:
        return iter(self.studies)

    def __len__(self) -> int:
        return len(self.studies)

    def __repr__(self) -> str:
        return f"<pimsweep results {self.path}: {', '.join(self.studies)}>"

    def _dataset(self, group: h5py.Group) -> xarray.Dataset:
        items = _columns(group)
        size = group["point"].shape[0]
        fixed: dict[str, Any] = {}
        varying: dict[str, Values] = {}
        for name, item in items.items():
            if Column.of(item).role in AXES:
                shared = columns.constant(item)
                if shared is None:
                    varying[name] = columns.values(item)
                else:
                    fixed[name] = shared
        axes = {name: column for name, column in varying.items() if Column.of(items[name]).role == "axis"}
        sizes = (_factors(axes, size) if axes else None) or {"point": size}
        names, shape = tuple(sizes), tuple(sizes.values())
        coordinates: dict[str, Any] = {name: ((), value, columns.attributes(items[name]))
                                       for name, value in fixed.items()}
        for name, column in varying.items():
            along, reduced = _along(column.reshape(shape), names) if "point" not in sizes else (names, column)
            coordinates[name] = (along, reduced, columns.attributes(items[name]))
        coordinates["point"] = (names, group["point"][:].reshape(shape), {"long_name": "number of the point"})
        data = {name: (names, LazyColumn(self.path.absolute(), item.name, item, shape).data(), columns.attributes(item))
                for name, item in items.items() if name not in coordinates and name not in INTERNAL}
        about = {name: columns.plain(value) for name, value in group.attrs.items()}
        return xarray.Dataset(data, coordinates, about)

    def columns(self, study: str, table: str | None = None) -> list[Column]:
        """The columns of a study or of one of its detail tables: name, role, unit, description, source."""
        with self._file() as file:
            items = _columns(self._group(file, study, table))
            return [Column.of(item) for name, item in items.items() if name != "point"]

    def axes(self, study: str) -> list[str]:
        """The names of the study's axes."""
        return [column.name for column in self.columns(study) if column.role == "axis"]

    def metrics(self, study: str) -> list[str]:
        """The names of the study's metrics, the main one first."""
        return [column.name for column in self.columns(study) if column.role == "metric"]

    def tables(self, study: str) -> list[str]:
        """The names of the study's detail tables."""
        with self._file() as file:
            return _tables(self._group(file, study))

    def table(self, study: str, table: str) -> xarray.Dataset:
        """A detail table over the dimension `row`; its coordinate `point` is the point that a row belongs to."""
        with self._file() as file:
            group = self._group(file, study, table)
            data = {name: ("row", LazyColumn(self.path.absolute(), item.name, item, item.shape[:1]).data(),
                           columns.attributes(item)) for name, item in _columns(group).items()}
        return xarray.Dataset(data).set_coords("point")

    def frame(self, study: str) -> pd.DataFrame:
        """The points of a study as a table, a row each in the plan's order; units are in `attrs["units"]`."""
        if study not in self._frames:
            with self._file() as file:
                self._frames[study] = _frame(self._group(file, study))
        return self._frames[study].copy()

    def detail(self, study: str, table: str) -> pd.DataFrame:
        """A detail table joined with the columns of its points; of columns with one name, the table's is kept."""
        with self._file() as file:
            rows = _frame(self._group(file, study, table))
        points = self.frame(study)
        units = {**points.attrs["units"], **rows.attrs["units"]}
        points = points[[name for name in points.columns if name not in rows.columns or name == "point"]]
        joined = rows.merge(points, on="point")
        joined.attrs["units"] = units
        return joined


def _columns(group: h5py.Group) -> dict[str, h5py.Dataset]:
    return {name: item for name, item in group.items() if isinstance(item, h5py.Dataset)}


def _tables(study: h5py.Group) -> list[str]:
    return [name for name, item in study.items() if isinstance(item, h5py.Group) and name != "long_texts"]


def _frame(group: h5py.Group) -> pd.DataFrame:
    found = _columns(group)
    frame = pd.DataFrame({name: columns.values(item) for name, item in found.items()})
    frame.attrs["units"] = {name: Column.of(item).unit for name, item in found.items()}
    frame.attrs["long_name"] = {name: Column.of(item).doc for name, item in found.items()}
    return frame


def open(path: str | os.PathLike[str]) -> Results:
    """Opens a results file. ValueError: it is none; FileNotFoundError: it is not there."""
    return Results(path)


def report(path: str | os.PathLike[str]) -> pd.DataFrame:
    """A report that `pimsweep report RESULTS --csv PATH` wrote: a row for each published value, all as text."""
    return pd.read_csv(path, dtype=str, keep_default_na=False)


@functools.cache
def published(paper: str) -> pd.DataFrame:
    """The values that a paper prints, by id, as text, from the source tree or from an installation."""
    here = pathlib.Path(__file__).resolve()
    roots = (here.parents[2], here.parents[4] / "share" / "pimsweep")
    folders = [root / "results" / "published" for root in roots]
    for folder in folders:
        if (folder / f"{paper}.csv").exists():
            return pd.read_csv(folder / f"{paper}.csv", dtype=str, keep_default_na=False).set_index("id")
    known = sorted(path.stem for folder in folders if folder.is_dir() for path in folder.glob("*.csv"))
    raise KeyError(f"no published values of '{paper}'; there are: {', '.join(known) or 'none'}")


def fact(paper: str, name: str, column: str = "value") -> float:
    """A number that a paper prints, by the part of its id after the paper's name."""
    return float(published(paper).loc[f"{paper}-{name}", column])


def facts(paper: str) -> Callable[..., float]:
    """`fact` of one paper: a function of the part of an id after the paper's name, and of a column."""
    return functools.partial(fact, paper)
