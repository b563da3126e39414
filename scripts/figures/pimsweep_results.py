"""Loads what pimsweep writes: results files into pandas and xarray, reports and published values into pandas.

    import pimsweep_results
    results = pimsweep_results.open("results/hypar.h5")
    points = results.study("fig6")        # pandas, a row for each point
    points.attrs["units"]["time"]    # "s"

Nothing here depends on a figure or a paper. docs/figures.md shows how to draw with it.
"""

import dataclasses
import functools
import pathlib

import h5py
import numpy as np
import pandas as pd

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass(frozen=True)
class Column:
    """One column of a study or a detail table, as its system's schema describes it."""

    name: str
    role: str  # axis, metric, label, reference, status, identity, detail
    unit: str
    doc: str
    source: str


def _text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def texts(column):
    """The texts of a column, given as its h5py dataset, as an array of str."""
    characters = column[:]
    found = np.array([text.decode() for text in characters.view(f"S{characters.shape[1]}")[:, 0]], dtype=object)
    folder, name = column.name.rsplit("/", 1)
    pieces = column.file.get(f"{folder}/long_texts/{name}")
    if pieces is not None:
        owners = pieces["owner"][:]
        found[owners] = ""
        np.add.at(found, owners, texts(pieces["text"]))
    return found


def _columns(group):
    """The columns of a group as a table; units and descriptions in its attrs."""
    items = {name: item for name, item in group.items() if isinstance(item, h5py.Dataset)}
    frame = pd.DataFrame({name: texts(item) if item.ndim == 2 else item[:] for name, item in items.items()})
    frame.attrs["units"] = {name: _text(item.attrs.get("units", "")) for name, item in items.items()}
    frame.attrs["long_name"] = {name: _text(item.attrs.get("long_name", "")) for name, item in items.items()}
    return frame


class Results:
    """One results file. It is read study by study, each once, as they are asked for, and never kept open."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        with h5py.File(self.path) as file:
            if _text(file.attrs.get("format", "")) != "pimsweep results":
                raise ValueError(f"{self.path}: no results file of pimsweep")
            self.attrs = {name: _text(value) for name, value in file.attrs.items()}
            self.studies = [name for name, item in file.items() if isinstance(item, h5py.Group) and name != "provenance"]
        self._points = {}

    def _group(self, file, name):
        if name not in self.studies:
            raise KeyError(f"{self.path}: no study '{name}'; there are: {', '.join(self.studies)}")
        return file[name]

    def columns(self, study):
        """The study's columns: name, role, unit, description, source."""
        with h5py.File(self.path) as file:
            group = self._group(file, study)
            return [Column(name, *(_text(item.attrs.get(key, "")) for key in ("role", "units", "long_name", "source")))
                    for name, item in group.items() if isinstance(item, h5py.Dataset) and name != "point"]

    def _names(self, study, role):
        return [column.name for column in self.columns(study) if column.role == role]

    def axes(self, study):
        return self._names(study, "axis")

    def metrics(self, study):
        return self._names(study, "metric")

    def tables(self, study):
        """Names of the study's detail tables."""
        with h5py.File(self.path) as file:
            return [name for name, item in self._group(file, study).items()
                    if isinstance(item, h5py.Group) and name != "long_texts"]

    def study(self, name):
        """The points of a study, a row each, in the plan's order."""
        if name not in self._points:
            with h5py.File(self.path) as file:
                self._points[name] = _columns(self._group(file, name))
        return self._points[name].copy()

    def detail(self, name, table):
        """A detail table joined with its points' columns (the table's own win)."""
        with h5py.File(self.path) as file:
            group = self._group(file, name)
            if table not in self.tables(name):
                raise KeyError(f"{self.path}: no table '{table}' in {name}; there are: {', '.join(self.tables(name))}")
            rows = _columns(group[table])
        points = self.study(name)
        units = {**points.attrs["units"], **rows.attrs["units"]}
        points = points[[column for column in points.columns if column not in rows.columns or column == "point"]]
        joined = rows.merge(points, on="point")
        joined.attrs["units"] = units
        return joined

    def dataset(self, name):
        """The study as an xarray.Dataset over `point`, with units and descriptions as attributes.

        A text that is too long for its column is cut here, as in every reader of netCDF files."""
        import xarray  # only here: the other readers need no more than pandas
        self._check(name)
        return xarray.open_dataset(self.path, group=name, engine="h5netcdf").load()

    def grid(self, name, metrics, dims):
        """Metrics over the axes `dims`, an xarray.Dataset with labeled dimensions; each pair must occur once."""
        metrics = [metrics] if isinstance(metrics, str) else list(metrics)
        points = self.study(name)
        repeated = points.duplicated(dims)
        if repeated.any():
            others = [axis for axis in self.axes(name) if axis not in dims and points[axis].nunique() > 1]
            raise ValueError(f"{name}: {', '.join(dims)} do not name one point each; {', '.join(others)} vary too")
        grid = points.set_index(list(dims))[metrics].to_xarray()
        for metric in metrics:
            grid[metric].attrs["units"] = points.attrs["units"][metric]
        return grid

    def _check(self, name):
        with h5py.File(self.path) as file:
            self._group(file, name)


def open(path):  # as gzip.open and h5py's users expect it: pimsweep_results.open(...)
    """The results file at `path`."""
    return Results(path)


@functools.lru_cache(maxsize=None)
def published(paper):
    """The published values of a paper, by id; all columns are text, as printed."""
    return pd.read_csv(ROOT / "results" / "published" / f"{paper}.csv", dtype=str,
                       keep_default_na=False).set_index("id")


def report(path):
    """A report written by `pimsweep report RESULTS --csv PATH`: a row for each published value, all as text."""
    return pd.read_csv(path, dtype=str, keep_default_na=False)
