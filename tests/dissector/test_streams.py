# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Messages are found however TCP cuts them, and octets in which there is none do no harm."""

import struct

import pytest

from capture import Capture, Connection, vector
from wireshark import DECODE_AS

STREAM = ["HELLO", "PUT", "PUT", "GET", "BARRIER"]
GROUPED = "version 1.0 interface 0 group of 2  rank 0 -> rank 1"
PUT_HEADER = 76


def verbs(infos):
    """The first word of each entry of the information column that is about a message."""
    return [info.split(" ", 1)[0] for info in infos]


def long_put(root, octets):
    """The put of the vectors with another length; the data is the caller's to send."""
    return vector(root, "put")[:PUT_HEADER - 8] + octets.to_bytes(8, "big")


def test_several_messages_in_one_segment(tshark, capture_path, root):
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "stream"))
    connection.send(1, vector(root, "hello-answer") + vector(root, "ack") + vector(root, "reply"))
    infos = tshark.info(capture.write(capture_path))
    assert verbs(infos) == STREAM + ["HELLO", "ACK", "REPLY"]
    assert infos[0] == f"HELLO {GROUPED}"
    assert infos[1] == "PUT portal 4 bits 0x123456789abcdef 5 octets  rank 0 -> rank 1"
    assert infos[7] == "REPLY portal 5 bits 0xdeadbeef 9 of 16 octets  rank 1 -> rank 0"


@pytest.mark.parametrize("passes", ["one", "two"])
def test_a_cut_at_every_octet(tshark, capture_path, root, passes):
    """One connection for each place at which the stream can be cut in two."""
    octets = vector(root, "stream")
    capture = Capture()
    for cut in range(1, len(octets)):
        connection = Connection(capture, ("127.0.0.1", 1024 + cut))
        connection.send(0, octets[:cut])
        connection.send(0, octets[cut:])
    capture.write(capture_path)
    told = tshark.fields(capture_path, "tcp.srcport", "_ws.col.Info", arguments=DECODE_AS,
                         passes=1 if passes == "one" else 2)
    found = {}
    for (port,), (info,) in told:
        found.setdefault(int(port) - 1024, []).extend(verbs(part.strip() for part in info.split(" | ")))
    assert found == {cut: STREAM for cut in range(1, len(octets))}


def test_octet_by_octet(tshark, capture_path, root):
    capture = Capture()
    connection = Connection(capture)
    for octet in vector(root, "stream"):
        connection.send(0, bytes([octet]))
    assert verbs(tshark.info(capture.write(capture_path), *DECODE_AS)) == STREAM


def test_the_heuristic_needs_four_octets(tshark, capture_path, root):
    octets = vector(root, "stream")
    capture = Capture()
    for cut in range(1, 8):
        connection = Connection(capture, ("127.0.0.1", 1024 + cut))
        connection.send(0, octets[:cut])
        connection.send(0, octets[cut:])
    told = tshark.fields(capture.write(capture_path), "tcp.srcport", shown="portals.operation")
    assert {int(port) - 1024 for ((port,),) in told} == {4, 5, 6, 7}


def test_other_protocols_are_left_alone(tshark, capture_path):
    capture = Capture()
    for port, octets in enumerate((b"GET / HTTP/1.1\r\n\r\n", b"PTL2" + bytes(44), bytes(76), b"\1", b"\0\0\0\1" * 30)):
        Connection(capture, ("127.0.0.1", 40000 + port), ("127.0.0.2", 50002)).send(0, octets)
    assert tshark.info(capture.write(capture_path)) == []


def test_a_capture_that_starts_late(tshark, capture_path, root):
    """No HELLO, the first segment is the end of some message; then messages, told by their addresses."""
    capture = Capture()
    connection = Connection(capture, handshake=False)
    connection.send(0, b"rest of a payload")
    connection.send(0, vector(root, "put"))
    connection.send(1, vector(root, "ack"))
    connection.send(0, vector(root, "get"))
    assert verbs(tshark.info(capture.write(capture_path))) == ["PUT", "ACK", "GET"]
    assert tshark.fields(capture_path, "portals.requirement") == [[[]], [[]], [[]]]


def test_the_other_direction_starts_inside_a_message(tshark, capture_path, root):
    capture = Capture()
    connection = Connection(capture, handshake=False)
    connection.send(0, vector(root, "put"))
    connection.send(1, b"\xff" * 60)
    connection.send(1, vector(root, "ack"))
    assert verbs(tshark.info(capture.write(capture_path))) == ["PUT", "no", "ACK"]
    assert tshark.fields(capture_path, "portals.lost", "portals.requirement")[1] == [["1"], []]


def test_lost_and_repeated_segments(tshark, capture_path, root):
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "hello"))
    connection.send(1, vector(root, "hello-answer"))
    connection.send(0, vector(root, "put"))
    connection.segment(0, vector(root, "put"), at=connection.sequence[0] - 81)
    connection.skip(0, 50)
    connection.send(0, bytes(31))
    connection.send(0, vector(root, "get"))
    found = tshark.fields(capture.write(capture_path), "portals.operation", "portals.lost", "portals.requirement")
    operations = [packet[0] for packet in found]
    assert operations == [["0x50544c33"], ["0x50544c33"], ["0x00000001"], [], ["0x00000003"]]
    assert found[3][1] == ["1"] and not any(packet[2] for packet in found)


IN_ORDER = ("-o", "tcp.reassemble_out_of_order:TRUE")


def segments_of(connection, octets, cuts, order):
    """The opener's octets, cut at these places, captured in another order than they were sent in."""
    parts = list(zip((0, *cuts), (*cuts, len(octets))))
    for begin, end in (parts[i] for i in order):
        connection.segment(0, octets[begin:end], at=connection.sequence[0] + begin)
    connection.sequence[0] += len(octets)


@pytest.mark.parametrize("cuts, order", [((101, 202, 303), (0, 2, 1, 3)), ((120, 150, 303), (1, 0, 2, 3)),
                                         ((101, 160, 250), (2, 1, 0, 3)), ((10, 30, 390), (0, 3, 2, 1))])
def test_segments_out_of_order(tshark, capture_path, root, cuts, order):
    """Numbered puts, of which nothing but the place tells that they begin: Wireshark is told to wait for what is
    missing."""
    capture = Capture()
    connection = Connection(capture)
    for side, name in enumerate(("hello", "hello-answer")):
        hello = vector(root, name)
        connection.send(side, hello[:6] + b"\0\1" + hello[8:])
    numbered = [struct.pack("!IQQ", 6, 17, n + 1) + vector(root, "put") for n in range(5)]
    segments_of(connection, b"".join(numbered[:4]), cuts, order)
    connection.send(0, numbered[4])
    path = capture.write(capture_path)
    told = [verb for verb in verbs(tshark.info(path, *IN_ORDER)) if verb in ("NUMBER", "PUT")]
    assert told == ["NUMBER", "PUT"] * 5
    assert tshark.shown(path, "portals.lost or portals.requirement", *IN_ORDER) == []


def test_a_megabyte_is_put_together(tshark, capture_path, root):
    octets = 1 << 20
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "hello"))
    connection.send(1, vector(root, "hello-answer"))
    whole = long_put(root, octets) + bytes(octets) + vector(root, "get")
    for at in range(0, len(whole), 32768):
        connection.send(0, whole[at:at + 32768])
    infos = tshark.info(capture.write(capture_path))
    assert verbs(infos) == ["HELLO", "HELLO", "PUT", "GET"]
    assert " 1048576 octets" in infos[2]
    assert tshark.fields(capture_path, "data.len", shown="portals.rlength == 1048576") == [[["1048576"]]]


def continued(tshark, path, root, total, *arguments):
    """A put of `total` octets in pieces of 100, with a piece sent twice and one that the capture lacks."""
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "hello"))
    connection.send(1, vector(root, "hello-answer"))
    first = connection.send(0, long_put(root, total) + bytes(100))
    connection.send(0, bytes(100))
    connection.segment(0, bytes(100), at=connection.sequence[0] - 100)
    connection.skip(0, 100)
    connection.send(0, bytes(100))
    tail = bytes(100) + vector(root, "get")
    connection.send(0, tail[:150])
    connection.send(0, tail[150:])
    found = tshark.fields(capture.write(path), "_ws.col.Info", "portals.continuation_of", arguments=arguments)
    return first, [(packet[0][0].split(" | "), packet[1]) for packet in found[2:]]


def test_data_without_reassembly(tshark, capture_path, root):
    first, packets = continued(tshark, capture_path, root, 500, "-o", "portals.desegment:FALSE")
    assert packets[0][0][0].endswith("(data continues)") and packets[0][1] == []
    assert packets[1] == (["data continued, octets 100 to 199 of 500"], [str(first)])
    assert packets[2][0][-1] == "data continued, octets 300 to 399 of 500"
    assert packets[3][0] == ["data continued, octets 400 to 499 of 500", "broken GET: ends inside a message"]


def test_data_too_long_to_put_together(tshark, capture_path, root):
    first, packets = continued(tshark, capture_path, root, 1 << 40)
    assert packets[0][0][0].endswith(" 1099511627776 octets  rank 0 -> rank 1 (data continues)")
    assert packets[1] == (["data continued, octets 100 to 199 of 1099511627776"], [str(first)])
    assert packets[4][0] == ["data continued, octets 550 to 575 of 1099511627776"]


def test_the_limit_can_be_set(tshark, capture_path, root):
    total = (1 << 20) + 1
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "hello"))
    whole = long_put(root, total) + bytes(total) + vector(root, "get")
    for at in range(0, len(whole), 60000):
        connection.send(0, whole[at:at + 60000])
    capture.write(capture_path)
    assert verbs(tshark.info(capture_path)) == ["HELLO", "PUT", "GET"]
    found = verbs(tshark.info(capture_path, "-o", "portals.limit:1"))
    assert found[:2] == ["HELLO", "PUT"] and set(found[2:-1]) == {"data"} and found[-1] == "GET"


def test_data_that_the_capture_cuts(tshark, capture_path, root):
    """A header in a packet of its own, then data of which the capture holds the beginning only: they are not taken for
    a message, and what comes behind them is found."""
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "hello"))
    connection.send(1, vector(root, "hello-answer"))
    connection.send(0, long_put(root, 3000))
    for _ in range(2):
        connection.send(0, bytes(1500), captured=128)
    connection.send(0, vector(root, "get"))
    infos = tshark.info(capture.write(capture_path))
    assert infos[2].startswith("no message found") and verbs(infos) == ["HELLO", "HELLO", "no", "no", "GET"]
    assert tshark.shown(capture_path, "portals.requirement or portals.cut") == []


def test_packets_that_the_capture_cuts(tshark, capture_path, root):
    """A snapshot length that ends anywhere in the packet: the messages before it are shown."""
    octets = vector(root, "stream")
    capture = Capture()
    for kept in range(len(octets)):
        Connection(capture, ("127.0.0.1", 1024 + kept)).send(0, octets, captured=40 + kept)
    told = tshark.fields(capture.write(capture_path), "tcp.srcport", "portals.operation", arguments=DECODE_AS)
    ends = [48, 48 + 81, 48 + 81 + 76, 48 + 81 + 76 + 76]
    for (port,), operations in told:
        assert len(operations) >= sum(end <= int(port) - 1024 for end in ends) or not operations
    assert len(told) >= len(octets) - 4
