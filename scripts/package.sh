#!/usr/bin/env bash
# Debian packages of the release build: build/packages/pimsweep_VERSION_ARCH.deb, libpimsweep-dev_VERSION_ARCH.deb.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/build.sh release pimsweep pimsweep_shell_files
rm -rf build/packages
cpack --config build/release/CPackConfig.cmake -B build/packages
rm -rf build/packages/_CPack_Packages
ls build/packages
