#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Those who mean no good to a service (bench_load.py): connections that say half a request, or say it drop by drop, and
agents and interpreters that flood, stall, or never end a line. As a program, `hostile.py KIND --manager HOST:PORT
--token TOKEN` is such an interpreter.
"""

import argparse
import contextlib
import itertools
import selectors
import socket
import sys
import threading
import time

HELLO = {"agent": b"hello versions=1 role=agent name=x pid=1 host=h features=outcome jobs=1 template=x\n",
         "interpreter": b"hello versions=1 role=interpreter api=portals-3.0 name=x pid=1 host=h order=little "
                        b"features=threads\n"}
HALVES = (b"", b"GET / HTTP/1.1\r\n", b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{",
          b"\x16\x03\x01", b"GET /api/v1/log HTTP/1.1\r\nHost: x\r\nX: ")
SECONDS = 60


def upgraded(port, token, role, host="127.0.0.1"):
    """A connection of lines that was welcomed."""
    one = socket.create_connection((host, port), timeout=SECONDS)
    one.sendall(f"GET /connect HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: assay/1\r\nAuthorization: Bearer "
                f"{token}\r\n\r\n".encode() + HELLO[role])
    said = b""
    while b"welcome" not in said:
        more = one.recv(4096)
        if not more:
            raise ConnectionError(said)
        said += more
    return one


def flood(one):
    """Notices without end, and reads nothing."""
    while True:
        one.sendall(b"! output job=1 text=" + b"x" * 1000 + b"\n")


def endless(one):
    """A line without end."""
    while True:
        one.sendall(b"x" * 65536)


def stall(one):
    """Reads, and never answers."""
    while one.recv(65536):
        pass


def drops(one):
    """An octet of an answer each second."""
    for octet in itertools.cycle(b"1 ok "):
        one.sendall(bytes([octet]))
        time.sleep(1)


def garbage(one):
    """What is no line."""
    one.sendall(bytes(range(256)) * 64)
    stall(one)


def half(one):
    """Closes its own half, and reads on."""
    one.shutdown(socket.SHUT_WR)
    stall(one)


KINDS = {one.__name__: one for one in (flood, endless, stall, drops, garbage, half)}


class Hostile:
    """All of them at once, until they give up; as a context it ends with everything closed."""

    AGENTS = tuple(KINDS)
    INTERPRETERS = tuple(KINDS)

    def __init__(self, port, count):
        self.port, self.count, self.over = port, count, threading.Event()
        self.open, self.threads = {}, []
        self.start(self.hold)

    def start(self, work, *words):
        self.threads.append(threading.Thread(target=work, args=words, daemon=True))
        self.threads[-1].start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.give_up()

    def hold(self):
        """Keeps `count` connections half-open, from addresses of their own by the hundred; a new one for each that the
        service has closed. Every tenth sends an octet now and then."""
        chosen = selectors.DefaultSelector()
        number = 0
        while not self.over.is_set():
            while len(self.open) < self.count and not self.over.is_set():
                number += 1
                with contextlib.suppress(OSError):
                    one = socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS,
                                                   source_address=(f"127.0.1.{1 + number % 20}", 0))
                    one.setblocking(False)
                    one.sendall(HALVES[number % len(HALVES)])
                    self.open[one] = number
                    chosen.register(one, selectors.EVENT_READ)
            for key, _ in chosen.select(0.2):
                with contextlib.suppress(OSError):
                    if key.fileobj.recv(4096):
                        continue
                chosen.unregister(key.fileobj)
                del self.open[key.fileobj]
                key.fileobj.close()
            for one in [one for one, at in self.open.items() if at % 10 == 4]:
                with contextlib.suppress(OSError):
                    one.sendall(b"x")

    def held(self):
        return len(self.open)

    def agent(self, token, kind):
        """An agent of this kind, by the token of a run."""
        self.start(self.misbehave, token, kind)

    def misbehave(self, token, kind):
        with contextlib.suppress(OSError), upgraded(self.port, token, "agent") as one:
            self.start(self.part, one)
            KINDS[kind](one)

    def part(self, one):
        self.over.wait()
        with contextlib.suppress(OSError):  # it may have been closed
            one.shutdown(socket.SHUT_RDWR)

    def give_up(self):
        self.over.set()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--manager", required=True)
    parser.add_argument("--token", required=True)
    options, _ = parser.parse_known_args()
    host, port = options.manager.rsplit(":", 1)
    with contextlib.suppress(OSError):
        KINDS[options.kind](upgraded(int(port), options.token, "interpreter", host))


if __name__ == "__main__":
    sys.exit(main())
