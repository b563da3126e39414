"""Results files as labeled arrays.

    results = pimsweep.open("results/hypar.h5")
    points = results["fig12"]          # xarray.Dataset
    points["time"].attrs["units"]      # "s"
"""

from __future__ import annotations

import contextlib
import functools
import os
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import h5py
import numpy as np
import pandas as pd
import xarray

from . import columns, files
from .columns import DRAW, LONG_TEXTS, Column, LazyColumn, Values

T = TypeVar("T")
AXES = ("axis", "label")
# Columns for the program's own use.
INTERNAL = ("point", "identity_high", "identity_low")


class MissingStudy(KeyError):
    """A results file has no study, or a study no detail table, of that name."""

    def __str__(self) -> str:
        return str(self.args[0])


class MissingMachine(MissingStudy):
    """A study has not as many sampled machines."""


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
                    key=lambda name: (regular[name][1], name == DRAW), default=None)
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

    def __init__(self, path: str | os.PathLike[str], unsealed: bool = False):
        self.path = pathlib.Path(path)
        self.unsealed = unsealed
        self._checked: set[tuple[str, str | None]] = set()
        with self.file() as file:
            self.attrs = {name: columns.text(value) for name, value in file.attrs.items()}
            self.provenance = {name: columns.plain(value)
                               for name, value in file["provenance"].attrs.items()} if "provenance" in file else {}
            self.studies = files.studies(file)
        self._datasets: dict[str, xarray.Dataset] = {}
        self._frames: dict[str, pd.DataFrame] = {}
        self._machines: dict[int, Results] = {}

    def file(self) -> h5py.File:
        """The file, opened for reading; what lies in its studies is checked by `checked`."""
        return files.open_file(self.path, self.unsealed)

    def _group(self, file: h5py.File, study: str, table: str | None = None) -> h5py.Group:
        """A study or a detail table, whose columns are checked when it is first asked for."""
        if study not in self.studies:
            raise MissingStudy(f"{self.path}: no study '{study}'; there are: {', '.join(self.studies)}")
        self._check(file, study, None)
        if table is None:
            return file[study]
        there = _tables(file[study])
        if table not in there:
            raise MissingStudy(f"{self.path}: no table '{table}' in {study}; there are: {', '.join(there) or 'none'}")
        self._check(file, study, table)
        return file[study][table]

    def _check(self, file: h5py.File, study: str, table: str | None) -> None:
        if (study, table) in self._checked:
            return
        if table is None:
            files.check_study(file, study)
        else:
            files.check_table(file, study, table)
        self._checked.add((study, table))

    def checked(self, file: h5py.File, study: str) -> h5py.Group:
        """A study of the open file with all its detail tables checked, for readers of HDF5 itself."""
        group = self._group(file, study)
        for table in _tables(group):
            self._check(file, study, table)
        return group

    def __getitem__(self, study: str) -> xarray.Dataset:
        if study not in self._datasets:
            self._datasets[study] = self._dataset(study)
        return self._datasets[study]

    def __iter__(self) -> Iterator[str]:
        return iter(self.studies)

    def __len__(self) -> int:
        return len(self.studies)

    def __repr__(self) -> str:
        return f"<pimsweep results {self.path}: {', '.join(self.studies)}>"

    @functools.cached_property
    def machines(self) -> list[int]:
        """The numbers of the sampled machines of all studies, from 1 on; none where no study has the axis `draw`."""
        with self.file() as file:
            groups = [self._group(file, study) for study in self.studies]
            drawn = [group[DRAW][:] for group in groups if DRAW in group]
        return sorted({int(number) for numbers in drawn for number in np.unique(numbers)} - {0})

    def is_drawn(self, study: str) -> bool:
        """Whether a study has sampled machines."""
        with self.file() as file:
            return DRAW in self._group(file, study)

    def machine(self, number: int) -> Results:
        """The same results on one machine, 0 being that of the file, without the axis `draw`.

        Studies without sampled machines are as they are; asking for one that lacks this machine is a MissingMachine.
        """
        if number not in self._machines:
            self._machines[number] = _Machine(self, number)
        return self._machines[number]

    def on_machines(self, function: Callable[[Results], T]) -> list[T]:
        """What a function makes of the results on each sampled machine, of those that all studies which it reads have."""
        made = []
        for number in self.machines:
            with contextlib.suppress(MissingMachine):
                made.append(function(self.machine(number)))
        return made

    def _dataset(self, study: str) -> xarray.Dataset:
        with self.file() as file:
            return self._labeled(self._group(file, study))

    def _labeled(self, group: h5py.Group) -> xarray.Dataset:
        items = _columns(group)
        size = group["point"].shape[0]
        fixed: dict[str, Any] = {}
        varying: dict[str, Values] = {}
        for name, item in items.items():
            if columns.attribute(item, "role") in AXES:
                shared = columns.constant(item)
                if shared is None:
                    varying[name] = columns.values(item)
                else:
                    fixed[name] = shared
        axes = {name: column for name, column in varying.items() if columns.attribute(items[name], "role") == "axis"}
        sizes = (_factors(axes, size) if axes else None) or {"point": size}
        names, shape = tuple(sizes), tuple(sizes.values())
        coordinates: dict[str, Any] = {name: ((), value, columns.attributes(items[name]))
                                       for name, value in fixed.items()}
        for name, column in varying.items():
            along, reduced = _along(column.reshape(shape), names) if "point" not in sizes else (names, column)
            coordinates[name] = (along, reduced, columns.attributes(items[name]))
        coordinates["point"] = (names, group["point"][:].reshape(shape), {"long_name": "number of the point"})
        data = {name: (names, LazyColumn(self.file, item.name, item, shape).data(), columns.attributes(item))
                for name, item in items.items() if name not in coordinates and name not in INTERNAL}
        about = {name: columns.plain(value) for name, value in group.attrs.items()}
        return xarray.Dataset(data, coordinates, about)

    def columns(self, study: str, table: str | None = None) -> list[Column]:
        """The columns of a study or of one of its detail tables: name, role, unit, description, source."""
        with self.file() as file:
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
        with self.file() as file:
            return _tables(self._group(file, study))

    def table(self, study: str, table: str) -> xarray.Dataset:
        """A detail table over the dimension `row`; its coordinate `point` is the point that a row belongs to."""
        with self.file() as file:
            group = self._group(file, study, table)
            data = {name: ("row", LazyColumn(self.file, item.name, item, item.shape[:1]).data(),
                           columns.attributes(item)) for name, item in _columns(group).items()}
        return xarray.Dataset(data).set_coords("point")

    def frame(self, study: str) -> pd.DataFrame:
        """The points of a study as a table, a row each in the plan's order; units are in `attrs["units"]`."""
        if study not in self._frames:
            self._frames[study] = self._points(study)
        return self._frames[study].copy()

    def evaluate(self, study: str, expression: str) -> xarray.DataArray:
        """An expression over the columns of a study, such as "time * energy", with its unit, by the study's axes. The program
        evaluates it.

        BadExpression: unknown names, or units that do not go together.
        """
        from . import expressions  # which runs the program

        points = self[study]["point"]
        made = expressions.table(self.path, study, [expression], unsealed=self.unsealed)
        numbers = made.set_index("point")[expression].reindex(points.to_numpy().ravel()).to_numpy()
        about = {"units": made.attrs["units"][expression], "long_name": expression}
        return points.copy(data=numbers.reshape(points.shape)).rename(expression).assign_attrs(about)

    def _points(self, study: str) -> pd.DataFrame:
        with self.file() as file:
            return _frame(self._group(file, study))

    def _rows(self, study: str, table: str) -> pd.DataFrame:
        with self.file() as file:
            return _frame(self._group(file, study, table))

    def detail(self, study: str, table: str) -> pd.DataFrame:
        """A detail table joined with the columns of its points; of columns with one name, the table's is kept."""
        rows, points = self._rows(study, table), self.frame(study)
        units = {**points.attrs["units"], **rows.attrs["units"]}
        points = points[[name for name in points.columns if name not in rows.columns or name == "point"]]
        joined = rows.merge(points, on="point")
        joined.attrs["units"] = units
        return joined


class _Machine(Results):
    """The results of a file on one machine."""

    def __init__(self, whole: Results, number: int):
        super().__init__(whole.path, whole.unsealed)
        self.whole, self.number = whole, number

    @property
    def machines(self) -> list[int]:
        return self.whole.machines

    def machine(self, number: int) -> Results:
        return self.whole.machine(number)

    def _places(self, study: str, draws: Values) -> Values:
        """The places of this machine among the numbers of a study's machines."""
        found = np.flatnonzero(draws == self.number)
        if not len(found):
            raise MissingMachine(f"{self.path}: no machine {self.number} in {study}; there are 0 to {draws.max()}")
        return found

    def _dataset(self, study: str) -> xarray.Dataset:
        data = super()._dataset(study)
        if DRAW not in data.coords:
            return data
        (along,) = data[DRAW].dims
        places = self._places(study, data[DRAW].values)
        one = data.isel({along: int(places[0]) if along == DRAW else places}).drop_vars(DRAW)
        return one if one.sizes else one.expand_dims("point")

    def _points(self, study: str) -> pd.DataFrame:
        points = self.whole.frame(study)
        if DRAW not in points:
            return points
        one = points.iloc[self._places(study, points[DRAW].to_numpy())].drop(columns=DRAW).reset_index(drop=True)
        one.attrs = points.attrs
        return one

    def _chosen(self, study: str, table: str) -> Values:
        """The rows of a detail table that belong to points of this machine."""
        with self.file() as file:
            owners = self._group(file, study, table)["point"][:]
        return np.flatnonzero(np.isin(owners, self.frame(study)["point"]))

    def _rows(self, study: str, table: str) -> pd.DataFrame:
        chosen = self._chosen(study, table)
        with self.file() as file:
            return _frame(self._group(file, study, table), chosen)

    def table(self, study: str, table: str) -> xarray.Dataset:
        return super().table(study, table).isel(row=self._chosen(study, table))

    def columns(self, study: str, table: str | None = None) -> list[Column]:
        return [column for column in super().columns(study, table) if column.name != DRAW]


def _columns(group: h5py.Group) -> dict[str, h5py.Dataset]:
    return {name: item for name, item in group.items() if isinstance(item, h5py.Dataset)}


def _tables(study: h5py.Group) -> list[str]:
    return [name for name, item in study.items() if isinstance(item, h5py.Group) and name != LONG_TEXTS]


def _frame(group: h5py.Group, rows: Values | None = None) -> pd.DataFrame:
    found = _columns(group)
    frame = pd.DataFrame({name: columns.values(item, rows) for name, item in found.items()})
    frame.attrs["units"] = {name: columns.attribute(item, "units") for name, item in found.items()}
    return frame


def open(path: str | os.PathLike[str], unsealed: bool = False) -> Results:
    """Opens a results file.

    unsealed: whether a file without a checksum is read, as another program leaves it that has written to it. A damaged one
    may crash HDF5, and with it Python, or give wrong numbers.

    ValueError: it is not a results file, damaged, or of another version; FileNotFoundError: it is not there.
    """
    return Results(path, unsealed)


def report(path: str | os.PathLike[str]) -> pd.DataFrame:
    """A report that `pimsweep report RESULTS --csv PATH` wrote: a row for each published value, all as text."""
    return pd.read_csv(path, dtype=str, keep_default_na=False)


@functools.cache
def published_folder() -> pathlib.Path:
    """The folder of the values that papers print, of the source tree or of an installation. FileNotFoundError: neither has it."""
    here = pathlib.Path(__file__).resolve()
    folders = [root / "results" / "published" for root in (here.parents[2], here.parents[4] / "share" / "pimsweep")]
    for folder in folders:
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"there are no published values in {folders[0]} or {folders[1]}")


@functools.cache
def published(paper: str) -> pd.DataFrame:
    """The values that a paper prints, by id, as text, from the source tree or from an installation."""
    path = published_folder() / f"{paper}.csv"
    if path.exists():
        return pd.read_csv(path, dtype=str, keep_default_na=False).set_index("id")
    known = sorted(path.stem for path in published_folder().glob("*.csv"))
    raise KeyError(f"no published values of '{paper}'; there are: {', '.join(known)}")


def fact(paper: str, name: str, column: str = "value") -> float:
    """A number that a paper prints, by the part of its id after the paper's name."""
    return float(published(paper).loc[f"{paper}-{name}", column])


def facts(paper: str) -> Callable[..., float]:
    """`fact` of one paper: a function of the part of an id after the paper's name, and of a column."""
    return functools.partial(fact, paper)
