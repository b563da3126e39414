#!/usr/bin/env bash
# Makes a bare Debian 12 in the folder ROOT, with the network of this machine: bare_root.sh ROOT. Root only.
# PIMSWEEP_ROOT names a bare root to copy instead of making one.
set -euo pipefail
root="$1"
# The mirror of this machine.
# shellcheck disable=SC2016
mirror="$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Codename: bookworm' | head -n 1)"
if [[ -n "${PIMSWEEP_ROOT:-}" ]]; then cp -a "$PIMSWEEP_ROOT" "$root"; else debootstrap --variant=minbase bookworm "$root" "$mirror"; fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
