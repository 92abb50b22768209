#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A launch agent that speaks for others: `liar_agent.py AGENT WORDS...` stands between the manager and a real agent and
adds to what that says, from the second job on, that the next two have ended, which somebody else starts. The agent of
the reference's clients, which has -client in its words, stays honest."""

import os
import re
import select
import socket
import subprocess
import sys


def main():
    real, *words = sys.argv[1:]
    if "-client" in words:
        os.execv(real, [real, *words])
    at = words.index("--manager") + 1
    host, port = words[at].rsplit(":", 1)
    door = socket.create_server(("127.0.0.1", 0))
    agent = subprocess.Popen([real, "--advertise", words[at], *words[:at], f"127.0.0.1:{door.getsockname()[1]}",
                              *words[at + 1:]])
    here, there = door.accept()[0], socket.create_connection((host, int(port)))
    last = 0
    while True:
        for one in select.select([here, there], [], [])[0]:
            octets = one.recv(65536)
            if not octets:
                (there if one is here else here).shutdown(socket.SHUT_RDWR)
                sys.exit(agent.wait())
            (there if one is here else here).sendall(octets)
            if one is there:
                last = max([last, *map(int, re.findall(rb"start job=(\d+)", octets))])
            elif last > 1 and octets.endswith(b"\n"):
                there.sendall(b"! ended job=%d status=9\n! ended job=%d status=9\n" % (last + 1, last + 2))


if __name__ == "__main__":
    main()
