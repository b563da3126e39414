#!/usr/bin/env bash
# Everything, from a bare machine: scripts/reproduce.sh [-n RANKS] [-- PIMSWEEP OPTIONS].
# Runs all experiments of the papers and of the hardware parts, draws all figures, compares every published number. Writes
# results/NAME.h5, results/figures/NAME, results/reports, results/fidelity (docs/fidelity.md anew) and results/page/index.html.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

papers=(allspark hypar pimflow heteropim rtconc)
parts=(noc allspark-placement allspark-fidelity crossover fidelity dram kernel manycore newton gemm gpu)

usage() { sed -n '2,4s/^# //p' "${BASH_SOURCE[0]}"; }
ranks="$(nproc)"
options=()
while (($#)); do
  case "$1" in
    -n) [[ "${2:-}" =~ ^[1-9][0-9]*$ ]] || { echo "reproduce.sh: -n needs a number of ranks" >&2; exit 2; }; ranks="$2"; shift 2 ;;
    -h | --help) usage; exit 0 ;;
    --) shift; options=("$@"); break ;;
    *) echo "reproduce.sh: unknown option '$1'" >&2; usage >&2; exit 2 ;;
  esac
done

scripts/setup.sh
scripts/build.sh release pimsweep
# shellcheck source=scripts/mpi-env.sh
source scripts/mpi-env.sh
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
# Figures are drawn while later experiments run.
exec {drawn}> >(/usr/bin/python3 scripts/draw_figures.py -n "$ranks")
drawing=$!
for i in "${!all[@]}"; do
  name="${all[i]}"
  began=$EPOCHREALTIME
  or_tell "$logs/$name.run.log" "experiment $name" \
    mpirun -n "$ranks" "$pimsweep" "experiments/$name.toml" --output "results/$name.h5" --force --progress none "${options[@]}"
  echo "$name" >&"$drawn"
  printf '[%2d/%d] %-20s %s\n' $((i + 1)) "${#all[@]}" "$name" "$(elapsed "$began")"
done

for name in "${papers[@]}"; do
  or_tell "$logs/$name.report.log" "report of $name" \
    "$pimsweep" report "results/$name.h5" --csv "results/reports/${name}_report.csv"
done
/usr/bin/python3 scripts/fidelity_docs.py --reports results/reports --output results

began=$EPOCHREALTIME
exec {drawn}>&-
wait "$drawing" || { echo "reproduce.sh: not all figures were drawn" >&2; exit 1; }
or_tell "$logs/papers.draw.log" "overview" \
  /usr/bin/python3 scripts/draw_figures.py papers
printf 'the last figures             %s\n' "$(elapsed "$began")"

/usr/bin/python3 scripts/page.py --figures results/figures --reports results/reports --output results/page
# The totals of the fidelity page, as columns.
sed -n '/^| paper | values | exact/,/^| all/p' results/fidelity.md | sed -E 's/\[([^]]*)\]\([^)]*\)/\1/; /^\|---/d' |
  awk -F ' *[|] *' '{ printf "%-28s", $2; for (i = 3; i < NF - 1; ++i) printf "%13s", $i; printf "%18s\n", $(NF - 1) }'
printf 'all of it                    %s\n' "$(elapsed "$start")"
echo "page:   $PWD/results/page/index.html"
echo "report: $PWD/results/fidelity.md"
