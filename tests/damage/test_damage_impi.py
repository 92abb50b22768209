# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A violation on a channel of IMPI is found whatever befalls the packets around those that prove it, and nobody else is
accused."""

import collections
import pathlib
import random
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "tester"), str(ROOT / "tests" / "damage")]

import damage  # noqa: E402 pylint: disable=wrong-import-position
import guilty  # noqa: E402 pylint: disable=wrong-import-position
import impi_job  # noqa: E402 pylint: disable=wrong-import-position
import judges  # noqa: E402 pylint: disable=wrong-import-position

SERVER, LATEST = (6000).to_bytes(2, "big"), 8  # its port; places
CHOSEN = 24         # packets until the server has chosen, and somewhat more
SEED, EACH = 14, 2  # damages of a kind
APART = 2 + damage.AGAIN_AFTER  # packets between a damage and the proof
WHOLE = {"captured twice"} | damage.HARMLESS
KINDS = {"one removed", "two removed", "swapped", "late", "one cut short"} | WHOLE
HIWATER = {"IMPI-126", "IMPI-132"}  # which of the packets on their way were data, is not known where some are missing


@pytest.fixture(scope="module", name="plugin")
def fixture_plugin(build, variant):
    """The plugin of the variant under test."""
    with judges.plugin(build, variant) as opened:
        yield opened


def apart(kind, place, begun, proof, ended):
    """Whether the damage leaves the proof alone, and the start-up that it rests on."""
    return kind in WHOLE or begun + 2 < place < proof - APART or place > ended


@pytest.mark.parametrize("requirement", guilty.VIOLATIONS)
def test_the_guilty_are_found(requirement, bin_dir, plugin, tmp_path):
    """And nothing else is told that the capture as it was does not tell; by the plugin just so."""
    packets, begun, proof, ended = guilty.job(tmp_path, requirement)
    path = plugin.folder / "guilty.pcap"

    def told(left):
        return {found for _, found in judges.by_checker(bin_dir, damage.write(path, left))}

    before = told(packets)
    assert requirement in before
    allowed = before | (HIWATER if before & HIWATER else set())
    kinds = {}
    for kind, place, left in damage.damages(packets):
        if kind in KINDS and apart(kind, place, begun, proof, ended):
            kinds.setdefault(kind, []).append((place, left))
    assert len(kinds) == len(KINDS)
    choose, wrong = random.Random(f"{SEED} {requirement}"), []
    for kind, made in kinds.items():
        for place, left in choose.sample(made, min(EACH, len(made))):
            found = told(left)
            if not found <= allowed or not found & (HIWATER if requirement in HIWATER else {requirement}):
                wrong.append((kind, place, found))
        assert plugin.twice(path, judges.SETTINGS[len(kind) % 2]) == judges.by_checker(bin_dir, path), kind
    assert not wrong


def server_late(packets, place, places, one):
    """What the server sends from there on is captured so many places late, or one packet to each client alone."""
    late, order = collections.Counter(), []
    for at, packet in enumerate(packets):
        way = damage.Segment(packet).way
        is_late = at >= place and way[8:10] == SERVER and not (one and late[way])
        late[way] += is_late
        order.append((at + (places + 0.5) * is_late, at))
    return [packets[at]._replace(when=packet.when) for packet, (_, at) in zip(packets, sorted(order))]


@pytest.mark.parametrize("one", [False, True], ids=["all", "one"])
def test_limits_are_known_though_the_server_is_late(bin_dir, plugin, tmp_path, one):
    """Both links lack the same octets for a while, or start-up ends when hosts have begun to talk."""
    packets, begun, _, _ = guilty.job(tmp_path, "IMPI-111")
    path, found = plugin.folder / "late.pcap", []
    before = {requirement for _, requirement in judges.by_checker(bin_dir, damage.write(path, packets))}
    for place in range(20, begun, 3):
        for places in (1, 4, LATEST):
            checked = judges.by_checker(bin_dir, damage.write(path, server_late(packets, place, places, one)))
            found += [(place, places, checked)] if {requirement for _, requirement in checked} != before else []
        assert plugin.twice(path, judges.SETTINGS[place % 2]) == checked
    assert found == []


def _twice(octets):
    return octets * 2


def _longer(octets):
    return octets[:4] + bytes([0, 0, 0, 12]) + octets[8:12] + bytes([0, 0, 0, 5, 0, 0, 0, 6])


def _another(octets):
    return octets[:-1] + b"\7"


@pytest.mark.parametrize("side, begins, made", [
    (0, b"DONE", _twice), (0, impi_job.command(b"COLL", 0x1600, -1), _longer),
    (1, impi_job.command(b"COLL", 0x1300, 3, 8, 100), _another)], ids=["done twice", "too long", "relayed wrongly"])
def test_late_before_the_server_has_chosen(bin_dir, plugin, tmp_path, side, begins, made):
    """A packet of start-up stands two places late: what is wrong behind it on its connection is found."""
    job = impi_job.Job()
    say = job.say
    job.say = lambda stream, who, octets: say(stream, who, made(octets) if stream is job.links[1] and who == side and
                                              octets.startswith(begins) else octets)
    job.start()
    job.say = say
    impi_job.traffic(job)
    path = tmp_path / "made.pcap"
    path.write_bytes(job.end())
    packets, wrong = damage.read(path), []
    path = plugin.folder / "late.pcap"
    before = {requirement for _, requirement in judges.by_checker(bin_dir, damage.write(path, packets))}
    assert before
    for place in range(CHOSEN):
        left = packets[:place] + packets[place + 1:place + 3] + [packets[place]] + packets[place + 3:]
        left = [one._replace(when=packet.when) for one, packet in zip(left, packets)]
        checked = judges.by_checker(bin_dir, damage.write(path, left))
        if {requirement for _, requirement in checked} != before:
            wrong.append((place, checked))
        if place % 5 == 0:
            assert plugin.twice(path, judges.SETTINGS[place % 2]) == checked
    assert wrong == []


def test_a_job_behind_one_that_broke_off(bin_dir, plugin, tmp_path):
    """In the midst of its start-up all connections of a job end; of one client hardly anything was captured. The next
    job at this server has the same ranks: nobody is accused."""
    job = impi_job.Job()
    job.say(job.links[0], 0, impi_job.command(b"AUTH", 1))
    job.say(job.links[0], 1, bytes(8))
    job.say(job.links[0], 0, impi_job.command(b"IMPI", 0))
    job.say(job.links[0], 1, impi_job.command(b"IMPI", 2))
    for link in job.links:
        link.finish(1, len(job.packets) / 1000)
        link.finish(0, len(job.packets) / 1000)
    job.links = [impi_job.Connection(job.packets, ("127.0.0.9", 43000 + rank), ("127.0.0.9", 6000),
                                     len(job.packets) / 1000) for rank in range(2)]
    job.start()
    path = tmp_path / "made.pcap"
    path.write_bytes(job.end())
    path = damage.write(plugin.folder / "behind.pcap", damage.read(path))
    assert judges.by_checker(bin_dir, path) == plugin.twice(path, "FALSE") == plugin.once(path, "TRUE") == []
