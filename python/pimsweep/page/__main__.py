"""pimsweep page RESULTS... -o PAGE.html"""

import argparse
import pathlib
import sys

from . import MAX_POINTS, MissingPlotly, page


def main() -> int:
    parser = argparse.ArgumentParser(prog="pimsweep page", description="One HTML file that shows results in a browser")
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--study", action="append", default=[])
    parser.add_argument("--points", type=int, default=MAX_POINTS)
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--unsealed", action="store_true")
    args = parser.parse_args()
    try:
        written = page(args.results, args.output, args.points, args.force, args.unsealed, args.study)
    except (OSError, ValueError, MissingPlotly) as error:
        print(f"pimsweep: error: {error}", file=sys.stderr)
        return 74 if isinstance(error, OSError) and not isinstance(error, FileNotFoundError) else 2
    print(f"page: {written} ({written.stat().st_size / 1e6:.1f} MB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
