# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A small test manager for tests: listens, upgrades, speaks lines (specs/interpreter.md).

    with Manager() as manager:
        process = subprocess.Popen([PROGRAM, "--manager", manager.address, "--token", TOKEN])
        peer = manager.accept()             # HTTP upgrade, hello, welcome
        peer.do("PtlInit")                  # -> {"rc": "PTL_OK"}
        peer.fails("PtlPut")                # -> "missing"
        peer.notice()                       # -> ("crash", {"signal": "SIGSEGV", ..})

Nothing here waits longer than PATIENCE seconds; nothing sleeps.
"""
import socket
import time
import urllib.parse

PATIENCE = 120
DEADLINE_MS = 60000  # of a command that says none: what an interpreter waits for must come earlier
TOKEN = "test-token_0123456789"


def ask(question):
    """Asks a peer again and again, each time for a round trip, until the answer is yes; fails after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while not question():
        assert time.monotonic() < deadline, "it did not come to pass"


class Failure(Exception):
    """A reply `error CODE`."""

    def __init__(self, code, reason):
        super().__init__(f"{code}: {reason}")
        self.code, self.reason = code, reason


def pairs(words):
    """Words of the form key=value as a dictionary, decoded."""
    return {key: urllib.parse.unquote(value) for key, value in (word.split("=", 1) for word in words)}


def encode(text):
    """Percent-encode as the protocol wants it."""
    return urllib.parse.quote(text, safe="-._~/:,+@")


class Peer:
    """One connection of an interpreter or agent. `request` is its HTTP head, `hello` the pairs of its greeting."""

    def __init__(self, connection):
        connection.settimeout(PATIENCE)
        self.socket = connection
        self.buffer = b""
        self.request = ""
        self.hello = {}
        self.last_id = 0
        self.early = []  # replies and notices that came while another was awaited

    def receive_until(self, end):
        while end not in self.buffer:
            got = self.socket.recv(65536)
            if not got:
                raise EOFError("the peer closed the connection; unread: %r" % self.buffer)
            self.buffer += got
        text, self.buffer = self.buffer.split(end, 1)
        return text

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode())

    def upgrade(self, status="101 Switching Protocols", body=""):
        self.request = self.receive_until(b"\r\n\r\n").decode()
        extra = "Connection: Upgrade\r\nUpgrade: assay/1\r\n" if status.startswith("101") else ""
        self.send(f"HTTP/1.1 {status}\r\n{extra}\r\n{body}")

    def greet(self, answer="welcome version=1\n"):
        words = self.line().split(" ")
        assert words[0] == "hello"
        self.hello = pairs(words[1:])
        self.send(answer)

    def line(self):
        return self.receive_until(b"\n").decode("ascii")

    def start(self, verb, thread=None, deadline=DEADLINE_MS, lines=(), **values):
        """Send a command, wait for nothing; gives its id. The key env__X stands for env.X, lines_ for lines."""
        self.last_id += 1
        words = [str(self.last_id), str(deadline)] + (["@" + thread] if thread else []) + [verb]
        words += [f"{key.rstrip('_').replace('__', '.')}={value}" for key, value in values.items()]
        self.send("".join(line + "\n" for line in [" ".join(words), *lines]))
        return self.last_id

    def start_batch(self, repeat, lines, thread=None, deadline=DEADLINE_MS):
        """Send a batch; gives its id."""
        return self.start("batch", thread, deadline, lines, **{"lines_": len(lines), "repeat": repeat})

    def batch(self, repeat, *lines):
        return self.reply(self.start_batch(repeat, lines))

    def take(self, wanted):
        """The first line, early or to come, for which wanted(words) holds."""
        for i, words in enumerate(self.early):
            if wanted(words):
                return self.early.pop(i)
        while True:
            words = self.line().split(" ")
            if wanted(words):
                return words
            self.early.append(words)

    def reply(self, number):
        words = self.take(lambda words: words[0] == str(number))
        if words[1] == "error":
            raise Failure(words[2], pairs(words[3:])["reason"])
        assert words[1] == "ok", words
        return pairs(words[2:])

    def do(self, verb, **values):
        return self.reply(self.start(verb, **values))

    def fails(self, verb, **values):
        """The error code of a command that must fail, after checking that a reason is given."""
        try:
            result = self.do(verb, **values)
        except Failure as failure:
            assert failure.reason
            return failure.code
        raise AssertionError(f"{verb} did not fail but gave {result}")

    def notice(self, word=None):
        words = self.take(lambda words: words[0] == "!" and word in (None, words[1]))
        return words[1], pairs(words[2:])

    def closed(self):
        """Wait for the end of the connection and close it; what came before, unparsed."""
        rest, got = self.buffer, b"x"
        while got:
            try:
                got = self.socket.recv(65536)
            except ConnectionResetError:
                got = b""
            rest += got
        self.close()
        return rest

    def close(self):
        self.socket.close()


class Manager:
    """A listening socket; use as a context."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(PATIENCE)
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.peers = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for peer in self.peers:
            peer.close()
        self.listener.close()

    def accept_raw(self):
        peer = Peer(self.listener.accept()[0])
        self.peers.append(peer)
        return peer

    def accept(self):
        peer = self.accept_raw()
        peer.upgrade()
        peer.greet()
        return peer
