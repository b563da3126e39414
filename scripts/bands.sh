#!/usr/bin/env bash
# Do the constants that papers do not print reach the published values, and which of them decide? bands.sh [STEP ...]
#   together   the studies of experiments/uncertainty.toml on 64 machines whose uncertain constants are drawn together
#   alone      the same studies on machines that move one constant at a time (5 values of each)
#   influence  Sobol indices of each figure, from 512 blocks over its strongest constants (scripts/influence.py)
# Without any, all three. They record results/recorded/bands.csv and influence.csv (docs/uncertainty.md).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
pimsweep="${PIMSWEEP:-}"
if [[ -z "$pimsweep" ]]; then
  scripts/build.sh release pimsweep
  pimsweep=build/release/pimsweep
fi
export PIMSWEEP="$pimsweep" PYTHONPATH="$PWD/python"
folder=build/bands
mkdir -p "$folder"
run() { "$pimsweep" experiments/uncertainty.toml "$@" --resume --progress none; }
steps=(together alone influence)
(($#)) && steps=("$@")
for step in "${steps[@]}"; do
  case "$step" in
    together) run --output "$folder/together.h5" ;;
    alone) run --draws 5 --draw-method one-at-a-time --output "$folder/alone.h5" ;;
    influence) /usr/bin/python3 scripts/influence.py "$folder" ;;
    *) echo "bands.sh: unknown step '$step'" >&2; exit 2 ;;
  esac
done
"$pimsweep" report --bands "$folder"/together.h5 "$folder"/alone.h5 --csv results/recorded/bands.csv | tail -n 6
