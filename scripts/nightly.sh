#!/usr/bin/env bash
# Checks that take too long for every change: nightly.sh [PART ...] (default: all). Ends with a table; exit status 1 if
# a part failed. Hours of processor time. What a part says is in build/nightly/PART.log.
#   soak       random experiments disturbed at random, for $SOAK_MINUTES (60)
#   kills      random kills and signals, in $KILL_TRIALS (1000) launches
#   attacks    closed streams, outputs onto everything, limits, quotas, clocks, changed experiments
#   fuzz       the readers of foreign input under libFuzzer
#   corners    points at the ends of all axes under checks of integers
#   tsan       tests of the rooms with threads under the thread sanitizer
#   coverage   lines of src that the tests reach
#   same-bits  other compilers, options and processors give the same results, equal sources equal programs
#   bands      published values on sampled machines are as recorded
#   api        the interfaces as HTML, without a warning of Doxygen
#   packages   Debian packages, installed and tried in a bare Debian; needs root
#   page       each interaction with the page of 1.1 million points, in headless Chromium
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/mpi-env.sh
source scripts/mpi-env.sh
export PIMSWEEP="$PWD/build/release/pimsweep" PIMSWEEP_CONFIGS="$PWD/configs"
seed="$(date +%Y%m%d)"
page_speed() {
  build/release/pimsweep experiments/explore.toml --output build/nightly/explore.h5 --force --progress none &&
    build/release/pimsweep page build/nightly/explore.h5 --output build/nightly/explore.html &&
    /usr/bin/python3 scripts/page_speed.py build/nightly/explore.html
}
packages() {
  scripts/package.sh && scripts/check_package.sh && scripts/check_recipes.sh
}
recorded_bands() {
  rm -rf build/bands
  scripts/bands.sh && git diff --exit-code -- results/recorded
}
declare -A commands=(
  [soak]="/usr/bin/python3 scripts/soak.py --minutes ${SOAK_MINUTES:-60} --seed $seed"
  [kills]="/usr/bin/python3 tests/driver/random_kills.py --trials ${KILL_TRIALS:-1000} --seed $seed"
  [attacks]="/usr/bin/python3 tests/driver/attacks.py --library build/release/tests/driver/libio_faults.so"
  [fuzz]="scripts/fuzz.sh --explore"
  [corners]="scripts/corners_sanitized.sh"
  [tsan]="scripts/tsan.sh"
  [coverage]="scripts/coverage.sh"
  [same-bits]="scripts/same_bits.sh"
  [bands]=recorded_bands
  [api]=scripts/api_docs.sh
  [packages]=packages
  [page]=page_speed
)
parts=(soak kills attacks fuzz corners tsan coverage same-bits bands api packages page)
for part in "$@"; do
  [[ -n "${commands[$part]:-}" ]] || { echo "nightly.sh: no part '$part'; there are: ${parts[*]}" >&2; exit 2; }
done
(($#)) && parts=("$@")

scripts/build.sh release pimsweep io_faults
mkdir -p build/nightly
failed=0
rows=()
for part in "${parts[@]}"; do
  start=$SECONDS
  result=passed
  # shellcheck disable=SC2086  # a command of several words
  ${commands[$part]} >"build/nightly/$part.log" 2>&1 || { result="failed: build/nightly/$part.log"; failed=1; }
  rows+=("| $part | $result | $(((SECONDS - start + 30) / 60)) |")
done
printf '%s\n' "| part | result | minutes |" "|---|---|---|" "${rows[@]}"
exit "$failed"
