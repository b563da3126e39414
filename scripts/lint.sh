#!/usr/bin/env bash
# clang-tidy over all sources (slow; not part of test.sh): scripts/lint.sh [FILE ...].
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh --develop
# clang cannot read GCC's precompiled headers, and reads sources one by one: it gets a build tree of its own.
cmake --preset release -B build/lint -DPIMSWEEP_PRECOMPILE=OFF -DCMAKE_UNITY_BUILD=OFF >/dev/null
cmake --build build/lint --parallel --target pimsweep_git_revision
if (($#)); then files=("$@"); else mapfile -t files < <(git ls-files 'src/*.cpp'); fi
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy -p build/lint --quiet --extra-arg=-Wno-unknown-warning-option
