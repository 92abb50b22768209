# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Where nobody asks for fields of Portals or IMPI, none are made; what others show of their messages is the same."""

import pytest

from capture import Capture, Connection, vector
from wireshark import DECODE_AS


@pytest.fixture(name="path", params=["portals", "impi"])
def fixture_path(request, root, capture_path):
    """Messages with data, among them one that breaks a rule or is remarkable."""
    if request.param == "impi":
        capture_path.write_bytes((root / "tests" / "captures" / "lam-impi.pcap").read_bytes())
        capture_path.chmod(0o644)
        return capture_path
    capture = Capture()
    connection = Connection(capture)
    for side, name in ((0, "hello"), (1, "hello-answer"), (0, "put"), (1, "ack"), (1, "ack")):
        connection.send(side, vector(root, name))
    return capture.write(capture_path)


@pytest.mark.parametrize("passes", [1, 2])
@pytest.mark.parametrize("others", ["data.data", "_ws.expert.severity >= 0x00400000", "tcp.len > 0"])
def test_others_see_the_same(tshark, path, others, passes):
    def shown(asked):
        return tshark.read(path, *DECODE_AS, "-Y", asked, "-T", "fields", "-e", "frame.number", "-e", "data.len",
                           passes=passes)

    alone = shown(others)
    assert alone.count("\n") > 0 and alone == shown(f"({others}) && (portals.data.octets || impi.pk_tag || frame)")
