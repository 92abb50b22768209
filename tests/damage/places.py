# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Where captures are taken, and by several at once: all interfaces of a host with bridges, both sides of a router that
translates addresses, each host by itself with a clock of its own, some files of a ring."""

import struct
import zlib

from damage import LINK_OCTETS, Segment, by_time, later, split
from network import linked, numbered, offloaded

MICROSECOND = 1000
TIMESTAMPS = b"\1\1\x08\x0a" + bytes(8)  # options of TCP
HEADER_MAX = 48                          # of TCP, to which these can still be added
FRAME_LEAST = 60                         # octets of Ethernet, without its checksum
MSS = 1460
SYN, ACK = 0x02, 0x10


def with_options(packets):
    """With timestamps of TCP, as systems of today send them, and other sequence numbers in each connection."""
    out = []
    for packet in numbered(packets, zlib.crc32):
        segment, octets = Segment(packet), bytearray(packet.octets)
        if segment.data - segment.tcp <= HEADER_MAX:
            octets[segment.data:segment.data] = TIMESTAMPS
            octets[segment.tcp + 12] += len(TIMESTAMPS) // 4 << 4
            struct.pack_into("!H", octets, segment.ip + 2, len(octets) - segment.ip & 0xffff)
        out.append(packet._replace(octets=bytes(octets), captured=len(octets)))
    return out


def _passed_on(packet):
    """A hop further."""
    octets = bytearray(packet.octets)
    octets[LINK_OCTETS[packet.link] + 8] -= 1
    return packet._replace(octets=bytes(octets))


def on_all_interfaces(packets, copies, apart):
    """Each packet once for each interface that it passes."""
    out = []
    for packet in packets:
        for copy in range(copies):
            out.append(packet._replace(when=packet.when + copy * apart))
            packet = _passed_on(packet)
    return by_time(out)


def padded(packets, choose):
    """Frames of Ethernet with what fills them up, and their checksum."""
    out = []
    for packet in linked(packets, "ethernet"):
        octets = packet.octets + choose.randbytes(max(FRAME_LEAST - len(packet.octets), 0) + 4)
        out.append(packet._replace(octets=octets, captured=len(octets)))
    return out


def _openers(packets):
    ways = [Segment(packet).way for packet in packets if Segment(packet).flags & (SYN | ACK) == SYN]
    return {(way[:4], way[8:10]) for way in ways}


def translated(packets, whose):
    """Behind a router that gives those who open (True) or who accept (False) other addresses."""
    openers, out = _openers(packets), []
    for packet in packets:
        segment, octets = Segment(packet), bytearray(packet.octets)
        for place, end in ((0, (segment.way[:4], segment.way[8:10])), (1, (segment.way[4:8], segment.way[10:12]))):
            if (end in openers) == whose:
                at = segment.ip + 12 + 4 * place
                octets[at:at + 4] = bytes((10, 9, whose, end[0][3]))
        out.append(packet._replace(octets=bytes(octets)))
    return out


def both_sides(packets, whose, after):
    """Captured on both sides of that router."""
    packets = with_options(packets)
    return by_time(packets + later(translated(packets, whose), after))


def offloaded_at_both_ends(packets, apart):
    """One end gives long segments to its card, the other gets what travels."""
    return by_time(offloaded(packets) + later(split(packets, MSS), apart))


def by_hosts(packets, choose, lost):
    """By each process' host alone, with its clock and its losses; merged."""
    ends = sorted({end for packet in packets for way in [Segment(packet).way]
                   for end in (way[:4] + way[8:10], way[4:8] + way[10:12])})
    out = []
    for end in ends:
        clock = choose.choice((-5 * 10**8, -10**5, 0, 10**5, 5 * 10**8))
        for packet in packets:
            way = Segment(packet).way
            if end in (way[:4] + way[8:10], way[4:8] + way[10:12]) and choose.random() >= lost:
                out.append(packet._replace(when=packet.when + clock))
    return by_time(out)


def ring(packets, choose):
    """Some files of a ring, not always in their order."""
    size = max(len(packets) // 8, 1)
    files = [packets[at:at + size] for at in range(0, len(packets), size)]
    kept = choose.sample(files, max(len(files) // 2, 1))
    return [packet for file in (kept if choose.random() < 0.5 else by_files(kept)) for packet in file]


def by_files(files):
    """In the order in which they begin."""
    return sorted(files, key=lambda file: file[0].when)


def places(packets, choose):
    """(kind, packets, whether nothing is lost by that)."""
    yield "options", with_options(packets), True
    yield "padded", padded(packets, choose), True
    yield "offloaded at both ends", offloaded_at_both_ends(packets, choose.choice((-20, 20)) * MICROSECOND), True
    for copies, apart in ((2, 2), (4, 2), (2, 500)):
        yield f"all interfaces, {copies}, {apart}", on_all_interfaces(packets, copies, apart * MICROSECOND), True
    for whose in (True, False):
        yield f"translated, {whose}", translated(packets, whose), False
        yield f"both sides of a router, {whose}", both_sides(packets, whose, 3 * MICROSECOND), False
    for lost in (0, 0.1):
        yield f"by hosts, {lost}", by_hosts(packets, choose, lost), False
    yield "ring", ring(packets, choose), False
    yield "data only", [packet for packet in packets if Segment(packet).payload], False
    yield "one in two", packets[::2], False
