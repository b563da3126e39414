"""The table of docs/llm.md that says where PIM pays is that of a fresh run.

check_pays.py PROJECT PIMSWEEP
"""

import pathlib
import subprocess
import sys
import tempfile

project, pimsweep_program = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path[:0] = [str(project / "scripts"), str(project / "python")]
import pim_pays
import pimsweep

with tempfile.TemporaryDirectory() as folder:
    results = f"{folder}/llm-winners.h5"
    subprocess.run([pimsweep_program, str(project / "experiments/llm-winners.toml"), "--study", "pays", "--output", results,
                    "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
    lines = pim_pays.table(pimsweep.open(results)).splitlines()
told = (project / "docs/llm.md").read_text().splitlines()
sys.exit("\n".join(f"docs/llm.md lacks: {line}" for line in lines if line not in told) or 0)
