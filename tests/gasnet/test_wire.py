# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What GASNet's conduit says to the network: the messages of a program, from its trace; and what its library and header
are made of."""

import collections
import json
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
NOBODY = "0xffffffffffffffff"
# What a library calls that talks to others without Portals.
NETWORK = {"socket", "connect", "bind", "listen", "accept", "send", "sendto", "sendmsg", "recv", "recvfrom", "recvmsg",
           "shm_open", "pipe", "pipe2", "mkfifo"}


def streams(trace: bytes):
    """The octets of each direction of each connection in a trace of IPv4."""
    found, at = collections.defaultdict(dict), 0
    while at < len(trace):
        kind, length = struct.unpack_from("<II", trace, at)
        if kind == PACKET:
            captured = struct.unpack_from("<I", trace, at + 20)[0]
            packet = trace[at + 28:at + 28 + captured][14:]
            segment = packet[(packet[0] & 15) * 4:struct.unpack_from(">H", packet, 2)[0]]
            ports, number = segment[:4], struct.unpack_from(">I", segment, 4)[0]
            octets = segment[(segment[12] >> 4) * 4:]
            if octets:
                found[ports].setdefault(number, octets)
        at += length
    return [b"".join(octets for _, octets in sorted(parts.items())) for parts in found.values()]


@pytest.fixture(name="said", scope="module")
def fixture_said(bin_dir, lib_dir, variant, tmp_path_factory):
    """The messages of two nodes, by what they are: pairs of their match bits and all their fields."""
    if variant != "release":
        pytest.skip("what is said is the same in every build")
    folder = tmp_path_factory.mktemp("said")
    program, trace = folder / "stencil", folder / "trace.pcapng"
    subprocess.run(["cc", "-std=c17", "-I", ROOT, "-I", ROOT / "ref-impl/include/gasnet", "-o", program,
                    FOLDER / "stencil.c", lib_dir / "libassay-gasnet.a", lib_dir / "libportals33.a", "-lpthread",
                    "-ldl"], check=True)
    subprocess.run([bin_dir / "portalsrun", "-np", "2", "--nal", "tcp", "--trace", trace, program], check=True,
                   timeout=120, stdout=subprocess.DEVNULL)
    found = collections.defaultdict(list)
    for octets in streams(trace.read_bytes()):
        done = subprocess.run([bin_dir / "assay", "decode", "--proto", "portals", "-"], input=octets, check=True,
                              timeout=60, capture_output=True)
        for line in done.stdout.decode().splitlines():
            message = json.loads(line)
            fields = message["fields"]
            if "match_bits" in fields:
                found[message["message"].removeprefix("tagged-")].append((int(fields["match_bits"], 16), fields))
    assert {"put", "get", "ack", "reply"} <= set(found)
    return found


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


#= GASN-001 GASN-037
def test_the_library_talks_by_portals_alone(lib_dir):
    names = subprocess.run(["nm", "-u", lib_dir / "libassay-gasnet.a"], capture_output=True, text=True, check=True)
    wanted = set(re.findall(r"^ +U (\w+)", names.stdout, re.MULTILINE))
    assert {"PtlPutRegion", "PtlGetRegion", "PtlEQPoll"} & wanted and not wanted & NETWORK


#= GASN-038
def test_segments_are_of_the_kind_fast():
    header = (ROOT / "ref-impl/include/gasnet/gasnet.h").read_text(encoding="utf-8")
    assert set(re.findall(r"#define (GASNET_SEGMENT_\w+)", header)) == {"GASNET_SEGMENT_FAST"}
