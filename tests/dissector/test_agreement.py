# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""The dissector and `assay check` say the same of the same octets: they share the checker, not the way there.

The octets are the hand-written conversations, each in a capture of its own, since all speak of the same two processes.
"""

import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "tester"))

import conversation  # noqa: E402

from wireshark import DECODE_AS  # noqa: E402


def by_dissector(tshark, path):
    """(packet, requirement), sorted."""
    found = tshark.fields(path, "frame.number", "portals.requirement", shown="portals.requirement",
                          arguments=DECODE_AS)
    return sorted((int(number), requirement) for (number,), told in found for requirement in told)


def by_checker(bin_dir, path):
    """(packet, requirement) of what `assay check` finds, sorted."""
    done = subprocess.run([bin_dir / "assay", "check", "--json", path], capture_output=True, text=True, timeout=300,
                          check=False)
    told = json.loads(done.stdout)["breaches"]
    return sorted((violation["packet"], violation["requirement"]) for violation in told)


@pytest.mark.parametrize("name", conversation.names(ROOT))
def test_both_say_the_same(tshark, bin_dir, capture_path, name):
    packets, expected = conversation.perform(ROOT, name)
    capture_path.write_bytes(conversation.pcap(packets))
    capture_path.chmod(0o644)
    checked = by_checker(bin_dir, capture_path)
    assert checked == sorted((number, requirement) for number, _, requirement in expected)
    assert by_dissector(tshark, capture_path) == checked


@pytest.mark.parametrize("name", conversation.names(ROOT))
def test_the_same_numbers_again(tshark, bin_dir, capture_path, name):
    """A second connection with ends and numbers of the first one, for which Wireshark takes it."""
    first, (packets, expected) = conversation.perform(ROOT, "get-replied")[0], conversation.perform(ROOT, name)
    capture_path.write_bytes(conversation.pcap(first + packets))
    capture_path.chmod(0o644)
    checked = by_checker(bin_dir, capture_path)
    assert set(checked) <= {(len(first) + number, requirement) for number, _, requirement in expected}
    assert by_dissector(tshark, capture_path) == checked
