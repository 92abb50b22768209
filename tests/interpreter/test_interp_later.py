# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The interpreter of Portals 3.3: queues with a handler (specs/interpreter.md, section 8)."""

import pytest


@pytest.fixture
def peer(run, manager, bin_dir):
    """A process of a job of one with an interface `ni`; it must not have died when the test is over."""
    program = run(bin_dir / "interp-portals-3.3")
    one = manager.accept()
    assert one.do("PtlInit") == {"rc": "PTL_OK"}
    assert one.do("PtlNIInit", interface="default", handle="ni")["rc"] == "PTL_OK"
    one.me = one.do("PtlGetId", interface="ni", id="out")["id"]
    yield one
    one.do("quit")
    assert program.status() == 0, program.said()


def make(peer, queue):
    """A queue with a handler, and a descriptor of that name for puts that nobody takes."""
    assert peer.do("handler-alloc", interface="ni", count=8, handle=queue) == {"rc": "PTL_OK"}
    peer.do("md", name=f"{queue}-desc", start="null", length=0, threshold="inf", options="PTL_MD_EVENT_START_DISABLE",
            user_ptr=0, eventq=queue)
    assert peer.do("PtlMDBind", interface="ni", mem_desc=f"{queue}-desc", handle=f"{queue}-md") == {"rc": "PTL_OK"}


def put(peer, queue, data):
    assert peer.do("PtlPut", mem_desc=f"{queue}-md", ack_req="PTL_NOACK_REQ", target=peer.me, portal=0, cookie=0,
                   match_bits=0, offset=0, hdr_data=data) == {"rc": "PTL_OK"}


def handled(peer, queue, count, ms=5000):
    return peer.do("handled", eventq=queue, count=count, ms=ms)


def test_what_a_handler_is_called_with_is_told_once(peer):
    make(peer, "one")
    make(peer, "two")
    for data in (1, 2, 3):
        put(peer, "one", data)
    put(peer, "two", 4)
    told = handled(peer, "one", 2)
    assert told["events"] == "2" and "e2.type" not in told
    assert (told["e0.type"], told["e0.hdr_data"], told["e1.hdr_data"]) == ("PTL_EVENT_SEND_END", "0x1", "0x2")
    assert told["e0.mem_desc.eventq"] == "one"
    told = handled(peer, "one", 2, 50)
    assert (told["calls"], told["events"], told["e0.hdr_data"]) == ("3", "1", "0x3")
    assert handled(peer, "two", 1)["e0.hdr_data"] == "0x4"
    assert handled(peer, "two", 1, 0) == {"calls": "1", "events": "0"}


def test_a_name_is_used_again_and_outlives_its_queue(peer):
    make(peer, "one")
    put(peer, "one", 1)
    assert handled(peer, "one", 1)["events"] == "1"
    put(peer, "one", 2)
    assert peer.do("wait", eventq="one", ms=5000)["event.hdr_data"] == "0x1"
    assert peer.do("PtlEQFree", eventq="one") == {"rc": "PTL_OK"}
    assert handled(peer, "one", 1)["calls"] == "2"
    make(peer, "one")
    assert handled(peer, "one", 1, 0) == {"calls": "0", "events": "0"}


def test_what_is_refused(peer):
    assert peer.fails("handled", eventq="ni", count=1, ms=0) == "unknown-name"
    for queue in ("a", "b", "c", "d"):
        make(peer, queue)
    assert peer.fails("handled", eventq="a", count=257, ms=0) == "bad-value"
    assert peer.fails("handler-alloc", interface="x", count=1, handle="a") == "unknown-name"
    assert peer.fails("handler-alloc", interface="ni", count=1, handle="e") == "no-memory"
    make(peer, "a")


def test_events_that_nobody_asks_for(peer):
    make(peer, "one")
    line = (f"PtlPut mem_desc=one-md ack_req=PTL_NOACK_REQ target={peer.me} portal=0 cookie=0 match_bits=0 offset=0 "
            "hdr_data=%i")
    assert peer.batch(1100, line) == {"runs": "1100", "line": "0"}
    seen, calls = [], 0
    while calls < 1100:  # the handler may still be called: what is taken meanwhile makes room for as many
        told = handled(peer, "one", 1)
        calls = int(told["calls"])
        seen.append(told["e0.hdr_data"])
    most = 1023 + len(seen)
    while (told := handled(peer, "one", 256, 100))["events"] != "0":
        seen += [told[f"e{i}.hdr_data"] for i in range(int(told["events"]))]
    assert seen[:1024] == [hex(i) for i in range(1024)] and len(seen) <= most
    assert handled(peer, "one", 1, 100) == {"calls": "1100", "events": "0"}
