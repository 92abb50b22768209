# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""An IMPI job made by hand, octet by octet as chapters 2 and 3 of the IMPI 0.0 document lay them down: two clients of
one host with one process each, in segments of any size."""

import struct

import conversation
from conversation import Connection


def command(code, *values):
    """A command whose payload are numbers of 4 octets, or octets."""
    payload = b"".join(value if isinstance(value, bytes) else struct.pack("!i", value) for value in values)
    return code + struct.pack("!i", len(payload)) + payload


HOSTS = [bytes(10) + b"\xff\xff" + bytes([127, 0, 0, 1 + i]) for i in range(2)]
LISTENS = [("127.0.0.1", 50001), ("127.0.0.2", 50002)]
# Label, and what each of two clients of one host with one process gives.
VALUES = {
    0x1000: [bytes(8), bytes(8)], 0x1100: [1, 1], 0x1200: [1, 1], 0x1300: [8, 100], 0x1400: [40000, 2**31 - 1],
    0x1500: [-1, 1024], 0x1600: [4, -1], 0x2000: HOSTS, 0x2100: [50001, 50002], 0x2200: [1, 1], 0x2300: [2, 3],
    0x2400: [3, 5], 0x3000: HOSTS, 0x3100: [struct.pack("!q", 11), struct.pack("!q", 12)],
}


def packet(kind, source, length=0, message=None, *, srqid=0, drqid=0, tag=0, cid=0, reserved=0, data=None):
    """A packet from process `source` of the job to the other one, with its data: zeros, unless they are given."""
    ids = [HOSTS[i] + struct.pack("!q", 11 + i) for i in range(2)]
    return (struct.pack("!II", kind, length) + ids[source] + ids[1 - source] +
            struct.pack("!QQQiiQQqQQ", srqid, drqid, length if message is None else message, source, tag, cid, 0, 0, 0,
                        reserved) + (data or bytes(length if kind < 2 else 0)))


class Job:
    """A job of two clients as packets of a capture, in segments of at most `cut` octets."""

    def __init__(self, cut=1000):
        self.packets, self.cut = [], cut
        self.links = [Connection(self.packets, ("127.0.0.9", 41000 + i), ("127.0.0.9", 6000)) for i in range(2)]
        self.channel = None

    def say(self, stream, side, octets):
        """Octets on a connection."""
        for at in range(0, len(octets), self.cut):
            stream.send(side, octets[at:at + self.cut], len(self.packets) / 1000)

    def start(self):
        """Start-up, all of it."""
        for link in self.links:
            self.say(link, 0, command(b"AUTH", 1))
            self.say(link, 1, bytes(8))
        for rank, link in enumerate(self.links):
            self.say(link, 0, command(b"IMPI", rank))
        for link in self.links:
            self.say(link, 1, command(b"IMPI", 2))
        for label, given in VALUES.items():
            for rank, link in enumerate(self.links):
                self.say(link, 0, command(b"COLL", label, given[rank]))
            for link in self.links:
                self.say(link, 1, command(b"COLL", label, 3, *given))
        for side in range(2):
            for link in self.links:
                self.say(link, side, command(b"DONE"))
        self.channel = Connection(self.packets, ("127.0.0.2", 42000), LISTENS[0], len(self.packets) / 1000)
        self.say(self.channel, 0, struct.pack("!i", 1))
        return self

    def send(self, *args, **options):
        """A packet between the hosts: process 1 is on the one that connected."""
        self.say(self.channel, 1 - args[1], packet(*args, **options))

    def close(self, barrier=True):
        """The end of the channel, behind the barrier of MPI_Finalize."""
        if barrier:
            self.send(0, 1, srqid=99, tag=110, cid=1)
            self.send(0, 0, srqid=99, tag=110, cid=1)
        for side in range(2):
            self.say(self.channel, side, packet(7, 0))
        for side in range(2):
            self.channel.finish(side, len(self.packets) / 1000)

    def finish(self):
        """The end of start-up's connections."""
        for link in self.links:
            self.say(link, 0, command(b"FINI"))
            link.finish(0, len(self.packets) / 1000)
            link.finish(1, len(self.packets) / 1000)

    def end(self):
        """The end, in order."""
        self.close()
        self.finish()
        return conversation.pcap(self.packets)


def traffic(job):
    """A long message and its acknowledgements, within the limits that were negotiated: 8 octets, marks 2 and 3."""
    job.send(1, 1, 8, 20, srqid=1)
    job.send(3, 0, srqid=1, drqid=5)
    job.send(0, 1, 8, 20, srqid=1, drqid=5)
    job.send(2, 0)
    job.send(0, 1, 4, 20, srqid=1, drqid=5)
    job.send(0, 1, 8, srqid=2)
    job.send(2, 0)
