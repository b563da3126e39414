#!/usr/bin/env bash
# clang-tidy over all sources (slow; not part of test.sh): scripts/lint.sh [FILE ...].
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh --develop
scripts/build.sh release
if (($#)); then files=("$@"); else mapfile -t files < <(git ls-files 'src/*.cpp'); fi
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy -p build/release --quiet
