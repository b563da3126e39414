#!/usr/bin/env bash
# Installs into an empty prefix and uses the installed program from there, where only its own configs can be found.
set -euo pipefail
build="$1"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/first" >/dev/null
# A prefix may be moved.
mv "$scratch/first" "$scratch/prefix"
cd "$scratch"
unset PIMSWEEP_CONFIGS
installed="$scratch/prefix/bin/pimsweep"
"$installed" list models >models
grep -q swin-b models
grep -q "BSD 3-Clause" "$scratch/prefix/share/doc/pimsweep/LICENSE"
"$installed" check "$scratch/prefix/share/pimsweep/experiments/allspark.toml"
# It says what it is made of and uses.
"$installed" --version --verbose >version
for line in "HDF5 .*[0-9]" "MPI .*[0-9]" "configs .*$scratch/prefix/share/pimsweep/configs" \
  "Python package .*$scratch/prefix/lib/python3/dist-packages"; do
  grep -q "^$line" version || { echo "version lacks '$line'" >&2; cat version >&2; exit 1; }
done
# Man page and completions are in their standard folders, and `plan` names an existing script.
share="$scratch/prefix/share"
for file in bash-completion/completions/pimsweep zsh/site-functions/_pimsweep fish/vendor_completions.d/pimsweep.fish \
  man/man1/pimsweep.1 doc/pimsweep/docs/driver.md pimsweep/scripts/mpi-env.sh; do
  [[ -s "$share/$file" ]] || { echo "the installation lacks share/$file" >&2; exit 1; }
done
"$installed" plan "$share/pimsweep/experiments/examples/axes.toml" >plan
script="$(sed -n 's/^sbatch .* \(\S*mpirun.sbatch\) .*/\1/p' plan)"
[[ -s "$script" ]] || { echo "plan names '$script', which is not a script of the installation" >&2; exit 1; }
# It finds the installed Python package.
"$installed" "$scratch/prefix/share/pimsweep/experiments/examples/axes.toml" --output axes.h5 --progress none >/dev/null
env -u PYTHONPATH "$installed" page axes.h5 >/dev/null
grep -q '<h1>' axes.html
# It reads the installed configs, not those of the source tree.
echo "nonsense =" >>"$scratch/prefix/share/pimsweep/configs/hardware/allspark-3d-dram.toml"
if "$installed" check "$scratch/prefix/share/pimsweep/experiments/allspark.toml" 2>message; then
  echo "the installed program does not read its own configs" >&2
  exit 1
fi
grep -q "$scratch/prefix/share/pimsweep/configs" message
