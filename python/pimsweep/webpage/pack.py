"""Columns as JSON that a page unpacks: constants, codes of a dictionary, or numbers, as deflated bytes in base64."""

from __future__ import annotations

import base64
import math
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..columns import Column

Values = npt.NDArray[Any]
# Longer columns of numbers keep seven digits.
MAX_EXACT = 20_000
MAX_CODES = 1 << 16


def unit(about: Column) -> str:
    """The unit of a column, empty for a pure number."""
    return "" if about.unit == "1" else about.unit


def deflated(array: Values) -> str:
    """The bytes of an array, all first bytes of its items before all second ones, which deflates better."""
    planes = array.reshape(-1).view(np.uint8).reshape(-1, array.itemsize).T
    return base64.b64encode(zlib.compress(planes.tobytes(), 9 if array.itemsize < 4 else 6)).decode()


def cell(value: Any) -> Any:
    """A cell as JSON has it: NaN and infinities are null."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _rounded(numbers: Values) -> Values:
    """Numbers with four bytes each, where that loses digits only."""
    with np.errstate(over="ignore"):
        short = numbers.astype(np.float32)
    lost = np.isfinite(numbers) & (~np.isfinite(short) | ((short == 0) & (numbers != 0)))
    return numbers if lost.any() else short


def column(cells: Values) -> dict[str, Any]:
    """One of {"value": cell}, {"codes": bytes, "type": "u1"|"u2", "values": [cell]}, {"reals": bytes, "type": "f4"|"f8"}.

    Cells are texts, numbers or truth values; numbers without a value are null in `value` and `values`, NaN in `reals`.
    """
    codes, different = pd.factorize(cells, use_na_sentinel=False)
    if len(different) == 1:
        return {"value": cell(different[0])}
    is_text = cells.dtype == object
    if is_text or len(different) <= min(MAX_CODES, max(256, len(cells) // 4)):
        kind = np.uint8 if len(different) <= 1 << 8 else np.uint16 if len(different) <= MAX_CODES else np.uint32
        return {"codes": deflated(codes.astype(kind)), "type": f"u{np.dtype(kind).itemsize}",
                "values": [cell(value) for value in different]}
    numbers = cells.astype(np.float64)
    if len(numbers) > MAX_EXACT:
        numbers = _rounded(numbers)
    return {"reals": deflated(numbers), "type": f"f{numbers.itemsize}"}
