# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Wherever captures are taken (places.py), and however many of them, no innocent looks guilty and no guilty one gets
away; plugin and checker say the same."""

import collections
import json
import pathlib
import random
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "tester"), str(ROOT / "tests" / "damage")]

import conversation  # noqa: E402 pylint: disable=wrong-import-position
import damage  # noqa: E402 pylint: disable=wrong-import-position
import guilty  # noqa: E402 pylint: disable=wrong-import-position
import judges  # noqa: E402 pylint: disable=wrong-import-position
import places  # noqa: E402 pylint: disable=wrong-import-position
import sound  # noqa: E402 pylint: disable=wrong-import-position

SEED = 14


@pytest.fixture(scope="module", name="plugin")
def fixture_plugin(build, variant):
    """The plugin of the variant under test."""
    with judges.plugin(build, variant) as opened:
        yield opened


def wrong(bin_dir, plugin, name, packets):
    """What is told of a capture that is taken elsewhere, and should not be."""
    path, found = plugin.folder / "elsewhere.pcap", []

    def told(left):
        return judges.by_checker(bin_dir, damage.write(path, left))

    before = collections.Counter(requirement for _, requirement in told(packets))
    for kind, left, whole in places.places(packets, random.Random(f"{SEED} {name}")):
        checked = told(left)
        now = collections.Counter(requirement for _, requirement in checked)
        if (whole and now != before) or (not before and now):
            found.append((kind, checked))
        shown = plugin.twice(path, judges.SETTINGS[len(kind) % 2])
        if shown != checked:
            found.append((kind, checked, shown))
    return found


@pytest.mark.parametrize("name", ["put-acknowledged", "answers-in-any-order", "impi-job"])
def test_sound(bin_dir, plugin, tmp_path, name):
    assert wrong(bin_dir, plugin, name, sound.captures(ROOT, tmp_path)[name]) == []


@pytest.mark.parametrize("name", ["ack-again", "reply-echoes"])
def test_guilty(bin_dir, plugin, tmp_path, name):
    assert wrong(bin_dir, plugin, name, dict(sound.conversations(ROOT, tmp_path, True))[name]) == []


@pytest.mark.parametrize("whose", [True, False], ids=["opener", "acceptor"])
@pytest.mark.parametrize("name", ["ack-again", "reply-echoes", "ack-unasked"])
def test_guilty_behind_a_router(bin_dir, plugin, tmp_path, name, whose):
    """A violation is told by messages, whatever addresses the packets have; once, however often it is seen."""
    packets = dict(sound.conversations(ROOT, tmp_path, True))[name]
    path = plugin.folder / "behind.pcap"
    before = [requirement for _, requirement in judges.by_checker(bin_dir, damage.write(path, packets))]
    for left in (places.translated(packets, whose), places.both_sides(packets, whose, 3000)):
        checked = judges.by_checker(bin_dir, damage.write(path, left))
        assert [requirement for _, requirement in checked] == before
        assert plugin.twice(path, "FALSE") == checked


def test_a_guilty_host_on_both_sides_of_a_router(bin_dir, plugin, tmp_path):
    packets = guilty.job(tmp_path, "IMPI-111")[0]
    path = plugin.folder / "behind.pcap"
    before = {requirement for _, requirement in judges.by_checker(bin_dir, damage.write(path, packets))}
    checked = judges.by_checker(bin_dir, damage.write(path, places.both_sides(packets, True, 3000)))
    assert "IMPI-111" in {requirement for _, requirement in checked} <= before
    assert plugin.twice(path, "TRUE") == checked


def test_a_copy_is_remarked(bin_dir, tmp_path):
    packets = places.both_sides(sound.captures(ROOT, tmp_path)["put-acknowledged"], True, 3000)
    done = subprocess.run([bin_dir / "assay", "check", damage.write(tmp_path / "both.pcap", packets)],
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0 and "begins here with other addresses" in done.stdout
    assert ", 1 Portals streams" in done.stdout.replace("stream,", "streams,")


def test_a_clock_that_was_set_back_tells_no_time(bin_dir, plugin, tmp_path):
    """An answer that was late by a clock that is later set back may have been in time."""
    packets, expected = conversation.perform(ROOT, "unanswered-opener")
    path = tmp_path / "late.pcap"
    path.write_bytes(conversation.pcap(packets))
    assert [requirement for _, _, requirement in expected] == ["PW-16"]
    late, path = damage.read(path), plugin.folder / "late.pcap"
    assert judges.by_checker(bin_dir, damage.write(path, late)) == plugin.twice(path, "FALSE") != []
    last = late[-1]._replace(when=late[0].when)
    assert judges.by_checker(bin_dir, damage.write(path, late + [last])) == plugin.twice(path, "FALSE") == []


def test_a_file_without_a_packet_is_named(bin_dir, tmp_path):
    """Beside one that has what there is to judge."""
    whole, head = ROOT / "tests" / "captures" / "lam-impi.pcap", tmp_path / "other-node.pcap"
    head.write_bytes(whole.read_bytes()[:24])
    for paths, status, words in (([whole], 0, ""), ([whole, head], 0, f"assay check: {head}: holds no packet"),
                                 ([head, head], 2, "and the others: holds no packet")):
        done = subprocess.run([bin_dir / "assay", "check", *paths], capture_output=True, text=True, timeout=300,
                              check=False)
        assert done.returncode == status and words in done.stderr and bool(words) == bool(done.stderr)


FORMATS = ("pcap", "nsecpcap", "pcapng")


@pytest.mark.parametrize("kind", FORMATS)
def test_formats(bin_dir, tmp_path, kind):
    """As editcap writes them, with comments."""
    source, made = ROOT / "tests" / "captures" / "lam-impi.pcap", tmp_path / "made"
    comments = ["-a", "3:begins here", "-a", "9:slow"] if kind == "pcapng" else []
    subprocess.run(["editcap", "-F", kind, *comments, source, made], check=True, timeout=300)

    def told(path):
        done = subprocess.run([bin_dir / "assay", "check", "--json", path], capture_output=True, text=True, timeout=300,
                              check=False)
        return json.loads(done.stdout)

    assert told(made)["notes"] == told(source)["notes"] != []
