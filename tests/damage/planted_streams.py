# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Two processes each of which sends on a stream of its own, so that a request travels on one connection and its answer
on another; sound, or with one message that breaks a rule amid sound ones."""


import conversation
import damage
from planted import ACCEPTOR, ACK, GET, OPENER, PUT, REPLY, md

ROUNDS = 3                    # before the violation, and behind it
CLOSE = 8                     # packets: so near each other those of two connections may stand in a wrong order
ROUND, SEQUENCE, NUMBER, ACKNOWLEDGED = 100, 36, 12, 52  # a round's first descriptor; where messages bear these
A, B = 0, 1                   # who sends
FAR = None                    # in a proof: so many other packets that both sides of it stand where they stood

LOST = md(PUT, 99)
# what was done -> requirement, what proves it: (who, vector, octets by their places)
VIOLATIONS = {
    "another portal": ("P30-289", [(A, "put.hex", LOST), FAR, (B, "ack.hex", md(ACK, 99) | {36: "00000005"})]),
    "acknowledged twice": ("P30-010", [(A, "put.hex", LOST), (B, "ack.hex", md(ACK, 99)), FAR,
                                       (B, "ack.hex", md(ACK, 99))]),
    "acknowledged before it is sent": ("P30-010", [(B, "ack.hex", md(ACK, 99)), FAR, (A, "put.hex", LOST)]),
    "a reply without its length": ("P30-302", [(B, "get.hex", ACCEPTOR | md(GET, 99)), FAR,
                                               (A, "reply.hex", OPENER | md(REPLY, 99) | {64: "0000000000000009"})]),
    "more is acknowledged than was sent": ("PW-40", [(B, "acknowledge.hex", {ACKNOWLEDGED: "7fffffffffffffff"})]),
    "a barrier that nobody else has entered": ("P30-090", [(B, "barrier.hex", ACCEPTOR | {SEQUENCE: "0" * 15 + "4"}),
                                                           FAR,
                                                           (B, "barrier.hex", ACCEPTOR | {SEQUENCE: "0" * 15 + "5"}),
                                                           FAR]),
}


class Job:
    """Its packets, as they are made."""

    def __init__(self, root):
        self.root, self.packets, self.numbers = root, [], [0, 0]
        self.streams = [conversation.Connection(self.packets, ("127.0.0.1", 40001), conversation.B),
                        conversation.Connection(self.packets, ("127.0.0.1", 40002), conversation.A)]
        for who, greeting, answer in ((A, "hello.hex", "hello-answer.hex"), (B, "hello-answer.hex", "hello.hex")):
            self._send(self.streams[who], 0, [greeting, "6:0001"])
            self._send(self.streams[who], 1, [answer, "6:0001"])

    def _send(self, stream, side, *messages):
        octets = b"".join(conversation.message(self.root, words) for words in messages)
        stream.send(side, octets, len(self.packets) / 1000)

    def say(self, who, vector, changes):
        """A message, with a number where it has one."""
        message = [vector] + [f"{at}:{digits}" for at, digits in changes.items()]
        if vector == "acknowledge.hex":
            return self._send(self.streams[who], 0, message)
        self.numbers[who] += 1
        return self._send(self.streams[who], 0, ["number.hex", f"{NUMBER}:{self.numbers[who]:016x}"], message)

    def wait(self):
        """Packets without octets."""
        for turn in range(2 * CLOSE):
            self.streams[turn % 2].segment(turn // 2 % 2, flags=conversation.ACK, seconds=len(self.packets) / 1000)

    def rounds(self, first, sequence):
        """What is sound."""
        for number in range(first, first + ROUNDS):
            entered = {SEQUENCE: f"{sequence + number - first:016x}"}
            self.say(A, "put.hex", md(PUT, number))
            self.say(B, "ack.hex", md(ACK, number))
            self.say(B, "acknowledge.hex", {ACKNOWLEDGED: f"{self.numbers[A]:016x}"})
            self.say(B, "get.hex", ACCEPTOR | md(GET, number))
            self.say(A, "reply.hex", OPENER | md(REPLY, number))
            self.say(A, "barrier.hex", entered)
            self.say(B, "barrier.hex", ACCEPTOR | entered)
            for stream in self.streams:
                stream.segment(1, flags=conversation.ACK, seconds=len(self.packets) / 1000)


def job(root, folder, name=None):
    """The packets; of a sound job, or with the violation of that name."""
    made = Job(root)
    made.rounds(ROUND, 1)
    for step in VIOLATIONS[name][1] if name else []:
        made.wait() if step is FAR else made.say(*step)
    if name:
        made.wait()
    if name != "a barrier that nobody else has entered":
        made.rounds(2 * ROUND, 1 + ROUNDS)
    for stream in made.streams:
        for side in range(2):
            stream.finish(side, len(made.packets) / 1000)
    path = folder / "streams.pcap"
    path.write_bytes(conversation.pcap(made.packets))
    return damage.read(path)
