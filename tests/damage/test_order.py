# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Packets of several connections may stand in a wrong order in a capture, since they reach it by several processors or
interfaces: nobody is accused of what only that order shows, and whatever more than that shows is found."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "tester"), str(ROOT / "tests" / "damage")]

import damage  # noqa: E402 pylint: disable=wrong-import-position
import judges  # noqa: E402 pylint: disable=wrong-import-position
import planted_streams  # noqa: E402 pylint: disable=wrong-import-position
import sound  # noqa: E402 pylint: disable=wrong-import-position

FAR = 2 * planted_streams.CLOSE  # packets: further than any of them is from its place
SWAPS = 40                       # about so many in a capture
ONCE = 7                         # one capture of so many is also read in one pass


@pytest.fixture(scope="module", name="plugin")
def fixture_plugin(build, variant):
    """The plugin of the variant under test."""
    with judges.plugin(build, variant) as opened:
        yield opened


@pytest.fixture(name="told")
def fixture_told(bin_dir, plugin):
    """The requirements that both say are broken."""
    def told(packets, setting="FALSE"):
        path = damage.write(plugin.folder / "order.pcap", packets)
        checked = judges.by_checker(bin_dir, path)
        assert plugin.twice(path, setting) == checked
        return [requirement for _, requirement in checked]

    return told


def orders(packets):
    """Those in which two processors may have captured them: (kind, place, packets). Of a long capture some."""
    apart = [place for place in range(len(packets) - 1)
             if damage.connection_of(packets[place]) != damage.connection_of(packets[place + 1])]
    for place in apart[::1 + len(apart) // SWAPS]:
        yield "swapped", place, damage.swapped(packets, place)
    yield from damage.by_all_processors(packets)


def several(folder):
    """Jobs that have several connections: name -> packets."""
    made = dict(sound.several_streams(ROOT, folder)) | dict(sound.impi(ROOT, folder))
    return made | {"streams of two processes": planted_streams.job(ROOT, folder)}


@pytest.mark.parametrize("name", sorted(sound.SEVERAL_STREAMS) + ["impi-job", "lam-impi", "streams of two processes"])
def test_no_innocent_is_accused(told, plugin, tmp_path, name):
    accused, turn = [], 0
    for turn, (kind, place, left) in enumerate(orders(several(tmp_path)[name])):
        found = told(left, judges.SETTINGS[turn % 2])
        if turn % ONCE == 0:
            found += plugin.once(plugin.folder / "order.pcap", judges.SETTINGS[turn // ONCE % 2])
        accused += [(kind, place, found)] if found else []
    assert turn > 15
    assert not accused


@pytest.mark.parametrize("name", planted_streams.VIOLATIONS)
def test_the_guilty_are_found(told, tmp_path, name):
    """And of nothing else, wherever the rest of the capture has a wrong order."""
    packets, requirement = planted_streams.job(ROOT, tmp_path, name), planted_streams.VIOLATIONS[name][0]
    before = told(packets)
    assert set(before) == {requirement}
    assert [(kind, place) for kind, place, left in orders(packets) if told(left) != before] == []


def behind(packets, stream):
    """A connection all of whose packets are captured so late that their order is no accident."""
    order = [at + FAR * (damage.connection_of(packet) == stream) for at, packet in enumerate(packets)]
    places = sorted(range(len(packets)), key=order.__getitem__)
    return [packets[at]._replace(when=packet.when) for packet, at in zip(packets, places)]


def test_what_is_far_from_its_place_is_not_explained(told, tmp_path):
    """A server that says what its clients say much later; a process that answers what it is asked much later."""
    made = several(tmp_path)
    for name, stream, requirements in (("impi-job", 3, {"IMPI-041", "IMPI-049", "IMPI-075"}),
                                       ("streams of two processes", 0, {"P30-010", "PW-40"})):
        packets = made[name]
        assert requirements <= set(told(behind(packets, damage.connection_of(packets[stream])))), name
