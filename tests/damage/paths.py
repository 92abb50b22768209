# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Connections that TCP spreads over two paths (MPTCP, RFC 8684): each octet has its place in the stream, and travels on
one of two TCP connections, of which the second is joined to the first."""

import struct
import zlib

import wires
from damage import Segment

FIN, SYN, RST, PSH, ACK = 0x01, 0x02, 0x04, 0x08, 0x10
KIND, JOIN, SIGNAL = 30, 0x10, 0x20
HAS_ACK, HAS_PLACE, HAS_END = 1, 4, 16
FIRST_PORT = 41000  # of second paths


def _signal(acked, place=None, number=0, length=0, ends=False):
    """Where the octets of a segment belong."""
    flags = HAS_ACK | (HAS_PLACE if place is not None else 0) | (HAS_END if ends else 0)
    body = struct.pack("!BBI", SIGNAL, flags, acked & 0xffffffff)
    if place is not None:
        body += struct.pack("!IIH", place & 0xffffffff, number & 0xffffffff, length)
    option = bytes([KIND, 2 + len(body)]) + body
    return option + b"\1" * (-len(option) % 4)


class _Side:
    """Who sends on both paths of a connection."""

    def __init__(self, syn):
        segment = Segment(syn)
        self.way, self.begins, self.place = segment.way, [segment.sequence, zlib.crc32(segment.way)], 1
        self.number = [1, 1]                    # of the next octet on each path
        self.key = zlib.crc32(syn.octets[::-1])  # where the stream begins
        self.ended = False


class _Stream:
    """A connection and its second path."""

    def __init__(self, syn, place):
        self.sides, self.port, self.joined = [_Side(syn), None], FIRST_PORT + place, False

    def side_of(self, way):
        """The number of the side that sends so."""
        return 0 if way == self.sides[0].way else 1

    def send(self, packet, side, path, payload=b"", flags=ACK, **signal):  # pylint: disable=too-many-arguments
        """A segment on a path."""
        me, other = self.sides[side], self.sides[1 - side]
        options = _signal(other.key + other.place, **signal)
        made = wires.changed(packet, payload=payload, sequence=me.begins[path] + me.number[path], flags=flags,
                             options=options)
        return self._on(made, side, path, other.begins[path] + other.number[path])

    def _on(self, packet, side, path, acked):
        tcp = bytearray(wires.tcp_of(packet))
        struct.pack_into("!I", tcp, 8, acked & 0xffffffff)
        if path:
            struct.pack_into("!H", tcp, 2 * side, self.port)
        return wires.made(packet, bytes(tcp))

    def confirm(self, packet):
        """Both sides say on the first path how far they are."""
        return [self.send(packet if me.way == Segment(packet).way else wires.acknowledgement(packet, 60000), side, 0)
                for side, me in enumerate(self.sides)]

    def join(self, packet):
        """The second path is opened, by who opened the first one."""
        self.joined = True
        out = []
        for side, flags, form in ((0, SYN, 12), (1, SYN | ACK, 16), (0, ACK, 24)):
            me, other = self.sides[side], self.sides[1 - side]
            model = packet if me.way == Segment(packet).way else wires.acknowledgement(packet, 60000)
            option = bytes([KIND, form, JOIN, 1]) + bytes(form - 4)
            made = wires.changed(model, payload=b"", flags=flags, options=option,
                                 sequence=me.begins[1] + (0 if flags & SYN else 1))
            out.append(self._on(made, side, 1, other.begins[1] + 1 if flags & ACK else 0))
        return [one._replace(when=packet.when) for one in out]


def spread(packets, choose, both=True):
    """(path, packet) of every packet, where the segments of one side, or of both, go by either path. The last octets of
    a stream that has two paths are said on the first one; either path ends by itself."""
    streams, out = {}, []
    for packet in packets:
        segment = Segment(packet)
        back = segment.way[4:8] + segment.way[:4] + segment.way[10:] + segment.way[8:10]
        if segment.flags & SYN:
            if not segment.flags & ACK:
                streams[segment.way] = streams[back] = _Stream(packet, len(streams))
            elif segment.way in streams:
                streams[segment.way].sides[1] = _Side(packet)
            options = wires.tcp_of(packet)[20:segment.data - segment.tcp]
            out.append((0, wires.changed(packet, options=options + bytes([KIND, 4, 1, 1]))))
            continue
        stream = streams.get(segment.way)
        if stream and stream.sides[1]:
            out += _of_stream(stream, packet, choose, both)
        else:
            out.append((0, packet))
    return out


def _of_stream(stream, packet, choose, both):
    segment, side = Segment(packet), stream.side_of(Segment(packet).way)
    me, out, path = stream.sides[side], [], choose.randrange(2) if both or side else 0
    if segment.payload:
        if segment.sequence != (me.begins[0] + me.place) & 0xffffffff:
            return []  # it came before
        if path and not stream.joined:  # when both sides know by the first path where the streams begin
            out += [(0, one) for one in stream.confirm(packet)] + [(1, one) for one in stream.join(packet)]
        out.append((path, stream.send(packet, side, path, segment.payload, PSH | ACK, place=me.key + me.place,
                                      number=me.number[path], length=len(segment.payload))))
        me.number[path] += len(segment.payload)
        me.place += len(segment.payload)
    elif not segment.flags & (FIN | RST):
        out.append((path and stream.joined, stream.send(packet, side, path and stream.joined)))
    if segment.flags & FIN and not me.ended:
        me.ended = True
        out.append((0, stream.send(packet, side, 0, place=me.key + me.place, number=0, length=1, ends=True)))
        me.place += 1
        for one in range(1 + stream.joined):
            out.append((one, stream.send(packet, side, one, flags=FIN | ACK)))
            me.number[one] += 1
    if segment.flags & RST:
        out += [(one, stream.send(packet, side, one, flags=RST | ACK)) for one in range(1 + stream.joined)]
    return [(one, made._replace(when=packet.when)) for one, made in out]


def one_path(packets):
    """All octets by the first path: nothing is missing."""
    class First:
        """Chooses so."""
        @staticmethod
        def randrange(_count):
            """The first one."""
            return 0
    return [packet for _, packet in spread(packets, First)]


def paths(packets, choose):
    """(kind, packets, whether nothing is lost by that), of packets as for situations.py."""
    yield "several paths, one used", one_path(packets), True
    for name, both in (("both sides", True), ("one side", False)):
        went = spread(packets, choose, both)
        yield f"two paths, {name}", [packet for _, packet in went], False
        yield f"the first of two paths, {name}", [packet for path, packet in went if path == 0], False
        yield f"the second of two paths, {name}", [packet for path, packet in went if path == 1], False
