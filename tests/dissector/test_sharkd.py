# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""What a sharkd that stays says of a field is what tshark prints, so that tests may ask either; and it is refused what
it cannot read."""

import shutil

import pytest

from capture import Capture, Connection, vector
from test_impi_lam import CAPTURE
from test_intercept import PATTERN, frames
from wireshark import COLUMNS_MAX, DECODE_AS, PLAIN, VALUED

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
    """Plain fields in columns, under each of the conditions; and in packets' details every field of the protocol."""
    others = tuple(f"{other}." for other in captures if other != protocol)
    plain = sorted(name for name in PLAIN if not name.startswith(others))
    valued = sorted({row[2] for row in tshark.registered if row[2].startswith(f"{protocol}.") and VALUED.match(row[2])})
    names = sorted({*plain, *valued})
    for arguments in CONDITIONS if protocol == "portals" else CONDITIONS[:1]:
        told = tshark.printed(captures[protocol], *names, arguments=arguments, shown=protocol)
        printed = [dict(zip(names, packet)) for packet in told]
        assert sum(any(packet[name] for packet in printed) for name in set(valued) - PLAIN) > 15
        for some in (plain[:COLUMNS_MAX], plain[COLUMNS_MAX:], valued):
            asked = tshark.fields(captures[protocol], *some, arguments=arguments, shown=protocol)
            assert asked == [[packet[name] for name in some] for packet in printed]


def test_a_capture_that_cannot_be_read(tshark, captures):
    """One that is cut off, of which sharkd says nothing, one that is no capture and one that is not there are refused
    at once, and the next one is read."""
    octets = captures["impi"].read_bytes()
    for name, kept, words in (("cut", octets[:5000], "cut short or damaged behind packet"),
                              ("damaged", octets[:40] + b"\xff" * 200, "cut short or damaged behind packet"),
                              ("none", b"nothing of the kind", "Unable to open")):
        path = tshark.folder / f"{name}.pcap"
        path.write_bytes(kept)
        path.chmod(0o644)
        with pytest.raises(AssertionError, match=words):
            tshark.fields(path, "frame.number", shown="")
    with pytest.raises(AssertionError, match="Unable to open"):
        tshark.fields(tshark.folder / "nowhere.pcap", "frame.number", shown="")
    assert len(tshark.fields(captures["impi"], "frame.number", shown="frame")) == 457
