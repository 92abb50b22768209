# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""interp-mpi with Debian's MPIs: values, types, communicators, collectives (specs/interpreter.md, section 7)."""

import pytest

WORLD = "MPI_COMM_WORLD"
OK = {"rc": "MPI_SUCCESS"}


def write(peer, values, type_="int", name="buf", at=0):
    peer.do("write-values", name=name, offset=at, type=type_, values=",".join(map(str, values)))


def read(peer, count, type_="int", name="buf", at=0):
    return peer.do("read-values", name=name, offset=at, type=type_, count=count)["values"]


def region(job):
    job.all("alloc", name="buf", octets=4096)
    job.all("alloc", name="out", octets=4096)
    return job


@pytest.fixture
def one(job):
    """One process after MPI_Init with regions `buf` and `out` of 4096 octets; it must end well."""
    world = region(job(1).init())
    yield world[0]
    assert world.end() == 0


@pytest.fixture
def alone(run, manager, bin_dir):
    """A process that calls nothing of MPI, with a region `buf`."""
    program = run(bin_dir / "interp-mpi")
    peer = manager.accept()
    peer.do("alloc", name="buf", octets=4096)
    yield peer
    peer.do("quit")
    assert program.status() == 0, program.said()


@pytest.fixture
def three(job):
    """Three processes of the same kind."""
    several = region(job(3).init())
    yield several
    assert several.end() == 0


@pytest.mark.parametrize("type_,octets,values", [
    ("signed-char", 1, "-128,127,0"), ("unsigned-char", 1, "0,255"), ("short", 2, "-32768,32767"),
    ("unsigned-short", 2, "65535"), ("int", 4, "-2147483648,2147483647,-1"), ("unsigned-int", 4, "4294967295"),
    ("long", 8, "-9223372036854775808,9223372036854775807"), ("unsigned-long", 8, "18446744073709551615"),
    ("long-long", 8, "-1,1"), ("unsigned-long-long", 8, "18446744073709551615"), ("float", 4, "1.5,-0.25,inf,nan"),
    ("double", 8, "1.5,-0,1e+20,-inf"), ("long-double", 16, "1.5,-0.0625,inf")])
def test_values(alone, type_, octets, values):
    count = values.count(",") + 1
    alone.do("fill", name="buf", offset=0, octets=100, pattern="byte/170")
    assert alone.do("write-values", name="buf", offset=3, type=type_, values=values) == {}
    assert alone.do("read-values", name="buf", offset=3, type=type_, count=count)["values"] == values
    assert alone.do("read", name="buf", offset=0, octets=3)["hex"] == "aaaaaa"
    assert alone.do("read", name="buf", offset=3 + octets * count, octets=1)["hex"] == "aa"


def test_values_are_native(alone):
    little = alone.hello["order"] == "little"
    alone.do("write-values", name="buf", offset=0, type="int", values="0x01020304")
    assert alone.do("read", name="buf", offset=0, octets=4)["hex"] == ("04030201" if little else "01020304")
    alone.do("write-values", name="buf", offset=0, type="double", values="0x1.8p0")
    as_big = bytes.fromhex("3ff8000000000000")
    assert alone.do("read", name="buf", offset=0, octets=8)["hex"] == (as_big[::-1] if little else as_big).hex()


@pytest.mark.parametrize("type_,values", [
    ("signed-char", "128"), ("signed-char", "-129"), ("unsigned-char", "-1"), ("unsigned-char", "256"), ("int", "1.5"),
    ("int", ""), ("int", "1,,2"), ("long", "9223372036854775808"), ("unsigned-long", "-1"), ("float", "1e99"),
    ("double", "x"), ("double", "1.5x"), ("char", "1"), ("int", "1," * 4096 + "1")])
def test_bad_values(alone, type_, values):
    alone.do("fill", name="buf", offset=0, octets=8, pattern="byte/7")
    if type_ == "int" and not values:
        assert alone.do("write-values", name="buf", offset=0, type=type_, values=values) == {}  # none
    else:
        assert alone.fails("write-values", name="buf", offset=0, type=type_, values=values) == "bad-value"
    assert alone.do("read", name="buf", offset=0, octets=8)["hex"] == "07" * 8
    assert alone.fails("write-values", name="buf", offset=4093, type="int", values="1") == "range"
    assert alone.fails("read-values", name="buf", offset=0, type="int", count=4097) == "bad-value"


@pytest.mark.parametrize("verb,values,code", [
    ("MPI_Comm_rank", dict(comm="nobody"), "unknown-name"), ("MPI_Comm_rank", dict(comm="buf"), "wrong-kind"),
    ("MPI_Comm_rank", dict(comm="MPI_INT"), "unknown-name"), ("MPI_Comm_rank", dict(comm="World"), "bad-value"),
    ("MPI_Comm_rank", {}, "missing"), ("MPI_Comm_rank", dict(comm=WORLD, x=1), "unknown-pair"),
    ("MPI_Comm_dup", dict(comm=WORLD, newcomm="buf"), "exists"),
    ("MPI_Comm_dup", dict(comm=WORLD, newcomm="null"), "bad-value"),
    ("MPI_Type_contiguous", dict(count="many", oldtype="MPI_INT", newtype="t"), "bad-value"),
    ("MPI_Type_contiguous", dict(count=4294967296, oldtype="MPI_INT", newtype="t"), "bad-value"),
    ("MPI_Type_struct", dict(array_of_blocklengths="1,2", array_of_displacements="0", array_of_types="MPI_INT",
                             newtype="t"), "bad-value"),
    ("MPI_Init", dict(errors="loud"), "bad-value"), ("MPI_Comm_remote_size", {}, "missing"),
    ("MPI_Group_range_incl", dict(group="MPI_GROUP_EMPTY", ranges="0/1", newgroup="g"), "bad-value"),
    ("MPI_Op_create", dict(function="divide", commute="true", op="o"), "bad-value"),
    ("MPI_Op_create", dict(function="left", commute="maybe", op="o"), "bad-value"),
    ("complete", dict(request="nobody", ms=1), "unknown-name"), ("MPI_Wait", dict(request=WORLD), "unknown-name"),
    ("MPI_Attr_get", dict(comm=WORLD, keyval=7), "bad-value"), ("PtlInit", {}, "unknown-command")])
def test_bad_commands(alone, verb, values, code):
    assert alone.fails(verb, **values) == code


def test_types(one):
    make = {"MPI_Type_contiguous": (dict(count=3), 12, 12),
            "MPI_Type_vector": (dict(count=2, blocklength=2, stride=3), 16, 20),
            "MPI_Type_hvector": (dict(count=2, blocklength=1, stride=12), 8, 16),
            "MPI_Type_indexed": (dict(array_of_blocklengths="2,1", array_of_displacements="0,4"), 12, 20),
            "MPI_Type_hindexed": (dict(count=2, array_of_blocklengths="2,1", array_of_displacements="0,20"), 12, 24)}
    for verb, (values, size, extent) in make.items():
        assert one.do(verb, oldtype="MPI_INT", newtype="t", **values) == OK
        assert one.do("MPI_Type_commit", datatype="t") == OK
        assert one.do("MPI_Type_size", datatype="t") == {**OK, "size": str(size)}, verb
        assert one.do("MPI_Type_extent", datatype="t") == {**OK, "extent": str(extent)}, verb
        assert one.do("MPI_Type_free", datatype="t") == {**OK, "datatype": "MPI_DATATYPE_NULL"}
    one.do("MPI_Type_struct", array_of_blocklengths="1,1", array_of_displacements="8,16", newtype="s",
           array_of_types="MPI_DOUBLE,MPI_CHAR")
    assert one.do("MPI_Type_lb", datatype="s") == {**OK, "displacement": "8"}
    assert one.do("MPI_Type_ub", datatype="s") == {**OK, "displacement": "24"}
    assert one.do("MPI_Type_size", datatype="s")["size"] == "9"


def test_packing(one):
    write(one, [1, 2, 3, 4, 5, 6])
    one.do("MPI_Type_vector", count=3, blocklength=1, stride=2, oldtype="MPI_INT", newtype="t")
    one.do("MPI_Type_commit", datatype="t")
    assert int(one.do("MPI_Pack_size", incount=1, datatype="t", comm=WORLD)["size"]) >= 12
    packed = one.do("MPI_Pack", inbuf="buf", incount=1, datatype="t", outbuf="out", outsize=100, position=0, comm=WORLD)
    end = packed["position"]
    assert int(end) >= 12
    again = one.do("MPI_Unpack", inbuf="out", insize=end, position=0, outbuf="buf+100", outcount=3, datatype="MPI_INT",
                   comm=WORLD)
    assert again == {**OK, "position": end}
    assert read(one, 3, at=100) == "1,3,5"
    address = int(one.do("MPI_Address", location="buf+8")["address"])
    assert address - int(one.do("MPI_Address", location="buf")["address"]) == 8
    assert one.do("MPI_Address", location="MPI_BOTTOM")["address"] == "0"
    # absolute addresses
    one.do("MPI_Type_hindexed", array_of_blocklengths="1", array_of_displacements=address, oldtype="MPI_INT",
           newtype="at")
    one.do("MPI_Type_commit", datatype="at")
    assert one.do("MPI_Sendrecv", sendbuf="MPI_BOTTOM", sendcount=1, sendtype="at", dest=0, sendtag=1, recvbuf="buf",
                  recvcount=1, recvtype="MPI_INT", source=0, recvtag=1, comm=WORLD)["rc"] == "MPI_SUCCESS"
    assert read(one, 1) == "3"


def test_communicators(three):
    assert three.all("MPI_Comm_dup", comm=WORLD, newcomm="dup") == [OK] * 3
    assert three[0].do("MPI_Comm_compare", comm1=WORLD, comm2="dup") == {**OK, "result": "MPI_CONGRUENT"}
    assert three[0].do("MPI_Comm_compare", comm1="dup", comm2="dup")["result"] == "MPI_IDENT"
    assert three.all("MPI_Errhandler_get", comm="dup") == [{**OK, "errhandler": "MPI_ERRORS_RETURN"}] * 3
    numbers = [three[i].start("MPI_Comm_split", comm="dup", color=[1, "MPI_UNDEFINED", 1][i], key=-i, newcomm="part")
               for i in range(3)]
    replies = [three[i].reply(number) for i, number in enumerate(numbers)]
    assert replies == [OK, {**OK, "newcomm": "MPI_COMM_NULL"}, OK]
    assert [three[i].do("MPI_Comm_rank", comm="part").get("rank") for i in (0, 2)] == ["1", "0"]
    assert three[1].do("MPI_Comm_size", comm="part")["rc"] == "MPI_ERR_COMM"
    assert three.all("MPI_Comm_group", comm=WORLD, group="all") == [OK] * 3
    assert three.all("MPI_Group_incl", group="all", ranks="2,0", newgroup="some") == [OK] * 3
    made = three.all("MPI_Comm_create", comm=WORLD, group="some", newcomm="made")
    assert made == [OK, {**OK, "newcomm": "MPI_COMM_NULL"}, OK]
    assert [three[i].do("MPI_Comm_rank", comm="made")["rank"] for i in (0, 2)] == ["1", "0"]
    assert three.all("MPI_Comm_free", comm="dup") == [{**OK, "comm": "MPI_COMM_NULL"}] * 3


def test_intercommunicators(three):
    numbers = [peer.start("MPI_Comm_split", comm=WORLD, color=int(i > 0), key=0, newcomm="side")
               for i, peer in enumerate(three.peers)]
    assert [peer.reply(number) for peer, number in zip(three.peers, numbers)] == [OK] * 3
    numbers = [peer.start("MPI_Intercomm_create", local_comm="side", local_leader=0, peer_comm=WORLD,
                          remote_leader=0 if i else 1, tag=3, newintercomm="inter")
               for i, peer in enumerate(three.peers)]
    assert [peer.reply(number) for peer, number in zip(three.peers, numbers)] == [OK] * 3
    assert three.all("MPI_Comm_test_inter", comm="inter") == [{**OK, "flag": "true"}] * 3
    assert [reply["size"] for reply in three.all("MPI_Comm_remote_size", comm="inter")] == ["2", "1", "1"]
    three.all("MPI_Comm_remote_group", comm="inter", group="far")
    assert three[0].do("MPI_Group_size", group="far")["size"] == "2"
    numbers = [peer.start("MPI_Intercomm_merge", intercomm="inter", high="false" if i else "true",
                          newintracomm="merged")
               for i, peer in enumerate(three.peers)]
    assert [peer.reply(number) for peer, number in zip(three.peers, numbers)] == [OK] * 3
    assert [reply["rank"] for reply in three.all("MPI_Comm_rank", comm="merged")] == ["2", "0", "1"]


def test_groups(three):
    peer = three[0]
    peer.do("MPI_Comm_group", comm=WORLD, group="all")
    assert peer.do("MPI_Group_size", group="all") == {**OK, "size": "3"}
    assert peer.do("MPI_Group_rank", group="all") == {**OK, "rank": "0"}
    peer.do("MPI_Group_excl", group="all", ranks="0", newgroup="others")
    assert peer.do("MPI_Group_rank", group="others") == {**OK, "rank": "MPI_UNDEFINED"}
    assert peer.do("MPI_Group_translate_ranks", group1="all", ranks1="2,0", group2="others") == {
        **OK, "ranks2": "1,MPI_UNDEFINED"}
    peer.do("MPI_Group_range_incl", group="all", ranges="2/0/-2", newgroup="ends")
    assert peer.do("MPI_Group_translate_ranks", group1="ends", ranks1="0,1", group2="all")["ranks2"] == "2,0"
    peer.do("MPI_Group_range_excl", group="all", ranges="0/2/2", newgroup="middle")
    assert peer.do("MPI_Group_size", group="middle")["size"] == "1"
    for verb, size in (("union", "3"), ("intersection", "1"), ("difference", "1")):
        peer.do("MPI_Group_" + verb, group1="ends", group2="others", newgroup="new")
        assert peer.do("MPI_Group_size", group="new")["size"] == size, verb
    assert peer.do("MPI_Group_compare", group1="ends", group2="MPI_GROUP_EMPTY")["result"] == "MPI_UNEQUAL"
    assert peer.do("MPI_Group_free", group="ends") == {**OK, "group": "MPI_GROUP_NULL"}


def test_attributes(one):
    bound = one.do("MPI_Attr_get", comm=WORLD, keyval="MPI_TAG_UB")
    assert bound["flag"] == "true" and int(bound["attribute_val"]) >= 32767
    lacking = one.do("describe")["lacks"].split(",")
    for key in ("IMPI_CLIENT_SIZE", "IMPI_CLIENT_COLOR", "IMPI_HOST_SIZE", "IMPI_HOST_COLOR"):
        if key in lacking:
            assert one.fails("MPI_Attr_get", comm=WORLD, keyval=key) == "unknown-name"
            continue
        reply = one.do("MPI_Attr_get", comm=WORLD, keyval=key)
        if reply["rc"] == "MPI_SUCCESS" and reply["flag"] == "true":  # else a library that has the names only
            assert reply["attribute_val"] == ("1" if key.endswith("SIZE") else "0")
    for copy, follows in (("null", "false"), ("dup", "true")):
        assert one.do("MPI_Keyval_create", keyval="key", copy=copy) == OK
        assert one.do("MPI_Attr_get", comm=WORLD, keyval="key") == {**OK, "flag": "false"}
        assert one.do("MPI_Attr_put", comm=WORLD, keyval="key", attribute_val=-77) == OK
        assert one.do("MPI_Attr_get", comm=WORLD, keyval="key") == {**OK, "flag": "true", "attribute_val": "-77"}
        one.do("MPI_Comm_dup", comm=WORLD, newcomm="dup")
        assert one.do("MPI_Attr_get", comm="dup", keyval="key")["flag"] == follows
        assert one.do("MPI_Attr_delete", comm=WORLD, keyval="key") == OK
        assert one.do("MPI_Attr_get", comm=WORLD, keyval="key") == {**OK, "flag": "false"}
        one.do("MPI_Comm_free", comm="dup")
        assert one.do("MPI_Keyval_free", keyval="key")["rc"] == "MPI_SUCCESS"


def every(job, verb, **values):
    assert job.all(verb, comm=WORLD, **values) == [OK] * len(job.peers)


def equal(n=1):
    return dict(sendbuf="buf", sendcount=n, sendtype="MPI_INT", recvbuf="out", recvcount=n, recvtype="MPI_INT")


def test_collectives(three):
    for i, peer in enumerate(three.peers):
        write(peer, [10 * i, 10 * i + 1, 10 * i + 2])
    every(three, "MPI_Barrier")
    every(three, "MPI_Gather", root=1, **equal())
    assert read(three[1], 3, name="out") == "0,10,20"
    every(three, "MPI_Scatter", root=2, **equal())
    assert [read(peer, 1, name="out") for peer in three.peers] == ["20", "21", "22"]
    every(three, "MPI_Allgather", **equal())
    assert [read(peer, 3, name="out") for peer in three.peers] == ["0,10,20"] * 3
    every(three, "MPI_Alltoall", **equal())
    assert [read(peer, 3, name="out") for peer in three.peers] == ["0,10,20", "1,11,21", "2,12,22"]
    send, receive = dict(sendbuf="buf", sendtype="MPI_INT"), dict(recvbuf="out", recvtype="MPI_INT")
    every(three, "MPI_Gatherv", sendcount=1, recvcounts="1,1,1", displs="2,1,0", root=0, **send, **receive)
    assert read(three[0], 3, name="out") == "20,10,0"
    every(three, "MPI_Scatterv", sendcounts="1,1,1", displs="2,1,0", recvcount=1, root=0, **send, **receive)
    assert [read(peer, 1, name="out") for peer in three.peers] == ["2", "1", "0"]
    every(three, "MPI_Allgatherv", sendcount=1, recvcounts="1,1,1", displs="1,2,0", **send, **receive)
    assert read(three[2], 3, name="out") == "20,0,10"
    every(three, "MPI_Alltoallv", sendcounts="1,1,1", sdispls="2,1,0", recvcounts="1,1,1", rdispls="0,1,2", **send,
          **receive)
    assert [read(peer, 3, name="out") for peer in three.peers] == ["2,12,22", "1,11,21", "0,10,20"]
    every(three, "MPI_Bcast", buffer="buf", count=3, datatype="MPI_INT", root=1)
    assert [read(peer, 3) for peer in three.peers] == ["10,11,12"] * 3


def test_empty_lists_elsewhere_than_at_the_root(three):
    for i, peer in enumerate(three.peers):
        write(peer, [i])
    lists = [dict(recvcounts="1,1,1", displs="0,1,2"), dict(recvcounts="", displs=""), dict(recvcounts="", displs="")]
    numbers = [peer.start("MPI_Gatherv", sendbuf="buf", sendcount=1, sendtype="MPI_INT", recvtype="MPI_INT", root=0,
                          recvbuf="null" if i else "out", comm=WORLD, **lists[i]) for i, peer in enumerate(three.peers)]
    assert [peer.reply(number) for peer, number in zip(three.peers, numbers)] == [OK] * 3
    assert read(three[0], 3, name="out") == "0,1,2"


def test_reductions(three):
    for i, peer in enumerate(three.peers):
        write(peer, [i + 1, 5 - i, i + 2, 1])
    common = dict(sendbuf="buf", recvbuf="out", datatype="MPI_INT")
    every(three, "MPI_Reduce", count=2, op="MPI_SUM", root=2, **common)
    assert read(three[2], 2, name="out") == "6,12"
    every(three, "MPI_Allreduce", count=2, op="MPI_MAX", **common)
    assert [read(peer, 2, name="out") for peer in three.peers] == ["3,5"] * 3
    every(three, "MPI_Scan", count=1, op="MPI_PROD", **common)
    assert [read(peer, 1, name="out") for peer in three.peers] == ["1", "2", "6"]
    every(three, "MPI_Reduce_scatter", recvcounts="1,1,1", op="MPI_SUM", **common)
    assert [read(peer, 1, name="out") for peer in three.peers] == ["6", "12", "9"]


def test_own_operations(three):
    for i, peer in enumerate(three.peers):
        write(peer, [i + 2, 10 * i + 1])
    for name, commute in (("sum-int", "true"), ("left", "false"), ("affine", "false")):
        assert three.all("MPI_Op_create", function=name, commute=commute, op=name) == [OK] * 3
    common = dict(sendbuf="buf", recvbuf="out")
    every(three, "MPI_Allreduce", count=2, datatype="MPI_INT", op="sum-int", **common)
    assert read(three[0], 2, name="out") == "9,33"
    every(three, "MPI_Allreduce", count=2, datatype="MPI_INT", op="left", **common)
    assert read(three[2], 2, name="out") == "2,1"
    every(three, "MPI_Scan", count=1, datatype="MPI_2INT", op="affine", **common)
    # x -> 2x+1, then 3x+11, then 4x+21: 6x+14, 24x+77
    assert [read(peer, 2, name="out") for peer in three.peers] == ["2,1", "6,14", "24,77"]
    assert three.all("MPI_Op_free", op="left") == [{**OK, "op": "MPI_OP_NULL"}] * 3


def test_an_operation_that_looks_at_the_datatype(three):
    for i, peer in enumerate(three.peers):
        write(peer, [i + 2, 10 * i + 1, 7, 5])
    assert three.all("MPI_Op_create", function="sum-last", commute="true", op="last") == [OK] * 3
    assert three.all("MPI_Type_hindexed", array_of_blocklengths="1", array_of_displacements="4", oldtype="MPI_INT",
                     newtype="second") == [OK] * 3
    assert three.all("MPI_Type_commit", datatype="second") == [OK] * 3
    every(three, "MPI_Scan", count=2, datatype="second", op="last", sendbuf="buf", recvbuf="out")
    assert [read(peer, 3, name="out").split(",", 1)[1] for peer in three.peers] == ["1,7", "12,14", "33,21"]
