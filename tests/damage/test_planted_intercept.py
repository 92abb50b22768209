# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A violation on the Intercept network is found whatever befalls the capture without taking away a frame before the end
of its proof; what stands in one frame, whenever that frame is there. Nothing else is told of anybody, and the plugin
tells the same."""

import pathlib
import random
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "damage"), str(ROOT / "tests" / "intercept"), str(ROOT / "tests" / "tester")]

import damage  # noqa: E402 pylint: disable=wrong-import-position
import judges  # noqa: E402 pylint: disable=wrong-import-position
import planted_intercept as planted  # noqa: E402 pylint: disable=wrong-import-position

SEED = 14


@pytest.fixture(scope="module", name="plugin")
def fixture_plugin(build, variant):
    """The plugin of the variant under test."""
    with judges.plugin(build, variant) as opened:
        yield opened


def is_found(requirement, found, kind, place, whole, ended):
    """Whether that is told which must be, and nothing else."""
    there = whole or (requirement in planted.SINGLE and kind in ("one removed", "one cut short") and place >= ended)
    return found == {requirement} or (not there and not found)


def wrong(bin_dir, plugin, tmp_path, name, each):
    """Where something else is told than that one violation, by the checker or by the plugin."""
    packets, proof, ended = planted.job(tmp_path, name)
    requirement, path, found, kinds = planted.VIOLATIONS[name][0], plugin.folder / "planted.pcap", [], {}
    told = judges.by_checker(bin_dir, damage.write(path, packets))
    assert {one for _, one in told} == {requirement} and all(proof < number <= ended for number, _ in told)
    for made in planted.damages(packets, ended):
        kinds.setdefault((made[0], made[3]), []).append(made)
    assert len(kinds) == 9
    choose = random.Random(f"{SEED} {name}")
    for made in kinds.values():
        for kind, place, left, whole in choose.sample(made, min(each, len(made))):
            checked = judges.by_checker(bin_dir, damage.write(path, left))
            if not is_found(requirement, {one for _, one in checked}, kind, place, whole, ended):
                found.append((kind, place, checked))
        shown = plugin.twice(path, judges.SETTINGS[len(kind) % 2])
        if shown != checked:
            found.append((kind, place, checked, shown))
    return found


@pytest.mark.parametrize("name", planted.VIOLATIONS)
def test_the_guilty_are_found(bin_dir, plugin, tmp_path, name):
    assert wrong(bin_dir, plugin, tmp_path, name, 1) == []


@pytest.mark.long
def test_all(bin_dir, plugin, tmp_path):
    """At many places."""
    assert [(name, *one) for name in planted.VIOLATIONS for one in wrong(bin_dir, plugin, tmp_path, name, 100)] == []
