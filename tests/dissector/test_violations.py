# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""What is wrong with a message is said, with the requirement that it breaks.

The invalid vectors name in their first line which rule they break. Process A has opened the stream to B, except where
the vector is about opening it.
"""

import json
import pathlib
import re

import pytest

from capture import RST, Capture, Connection, vector
from wireshark import DECODE_AS

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "wire" / "vectors" / "invalid"
NAMES = sorted(path.stem for path in FOLDER.glob("*.hex"))


def expectation(name):
    """The rule that the vector breaks, or `short`."""
    return re.match(r"# expect: ([a-z-]+)$", (FOLDER / f"{name}.hex").read_text().splitlines()[0]).group(1)


@pytest.fixture(scope="module")
def judged(tshark, root):
    """For each invalid vector what the dissector says about the packets in which A sends it."""
    capture = Capture()
    for number, name in enumerate(NAMES):
        connection = Connection(capture, ("127.0.0.1", 40000 + number))
        if not name.startswith("hello-"):
            connection.send(0, vector(root, "hello"))
            connection.send(1, vector(root, "hello-answer"))
        connection.send(0, vector(root, f"invalid/{name}"))
        connection.finish(0, RST)  # lest the next stream be a second one of the same processes
    path = capture.write(tshark.folder / "invalid.pcap")
    text = tshark.read(path, *DECODE_AS, "-Y", "portals", "-T", "json", "--no-duplicate-keys", "-J", "portals tcp")
    found = {name: [] for name in NAMES}
    for packet in json.loads(text):
        layers = packet["_source"]["layers"]
        if layers["tcp"]["tcp.dstport"] == "50002":
            found[NAMES[int(layers["tcp"]["tcp.srcport"]) - 40000]].append(json.dumps(layers))
    return found


@pytest.mark.parametrize("name", [name for name in NAMES if expectation(name) != "short"])
def test_an_invalid_message_is_judged(judged, name):
    """Exactly the rule that the vector names, nowhere else than in the vector's own packet."""
    rule = expectation(name)
    assert re.findall(r'"portals\.breach\.([a-z_]+)"', judged[name][-1]) == [rule.replace("-", "_")]
    assert not any("portals.breach" in packet for packet in judged[name][:-1])
    assert re.search(r'"portals\.requirement": "(P30|PW)-\d+"', judged[name][-1])


def test_the_packet_list_says_what_is_broken(tshark, capture_path, root):
    """Behind the message that breaks it, once for each message, and only where messages are judged."""
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "hello"))
    connection.send(1, vector(root, "hello-answer"))
    wrong = vector(root, "invalid/target-wrong-nid")
    connection.send(0, wrong + wrong + vector(root, "get") + vector(root, "invalid/get-without-md"))
    infos = tshark.info(capture.write(capture_path))[2:]
    assert [re.findall(r"\[.*", info) for info in infos] == [["[P30-305]"], ["[P30-305]"], [], ["[P30-297]"]]
    assert "[" not in "".join(tshark.info(capture_path, "-o", "portals.analyse:FALSE"))


@pytest.mark.parametrize("name", [name for name in NAMES if expectation(name) == "short"])
def test_a_message_that_is_cut_off(tshark, capture_path, root, name):
    """TCP waits for the rest and shows nothing; without reassembly the message is shown and marked."""
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "hello"))
    connection.send(0, vector(root, f"invalid/{name}"))
    capture.write(capture_path)
    assert len(tshark.fields(capture_path, "frame.number")) == 1
    packets = tshark.fields(capture_path, "portals.cut", "portals.continued",
                            arguments=("-o", "portals.desegment:FALSE"))
    assert packets[1] == ([[], ["1"]] if name == "short-data" else [["1"], []])


def test_valid_messages_break_nothing(tshark, capture_path, root):
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "stream"))
    connection.send(1, vector(root, "hello-answer") + vector(root, "ack") + vector(root, "reply"))
    assert tshark.shown(capture.write(capture_path), "portals.requirement or portals.cut or portals.lost") == []


def test_expert_statistics_name_requirement_and_consequence(tshark, capture_path, root):
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "hello") + vector(root, "invalid/target-wrong-pid"))
    connection.send(1, vector(root, "hello-answer"))
    text = tshark.experts(capture.write(capture_path))
    assert "P30-305: the target's node and process ids are not the receiver's; a receiver discards" in text


def test_analysis_can_be_switched_off(tshark, capture_path, root):
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "hello") + vector(root, "put") + vector(root, "invalid/initiator-forged-pid"))
    connection.send(1, vector(root, "hello-answer") + vector(root, "ack"))
    capture.write(capture_path)
    quiet = ("-o", "portals.analyse:FALSE")
    assert [packet[0] for packet in tshark.fields(capture_path, "portals.requirement")] == [["PW-20"], []]
    assert tshark.shown(capture_path, "portals.requirement or portals.request_in", *quiet) == []
