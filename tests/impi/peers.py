# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The other sides of an IMPI job, played on raw sockets: clients towards a server, a server towards a client, hosts.

Every octet is put together here by hand from the document; nothing of the code under test is used.
"""

import contextlib
import itertools
import os
import pathlib
import re
import resource
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator

DEADLINE = 180
LABELS = (0x1000, 0x1100, 0x1200, 0x1300, 0x1400, 0x1500, 0x1600,
          0x2000, 0x2100, 0x2200, 0x2300, 0x2400, 0x3000, 0x3100)
DATA, DATASYNC, PROTOACK, SYNCACK, CANCEL, CANCELYES, CANCELNO, FINI = range(8)
HEADER = ">II16sq16sqQQQiiQQqQQ"
FIELDS = ("type", "len", "src_host", "src_pid", "dest_host", "dest_pid", "srqid", "drqid", "msglen", "lsrank", "tag",
          "cid", "seqnum", "count", "dtype", "reserved")


@contextlib.contextmanager
def reserved_port() -> Iterator[int]:
    """A port on which whoever asks for it by its number can listen, and which meanwhile the kernel gives to nobody."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


def command(code: str, payload: bytes = b"") -> bytes:
    """A command: four letters, length, payload (2.3.2)."""
    return code.encode() + struct.pack(">i", len(payload)) + payload


def label(code: int, values: bytes) -> bytes:
    """What a client submits for a label (2.3.5)."""
    return command("COLL", struct.pack(">i", code) + values)


def broadcast(code: int, mask: int, values: bytes) -> bytes:
    """What the server sends for a label (2.3.5)."""
    return command("COLL", struct.pack(">iI", code, mask) + values)


def ints(*values: int) -> bytes:
    """Integers of four octets, signed or not."""
    return b"".join(struct.pack(">I", value & 0xFFFFFFFF) for value in values)


def host_id(address: str = "127.0.0.1", mapped: bool = True) -> bytes:
    """The sixteen octets of an IPv4 host (1.2.3)."""
    return (b"\0" * 10 + b"\xff\xff" if mapped else b"\0" * 12) + socket.inet_aton(address)


def packet(kind: int, source=(b"\0" * 16, 0), target=(b"\0" * 16, 0), data: bytes = b"", **fields) -> bytes:
    """A packet of 128 octets and its data (3.5)."""
    values = {"type": kind, "len": len(data), "src_host": source[0], "src_pid": source[1], "dest_host": target[0],
              "dest_pid": target[1], "srqid": 0, "drqid": 0, "msglen": len(data), "lsrank": 0, "tag": 0, "cid": 0,
              "seqnum": 0, "count": 0, "dtype": 0, "reserved": 0, **fields}
    return struct.pack(HEADER, *(values[name] for name in FIELDS)) + data


class Stream:
    """A connected socket with a deadline on everything."""

    def __init__(self, sock: socket.socket):
        self.sock = sock
        sock.settimeout(DEADLINE)
        if sock.family != socket.AF_UNIX:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @classmethod
    def to(cls, address: str, port: int, source: str = "") -> "Stream":
        """Connects."""
        return cls(socket.create_connection((address, port), DEADLINE, (source, 0) if source else None))

    def send(self, octets: bytes, pieces: int = 0) -> "Stream":
        """Sends all, in segments of `pieces` octets where that is not 0."""
        if not pieces:
            self.sock.sendall(octets)
        for at in range(0, len(octets) if pieces else 0, pieces or 1):
            self.sock.sendall(octets[at:at + pieces])
        return self

    def take(self, count: int) -> bytes:
        """Exactly so many octets."""
        octets = b""
        while len(octets) < count:
            more = self.sock.recv(count - len(octets))
            assert more, f"the stream ended after {octets.hex()}, {count} octets were due"
            octets += more
        return octets

    def command(self) -> tuple[str, bytes]:
        """A command with its payload."""
        head = self.take(8)
        return head[:4].decode(), self.take(struct.unpack(">i", head[4:])[0])

    def packet(self) -> dict:
        """A packet, as its fields and `data`."""
        fields = dict(zip(FIELDS, struct.unpack(HEADER, self.take(128))))
        fields["data"] = self.take(fields["len"]) if fields["type"] in (DATA, DATASYNC) else b""
        return fields

    def ended(self) -> bool:
        """Waits for the end of the stream; false when something else comes."""
        try:
            return self.sock.recv(1) == b""
        except ConnectionError:
            return True

    def quiet(self, seconds: float = 0.3) -> bool:
        """Whether nothing comes, not even the end, for a while."""
        self.sock.settimeout(seconds)
        try:
            self.sock.recv(1, socket.MSG_PEEK)
        except TimeoutError:
            return True
        except ConnectionError:
            return False
        finally:
            self.sock.settimeout(DEADLINE)
        return False

    def close(self) -> None:
        """An orderly end."""
        self.sock.close()

    def reset(self) -> None:
        """An end that the other side sees as a reset."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()


class Program:
    """A running impirun. Its output is collected while it runs."""

    def __init__(self, arguments, env=None, without=()):
        base = {name: value for name, value in os.environ.items() if not name.startswith("IMPI_")}
        env = {"IMPI_AUTH_NONE": "", **(env or {})}
        self.process = subprocess.Popen([str(word) for word in arguments], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**base, **{name: env[name] for name in env if name not in without}})
        self.out: list[str] = []
        self.err: list[str] = []
        self.changed = threading.Condition()
        self.readers = [threading.Thread(target=self._read, args=pair, daemon=True)
                        for pair in ((self.process.stdout, self.out), (self.process.stderr, self.err))]
        for reader in self.readers:
            reader.start()

    def _read(self, stream, lines):
        for line in stream:
            with self.changed:
                lines.append(line.rstrip("\n"))
                self.changed.notify_all()
        with self.changed:
            lines.append(None)
            self.changed.notify_all()

    def says(self, pattern: str, where: str = "err") -> str:
        """Waits for a line that matches."""
        lines = self.out if where == "out" else self.err
        end = time.monotonic() + DEADLINE
        with self.changed:
            while True:
                for line in lines:
                    if line is not None and re.search(pattern, line):
                        return line
                left = end - time.monotonic()
                assert left > 0 and None not in lines, f"no line like {pattern!r}: out {self.out}, err {self.err}"
                self.changed.wait(left)

    def end(self) -> int:
        """Waits for the end; the exit status."""
        status = self.process.wait(DEADLINE)
        for reader in self.readers:
            reader.join(DEADLINE)
        self.out[:] = [line for line in self.out if line is not None]
        self.err[:] = [line for line in self.err if line is not None]
        assert not any("Sanitizer" in line or "runtime error" in line for line in self.err), self.err
        return status

    def kill(self) -> None:
        """Ends it if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(DEADLINE)


class Server(Program):
    """A real server; `place` is where it listens."""

    def __init__(self, impirun, clients, *options, env=None):
        super().__init__([impirun, "-server", clients, "-address", "127.0.0.1", *options], env)
        self.place = self.says(r"^127\.0\.0\.1:\d+$", "out")
        self.port = int(self.place.rpartition(":")[2])

    def connect(self) -> Stream:
        """A connection on which nothing has been said."""
        return Stream.to("127.0.0.1", self.port)

    def client(self, rank: int, key: int | None = None) -> Stream:
        """A client that has authenticated itself, and has said its rank."""
        stream = self.connect()
        stream.send(command("AUTH", ints(1 if key is None else 2)))
        assert stream.take(8) == ints(0 if key is None else 1, 0)
        if key is not None:
            stream.send(struct.pack(">Q", key))
        return stream.send(command("IMPI", ints(rank)))

    def clients(self, count: int) -> list[Stream]:
        """So many clients, which all know the size of the job."""
        streams = [self.client(rank) for rank in range(count)]
        for stream in streams:
            assert stream.command() == ("IMPI", ints(count))
        return streams


def tighten(pid: int, more: int = 0):
    """Leaves a process so many descriptors more than it has; its limits as they were."""
    used = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
    free = (number for number in itertools.count() if number not in used)
    soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (next(itertools.islice(free, more, None)), hard))
    return soft, hard


def busy_seconds(pid: int) -> float:
    """How long a process has been at work."""
    words = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Client:
    """What a scripted client contributes to a job; `hosts` has the processes of each host. Who does not listen keeps
    its ports all the same, so that nobody else can listen there."""

    def __init__(self, hosts=(1,), address: str = "127.0.0.1", pids=None, listens=True, **values):
        self.listeners = []
        for _ in hosts:
            listener = socket.socket()
            listener.bind((address, 0))
            if listens:
                listener.listen(64)
            listener.settimeout(DEADLINE)
            self.listeners.append(listener)
        self.hosts = list(hosts)
        self.address = address
        processes = sum(hosts)
        self.pids = list(pids) if pids else [1000 + i for i in range(processes)]
        form = host_id(address, values.pop("mapped", True))
        self.processes = [(form, pid) for pid in self.pids]
        ports = [listener.getsockname()[1] for listener in self.listeners]
        self.values = {
            0x1000: ints(0, 0), 0x1100: ints(len(hosts)), 0x1200: ints(processes), 0x1300: ints(65536),
            0x1400: ints(0x7FFFFFFF), 0x1500: ints(-1), 0x1600: ints(-1), 0x2000: form * len(hosts),
            0x2100: ints(*ports), 0x2200: ints(*hosts), 0x2300: ints(*[10] * len(hosts)),
            0x2400: ints(*[20] * len(hosts)), 0x3000: form * processes,
            0x3100: b"".join(struct.pack(">q", pid) for pid in self.pids),
        }
        self.values.update({int(name[1:], 16): value for name, value in values.items()})

    def close(self) -> None:
        """Stops listening."""
        for listener in self.listeners:
            listener.close()


class ScriptedServer:
    """The server's side of a job in which one client is real and all others are scripted: a context manager."""

    def __init__(self, own: int, others: dict[int, Client | None]):
        self.own = own
        self.others = others
        self.count = len(others) + 1
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(DEADLINE)
        self.place = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.labels: dict[int, bytes] = {}
        self.stream: Stream | None = None

    def __enter__(self) -> "ScriptedServer":
        return self

    def __exit__(self, *_):
        self.listener.close()
        for client in self.others.values():
            client.close()
        with contextlib.suppress(AttributeError):
            self.stream.close()

    def accept(self) -> Stream:
        """The real client, as far as AUTH, answered by NONE, and its rank."""
        self.stream = Stream(self.listener.accept()[0])
        assert self.stream.command() == ("AUTH", ints(1))
        self.stream.send(ints(0, 0))
        assert self.stream.command() == ("IMPI", ints(self.own))
        return self.stream

    def collect(self) -> None:
        """Tells the size and takes all labels up to DONE."""
        self.stream.send(command("IMPI", ints(self.count)))
        while True:
            code, payload = self.stream.command()
            if code == "DONE":
                assert payload == b""
                return
            assert code == "COLL"
            self.labels[struct.unpack(">i", payload[:4])[0]] = payload[4:]

    def joined(self, code: int, without=()) -> bytes:
        """The broadcast of one label, without those clients."""
        mask = sum(1 << rank for rank in range(self.count) if rank not in without)
        values = b"".join(self.labels[code] if rank == self.own else self.others[rank].values[code]
                          for rank in range(self.count) if rank not in without)
        return broadcast(code, mask, values)

    def tell(self) -> None:
        """All broadcasts, and DONE."""
        self.stream.send(b"".join(self.joined(code) for code in LABELS) + command("DONE"))

    def start(self) -> None:
        """The whole of start-up."""
        self.accept()
        self.collect()
        self.tell()

    def own_processes(self) -> list[tuple[bytes, int]]:
        """The identifiers of the real client's processes."""
        hosts, pids = self.labels[0x3000], self.labels[0x3100]
        return [(hosts[16 * i:16 * i + 16], struct.unpack(">q", pids[8 * i:8 * i + 8])[0])
                for i in range(len(pids) // 8)]

    def own_ports(self) -> list[int]:
        """Where the real client's hosts listen."""
        ports = self.labels[0x2100]
        return list(struct.unpack(f">{len(ports) // 4}I", ports))
