# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The hand-written conversations of wire/vectors/conversations/, and captures of them.

Captures are made here octet by octet: TCP segments in any order and cut, over several link layers, in either file
format and byte order.
"""

import re
import struct

SYN, ACK, FIN, RST, PSH = 0x02, 0x10, 0x01, 0x04, 0x08
A, B = ("127.0.0.1", 50001), ("127.0.0.1", 50002)


class Step:
    """One line: kind is "send" or "finish"; side 0 is the opener."""

    def __init__(self, kind, stream, side, octets=b"", seconds=0):
        self.kind, self.stream, self.side, self.octets, self.seconds = kind, stream, side, octets, seconds
        self.breaks = []


def vector(root, name):
    """Octets of a single vector."""
    text = (root / "wire" / "vectors" / name).read_text(encoding="ascii")
    return bytes.fromhex("".join(line.split("#", 1)[0] for line in text.splitlines()))


def message(root, words):
    """`put.hex 48:0010`: a vector with octets replaced; `=00ff`: just octets."""
    if words[0].startswith("="):
        return bytes.fromhex(words[0][1:])
    octets = bytearray(vector(root, words[0]))
    for change in words[1:]:
        offset, digits = change.split(":")
        value = bytes.fromhex(digits)
        octets[int(offset):int(offset) + len(value)] = value
    return bytes(octets)


def read(root, name):
    """The steps of a conversation."""
    steps, stream, seconds = [], 1, 0
    for line in (root / "wire" / "vectors" / "conversations" / f"{name}.txt").read_text(encoding="ascii").splitlines():
        words = line.split("#", 1)[0].split()
        if not words or words[0] in ("waiting", "listener"):
            continue
        if words[0] == "stream":
            stream = int(words[1])
        elif words[0] == "at":
            seconds = int(words[1])
        elif words[0] == "breaks":
            steps[-1].breaks.append((words[1], words[2]))
        elif words[0] == "finish":
            steps.append(Step("finish", stream, int(words[1] == "acceptor"), seconds=seconds))
        else:
            side = int(words[0] == "acceptor")
            steps.append(Step("send", stream, side, message(root, words[1:]), seconds))
    return steps


def names(root):
    """The names of all conversations."""
    return sorted(path.stem for path in (root / "wire" / "vectors" / "conversations").glob("*.txt"))


class Connection:
    """One TCP connection as packets: a list of (seconds, IP packet)."""

    def __init__(self, packets, opener, acceptor, seconds=0.0, six=False):
        self.packets, self.ends, self.six = packets, (opener, acceptor), six
        self.sequence = [0xfffffff0, 7000]  # one of them wraps soon
        self.segment(0, flags=SYN, seconds=seconds)
        self.sequence[0] += 1
        self.segment(1, flags=SYN | ACK, seconds=seconds)
        self.sequence[1] += 1
        self.segment(0, flags=ACK, seconds=seconds)

    def segment(self, side, octets=b"", flags=PSH | ACK, at=None, seconds=0.0, ack=None):
        """One packet; its number in the capture."""
        (source, sport), (target, dport) = self.ends[side], self.ends[1 - side]
        sequence = self.sequence[side] if at is None else at
        acknowledged = self.sequence[1 - side] if ack is None else ack
        tcp = struct.pack("!HHIIBBHHH", sport, dport, sequence & 0xffffffff,
                          acknowledged & 0xffffffff if flags & ACK else 0, 5 << 4, flags, 65535, 0, 0) + octets
        if self.six:
            here = bytes(15) + b"\1"
            packet = struct.pack("!IHBB", 6 << 28, len(tcp) + 8, 0, 64) + here + here + bytes([6, 0, 1, 4, 0, 0, 0, 0])
        else:
            packet = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(tcp), 0, 0x4000, 64, 6, 0,
                                 bytes(map(int, source.split("."))), bytes(map(int, target.split("."))))
        self.packets.append((seconds, packet + tcp))
        return len(self.packets)

    def send(self, side, octets, seconds=0.0):
        """Octets in their order."""
        number = self.segment(side, octets, seconds=seconds)
        self.sequence[side] += len(octets)
        return number

    def finish(self, side, seconds=0.0):
        """FIN."""
        number = self.segment(side, flags=FIN | ACK, seconds=seconds)
        self.sequence[side] += 1
        return number


def other_numbers(packets):
    """Packets of IPv4 with other sequence numbers, as new connections between the same ends have."""
    changed = []
    for seconds, octets in packets:
        sequence, acknowledged = struct.unpack_from("!II", octets, 24)
        numbers = struct.pack("!II", (sequence + 2**30) % 2**32, (acknowledged + 2**30) % 2**32 if acknowledged else 0)
        changed.append((seconds, octets[:24] + numbers + octets[32:]))
    return changed


# How a packet looks on each link layer: link type and what stands before the IP packet.
LINKS = {
    "ethernet": (1, lambda six: bytes(12) + (b"\x86\xdd" if six else b"\x08\x00")),
    "vlan": (1, lambda six: bytes(12) + b"\x81\x00\x00\x05" + (b"\x86\xdd" if six else b"\x08\x00")),
    "null": (0, lambda six: struct.pack("<I", 30 if six else 2)),
    "loop": (108, lambda six: struct.pack(">I", 24 if six else 2)),
    "cooked": (113, lambda six: bytes(14) + (b"\x86\xdd" if six else b"\x08\x00")),
    "cooked2": (276, lambda six: (b"\x86\xdd" if six else b"\x08\x00") + bytes(18)),
    "raw": (101, lambda six: b""),
    "mpls": (1, lambda six: bytes(12) + b"\x88\x47" + struct.pack("!II", 16 << 12 | 64, 17 << 12 | 0x100 | 64)),
}


def carried(protocol, octets):
    """Octets in a packet of IPv4 between two nodes."""
    ends = b"\n\0\0\1\n\0\0\2"
    return struct.pack("!BBHHHBBH8s", 0x45, 0, 20 + len(octets), 1, 0, 64, protocol, 0, ends) + octets


def datagram(port, octets):
    """The same over UDP."""
    return carried(17, struct.pack("!HHHH", 40000, port, 8 + len(octets), 0) + octets)


# Likewise where a network carries it within its own packets.
TUNNELS = {
    "ip in ip": lambda packet, kind: carried(41 if packet[0] >> 4 == 6 else 4, packet),
    "gre": lambda packet, kind: carried(47, b"\x20\0" + kind + b"\0\0\0\7" + packet),
    "vxlan": lambda packet, kind: datagram(4789, b"\x08\0\0\0\0\0\x07\0" + bytes(12) + kind + packet),
    "geneve": lambda packet, kind: datagram(6081, b"\1\0" + kind + b"\0\0\x07\0" + bytes(4) + packet),
    "pppoe": lambda packet, kind: (bytes(12) + b"\x88\x64\x11\0\0\1" + struct.pack("!H", 2 + len(packet))
                                   + (b"\0\x57" if packet[0] >> 4 == 6 else b"\0\x21") + packet),
}
LINKS |= {name: (1 if name == "pppoe" else 101, None) for name in TUNNELS}


def framed(packets, link):
    """(seconds, octets) with the link layer before them."""
    if link in TUNNELS:
        kinds = {True: b"\x86\xdd", False: b"\x08\0"}
        return [(seconds, TUNNELS[link](packet, kinds[packet[0] >> 4 == 6])) for seconds, packet in packets]
    head = LINKS[link][1]
    return [(seconds, head(packet[0] >> 4 == 6) + packet) for seconds, packet in packets]


def pcap(packets, link="raw", order="<", nanoseconds=False):
    """A pcap file."""
    magic = 0xa1b23c4d if nanoseconds else 0xa1b2c3d4
    out = [struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 262144, LINKS[link][0])]
    for seconds, octets in framed(packets, link):
        unit = 1_000_000_000 if nanoseconds else 1_000_000
        out.append(struct.pack(order + "IIII", 1_700_000_000 + int(seconds), int(seconds % 1 * unit), len(octets),
                               len(octets)) + octets)
    return b"".join(out)


def block(kind, body, order="<"):
    """A block of pcapng."""
    body += bytes(-len(body) % 4)
    length = struct.pack(order + "I", len(body) + 12)
    return struct.pack(order + "I", kind) + length + body + length


def pcapng(packets, link="raw", order="<", kind="enhanced"):
    """A pcapng file of one section, with a block of an unknown kind that is to be stepped over."""
    section = block(0x0a0d0d0a, struct.pack(order + "IHHq", 0x1a2b3c4d, 1, 0, -1), order)
    interface = block(1, struct.pack(order + "HHIHHB3xHH", LINKS[link][0], 0, 0, 9, 1, 6, 0, 0), order)
    out = [section, interface, block(0x7777, b"strange", order)]
    for seconds, octets in framed(packets, link):
        ticks = (1_700_000_000 + int(seconds)) * 1_000_000 + int(seconds % 1 * 1_000_000)
        if kind == "simple":
            out.append(block(3, struct.pack(order + "I", len(octets)) + octets, order))
        else:
            head = struct.pack(order + "IIIII", 0, ticks >> 32, ticks & 0xffffffff, len(octets), len(octets))
            out.append(block(6, head + octets, order))
    return b"".join(out)


def begin(packets, step, seconds, six):
    """The connection of a stream, whose first step is this: B listens, unless it is B that opens, or A that accepts."""
    by_b = step.octets[:4] == b"PTL3" and step.octets[12:16] == bytes.fromhex("0000c352")
    return Connection(packets, ("127.0.0.1", 40000 + step.stream), A if by_b == (step.side == 0) else B, seconds, six)


def perform(root, name, *, cut=None, six=False):
    """The packets of a conversation, in segments of at most `cut` octets, and what must be found in it: a list of
    (packet, rule, requirement)."""
    packets, expected, connections = [], [], {}
    for step in read(root, name):
        seconds = step.seconds + len(packets) / 100000
        if step.stream not in connections:
            connections[step.stream] = begin(packets, step, seconds if connections else 0.0, six)
        connection = connections[step.stream]
        if step.kind == "finish":
            number = connection.finish(step.side, seconds)
        else:
            size = cut or len(step.octets)
            for at in range(0, len(step.octets), size):
                number = connection.send(step.side, step.octets[at:at + size], seconds)
        expected += [(number, *rule) for rule in step.breaks]
    return packets, expected
