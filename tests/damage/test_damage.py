# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What befalls a capture never makes an innocent look guilty (damage.py says what befalls it), and a guilty one is
found whenever the packets that prove it are there."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "tester"), str(ROOT / "tests" / "damage")]

import conversation  # noqa: E402 pylint: disable=wrong-import-position
import damage  # noqa: E402 pylint: disable=wrong-import-position
import sound  # noqa: E402 pylint: disable=wrong-import-position
import judges  # noqa: E402 pylint: disable=wrong-import-position
import wires  # noqa: E402 pylint: disable=wrong-import-position

EACH = 1  # damages of a kind for each capture
SEED = 14


@pytest.fixture(scope="module", name="plugin")
def fixture_plugin(build, variant):
    """The plugin of the variant under test."""
    with judges.plugin(build, variant) as opened:
        yield opened


@pytest.fixture(name="told")
def fixture_told(bin_dir, plugin):
    """What is told of packets, by `assay check` and by the plugin with either setting of TCP: all say the same."""
    def told(packets):
        path = damage.write(plugin.folder / "damaged.pcap", packets)
        checked = judges.by_checker(bin_dir, path)
        for setting in judges.SETTINGS:
            assert plugin.twice(path, setting) == checked, setting
        return checked

    return told


@pytest.fixture(scope="module")
def captures(tmp_path_factory):
    """The sound captures."""
    return sound.captures(ROOT, tmp_path_factory.mktemp("sound"))


def test_undamaged(captures, told):
    """They are sound, and what reads and writes them changes nothing."""
    assert len(captures) > 10
    for name, packets in captures.items():
        assert told(packets) == [], name


def test_no_innocent_is_accused(captures, told):
    """Of each kind of damage some."""
    accused, kinds = [], set()
    for name, packets in captures.items():
        for kind, place, left in damage.some(packets, SEED, EACH):
            kinds.add(kind)
            found = told(left)
            accused += [(name, kind, place, found)] if found else []
    assert len(kinds) >= 10
    assert not accused


def test_an_answer_captured_before_what_it_answers(captures, told):
    """The server's CHOICE before the client's AUTH, which it acknowledges."""
    packets = captures["impi-job"]
    begun = [place for place, packet in enumerate(packets) if damage.Segment(packet).payload[:4] == b"AUTH"]
    assert len(begun) == 2
    for place in begun:
        assert damage.Segment(packets[place + 1]).payload == bytes(8)
        assert told(damage.swapped(packets, place)) == []


def test_read_once(captures, plugin):
    """Nor where the capture is read once: one damage of some captures, in either setting."""
    accused = []
    for turn, name in enumerate(["impi-job", "numbered", "put-acknowledged", "barrier"]):
        packets = captures[name]
        kind, place, left = damage.some(packets, f"{SEED} {name}", 1)[turn]
        found = plugin.once(damage.write(plugin.folder / "once.pcap", left), judges.SETTINGS[turn % 2])
        accused += [(name, kind, place, found)] if found else []
    assert not accused


@pytest.mark.parametrize("name,made", [("ack-again", list), ("reply-echoes", list), ("ids-not-swapped", list),
                                       ("ack-unasked", wires.summed)])
def test_the_guilty_are_found(told, tmp_path, name, made):
    """Packets that are captured twice, in pieces, behind others or with another clock prove what they proved, with
    checksums or without."""
    packets, expected = conversation.perform(ROOT, name)
    path = tmp_path / "guilty.pcap"
    path.write_bytes(conversation.pcap(packets))
    requirements = sorted(requirement for _, _, requirement in expected)
    tried = 0
    for kind, place, left in damage.damages(made(damage.read(path))):
        if kind in damage.HARMLESS:
            tried += 1
            assert sorted(requirement for _, requirement in told(left)) == requirements, (kind, place)
    assert tried > 10


def test_traces_of_a_job_together(captures, told):
    """A stream that was captured at both of its ends is one stream, whichever of the captures comes first."""
    packets = captures["put-acknowledged"]
    later = [packet._replace(when=packet.when + 1000) for packet in packets]
    woven = [packet for pair in zip(packets, later) for packet in pair]
    for merged in (woven, packets + later):
        assert told(merged) == []
