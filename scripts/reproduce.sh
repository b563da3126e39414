#!/usr/bin/env bash
# Everything, from a bare machine: scripts/reproduce.sh [--papers] [-n RANKS] [-- PIMSWEEP OPTIONS].
# Runs all experiments of the papers, of the hardware parts and of language models (with --papers none of these), draws all
# figures, compares every published number. Writes results/NAME.h5, results/figures/NAME, results/reports, results/fidelity
# (a new docs/fidelity.md) and results/page/index.html.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

papers=(allspark hypar pimflow heteropim rtconc)
parts=(noc allspark-placement allspark-fidelity crossover fidelity dram kernel manycore newton gemm gpu)
# Papers on language models, and the experiments beside them.
language_papers=(cent attacc ianus neupims duplex papi)
language_parts=(llm llm-fidelity llm-winners llm-optimum)
# Papers whose machines are not modeled: all of their values are open.
open_papers=(pimphony samsung)

usage() { sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}"; }
ranks="$(nproc)"
options=()
five_papers=
while (($#)); do
  case "$1" in
    -n) [[ "${2:-}" =~ ^[1-9][0-9]*$ ]] || { echo "reproduce.sh: -n needs a number of ranks" >&2; exit 2; }; ranks="$2"; shift 2 ;;
    --papers) five_papers=yes; shift ;;
    -h | --help) usage; exit 0 ;;
    --) shift; options=("$@"); break ;;
    *) echo "reproduce.sh: unknown option '$1'" >&2; usage >&2; exit 2 ;;
  esac
done

# shellcheck source=scripts/stages.sh
source scripts/stages.sh
STAGES=4

stage "Packages: up to 3 min when they are missing"
scripts/setup.sh
stage "Build: about 6 min on two cores the first time (build/release.log)"
scripts/build.sh release pimsweep
pimsweep=build/release/pimsweep
start=$EPOCHREALTIME
logs=results/figures/logs
mkdir -p results/reports "$logs"

# elapsed SINCE: seconds, with one digit
elapsed() { awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%6.1f s", to - from }'; }
# or_tell LOG WHAT COMMAND...: runs it; if it fails, shows the end of its log and ends everything.
or_tell() {
  local log="$1" what="$2"
  shift 2
  "$@" >"$log" 2>&1 || { local status=$?; tail -n 20 "$log" >&2; echo "reproduce.sh: $what failed (status $status), see $log" >&2; exit "$status"; }
}

all=("${papers[@]}" "${parts[@]}")
[[ $five_papers ]] || all+=("${language_papers[@]}" "${language_parts[@]}")
stage "${#all[@]} experiments and their figures: about 1 min on two cores"
# Figures are drawn while later experiments run.
exec {drawn}> >(/usr/bin/python3 scripts/draw_figures.py -n "$ranks")
drawing=$!
for i in "${!all[@]}"; do
  name="${all[i]}"
  began=$EPOCHREALTIME
  or_tell "$logs/$name.run.log" "experiment $name" \
    "$pimsweep" "experiments/$name.toml" --ranks "$ranks" --output "results/$name.h5" --force --progress none "${options[@]}"
  echo "$name" >&"$drawn"
  printf '  %2d of %d  %-20s %s\n' $((i + 1)) "${#all[@]}" "$name" "$(elapsed "$began")"
done

# report_of PAPER RESULTS
report_of() {
  or_tell "$logs/$1.report.log" "report of $1" "$pimsweep" report "$2" --paper "$1" --csv "results/reports/${1}_report.csv"
}
rm -f results/reports/*_report.csv
for name in "${papers[@]}"; do report_of "$name" "results/$name.h5"; done
if [[ ! $five_papers ]]; then
  for name in "${language_papers[@]}"; do report_of "$name" "results/$name.h5"; done
  for name in "${open_papers[@]}"; do report_of "$name" "results/${language_papers[0]}.h5"; done
fi

stage "Reports, pages and the last figures: about 20 s"
began=$EPOCHREALTIME
echo papers >&"$drawn"
exec {drawn}>&-
/usr/bin/python3 scripts/fidelity_docs.py --reports results/reports --output results
wait "$drawing" || { echo "reproduce.sh: not all figures were drawn" >&2; exit 1; }
printf 'the last figures             %s\n' "$(elapsed "$began")"

/usr/bin/python3 scripts/page.py --figures results/figures --reports results/reports --output results/page
/usr/bin/python3 scripts/fidelity_docs.py --reports results/reports --summary
printf 'all of it                    %s\n' "$(elapsed "$start")"
echo "page:   $PWD/results/page/index.html"
echo "report: $PWD/results/fidelity.md"
