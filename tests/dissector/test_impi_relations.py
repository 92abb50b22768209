# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""What belongs together in IMPI is linked, long messages are put together, flow control is counted."""

import re

import pytest

from capture import Capture, Connection
from impi_octets import SERVER, TWO, channel, command, ints, join, packet, process, start

A, A2, B = process("127.0.0.2", 65), process("127.0.0.2", 66), process("127.0.0.3", 67)
LINKS = ("frame.number", "impi.request_in", "impi.response_in", "impi.time")


@pytest.fixture
def job():
    """A capture with the start-up of TWO, and the channel of its two hosts; side 0 is that of B, side 1 that of A."""
    capture = Capture()
    start(capture, TWO, datalen=100, ackmark=2, hiwater=4)
    return channel(capture, TWO, 1, 0)


def rows(tshark, path, first, *names):
    """packet number -> values of the fields, for packets from `first` on."""
    found = tshark.fields(path, "frame.number", *names, shown=f"impi && frame.number >= {first}")
    return {int(number): values for (number,), *values in found}


def data(size, kind="DATA", **fields):
    """A packet from A (rank 0) to B."""
    return packet(kind, A, B, bytes(range(size)), **fields)


def test_start_up_is_linked(tshark, capture_path):
    capture = Capture()
    connection = Connection(capture, ("127.0.0.2", 30000), SERVER)
    auth = connection.send(0, command("AUTH", ints(1)))
    choice = connection.send(1, ints(0, 0))
    rank = connection.send(0, command("IMPI", ints(0)))
    size = connection.send(1, command("IMPI", ints(1)))
    low = connection.send(0, command("COLL", ints(0x1100, 1)) + command("COLL", ints(0x1250, 1, 2, 3)))
    high = connection.send(1, command("COLL", ints(0x1250, 1, 1, 2, 3)) + command("COLL", ints(0x1100, 1, 1)))
    done = connection.send(0, command("DONE"))
    all_done = connection.send(1, command("DONE"))
    fini = connection.send(0, command("FINI"))
    found = rows(tshark, capture.write(capture_path), 1, *LINKS[1:])
    time = ["0.001000000"]
    assert found == {
        auth: [[], [str(choice)], []], choice: [[str(auth)], [], time], rank: [[], [str(size)], []],
        size: [[str(rank)], [], time], low: [[], [str(high)] * 2, []], high: [[str(low)] * 2, [], time * 2],
        done: [[], [str(all_done)], []], all_done: [[str(done)], [], time], fini: [[], [], []]}


def test_values_of_all_clients_are_split(tshark, capture_path):
    """Three clients: 2, 1 and 2 hosts, one of them with a longer list of versions; client 1 skips a label."""
    clients = [[("127.0.0.2", 1, [1]), ("127.0.0.3", 2, [2, 3])], [("127.0.0.4", 3, [4])],
               [("127.0.0.5", 4, [5]), ("127.0.0.6", 5, [6])]]
    capture = Capture()
    connection = join(capture, 0, 3, clients)
    connection.send(1, command("COLL", ints(0x1000, 7, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0)))
    connection.send(1, command("COLL", ints(0x1100, 7, 2, 1, 2)))
    connection.send(1, command("COLL", ints(0x1200, 7, 3, 1, 2)))
    connection.send(1, command("COLL", ints(0x1300, 5, 1000, 2000)))
    connection.send(1, command("COLL", ints(0x2100, 7, 1, 2, 3, 4, 5)))
    connection.send(1, command("COLL", ints(0x2100, 6, 3, 4, 5)))
    connection.send(1, command("COLL", ints(0x2100, 7, 1, 2, 3, 4)))
    connection.send(1, command("COLL", ints(0x1250, 7, 1, 2, 3)))
    shown = "impi.message == COLL"
    infos = tshark.info(capture.write(capture_path), shown=shown)
    assert [info.split("  ")[0] for info in infos] == [
        "COLL C_VERSION 0.0, 0.1, 1.0; 0.0, 0.1; 0.0", "COLL C_NHOSTS 2; 1; 2", "COLL C_NPROCS 3; 1; 2",
        "COLL C_DATALEN 1000; 2000", "COLL H_PORT 1, 2; 3; 4, 5", "COLL H_PORT 3; 4, 5", "COLL H_PORT 16 octets",
        "COLL label 0x1250 12 octets"]
    found = tshark.fields(capture_path, "impi.client", "impi.h_port", "impi.c_datalen", "impi.values", shown=shown)
    assert found[3] == [["0", "2"], [], ["1000", "2000"], []]
    assert found[4] == [["0", "1", "2"], ["1", "2", "3", "4", "5"], [], []]
    assert found[5] == [["1", "2"], ["3", "4", "5"], [], []]
    assert found[6] == [[], [], [], ["00000001000000020000000300000004"]]
    assert found[7] == [[], [], [], ["000000010000000200000003"]]
    assert tshark.fields(capture_path, "impi.shape", "impi.unknown", shown=shown)[-2:] == [[["1"], []], [[], ["1"]]]


def test_unknown_commands_and_masks(tshark, capture_path):
    capture = Capture()
    connection = Connection(capture, ("127.0.0.2", 30000), SERVER)
    connection.send(0, command("AUTH", ints(2, 0, 5)) + (42).to_bytes(8, "big") + command("XYZW", b"opaque"))
    found = tshark.fields(capture.write(capture_path), "impi.auth_mask", "impi.auth_mask.key", "impi.key",
                          "impi.payload", "impi.unknown", shown="impi")
    assert found == [[["0x00000002", "0x00000000", "0x00000005"], ["1", "0", "0"], ["42"], [b"opaque".hex()], ["1"]]]


TLS_HELLO = bytes([22, 3, 1, 0, 44, 1, 0, 0, 40, 3, 3]) + bytes(38)


def test_secure_channels_are_named(tshark, capture_path):
    """Method 31 is our own (specs/impi-tls.md); what follows is Wireshark's."""
    capture = Capture()
    connection = Connection(capture, ("127.0.0.2", 30000), SERVER)
    connection.send(0, command("AUTH", ints(-(1 << 31))))
    connection.send(1, ints(31, 0))
    connection.send(0, TLS_HELLO)
    connection.send(1, bytes([23, 3, 3, 0, 40]) + bytes(range(40)))
    found = tshark.fields(capture.write(capture_path), "_ws.col.Protocol", "impi.auth_mask.tls", "impi.which",
                          shown="impi || tls")
    assert found == [[["IMPI"], ["1"], []], [["IMPI"], [], ["0x0000001f"]], [["TLSv1.2"], [], []],
                     [["TLSv1.2"], [], []]]
    assert tshark.info(capture_path, shown="impi") == ["AUTH TLS  client -> server", "CHOICE TLS  server -> client"]


@pytest.mark.parametrize("pieces", [(ints(1), TLS_HELLO), (ints(1) + TLS_HELLO,)])
def test_secure_channels_between_hosts(tshark, capture_path, pieces):
    """Behind the rank comes TLS, which is no packet that breaks rules."""
    capture = Capture()
    connection = Connection(capture, ("127.0.0.2", 30000), ("127.0.0.1", 7777))
    for piece in pieces:
        connection.send(0, piece)
    connection.send(1, bytes([23, 3, 3, 0, 40]) + bytes(range(40)))
    capture.write(capture_path)
    found = tshark.fields(capture_path, "impi.host_rank", "tls.record.content_type", "impi.undecoded",
                          shown="impi || tls", arguments=("-d", "tcp.port==7777,impi"))
    flat = [[value for packet in found for value in packet[place]] for place in range(3)]
    assert flat == [["1"], ["22", "23"], []]
    assert tshark.fields(capture_path, "frame.number", arguments=("-d", "tcp.port==7777,impi"),
                         shown="_ws.malformed || impi.requirement || impi.cut || impi.broken") == []


def test_thousands_of_masks(tshark, capture_path):
    """An AUTH of a length that nobody needs: the first masks one by one, the others as octets."""
    capture = Capture()
    connection = Connection(capture, ("127.0.0.2", 30000), SERVER)
    connection.send(0, command("AUTH", ints(1)))
    octets = command("AUTH", ints(*([1] * 400000))) + command("IMPI", ints(0))
    for at in range(0, len(octets), 60000):
        connection.send(0, octets[at:at + 60000])
    found = tshark.fields(capture.write(capture_path), "impi.auth_mask", "impi.payload", "_ws.malformed", shown="impi")
    assert [(len(masks), [len(part) // 2 for part in rest], bad) for masks, rest, bad in found if masks] == [
        (1, [], []), (256, [4 * (400000 - 256)], [])]
    assert "Dissector bug" not in tshark.details(capture_path, shown="")


def test_collective_operations_are_named(tshark, capture_path, job):
    """On a context for them only: an even one may have the same tag."""
    first = job.send(1, data(0, tag=110, cid=1) + data(4, tag=120, cid=3) + data(4, tag=190, cid=2))
    job.send(1, data(4, tag=121, cid=1) + packet("SYNCACK", A, B, tag=110, cid=1))
    path = job.capture.write(capture_path)
    assert tshark.fields(path, "impi.collective", shown=f"frame.number >= {first}") == [[["BARRIER", "BCAST"]], [[]]]
    assert [info.split("  ")[0] for info in tshark.info(path, shown=f"frame.number >= {first}")] == [
        "DATA tag 110 (BARRIER) cid 1 0 octets", "DATA tag 120 (BCAST) cid 3 4 octets", "DATA tag 190 cid 2 4 octets",
        "DATA tag 121 cid 1 4 octets", "SYNCACK srqid 0x0 drqid 0x0"]


def test_a_synchronous_message_and_its_acknowledgement(tshark, capture_path, job):
    first = job.send(1, data(3, "DATASYNC", srqid=7))
    second = job.send(1, data(3, "DATASYNC", srqid=8))
    late = job.send(0, packet("SYNCACK", B, A, srqid=8))
    early = job.send(0, packet("SYNCACK", B, A, srqid=7))
    assert rows(tshark, job.capture.write(capture_path), first, *LINKS[1:]) == {
        first: [[], [str(early)], []], second: [[], [str(late)], []], late: [[str(second)], [], ["0.001000000"]],
        early: [[str(first)], [], ["0.003000000"]]}
    assert tshark.shown(capture_path, "impi.requirement") == []


def test_a_long_message_is_put_together(tshark, capture_path, job):
    """250 octets in packets of 100, with a short message of the same processes in between."""
    whole = bytes(range(250))
    long = {"srqid": 7, "msglen": 250, "tag": 3}
    first = job.send(1, packet("DATASYNC", A, B, whole[:100], **long))
    between = job.send(1, packet("DATA", A, B, b"short", srqid=9))
    ack = job.send(0, packet("PROTOACK", B, A) + packet("SYNCACK", B, A, srqid=7, drqid=5))
    second = job.send(1, packet("DATA", A, B, whole[100:200], drqid=5, **long))
    last = job.send(1, packet("DATA", A, B, whole[200:], drqid=5, **long))
    found = rows(tshark, job.capture.write(capture_path), first, "impi.first_in", "impi.next_in",
                 "impi.reassembled.in", "impi.reassembled.length", "data.len")
    assert found == {
        first: [[], [str(second)], [str(last)], [], []], between: [[], [], [], [], ["5"]], ack: [[]] * 5,
        second: [[str(first)], [str(last)], [str(last)], [], []], last: [[str(first)], [], [], ["250"], ["250"]]}
    assert tshark.fields(capture_path, "data.data", shown=f"frame.number == {last}") == [[[whole.hex()]]]
    assert tshark.shown(capture_path, "impi.requirement") == []


def test_the_rest_of_a_message_in_one_segment(tshark, capture_path, job):
    whole = bytes(range(250))
    long = {"srqid": 0, "msglen": 250}
    job.send(1, packet("DATASYNC", A, B, whole[:100], **long))
    job.send(0, packet("SYNCACK", B, A, drqid=1))
    rest = [packet("DATA", A, B, part, drqid=1, **long) for part in (whole[100:200], whole[200:])]
    job.send(1, b"".join(rest) + packet("DATA", A, B, b"next"))
    told = tshark.fields(job.capture.write(capture_path), "data.data", shown="impi")
    assert [part for parts, in told for part in parts][-2:] == [whole.hex(), b"next".hex()]


def test_cancel_requests_and_replies(tshark, capture_path, job):
    message = job.send(1, data(3, srqid=7))
    first = job.send(1, packet("CANCEL", A, B, srqid=7))
    job.send(0, packet("PROTOACK", B, A))
    second = job.send(1, packet("CANCEL", A, B, srqid=8))
    no = job.send(0, packet("CANCELNO", B, A, srqid=8))
    yes = job.send(0, packet("CANCELYES", B, A, srqid=7))
    found = rows(tshark, job.capture.write(capture_path), message, *LINKS[1:], "impi.cancels", "impi.cancelled_in")
    assert found[message] == [[], [], [], [], [str(first)]]
    assert found[first] == [[], [str(yes)], [], [str(message)], []]
    assert found[second] == [[], [str(no)], [], [], []]
    assert found[no] == [[str(second)], [], ["0.001000000"], [], []]
    assert found[yes] == [[str(first)], [], ["0.004000000"], [str(message)], []]
    assert tshark.shown(capture_path, "impi.requirement") == []


def test_flow_control_is_counted_by_pair(tshark, capture_path, job):
    """ackmark is 2: a PROTOACK takes two of its pair away, and is not counted itself, nor is FINI."""
    sent = [job.send(1, data(1)), job.send(1, data(1)), job.send(1, packet("DATA", A2, B, b"x", lsrank=1)),
            job.send(0, packet("DATA", B, A, b"y", lsrank=2)), job.send(1, data(1)),
            job.send(0, packet("PROTOACK", B, A)), job.send(1, data(1)), job.send(1, packet("FINI", A, B))]
    found = rows(tshark, job.capture.write(capture_path), sent[0], "impi.flow.sent", "impi.flow.unacked",
                 "impi.flow.acks")
    assert [found[number] for number in sent] == [
        [["1"], ["1"], []], [["2"], ["2"], []], [["1"], ["1"], []], [["1"], ["1"], []], [["3"], ["3"], []],
        [[], ["1"], ["1"]], [["4"], ["2"], []], [[], [], []]]
    assert tshark.shown(capture_path, "impi.requirement") == []
    graph = tshark.read(capture_path, "-q", "-z", "io,stat,0,MAX(impi.flow.unacked)impi.flow.unacked")
    assert re.search(r"\|\s+3 \|", graph)


def test_flow_control_without_start_up(tshark, capture_path):
    """Where nobody knows ackmark the packets are counted, and a preference says what an acknowledgement stands for."""
    capture = Capture()
    connection = Connection(capture, ("127.0.0.3", 40001), ("127.0.0.2", 47009))
    connection.send(0, ints(1) + packet("DATA", B, A, b"a") + packet("DATA", B, A, b"b"))
    connection.send(1, packet("PROTOACK", A, B))
    capture.write(capture_path)
    names = ("impi.flow.sent", "impi.flow.unacked", "impi.flow.acks")
    assert tshark.fields(capture_path, *names, shown="impi") == [[["1", "2"], [], []], [[], [], ["1"]]]
    assert tshark.fields(capture_path, *names, shown="impi", arguments=("-o", "impi.ackmark:2")) == [
        [["1", "2"], ["1", "2"], []], [[], ["0"], ["1"]]]


def test_world_ranks(tshark, capture_path, job):
    number = job.send(1, packet("DATA", A2, B, b"x", lsrank=1))
    found = rows(tshark, job.capture.write(capture_path), number, "impi.src.rank", "impi.dest.rank", "impi.src")
    assert found[number] == [["1"], ["2"], ["rank 1 (127.0.0.2 pid 66)"]]


def test_two_jobs_of_one_server_address(tshark, capture_path):
    """The second job has other processes; ranks and limits are its own."""
    other = [[("127.0.0.2", 48002, [75])], [("127.0.0.3", 48003, [76, 77])]]
    capture = Capture()
    start(capture, TWO)
    start(capture, other, port=31000, ackmark=1, hiwater=1)
    connection = channel(capture, other, 1, 0)
    connection.send(1, packet("DATA", process("127.0.0.2", 75), process("127.0.0.3", 77), b"x"))
    assert tshark.info(capture.write(capture_path), shown="impi")[-1].endswith("  rank 0 -> rank 2")


def test_statistics(tshark, capture_path, job):
    job.send(1, data(3, "DATASYNC", srqid=7) + data(5))
    job.send(0, packet("SYNCACK", B, A, srqid=7))
    text = tshark.read(job.capture.write(capture_path), "-q", "-z", "impi,tree")
    counted = dict(reversed(re.findall(r"^ (\S.*?) {2,}(\d+) ", text, re.MULTILINE)))
    assert {name: counted[name] for name in ("Message data", "Message data, synchronous", "Values of a client",
                                             "rank 0 -> rank 2", "rank 2 -> rank 0")} == {
        "Message data": "1", "Message data, synchronous": "1", "Values of a client": "28", "rank 0 -> rank 2": "2",
        "rank 2 -> rank 0": "1"}
    assert re.search(r"^ Synchronization acknowledgement +1 +1000\.00 ", text, re.MULTILINE)
