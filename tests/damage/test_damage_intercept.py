# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Captures of the Intercept network that lack frames, have some twice or cut short accuse nobody, and a violation is
still told where all frames are there that prove it."""

import pathlib
import random
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "damage"), str(ROOT / "tests" / "intercept")]

import damage  # noqa: E402 pylint: disable=wrong-import-position
import frames  # noqa: E402 pylint: disable=wrong-import-position
import judges  # noqa: E402 pylint: disable=wrong-import-position
import planted_intercept  # noqa: E402 pylint: disable=wrong-import-position

PATTERN = bytes(number * 7 % 251 for number in range(9000))
SEED, EACH = 14, 12  # of each kind of damage
PLACES = 6           # captures of each of four distances


@pytest.fixture(scope="module", name="plugin")
def fixture_plugin(build, variant):
    """The plugin of the variant under test."""
    with judges.plugin(build, variant) as opened:
        yield opened


@pytest.fixture(name="told")
def fixture_told(bin_dir, plugin):
    """What `assay check` tells of packets; the plugin says the same."""
    def told(packets):
        path = damage.write(plugin.folder / "damaged.pcap", packets)
        checked = judges.by_checker(bin_dir, path)
        assert plugin.twice(path, judges.SETTINGS[0]) == checked
        return checked

    return told


@pytest.fixture(name="packets")
def fixture_packets(tmp_path):
    """Messages of all kinds between two nodes over two planes."""
    network = frames.Network()
    network.put_short(0, PATTERN[:3000])
    network.connect()
    network.put_long(1, PATTERN, 17)
    network.put_short(2, PATTERN[:5])
    network.put_long(3, PATTERN[:2000], 0)
    path = tmp_path / "sound.pcap"
    path.write_bytes(network.capture())
    return damage.read(path)


def is_acknowledgement(packet):
    """Of one of the links."""
    return packet.octets[damage.LINK_OCTETS[packet.link] + 28] == frames.ACK


def damages(packets, others):
    """(kind, place, packets): one frame or two removed, one captured twice, or elsewhere; the first or last ones
    removed; all are cut short; the capture merged with itself, or with a part of itself, its clock being another, or
    with one of another job; neighbours in the other order, also those between which an acknowledgement is missing or
    comes only behind both."""
    apart = packets[1].when - packets[0].when
    for place in range(len(packets)):
        again = damage.later(packets, (place + 1) * apart)
        yield "captured twice", place, damage.by_time(packets + again)
        yield "appended", place, packets + packets[:place + 1]
        yield "the end appended", place, packets + packets[place:]
        yield "a part before it", place, packets[place // 2:place + 1] + packets
        yield "one removed", place, damage.without(packets, {place})
        yield "duplicated", place, packets[:place + 1] + packets[place:]
        yield "late", place, damage.late(packets, place)
        yield "woven with another job", place, damage.woven(packets, others, place)
    for place in range(1, len(packets)):
        yield "swapped", place, damage.swapped(packets, place - 1)
        left = damage.without(packets, {place})
        if place < len(left) and is_acknowledgement(packets[place]):
            yield "swapped without acknowledgement", place, damage.swapped(left, place - 1)
            yield "swapped before it", place, damage.swapped(damage.swapped(packets, place), place - 1)
        yield "two removed", place, damage.without(packets, {place - 1, place})
        yield "first removed", place, packets[place:]
        yield "last removed", place, packets[:place]
    for octets in (60, 96, 128):
        yield "cut short", octets, damage.cut(packets, octets)


def test_no_innocent_is_accused(packets, told, tmp_path):
    assert told(packets) == []
    kinds = {}
    for made in damages(packets, planted_intercept.other_job(tmp_path)):
        kinds.setdefault(made[0], []).append(made)
    choose = random.Random(SEED)
    chosen = [made for kind in kinds.values() for made in choose.sample(kind, min(EACH, len(kind)))]
    assert len(kinds) == 15 and [(kind, place) for kind, place, left in chosen if told(left)] == []


def test_the_guilty_are_found(packets, told, tmp_path):
    """A message with a number that another one has had, behind sound ones; frames that were captured twice change
    nothing."""
    network = frames.Network()
    network.put_short(0, PATTERN[:3000])
    network.put_short(0, PATTERN[:5])
    path = tmp_path / "guilty.pcap"
    path.write_bytes(network.capture())
    guilty = damage.read(path)
    requirements = {requirement for _, requirement in told(guilty)}
    assert "ICPT-171" in requirements and len(packets) > len(guilty)
    for place in range(0, len(guilty), 5):
        twice = guilty[:place + 1] + guilty[place:]
        assert {requirement for _, requirement in told(twice)} == requirements


def cards_of(packets):
    """Of each packet the card of its link, which announces itself by the first frame there."""
    cards, owners = {}, []
    for packet in packets:
        at = damage.LINK_OCTETS[packet.link]
        address, ports, frame = packet.octets[at + 12:at + 20], packet.octets[at + 20:at + 24], packet.octets[at + 28:]
        link = frozenset([(address[:4], ports[:2]), (address[4:], ports[2:])])
        owners.append(cards.setdefault(link, frame[6:8]))
    return owners


def lessons():
    """Captures of the reference, which has each packet on every link that it crosses: (name, packets)."""
    for path in sorted((ROOT / "web" / "pages" / "lessons").glob("*.pcapng")):
        yield path.stem, damage.read(path)


def ends_of(packet):
    """Its two ports, as it travels."""
    at = damage.LINK_OCTETS[packet.link]
    return packet.octets[at + 20:at + 22], packet.octets[at + 22:at + 24]


def displaced(packets, choose, group, most):
    """Those of each group, in their order, come late by up to so many places."""
    late, latest, order = {}, {}, []
    for at, packet in enumerate(packets):
        key = group(packet)
        if choose.random() < 0.3:
            late[key] = choose.uniform(0, most) if choose.random() < 0.3 else 0
        latest[key] = max(at + late.get(key, 0), latest.get(key, 0))
        order.append((latest[key], at))
    return [packets[at]._replace(when=packet.when) for packet, (_, at) in zip(packets, sorted(order))]


@pytest.mark.parametrize("group", [lambda packet: frozenset(ends_of(packet)), ends_of], ids=["links", "directions"])
def test_some_places_from_where_they_belong(bin_dir, plugin, packets, tmp_path, group):
    """As several processors write them down."""
    captures = [*lessons(), ("sound", packets), ("others", planted_intercept.other_job(tmp_path))]
    found, choose = [], random.Random(SEED)
    for name, whole in captures:
        for most in (1, 2, 4, 6) * PLACES:
            path = damage.write(plugin.folder / "displaced.pcap", displaced(whole, choose, group, most))
            told = judges.by_checker(bin_dir, path)
            found += [(name, most, told)] if told else []
        assert plugin.twice(path, "FALSE") == told and plugin.once(path, "TRUE") == []
    assert found == []


@pytest.mark.parametrize("same", [frozenset, tuple], ids=["links", "directions"])
def test_links_that_are_not_captured(bin_dir, plugin, same):
    """Of some cards not all planes, or of some links one direction alone."""
    found, checked = [], 0
    for name, packets in lessons():
        for one in sorted({same(ends_of(packet)) for packet in packets}, key=repr):
            for is_alone in (True, False):
                left = [packet for packet in packets if (same(ends_of(packet)) == one) == is_alone]
                told = judges.by_checker(bin_dir, damage.write(plugin.folder / "some.pcap", left))
                found += [(name, one, is_alone, told)] if told else []
                checked += 1
        assert plugin.twice(plugin.folder / "some.pcap", "FALSE") == []
    assert checked > 40 and found == []


def test_two_captures_that_each_lack_some(bin_dir, plugin):
    """Of one job, merged."""
    found, choose = [], random.Random(SEED)
    for name, packets in lessons():
        for apart in (3, 10**5) * EACH:
            halves = [[packet for packet in packets if choose.random() > 0.2] for _ in range(2)]
            left = damage.by_time(halves[0] + damage.later(halves[1], apart))
            told = judges.by_checker(bin_dir, damage.write(plugin.folder / "merged.pcap", left))
            found += [(name, apart, told)] if told else []
        assert plugin.twice(plugin.folder / "merged.pcap", "FALSE") == told
    assert found == []


def test_clocks_of_two_hosts(bin_dir, plugin):
    """The links of one card were captured on another host, whose clock is ahead or behind."""
    checked = 0
    for name, packets in lessons():
        cards = cards_of(packets)
        for apart in (500, 5_000, 50_000, 500_000, -500, -5_000, -50_000, -500_000):
            for card in set(cards):
                shifted = damage.by_time([packet._replace(when=packet.when + apart * (owner == card))
                                          for packet, owner in zip(packets, cards)])
                path = damage.write(plugin.folder / "shifted.pcap", shifted)
                assert judges.by_checker(bin_dir, path) == [], (name, card, apart)
                checked += 1
        assert plugin.twice(path, judges.SETTINGS[0]) == []
    assert checked >= 48
