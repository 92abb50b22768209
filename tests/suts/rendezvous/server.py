#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""An IMPI server that has nothing of the reference: chapter 2 of the document, read by somebody who knows no other
server. A coroutine for each connection, one job, and what the document leaves open decided in another way:

- a payload that it does not want is thrown away as it comes; a length that no command can have ends the connection
- whoever leaves before the job has its size gives the rank back; later the loss of a client ends the job for all
- a label that comes again, or too late, is dropped and told
"""

import asyncio
import os
import re
import socket
import struct
import sys

NONE, KEY = 0, 1
CLIENTS_MOST = 32  # the mask of a broadcast has so many bits
PAYLOAD_MOST, AHEAD_MOST = 1 << 20, 1 << 24  # octets of one label, and of all that wait for others
CHUNK = 1 << 16


class Refused(Exception):
    """This connection cannot be served any further."""


def say(text):
    print(f"server: {text}", file=sys.stderr, flush=True)


def command(code, payload=b""):
    return code + struct.pack(">i", len(payload)) + payload


class Member:
    """A client of the job: what it has sent, and how far it is."""

    def __init__(self, rank, writer, name):
        self.rank, self.writer, self.name = rank, writer, name
        self.labels = {}
        self.last = -1
        self.done = self.over = False

    def passed(self, label):
        """Whether nothing under this label, or a lower one, can come any more."""
        return self.done or self.last >= label


class Job:
    """Collects from all and gives to all."""

    def __init__(self, size):
        self.size = size
        self.members = {}
        self.begun = self.started = False
        self.end = asyncio.get_running_loop().create_future()

    def tell(self, octets):
        for member in self.members.values():
            if not member.over and not member.writer.is_closing():
                member.writer.write(octets)

    def join(self, rank, writer, name):
        if not 0 <= rank < self.size:
            raise Refused(f"there is no rank {rank} in a job of {self.size}")
        if self.begun or rank in self.members:
            raise Refused(f"rank {rank} is taken")
        self.members[rank] = member = Member(rank, writer, name)
        if len(self.members) == self.size:
            self.begun = True
            self.tell(command(b"IMPI", struct.pack(">i", self.size)))
        return member

    def step(self):
        """Gives out what is complete, the lowest label first; and DONE, once."""
        everybody = [self.members[rank] for rank in sorted(self.members)]
        while self.begun:
            waiting = [min(one.labels) for one in everybody if one.labels]
            if not waiting or not all(one.passed(min(waiting)) for one in everybody):
                break
            label = min(waiting)
            mask = sum(1 << one.rank for one in everybody if label in one.labels)
            data = b"".join(one.labels.pop(label, b"") for one in everybody)
            self.tell(command(b"COLL", struct.pack(">iI", label, mask) + data))
        if self.begun and not self.started and all(one.done for one in everybody):
            self.started = True
            self.tell(command(b"DONE"))

    def finish(self, member):
        member.over = True
        if len(self.members) == self.size and all(one.over for one in self.members.values()):
            self.stop(0)

    def lose(self, member):
        """Its connection is gone before it said FINI."""
        say(f"client {member.rank} ({member.name}) is lost: its connection ended before FINI")
        if not self.begun:
            del self.members[member.rank]
        else:
            self.stop(1)

    def stop(self, status):
        if not self.end.done():
            self.end.set_result(status)


class Connection:
    """What one peer says, from AUTH to FINI."""

    def __init__(self, job, methods, key, reader, writer):
        self.job, self.methods, self.key = job, methods, key
        self.reader, self.writer = reader, writer
        self.name = "{}:{}".format(*writer.get_extra_info("peername")[:2])
        self.member = None

    async def take(self, count):
        return await self.reader.readexactly(count)

    async def head(self):
        code, length = struct.unpack(">4si", await self.take(8))
        if length < 0:
            raise Refused(f"a command of length {length}")
        return code, length

    async def skip(self, length):
        while length > 0:
            length -= len(await self.take(min(length, CHUNK)))

    async def number(self, what, length):
        if length != 4:
            raise Refused(f"{what} with {length} octets instead of 4")
        return struct.unpack(">i", await self.take(4))[0]

    async def authenticate(self):
        code, length = await self.head()
        if code != b"AUTH":
            raise Refused("it begins with something else than AUTH")
        if length < 4 or length % 4 or length > 4096:
            raise Refused(f"AUTH with {length} octets")
        mask = struct.unpack(">I", (await self.take(length))[:4])[0]
        which = next((method for method in self.methods if mask >> method & 1), None)
        if which is None:
            raise Refused(f"no authentication method is common to us: it offers the mask {mask:#x}")
        self.writer.write(struct.pack(">ii", which, 0))
        if which == NONE:
            say(f"warning: {self.name} has authenticated with IMPI_AUTH_NONE")
        elif struct.unpack(">Q", await self.take(8))[0] != self.key:
            raise Refused("its key is wrong")

    async def collect(self, length):
        member = self.member
        if length < 4 or length > PAYLOAD_MOST:
            raise Refused(f"COLL with {length} octets")
        label = struct.unpack(">i", await self.take(4))[0]
        data = await self.take(length - 4)
        if member.done or label <= member.last:
            say(f"client {member.rank}: label {label:#x} comes again or too late, and is dropped")
            return
        if sum(map(len, member.labels.values())) + len(data) > AHEAD_MOST:
            raise Refused("it is too far ahead of the others")
        member.labels[label] = data
        member.last = label

    async def obey(self, code, length):
        """One command behind AUTH; false when it was the last."""
        if code == b"IMPI" and not self.member:
            self.member = self.job.join(await self.number("IMPI", length), self.writer, self.name)
        elif code in (b"COLL", b"DONE", b"FINI") and not self.member:
            raise Refused(f"{code.decode()} before IMPI")
        elif code == b"COLL":
            await self.collect(length)
        elif code == b"DONE":
            await self.skip(length)
            self.member.done = True
        elif code == b"FINI":
            if not self.job.started:
                raise Refused("FINI before the start-up is over")
            await self.skip(length)
            self.job.finish(self.member)
            return False
        elif code in (b"IMPI", b"AUTH"):
            raise Refused(f"a second {code.decode()}")
        else:
            await self.skip(length)
        self.job.step()
        return True

    async def serve(self):
        try:
            await self.authenticate()
            while await self.obey(*await self.head()):
                pass
        except Refused as refused:
            say(f"{self.name} is refused: {refused}")
        except (asyncio.IncompleteReadError, ConnectionError) as lost:
            if not self.member or getattr(lost, "partial", b""):
                say(f"{self.name} has left in the midst of what it was saying")
        finally:
            if self.member and not self.member.over:
                self.job.lose(self.member)
            self.writer.close()


def preference(text):
    """The methods of a list such as 3,1-0, in its order. ValueError: it is none."""
    found = []
    for part in text.split(","):
        ends = re.fullmatch(r"(\d+)(?:-(\d+))?", part)
        if not ends:
            raise ValueError(f"-auth {text}: \"{part}\" is neither a number nor two with a hyphen")
        first, last = int(ends[1]), int(ends[2] or ends[1])
        inside = [method for method in (NONE, KEY) if min(first, last) <= method <= max(first, last)]
        found += inside if first <= last else reversed(inside)
    return list(dict.fromkeys(found))


def read_key():
    text = os.environ.get("IMPI_AUTH_KEY")
    if not text:
        return None
    if not re.fullmatch(r"\d+", text) or int(text) >= 1 << 64:
        raise ValueError(f"IMPI_AUTH_KEY is \"{text}\", and must be a number below 2^64")
    return int(text)


def options(words):
    """The number of clients, the port (0: any), the methods by preference, the key. ValueError tells what is wrong."""
    given = dict(zip(words[::2], words[1::2]))
    if len(words) % 2 or len(given) != len(words) // 2 or set(given) - {"-server", "-port", "-auth"}:
        raise ValueError("usage: server.py -server COUNT [-port PORT] [-auth LIST]")
    count, port = given.get("-server", ""), given.get("-port", "0")
    if not re.fullmatch(r"\d{1,9}", count) or not 1 <= int(count) <= CLIENTS_MOST:
        raise ValueError(f"-server {count}: the number of clients is from 1 to {CLIENTS_MOST}")
    if not re.fullmatch(r"\d{1,9}", port) or int(port) > 65535:
        raise ValueError(f"-port {port}: a port is a number up to 65535")
    key = read_key()
    enabled = [KEY] * (key is not None) + [NONE] * ("IMPI_AUTH_NONE" in os.environ)
    methods = [one for one in (preference(given["-auth"]) if "-auth" in given else enabled) if one in enabled]
    if not methods:
        raise ValueError("no authentication method is available: set IMPI_AUTH_KEY or IMPI_AUTH_NONE")
    return int(count), int(port), methods, key


def own_address():
    """The address by which others would reach this machine; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"


async def run(count, port, methods, key):
    job = Job(count)
    conversations = set()

    async def serve(reader, writer):
        conversations.add(asyncio.current_task())
        await Connection(job, methods, key, reader, writer).serve()

    server = await asyncio.start_server(serve, "0.0.0.0", port)
    print(f"{own_address()}:{server.sockets[0].getsockname()[1]}", flush=True)
    status = await job.end
    server.close()
    for conversation in conversations:
        conversation.cancel()
    await asyncio.gather(*conversations, return_exceptions=True)
    return status


def main():
    try:
        return asyncio.run(run(*options(sys.argv[1:])))
    except (ValueError, OSError) as problem:
        say(problem)
        return 2


if __name__ == "__main__":
    sys.exit(main())
