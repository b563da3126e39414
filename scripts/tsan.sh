#!/usr/bin/env bash
# Tests of the rooms with threads under the thread sanitizer: tsan.sh [CTEST OPTIONS] (default: driver, sweep, results).
# scripts/tsan-suppressions.txt says what is not reported, and why.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/mpi-env.sh
source scripts/mpi-env.sh
export TSAN_OPTIONS="suppressions=$PWD/scripts/tsan-suppressions.txt exitcode=66 halt_on_error=1"
scripts/build.sh tsan pimsweep test_driver test_sweep test_results write_sample
(($#)) || set -- --tests-regex '^(driver|sweep|results)'
ctest --test-dir build/tsan --output-on-failure "$@"
