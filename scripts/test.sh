#!/usr/bin/env bash
# Every check: packages, formatting, release and sanitizer builds, unit, property, MPI, fault and docs tests, clang-tidy on
# what changed (build/lint.log). Ends with CTest's summary, or with clang-tidy's findings. 30 to 45 minutes on two cores.
#   scripts/test.sh --quick [ROOM ...]  builds release and runs its tests in these folders of tests (systems/llm, python);
#                                       by default those of the files that differ from the last commit, or that it changed
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/stages.sh
source scripts/stages.sh

# The folders of tests that mirror changed files, each once.
rooms_of_changes() {
  local files file room
  files="$(git diff --name-only HEAD)"
  [[ -n "$files" ]] || files="$(git diff --name-only HEAD~1)"
  while read -r file; do
    case $file in
      src/* | tests/*) room="$(dirname "${file#*/}")" ;;
      *.md) room=docs ;;
      configs/* | experiments/*) room=systems ;;
      *) room="${file%%/*}" ;;
    esac
    while [[ "$room" != . && ! -f "tests/$room/CMakeLists.txt" ]]; do room="$(dirname "$room")"; done
    [[ "$room" == . ]] || echo "$room"
  done <<<"$files" | sort -u
}

if [[ "${1:-}" == --quick ]]; then
  shift
  rooms=("$@")
  (($#)) || mapfile -t rooms < <(rooms_of_changes)
  for room in "${rooms[@]}"; do
    [[ -f "tests/$room/CMakeLists.txt" ]] || { echo "test.sh: no folder tests/$room with tests" >&2; exit 2; }
  done
  STAGES=$((${#rooms[@]} + 1))
  # shellcheck source=scripts/mpi-env.sh
  source scripts/mpi-env.sh
  stage "Build (build/release.log)"
  scripts/build.sh release
  status=0
  for room in "${rooms[@]}"; do
    stage "Tests of $room"
    ctest --test-dir "build/release/tests/$room" --output-on-failure --parallel "$(nproc)" || status=$?
  done
  exit "$status"
fi
(($# == 0)) || { echo "test.sh: unknown argument '$1': --quick [ROOM ...], or none" >&2; exit 2; }
STAGES=5

stage "Packages and formatting"
scripts/setup.sh --develop
# shellcheck source=scripts/mpi-env.sh
source scripts/mpi-env.sh
git ls-files -z '*.h' '*.cpp' | xargs -0 clang-format --dry-run --Werror

stage "Build with sanitizers: about 7 min on two cores (build/asan.log)"
scripts/build.sh asan

stage "Tests with sanitizers, beside the release build (build/ci.log): about 8 min"
# Tests of the driver wait more than they compute, so the release build runs beside them at the lowest priority.
nice -n 19 scripts/build.sh ci &
release_build=$!
ctest --test-dir build/asan --output-on-failure --parallel "$(nproc)"

stage "Rest of the release build"
wait "$release_build"

stage "Tests of the release build, beside clang-tidy (build/lint.log): about 9 min"
# Unit tests ran with sanitizers. The tests leave the processor idle half of the time: one more at once, and clang-tidy at the lowest priority.
LINT_SECONDS="${LINT_SECONDS:-90}" nice -n 19 scripts/lint.sh --changed >build/lint.log 2>&1 &
lint=$!
tests=0
ctest --test-dir build/release --output-on-failure --label-exclude '^unit$' --parallel "$(($(nproc) + 1))" || tests=$?
wait "$lint" || { cat build/lint.log >&2; exit 1; }
exit "$tests"
