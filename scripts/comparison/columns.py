"""Columns of results files, however they are stored, and whether two of them hold the same values."""

import h5py
import numpy as np


def read_column(dataset):
    """All values of a dataset: numbers as they are, texts (and codes that have meanings) as an array of str.

    Texts may be variable-length strings, fixed-length strings, or rows of a two-dimensional character array.
    """
    length = dataset.shape[0]
    # Constant columns are stored as a fill value only: one read covers all rows.
    constant = length > 1 and dataset.id.get_storage_size() == 0
    values = read_rows(dataset, slice(0, 1) if constant else slice(None))
    return np.broadcast_to(values, (length,)) if constant else values


def read_rows(dataset, rows):
    if h5py.check_string_dtype(dataset.dtype) and dataset.ndim == 1:
        return dataset.asstr()[rows]
    if dataset.dtype.kind == "S":
        return character_rows(dataset[rows])
    values = dataset[rows]
    if values.ndim != 1:
        raise ValueError(f"{dataset.name} has {values.ndim} dimensions")
    meanings = meanings_of(dataset)
    if meanings and values.dtype.kind in "iub":
        codes, where = np.unique(values, return_inverse=True)
        words = np.array([meanings.get(int(code), f"code {code}") for code in codes] or [""], dtype=object)
        return words[where]
    return values


def character_rows(characters):
    """Rows of single bytes as texts; NULs at the end are padding."""
    characters = np.ascontiguousarray(characters)
    if characters.shape[1] == 0:
        return np.full(characters.shape[0], "", dtype=object)
    rows = characters.view(f"S{characters.shape[1]}").reshape(-1)
    texts, where = np.unique(rows, return_inverse=True)
    return np.array([text.decode("utf-8") for text in texts] or [""], dtype=object)[where]


def meanings_of(dataset):
    """{code: text} of an enumeration or of a dataset with flag_values and flag_meanings."""
    enumeration = h5py.check_enum_dtype(dataset.dtype)
    if enumeration:
        return {code: name for name, code in enumeration.items()}
    if "flag_values" not in dataset.attrs or "flag_meanings" not in dataset.attrs:
        return {}
    meanings = dataset.attrs["flag_meanings"]
    words = (meanings.decode() if isinstance(meanings, bytes) else meanings).split()
    return {int(code): word for code, word in zip(dataset.attrs["flag_values"], words)}


def translate(values, texts):
    """The values with each text that is a key of `texts` replaced."""
    if not texts or values.dtype.kind != "O":
        return values
    found, where = np.unique(values, return_inverse=True)
    return np.array([texts.get(text, text) for text in found] or [""], dtype=object)[where]


def differing(old, new):
    """A mask of where two equally long columns differ. Numbers differ in any bit, but NaN equals NaN."""
    if old.dtype.kind == "O" and new.dtype.kind == "O":
        return np.asarray(old != new, dtype=bool)
    if old.dtype.kind == "O" or new.dtype.kind == "O":
        length = len(old)
        old, new = as_numbers(old), as_numbers(new)
        if old is None or new is None:
            return np.ones(length, dtype=bool)
    if old.dtype == new.dtype and old.dtype.kind == "f":
        bits = f"u{old.dtype.itemsize}"
        return (bits_of(old, bits) != bits_of(new, bits)) & ~(np.isnan(old) & np.isnan(new))
    if old.dtype.kind in "iub" and new.dtype.kind in "iub":
        return old != new
    # An integer and a real: as numbers that hold either exactly.
    old, new = old.astype(np.longdouble), new.astype(np.longdouble)
    return (old != new) & ~(np.isnan(old) & np.isnan(new))


def bits_of(values, bits):
    return np.ascontiguousarray(values).view(bits)


def as_numbers(values):
    if values.dtype.kind != "O":
        return values
    try:
        return values.astype(np.float64)
    except ValueError:
        return None
