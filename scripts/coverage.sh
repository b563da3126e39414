#!/usr/bin/env bash
# Which lines of src do the tests reach? coverage.sh [CTEST OPTIONS]: builds the preset `coverage`, runs the tests, prints
# a table with the lines of each file that were not reached, and fails below 90 %. Needs gcovr.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v gcovr >/dev/null || { echo "coverage.sh: gcovr is missing (Debian: apt install gcovr)" >&2; exit 2; }
# shellcheck source=scripts/mpi-env.sh
source scripts/mpi-env.sh
scripts/build.sh coverage
find build/coverage -name '*.gcda' -delete
ctest --test-dir build/coverage --output-on-failure --parallel "$(nproc)" "$@"
gcovr --root . --filter src/ --object-directory build/coverage --exclude-throw-branches --sort-uncovered \
  --fail-under-line 90 --print-summary
