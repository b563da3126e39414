#!/usr/bin/env bash
# Installs packages of pimsweep with what they need on a bare Debian 12, as root: install.sh DEB ...
# Steps shared by images and the check of packages (docs/packaging.md).
set -euo pipefail
(($#)) || { echo "usage: install.sh DEB ..." >&2; exit 2; }
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${@/#/$PWD/}"
apt-get clean
rm -rf /var/lib/apt/lists/*
