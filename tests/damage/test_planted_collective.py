# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A message of a collective operation that is wrong is found whatever befalls the capture without taking away what
comes before it; nobody else is accused, whatever is taken away. The plugin tells the same."""

import json
import pathlib
import random
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "tester"), str(ROOT / "tests" / "damage"), str(ROOT / "tests" / "dissector")]

import damage  # noqa: E402 pylint: disable=wrong-import-position
import judges  # noqa: E402 pylint: disable=wrong-import-position
import planted_collective as planted  # noqa: E402 pylint: disable=wrong-import-position

SEED = 14
STARTUP = {"address-form"}  # noted of any job made by hand
ORDERED = planted.LATE | {"barrier-early"}  # rest on the order of packets of several channels
LOST = {"one removed", "two removed", "one cut short", "last removed"}


@pytest.fixture(scope="module", name="plugin")
def fixture_plugin(build, variant):
    """The plugin of the variant under test."""
    with judges.plugin(build, variant) as opened:
        yield opened


def told(bin_dir, path):
    """The rules of which `assay check` tells a violation or a note."""
    done = subprocess.run([bin_dir / "assay", "check", "--json", path], capture_output=True, text=True, timeout=300,
                          check=False)
    found = json.loads(done.stdout)
    return {one["rule"] for one in found["breaches"] + found["notes"]} - STARTUP


def is_whole(rule, kind, place, ended):
    """Whether all is there that comes before the end of the proof, and its order is to be relied on."""
    if rule in ORDERED and kind == "clock set back":
        return False
    return kind in damage.HARMLESS or (kind in LOST and place >= ended)


def wrong(bin_dir, plugin, tmp_path, name, each):
    """Where something else is told than that one violation, by the checker or by the plugin."""
    packets, ended = planted.job(tmp_path, name)
    rule, path, found, kinds = planted.VIOLATIONS[name][0], plugin.folder / "planted.pcap", [], {}
    assert told(bin_dir, damage.write(path, packets)) == {rule}
    for made in damage.damages(packets):
        kinds.setdefault((made[0], is_whole(rule, *made[:2], ended)), []).append(made)
    choose = random.Random(f"{SEED} {name}")
    for (kind, whole), made in kinds.items():
        for _, place, left in choose.sample(made, min(each, len(made))):
            now = told(bin_dir, damage.write(path, left))
            if now - {rule} or (whole and not now):
                found.append((kind, place, now))
        setting = judges.SETTINGS[len(kind) % 2]
        checked, noted = judges.by_checker(bin_dir, path), judges.by_checker(bin_dir, path, "notes")
        if plugin.twice(path, setting) != checked or plugin.noted(path, setting) != noted:
            found.append((kind, place, checked, noted, plugin.twice(path, setting), plugin.noted(path, setting)))
    return found


@pytest.mark.parametrize("name", planted.VIOLATIONS)
def test_the_guilty_are_found(bin_dir, plugin, tmp_path, name):
    assert wrong(bin_dir, plugin, tmp_path, name, 1) == []


@pytest.mark.parametrize("rounds, said", [(256, 0), (257, 1)])
def test_what_is_not_judged_is_told(bin_dir, tmp_path, rounds, said):
    """Beyond 1024 messages on other communicators, here four in each Barrier."""
    world = planted.World(3, 3)
    for _ in range(rounds):
        planted.some_meet(world)
    last = world.barrier()
    world.end()
    done = subprocess.run([bin_dir / "assay", "check", "--json", world.capture.write(tmp_path / "many.pcap")],
                          capture_output=True, text=True, timeout=300, check=False)
    told = json.loads(done.stdout)
    assert told["breaches"] == [] and [
        (one["packet"], one["text"].endswith("1024 messages are kept")) for one in told["remarks"]] == [
            (last - 7, True)] * said


@pytest.mark.long
def test_all(bin_dir, plugin, tmp_path):
    """At many places."""
    assert [(name, *one) for name in planted.VIOLATIONS for one in wrong(bin_dir, plugin, tmp_path, name, 40)] == []
