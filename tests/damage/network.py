# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What networks, hosts and capture tools do to connections beside losing packets (damage.py): other link layers,
segments put together before they are captured, octets sent again, resets, ports used again, one direction only."""

import random
import struct

from damage import Segment, cut, some

ACKNOWLEDGEMENT, FLAGS = 8, 13  # where they stand in a header of TCP
MTU = 1500
AT_ONCE = 10**6  # nanoseconds
SYN, RST, ACK = 0x02, 0x04, 0x10
IP_TYPE = b"\x08\0"
SNAP = b"\xaa\xaa\3\0\0\0\x08\0"
LINKS = {  # what stands before an IP packet, by the number of the link layer
    "ethernet": (1, bytes(12) + IP_TYPE), "vlan": (1, bytes(12) + b"\x81\0\0\5" + IP_TYPE),
    "two vlans": (1, bytes(12) + b"\x88\xa8\0\5\x81\0\0\6" + IP_TYPE), "cooked": (113, bytes(14) + IP_TYPE),
    "cooked 2": (276, IP_TYPE + bytes(18)), "loopback": (0, struct.pack("<I", 2)), "raw": (228, b""),
    "vlan, cooked": (113, bytes(14) + b"\x81\0\0\5" + IP_TYPE), "raw of either version": (101, b""),
    "vlan, cooked 2": (276, b"\x81\0" + bytes(18) + b"\0\5" + IP_TYPE), "loopback of a big-endian": (0, b"\0\0\0\2"),
    "three vlans": (1, bytes(12) + b"\x88\xa8\0\5\x81\0\0\6\x81\0\0\7" + IP_TYPE), "raw of OpenBSD": (14, b""),
    "a virtual port": (1, bytes(12) + b"\x89\x26\0\0\0\0" + IP_TYPE), "SNAP, cooked": (113, bytes(14) + b"\0\4" + SNAP),
    "a backbone": (1, bytes(12) + b"\x88\xe7\0\0\0\5" + bytes(12) + IP_TYPE),
    "IPsec": (109, struct.pack("<III", 2, 0, 0)),
    "PPP": (9, b"\xff\3\0\x21"), "PPP, short": (9, b"\x21"), "PPP, serial": (50, b"\xff\3\0\x21"),
    "IP over InfiniBand": (242, bytes(40) + IP_TYPE + b"\0\0"),
    "two old vlans": (1, bytes(12) + b"\x91\0\0\5\x81\0\0\6" + IP_TYPE),
}


def linked(packets, name):
    """On another link layer."""
    link, head = LINKS[name]
    return [packet._replace(octets=head + packet.octets[Segment(packet).ip:], link=link,
                            captured=len(head) + packet.captured - Segment(packet).ip) for packet in packets]


def without_types(packets):
    """On Ethernet, where frames that are short enough have a length instead of a type; every second one with a tag."""
    out = []
    for place, packet in enumerate(packets):
        octets = packet.octets[Segment(packet).ip:]
        fits = len(octets) + len(SNAP) <= MTU
        head = bytes(12) + place % 2 * b"\x81\0\0\5"
        head += struct.pack("!H", len(octets) + len(SNAP)) + SNAP if fits else IP_TYPE
        out.append(packet._replace(octets=head + octets, link=1, captured=len(head) + len(octets)))
    return out


def _back(way):
    return way[4:8] + way[:4] + way[10:12] + way[8:10]


def numbered(packets, added):
    """With other sequence numbers: what is added to those of each way."""
    out = []
    for packet in packets:
        segment, octets = Segment(packet), bytearray(packet.octets)
        acknowledged = struct.unpack_from("!I", octets, segment.tcp + ACKNOWLEDGEMENT)[0]
        struct.pack_into("!I", octets, segment.tcp + 4, (segment.sequence + added(segment.way)) % 2**32)
        if segment.flags & ACK:
            acknowledged = (acknowledged + added(_back(segment.way))) % 2**32
            struct.pack_into("!I", octets, segment.tcp + ACKNOWLEDGEMENT, acknowledged)
        out.append(packet._replace(octets=bytes(octets)))
    return out


def wrapped(packets, place):
    """All sequence numbers begin again at 0 within a segment of their side, about where the packet is."""
    middles = {}
    for at, packet in enumerate(packets):
        segment = Segment(packet)
        if segment.payload and (at <= place or segment.way not in middles):
            middles[segment.way] = segment.sequence + len(segment.payload) // 2
    return numbered(packets, lambda way: -middles.get(way, 0))


def _segment(packet, octets, sequence, flags):
    """A segment of the same side."""
    segment = Segment(packet)
    made = bytearray(packet.octets[:segment.data] + octets)
    struct.pack_into("!H", made, segment.ip + 2, len(made) - segment.ip)
    struct.pack_into("!I", made, segment.tcp + 4, sequence % 2**32)
    made[segment.tcp + FLAGS] = flags
    return packet._replace(octets=bytes(made), captured=len(made))


def kept_alive(packets, place, octets):
    """A segment of an octet that had come, or of none, asks whether the other side is there."""
    segment = Segment(packets[place])
    end = segment.sequence + len(segment.payload)
    alive = _segment(packets[place], octets, end - 1, ACK)
    return None if segment.flags & ~(ACK | 8) else packets[:place + 1] + [alive] + packets[place + 1:]


def probed(packets, place):
    """The first octet of a segment alone before it, as into a window that is shut."""
    segment = Segment(packets[place])
    return packets[:place] + [segment.part(0, 1)] + packets[place:] if segment.payload else None


def other_contents(packets, place):
    """Sent again with octets that are others: the first ones count."""
    segment = Segment(packets[place])
    turned = bytes(octet ^ 0x55 for octet in segment.payload)
    again = _segment(packets[place], turned, segment.sequence, segment.flags)
    return packets[:place + 1] + [again] + packets[place + 1:] if turned else None


def reset(packets, place):
    """A reset of which nobody takes notice."""
    segment = Segment(packets[place])
    made = _segment(packets[place], b"", segment.sequence + len(segment.payload), RST | ACK)
    return packets[:place + 1] + [made] + packets[place + 1:]


def again(packets, place, opening):
    """The same connections once more with other numbers, the first time up to the packet."""
    later = packets[-1].when - packets[0].when + 10**9
    second = [packet._replace(when=packet.when + later) for packet in numbered(packets, lambda way: 2**30 + 77)]
    return packets[:place] + [packet for packet in second if opening or not Segment(packet).flags & SYN]


def fragmented(packets, place, order):
    """In two fragments of IP."""
    packet, segment = packets[place], Segment(packets[place])
    body = packet.octets[segment.tcp:segment.end]
    middle = len(body) // 2 // 8 * 8
    parts = []
    for begin, end in ((0, middle), (middle, len(body))):
        octets = bytearray(packet.octets[:segment.tcp] + body[begin:end])
        more = int(end < len(body)) << 13
        struct.pack_into("!HHH", octets, segment.ip + 2, len(octets) - segment.ip, 1 + place, more | begin // 8)
        parts.append(packet._replace(octets=bytes(octets), captured=len(octets)))
    return packets[:place] + parts[::order] + packets[place + 1:] if len(segment.payload) >= 16 else None


def offloaded(packets, at_once=AT_ONCE):
    """What follows each other within a direction, at most so far apart, as one packet, as a card gives it to the host;
    beyond 64 KiB its length is 0."""
    out, last, held = [], None, b""
    for packet in packets:
        segment = Segment(packet)
        follows = last and segment.way == last.way and segment.sequence == (last.sequence + len(held)) % 2**32
        if follows and held and segment.payload and not segment.flags & 7 and packet.when - last.packet.when < at_once:
            held += segment.payload
            octets = bytearray(last.packet.octets[:last.data] + held)
            octets[last.tcp + ACKNOWLEDGEMENT:last.tcp + 12] = packet.octets[segment.tcp + 8:segment.tcp + 12]
            length = len(octets) - last.ip
            struct.pack_into("!H", octets, last.ip + 2, length if length < 2**16 else 0)
            out[-1] = last.packet._replace(octets=bytes(octets), captured=len(octets))
        else:
            out.append(packet)
            last, held = segment, segment.payload
    return out


def _harmless(packets, place):
    yield "wrapped", wrapped(packets, place)
    yield "kept alive", kept_alive(packets, place, b"" if place % 2 else b"\0")
    yield "probed", probed(packets, place)
    yield "other contents", other_contents(packets, place)


def _harmful(packets, place, choose):
    yield "reset", reset(packets, place)
    yield "in fragments", fragmented(packets, place, choose.choice((1, -1)))
    yield "again", again(packets, max(place, 1), choose.random() < 0.5)
    chance = choose.choice((0.05, 0.2, 0.5))
    yield "many lost", [packet for packet in packets if choose.random() > chance]
    kind, _, left = choose.choice(some(packets, choose.random(), 1))
    if len(left) > 2:
        second, _, rest = choose.choice(some(left, choose.random(), 1))
        yield f"{kind} and {second}", rest


def _whole(packets, choose):
    """Of a whole capture: (kind, packets, harmless)."""
    for name in LINKS:
        yield name, linked(packets, name), True
    yield "without types", without_types(packets), True
    yield "offloaded", offloaded(packets), True
    ways = sorted({Segment(packet).way for packet in packets})
    for way in choose.sample(ways, min(2, len(ways))):
        yield "one direction", [packet for packet in packets if Segment(packet).way == way], False
        yield "all but one direction", [packet for packet in packets if Segment(packet).way != way], False
    yield "no handshakes", [packet for packet in packets if not Segment(packet).flags & SYN], False
    yield "no time", [packet._replace(when=packets[0].when) for packet in packets], False
    yield "shuffled", choose.sample(packets, len(packets)), False
    for octets in (42, 128, 256):
        yield "cut", cut(packets, octets), False


def happenings(packets, seed, each):
    """What happens to a capture: (kind, place, packets, whether nothing of it is lost by that)."""
    choose = random.Random(seed)
    for kind, left, harmless in _whole(packets, choose):
        yield kind, 0, left, harmless
    for _ in range(each):
        place = choose.randrange(len(packets))
        made = [(*one, True) for one in _harmless(packets, place)] + [(*one, False) for one in _harmful(packets, place,
                                                                                                      choose)]
        for kind, left, harmless in made:
            if left:
                yield kind, place, left, harmless
