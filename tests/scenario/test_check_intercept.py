# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""assay check judges what is seen on the links of the Intercept network."""

import json
import pathlib
import struct
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "intercept"))
import frames  # noqa: E402

PATTERN = bytes(number * 7 % 251 for number in range(20000))


@pytest.fixture(name="check")
def fixture_check(bin_dir, tmp_path):
    """Status, and what is found as pairs of rule and requirement, with the whole answer."""
    def check(network):
        path = tmp_path / "links.pcap"
        path.write_bytes(network.capture())
        done = subprocess.run([bin_dir / "assay", "check", "--json", path], capture_output=True, text=True, check=False)
        result = json.loads(done.stdout)
        return done.returncode, [(one["rule"], one["requirement"]) for one in result["breaches"]], result
    return check


def test_good_links_break_nothing(check):
    network = frames.Network()
    network.put_short(0, PATTERN[:5])
    network.put_short(1, PATTERN[:3000])
    network.put_short(2, PATTERN[:3000], shuffled=True)
    network.connect()
    network.put_long(3, PATTERN, 17)
    status, found, result = check(network)
    assert (status, found) == (0, [])
    assert result["intercept"] == {"links": 4, "frames": len(network.packets), "again": 0, "corrupt": 0, "messages": 4}


def test_what_is_sent_again_accuses_nobody(check):
    """A lost packet, a corrupt one and the requests for them are what links are for."""
    network = frames.Network()
    octets = network.rmpp(1, frames.RTS, 0, frames.put_header(0), acknowledged=False)
    network.datagram(1, 0, octets[:20] + b"\xff" + octets[21:])
    network.answer(1, 0, frames.AGAIN, 1)
    network.datagram(1, 0, octets)
    network.answer(1, 0, frames.ACK, 1)
    network.rmpp(2, frames.MSGEND, 0)
    status, found, result = check(network)
    assert (status, found) == (0, [])
    assert (result["intercept"]["again"], result["intercept"]["corrupt"]) == (1, 1)


def early(network):
    network.rmpp(1, frames.RTS, 0, frames.put_header(0))
    network.rmpp(1, frames.RTS, 1, frames.put_header(0))


def ungranted(network):
    network.rmpp(1, frames.RTS, 0, frames.put_header(3000) + PATTERN[:408])
    network.rmpp(2, frames.CTS, 0, struct.pack(">IIQ", 2, 0, 3000))
    network.rmpp(1, frames.DATA, 0, struct.pack(">II", 2, 0) + PATTERN[:480])


def unpaid(network):
    network.control(1, frames.TRY_MATCH, 5, struct.pack(">QQQ", 0, 0, 9000) + frames.put_header(9000))


def eighth(network):
    for number in range(8):
        network.packet(1, 0, frames.VDMA, struct.pack(">HHI", 0, 8, 8 * number) + bytes(8), acknowledged=False)
    for _ in range(5):
        network.credit(2, 1)  # with its acknowledgement: what follows is too far away to have stood before the eighth
    network.answer(1, 0, frames.ACK, 1)  # the first, which proves that it was not acknowledged before


def strayed(network):
    network.rmpp(1, frames.RTS, 0, frames.put_header(0), planes=2)


@pytest.mark.parametrize("wrong,rule", [
    (early, ("boot-first", "ICPT-177")), (ungranted, ("data-not-granted", "ICPT-142")),
    (unpaid, ("no-credit", "ICPT-090")), (eighth, ("window-full", "ICPT-009")),
    (strayed, ("wrong-plane", "ICPT-014"))])
def test_violations_are_named(check, wrong, rule):
    network = frames.Network()
    wrong(network)
    status, found, _ = check(network)
    assert (status, found) == (1, [rule])


def test_other_datagrams_are_passed_over(bin_dir, tmp_path):
    """Datagrams that are no frames, on links that have carried none, are nobody's."""
    network = frames.Network(planes=0)
    network.datagram(1, 0, bytes(40))
    network.datagram(1, 0, b"\x02\x01" + bytes(18))
    path = tmp_path / "others.pcap"
    path.write_bytes(network.capture())
    done = subprocess.run([bin_dir / "assay", "check", path], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "no link of Intercept" in done.stderr
