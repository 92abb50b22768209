# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Whatever a capture is written by (formats.py), and whatever befell its segments on their way (wires.py,
other_numbers.py), no innocent is accused; plugin and checker say the same."""

import collections
import itertools
import pathlib
import random
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / name) for name in ("tester", "damage", "intercept")]

import damage  # noqa: E402 pylint: disable=wrong-import-position
import formats  # noqa: E402 pylint: disable=wrong-import-position
import judges  # noqa: E402 pylint: disable=wrong-import-position
import network  # noqa: E402 pylint: disable=wrong-import-position
import other_numbers  # noqa: E402 pylint: disable=wrong-import-position
import places  # noqa: E402 pylint: disable=wrong-import-position
import planted_intercept as planted  # noqa: E402 pylint: disable=wrong-import-position
import sound  # noqa: E402 pylint: disable=wrong-import-position
import wires  # noqa: E402 pylint: disable=wrong-import-position

SEED = 14
LONGEST = 16384  # octets in a segment
AN_HOUR = 3600 * 10**9


@pytest.fixture(scope="module", name="plugin")
def fixture_plugin(build, variant):
    """The plugin of the variant under test."""
    with judges.plugin(build, variant) as opened:
        yield opened


def written(path, octets):
    """The file, that anybody may read."""
    path.write_bytes(octets)
    path.chmod(0o644)
    return path


def spoilt(packets, seed):
    """(kind, octets of a file, whether nothing is lost, or None): of the capture with right checksums, as real ones."""
    choose = random.Random(seed)
    packets = wires.summed(places.with_options(damage.split(packets, LONGEST)))
    yield from formats.files(packets, choose)
    for kind, left, whole in itertools.chain(wires.spoilt(packets, choose), other_numbers.numbers(packets, choose)):
        if left:
            yield kind, formats.pcap(left), whole


def wrong(bin_dir, plugin, name, packets):
    """What is told of a spoilt capture, and should not be."""
    path, found = plugin.folder / "spoilt.pcap", []
    before = collections.Counter(requirement for _, requirement in judges.by_checker(
        bin_dir, damage.write(path, packets)))
    for turn, (kind, octets, whole) in enumerate(spoilt(packets, f"{SEED} {name}")):
        checked = judges.by_checker(bin_dir, written(path, octets))
        now = collections.Counter(requirement for _, requirement in checked)
        if (whole and now != before) or (not before and now):
            found.append((kind, checked))
        shown = checked if whole is None else plugin.twice(path, judges.SETTINGS[turn % 2])
        if shown != checked:
            found.append((kind, checked, shown))
    return found


@pytest.mark.parametrize("name", ["put-acknowledged", "tagged", "answers-in-any-order", "impi-job"])
def test_sound(bin_dir, plugin, tmp_path, name):
    assert wrong(bin_dir, plugin, name, sound.captures(ROOT, tmp_path)[name]) == []


@pytest.mark.parametrize("name", ["ack-again", "reply-echoes"])
def test_guilty(bin_dir, plugin, tmp_path, name):
    assert wrong(bin_dir, plugin, name, dict(sound.conversations(ROOT, tmp_path, True))[name]) == []


@pytest.mark.parametrize("name", [None, "a data packet again", "an eighth packet under way"])
def test_intercept(bin_dir, plugin, tmp_path, name):
    """Datagrams of the Intercept network, sound ones and such as break a rule."""
    packets = planted.job(tmp_path, name)[0] if name else planted.other_job(tmp_path)
    path, found = plugin.folder / "spoilt.pcap", []
    before = {requirement for _, requirement in judges.by_checker(bin_dir, damage.write(path, packets))}
    assert before == ({planted.VIOLATIONS[name][0]} if name else set())
    carried = ((kind, formats.pcap(left), True) for kind, left in wires.around_any(packets))
    for kind, octets, whole in itertools.chain(formats.files(packets, random.Random(SEED)), carried):
        checked = judges.by_checker(bin_dir, written(path, octets))
        now = {requirement for _, requirement in checked}
        shown = checked if whole is None else plugin.twice(path, "FALSE")
        if (whole and now != before) or now - before or shown != checked:
            found.append((kind, checked, shown))
    assert found == []


def other_end(packet):
    """With another last octet."""
    return packet._replace(octets=packet.octets[:-1] + bytes([packet.octets[-1] ^ 1]))


@pytest.mark.parametrize("family", [wires.fragments_of_six, lambda packet: wires.fragments(packet, 0)], ids=["6", "4"])
def test_fragments_that_make_no_packet(bin_dir, plugin, tmp_path, family):
    """Because one is missing, cut off, or contradicts another one: what they could have held is missing, and a remark
    says how many there are. Those of two packets may come mixed."""
    packets = wires.summed(sound.captures(ROOT, tmp_path)["put-acknowledged"])
    parts, path = [family(packet) for packet in packets], plugin.folder / "fragments.pcap"
    pairs = [place for place, both in enumerate(parts) if len(both) == 2 and damage.Segment(packets[place]).payload]
    hit, after = pairs[1:3]

    def told(change):
        changed = parts[:hit] + [change(*parts[hit])] + parts[hit + 1:]
        written(path, formats.pcap([part for both in changed for part in both]))
        found = judges.by_checker(bin_dir, path)
        assert found == plugin.twice(path, "FALSE") == []
        return [one["text"] for one in judges.report(bin_dir, path)["remarks"]]

    assert told(lambda one, other: [one, other]) == []
    for left, change in ((1, lambda one, other: [one]), (1, lambda one, other: [other]),
                         (2, lambda one, other: [one, other._replace(captured=len(other.octets) - 1)])):
        assert any(text.startswith(f"{left} fragments of IP packets are not put together") for text in told(change))
    assert told(lambda one, other: [other, other, one, one]) == []
    written(path, formats.pcap([*sum(parts[:hit], []), parts[hit][0], parts[after][0], parts[hit][1], parts[after][1],
                                *sum(parts[after + 1:], [])]))
    assert len(judges.report(bin_dir, path)["remarks"]) == int(after > hit + 1)
    contradict = [parts[hit][1], other_end(parts[hit][1]), parts[hit][0]]
    written(path, formats.pcap(sum(parts[:hit], []) + contradict))
    assert [one["text"][:3] for one in judges.report(bin_dir, path)["remarks"]] == ["3 f"]


def test_jumbo_payload(bin_dir, plugin, tmp_path):
    """A message that a card puts together to more than 64 KiB over IPv6."""
    packets, path = sound.captures(ROOT, tmp_path)["lam-impi"], plugin.folder / "jumbo.pcap"
    made = [wires.jumbo(packet) for packet in network.offloaded(packets, AN_HOUR)]
    assert [packet.octets[4:6] for packet in made].count(b"\0\0") == 1
    written(path, formats.pcap(made))
    told = judges.report(bin_dir, path)
    assert told["breaches"] == told["remarks"] == plugin.twice(path, "FALSE") == []
    assert told["impi"] == judges.report(bin_dir, damage.write(tmp_path / "whole.pcap", packets))["impi"]


@pytest.mark.long
def test_all(bin_dir, plugin, tmp_path):
    """Every capture that is made at once."""
    captures = sound.captures(ROOT, tmp_path) | dict(sound.conversations(ROOT, tmp_path, True))
    assert len(captures) > 50
    assert [(name, *one) for name, packets in captures.items() for one in wrong(bin_dir, plugin, name, packets)] == []
