#!/usr/bin/env bash
# Debian packages of the release build: build/packages/pimsweep_VERSION_ARCH.deb, libpimsweep-dev_VERSION_ARCH.deb.
# package.sh [PRESET]: release (default), or ci where that has been built, since both have one build tree.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/build.sh "${1:-release}" pimsweep pimsweep_shell_files
rm -rf build/packages
cpack --config build/release/CPackConfig.cmake -B build/packages
rm -rf build/packages/_CPack_Packages
ls build/packages
