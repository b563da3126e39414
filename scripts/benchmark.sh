#!/usr/bin/env bash
# Every speed claim of the docs, measured: Google Benchmark programs, then whole commands.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh
scripts/build.sh release
# shellcheck source=scripts/mpi-env.sh
source scripts/mpi-env.sh
for program in build/release/benchmarks/benchmark_*; do
  [[ -x "$program" && -f "$program" ]] && "$program"
done
/usr/bin/python3 benchmarks/whole_command.py build/release/pimsweep experiments/allspark.toml
