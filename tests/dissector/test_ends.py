# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""How streams of Portals end: inside a message, between two, with octets missing before the end, with a reset."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "tester"))

import conversation  # noqa: E402
from conversation import ACK, FIN, PSH, RST  # noqa: E402

from wireshark import DECODE_AS  # noqa: E402

CUT, SECOND = "portals.breach.cut_off", "portals.breach.second_stream"
PUT = conversation.vector(ROOT, "put.hex")
PARTS = {"nothing of the put": 0, "one octet": 1, "half a header": 40, "the header": len(PUT) - 1}


class Talk:
    """Two processes that have greeted each other, A the opener."""

    def __init__(self, packets, port=40001):
        self.stream = conversation.Connection(packets, ("127.0.0.1", port), conversation.B)
        self.stream.send(0, conversation.vector(ROOT, "hello.hex"))
        self.stream.send(1, conversation.vector(ROOT, "hello-answer.hex"))

    def __getattr__(self, name):
        return getattr(self.stream, name)


def told(tshark, path, packets, rule, *arguments, link="raw"):
    """The packets of which the rule is told."""
    path.write_bytes(conversation.pcap(packets, link=link))
    path.chmod(0o644)
    return tshark.shown(path, rule, *DECODE_AS, *arguments)


@pytest.mark.parametrize("octets", PARTS.values(), ids=PARTS.keys())
def test_an_end_inside_a_message_is_told(tshark, capture_path, octets):
    packets = []
    talk = Talk(packets)
    if octets:
        talk.send(0, PUT[:octets])
    end = talk.finish(0)
    talk.finish(1)
    assert told(tshark, capture_path, packets, CUT) == ([end] if octets else [])


@pytest.mark.parametrize("arguments", [(), ("-o", "tcp.relative_sequence_numbers:FALSE"),
                                       ("-o", "portals.desegment:FALSE"), ("-o", "portals.limit:0")],
                         ids=["as it is", "plain sequence numbers", "not put together", "too long to put together"])
def test_an_end_in_the_packet_with_the_octets_is_told(tshark, capture_path, arguments):
    packets = []
    talk = Talk(packets)
    talk.send(0, PUT)
    end = talk.segment(0, PUT[:-1], flags=PSH | ACK | FIN)
    assert told(tshark, capture_path, packets, CUT, *arguments) == [end]


@pytest.mark.parametrize("link", conversation.LINKS)
def test_the_end_is_found_over_every_link_layer(tshark, capture_path, link):
    packets = []
    talk = Talk(packets)
    talk.send(0, PUT[:-1])
    end = talk.finish(0)
    assert told(tshark, capture_path, packets, CUT, link=link) == [end]


def test_the_end_says_where_and_what(tshark, capture_path):
    packets = []
    talk = Talk(packets)
    talk.send(0, PUT[:50])
    end = talk.finish(0)
    capture_path.write_bytes(conversation.pcap(packets))
    capture_path.chmod(0o644)
    ((number, requirement, remarks),) = tshark.fields(capture_path, "frame.number", "portals.requirement",
                                                      "_ws.expert.message", shown="portals.requirement",
                                                      arguments=DECODE_AS)
    assert (number, requirement) == ([str(end)], ["PW-19"])
    assert remarks[-1] == "PW-19: the stream is closed inside a message"  # behind TCP's own
    assert any("the stream ends" in line for line in tshark.info(capture_path, *DECODE_AS, shown=CUT))


def test_a_reset_inside_a_message_is_no_violation(tshark, capture_path):
    packets = []
    talk = Talk(packets)
    talk.send(0, PUT[:50])
    talk.segment(0, flags=RST | ACK)
    assert told(tshark, capture_path, packets, CUT) == []


def test_what_the_capture_lacks_is_not_held_against_the_sender(tshark, capture_path):
    packets = []
    talk = Talk(packets)
    talk.send(0, PUT[:50])
    talk.sequence[0] += len(PUT) - 50
    talk.finish(0)
    assert told(tshark, capture_path, packets, CUT) == []


def test_the_same_end_again_is_told_once(tshark, capture_path):
    packets = []
    talk = Talk(packets)
    talk.send(0, PUT[:50])
    end = talk.finish(0)
    talk.segment(0, flags=FIN | ACK, at=talk.sequence[0] - 1)
    assert told(tshark, capture_path, packets, CUT) == [end]


def test_a_second_stream_is_told_when_the_first_proves_open(tshark, capture_path):
    packets = []
    first = Talk(packets)
    first.send(0, PUT)
    second = Talk(packets, port=40002)
    numbers = [second.send(0, PUT)]
    for _ in range(8):
        second.send(0, PUT)  # so that what follows was not captured in the wrong order
    assert told(tshark, capture_path, packets, SECOND) == []  # the end of the first may have been missed
    numbers.append(first.send(0, PUT))
    assert told(tshark, capture_path, packets, SECOND) == numbers


@pytest.mark.parametrize("flags", [FIN | ACK, RST | ACK], ids=["FIN", "reset"])
def test_the_next_stream_is_no_second_one(tshark, capture_path, flags):
    packets = []
    first = Talk(packets)
    first.send(0, PUT)
    first.segment(1, flags=flags)
    second = Talk(packets, port=40002)
    second.send(0, PUT)
    assert told(tshark, capture_path, packets, SECOND) == []


def test_nothing_is_told_of_ends_when_judging_is_off(tshark, capture_path):
    packets = []
    talk = Talk(packets)
    talk.send(0, PUT[:50])
    talk.finish(0)
    assert told(tshark, capture_path, packets, CUT, "-o", "portals.analyse:FALSE") == []
