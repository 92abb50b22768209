# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Captures and what can happen to them. A capture is a list of packets; a damage is a name and the packets left.

Each befalls captures in practice: packets dropped under load, a capture begun too late or ended too early, packets
seen twice or in another order, segments sent again cut at other places, a short snapshot length.
"""

import collections
import random
import socket
import struct

Packet = collections.namedtuple("Packet", "when octets captured link")
Packet.__doc__ = "when: nanoseconds; octets: with the link layer; captured: how many of them the file holds."

LINK_OCTETS = {0: 4, 1: 14, 101: 0, 113: 16, 228: 0, 276: 20}  # without what may stand behind
SEQUENCE = 4
PIECES_MAX = 10000  # into which a capture is split
LENGTH_MAX = 65535
AGAIN_AFTER = 5  # packets later comes what was lost at its place
APART = 10**8    # nanoseconds between the clocks of two captures
# damages that take nothing away
HARMLESS = {"duplicated", "overlapped", "clock set back", "in pieces", "joined"}
LATE_AGAIN = 0.2  # how often a processor comes to be late, or is so no more
PROCESSED = 16    # by so many pairs of processors
MERGED = 8  # parts of a capture of which it is merged with some


def read(path):
    """The packets of a pcap file, or of a pcapng file of enhanced packet blocks, little-endian."""
    octets = path.read_bytes()
    return _pcapng(octets) if octets[:4] == b"\x0a\x0d\x0d\x0a" else _pcap(octets)


def _pcap(octets):
    magic, link = struct.unpack_from("<I16xI", octets)
    unit = {0xa1b2c3d4: 1000, 0xa1b23c4d: 1}[magic]
    packets, at = [], 24
    while at < len(octets):
        seconds, part, captured, whole = struct.unpack_from("<IIII", octets, at)
        held = octets[at + 16:at + 16 + captured]
        packets.append(Packet(seconds * 10**9 + part * unit, held + bytes(whole - captured), captured, link))
        at += 16 + captured
    return packets


def _options(octets):
    at, found = 0, {}
    while at + 4 <= len(octets):
        code, length = struct.unpack_from("<HH", octets, at)
        found[code] = octets[at + 4:at + 4 + length]
        at += 4 + length + -length % 4
    return found


def _pcapng(octets):
    packets, links, at = [], [], 0
    while at < len(octets):
        kind, length = struct.unpack_from("<II", octets, at)
        body = octets[at + 8:at + length - 4]
        if kind == 1:
            resolution = _options(body[8:]).get(9, b"\6")[0]
            links.append((struct.unpack_from("<H", body)[0], 10 ** (9 - resolution)))
        elif kind == 6:
            interface, high, low, captured, whole = struct.unpack_from("<IIIII", body)
            link, unit = links[interface]
            held = body[20:20 + captured]
            packets.append(Packet((high << 32 | low) * unit, held + bytes(whole - captured), captured, link))
        at += length
    return packets


def write(path, packets):
    """A pcap file that anybody may read."""
    out = [struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, packets[0].link if packets else 101)]
    for packet in packets:
        out.append(struct.pack("<IIII", packet.when // 10**9, packet.when % 10**9, packet.captured,
                               len(packet.octets)))
        out.append(packet.octets[:packet.captured])
    path.write_bytes(b"".join(out))
    path.chmod(0o644)
    return path


def checksum(octets):
    """That of the Internet, still to be complemented."""
    total = sum(struct.unpack(f"!{len(octets) // 2 + len(octets) % 2}H", octets + b"\0" * (len(octets) % 2)))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return total


def tcp_summed(addresses, tcp, partial=False):
    """A segment with its checksum, or with what a sender leaves to its card."""
    pseudo = addresses + struct.pack("!II", len(tcp), 6)
    tcp = tcp[:16] + b"\0\0" + tcp[18:]
    found = checksum(pseudo) if partial else checksum(pseudo + tcp) ^ 0xffff
    return tcp[:16] + struct.pack("!H", found) + tcp[18:]


class Segment:
    """The TCP segment of a packet over IPv4."""

    def __init__(self, packet):
        self.packet = packet
        octets, self.ip = packet.octets, LINK_OCTETS[packet.link]
        self.tcp = self.ip + (octets[self.ip] & 15) * 4
        self.data = self.tcp + (octets[self.tcp + 12] >> 4) * 4
        self.end = self.ip + struct.unpack_from("!H", octets, self.ip + 2)[0]
        self.sequence = struct.unpack_from("!I", octets, self.tcp + SEQUENCE)[0]
        self.flags = octets[self.tcp + 13]
        self.payload = octets[self.data:self.end]
        self.way = octets[self.ip + 12:self.ip + 20] + octets[self.tcp:self.tcp + 4]

    def part(self, begin, end):
        """The packet with these octets of its payload only; a FIN stays with the last ones."""
        octets = bytearray(self.packet.octets[:self.data] + self.payload[begin:end])
        struct.pack_into("!I", octets, self.tcp + SEQUENCE, (self.sequence + begin) & 0xffffffff)
        if end < len(self.payload):
            octets[self.tcp + 13] &= ~1
        return self.whole(octets)

    def whole(self, octets):
        """The packet with these octets, their length, and, if it has one, their checksum."""
        octets = bytearray(octets)
        struct.pack_into("!H", octets, self.ip + 2, len(octets) - self.ip)
        if any(octets[self.tcp + 16:self.tcp + 18]):
            octets[self.tcp:] = tcp_summed(octets[self.ip + 12:self.ip + 20], octets[self.tcp:])
        return self.packet._replace(octets=bytes(octets), captured=len(octets))


def is_tcp(packet):
    """Whether a packet is one of those that are spoilt here; frames of Intercept travel over UDP."""
    return packet.octets[LINK_OCTETS[packet.link] + 9] == socket.IPPROTO_TCP


def connection_of(packet):
    """Both ends of the packet's connection, in their own order."""
    way = Segment(packet).way
    return frozenset([(way[:4], way[8:10]), (way[4:8], way[10:12])])


def without(packets, chosen):
    """All packets but those with the chosen places."""
    return [packet for place, packet in enumerate(packets) if place not in chosen]


def cut(packets, octets):
    """A snapshot length."""
    return [packet._replace(captured=min(packet.captured, octets)) for packet in packets]


def split(packets, size):
    """Every segment sent as several, of at most so many octets."""
    out = []
    for packet in packets:
        segment = Segment(packet)
        places = range(0, max(len(segment.payload), 1), size)
        out += [segment.part(at, min(at + size, len(segment.payload))) for at in places]
    return out


def overlapped(packets, place):
    """The packet and the next one of its side sent again as one, from the middle of the first to that of the second."""
    segment = Segment(packets[place])
    half = len(segment.payload) // 2
    for at, packet in enumerate(packets[place + 1:], place + 1):
        later = Segment(packet)
        follows = later.sequence == segment.sequence + len(segment.payload)
        if half and later.way == segment.way and later.payload and follows:
            begin = segment.part(half, len(segment.payload)).octets
            again = segment.whole(begin + later.payload[:len(later.payload) // 2])._replace(when=packet.when)
            return packets[:at + 1] + [again] + packets[at + 1:]
    return None


def swapped(packets, place):
    """Two neighbours in the other order, with each other's times."""
    one, other = packets[place], packets[place + 1]
    return packets[:place] + [other._replace(when=one.when), one._replace(when=other.when)] + packets[place + 2:]


def woven(packets, others, place):
    """From the packet on, those of another capture come in between, by turns of one to four."""
    out, turn = packets[:place], 1 + place % 4
    for at in range(0, max(len(packets) - place, len(others)), turn):
        out = out + others[at:at + turn] + packets[place + at:place + at + turn]
    return out


def late(packets, place):
    """A packet that comes some packets later, as one that was lost on its way and sent again."""
    behind = place + 1 + AGAIN_AFTER
    return packets[:place] + packets[place + 1:behind] + [packets[place]] + packets[behind:]


def side_late(packets, place):
    """From the packet on, all of its side's packets are captured behind some of the other's."""
    way = Segment(packets[place]).way
    order = [at + (AGAIN_AFTER + 0.5 if at >= place and Segment(packet).way == way else 0)
             for at, packet in enumerate(packets)]
    return [packets[at] for at in sorted(range(len(packets)), key=order.__getitem__)]


def by_processors(packets, seed):
    """Captured by two processors, each of which has connections of its own, and is late by some packets now and then;
    with the times at which each packet reached the capture."""
    choose, processors, late_by, order = random.Random(seed), {}, [0, 0], []
    latest = [0, 0]
    for at, packet in enumerate(packets):
        which = processors.setdefault(connection_of(packet), choose.randrange(2))
        if choose.random() < LATE_AGAIN:
            late_by[which] = choose.randrange(AGAIN_AFTER)
        latest[which] = max(latest[which], at + late_by[which])
        order.append((latest[which], at))
    return [packets[at]._replace(when=packet.when) for packet, (_, at) in zip(packets, sorted(order))]


def by_all_processors(packets):
    """By several pairs of them, of a capture of several connections."""
    for seed in range(PROCESSED if len(set(map(connection_of, packets))) > 1 else 0):
        yield "by processors", seed, by_processors(packets, seed)


def joined(packets, place):
    """A packet and the next one, where it goes on behind it, as one; None where it does not."""
    one, other = Segment(packets[place]), Segment(packets[place + 1])
    follows = one.way == other.way and one.payload and other.sequence == one.sequence + len(one.payload)
    if not follows or len(packets[place].octets) + len(other.payload) > LENGTH_MAX:
        return None
    octets = bytearray(one.part(0, len(one.payload)).octets + other.payload)
    octets[one.tcp + 13] |= other.flags
    octets[one.tcp + 8:one.tcp + 12] = other.packet.octets[other.tcp + 8:other.tcp + 12]  # what it acknowledges
    return packets[:place] + [one.whole(octets)] + packets[place + 2:]


def captured_twice(packets, place):
    """At both ends, whose clocks are apart; one capture behind the other, or by time."""
    other = later(packets, APART if place % 2 else -APART)
    return packets + other if place % 3 else by_time(packets + other)


def by_time(packets):
    """In the order of their times."""
    return sorted(packets, key=lambda packet: packet.when)


def later(packets, nanoseconds):
    """By a clock that is ahead."""
    return [packet._replace(when=packet.when + nanoseconds) for packet in packets]


def shifted(packets, place):
    """A clock that is set back by a second at the packet."""
    return packets[:place] + [packet._replace(when=packet.when - 10**9) for packet in packets[place:]]


def damages(packets):
    """All damages of a capture: (kind, where, packets)."""
    count = len(packets)
    for place in range(count):
        yield "one removed", place, without(packets, {place})
    for place in range(count - 1):
        yield "two removed", place, without(packets, {place, place + 1})
    for place in range(1, count):
        yield "first removed", place, packets[place:]
        yield "last removed", place, packets[:place]
    for place in range(count):
        yield "duplicated", place, packets[:place + 1] + packets[place:]
    for place in range(count - 1):
        yield "swapped", place, swapped(packets, place)
    for place in range(count):
        again = overlapped(packets, place)
        if again:
            yield "overlapped", place, again
        yield "clock set back", place, shifted(packets, place)
        yield "late", place, late(packets, place)
        yield "one side late", place, side_late(packets, place)
        for octets in (60, 96):
            yield "one cut short", place, packets[:place] + cut(packets[place:place + 1], octets) + packets[place + 1:]
    for place in range(count - 1):
        whole = joined(packets, place)
        if whole:
            yield "joined", place, whole
    for place in range(0, count, max(count // MERGED, 1)):
        yield "appended", place, packets + packets[:count - place]
        yield "its end appended", place, packets + packets[place:]
        yield "its end before it", place, packets[place:] + packets
    yield from by_all_processors(packets)
    for place in range(6):
        yield "captured twice", place, captured_twice(packets, place)
    for octets in (60, 96):
        yield "cut short", octets, cut(packets, octets)
    size = 1 + sum(len(packet.octets) for packet in packets) // PIECES_MAX
    yield "in pieces", size, split(packets, size)


def some(packets, seed, each):
    """Of each kind of damage at most so many, chosen by the seed."""
    kinds = collections.defaultdict(list)
    for damage in damages(packets):
        kinds[damage[0]].append(damage)
    choose = random.Random(seed)
    return [damage for kind in kinds.values() for damage in choose.sample(kind, min(each, len(kind)))]
