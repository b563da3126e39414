"""pimsweep page RESULTS... -o PAGE.html"""

import argparse
import pathlib
import sys

from ..analysis.tables import Output, Unwritable
from . import MAX_POINTS, MissingPlotly, page


def main() -> int:
    parser = argparse.ArgumentParser(prog="pimsweep page", description="One HTML file that shows results in a browser")
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--study", action="append", default=[])
    parser.add_argument("--points", type=int, default=MAX_POINTS)
    parser.add_argument("--csv", default="")
    for flag in ("--json", "--force", "--unsealed"):
        parser.add_argument(flag, action="store_true")
    args = parser.parse_args()
    try:
        written = page(args.results, args.output, args.points, args.force, args.unsealed, args.study)
        size = written.stat().st_size
        output = Output(args.csv, args.json, args.results, args.force)
        output.add(["page", "bytes"], [[str(written), str(size)]], ["bytes"])
        output.write()
    except Unwritable as error:
        print(f"pimsweep: error: {error}", file=sys.stderr)
        return 74
    except (OSError, ValueError, MissingPlotly) as error:
        print(f"pimsweep: error: {error}", file=sys.stderr)
        return 74 if isinstance(error, OSError) and not isinstance(error, FileNotFoundError) else 2
    if output.has_text:
        print(f"page: {written} ({size / 1e6:.1f} MB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
