#!/usr/bin/env bash
# Fuzzes the readers of foreign input with clang's libFuzzer:  scripts/fuzz.sh [--runs N] [--seconds N] [TARGET ...]
# Without arguments every target of tests/fuzz/targets.h runs for ten minutes. A finding is minimized into
# tests/fuzz/corpus/TARGET, where the test fuzz_corpus reads it from then on, and ends the script with status 1.
set -euo pipefail
cd "$(dirname "$0")/.."

limits=(-max_total_time=600)
targets=()
while (($#)); do
  case $1 in
    --runs) limits=(-runs="$2"); shift 2 ;;
    --seconds) limits=(-max_total_time="$2"); shift 2 ;;
    -*) sed -n '2,4p' "$0"; exit 2 ;;
    *) targets+=("$1"); shift ;;
  esac
done
((${#targets[@]})) || mapfile -t targets < <(ls tests/fuzz/corpus)

sanitizers=-fsanitize=fuzzer-no-link,address,undefined
CC=clang CXX=clang++ cmake -S . -B build/fuzz -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -g1" \
  -DCMAKE_CXX_FLAGS="$sanitizers -fno-sanitize-recover=all" -DCMAKE_OPTIMIZE_DEPENDENCIES=ON -DPIMSWEEP_FUZZ=ON \
  -DPIMSWEEP_PRECOMPILE=OFF -DPIMSWEEP_BENCHMARKS=OFF

# The command line is a program of its own, which takes long to build.
program_of() { [[ $1 == command_line ]] && echo fuzz_command_line || echo fuzz_readers; }
for target in "${targets[@]}"; do program_of "$target"; done | sort -u | xargs cmake --build build/fuzz --target

for target in "${targets[@]}"; do
  seeds=tests/fuzz/corpus/$target
  grown=build/fuzz/corpus/$target
  findings=build/fuzz/findings/$target
  mkdir -p "$grown" "$findings"
  touch build/fuzz/started
  dictionary=(tests/fuzz/dict/"$target".dict)
  [[ -f ${dictionary[0]} ]] && dictionary=(-dict="${dictionary[0]}") || dictionary=()
  fuzz=build/fuzz/tests/fuzz/$(program_of "$target")
  echo "== $target"
  # The loader of HDF5 leaks a little of its own.
  export TARGET=$target ASAN_OPTIONS=detect_leaks=0
  if ! "$fuzz" "${limits[@]}" "${dictionary[@]}" -max_len=2048 -timeout=5 -rss_limit_mb=2048 -print_final_stats=1 \
      -artifact_prefix="$findings/" "$grown" "$seeds" 2> "build/fuzz/$target.log"; then
    found=$(find "$findings" -type f -newer build/fuzz/started | head -1)
    [[ -n $found ]] || { tail -40 "build/fuzz/$target.log"; exit 1; }
    smallest=$seeds/found-$(sha1sum "$found" | cut -c1-12)
    "$fuzz" -minimize_crash=1 -runs=20000 -max_total_time=60 -exact_artifact_path="$smallest" "$found" > /dev/null 2>&1 || true
    [[ -f $smallest ]] || cp "$found" "$smallest"
    tail -40 "build/fuzz/$target.log"
    echo "finding: $smallest"
    exit 1
  fi
  grep -E "number_of_executed_units|average_exec_per_sec" "build/fuzz/$target.log"
done
