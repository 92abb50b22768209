# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""What a sharkd that stays says of a field is what tshark prints, so that tests may ask either."""

import shutil

import pytest

from capture import Capture, Connection, vector
from test_impi_lam import CAPTURE
from test_intercept import PATTERN, frames
from wireshark import COLUMNS_MAX, DECODE_AS, PLAIN

CONDITIONS = [(), DECODE_AS, ("-o", "portals.desegment:FALSE", "-o", "impi.desegment:FALSE"),
              ("-o", "tcp.reassemble_out_of_order:TRUE")]


@pytest.fixture(name="captures", scope="module")
def fixture_captures(tshark, root):
    """protocol -> a capture with much of it."""
    portals = Capture()
    connection = Connection(portals)
    connection.send(0, vector(root, "stream") + vector(root, "invalid/target-wrong-nid"))
    connection.send(1, vector(root, "hello-answer") + vector(root, "ack") + vector(root, "reply"))
    connection.send(0, vector(root, "put")[:40])
    connection.skip(0, 30)
    connection.send(0, vector(root, "put") + vector(root, "barrier"))
    made = {"portals": portals.write(tshark.folder / "plain-portals.pcap")}
    made["impi"] = readable(CAPTURE, tshark.folder / "plain-impi.pcap")
    network = frames.Network()
    network.put_short(0, PATTERN[:3000])
    network.connect()
    network.put_long(1, PATTERN, 17)
    made["intercept"] = tshark.folder / "plain-intercept.pcap"
    made["intercept"].write_bytes(network.capture())
    made["intercept"].chmod(0o644)
    return made


def readable(source, target):
    """A copy that anybody may read."""
    shutil.copy(source, target)
    target.chmod(0o644)
    return target


@pytest.mark.parametrize("protocol", ["portals", "impi", "intercept"])
def test_both_print_the_same(tshark, captures, protocol):
    others = tuple(f"{other}." for other in captures if other != protocol)
    names = sorted(name for name in PLAIN if not name.startswith(others))
    for arguments in CONDITIONS if protocol == "portals" else CONDITIONS[:1]:
        printed = tshark.printed(captures[protocol], *names, arguments=arguments, shown=protocol)
        for first in range(0, len(names), COLUMNS_MAX):
            some = slice(first, first + COLUMNS_MAX)
            asked = tshark.fields(captures[protocol], *names[some], arguments=arguments, shown=protocol)
            assert asked and asked == [packet[some] for packet in printed]
