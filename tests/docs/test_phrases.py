"""check_phrases.py: where phrases are found, what is allowed, and how ceilings fall."""

import pathlib
import re
import subprocess
import tempfile
import unittest

import check_phrases

HERE = pathlib.Path(__file__).resolve().parent
PHRASES = [(re.compile(r"^\s*/// What\b", re.MULTILINE), "a noun phrase"), (re.compile(r"\banew\b"), "again")]


class Phrases(unittest.TestCase):
    def test_places(self):
        text = "int a;\n\n  /// What it is, anew.\nint b;  // renewed\n"
        self.assertEqual(["a.h:3:10: '/// What' => a noun phrase", "a.h:3:22: 'anew' => again"],
                         check_phrases.places_in("a.h", text, PHRASES, []))
        self.assertEqual([], check_phrases.places_in("a.h", text, PHRASES, [("*.h", "What it is", "a reason")]))
        self.assertEqual(2, len(check_phrases.places_in("a.h", text, PHRASES, [("*.cpp", "What it is", "a reason")])))

    def test_folders(self):
        for name, folder in (("README.md", "."), ("docs/a/b.md", "docs"), ("src/main.cpp", "src"),
                             ("src/base/a.h", "src/base"), ("src/hardware/noc/router/a.h", "src/hardware/noc"),
                             ("src/systems/system.h", "src/systems"), ("tests/systems/llm/a.cpp", "tests/systems")):
            self.assertEqual(folder, check_phrases.folder_of(name), name)

    def test_ceilings_fall_only(self):
        ceilings = {"docs": 3, "src/base": 1}
        self.assertEqual([], check_phrases.problems_of({"docs": 3, "src/base": 1, "src/sweep": 0}, ceilings))
        self.assertEqual(["docs: 4 phrases, at most 3 allowed: check_phrases.py ROOT docs lists them",
                          "src/base: 0 phrases, fewer than its ceiling of 1: check_phrases.py ROOT --update"],
                         check_phrases.problems_of({"docs": 4}, ceilings))
        self.assertEqual({"docs": 2}, check_phrases.lowered(ceilings, {"docs": 2, "src/sweep": 9}))
        self.assertEqual(ceilings, check_phrases.lowered(ceilings, {"docs": 9, "src/base": 9}))

    def test_every_phrase_of_the_list_has_an_alternative(self):
        phrases = check_phrases.read_phrases()
        self.assertGreater(len(phrases), 20)
        self.assertFalse(any(pattern.search("") for pattern, _ in phrases))

    def test_tracked_files(self):
        with tempfile.TemporaryDirectory() as root:
            root = pathlib.Path(root)
            for name in ("src/base/a.h", "b.csv", "untracked.md", "docs/fidelity.md"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text("done anew\n")
            subprocess.run(["git", "init", "-q", root], check=True)
            subprocess.run(["git", "-C", root, "add", "src", "b.csv", "docs"], check=True)
            done = subprocess.run(["/usr/bin/python3", HERE / "check_phrases.py", root, "src"], capture_output=True, text=True)
            self.assertEqual(1, done.returncode)
            self.assertTrue(done.stdout.startswith("src/base/a.h:1:9: 'anew'"), done.stdout)


if __name__ == "__main__":
    unittest.main()
