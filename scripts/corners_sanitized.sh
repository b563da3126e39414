#!/bin/sh
# Evaluates points at the corners of all axes under clang's checks of undefined behavior and of integers, unsigned ones
# included: corners_sanitized.sh [POINTS [SYSTEM [MINUTES]]] (20000 all 60), so many minutes for each system at most. Prints
# a line for each system, and what the sanitizer finds; fails if there is anything.
set -eu
cd "$(dirname "$0")/.."
checks="-fsanitize=undefined,integer -fno-sanitize=null,alignment,vptr,implicit-conversion"
cmake -S . -B build/corners -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
  -DCMAKE_CXX_FLAGS_RELEASE="-O2 -g1 $checks -fsanitize-ignorelist=$PWD/scripts/sanitizer-ignore.txt" \
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=6 -DPIMSWEEP_PRECOMPILE=OFF -DPIMSWEEP_BENCHMARKS=OFF > /dev/null
cmake --build build/corners --target corners
status=0
build/corners/tests/systems/corners/corners "${1:-20000}" "${2:-all}" "${3:-60}" 2> build/corners/findings.txt || status=1
grep "runtime error" build/corners/findings.txt | sort | uniq -c && status=1
exit $status
