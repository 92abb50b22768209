# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Captures of the Intercept network in which a card, a sender or a receiver breaks a rule amid sound messages, as
implementors err; and what may befall the rest."""

import struct

import damage
import explained
import frames
import network

PATTERN = bytes(number * 7 % 251 for number in range(9000))
LONG, FIRST = 2000, 17                    # octets of a message that VDMA moves, and those before its slice
LAST = (LONG - FIRST) % 32
MIDDLE = LONG - FIRST - LAST
KEY, BLOCKS, START, ADDRESS = 5, 9, 64, 0x10000
RTS_ROOM, DATA_ROOM = 408, 480            # octets of a message in an RTS, and in a packet behind it
ROUNDS = 3                                # sound messages of each kind before the violation, and behind it
CREDITS = 2 * ROUNDS                      # what they take
SNAPPED = 46                              # octets of a packet, less than any frame takes
MANY = 40                                 # packets of a burst
KINDS = {"on two interfaces", "on another link layer", "duplicated", "clock set back", "one removed", "one cut short",
         "two removed", "many removed", "late", "first removed", "last removed", "appended", "captured twice",
         "behind another job", "before another job", "woven with another job"}
APART = 2000                              # nanoseconds until a packet passes the second interface


def _rts(net, number, length, data=None, node=1, **options):
    brings = PATTERN[:min(length, RTS_ROOM)] if data is None else data
    return net.rmpp(node, frames.RTS, number, frames.put_header(length) + brings, **options)


def _cts(net, number, grant, wanted, kind=frames.CTS):
    net.rmpp(2, kind, number, struct.pack(">IIQ", grant, 0, wanted)[:8 if kind == frames.NEXT_CTS else 16])


def _data(net, number, place, octets, kind=frames.DATA):
    net.rmpp(1, kind, number, struct.pack(">II", place, 0) + PATTERN[:octets])


def _end(net, number, node=2):
    net.rmpp(node, frames.MSGEND, number)


def short(net, number, *, wanted=1000, grant=2, extra=lambda net: None, places=(0, 1),
          kinds=(frames.DATA, frames.LAST_DATA), size=DATA_ROOM):
    """A message of 1000 octets, as two data packets behind its RTS, in which something may be other than it should."""
    _rts(net, number, 1000)
    _cts(net, number, grant, wanted)
    for place in places:
        _data(net, number, place, (size, 1000 - RTS_ROOM - DATA_ROOM)[place], kinds[place])
    extra(net)
    _end(net, number)


def _get(net, key=KEY, part=0, parts=1, octets=MIDDLE, start=START, blocks=BLOCKS, ends=(FIRST, LAST)):
    ends = (blocks, ends[0], ADDRESS - FIRST, ends[1], ADDRESS + MIDDLE) if part == 0 else (0, 0, 0, 0, 0)
    net.control(2, frames.GET, key, struct.pack(">IIIIQQQQQQQ", 0, part, parts, start, ADDRESS, octets, *ends))


def _slice(net, at, octets, channel=0):
    net.packet(1, at // 512 % 2, frames.VDMA, struct.pack(">HHI", channel, octets, at) + PATTERN[:octets])


def _blocks(net, key=BLOCKS, first=FIRST, last=LAST):
    net.control(1, frames.GET_EXT_REPLY, KEY, struct.pack(">QII", key, first, last) + frames.padded(PATTERN[:first]) +
                PATTERN[:last])


def _reply(net, key=KEY, taken=LONG, pid=11):
    net.control(2, frames.MATCH_REPLY, key, struct.pack(">iIQ", 0, 0, taken), pid=pid)


def long(net, number, *, gets=({},), moved=MIDDLE, extra=lambda net: None, blocks=({},), replies=1, taken=LONG,
         pid=11, answerer=11):
    """A message by VDMA, in which something may be other than it should."""
    body = struct.pack(">QQQ", number, ADDRESS - FIRST, LONG) + frames.put_header(LONG)
    net.control(1, frames.TRY_MATCH, KEY, body, pid=pid)
    for fields in gets:
        _get(net, **fields)
    for at in range(0, moved, 512):
        _slice(net, START + at, min(512, moved - at))
    extra(net)
    for fields in blocks:
        _blocks(net, **fields)
    for _ in range(replies):
        _reply(net, taken=taken, pid=answerer)


def _meanwhile(net):
    """Frames that have no part in it, so many that what is behind them was sent behind what is before."""
    for _ in range(explained.CLOSE):
        net.packet(1, 1, frames.COMMAND, struct.pack(">BBHHH", 0, 0, 0, 1, 1))


# ---- links ----

def _eight_at_once(net):
    first = net.sequences[1, 0]
    for number in range(90, 98):
        _rts(net, number, 5, acknowledged=False)
    _meanwhile(net)
    for at in range(8):
        net.answer(1, 0, frames.ACK, (first + at) % 256)
    for number in range(90, 98):
        _end(net, number)


def _jump(net):
    place = net.sequences[1, 0]
    net.sequences[1, 0] = (place + 40) % 256
    _rts(net, 90, 5, acknowledged=False)
    net.sequences[1, 0] = place


def _other_octets(net):
    place = net.sequences[1, 0]
    _rts(net, 90, 5, acknowledged=False)
    net.sequences[1, 0] = place
    _rts(net, 90, 5, b"other")
    _end(net, 90)


def _foreign(net):
    place = net.sequences[1, 0]
    head = struct.pack(">BBBBHH", frames.SHORT, 1, 0, place, 2, 7)
    net.datagram(1, 0, frames.sealed(head + struct.pack(">BBHIIIQ", 1, 1, 16, 0, frames.MSGEND, 16, 0)))
    net.answer(1, 0, frames.ACK, place)
    net.sequences[1, 0] = (place + 1) % 256


def _flag_of_a_switch(net):
    place = net.sequences[1, 0]
    head = struct.pack(">BBBBHH", frames.VDMA, 1, 2, place, 2, 1)
    net.datagram(1, 0, frames.sealed(head + struct.pack(">HHI", 0, 8, START) + PATTERN[:8]))
    net.answer(1, 0, frames.ACK, place)
    net.sequences[1, 0] = (place + 1) % 256


def _of_a_third_card(net):
    net.announce(3, 0)
    head = struct.pack(">BBBBHH", frames.VDMA, 1, 0, 1, 2, 3)
    net.datagram(3, 0, frames.sealed(head + struct.pack(">HHI", 0, 8, START) + PATTERN[:8]))
    net.answer(3, 0, frames.ACK, 1)


def _no_boot(net):
    for number in (0, 1):
        _rts(net, number, 5, node=2)
    _meanwhile(net)
    for number in (0, 1):
        _end(net, number, node=1)


def _too_many(net):
    """The rest of the slices, and one more."""
    _get(net, octets=MIDDLE - 960, part=1, parts=2, start=1024)
    for at in range(1024, 1024 + MIDDLE - 960, 512):
        _slice(net, at, min(512, 1024 + MIDDLE - 960 - at))
    _get(net, octets=0, part=1, parts=2, start=START)


def _frame(net, kind, rest=bytes(8)):
    """A frame of a card that is none, of which the receiver says nothing."""
    net.datagram(1, 0, frames.sealed(struct.pack(">BBBBHH", kind, 1, 0, net.sequences[1, 0], 2, 1) + rest))


def _without_credit(net):
    net.control(1, frames.TRY_MATCH, KEY, struct.pack(">QQQ", 90, ADDRESS, LONG) + frames.put_header(LONG))
    _reply(net, taken=0)


# what was done -> requirement, how
VIOLATIONS = {
    "an eighth packet under way": ("ICPT-009", _eight_at_once),
    "a sequence far ahead": ("IW-20", _jump),
    "sent again with other octets": ("IW-22", _other_octets),
    "over a plane that is not permitted": ("ICPT-014", lambda net: (_rts(net, 90, 5, planes=2), _end(net, 90))),
    "in the name of another": ("IW-08", _foreign),
    "a number again": ("ICPT-171", lambda net: (_rts(net, 1, 7), _end(net, 1))),
    "before the boot message is answered": ("ICPT-177", _no_boot),
    "an RTS that is not full": ("IW-34", lambda net: (_rts(net, 90, 300, PATTERN[:200]), _end(net, 90))),
    "a grant for nothing": ("ICPT-186", lambda net: _cts(net, 90, 1, 500)),
    "a second CTS": ("ICPT-145", lambda net: short(net, 90, extra=lambda net: _cts(net, 90, 2, 1000))),
    "wants more than there is": ("ICPT-221", lambda net: (_rts(net, 90, 1000), _cts(net, 90, 2, 1001), _end(net, 90))),
    "a grant that is too large": ("ICPT-164", lambda net: short(net, 90, grant=3)),
    "beyond the grant": ("ICPT-142", lambda net: short(net, 90, extra=lambda net: _data(net, 90, 2, 8))),
    "a data packet again": ("ICPT-143", lambda net: short(net, 90, extra=lambda net: _data(net, 90, 0, DATA_ROOM))),
    "a data packet that is not full": ("ICPT-291", lambda net: short(net, 90, size=472)),
    "no last data packet": ("IW-37", lambda net: short(net, 90, kinds=(frames.DATA, frames.DATA))),
    "the end of nothing": ("ICPT-150", lambda net: _end(net, 90)),
    "the end before the data": ("ICPT-161", lambda net: short(net, 90, places=[1], extra=_meanwhile)),
    "no credit": ("ICPT-090", _without_credit),
    "a GET of nothing": ("IW-43", lambda net: _get(net, key=77)),
    "GETs of too much": ("ICPT-125", lambda net: long(net, 90, gets=[{"octets": MIDDLE + 32}], moved=MIDDLE + 32)),
    "a GET too many": ("ICPT-096", lambda net: long(net, 90, gets=[{"octets": 960, "parts": 2}], moved=960, replies=0,
                                                    extra=_too_many)),
    "blocks again": ("ICPT-115", lambda net: long(net, 90, blocks=[{}, {}])),
    "blocks of another key": ("ICPT-112", lambda net: long(net, 90, blocks=[{"key": BLOCKS + 1}])),
    "for a channel that was not granted": ("ICPT-097", lambda net: long(
        net, 90, extra=lambda net: _slice(net, START, 8, channel=1))),
    "by another card than it was granted to": ("ICPT-097", lambda net: long(net, 90, extra=_of_a_third_card)),
    "beyond its slice": ("IW-13", lambda net: long(net, 90, extra=lambda net: _slice(net, START + MIDDLE, 8))),
    "a reply to nothing": ("IW-48", lambda net: _reply(net, 77)),
    "a reply before the slice is there": ("ICPT-126", lambda net: long(net, 90, moved=1024)),
    "a reply of another length": ("ICPT-299", lambda net: long(net, 90, taken=LONG - 1)),
    "the rank of another process": ("ICPT-105", lambda net: long(net, 90, pid=12)),
    "the rank of another node": ("ICPT-105", lambda net: long(net, 90, answerer=1 << 16 | 11)),
    "a kind that is none": ("IW-09", lambda net: _frame(net, 6)),
    "a slice of half a quadword": ("IW-03", lambda net: _frame(net, frames.VDMA, struct.pack(
        ">HHI", 0, 12, START) + PATTERN[:12])),
    "a slice of too many octets": ("IW-03", lambda net: _frame(net, frames.VDMA, struct.pack(
        ">HHI", 0, 520, START) + PATTERN[:520])),
    "a message of too many octets": ("IW-03", lambda net: _frame(net, frames.SHORT, struct.pack(
        ">BBHI", 1, 1, 512, 0) + PATTERN[:512])),
    "an acknowledgement with octets": ("IW-03", lambda net: _frame(net, frames.ACK, struct.pack(
        ">BBHI", 0, 0, 8, 0) + bytes(8))),
    "over the end of a page": ("IW-12", lambda net: long(net, 90, extra=lambda net: _slice(net, 4088, 16))),
    "behind the page table": ("IW-12", lambda net: long(net, 90, extra=lambda net: _slice(net, 1 << 25, 8))),
    "a slice that is not aligned": ("IW-45", lambda net: long(net, 90, extra=lambda net: _get(net, start=START + 8))),
    "blocks in the midst": ("IW-44", lambda net: long(net, 90, extra=lambda net: _get(net, ends=(32, 0)))),
    "VDMA to a group": ("IW-05", _flag_of_a_switch),
}
# Those of AFTERWARDS are told when both planes have gone on, so that no packet is missing at their end.
AFTERWARDS, GONE_ON = {"ICPT-126", "ICPT-161", "ICPT-299"}, 20


def _rounds(net, first):
    for number in range(first, first + 3 * ROUNDS, 3):
        net.put_short(number, PATTERN[:3000])
        long(net, number + 1)
        short(net, number + 2)


def _captured(folder, net):
    path = folder / "captured.pcap"
    path.write_bytes(net.capture())
    return damage.read(path)


def job(folder, name):
    """(packets, where the proof begins, where it ends)."""
    net = frames.Network()
    net.put_short(0, PATTERN[:5])
    net.control(1, frames.UPD_CONN, 0, struct.pack(">IIH", 1, 0, 1))
    net.credit(2, CREDITS)
    net.credit(1, 64)
    _rounds(net, 1)
    if VIOLATIONS[name][0] != "ICPT-090":
        net.credit(2, 8)
    proof = len(net.packets)
    VIOLATIONS[name][1](net)
    ended = len(net.packets) + (GONE_ON if VIOLATIONS[name][0] in AFTERWARDS else 0)
    net.credit(2, 64)
    _rounds(net, 200)
    return _captured(folder, net), proof, ended


def other_job(folder):
    """Other sound messages of the same cards."""
    net = frames.Network()
    net.put_short(0, PATTERN[:9])
    net.control(1, frames.UPD_CONN, 0, struct.pack(">IIH", 1, 0, 1))
    net.credit(2, CREDITS)
    net.credit(1, 64)
    short(net, 1)
    _rounds(net, 2)
    return _captured(folder, net)


def damages(packets, planted, jobs):
    """(kind, place, packets, whether the violation must be told). `planted` is what explained.must_be_told takes,
    `jobs` a capture of another job of the same cards."""
    count, ended = len(packets), planted[-1]
    passed = damage.later(packets, APART)
    yield "on two interfaces", 0, [one for pair in zip(packets, passed) for one in pair], True
    for name in network.LINKS:
        yield "on another link layer", name, network.linked(packets, name), True
    yield "on another link layer", "without types", network.without_types(packets), True
    for place in range(count):
        yield "duplicated", place, packets[:place + 1] + packets[place:], True
        yield "clock set back", place, damage.shifted(packets, place), True
        yield "appended", place, packets + packets[:place + 1], True
        yield "behind another job", place, jobs[:place + 1] + packets, True
        yield "before another job", place, packets + jobs[:place + 1], True
        short_one = damage.cut(packets[place:place + 1], SNAPPED)
        yield "one cut short", place, packets[:place] + short_one + packets[place + 1:], explained.must_be_told(
            packets, planted, {place}, True)
        for kind, until in (("one", place + 1), ("two", place + 2), ("many", place + 2 + place % MANY)):
            gone = set(range(place, min(until, count)))
            told = explained.must_be_told(packets, planted, gone)
            yield f"{kind} removed", place, damage.without(packets, gone), told
        yield "captured twice", place, damage.by_time(packets + damage.later(packets, (place + 1) * APART)), False
        yield "woven with another job", place, damage.woven(packets, jobs, place), False
        yield "late", place, damage.late(packets, place), False
        yield "first removed", place, packets[place:], False
        yield "last removed", place + 1, packets[:place + 1], place >= ended
