#!/usr/bin/env bash
# Configures and builds one preset: scripts/build.sh [PRESET [TARGET ...]] (default: everything of release).
# The compiler's lines go to build/PRESET.log; a terminal shows the latest one. Errors are printed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset="${1:-release}"
targets=()
(($# > 1)) && targets=(--target "${@:2}")
log="build/$preset.log"
mkdir -p build
cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
build=(cmake --build --preset "$preset" --parallel "${targets[@]}")
if [[ -t 1 ]]; then
  "${build[@]}" | tee -a "$log" | { while IFS= read -r line; do printf '\r\e[K%.*s' "$(($(tput cols) - 1))" "$line"; done; printf '\r\e[K'; } || status=$?
else
  "${build[@]}" >>"$log" 2>&1 || status=$?
fi
if ((${status:-0} != 0)); then
  # From the first failed step on: ninja prints "FAILED:" and the compiler's messages.
  { sed -n '/^FAILED:/,$p' "$log" | head -n 200; echo "build.sh: the build of $preset failed, see $PWD/$log"; } >&2
  exit "$status"
fi
