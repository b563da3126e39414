"""The notebooks of docs/notebooks run from the first cell to the last, and are stored with the outputs of such a run.

Usage: PIMSWEEP=path/to/pimsweep PYTHONPATH=python python3 -m unittest test_notebooks (in this folder)
"""

import json
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def code_cells(path):
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


class Notebooks(unittest.TestCase):
    def test_there_are_notebooks(self):
        self.assertTrue(NOTEBOOKS)

    def test_they_are_stored_with_outputs(self):
        for path in NOTEBOOKS:
            cells = code_cells(path)
            self.assertEqual([cell["execution_count"] for cell in cells], list(range(1, len(cells) + 1)), path.name)
            self.assertTrue([output for cell in cells for output in cell["outputs"] if "image/png" in output.get("data", {})], path.name)
            self.assertNotIn("/tmp/", path.read_text(encoding="utf-8"))
            self.assertFalse([output for cell in cells for output in cell["outputs"] if output.get("name") == "stderr"], path.name)

    def test_they_run(self):
        for path in NOTEBOOKS:
            with self.subTest(path.name), tempfile.TemporaryDirectory() as folder:
                # Where the notebook lies is where its results go.
                given, done = pathlib.Path(folder, path.name), pathlib.Path(folder, "done.ipynb")
                given.write_bytes(path.read_bytes())
                ran = subprocess.run(["/usr/bin/python3", "-m", "nbconvert", "--to", "notebook", "--execute",
                                      "--output", done.name, given.name],
                                     cwd=folder, capture_output=True, text=True, check=False)
                self.assertEqual(ran.returncode, 0, ran.stderr[-3000:])
                cells = code_cells(done)
                self.assertEqual([cell["execution_count"] for cell in cells], list(range(1, len(cells) + 1)))
                figures = [output for cell in cells for output in cell["outputs"]
                           if "image/png" in output.get("data", {})]
                self.assertTrue(figures, "no cell draws anything")
                errors = [output["text"] for cell in cells for output in cell["outputs"]
                          if output.get("name") == "stderr"]
                self.assertEqual(errors, [], "a cell warns")


if __name__ == "__main__":
    unittest.main()
