# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""What a person sees, word for word: the packet list and the trees of a few conversations.

A change of the dissector's words shows up here as a difference to golden/NAME.txt. When it is meant, write the files
anew with ASSAY_GOLDEN=write and read the difference before it is committed.
"""

import os
import pathlib
import re

import pytest

from capture import Capture, Connection, vector
from conftest import DECODE_AS

GOLDEN = pathlib.Path(__file__).parent / "golden"


def conversation(root, connection):
    """A whole exchange without fault, the second put cut over two segments."""
    connection.send(0, vector(root, "stream"))
    connection.send(1, vector(root, "hello-answer") + vector(root, "ack"))
    connection.send(1, vector(root, "reply"))
    connection.send(0, vector(root, "put")[:30])
    connection.send(0, vector(root, "put")[30:])
    connection.send(1, vector(root, "ack"))


def breaches(root, connection):
    """Messages that a receiver discards, then one after which it closes the stream."""
    connection.send(0, vector(root, "hello"))
    connection.send(1, vector(root, "hello-answer"))
    for name in ("initiator-forged-rank", "target-wrong-nid", "ack-overfull", "get-without-md", "barrier-round-32",
                 "operation-unknown"):
        connection.send(0, vector(root, f"invalid/{name}"))
    connection.send(0, b"octets of which nothing can be told")


def beginnings(root, connection):
    """A stream that does not open with a HELLO."""
    connection.send(0, vector(root, "put") + vector(root, "get"))
    connection.send(1, vector(root, "hello-answer"))


def trees(text):
    """The Portals parts of tshark's packet details, without the lines of other protocols."""
    kept, inside = [], False
    for line in text.splitlines():
        if re.match(r"Frame \d+:", line):
            kept.append(line.split(":")[0])
        if not line.startswith(" "):
            inside = line.startswith("Portals")
        if inside and line:
            kept.append(line)
    return "\n".join(kept) + "\n"


@pytest.mark.parametrize("make", [conversation, breaches, beginnings], ids=lambda make: make.__name__)
def test_golden(tshark, capture_path, root, make):
    capture = Capture()
    make(root, Connection(capture))
    capture.write(capture_path)
    listed = "".join(f"{line}\n" for line in tshark.info(capture_path, *DECODE_AS))
    text = listed + "\n" + trees(tshark.read(capture_path, *DECODE_AS, "-O", "portals", "-Y", "portals"))
    golden = GOLDEN / f"{make.__name__}.txt"
    if os.environ.get("ASSAY_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text)
    assert text == golden.read_text()
