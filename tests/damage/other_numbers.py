# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Numbers that are not those of the connection at hand (beside wires.py): resets and openings that nobody heeds, ports
used again, firewalls that choose other sequence numbers, large leaps, packets that quote others."""

import struct

import network
import wires
from damage import Segment

FIN, SYN, RST, ACK = 0x01, 0x02, 0x04, 0x10
FAR, LARGE_LEAP, LARGEST_LEAP = 2**30 + 12345, 2**26, 3 * 2**30


def numbered(packets, added):
    """With other sequence numbers, and checksums that know of them."""
    return wires.summed(network.numbered(packets, added))


def quoted(packet):
    """The message of a router to which the packet is too large."""
    body = struct.pack("!BBHI", 3, 4, 0, 1400) + packet.octets[:28]
    octets = struct.pack("!BBHHHBBH8s", 0x45, 0, 20 + len(body), 1, 0, 64, 1, 0, packet.octets[12:20]) + body
    return packet._replace(octets=octets, captured=len(octets))


def tried(packets, *before):
    """Before each opening others, each with these flags and so much added to its number."""
    out = []
    for packet in packets:
        segment = Segment(packet)
        if segment.flags & (SYN | ACK) == SYN:
            out += [wires.changed(packet, flags=flags, sequence=segment.sequence + added) for flags, added in before]
        out.append(packet)
    return out


def numbers(packets, choose):
    """(kind, packets, whether nothing is lost by that), of packets over IPv4 without a link layer."""
    place = choose.choice([at for at, packet in enumerate(packets) if Segment(packet).payload])
    head, tail, segment = packets[:place + 1], packets[place + 1:], Segment(packets[place])
    for name, number in (("far off", segment.sequence + FAR), ("of number 0", 0)):
        reset = wires.changed(packets[place], payload=b"", flags=RST, sequence=number)
        yield f"a reset {name}", head + [reset] + tail, True
    yield "openings tried with another number", tried(packets, (SYN, -FAR)), True
    yield "openings refused before", tried(packets, (SYN, FAR), (RST, FAR + 1)), True
    yield "packets quoted by a router", [one for packet in packets for one in (packet, quoted(packet))], True
    other = numbered(packets, lambda way: FAR)
    yield "other numbers behind a firewall", [one for pair in zip(packets, other) for one in pair], False
    yield "one side of a firewall, then the other", packets + other, False
    begun = [one for one in head if not Segment(one).flags & (FIN | RST)]
    yield "a port used again, the end lost", begun + other, False
    yield "a port used again, the opening lost", packets + [one for one in other if not Segment(one).flags & SYN], False
    yield "a port used again within the past", packets + numbered(packets, lambda way: -3000), False
    for leap in (LARGE_LEAP, LARGEST_LEAP):
        yield f"{leap} octets lost", head + numbered(tail, lambda way, leap=leap: leap), False
    yield "backwards", packets[::-1], False
    yield "some again much later", packets + packets[::4], False
    yield "IPv6 on one side", [one for packet in packets for one in (packet, wires.six(packet))], False
    yield "IPv6 from there on", head + [wires.six(packet) for packet in tail], False
    yield "acknowledgements only", [packet for packet in packets if not Segment(packet).payload], False
