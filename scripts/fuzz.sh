#!/usr/bin/env bash
# Fuzzes the readers of foreign input with clang's libFuzzer:
#   scripts/fuzz.sh [--explore] [--runs N] [--seconds N] [TARGET ...]
# Without arguments every target of tests/fuzz runs for ten minutes under the address and undefined-behavior sanitizers.
# --explore runs a build that is several times as fast: optimized, with traps for undefined behavior and the checks of the
# standard library, but without the address sanitizer. What it found worth keeping is then read under both sanitizers.
# A finding is minimized into tests/fuzz/corpus/TARGET, where the test fuzz_corpus reads it from then on, and ends the
# script with status 1.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=-max_total_time=600
explore=0
targets=()
while (($#)); do
  case $1 in
    --explore) explore=1; shift ;;
    --runs) limit=-runs=$2; shift 2 ;;
    --seconds) limit=-max_total_time=$2; shift 2 ;;
    -*) sed -n '2,8p' "$0"; exit 2 ;;
    *) targets+=("$1"); shift ;;
  esac
done
((${#targets[@]})) || mapfile -t targets < <(ls tests/fuzz/corpus)
programs=("${targets[@]/#/fuzz_}")

# build TREE OPTIMIZATION FLAGS
build() {
  CC=clang CXX=clang++ cmake -S . -B "build/$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="$2 -g1" \
    -DCMAKE_CXX_FLAGS="$3 -D_GLIBCXX_ASSERTIONS" -DCMAKE_OPTIMIZE_DEPENDENCIES=ON \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=6 \
    -DPIMSWEEP_FUZZ=ON -DPIMSWEEP_PRECOMPILE=OFF -DPIMSWEEP_BENCHMARKS=OFF > "build/configure-$1.log"
  cmake --build "build/$1" --target "${programs[@]}"
}
mkdir -p build
build fuzz -O1 "-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"
# Half of the time goes into the tracing of comparisons, which dictionaries and corpora make up for.
((explore)) && build explore -O2 \
  "-fsanitize-coverage=inline-8bit-counters,pc-table -fsanitize=undefined -fsanitize-trap=undefined -fno-sanitize=vptr"

# Short languages have short sentences; longer ones only take longer to read.
max_length_of() {
  case $1 in
    quantity | condition) echo 128 ;;
    command_line | csv | results_file | journal_set) echo 512 ;;
    network) echo 8192 ;;
    *) echo 2048 ;;
  esac
}

# fuzz TREE TARGET LIBFUZZER_OPTIONS: the last line of its log says how many executions there were.
fuzz() {
  local tree=$1 target=$2
  shift 2
  local dictionary=tests/fuzz/dict/$target.dict
  [[ -f $dictionary ]] && set -- -dict="$dictionary" "$@"
  # No input may need more than 512 MiB beyond what the program itself has; the address sanitizer keeps freed memory. The
  # loader of HDF5 leaks a little of its own.
  local memory=640
  [[ $tree == fuzz ]] && memory=2048
  ASAN_OPTIONS=detect_leaks=0 "build/$tree/tests/fuzz/fuzz_$target" -max_len="$(max_length_of "$target")" -timeout=10 \
    -malloc_limit_mb=512 -rss_limit_mb="$memory" -print_final_stats=1 -artifact_prefix="build/fuzz/findings/$target/" "$@" \
    2> "build/$tree/$target.log"
}

keep_finding() {
  local target=$1 found smallest
  found=$(find "build/fuzz/findings/$target" -type f -newer build/fuzz/started | head -1)
  tail -40 build/*/"$target.log"
  [[ -n $found ]] || exit 1
  smallest=tests/fuzz/corpus/$target/found-$(sha1sum "$found" | cut -c1-12)
  fuzz fuzz "$target" -minimize_crash=1 -runs=20000 -max_total_time=60 -exact_artifact_path="$smallest" "$found" \
    > /dev/null || true
  [[ -f $smallest ]] || cp "$found" "$smallest"
  echo "finding: $smallest"
  exit 1
}

for target in "${targets[@]}"; do
  seeds=tests/fuzz/corpus/$target
  grown=build/fuzz/corpus/$target
  mkdir -p "$grown" "build/fuzz/findings/$target"
  touch build/fuzz/started
  echo "== $target"
  tree=fuzz
  if ((explore)); then
    tree=explore
    fuzz explore "$target" "$limit" "$grown" "$seeds" || keep_finding "$target"
    fuzz fuzz "$target" -runs=0 "$grown" "$seeds" || keep_finding "$target"
  else
    fuzz fuzz "$target" "$limit" "$grown" "$seeds" || keep_finding "$target"
  fi
  grep -E "number_of_executed_units|average_exec_per_sec" "build/$tree/$target.log"
done
