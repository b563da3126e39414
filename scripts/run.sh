#!/usr/bin/env bash
# From a bare machine to figures: scripts/run.sh [EXPERIMENT] [-n RANKS] [-- PIMSWEEP OPTIONS].
# Installs packages, builds, runs the experiment on RANKS ranks (default: all cores), draws its figures, prints where they are.
set -euo pipefail
repo="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
start="$PWD"

usage() { sed -n '2,3s/^# //p' "${BASH_SOURCE[0]}"; }
experiment=""
ranks=()
options=()
while (($#)); do
  case "$1" in
    -n) [[ "${2:-}" =~ ^[1-9][0-9]*$ ]] || { echo "run.sh: -n needs a number of ranks" >&2; exit 2; }; ranks=(--ranks "$2"); shift 2 ;;
    -h | --help) usage; exit 0 ;;
    --) shift; options=("$@"); break ;;
    -*) echo "run.sh: unknown option '$1'" >&2; usage >&2; exit 2 ;;
    *) [[ -z "$experiment" ]] || { echo "run.sh: one experiment at a time" >&2; exit 2; }; experiment="$1"; shift ;;
  esac
done
experiment="${experiment:-$repo/experiments/allspark.toml}"
[[ "$experiment" == /* ]] || experiment="$start/$experiment"
[[ -f "$experiment" ]] || { echo "run.sh: no experiment file '$experiment'" >&2; exit 2; }

cd "$repo"
# shellcheck source=scripts/stages.sh
source scripts/stages.sh
STAGES=4

stage "Packages: up to 3 min when they are missing"
scripts/setup.sh
stage "Build: about 6 min on two cores the first time (build/release.log)"
scripts/build.sh release pimsweep

stage "Experiment $experiment"
pimsweep=build/release/pimsweep
name="$("$pimsweep" plan "$experiment" --name)"
results="results/$name.h5"
"$pimsweep" "$experiment" --output "$results" --resume "${ranks[@]}" "${options[@]}"

stage "Figures"
script="scripts/figures/$name.py"
if [[ -f "$script" ]]; then
  /usr/bin/python3 scripts/draw_figures.py "$results"
  "$pimsweep" report "$results" --csv "results/figures/$name/report.csv"
  echo "results: $repo/$results"
  echo "figures: $repo/results/figures/$name"
else
  echo "results: $repo/$results (no figures: there is no $script)"
fi
