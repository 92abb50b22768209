#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""watch.py SERVICE BARE [PATH COOKIE]: asks both ports of this machine in turn, twenty times a second, for what the
service says of its health, each time by a connection of its own, until standard input says something. Prints then how
long each answer took, in ms, and the queues that the service told of. A process of its own: others' work in Python
delays no answer.

With PATH it asks for that, and in turn by connections that were there before, a few for each of the server's threads:
what holds a thread up holds up whoever has a connection there. A line says that they are.
"""

import contextlib
import http.client
import json
import select
import sys
import time

PATIENCE_S = 60
CONNECTIONS = 32


def answer(port, path, waits):
    """What is answered, and notes how long it took; None where nothing is."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    begun = time.monotonic()
    with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
        connection.request("GET", path)
        said = connection.getresponse().read()
        waits.append((time.monotonic() - begun) * 1000)
        return said
    return None


class Kept:
    """Connections to a port that are asked in turn."""

    def __init__(self, port, path, headers):
        self.all = [http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S) for _ in range(CONNECTIONS)]
        self.path, self.headers, self.waits = path, headers, []
        for _ in self.all:
            self.ask()
        self.waits = []

    def ask(self):
        self.all.append(self.all.pop(0))
        begun = time.monotonic()
        self.all[-1].request("GET", self.path, headers=self.headers)
        answer = self.all[-1].getresponse()
        answer.read()
        self.waits.append((time.monotonic() - begun) * 1000)
        assert answer.status == http.client.OK, answer.status


def watch_kept(service, bare, path, cookie):
    ports = {"service": Kept(service, path, {"Cookie": cookie}), "bare": Kept(bare, "/0", {})}
    print(flush=True)
    while not select.select([sys.stdin], [], [], 0.05)[0]:
        for kept in ports.values():
            kept.ask()
    print(json.dumps({name: kept.waits for name, kept in ports.items()}))


def main():
    service, bare = map(int, sys.argv[1:3])
    if sys.argv[3:]:
        watch_kept(service, bare, *sys.argv[3:])
        return
    seen = {"service": [], "bare": [], "queue": []}
    asked = [(service, "/healthz", "service"), (bare, "/0", "bare")]
    while not select.select([sys.stdin], [], [], 0.05)[0]:
        for port, path, name in asked:
            said = answer(port, path, seen[name])
            if said and name == "service":
                seen["queue"].append(json.loads(said)["queue"])
        asked.reverse()  # who comes first finds a processor sooner: nobody always does
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
