# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""What else runs on the machines of a job is neither claimed nor accused, by the plugin and by `assay check`: other
protocols over TCP, some of which say AUTH too, and numbers that could be anything."""

import json
import random
import struct
import subprocess

import pytest

import foreign
from capture import Capture, Connection
from foreign import tls

SEED = 14
SHAPES = ["whole", "late", "single octets"]  # of a stream: from its beginning, without its handshake, octet by octet
PORTS = [50001, 43000, 1024]  # from which on they listen: as hosts of a job do, or as nobody does


def dns(octets):
    """A message of DNS over TCP."""
    return struct.pack("!H", len(octets)) + octets


def postgres(kind, body):
    """A message of PostgreSQL."""
    return kind + struct.pack("!I", 4 + len(body)) + body


def process(number):
    """A process in the header of an MPI's own wire: a job and a rank, in the order of the machine."""
    return struct.pack("<II", 0x12340001, number)


def streams():
    """name -> [(side, octets)]; 0 is who connects."""
    chance = random.Random(SEED)
    query = struct.pack("!6H", 7, 0x0100, 1, 0, 0, 0) + b"\7example\0" + struct.pack("!HH", 1, 1)
    answer = struct.pack("!6H", 7, 0x8180, 1, 0, 0, 0) + query[12:]
    return {
        "http": [(0, b"GET / HTTP/1.1\r\nHost: node\r\n\r\n"),
                 (1, b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nPTL4")],
        "http put": [(0, b"PUT /x HTTP/1.1\r\nContent-Length: 8\r\n\r\n" + bytes(8)),
                     (1, b"HTTP/1.1 204 No Content\r\n\r\n")],
        "ssh": [(1, b"SSH-2.0-OpenSSH_9.2\r\n"), (0, b"SSH-2.0-OpenSSH_9.2\r\n"),
                (0, struct.pack("!IBB", 200, 4, 20) + chance.randbytes(198))],
        "dns": [(0, dns(query)), (1, dns(answer))],
        "tls": [(0, tls(22, 300, chance)), (1, tls(22, 900, chance)), (0, tls(23, 200, chance))],
        "postgresql": [(0, struct.pack("!II", 8, 80877103)), (1, b"N"),
                       (0, struct.pack("!II", 19, 196608) + b"user\0me\0\0\0\0"),
                       (1, postgres(b"R", struct.pack("!I", 0)) + postgres(b"Z", b"I")),
                       (0, postgres(b"Q", b"select 1\0"))],
        "redis": [(0, b"AUTH secret\r\n"), (1, b"+OK\r\n"), (0, b"*1\r\n$4\r\nPING\r\n"), (1, b"+PONG\r\n")],
        "redis without a password": [(0, b"AUTH\r\n"), (1, b"-ERR wrong number of arguments\r\n")],
        "pop3": [(1, b"+OK ready\r\n"), (0, b"AUTH\r\n"), (1, b"+OK\r\nPLAIN\r\n.\r\n"), (0, b"QUIT\r\n")],
        "smtp": [(1, b"220 node ESMTP\r\n"), (0, b"AUTH PLAIN AAAA\r\n"), (1, b"235 ok\r\n")],
        "open mpi": [(0, process(0) + bytes(24)), (1, process(1) + bytes(24)),
                     (0, struct.pack("<BBHIIHh", 65, 0, 0, 1, 64, 3, 0) + bytes(64))],
        "mpich": [(0, struct.pack("<IIII", 1, 0, 36, 0) + b"kvs_1234_0\0"), (1, struct.pack("<II", 2, 0)),
                  (0, struct.pack("<IIIII", 0, 0, 1, 40, 0) + bytes(40))],
        "little numbers": [(0, struct.pack("<64I", *range(64))), (1, struct.pack("<64I", *range(64)))],
        "big numbers": [(0, struct.pack("!64I", *range(64))), (1, struct.pack("!64I", *range(64)))],
        "zeros": [(0, bytes(300)), (1, bytes(300))],
        "random": [(side, chance.randbytes(400)) for side in (0, 1, 0, 1)],
    } | foreign.services(chance) | foreign.machines(chance) | foreign.numbers(chance)


def write(path, shape, port):
    """Each of them as a connection of a capture."""
    capture = Capture()
    for place, said in enumerate(streams().values()):
        connection = Connection(capture, ("127.0.0.1", 40000 + place), ("127.0.0.2", port + place), shape != "late")
        for side, octets in said:
            octets = octets[:200] if shape == "single octets" else octets
            size = 1 if shape == "single octets" else len(octets)
            for at in range(0, len(octets), size):
                connection.send(side, octets[at:at + size])
        connection.close()
    return capture.write(path)


@pytest.mark.parametrize("shape, port", zip(SHAPES, PORTS))
def test_nothing_is_claimed(tshark, bin_dir, capture_path, shape, port):
    path = write(capture_path, shape, port)
    assert tshark.fields(path, "tcp.dstport", "tcp.srcport", shown="portals or impi or intercept or assay") == []
    done = subprocess.run([bin_dir / "assay", "check", "--json", path], capture_output=True, text=True, timeout=300,
                          check=False)
    assert done.returncode == 2, done.stdout
    told = json.loads(done.stdout)
    assert (told["breaches"], told["notes"]) == ([], [])
