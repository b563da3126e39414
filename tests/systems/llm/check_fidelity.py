#!/usr/bin/env python3
"""Runs experiments/llm-fidelity.toml: every row of two artifacts within its bound, measured queries on A100 within 20 %.

Usage: check_fidelity.py SOURCE_DIR PIMSWEEP
"""

import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(SOURCE / "python")]
import pimsweep

# Study: rows that have a result, and the largest deviation of each metric.
BOUNDS = {"attacc": (196, {"time_per_token": 1e-6, "energy_per_token": 1e-6, "time_to_first_token": 1e-6}),
          "attacc-modeled": (196, {"time_per_token": 5e-3, "energy_per_token": 1e-6}),
          "cent": (387, {"time_per_token": 0.01, "tokens_per_second": 0.01, "energy_per_token": 1e-4, "power": 0.01}),
          "a100-queries": (24, {"time": 0.2}),
          "a100-queued": (13, {"tokens_per_second": 0.2})}


def problems_of(study, points):
    rows, bounds = BOUNDS[study]
    points = points[points.status == 0]
    if len(points) != rows:
        yield f"{study}: {len(points)} rows have a result, not {rows}"
    for metric, bound in bounds.items():
        deviation = (points[metric] / points[f"reference_{metric}"] - 1).abs()
        print(f"{study}: {metric} of {deviation.count()} rows, at most {deviation.max():.3g} off (bound {bound:g})")
        if not deviation.max() <= bound:
            yield f"{study}: {metric} is up to {deviation.max():.3g} off, the bound is {bound:g}"


def main():
    with tempfile.TemporaryDirectory() as scratch:
        results = pathlib.Path(scratch) / "llm-fidelity.h5"
        subprocess.run([sys.argv[2], str(SOURCE / "experiments" / "llm-fidelity.toml"), "--output", str(results),
                        "--progress", "none"], check=True)
        opened = pimsweep.open(results)
        problems = [problem for study in BOUNDS for problem in problems_of(study, opened.frame(study))]
    sys.exit("\n".join(problems) or None)


if __name__ == "__main__":
    main()
