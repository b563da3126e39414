"""Units and quantities, read and printed as the program does: "400 MHz", "8 MiB", "0.66 pJ/bit"."""

from __future__ import annotations

import functools
import math
import re

DECIMAL_PREFIXES = {"P": 15, "T": 12, "G": 9, "M": 6, "k": 3, "m": -3, "u": -6, "n": -9, "p": -12, "f": -15, "a": -18}
BINARY_PREFIXES = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40}
# By symbol: a power of ten and the rest of its scale in SI units.
PREFIXED = {"s": (0, 1.0), "Hz": (0, 1.0), "B": (0, 1.0), "bit": (0, 0.125), "J": (0, 1.0), "W": (0, 1.0), "m": (0, 1.0),
            "V": (0, 1.0), "A": (0, 1.0), "F": (0, 1.0), "MAC": (0, 1.0), "OP": (0, 1.0), "FLOP": (0, 1.0), "OPS": (0, 1.0),
            "FLOPS": (0, 1.0)}
UNPREFIXED = {"min": (0, 60.0), "h": (0, 3600.0), "byte": (0, 1.0), "bytes": (0, 1.0), "bits": (0, 0.125), "cm": (-2, 1.0),
              "K": (0, 1.0), "USD": (0, 1.0), "cycle": (0, 1.0), "cycles": (0, 1.0), "flit": (0, 1.0), "flits": (0, 1.0)}
BINARY = ("B", "bit")


@functools.cache
def _symbols() -> dict[str, tuple[int, float]]:
    """Every symbol with every prefix that it may carry. Whole symbols win: "m" is a meter and "min" a minute."""
    found = {prefix + name: (power + more, rest) for name, (power, rest) in PREFIXED.items()
             for prefix, more in {**DECIMAL_PREFIXES, "\N{MICRO SIGN}": -6, "\N{GREEK SMALL LETTER MU}": -6}.items()}
    found |= {prefix + name: (PREFIXED[name][0], PREFIXED[name][1] * factor)
              for name in BINARY for prefix, factor in BINARY_PREFIXES.items()}
    return found | PREFIXED | UNPREFIXED


def _factor(unit: str) -> tuple[int, float]:
    """A unit such as "pJ/bit" or "mm^2" as a power of ten and the rest of its scale. ValueError: it is not a unit."""
    exponent, scale = 0, 1.0
    for sign, term in re.findall(r"(^|[*/])([^*/]*)", unit):
        name, _, digits = (part.strip() for part in term.partition("^"))
        if name != "1" and name not in _symbols():
            raise ValueError(f"'{name}' is not a unit")
        if "^" in term and not re.fullmatch(r"-?[1-9]", digits):
            raise ValueError(f"'{term.strip()}' in unit '{unit}' is not a power")
        power, rest = (0, 1.0) if name == "1" else _symbols()[name]
        times = int(digits or 1)
        exponent += (-1 if sign == "/" else 1) * power * times
        scale = scale / rest**times if sign == "/" else scale * rest**times
    return exponent, scale


def scale_of(unit: str) -> float:
    """The unit in SI units. ValueError: it is not a unit."""
    exponent, rest = _factor(unit)
    return float(f"1e{exponent}") * rest


def in_si(number: str, unit: str) -> float:
    """A quantity in SI units, with the same bits as the decimal number: 0.1 ns are 1e-10. ValueError: it is not one."""
    exponent, rest = _factor(unit)
    digits, _, own = number.lower().partition("e")
    found = float(f"{digits}e{int(own or 0) + exponent}") * rest
    if not math.isfinite(found):
        raise ValueError(f"'{number} {unit}' is not a finite quantity")
    return found


def shortest(number: float) -> str:
    """The shortest text that reads as this number: "1", "0.1", "1e-05"."""
    return repr(float(number)).removesuffix(".0")


def text_of(si: float, unit: str, digits: int = 6) -> str:
    """A readable quantity: text_of(4e8, "Hz") is "400 MHz". ValueError: `unit` is not a unit."""
    unit = unit.strip()
    value = si / scale_of(unit)
    if unit == "1":
        return f"{value:.{digits}g}"
    name, tail = re.fullmatch(r"([^*/^ ]*)(.*)", unit).groups()  # type: ignore[union-attr]
    power = int(re.fullmatch(r"\^?(-?\d+)?.*", tail.strip())[1] or 1) if tail.strip().startswith("^") else 1  # type: ignore[index]
    if name not in PREFIXED or value == 0 or not math.isfinite(value) or power < 1:
        return f"{value:.{digits}g} {unit}"
    if unit in BINARY:
        for prefix, factor in reversed(BINARY_PREFIXES.items()):
            # 8 GB are a whole number of KiB as well, but nobody would read them as such.
            if factor <= abs(value) < 10000 * factor and math.fmod(value, factor) == 0:
                return f"{value / factor:.{digits}g} {prefix}{unit}"
    for prefix, exponent in DECIMAL_PREFIXES.items():
        # The printed number decides: 999.9999999e6 is "1 G", not "1000 M".
        if exponent < 0 and float(f"{abs(value):.{digits}g}") >= 1:
            break
        scale = 10.0**(exponent * power)
        if (exponent < 0 or name != "s") and float(f"{abs(value) / scale:.{digits}g}") >= 1:
            return f"{value / scale:.{digits}g} {prefix}{unit}"
    return f"{value:.{digits}g} {unit}"
