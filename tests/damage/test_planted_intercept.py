# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A violation on the Intercept network is found whatever befalls the capture without taking away a frame that could
explain it (explained.py). Nothing else is told of anybody, and the plugin tells the same."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "damage"), str(ROOT / "tests" / "intercept"), str(ROOT / "tests" / "tester")]

import damage  # noqa: E402 pylint: disable=wrong-import-position
import judges  # noqa: E402 pylint: disable=wrong-import-position
import planted_intercept as planted  # noqa: E402 pylint: disable=wrong-import-position
import sampling  # noqa: E402 pylint: disable=wrong-import-position


@pytest.fixture(scope="module", name="plugin")
def fixture_plugin(build, variant):
    """The plugin of the variant under test."""
    with judges.plugin(build, variant) as opened:
        yield opened


def wrong(bin_dir, plugin, tmp_path, name, each):
    """Where something else is told than that one violation, by the checker or by the plugin."""
    packets, proof, ended = planted.job(tmp_path, name)
    requirement, kinds = planted.VIOLATIONS[name][0], {}
    told_first = judges.by_checker(bin_dir, damage.write(plugin.folder / "planted.pcap", packets))
    assert {one for _, one in told_first} == {requirement}
    assert all(proof < number <= ended for number, _ in told_first)
    violation = (told_first[0][0], requirement, proof, ended)
    for made in planted.damages(packets, violation, planted.other_job(tmp_path)):
        kinds.setdefault((made[0], made[3]), []).append(made)
    assert {kind for kind, _ in kinds} == planted.KINDS

    def is_right(told, made):
        return told == {requirement} or (not made[3] and not told)

    return sampling.wrong(bin_dir, plugin, name, kinds.values(), each, is_right)


@pytest.mark.parametrize("name", planted.VIOLATIONS)
def test_the_guilty_are_found(bin_dir, plugin, tmp_path, name):
    assert wrong(bin_dir, plugin, tmp_path, name, 1) == []


@pytest.mark.long
def test_all(bin_dir, plugin, tmp_path):
    """At many places."""
    assert [(name, *one) for name in planted.VIOLATIONS for one in wrong(bin_dir, plugin, tmp_path, name, 100)] == []
