# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""The Intercept network in tshark: every kind of frame, messages put together, what was sent again, what is broken."""

import pathlib
import struct
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "intercept"))
import frames  # noqa: E402

PATTERN = bytes(number * 7 % 251 for number in range(20000))


@pytest.fixture(name="shown")
def fixture_shown(tshark):
    """Fields of each packet that passes a filter, of what was seen on links."""
    def shown(network, *names, where="intercept"):
        path = tshark.folder / "links.pcap"
        path.write_bytes(network.capture())
        path.chmod(0o644)
        return tshark.fields(path, *names, shown=where)
    return shown


def test_every_frame_is_shown(shown):
    network = frames.Network()
    network.put_short(0, PATTERN[:3000])
    network.connect()
    network.put_long(1, PATTERN, 17)
    rows = shown(network, "intercept.message", "intercept.plane", "intercept.kind")
    assert len(rows) == len(network.packets)
    names = [name for (name,), _, _ in rows]
    assert {"rts", "cts", "data", "last_data", "msgend", "upd_conn", "command", "try_match", "vdma_get", "vdma_data",
            "get_ext_reply", "match_reply", "acknowledge", "short_message"} == set(names)
    assert {plane for _, (plane,), _ in rows} == {"0", "1"}


def test_every_vector_is_shown(shown):
    """Frames that are extreme or have strange content do not stop it; each comes on a link of its own."""
    network = frames.Network(planes=0)
    vectors = []
    for node, path in enumerate(sorted((ROOT / "wire" / "vectors" / "intercept").glob("*.hex"))):
        digits = "".join(line.partition("#")[0] for line in path.read_text("ascii").splitlines())
        vectors.append(bytes.fromhex("".join(digits.split())))
        network.datagram(node, 0, vectors[-1])
    rows = shown(network, "intercept.message", "intercept.crc")
    assert [int(crc, 16) for _, (crc,) in rows] == [struct.unpack(">I", octets[-4:])[0] for octets in vectors]
    assert all(message for (message,), _ in rows)


@pytest.mark.parametrize("length,tagged", [(0, False), (5, False), (408, False), (409, False), (3000, False),
                                           (0, True), (384, True), (385, True), (3000, True)])
def test_short_messages_are_put_together(shown, length, tagged):
    network = frames.Network()
    network.put_short(0, PATTERN[:length], shuffled=True, tagged=tagged)
    rows = shown(network, "intercept.whole.octets", "intercept.whole", "intercept.portals.portal",
                 where="intercept.whole.octets")
    assert rows == [[[str(length)], [PATTERN[:length].hex()] if length else [], ["4"]]]


@pytest.mark.parametrize("length,first", [(9001, 17), (20000, 0), (8160, 31)])
def test_long_messages_are_put_together(shown, length, first):
    network = frames.Network()
    network.connect()
    network.put_long(0, PATTERN[:length], first)
    rows = shown(network, "intercept.message", "intercept.whole", "intercept.begun_in", where="intercept.whole")
    begun = shown(network, "frame.number", where='intercept.message == "try_match"')
    assert rows == [[["match_reply"], [PATTERN[:length].hex()], begun[0][0]]]


def test_order_and_repetition_are_marked(shown):
    network = frames.Network()
    network.put_short(0, PATTERN[:3000], shuffled=True)
    octets = network.rmpp(1, frames.RTS, 1, frames.put_header(0), acknowledged=False)
    network.datagram(1, 0, octets)
    late = shown(network, "intercept.packet_number", where="intercept.late")
    assert [int(cell[0][0]) for cell in late] == [4, 3, 2, 1, 0]
    assert shown(network, "frame.number", where="intercept.again") == [[[str(len(network.packets))]]]


def test_damage_and_violations_are_told(shown):
    network = frames.Network()
    octets = network.rmpp(1, frames.RTS, 0, frames.put_header(0))
    network.datagram(1, 0, octets[:-1] + bytes([octets[-1] ^ 1]))
    network.datagram(1, 0, octets[:-4] + bytes(255 - octet for octet in octets[-4:]))
    network.rmpp(1, frames.RTS, 1, frames.put_header(0))
    assert len(shown(network, "frame.number", where="intercept.corrupt")) == 1
    assert len(shown(network, "frame.number", where="intercept.withdrawn")) == 1
    rows = shown(network, "intercept.requirement", "_ws.col.Info", where="intercept.requirement")
    assert rows[0][0] == ["ICPT-177"] and "[ICPT-177]" in rows[0][1][0]


def test_other_datagrams_are_left_alone(shown):
    network = frames.Network(planes=0)
    network.datagram(1, 0, b"\x02\x01" + bytes(18))
    assert shown(network, "frame.number") == []
