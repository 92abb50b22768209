# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What befalls a capture never makes an innocent look guilty (damage.py says what befalls it), and a guilty one is
found whenever the packets that prove it are there."""

import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "tester"), str(ROOT / "tests" / "damage")]

import conversation  # noqa: E402 pylint: disable=wrong-import-position
import damage  # noqa: E402 pylint: disable=wrong-import-position
import sound  # noqa: E402 pylint: disable=wrong-import-position

DEADLINE = 300
EACH = 2  # damages of a kind for each capture
SEED = 14


def told(bin_dir, path):
    """What `assay check` tells of a capture: (packet, rule)."""
    done = subprocess.run([bin_dir / "assay", "check", "--json", path], capture_output=True, text=True,
                          timeout=DEADLINE, check=False)
    assert done.stdout, done.stderr
    return [(violation["packet"], violation["rule"]) for violation in json.loads(done.stdout)["breaches"]]


@pytest.fixture(scope="module")
def captures(tmp_path_factory):
    """The sound captures."""
    return sound.captures(ROOT, tmp_path_factory.mktemp("sound"))


def test_undamaged(bin_dir, captures, tmp_path):
    """They are sound, and what reads and writes them changes nothing."""
    assert len(captures) > 10
    for name, packets in captures.items():
        assert told(bin_dir, damage.write(tmp_path / f"{name}.pcap", packets)) == [], name


def test_no_innocent_is_accused(bin_dir, captures, tmp_path):
    """Of each kind of damage some."""
    accused, kinds = [], set()
    for name, packets in captures.items():
        for kind, place, left in damage.some(packets, SEED, EACH):
            kinds.add(kind)
            found = told(bin_dir, damage.write(tmp_path / "damaged.pcap", left))
            accused += [(name, kind, place, found)] if found else []
    assert len(kinds) >= 10
    assert not accused


@pytest.mark.parametrize("name", ["ack-again", "reply-echoes", "ids-not-swapped", "ack-unasked"])
def test_the_guilty_are_found(bin_dir, tmp_path, name):
    """Packets that are captured twice, in pieces, behind others or with another clock prove what they proved."""
    packets, expected = conversation.perform(ROOT, name)
    path = tmp_path / "guilty.pcap"
    path.write_bytes(conversation.pcap(packets))
    rules = sorted(rule for _, rule, _ in expected)
    harmless = {"duplicated", "overlapped", "clock set back", "single octets"}
    tried = 0
    for kind, place, left in damage.damages(damage.read(path)):
        if kind in harmless:
            tried += 1
            found = told(bin_dir, damage.write(path, left))
            assert sorted(rule for _, rule in found) == rules, (kind, place)
    assert tried > 10


def test_traces_of_a_job_together(bin_dir, tmp_path, captures):
    """A stream that was captured at both of its ends is one stream, whichever of the captures comes first."""
    packets = captures["put-acknowledged"]
    later = [packet._replace(when=packet.when + 1000) for packet in packets]
    woven = [packet for pair in zip(packets, later) for packet in pair]
    for merged in (woven, packets + later):
        assert told(bin_dir, damage.write(tmp_path / "merged.pcap", merged)) == []
