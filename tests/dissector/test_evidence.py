# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""The evidence files of a test run open in Wireshark: commands, messages and step comments in one list."""

import json
import shutil
import subprocess

import pytest

from wireshark import LIVE

DEADLINE = 600
WIRE_CASE = "smoke-wire-put"


@pytest.fixture(scope="module")
def report(tshark, bin_dir):
    """The report of the smoke suite against the reference implementation."""
    folder = tshark.folder / "report"
    done = subprocess.run([bin_dir / "assay", "run", "--profile", "portals-3.0", "--suite", "smoke", "--report", folder,
                           "--", bin_dir / "portalsrun", "-np", "{np}", bin_dir / "interp-portals", "{args}"],
                          capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert captures(folder), f"assay run made no report of cases:\n{done.stdout}\n{done.stderr}"
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    yield folder
    shutil.rmtree(folder)


def captures(report):
    """Case id -> its capture, from the report."""
    cases = json.loads((report / "report.json").read_text())["cases"]
    return {case["id"]: report / case["capture"] for case in cases}


def test_every_capture_is_read(tshark, report):
    found = captures(report)
    assert len(found) >= 3
    for path in found.values():
        assert tshark.shown(path, "_ws.malformed or assay.too_long or portals.lost", *LIVE) == []


def test_commands_have_replies(tshark, report):
    for path in captures(report).values():
        verbs = {verb for told in tshark.fields(path, "assay.verb", shown="assay.kind == command") for verb in told[0]}
        assert {"PtlInit", "PtlNIInit"} <= verbs
        assert tshark.shown(path, "assay.kind == command and !assay.response_in") == []


def test_steps_are_comments(tshark, report):
    for path in captures(report).values():
        told = tshark.fields(path, "frame.comment", shown="frame.comment")
        assert told and all(text for comments, in told for text in comments)


def test_messages_between_peer_and_system(tshark, report):
    """The case in which the test manager is the target of a put: HELLO both ways, and the put."""
    path = captures(report)[WIRE_CASE]
    verbs = [info.split(" ", 1)[0] for info in tshark.info(path, *LIVE)]
    assert verbs.count("HELLO") == 2 and verbs.count("PUT") == 1
    assert tshark.shown(path, "portals.requirement or portals.unasked or portals.echo_differs", *LIVE) == []
