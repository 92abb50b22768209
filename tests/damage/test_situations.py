# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""In whatever situation a capture is made (situations.py, circumstances.py, paths.py, occasions.py), no innocent is
accused, and a violation is found where all packets are there; plugin and checker say the same."""

import pathlib
import random
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "tester"), str(ROOT / "tests" / "damage")]

import circumstances  # noqa: E402 pylint: disable=wrong-import-position
import damage  # noqa: E402 pylint: disable=wrong-import-position
import guilty  # noqa: E402 pylint: disable=wrong-import-position
import impi_job  # noqa: E402 pylint: disable=wrong-import-position
import judges  # noqa: E402 pylint: disable=wrong-import-position
import occasions  # noqa: E402 pylint: disable=wrong-import-position
import paths  # noqa: E402 pylint: disable=wrong-import-position
import places  # noqa: E402 pylint: disable=wrong-import-position
import planted  # noqa: E402 pylint: disable=wrong-import-position
import planted_streams  # noqa: E402 pylint: disable=wrong-import-position
import situations  # noqa: E402 pylint: disable=wrong-import-position
import sound  # noqa: E402 pylint: disable=wrong-import-position
import wires  # noqa: E402 pylint: disable=wrong-import-position

SEED = 14
LONGEST = 16384  # octets in a segment
ONCE = 7         # one situation of so many is also read in one pass
# A host of IMPI that resets a channel, or ends it before the other's FINI, has broken the rule.
ALLOWED = {"reset amid": {"IMPI-090"}, "half closed": {"IMPI-090"}}
RESTS_ON_OTHERS = "P30-090"  # withheld where connections are captured twice: what came first at a third process?
# what was late comes with the SYN, or the clock goes back
EARLY = {"opening with data that are not taken": {"PW-16"}, "two files that overlap": {"PW-16", "P30-010"}}


@pytest.fixture(scope="module", name="plugin")
def fixture_plugin(build, variant):
    """The plugin of the variant under test."""
    with judges.plugin(build, variant) as opened:
        yield opened


def told_wrongly(kind, before, now, whole):
    """What is told and should not be, or is not told any more."""
    new = now - before - ALLOWED.get(kind, set())
    gone = before - now - EARLY.get(kind, set()) - {RESTS_ON_OTHERS}
    return (new if whole or not before else set()) | (gone if whole else set())


def both(packets, choose):
    """Those of both files."""
    yield from situations.situations(packets, choose)
    yield from circumstances.circumstances(packets, choose)
    yield from paths.paths(packets, choose)
    yield from occasions.occasions(packets, choose)


def wrong(bin_dir, plugin, name, packets, made=both):
    """(kind, what was told) where that should not be."""
    path, found = plugin.folder / "situation.pcap", []
    packets = wires.summed(places.with_options(damage.split(packets, LONGEST)))
    before = {requirement for _, requirement in judges.by_checker(bin_dir, damage.write(path, packets))}
    for turn, (kind, left, whole) in enumerate(made(packets, random.Random(f"{SEED} {name}"))):
        if not left:
            continue
        checked = judges.by_checker(bin_dir, damage.write(path, left))
        if told_wrongly(kind, before, {requirement for _, requirement in checked}, whole):
            found.append((kind, checked))
        shown = plugin.twice(path, judges.SETTINGS[turn % 2])
        if shown != checked:
            found.append((kind, checked, shown))
        if turn % ONCE == 0 and not before and plugin.once(path, judges.SETTINGS[turn // ONCE % 2]):
            found.append((kind, "once"))
    return found


@pytest.mark.parametrize("name", ["put-acknowledged", "tagged", "acceptor-first", "impi-job"])
def test_sound(bin_dir, plugin, tmp_path, name):
    assert wrong(bin_dir, plugin, name, sound.captures(ROOT, tmp_path)[name]) == []


def test_a_connection_for_each_direction(bin_dir, plugin):
    """Requests travel on one connection, their answers on the other."""
    packets = planted_streams.job(ROOT, plugin.folder, None)
    assert wrong(bin_dir, plugin, "streams", packets, occasions.occasions) == []


@pytest.mark.parametrize("name", ["acknowledge-unsent", "second-stream"])
def test_guilty(bin_dir, plugin, tmp_path, name):
    assert wrong(bin_dir, plugin, name, dict(sound.conversations(ROOT, tmp_path, True))[name]) == []


@pytest.mark.parametrize("name", guilty.VIOLATIONS)
def test_impi_over_ipv6(bin_dir, plugin, tmp_path, monkeypatch, name):
    """A job whose hosts have such addresses, also in what they say, is judged as any other."""
    path = plugin.folder / "six.pcap"
    before = judges.by_checker(bin_dir, damage.write(path, guilty.job(tmp_path, name)[0]))
    monkeypatch.setattr(impi_job, "HOSTS", [wires.PREFIX + bytes([127, 0, 0, 1 + host]) for host in range(2)])
    for label in (0x2000, 0x3000):
        monkeypatch.setitem(impi_job.VALUES, label, impi_job.HOSTS)
    packets = wires.summed(places.with_options(guilty.job(tmp_path, name)[0]))
    path = damage.write(path, [wires.six(packet) for packet in packets])
    assert name in {requirement for _, requirement in before}
    assert judges.by_checker(bin_dir, path) == plugin.twice(path, "FALSE") == before


def all_captures(folder):
    """Those that are made at once: (name, packets)."""
    yield from sound.captures(ROOT, folder).items()
    yield from sound.conversations(ROOT, folder, True)
    for name in planted.VIOLATIONS:
        yield name, planted.job(ROOT, folder, name)[0]
    for name in [None, *planted_streams.VIOLATIONS]:
        yield f"streams, {name}", planted_streams.job(ROOT, folder, name)
    for name in guilty.VIOLATIONS:
        yield name, guilty.job(folder, name)[0]


@pytest.mark.long
def test_all(bin_dir, plugin, tmp_path):
    """Every capture that is made at once."""
    assert [(name, *one) for name, packets in all_captures(tmp_path)
            for one in wrong(bin_dir, plugin, name, packets)] == []
