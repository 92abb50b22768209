# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Portals streams in which one message, or its answer, breaks a rule as implementors err, amid sound ones; and what may
befall the rest without explaining it."""

import struct

import conversation
import damage

ROUNDS = 4                                                   # before the violation, and behind it
OPENER = {8: "0000c351", 16: "00000000", 24: "0000c352", 32: "00000001"}  # ids of A, who opens, in a vector of B
ACCEPTOR = {8: "0000c352", 16: "00000001", 24: "0000c351", 32: "00000000"}
PUT, GET, ACK, REPLY = 60, 60, 56, 56                        # where a message bears the descriptor
MD, OTHER, NONE = 99, 98, 2**64 - 1
KINDS = ("one removed", "two removed", "swapped", "late", "one cut short", "duplicated", "overlapped")
TOUCHED = {"one removed": 1, "two removed": 2, "swapped": 2, "late": 1 + damage.AGAIN_AFTER, "one cut short": 1}


def md(place, number=MD):
    return {place: struct.pack("!Q", number).hex()}


PUTS, GETS = (0, "put.hex", md(PUT)), (0, "get.hex", md(GET))
ACKED, REPLIED = (1, "ack.hex", md(ACK)), (1, "reply.hex", md(REPLY))


def _acked(**changes):
    return [PUTS, (1, "ack.hex", md(ACK) | {int(at[1:]): digits for at, digits in changes.items()})]


def _replied(**changes):
    return [GETS, (1, "reply.hex", md(REPLY) | {int(at[1:]): digits for at, digits in changes.items()})]


# what was done -> requirement, what proves it: (side, vector, octets by their places; at None behind it)
VIOLATIONS = {
    "another portal": ("P30-289", _acked(x36="00000005")),
    "match bits turned round": ("P30-290", _acked(x40="efcdab8967452301")),
    "the offset that the target chose": ("P30-291", _acked(x48="0000000000000000")),
    "the length that was moved": ("P30-293", _acked(x64="0000000000000003", x72="0000000000000003")),
    "more than was sent": ("PW-23", _acked(x72="0000000000000006")),
    "not wanted": ("P30-285", [(0, "put.hex", md(PUT, NONE)), (1, "ack.hex", md(ACK, NONE))]),
    "acknowledged twice": ("P30-010", [PUTS, ACKED, ACKED]),
    "nothing to acknowledge": ("P30-010", [(1, "ack.hex", md(ACK, OTHER))]),
    "replied twice": ("P30-011", [GETS, REPLIED, REPLIED]),
    "ids as in the put": ("P30-288", _acked(**{f"x{at}": ids for at, ids in OPENER.items()})),
    "a reply without its length": ("P30-302", _replied(x64="0000000000000009")),
    "data behind an acknowledgement": ("P30-295", [PUTS, ACKED[:2] + (md(ACK) | {None: "68656c6c6f"},)]),
    "data that the length does not count": ("P30-286", [PUTS[:2] + (md(PUT) | {None: "78797a77"},)]),
    "data behind a get": ("P30-299", [GETS[:2] + (md(GET) | {None: "64617461"},)]),
    "in the name of another": ("PW-20", [PUTS[:2] + (md(PUT) | {16: "00000001"},)]),
    "to another rank": ("P30-305", [PUTS[:2] + (md(PUT) | {32: "00000000"},)]),
    "of another user": ("PW-42", [(0, "tagged-put.hex", {}), (0, "tagged-put.hex", {76: "000003e9"})]),
    "greeted again": ("PW-15", [(0, "hello.hex", {})]),
    "a get of nobody's memory": ("P30-297", [(0, "get.hex", md(GET, NONE))]),
}


def _message(root, vector, changes):
    words = [f"{at}:{digits}" for at, digits in changes.items() if at is not None]
    return conversation.message(root, [vector, *words]) + bytes.fromhex(changes.get(None, ""))


def job(root, folder, name):
    """(packets, where the proof begins, where it ends)."""
    made = []
    stream = conversation.Connection(made, ("127.0.0.1", 40001), conversation.B)

    def say(side, vector, changes):
        stream.send(side, _message(root, vector, changes), len(made) / 1000)

    def rounds(first):
        for number in range(first, first + ROUNDS):
            say(0, "put.hex", md(PUT, number))
            say(1, "get.hex", ACCEPTOR | md(GET, number))
            say(1, "ack.hex", md(ACK, number))
            say(0, "reply.hex", OPENER | md(REPLY, number))
            for side in range(2):
                stream.segment(side, flags=conversation.ACK, seconds=len(made) / 1000)

    say(0, "hello.hex", {})
    say(1, "hello-answer.hex", {})
    rounds(1)
    proof = len(made)
    for step in VIOLATIONS[name][1]:
        say(*step)
    ended = len(made)
    rounds(200)
    for side in range(2):
        stream.finish(side, len(made) / 1000)
    path = folder / "planted.pcap"
    path.write_bytes(conversation.pcap(made))
    return damage.read(path), proof, ended


def damages(packets, proof, ended):
    """(kind, place, packets) where nothing is missing that could explain the proof: behind it, or, where it holds what
    was asked, before it of who answers, with a whole message of his between."""
    ways = [damage.Segment(packet).way if damage.Segment(packet).payload else b"" for packet in packets]
    guilty = ways[ended - 1]
    for kind, place, left in damage.damages(packets):
        behind = place + TOUCHED.get(kind, 0)
        before = 5 <= place and set(ways[place:behind]) <= {guilty, b""} and guilty in ways[behind:proof]
        if kind in KINDS and (place >= ended or (before and ended - proof > 1)):
            yield kind, place, left
