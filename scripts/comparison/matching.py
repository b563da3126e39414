"""Which new point (or row) is which old one."""

import numpy as np
import pandas as pd


def key_codes(pairs, old_length, new_length):
    """Two arrays of integers, equal where all columns of a key are equal. `pairs`: (old values, new values) of each."""
    codes = np.zeros(old_length + new_length, dtype=np.int64)
    for old, new in pairs:
        if (old.dtype.kind == "O") != (new.dtype.kind == "O"):
            old, new = old.astype(str), new.astype(str)
        column, texts = pd.factorize(np.concatenate([old, new]))
        # NaN is -1.
        codes = pd.factorize(codes * (len(texts) + 1) + column + 1)[0].astype(np.int64)
    return codes[:old_length], codes[old_length:]


def match_keys(old_codes, new_codes):
    """For each old row the place of the new row with the same key, or -1: the n-th with a key goes to the n-th."""
    old, new = pd.DataFrame({"code": old_codes}), pd.DataFrame({"code": new_codes})
    for rows in (old, new):
        rows["nth"] = rows.groupby("code").cumcount()
    new["place"] = np.arange(len(new))
    place = old.merge(new, on=["code", "nth"], how="left")["place"]
    return place.fillna(-1).to_numpy(dtype=np.int64)


def varies(values):
    return len(values) > 1 and pd.Series(values).nunique(dropna=False) > 1


def match_points(pairs, old_length, free, in_order):
    """(place of the new point for each old one or -1, how they were matched).

    `pairs`: old and new values of each axis and label; `free`: a mask of new points that may be matched; `in_order`:
    whether the points of both stand in the same order, as far as their axes tell.
    """
    if in_order and old_length == len(free) and free.all():
        return np.arange(old_length), "in order"
    candidates = np.flatnonzero(free)
    best, how = np.full(old_length, -1), "not at all"
    varying = [(old, new) for old, new in pairs if varies(old)]
    for columns, told in ((pairs, "by all axes"), (varying, "by the axes that vary")):
        codes = key_codes([(old, new[candidates]) for old, new in columns], old_length, len(candidates))
        places = match_keys(*codes)
        if (places >= 0).sum() > (best >= 0).sum():
            best, how = np.where(places >= 0, candidates[places] if len(candidates) else -1, -1), told
        if (best >= 0).all():
            return best, how
    if old_length == len(free) and free.all():
        return np.arange(old_length), "in order, though axes differ"
    return best, how


def match_rows(old_points, new_points, places):
    """The new row for each old one of a detail table, or -1: the n-th of a point is the n-th of its new point."""
    if len(old_points) == len(new_points) and np.array_equal(places[old_points], new_points):
        return np.arange(len(old_points))
    return match_keys(places[old_points], new_points)
