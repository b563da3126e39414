#!/usr/bin/env bash
# The interfaces of src, from their comments, as build/api/html/index.html. Any warning of Doxygen is an error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh --develop
mkdir -p build
doxygen docs/Doxyfile
echo "build/api/html/index.html"
