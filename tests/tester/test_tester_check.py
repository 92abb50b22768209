# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`assay check`: finds in captures what the hand-written conversations break, and nothing else."""

import bz2
import gzip
import json
import lzma
import pathlib
import random
import struct
import subprocess

import pytest

import conversation
from assay_program import Assay
from conversation import A, ACK, B, RST, SYN, Connection

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NAMES = conversation.names(ROOT)
# What a capture looks like must not change what is found in it.
FORMATS = {
    "pcap": conversation.pcap,
    "pcap-big-nanoseconds": lambda packets: conversation.pcap(packets, "ethernet", ">", True),
    "pcap-vlan": lambda packets: conversation.pcap(packets, "vlan"),
    "pcap-null": lambda packets: conversation.pcap(packets, "null"),
    "pcap-loop": lambda packets: conversation.pcap(packets, "loop", ">"),
    "pcap-cooked": lambda packets: conversation.pcap(packets, "cooked"),
    "pcapng": lambda packets: conversation.pcapng(packets, "ethernet"),
    "pcapng-big-cooked2": lambda packets: conversation.pcapng(packets, "cooked2", ">"),
}
GUILTY_B = "ack-again"  # B, at port 50002, acknowledges twice; A opened the stream
INBOUND, OUTBOUND = 1, 2


def found(result):
    return [(violation["packet"], violation["rule"], violation["requirement"]) for violation in result["breaches"]]


@pytest.mark.parametrize("name", NAMES)
def test_conversation(check, root, name):
    """Packet by packet what the conversation says, and the exit status tells whether there was anything."""
    packets, expected = conversation.perform(root, name)
    status, result, error = check(conversation.pcap(packets))
    assert found(result) == expected
    assert (status, error) == (1 if expected else 0, "")
    assert result["packets"] == len(packets) and result["streams"] >= 1 and not result["remarks"]


@pytest.mark.parametrize("form", FORMATS)
def test_formats_and_link_layers(check, root, form):
    """The same is found in every format."""
    for name in ("ack-echoes", "two-streams", "late-hello", "stream-after-stream"):
        packets, expected = conversation.perform(root, name)
        assert found(check(FORMATS[form](packets))[1]) == expected, name


def test_ipv6(check, root):
    """Streams over IPv6, whose addresses are no node ids, and with an extension header."""
    packets, expected = conversation.perform(root, "ack-echoes", six=True)
    for link in conversation.LINKS:
        assert found(check(conversation.pcap(packets, link))[1]) == expected, link


def test_two_jobs_with_one_group(check, root):
    """Whoever launches jobs may number all groups alike, and use the same ports: each counts barriers from 1."""
    packets, expected = conversation.perform(root, "barrier")
    later = [(seconds + 100, octets) for seconds, octets in conversation.other_numbers(packets)]
    assert expected == found(check(conversation.pcap(packets + later))[1]) == []


def test_two_jobs_of_two_sizes(check, root):
    """Likewise, and the second job has more processes."""
    packets, expected = conversation.perform(root, "put-acknowledged")
    larger = [(seconds + 100, octets.replace(struct.pack("!I", 2), struct.pack("!I", 3))
               if octets[40:44] == b"PTL3" else octets) for seconds, octets in conversation.other_numbers(packets)]
    assert expected == found(check(conversation.pcap(packets + larger))[1]) == []


@pytest.mark.parametrize("size", [2, 3])
def test_two_jobs_at_once(check, root, size):
    """Likewise, at other ports: the second begins its barriers while the first is at its sixth."""
    steps, packets = conversation.read(root, "barrier"), []

    def job(port, opener, members):
        def said(step, sequence=None):
            behind = struct.pack("!Q", sequence) + step.octets[44:] if sequence else step.octets[36:44]
            octets = step.octets[:36] + behind + (b"" if sequence else struct.pack("!I", members))
            for place, end in enumerate((A, B)):
                octets = octets.replace(struct.pack("!I", end[1]), struct.pack("!I", port + place))
            return octets

        connection = Connection(packets, ("127.0.0.1", opener), ("127.0.0.1", port + 1))
        for step in steps[:2]:
            connection.send(step.side, said(step))
        for sequence in range(1, 9):
            connection.send(0, said(steps[2], sequence))
            yield
            if members == 2:
                connection.send(1, said(steps[3], sequence))
                yield

    first, second = job(A[1], 40001, 2), job(51001, 40002, size)
    for turns, whose in ((11, first), (1, second), (3, first), (20, second), (20, first)):
        for _, _ in zip(range(turns), whose):
            pass
    assert found(check(conversation.pcap(packets))[1]) == []


def test_simple_packets(check, root):
    """Packets without time."""
    packets, expected = conversation.perform(root, "reply-again")
    assert found(check(conversation.pcapng(packets, kind="simple"))[1]) == expected


@pytest.mark.parametrize("cut", [1, 3, 50])
def test_small_segments(check, root, cut):
    """Messages in many segments: the violation is told for the packet that completes the header."""
    for name in ("ack-echoes", "ack-with-data", "other-version-answered", "no-hello"):
        packets, expected = conversation.perform(root, name, cut=cut)
        assert [rule[1:] for rule in found(check(conversation.pcap(packets))[1])] == [rule[1:] for rule in expected]


def shuffled(packets, seed):
    """Neighbours of one direction change places, and some packets come twice."""
    chance = random.Random(seed)
    out = []
    for packet in packets:
        out.append(packet)
        if chance.random() < 0.2:
            out.append(packet)
    return out


@pytest.mark.parametrize("seed", range(5))
def test_repeated_packets(check, root, seed):
    """Retransmissions say nothing new."""
    packets, expected = conversation.perform(root, "ack-echoes", cut=17)
    result = check(conversation.pcap(shuffled(packets, seed)))[1]
    assert [rule[1:] for rule in found(result)] == [rule[1:] for rule in expected]
    assert not result["remarks"]


def test_segments_out_of_order(check, root):
    """Segments that overtake each other, and one that overlaps what came before."""
    octets = {name: conversation.vector(root, f"{name}.hex") for name in ("hello", "hello-answer", "put", "ack")}
    packets = []
    stream = Connection(packets, ("127.0.0.1", 40000), B)
    stream.send(0, octets["hello"])
    stream.send(1, octets["hello-answer"])
    put, start = octets["put"], stream.sequence[0]
    for begin, end in ((60, 81), (10, 40), (30, 70), (0, 15)):
        stream.segment(0, put[begin:end], at=start + begin)
    stream.sequence[0] += len(put)
    number = stream.send(1, octets["ack"])
    status, result, _ = check(conversation.pcap(packets))
    assert (status, result["messages"], result["unanswered"]) == (0, 4, 0)
    assert number == len(packets)


@pytest.mark.parametrize("shuffled", [False, True])
def test_many_segments_behind_a_gap(check, shuffled):
    """A damaged or hostile capture: what waits for an octet that never comes is given up before it costs much. (A
    hundred thousand segments, each of which is put into its place among all others, would take minutes.)"""
    packets = []
    stream = Connection(packets, ("127.0.0.1", 40000), B)
    order = list(range(1, 100001))
    if shuffled:
        random.Random(7).shuffle(order)
    for at in order:
        stream.segment(0, b"x", at=stream.sequence[0] + at)
    status, result, _ = check(conversation.pcap(packets))
    assert status == 2 and "are missing" in result["remarks"][0]["text"]


def test_many_requests_that_are_alike(check, root):
    """Numbered gets with a gap in their numbers, all the same: each is looked for among those that still wait, but not
    among all of them. (That would take minutes.)"""
    packets = []
    stream = Connection(packets, A, B)
    hello, answer = (conversation.vector(root, f"{name}.hex") for name in ("hello", "hello-answer"))
    stream.send(0, hello[:6] + b"\0\1" + hello[8:])
    stream.send(1, answer[:6] + b"\0\1" + answer[8:])
    number, get = (conversation.vector(root, f"{name}.hex") for name in ("number", "get"))
    count = 500000
    octets = b"".join(number[:12] + (7 + i).to_bytes(8, "big") + get for i in range(count))
    for at in range(0, len(octets), 60000):
        stream.send(0, octets[at:at + 60000])
    status, result, _ = check(conversation.pcap(packets))
    assert (status, found(result), result["messages"]) == (0, [], 2 + 2 * count)


def test_lost_octets(check, root):
    """What the capture lacks is said, and not held against anybody."""
    octets = {name: conversation.vector(root, f"{name}.hex") for name in ("hello", "hello-answer", "put", "ack")}
    packets = []
    stream = Connection(packets, ("127.0.0.1", 40000), B)
    stream.send(0, octets["hello"])
    stream.send(1, octets["hello-answer"])
    stream.sequence[0] += len(octets["put"])  # sent, not captured
    number = stream.send(1, octets["ack"])
    status, result, _ = check(conversation.pcap(packets))
    assert (status, found(result)) == (0, [])
    assert result["unjudged"] == 1
    assert [each["packet"] for each in result["remarks"]] == [number]
    assert "127.0.0.1:40000 to 127.0.0.1:50002 are missing" in result["remarks"][0]["text"]


def test_snapped_packets(check, root):
    """A capture of headers only."""
    packets, _ = conversation.perform(root, "ack-again")
    octets = conversation.pcap(packets)
    out, at = [octets[:24]], 24
    while at < len(octets):
        seconds, fraction, length, wire = struct.unpack_from("<IIII", octets, at)
        kept = min(length, 96)
        out.append(struct.pack("<IIII", seconds, fraction, kept, wire) + octets[at + 16:at + 16 + kept])
        at += 16 + length
    status, result, _ = check(b"".join(out))
    assert (status, found(result)) == (0, [])
    assert "are missing" in result["remarks"][0]["text"]


def test_joined_in_the_middle(check, root):
    """A stream whose beginning was not captured may have carried the put."""
    octets = {name: conversation.vector(root, f"{name}.hex") for name in ("hello", "hello-answer", "put", "ack")}
    for before in (True, False):
        packets, old = [], []
        middle = Connection(old, ("127.0.0.1", 40001), B)
        middle.send(0, octets["put"])
        stream = Connection(packets, ("127.0.0.1", 40002), A)
        stream.send(0, octets["hello-answer"])
        stream.send(1, octets["hello"])
        stream.send(0, octets["ack"])
        packets = old[3:] + packets if before else packets + old[3:]
        status, result, _ = check(conversation.pcap(packets))
        assert (status, found(result), result["unjudged"]) == (0, [], 1)
        assert "may lack the beginning" in result["remarks"][0]["text"]


def test_port_used_again(check, root):
    """Two connections between the same ends, one after the other."""
    octets = {name: conversation.vector(root, f"{name}.hex") for name in ("hello", "hello-answer", "put", "ack")}
    packets = []
    for _ in range(2):
        stream = Connection(packets, ("127.0.0.1", 40000), B)
        stream.send(0, octets["hello"])
        stream.send(1, octets["hello-answer"])
        stream.send(0, octets["put"])
        stream.send(1, octets["ack"])
        stream.finish(0)
        stream.finish(1)
        packets.append(packets[-1])
    status, result, _ = check(conversation.pcap(packets))
    assert (status, result["streams"], result["messages"]) == (0, 2, 8)


# What begins with the same octets as get-replied looks like the same connection, captured twice.
ALIKE = {"get-replied", "get-with-data", "late-hello", "other-identity", "reply-again"}


@pytest.mark.parametrize("name", NAMES)
def test_the_same_numbers_again(check, root, name):
    """A connection that is opened with the numbers of one whose end was not captured, as where what makes captures
    counts from 0, is judged as one with numbers of its own."""
    before = conversation.perform(root, "get-replied")[0]
    packets, expected = conversation.perform(root, name)
    same, other = (check(conversation.pcap(before + then))[1]
                   for then in (packets, conversation.other_numbers(packets)))
    assert set(found(same)) <= {(len(before) + number, *rule) for number, *rule in expected}
    if name not in ALIKE:
        assert found(same) == found(other)
        assert (same["messages"], same["streams"]) == (other["messages"], other["streams"])


BESIDE = "two connections with equal addresses and ports at once"


def woven(one, other, seed):
    """Both in their order, mixed at random; times go on."""
    chance, rest, out = random.Random(seed), [list(one), list(other)], []
    while rest[0] or rest[1]:
        which = chance.random() * (len(rest[0]) + len(rest[1])) >= len(rest[0])
        out.append(rest[which].pop(0))
    return [(at / 100000, octets) for at, (_, octets) in enumerate(out)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", [None, "ack-again", "reply-echoes", "numbered-ack-again",
                                  "headers-that-break-rules"])
def test_two_connections_of_the_same_ends(check, root, name, seed):
    """Two jobs with the same addresses and ports at the same time, as where captures do not belong together: it is
    said, each rule that either breaks is found, and nothing else."""
    sound = conversation.perform(root, "put-acknowledged")[0]
    packets, expected = conversation.perform(root, name) if name else (sound, [])
    mixed = woven(sound, conversation.other_numbers(packets), f"{name} {seed}")
    result = check(conversation.pcap(mixed))[1]
    assert {rule[1:] for rule in found(result)} == {rule[1:] for rule in expected}
    assert any(BESIDE in remark["text"] for remark in result["remarks"])
    assert result["streams"] > 1


def test_both_ends_of_one_connection(check, root):
    """A capture of one connection from both of its ends is no such case, whichever way it is put together."""
    packets = conversation.perform(root, "put-acknowledged")[0]
    for both in (packets + packets, woven(packets, packets, 1), [one for one in packets for _ in range(2)]):
        result = check(conversation.pcap(both))[1]
        assert (found(result), result["streams"], result["remarks"]) == ([], 1, [])


def test_a_second_connection_without_its_opening(check, root):
    """Its numbers tell it from the first one; from its HELLOs on it is judged, not having been seen whole."""
    sound, other = (conversation.perform(root, name)[0] for name in ("put-acknowledged", "headers-that-break-rules"))
    rules = {rule for _, rule, _ in conversation.perform(root, "headers-that-break-rules")[1]}
    late = [packet for packet in conversation.other_numbers(other) if not packet[1][33] & SYN]
    result = check(conversation.pcap(sound[:5] + late + sound[5:]))[1]
    assert {rule for _, rule, _ in found(result)} == rules
    assert BESIDE in result["remarks"][0]["text"]


def test_an_opening_that_is_tried_again(check, root):
    """With another number, the first not having been answered: nothing was said there."""
    packets, expected = conversation.perform(root, "ack-again")
    result = check(conversation.pcap(conversation.other_numbers(packets[:1]) + packets))[1]
    assert [tuple(rule) for _, *rule in found(result)] == [rule[1:] for rule in expected]


def test_a_reset_far_outside_the_window(check, root):
    """Its receiver does not heed it, and the connection goes on."""
    packets, expected = conversation.perform(root, "ack-again")
    made = []
    Connection(made, ("127.0.0.1", 40001), B).segment(0, flags=RST, at=0x70000000)
    result = check(conversation.pcap(packets[:-1] + made[-1:] + packets[-1:]))[1]
    assert [rule for _, *rule in found(result)] == [list(rule) for _, *rule in expected]


def test_reset_inside_a_message(check, root):
    """A connection that is torn down is no closing inside a message."""
    packets = []
    stream = Connection(packets, ("127.0.0.1", 40000), B)
    stream.send(0, conversation.vector(root, "hello.hex"))
    stream.send(0, conversation.vector(root, "put.hex")[:50])
    stream.segment(1, flags=RST | ACK)
    assert check(conversation.pcap(packets))[0] == 0


def test_text(check, root):
    """Lines for people: packet, ends, message, requirement, values, the other packet."""
    packets, expected = conversation.perform(root, "ack-echoes-two-things-wrongly")
    status, output, _ = check(conversation.pcap(packets), "--")
    lines = output.splitlines()
    assert status == 1
    assert lines[1] == (f"packet {expected[1][0]}: 127.0.0.1:50002 -> 127.0.0.1:40001: ack: P30-291 (ack-offset): an "
                        f"acknowledgement does not repeat the put's offset: offset is 0 instead of 16 (see packet "
                        f"{expected[1][0] - 1})")
    assert lines[-1] == f"{len(packets)} packets, 1 Portals streams, 4 messages: 2 violations"


def test_match_bits_of_an_mpi(check, root, bin_dir, tmp_path):
    """What a message that breaks a rule says in them, where the user knows whose they are."""
    packets, _ = conversation.perform(root, "ack-echoes-two-things-wrongly")
    path = tmp_path / "capture.pcap"
    path.write_bytes(conversation.pcap(packets))
    said = [subprocess.run([bin_dir / "assay", "check", "--match-bits", "puma-mpi", *options, path], timeout=300,
                           capture_output=True, text=True, check=False).stdout for options in ([], ["--json"])]
    assert "(see packet 6); MPI message: tag 19088743, rank 35243, context 6589" in said[0]
    assert json.loads(said[1])["breaches"][0]["match_bits"].startswith("MPI message: tag 19088743, rank 35243,")
    assert "match_bits" not in check(conversation.pcap(packets))[1]["breaches"][0]


def test_nothing_to_judge(check, root):
    """Captures without Portals are not good ones."""
    packets = []
    web = Connection(packets, ("127.0.0.1", 40000), ("127.0.0.1", 80))
    web.send(0, b"GET / HTTP/1.1\r\n\r\n")
    web.send(1, b"HTTP/1.1 200 OK\r\n\r\n")
    status, result, error = check(conversation.pcap(packets))
    assert (status, result["streams"]) == (2, 0) and "neither a Portals stream nor" in error
    status, _, error = check(conversation.pcap([]))
    assert status == 2 and "holds no packet" in error
    strange = bytearray(conversation.pcap(conversation.perform(root, "put-acknowledged")[0]))
    strange[20:24] = struct.pack("<I", 9999)
    status, _, error = check(bytes(strange))
    assert status == 2 and "no packet can be read: the link layer is none that is known" in error


def test_damaged_files(check, root):
    """Every truncation of a file is refused or judged as far as it goes; none is taken for the whole."""
    packets, _ = conversation.perform(root, "put-acknowledged")
    for octets in (conversation.pcap(packets), conversation.pcapng(packets, "ethernet")):
        ends = 0
        for length in [*range(0, 200, 7), *range(200, len(octets), 83)]:
            status, _, error = check(octets[:length])
            ends += status == 2 and bool(error)
            assert status in (0, 2)
        assert ends > 30


@pytest.mark.parametrize(("octets", "words"), [
    (b"", "is empty"),
    (b"\x7fELF\2\1\1 something else", "is neither a pcap nor a pcapng"),
    (bytes(100), "is neither a pcap nor a pcapng"),
    (b"ab", "is text, and neither a pcap nor a pcapng file"),
    (b"0000  45 00 00 3c 1c 46 40 00\n", "text2pcap makes one of a hex dump"),
    (b"PK\3\4 something else", "compressed with zip: unpack it first (unzip)"),
    (gzip.compress(b"x"), "is text, and neither a pcap nor a pcapng file"),
    (gzip.compress(bytes(99))[:12], "what gzip has packed is damaged or cut off"),
    (lzma.compress(b"x"), "compressed with xz: unpack it first (xz -d)"),
    (lzma.compress(b"x", lzma.FORMAT_ALONE), "compressed with lzma: unpack it first (xz -d)"),
    (bz2.compress(b"x"), "compressed with bzip2: unpack it first (bzip2 -d)"),
    (bytes.fromhex("28b52ffd2001090000" "78"), "compressed with zstd: unpack it first (zstd -d)"),
    (bytes.fromhex("04224d186440a7010000807800000000"), "compressed with lz4: unpack it first (lz4 -d)"),
    (b"\x1f\x9d\x90" + bytes(30), "compressed with compress: unpack it first (gzip -d)"),
    (b"snoop\0\0\0" + struct.pack(">II", 2, 4), "in the format of snoop: convert it to pcapng first (editcap"),
    (struct.pack("<IHHiIII", 0xa1b2cd34, 2, 4, 0, 0, 65535, 1), "in the format of a patched libpcap: convert"),
    (struct.pack(">IHHiIII", 0xa1b2c3d4, 9, 4, 0, 0, 65535, 1), "is a pcap file of version 9"),
    (struct.pack("<IH", 0xa1b2c3d4, 2), "ends inside its head of 24 octets"),
    (b"\x0a\x0d\x0d\x0a\x1c\0\0\0", "cut off inside a section's head"),
    (conversation.block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1)), "holds no packet"),
    (conversation.block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1))
     + struct.pack("<II", 5, 0), "impossible length"),
    (struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1) + struct.pack("<IIII", 0, 0, 0xffffffff, 1), "256 KiB"),
    (conversation.block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1))
     + struct.pack("<II", 6, 0xfffffff0), "impossible length"),
    (conversation.block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1))
     + conversation.block(6, struct.pack("<IIIII", 7, 0, 0, 0, 0)), "interface is not described"),
    (conversation.block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1))
     + conversation.block(1, struct.pack("<HHI", 1, 0, 0))
     + conversation.block(6, struct.pack("<IIIII", 0, 0, 0, 99, 99)), "longer than its block"),
    (conversation.block(0x0a0d0d0a, struct.pack("<IHHq", 0xdeadbeef, 1, 0, -1)), "unknown byte order"),
])
def test_impossible_files(check, octets, words):
    """Said where and what, and nothing believed."""
    status, _, error = check(octets)
    assert status == 2
    assert words in error and error.startswith("assay check: ") and error.count("\n") == 1


def test_damaged_packets(check, root):
    """Octets of packets changed at random: never more than a note or a violation."""
    packets, _ = conversation.perform(root, "ack-echoes")
    chance = random.Random(7)
    for _ in range(40):
        octets = bytearray(conversation.pcap(packets, chance.choice(list(conversation.LINKS))))
        for _ in range(chance.randrange(1, 30)):
            octets[chance.randrange(40, len(octets))] = chance.randrange(256)
        check(bytes(octets))


def test_usage(check, bin_dir, tmp_path):
    for arguments in ([], ["one", "two"], ["--strange", "x"]):
        done = subprocess.run([bin_dir / "assay", "check", *arguments], capture_output=True, text=True, timeout=300,
                              check=False)
        assert done.returncode == 2 and done.stderr.count("\n") == 1
    missing = subprocess.run([bin_dir / "assay", "check", tmp_path / "none"], capture_output=True, text=True,
                             timeout=300, check=False)
    assert missing.returncode == 2 and "none: cannot be opened" in missing.stderr


def test_own_captures_are_clean(bin_dir, root, tmp_path):
    """What the reference sends to scripted peers breaks no rule: not for the passive checkers, nor in the capture. What
    the peers break on purpose is told to be theirs."""
    assay, sides = Assay(bin_dir, root, tmp_path), []
    for suite in ("wire", "receiving"):
        outcome = assay.run("--suite", suite, template=assay.reference_template(), cases=root / "tester" / "cases")
        assert outcome.status == 0, outcome.out
        judged = 0
        for capture in sorted((outcome.folder / "cases").glob("*.pcapng")):
            done = subprocess.run([bin_dir / "assay", "check", "--json", capture], capture_output=True, text=True,
                                  timeout=300, check=False)
            result = json.loads(done.stdout)
            judged += result["streams"]
            # scripted peers are in groups of their own, from 0x7e000000; a forged HELLO may claim to come from nowhere
            system = [violation for violation in result["breaches"]
                      if (violation["sender"] or {"gid": 0x7e000000})["gid"] < 0x7e000000]
            assert not system, capture
            sides += [violation["side"] for violation in result["breaches"]]
            assert "  checker" not in capture.with_suffix(".txt").read_text(encoding="utf-8")
        assert judged > 10
    assert len(sides) > 5 and set(sides) == {"peer"}


# ---- who has broken a rule: the system under test or its peer ----

def judged_twice(bin_dir, path, *arguments):
    """What it says in JSON, and its last line without."""
    command = [bin_dir / "assay", "check", *arguments, path]
    done = subprocess.run([*command[:2], "--json", *command[2:]], capture_output=True, text=True, timeout=300,
                          check=False)
    text = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout
    return json.loads(done.stdout), text.splitlines()


def flagged(packets, direction_of, application):
    """A pcapng file as a program of that name writes it, with the direction of each packet."""
    def option(code, octets):
        return struct.pack("<HH", code, len(octets)) + octets + bytes(-len(octets) % 4)

    out = [conversation.block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1)
                              + option(4, application.encode()) + bytes(4), "<"),
           conversation.block(1, struct.pack("<HHI", 101, 0, 0), "<")]
    for seconds, octets in packets:
        head = struct.pack("<IIIII", 0, 0, int(seconds * 1e6), len(octets), len(octets))
        flags = option(2, struct.pack("<I", direction_of(octets))) + bytes(4)
        out.append(conversation.block(6, head + octets + bytes(-len(octets) % 4) + flags, "<"))
    return b"".join(out)


def from_b(octets):
    """B's packets came in."""
    return INBOUND if octets[20:22] == struct.pack("!H", 50002) else OUTBOUND


@pytest.fixture(name="guilty")
def fixture_guilty(root):
    """The conversation in which B is guilty."""
    packets, expected = conversation.perform(root, GUILTY_B)
    assert len(expected) == 1
    return packets


@pytest.mark.parametrize("place,side", [("127.0.0.1:50002", "system"), ("[::1]:50002", None), ("127.0.0.1", None),
                                        ("127.0.0.2", None), ("opener", "peer")])
def test_the_user_says(bin_dir, tmp_path, guilty, place, side):
    """Where both ends are the system's, or neither is, nobody knows."""
    path = tmp_path / "guilty.pcap"
    path.write_bytes(conversation.pcap(guilty))
    opener, = struct.unpack("!H", guilty[0][1][20:22])
    place = place.replace("opener", f"127.0.0.1:{opener}")
    result, lines = judged_twice(bin_dir, path, "--sut", place)
    assert [violation["side"] for violation in result["breaches"]] == [side]
    assert result["sides"] == {"system": 0, "peer": 0, "unknown": 0} | {side or "unknown": 1}
    wanted = {"system": "1 violations (1 by the system under test, 0 by its peers)",
              "peer": "1 violations (0 by the system under test, 1 by its peers)", None: "1 violations"}[side]
    assert f": {wanted}" in lines[-1] and ("by its peers" in lines[-1]) == (side is not None)
    assert any(line.endswith({"system": "; by the system under test", "peer": "; by its peer", None: ")"}[side])
               for line in lines if line.startswith("packet "))


@pytest.mark.parametrize("application,direction,side", [
    ("assay 0", from_b, "system"), ("assay 0", lambda octets: 3 - from_b(octets), "peer"),
    ("assay 0", lambda _: 0, None),
    ("dumpcap", from_b, None)])
def test_the_capture_says(bin_dir, tmp_path, guilty, application, direction, side):
    """Directions tell who is who in a case's evidence only: of others nobody knows where they were taken."""
    path = tmp_path / "guilty.pcapng"
    path.write_bytes(flagged(guilty, direction, application))
    assert [violation["side"] for violation in judged_twice(bin_dir, path)[0]["breaches"]] == [side]


@pytest.mark.parametrize("place", ["", "host", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:+5", "[::1",
                                   "[::1]5", "[::1]:", "1" * 80, "127.0.0.300"])
def test_no_place(bin_dir, root, place):
    done = subprocess.run([bin_dir / "assay", "check", "--sut", place, root / "tests" / "captures" / "lam-impi.pcap"],
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2 and "--sut" in done.stderr and done.stderr.count("\n") == 1 and not done.stdout
