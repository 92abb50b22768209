# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What GASNet's conduit says to the network: the messages of a program, from its trace; and what its library and header
are made of."""

import collections
import json
import os
import pathlib
import re
import struct
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = pathlib.Path(__file__).resolve().parent / "programs"
PACKET = 6
SEGMENT, MESSAGES = 38, 39
RAR, RARAM, RARSRC, REQUESTS, REPLIES, SYSTEM, BOOT = range(7)
PUT, GET, MESSAGE, DATA, PUT_TOLD = 1, 2, 4, 8, 9
SHORT, MEDIUM, LONG, REQUEST, PACKED = 1, 2, 4, 8, 16
CHUNK, CREDIT = 1024, 256
NOBODY = "0xffffffffffffffff"
# What a library calls that talks to others without Portals.
NETWORK = {"socket", "connect", "bind", "listen", "accept", "send", "sendto", "sendmsg", "recv", "recvfrom", "recvmsg",
           "shm_open", "pipe", "pipe2", "mkfifo"}


def streams(trace: bytes):
    """The octets of each direction of each connection in a trace of IPv4. Both ends have traced it, each in the order
    in which its threads came: one of them is enough."""
    found, at = collections.defaultdict(dict), 0
    while at < len(trace):
        kind, length, interface = struct.unpack_from("<III", trace, at)
        if kind == PACKET:
            captured = struct.unpack_from("<I", trace, at + 20)[0]
            packet = trace[at + 28:at + 28 + captured][14:]
            segment = packet[(packet[0] & 15) * 4:struct.unpack_from(">H", packet, 2)[0]]
            octets = segment[(segment[12] >> 4) * 4:]
            if octets:
                found[segment[:4]].setdefault(interface, {})[struct.unpack_from(">I", segment, 4)[0]] = octets
        at += length
    return [b"".join(octets for _, octets in sorted(next(iter(ends.values())).items())) for ends in found.values()]


@pytest.fixture(name="speak", scope="module")
def fixture_speak(bin_dir, lib_dir, variant, tmp_path_factory):
    """Runs a program and gives its messages, by what they are: pairs of their match bits and all their fields."""
    if variant != "release":
        pytest.skip("what is said is the same in every build")

    def speak(name, nodes, *arguments, **environment):
        folder = tmp_path_factory.mktemp(name)
        program, trace = folder / name, folder / "trace.pcapng"
        subprocess.run(["cc", "-std=c17", "-I", ROOT, "-I", ROOT / "ref-impl/include/gasnet", "-o", program,
                        FOLDER / f"{name}.c", lib_dir / "libassay-gasnet.a", lib_dir / "libportals33.a", "-lpthread",
                        "-ldl"], check=True)
        subprocess.run([bin_dir / "portalsrun", "-np", nodes, "--nal", "tcp", "--trace", trace, program, *arguments],
                       check=True, timeout=120, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
        found = collections.defaultdict(list)
        for octets in streams(trace.read_bytes()):
            done = subprocess.run([bin_dir / "assay", "decode", "--proto", "portals", "-"], input=octets, check=True,
                                  timeout=60, capture_output=True)
            for line in done.stdout.decode().splitlines():
                message = json.loads(line)
                fields = message["fields"]
                if "match_bits" in fields:
                    found[message["message"].removeprefix("tagged-")].append((int(fields["match_bits"], 16), fields))
        return found

    return speak


@pytest.fixture(name="said", scope="module")
def fixture_said(speak):
    """The messages of two nodes that put, get and wait for each other."""
    found = speak("stencil", "2")
    assert {"put", "get", "ack", "reply"} <= set(found)
    return found


@pytest.fixture(name="all_said", scope="module")
def fixture_all_said(speak):
    """The messages of two nodes that do all that a program can."""
    return speak("semantics", "2")


def targets(messages, portal):
    """Which descriptors messages to a portal are for: their lowest four bits."""
    return {bits & 15 for bits, fields in messages if fields["portal"] == portal}


#= GASN-050 GASN-082 GASN-087 GASN-104
def test_four_bits_name_the_descriptor(said):
    assert {RAR} <= targets(said["put"], SEGMENT) <= {RAR, RARAM, RARSRC} and targets(said["get"], SEGMENT) == {RAR}
    assert targets(said["put"], MESSAGES) == {REQUESTS, REPLIES, SYSTEM, BOOT} and not targets(said["get"], MESSAGES)
    assert {fields["portal"] for _, fields in said["put"] + said["get"]} == {SEGMENT, MESSAGES}


#= GASN-018 GASN-019 GASN-024 GASN-058 GASN-088 GASN-096
def test_puts_and_gets_are_answered_with_all_their_bits(said):
    asked = {bits for bits, fields in said["put"] if fields["md"] != NOBODY}
    assert asked == {bits for bits, _ in said["ack"]}
    assert {bits for bits, _ in said["get"]} == {bits for bits, _ in said["reply"]}
    assert {bits & 15 for bits in asked} == {RAR, BOOT}, "a put into the segment wants its acknowledgement"
    assert all(fields["md"] != NOBODY for bits, fields in said["put"] if bits & 15 in (RAR, BOOT))
    assert len({bits >> 4 for bits in asked}) > 1, "the bits above the lowest four are the operation's"


#= GASN-085
def test_bits_say_what_operation_it_is(said):
    kinds = {name: {bits >> 4 & 15 for bits, _ in said[name] if bits & 15 == RAR} for name in ("put", "get")}
    assert len(kinds["put"]) == len(kinds["get"]) == 1 and kinds["put"] != kinds["get"]


#= GASN-069 GASN-143
def test_messages_want_no_acknowledgement(said):
    assert all(fields["md"] == NOBODY for bits, fields in said["put"] if bits & 15 in (REQUESTS, REPLIES, SYSTEM))
    assert all(fields["rlength"] == 0 for bits, fields in said["put"] if bits & 15 == SYSTEM)


#= GASN-032
def test_access_is_by_the_first_entry(said):
    assert {fields["cookie"] for _, fields in said["put"] + said["get"]} == {0}


def active_messages(said):
    """Requests and replies: bits, fields and header data."""
    return [(bits, fields, int(fields["hdr_data"], 16)) for bits, fields in said["put"]
            if bits & 15 in (REQUESTS, REPLIES)]


def to_eight(octets):
    """The next multiple of 8."""
    return (octets + 7) // 8 * 8


#= GASN-047 GASN-052 GASN-056 GASN-057 GASN-062
def test_every_descriptor_that_others_reach_is_used(all_said):
    """Data of long requests goes to RARAM, of long replies to RARSRC; whence replies are sent nothing can be put."""
    assert targets(all_said["put"], SEGMENT) == {RAR, RARAM, RARSRC}
    assert targets(all_said["put"], MESSAGES) == {REQUESTS, REPLIES, SYSTEM, BOOT}
    assert {bits >> 4 & 15 for bits, _ in all_said["put"] if bits & 15 in (RARAM, RARSRC)} == {DATA}


#= GASN-086
def test_bits_tell_what_an_active_message_is(all_said):
    kinds = set()
    for bits, fields, header in active_messages(all_said):
        flags, count, octets = bits >> 8 & 255, bits >> 24 & 255, header >> 8 & 0xffffffff
        kind = flags & (SHORT | MEDIUM | LONG)
        assert bits >> 4 & 15 == MESSAGE and kind in (SHORT, MEDIUM, LONG) and count <= 16
        assert bool(flags & REQUEST) == (bits & 15 == REQUESTS)
        assert fields["rlength"] == 8 * (kind == LONG) + to_eight(4 * count) + bool(flags & PACKED) * to_eight(octets)
        assert bits >> 32 == fields["local_offset"] and fields["local_offset"] % CHUNK == 0
        kinds.add(flags)
    assert kinds == {kind | request | PACKED for kind in (SHORT, MEDIUM, LONG) for request in (0, REQUEST)} | {
        LONG, LONG | REQUEST}


#= GASN-110 GASN-142 GASN-145 GASN-146 GASN-148
def test_requests_take_credits_that_their_replies_return(all_said):
    waiting, taken = collections.defaultdict(collections.deque), set()
    for bits, fields, header in active_messages(all_said):
        who = (fields["initiator.rid"], fields["target.rid"])
        if bits & 15 == REQUESTS:
            credits = header & 15
            assert credits == (max(1, -(-fields["rlength"] // CREDIT)) if bits >> 8 & PACKED else 2)
            assert bits >> 8 & SHORT == 0 or credits == 1
            waiting[who, bits >> 32].append(credits)
            taken.add(credits)
    for bits, fields, header in active_messages(all_said):
        if bits & 15 == REPLIES:
            who = (fields["target.rid"], fields["initiator.rid"])
            assert waiting[who, fields["offset"]].popleft() == header & 15
    assert sum(map(len, waiting.values())) <= 2 * 2 and taken == {1, 2, 3, 4}, "all but those of the last barrier"


#= GASN-021 GASN-059 GASN-083 GASN-084 GASN-109
def test_operation_and_chunk_are_in_the_bits_of_puts_and_gets(all_said):
    """The handle has 24 bits; the chunk is where what is small lies, and comes from outside the segment."""
    for name, end in ("put", "ack"), ("get", "reply"):
        asked = [(bits, fields) for bits, fields in all_said[name] if bits & 15 == RAR and fields["portal"] == SEGMENT]
        assert all(bits >> 8 & 0xffffff for bits, _ in asked)
        assert len({bits >> 8 & 0xffffff for bits, _ in asked}) > 100, "of many in flight each has its own"
        chunks = [(bits >> 32, fields) for bits, fields in asked if bits >> 32]
        assert chunks and all(chunk == fields["local_offset"] and chunk % CHUNK == 0 and fields["rlength"] <= CHUNK
                              for chunk, fields in chunks)
        assert max(fields["rlength"] for _, fields in chunks) == CHUNK
        answered = {bits for bits, fields in all_said[end] if bits & 15 == RAR and fields["portal"] == SEGMENT}
        assert {bits for bits, _ in asked} == answered


#= GASN-079 GASN-148
def test_credits_are_asked_back_once_at_a_time(speak):
    """Every answer has been asked for, by a system message or the highest bit of a reply's credits."""
    said = speak("fading", "3", "400", "300", GASNET_PORTAL_CRED_PER_NODE="5", GASNET_PORTAL_BANKED_CREDITS="20",
                 GASNET_PORTAL_EPOCH_DURATION="20")
    asked, answered = collections.Counter(), collections.Counter()
    for bits, fields in said["put"]:
        header = int(fields["hdr_data"], 16)
        if bits & 15 == SYSTEM and header & 255 == 0 or bits & 15 == REPLIES and header & 0x80:
            asked[fields["initiator.rid"], fields["target.rid"]] += 1
        if bits & 15 == SYSTEM and header & 255 == 1:
            answered[fields["target.rid"], fields["initiator.rid"]] += 1
    assert asked and all(0 <= asked[pair] - answered[pair] <= 1 for pair in asked | answered), (asked, answered)


#= GASN-001 GASN-037
def test_the_library_talks_by_portals_alone(lib_dir):
    names = subprocess.run(["nm", "-u", lib_dir / "libassay-gasnet.a"], capture_output=True, text=True, check=True)
    wanted = set(re.findall(r"^ +U (\w+)", names.stdout, re.MULTILINE))
    assert {"PtlPutRegion", "PtlGetRegion", "PtlEQPoll"} & wanted and not wanted & NETWORK


#= GASN-038
def test_segments_are_of_the_kind_fast():
    header = (ROOT / "ref-impl/include/gasnet/gasnet.h").read_text(encoding="utf-8")
    assert set(re.findall(r"#define (GASNET_SEGMENT_\w+)", header)) == {"GASNET_SEGMENT_FAST"}
