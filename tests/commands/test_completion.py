"""Completion of shells and the manual page, asked as shells ask: what the parser knows is offered and documented."""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(os.environ["PIMSWEEP"])

EXPERIMENT = """name = "small"
[[study]]
id = "alpha"
system = "synthetic"
[study.axes]
n = [1, 2]
[[study]]
id = "beta"
system = "synthetic"
"""


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, **options).stdout


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.dir = pathlib.Path(scratch.name)
        (cls.dir / "small.toml").write_text(EXPERIMENT)
        (cls.dir / "folder").mkdir()
        run(PROGRAM, "small.toml", "-o", "small.h5", "--progress", "none", cwd=cls.dir)
        for shell in ("bash", "zsh", "fish"):
            (cls.dir / f"completion.{shell}").write_text(run(PROGRAM, "completion", shell))
        cls.environment = dict(os.environ, PATH=f"{PROGRAM.parent}:{os.environ['PATH']}")

    def offered(self, *words):
        """By the program itself."""
        return [line.split("\t")[0] for line in run(PROGRAM, "__complete", "pimsweep", *words, cwd=self.dir).splitlines()]

    def test_commands_options_and_values(self):
        self.assertEqual(self.offered("stat"), ["status", ":file *.toml"])
        self.assertEqual(self.offered("status", "small.h5", "--w"), ["--watch"])
        self.assertEqual(self.offered("help", "sen"), ["sensitivity"])
        self.assertEqual(self.offered("--progress", ""), ["bar", "plain", "none"])
        self.assertEqual(self.offered("small.toml", "--progress", "p"), ["plain"])
        self.assertEqual(self.offered("run", ""), [":file *.toml"])
        self.assertEqual(self.offered("show", ""), [":file *.h5"])
        self.assertEqual(self.offered("export", "small.h5", "--format", ""), ["csv", "spreadsheet", "jsonl"])
        # Hidden ones are for tests and for the build.
        self.assertEqual(self.offered("--fau"), [])
        self.assertNotIn("completion", self.offered(""))

    def test_names_of_files_and_of_the_configs(self):
        self.assertEqual(self.offered("show", "small.h5", "--study", ""), ["alpha", "beta"])
        self.assertEqual(self.offered("plan", "small.toml", "--study", "b"), ["beta"])
        self.assertIn("cost", self.offered("top", "small.h5", "--min", "c"))
        self.assertIn("swin-t", self.offered("list", "models", "sw"))
        self.assertIn("gpu-v100", self.offered("list", "hardware", "gpu"))
        self.assertEqual(self.offered("list", "axes", "hyp"), ["hypar"])
        self.assertIn("heteropim-vgg-19", self.offered("training", "heteropim-v"))
        self.assertEqual(self.offered("show", "nowhere.h5", "--study", ""), [])

    def test_every_command_is_offered(self):
        commands = self.offered("")
        self.assertGreater(len(commands), 15)
        for command in commands:
            if not command.startswith(":"):
                self.assertIn(f"Usage: pimsweep {command} ", run(PROGRAM, "help", command))

    def bash(self, *words):
        script = ('source completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pimsweep 2>/dev/null; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        return run("bash", "-c", script, "-", "pimsweep", *words, cwd=self.dir, env=self.environment).split()

    def test_bash(self):
        run("bash", "-n", self.dir / "completion.bash")
        self.assertEqual(self.bash("sens"), ["sensitivity"])
        self.assertEqual(self.bash("sh"), ["show"])
        self.assertEqual(self.bash("show", "sm"), ["small.h5"])
        self.assertEqual(self.bash("check", ""), ["small.toml", "folder"])
        self.assertEqual(self.bash("show", "small.h5", "--study", "al"), ["alpha"])
        self.assertEqual(self.bash("show", "small.h5", "--acr"), ["--across"])

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
    def test_zsh(self):
        run("zsh", "-n", self.dir / "completion.zsh")
        for typed, completed in (("pimsweep sens", "pimsweep sensitivity "), ("pimsweep show sm", "pimsweep show small.h5 "),
                                 ("pimsweep show small.h5 --study al", "pimsweep show small.h5 --study alpha "),
                                 ("pimsweep show small.h5 --acr", "pimsweep show small.h5 --across ")):
            with self.subTest(typed):
                self.assertEqual(self.zsh(typed), completed)

    def zsh(self, typed):
        """The line that an interactive zsh has after `typed` and a tab."""
        setup = ('autoload -Uz compinit && compinit -u -d ./dump && source ./completion.zsh && '
                 'show-line() { print -r -- "line<$BUFFER>" } && zle -N show-line && bindkey "^T" show-line && print ready\n')
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.dir)
            os.execvpe("zsh", ["zsh", "-f", "-i"], dict(self.environment, TERM="dumb", PS1="$ ", COLUMNS="200"))
        try:
            os.write(terminal, setup.encode())
            self.read_until(terminal, r"\nready\r\n")
            os.write(terminal, f"{typed}\t\x14".encode())
            return self.read_until(terminal, r"line<(.*)>\r\n")
        finally:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            os.close(terminal)

    def read_until(self, terminal, pattern):
        """What the last group of the pattern matches in the output of a terminal, which comes within 30 s."""
        seen = ""
        end = time.monotonic() + 30
        while not (found := re.search(pattern, seen)):
            ready, _, _ = select.select([terminal], [], [], end - time.monotonic())
            self.assertTrue(ready, f"no {pattern!r} in {seen!r}")
            seen += os.read(terminal, 4096).decode(errors="replace")
        return found[found.lastindex or 0]

    @unittest.skipUnless(shutil.which("fish"), "there is no fish")
    def test_fish(self):
        run("fish", "-n", self.dir / "completion.fish")
        def offered(line):
            answer = run("fish", "--no-config", "-c", f"source completion.fish; complete -C '{line}'", cwd=self.dir,
                         env=dict(self.environment, HOME=str(self.dir)))
            return [entry.split("\t")[0] for entry in answer.splitlines()]
        self.assertEqual(offered("pimsweep sens"), ["sensitivity"])
        self.assertEqual(offered("pimsweep show small.h5 --study "), ["alpha", "beta"])
        self.assertIn("small.h5", offered("pimsweep show sm"))

    @unittest.skipUnless(shutil.which("man"), "there is no man")
    def test_manual_page(self):
        page = self.dir / "pimsweep.1"
        page.write_text(run(PROGRAM, "man"))
        done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, timeout=60, check=True,
                              env=dict(os.environ, LC_ALL="C.UTF-8", MANROFFSEQ="", MANWIDTH="100"))
        self.assertEqual(done.stderr, "")
        for part in ("--time-limit", "sensitivity", "PIMSWEEP_CONFIGS", "-o, --output FILE"):
            self.assertIn(part, done.stdout)
        self.assertNotIn("--fault", done.stdout)


if __name__ == "__main__":
    unittest.main()
