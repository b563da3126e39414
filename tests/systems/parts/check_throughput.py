"""The deviations from published throughputs are those that docs/gpu.md tells, in either direction.

check_throughput.py PIMSWEEP PROJECT
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "python"))
from pimsweep import texts

pimsweep, project = sys.argv[1], Path(sys.argv[2])
with tempfile.TemporaryDirectory() as folder:
    results = f"{folder}/gpu.h5"
    subprocess.run([pimsweep, str(project / "experiments/gpu.toml"), "--study", "v100", "--output", results, "--progress", "none"],
                   check=True)
    with h5py.File(results) as file:
        study = file["v100"]
        ratio = study["throughput"][()] / study["reference_throughput"][()]
        mode = texts(study["elementwise"])
        source = texts(study["label_source"])

told = {}
for row in re.findall(r"^\| (fused|counted|eager) \|(.*)\|$", (project / "docs/gpu.md").read_text(), re.M):
    told[row[0]] = [cell.strip() for cell in row[1].split("|")]
wrong = []
for name in ("fused", "counted", "eager"):
    rows = (mode == name) & (source != "focal")
    here = [f"{100 * (numpy.median(ratio[rows]) - 1):+.0f} %", f"{ratio[rows].min():.2f}", f"{ratio[rows].max():.2f}"]
    if told.get(name) != here:
        wrong.append(f"{name}: docs/gpu.md tells {told.get(name)}, the model gives {here}")
sys.exit("\n".join(wrong) or 0)
