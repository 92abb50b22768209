# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Every verb against the reference, and every error code (specs/interpreter.md, sections 2.2 to 4)."""

import pytest

from manager import ask

FUNCTIONS = """
    PtlInit PtlFini PtlGetId PtlTransId PtlNIInit PtlNIFini PtlNIBarrier PtlNIStatus PtlNIDist PtlNIHandle
    PtlMEAttach PtlMEInsert PtlMEUnlink PtlMDAttach PtlMDInsert PtlMDBind PtlMDUnlink PtlMDUpdate PtlEQAlloc
    PtlEQFree PtlEQCount PtlEQGet PtlEQWait PtlACEntry PtlPut PtlGet
""".split()
OTHERS = """
    md md-poison any-roundtrip same alloc free fill compare write read hash wait collect quiet status compute
    pause memory batch thread join describe commands quit abandon
""".split()


@pytest.fixture
def ready(peer):
    """An initialised process of a job of one, with an interface `ni`, a queue `eq`, and its own id in peer.me."""
    assert peer.do("PtlInit") == {"rc": "PTL_OK"}
    peer.me = peer.do("PtlGetId", id="out", gsize="out")["id"]
    assert peer.do("PtlNIInit", interface="default", ptl_size=8, acl_size=4, handle="ni") == {"rc": "PTL_OK"}
    assert peer.do("PtlEQAlloc", interface="ni", count=64, handle="eq") == {"rc": "PTL_OK"}
    return peer


def describe(peer, name, region="null", length=0, options="0", threshold="inf", eventq="eq", user_ptr=0):
    assert peer.do("md", name=name, start=region, length=length, threshold=threshold, options=options,
                   user_ptr=user_ptr,
                   eventq=eventq) == {}


def attach(peer, index, me, descriptor, handle, bits=0):
    assert peer.do("PtlMEAttach", interface="ni", index=index, matchid="gid/any/any", match_bits=bits, ignorebits=0,
                   unlink="PTL_RETAIN", handle=me) == {"rc": "PTL_OK"}
    assert peer.do("PtlMDAttach", match=me, mem_desc=descriptor, unlink="PTL_RETAIN", handle=handle) == {"rc": "PTL_OK"}


def put(peer, descriptor, index, bits=0, ack="PTL_NOACK_REQ"):
    return dict(mem_desc=descriptor, ack_req=ack, target=peer.me, portal=index, cookie=0, match_bits=bits, offset=0)


def events(reply):
    """The events of a reply of `collect`, each as a dictionary."""
    found = [{} for _ in range(int(reply["events"]))]
    for key, value in reply.items():
        head, _, rest = key.partition(".")
        if head[0] == "e" and head[1:].isdigit():
            found[int(head[1:])][rest] = value
    return found


def test_commands_lists_all(peer):
    verbs = peer.do("commands")["verbs"].split(",")
    assert sorted(verbs) == sorted(FUNCTIONS + OTHERS)


def test_describe(peer):
    facts = peer.do("describe")
    assert facts == {"ptl_size_t.octets": "8", "ptl_size_t.signed": "false", "ptl_match_bits_t.octets": "8",
                     "ptl_pt_index_t.octets": "4", "ptl_ac_index_t.octets": "4", "ptl_sr_value_t.octets": "8",
                     "ptl_interface_t.octets": "4", "ptl_sr_index_t.octets": "4",
                     "ptl_sr_value_t.signed": "true", "ptl_id_t.octets": "4", "handle.octets": "8",
                     "PTL_ID_ANY": "4294967295", "handles.distinct": "true", "PTL_MD_NONE": "true",
                     "pagesize": facts["pagesize"]}
    assert int(facts["pagesize"]) >= 4096


def test_unknown_command_and_pairs(peer):
    assert peer.fails("assay-probe") == "unknown-command"
    assert peer.fails("ptlinit") == "unknown-command"
    assert peer.fails("PtlInit", colour=1) == "unknown-pair"
    assert peer.fails("pause") == "missing"
    assert peer.fails("pause", ms=1, colour=1) == "unknown-pair"


@pytest.mark.parametrize("verb", FUNCTIONS)
def test_every_parameter_is_obligatory(peer, verb):
    if verb in ("PtlInit", "PtlFini"):
        pytest.skip("has none")
    assert peer.fails(verb) == "missing"


def test_return_codes_have_names(peer):
    assert peer.do("PtlGetId", id="out", gsize="out") == {"rc": "PTL_NOINIT"}
    assert peer.do("PtlNIFini", interface="zero") == {"rc": "PTL_NOINIT"}
    assert peer.do("PtlInit") == {"rc": "PTL_OK"}
    assert peer.do("PtlNIFini", interface="ones") == {"rc": "PTL_INV_NI"}
    assert peer.do("PtlFini") == {"rc": "void"}


def test_identification(ready):
    form, *ids = ready.me.split("/")
    assert form == "both" and len(ids) == 4
    assert ready.do("PtlTransId", id=f"nid/{ids[0]}/{ids[1]}") == {"rc": "PTL_OK", "id": ready.me}
    assert ready.do("PtlTransId", id=f"gid/{ids[2]}/{ids[3]}") == {"rc": "PTL_OK", "id": ready.me}
    assert ready.do("PtlTransId", id="kind/77/1/2/3/4") == {"rc": "PTL_ADDR_UNKNOWN"}
    for nowhere in ("null", "unmapped"):
        assert ready.do("PtlTransId", id=nowhere) == {"rc": "PTL_SEGV"}
        assert ready.do("PtlGetId", id=nowhere, gsize="out") == {"rc": "PTL_SEGV"}
        assert ready.do("PtlGetId", id="out", gsize=nowhere) == {"rc": "PTL_SEGV"}
    for wrong in ("nid/1", "nid/1/2/3", "gid//1", "both/1/2/3", "kind/1/2/3/4", "nid/any/x", "", "nid"):
        assert ready.fails("PtlTransId", id=wrong) == "bad-value", wrong
    assert ready.fails("PtlTransId", id="nid/4294967296/1") == "too-wide"


def test_interfaces(ready):
    assert ready.do("PtlNIBarrier", interface="ni") == {"rc": "PTL_OK"}
    assert ready.do("PtlNIStatus", interface="ni", register="PTL_SR_DROP_COUNT", status="out") == {"rc": "PTL_OK",
                                                                                                   "status": "0"}
    assert ready.do("PtlNIStatus", interface="ni", register=99, status="out") == {"rc": "PTL_INV_SR_INDX"}
    assert ready.do("PtlNIStatus", interface="ni", register="PTL_SR_DROP_COUNT",
                    status="unmapped") == {"rc": "PTL_SEGV"}
    assert float(ready.do("PtlNIDist", interface="ni", process=ready.me, distance="out")["distance"]) == 0
    assert ready.do("PtlNIInit", interface=1, ptl_size=2, acl_size=2, handle="second") == {"rc": "PTL_OK"}
    assert ready.do("PtlNIInit", interface=1, ptl_size=2, acl_size=2, handle="third") == {"rc": "PTL_INIT_DUP"}
    assert ready.fails("PtlNIFini", interface="third") == "unknown-name"
    assert ready.do("PtlNIHandle", handle="eq", interface="found") == {"rc": "PTL_OK", "same": "ni"}
    assert ready.do("PtlNIHandle", handle="second", interface="found") == {"rc": "PTL_OK", "same": "second"}
    assert ready.do("PtlNIHandle", handle="ones", interface="found") == {"rc": "PTL_INV_HANDLE"}
    assert ready.do("PtlNIFini", interface="second") == {"rc": "PTL_OK"}
    assert ready.do("PtlNIFini", interface="second") == {"rc": "PTL_INV_NI"}  # a stale handle keeps its name


def test_put_get_and_their_events(ready):
    ready.do("alloc", name="from", octets=100)
    ready.do("alloc", name="into", octets=300, guard="after")
    ready.do("fill", name="from", offset=0, octets=100, pattern="mix/3")
    describe(ready, "source", "from", 100, user_ptr="0xfeed")
    describe(ready, "sink", "into+200", 100, "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_TRUNCATE", threshold=5)
    attach(ready, 3, "me", "sink", "sink-md", bits="0xfedcba9876543210")
    assert ready.do("PtlMDBind", interface="ni", mem_desc="source", handle="source-md") == {"rc": "PTL_OK"}
    assert ready.do("PtlPut", **put(ready, "source-md", 3, "0xfedcba9876543210", "PTL_ACK_REQ")) == {"rc": "PTL_OK"}
    reply = ready.do("collect", eventq="eq", count=3, ms=30000)
    assert reply["rc"] == "PTL_OK"
    arrived = {event["type"]: event for event in events(reply)}
    assert set(arrived) == {"PTL_EVENT_SENT", "PTL_EVENT_PUT", "PTL_EVENT_ACK"}
    assert arrived["PTL_EVENT_PUT"] == {
        "rc": "PTL_OK", "type": "PTL_EVENT_PUT", "initiator": ready.me, "portal": "3",
        "match_bits": "0xfedcba9876543210", "rlength": "100",
        "mlength": "100", "offset": "0", "mem_desc.start": "into+200", "mem_desc.length": "100",
        "mem_desc.threshold": "4",
        "mem_desc.options": "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_TRUNCATE", "mem_desc.user_ptr": "0x0",
        "mem_desc.eventq": "eq"}
    assert arrived["PTL_EVENT_SENT"]["mem_desc.start"] == "from+0"
    assert arrived["PTL_EVENT_SENT"]["mem_desc.threshold"] == "inf"
    assert arrived["PTL_EVENT_SENT"]["mem_desc.options"] == "0"
    assert arrived["PTL_EVENT_SENT"]["mem_desc.user_ptr"] == "0xfeed"
    assert ready.do("compare", name="into", offset=200, octets=100, pattern="mix/3") == {"equal": "true"}
    assert ready.do("compare", name="into", offset=0, octets=200, pattern="byte/0") == {"equal": "true"}
    assert ready.do("quiet", eventq="eq", ms=20) == {"rc": "PTL_EQ_EMPTY"}
    # the local offset stands at the end, so the get is truncated to nothing
    get = put(ready, "source-md", 3, "0xfedcba9876543210")
    del get["ack_req"]
    assert ready.do("PtlGet", **get) == {"rc": "PTL_OK"}
    kinds = [event["type"] for event in events(ready.do("collect", eventq="eq", count=2, ms=30000))]
    assert sorted(kinds) == ["PTL_EVENT_GET", "PTL_EVENT_REPLY"]
    assert ready.do("PtlEQCount", eventq="eq", count="out") == {"rc": "PTL_OK", "count": "0"}
    assert ready.do("PtlEQGet", eventq="eq", event="out") == {"rc": "PTL_EQ_EMPTY"}
    assert ready.do("wait", eventq="eq", ms=0) == {"rc": "PTL_EQ_EMPTY"}
    assert ready.do("collect", eventq="eq", count=2, ms=10) == {"rc": "PTL_EQ_EMPTY", "events": "0"}
    assert ready.do("collect", eventq="zero", count=2, ms=10) == {"rc": "PTL_INV_EQ", "events": "0"}


def test_waiting_for_what_comes(ready):
    describe(ready, "source", eventq="none")
    ready.do("alloc", name="cell", octets=1)
    describe(ready, "sink", "cell", 1, "PTL_MD_OP_PUT", eventq="eq")
    attach(ready, 1, "me", "sink", "md")
    ready.do("PtlMDBind", interface="ni", mem_desc="source", handle="source-md")
    ready.do("thread", name="t1")
    waiting = ready.start("PtlEQWait", thread="t1", eventq="eq", event="out")
    assert ready.do("PtlPut", **put(ready, "source-md", 1))["rc"] == "PTL_OK"
    reply = ready.reply(waiting)
    assert reply["rc"] == "PTL_OK" and reply["event.type"] == "PTL_EVENT_PUT" and reply["event.mlength"] == "0"
    assert ready.do("PtlPut", **put(ready, "source-md", 1))["rc"] == "PTL_OK"
    assert ready.do("wait", eventq="eq", ms=30000)["event.type"] == "PTL_EVENT_PUT"
    assert ready.do("PtlPut", **put(ready, "source-md", 1))["rc"] == "PTL_OK"
    assert ready.do("quiet", eventq="eq", ms=30000)["event.type"] == "PTL_EVENT_PUT"
    assert ready.do("PtlPut", **put(ready, "source-md", 5))["rc"] == "PTL_OK"  # nobody listens there
    assert ready.do("status", interface="ni", register="PTL_SR_DROP_COUNT", value=1, ms=30000) == {"rc": "PTL_OK",
                                                                                                  "status": "1"}
    assert ready.do("status", interface="ni", register="PTL_SR_DROP_COUNT", value=2, ms=10) == {"rc": "PTL_OK",
                                                                                                "status": "1"}
    # an octet that a put changes, seen without calling the library
    ready.do("alloc", name="one", octets=1)
    ready.do("fill", name="one", offset=0, octets=1, pattern="byte/9")
    describe(ready, "one-desc", "one", 1, eventq="none")
    ready.do("PtlMDBind", interface="ni", mem_desc="one-desc", handle="one-md")
    looking = ready.start("memory", thread="t1", name="cell", offset=0, value=9, ms=30000)
    ready.do("PtlPut", **put(ready, "one-md", 1))
    assert ready.reply(looking) == {"reached": "true"}
    assert ready.do("memory", name="cell", offset=0, value=8, ms=1) == {"reached": "false"}
    assert ready.do("join", name="t1") == {}


def test_update(ready):
    ready.do("alloc", name="a", octets=10)
    describe(ready, "first", "a", 10, threshold=3)
    describe(ready, "second", "a+1", 4, "PTL_MD_OP_GET", threshold=0, eventq="none")
    ready.do("PtlMDBind", interface="ni", mem_desc="first", handle="md")
    old = ready.do("PtlMDUpdate", mem_desc="md", old="was", new="second", testq="eq")
    assert old == {"rc": "PTL_OK", "old.start": "a+0", "old.length": "10", "old.threshold": "3", "old.options": "0",
                   "old.user_ptr": "0x0",
                   "old.eventq": "eq"}
    old = ready.do("PtlMDUpdate", mem_desc="md", old="now", new="was", testq="none")
    assert (old["old.start"], old["old.eventq"], old["old.options"]) == ("a+1", "none", "PTL_MD_OP_GET")
    assert ready.do("PtlMDUpdate", mem_desc="md", old="null", new="null", testq="none") == {"rc": "PTL_OK"}
    assert ready.do("PtlMDUpdate", mem_desc="md", old="unmapped", new="null", testq="none") == {"rc": "PTL_SEGV"}
    assert ready.do("PtlMDUpdate", mem_desc="md", old="null", new="unmapped", testq="none") == {"rc": "PTL_SEGV"}
    assert ready.fails("PtlMDUpdate", mem_desc="md", old="null", new="md", testq="none") == "wrong-kind"
    # with an event in the queue the update is refused, but the old value is told
    describe(ready, "nothing", options="PTL_MD_OP_PUT|PTL_MD_TRUNCATE")
    attach(ready, 0, "me", "nothing", "target")
    ready.do("PtlPut", **put(ready, "md", 0))
    ready.do("wait", eventq="eq", ms=30000)
    # The second of two events must stay in its queue: nobody can wait for it.
    ask(lambda: ready.do("PtlEQCount", eventq="eq", count="out")["count"] == "1")
    reply = ready.do("PtlMDUpdate", mem_desc="md", old="was", new="second", testq="eq")
    assert reply["rc"] == "PTL_NOUPDATE" and reply["old.start"] == "a+0"


def test_lists(ready):
    describe(ready, "nothing", options="PTL_MD_OP_PUT")
    attach(ready, 2, "middle", "nothing", "md")
    around = dict(matchid="nid/any/any", match_bits=1, ignorebits="0xff", unlink="PTL_UNLINK", current="middle")
    assert ready.do("PtlMEInsert", position="PTL_INS_BEFORE", handle="before", **around) == {"rc": "PTL_OK"}
    assert ready.do("PtlMEInsert", position="PTL_INS_AFTER", handle="unmapped", **around) == {"rc": "PTL_SEGV"}
    assert ready.do("PtlMDInsert", mem_desc="nothing", unlink="PTL_RETAIN", position="PTL_INS_AFTER", current="md",
                    handle="null") == {"rc": "PTL_OK"}
    assert ready.do("PtlMDUnlink", mem_desc="md") == {"rc": "PTL_OK"}
    assert ready.do("PtlMDUnlink", mem_desc="md") == {"rc": "PTL_INV_MD"}
    assert ready.do("PtlMDUnlink",
                    mem_desc="before") == {"rc": "PTL_INV_MD"}  # a handle of another kind is passed as it is
    assert ready.do("PtlMDUnlink", mem_desc="none") == {"rc": "PTL_INV_MD"}
    assert ready.do("PtlMEUnlink", entry="before") == {"rc": "PTL_OK"}
    assert ready.fails("PtlMEUnlink", entry="none") == "bad-value"
    assert ready.do("PtlACEntry", interface="ni", index=2, matchid="gid/any/any", portal="any") == {"rc": "PTL_OK"}
    assert ready.do("PtlACEntry", interface="ni", index=99, matchid="gid/any/any",
                    portal=1) == {"rc": "PTL_AC_INV_INDEX"}
    assert ready.do("PtlACEntry", interface="ni", index=2, matchid="gid/any/any",
                    portal=99) == {"rc": "PTL_INV_PTINDEX"}
    assert ready.do("PtlEQFree", eventq="eq") == {"rc": "PTL_OK"}


def test_structures_are_copied(ready):
    describe(ready, "desc", options="PTL_MD_OP_PUT")
    attach(ready, 2, "me", "desc", "md")
    assert ready.do("md-poison", name="desc") == {}
    assert ready.do("PtlMDUpdate", mem_desc="md", old="was", new="null", testq="none")["old.options"] == "PTL_MD_OP_PUT"
    assert ready.do("PtlMDBind", interface="ni", mem_desc="desc", handle="bad") == {"rc": "PTL_ILL_MD"}
    describe(ready, "desc", options="PTL_MD_OP_PUT|0x40000000")
    assert ready.do("PtlMDBind", interface="ni", mem_desc="desc", handle="bad") == {"rc": "PTL_ILL_MD"}


def test_handles(ready):
    assert ready.do("any-roundtrip", handle="eq", to="copy") == {"same": "true"}
    assert ready.do("same", a="eq", b="copy") == {"same": "true"}
    assert ready.do("same", a="eq", b="ni") == {"same": "false"}
    assert ready.do("PtlEQFree", eventq="copy") == {"rc": "PTL_OK"}
    assert ready.do("PtlEQFree", eventq="eq") == {"rc": "PTL_INV_EQ"}
    assert ready.fails("any-roundtrip", handle="nobody", to="copy") == "unknown-name"
    ready.do("alloc", name="a", octets=1)
    assert ready.fails("same", a="a", b="eq") == "wrong-kind"
    assert ready.fails("PtlEQFree", eventq="a") == "wrong-kind"
    assert ready.fails("PtlEQFree", eventq="Name") == "bad-value"
    assert ready.fails("PtlEQFree", eventq="nobody") == "unknown-name"


def test_names(ready):
    new_queue = dict(interface="ni", count=1)
    for wrong in ("", "1a", "A", "none", "zero", "ones", "a.b", "a" * 33):
        assert ready.fails("PtlEQAlloc", handle=wrong, **new_queue) == "bad-value", wrong
    for good in ("a" * 32, "a-b_9", "out", "any", "inf"):
        assert ready.do("PtlEQAlloc", handle=good, **new_queue) == {"rc": "PTL_OK"}, good
    ready.do("alloc", name="region", octets=1)
    assert ready.fails("PtlEQAlloc", handle="region", **new_queue) == "exists"
    assert ready.fails("alloc", name="eq", octets=1) == "exists"
    assert ready.fails("alloc", name="region", octets=1) == "exists"
    assert ready.fails("thread", name="region") == "exists"
    assert ready.do("md", name="eq", start="null", length=0, threshold=0, options=0, user_ptr=0, eventq="none") == {}
    assert ready.fails("PtlEQFree", eventq="eq") == "wrong-kind"  # the name is a structure's now


@pytest.mark.parametrize("key,value,code", [
    ("start", "nobody", "unknown-name"), ("start", "a+x", "bad-value"), ("start", "+1", "bad-value"),
    ("start", "ni", "wrong-kind"),
    ("length", "-", "bad-value"), ("length", "", "bad-value"), ("length", "18446744073709551616", "bad-value"),
    ("length", "0x", "bad-value"), ("length", "1e3", "bad-value"), ("length", "+1", "bad-value"),
    ("length", " 1", "syntax"),
    ("length", "-9223372036854775809", "bad-value"), ("threshold", "4294967296", "too-wide"),
    ("threshold", "infinite", "bad-value"),
    ("options", "PTL_UNLINK", "bad-value"), ("options", "PTL_MD_OP_PUT|", "bad-value"), ("options", "|", "bad-value"),
    ("options", "PTL_MD_OP", "bad-value"), ("eventq", "a", "wrong-kind"), ("eventq", "null", "bad-value"),
    ("user_ptr", "x y", "syntax")])
def test_bad_values_of_a_structure(ready, key, value, code):
    ready.do("alloc", name="a", octets=8)
    values = dict(name="desc", start="a", length=8, threshold=1, options=0, user_ptr=0, eventq="none")
    assert ready.fails("md", **{**values, key: value}) == code
    assert ready.do("md", **values) == {}


def test_integers_are_passed_as_they_are(ready):
    """-1 and all bits set are the same to an unsigned type of 64 bits."""
    bits = dict(interface="ni", index=1, matchid="gid/any/any", ignorebits=0, unlink=0, handle="me")
    assert ready.do("PtlMEAttach", match_bits=-1, **bits) == {"rc": "PTL_OK"}
    assert ready.do("PtlMEAttach", match_bits="0xffffffffffffffff", **bits) == {"rc": "PTL_OK"}
    assert ready.do("PtlMEAttach", **{**bits, "match_bits": 0, "index": -1}) == {"rc": "PTL_INV_PTINDEX"}
    assert ready.fails("PtlMEAttach", **{**bits, "match_bits": 0, "index": 4294967296}) == "too-wide"


def test_memory(peer):
    at = int(peer.do("alloc", name="a", octets=100, skew=3)["address"], 16)
    assert at % 4096 == 3
    after = int(peer.do("alloc", name="b", octets=100, guard="after")["address"], 16)
    assert (after + 100) % 4096 == 0
    assert int(peer.do("alloc", name="c", octets=100, guard="before")["address"], 16) % 4096 == 0
    assert peer.do("alloc", name="empty", octets=0, guard="after")
    assert peer.do("compare", name="a", offset=0, octets=100, pattern="byte/0") == {"equal": "true"}
    assert peer.do("fill", name="a", offset=10, octets=5, pattern="byte/255") == {}
    assert peer.do("read", name="a", offset=9, octets=7) == {"hex": "00ffffffffff00"}
    assert peer.do("compare", name="a", offset=9, octets=7, pattern="byte/255") == {"equal": "false", "at": "9",
                                                                                    "expected": "255",
                                                                                  "found": "0"}
    assert peer.do("write", name="a", offset=98, hex="aBc0") == {}
    assert peer.do("read", name="a", offset=98, octets=2) == {"hex": "abc0"}
    assert peer.do("read", name="a", offset=100, octets=0) == {"hex": ""}
    assert peer.do("hash", name="empty", offset=0, octets=0) == {"fnv1a64": "0xcbf29ce484222325"}
    peer.do("write", name="a", offset=0, hex=b"foobar".hex())
    assert peer.do("hash", name="a", offset=0, octets=6) == {"fnv1a64": "0x85944171f73967e8"}
    assert peer.do("free", name="a") == {}
    assert peer.fails("free", name="a") == "unknown-name"


def mixed(seed, count, first=0):
    """The pattern mix/SEED/FIRST as the protocol defines it."""
    octets = bytearray()
    for i in range(first, first + count):
        x = (seed * 2654435761 + i) & 0xffffffff
        x ^= x >> 15
        x = x * 2246822519 & 0xffffffff
        x ^= x >> 13
        octets.append(x & 0xff)
    return bytes(octets)


def test_patterns(peer):
    peer.do("alloc", name="a", octets=5000)
    peer.do("fill", name="a", offset=7, octets=4000, pattern="mix/4294967295")
    assert peer.do("read", name="a", offset=7, octets=4000)["hex"] == mixed(4294967295, 4000).hex()
    assert peer.do("compare", name="a", offset=1007, octets=100, pattern="mix/4294967295/1000") == {"equal": "true"}
    peer.do("fill", name="a", offset=0, octets=64, pattern="mix/1/4294967290")
    assert peer.do("read", name="a", offset=0, octets=64)["hex"] == mixed(1, 64, 4294967290).hex()
    for wrong in ("byte/256", "byte/", "byte", "mix/", "mix/1/", "mix/1/2/3", "mix/4294967296", "byte/1/2", "x/1", "",
                  "byte/-1"):
        assert peer.fails("fill", name="a", offset=0, octets=1, pattern=wrong) == "bad-value", wrong


@pytest.mark.parametrize("verb,values", [
    ("read", dict(offset=8, octets=1)), ("read", dict(offset=9, octets=0)), ("read", dict(offset=0, octets=9)),
    ("fill", dict(offset=1, octets=18446744073709551615, pattern="byte/1")), ("write", dict(offset=7, hex="0000")),
    ("hash", dict(offset=18446744073709551615, octets=2)), ("memory", dict(offset=8, value=0, ms=0)),
    ("compare", dict(offset=8, octets=1, pattern="byte/1"))])
def test_range(peer, verb, values):
    peer.do("alloc", name="a", octets=8)
    assert peer.fails(verb, name="a", **values) == "range"


def test_bad_values_of_memory(peer):
    assert peer.fails("alloc", name="a", octets=1, skew=1, guard="after") == "bad-value"
    assert peer.fails("alloc", name="a", octets=1, guard="around") == "bad-value"
    assert peer.fails("alloc", name="a", octets=-1) == "bad-value"
    assert peer.fails("alloc", name="a", octets=1 << 60) == "no-memory"
    assert peer.fails("alloc", name="a", octets=(1 << 64) - 1) == "no-memory"
    peer.do("alloc", name="a", octets=70000)
    assert peer.fails("read", name="a", offset=0, octets=65537) == "bad-value"
    assert peer.fails("write", name="a", offset=0, hex="0") == "bad-value"
    assert peer.fails("write", name="a", offset=0, hex="0g") == "bad-value"
    assert peer.fails("memory", name="a", offset=0, value=256, ms=1) == "bad-value"
    assert peer.fails("pause", ms=3600001) == "bad-value"


def test_compute_and_pause(peer):
    assert peer.do("compute", ms=20) == {}
    assert peer.do("pause", ms=1) == {}


def test_batch(ready):
    describe(ready, "source", eventq="none")
    describe(ready, "sink", options="PTL_MD_OP_PUT")
    attach(ready, 1, "me", "sink", "md", bits=17)
    ready.do("PtlMDBind", interface="ni", mem_desc="source", handle="source-md")
    line = " ".join(["PtlPut"] + [f"{k}={v}" for k, v in put(ready, "source-md", 1, "%I").items()])
    assert ready.batch(18, line) == {"runs": "18", "line": "0"}
    assert ready.do("wait", eventq="eq", ms=30000)["event.match_bits"] == "0x11"
    assert ready.batch(3, "alloc name=region%i octets=1%i",
                       "fill name=region%i offset=1%i octets=0 pattern=byte/0") == {"runs": "3", "line": "0"}
    assert ready.do("read", name="region2", offset=0, octets=12)["hex"] == "00" * 12
    assert ready.batch(5, "pause ms=0", "wait eventq=eq ms=0") == {"runs": "0", "line": "2", "rc": "PTL_EQ_EMPTY"}
    assert ready.batch(2, "quiet eventq=eq ms=1") == {"runs": "2", "line": "0"}
    assert ready.batch(3, "PtlEQFree eventq=eq") == {"runs": "1", "line": "1", "rc": "PTL_INV_EQ"}
    stopped = ready.batch(9, "alloc name=again%i octets=1", "pause ms=0", "free name=again0")
    assert (stopped["runs"], stopped["line"], stopped["error"]) == ("1", "3", "unknown-name") and stopped["reason"]


@pytest.mark.parametrize("line,code", [("nonsense", "unknown-command"), ("pause", "missing"), ("quit", "syntax"),
                                       ("abandon", "syntax"),
                                       ("thread name=a", "syntax"), ("join name=a", "syntax"),
                                       ("batch lines=1 repeat=1", "syntax"),
                                       ("", "syntax"), ("1 1000 pause ms=0", "syntax")])
def test_bad_line_of_a_batch(peer, line, code):
    reply = peer.batch(2, "pause ms=0", line)
    assert (reply["runs"], reply["line"], reply["error"]) == ("0", "2", code)


def test_bad_batch(peer):
    for lines in (0, 65, -1, "x", ""):
        assert peer.fails("batch", lines_=lines, repeat=1) == "bad-value", lines
    with pytest.raises(Exception, match="bad-value"):
        peer.reply(peer.start("batch", lines=["pause ms=0"], lines_=1, repeat=0))
    with pytest.raises(Exception, match="bad-value"):
        peer.reply(peer.start("batch", lines=["pause ms=0"], lines_=1, repeat=1, until="never"))
    assert peer.reply(peer.start("batch", lines=["pause ms=0"], lines_=1, repeat=1, until="error")) == {"runs": "1",
                                                                                                        "line": "0"}
    assert peer.batch(1, *["pause ms=0"] * 64) == {"runs": "1", "line": "0"}


def test_threads(peer):
    assert peer.fails("pause", thread="t1", ms=0) == "unknown-name"
    assert peer.do("thread", name="t1") == {}
    assert peer.fails("thread", name="t1") == "exists"
    slow = peer.start("pause", thread="t1", ms=100)
    after = peer.start("describe", thread="t1")
    assert peer.do("describe")  # the main thread answers meanwhile
    joined = peer.start("join", name="t1")
    assert peer.take(lambda words: words[0] in map(str, (slow, after, joined)))[0] == str(slow)
    assert "pagesize" in peer.reply(after)
    assert peer.reply(joined) == {}
    assert peer.fails("pause", thread="t1", ms=0) == "unknown-name"
    assert peer.fails("join", name="t1") == "unknown-name"
    assert peer.do("thread", name="t1") == {}
    assert peer.fails("join", thread="t1", name="t1") == "bad-value"
    peer.do("alloc", name="a", octets=1)
    assert peer.fails("join", name="a") == "wrong-kind"
    assert peer.reply(peer.start_batch(3, ["pause ms=0"], thread="t1")) == {"runs": "3", "line": "0"}
    assert peer.do("join", name="t1") == {}


def test_busy(peer):
    """The thread is at work until it is told, so that nothing leaves its queue meanwhile."""
    peer.do("thread", name="t1")
    peer.do("alloc", name="a", octets=1)
    running = peer.start("memory", thread="t1", name="a", offset=0, value=1, ms=30000)
    numbers = [peer.start("describe", thread="t1") for _ in range(70)]
    peer.do("write", name="a", offset=0, hex="01")
    refused = 0
    for number in numbers:
        words = peer.take(lambda words, number=number: words[0] == str(number))
        refused += words[1:3] == ["error", "busy"]
    assert 5 <= refused <= 6  # the first may or may not have left the queue
    assert peer.reply(running) == {"reached": "true"}


def test_many_threads(peer):
    for i in range(64):
        peer.do("thread", name=f"t{i}")
    assert peer.fails("thread", name="t64") == "no-memory"
    for i in range(64):
        peer.do("join", name=f"t{i}")
    peer.do("thread", name="t64")


def test_batch_lines_follow_even_when_nobody_takes_them(peer):
    """The lines of a batch for a thread that does not exist are not taken for commands."""
    number = peer.start_batch(1, ["pause ms=0", "hello"], thread="nobody")
    assert peer.take(lambda words: words[0] == str(number))[1:3] == ["error", "unknown-name"]
    assert "pagesize" in peer.do("describe")


def test_shutdown(ready):
    assert ready.do("PtlFini") == {"rc": "void"}
    assert ready.do("PtlEQFree", eventq="eq") == {"rc": "PTL_NOINIT"}
