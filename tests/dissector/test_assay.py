# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""The interpreter protocol in evidence files: lines on a connection that HTTP has handed over."""

import pytest

from capture import Capture, Connection

UPGRADE = (b"GET /connect HTTP/1.1\r\nHost: 127.0.0.1:18181\r\nConnection: Upgrade\r\nUpgrade: assay/1\r\n"
           b"Authorization: Bearer 0123456789abcdef\r\n\r\n")
SWITCHED = b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: assay/1\r\n\r\n"
NAMES = ("frame.number", "assay.kind", "assay.id", "assay.verb", "assay.rc", "assay.request_in", "assay.response_in")


@pytest.fixture
def connection():
    """A connection that has been handed over; side 0 is the interpreter, side 1 the manager."""
    made = Connection(Capture(), ("127.0.0.1", 40001), ("127.0.0.1", 18181))
    made.send(0, UPGRADE)
    made.send(1, SWITCHED)
    return made


def lines(tshark, path, connection):
    """For each packet with lines the fields of NAMES."""
    connection.capture.write(path)
    return tshark.fields(path, *NAMES, shown="assay")


def test_commands_and_replies(tshark, capture_path, connection):
    greeting = connection.send(0, b"hello versions=1 role=interpreter api=portals-3.0\n")
    ask = connection.send(1, b"1 5000 PtlInit\n2 5000 @t1 PtlNIInit interface=default\n")
    reply = connection.send(0, b"1 ok rc=PTL_OK\n2 ok rc=PTL_INV_IFACE\n")
    assert lines(tshark, capture_path, connection) == [
        [[str(greeting)], ["text"], [], ["hello"], [], [], []],
        [[str(ask)], ["command"] * 2, ["1", "2"], ["PtlInit", "PtlNIInit"], [], [], [str(reply)] * 2],
        [[str(reply)], ["reply"] * 2, ["1", "2"], ["ok"] * 2, ["PTL_OK", "PTL_INV_IFACE"], [str(ask)] * 2, []],
    ]


def test_a_line_in_pieces(tshark, capture_path, connection):
    for octet in b"17 5000 PtlPut mem_desc=md":
        connection.send(1, bytes([octet]))
    last = connection.send(1, b"\n")
    assert lines(tshark, capture_path, connection) == [[[str(last)], ["command"], ["17"], ["PtlPut"], [], [], []]]


def test_a_crash_is_marked(tshark, capture_path, connection):
    connection.send(0, b"! crash signal=SIGSEGV function=PtlPut id=17\n")
    connection.send(0, b"18 error syntax reason=what\n")
    connection.capture.write(capture_path)
    assert tshark.fields(capture_path, "assay.notice", "assay.error", shown="assay") == [[["1"], []], [[], ["1"]]]


def test_lines_that_are_none(tshark, capture_path, connection):
    """Octets that are not ASCII, a NUL, an empty line, a number that is too large: all shown, nothing malformed."""
    connection.send(0, b"\xff\xfe\xfd " * 20 + b"rc=\xff\n")
    connection.send(0, b"a\0b\n\n99999999999999999999 ok\n!\n")
    found = lines(tshark, capture_path, connection)
    assert [packet[1] for packet in found] == [["text"], ["text", "text", "reply", "notice"]]
    assert tshark.shown(capture_path, "_ws.malformed") == []


def test_a_long_line_is_cut_between_characters(tshark, capture_path, connection):
    """The information column stays valid UTF-8, wherever the 160th octet falls."""
    for shift in range(3):
        connection.send(0, b"x" * shift + b"\xff" * 200 + b"\n")
    connection.capture.write(capture_path)
    infos = tshark.info(capture_path, shown="assay")
    assert infos == ["x" * shift + "\N{REPLACEMENT CHARACTER}" * ((160 - shift) // 3) for shift in range(3)]


def test_the_greeting_tells(tshark, capture_path):
    """Evidence files leave the HTTP request out."""
    bare = Connection(Capture(), ("127.0.0.1", 40001), ("127.0.0.1", 18181))
    greeting = bare.send(0, b"hello versions=1 role=agent\n")
    answer = bare.send(1, b"refuse reason=unknown%20token\n")
    found = lines(tshark, capture_path, bare)
    assert [(packet[0], packet[3]) for packet in found] == [([str(greeting)], ["hello"]), ([str(answer)], ["refuse"])]
