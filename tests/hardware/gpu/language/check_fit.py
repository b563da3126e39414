#!/usr/bin/env python3
"""Constants, factors of errors and tables of docs/llm-gpu.md and the times that the C++ is held to are those of
scripts/llm_kernel_fit.py.

Usage: check_fit.py SOURCE_DIR
"""

import csv
import math
import pathlib
import subprocess
import sys
import tempfile
import tomllib

source = pathlib.Path(sys.argv[1])
with tempfile.TemporaryDirectory() as folder:
    fresh = pathlib.Path(folder) / "prototype.csv"
    printed = subprocess.run([sys.executable, source / "scripts/llm_kernel_fit.py", "--prototype", fresh], cwd=source,
                             check=True, capture_output=True, text=True).stdout
    ours, told = (list(csv.reader(open(one))) for one in (fresh, source / "results/reference/gpu-llm/prototype.csv"))
page = (source / "docs/llm-gpu.md").read_text().splitlines()
wrong = [f"docs/llm-gpu.md lacks: {line}" for line in printed.splitlines() if line not in page]
# The factors for the error of each class, by the table that has a column "sigma".
CLASSES = {"element-wise kernels": "elementwise", "matrix products": "products", "decode attention": "decode_attention",
           "prefill attention": "prefill_attention", "experts": "experts", "head": "head", "sampler": "sampler"}
factors = tomllib.loads((source / "configs/hardware/llm-a100.toml").read_text())["gpu"]["error"]
lines = printed.splitlines()
begin = next(place for place, line in enumerate(lines) if "sigma" in line) + 2
for line in lines[begin:begin + len(CLASSES)]:
    name, _, _, _, low, high = [cell.strip() for cell in line.split("|")][1:7]
    factor = factors.pop(CLASSES[name])
    if [factor["low"], factor["high"]] != [float(low), float(high)]:
        wrong.append(f"llm-a100.toml: gpu.error.{CLASSES[name]} has {factor['low']} to {factor['high']}, not {low} to {high}")
wrong += [f"llm-a100.toml: gpu.error.{name} is of no class of kernels" for name in factors]
if len(ours) != len(told):
    wrong.append(f"prototype.csv has {len(told)} lines, not {len(ours)}")
for line, (one, other) in enumerate(zip(ours[1:], told[1:]), 2):
    if one[:2] != other[:2] or not math.isclose(float(one[2]), float(other[2]), rel_tol=1e-9):
        wrong.append(f"prototype.csv:{line}: {other}, not {one}")
sys.exit("\n".join(wrong[:20]) or 0)
