# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Evidence of runs against the reference: captures that tshark finds nothing wrong with, transcripts, ladders."""

import json
import shutil
import subprocess

import pytest

needs_tshark = pytest.mark.skipif(not shutil.which("tshark"), reason="tshark is not installed")


@pytest.fixture(scope="module")
def outcome(bin_dir, root, tmp_path_factory):
    """One run of the smoke suite."""
    from conftest import Assay
    return Assay(bin_dir, root, tmp_path_factory.mktemp("evidence")).reference("--suite", "smoke")


def tshark(capture, *arguments):
    process = subprocess.run(["tshark", "-r", str(capture), "-o", "tcp.check_checksum:TRUE",
                              "-o", "ip.check_checksum:TRUE", *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_reference_passes(outcome):
    assert outcome.status == 0, outcome.out


@needs_tshark
@pytest.mark.parametrize("case", ["smoke-put", "smoke-get", "smoke-wire-put"])
def test_capture_is_clean(outcome, case):
    capture = outcome.folder / outcome.case(case)["capture"]
    wrong = "_ws.malformed or tcp.analysis.flags or _ws.expert.severity >= 0x600000 or tcp.checksum.status == Bad"
    assert tshark(capture, "-Y", wrong) == ""
    assert "PtlNIInit" in tshark(capture, "-z", "follow,tcp,ascii,0", "-q")


@needs_tshark
def test_capture_shows_wire_and_steps(outcome):
    capture = outcome.folder / outcome.case("smoke-wire-put")["capture"]
    interfaces = set(tshark(capture, "-T", "fields", "-e", "frame.interface_name").split())
    assert interfaces == {"wire", "interpreter"}
    assert "the rank puts 40 octets to the peer" in tshark(capture, "-V", "-Y", "frame.comment")
    # HELLO (48 octets), put (76) and 40 octets of data from the rank; HELLO from the peer
    streams = tshark(capture, "-Y", 'frame.interface_name == "wire"', "-T", "fields", "-e", "tcp.len").split()
    assert sorted(filter(int, map(int, streams))) in ([48, 164], [48, 48, 116], [48, 48, 40, 76])
    facts = subprocess.run(["capinfos", str(capture)], capture_output=True, text=True, check=True).stdout
    assert "smoke-wire-put" in facts


def test_transcript(outcome):
    text = (outcome.folder / outcome.case("smoke-put")["transcript"]).read_text()
    assert "case smoke-put: A put moves the data and is told to both sides" in text
    assert "PtlPut mem_desc=md ack_req=PTL_ACK_REQ" in text
    assert "P30-222  good: the initiator's events" in text
    assert text.rstrip().endswith("verdict  pass")


def test_ladder(outcome):
    arrows = json.loads((outcome.folder / outcome.case("smoke-wire-put")["ladder"]).read_text())
    assert all({"time", "kind", "from", "to", "label", "detail"} == set(arrow) for arrow in arrows)
    assert [arrow["time"] for arrow in arrows] == sorted(arrow["time"] for arrow in arrows)
    put = next(arrow for arrow in arrows if arrow["kind"] == "wire" and arrow["label"] == "put")
    assert put["to"] == "peer 0" and "rlength=40" in put["detail"]
