# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Frames of the Intercept network made by hand (specs/intercept-wire.md), and captures of its links.

A capture has two cards, of nodes 1 and 2, each joined to a switch over the planes 0 and 1: UDP ports 50000 + 100 x
node + plane at the cards, 59000 + plane at the switch."""

import struct
import zlib

SHORT, VDMA, COMMAND, ACK, AGAIN = 2, 1, 3, 4, 5
RTS, CTS, NEXT_CTS, DATA, STOP_DATA, LAST_DATA, MSGEND = range(1, 8)
GET, GET_EXT_REPLY, TRY_MATCH, MATCH_REPLY, UPD_CONN = 3, 6, 7, 8, 9


def sealed(octets: bytes) -> bytes:
    """The octets with their CRC behind them."""
    return octets + struct.pack(">I", zlib.crc32(octets))


def padded(octets: bytes) -> bytes:
    """The octets up to a whole quadword."""
    return octets + bytes(-len(octets) % 8)


def put_header(length: int, portal: int = 4, tagged: bool = False) -> bytes:
    """The Portals header of a PUT, as RTS and TRY_MATCH carry it; with the tag of Portals 3.2 and 3.3."""
    ids = struct.pack(">8I", 1, 11, 7, 0, 2, 12, 7, 1)
    head = struct.pack(">I", 33 if tagged else 1) + ids
    head += struct.pack(">IIQQQQ", portal, 0, 0x2a, 0, 0xffffffffffffffff, length)
    return head + (struct.pack(">IQQ", 1000, 0x1122334455667788, 0) + bytes(8) if tagged else bytes(4))


class Network:
    """What is seen on the links, one datagram after the other."""

    def __init__(self, planes=2):
        self.packets = []
        self.sequences = {}
        for node in (1, 2):
            for plane in range(planes):
                self.announce(node, plane)

    def datagram(self, node: int, plane: int, octets: bytes, back=False):
        """A datagram from a node's card to the switch, or back."""
        ends = [50000 + 100 * node + plane, 59000 + plane]
        source, target = reversed(ends) if back else ends
        udp = struct.pack(">HHHH", source, target, 8 + len(octets), 0) + octets
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, b"\x7f\0\0\1", b"\x7f\0\0\1")
        self.packets.append(ip + udp)

    def answer(self, node: int, plane: int, kind: int, sequence: int, back=True):
        """A link frame, from the switch unless told otherwise."""
        self.datagram(node, plane, sealed(struct.pack(">BBBBHH8x", kind, 1 << plane, 0, sequence, 0, 0)), back)

    def announce(self, node: int, plane: int):
        """A card makes itself known."""
        self.sequences[node, plane] = 1
        self.datagram(node, plane, sealed(struct.pack(">BBBBHHBBHI", SHORT, 1 << plane, 0, 0, node, node, 0, 0, 0, 0)))
        self.answer(node, plane, ACK, 0)

    def packet(self, node: int, plane: int, kind: int, rest: bytes, planes=None, acknowledged=True) -> bytes:
        """A packet of a card: what stands behind source and destination. The switch acknowledges it."""
        sequence = self.sequences[node, plane]
        self.sequences[node, plane] = (sequence + 1) % 256
        mask = 1 << plane if planes is None else planes
        octets = sealed(struct.pack(">BBBBHH", kind, mask, 0, sequence, 3 - node, node) + rest)
        self.datagram(node, plane, octets)
        if acknowledged:
            self.answer(node, plane, ACK, sequence)
        return octets

    def rmpp(self, node: int, kind: int, number: int, body=b"", plane=0, **options) -> bytes:
        """An RMPP packet of VNIC 1."""
        payload = padded(struct.pack(">IIQ", kind, 16 + len(body), number) + body)
        return self.packet(node, plane, SHORT, struct.pack(">BBHI", 1, 1, len(payload), 0) + payload, **options)

    def control(self, node: int, kind: int, key: int, body=b"", pid=11, **options) -> bytes:
        """A control message of the process of that id."""
        payload = padded(struct.pack(">HHIQQ", kind, 1, 24 + len(body), node << 16 | pid, key) + body)
        return self.packet(node, 0, SHORT, struct.pack(">BBHI", 0, 0, len(payload), 0) + payload, **options)

    def credit(self, node: int, amount: int):
        """Credit for the other node's control messages."""
        self.packet(node, 0, COMMAND, struct.pack(">BBHHH", 0, 0, 0, 1, amount))

    def slice_packet(self, node: int, plane: int, at: int, data: bytes):
        """A VDMA packet for channel 0."""
        self.packet(node, plane, VDMA, struct.pack(">HHI", 0, len(data), at) + data)

    def put_short(self, number: int, data: bytes, planes=(0, 1), shuffled=False, tagged=False):
        """Node 1 puts data that takes an RTS, and data packets where they are needed."""
        first = 384 if tagged else 408
        self.rmpp(1, RTS, number, put_header(len(data), tagged=tagged) + data[:first])
        if len(data) > first:
            pieces = [data[at:at + 480] for at in range(first, len(data), 480)]
            self.rmpp(2, CTS, number, struct.pack(">IIQ", len(pieces), 0, len(data)))
            order = list(enumerate(pieces))
            for place, piece in reversed(order) if shuffled else order:
                kind = LAST_DATA if place == len(pieces) - 1 else DATA
                self.rmpp(1, kind, number, struct.pack(">II", place, 0) + piece, plane=planes[place % len(planes)])
        self.rmpp(2, MSGEND, number)

    def connect(self):
        """Both nodes have credit."""
        self.control(1, UPD_CONN, 0, struct.pack(">IIH", 1, 0, 1))
        self.credit(1, 64)
        self.credit(2, 64)

    def put_long(self, number: int, data: bytes, first: int):
        """Node 1 puts data by VDMA; so many octets before the slice, and those behind it, come as blocks."""
        address, last = 0x10000 - first, (len(data) - first) % 32
        middle = data[first:len(data) - last]
        self.control(1, TRY_MATCH, 5, struct.pack(">QQQ", number, address, len(data)) + put_header(len(data)))
        blocks = (9, first, address, last, address + len(data) - last)
        self.control(2, GET, 5, struct.pack(">IIIIQQQQQQQ", 0, 0, 1, 64, 0x10000, len(middle), *blocks))
        at = 64
        while middle:
            size = min(512, 4096 - at % 4096)
            self.slice_packet(1, at // 512 % 2, at, middle[:size])
            middle, at = middle[size:], at + size
        self.control(1, GET_EXT_REPLY, 5, struct.pack(">QII", 9, first, last) + padded(data[:first])
                     + data[len(data) - last:])
        self.control(2, MATCH_REPLY, 5, struct.pack(">iIQ", 0, 0, len(data)))

    def capture(self) -> bytes:
        """All of it as a pcap file of raw IP packets, a millisecond apart."""
        file = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101)
        for number, octets in enumerate(self.packets):
            file += struct.pack("<IIII", 1_000_000_000 + number // 1000, number % 1000 * 1000, len(octets),
                                len(octets)) + octets
        return file
