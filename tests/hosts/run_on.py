#!/usr/bin/python3
"""Runs a command on an emulated host, as ssh would: run_on.py HOST WORD ... joins the words to a line for the shell.

$EMULATED_HOSTS is the folder of the hosts (emulated_hosts.py).
"""

import array
import json
import os
import signal
import socket
import sys


def main():
    host, command = sys.argv[1], " ".join(sys.argv[2:])
    request = json.dumps({"command": ["/bin/sh", "-c", command], "folder": os.getcwd()}).encode()
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    path = os.path.join(os.environ["EMULATED_HOSTS"], f"{host}.socket")
    connection.connect(path)
    streams = array.array("i", [0, 1, 2])
    connection.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)])
    status = connection.recv(16)
    while not status and not os.path.exists(path):
        signal.pause()  # A host without power does not say that it is gone.
    return int(status or 255)


sys.exit(main())
