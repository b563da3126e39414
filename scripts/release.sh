#!/usr/bin/env bash
# A release of the committed tree in build/release-files: source archive, list of dependencies with versions and licenses,
# checksums. The changelog must have a section of the version.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version="$(sed -n 's/^project(pimsweep VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)"
for file in python/pyproject.toml CITATION.cff packaging/spack/package.py; do
  grep -q "version[(:= ]*\"\?$version\"\?" "$file" || { echo "release.sh: $file does not have version $version" >&2; exit 1; }
done
date="$(sed -n "s/^## \[$version\] - \([0-9-]*\)$/\1/p" CHANGELOG.md)"
[[ "$date" ]] || { echo "release.sh: CHANGELOG.md has no section [$version] with a date" >&2; exit 1; }
grep -q "^date-released: \"$date\"" CITATION.cff || { echo "release.sh: CITATION.cff is not of $date, as CHANGELOG.md says" >&2; exit 1; }
[[ -z "$(git status --porcelain)" ]] || { echo "release.sh: commit first: the archive has the committed files" >&2; exit 1; }
files=build/release-files
rm -rf "$files"
mkdir -p "$files"
# Without a time, gzip gives the same bytes each time.
git archive --format=tar --prefix="pimsweep-$version/" HEAD | gzip -n -9 >"$files/pimsweep-$version.tar.gz"
/usr/bin/python3 scripts/dependencies.py >"$files/dependencies.csv"
(cd "$files" && sha256sum -- * >SHA256SUMS)
cat "$files/SHA256SUMS"
