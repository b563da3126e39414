"""First process of an emulated host: host_init.py NAME FOLDER. Starts commands for run_on.py as sshd would; reaps orphans."""

import array
import contextlib
import json
import os
import pathlib
import selectors
import signal
import socket
import subprocess
import sys


def set_up(name, folder):
    socket.sethostname(name)
    # Shared memory is each host's own; names are looked up without a name server.
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/dev/shm"], check=True)
    subprocess.run(["mount", "--bind", folder / "hosts", "/etc/hosts"], check=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    os.environ["TMPDIR"] = str(folder / name)
    (folder / name).mkdir()


def start_command(connection):
    """The process that a connection asks for, with the caller's standard streams."""
    room = 1 << 20
    message, ancillary, _, _ = connection.recvmsg(room, socket.CMSG_SPACE(3 * 4))
    streams = array.array("i")
    streams.frombytes(ancillary[0][2])
    request = json.loads(message)
    process = subprocess.Popen(request["command"], cwd=request["folder"], stdin=streams[0], stdout=streams[1],
                               stderr=streams[2], start_new_session=True)
    for stream in streams:
        os.close(stream)
    return process


def reap(callers):
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        if pid in callers:
            process, connection = callers.pop(pid)
            process.returncode = os.waitstatus_to_exitcode(status)  # so that Popen does not wait for it
            with connection, contextlib.suppress(BrokenPipeError):
                connection.send(str(process.returncode % 256).encode())


def main():
    name, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    set_up(name, folder)
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write)
    server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    server.bind(str(folder / f"{name}.socket"))
    server.listen()
    selector = selectors.DefaultSelector()
    selector.register(server, selectors.EVENT_READ)
    selector.register(wake_read, selectors.EVENT_READ)
    callers = {}
    while True:
        for key, _ in selector.select():
            if key.fileobj is server:
                connection, _ = server.accept()
                process = start_command(connection)
                callers[process.pid] = process, connection
            else:
                os.read(wake_read, 4096)
        reap(callers)


main()
