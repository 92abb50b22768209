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
sys.path += [str(ROOT / "tests" / "tester"), str(ROOT / "tests" / "damage")]

import damage  # noqa: E402 pylint: disable=wrong-import-position
import formats  # noqa: E402 pylint: disable=wrong-import-position
import judges  # noqa: E402 pylint: disable=wrong-import-position
import other_numbers  # noqa: E402 pylint: disable=wrong-import-position
import places  # noqa: E402 pylint: disable=wrong-import-position
import sound  # noqa: E402 pylint: disable=wrong-import-position
import wires  # noqa: E402 pylint: disable=wrong-import-position

SEED = 14
LONGEST = 16384  # octets in a segment


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


def joins(kind, checked, shown):
    """Whether Wireshark sees more: it puts fragments together, which the checker does not."""
    return "fragments" in kind and not checked and shown


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
        if shown != checked and not (before and joins(kind, checked, shown)):
            found.append((kind, checked, shown))
    return found


@pytest.mark.parametrize("name", ["put-acknowledged", "answers-in-any-order", "impi-job"])
def test_sound(bin_dir, plugin, tmp_path, name):
    assert wrong(bin_dir, plugin, name, sound.captures(ROOT, tmp_path)[name]) == []


@pytest.mark.parametrize("name", ["ack-again", "reply-echoes"])
def test_guilty(bin_dir, plugin, tmp_path, name):
    assert wrong(bin_dir, plugin, name, dict(sound.conversations(ROOT, tmp_path, True))[name]) == []


@pytest.mark.long
def test_all(bin_dir, plugin, tmp_path):
    """Every capture that is made at once."""
    captures = sound.captures(ROOT, tmp_path) | dict(sound.conversations(ROOT, tmp_path, True))
    assert len(captures) > 50
    assert [(name, *one) for name, packets in captures.items() for one in wrong(bin_dir, plugin, name, packets)] == []
