# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""IMPI is found without a fixed port however TCP cuts it, and what is not IMPI is left alone."""

import random

import pytest

from capture import Capture, Connection, vector
from impi_octets import TWO, channel, command, host, ints, packet, process, start

A, B = process("127.0.0.2", 65), process("127.0.0.3", 67)
SPOKEN = ["AUTH", "IMPI"] + ["COLL"] * 14 + ["DONE", "FINI"]
ANSWERED = ["CHOICE", "IMPI"] + ["COLL"] * 14 + ["DONE"]
PACKETS = (packet("DATA", A, B, b"hello", tag=7) + packet("DATASYNC", A, B, b"", srqid=5)
           + packet("FINI", process("0.0.0.0", -1), process("0.0.0.0", -1), len=128))


def verbs(infos):
    """The first word of each entry of the information column."""
    return [info.split(" ", 1)[0] for info in infos]


def session(root):
    """Both sides of one client's start-up, as the vectors have it."""
    return vector(root, "impi-client/session"), vector(root, "impi-server/session")


def test_start_up_in_both_directions(tshark, capture_path, root):
    capture = Capture()
    connection = Connection(capture)
    for side, octets in enumerate(session(root)):
        connection.send(side, octets)
    infos = tshark.info(capture.write(capture_path), shown="impi")
    assert verbs(infos) == SPOKEN + ANSWERED
    assert infos[1] == "IMPI rank 1  client 1 -> server"
    assert infos[18 + 3] == "COLL C_NHOSTS 1  server -> client 1"


@pytest.mark.parametrize("passes", ["one", "two"])
def test_a_cut_at_every_octet_of_start_up(tshark, capture_path, root, passes):
    """One connection for each place at which the client's side can be cut in two, from its fourth octet on."""
    octets = session(root)[0]
    capture = Capture()
    for cut in range(4, len(octets)):
        connection = Connection(capture, ("127.0.0.1", 50100 + cut))
        connection.send(0, octets[:cut])
        connection.send(0, octets[cut:])
    assert found_by_port(tshark, capture.write(capture_path), passes) == {cut: SPOKEN for cut in range(4, len(octets))}


def found_by_port(tshark, path, passes, *arguments):
    """The verbs of each connection by its opener's port, less 50100."""
    told = tshark.fields(path, "tcp.srcport", "_ws.col.Info", arguments=arguments, shown="impi",
                         passes=1 if passes == "one" else 2)
    found = {}
    for (port,), (info,) in told:
        shown = [part.strip() for part in info.split(" | ") if not part.rstrip().endswith("where it is complete")]
        shown = [part for part in shown if "where it is complete [" not in part and "judged by what came" not in part]
        shown = [part for part in shown if "TCP segment of a reassembled PDU" not in part]
        found.setdefault(int(port) - 50100, []).extend(verbs(shown))
    return found


@pytest.mark.parametrize("passes", ["one", pytest.param("two", marks=pytest.mark.long)])
def test_a_cut_at_every_octet_of_packets(tshark, capture_path, passes):
    """The rank and three packets, on a port that is named."""
    octets = ints(1) + PACKETS
    capture = Capture()
    for cut in range(1, len(octets)):
        connection = Connection(capture, ("127.0.0.3", 50100 + cut), ("127.0.0.2", 47002))
        connection.send(0, octets[:cut])
        connection.send(0, octets[cut:])
    found = found_by_port(tshark, capture.write(capture_path), passes, "-d", "tcp.port==47002,impi")
    assert found == {cut: ["host", "DATA", "DATASYNC", "FINI"] for cut in range(1, len(octets))}


def test_octet_by_octet(tshark, capture_path):
    """One octet a segment but for the four that tell a client."""
    capture = Capture()
    connection = Connection(capture)
    octets = command("AUTH", ints(3)) + (5678).to_bytes(8, "big") + command("IMPI", ints(0))
    connection.send(0, octets[:4])
    for octet in octets[4:12]:
        connection.send(0, bytes([octet]))
    for octet in ints(1, 0):
        connection.send(1, bytes([octet]))
    for octet in octets[12:]:
        connection.send(0, bytes([octet]))
    assert verbs(tshark.info(capture.write(capture_path), shown="impi")) == ["AUTH", "CHOICE", "KEY", "IMPI"]


def test_a_key_that_looks_like_a_command(tshark, capture_path):
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, command("AUTH", ints(2)))
    connection.send(1, ints(1, 0))
    connection.send(0, command("DONE") + command("IMPI", ints(0)))
    assert verbs(tshark.info(capture.write(capture_path), shown="impi")) == ["AUTH", "CHOICE", "KEY", "IMPI"]


@pytest.mark.parametrize("mask, spoken", [(1, ["AUTH", "IMPI"]), (3, ["AUTH", "KEY", "IMPI"])])
def test_a_client_without_its_server(tshark, capture_path, mask, spoken):
    """The capture holds one direction only: a key is told by what it is not."""
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, command("AUTH", ints(mask)) + (bytes(7) + b"\x2a" if mask == 3 else b"")
                    + command("IMPI", ints(0)))
    assert verbs(tshark.info(capture.write(capture_path), shown="impi")) == spoken


def test_start_up_that_the_capture_joins_late(tshark, capture_path):
    whole = Capture()
    start(whole, TWO)
    late = Capture()
    late.packets = whole.packets[24:]
    infos = tshark.info(late.write(capture_path), shown="impi")
    assert set(verbs(infos)) == {"COLL", "DONE"} and len(infos) == 50
    assert tshark.shown(capture_path, "impi.requirement or _ws.malformed") == []


def test_ports_announced_at_start_up(tshark, capture_path):
    """Nothing but the port tells what four octets are."""
    capture = Capture()
    start(capture, TWO)
    connection = channel(capture, TWO, 1, 0)
    outsider = Connection(capture, ("127.0.0.3", 40001), ("127.0.0.2", 47009))
    outsider.send(0, ints(1))
    connection.send(1, packet("DATA", A, B, b"x"))
    infos = tshark.info(capture.write(capture_path), shown="impi")
    assert infos[-2:] == ["host 1 has connected", "DATA tag 0 cid 0 1 octets  rank 0 -> rank 2"]
    assert tshark.fields(capture_path, "impi.host_rank", shown="impi.host_rank") == [[["1"]]]


@pytest.mark.parametrize("handshake", [True, False])
def test_packets_without_start_up(tshark, capture_path, handshake):
    capture = Capture()
    connection = Connection(capture, ("127.0.0.3", 40001), ("127.0.0.2", 47009), handshake=handshake)
    connection.send(0, ints(1) + packet("DATA", B, A, b"abc", tag=3))
    connection.send(1, packet("DATA", A, B, b"d", tag=4))
    infos = tshark.info(capture.write(capture_path), shown="impi")
    assert infos == ["host 1 has connected", "DATA tag 3 cid 0 3 octets  127.0.0.3 pid 67 -> 127.0.0.2 pid 65",
                     "DATA tag 4 cid 0 1 octets  127.0.0.2 pid 65 -> 127.0.0.3 pid 67"]


def test_a_channel_that_the_capture_joins_inside_a_message(tshark, capture_path):
    capture = Capture()
    connection = Connection(capture, ("127.0.0.3", 40001), ("127.0.0.2", 47009), handshake=False)
    connection.send(0, b"rest of the data of a packet")
    connection.send(0, packet("DATA", B, A, b"abc", tag=3))
    connection.send(1, b"\xff" * 60)
    connection.send(1, packet("SYNCACK", A, B, srqid=9))
    assert verbs(tshark.info(capture.write(capture_path), shown="impi")) == ["DATA", "no", "SYNCACK"]
    assert tshark.fields(capture_path, "impi.lost", "impi.requirement", shown="impi")[1] == [["1"], []]


def test_lost_segments(tshark, capture_path):
    """After octets that the capture lacks, packets are found again at the next segment that begins with one."""
    capture = Capture()
    start(capture, TWO)
    connection = channel(capture, TWO, 1, 0)
    connection.send(0, packet("DATA", B, A, b"abc", tag=3, lsrank=2))
    connection.skip(0, 50)
    connection.send(0, bytes(81))
    connection.send(0, packet("DATA", B, A, b"abc", tag=4, lsrank=2))
    infos = tshark.info(capture.write(capture_path), shown="impi")
    assert verbs(infos)[-4:] == ["DATA", "[TCP", "no", "DATA"]
    assert tshark.shown(capture_path, "impi.requirement") == []


def test_segments_out_of_order(tshark, capture_path):
    """FINI is told by nothing but its place."""
    capture = Capture()
    start(capture, TWO)
    connection = channel(capture, TWO, 1, 0)
    sent = [packet("DATA", B, A, b"abc", tag=tag, lsrank=2) for tag in range(3)]
    for number in (0, 2, 1):
        connection.segment(0, sent[number], at=connection.sequence[0] + number * len(sent[0]))
    connection.skip(0, 3 * len(sent[0]))
    connection.send(0, packet("FINI", bytes(24), bytes(24)))
    infos = tshark.info(capture.write(capture_path), "-o", "tcp.reassemble_out_of_order:TRUE", shown="impi.pk_type")
    assert [info.split(" cid")[0] for info in infos if not info.startswith("[TCP")] == [
        "DATA tag 0", "DATA tag 1", "DATA tag 2", "FINI  end of the channel"]


def test_other_protocols_are_left_alone(tshark, capture_path, root):
    """HTTP, Portals, zeros, text that is nearly a command, numbers, random octets."""
    chance = random.Random(20000)
    capture = Capture()
    sent = [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n" + bytes(200), bytes(400), bytes(4),
            ints(1), b"AUT", b"AUTH LOGIN\r\n", b"AUTH PLAIN AGZvbwBiYXI=\r\n", b"COLLECT everything",
            b"DONE\r\n", b"IMPI is a protocol", b"FINISHED\n", packet("DATA", bytes(24), bytes(24)),
            packet(8, A, B), packet("DATA", A, A, b"to itself"), packet("DATA", A, B, b"abc", msglen=2),
            *(vector(root, name) for name in ("stream", "put", "put-zeros", "put-ones", "ack", "get", "reply"))]
    sent += [chance.randbytes(chance.randint(1, 600)) for _ in range(300)]
    for number, octets in enumerate(sent):
        connection = Connection(capture, ("127.0.0.1", 20000 + number), ("127.0.0.2", 50002))
        connection.send(0, octets)
        connection.send(1, octets[::-1])
    assert tshark.shown(capture.write(capture_path), "impi") == []


def test_a_portals_job_is_left_alone(tshark, capture_path, root):
    capture = Capture()
    connection = Connection(capture)
    connection.send(0, vector(root, "stream"))
    connection.send(1, vector(root, "hello-answer") + vector(root, "ack") + vector(root, "reply"))
    assert tshark.shown(capture.write(capture_path), "impi") == []
    assert len(tshark.info(capture_path)) == 8


def test_long_data_without_reassembly(tshark, capture_path):
    """Data that is not put together is shown piece by piece, and the next packet is found."""
    capture = Capture()
    start(capture, TWO)
    connection = channel(capture, TWO, 1, 0)
    octets = packet("DATA", B, A, bytes(500)) + packet("SYNCACK", B, A)
    first = connection.send(0, octets[:228])
    connection.send(0, octets[228:328])
    connection.send(0, octets[328:])
    found = tshark.fields(capture.write(capture_path), "_ws.col.Info", "impi.continuation_of", shown="impi",
                          arguments=("-o", "impi.desegment:FALSE"))[-3:]
    assert found[0][0][0].endswith("(data continues)")
    assert found[1] == [["data continued, octets 100 to 199 of 500"], [str(first)]]
    assert found[2][0][0].startswith("data continued, octets 200 to 499 of 500 | SYNCACK")


def test_data_that_the_capture_cuts(tshark, capture_path):
    """A header in a packet of its own, then data of which the capture holds the beginning only."""
    capture = Capture()
    start(capture, TWO)
    connection = channel(capture, TWO, 1, 0)
    octets = packet("DATA", B, A, bytes(3000), lsrank=2)
    connection.send(0, octets[:128])
    for at in (128, 1628):
        connection.send(0, octets[at:at + 1500], captured=100)
    connection.send(0, packet("DATA", B, A, b"abc", tag=3, lsrank=2))
    infos = tshark.info(capture.write(capture_path), shown="impi")[-4:]
    assert verbs(infos) == ["host", "no", "no", "DATA"]
    assert tshark.shown(capture_path, "impi.requirement or impi.broken") == []


def test_packets_that_the_capture_cuts(tshark, capture_path):
    """A snapshot length that ends anywhere in the packet."""
    octets = ints(1) + PACKETS
    capture = Capture()
    for kept in range(4, len(octets)):
        Connection(capture, ("127.0.0.3", 50100 + kept), ("127.0.0.2", 47002)).send(0, octets, captured=40 + kept)
    told = tshark.fields(capture.write(capture_path), "tcp.srcport", "impi.host_rank", "impi.message", shown="impi",
                         arguments=("-d", "tcp.port==47002,impi"))
    ends = [4 + 133, 4 + 133 + 128, 4 + 133 + 256]
    assert len(told) == len(octets) - 4
    for (port,), ranks, messages in told:
        assert ranks == ["1"] and len(messages) >= sum(end <= int(port) - 50100 for end in ends)


def test_an_address_in_either_form(tshark, capture_path):
    """IPv4 behind ten zeros and two ff is the same process."""
    mapped = bytes(10) + b"\xff\xff" + host("127.0.0.3")[12:] + (67).to_bytes(8, "big")
    capture = Capture()
    start(capture, TWO)
    connection = channel(capture, TWO, 1, 0)
    connection.send(0, packet("DATA", mapped, A, b"x", lsrank=2))
    assert tshark.info(capture.write(capture_path), shown="impi")[-1].endswith("  rank 2 -> rank 0")


def test_hosts_that_listen_at_the_same_port(tshark, capture_path):
    """Two hosts of different addresses have the same port."""
    clients = [[("127.0.0.2", 47002, [65])], [("127.0.0.3", 47002, [67])], [("127.0.0.4", 47002, [68])]]
    capture = Capture()
    start(capture, clients)
    channel(capture, clients, 2, 0, 40001)
    channel(capture, clients, 2, 1, 40002)
    channel(capture, clients, 1, 0, 40003)
    infos = tshark.info(capture.write(capture_path), shown="impi.host_rank")
    assert infos == ["host 2 has connected"] * 2 + ["host 1 has connected"]
    assert tshark.shown(capture_path, "impi.requirement") == []
