"""check_spelling.py: what is found, what stays, and what is put in place. The British words come from the list."""

import pathlib
import subprocess
import tempfile
import unittest

import check_spelling

HERE = pathlib.Path(__file__).resolve().parent
WORDS = check_spelling.read_words(check_spelling.WORDS.read_text())


def british(word):
    return next(old for old, new in WORDS.items() if new == word)


class Spelling(unittest.TestCase):
    def found(self, text, *kept):
        return check_spelling.problems_in("a", text, WORDS, check_spelling.pattern_of(WORDS, kept))

    def fixed(self, text):
        return check_spelling.fixed(text, WORDS, check_spelling.pattern_of(WORDS))

    def test_every_word_is_found_and_corrected(self):
        for old, new in WORDS.items():
            self.assertEqual([f"a:2:3: {old}: {new}"], self.found(f"\n  {old}"), old)
            self.assertEqual(new, self.fixed(old))
            self.assertEqual([], self.found(new), new)

    def test_forms_and_cases(self):
        color, verb = british("color"), british("optimize").removesuffix("e")
        self.assertEqual("kColors COLOR_MAP colored Coloring",
                         self.fixed(f"k{color.title()}s {color.upper()}_MAP {color}ed {color.title()}ing"))
        self.assertEqual("optimized unoptimized Optimization optimizing",
                         self.fixed(f"{verb}ed un{verb}ed {verb.title()}ation {verb}ing"))
        self.assertEqual([], self.found("an optimist fulfilled what the programmer programmed"))
        self.assertEqual([], self.found("precise otherwise, upper center"))

    def test_names_that_stay(self):
        word = british("utilize").removesuffix("e") + "ation"
        self.assertEqual([], self.found(f"host_{word} of a host", f"host_{word}"))
        self.assertEqual(1, len(self.found(f"host_{word}, {word}", f"host_{word}")))

    def test_names_of_files(self):
        found = check_spelling.problems_in(f"src/{british('color')}_map.h", "", WORDS, check_spelling.pattern_of(WORDS))
        self.assertEqual([f"src/{british('color')}_map.h:0:0: {british('color')}: color"], found)


class Command(unittest.TestCase):
    def test_tracked_files(self):
        word = british("color")
        with tempfile.TemporaryDirectory() as root:
            root = pathlib.Path(root)
            for name in ("a.md", "b.csv", "untracked.md", "docs/c.md", "docs/fidelity/d.md"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(f"one {word}\n")
            (root / "d.png").write_bytes(b"\0" + word.encode())
            subprocess.run(["git", "init", "-q", root], check=True)
            subprocess.run(["git", "-C", root, "add", "a.md", "b.csv", "docs", "d.png"], check=True)
            self.assertEqual((1, f"docs/c.md:1:5: {word}: color\n2 files, 2 British spellings\n"),
                             self.run_on(root, skip=1))
            self.assertEqual(0, self.run_on(root, "--fix")[0])
            self.assertEqual("one color\n", (root / "a.md").read_text())
            self.assertEqual(f"one {word}\n", (root / "b.csv").read_text())
            self.assertEqual((0, "2 files, 0 British spellings\n"), self.run_on(root))

    def run_on(self, root, *options, skip=0):
        """Exit status and output, without its first `skip` lines."""
        done = subprocess.run(["/usr/bin/python3", HERE / "check_spelling.py", root, *options], capture_output=True,
                              text=True)
        return done.returncode, "".join(done.stdout.splitlines(keepends=True)[skip:])


if __name__ == "__main__":
    unittest.main()
