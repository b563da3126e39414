#!/usr/bin/env bash
# Every check: set-up, release and sanitizer builds, unit, property, MPI, fault and docs tests. Ends with CTest's summary.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh --develop
# shellcheck source=scripts/mpi-env.sh
source scripts/mpi-env.sh

git ls-files -z '*.h' '*.cpp' | xargs -0 clang-format --dry-run --Werror

scripts/build.sh asan
ctest --test-dir build/asan --output-on-failure --parallel "$(nproc)"

scripts/build.sh release
ctest --test-dir build/release --output-on-failure --parallel "$(nproc)"
