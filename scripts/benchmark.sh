#!/usr/bin/env bash
# Every speed claim of the docs, measured. `benchmark.sh` runs the Google Benchmark programs and whole commands;
# `benchmark.sh scaling` prints the tables of docs/scaling.md, writes those of whole runs there, and draws its picture. Those of docs/performance.md are written by
# benchmarks/performance.py.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case "${1:-all}" in
  all | scaling) ;;
  *) echo "benchmark.sh: no benchmarks '$1'; there are: all, scaling" >&2; exit 2 ;;
esac
scripts/setup.sh
scripts/build.sh release
# shellcheck source=scripts/mpi-env.sh
source scripts/mpi-env.sh
if [[ "${1:-all}" == scaling ]]; then
  /usr/bin/python3 benchmarks/protocol_simulation.py measure shared-memory
  /usr/bin/python3 benchmarks/protocol_simulation.py measure tcp-loopback --mpirun "--mca btl tcp,self"
  /usr/bin/python3 benchmarks/protocol_simulation.py check
  /usr/bin/python3 benchmarks/protocol_simulation.py sweep --latency 2e-6
  /usr/bin/python3 benchmarks/scaling.py --page docs/scaling.md
  /usr/bin/python3 benchmarks/against_other_tools.py
  exit 0
fi
for program in build/release/benchmarks/benchmark_*; do
  [[ -x "$program" && -f "$program" ]] && "$program"
done
build/release/benchmarks/cheap_points
/usr/bin/python3 benchmarks/whole_command.py build/release/pimsweep experiments/allspark.toml fig11
/usr/bin/python3 benchmarks/whole_command.py build/release/pimsweep experiments/hypar.toml
