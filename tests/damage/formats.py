# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Capture files as programs write them that are not ours: of both byte orders, with several interfaces of different
link layers and units of time, in several sections, one behind the other, cut off."""

import gzip
import itertools
import struct

from network import LINKS, linked

ZEROS = 4096      # octets that a file system left at a file's end
CHECKED = 0x24    # in the highest octet of a link type: four octets behind a frame are its checksum
OFFSET = 3600     # seconds that are added to the times of an interface
UNKNOWN = 147     # a link layer of users' own
INTERFACES = 20   # described one by one
LINK_NAMES = ("raw", "ethernet", "cooked", "cooked 2", "loopback", "vlan", "two vlans")


def pcap(packets, order="<", unit=1, link=None, snapped=262144):
    """A pcap file."""
    magic = {1: 0xa1b23c4d, 1000: 0xa1b2c3d4}[unit]
    out = [struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, snapped, packets[0].link if link is None else link)]
    for one in packets:
        out.append(struct.pack(order + "IIII", one.when // 10**9, one.when % 10**9 // unit, one.captured,
                               len(one.octets)) + one.octets[:one.captured])
    return b"".join(out)


def _padded(octets):
    return octets + bytes(-len(octets) % 4)


def block(kind, body, order="<"):
    """A block of pcapng."""
    length = struct.pack(order + "I", len(_padded(body)) + 12)
    return struct.pack(order + "I", kind) + length + _padded(body) + length


def section(order="<"):
    """The beginning of a section."""
    return block(0x0a0d0d0a, struct.pack(order + "IHHq", 0x1a2b3c4d, 1, 0, -1), order)


def interface(link, order="<", resolution=9, offset=0):
    """An interface; its times have a unit and an offset of their own."""
    options = struct.pack(order + "HHB3xHHq", 9, 1, resolution, 14, 8, offset)
    return block(1, struct.pack(order + "HHI", link, 0, 0) + options + bytes(4), order)


def _ticks(when, resolution, offset):
    when -= offset * 10**9
    return when * 2**(resolution & 127) // 10**9 if resolution & 128 else when // 10**(9 - resolution)


def enhanced(one, number=0, order="<", resolution=9, offset=0, options=b""):
    """A packet."""
    ticks = _ticks(one.when, resolution, offset)
    head = struct.pack(order + "IIIII", number, ticks >> 32, ticks & 0xffffffff, one.captured, len(one.octets))
    return block(6, head + _padded(one.octets[:one.captured]) + options, order)


def simple(one):
    """A packet without a time."""
    return block(3, struct.pack("<I", len(one.octets)) + one.octets[:one.captured])


def obsolete(one):
    """A packet as the first pcapng files had it."""
    head = struct.pack("<HHIIII", 0, 0xffff, one.when >> 32, one.when & 0xffffffff, one.captured, len(one.octets))
    return block(2, head + one.octets[:one.captured])


def several_links(packets):
    """An interface for each link layer; the packets come by each in turn."""
    kinds = [linked(packets, name) for name in LINK_NAMES]
    out = [section()] + [interface(LINKS[name][0]) for name in LINK_NAMES]
    turn = itertools.cycle(range(len(kinds)))
    return b"".join(out + [enhanced(kinds[number][place], number) for place, number in zip(range(len(packets)), turn)])


def several_units(packets):
    """Interfaces whose clocks have other units."""
    units = [(9, 0), (0x80 | 30, 0), (9, OFFSET), (9, -OFFSET)]
    out = [section()] + [interface(packets[0].link, "<", *unit) for unit in units]
    return b"".join(out + [enhanced(one, at % 4, "<", *units[at % 4]) for at, one in enumerate(packets)])


def several_sections(packets):
    """Sections in turn of both byte orders."""
    out, size = [], max(len(packets) // 5, 1)
    for at in range(0, len(packets), size):
        order = "<>"[at // size % 2]
        out += [section(order), interface(packets[0].link, order)]
        out += [enhanced(one, 0, order) for one in packets[at:at + size]]
    return b"".join(out)


def other_blocks(packets):
    """Names, statistics, keys, and blocks that nobody knows, between the packets."""
    journal, custom = b"__REALTIME_TIMESTAMP=1700000000000000\n", struct.pack("<I", 32473) + b"abcd"
    others = itertools.cycle([block(4, bytes(4)), block(5, bytes(12)), block(10, b"KSLT" + bytes(4)), block(9, journal),
                              block(0xbad, custom), block(0x40000bad, custom), block(0x7777, b"whatever")])
    out = [section(), interface(packets[0].link)]
    return b"".join(out + [part for one in packets for part in (enhanced(one), next(others))])


def files(packets, choose):
    """(kind, octets of a file, whether nothing is lost by that; None where Wireshark refuses what is broken)."""
    head, link = section(), interface(packets[0].link)
    ethernet = linked(packets, "ethernet")
    checked = [one._replace(octets=one.octets + b"\1\2\3\4", captured=one.captured + 4) for one in ethernet]
    whole = pcap(packets)
    yield "big-endian", pcap(packets, ">"), True
    yield "microseconds", pcap(packets, "<", 1000), True
    yield "big-endian microseconds", pcap(packets, ">", 1000), True
    yield "with checksums of frames", pcap(checked, link=CHECKED << 24 | 1), True
    yield "records beyond the snapshot length", pcap(packets, snapped=60), True
    yield "pcapng", head + link + b"".join(enhanced(one) for one in packets), True
    order = ">"
    yield "pcapng, big-endian", section(order) + interface(packets[0].link, order) + b"".join(
        enhanced(one, 0, order) for one in packets), True
    yield "pcapng, several link layers", several_links(packets), True
    yield "pcapng, several units", several_units(packets), True
    yield "pcapng, several sections", several_sections(packets), True
    yield "pcapng, other blocks", other_blocks(packets), True
    options = struct.pack("<HHIHH5s3xHHQHH", 2, 4, 1, 1, 5, b"seen!", 4, 8, 17, 0, 0)
    yield "pcapng, options", head + link + b"".join(enhanced(one, options=options) for one in packets), True
    yield "pcapng, interfaces described late", head + link + b"".join(
        enhanced(one, at, "<", 9 - at % 3) + interface(one.link, "<", 9 - (at + 1) % 3)
        for at, one in enumerate(packets[:INTERFACES])) + b"".join(map(enhanced, packets[INTERFACES:])), None
    yield "pcapng, an interface that nobody knows", head + link + interface(UNKNOWN) + b"".join(
        enhanced(one) + enhanced(one, 1) for one in packets), True
    yield "pcapng, seconds only", head + interface(packets[0].link, "<", 0) + b"".join(
        enhanced(one, 0, "<", 0) for one in packets), False
    nothing = packets[0]._replace(octets=b"", captured=0)
    yield "packets of no octets", pcap([nothing] + [part for one in packets for part in (one, nothing)]), True
    yield "pcapng, packets of no octets", head + link + b"".join(
        enhanced(nothing) + simple(nothing) + enhanced(one) for one in packets), True
    yield "nothing captured of some", pcap([one._replace(captured=one.captured if at % 4 else 0)
                                            for at, one in enumerate(packets)]), False
    yield "packed", gzip.compress(whole), True
    yield "packed in two parts", gzip.compress(whole[:len(whole) // 2]) + gzip.compress(whole[len(whole) // 2:]), True
    yield "packed and cut off", gzip.compress(whole)[:-choose.randrange(1, len(packets))], None
    yield "pcapng, simple blocks", head + link + b"".join(map(simple, packets)), False
    yield "pcapng, obsolete blocks", head + link + b"".join(map(obsolete, packets)), True
    half = len(packets) // 2
    yield "one file behind the other", pcap(packets[:half]) + pcap(packets[half:]), None
    yield "cut off", whole[:-choose.randrange(1, len(packets[-1].octets) + 15)], None
    yield "zeros behind it", whole + bytes(ZEROS), None
    yield "zeros instead of its end", whole[:len(whole) * 3 // 4] + bytes(len(whole) // 4), None
