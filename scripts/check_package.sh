#!/usr/bin/env bash
# Installs the packages of scripts/package.sh in a bare Debian 12 and runs them there, as images do (docs/packaging.md).
# Root only. check_package.sh [DEB ...] (default: all of build/packages); PIMSWEEP_ROOT names a bare root to use a copy of.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
packages=("$@")
(($#)) || packages=(build/packages/*.deb)
[[ -f "${packages[0]}" ]] || { echo "check_package.sh: no packages: scripts/package.sh makes them" >&2; exit 2; }
scratch="$(mktemp -d)"
root="$scratch/root"
# shellcheck disable=SC2317  # called by the trap
clean_up() {
  if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
  rm -rf "$scratch"
}
trap clean_up EXIT
scripts/bare_root.sh "$root"
mkdir "$root/opt/pimsweep"
cp "${packages[@]}" packaging/install.sh packaging/try.sh "$root/opt/pimsweep"
mount -t proc proc "$root/proc"
names=("${packages[@]##*/}")
chroot "$root" /bin/bash -c 'cd /opt/pimsweep && ./install.sh "$@" && ./try.sh' try "${names[@]}"
