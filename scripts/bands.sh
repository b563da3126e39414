#!/usr/bin/env bash
# Do the constants that papers do not print reach the published values? bands.sh [PAPER ...] (default: all five): runs each
# paper's experiment on 64 machines whose uncertain constants are drawn together and on machines that move one constant at
# a time (docs/uncertainty.md), and records what comes out in results/recorded/PAPER_bands.csv. MACHINES and LEVELS change
# the numbers. Twenty minutes on two cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/mpi-env.sh
source scripts/mpi-env.sh
scripts/build.sh release pimsweep
folder=build/bands
mkdir -p "$folder"
papers=(allspark hypar pimflow heteropim rtconc)
(($#)) && papers=("$@")
for paper in "${papers[@]}"; do
  for method in sobol one-at-a-time; do
    draws="${MACHINES:-64}"
    [[ "$method" == sobol ]] || draws="${LEVELS:-7}"
    mpirun -n "$(nproc)" build/release/pimsweep "experiments/$paper.toml" --draws "$draws" --draw-method "$method" \
      --output "$folder/$paper-$method.h5" --force --progress none
  done
  build/release/pimsweep report --bands "$folder/$paper-sobol.h5" "$folder/$paper-one-at-a-time.h5" \
    --csv "results/recorded/${paper}_bands.csv"
done
