"""What a run does to files that are not its own: nothing. What it leaves when it is killed: nothing that stays.

Also what becomes of the program when nobody reads what it prints.
"""

import os
import pathlib
import signal
import stat
import subprocess
import time
import unittest

from test_driver import DriverCase, EXPERIMENT, PIMSWEEP


class Outputs(DriverCase):
    def test_only_regular_files_are_replaced(self):
        name = self.write(EXPERIMENT)
        self.run_it(name, "--output", "good.h5", "--keep-journals")
        os.mkfifo(self.dir / "fifo")
        (self.dir / "link").symlink_to("good.h5")
        (self.dir / "loose").symlink_to("nowhere")
        outputs = ["fifo", "link", "loose"]
        if os.geteuid() == 0:
            os.mknod(self.dir / "device", stat.S_IFCHR | 0o666, os.makedev(1, 3))
            outputs.append("device")
        for output in outputs:
            before = os.lstat(self.dir / output)
            for arguments in ([name, "--force"], [name, "--resume"], [name], ["merge", "good.h5.journal"]):
                with self.subTest(output=output, arguments=arguments):
                    message = self.run_it(*arguments, "--output", output, expect=2)
                    self.assertIn("not a regular file", message)
                    after = os.lstat(self.dir / output)
                    self.assertEqual((after.st_mode, after.st_ino), (before.st_mode, before.st_ino))
                    self.assertFalse((self.dir / f"{output}.journal").exists())

    def test_foreign_files_in_the_journal_folder_stay(self):
        name = self.write(EXPERIMENT)
        self.run_it(name, "--output", "out.h5", "--keep-journals")
        folder = self.dir / "out.h5.journal"
        (folder / "notes.txt").write_text("mine")
        (folder / "diary.journal").write_text("mine too")
        (folder / "partial.h5").write_text("by a job script")
        message = self.run_it(name, "--output", "out.h5", "--resume")
        self.assertIn("not pimsweep's", message)
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["diary.journal", "notes.txt"])

    def test_links_are_not_followed(self):
        name = self.write(EXPERIMENT)
        (self.dir / "outside").mkdir()
        (self.dir / "a.h5.journal").mkdir()
        (self.dir / "a.h5.journal/lock").symlink_to("../outside/lock")
        self.assertIn("symbolic link", self.run_it(name, "--output", "a.h5", "--resume", expect=2))
        (self.dir / "b.h5.journal").symlink_to("outside")
        self.assertIn("is not a folder", self.run_it(name, "--output", "b.h5", "--resume", expect=2))
        self.assertEqual(list((self.dir / "outside").iterdir()), [])
        # A journal that is a link is not read either.
        self.run_it(name, "--output", "c.h5", "--keep-journals")
        (self.dir / "d.h5.journal").mkdir()
        journal, = (self.dir / "c.h5.journal").glob("*.journal")
        (self.dir / "d.h5.journal" / journal.name).symlink_to(journal)
        self.run_it(name, "--output", "d.h5", "--resume")
        self.assertEqual(self.provenance("d.h5", "points_reused"), "0")

    @unittest.skipUnless(os.geteuid() == 0, "giving a folder away needs root")
    def test_a_folder_of_another_user_is_refused(self):
        name = self.write(EXPERIMENT)
        folder = self.dir / "out.h5.journal"
        folder.mkdir()
        os.chown(folder, 65534, 65534)
        self.assertIn("belongs to another user", self.run_it(name, "--output", "out.h5", "--resume", expect=2))
        self.assertEqual(list(folder.iterdir()), [])

    def test_files_of_killed_writers_are_cleared(self):
        name = self.write(EXPERIMENT)
        for left in ("out.h5.123.tmp", "out.h5.merge.45.tmp", "out.h5.notes.tmp", "other.h5.7.tmp"):
            (self.dir / left).write_text("")
        self.run_it(name, "--output", "out.h5")
        self.assertEqual(sorted(path.name for path in self.dir.glob("*.tmp")), ["other.h5.7.tmp", "out.h5.notes.tmp"])

    def test_nothing_waits_for_a_fifo(self):
        name = self.write(EXPERIMENT)
        (self.dir / "out.h5.journal").mkdir()
        os.mkfifo(self.dir / "out.h5.journal/lock")
        os.mkfifo(self.dir / "fifo.toml")
        for arguments, status in ((["status", "out.h5"], 75), ([name, "--output", "out.h5", "--resume"], 2),
                                  (["check", "fifo.toml"], 2), (["merge", "out.h5.journal/lock", "--output", "m.h5"], 2)):
            with self.subTest(arguments=arguments):
                self.run_it(*arguments, expect=status)

    def test_a_point_in_a_process_of_its_own_ends_with_its_rank(self):
        name = self.write(EXPERIMENT)
        crashed = subprocess.run([PIMSWEEP, name, "--output", "out.h5", "--fault", "segv@point=5"], cwd=self.dir,
                                 capture_output=True, check=False)
        # The address and the thread sanitizer turn the signal into a status.
        self.assertIn(crashed.returncode, (-signal.SIGSEGV, 1, 66))
        process = subprocess.Popen([PIMSWEEP, name, "--output", "out.h5", "--resume", "--fault", "hang@point=5"], cwd=self.dir,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        child = self.child_of(process.pid)
        process.kill()
        try:
            # The child has this pipe too: it is closed when both are gone.
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.kill(child, signal.SIGKILL)
            self.fail("the child goes on")

    def child_of(self, parent):
        """The process of its own in which a rank evaluates a point. MPI starts others, of another program."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            for children in pathlib.Path(f"/proc/{parent}/task").glob("*/children"):
                for child in children.read_text().split():
                    if pathlib.Path(f"/proc/{child}/exe").resolve() == pathlib.Path(PIMSWEEP).resolve():
                        return int(child)
            time.sleep(0.05)
        raise TimeoutError("no point is evaluated in a process of its own")


class Prints(DriverCase):
    def test_output_that_cannot_be_written(self):
        name = self.write(EXPERIMENT)
        self.run_it(name, "--output", "out.h5")
        for arguments in (["plan", name], ["list", "axes"], ["--help"], ["status", "out.h5"], ["explain", name, "--point", "0"],
                          [name, "--output", "new.h5"]):
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                done = subprocess.run([PIMSWEEP, *arguments], cwd=self.dir, stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=60, check=False)
                self.assertEqual(done.returncode, 74, done.stderr)
                self.assertIn("cannot write to standard output", done.stderr)
        self.assertFalse((self.dir / "new.h5.journal").exists())

    def test_a_reader_that_leaves(self):
        name = self.write(EXPERIMENT)
        for arguments in (["list", "axes"], ["plan", name], [name, "--output", "out.h5"]):
            with self.subTest(arguments=arguments):
                reading, writing = os.pipe()
                os.close(reading)
                done = subprocess.run([PIMSWEEP, *arguments, *(["--progress", "none"] if "--output" in arguments else [])],
                                      cwd=self.dir, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
                os.close(writing)
                self.assertIn(done.returncode, (0, -signal.SIGPIPE))
                self.assertEqual(done.stderr, "")
        self.assertTrue((self.dir / "out.h5").exists())

    def test_messages_that_cannot_be_written(self):
        name = self.write(EXPERIMENT.replace('"20 us"', '"20 us"\nfailure_rate = 0.05'))
        with open("/dev/full", "w") as full:
            done = subprocess.run([PIMSWEEP, name, "--output", "out.h5", "--progress", "plain"], cwd=self.dir, stderr=full,
                                  stdout=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertTrue((self.dir / "out.h5").exists())


if __name__ == "__main__":
    unittest.main()
