# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Evidence of runs against the reference: captures that tshark finds nothing wrong with, transcripts, ladders."""

import json
import shutil
import subprocess

import pytest

from assay_program import Assay

CASES = """
case { id = "put", title = "A put between ranks", purpose = "Puts.", suite = "s", chapter = "3.10",
  requirements = { "P30-026" }, ranks = 2,
  run = function(t)
    t:open {}
    local from, to = t.ranks[0], t.ranks[1]
    to:eq()
    to:region("buf", 64)
    to:attach { eventq = "eq" }
    from:region("buf", 64, { fill = "mix/7" })
    from:bind {}
    from:put { target = to }
    t:event("P30-026", to, "eq", { type = "PTL_EVENT_PUT", mlength = 64 })
  end }
case { id = "wire", title = "A put to a peer", purpose = "Puts.", suite = "s", chapter = "4.1",
  requirements = { "P30-286" }, wire = true,
  run = function(t)
    t:open {}
    local rank, peer = t.ranks[0], t:peer {}
    rank:region("buf", 40, { fill = "mix/3" })
    rank:bind {}
    t:step("the rank puts 40 octets to the peer")
    rank:put { target = t.nid(peer.id), portal = 5 }
    local message = t:expect("P30-286", t:accept(peer), "put", { portal = 5 })
    t:equal("P30-286", "the data", message.data, t.mix(3, 40))
  end }
"""
needs_tshark = pytest.mark.skipif(not shutil.which("tshark"), reason="tshark is not installed")


@pytest.fixture(scope="module")
def outcome(bin_dir, root, tmp_path_factory):
    """One run of both cases."""
    assay = Assay(bin_dir, root, tmp_path_factory.mktemp("evidence"))
    assay.write(CASES)
    return assay.run(template=assay.reference_template())


def tshark(capture, *arguments):
    process = subprocess.run(["tshark", "-r", str(capture), "-o", "tcp.check_checksum:TRUE",
                              "-o", "ip.check_checksum:TRUE", *arguments], capture_output=True,
                             text=True, timeout=300, check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_reference_passes(outcome):
    assert outcome.status == 0, outcome.out


@needs_tshark
@pytest.mark.parametrize("case", ["put", "wire"])
def test_capture_is_clean(outcome, case):
    capture = outcome.folder / outcome.case(case)["capture"]
    wrong = "_ws.malformed or tcp.analysis.flags or _ws.expert.severity >= 0x600000 or tcp.checksum.status == Bad"
    assert tshark(capture, "-Y", wrong) == ""
    assert "PtlNIInit" in tshark(capture, "-z", "follow,tcp,ascii,0", "-q")


@needs_tshark
def test_capture_shows_wire_and_steps(outcome):
    capture = outcome.folder / outcome.case("wire")["capture"]
    interfaces = set(tshark(capture, "-T", "fields", "-e", "frame.interface_name").split())
    assert interfaces == {"wire", "interpreter"}
    assert "the rank puts 40 octets to the peer" in tshark(capture, "-V", "-Y", "frame.comment")
    # HELLO (48 octets), put (76) and 40 octets of data from the rank; HELLO from the peer
    streams = tshark(capture, "-Y", 'frame.interface_name == "wire"', "-T", "fields", "-e", "tcp.len").split()
    assert sorted(filter(int, map(int, streams))) in ([48, 164], [48, 48, 116], [48, 48, 40, 76])
    facts = subprocess.run(["capinfos", str(capture)], capture_output=True, text=True, check=True).stdout
    assert "case wire: A put to a peer" in facts


def test_transcript(outcome):
    text = (outcome.folder / outcome.case("put")["transcript"]).read_text()
    assert "case put: A put between ranks" in text
    assert "PtlPut mem_desc=md ack_req=PTL_NOACK_REQ" in text
    assert "P30-026  good: rank 1: mlength of the event: 64" in text
    assert text.rstrip().endswith("verdict  pass")


def test_ladder(outcome):
    arrows = json.loads((outcome.folder / outcome.case("wire")["ladder"]).read_text())
    assert all({"time", "kind", "from", "to", "label", "detail"} == set(arrow) for arrow in arrows)
    assert [arrow["time"] for arrow in arrows] == sorted(arrow["time"] for arrow in arrows)
    put = next(arrow for arrow in arrows if arrow["kind"] == "wire" and arrow["label"] == "put")
    assert (put["from"], put["to"]) == ("rank 0", "peer 0") and "rlength=40" in put["detail"]
    judged = [arrow for arrow in arrows if arrow["kind"] == "judged"]
    assert judged and all(arrow["detail"].startswith("good: ") for arrow in judged)
