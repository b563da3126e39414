"""Attacks on everything that a run reads and writes: nothing is lost, nothing is wrong, nothing hangs.

    PIMSWEEP=build/release/pimsweep python3 tests/driver/attacks.py --library build/release/tests/driver/libio_faults.so

Each attack is a list of trials; --attack takes some of them by name, --sample so many trials of each, evenly spread.
After every trial the run is resumed and compared with an undisturbed one. Prints a table of trials, points lost, wrong
results or changed files, and hangs; exit status 1 if any is not zero. What random kills and single failing system calls
do is in random_kills.py and io_faults.py.
"""

import argparse
import collections
import errno
import itertools
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

import h5py

PIMSWEEP = os.environ["PIMSWEEP"]
# So long a launch may take on a busy machine; those with few ranks take a second or two.
PATIENCE = 90
EXPERIMENT = """name = "attacked"
[[study]]
id = "points"
system = "synthetic"
cost_mean = "4 ms"
infeasible_rate = 0.1
rows = 2
[study.axes]
label = ["a,b", "ü"]
n = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
seed = [1, 2, 3]
[[study]]
id = "seek"
system = "synthetic"
cost_mean = "4 ms"
infeasible_rate = 0.2
[study.search]
min = ["checksum"]
population = 8
generations = 3
[study.search.ranges]
n = { from = 0, to = 60000 }
"""
NETWORK = """name = "net"
[[study]]
id = "net"
system = "hypar"
hardware = "hypar-hmc-array"
fidelity = "event"
model = "sfc"
policy = "hypar"
"""
# Changes of an experiment between a run and its continuation: text to replace, and its replacement.
CHANGES = {
    "value added": ("seed = [1, 2, 3]", "seed = [1, 2, 3, 4]"),
    "value removed": ("seed = [1, 2, 3]", "seed = [1, 3]"),
    "values swapped": ("seed = [1, 2, 3]", "seed = [3, 1, 2]"),
    "axis added": ("seed = [1, 2, 3]", "seed = [1, 2, 3]\nfailure_rate = [0, 0.01]"),
    "axis removed": ("seed = [1, 2, 3]\n", ""),
    "axes swapped": ("seed = [1, 2, 3]\n", "seed = [1, 2, 3]\ncost_distribution = [\"constant\"]\n"),
    "study renamed": ('id = "points"', 'id = "renamed"'),
    "study added": ('[[study]]\nid = "seek"', '[[study]]\nid = "more"\nsystem = "synthetic"\nn = 7\n[[study]]\nid = "seek"'),
    "constant changed": ("rows = 2", "rows = 3"),
    "condition added": ('rows = 2\n', 'rows = 2\nwhere = "n != 3"\n'),
    "search enlarged": ("generations = 3", "generations = 4"),
    "search over less": ("to = 60000", "to = 50000"),
    "name changed": ('name = "attacked"', 'name = "other"'),
}


class Failed(Exception):
    """A trial that went wrong: what was lost, and why."""

    def __init__(self, text, lost=0, hangs=0):
        super().__init__(text)
        self.lost = lost
        self.hangs = hangs


class Attacks:
    """The folder in which they are tried, and the undisturbed run."""

    def __init__(self, folder, library):
        self.folder = folder
        self.library = library
        self.number = 0
        self.write("attacked.toml", EXPERIMENT)
        self.launch("attacked.toml", "--output", "whole.h5", allowed=(0,))
        self.digest = self.digest_of("whole.h5")

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def fresh(self):
        """The name of an output of one trial."""
        self.number += 1
        return f"{self.number}.h5"

    def start(self, *arguments, launcher=(), **options):
        settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        return subprocess.Popen([*launcher, PIMSWEEP, *arguments], cwd=self.folder, **(settings | options))

    def end(self, process, allowed):
        """The messages of a launch, which must end with one of the statuses; a signal is a negative one."""
        try:
            text, _ = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failed(f"{process.args} hangs", hangs=1) from None
        if process.returncode not in allowed:
            raise Failed(f"{process.args} ended with {process.returncode}, not {allowed}: {text}")
        return text or ""

    def launch(self, *arguments, allowed=(0, 2, 75), **options):
        return self.end(self.start(*arguments, **options), allowed)

    def digest_of(self, name):
        with h5py.File(self.folder / name) as file:
            return file.attrs["digest"]

    def provenance(self, name, key):
        with h5py.File(self.folder / name) as file:
            return int(file["provenance"].attrs[key])

    def known(self, output, study="points"):
        """Identities of points with a result, by a merge of the journals or from the results file."""
        name = output
        if (self.folder / f"{output}.journal").exists():
            name = f"known-{output}"
            text = self.launch("merge", f"{output}.journal", "--output", name, "--force", allowed=(0, 2, 75))
            if "no journal" in text:
                return set()
        elif not (self.folder / output).exists():
            return set()
        with h5py.File(self.folder / name) as file:
            if study not in file:
                return set()
            group = file[study]
            return {pair for pair, status in zip(zip(group["identity_high"][:], group["identity_low"][:]), group["status"][:])
                    if status in (0, 1)}

    def resume_and_compare(self, output, known=None):
        """The resumed run is as an undisturbed one, and evaluates nothing again that was known."""
        before = self.known(output) if known is None else known
        self.launch("attacked.toml", "--output", output, "--resume", allowed=(0,))
        if self.digest_of(output) != self.digest:
            raise Failed(f"{output}: other data after --resume")
        reused = self.provenance(output, "points_reused")
        if reused < len(before):
            raise Failed(f"{output}: {reused} of {len(before)} known points are reused", lost=len(before) - reused)
        if (self.folder / f"{output}.journal").exists():
            raise Failed(f"{output}: its journals stay")

    def wait_for_points(self, process, output, count=5):
        """Until journals hold some points."""
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and len(self.known(output)) < count:
            if time.monotonic() > deadline:
                raise Failed("no point is done", hangs=1)
            time.sleep(0.05)


def closed_streams(attacks):
    """Every combination of closed standard streams, without a launcher and under mpirun."""
    for closed in itertools.chain.from_iterable(itertools.combinations((0, 1, 2), count) for count in range(4)):
        shell = " ".join(f"{stream}{'<' if stream == 0 else '>'}&-" for stream in closed)
        for launcher in ([], ["mpirun", "-n", "3"]):
            def trial(shell=shell, launcher=launcher):
                output = attacks.fresh()
                ranks = [] if launcher else ["--ranks", "3"]
                process = subprocess.Popen([*launcher, "bash", "-c", f'exec "$@" {shell}', "-", PIMSWEEP, "attacked.toml",
                                            "--output", output, "--progress", "plain", *ranks], cwd=attacks.folder,
                                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                attacks.end(process, (0,))
                if attacks.digest_of(output) != attacks.digest:
                    raise Failed("other data")
            yield trial


def children_of(process):
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def killed_in_the_first_second(attacks):
    """A rank of four, rank 0 too, killed at 50 times from the start on."""
    for trial_number in range(50):
        def trial(number=trial_number):
            output = attacks.fresh()
            process = attacks.start("attacked.toml", "--output", output, "--ranks", "4", "--silence", "5", "--grace", "3")
            time.sleep(number / 50)
            victims = [process.pid, *children_of(process.pid)]
            victim = victims[number % len(victims)]
            if process.poll() is None:
                os.kill(victim, signal.SIGKILL)
            begin = time.monotonic()
            attacks.end(process, (0, 75, -signal.SIGKILL))
            # The points of the others go on; there is less than a second of them.
            if time.monotonic() - begin > 20:
                raise Failed("the loss is noticed late", hangs=1)
            if (attacks.folder / output).exists() or (attacks.folder / f"{output}.journal").exists():
                attacks.resume_and_compare(output)
        yield trial


def manager_killed_under_recovery(attacks):
    """Rank 0 of mpirun --enable-recovery killed at ten times of the first seconds."""
    for trial_number in range(10):
        def trial(number=trial_number):
            output = attacks.fresh()
            process = attacks.start("attacked.toml", "--output", output, "--silence", "5", "--grace", "2",
                                    launcher=("mpirun", "--enable-recovery", "-n", "4"))
            time.sleep(0.2 * (number + 1))
            for child in children_of(process.pid):
                environment = pathlib.Path(f"/proc/{child}/environ").read_bytes()
                if b"OMPI_COMM_WORLD_RANK=0\0" in environment and process.poll() is None:
                    os.kill(child, signal.SIGKILL)
            attacks.end(process, range(-64, 256))
            if process.returncode == 0 and attacks.digest_of(output) != attacks.digest:
                raise Failed("status 0 without the results")
            if (attacks.folder / output).exists() or (attacks.folder / f"{output}.journal").exists():
                attacks.resume_and_compare(output)
        yield trial


class Targets:
    """Files of each kind that an output could hit, and whether they are as before."""

    def __init__(self, attacks):
        self.folder = attacks.folder / "targets"
        if not self.folder.exists():
            self.folder.mkdir()
            attacks.write("targets/run.toml", EXPERIMENT)
            attacks.write("targets/net.toml", NETWORK)
            attacks.launch("targets/run.toml", "--output", "targets/input.h5", "--keep-journals", allowed=(0,))
            attacks.launch("targets/net.toml", "--output", "targets/other.h5", allowed=(0,))
            attacks.write("targets/notes.txt", "mine\n")
            attacks.write("targets/mine.csv", "a,b\n1,2\n")
            attacks.write("targets/mine.html", "<p>mine</p>\n")
            (self.folder / "folder").mkdir()
            attacks.write("targets/folder/inside.txt", "mine\n")
            (self.folder / "to-notes").symlink_to("notes.txt")
            (self.folder / "to-input").symlink_to("input.h5")
        journals = sorted(path.name for path in (self.folder / "input.h5.journal").iterdir() if path.suffix == ".journal")
        self.names = ["run.toml", "input.h5", "other.h5", "notes.txt", "mine.csv", "mine.html", "to-notes", "to-input",
                      "input.h5.journal/lock", f"input.h5.journal/{journals[0]}"]
        self.before = self.content()

    def content(self):
        return {name: (self.folder / name).read_bytes() for name in [*self.names, "folder/inside.txt"]}

    def changed(self):
        now = self.content()
        return [name for name in now if now[name] != self.before[name]]


def outputs_of_commands():
    """Each command that writes, without its output."""
    return {
        "run": ["targets/run.toml", "--output"],
        "merge": ["merge", "targets/input.h5.journal", "--output"],
        "page": ["page", "targets/input.h5", "--output"],
        "export": ["export", "targets/input.h5", "--study", "points", "--table", "points", "--output"],
        "show": ["show", "targets/input.h5", "--csv"],
        "list": ["list", "systems", "--csv"],
        "trace": ["trace", "targets/net.toml", "--point", "0", "--output"],
        "model": ["model", "vgg-a", "--onnx"],
        "pareto": ["pareto", "targets/input.h5", "--study", "points", "--min", "cost", "--min", "checksum", "--plot"],
    }


def replaceable(command, names):
    """What a command may replace with --force: results by results, all but its inputs by texts; nothing among journals."""
    if command in ("run", "merge"):
        return ["other.h5"]
    inputs = () if command in ("list", "trace", "model") else ("input.h5", "to-input")
    return [name for name in names if name not in inputs and not name.startswith("input.h5.journal")]


def outputs_onto_files(attacks):
    """The output of each command onto each kind of file: without --force nothing changes, and never an input or a journal."""
    targets = Targets(attacks)
    for (command, arguments), name, force in itertools.product(outputs_of_commands().items(),
                                                               [*targets.names, "folder", "/dev/full"], (False, True)):
        # That is what --force is for.
        if force and name == "input.h5" and command in ("run", "merge"):
            continue

        def trial(command=command, arguments=arguments, name=name, force=force):
            output = name if name.startswith("/") else f"targets/{name}"
            attacks.launch(*arguments, output, *(["--force"] if force else []), allowed=(0, 2, 74))
            changed = targets.changed()
            for other in changed:
                (targets.folder / other).write_bytes(targets.before[other])
            # A link and its target are one file.
            is_one = len({targets.before[other] for other in changed}) <= 1
            wrong = [other for other in changed if not force or other not in replaceable(command, targets.names)]
            if wrong or not is_one:
                raise Failed(f"{command} onto {name}, force {force}: {changed} changed")
        yield trial


def limits_of_resources(attacks):
    """Limits of the shell: the run goes on, is refused or stops resumable."""
    kinds = {"FSIZE": (0, 1, 100, 1 << 10, 4 << 10, 16 << 10, 64 << 10), "NOFILE": (4, 8, 12, 16, 24, 64),
             "AS": (10 << 20, 40 << 20, 160 << 20, 640 << 20), "DATA": (1 << 20, 10 << 20, 40 << 20),
             "STACK": (16 << 10, 64 << 10, 1 << 20), "CPU": (1,), "CORE": (0,)}
    for kind, sizes in kinds.items():
        for size in sizes:
            def trial(kind=kind, size=size):
                output = attacks.fresh()
                limit = getattr(resource, f"RLIMIT_{kind}")
                # The loader and the kernel end a process that has no room to begin.
                attacks.launch("attacked.toml", "--output", output, "--ranks", "3",
                               allowed=(0, 2, 74, 75, 127, -signal.SIGKILL, -signal.SIGSEGV, -signal.SIGXCPU),
                               preexec_fn=lambda: resource.setrlimit(limit, (size, size)))
                attacks.resume_and_compare(output)
            yield trial


def exhausted_quotas(attacks):
    """From some write on, each one fails as on a disk without a quota left."""
    for nth in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233):
        def trial(nth=nth):
            output = attacks.fresh()
            counts = attacks.folder / "counts"
            counts.write_bytes(bytes(64))
            environment = os.environ | {"LD_PRELOAD": str(attacks.library), "IO_FAULTS_FOLDER": str(attacks.folder / output),
                                        "IO_FAULTS_COUNTS": str(counts), "IO_FAULTS_FAIL": f"write:{nth}:{errno.EDQUOT}:on"}
            attacks.launch("attacked.toml", "--output", output, "--ranks", "1", allowed=(0, 74), env=environment)
            attacks.resume_and_compare(output)
        yield trial


def small_disks(attacks):
    """A disk of 4 KiB to 1 MiB, without a launcher and under mpirun, then more room. Without the right to mount, no trial."""
    disk = attacks.folder / "disk"
    disk.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", disk]
    if subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        return
    subprocess.run(["umount", disk], check=True)
    for size, launcher in itertools.product(("4k", "16k", "32k", "64k", "128k", "1m"), ((), ("mpirun", "-n", "3"))):
        def trial(size=size, launcher=launcher):
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], check=True)
            try:
                text = attacks.launch("attacked.toml", "--output", "disk/out.h5", launcher=launcher, allowed=(0, 74))
                if not (disk / "out.h5").exists() and "No space left on device" not in text:
                    raise Failed(f"{size}: without a reason: {text}")
                if list(disk.glob("*.tmp")):
                    raise Failed(f"{size}: half a file stays")
                subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
                attacks.resume_and_compare("disk/out.h5")
            finally:
                subprocess.run(["umount", disk], check=True)
        yield trial


def jumping_clocks(attacks):
    """Half a second after the start the clock of the day goes back or ahead by up to years, or the monotonic one ahead."""
    jumps = [(time.CLOCK_REALTIME, seconds) for seconds in (-10, -3600, -86400, -1_800_000_000, 10, 3600, 86400)]
    jumps += [(time.CLOCK_MONOTONIC, seconds) for seconds in (1, 5, 30, 3600, 86400)]
    for clock, seconds in jumps:
        for ranks in (1, 3):
            def trial(clock=clock, seconds=seconds, ranks=ranks):
                output = attacks.fresh()
                environment = os.environ | {"LD_PRELOAD": str(attacks.library), "IO_FAULTS_CLOCK": f"{clock}:{seconds}"}
                attacks.launch("attacked.toml", "--output", output, "--ranks", str(ranks), allowed=(0, 75), env=environment)
                attacks.resume_and_compare(output)
            yield trial


def two_runs_at_once(attacks):
    """A second run or merge onto the output of one that goes on is refused, and loses the first one nothing."""
    for option, ranks in itertools.product(("--resume", "--force", None, "merge"), (1, 3)):
        def trial(option=option, ranks=ranks):
            output = attacks.fresh()
            process = attacks.start("attacked.toml", "--output", output, "--ranks", str(ranks), "--set", "cost_mean=20 ms")
            attacks.wait_for_points(process, output, 2)
            if option == "merge":
                attacks.launch("merge", f"{output}.journal", "--output", output, "--force", allowed=(2,))
            else:
                attacks.launch("attacked.toml", "--output", output, *([option] if option else []), allowed=(2,))
            attacks.end(process, (0,))
            if attacks.provenance(output, "points_computed") < 90:
                raise Failed("points of the first run are missing", lost=1)
        yield trial


def another_host(attacks):
    """A shared file system on which the locks of another host are not seen: its record tells."""
    lock = "{output}.journal/lock"

    def record(number):
        return f"node7 11111111-2222-3333-4444-555555555555 4711 {number:010}\n"

    def alive():
        output = attacks.fresh()
        (attacks.folder / f"{output}.journal").mkdir()
        path = attacks.folder / lock.format(output=output)
        stop = threading.Event()

        def beat():
            for number in itertools.count():
                path.write_text(record(number))
                if stop.wait(0.3):
                    return
        thread = threading.Thread(target=beat)
        thread.start()
        try:
            time.sleep(0.1)
            text = attacks.launch("attacked.toml", "--output", output, "--resume", allowed=(2,))
        finally:
            stop.set()
            thread.join()
        if "another run is writing" not in text or "process 4711 on node7" not in text:
            raise Failed(text)

    def dead():
        output = attacks.fresh()
        (attacks.folder / f"{output}.journal").mkdir()
        (attacks.folder / lock.format(output=output)).write_text(record(17))
        attacks.resume_and_compare(output)

    def taken_over():
        output = attacks.fresh()
        process = attacks.start("attacked.toml", "--output", output, "--ranks", "1", "--set", "cost_mean=400 ms")
        attacks.wait_for_points(process, output, 2)
        # Both have begun at the same moment; the other one was later.
        (attacks.folder / lock.format(output=output)).write_text(record(1))
        text = attacks.end(process, (75,))
        if "process 4711 on node7 writes" not in text:
            raise Failed(text)

    yield from (alive, dead, taken_over)


def changed_experiments(attacks):
    """A run that was stopped goes on after its experiment has changed: as a fresh run, and what is known is reused."""
    for change, (old, new) in CHANGES.items():
        for stopped in (True, False):
            def trial(change=change, old=old, new=new, stopped=stopped):
                output, name = attacks.fresh(), f"changed-{attacks.number}.toml"
                attacks.write(name, EXPERIMENT)
                process = attacks.start(name, "--output", output, "--ranks", "2", "--grace", "5")
                if stopped:
                    attacks.wait_for_points(process, output)
                    process.send_signal(signal.SIGTERM)
                attacks.end(process, (0, 75))
                known = attacks.known(output)
                if EXPERIMENT.count(old) != 1:
                    raise Failed(f"{change}: the text to change is not there")
                attacks.write(name, EXPERIMENT.replace(old, new))
                attacks.launch(name, "--output", "fresh.h5", "--force", allowed=(0, 1))
                study = "renamed" if "renamed" in change else "points"
                common = known & attacks.known("fresh.h5", study)
                attacks.launch(name, "--output", output, "--resume", allowed=(0, 1))
                if attacks.digest_of(output) != attacks.digest_of("fresh.h5"):
                    raise Failed(f"{change}: not as a fresh run")
                reused = attacks.provenance(output, f"points_reused_{study}")
                if reused < len(common):
                    raise Failed(f"{change}: {reused} of {len(common)} known points are reused", lost=len(common) - reused)
            yield trial


ATTACKS = {attack.__name__.replace("_", "-"): attack for attack in (
    closed_streams, killed_in_the_first_second, manager_killed_under_recovery, outputs_onto_files, limits_of_resources,
    exhausted_quotas, small_disks, jumping_clocks, two_runs_at_once, another_host, changed_experiments)}


def evenly_spread(trials, sample):
    if sample is None or sample >= len(trials):
        return trials
    return [trials[round(i * (len(trials) - 1) / max(1, sample - 1))] for i in range(sample)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, required=True, help="the preloaded library, libio_faults.so")
    parser.add_argument("--attack", nargs="+", choices=ATTACKS, default=list(ATTACKS), help="only these")
    parser.add_argument("--sample", type=int, help="so many trials of each")
    arguments = parser.parse_args()
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    with tempfile.TemporaryDirectory() as scratch:
        attacks = Attacks(pathlib.Path(scratch).resolve(), arguments.library.resolve())
        for name in arguments.attack:
            for trial in evenly_spread(list(ATTACKS[name](attacks)), arguments.sample):
                row = sums[name]
                row[0] += 1
                try:
                    trial()
                except (Failed, OSError, KeyError) as failure:
                    row[1] += getattr(failure, "lost", 0)
                    row[3] += getattr(failure, "hangs", 0)
                    row[2] += not (getattr(failure, "lost", 0) or getattr(failure, "hangs", 0))
                    print(f"{name}, trial {row[0]}: {failure!r}", file=sys.stderr, flush=True)
    print("| attack | trials | points lost | wrong | hangs |\n|---|---:|---:|---:|---:|")
    for name, row in sums.items():
        print(f"| {name.replace('-', ' ')} | {' | '.join(map(str, row))} |")
    return 1 if any(any(row[1:]) for row in sums.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
