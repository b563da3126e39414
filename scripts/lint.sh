#!/usr/bin/env bash
# clang-tidy, in parallel:
#   scripts/lint.sh [FILE ...]        these sources; without any, the whole tree (slow), and function_size.py
#   scripts/lint.sh --changed [BASE]  sources changed since BASE (default: HEAD's 20th first parent), latest first;
#                                     what does not fit into LINT_SECONDS (default: 90) is listed as skipped
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# changed_since BASE PATTERN: files as they are now, uncommitted ones first, then the latest commit's.
changed_since() {
  { git diff --name-only HEAD -- "$2"; git log --first-parent -m --format= --name-only "$1..HEAD" -- "$2"; } |
    awk '!seen[$0]++' | while read -r file; do [[ ! -f "$file" ]] || echo "$file"; done
}
# Called by xargs, once for each file. The analyzer cannot read the assembly of Boost's reference counts.
# shellcheck disable=SC2317
tidy() {
  if ((EPOCHSECONDS >= deadline)); then echo "$1" >>"$skipped"; return; fi
  clang-tidy -p build/lint --quiet --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-DBOOST_SP_DISABLE_THREADS "$1" 2> >(grep -v "warnings\? generated" >&2)
}
export -f tidy

scripts/setup.sh --develop
# clang cannot read GCC's precompiled headers, and reads each source separately: it gets its own build tree.
cmake --preset release -B build/lint -DPIMSWEEP_PRECOMPILE=OFF -DCMAKE_UNITY_BUILD=OFF >/dev/null
cmake --build build/lint --parallel --target pimsweep_git_revision >/dev/null

seconds=31536000
whole=false
case "${1:-}" in
  --changed)
    base="${2:-$(git rev-list --first-parent --max-count=21 HEAD | tail -n 1)}"
    git rev-parse --quiet --verify "$base^{commit}" >/dev/null || { echo "lint.sh: no commit '$base'" >&2; exit 2; }
    mapfile -t files < <(changed_since "$base" '*.cpp')
    headers="$(changed_since "$base" '*.h' | wc -l)"
    seconds="${LINT_SECONDS:-90}"
    echo "lint.sh: ${#files[@]} sources changed since $(git rev-parse --short "$base");" \
      "$headers changed headers are read where these include them"
    ;;
  -h | --help) sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}"; exit 0 ;;
  -*) echo "lint.sh: unknown option '$1'" >&2; exit 2 ;;
  '') whole=true; mapfile -t files < <(git ls-files 'src/*.cpp' 'tests/*.cpp' 'benchmarks/*.cpp') ;;
  *) files=("$@") ;;
esac

# Files that no target of this build compiles, such as the entry points of libFuzzer, lack the flags to check them with.
built=()
for file in "${files[@]}"; do
  if grep -q "\"file\": \"$PWD/$file\"" build/lint/compile_commands.json; then built+=("$file"); else echo "lint.sh: not built here: $file"; fi
done
files=("${built[@]}")

skipped="$(mktemp)"
trap 'rm -f "$skipped"' EXIT
deadline=$((EPOCHSECONDS + seconds))
export skipped deadline
status=0
# shellcheck disable=SC2016  # expanded by the inner shell
((${#files[@]} == 0)) || printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -I {} bash -c 'tidy "$1"' tidy {} || status=1
if [[ -s "$skipped" ]]; then
  echo "lint.sh: skipped $(wc -l <"$skipped") of ${#files[@]} sources after $seconds s:"
  sort "$skipped" | sed 's/^/  /'
fi
if $whole; then scripts/function_size.py src || status=1; fi
exit "$status"
