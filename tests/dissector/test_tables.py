# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""What Wireshark's menus tell: response times, conversations and endpoints by rank, data as files, streams;
and who dissects what travels inside messages."""

import re
import shutil

import pytest

from capture import Capture, Connection, vector
from impi_octets import packet
from test_impi_relations import A as IMPI_A, B as IMPI_B, data, job  # noqa: F401 pylint: disable=unused-import

BOTH = ("Put to acknowledgement", "Get to reply")


@pytest.fixture(name="stream", scope="module")
def fixture_stream(root, tshark):
    """A stream of rank 0 with answers of rank 1: a put of 5 octets and its acknowledgement, a get and its reply."""
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "stream"))
    connection.send(1, vector(root, "hello-answer") + vector(root, "ack") + vector(root, "reply"))
    return capture.write(tshark.folder / "tables.pcap")


@pytest.fixture(name="told", scope="module")
def fixture_told(tshark, stream):
    """What tshark prints of that stream in one run: its tables, and the data that it exports, by name of file."""
    folder = tshark.folder / "exported"
    folder.mkdir()
    folder.chmod(0o777)
    tables = ("portals,srt", "conv,portals", "endpoints,portals", "portals,tree", "follow,tcp,raw,0")
    text = tshark.read(stream, "-q", "--export-objects", f"portals,{folder}", *(w for t in tables for w in ("-z", t)))
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    shutil.rmtree(folder)
    return text, files


def asked(tshark, path, *tables):
    """What tshark prints of tables."""
    return tshark.read(path, "-q", *(word for table in tables for word in ("-z", table)))


def test_response_times(told):
    text = told[0]
    for name in BOTH:
        calls, least, most = re.search(rf"^ +\d+ +{name} +(\d+) +([\d.]+) +([\d.]+) ", text, re.MULTILINE).groups()
        assert (calls, float(least), float(most)) == ("1", 0.001, 0.001)
    assert "none" not in text


def test_conversations_and_endpoints_are_ranks(tshark, stream, told):
    """Octets of messages with their headers: HELLO, two puts, get and barrier there; HELLO, ack and reply back."""
    text = told[0]
    there, back = (int(length) for ((length,),) in tshark.fields(stream, "tcp.len"))
    ends = dict(re.findall(r"^([01]) +(\d+ +\d+ +\d+ +\d+ +\d+ +\d+) *$", text, re.MULTILINE))
    assert {rank: [int(number) for number in line.split()] for rank, line in ends.items()} == {
        "0": [8, there + back, 5, there, 3, back], "1": [8, there + back, 3, back, 5, there]}
    assert re.search(r"^0 +<-> 1 +3 .* 5 .* 8 ", text, re.MULTILINE)


def test_octets_by_operation(tshark, stream, told):
    """The tree counts what puts and replies bring."""
    octets = told[0][told[0].index("Octets of data"):told[0].index("Octets in a message")]
    counted = dict(re.findall(r"^ (\S.*?) {2,}(\d+) ", octets, re.MULTILINE))
    data = [value for row in tshark.fields(stream, "portals.data", shown="portals.data") for value in row[0]]
    brought = sum(map(len, map(bytes.fromhex, data)))
    assert counted == {"Put request": "5", "Reply": str(brought - 5)} and brought > 5


def test_data_are_exported(tshark, stream, root, told):
    """Each put and reply with data is a file that holds exactly them."""
    files = told[1]
    shown = [bytes.fromhex(value.replace(":", "")) for row in tshark.fields(stream, "portals.data") for value in row[0]]
    assert sorted(files.values()) == sorted(shown) and len(shown) >= 2
    assert all(re.fullmatch(r"(put|reply)-portal\d+-bits[0-9a-f]+-packet\d+.*", name) for name in files)
    assert vector(root, "stream").count(max(shown, key=len)) <= 1


def test_the_stream_is_followed(told, root):
    """TCP's own way of following a stream shows both directions."""
    text = told[0]
    assert vector(root, "stream").hex() in text.replace("\n", "") and "\t" + vector(root, "hello-answer").hex() in text


INSIDE = """
local inside = Proto("inside", "What travels inside")
local octets = ProtoField.bytes("inside.octets", "Octets")
inside.fields = {octets}
function inside.dissector(buffer, pinfo, tree) tree:add(inside, buffer()):add(octets, buffer()) end
DissectorTable.get("portals.portal"):add(4, inside)
DissectorTable.get("impi.pk_tag"):add(31, inside)
"""


def inside(tshark, path):
    """What a dissector gets that a user has written for portal index 4 and for tag 31."""
    script = tshark.folder / "inside.lua"
    script.write_text(INSIDE)
    script.chmod(0o644)
    text = tshark.read(path, "-X", f"lua_script:{script}", "-Y", "inside", "-T", "fields", "-e", "inside.octets")
    return [bytes.fromhex(cell.replace(":", "")) for line in text.split() for cell in line.split(",")]


def test_payload_is_given_by_portal_index(tshark, stream):
    """To whoever has registered for it; Decode As knows the table, too."""
    shown = tshark.fields(stream, "portals.data", shown="portals.data")
    given = inside(tshark, stream)
    assert given and set(given) <= {bytes.fromhex(value.replace(":", "")) for row in shown for value in row[0]}
    assert tshark.read(stream, "-d", "portals.portal==4,data", "-Y", "portals") and tshark.run(
        "-r", stream, "-d", "portals.portal==4,nobody", check=False).returncode


def test_impi(tshark, capture_path, job):  # noqa: F811 pylint: disable=redefined-outer-name
    """The same of IMPI: a synchronous message and its acknowledgement."""
    job.send(1, data(3, "DATASYNC", srqid=7, tag=31) + data(5, tag=31))
    job.send(0, packet("SYNCACK", IMPI_B, IMPI_A, srqid=7))
    path = job.capture.write(capture_path)
    text = asked(tshark, path, "impi,srt", "conv,impi", "endpoints,impi")
    assert re.search(r"^ +3 +Synchronous message to SYNCACK +1 +0\.00\d+ ", text, re.MULTILINE)
    assert re.search(r"^ +\d+ +COLL to values of all +28 ", text, re.MULTILINE)
    assert text.count("SRT Statistics") == 1 and text.count("Synchronous message to SYNCACK") == 1
    assert re.search(rf"^0 +3 +{2 * 128 + 8 + 128} +2 +{2 * 128 + 8} +1 +128 *$", text, re.MULTILINE)
    assert inside(tshark, path) == [bytes(range(3)), bytes(range(5))]
