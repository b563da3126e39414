"""Small results files of made-up systems, with the layout of the program's own (docs/results-format.md)."""

import h5py
import numpy as np


class Made:
    """A column: its cells, role, unit and, of an axis, the attributes of its origin."""

    def __init__(self, cells, role="axis", unit="1", **origin):
        self.cells, self.role, self.unit = list(cells), role, unit
        self.origin = origin or ({"origin": "experiment"} if role == "axis" else {})


def _write(group, name, made):
    if made.cells and isinstance(made.cells[0], str):
        packed = np.array([cell.encode() for cell in made.cells])
        cells = packed.view("S1").reshape(len(packed), -1)
    else:
        cells = np.array(made.cells)
    column = group.create_dataset(name, data=cells, chunks=cells.shape)
    column.attrs.update({"role": made.role, "units": made.unit, **made.origin})


def study(**columns):
    """Columns of a study: lists are metrics, in seconds; others are Made."""
    return {name: made if isinstance(made, Made) else Made(made, "metric", "s") for name, made in columns.items()}


def write_results(path, studies, tables=None, system="fake"):
    """Writes studies, each columns by name; `tables` has detail tables by (study, table), whose column `point` says whose
    rows they are. The file has no seal, so readers need unsealed=True."""
    with h5py.File(path, "w", track_order=True) as file:
        file.attrs.update({"format": "pimsweep results", "format_version": 3})
        for name, columns in studies.items():
            group = file.create_group(name, track_order=True)
            group.attrs["system"] = system
            size = len(next(iter(columns.values())).cells)
            given = {"point": Made(range(size), ""), "status": Made(np.zeros(size, np.int8), "status"),
                     "message": Made([" "] * size, "message"), **columns}
            for column, made in given.items():
                _write(group, column, made)
        for (name, table), columns in (tables or {}).items():
            group = file[name].create_group(table, track_order=True)
            size = len(columns["point"])
            for column, cells in {"row": range(size), **columns}.items():
                _write(group, column, Made(cells, "" if column in ("row", "point") else "detail"))
    return str(path)
