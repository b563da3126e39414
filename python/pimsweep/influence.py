"""Which uncertain constants decide a result: rank regression and Sobol indices over sampled machines.

    python3 -m pimsweep.influence RESULTS...

For each figure or table of a paper the constants are listed by the share of the variance that they cause
(docs/uncertainty.md). Of machines drawn as Saltelli's blocks the shares are Sobol indices with 95 % intervals, of
others those of a linear regression on ranks.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
import sys
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import columns
from .analysis.bands import Band, make_bands
from .analysis.published import read_published
from .analysis.sensitivity import saltelli_terms
from .columns import DRAW
from .results import Results, published_folder

Numbers = npt.NDArray[np.float64]
REPLICATES = 400
# Results that differ by less, relative to their size, are equal.
ROUNDING = 1e-9
# With 20 degrees of freedom, chance makes one in 450 coefficients that mean nothing larger (Student).
CHANCE = 3.5
# Half-width of an interval above which indices are meaningless, as for results that vary in few blocks.
WIDEST = 0.5
# The spread of a result that differs from its median on fewer of the first two machines of all blocks is up to chance.
FEWEST = 20


@dataclasses.dataclass(frozen=True)
class Machines:
    """The sampled machines of a study."""

    method: str
    """sobol, lhs, random, saltelli or one-at-a-time"""
    block: int
    """machines of one of Saltelli's blocks; 0 for other methods"""
    constants: pd.DataFrame
    """a column for each sampled constant or choice, a row for each machine, texts as numbers"""
    tied: dict[str, list[str]]
    """columns sampled at the same position in their ranges, by the first of them; other columns alone"""


def machines_of(results: Results, study: str) -> Machines:
    """The sampled machines of a study. Throws ValueError if it has none."""
    with results.file() as file:
        group = results.checked(file, study)
        draw = columns.origin(group[DRAW]) if DRAW in group else None
        if draw is None or not draw.method:
            raise ValueError(f"{results.path}: study '{study}' has no sampled machines")
        machines = int(group[DRAW][:].max())
        # The machine is the fastest factor: the first points are those of one point's machines.
        rows = np.arange(1, machines + 1)
        drawn = {name: columns.values(group[name], rows) for name in results.axes(study) if columns.origin(group[name]).is_drawn}
    constants = pd.DataFrame({name: values if values.dtype != object else pd.factorize(values)[0]
                              for name, values in drawn.items()}).astype(float)
    constants = constants.loc[:, constants.nunique() > 1]
    return Machines(draw.method, draw.block, constants, _tied(constants))


def _tied(constants: pd.DataFrame) -> dict[str, list[str]]:
    groups: dict[bytes, list[str]] = {}
    for name in constants:
        groups.setdefault(constants[name].rank(method="dense").to_numpy().tobytes(), []).append(str(name))
    return {names[0]: names for names in groups.values()}


def is_varying(numbers: Numbers) -> npt.NDArray[np.bool_]:
    """Which results, (results, machines), differ between machines by more than rounding."""
    size = np.nanmax(np.abs(numbers), axis=1, initial=0)
    varying: npt.NDArray[np.bool_] = np.nan_to_num(np.nanmax(numbers, axis=1, initial=-np.inf) -
                                                   np.nanmin(numbers, axis=1, initial=np.inf)) > ROUNDING * size
    return varying


def rank_shares(machines: Machines, numbers: Numbers) -> pd.Series:
    """The squared coefficients of a linear regression of ranks on ranks, all standardized, by constant: about the
    share of the variance that each causes, where results rise or fall with it (Saltelli et al., Sensitivity Analysis,
    2000, Sec. 2.3). Coefficients that chance may have made, of less than CHANCE standard errors, are 0. `numbers` has
    the result on each machine, NaN where there is none.
    """
    given = ~np.isnan(numbers)
    ranks = machines.constants[list(machines.tied)][given].rank()
    ranks = ranks.loc[:, ranks.std() > 0]
    ranks = (ranks - ranks.mean()) / ranks.std()
    result = pd.Series(numbers[given]).rank()
    if given.sum() <= ranks.shape[1] + 1 or result.std() == 0:
        return pd.Series(dtype=float)
    standardized = ((result - result.mean()) / result.std()).to_numpy()
    design = ranks.to_numpy()
    coefficients, *_ = np.linalg.lstsq(design, standardized, rcond=None)
    residual = ((standardized - design @ coefficients)**2).sum() / (len(design) - design.shape[1] - 1)
    errors = np.sqrt(residual * np.diag(np.linalg.pinv(design.T @ design)))
    return pd.Series(np.where(np.abs(coefficients) > CHANCE * errors, coefficients**2, 0), index=ranks.columns)


@dataclasses.dataclass(frozen=True)
class Blocks:
    """What Saltelli's blocks of one study say about some results: sums over the results, for each block."""

    names: list[str]
    """the constants, in the order of the block's machines after the first two"""
    squares: Numbers
    """(blocks,): squared deviations of the first two machines"""
    products: Numbers
    """(blocks, constants): the terms of the first-order index"""
    differences: Numbers
    """(blocks, constants): the terms of the total index"""


def blocks_of(machines: Machines, numbers: Numbers) -> Blocks | None:
    """The blocks of some results, (results, machines), each result divided by its standard deviation, so that all
    count alike. Blocks in which a result is missing are left out, and so are results that hardly any machine changes; None
    if no result varies.
    """
    folded = numbers[is_varying(numbers)].reshape(-1, len(machines.constants) // machines.block, machines.block)
    folded = folded[:, ~np.isnan(folded).any(axis=(0, 2))]
    folded = folded[_is_often_varying(folded[:, :, :2])]
    if not folded.size or folded.shape[1] < 2:
        return None
    folded = folded - folded[:, :, :2].mean(axis=(1, 2), keepdims=True)
    spread = folded[:, :, :2].std(axis=(1, 2), keepdims=True)
    folded = folded / np.where(spread > 0, spread, 1)
    _, squares, products, differences = (terms.sum(axis=0) for terms in saltelli_terms(folded))
    return Blocks(_block_order(machines), squares, products, differences)


def _is_often_varying(numbers: Numbers) -> npt.NDArray[np.bool_]:
    """Which results, (results, blocks, machines), differ from their median on FEWEST machines or more."""
    if not numbers.size:
        return np.zeros(len(numbers), dtype=np.bool_)
    usual = np.median(numbers, axis=(1, 2), keepdims=True)
    often: npt.NDArray[np.bool_] = (np.abs(numbers - usual) > ROUNDING * np.abs(usual)).sum(axis=(1, 2)) >= FEWEST
    return often


def _block_order(machines: Machines) -> list[str]:
    """Which constant each machine of a block after the first two has from the second one."""
    values = machines.constants[list(machines.tied)].to_numpy().reshape(-1, machines.block, len(machines.tied))
    moved = (values[:, 2:] != values[:, :1]).any(axis=0)
    names = np.array(list(machines.tied))
    # A constant that takes the same value in all blocks decides nothing and has been left out of the columns.
    return [str(names[row][0]) if row.any() else "" for row in moved]


def sobol_shares(parts: list[Blocks]) -> pd.DataFrame:
    """First-order and total indices of the results of all parts together, by constant, with 95 % intervals.

    The variances of all results are added up, each relative to its own (Gamboa et al., C. R. Math. 351, 2013), by
    estimators b and f of Saltelli et al., Comput. Phys. Commun. 181, 2010, Table 2. Intervals are 1.96 standard errors
    by a bootstrap over blocks.
    """
    names = sorted({name for part in parts for name in part.names if name})
    random = np.random.default_rng(0)
    estimates = []
    for replicate in range(REPLICATES + 1):
        variance = 0.0
        first, total = pd.Series(0.0, names), pd.Series(0.0, names)
        for part in parts:
            count = len(part.squares)
            weights = np.bincount(random.integers(count, size=count), minlength=count) if replicate else np.ones(count)
            variance += float(weights @ part.squares) / (2 * count)
            first = first.add(pd.Series(weights @ part.products / count, part.names).drop("", errors="ignore"),
                              fill_value=0)
            total = total.add(pd.Series(weights @ part.differences / (2 * count), part.names).drop(
                "", errors="ignore"), fill_value=0)
        estimates.append(pd.concat([first / variance, total / variance], axis=1, keys=["first", "total"]))
    shares = estimates[0]
    for kind in ("first", "total"):
        errors = 1.96 * pd.concat([estimate[kind] for estimate in estimates[1:]], axis=1).std(axis=1)
        shares[f"{kind}_error"] = errors
    return shares


def values_of(bands: Sequence[Band]) -> pd.DataFrame:
    """Published values on each machine, a row for each: id, paper, where, results, study, draw, number."""
    # A text or a claim counts by whether it holds.
    return pd.DataFrame(
        [(band.nominal.published.id, band.nominal.published.paper, band.nominal.published.where, one.results, one.study, one.draw,
          float(one.is_near) if one.number is None else one.number) for band in bands for one in band.machines],
        columns=["id", "paper", "where", "results", "study", "draw", "number"])


class Values:
    """Published values on each machine, and these machines."""

    def __init__(self, rows: pd.DataFrame):
        self.rows = rows
        self.files = {name: Results(name) for name in self.rows["results"].unique()}
        self.machines = {(file, study): machines_of(self.files[file], study)
                         for file, study in self.rows[["results", "study"]].drop_duplicates().itertuples(index=False)}

    def numbers(self, rows: pd.DataFrame, machines: Machines) -> tuple[list[str], Numbers]:
        """The ids of the values of one study, and the values on each of its machines, (values, machines); NaN where
        there is none."""
        table = rows.pivot_table(index="id", columns="draw", values="number").reindex(
            columns=np.arange(1, len(machines.constants) + 1))
        return list(table.index), table.to_numpy()


def influence(values: pd.DataFrame) -> pd.DataFrame:
    """For each paper, figure or table (`where`) and constant: shares of the variance of its published values.

    values: as `values_of` makes them.

    Columns: paper, where, axis, values (how many vary), machines, blocks (of the study with the fewest), method, first and
    total with their errors (Sobol indices; half of the 95 % interval), rank (mean squared coefficient of the regression
    on ranks). Indices are given where blocks move all values that a regression has a constant for. Machines drawn one at
    a time say nothing about shares and are left out.
    """
    read = Values(values)
    found = [table.assign(paper=paper, where=where)
             for (paper, where), rows in read.rows.groupby(["paper", "where"], sort=False)
             if (table := _of_figure(read, rows)) is not None]
    order = ["paper", "where", "axis", "values", "machines", "blocks", "method", "first", "first_error", "total", "total_error",
             "rank"]
    return pd.concat(found).reindex(columns=order) if found else pd.DataFrame(columns=order)


def _of_figure(read: Values, rows: pd.DataFrame) -> pd.DataFrame | None:
    """Shares of one figure; None if all values are equal."""
    blocks: list[Blocks] = []
    regressions: list[pd.Series] = []
    varying: dict[str, set[str]] = {"blocks": set(), "together": set()}
    explained: set[str] = set()
    drawn = {"blocks": 0, "together": 0}
    counts: list[int] = []
    for (file, study), of_study in rows.groupby(["results", "study"], sort=False):
        machines = read.machines[file, study]
        if machines.method == "one-at-a-time" or machines.constants.empty:
            continue
        names, numbers = read.numbers(of_study, machines)
        way = "blocks" if machines.method == "saltelli" else "together"
        moves = is_varying(numbers)
        varying[way] |= {name for name, one in zip(names, moves) if one}
        drawn[way] = max(drawn[way], numbers.shape[1])
        if way == "together":
            found = {name: rank_shares(machines, one) for name, one, moved in zip(names, numbers, moves) if moved}
            explained |= {name for name, shares in found.items() if shares.any()}
            regressions += [shares for shares in found.values() if not shares.empty]
        elif part := blocks_of(machines, numbers):
            blocks.append(part)
            counts.append(numbers.shape[1] // machines.block)

    def told(table: pd.DataFrame, way: str, method: str) -> pd.DataFrame:
        about = {"method": method, "values": len(varying[way]), "machines": drawn[way],
                 "blocks": min(counts) if way == "blocks" else 0}
        return table.assign(**about).rename_axis("axis").reset_index()

    if blocks and varying["blocks"] >= explained:
        indices = sobol_shares(blocks)
        if indices["total_error"].max() <= WIDEST:
            return told(indices, "blocks", "saltelli")
    if regressions:
        return told(pd.concat(regressions, axis=1).fillna(0).mean(axis=1).to_frame("rank"), "together", "rank")
    return None


def strongest(shares: pd.DataFrame, count: int) -> pd.DataFrame:
    """The `count` constants of each figure that cause the largest share, the largest first."""
    size = shares["total"].fillna(shares["rank"])
    return shares.assign(size=size).sort_values("size", ascending=False, kind="stable").groupby(
        ["paper", "where"], sort=False).head(count).drop(columns="size").sort_values(
        ["paper", "where"], kind="stable")


def share_text(share: float, error: float) -> str:
    """'61 ± 4 %', or '61 %' without an error."""
    return f"{100 * share:.0f} %" if np.isnan(error) else f"{100 * share:.0f} \N{PLUS-MINUS SIGN} {100 * error:.0f} %"


def main() -> None:
    """The command line: RESULTS... [--strongest N] [--csv FILE]."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", help="results files with sampled machines")
    parser.add_argument("--strongest", type=int, default=3, help="constants of each figure (default: 3)")
    parser.add_argument("--csv", type=pathlib.Path, help="file for all constants")
    args = parser.parse_args()
    try:
        shares = influence(values_of(make_bands(args.results, read_published(published_folder()))))
    except (OSError, ValueError) as error:
        sys.exit(f"pimsweep: error: {error}")
    if args.csv:
        shares.to_csv(args.csv, index=False, float_format="%.4f")
    for (paper, where), rows in strongest(shares, args.strongest).groupby(["paper", "where"], sort=False):
        listed = [f"{row.axis} ({share_text(row.total, row.total_error)})" if row.method == "saltelli" else
                  f"{row.axis} ({share_text(row.rank, float('nan'))} of ranks)" for row in rows.itertuples()]
        print(f"{paper}, {where}: {', '.join(listed)}")


if __name__ == "__main__":
    main()
