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
from wireshark import DECODE_AS
from impi_octets import SERVER, TWO, channel, command, ints, packet, process, start

GOLDEN = pathlib.Path(__file__).parent / "golden"


def conversation(root, connection):
    """A whole exchange without fault, the second put cut over two segments."""
    connection.send(0, vector(root, "stream"))
    connection.send(1, vector(root, "hello-answer") + vector(root, "ack"))
    connection.send(1, vector(root, "reply"))
    connection.send(0, vector(root, "put")[:30])
    connection.send(0, vector(root, "put")[30:])
    connection.send(1, vector(root, "ack"))


def violations(root, connection):
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


def trees(text, protocol):
    """One protocol's parts of packet details, without the lines of others."""
    kept, inside = [], False
    for line in text.splitlines():
        if re.match(r"Frame \d+:", line):
            kept.append(line.split(":")[0])
        if not line.startswith(" "):
            inside = line.startswith(protocol)
        if inside and line:
            kept.append(line)
    return "\n".join(kept) + "\n"


@pytest.mark.parametrize("make", [conversation, violations, beginnings], ids=lambda make: make.__name__)
def test_golden(tshark, capture_path, root, make):
    capture = Capture()
    make(root, Connection(capture))
    capture.write(capture_path)
    listed = "".join(f"{line}\n" for line in tshark.info(capture_path, *DECODE_AS))
    text = listed + "\n" + trees(tshark.details(capture_path, *DECODE_AS, opened="portals"), "Portals")
    compare(make.__name__, text)


def compare(name, text):
    """The text is that of golden/NAME.txt, or becomes it."""
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("ASSAY_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text)
    assert text == golden.read_text()


def test_golden_impi(tshark, capture_path):
    """A job with something of everything, broken in one place, and what nobody knows."""
    a, b = process("127.0.0.2", 65), process("127.0.0.3", 67)
    long = {"srqid": 7, "msglen": 12, "tag": 3}
    capture = Capture()
    clients = start(capture, TWO, datalen=8, ackmark=2, hiwater=4)
    connection = channel(capture, TWO, 1, 0)
    connection.send(1, packet("DATA", a, b, b"short", tag=1, count=5))
    connection.send(1, packet("DATASYNC", a, b, b"longmess", **long))
    connection.send(0, packet("PROTOACK", b, a) + packet("SYNCACK", b, a, srqid=7, drqid=1))
    connection.send(1, packet("DATA", a, b, b"ages", drqid=1, **long))
    connection.send(1, packet("CANCEL", a, b, srqid=9))
    connection.send(0, packet("CANCELNO", b, a, srqid=9))
    connection.send(1, packet("DATA", a, b, b"x", tag=-1))
    connection.send(1, packet("FINI", a, b))
    connection.send(0, packet("FINI", b, a))
    connection.close()
    clients[0].send(0, command("FINI"))
    outsider = Connection(capture, ("127.0.0.4", 30009), SERVER)
    outsider.send(0, command("AUTH", ints(3, 4)))
    outsider.send(1, ints(1, 0))
    outsider.send(0, (5678).to_bytes(8, "big") + command("XYZW", b"opaque") + command("COLL", ints(0x1250, 1)))
    outsider.send(0, command("COLL", b"", length=-1))
    listed = "".join(f"{line}\n" for line in tshark.info(capture.write(capture_path), shown="impi"))
    kept = "frame.number in {7, 8, 13, 23, 24, 61, 63, 79..99}"
    text = tshark.details(capture_path, shown=f"impi && {kept}", opened="impi")
    compare("impi", listed + "\n" + trees(text, "Interoperable MPI"))
