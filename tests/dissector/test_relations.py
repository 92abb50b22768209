# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Requests and answers find each other, barriers are followed, processes have names."""

import pathlib
import re
import struct
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "damage"))

import judges  # noqa: E402
from capture import Capture, Connection, vector

A, B = (50001, 7, 0), (50002, 7, 1)
NONE = 0xFFFFFFFFFFFFFFFF


def ids(process):
    """A process of these tests: port, group, rank; all on 127.0.0.1."""
    return struct.pack("!IIII", 0x7F000001, *process)


def hello(sender, target, size=2, interface=0):
    """A HELLO, octet by octet as the binding lays it down."""
    return b"PTL3" + struct.pack("!HH", 1, 0) + ids(sender) + ids(target) + struct.pack("!II", interface, size)


def request(operation, sender, target, md, bits=0x2A, octets=4):
    """A put (1) or get (3) through portal 4; a put with its data."""
    head = struct.pack("!I", operation) + ids(sender) + ids(target)
    return head + struct.pack("!IIQQQQ", 4, 0, bits, 0, md, octets) + (bytes(octets) if operation == 1 else b"")


def answer(operation, sender, target, md, bits=0x2A, octets=4):
    """An acknowledgement (2) or reply (4) to such a request; a reply with its data."""
    head = struct.pack("!I", operation) + ids(sender) + ids(target)
    return head + struct.pack("!IQQQQQ", 4, bits, 0, md, octets, octets) + (bytes(octets) if operation == 4 else b"")


def barrier(sender, target, sequence, number):
    """A barrier message."""
    return struct.pack("!I", 5) + ids(sender) + ids(target) + struct.pack("!QI", sequence, number)


def greeted(capture, one=A, other=B, size=2):
    """A connection on which both ends have said HELLO; three packets of handshake and two of HELLO."""
    connection = Connection(capture, ("127.0.0.1", 40000 + len(capture.packets)), ("127.0.0.1", other[0]))
    connection.send(0, hello(one, other, size))
    connection.send(1, hello(other, one, size))
    return connection


def links(tshark, path):
    """packet -> (request_in, response_in, time) for packets with any of them."""
    found = tshark.fields(path, "frame.number", "portals.request_in", "portals.response_in", "portals.time")
    return {int(number): (asked, answered, time) for (number,), asked, answered, time in found if asked or answered}


def test_put_and_acknowledgement_get_and_reply(tshark, capture_path):
    capture = Capture()
    connection = greeted(capture)
    put = connection.send(0, request(1, A, B, md=9))
    get = connection.send(0, request(3, A, B, md=9))
    reply = connection.send(1, answer(4, B, A, md=9))
    ack = connection.send(1, answer(2, B, A, md=9))
    assert links(tshark, capture.write(capture_path)) == {
        put: ([], [str(ack)], []), get: ([], [str(reply)], []),
        reply: ([str(get)], [], ["0.001000000"]), ack: ([str(put)], [], ["0.003000000"]),
    }


def test_the_answer_may_take_another_stream(tshark, capture_path):
    """Both processes have opened a stream; each sends on its own."""
    capture = Capture()
    first, second = greeted(capture, A, B), greeted(capture, B, A)
    put = first.send(0, request(1, A, B, md=9))
    ack = second.send(0, answer(2, B, A, md=9))
    assert links(tshark, capture.write(capture_path))[ack][0] == [str(put)]


def test_equal_requests_are_answered_in_order(tshark, capture_path):
    capture = Capture()
    connection = greeted(capture)
    puts = [connection.send(0, request(1, A, B, md=9)) for _ in range(3)]
    acks = [connection.send(1, answer(2, B, A, md=9)) for _ in range(3)]
    found = links(tshark, capture.write(capture_path))
    assert [found[ack][0] for ack in acks] == [[str(put)] for put in puts]
    assert [found[put][1] for put in puts] == [[str(ack)] for ack in acks]


def test_many_in_one_packet(tshark, capture_path):
    capture = Capture()
    connection = greeted(capture)
    puts = connection.send(0, b"".join(request(1, A, B, md=n) for n in range(5)))
    acks = connection.send(1, b"".join(answer(2, B, A, md=n) for n in reversed(range(5))))
    found = links(tshark, capture.write(capture_path))
    assert found[puts][1] == [str(acks)] * 5 and found[acks][0] == [str(puts)] * 5


def test_other_processes_are_not_confused(tshark, capture_path):
    """The same descriptor handle at two initiators."""
    other = (50003, 7, 2)
    capture = Capture()
    first, second = greeted(capture, A, B, 3), greeted(capture, other, B, 3)
    one = first.send(0, request(1, A, B, md=9))
    two = second.send(0, request(1, other, B, md=9))
    ack = second.send(1, answer(2, B, other, md=9))
    found = links(tshark, capture.write(capture_path))
    assert found[ack][0] == [str(two)] and one not in found


def test_a_put_without_descriptor_expects_nothing(tshark, capture_path):
    capture = Capture()
    connection = greeted(capture)
    connection.send(0, request(1, A, B, md=NONE))
    connection.send(1, answer(2, B, A, md=9))
    assert links(tshark, capture.write(capture_path)) == {}
    assert tshark.fields(capture_path, "portals.breach.ack_unwanted", "portals.requirement")[-1] == [["1"], ["P30-285"]]


def test_an_echo_that_differs(tshark, capture_path):
    capture = Capture()
    connection = greeted(capture)
    put = connection.send(0, request(1, A, B, md=9, bits=0x2A))
    ack = connection.send(1, answer(2, B, A, md=9, bits=0x2B))
    assert links(tshark, capture.write(capture_path))[ack][0] == [str(put)]
    fields = tshark.fields(capture_path, "portals.breach.ack_match_bits", "portals.requirement")
    assert fields[-1] == [["1"], ["P30-290"]]
    assert f"match_bits is 0x2b instead of 0x2a (see packet {put})" in tshark.details(capture_path)


def test_an_answer_to_what_was_captured_out_of_order(tshark, capture_path):
    """Wireshark's TCP makes no message of the put's segments; that there is one, is known all the same. A put of which
    the capture lacks octets is not known."""
    capture = Capture()
    connection = greeted(capture)
    answers = []
    for md, whole in ((9, True), (10, False)):
        put, begin = request(1, A, B, md), connection.sequence[0]
        connection.segment(0, put[40:], at=begin + 40)
        if whole:
            connection.segment(0, put[:40], at=begin)
        connection.sequence[0] += len(put)
        answers.append(connection.send(1, answer(2, B, A, md)))
    path = capture.write(capture_path)
    assert tshark.shown(path, "portals.requirement") == []
    assert tshark.shown(path, "portals.unasked or portals.echo_differs") == answers[1:]


@pytest.mark.parametrize("operation", [1, 3])
@pytest.mark.parametrize("cut,order", [(None, "0"), (40, "01"), (40, "10")])
def test_an_answer_that_was_captured_before_its_request(tshark, bin_dir, capture_path, operation, cut, order):
    """Or before a segment of it. The second pass knows, and `assay check` does not take the request for one that waits.
    A second answer, which nobody asks for, stays remarkable."""
    capture = Capture()
    connection = greeted(capture)
    asked, begin = request(operation, A, B, 9), connection.sequence[0]
    parts = [(begin, asked)] if cut is None else [(begin, asked[:cut]), (begin + cut, asked[cut:])]
    late = [parts[int(which)] for which in order]
    if cut:
        connection.segment(0, late[0][1], at=late[0][0])
    connection.sequence[0] += len(asked)
    answers = [connection.send(1, answer(operation + 1, B, A, md)) for md in (9, 10)]
    connection.segment(0, late[-1][1], at=late[-1][0])
    path = capture.write(capture_path)
    assert tshark.shown(path, "portals.requirement or portals.echo_differs") == []
    assert tshark.shown(path, "portals.unasked") == answers[1:]
    told = judges.report(bin_dir, path)
    assert (told["breaches"], told["unanswered"], told["unjudged"]) == ([], 0, 1)
    assert not told["waits"]


def test_a_barrier_of_three(tshark, capture_path):
    """Three ranks, two rounds: round 0 to the next rank, round 1 to the one after that."""
    ranks = [(50001, 7, 0), (50002, 7, 1), (50003, 7, 2)]
    capture = Capture()
    streams = {(i, (i + d) % 3): greeted(capture, ranks[i], ranks[(i + d) % 3], 3) for i in range(3) for d in (1, 2)}
    sent = [streams[i, (i + d) % 3].send(0, barrier(ranks[i], ranks[(i + d) % 3], 1, number))
            for number, d in ((0, 1), (1, 2)) for i in range(3)]
    found = tshark.fields(capture.write(capture_path), "portals.barrier.message", "portals.barrier.total",
                          "portals.barrier.first", "portals.barrier.time", "portals.barrier.wrong_partner",
                          "portals.barrier.surplus_round")[-6:]
    assert found == [[[str(n + 1)], ["6"], [str(sent[0])], [f"0.00{n}000000"], [], []] for n in range(6)]
    assert tshark.info(capture_path)[-1] == "BARRIER 1 round 1  rank 2 -> rank 1"


def test_a_barrier_message_to_the_wrong_rank(tshark, capture_path):
    ranks = [(50001, 7, 0), (50002, 7, 1), (50003, 7, 2)]
    capture = Capture()
    connection = greeted(capture, ranks[0], ranks[2], 3)
    connection.send(0, barrier(ranks[0], ranks[2], 1, 0))
    connection.send(0, barrier(ranks[0], ranks[2], 1, 1))
    connection.send(0, barrier(ranks[0], ranks[2], 1, 2))
    found = tshark.fields(capture.write(capture_path), "portals.breach.barrier_partner",
                          "portals.breach.barrier_surplus")[-3:]
    assert found == [[["1"], []], [[], []], [[], ["1"]]]


def test_names_of_processes(tshark, capture_path):
    """Ranks in one group, ranks and groups across groups, and a target whose rank the sender does not know."""
    outsider = (50003, 8, 0)
    unknown_b = (50002, 0xFFFFFFFF, 0xFFFFFFFF)
    nobody = (50009, 0xFFFFFFFF, 0xFFFFFFFF)
    capture = Capture()
    connection = greeted(capture, outsider, B)
    connection.send(0, request(1, outsider, unknown_b, md=NONE))
    connection.send(0, request(1, outsider, nobody, md=NONE))
    infos = tshark.info(capture.write(capture_path))
    assert infos[-2].endswith("  rank 0 of group 8 -> rank 1 of group 7")
    assert infos[-1].endswith("  rank 0 -> 127.0.0.1:50009 [P30-305]")
    assert tshark.fields(capture_path, "portals.initiator")[-1] == [["rank 0 of group 8 (127.0.0.1:50003)"]]


def test_statistics(tshark, capture_path, root):
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "stream"))
    connection.send(1, vector(root, "hello-answer") + vector(root, "ack") + vector(root, "reply"))
    text = tshark.read(capture.write(capture_path), "-q", "-z", "portals,tree")
    rows = re.findall(r"^ (\S.*?) {2,}(\d+) ", text, re.MULTILINE)
    operations = dict(reversed(rows))  # the first of equal names counts: the operations stand at the top
    assert {name: operations[name] for name in ("Put request", "Get request", "Hello", "Barrier", "Reply")} == {
        "Put request": "2", "Get request": "1", "Hello": "2", "Barrier": "1", "Reply": "1"}
    assert operations["rank 0 -> rank 1"] == "5" and operations["rank 1 -> rank 0"] == "3"
    assert operations["portal 4"] == "2" and operations["portal 5"] == "2"
    assert re.search(r"^Response time \(us\) +2 +1000\.00 ", text, re.MULTILINE)
