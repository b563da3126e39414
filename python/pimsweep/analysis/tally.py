"""How many published values agree. README, its picture, the page, docs/fidelity.md, `pimsweep report` and the last lines of
scripts/reproduce.sh take their counts from here, so that no two of them differ."""

from __future__ import annotations

import dataclasses
import math

import pandas as pd

from .judge import AGREEING, COMPARED, QUARTER, WITHIN

# The roles of which agreement says something: a value of another role is fitted, true by construction, or an artifact's.
COUNTED_ROLES = ("validation", "reading")
# The largest distance of the 95 % quantile from the 5 % quantile over sampled machines, relative to the median, of a value
# that printed facts determine.
DETERMINED_WIDTH = 0.20
# Of claims and texts: the share of machines that must give one answer.
UNANIMOUS = 0.95


def as_built(report: pd.DataFrame) -> pd.DataFrame:
    """One row for each value: without those that readings with a study of their own add."""
    return report.drop_duplicates("id")


def compared(report: pd.DataFrame) -> pd.DataFrame:
    """The rows that were recomputed where the paper does not contradict itself."""
    return report[report.verdict.isin(COMPARED)]


def counted(report: pd.DataFrame) -> pd.DataFrame:
    """The values that shares count, one row each, as built."""
    rows = compared(as_built(report))
    return rows[rows.role.isin(COUNTED_ROLES)]


def within(report: pd.DataFrame, tolerance: float, as_ratios: bool = False) -> pd.Series[bool]:
    """Which rows are at most `tolerance` away or hold a range or bound; improvements as printed, or as the ratios that
    they stand for where these are nearer. A bound that is missed is not within 10 %, however little it is missed."""
    agrees = report.verdict.isin(AGREEING)
    far = pd.to_numeric(report.deviation, errors="coerce").abs()
    if as_ratios:
        agrees |= report.ratio_verdict.isin(AGREEING)
        far = pd.to_numeric(report.ratio_deviation, errors="coerce").abs().fillna(far).clip(upper=far)
    return agrees | (far <= tolerance) & ((report.verdict != "near") | (tolerance > WITHIN))


@dataclasses.dataclass(frozen=True)
class Tally:
    """How near some rows of reports are."""

    values: int
    compared: int
    exact: int
    within_10_percent: int
    within_25_percent: int
    ratio_within_10_percent: int
    """the same where improvements are compared as the ratios that they stand for"""
    ratio_within_25_percent: int
    near: int
    """bounds and ranges missed by more than rounding and at most 10 %: within 25 %, not within 10 %"""


def tally(report: pd.DataFrame) -> Tally:
    """The one count of rows that agree."""
    rows = compared(report)

    def near(tolerance: float, as_ratios: bool = False) -> int:
        return int(within(rows, tolerance, as_ratios).sum())

    return Tally(len(report), len(rows), int((rows.verdict == "exact").sum()), near(WITHIN), near(QUARTER), near(WITHIN, True),
                 near(QUARTER, True), int((rows.verdict == "near").sum()))


def is_determined(band: pd.Series[str]) -> bool:
    """Whether sampled machines agree on a value, by its row of a table of bands: then printed facts determine it."""
    low, median, high = (float(band[name] or "nan") for name in ("low", "median", "high"))
    if math.isnan(median):
        near = float(band["near"])
        return max(near, 1 - near) >= UNANIMOUS
    return high - low <= DETERMINED_WIDTH * abs(median)


@dataclasses.dataclass(frozen=True)
class Split:
    """The values that shares count: those that printed facts determine, and those that depend on constants that no source
    prints and on choices that a paper leaves open. Only of the first does a share of near values say how right a model is."""

    determined: Tally
    dependent: Tally
    covered: int
    """dependent values whose band holds the published one"""
    width: float
    """of the median band of dependent numbers, relative to the published value; NaN without any"""


def split(report: pd.DataFrame) -> Split:
    """report: rows with the columns of their bands and `determined`, "yes" or "no"."""
    rows = counted(report)
    determined = rows.determined == "yes"
    dependent = rows[~determined]
    low, high, published = (pd.to_numeric(dependent[name], errors="coerce") for name in ("low", "high", "published"))
    width = ((high - low) / published.abs()).median() if len(dependent) else math.nan
    return Split(tally(rows[determined]), tally(dependent), int((dependent.covered == "yes").sum()), float(width))


def share(found: int, of: int) -> str:
    return f"{found} ({100 * found / of:.0f} %)" if of else "-"


def percent_or_dash(value: float) -> str:
    return "-" if math.isnan(value) else f"{100 * value:.0f} %"


def headline(report: pd.DataFrame) -> str:
    """The count in one paragraph."""
    found = split(report)
    sure, other = found.determined, found.dependent
    text = (f"Of {len(as_built(report))} published values, {sure.compared + other.compared} were recomputed and say something about the "
            f"models: none of them was fitted to, is true by construction or follows the rules of an artifact.")
    if sure.compared:
        text += (f" Printed facts determine {sure.compared} of them: {share(sure.within_10_percent, sure.compared)} are within 10 % and "
                 f"{share(sure.within_25_percent, sure.compared)} within 25 % as printed, "
                 f"{share(sure.ratio_within_10_percent, sure.compared)} and {share(sure.ratio_within_25_percent, sure.compared)} where "
                 f"improvements in percent are compared as ratios.")
    if other.compared:
        text += (f" {'The other' if sure.compared else 'All'} {other.compared} depend on constants that no source prints or on choices "
                 f"that a paper leaves open: {share(found.covered, other.compared)} lie in the range that these allow, whose median width "
                 f"is {percent_or_dash(found.width)} of the published value.")
    return text


def short_headline(report: pd.DataFrame) -> str:
    """The count in a line, as the title of a picture."""
    found = split(report)
    sure, other = found.determined.compared, found.dependent.compared
    return f"{sure + other} published values beside ours: printed facts determine {sure}, unprinted constants move {other}"
