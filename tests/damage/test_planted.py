# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A violation on a Portals stream is found whatever is missing that does not explain it: what comes behind it, and,
before an answer, what its sender has said. Nobody is accused of what answers a message behind octets that break the
stream."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "tester"), str(ROOT / "tests" / "damage")]

import damage  # noqa: E402 pylint: disable=wrong-import-position
import judges  # noqa: E402 pylint: disable=wrong-import-position
import planted  # noqa: E402 pylint: disable=wrong-import-position
import sampling  # noqa: E402 pylint: disable=wrong-import-position


@pytest.fixture(scope="module", name="plugin")
def fixture_plugin(build, variant):
    """The plugin of the variant under test."""
    with judges.plugin(build, variant) as opened:
        yield opened


def wrong(bin_dir, plugin, tmp_path, name, each):
    """Where something else is told than that one violation, by the checker or by the plugin."""
    packets, proof, ended = planted.job(ROOT, tmp_path, name)
    requirement, kinds = planted.VIOLATIONS[name][0], {}
    assert judges.by_checker(bin_dir, damage.write(plugin.folder / "planted.pcap", packets)) == [(ended, requirement)]
    for made in planted.damages(packets, proof, ended):
        kinds.setdefault(made[0], []).append(made)
    assert len(kinds) == len(planted.KINDS)
    return sampling.wrong(bin_dir, plugin, name, kinds.values(), each, lambda told, _: told == {requirement})


@pytest.mark.parametrize("name", planted.VIOLATIONS)
def test_the_guilty_are_found(bin_dir, plugin, tmp_path, name):
    assert wrong(bin_dir, plugin, tmp_path, name, 1) == []


@pytest.mark.long
def test_all(bin_dir, plugin, tmp_path):
    """Whatever is damaged."""
    assert [(name, *one) for name in planted.VIOLATIONS for one in wrong(bin_dir, plugin, tmp_path, name, 1000)] == []
