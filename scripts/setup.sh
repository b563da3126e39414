#!/usr/bin/env bash
# Installs what pimsweep needs on a bare Debian 12 (root or sudo). Does nothing when everything is there.
set -euo pipefail

packages=(
  g++ cmake ninja-build pkg-config git ca-certificates
  libopenmpi-dev openmpi-bin libhdf5-dev hdf5-tools
  libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libfmt-dev libxxhash-dev libboost-dev libboost-graph-dev
  coinor-libcbc-dev libmuparser-dev libnlopt-dev libonnx-dev libprotobuf-dev zlib1g-dev libonnx-testdata catch2 libbenchmark-dev
  python3 python3-h5py python3-h5netcdf python3-netcdf4 python3-xarray python3-pandas python3-matplotlib python3-plotly
  python3-tomli-w jupyter-nbconvert python3-ipykernel python3-matplotlib-inline
)
# Only the checks need these.
[[ "${1:-}" == "--develop" ]] && packages+=(mypy clang-format clang-tidy ccache slurmctld slurmd slurm-client libopenblas-pthread-dev
  chromium chromium-driver python3-selenium python3-jsonschema zsh fish man-db doxygen debootstrap libmpich-dev mpich)

missing=()
for package in "${packages[@]}"; do
  [[ "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" == "install ok installed" ]] || missing+=("$package")
done
((${#missing[@]} == 0)) && exit 0

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || { echo "setup.sh: needs root or sudo to install: ${missing[*]}" >&2; exit 2; }
  as_root=(sudo)
fi
echo "setup.sh: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
