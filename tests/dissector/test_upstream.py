# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""The sources for Wireshark's own tree show what the plugin shows: fields, links, messages put together, tables; and
hold nothing that a reader of the tree would not know."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "upstream"))

import made  # noqa: E402 pylint: disable=wrong-import-position
import wireshark  # noqa: E402 pylint: disable=wrong-import-position
from capture import Capture, Connection, vector  # noqa: E402 pylint: disable=wrong-import-position
from impi_octets import packet, process  # noqa: E402 pylint: disable=wrong-import-position
from test_fields import VECTORS  # noqa: E402 pylint: disable=wrong-import-position

GROUPS = "|".join(["breach", "note", "barrier", "flow", "collective", "unused", "fragments?"])
LEFT_OUT = re.compile(rf"\.({GROUPS})\b" r"|match_bits\.|continu|undecoded|cancel|_in$|rank$"
                      r"|requirement|noted|octets|\.message$|payload|\.client$|auth_mask\.|(first|next)_in|values"
                      r"|echo_differs|unasked|^portals\.(initiator|target)$|^impi\.(src|dest)$|^\w+\.(cut|lost|broken"
                      r"|unknown|shape|data\.octets)$")
LINKS = {"portals": ["request_in", "response_in", "time"], "impi": ["request_in", "response_in", "time",
                                                                   "reassembled.in", "reassembled.length"]}


@pytest.fixture(scope="module", name="upstream")
def fixture_upstream(build, root):
    """The folder of the sources."""
    subprocess.run(["make", "-s", f"B={build}", "dissector-upstream"], cwd=root, check=True, timeout=600,
                   env=os.environ | {"MAKEFLAGS": ""})
    return build / "upstream"


@pytest.fixture(scope="module", name="other")
def fixture_other(upstream, variant):
    """tshark with these dissectors and not the plugin."""
    if variant == "asan":
        pytest.skip("the sources are compiled as a tree compiles them")
    folder = wireshark.public_folder()
    reader = wireshark.Tshark(made.plugin(upstream, folder), folder)
    yield reader
    reader.close()
    shutil.rmtree(folder)


def fields(tshark, protocol):
    """Names of the fields of a protocol."""
    return {row[2] for row in tshark.registered if row[2].startswith(f"{protocol}.")}


def compared(tshark, other, path, protocol, names):
    """Both show the same of these fields, in two passes, of all packets."""
    shown = []
    for reader in (tshark, other):
        copy = pathlib.Path(shutil.copy(path, reader.folder / "compared.pcap"))
        copy.chmod(0o644)
        shown.append(reader.fields(copy, "frame.number", *names, shown=protocol))
    for one, two in zip(*shown):
        assert one == two
    assert len(shown[0]) == len(shown[1]) > 0
    return shown[0]


@pytest.mark.parametrize("protocol", ["portals", "impi"])
def test_fields_are_the_plugins(tshark, other, protocol):
    """By name; what only judging, ranks and flow control need is left out, and what a library says in match bits."""
    ours, theirs = fields(tshark, protocol), fields(other, protocol)
    assert {name for name in ours - theirs if not LEFT_OUT.search(name)} == set()
    assert {name for name in theirs - ours if not LEFT_OUT.search(name)} <= {
        "portals.operation.unknown", "portals.length.too_long", "impi.pk_type.unknown", "impi.length.negative"}


def test_a_job(tshark, other, root):
    """A real job: start-up, messages of all kinds, a long one."""
    names = sorted(name for name in fields(tshark, "impi") & fields(other, "impi") if not LEFT_OUT.search(name))
    names += [f"impi.{name}" for name in LINKS["impi"] if f"impi.{name}" not in names]
    path = root / "tests" / "captures" / "lam-impi.pcap"
    assert len(names) > 35
    rows = compared(tshark, other, path, "impi", names)
    assert len(rows) > 100 and any(row[names.index("impi.reassembled.length") + 1] for row in rows)


def test_every_message_of_portals(tshark, other, root, capture_path):
    """The vectors, each in a stream that begins with a HELLO."""
    names = sorted(name for name in fields(tshark, "portals") & fields(other, "portals") if not LEFT_OUT.search(name))
    names = [name for name in names if name not in {f"portals.{link}" for link in LINKS["portals"]}]
    capture = Capture()
    for number, name in enumerate(VECTORS):
        connection = Connection(capture, ("127.0.0.1", 40000 + number))
        connection.send(0, vector(root, "hello") + (b"" if name.startswith("hello") else vector(root, name)))
    compared(tshark, other, capture.write(capture_path), "portals", names)


def test_links_of_portals(tshark, other, root, capture_path):
    """Puts and gets with what answers them, twice."""
    capture = Capture()
    for port in (40000, 40001):
        connection = Connection(capture, ("127.0.0.1", port))
        connection.send(0, vector(root, "stream"))
        connection.send(1, vector(root, "hello-answer") + vector(root, "ack") + vector(root, "reply"))
    names = [f"portals.{name}" for name in LINKS["portals"]]
    rows = compared(tshark, other, capture.write(capture_path), "portals", names)
    assert sum(len(row[1]) for row in rows) == 4


def tagged(octets, header, operation=None):
    """A message as Portals 3.2 sends it: its operation by 32 higher, a tag of 20 octets behind its header."""
    return bytes([0, 0, 0, 32 + (operation or octets[3])]) + octets[4:header] + bytes(20) + octets[header:]


def test_links_of_tagged_messages(tshark, other, root, capture_path):
    """A put and its acknowledgement; a getput, which a reply answers."""
    capture = Capture()
    connection = Connection(capture)
    put, get = vector(root, "put"), vector(root, "get")
    exchanged = bytes(int.from_bytes(get[68:76], "big"))
    connection.send(0, vector(root, "hello") + tagged(put, 76) + tagged(get, 76, 8) + exchanged)
    connection.send(1, vector(root, "hello-answer") + tagged(vector(root, "ack"), 80))
    connection.send(1, tagged(vector(root, "reply"), 80))
    names = [f"portals.{name}" for name in LINKS["portals"]] + ["portals.operation"]
    rows = compared(tshark, other, capture.write(capture_path), "portals", names)
    assert [[len(cells) for cells in row[1:4]] for row in rows] == [[0, 2, 0], [1, 0, 1], [1, 0, 1]]


def test_tables(other, root, capture_path):
    """Response times, conversations, counts."""
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "stream"))
    connection.send(1, vector(root, "hello-answer") + vector(root, "ack") + vector(root, "reply"))
    path = shutil.copy(capture.write(capture_path), other.folder)
    text = other.read(path, "-q", "-z", "portals,srt", "-z", "conv,portals", "-z", "endpoints,portals", "-z",
                      "portals,tree")
    assert re.search(r"^ +2 +Put to acknowledgement +1 +0\.001", text, re.MULTILINE)
    assert re.search(r"^ +4 +Get to reply +1 +0\.001", text, re.MULTILINE)
    assert re.search(r"^0 +<-> 1 ", text, re.MULTILINE) and re.search(r"^ Put request +2 ", text, re.MULTILINE)


def test_odd_messages(other, capture_path):
    """Unknown operations and types, and lengths that cannot be, are told and stop nothing."""
    a, b = process("127.0.0.2", 65), process("127.0.0.3", 67)
    capture = Capture()
    portals = Connection(capture, ("127.0.0.1", 40000))
    portals.send(0, b"PTL3" + bytes(44))
    portals.send(0, b"\0\0\0\7" + bytes(80))
    portals.send(1, b"\0\0\0\1" + bytes(64) + b"\xff" * 8 + b"data")
    impi = Connection(capture, ("127.0.0.1", 41000), ("127.0.0.1", 51000))
    impi.send(0, bytes(4) + packet("DATA", a, b, b"x"))
    impi.send(0, packet(77, a, b))
    link = Connection(capture, ("127.0.0.1", 42000), ("127.0.0.1", 52000))
    link.send(0, b"AUTH\0\0\0\4\0\0\0\1" + b"COLL\xff\xff\xff\xff")
    path = shutil.copy(capture.write(capture_path), other.folder)
    found = {name: other.shown(path, name) for name in (
        "portals.operation.unknown", "portals.length.too_long", "impi.pk_type.unknown", "impi.length.negative")}
    assert [len(packets) for packets in found.values()] == [2, 1, 1, 1]  # what stands behind too long a length is none


def test_the_samples_are_sound(upstream, other, bin_dir):
    """They show each kind of message, and break nothing."""
    for name, field, least in (("portals", "portals.operation", 7), ("impi", "impi.pk_type", 4)):
        path = pathlib.Path(shutil.copy(upstream / f"{name}.pcap", other.folder))
        assert len({value for row in other.fields(path, field, shown=name) for value in row[0]}) >= least
        done = subprocess.run([bin_dir / "assay", "check", path], capture_output=True, text=True, check=False)
        assert done.returncode == 0 and ": 0 violations" in done.stdout, done.stdout


def test_nothing_of_ours_is_needed(upstream):
    """No requirement, no library of this tree, fields as text."""
    for name in made.NAMES:
        text = (upstream / name).read_text()
        assert not re.search(r"wire_|WIRE_|\bP30-|\bPW-|IMPI-\d|assay\b|^@", text, re.MULTILINE)
        assert text.count("HFILL") > 30
