# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Situations in which developers capture, thought of without a look at what reads captures (beside wires.py and
other_numbers.py): how connections open and end, what middle boxes do, ports that mirror, processors that each take a
direction, files that were filtered, sorted or cut before anybody looks at them."""

import struct
import zlib

import damage
import network
import wires
from damage import Segment

FIN, SYN, RST, PSH, ACK = 0x01, 0x02, 0x04, 0x08, 0x10
OTHER = 2**30 + 4321           # between the numbers of connections that have nothing to do with each other
MIRRORED = 8                   # packets later at most
MICROSECOND, SECOND = 10**3, 10**9
OPTIONS_MAX = 40
SERVERS = (struct.pack("!H", 6000),)  # of IMPI


def _opens(packet):
    return Segment(packet).flags & (SYN | ACK) == SYN


def _answers(packet):
    return Segment(packet).flags & (SYN | ACK) == SYN | ACK


def _bare(packet, flags, added=0, **more):
    """A segment of the same side without data."""
    return wires.changed(packet, payload=b"", flags=flags, sequence=Segment(packet).sequence + added, **more)


def back(packet, flags, sequence, acknowledged):
    """One of the other side."""
    answer = wires.acknowledgement(packet, 60000)
    tcp = bytearray(wires.tcp_of(answer))
    struct.pack_into("!II", tcp, 4, sequence & 0xffffffff, acknowledged & 0xffffffff)
    tcp[13] = flags
    return wires.made(answer, bytes(tcp))


def _end(packet):
    """The number behind a segment."""
    segment = Segment(packet)
    return segment.sequence + len(segment.payload) + (1 if segment.flags & (SYN | FIN) else 0)


def _numbered(packets, added):
    return wires.summed(network.numbered(packets, added))


def _of(packets, connection):
    return [at for at, packet in enumerate(packets) if damage.connection_of(packet) == connection]


# ---- how connections open ----

def from_both_sides(packets):
    """Both sides open at once."""
    out = []
    for packet in packets:
        if _answers(packet):
            opener = back(packet, SYN | ACK, _opener_number(out, packet), _end(packet))
            out += [_bare(packet, SYN), opener, packet]
        else:
            out.append(packet)
    return out


def _opener_number(out, packet):
    """The number of the SYN that the packet answers."""
    return next(Segment(one).sequence for one in reversed(out)
                if _opens(one) and damage.connection_of(one) == damage.connection_of(packet))


def refused(packets, times):
    """Who listens does so late: the opener is refused and tries again from the same port."""
    out = []
    for packet in packets:
        if _opens(packet):
            for turn in range(times):
                tried = _bare(packet, SYN, -OTHER * (turn + 1))
                out += [tried, back(tried, RST | ACK, 0, _end(tried))]
        out.append(packet)
    return out


def scanned(packets, every):
    """Somebody looks again and again whether the ports listen, and says nothing."""
    listens = {damage.connection_of(packet): packet for packet in packets if _opens(packet)}
    out, port = [], 61000
    for at, packet in enumerate(packets):
        if at % every == 0:
            for model in {Segment(one).way[4:8] + Segment(one).way[10:12]: one for one in listens.values()}.values():
                port = 61000 + (port - 60999) % 4000
                way = Segment(model).way
                syn = wires.renamed(_bare(model, SYN, port), bytes((10, 1, 1, 1)), way[4:8], port)
                syn = syn._replace(when=packet.when)
                theirs = port * 77777
                answer = back(syn, SYN | ACK, theirs, _end(syn))
                if at // every % 2:
                    out += [syn, answer, _bare(syn, RST, 1)]
                else:
                    third = wires.changed(syn, flags=ACK, sequence=_end(syn))
                    ended = wires.changed(syn, flags=FIN | ACK, sequence=_end(syn))
                    out += [syn, answer, third, ended, back(ended, FIN | ACK, theirs + 1, _end(ended))]
        out.append(packet)
    return out


def opening_with_data_refused(packets):
    """The SYN brings data that the other side does not take, and that are sent again."""
    firsts = {}
    for packet in packets:
        segment = Segment(packet)
        if segment.payload and segment.way not in firsts:
            firsts[segment.way] = segment.payload
    return [wires.changed(packet, payload=firsts[Segment(packet).way][:1000])
            if _opens(packet) and Segment(packet).way in firsts else packet for packet in packets]


def without(packets, kind):
    """Without all SYN, or all answers to them."""
    return [packet for packet in packets if not kind(packet)]


def data_before_opening(packets):
    """The first data of each side are captured before the SYN or its answer, those of the other processor."""
    out = list(packets)
    for kind in (_opens, _answers):
        for packet in [one for one in packets if kind(one)]:
            way, place = Segment(packet).way, out.index(packet)
            first = next((at for at in range(place + 1, min(place + 8, len(out)))
                          if Segment(out[at]).way == way and Segment(out[at]).payload), None)
            if first:
                out.insert(first + 1, packet)
                del out[place]
    return out


# ---- how they go on and end ----

def half_closed(packets):
    """Each side says that it is at its end as soon as its last data are sent."""
    out = list(packets)
    for packet in [one for one in packets if Segment(one).flags & FIN and not Segment(one).payload]:
        way = Segment(packet).way
        data = [at for at, one in enumerate(out) if Segment(one).way == way and Segment(one).payload]
        if data and data[-1] < out.index(packet):
            out.remove(packet)
            out.insert(data[-1] + 1, _acknowledging(packet, out[data[-1]]))
    return out


def _acknowledging(packet, as_before):
    """With what another packet of its side acknowledges, at its time."""
    tcp = bytearray(wires.tcp_of(packet))
    tcp[8:12] = wires.tcp_of(as_before)[8:12]
    return wires.made(packet, bytes(tcp))._replace(when=as_before.when)


def end_before_data(packets):
    """The end of a side is captured before its last data."""
    out = list(packets)
    for packet in [one for one in packets if Segment(one).flags & FIN]:
        way, place = Segment(packet).way, out.index(packet)
        data = [at for at in range(place) if Segment(out[at]).way == way and Segment(out[at]).payload]
        if data and place - data[-1] < 8:
            out.remove(packet)
            out.insert(data[-1], _acknowledging(packet, out[data[-1]]))
    return out


def reset_amid(packets, place):
    """A side resets the connection; what the other one had sent still arrives, and everybody else goes on."""
    segment = Segment(packets[place])
    connection = damage.connection_of(packets[place])
    behind = [at for at in _of(packets, connection) if at > place]
    back = [at for at in behind if Segment(packets[at]).way != segment.way][:2]
    reset = _bare(packets[place], RST | ACK, len(segment.payload))
    kept = [packet for at, packet in enumerate(packets) if at > place and (at not in behind or at in back)]
    return packets[:place + 1] + [reset] + kept


def kept_alive(packets):
    """Behind each segment its side asks whether the other one is there, with an octet that is another one."""
    out = []
    for packet in packets:
        segment = Segment(packet)
        out.append(packet)
        if segment.payload and not segment.flags & FIN:
            out += [wires.changed(packet, payload=b"\0", flags=ACK, sequence=_end(packet) - 1)] * 2
            out.append(wires.acknowledgement(packet, 60000))
    return out


def probed(packets):
    """Each segment finds the window shut; its first octet is sent alone until it is taken, then the rest."""
    out = []
    for packet in packets:
        segment = Segment(packet)
        if len(segment.payload) > 1 and not segment.flags & (SYN | FIN):
            out += [segment.part(0, 1)] * 3 + [segment.part(1, len(segment.payload))]
        else:
            out.append(packet)
    return out


def again_behind_the_end(packets):
    """What was sent is sent again when its side has ended already."""
    out = []
    for packet in packets:
        out.append(packet)
        if Segment(packet).flags & FIN:
            way = Segment(packet).way
            out += [one for one in packets[:packets.index(packet)] if Segment(one).way == way and Segment(one).payload]
    return out


def stale(packets, choose):
    """A segment of an earlier connection of the same ports comes late."""
    data = [at for at, packet in enumerate(packets) if Segment(packet).payload]
    place = choose.choice(data)
    segment = Segment(packets[place])
    old = wires.changed(packets[place], payload=bytes(reversed(segment.payload)), sequence=segment.sequence - OTHER)
    return packets[:place] + [old] + packets[place:]


def again_in_other_pieces(packets, choose):
    """Every segment is sent in some pieces and, as if those were lost, again in others."""
    out = []
    for packet in packets:
        segment = Segment(packet)
        length = len(segment.payload)
        if length < 8 or segment.flags & (SYN | FIN):
            out.append(packet)
            continue
        cuts = sorted(choose.sample(range(1, length), 2))
        parts = [segment.part(begin, end) for begin, end in zip([0] + cuts, cuts + [length])]
        middle = choose.randrange(1, length)
        out += parts[:2] + [segment.part(0, middle), segment.part(middle, length)]
    return out


# ---- what is between ----

def mirrored(packets, choose):
    """A port that mirrors gives each packet twice: as it comes in, and a little later as it goes out, with a tag."""
    packets = network.linked(packets, "ethernet")
    order = []
    for at, packet in enumerate(packets):
        octets = packet.octets[:12] + b"\x81\0\0\7" + packet.octets[12:]
        order.append((at, 0, packet))
        order.append((at + choose.random() * MIRRORED, 1, packet._replace(octets=octets, captured=len(octets))))
    out = []
    for _, _, packet in sorted(order, key=lambda one: one[:2]):
        out.append(packet._replace(when=max(packet.when, out[-1].when if out else 0)))
    return out


def proxied(packets, but=()):
    """A proxy has a connection with either side, and both are captured; of connections to these ports it has none."""
    openers = {(Segment(one).way[:4], Segment(one).way[8:10]) for one in packets if _opens(one)}
    out = []
    for packet, other in zip(packets, _numbered(packets, lambda way: OTHER + zlib.crc32(way[:4]) % 1000)):
        way = Segment(packet).way
        if but and (way[8:10] in but or way[10:12] in but):
            out.append(packet)
            continue
        from_opener = (way[:4], way[8:10]) in openers
        proxy = bytes((10, 9, 8, 7))
        near = wires.renamed(packet, *((way[:4], proxy) if from_opener else (proxy, way[4:8])))
        far = wires.renamed(other, *((proxy, way[4:8]) if from_opener else (way[:4], proxy)))
        out += [near, far._replace(when=far.when + 30 * MICROSECOND)]
    return out


def _with_option(packet, option):
    """With an option more, where there is room."""
    segment = Segment(packet)
    had = wires.tcp_of(packet)[20:segment.data - segment.tcp]
    options = had + option + b"\1" * (-len(option) % 4)
    return wires.changed(packet, options=options) if len(options) <= OPTIONS_MAX else packet


def signed(packets):
    """Each segment signed, as routers do."""
    return [_with_option(packet, b"\x13\x12" + zlib.crc32(packet.octets).to_bytes(4, "big") * 4) for packet in packets]


def is_impi(packets):
    """Whether a job of IMPI: its hosts have connections on which no proxy lies."""
    return any(Segment(packet).payload[:4] == b"AUTH" for packet in packets)


# ---- who captures ----

def by_directions(packets, choose):
    """By two processors, each of which takes the packets of some directions, and is late now and then."""
    which, late, order, latest = {}, [0, 0], [], [0, 0]
    for at, packet in enumerate(packets):
        one = which.setdefault(Segment(packet).way, choose.randrange(2))
        if choose.random() < 0.2:
            late[one] = choose.randrange(5)
        latest[one] = max(latest[one], at + late[one])
        order.append((latest[one], at))
    return [packets[at] for _, at in sorted(order)]


def directions_apart(packets, apart):
    """Each direction is captured by itself: one file behind the other, or merged by clocks that are apart."""
    ways = sorted({Segment(packet).way for packet in packets})
    first = {way for way in ways if way > way[4:8] + way[:4] + way[10:12] + way[8:10]}
    parts = [[one for one in packets if (Segment(one).way in first) == side] for side in (True, False)]
    return damage.by_time(parts[0] + damage.later(parts[1], apart)) if apart else parts[0] + parts[1]


def sorted_by_a_stepped_clock(packets, place, step):
    """The clock is set by a step, and then the file is sorted by time."""
    return damage.by_time(packets[:place] + damage.later(packets[place:], step))


def filtered(packets, flag):
    """What passes a filter: segments that are pushed, or without those that acknowledge alone."""
    return [packet for packet in packets if Segment(packet).flags & flag or Segment(packet).flags & (SYN | FIN)]


def ends_of_messages(packets, size):
    """What `-Y portals -w` or `-Y impi -w` leaves of messages in several segments: the last ones."""
    out = []
    for packet in packets:
        out += damage.split([packet], size)[-1:]
    return out


def deduplicated(packets):
    """Packets that have octets which came before are removed, as editcap does."""
    seen, out = [], []
    for packet in packets:
        if packet.octets not in seen[-4:]:
            out.append(packet)
        seen.append(packet.octets)
    return out


def burst_lost(packets, choose):
    """The disk was too slow for a while."""
    length = choose.randrange(1, max(len(packets) // 3, 2))
    place = choose.randrange(len(packets) - length + 1)
    return packets[:place] + packets[place + length:]


def begun_late_for_one(packets, choose):
    """Of one connection the beginning is missing, of the others nothing."""
    connection = damage.connection_of(choose.choice(packets))
    own = _of(packets, connection)
    return damage.without(packets, set(own[:choose.randrange(1, len(own))]))


def run_three_times(packets):
    """The same program again and again: the same ports, other numbers."""
    out, length = [], packets[-1].when - packets[0].when + SECOND
    for turn in range(3):
        again = _numbered(packets, lambda way, turn=turn: turn * (OTHER + zlib.crc32(way) % 10**6))
        out += damage.later(again, turn * length)
    return out


def snapped_halfway(packets, choose):
    """The capture was begun again with another snapshot length."""
    place = choose.randrange(1, len(packets))
    octets = choose.randrange(54, 200)
    return damage.cut(packets[:place], octets) + packets[place:]


def _sides(packets, choose):
    place = choose.randrange(1, len(packets))
    for step in (-SECOND // 20, -SECOND, SECOND):
        yield f"sorted by a clock set by {step}", sorted_by_a_stepped_clock(packets, place, step), False
    for apart in (0, 10**6, 10**8):
        yield f"directions apart by {apart}", directions_apart(packets, apart), False
    for turn in range(3):
        yield f"processors for directions, {turn}", by_directions(packets, choose), False
        yield f"a burst lost, {turn}", burst_lost(packets, choose), False
        yield f"one begun late, {turn}", begun_late_for_one(packets, choose), False
        yield f"another snapshot length, {turn}", snapped_halfway(packets, choose), False
    for octets in choose.sample(range(40, 320), 12):
        yield f"cut to {octets}", damage.cut(packets, octets), False


def situations(packets, choose):
    """(kind, packets, whether nothing is lost by that), of packets with right checksums over IPv4 without a link
    layer."""
    place = choose.choice([at for at, packet in enumerate(packets) if Segment(packet).payload])
    yield "opened from both sides", from_both_sides(packets), False
    yield "refused once", refused(packets, 1), True
    yield "refused three times", refused(packets, 3), True
    yield "ports looked at", scanned(packets, max(len(packets) // 6, 1)), True
    yield "opening with data that are not taken", opening_with_data_refused(packets), True
    yield "without openings", without(packets, _opens), False
    yield "without answers to openings", without(packets, _answers), False
    yield "data before the opening", data_before_opening(packets), False
    yield "half closed", half_closed(packets), False
    yield "the end before data", end_before_data(packets), False
    yield "reset amid", reset_amid(packets, place), False
    yield "kept alive", kept_alive(packets), True
    yield "windows probed", probed(packets), True
    yield "sent again behind the end", again_behind_the_end(packets), True
    yield "a stale segment", stale(packets, choose), True
    yield "again in other pieces", again_in_other_pieces(packets, choose), True
    yield "mirrored", mirrored(packets, choose), True
    yield "proxied", proxied(packets), False
    if is_impi(packets):
        yield "channels proxied", proxied(packets, SERVERS), False
    yield "signed", signed(packets), True
    yield "without what pushes nothing", filtered(packets, PSH), False
    yield "the ends of messages", ends_of_messages(packets, 40), False
    yield "deduplicated", deduplicated(packets), False
    if Segment(packets[-1]).flags & FIN:
        yield "run three times", run_three_times(packets), False
    yield from _sides(packets, choose)
