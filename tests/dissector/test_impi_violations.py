# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""What is wrong in IMPI is said, with the requirement that is broken, in the very packet that breaks it."""

import pytest

from capture import ACK_FLAG, Capture, Connection
from impi_octets import SERVER, TWO, channel, command, ints, join, packet, process, start

CLOSE = 8  # packets of several connections that are so near each other may stand in a wrong order
A, A2, B = process("127.0.0.2", 65), process("127.0.0.2", 66), process("127.0.0.3", 67)
LONG = {"srqid": 7, "msglen": 250}


def violations(tshark, path):
    """packet -> its broken requirements, for packets with any."""
    found = tshark.fields(path, "frame.number", "impi.requirement", shown="impi.requirement")
    return {int(number): requirements for (number,), requirements in found}


def rules(tshark, path, rule):
    """The packets that break the rule of that name."""
    return tshark.shown(path, f"impi.breach.{rule}".replace("-", "_"))


# name of the rule, requirement, what a client sends behind AUTH, CHOICE, IMPI and IMPI; the last one is the violation
CLIENT = [
    ("label-order", "IMPI-052", [command("COLL", ints(0x1100, 1)), command("COLL", ints(0x1000, 0, 0))]),
    ("label-zero", "IMPI-053", [command("COLL", ints(0, 1))]),
    ("label-missing", "IMPI-053", [command("COLL", ints(0x1000, 0, 0)), command("DONE")]),
    ("coll-form", "IMPI-044", [command("COLL", b"\0\0")]),
    ("version-order", "IMPI-058", [command("COLL", ints(0x1000, 0, 0, 0, 0))]),
    ("count-zero", "IMPI-060", [command("COLL", ints(0x1100, 0))]),
    ("limit-range", "IMPI-138", [command("COLL", ints(0x1300, 0))]),
    ("join-again", "IMPI-040", [command("IMPI", ints(0))]),
    ("command-length", "IMPI-021", [command("COLL", b"", length=-4)]),
]

# the same for the server, behind the client's COLL of 0x1000
SPREAD = [
    ("spread-mask", "IMPI-046", [command("COLL", ints(0x1000, 2, 0, 0))]),
    ("spread-data", "IMPI-045", [command("COLL", ints(0x1000, 1, 0, 1))]),
    ("all-done-early", "IMPI-075", [command("DONE")]),
    ("size-form", "IMPI-042", [command("IMPI", ints(1, 1))]),
]

# name of the rule, requirement, packets of A's host (side 1) and of B's (side 0); the last one is the violation
CHANNEL = [
    ("packet-source", "IMPI-112", [(1, packet("DATA", process("127.0.0.2", 99), B))]),
    ("packet-dest", "IMPI-112", [(1, packet("DATA", A, process("127.0.0.3", 99)))]),
    ("data-limit", "IMPI-111", [(1, packet("DATASYNC", A, B, bytes(101)))]),
    ("tag-range", "IMPI-107", [(1, packet("DATA", A, B, tag=-3))]),
    ("lsrank", "IMPI-116", [(1, packet("DATA", A, B, lsrank=1))]),
    ("above-hiwater", "IMPI-126", [(1, packet("DATA", A, B))] * 5),
    ("protoack-early", "IMPI-129", [(1, packet("DATA", A, B)), (0, packet("PROTOACK", B, A))]),
    ("syncack-unasked", "IMPI-146", [(0, packet("SYNCACK", B, A, srqid=3))]),
    ("syncack-again", "IMPI-146", [(1, packet("DATASYNC", A, B, srqid=3)), (0, packet("SYNCACK", B, A, srqid=3)),
                                   (0, packet("SYNCACK", B, A, srqid=3))]),
    ("long-by-data", "IMPI-148", [(1, packet("DATA", A, B, bytes(100), **LONG))]),
    ("long-unacked", "IMPI-150", [(1, packet("DATASYNC", A, B, bytes(100), **LONG)),
                                  (1, packet("DATA", A, B, bytes(100), **LONG))]),
    ("long-drqid", "IMPI-151", [(1, packet("DATASYNC", A, B, bytes(100), **LONG)),
                                (0, packet("SYNCACK", B, A, srqid=7, drqid=5)),
                                (1, packet("DATA", A, B, bytes(100), drqid=6, **LONG))]),
    ("cancel-unasked", "IMPI-170", [(0, packet("CANCELNO", B, A, srqid=3))]),
    ("packet-type", "IMPI-109", [(1, packet(8, A, B))]),
    ("fini-again", "IMPI-089", [(1, packet("FINI", A, B)), (1, packet("FINI", A, B))]),
    ("data-after-fini", "IMPI-177", [(1, packet("FINI", A, B)), (1, packet("DATA", A, B))]),
]


def ids(rows):
    """Names for parameters."""
    return [row[0] for row in rows]


def joined(capture):
    """A client of a job of one that has joined."""
    return join(capture, 0, 1)


@pytest.mark.parametrize("rule, requirement, messages", CLIENT, ids=ids(CLIENT))
def test_a_client(tshark, capture_path, rule, requirement, messages):
    capture = Capture()
    connection = joined(capture)
    numbers = [connection.send(0, octets) for octets in messages]
    assert requirement in violations(tshark, capture.write(capture_path))[numbers[-1]]
    assert rules(tshark, capture_path, rule) == numbers[-1:]


@pytest.mark.parametrize("rule, requirement, messages", SPREAD, ids=ids(SPREAD))
def test_a_server(tshark, capture_path, rule, requirement, messages):
    capture = Capture()
    connection = joined(capture)
    connection.send(0, command("COLL", ints(0x1000, 0, 0)))
    numbers = [connection.send(1, octets) for octets in messages]
    assert requirement in violations(tshark, capture.write(capture_path))[numbers[-1]]
    assert rules(tshark, capture_path, rule) == numbers[-1:]


@pytest.mark.parametrize("rule, requirement, packets", CHANNEL, ids=ids(CHANNEL))
def test_a_host(tshark, capture_path, rule, requirement, packets):
    capture = Capture()
    start(capture, TWO, datalen=100, ackmark=2, hiwater=4)
    connection = channel(capture, TWO, 1, 0)
    numbers = [connection.send(side, octets) for side, octets in packets]
    assert violations(tshark, capture.write(capture_path)) == {numbers[-1]: [requirement]}
    assert rules(tshark, capture_path, rule) == numbers[-1:]


def test_a_host_that_connects_to_a_higher_one(tshark, capture_path):
    capture = Capture()
    start(capture, TWO)
    channel(capture, TWO, 0, 1)
    assert list(violations(tshark, capture.write(capture_path)).values()) == [["IMPI-082"]]


def test_a_whole_job_breaks_nothing(tshark, capture_path):
    capture = Capture()
    clients = start(capture, TWO, ackmark=2, hiwater=2)
    connection = channel(capture, TWO, 1, 0)
    for tag in range(5):
        connection.send(1, packet("DATA", A, B, b"x", tag=tag) + packet("DATA", A, B, b"y", tag=tag))
        connection.send(0, packet("PROTOACK", B, A))
    connection.send(0, packet("FINI", B, A))
    connection.send(1, packet("FINI", A, B))
    connection.close()
    for client in clients:
        client.send(0, command("FINI"))
        client.close()
    assert violations(tshark, capture.write(capture_path)) == {}
    assert tshark.shown(capture_path, "_ws.malformed or impi.cut or impi.lost") == []


def test_a_size_before_all_have_joined(tshark, capture_path):
    """Only who has seen every client can tell: here the second client comes later."""
    capture = Capture()
    first, second = joined_early(capture), Connection(capture, ("127.0.0.3", 30001), SERVER)
    second.send(0, command("AUTH", ints(1)))
    second.send(1, ints(0, 0))
    assert violations(tshark, capture.write(capture_path)) == {}
    for _ in range(CLOSE):
        second.segment(0, b"", ACK_FLAG)
    second.send(0, command("IMPI", ints(1)))
    assert violations(tshark, capture.write(capture_path)) == {first: ["IMPI-041"]}


def joined_early(capture):
    """A client that is told the size 2 at once; returns the packet with the size."""
    return join(capture, 0, 0).send(1, command("IMPI", ints(2)))


def test_the_words_name_what_differs(tshark, capture_path):
    capture = Capture()
    start(capture, TWO, datalen=100)
    connection = channel(capture, TWO, 1, 0)
    connection.send(1, packet("DATA", A, B, bytes(101)))
    text = tshark.experts(capture.write(capture_path))
    assert "IMPI-111: a packet has more data than was negotiated: pk_len is 101 instead of 100" in text


def test_analysis_can_be_switched_off(tshark, capture_path):
    capture = Capture()
    start(capture, TWO)
    connection = channel(capture, TWO, 1, 0)
    connection.send(1, packet("DATASYNC", A, B, tag=-3))
    connection.send(0, packet("SYNCACK", B, A))
    capture.write(capture_path)
    assert tshark.shown(capture_path, "impi.requirement") != []
    quiet = ("-o", "impi.analyse:FALSE")
    assert tshark.shown(capture_path, "impi.requirement or impi.request_in or impi.flow.sent", *quiet) == []


def test_after_octets_that_are_missing_nothing_is_judged(tshark, capture_path):
    """The PROTOACK that would look too early answers packets that the capture lacks."""
    capture = Capture()
    start(capture, TWO)
    connection = channel(capture, TWO, 1, 0)
    connection.skip(1, 256)
    connection.send(1, packet("DATA", A2, B, b"x", lsrank=1))
    connection.send(0, packet("PROTOACK", B, A))
    assert violations(tshark, capture.write(capture_path)) == {}


# who closes first (0: B's host) after which packets of both sides; the requirement that this breaks
CLOSINGS = [
    ("closed-without-fini", "IMPI-090", [(1, packet("DATA", A, B))], 1),
    ("closed-before-fini", "IMPI-090", [(1, packet("FINI", A, B))], 1),
    ("closed-inside", "IMPI-090", [(1, packet("FINI", A, B)), (0, packet("FINI", B, A)),
                                   (0, packet("PROTOACK", B, A)[:60])], 0),
]


@pytest.mark.parametrize("rule, requirement, packets, closer", CLOSINGS, ids=ids(CLOSINGS))
def test_how_a_channel_ends(tshark, capture_path, rule, requirement, packets, closer):
    """Said in the packet with the FIN, which has no data."""
    capture = Capture()
    start(capture, TWO)
    connection = channel(capture, TWO, 1, 0)
    for side, octets in packets:
        connection.send(side, octets)
    number = connection.finish(closer)
    connection.finish(1 - closer)
    found = violations(tshark, capture.write(capture_path))
    assert requirement in found[number]
    assert rules(tshark, capture_path, rule)[0] == number


def test_a_command_that_is_cut_off(tshark, capture_path):
    capture = Capture()
    connection = joined(capture)
    connection.send(0, command("COLL", ints(0x1000, 0, 0))[:15])
    number = connection.finish(0)
    assert violations(tshark, capture.write(capture_path)) == {number: ["IMPI-021"]}
