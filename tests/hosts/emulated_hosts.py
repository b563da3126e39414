"""Hosts on one machine: each has network, host name, processes, mounts and shared memory of its own.

A host is a set of namespaces whose first process is host_init.py; when that is killed, the kernel kills all others in
it.
The calling process must be alone in its network and PID namespace (enter_world) and is the router between the hosts.
"""

import contextlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
OWN_WORLD = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
# Users other than root need the right to make user namespaces.
AS_ROOT = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]


def enter_world():
    """Restarts this script in its own namespaces, so that all its children end with it. False if that is not permitted."""
    if "EMULATED_WORLD" in os.environ:
        return True
    if not shutil.which("unshare") or not shutil.which("ip"):
        return False
    # Some machines have namespaces, but no links between them.
    attempt = [*OWN_WORLD, *AS_ROOT, "ip", "link", "add", "probe", "type", "veth", "peer", "name", "eborp"]
    if subprocess.run(attempt, stderr=subprocess.DEVNULL, check=False).returncode != 0:
        return False
    os.environ["EMULATED_WORLD"] = "1"
    os.execvp(OWN_WORLD[0], [*OWN_WORLD, *AS_ROOT, sys.executable, *sys.argv])


def ip(*arguments):
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout


def first_child(parent, patience=20):
    """Process that `unshare --fork` has started."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if children := pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
            return int(children[0])
        time.sleep(0.01)
    raise TimeoutError(f"process {parent} has no child")


class EmulatedHosts:
    """Hosts of the given names. `folder` holds their sockets and temporary files."""

    def __init__(self, folder, names):
        self.folder = folder
        self.first_process = {}
        self.launchers = []
        folder.mkdir()
        os.environ["EMULATED_HOSTS"] = str(folder)
        self.addresses = {name: f"10.77.0.{number + 1}" for number, name in enumerate(names)}
        lines = [f"{address} {name}\n" for name, address in self.addresses.items()]
        (folder / "hosts").write_text("127.0.0.1 localhost\n" + "".join(lines))
        ip("link", "set", "lo", "up")
        pathlib.Path("/proc/sys/net/ipv4/ip_forward").write_text("1")
        for name in names:
            self._start(name)

    def _start(self, name):
        launcher = subprocess.Popen([*OWN_WORLD, "--uts", sys.executable, HERE / "host_init.py", name, self.folder])
        self.launchers.append(launcher)
        self.first_process[name] = first_child(launcher.pid)
        deadline = time.monotonic() + 20
        while not (self.folder / f"{name}.socket").exists():
            if launcher.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"host {name} does not start")
            time.sleep(0.01)
        ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", str(self.first_process[name]))
        # Proxy ARP makes one network of the links: every host believes that the others are on its own.
        pathlib.Path(f"/proc/sys/net/ipv4/conf/{name}/proxy_arp").write_text("1")
        ip("address", "add", "10.77.0.254/32", "dev", name)
        self.connect(name)
        self.run(name, "ip", "address", "add", f"{self.addresses[name]}/24", "dev", "eth0")
        self.run(name, "ip", "link", "set", "eth0", "up")

    @staticmethod
    def command(name, *arguments):
        return [HERE / "run_on.py", name, shlex.join(map(str, arguments))]

    def run(self, name, *arguments, **options):
        return subprocess.run(self.command(name, *arguments), check=True, **options)

    def connect(self, name):
        ip("link", "set", name, "up")
        ip("route", "add", self.addresses[name], "dev", name)

    @staticmethod
    def disconnect(name):
        """Pulls the cable of a host: packets are dropped, and nobody hears of it."""
        ip("link", "set", name, "down")

    @staticmethod
    def bytes_sent(name):
        return json.loads(ip("-json", "-statistics", "link", "show", name))[0]["stats64"]["rx"]["bytes"]

    def power_off(self, name):
        """All processes of a host are gone at once, and no packet says so."""
        self.disconnect(name)
        (self.folder / f"{name}.socket").unlink()
        os.kill(self.first_process[name], 9)

    def processes(self, program):
        """Numbers of the processes of a program on all hosts."""
        ours = os.readlink("/proc/self/ns/pid")
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has just ended
                if os.readlink(process / "exe") == str(program) and os.readlink(process / "ns/pid") != ours:
                    yield int(process.name)

    def close(self):
        for launcher in self.launchers:
            launcher.kill()
        for launcher in self.launchers:
            launcher.wait()
        # The kernel takes its time to remove the links of namespaces that are gone.
        for name in self.first_process:
            subprocess.run(["ip", "link", "delete", name], stderr=subprocess.DEVNULL, check=False)
