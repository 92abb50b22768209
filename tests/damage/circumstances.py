# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Further circumstances in which captures are made, thought of as those of situations.py: rings and files that are put
together, ports that others had before, what tunnels and cards show twice, what hosts and middle boxes add."""

import struct

import damage
import network
import situations
import wires
from damage import Segment

FIN, SYN, RST, PSH, ACK = 0x01, 0x02, 0x04, 0x08, 0x10
CONGESTION = 0xc0
SECOND, YEAR = 10**9, 365 * 86400 * 10**9
ELSEWHERE = bytes((10, 44))    # addresses of another job
FAR = 2**30                    # between numbers that have nothing to do with each other
WEB = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def _again(packets, added):
    """The same with other numbers."""
    return wires.summed(network.numbered(packets, lambda way: added))


def _as_other_job(packets):
    """The same ranks and ports on other hosts, whose addresses only the packets tell."""
    return [wires.renamed(one, ELSEWHERE + way[2:4], ELSEWHERE + way[6:8])
            for one in _again(packets, FAR) for way in [Segment(one).way]]


def _woven(packets, others):
    """By turns."""
    out = []
    for at in range(max(len(packets), len(others))):
        out += [one._replace(when=packets[min(at, len(packets) - 1)].when)
                for one in packets[at:at + 1] + others[at:at + 1]]
    return out


def in_time_wait(packets, stale):
    """The job once more at once from the same ports; segments of its first run may come again in between."""
    second = _again(packets, FAR)
    ends = [one for one in packets if Segment(one).flags & FIN]
    out = damage.later(second, packets[-1].when - packets[0].when + SECOND // 1000)
    return packets + out[:5] + ([one._replace(when=out[5].when) for one in ends] if stale else []) + out[5:]


def other_program_first(packets):
    """Another program has used the ports for something else, and ended."""
    out = []
    for opening in [one for one in packets if Segment(one).flags & (SYN | ACK) == SYN]:
        first = wires.changed(opening, sequence=Segment(opening).sequence - FAR)
        number = Segment(first).sequence + 1
        answer = situations.back(first, SYN | ACK, 5000, number)
        asks = wires.changed(first, payload=WEB, sequence=number, flags=PSH | ACK)
        ended = wires.changed(first, sequence=number + len(WEB), flags=FIN | ACK)
        theirs = situations.back(ended, FIN | ACK, 5001, number + len(WEB) + 1)
        out += [first, answer, asks, ended, theirs]
    return damage.later(out, -SECOND) + packets


def also(packets, around):
    """Each packet as it is, and as it travels around it."""
    return [one for packet in packets for one in (packet, around(packet)._replace(when=packet.when))]


def _tagged(packet):
    return network.linked([packet], "vlan")[0]


def _gre(packet):
    return wires._carried(packet, 47, b"\0\0\x08\0")  # pylint: disable=protected-access


def _asked_again(packets, choose):
    """A segment is lost on its way to whoever captures; its receiver says so twice, and it is sent again."""
    places = [at for at, one in enumerate(packets) if Segment(one).payload]
    place = choose.choice(places)
    ask = wires.acknowledgement(wires.changed(packets[place], payload=b""), 60000)
    ask = ask._replace(when=packets[place].when)
    alone = place + 1
    while alone < len(packets) and Segment(packets[alone]).way == Segment(packets[place]).way and alone < place + 4:
        alone += 1
    return packets[:place] + packets[place + 1:alone] + [ask, ask, packets[place]] + packets[alone:]


def tried_again(packets):
    """Each opening is sent three times before it is answered."""
    return [one for packet in packets
            for one in [packet] * (3 if Segment(packet).flags & (SYN | ACK) == SYN else 1)]


def reset_by_others(packets):
    """Somebody who guesses numbers sends resets that nobody takes."""
    return [one for at, packet in enumerate(packets) for one in (
        [packet, wires.changed(packet, payload=b"", flags=RST, sequence=Segment(packet).sequence + FAR // 2)]
        if at % 7 == 3 else [packet])]


def unreachable(packets):
    """Routers complain, and quote the packets."""
    out = []
    for at, packet in enumerate(packets):
        out.append(packet)
        if at % 5 == 2:
            out.append(wires._carried(packet._replace(  # pylint: disable=protected-access
                octets=packet.octets[:28], captured=28), 1, b"\3\4\0\0\0\0\2\x40"))
    return out


def _windows(packets, window):
    return [wires.changed(packet, window=window) for packet in packets]


def _unsummed(packets):
    """The cards of the hosts put checksums in."""
    return [wires.made(packet, wires.tcp_of(packet), partial=True) for packet in packets]


def _earlier(packets, side):
    """One direction of every connection is written down up to five packets before its time."""
    openers = {Segment(one).way for one in packets if Segment(one).flags & (SYN | ACK) == SYN}
    order = [at - (5.5 if (Segment(one).way in openers) == side else 0) for at, one in enumerate(packets)]
    places = sorted(range(len(packets)), key=order.__getitem__)
    return [packets[at]._replace(when=one.when) for at, one in zip(places, packets)]


def _files(packets, choose):
    count = len(packets)
    place = choose.randrange(1, count)
    several = _woven(packets, _as_other_job(packets))
    yield "a ring that begins amid several jobs", several[choose.randrange(len(several)):], False
    yield "two jobs of the same ranks", several, False
    yield "two interfaces, one of which lost packets", damage.by_time(
        packets + damage.later([one for one in packets if choose.random() > 0.3], 2000)), True
    yield "the other one lost them", damage.by_time(
        [one for one in packets if choose.random() > 0.3] + damage.later(packets, 2000)), False
    yield "two files that overlap", packets[:min(place + 20, count)] + packets[place:], True
    yield "before the clock was set", [one._replace(when=one.when - (20 * YEAR if at < place else 0))
                                       for at, one in enumerate(packets)], False
    yield "times made strict", [one._replace(when=packets[0].when + at) for at, one in enumerate(packets)], False
    for side in (True, False):
        yield f"a direction before its time, {side}", _earlier(packets, side), False
    yield "half over IPv6", [wires.six(one) if sum(Segment(one).way[8:]) % 2 else one for one in packets], False


def circumstances(packets, choose):
    """(kind, packets, whether nothing is lost by that), of packets with right checksums over IPv4 without a link
    layer."""
    yield from _files(packets, choose)
    if Segment(packets[-1]).flags & FIN:
        yield "again within TIME_WAIT", in_time_wait(packets, False), False
        yield "with stale ends", in_time_wait(packets, True), False
    yield "another program first", other_program_first(packets), True
    yield "a tunnel and what is in it", also(packets, _gre), True
    yield "VXLAN and what is in it", also(packets, wires._vxlan), True  # pylint: disable=protected-access
    yield "with a tag and without", also(network.linked(packets, "ethernet"), _tagged), True
    yield "segments of 536 octets", wires.summed(damage.split(packets, 536)), True
    yield "segments of 9000 octets", wires.summed(damage.split(network.offloaded(packets, 10**5), 8960)), False
    yield "no scale of windows", _windows([one for one in packets if not Segment(one).flags & SYN], 1), False
    yield "asked for again", _asked_again(packets, choose), False
    yield "openings tried three times", tried_again(packets), True
    yield "resets of others", reset_by_others(packets), True
    yield "unreachable", unreachable(packets), True
    yield "sums by cards", _unsummed(packets), True
    yield "congestion", [wires.changed(one, flags=Segment(one).flags | CONGESTION) for one in packets], True
    other = network.other_contents(packets, next(at for at in range(len(packets) // 2, len(packets))
                                                 if Segment(packets[at]).payload or at == len(packets) - 1))
    if other:
        yield "again with other octets", wires.summed(other), True
