#!/usr/bin/env bash
# Configures and builds one preset: scripts/build.sh [PRESET [TARGET ...]] (default: everything of release).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset="${1:-release}"
targets=()
(($# > 1)) && targets=(--target "${@:2}")
log="build/configure-$preset.log"
mkdir -p build
cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
cmake --build --preset "$preset" --parallel "${targets[@]}"
