# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Secure channels (specs/impi-tls.md) as somebody else makes them: with the command openssl, and the octets by hand.

A tunnel is a stream whose octets travel in TLS on another socket. A relay stands between two sides and sees, or
changes, what goes over the wire.
"""

import contextlib
import pathlib
import socket
import subprocess
import tempfile
import threading

from peers import DEADLINE, Client, ScriptedServer, Stream, broadcast, command, ints

KEY = b"the key of these tests, 32 octet"
OTHER_KEY = b"another key than that, as long.."
METHOD = 31
LABEL = 0x41535359
MASK = ints(0x80000000)
TO_SERVER = "impi client to server"
HANDSHAKE, DATA = 0x16, 0x17  # types of TLS records


def pump(source: socket.socket, target: socket.socket) -> None:
    """Carries octets until the source ends."""
    with contextlib.suppress(OSError):
        while octets := source.recv(65536):
            target.sendall(octets)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def pumps(*pairs) -> None:
    """Carries octets from the first to the second of each pair, meanwhile."""
    for pair in pairs:
        threading.Thread(target=pump, args=pair, daemon=True).start()


class Tunnel(Stream):
    """A stream in TLS on the connected socket `outside`. `accepts`: the other side begins."""

    def __init__(self, outside: socket.socket, name: str, accepts: bool, key: bytes = KEY):
        inside, far = socket.socketpair()
        super().__init__(inside)
        outside.settimeout(None)
        words = ["-tls1_3", "-psk", key.hex(), "-psk_identity", name, "-quiet"]
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "tls")
            listener = socket.socket(socket.AF_UNIX)
            if accepts:
                words = ["openssl", "s_server", "-unix", path, "-nocert", "-naccept", "1", *words]
            else:
                words = ["openssl", "s_client", "-unix", path, *words, "-no_ign_eof"]
                listener.bind(path)
                listener.listen()
            self.process = subprocess.Popen(words, stdin=far, stdout=far, stderr=subprocess.DEVNULL)
            far.close()
            wire = self._reach(path) if accepts else listener.accept()[0]
            listener.close()
        pumps((outside, wire), (wire, outside))

    def _reach(self, path: str) -> socket.socket:
        """A connection to the process, which listens soon."""
        for _ in range(DEADLINE * 50):
            wire = socket.socket(socket.AF_UNIX)
            with contextlib.suppress(FileNotFoundError, ConnectionRefusedError):
                wire.connect(path)
                return wire
            wire.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.02)
                break
        raise AssertionError("openssl does not listen")

    def close(self) -> None:
        """The end of it all."""
        super().close()
        self.process.kill()
        self.process.wait(DEADLINE)


class Relay:
    """Stands before a port of this machine, for one connection. Keeps what goes by, and may change the record of data
    number `spoils`, counted from 0, that whoever connected sends; the first one ends its handshake. Before the records
    stand `plain` octets that are none."""

    def __init__(self, port: int, plain: int = 4, spoils: int = -1):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.seen = bytearray()
        self.answered = bytearray()
        threading.Thread(target=self._serve, args=(port, plain, spoils), daemon=True).start()

    def _serve(self, port: int, plain: int, spoils: int) -> None:
        with contextlib.suppress(OSError):
            near = Stream(self.listener.accept()[0])
            far = socket.create_connection(("127.0.0.1", port), DEADLINE)
            near.sock.settimeout(None)
            far.settimeout(None)
            threading.Thread(target=self._answer, args=(far, near.sock), daemon=True).start()
            with contextlib.suppress(AssertionError):
                self._forward(near, far, plain, spoils)
            far.shutdown(socket.SHUT_WR)

    def _answer(self, far: socket.socket, near: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while octets := far.recv(65536):
                self.answered += octets
                near.sendall(octets)
            near.shutdown(socket.SHUT_WR)

    def _forward(self, near: Stream, far: socket.socket, plain: int, spoils: int) -> None:
        octets = near.take(plain)
        count = 0
        while True:
            self.seen += octets
            far.sendall(octets)
            head = near.take(5)
            octets = bytearray(head + near.take(int.from_bytes(head[3:], "big")))
            if head[0] == DATA:
                octets[-1] ^= 1 if count == spoils else 0
                count += 1

    def close(self) -> None:
        """Takes no connection any more."""
        self.listener.close()


def server_accept(outside: Stream, rank: int, key: bytes = KEY) -> Tunnel:
    """A server's side up to a real client's rank, in a secure channel, method NONE inside."""
    assert outside.command() == ("AUTH", MASK)
    outside.send(ints(METHOD, 0))
    stream = Tunnel(outside.sock, TO_SERVER, True, key)
    assert stream.command() == ("AUTH", ints(1))
    stream.send(ints(0, 0))
    assert stream.command() == ("IMPI", ints(rank))
    return stream


def client_choose(server) -> Stream:
    """A client's side up to the choice of the real server, which is the secure channel."""
    outside = server.connect()
    outside.send(command("AUTH", MASK))
    assert outside.take(8) == ints(METHOD, 0)
    return outside


class SecureServer(ScriptedServer):
    """A server with secure channels, scripted; so are all clients but `own`. `without` have no such channels."""

    def __init__(self, own: int, others: dict[int, Client | None], without=()):
        super().__init__(own, others)
        self.without = without

    def accept(self) -> Stream:
        self.stream = server_accept(Stream(self.listener.accept()[0]), self.own)
        return self.stream

    def tell(self) -> None:
        mask = sum(1 << rank for rank in range(self.count) if rank not in self.without)
        words = [self.joined(code) for code in sorted(self.labels) if code != LABEL]
        self.stream.send(b"".join(words) + broadcast(LABEL, mask, b"") + command("DONE"))
