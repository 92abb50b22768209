#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""watch.py SERVICE BARE: asks both ports of this machine in turn, twenty times a second, for what the service says of
its health, each time by a connection of its own, until standard input says something. Prints then how long each answer
took, in ms, and the queues that the service told of. A process of its own: others' work in Python delays no answer.
"""

import contextlib
import http.client
import json
import select
import sys
import time

PATIENCE_S = 60


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


def main():
    service, bare = map(int, sys.argv[1:3])
    seen = {"service": [], "bare": [], "queue": []}
    while not select.select([sys.stdin], [], [], 0.05)[0]:
        answer(bare, "/0", seen["bare"])
        if said := answer(service, "/healthz", seen["service"]):
            seen["queue"].append(json.loads(said)["queue"])
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
