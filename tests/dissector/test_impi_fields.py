# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Every field of every packet in the vectors is shown with the value that stands there, and as used or unused.

The vectors are written by hand, one field a line, and name the field in the line's comment: that is the expectation.
"""

import ipaddress
import pathlib
import re

import pytest

from capture import Capture, Connection, hex_octets, vector
from impi_octets import ints

LINE = re.compile(r"^([0-9a-f ]+?)\s+# (pk_[a-z._]+|data)\b", re.IGNORECASE)
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "wire" / "vectors" / "impi-packet"
NAMES = sorted(path.stem for path in FOLDER.glob("*.hex") if path.stem != "stream")
ADDRESSED = {"pk_type", "pk_src.p_hostid", "pk_src.p_pid", "pk_dest.p_hostid", "pk_dest.p_pid"}
ALL = ADDRESSED | {"pk_len", "pk_srqid", "pk_drqid", "pk_msglen", "pk_lsrank", "pk_tag", "pk_cid", "pk_seqnum",
                   "pk_count", "pk_dtype", "pk_reserved"}
# table 3.1 of the document
USED = {0: ALL - {"pk_reserved"}, 1: ALL - {"pk_reserved"}, 2: ADDRESSED, 3: ADDRESSED | {"pk_srqid", "pk_drqid"},
        4: ADDRESSED | {"pk_srqid"}, 5: ADDRESSED | {"pk_srqid"}, 6: ADDRESSED | {"pk_srqid"}, 7: {"pk_type"}}
SIGNED = {"pk_src.p_pid", "pk_dest.p_pid", "pk_lsrank", "pk_tag", "pk_count"}


def rows(name):
    """Field and octets of each line of a vector."""
    lines = (FOLDER / f"{name}.hex").read_text().splitlines()
    found = [match.groups()[::-1] for match in map(LINE.match, lines) if match]
    assert {field for field, _ in found} >= ALL
    return [(field, hex_octets(octets)) for field, octets in found]


def shown(field, octets, text):
    """Whether tshark's text says what the octets are."""
    if field.endswith("p_hostid"):
        return ipaddress.IPv6Address(octets) == ipaddress.IPv6Address(text)
    return int(text, 0) == int.from_bytes(octets, "big", signed=field in SIGNED)


@pytest.fixture(scope="module")
def dissected(tshark, root):
    """What tshark shows of each vector, behind the rank that opens a channel: filter name -> values."""
    capture = Capture()
    fields = [f"impi.{part}{field}" for part in ("", "unused.") for field in sorted(ALL)] + ["impi.data"]
    for number, name in enumerate(NAMES):
        connection = Connection(capture, ("127.0.0.1", 40000 + number), ("127.0.0.2", 47002))
        connection.send(0, ints(1))
        connection.send(0, vector(root, f"impi-packet/{name}"))
    path = capture.write(tshark.folder / "impi-packets.pcap")
    packets = tshark.fields(path, *fields, shown="impi.pk_type",
                            arguments=("-d", "tcp.port==47002,impi", "-o", "impi.desegment:FALSE"))
    assert len(packets) == len(NAMES)
    return {name: dict(zip(fields, packet)) for name, packet in zip(NAMES, packets)}


@pytest.mark.parametrize("name", NAMES)
def test_every_field_of_a_packet(dissected, name):
    told = dict(rows(name))
    used = USED[int.from_bytes(told["pk_type"], "big")]
    for field, octets in told.items():
        cells = dissected[name]
        if field == "data":
            assert cells["impi.data"] == [octets.hex()]
            continue
        here, not_here = ("", "unused.") if field in used else ("unused.", "")
        assert cells[f"impi.{not_here}{field}"] == [], field
        assert len(cells[f"impi.{here}{field}"]) == 1, field
        assert shown(field, octets, cells[f"impi.{here}{field}"][0]), (field, octets.hex(), cells)


@pytest.mark.parametrize("label, octets, field, values", [
    (0x1000, ints(0, 0, 1, 2), "c_version", ["0.0", "1.2"]),
    (0x1100, ints(-1), "c_nhosts", ["4294967295"]),
    (0x1200, ints(7), "c_nprocs", ["7"]),
    (0x1300, ints(-2), "c_datalen", ["4294967294"]),
    (0x1400, ints(-2), "c_tagub", ["-2"]),
    (0x1500, ints(-1), "c_coll_xsize", ["-1"]),
    (0x1600, ints(8), "c_coll_maxlinear", ["8"]),
    (0x2000, bytes(10) + b"\xff\xff\x7f\x00\x00\x02" + bytes(15) + b"\x01", "h_ipv6", ["::ffff:127.0.0.2", "::1"]),
    (0x2100, ints(1, 65535), "h_port", ["1", "65535"]),
    (0x2200, ints(3), "h_nprocs", ["3"]),
    (0x2300, ints(10), "h_ackmark", ["10"]),
    (0x2400, ints(20), "h_hiwater", ["20"]),
    (0x3000, b"\x20\x01" + bytes(13) + b"\x09", "p_ipv6", ["2001::9"]),
    (0x3100, b"\xff" * 8 + (2**40).to_bytes(8, "big"), "p_pid", ["-1", str(2**40)]),
])
def test_values_of_each_label(tshark, capture_path, label, octets, field, values):
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, b"AUTH" + ints(4, 1) + b"COLL" + ints(4 + len(octets), label) + octets)
    assert tshark.fields(capture.write(capture_path), f"impi.{field}", shown="impi") == [[values]]


def test_no_other_protocol_has_these_names(tshark):
    """Fields of one of Wireshark's own protocols begin with the same four letters; none has the same name."""
    parents = {}
    for row in tshark.registered:
        if row[0] == "F" and row[2].startswith("impi."):
            parents.setdefault(row[2], set()).add(row[4])
    ours = {name for name, of in parents.items() if "impi" in of}
    assert {"impi.pk_type", "impi.unused.pk_tag", "impi.h_port", "impi.flow.unacked"} <= ours
    assert all(parents[name] == {"impi"} for name in ours)
