#!/usr/bin/env bash
# Every check: set-up, formatting, release and sanitizer builds, unit, property, MPI, fault and docs tests, clang-tidy on
# what changed (build/lint.log). Ends with CTest's summary, or with what clang-tidy found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh --develop
# shellcheck source=scripts/mpi-env.sh
source scripts/mpi-env.sh

git ls-files -z '*.h' '*.cpp' | xargs -0 clang-format --dry-run --Werror

scripts/build.sh asan
# Tests of the driver wait more than they compute: the release build goes on beside them, with the lowest priority.
nice -n 19 scripts/build.sh ci >build/release.log 2>&1 &
release_build=$!
ctest --test-dir build/asan --output-on-failure --parallel "$(nproc)"
wait "$release_build" || { cat build/release.log >&2; exit 1; }

# Half of the time nobody computes: one more at a time, and clang-tidy, with the lowest priority.
LINT_SECONDS="${LINT_SECONDS:-90}" nice -n 19 scripts/lint.sh --changed >build/lint.log 2>&1 &
lint=$!
tests=0
ctest --test-dir build/release --output-on-failure --parallel "$(($(nproc) + 1))" || tests=$?
wait "$lint" || { cat build/lint.log >&2; exit 1; }
exit "$tests"
