# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The interpreter with another vendor's header: narrow types, integer handles, other values, missing names."""

import pytest

IN_ORDER = dict(interface=-3, ptl_size=-1, acl_size=9, handle="ni")


@pytest.fixture
def start(run, manager, bad):
    """A peer whose library prints its arguments, and a function that gives what it printed."""
    def begin(order=""):
        program = run(bad, BADLIB=order)
        return manager.accept(), program
    return begin


def printed(peer, program):
    """What the library has printed, after the interpreter has ended in order."""
    peer.do("quit")
    assert program.status() == 0, program.said()
    return program.said().splitlines()


def test_describe(start):
    peer, _ = start()
    facts = peer.do("describe")
    assert facts["ptl_size_t.octets"] == "4" and facts["ptl_size_t.signed"] == "false"
    assert facts["ptl_sr_value_t.octets"] == "4" and facts["handle.octets"] == "8"
    assert facts["PTL_ID_ANY"] == "-1"


def test_interfaces_have_the_numbers_of_the_library(run, manager, bad):
    """The manager counts interfaces from 0; a number that the list does not reach is none of the library's."""
    program = run(bad, "--interfaces", "7,4")
    peer = manager.accept()
    numbers = {"default": 7, 0: 7, 1: 4, 2: 8, 3: 9, -3: -3}
    for number in numbers:
        peer.do("PtlNIInit", **{**IN_ORDER, "interface": number})
    assert printed(peer, program) == [f"PtlNIInit interface={number} ptl_size=-1 acl_size=9"
                                      for number in numbers.values()]


@pytest.mark.parametrize("arguments", [["--interfaces"], ["--interfaces", "1,"], ["--interfaces", "-1"],
                                       ["--interfaces", "0x100000000"], ["--interfaces", ",".join("1" * 17)]])
def test_a_wrong_list_of_interfaces(run, bad, arguments):
    program = run(bad, *arguments)
    assert program.status() == 2
    assert "--interfaces" in program.said()


def test_arguments_arrive(start):
    peer, program = start()
    assert peer.do("PtlNIInit", **IN_ORDER) == {"rc": "PTL_OK"}
    peer.do("PtlNIInit", **{**IN_ORDER, "interface": "default"})
    peer.do("PtlEQAlloc", interface="ni", count=4294967295, handle="eq")
    peer.do("PtlMEAttach", interface="ni", index="any", matchid="gid/any/-4", match_bits="0xffffffffffffffff",
            ignorebits=1, unlink="PTL_RETAIN",
            handle="me")
    peer.do("PtlMEInsert", matchid="nid/1/2", match_bits=2, ignorebits=3, unlink="PTL_UNLINK",
            position="PTL_INS_BEFORE", current="me",
            handle="me2")
    peer.do("md", name="d", start="null", length=7, threshold="inf", options="PTL_MD_OP_GET|PTL_MD_TRUNCATE",
            user_ptr="0xabc", eventq="eq")
    peer.do("PtlMDBind", interface="ni", mem_desc="d", handle="md")
    peer.do("PtlTransId", id="nid/5/-6")
    peer.do("PtlPut", mem_desc="md", ack_req="PTL_ACK_REQ", target="gid/1/2", portal="any", cookie=-2, match_bits=10,
            offset=11)
    peer.do("PtlGet", mem_desc="zero", target="gid/1/2", portal=3, cookie=4, match_bits=10, offset=11)
    peer.do("PtlACEntry", interface="ni", index=1, matchid="gid/1/2", portal="any")
    peer.do("PtlEQFree", eventq="none")
    peer.do("PtlEQFree", eventq="ones")
    peer.do("PtlMDUnlink", mem_desc="eq")
    peer.do("PtlNIHandle", handle="eq", interface="x")
    assert printed(peer, program) == [
        "PtlNIInit interface=-3 ptl_size=-1 acl_size=9",
        "PtlNIInit interface=7 ptl_size=-1 acl_size=9",
        "PtlEQAlloc interface=101 count=4294967295",
        "PtlMEAttach interface=101 index=-1 kind=1 gid=-1 rid=-4 bits=ffffffffffffffff ignored=1 unlink=1",
        "PtlMEInsert bits=2 ignored=3 unlink=0 position=1 current=103",
        "PtlMDBind length=7 threshold=2147483647 options=160 user_ptr=0xabc eventq=102",
        "PtlTransId kind=2 nid=5 pid=-6 gid=-559038737 rid=-559038737",
        "PtlPut mem_desc=105 ack_req=1 portal=-1 cookie=-2 bits=a offset=11",
        "PtlGet mem_desc=0 portal=3 cookie=4 bits=a offset=11",
        "PtlACEntry index=1 portal=-1",
        "PtlEQFree eventq=-1",
        "PtlEQFree eventq=-1",
        "PtlMDUnlink mem_desc=102",
        "PtlNIHandle handle=102"]


def test_results(start):
    peer, _ = start()
    assert peer.do("PtlGetId", id="out", gsize="out") == {"rc": "PTL_OK", "id": "both/-5/6/7/any", "gsize": "8"}
    assert peer.do("PtlNIStatus", interface="zero", register="PTL_SR_DROP_COUNT", status="out") == {"rc": "PTL_OK",
                                                                                                    "status": "-2"}
    assert peer.do("PtlNIStatus", interface="zero", register=0, status="out") == {"rc": "PTL_INV_SR_INDEX"}
    assert float(peer.do("PtlNIDist", interface="zero", process="nid/0/0", distance="out")["distance"]) == 0.1
    assert peer.do("PtlEQCount", eventq="zero", count="out") == {"rc": "PTL_OK", "count": "4294967295"}
    assert peer.do("PtlNIInit", **IN_ORDER) == {"rc": "PTL_OK"}
    assert peer.do("PtlNIHandle", handle="ni", interface="x") == {"rc": "PTL_OK", "same": "none"}
    assert peer.do("any-roundtrip", handle="ni", to="y") == {"same": "true"}
    assert peer.do("PtlMDUpdate", mem_desc="zero", old="was", new="null", testq="none") == {
        "rc": "PTL_OK", "old.start": "null", "old.length": "0", "old.threshold": "4", "old.options": "0",
        "old.user_ptr": "0x0",
        "old.eventq": "none"}


def test_event_that_no_table_knows(start):
    peer, _ = start()
    event = peer.do("PtlEQGet", eventq="zero", event="out")
    assert event == {"rc": "PTL_OK", "event.type": "#77", "event.initiator": "kind/9/0/0/0/0", "event.portal": "-3",
                     "event.match_bits": "0x0",
                     "event.rlength": "0", "event.mlength": "0", "event.offset": "0", "event.mem_desc.start": "0x10",
                     "event.mem_desc.length": "0", "event.mem_desc.threshold": "0",
                     "event.mem_desc.options": "PTL_MD_OP_PUT|0x8000",
                     "event.mem_desc.user_ptr": "0x0", "event.mem_desc.eventq": event["event.mem_desc.eventq"]}
    assert event["event.mem_desc.eventq"] in ("0x0100", "0x0001")


@pytest.mark.parametrize("code,word", [(-1, "PTL_FAIL"), (-15, "PTL_INV_PTINDEX"), (-17, "PTL_INV_SR_INDEX"),
                                       (-24, "PTL_INUSE"), (4711, "#4711"), (-4711, "#-4711")])
def test_return_codes(start, code, word):
    peer, _ = start(f"PtlInit:code={code}")
    assert peer.do("PtlInit") == {"rc": word}


def test_no_constant_for_none(start):
    peer, _ = start()
    assert peer.fails("PtlMDUnlink", mem_desc="none") == "bad-value"
    assert peer.do("describe")["PTL_MD_NONE"] == "false"


def test_what_does_not_fit_is_refused(start):
    peer, _ = start()
    assert peer.fails("PtlEQAlloc", interface="zero", count=4294967296, handle="eq") == "too-wide"
    assert peer.fails("PtlEQAlloc", interface="zero", count=-2147483649, handle="eq") == "too-wide"
    assert peer.fails("PtlTransId", id="nid/4294967296/0") == "too-wide"
    assert peer.fails("PtlTransId", id="nid/4294967296") == "bad-value"


def test_a_long_collection(start):
    """256 events fit one line."""
    peer, _ = start()
    reply = peer.do("collect", eventq="zero", count=256, ms=1000)
    assert reply["events"] == "256" and reply["e255.type"] == "#77"
