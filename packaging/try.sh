#!/usr/bin/env bash
# Runs an installed pimsweep in the current folder, and builds examples/library where libpimsweep-dev is installed: try.sh
set -euo pipefail
# shellcheck source=scripts/mpi-env.sh
source /usr/share/pimsweep/scripts/mpi-env.sh
pimsweep --version --verbose
mpirun -n 2 pimsweep /usr/share/pimsweep/experiments/examples/axes.toml --output axes.h5 --force --progress none
pimsweep show axes.h5
[[ -s /usr/share/doc/pimsweep/copyright && -s /usr/share/man/man1/pimsweep.1 && -s /usr/share/bash-completion/completions/pimsweep ]]
/usr/bin/python3 -c 'import pimsweep; print(pimsweep.open("axes.h5"))'
if [[ -d /usr/include/pimsweep ]]; then
  example=/usr/share/doc/pimsweep/examples/library
  cmake -S "$example" -B library -DCMAKE_BUILD_TYPE=Release
  cmake --build library
  mpirun -n 2 library/mysweep "$example/own.toml" --output own.h5 --force --progress none
  library/mysweep show own.h5
  library/evaluate "$example/point.toml"
fi
echo "try.sh: passed"
