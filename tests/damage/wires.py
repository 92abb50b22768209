# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Segments with right checksums, and what else befalls them on their way (beside network.py and places.py): damage by
noise, tunnels, fragments, options, windows that shut, clocks, addresses that change inside a connection."""

import struct
import zlib

from damage import Segment, checksum, connection_of, cut, split, tcp_summed, without

FIN, SYN, RST, ACK, URGENT, ECN = 0x01, 0x02, 0x04, 0x10, 0x20, 0xc0
RAW, ETHERNET, LOOP = 228, 1, 108
MILLISECOND, SECOND, HOUR = 10**6, 10**9, 3600 * 10**9
IPV4, IPV6 = b"\x08\0", b"\x86\xdd"
MSS = 1460
PREFIX = bytes.fromhex("fd00000000000000000000ff")  # before the four octets of an address
DATAGRAMS = (  # (tunnel, its ports, its header)
    ("L2TP", (1701, 1701), bytes.fromhex("0002 0005 0006 ff03 0021")),
    ("L2TP, back", (1701, 40000), bytes.fromhex("0002 0005 0006 21")),
    ("L2TP, all fields", (40000, 1701), bytes.fromhex("0a02 0005 0006 0001 0001 0004 00000000 21")),
)
SACK = b"\1\1\5\x0a"


def made(packet, tcp, *, ip_options=b"", partial=False):
    """The packet with this segment, over IPv4 with no link layer."""
    old = packet.octets[Segment(packet).ip:][:20]
    tcp = tcp_summed(old[12:20], tcp, partial)
    length = 20 + len(ip_options) + len(tcp)
    head = bytes([0x45 + len(ip_options) // 4]) + old[1:2] + struct.pack("!H", length) + old[4:10] + b"\0\0"
    head += old[12:20] + ip_options
    octets = head[:10] + struct.pack("!H", checksum(head) ^ 0xffff) + head[12:] + tcp
    return packet._replace(octets=octets, captured=len(octets), link=RAW)


def tcp_of(packet):
    """Its segment."""
    segment = Segment(packet)
    return packet.octets[segment.tcp:segment.end]


def summed(packets):
    """With right checksums."""
    return [made(packet, tcp_of(packet)) for packet in packets]


def changed(packet, *, payload=None, sequence=None, flags=None, window=None, urgent=0, options=None, **more):
    """A segment that is another one in some way."""
    segment, tcp = Segment(packet), bytearray(tcp_of(packet))
    options = tcp[20:segment.data - segment.tcp] if options is None else options
    payload = segment.payload if payload is None else payload
    head = tcp[:20]
    struct.pack_into("!I", head, 4, (segment.sequence if sequence is None else sequence) & 0xffffffff)
    head[12] = (20 + len(options)) // 4 << 4
    head[13] = segment.flags if flags is None else flags
    struct.pack_into("!H", head, 14, struct.unpack_from("!H", head, 14)[0] if window is None else window)
    struct.pack_into("!H", head, 18, urgent)
    return made(packet, bytes(head + options + payload), **more)


def acknowledgement(packet, window):
    """What the other side says at once, with this window."""
    segment, tcp = Segment(packet), tcp_of(packet)
    ends = packet.octets[segment.ip + 16:segment.ip + 20] + packet.octets[segment.ip + 12:segment.ip + 16]
    octets = packet.octets[:segment.ip + 12] + ends + packet.octets[segment.ip + 20:segment.end]
    following = segment.sequence + len(segment.payload)
    back = tcp[2:4] + tcp[:2] + tcp[8:12] + struct.pack("!IBBHHH", following & 0xffffffff, 0x50, ACK, window, 0, 0)
    return made(packet._replace(octets=octets), back)


# ---- link layers, tunnels, IP ----

def _ethernet(packet, kind=IPV4, behind=b""):
    octets = bytes(12) + kind + behind + packet.octets
    return packet._replace(octets=octets, captured=len(octets), link=ETHERNET)


def _carried(packet, protocol, head):
    """Within another IP packet."""
    body = head + packet.octets
    ends = bytes([172, 16, 0, 1] * 2)
    octets = struct.pack("!BBHHHBBH8s", 0x45, 0, 20 + len(body), 1, 0, 64, protocol, 0, ends) + body
    return packet._replace(octets=octets, captured=len(octets))


def _by_udp(packet, head):
    """Within a datagram; the header's first four octets are its ports."""
    return _carried(packet, 17, head[:4] + struct.pack("!HH", 4 + len(head) + len(packet.octets), 0) + head[4:])


def _authenticated(packet):
    """Behind a header that proves who sent it."""
    head = bytearray(packet.octets[:20])
    struct.pack_into("!H", head, 2, len(packet.octets) + 24)
    behind, head[9] = struct.pack("!BBHII12x", head[9], 4, 0, 7, 1), 51
    octets = bytes(head) + behind + packet.octets[20:]
    return packet._replace(octets=octets, captured=len(octets))


def _logged(packet):
    """As a firewall logs it."""
    octets = b"\2\0\0\5" + b"\x08\0\1\0\x08\0\1\0" + struct.pack("<HH", 4 + len(packet.octets), 9)
    octets += packet.octets + bytes(-len(packet.octets) % 4)
    return packet._replace(octets=octets, captured=len(octets), link=239)


def _gtp(packet, flags, more):
    """Within a mobile network."""
    head = struct.pack("!HHBBHI", 40000, 2152, flags, 255, len(more) + len(packet.octets), 7)
    return _by_udp(packet, head + more)


def _vxlan(packet):
    inner = _ethernet(packet).octets
    return _by_udp(packet._replace(octets=inner), struct.pack("!HHII", 40000, 4789, 8 << 24, 5 << 8))


def six(packet, extensions=b"", first=6):
    """Over IPv6."""
    segment = Segment(packet)
    ends = b"".join(PREFIX + packet.octets[segment.ip + at:segment.ip + at + 4] for at in (12, 16))
    tcp = tcp_summed(ends, tcp_of(packet))
    octets = struct.pack("!IHBB", 6 << 28, len(extensions) + len(tcp), first, 64) + ends + extensions + tcp
    return packet._replace(octets=octets, captured=len(octets), link=RAW)


def jumbo(packet):
    """Over IPv6, where 16 bits do not hold its length with an option that does, and something behind it."""
    segment = Segment(packet)
    tcp = packet.octets[segment.tcp:]
    if len(tcp) < 2**16:
        return six(packet)
    whole = six(packet._replace(octets=packet.octets[:segment.ip] + b"\x45\0\0\x28" + packet.octets[segment.ip + 4:]))
    ends = whole.octets[8:40]
    octets = struct.pack("!IHBB", 6 << 28, 0, 0, 64) + ends + struct.pack("!4BI", 6, 0, 0xc2, 4, len(tcp) + 8)
    octets += tcp_summed(ends, tcp) + b"behind"
    return packet._replace(octets=octets, captured=len(octets), link=RAW)


def fragments(packet, overlap):
    """The packet in two fragments; of the second, so many octets stand in the first, too."""
    head, body = packet.octets[:20], packet.octets[20:]
    middle, parts = len(body) // 2 // 8 * 8, []
    if middle < 32 + overlap:
        return [packet]
    number = zlib.crc32(body) & 0xffff
    for begin, end in ((0, middle), (middle - overlap, len(body))):
        piece = bytearray(head + body[begin:end])
        struct.pack_into("!HHH", piece, 2, len(piece), number, int(end < len(body)) << 13 | begin // 8)
        piece[10:12] = bytes(2)
        struct.pack_into("!H", piece, 10, checksum(piece[:20]) ^ 0xffff)
        parts.append(packet._replace(octets=bytes(piece), captured=len(piece)))
    return parts


def fragments_of_six(packet):
    """Over IPv6, in two fragments behind another extension."""
    whole = six(packet)
    head, body = whole.octets[:40], whole.octets[40:]
    middle, parts = len(body) // 2 // 8 * 8, []
    for begin, end in ((0, middle), (middle, len(body))):
        behind = b"\x2c\0\1\4\0\0\0\0" + struct.pack(
            "!BBHI", 6, 0, begin | int(end < len(body)), zlib.crc32(body)) + body[begin:end]
        octets = head[:4] + struct.pack("!HB", len(behind), 0) + head[7:] + behind
        parts.append(whole._replace(octets=octets, captured=len(octets)))
    return parts


def _each(packets, change):
    return [change(packet) for packet in packets]


def around_any(packets):
    """Link layers, tunnels and fragments: (kind, packets), of which nothing is lost by that."""
    labels = struct.pack("!II", 16 << 12 | 64, 17 << 12 | 0x100 | 64)
    yield "MPLS", _each(packets, lambda one: _ethernet(one, b"\x88\x47", labels))
    yield "PPPoE", _each(packets, lambda one: _ethernet(one, b"\x88\x64", b"\x11\0\0\1" + struct.pack(
        "!HH", 2 + len(one.octets), 0x21)))
    yield "GRE", _each(packets, lambda one: _carried(one, 47, b"\0\0" + IPV4))
    yield "IP in IP", _each(packets, lambda one: _carried(one, 4, b""))
    yield "VXLAN", _each(packets, _vxlan)
    yield "a frame behind labels", _each(packets, lambda one: _ethernet(one, b"\x88\x47", labels + bytes(16) + IPV4))
    yield "authenticated", _each(packets, _authenticated)
    yield "logged by netfilter", _each(packets, _logged)
    yield "fragments of a tunnel", [part for one in packets for part in fragments(_vxlan(one), 0)]
    yield "fragments in a tunnel", [_vxlan(part) for one in packets for part in fragments(one, 0)]
    for name, ports, head in DATAGRAMS:
        yield name, _each(packets, lambda one, ports=ports, head=head: _by_udp(one, struct.pack("!HH", *ports) + head))
    yield "GTP-U", _each(packets, lambda one: _gtp(one, 0x30, b""))
    yield "GTP-U, numbered", _each(packets, lambda one: _gtp(one, 0x32, b"\0\1\0\0"))
    yield "GTP-U, extended", _each(packets, lambda one: _gtp(one, 0x36, b"\0\1\0\x85" + b"\1\0\7\x85" + b"\1\0\7\0"))
    for name, head in (("ERSPAN", b"\0\0\x88\xbe"), ("ERSPAN, numbered", b"\x10\0\x88\xbe\0\0\0\0\x10" + bytes(7)),
                       ("ERSPAN of type 3", b"\x10\0\x22\xeb" + bytes(4) + b"\x20" + bytes(11))):
        yield name, _each(packets, lambda one, head=head: _carried(one._replace(
            octets=_ethernet(one).octets), 47, head))
    yield "loopback of OpenBSD", _each(packets, lambda one: one._replace(
        octets=b"\0\0\0\2" + one.octets, captured=len(one.octets) + 4, link=LOOP))
    first = Segment(packets[0]).way
    yield "tags one way only", _each(packets, lambda one: _ethernet(one, *(
        (b"\x81\0", b"\0\5" + IPV4) if Segment(one).way[:4] == first[:4] and Segment(one).way[8:10] == first[8:10]
        else ())))
    for name, overlap, order in (("in order", 0, 1), ("in reverse", 0, -1), ("that overlap", 16, 1)):
        yield f"fragments {name}", [part for one in packets for part in fragments(one, overlap)[::order]]
    yield "fragments captured twice", [part for one in packets for part in fragments(one, 0) for _ in range(2)]


def around(packets):
    """All that may be around TCP: (kind, packets, whether nothing is lost by that)."""
    for kind, left in around_any(packets):
        yield kind, left, True
    yield "options of IP", _each(packets, lambda one: made(one, tcp_of(one), ip_options=b"\x94\4\0\0\1\1\1\0")), True
    yield "IPv6", _each(packets, six), False
    hop, routing = b"\x2b\0\5\2\0\0\1\0", b"\x3c\0\0\0\0\0\0\0"
    yield "IPv6 with extensions", _each(packets, lambda one: six(one, hop + routing + b"\6\0\1\4\0\0\0\0", 0)), False
    yield "IPv6 with atomic fragments", _each(packets, lambda one: six(one, b"\6\0\0\0\0\0\0\7", 44)), False
    yield "fragments twice", [part for one in packets for part in fragments(one, 0) * 2], False
    yield "fragments over IPv6", [part for one in packets for part in fragments_of_six(one)], False


# ---- TCP ----

def _later(packets, copies):
    """Copies by the place behind which each comes."""
    out = list(packets)
    for place, copy in sorted(copies, key=lambda item: -item[0]):
        place = min(place, len(out) - 1)
        out.insert(place + 1, copy._replace(when=out[place].when))
    return out


def larger(packets):
    """Each segment sent again together with those before it, as far as one segment holds them."""
    held, out = {}, []
    for packet in packets:
        segment = Segment(packet)
        before = held.get(segment.way, b"") if not segment.flags & SYN else b""
        held[segment.way] = (before + segment.payload)[-MSS:]
        again = held[segment.way]
        out.append(packet)
        if segment.payload and len(again) > len(segment.payload):
            out.append(changed(packet, payload=again, flags=ACK,
                               sequence=segment.sequence + len(segment.payload) - len(again)))
    return out


def fin_with_data(packets):
    """The end of a side in the packet of its last octets, where nothing is between."""
    out = []
    for packet in packets:
        segment, last = Segment(packet), Segment(out[-1]) if out else None
        if segment.flags & FIN and not segment.payload and last and last.way == segment.way and last.payload:
            out[-1] = changed(out[-1], flags=last.flags | FIN)
        else:
            out.append(packet)
    return out


def syn_with_data(packets):
    """The first octets of who connects within the SYN."""
    firsts, out = {}, []
    for place, packet in enumerate(packets):
        segment = Segment(packet)
        if segment.flags & (SYN | ACK) == SYN:
            firsts[segment.way] = place
        elif segment.payload and segment.way in firsts:
            out.append((firsts.pop(segment.way), place))
    gone = {place for _, place in out}
    data = {opening: Segment(packets[place]).payload for opening, place in out}
    return [changed(packet, payload=data[place]) if place in data else packet
            for place, packet in enumerate(packets) if place not in gone]


def shut(packets):
    """Behind each segment its receiver shuts the window, is asked, and opens it."""
    out = []
    for packet in packets:
        segment = Segment(packet)
        out.append(packet)
        if segment.payload and not segment.flags & (SYN | FIN | RST):
            asked = changed(packet, payload=b"", sequence=segment.sequence + len(segment.payload) - 1, flags=ACK)
            out += [acknowledgement(packet, 0), asked, acknowledgement(packet, 0), acknowledgement(packet, 60000)]
    return out


def around_tcp(packets, choose):
    """What TCP does that loses nothing."""
    data = [place for place, packet in enumerate(packets) if Segment(packet).payload]
    yield "urgent", _each(packets, lambda one: changed(one, flags=Segment(one).flags | URGENT, urgent=1)
                          if Segment(one).payload else one), False
    yield "congestion told", _each(packets, lambda one: changed(one, flags=Segment(one).flags | ECN)), True
    yield "windows shut", shut(packets), True
    yield "selective acknowledgements", _each(packets, lambda one: changed(one, options=SACK + struct.pack(
        "!II", 5, 9)) if Segment(one).flags & ACK else one), True
    for name, flag, times in (("openings again", SYN, 3), ("ends again", FIN, 2)):
        yield name, [one for packet in packets
                     for one in [packet] * (times if Segment(packet).flags & flag else 1)], True
    yield "end with data", fin_with_data(packets), True
    yield "opening with data", syn_with_data(packets), False
    yield "sent again with more", larger(packets), False
    yield "all sent again later", _later(packets, [(place + 30, packets[place]) for place in data]), False
    resets = [changed(packets[-1], payload=b"", flags=RST, sequence=Segment(packets[-1]).sequence + 1)] * 2
    yield "resets behind the end", packets + resets, False
    yield "a card computes checksums", _each(packets, lambda one: made(one, tcp_of(one), partial=True)), True
    whose = Segment(packets[data[0]]).way if data else b""
    yield "one card computes checksums", _each(packets, lambda one: made(
        one, tcp_of(one), partial=Segment(one).way == whose)), True
    copies = [(place, made(packets[place], tcp_of(packets[place]), partial=True)) for place in choose.sample(
        data, len(data) // 2)]
    yield "twice with another checksum", _later(packets, copies), False


# ---- noise ----

def noisy(packet, choose, least):
    """With one octet that is another one, from this place of its segment on; its checksum does not know of it."""
    octets = bytearray(packet.octets)
    place = choose.randrange(Segment(packet).tcp + least, len(octets))
    octets[place] ^= choose.randrange(1, 256)
    return packet._replace(octets=bytes(octets))


def noise(packets, choose):
    """Frames that noise damages: their receivers discard them, and acknowledge nothing before they have come whole."""
    ways = [Segment(packet).way for packet in packets]
    data = [place for place, packet in enumerate(packets) if Segment(packet).payload]

    def behind(place, most):
        alone = next((i for i in range(place + 1, len(ways)) if ways[i] != ways[place]), len(ways)) - place
        return place + choose.randrange(min(most, alone))

    for each in (1, 3):
        hit = set(choose.sample(data, max(len(data) // 10, 1))) if each > 1 else {choose.choice(data)}
        again = _later([noisy(one, choose, 20) if place in hit else one for place, one in enumerate(packets)],
                       [(behind(place, each), packets[place]) for place in hit])
        yield f"damaged and sent whole again, {each}", again, each == 1
    hit = choose.choice(data)
    yield "damaged header, sent whole again", (
        packets[:hit] + [noisy(packets[hit], choose, 4)] + packets[hit:]), True


# ---- clocks and places ----

def renamed(packet, source, target, port=None):
    """With other addresses."""
    segment = Segment(packet)
    octets = packet.octets[:segment.ip + 12] + source + target + packet.octets[segment.ip + 20:]
    tcp = tcp_of(packet)
    return made(packet._replace(octets=octets), struct.pack("!H", port) + tcp[2:] if port else tcp)


def _openers(packets):
    ways = [Segment(packet).way for packet in packets if Segment(packet).flags & (SYN | ACK) == SYN]
    return {(way[:4], way[8:10]) for way in ways}


def moved(packets, place, whose):
    """From the packet on, those who open (True) or accept (False) have other addresses."""
    openers, out = _openers(packets), packets[:place]
    for packet in packets[place:]:
        way = Segment(packet).way
        from_opener = (way[:4], way[8:10]) in openers
        ends = [bytes((10, 9, 8)) + end[3:] if side == (from_opener == whose) else end
                for end, side in ((way[:4], True), (way[4:8], False))]
        out.append(renamed(packet, *ends))
    return out


def one_way(packets, whose):
    """The one direction is captured before a router translates addresses, the other one behind it."""
    openers = _openers(packets)
    return [renamed(one, bytes((10, 9, 8)) + way[3:4], way[4:8]) if ((way[:4], way[8:10]) in openers) == whose else one
            for one in packets for way in [Segment(one).way]]


def lossy(packets, choose, chance, apart):
    """Two captures of the same, each of which lost some."""
    kept = [one for one in packets if choose.random() > chance]
    other = [one._replace(when=one.when + apart) for one in packets if choose.random() > chance]
    return sorted(kept + other, key=lambda one: one.when)


def clocks(packets, choose):
    """Times that are not those of the packets."""
    place = choose.randrange(len(packets))
    yield "times back and forth", [one._replace(when=one.when + choose.randrange(-MILLISECOND, MILLISECOND))
                                   for one in packets], False
    yield "sorted by times that are not theirs", sorted((one._replace(when=one.when + choose.randrange(MILLISECOND))
                                                         for one in packets), key=lambda one: one.when), False
    yield "since 1970", [one._replace(when=one.when - packets[0].when + HOUR) for one in packets], False
    yield "seconds only", [one._replace(when=one.when // SECOND * SECOND) for one in packets], False
    yield "after 2038", [one._replace(when=one.when + 2**29 * SECOND) for one in packets], True
    yield "set forward", packets[:place] + [one._replace(when=one.when + 5 * SECOND) for one in packets[place:]], False
    first = Segment(packets[0]).way[:4]
    yield "a clock that is too fast", [one._replace(when=one.when + (one.when - packets[0].when) // 10)
                                       if Segment(one).way[:4] == first else one for one in packets], False


def whereabouts(packets, choose):
    """What is captured, and where."""
    place = choose.randrange(1, len(packets))
    for whose in (True, False):
        yield f"addresses change, {whose}", moved(packets, place, whose), False
        yield f"one direction behind a router, {whose}", one_way(packets, whose), False
    yield "a port changes", [renamed(one, way[:4], way[4:8], 40000 + way[9]) if at >= place and way in _opening(packets)
                             else one for at, one in enumerate(packets) for way in [Segment(one).way]], False
    for chance in (0.1, 0.3):
        yield f"two captures with losses, {chance}", lossy(packets, choose, chance, choose.choice((3, 10**5))), False
    pieces = split(packets, 29)
    yield "begun within a message", summed(pieces[choose.randrange(len(pieces) // 2):]), False
    half = len(packets) // 2
    yield "the second file first", packets[half:] + packets[:half], False
    yield "one packet in three", packets[place % 3::3], False
    ends = sorted({connection_of(one) for one in packets}, key=lambda both: sorted(both))
    yield "one connection in two", [one for one in packets if ends.index(connection_of(one)) % 2 == 0], False
    yield "headers only", [one._replace(captured=Segment(one).data) for one in packets], False
    yield "openings and ends only", [one for one in packets if Segment(one).flags & (SYN | FIN | RST)], False
    yield "without one kind of length", without(packets, {at for at, one in enumerate(packets) if len(
        one.octets) == len(packets[place].octets)}) or packets, False
    for octets in (40, 54, 64, 68, 200):
        yield f"cut to {octets}", cut(packets, octets), False


def _opening(packets):
    return {Segment(one).way for one in packets if Segment(one).flags & (SYN | ACK) == SYN}


def spoilt(packets, choose):
    """(kind, packets, whether nothing is lost by that), of packets with right checksums."""
    yield from around(packets)
    yield from around_tcp(packets, choose)
    yield from noise(packets, choose)
    yield from clocks(packets, choose)
    yield from whereabouts(packets, choose)
