"""A Slurm of one node, run by whoever calls it from Debian's packages, in a folder and on ports of its own."""

import os
import pathlib
import pwd
import re
import shutil
import signal
import socket
import subprocess
import time

# Debian keeps the daemons where only root's PATH looks.
DAEMON_PATH = os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin"])
# Slurm looks for jobs at their time limit each so many seconds, counted from its start (PERIODIC_TIMEOUT of 22.05).
LIMIT_CHECK = 30
CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
# Nothing that needs root, a key, a control group or a data base.
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
# More processors than the machine may have.
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
# PMIx makes folders here that are named by the number of the job.
TmpFS={folder}/tmp
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
# Between TERM and KILL at the time limit; Slurm's default is 30.
KillWait=10
NodeName={host} NodeAddr=127.0.0.1 CPUs=16 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def installed():
    return all(shutil.which(program, path=DAEMON_PATH) for program in ("slurmctld", "slurmd", "sbatch", "srun", "scontrol"))


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class OneNodeSlurm:
    """Started by its constructor; close() ends the jobs and the daemons."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for name in ("state", "spool", "tmp"):
            (self.folder / name).mkdir()
        controller_port, node_port = free_ports(2)
        configuration = self.folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], user=pwd.getpwuid(os.getuid()).pw_name, folder=self.folder,
            controller_port=controller_port, node_port=node_port))
        # Not those of a Slurm job that this may itself run in.
        outside = {key: value for key, value in os.environ.items() if not key.startswith("SLURM_")}
        # Open MPI names its shared memory by the number of Slurm's job: that of another Slurm would be taken for its own.
        self.environment = dict(outside, SLURM_CONF=str(configuration), PATH=DAEMON_PATH,
                                OMPI_MCA_btl_vader_backing_directory=str(self.folder / "tmp"))
        self.started = time.monotonic()
        self.daemons = [self.start(name) for name in ("slurmctld", "slurmd")]
        try:
            self.wait_for(lambda: "idle" in self.ask("sinfo", "-h", "-o", "%T", check=False), 30, "an idle node")
        except BaseException:
            self.close()
            raise

    def start(self, name):
        with open(self.folder / f"{name}.out", "w") as out:
            return subprocess.Popen([shutil.which(name, path=DAEMON_PATH), "-D", "-f", self.environment["SLURM_CONF"]],
                                    env=self.environment, stdout=out, stderr=out, stdin=subprocess.DEVNULL)

    def ask(self, *command, check=True):
        """Output of a command of Slurm."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=30, check=False)
        if check and done.returncode != 0:
            raise RuntimeError(f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def wait_for(self, condition, seconds, what):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f"no {what} after {seconds} s\n{self.logs()}")
            time.sleep(0.2)

    def logs(self):
        return "\n".join(f"{log.name}:\n{log.read_text()[-2000:]}" for log in sorted(self.folder.glob("*.log")))

    def seconds_to_limit_check(self):
        return LIMIT_CHECK - (time.monotonic() - self.started) % LIMIT_CHECK

    def submit(self, *arguments, cwd, **environment):
        done = subprocess.run(["sbatch", "--parsable", *arguments], cwd=cwd, env=dict(self.environment, **environment),
                              capture_output=True, text=True, timeout=30, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"sbatch {arguments}: {done.stderr}")
        return done.stdout.strip()

    def job(self, job):
        """What Slurm says about a job or task, by key: JobState, Restarts, ExitCode ..."""
        return dict(re.findall(r"(\S+?)=(\S*)", self.ask("scontrol", "show", "job", "-o", job)))

    def update(self, job, **changes):
        self.ask("scontrol", "update", f"JobId={job}", *(f"{key}={value}" for key, value in changes.items()))

    def processes(self):
        """All that was started with this Slurm's configuration: daemons, job shells and whatever runs in them."""
        mark = f"SLURM_CONF={self.environment['SLURM_CONF']}".encode()
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    yield int(folder.name)
            except OSError:
                continue

    def close(self):
        # Daemons first: they would hold on to dying jobs.
        for daemon in self.daemons:
            daemon.kill()
            daemon.wait()
        deadline = time.monotonic() + 10
        while left := list(self.processes()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"processes that do not end: {left}")
            for process in left:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.1)
