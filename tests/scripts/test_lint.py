"""scripts/lint.sh: which sources it hands to clang-tidy, in a repository with a clang-tidy that names its file."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Lint(unittest.TestCase):
    def setUp(self):
        self.tree = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.tree / "tools").mkdir()
        built = """mkdir -p build/lint
for file in */*.cpp; do [[ $file == */entry.cpp ]] || echo "\\"file\\": \\"$PWD/$file\\""; done > build/lint/compile_commands.json"""
        for tool, text in (("cmake", built), ("clang-tidy", 'echo "read ${*: -1}"; ! grep -q fault "${*: -1}"')):
            self.write(f"tools/{tool}", f"#!/bin/bash\n{text}\n").chmod(0o755)
        (self.tree / "scripts").mkdir()
        for script in ("lint.sh", "function_size.py"):
            shutil.copy(ROOT / "scripts" / script, self.tree / "scripts")
        self.write("scripts/setup.sh", "#!/bin/bash\n").chmod(0o755)
        self.git("init", "-q")
        self.write(".gitignore", "tools\nbuild\n")

    def write(self, path, text):
        path = self.tree / path
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def git(self, *arguments):
        identity = ("-c", "user.name=test", "-c", "user.email=test@localhost")
        subprocess.run(["git", "-C", self.tree, *identity, *arguments], check=True, stdout=subprocess.DEVNULL)

    def commit(self, *paths):
        for path in paths:
            self.write(path, "void f() {}\n")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "step")

    def lint(self, *arguments, **environment):
        path = f"{self.tree / 'tools'}:{os.environ['PATH']}"
        done = subprocess.run([self.tree / "scripts" / "lint.sh", *arguments], capture_output=True, text=True,
                              env=dict(os.environ, PATH=path, **environment))
        return done.returncode, done.stdout + done.stderr

    def test_whole_tree(self):
        self.commit("src/a.cpp", "tests/b.cpp", "benchmarks/c.cpp", "other/d.cpp")
        status, told = self.lint()
        self.assertEqual(0, status, told)
        self.assertEqual({"src/a.cpp", "tests/b.cpp", "benchmarks/c.cpp"},
                         {line.removeprefix("read ") for line in told.splitlines() if line.startswith("read ")})
        self.assertIn("1 functions, 0 with more", told)
        self.write("tests/b.cpp", "fault")
        self.assertEqual(1, self.lint()[0])
        self.write("tests/b.cpp", "")
        self.write("src/a.cpp", "void f() {" + "\n" * 70 + "}")
        self.assertEqual(1, self.lint()[0])

    def test_sources_without_flags(self):
        self.commit("src/a.cpp", "src/entry.cpp")
        status, told = self.lint()
        self.assertEqual(0, status, told)
        self.assertIn("not built here: src/entry.cpp", told)
        self.assertNotIn("read src/entry.cpp", told)

    def test_changed(self):
        self.commit("src/a.cpp", "src/gone.cpp")
        self.commit("src/b.cpp", "src/b.h")
        (self.tree / "src" / "gone.cpp").unlink()
        self.commit("src/c.cpp")
        self.write("src/a.cpp", "int a;")
        status, told = self.lint("--changed", "HEAD~1", LINT_SECONDS="60")
        self.assertEqual(0, status, told)
        self.assertIn("lint.sh: 2 sources changed since", told)
        self.assertNotIn("read src/b.cpp", told)
        status, told = self.lint("--changed")
        self.assertEqual(0, status, told)
        self.assertIn("1 changed headers", told)
        self.assertEqual({"read src/a.cpp", "read src/b.cpp", "read src/c.cpp"},
                         {line for line in told.splitlines() if line.startswith("read ")})
        self.write("src/a.cpp", "fault")
        self.assertEqual(1, self.lint("--changed")[0])
        self.assertEqual(2, self.lint("--changed", "nonsense")[0])

    def test_what_is_skipped(self):
        self.commit("src/a.cpp")
        self.commit("src/b.cpp")
        status, told = self.lint("--changed", LINT_SECONDS="0")
        self.assertEqual(0, status, told)
        self.assertIn("skipped 1 of 1 sources after 0 s:\n  src/b.cpp", told)


if __name__ == "__main__":
    unittest.main()
