#!/usr/bin/env bash
# Do the constants that papers do not print reach the published values? bands.sh [PAPER ...] (default: all five): runs the
# studies that published values are recomputed from on 64 machines whose uncertain constants are drawn together, and on
# machines that move one constant at a time (docs/uncertainty.md), and records what comes out in
# results/recorded/PAPER_bands.csv. MACHINES and LEVELS change the numbers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/mpi-env.sh
source scripts/mpi-env.sh
pimsweep="${PIMSWEEP:-}"
if [[ -z "$pimsweep" ]]; then
  scripts/build.sh release pimsweep
  pimsweep=build/release/pimsweep
fi
folder=build/bands
mkdir -p "$folder"
papers=(allspark hypar pimflow heteropim rtconc)
(($#)) && papers=("$@")
for paper in "${papers[@]}"; do
  studies=()
  while read -r study; do studies+=(--study "$study"); done < <(
    sed -n 's/^study = "\(.*\)"$/\1/p' "results/published/$paper.toml" | sort -u)
  for method in lhs one-at-a-time; do
    draws="${MACHINES:-64}"
    [[ "$method" == lhs ]] || draws="${LEVELS:-5}"
    mpirun -n "$(nproc)" "$pimsweep" "experiments/$paper.toml" "${studies[@]}" --draws "$draws" --draw-method "$method" \
      --output "$folder/$paper-$method.h5" --resume --progress none
  done
  "$pimsweep" report --bands "$folder/$paper-lhs.h5" "$folder/$paper-one-at-a-time.h5" \
    --csv "results/recorded/${paper}_bands.csv" | tail -n 2
done
