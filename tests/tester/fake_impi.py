#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""An IMPI server, or the launcher of an IMPI client, that does as little as it is told: `fake_impi.py BEHAVIOUR ...`.

Servers listen, print their address and then: `silent` never answer, `crash` die by a signal at the first connection,
`crash-late` half a second later, `crash-early` before any, `leave` end with status 3 at the first one, `tell` print a
line on standard error then, `talkative` answer AUTH by NONE and announce messages that NONE does not have.
`crash-at-once` dies before it listens, `mute` prints nothing, `words` something else, `stubborn` ignores SIGTERM,
`environment` prints what it has of the variables of IMPI.
Clients: `never` connects to nobody, `one-octet` connects and says one octet, `rude` begins with DONE, `key-alone`
offers KEY whatever its variables are, and ends when it is told another method, `no-method` offers none at all, `fall`
connects and dies by a signal, `fall-late` half a second later, `fall-at-once` before it does.
"""

import os
import pathlib
import signal
import socket
import sys
import time

LIFE = 600


def listen():
    door = socket.create_server(("127.0.0.1", 0))
    print(f"127.0.0.1:{door.getsockname()[1]}", flush=True)
    return door


def linger():
    """Does nothing until somebody ends it, or for the rest of its life."""
    while True:
        signal.pause()


def crash(seconds=0.0):
    time.sleep(seconds)
    os.kill(os.getpid(), signal.SIGSEGV)


def serve(behaviour):
    if behaviour == "crash-at-once":
        crash()
    door = listen()
    if behaviour == "crash-early":
        crash()
    connection, _ = door.accept()
    if behaviour.startswith("crash"):
        crash(0.5 if behaviour == "crash-late" else 0)
    if behaviour == "leave":
        sys.exit(3)
    if behaviour == "tell":
        print("somebody came", file=sys.stderr, flush=True)
    if behaviour == "talkative":
        connection.recv(12, socket.MSG_WAITALL)
        connection.sendall(b"\0\0\0\0\0\0\0\4")
    connection.recv(1)
    linger()


def main():
    signal.alarm(LIFE)
    behaviour = sys.argv[1]
    if behaviour == "mute":
        linger()
    elif behaviour == "words":
        print("ready when you are", flush=True)
        linger()
    elif behaviour == "environment":
        door = listen()
        for name in sorted(os.environ):
            if name.startswith("IMPI_"):
                print(f"{name}={os.environ[name]}", file=sys.stderr, flush=True)
        print("arguments", *sys.argv[2:], file=sys.stderr, flush=True)
        door.accept()
        linger()
    elif behaviour == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        pathlib.Path(os.environ["FAKE_PID"]).write_text(str(os.getpid()))
        serve(behaviour)
    elif behaviour == "never":
        linger()
    elif behaviour == "fall-at-once":
        crash()
    elif behaviour in ("fall", "fall-late"):
        host, port = sys.argv[2].rsplit(":", 1)
        connection = socket.create_connection((host, int(port)))
        crash(0.5 if behaviour == "fall-late" else 0)
    elif behaviour in ("key-alone", "no-method"):
        host, port = sys.argv[2].rsplit(":", 1)
        connection = socket.create_connection((host, int(port)))
        connection.sendall(b"AUTH\0\0\0\4\0\0\0" + (b"\2" if behaviour == "key-alone" else b"\0"))
        sys.exit(connection.recv(8, socket.MSG_WAITALL) != b"\0\0\0\1\0\0\0\0")
    elif behaviour in ("one-octet", "rude"):
        host, port = sys.argv[2].rsplit(":", 1)
        socket.create_connection((host, int(port))).sendall(b"A" if behaviour == "one-octet" else b"DONE\0\0\0\0")
        linger()
    else:
        serve(behaviour)


main()
