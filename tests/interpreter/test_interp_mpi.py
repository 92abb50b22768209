# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""interp-mpi with Debian's MPI libraries: start, messages, requests, statuses (specs/interpreter.md, section 7)."""

import pytest

WORLD = "MPI_COMM_WORLD"
OK = {"rc": "MPI_SUCCESS"}
ANY = dict(source="MPI_ANY_SOURCE", tag="MPI_ANY_TAG", comm=WORLD)


@pytest.fixture
def two(job):
    """Two processes after MPI_Init, each with a region `buf` of 1 MiB; they must end well."""
    both = job(2).init()
    both.all("alloc", name="buf", octets=1 << 20)
    yield both
    assert both.end() == 0


def ints(peer, *values, at=0):
    peer.do("write-values", name="buf", offset=at, type="int", values=",".join(map(str, values)))


def read(peer, count, at=0, type_="int"):
    return peer.do("read-values", name="buf", offset=at, type=type_, count=count)["values"]


def send(dest, tag, count=1, datatype="MPI_INT", buf="buf"):
    return dict(buf=buf, count=count, datatype=datatype, dest=dest, tag=tag, comm=WORLD)


def receive(source, tag, count=1, datatype="MPI_INT", buf="buf"):
    return dict(buf=buf, count=count, datatype=datatype, source=source, tag=tag, comm=WORLD)


def came(source, tag):
    return {"rc": "MPI_SUCCESS", "status.source": str(source), "status.tag": str(tag)}


def test_greets(job):
    one = job(1)
    hello = one[0].hello
    assert (hello["role"], hello["api"]) == ("interpreter", "mpi-1")
    assert hello["name"].startswith("interp-mpi/")
    assert set(hello["features"].split(",")) == {"threads", "guard", "fortran-types"}
    facts = one[0].do("describe")
    assert facts["int.octets"] == "4" and facts["long.octets"] == "8" and int(facts["status.octets"]) >= 12
    assert facts["MPI_VERSION"].count(".") == 1
    assert int(facts["bsend.overhead"]) > 0
    assert facts["functions"].split(",") == ["sum-int", "left", "affine", "sum-last"]
    assert not [name for name in facts["lacks"].split(",") if name and not name.startswith(("MPI_", "IMPI_"))]
    assert one[0].do("MPI_Initialized") == {**OK, "flag": "false"}
    one.init()
    assert one[0].do("MPI_Initialized") == {**OK, "flag": "true"}
    assert one.end() == 0


def test_world(two):
    assert two.all("MPI_Comm_size", comm=WORLD) == [{**OK, "size": "2"}] * 2
    assert [reply["rank"] for reply in two.all("MPI_Comm_rank", comm=WORLD)] == ["0", "1"]
    assert two[0].do("MPI_Comm_rank", comm="MPI_COMM_SELF") == {**OK, "rank": "0"}
    assert two[0].do("MPI_Get_processor_name")["name"]
    before = float(two[0].do("MPI_Wtime")["seconds"])
    two[0].do("pause", ms=5)
    assert float(two[0].do("MPI_Wtime")["seconds"]) >= before + 0.004
    assert 0 < float(two[0].do("MPI_Wtick")["seconds"]) < 1
    assert two.all("MPI_Barrier", comm=WORLD) == [OK] * 2


@pytest.mark.parametrize("form", ["MPI_Send", "MPI_Ssend", "MPI_Bsend", "MPI_Rsend"])
def test_blocking_forms(two, form):
    ints(two[0], 5, -7)
    two[0].do("alloc", name="attached", octets=4096)
    assert two[0].do("MPI_Buffer_attach", buffer="attached", size=4096) == OK
    if form == "MPI_Rsend":  # wants the receive to be there, so it must have been posted
        assert two[1].do("MPI_Irecv", request="r", **receive(0, 3, 10)) == OK
        posted = two[1].start("MPI_Wait", request="r", status="st")
    else:
        posted = two[1].start("MPI_Recv", status="st", **receive(0, 3, 10))
    assert two[0].do(form, **send(1, 3, 2)) == OK
    got = two[1].reply(posted)
    assert got.pop("request", "MPI_REQUEST_NULL") == "MPI_REQUEST_NULL" and got == came(0, 3)
    assert read(two[1], 3) == "5,-7,0"
    assert two[1].do("MPI_Get_count", status="st", datatype="MPI_INT") == {**OK, "count": "2"}
    assert two[1].do("MPI_Get_count", status="st", datatype="MPI_BYTE") == {**OK, "count": "8"}
    assert two[1].do("MPI_Get_elements", status="st", datatype="MPI_INT") == {**OK, "count": "2"}
    assert two[0].do("MPI_Buffer_detach") == {**OK, "buffer_addr": "attached+0", "size": "4096"}


@pytest.mark.parametrize("form", ["MPI_Isend", "MPI_Issend", "MPI_Ibsend", "MPI_Irsend"])
def test_immediate_forms(two, form):
    two[0].do("alloc", name="attached", octets=4096)
    two[0].do("MPI_Buffer_attach", buffer="attached", size=4096)
    assert two[1].do("MPI_Irecv", request="r", **receive("MPI_ANY_SOURCE", "MPI_ANY_TAG")) == OK
    assert two[1].do("MPI_Test", request="r") == {**OK, "flag": "false"}
    assert two[1].do("complete", request="r", ms=1) == {**OK, "flag": "false"}
    ints(two[0], 42)
    assert two[0].do(form, request="s", **send(1, 9)) == OK
    done = {**came(0, 9), "request": "MPI_REQUEST_NULL", "flag": "true"}
    sent = two[0].start("MPI_Wait", request="s")  # some libraries move a message only while they are called
    assert two[1].do("complete", request="r", ms=30000, status="st") == done
    assert read(two[1], 1) == "42"
    waited = two[0].reply(sent)
    assert (waited["rc"], waited["request"]) == ("MPI_SUCCESS", "MPI_REQUEST_NULL")
    # the name stands for the null request now, which is complete and says nothing
    empty = {"status.source": "MPI_ANY_SOURCE", "status.tag": "MPI_ANY_TAG"}
    assert two[0].do("MPI_Wait", request="s") == {**OK, "request": "MPI_REQUEST_NULL", **empty}
    assert two[0].do("MPI_Buffer_detach")["rc"] == "MPI_SUCCESS"


@pytest.mark.parametrize("form", ["MPI_Send_init", "MPI_Ssend_init", "MPI_Bsend_init", "MPI_Rsend_init"])
def test_persistent_forms(two, form):
    two[0].do("alloc", name="attached", octets=4096)
    two[0].do("MPI_Buffer_attach", buffer="attached", size=4096)
    assert two[0].do(form, request="s", **send(1, 1)) == OK
    assert two[1].do("MPI_Recv_init", request="r", **receive(0, 1)) == OK
    for value in (11, 22, 33):
        ints(two[0], value)
        assert two[1].do("MPI_Start", request="r") == OK
        assert two[0].do("MPI_Startall", array_of_requests="s") == OK
        sent = two[0].start("MPI_Wait", request="s")
        assert two[1].do("MPI_Wait", request="r") == came(0, 1)  # it stays a request
        assert two[0].reply(sent)["rc"] == "MPI_SUCCESS"
        assert read(two[1], 1) == str(value)
    for peer, name in ((two[0], "s"), (two[1], "r")):
        assert peer.do("MPI_Request_free", request=name) == {**OK, "request": "MPI_REQUEST_NULL"}
    assert two[0].do("MPI_Buffer_detach")["rc"] == "MPI_SUCCESS"


def test_sendrecv(two):
    for peer in (two[0], two[1]):
        ints(peer, 100 + (peer is two[1]))
    half = dict(sendcount=1, sendtype="MPI_INT", sendtag=4, recvcount=1, recvtype="MPI_INT", recvtag=4, comm=WORLD)
    numbers = [two[i].start("MPI_Sendrecv", sendbuf="buf", recvbuf="buf+64", dest=1 - i, source=1 - i, **half)
               for i in range(2)]
    assert [two[i].reply(number) for i, number in enumerate(numbers)] == [came(1, 4), came(0, 4)]
    assert [read(two[i], 1, at=64) for i in range(2)] == ["101", "100"]
    numbers = [two[i].start("MPI_Sendrecv_replace", buf="buf", count=1, datatype="MPI_INT", dest=1 - i, sendtag=i,
                            source="MPI_ANY_SOURCE", recvtag="MPI_ANY_TAG", comm=WORLD, status="st") for i in range(2)]
    assert [two[i].reply(number) for i, number in enumerate(numbers)] == [came(1, 1), came(0, 0)]
    assert [read(two[i], 1) for i in range(2)] == ["101", "100"]
    assert two[0].do("MPI_Get_count", status="st", datatype="MPI_INT")["count"] == "1"


def test_nobody(two):
    assert two[0].do("MPI_Send", **send("MPI_PROC_NULL", 3)) == OK
    assert two[0].do("MPI_Recv", **receive("MPI_PROC_NULL", 3)) == came("MPI_PROC_NULL", "MPI_ANY_TAG")


def test_probes(two):
    assert two[1].do("MPI_Iprobe", **ANY) == {**OK, "flag": "false"}
    assert two[1].do("arrived", ms=5, **ANY) == {**OK, "flag": "false"}
    two[0].do("MPI_Isend", request="s", **send(1, 77, 6))
    assert two[1].do("arrived", ms=30000, status="st", **ANY) == {**came(0, 77), "flag": "true"}
    assert two[1].do("MPI_Get_count", status="st", datatype="MPI_INT")["count"] == "6"
    assert two[1].do("MPI_Get_count", status="st", datatype="MPI_DOUBLE")["count"] == "3"
    two[0].do("MPI_Wait", request="s")
    assert two[1].do("MPI_Probe", **ANY) == came(0, 77)
    assert two[1].do("MPI_Iprobe", **ANY) == {**came(0, 77), "flag": "true"}
    assert two[1].do("progress", comm=WORLD, ms=2) == OK
    assert two[1].do("MPI_Recv", **receive(0, 77, 6)) == came(0, 77)


def test_cancel(two):
    two[1].do("MPI_Irecv", request="r", **receive(0, 5))
    assert two[1].do("MPI_Cancel", request="r") == OK
    assert two[1].do("MPI_Wait", request="r", status="st")["request"] == "MPI_REQUEST_NULL"
    assert two[1].do("MPI_Test_cancelled", status="st") == {**OK, "flag": "true"}
    two[1].do("MPI_Irecv", request="r", **receive(0, 5))
    two[0].do("MPI_Send", **send(1, 5))
    two[1].do("MPI_Wait", request="r", status="st")
    assert two[1].do("MPI_Test_cancelled", status="st") == {**OK, "flag": "false"}


def test_several_requests(two):
    names = ["r0", "r1", "r2"]
    for i, name in enumerate(names):
        two[1].do("MPI_Irecv", request=name, **receive(0, i, buf=f"buf+{i * 4}"))
    three = dict(array_of_requests="r0,r1,r2")
    assert two[1].do("MPI_Testall", **three) == {**OK, "flag": "false"}
    assert two[1].do("MPI_Testany", **three) == {**OK, "flag": "false", "index": "MPI_UNDEFINED"}
    assert two[1].do("MPI_Testsome", **three) == {**OK, "outcount": "0", "array_of_indices": ""}
    two[0].do("MPI_Send", **send(1, 1))
    assert two[1].do("MPI_Waitany", status="st", **three) == {**came(0, 1), "index": "1"}
    assert two[1].do("MPI_Wait", request="r1")["status.source"] == "MPI_ANY_SOURCE"  # it is null now
    two[0].do("MPI_Send", **send(1, 2))
    assert two[1].do("MPI_Waitsome", array_of_statuses="a,b,c", **three) == {
        **OK, "outcount": "1", "array_of_indices": "2", "s0.source": "0", "s0.tag": "2"}
    assert two[1].do("MPI_Get_count", status="a", datatype="MPI_INT")["count"] == "1"
    assert two[1].fails("MPI_Get_count", status="b", datatype="MPI_INT") == "unknown-name"
    two[0].do("MPI_Send", **send(1, 0))
    done = two[1].do("complete-all", ms=30000, array_of_requests="r0,MPI_REQUEST_NULL", array_of_statuses="d,e")
    assert done == {**OK, "flag": "true", "s0.source": "0", "s0.tag": "0", "s1.source": "MPI_ANY_SOURCE",
                    "s1.tag": "MPI_ANY_TAG"}
    assert two[1].do("MPI_Waitany", **three)["index"] == "MPI_UNDEFINED"
    assert two[1].do("MPI_Waitsome", **three) == {**OK, "outcount": "MPI_UNDEFINED", "array_of_indices": ""}
    assert two[1].do("MPI_Waitall", array_of_requests="") == OK
    assert two[1].fails("MPI_Waitall", array_of_requests="r0", count=2) == "bad-value"
    assert two[1].fails("MPI_Waitall", array_of_requests="r0,r1", array_of_statuses="a") == "bad-value"


def test_errors_in_statuses(two):
    """A message that is too long is an error of one request of several."""
    two[1].do("MPI_Irecv", request="short", **receive(0, 1, 1))
    two[1].do("MPI_Irecv", request="long", **receive(0, 2, 4, buf="buf+64"))
    two[0].do("MPI_Send", **send(1, 1, 4))
    two[0].do("MPI_Send", **send(1, 2, 4))
    reply = two[1].do("MPI_Waitall", array_of_requests="short,long")
    assert reply["rc"] == "MPI_ERR_IN_STATUS"
    assert reply["s0.error"] == "MPI_ERR_TRUNCATE"
    if reply["s1.error"] == "MPI_ERR_PENDING":  # a library may stop looking at the first error
        assert two[1].do("MPI_Wait", request="long") == {**came(0, 2), "request": "MPI_REQUEST_NULL"}
    else:
        assert (reply["s1.error"], reply["s1.source"], reply["s1.tag"]) == ("MPI_SUCCESS", "0", "2")


def test_error_codes(two):
    one = two[0]
    for key, value, code in (("tag", -5, "MPI_ERR_TAG"), ("dest", 2, "MPI_ERR_RANK"), ("count", -1, "MPI_ERR_COUNT"),
                             ("datatype", "MPI_DATATYPE_NULL", "MPI_ERR_TYPE")):
        reply = one.do("MPI_Send", **{**send(1, 1), key: value})
        assert reply["rc"] == code, reply
        assert one.do("MPI_Error_class", errorcode=reply["code"]) == {**OK, "errorclass": code}
        assert one.do("MPI_Error_string", errorcode=reply["code"])["string"]
    assert one.do("MPI_Comm_rank", comm="MPI_COMM_NULL")["rc"] == "MPI_ERR_COMM"
    assert one.do("MPI_Errhandler_get", comm=WORLD) == {**OK, "errhandler": "MPI_ERRORS_RETURN"}
    assert one.do("MPI_Errhandler_create", errhandler="mine") == OK
    assert one.do("MPI_Errhandler_set", comm=WORLD, errhandler="mine") == OK
    assert one.do("MPI_Errhandler_get", comm=WORLD) == {**OK, "errhandler": "mine"}
    assert one.do("errors") == {"calls": "0", "last": "none"}
    assert one.do("MPI_Send", **send(1, -5))["rc"] == "MPI_ERR_TAG"
    assert one.do("errors") == {"calls": "1", "last": "MPI_ERR_TAG"}
    one.do("MPI_Errhandler_set", comm=WORLD, errhandler="MPI_ERRORS_RETURN")
    assert one.do("MPI_Errhandler_free", errhandler="mine") == OK


def test_batch(two):
    """A batch stops at the first error of the library, and replaces the number of the round."""
    two[0].do("write-values", name="buf", offset=0, type="int", values=",".join(map(str, range(10))))
    number = two[1].start_batch(10, [f"MPI_Recv buf=buf+%i000 count=1 datatype=MPI_INT source=0 tag=%i comm={WORLD}"])
    assert two[0].batch(10, f"MPI_Send buf=buf+%I count=1 datatype=MPI_INT dest=1 tag=%i comm={WORLD}") == {
        "runs": "10", "line": "0"}
    assert two[1].reply(number) == {"runs": "10", "line": "0"}
    assert read(two[1], 1, at=4000) == "1"
    assert two[0].batch(3, "pause ms=0", f"MPI_Send buf=buf count=-1 datatype=MPI_INT dest=1 tag=1 comm={WORLD}") == {
        "runs": "0", "line": "2", "rc": "MPI_ERR_COUNT"}


def test_errors_are_kept(job):
    """errors=keep leaves the library's own handler in place, which ends the program."""
    one = job(1).init(errors="keep")
    assert one[0].do("MPI_Errhandler_get", comm=WORLD) == {**OK, "errhandler": "MPI_ERRORS_ARE_FATAL"}
    assert one.end() == 0


def test_no_arguments_for_init(job):
    one = job(1).init(arguments="null")
    assert one.end() == 0


def test_abort(job):
    one = job(2).init()
    one[0].start("MPI_Abort", comm=WORLD, errorcode=9)
    for peer in one.peers:
        peer.closed()
    assert one.program.status() != 0


def test_leaves_without_finalize(job):
    one = job(1).init()
    assert one[0].do("abandon", status=5) == {}
    assert one[0].closed() == b""
    assert one.program.status() != 0
