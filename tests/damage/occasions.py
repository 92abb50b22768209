# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Occasions on which captures are made or handed on, beside those of situations.py and circumstances.py: what filters,
samplers and tools that sort, cut and rewrite files leave, and what cards, bridges and stacks add."""

import struct

import damage
import situations
import wires
from damage import Segment

FIN, SYN, RST, ACK = 0x01, 0x02, 0x04, 0x10
MICROSECOND = 10**3
HEADERS = 54


def _connections(packets):
    return sorted({damage.connection_of(one) for one in packets}, key=sorted)


def first_of_each(packets, most):
    """So many packets of each connection, as a ring for each flow keeps them."""
    kept, out = {}, []
    for one in packets:
        flow = damage.connection_of(one)
        kept[flow] = kept.get(flow, 0) + 1
        out += [one] if kept[flow] <= most else []
    return out


def by_connection(packets):
    """One connection after the other, as tools write that split captures and put them together."""
    return [one for flow in _connections(packets) for one in packets if damage.connection_of(one) == flow]


def by_direction(packets):
    """One direction after the other."""
    ways = sorted({Segment(one).way for one in packets})
    return [one for way in ways for one in packets if Segment(one).way == way]


def rewritten(packets, added):
    """Every port another one."""
    out = []
    for one in packets:
        tcp = bytearray(wires.tcp_of(one))
        for at in (0, 2):
            struct.pack_into("!H", tcp, at, (struct.unpack_from("!H", tcp, at)[0] + added) % 65536)
        out.append(wires.made(one, bytes(tcp)))
    return out


def anonymous(packets):
    """Every address another one, the same for the same."""
    return [wires.renamed(one, bytes((172, 20)) + way[2:4], bytes((172, 20)) + way[6:8])
            for one in packets for way in [Segment(one).way]]


def headers_of_one_side(packets, choose):
    """Of one direction the headers only."""
    way = Segment(choose.choice(packets)).way
    return [one._replace(captured=min(one.captured, HEADERS)) if Segment(one).way == way else one for one in packets]


def bridged(packets):
    """In front of a bridge that routes, and behind it: a hop less to go."""
    out = []
    for one in packets:
        octets = bytearray(one.octets)
        octets[8] = (octets[8] - 1) % 256
        struct.pack_into("!H", octets, 10, 0)
        struct.pack_into("!H", octets, 10, damage.checksum(bytes(octets[:20])) ^ 0xffff)
        out += [one, one._replace(octets=bytes(octets), when=one.when + MICROSECOND)]
    return out


def acknowledged_again(packets):
    """A stack that acknowledges everything three times."""
    return [again for one in packets for again in [one] * (
        3 if not Segment(one).payload and not Segment(one).flags & (SYN | FIN | RST) else 1)]


def acknowledged_at_once(packets):
    """Each segment is acknowledged by itself."""
    next_of, out = {}, []
    for one in packets:
        segment = Segment(one)
        length = len(segment.payload) + bool(segment.flags & (SYN | FIN))
        next_of[segment.way] = segment.sequence + length
        out.append(one)
        back = segment.way[4:8] + segment.way[:4] + segment.way[10:] + segment.way[8:10]
        if segment.payload and back in next_of:
            out.append(situations.back(one, ACK, next_of[back], segment.sequence + length)._replace(when=one.when))
    return out


def ended_again(packets):
    """Each FIN comes three times, and a reset behind the last one."""
    out = []
    for one in packets:
        out += [one] * (3 if Segment(one).flags & FIN else 1)
    ends = {Segment(one).way: one for one in packets if Segment(one).flags & FIN}
    for one in ends.values():
        out.append(wires.changed(one, payload=b"", flags=RST, sequence=Segment(one).sequence + 1 +
                                 len(Segment(one).payload))._replace(when=packets[-1].when))
    return out


def other_traffic(packets):
    """Others talk in between: a page is asked for at other ports, and numbers are sent."""
    out, model = [], packets[0]
    for at, one in enumerate(packets):
        talk = wires.changed(model, payload=struct.pack("!IIQ", at, 7, at) * 4, flags=ACK, sequence=1000 + 64 * at)
        talk = wires.renamed(talk, bytes((10, 3, 3, 3)), bytes((10, 3, 3, 4)), 33000)
        out += [one, talk._replace(when=one.when)]
    return out


def merged_cards(packets):
    """Cards that merge received segments as far as they can."""
    at = 0
    while at + 1 < len(packets):
        merged = damage.joined(packets, at)
        packets, at = (merged, at) if merged else (packets, at + 1)
    return wires.summed(packets)


def _rewrites(packets, choose):
    yield "ports rewritten", rewritten(packets, 7000), False
    yield "made anonymous", anonymous(packets), False
    yield "all at the same time", [one._replace(when=packets[0].when) for one in packets], False
    yield "no times", [one._replace(when=0) for one in packets], False
    yield "backwards", packets[::-1], False
    yield "backwards, sorted by number", [one._replace(when=packets[at].when)
                                          for at, one in enumerate(packets[::-1])], False
    third = len(packets) // 3
    yield "parts in a wrong order", packets[2 * third:] + packets[:third] + packets[third:2 * third], False
    yield "by connection", by_connection(packets), False
    yield "by direction", by_direction(packets), False
    yield "headers of one side", headers_of_one_side(packets, choose), False


def occasions(packets, choose):
    """(kind, packets, whether nothing is lost by that), of packets as for situations.py."""
    yield from _rewrites(packets, choose)
    for most in (3, 5, 9, 14):
        yield f"the first {most} of each", first_of_each(packets, most), False
    flow = choose.choice(_connections(packets))
    yield "one connection alone", [one for one in packets if damage.connection_of(one) == flow], False
    yield "all but one connection", [one for one in packets if damage.connection_of(one) != flow], False
    yield "long ones", [one for one in packets if len(one.octets) > 100], False
    yield "short ones", [one for one in packets if len(one.octets) < 160], False
    for part in (0.1, 0.5, 0.9):
        sampled = [one for one in packets if choose.random() < part]
        yield f"a sample of {part}", sampled, False
        yield f"a sample of {part}, cut", damage.cut(sampled, 128), False
    yield "bridged", bridged(packets), False
    yield "acknowledged again", acknowledged_again(packets), True
    yield "acknowledged at once", acknowledged_at_once(packets), True
    yield "ended again", ended_again(packets), True
    yield "other traffic", other_traffic(packets), True
    yield "merged by cards", merged_cards(packets), False
    yield "paused", packets[:len(packets) // 3] + packets[2 * len(packets) // 3:], False
