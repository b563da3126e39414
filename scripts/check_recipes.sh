#!/usr/bin/env bash
# Follows the steps of the Dockerfile, the Apptainer definition and the Spack recipe, each in a bare Debian 12 of its own, and runs
# an experiment there: check_recipes.sh [RECIPE ...] (default: all). Root only, after scripts/package.sh. The tools themselves
# are not needed (docs/packaging.md). PIMSWEEP_CONFIGURE_ONLY=1 does not build by the Spack recipe, which takes many minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
recipes=("$@")
(($#)) || recipes=(Dockerfile pimsweep.def spack/package.py)
compgen -G "build/packages/pimsweep_*.deb" >/dev/null || { echo "check_recipes.sh: no packages: scripts/package.sh makes them" >&2; exit 2; }
scratch="$(mktemp -d)"
# shellcheck disable=SC2317  # called by the trap
clean_up() {
  for root in "$scratch"/*; do
    if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
  done
  rm -rf "$scratch"
}
trap clean_up EXIT
scripts/bare_root.sh "$scratch/bare"
export PIMSWEEP_ROOT="$scratch/bare"
for recipe in "${recipes[@]}"; do
  echo "check_recipes.sh: $recipe"
  root="$scratch/${recipe//\//-}"
  scripts/bare_root.sh "$root"
  mkdir "$root/source"
  git archive HEAD | tar -x -C "$root/source"
  mkdir -p "$root/source/build"
  cp -r build/packages "$root/source/build"
  packaging/steps.py "$recipe" >"$root/steps.sh"
  mount -t proc proc "$root/proc"
  chroot "$root" /bin/bash /steps.sh /source/experiments/examples/axes.toml --output /tmp/axes.h5 --progress none
  if [[ -z "${PIMSWEEP_CONFIGURE_ONLY:-}" || "$recipe" != spack/package.py ]]; then
    [[ -s "$root/tmp/axes.h5" ]] || { echo "check_recipes.sh: $recipe gives no results" >&2; exit 1; }
  fi
  umount "$root/proc"
  rm -rf "$root"
done
echo "check_recipes.sh: passed"
