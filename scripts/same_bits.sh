#!/usr/bin/env bash
# Do other compilers, options and processors give the same bits? same_bits.sh [VARIANT ...] (default: all). Builds each
# variant below build/same-bits, runs five experiments with it, and compares every stored value with those of the release
# build's compiler and options. A full run takes about half an hour of processor time. Exit status: 0 if all is equal.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
experiments=(gpu newton hypar pimflow rtconc)
folder=build/same-bits
reference=gcc-O3
# Contracted: a*b+c rounded once, where the sources are built with one rounding for each operation.
clang="-DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++"
contracted="-DCMAKE_CXX_FLAGS=-march=x86-64-v3 -DPIMSWEEP_FP_CONTRACT=fast"
declare -A options=(
  [gcc-O3]=""
  [gcc-O0]="-DCMAKE_CXX_FLAGS_RELEASE=-O0"
  [gcc-O3-fma]="-DCMAKE_CXX_FLAGS=-march=x86-64-v3"
  [gcc-O3-contracted]="$contracted"
  [clang-O3]="$clang"
  [clang-O0]="$clang -DCMAKE_CXX_FLAGS_RELEASE=-O0"
  [clang-O3-contracted]="$clang $contracted"
)
variants=(gcc-O0 gcc-O3-fma gcc-O3-contracted clang-O3 clang-O0 clang-O3-contracted old-processor other-folder)
for variant in "$@"; do
  [[ " ${variants[*]} " == *" $variant "* ]] && continue
  echo "same_bits.sh: no variant '$variant'; there are: ${variants[*]}" >&2
  exit 2
done
(($#)) && variants=("$@")

# build SOURCE BUILD_FOLDER [OPTION ...]
build() {
  {
    cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=6 \
      -DPIMSWEEP_TESTS=OFF -DPIMSWEEP_BENCHMARKS=OFF "${@:3}" &&
      nice -n 15 cmake --build "$2" --target pimsweep
  } >"$2.log" 2>&1 && return
  tail -n 30 "$2.log" >&2
  return 1
}

# The same source in another folder, compiled again, must give the same program byte for byte.
compare_other_folder() {
  local source
  source="$(mktemp -d)/another-name"
  git worktree add --quiet --detach "$source" HEAD
  local status=0
  mkdir -p "$source/$folder"
  if ! CCACHE_DISABLE=1 build "$source" "$source/$folder/$reference" ||
    ! cmp "$folder/$reference/pimsweep" "$source/$folder/$reference/pimsweep"; then status=1; fi
  git worktree remove --force "$source"
  return "$status"
}

# compare VARIANT: prints what differs.
compare() {
  local program="$folder/$1/pimsweep"
  case "$1" in
    other-folder) compare_other_folder; return ;;
    # The library of mathematics takes other code where the processor has no fused multiply-add.
    old-processor)
      program="$folder/$reference/pimsweep"
      export GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX512F
      ;;
    *) # shellcheck disable=SC2086  # options are words
      build . "$folder/$1" ${options[$1]} ;;
  esac
  rm -rf "$folder/results/$1"
  nice -n 15 /usr/bin/python3 scripts/compare_programs.py "$folder/$reference/pimsweep" "$program" \
    --names "$folder/names.csv" --experiments "${experiments[@]}" \
    --old-results "$folder/results/$reference" --new-results "$folder/results/$1"
}

mkdir -p "$folder"
head -n 1 scripts/renamed.csv >"$folder/names.csv"
build . "$folder/$reference"
rm -rf "$folder/results/$reference"
nice -n 15 /usr/bin/python3 scripts/compare_programs.py "$folder/$reference/pimsweep" "$folder/$reference/pimsweep" \
  --names "$folder/names.csv" --experiments "${experiments[@]}" --old-results "$folder/results/$reference" \
  --new-results "$folder/results/$reference" >/dev/null
failed=0
for variant in "${variants[@]}"; do
  if (compare "$variant") >"$folder/$variant.differences" 2>&1; then
    echo "$variant: equal"
  else
    failed=1
    echo "$variant: DIFFERENT"
    sed 's/^/  /' "$folder/$variant.differences"
  fi
done
exit "$failed"
