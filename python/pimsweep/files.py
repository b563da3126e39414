"""Results files that somebody else may have made: opened only after the checks that the program makes, too.

HDF5 1.10 may crash on a damaged file, and links and external storage may lead to any other file of the reader. So a file
is opened if its seal, a checksum of all bytes before it, is intact, and a group is read if its links, and the layouts,
filters, types and lengths of its columns are those of results files (docs/reliability.md#foreign-files).
"""

from __future__ import annotations

import ctypes
import functools
import os
import pathlib
from typing import Any

import h5py
import numpy as np

from . import columns

FORMAT = "pimsweep results"
FORMAT_VERSION = 3
_SEAL = b"pimsweep seal 1\n"
_HDF5 = b"\x89HDF\r\n\x1a\n"
_FILTERS = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32}
_LAYOUTS = {h5py.h5d.CHUNKED, h5py.h5d.CONTIGUOUS, h5py.h5d.COMPACT}
_MAX_TEXT_BYTES = 4096
# Deflate compresses to no less than one byte in this many.
_MAX_COMPRESSION = 1032


class _Hash(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


@functools.cache
def _hash_function() -> Any:
    try:
        function = ctypes.CDLL("libxxhash.so.0").XXH3_128bits
    except OSError:
        raise ValueError("results files are checked by libxxhash.so.0: install libxxhash0") from None
    function.restype, function.argtypes = _Hash, (ctypes.c_void_p, ctypes.c_size_t)
    return function


def _has_intact_seal(path: pathlib.Path) -> bool | None:
    """Whether the seal matches the bytes before it; None without a seal."""
    size = path.stat().st_size - len(_SEAL) - ctypes.sizeof(_Hash)
    if size <= 0:
        return None
    content = np.memmap(path, np.uint8, "r")
    end = bytes(content[size:])
    if not end.startswith(_SEAL):
        return None
    found = _hash_function()(content.ctypes.data, size)
    return bool(end[len(_SEAL):] == found.high.to_bytes(8, "little") + found.low.to_bytes(8, "little"))


# Files that are checked, by path: their state then, and whether they were accepted without a seal.
_checked: dict[pathlib.Path, tuple[int, int, int, int, bool]] = {}


def _check_bytes(path: pathlib.Path, unsealed: bool) -> None:
    status = path.stat()
    state = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, unsealed)
    if _checked.get(path) == state:
        return
    seal = _has_intact_seal(path)
    if seal is False:
        raise ValueError(f"{path} is damaged: its bytes do not match its checksum")
    if seal is None:
        with path.open("rb") as file:
            if file.read(len(_HDF5)) != _HDF5:
                raise ValueError(f"{path}: not a results file of pimsweep (it is not an HDF5 file)")
        if not unsealed:
            raise ValueError(f"{path} has no checksum: another program has written to it, or it was cut short. Read it "
                             "unchecked with unsealed=True (--unsealed): a damaged file may crash HDF5 or give wrong numbers")
    _checked[path] = state


def open_file(path: str | os.PathLike[str], unsealed: bool = False) -> h5py.File:
    """Opens a results file for reading.

    unsealed: whether a file that another program has written to is opened. Nobody has checked its bytes: a damaged one may
    crash HDF5, and with it Python, or give wrong numbers.

    FileNotFoundError: it is not there. ValueError: it is not a results file, damaged, or of another version.
    """
    path = pathlib.Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    if not path.is_file():
        raise ValueError(f"{path}: not a regular file")
    _check_bytes(path.absolute(), unsealed)
    try:
        file = h5py.File(path)
    except OSError as error:
        raise ValueError(f"{path}: not a results file of pimsweep ({error})") from None
    try:
        if columns.attribute(file, "format") != FORMAT:
            raise ValueError(f"{path}: not a results file of pimsweep")
        if file.attrs.get("format_version") != FORMAT_VERSION:
            raise ValueError(f"{path}: a results file of format version {file.attrs.get('format_version')}; this package "
                             f"reads version {FORMAT_VERSION}")
        if "provenance" in _members(file):
            _members(file["provenance"])
    except BaseException:
        file.close()
        raise
    return file


def studies(file: h5py.File) -> list[str]:
    """The names of all studies in the order of the experiment, or by name in a file that does not keep it."""
    names = [name for name, item in file.items() if isinstance(item, h5py.Group) and name != "provenance"]
    return sorted(names, key=lambda name: int(file.id.links.get_info(name.encode()).corder))


def _members(group: h5py.Group) -> list[str]:
    """The names of all members, none of which leads elsewhere."""
    links: list[tuple[bytes, int]] = []
    # HDF5 1.10 may crash while it lists links that it cannot decode; a search for one reads all, and only fails.
    try:
        group.id.links.exists(b"?")
    except (KeyError, OSError, RuntimeError) as error:
        raise ValueError(f"{group.file.filename}: '{group.name}' cannot be listed: the file is damaged") from error
    group.id.links.iterate(lambda name, info: links.append((name, info.type)), info=True)
    for name, kind in links:
        if kind != h5py.h5l.TYPE_HARD:
            raise ValueError(f"{group.file.filename}: '{group.name}/{name.decode()}' is a link to elsewhere")
    return [name.decode() for name, _ in links]


def _check_column(group: h5py.Group, name: str, column: h5py.h5d.DatasetID) -> int:
    """Checks one column and returns its number of rows."""
    def fail(why: str) -> ValueError:
        return ValueError(f"{group.file.filename}: column '{group.name.strip('/')}/{name}' {why}")

    created, kind, shape = column.get_create_plist(), column.get_type(), column.shape
    is_text = kind.get_class() == h5py.h5t.STRING
    if is_text and (kind.is_variable_str() or kind.get_size() != 1):
        raise fail("is of a type that results files do not have")
    if not is_text and kind.get_class() not in (h5py.h5t.INTEGER, h5py.h5t.FLOAT):
        raise fail("is of a type that results files do not have")
    if len(shape) != (2 if is_text else 1):
        raise fail("has the wrong number of dimensions")
    if is_text and shape[1] > _MAX_TEXT_BYTES:
        raise fail(f"has texts of {shape[1]} bytes, allowed are {_MAX_TEXT_BYTES}")
    if created.get_external_count() or created.get_layout() not in _LAYOUTS:
        raise fail("is stored in another file")
    if any(created.get_filter(place)[0] not in _FILTERS for place in range(created.get_nfilters())):
        raise fail("has a filter that results files do not have")
    return int(shape[0])


def _check_columns(group: h5py.Group, dimension: str) -> list[str]:
    """Checks the columns of a group, which number their rows in one of them; returns the names of its groups."""
    groups: list[str] = []
    rows: dict[str, int] = {}
    for name in _members(group):
        item = h5py.h5o.open(group.id, name.encode())
        if isinstance(item, h5py.h5g.GroupID):
            groups.append(name)
        elif isinstance(item, h5py.h5d.DatasetID):
            rows[name] = _check_column(group, name, item)
            stored = min(item.get_storage_size(), group.file.id.get_filesize())
            if name == dimension and rows[name] // _MAX_COMPRESSION > stored:
                raise ValueError(f"{group.file.filename}: '{group.name}' has {rows[name]} rows in {stored} bytes")
    if dimension not in rows:
        raise ValueError(f"{group.file.filename}: column '{group.name.strip('/')}/{dimension}' is missing")
    for name, count in rows.items():
        if count != rows[dimension]:
            raise ValueError(f"{group.file.filename}: column '{group.name.strip('/')}/{name}' has {count} rows instead of "
                             f"{rows[dimension]}")
    return groups


def _check_with_long_texts(group: h5py.Group, dimension: str) -> list[str]:
    groups = _check_columns(group, dimension)
    if columns.LONG_TEXTS in groups:
        for name in _members(group[columns.LONG_TEXTS]):
            if _check_columns(group[columns.LONG_TEXTS][name], "piece"):
                raise ValueError(f"{group.file.filename}: '{group.name}/{columns.LONG_TEXTS}/{name}' has groups")
    return [name for name in groups if name != columns.LONG_TEXTS]


def check_study(file: h5py.File, study: str) -> list[str]:
    """Checks the columns of a study before they are read; returns the names of its detail tables. ValueError."""
    return _check_with_long_texts(file[study], "point")


def check_table(file: h5py.File, study: str, table: str) -> None:
    """Checks the columns of a detail table before they are read. ValueError."""
    _check_with_long_texts(file[study][table], "row")
