# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`assay check` on IMPI: a capture of another implementation breaks nothing; each octet changed in it is found; jobs
made by hand, in segments of any size, with and without their start-up."""

import pathlib
import struct

import pytest

import conversation
from conversation import Connection
from impi_job import Job, command, packet, traffic

LAM = pathlib.Path(__file__).resolve().parent.parent / "captures" / "lam-impi.pcap"
CLOSE = 8  # packets of several connections that are so near each other may stand in a wrong order
# The ends of LAM's connections: clients 0 and 1, and the host that connected; each with the port that listened.
CLIENT_0, CLIENT_1, CHANNEL = (34986, 47352), (34990, 47352), (43914, 43233)


def rules(result):
    """What was found, without repetitions, in its order."""
    return list(dict.fromkeys((violation["rule"], violation["requirement"]) for violation in result["breaches"]))


class Pcap:
    """LAM's capture as a list of records, in which the octets of a TCP stream can be found and changed."""

    def __init__(self):
        octets = LAM.read_bytes()
        self.head, self.records, at = octets[:24], [], 24
        while at < len(octets):
            length = struct.unpack_from("<I", octets, at + 8)[0]
            self.records.append(bytearray(octets[at:at + 16 + length]))
            at += 16 + length

    def octets(self):
        """The file."""
        return self.head + b"".join(self.records)

    @staticmethod
    def ports(record):
        """Source and destination port, and where TCP begins."""
        tcp = 16 + 14 + (record[30] & 15) * 4
        return (*struct.unpack_from("!HH", record, tcp), tcp)

    def only(self, *connections):
        """Leaves only these connections."""
        self.records = [record for record in self.records if tuple(sorted(self.ports(record)[:2])) in
                        {tuple(sorted(ends)) for ends in connections}]
        return self

    def change(self, ends, offset, octets):
        """Replaces octets that go from the first to the second of these ports, at an offset of the stream."""
        at = 0
        for record in self.records:
            source, target, tcp = self.ports(record)
            data = tcp + (record[tcp + 12] >> 4) * 4
            length = struct.unpack_from("!H", record, 32)[0] - (data - 30)
            if (source, target) == ends and length > 0:
                for i, octet in enumerate(octets):
                    if at <= offset + i < at + length:
                        record[data + offset + i - at] = octet
                at += length
        assert at >= offset + len(octets), "the stream is shorter"
        return self


def test_lam_breaks_nothing(check):
    """Lengths of 128 in packets without data, request ids of 0, and whatever stands in unused fields, are legal; some
    of that is noted (test_tester_check_notes.py)."""
    status, result, error = check(LAM.read_bytes())
    assert (status, error, result["breaches"], result["remarks"]) == (0, "", [], [])
    assert result["impi"] == {"links": 2, "channels": 1, "messages": 145}
    status, text, _ = check(LAM.read_bytes(), "--")
    assert "457 packets, 2 connections to IMPI servers, 1 channels of IMPI hosts, 145 messages: 0 violations" in text


@pytest.mark.parametrize(
    "connections,impi",
    [
        ([CHANNEL], {"links": 0, "channels": 1, "messages": 73}),
        ([CLIENT_0], {"links": 1, "channels": 0, "messages": 36}),
        ([CLIENT_1, CHANNEL], {"links": 1, "channels": 1, "messages": 109}),
    ],
)
def test_parts_of_a_job_break_nothing(check, connections, impi):
    """A channel is known without its start-up too, and what nobody saw is held against nobody."""
    status, result, _ = check(Pcap().only(*connections).octets())
    assert (status, result["breaches"], result["impi"]) == (0, [], impi)


BACK = (CHANNEL[1], CHANNEL[0])
SERVER_0 = (CLIENT_0[1], CLIENT_0[0])
# What is changed in which stream, and what must be found. The connector's stream begins with 4 octets of rank.
CHANGES = {
    "rank that no host has": (CHANNEL, 0, "00000007", [("rank-form", "IMPI-084")]),
    "rank of the host that accepts": (CHANNEL, 0, "00000000", [("rank-order", "IMPI-082")]),
    "SYNCACK for nobody": (CHANNEL, 404 + 56, "0000000000000099", [("syncack-unasked", "IMPI-146")]),
    "SYNCACK of another drqid": (CHANNEL, 532 + 64, "0000000000000077", [("long-drqid", "IMPI-151")]),
    "a PROTOACK too early": (CHANNEL, 404, "00000002", [("protoack-early", "IMPI-129")]),
    "a process of nobody": (CHANNEL, 4 + 24, "0000000000000001", [("packet-source", "IMPI-112")]),
    "a tag below zero": (BACK, 65928 + 84, "ffffffff", [("tag-range", "IMPI-107")]),
    "a rank of another process": (BACK, 80, "00000001", [("lsrank", "IMPI-116")]),
    "another tag in the rest": (BACK, 131592 + 84, "00000020", [("long-echo", "IMPI-152")]),
    "a long message under another id": (BACK, 264 + 56, "0000000000000001", [("syncack-unasked", "IMPI-146"),
                                                                           ("long-by-data", "IMPI-148")]),
    "a FINI with its octets swapped": (CHANNEL, 1820, "07000000", [("packet-type", "IMPI-109")]),
    "data instead of FINI": (CHANNEL, 1820, "0000000000000000", [("packet-source", "IMPI-112"),
                                                                 ("closed-without-fini", "IMPI-090")]),
    "a label before its turn": (CLIENT_0, 68 + 8, "00001000", [("label-order", "IMPI-052")]),
    "no process at all": (CLIENT_0, 68 + 12, "00000000", [("count-zero", "IMPI-060")]),
    "an ackmark of zero": (CLIENT_0, 208 + 12, "00000000", [("limit-range", "IMPI-138")]),
    "a value that nobody gave": (SERVER_0, 100 + 16, "00000001", [("spread-data", "IMPI-045")]),
    "a mask without client 1": (SERVER_0, 100 + 12, "00000001", [("spread-mask", "IMPI-046")]),
    "a size before its time": (SERVER_0, 8 + 8, "00000003", [("size-early", "IMPI-041"), ("size-differs", "IMPI-042")]),
    "a method that was not offered": (SERVER_0, 0, "00000007", [("choice-not-offered", "IMPI-034"),
                                                                ("method-taken", "IMPI-037")]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_found(check, name):
    """Some octets of LAM's job are changed, and the rule that they break is named, first of all that is found."""
    ends, offset, octets, wanted = CHANGES[name]
    status, result, _ = check(Pcap().change(ends, offset, bytes.fromhex(octets)).octets())
    assert status == 1
    for rule in wanted:
        assert rule in rules(result), rules(result)
    ports = {result["breaches"][0]["from"].split(":")[1], result["breaches"][0]["to"].split(":")[1]}
    assert ports == {str(port) for port in ends}


def test_what_is_printed(check):
    """A line names packet, ends, what it is, requirement, rule, what is wrong and what differs."""
    octets = Pcap().change(BACK, 80, bytes.fromhex("00000001")).octets()
    status, text, _ = check(octets, "--")
    assert status == 1
    assert (": 127.0.0.2:43233 -> 127.0.0.1:43914: DATA: IMPI-116 (lsrank): pk_lsrank is not the sender's rank in the "
            "communicator: pk_lsrank is 1 instead of 0\n") in text


@pytest.mark.parametrize("cut", [1, 3, 50, 1000])
def test_a_job_by_hand(check, cut):
    """A whole job breaks nothing, whatever its segments are."""
    job = Job(cut).start()
    traffic(job)
    status, result, _ = check(job.end())
    assert (status, result["breaches"], result["remarks"]) == (0, [], [])
    assert (result["impi"]["links"], result["impi"]["channels"]) == (2, 1)


@pytest.mark.parametrize("cut", [1, 50, 1000])
def test_negotiated_limits_are_held(check, cut):
    """The least of what was offered is in force: 8 octets a packet, 3 packets without a PROTOACK, tags to 40000."""
    job = Job(cut).start()
    job.send(0, 1, 9)
    job.send(0, 1, 8, tag=40001)
    job.send(0, 1, 0)
    job.send(0, 1, 0)
    result = check(job.end())[1]
    assert rules(result) == [("data-limit", "IMPI-111"), ("long-by-data", "IMPI-148"), ("tag-range", "IMPI-107"),
                             ("above-hiwater", "IMPI-126"), ("protoack-missing", "IMPI-129")]


def test_two_jobs_one_after_the_other(check):
    """A server that listens at the same port again serves another job."""
    first, second = Job().start(), Job().start()
    traffic(first)
    traffic(second)
    first.end()
    second.end()
    status, result, _ = check(conversation.pcap(
        first.packets + [(seconds + 100, octets) for seconds, octets in ports_moved(second.packets)]))
    assert (status, result["breaches"]) == (0, [])
    assert (result["impi"]["links"], result["impi"]["channels"]) == (4, 2)


@pytest.mark.parametrize("moved", [True, False])
def test_two_jobs_of_which_the_first_has_no_end(check, moved):
    """The capture lacks how the first one ended: the clients of the second are not taken for its."""
    first, second = Job().start(), Job().start()
    traffic(first)
    traffic(second)
    second.end()
    later = ports_moved(second.packets) if moved else conversation.other_numbers(second.packets)
    status, result, _ = check(conversation.pcap(
        first.packets + [(seconds + 100, octets) for seconds, octets in later]))
    assert (status, result["breaches"]) == (0, [])
    assert (result["impi"]["links"], result["impi"]["channels"]) == (4, 2)


@pytest.mark.parametrize("cut", [60, 100, 200])
def test_acknowledgements_in_pieces_behind_a_gap(check, cut):
    """No segment holds a whole header, so that nothing of that side is found again: what it has acknowledged is not
    held against the other side."""
    job = Job(cut).start()
    acknowledged = []
    for _ in range(8):
        job.send(0, 1, 4)
        job.send(0, 1, 4)
        acknowledged.append(len(job.packets))
        job.send(2, 0)
    whole = conversation.pcap(job.packets)
    assert check(whole)[1]["breaches"] == []
    del job.packets[acknowledged[1]]
    assert check(conversation.pcap(job.packets))[1]["breaches"] == []


def test_two_jobs_captured_where_one_client_is(check):
    """Of each job the capture has the link of the same client only: it is not taken for one that joins twice."""
    jobs = []
    for job in (Job().start(), Job().start()):
        traffic(job)
        job.end()
        jobs.append([packet for packet in job.packets if 41000 not in struct.unpack_from("!HH", packet[1], 20)])
    status, result, _ = check(conversation.pcap(
        jobs[0] + [(seconds + 100, octets) for seconds, octets in ports_moved(jobs[1])]))
    assert (status, result["breaches"]) == (0, [])
    assert (result["impi"]["links"], result["impi"]["channels"]) == (2, 2)


def ports_moved(packets):
    """The same packets from other ports, as a new connection has."""
    moved = []
    for seconds, octets in packets:
        changed = bytearray(octets)
        for at in (20, 22):
            port = struct.unpack_from("!H", changed, at)[0]
            if 41000 <= port < 43000:
                struct.pack_into("!H", changed, at, port + 5000)
        moved.append((seconds, bytes(changed)))
    return moved


def test_connected_before_done(check):
    """A host that connects when its client has given all labels, but does not know yet that the others have."""
    job = Job()
    start, done = job.say, command(b"DONE")
    job.say = lambda stream, side, octets: octets == done or start(stream, side, octets)
    job.start()
    assert rules(check(conversation.pcap(job.packets))[1]) == []  # DONE may have come where nobody saw it
    for _ in range(CLOSE):
        job.channel.segment(0, flags=conversation.ACK, seconds=len(job.packets) / 1000)
    for side in range(2):
        for link in job.links:
            start(link, side, done)
    result = check(conversation.pcap(job.packets))[1]
    assert rules(result) == [("connected-early", "IMPI-076")]


def test_cut_off(check):
    """A host that closes inside a packet, and a client inside a command."""
    job = Job().start()
    job.say(job.channel, 0, packet(0, 1, 8)[:130])
    job.channel.finish(0, 10)
    job.say(job.links[0], 0, b"FIN")
    job.links[0].finish(0, 10)
    result = check(conversation.pcap(job.packets))[1]
    assert rules(result) == [("closed-inside", "IMPI-090"), ("command-cut", "IMPI-021")]


def test_lost_segments(check):
    """What octets that are missing could explain is not judged, which is said; what a packet behind them says for
    itself is: here PROTOACK for packets that nobody saw, and data beyond the limit."""
    job = Job().start()
    job.channel.sequence[0] += 100
    job.send(0, 1, 8)
    job.channel.segment(1, flags=conversation.ACK)
    for _ in range(3):
        job.send(2, 0)
    job.send(0, 1, 9)
    result = check(conversation.pcap(job.packets))[1]
    assert rules(result) == [("data-limit", "IMPI-111")]
    assert any("missing" in each["text"] for each in result["remarks"])


def test_a_channel_that_is_captured_late(check):
    """It is found again by its port and its processes; without start-up, by its addresses."""
    job = Job().start()
    begun = len(job.packets)
    job.send(0, 1, 4)
    job.send(0, 1, 4, 3)
    whole = conversation.pcap(job.packets[:begun - 4] + job.packets[begun:])
    assert rules(check(whole)[1]) == [("data-above-message", "IMPI-115")]
    assert rules(check(conversation.pcap(job.packets[begun:]))[1]) == [("data-above-message", "IMPI-115")]


def test_another_protocol_at_an_announced_port(check):
    """A connection that is taken for a channel is given back when no packet follows that a host would send."""
    job = Job().start()
    foreign = Connection(job.packets, ("127.0.0.2", 42100), ("127.0.0.1", 50001), len(job.packets) / 1000)
    for octets in (struct.pack("!i", 1), b"GET / HTTP/1.1\r\n" * 20):
        foreign.send(0, octets, len(job.packets) / 1000)
    result = check(conversation.pcap(job.packets))[1]
    assert (result["breaches"], result["impi"]["channels"]) == ([], 1)


@pytest.mark.parametrize("head", [b"IMPI\0\0\0\4\0\0\0\0", b"AUTH\0\0\0\4\0\0\0\1"])
def test_the_first_command_decides(check, head):
    """A connection is known by AUTH; one that begins with IMPI is judged by it."""
    packets = []
    Connection(packets, ("127.0.0.1", 40000), ("127.0.0.1", 6000)).send(0, head)
    status, result, _ = check(conversation.pcap(packets))
    assert result["impi"]["links"] == 1
    assert (status, rules(result)) == ((1, [("no-auth", "IMPI-026")]) if head[:4] == b"IMPI" else (0, []))


@pytest.mark.parametrize("octets", [struct.pack("!II", 2, 0) + b"x" * 200, bytes(300), b"\0\0\0\1" + b"\0" * 200])
def test_other_protocols_with_small_numbers(check, octets):
    """What begins with a small number is no channel yet: its processes must have addresses."""
    packets = []
    Connection(packets, ("127.0.0.1", 40000), ("127.0.0.1", 7000)).send(0, octets)
    status, result, error = check(conversation.pcap(packets))
    assert (status, result["impi"]["channels"]) == (2, 0) and "connection of IMPI" in error
