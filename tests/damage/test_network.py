# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What networks do to connections (network.py) makes no innocent look guilty and hides no guilty one; plugin and
checker say the same."""

import collections
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "tester"), str(ROOT / "tests" / "damage")]

import damage  # noqa: E402 pylint: disable=wrong-import-position
import judges  # noqa: E402 pylint: disable=wrong-import-position
import network  # noqa: E402 pylint: disable=wrong-import-position
import sound  # noqa: E402 pylint: disable=wrong-import-position

SEED = 14
# A host of IMPI that resets a channel has closed it without a FINI, whatever comes then.
ALLOWED = {("impi-job", "reset"): {"IMPI-090"}, ("lam-impi", "reset"): {"IMPI-090"}}


@pytest.fixture(scope="module", name="plugin")
def fixture_plugin(build, variant):
    """The plugin of the variant under test."""
    with judges.plugin(build, variant) as opened:
        yield opened


def wrong(bin_dir, plugin, name, packets, each):
    """What is told of a capture to which something has happened, and should not be."""
    path, found = plugin.folder / "happened.pcap", []

    def told(left):
        return judges.by_checker(bin_dir, damage.write(path, left))

    before = collections.Counter(requirement for _, requirement in told(packets))
    for kind, place, left, harmless in network.happenings(packets, f"{SEED} {name}", each):
        checked = told(left)
        now = collections.Counter(requirement for _, requirement in checked)
        new = set(now) - set(before) - ALLOWED.get((name, kind), set())
        if (harmless and now != before) or (not before and new):
            found.append((name, kind, place, checked))
        setting = judges.SETTINGS[len(kind) % 2]
        shown = plugin.twice(path, setting)
        if shown != checked:
            found.append((name, kind, place, setting, checked, shown))
    return found


@pytest.mark.parametrize("name", ["put-acknowledged", "answers-in-any-order", "impi-job"])
def test_sound(bin_dir, plugin, tmp_path, name):
    assert wrong(bin_dir, plugin, name, sound.captures(ROOT, tmp_path)[name], 2) == []


@pytest.mark.parametrize("name", ["ack-again", "reply-echoes", "second-stream"])
def test_guilty(bin_dir, plugin, tmp_path, name):
    packets = dict(sound.conversations(ROOT, tmp_path, True))[name]
    assert wrong(bin_dir, plugin, name, packets, 2) == []


@pytest.mark.long
def test_all(bin_dir, plugin, tmp_path):
    """Every capture that is made at once."""
    captures = sound.captures(ROOT, tmp_path) | dict(sound.conversations(ROOT, tmp_path, True))
    assert len(captures) > 50
    assert [one for name, packets in captures.items() for one in wrong(bin_dir, plugin, name, packets, 3)] == []
