"""The commands report, fidelity and sensitivity, which the program forwards."""

from __future__ import annotations

import argparse
import os
import sys

from ..experiment import BAD_INPUT, NO_OUTPUT
from ..requirements import missing
from . import bands, fidelity, report, sensitivity
from .problems import bad_input
from .published import read_published
from .tables import Output, Unwritable, csv_text


def _report(args: argparse.Namespace, output: Output) -> None:
    published = read_published(args.published)
    if args.bands:
        found = bands.make_bands(args.results, published, args.unsealed, args.study)
        bands.print_bands(found, output)
        if args.machines:
            output.write_csv(args.machines, csv_text(bands.MACHINE_COLUMNS, bands.rows_on_machines(found)))
        return
    report.print_report(report.make_report(args.results, published, args.paper, args.unsealed, args.study), output)
    chosen = report.chosen_in(args.results, args.study, args.unsealed) if output.has_text else {}
    for path, studies in chosen.items():
        agreement = fidelity.compare_fidelities(path, unsealed=args.unsealed, chosen=studies)
        if agreement.metrics:
            print(fidelity.as_text(agreement), end="")


def _fidelity(args: argparse.Namespace, output: Output) -> None:
    agreement = fidelity.compare_fidelities(args.results[0], args.min, args.group_by, args.unsealed, args.study)
    if not agreement.metrics:
        raise bad_input(f"'{args.results[0]}' has no study with results at several fidelities (axis 'fidelity')")
    fidelity.print_fidelity(agreement, output)


def _sensitivity(args: argparse.Namespace, output: Output) -> None:
    found = sensitivity.find_sensitivities(args.results[0], args.metric, args.study, args.unsealed)
    sensitivity.print_sensitivity(found, output)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 -m pimsweep.analysis", description=__doc__)
    commands = parser.add_subparsers(required=True)
    for name, act in (("report", _report), ("fidelity", _fidelity), ("sensitivity", _sensitivity)):
        command = commands.add_parser(name)
        command.set_defaults(act=act)
        command.add_argument("results", nargs="+")
        command.add_argument("--csv", default="")
        command.add_argument("--study", action="append", default=[])
        for flag in ("--json", "--force", "--unsealed"):
            command.add_argument(flag, action="store_true")
    one = commands.choices["report"]
    one.add_argument("--published", required=True, help="folder of the published values")
    one.add_argument("--paper", action="append", default=[])
    one.add_argument("--bands", action="store_true")
    one.add_argument("--machines", default="")
    one = commands.choices["fidelity"]
    one.add_argument("--min", action="append", default=[])
    one.add_argument("--group-by", action="append", default=[])
    one = commands.choices["sensitivity"]
    one.add_argument("--metric", default="")
    return parser


def main() -> int:
    args = _parser().parse_args()
    try:
        args.act(args, Output(args.csv, args.json, args.results, args.force))
        sys.stdout.flush()
    except BrokenPipeError:
        # A reader that has closed its pipe, as `head` does, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except ModuleNotFoundError as error:
        sys.exit(missing(error))
    except Unwritable as error:
        return _failed(str(error), NO_OUTPUT)
    except OSError as error:
        # Only the standard output is written without a name.
        if error.filename is None and error.strerror:
            return _failed(f"cannot write to standard output: {error.strerror}", NO_OUTPUT)
        return _failed(str(error), BAD_INPUT)
    except ValueError as error:
        return _failed(str(error), BAD_INPUT)
    return 0


def _failed(message: str, status: int) -> int:
    sys.stderr.write("".join(f"pimsweep: error: {line}\n" for line in message.splitlines()))
    return status


if __name__ == "__main__":
    sys.exit(main())
