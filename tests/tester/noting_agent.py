#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A launch agent whose conversation is written down: `noting_agent.py AGENT FILE FEATURES WORDS...` stands between the
manager and a real agent, says that it has FEATURES instead of the agent's own, and appends to FILE what the manager
sends."""

import re
import select
import socket
import subprocess
import sys


def main():
    real, notes, features, *words = sys.argv[1:]
    at = words.index("--manager") + 1
    host, port = words[at].rsplit(":", 1)
    door = socket.create_server(("127.0.0.1", 0))
    agent = subprocess.Popen([real, "--advertise", words[at], *words[:at], f"127.0.0.1:{door.getsockname()[1]}",
                              *words[at + 1:]])
    here, there = door.accept()[0], socket.create_connection((host, int(port)))
    while True:
        for one in select.select([here, there], [], [])[0]:
            octets = one.recv(65536)
            if not octets:
                (there if one is here else here).shutdown(socket.SHUT_RDWR)
                sys.exit(agent.wait())
            if one is there:
                with open(notes, "ab") as file:
                    file.write(octets)
            else:
                octets = re.sub(rb"^(hello .*) features=\S*", rb"\1 features=" + features.encode(), octets, 1,
                                re.MULTILINE)
            (there if one is here else here).sendall(octets)


if __name__ == "__main__":
    main()
