# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Every field of every vector is shown with the value that stands in the vector.

The vectors are written by hand, one field a line, and name the field in the line's comment: that is the expectation.
"""

import ipaddress
import re

import pytest

from capture import Capture, Connection, hex_octets, vector
from wireshark import DECODE_AS

LINE = re.compile(r"^([0-9a-f ]+?)\s+# ([a-z_]+(?:\.[a-z]+)?)\b", re.IGNORECASE)
VECTORS = ("put", "put-noack-empty", "put-zeros", "ack", "ack-truncated", "ack-ones", "get", "get-zeros", "get-ones",
           "reply", "reply-empty", "hello", "hello-answer", "hello-ones", "barrier", "barrier-ones")


def rows(root, name):
    """Field and octets of each line of a vector; the data is a field of its own."""
    text = (root / "wire" / "vectors" / f"{name}.hex").read_text()
    found = [(match.group(2), hex_octets(match.group(1))) for match in map(LINE.match, text.splitlines()) if match]
    assert len(found) >= 11
    return found


def shown(octets, text):
    """Whether tshark's text says what the octets are."""
    if re.fullmatch(r"\d+\.\d+\.\d+\.\d+", text):
        return ipaddress.IPv4Address(octets) == ipaddress.IPv4Address(text)
    return int(text, 0) == int.from_bytes(octets, "big")


@pytest.fixture(scope="module")
def dissected(tshark, root):
    """What tshark shows of each vector: field -> values."""
    capture = Capture()
    fields = sorted({field for name in VECTORS for field, _ in rows(root, name)})
    for number, name in enumerate(VECTORS):
        Connection(capture, ("127.0.0.1", 40000 + number)).send(0, vector(root, name))
    path = capture.write(tshark.folder / "vectors.pcap")
    packets = tshark.fields(path, *(f"portals.{field}" for field in fields), arguments=DECODE_AS)
    assert len(packets) == len(VECTORS)
    return {name: dict(zip(fields, packet)) for name, packet in zip(VECTORS, packets)}


@pytest.mark.parametrize("name", VECTORS)
def test_every_field_of_a_vector(dissected, root, name):
    for field, octets in rows(root, name):
        cells = dissected[name][field]
        if field == "data":
            assert cells == [octets.hex()]
        else:
            assert len(cells) == 1 and shown(octets, cells[0]), (field, octets.hex(), cells)


def test_rows_and_fields_are_the_same(tshark, root):
    """Each name that a vector gives to a field is a filter."""
    known = {row[2].removeprefix("portals.") for row in tshark.registered if row[2].startswith("portals.")}
    named = {field for name in VECTORS for field, _ in rows(root, name)}
    assert named <= known and {"initiator", "target", "request_in", "response_in", "time"} <= known


def test_the_plugin_names_itself(tshark, variant):
    if variant == "asan":
        pytest.skip("tshark -G plugins starts helper programs, which hang with a preloaded sanitiser")
    assert re.search(r"^assay\.so\s+\d+\.\d+\.\d+\s+dissector\s", tshark.run("-G", "plugins").stdout, re.MULTILINE)


@pytest.mark.parametrize("layout, said", [
    ("puma-mpi", {"tag": ["19088743"], "rank": ["35243"], "context": ["6589"], "reply": ["1"], "slot": []}),
    ("assay-mpi", {"tag": [], "rank": [], "context": [], "reply": [], "slot": ["19088743"]}),
    ("none", {"tag": [], "rank": [], "context": [], "reply": [], "slot": []}),
])
def test_match_bits_of_an_mpi(tshark, root, capture_path, layout, said):
    """A put to portal 4 with bits 0x0123456789abcdef: in Assay's MPI a window's, in Puma's layout a message."""
    capture = Capture()
    Connection(capture, ("127.0.0.1", 40000)).send(0, vector(root, "put"))
    fields = [f"portals.match_bits.{name}" for name in said]
    shown_fields = tshark.fields(capture.write(capture_path), *fields,
                                 arguments=(*DECODE_AS, "-o", f"portals.match_bits:{layout}"))
    assert shown_fields == [list(said.values())]
