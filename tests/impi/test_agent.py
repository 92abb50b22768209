# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Real host agents, and scripted hosts of other clients: connections between hosts, routing, shutdown,
abnormal ends (2.3.8, 2.4, 3.x)."""

import contextlib
import pathlib
import socket
import struct
import time

import pytest
from peers import (CANCEL, CANCELNO, CANCELYES, DATA, DATASYNC, DEADLINE, FINI, PROTOACK, SYNCACK, Client,
                   ScriptedServer, Stream, busy_seconds, command, host_id, ints, packet, tighten)

FINI_PACKET = packet(FINI)


class Job:
    """One real client and scripted others, started up; `channels` by host rank."""

    def __init__(self, server, real):
        self.server = server
        self.real = real
        self.channels = {}
        server.start()
        self.own = server.own_processes()

    def connect(self, rank: int, port: int = 0) -> Stream:
        """A scripted host of higher rank connects to a real one."""
        self.channels[rank] = Stream.to("127.0.0.1", self.server.own_ports()[port]).send(ints(rank))
        return self.channels[rank]

    def accept(self, client: int, host: int = 0) -> Stream:
        """A scripted host of lower rank is connected to; says nothing of the rank that comes."""
        stream = Stream(self.server.others[client].listeners[host].accept()[0])
        self.channels[struct.unpack(">I", stream.take(4))[0]] = stream
        return stream

    def to(self, rank: int, source, data: bytes = b"", kind: int = DATA, **fields) -> bytes:
        """A packet for a real process."""
        return packet(kind, source, self.own[rank], data, **fields)

    def end(self, status: int = 0) -> None:
        """FINI on all channels, then the client's own."""
        for channel in self.channels.values():
            channel.send(FINI_PACKET)
        for channel in self.channels.values():
            while channel.packet()["type"] != FINI:
                pass
            assert channel.ended()
        assert self.server.stream.command() == ("FINI", b"")
        assert self.server.stream.ended()
        assert self.real.end() == status


@pytest.fixture(name="job")
def fixture_job(client):
    """Starts a job: own rank, the other clients, the real client's options and what its processes do."""
    servers = []

    def start(own, others, *words, program=("hold",), env=None):
        server = ScriptedServer(own, others)
        servers.append(server)
        return Job(server, client(own, server.place, *words, "--", *program, env=env))

    yield start
    for server in servers:
        server.__exit__()


def test_higher_host_connects(job):
    """IMPI-076, IMPI-082, IMPI-083, IMPI-084: to the lower ones in ascending order, after DONE, with its rank."""
    low = Client(hosts=(1, 1))
    high = Client(address="127.0.0.2")
    it = job(1, {0: low, 2: high}, program=("fini",))
    early = it.connect(3)
    first, second = Stream(low.listeners[0].accept()[0]), None
    assert first.take(4) == ints(2)
    second = Stream(low.listeners[1].accept()[0])
    assert second.take(4) == ints(2)
    it.channels.update({0: first, 1: second})
    assert early is it.channels[3]
    it.end()


def test_no_connection_before_done(client):
    """IMPI-076: quiet at the hosts while the server withholds DONE."""
    low = Client()
    with ScriptedServer(1, {0: low}) as server:
        real = client(1, server.place, "--", "fini")
        server.accept()
        server.collect()
        low.listeners[0].settimeout(0.3)
        with pytest.raises(TimeoutError):
            low.listeners[0].accept()
        server.tell()
        low.listeners[0].settimeout(DEADLINE)
        stream = Stream(low.listeners[0].accept()[0])
        assert stream.take(4) == ints(1)
        stream.send(FINI_PACKET)
        assert stream.packet()["type"] == FINI
        assert real.end() == 0


def test_connectors_in_any_order(job):
    """IMPI-085: told apart by their rank, in pieces or glued to a packet; all from one address."""
    others = {rank: Client(pids=[rank]) for rank in (1, 2, 3)}
    it = job(0, others, program=("await", "3", "fini"))
    port = it.server.own_ports()[0]
    third = Stream.to("127.0.0.1", port)
    third.send(ints(3) + it.to(0, others[3].processes[0], b"3", tag=3))
    first = Stream.to("127.0.0.1", port).send(ints(1), 1)
    second = Stream.to("127.0.0.1", port).send(b"\0\0")
    second.send(b"\0\2")
    it.channels.update({1: first, 2: second, 3: third})
    for rank in (1, 2):
        it.channels[rank].send(it.to(0, others[rank].processes[0], b"x" * rank, tag=rank))
    for rank in (1, 2, 3):
        it.real.says(f"from rank {rank} tag {rank}$", "out")
    it.end()


def test_hosts_of_one_client_do_not_connect(job):
    """IMPI-087, IMPI-099: two real hosts, one channel each to the scripted one, none between them."""
    peer = Client(hosts=(2,))
    it = job(1, {0: peer}, "-np", 2, "-hosts", 2, program=("greet", "greeted", "fini"))
    it.accept(0)
    it.accept(0)
    assert set(it.channels) == {1, 2}
    for host, stream in sorted(it.channels.items()):
        for target in (0, 1):
            got = stream.packet()
            assert (got["src_host"], got["src_pid"]) == it.own[host - 1]
            assert (got["dest_host"], got["dest_pid"]) == peer.processes[target]
            assert got["data"] == struct.pack("<I", host + 1)
        for source in (0, 1):
            stream.send(it.to(host - 1, peer.processes[source], struct.pack("<I", source), tag=7))
    it.end()


@pytest.mark.parametrize("say", [b"", b"\0\0", ints(0), ints(9), ints(0xFFFFFFFF), b"GET / HTTP/1.0\r\n\r\n"])
def test_outsiders_at_the_port(job, say):
    """IMPI-251: silence, pieces, wrong ranks: the true host still gets its place."""
    peer = Client()
    it = job(0, {1: peer}, program=("await", "1", "fini"))
    port = it.server.own_ports()[0]
    outsiders = [Stream.to("127.0.0.1", port).send(say) for _ in range(3)]
    it.connect(1).send(it.to(0, peer.processes[0], b"true"))
    it.real.says("4 octets", "out")
    late = [outsider.ended() for outsider in outsiders]
    assert all(late)
    it.end()


def descendants(ancestor: int) -> set[int]:
    """The processes that this one has started, and theirs."""
    parents = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            words = (entry / "stat").read_text(encoding="ascii", errors="replace").rpartition(") ")[2].split()
            parents[int(entry.name)] = int(words[1])
    found, before = set(), None
    while found != before:
        before = set(found)
        found |= {pid for pid, parent in parents.items() if parent == ancestor or parent in before}
    return found


def agent_of(it) -> int:
    """The process of the only host of the real client, which waits for hosts of higher rank."""
    outsider = Stream.to("127.0.0.1", it.server.own_ports()[0]).send(ints(9))
    it.real.says("said to be host 9")  # all that belongs to its beginning is over
    assert outsider.ended()
    late = time.monotonic() + DEADLINE
    while True:  # what is to become the MPI process is the same program for a moment
        found = [pid for pid in descendants(it.real.process.pid)
                 if pathlib.Path(f"/proc/{pid}/exe").resolve().name == "impirun"]
        if len(found) == 1:
            return found[0]
        assert time.monotonic() < late, found


def test_no_descriptor_for_a_host(job):
    """Where all are those of channels, that is said at once: the host is not waited for in vain."""
    it = job(0, {1: Client()})
    tighten(agent_of(it))
    with contextlib.suppress(ConnectionError):  # it may be over before all of it has come
        it.connect(1)
    it.real.says(r"cannot take another connection, and 1 of the other hosts are still to come: Too many open files; "
                 r"raise the limit \(ulimit -n\)")
    assert it.real.end() == 1


def test_a_silent_outsider_has_the_last_descriptor(job):
    """It makes room in a while, and is not asked again and again until then."""
    peer = Client()
    it = job(0, {1: peer}, program=("await", "1", "fini"))
    agent = agent_of(it)
    tighten(agent, 1)
    busy = busy_seconds(agent)
    outsider = Stream.to("127.0.0.1", it.server.own_ports()[0])
    it.connect(1).send(it.to(0, peer.processes[0], b"true"))
    it.real.says("4 octets", "out")
    assert outsider.ended()
    assert busy_seconds(agent) - busy < 0.2
    it.end()


def test_rank_that_comes_twice(job):
    """IMPI-251: whoever comes first has the place; the other is sent away."""
    others = {rank: Client(pids=[rank]) for rank in (1, 2)}
    it = job(0, others, program=("await", "1", "fini"))
    it.connect(1)
    again = Stream.to("127.0.0.1", it.server.own_ports()[0]).send(ints(1))
    assert again.ended()
    it.connect(2).send(it.to(0, others[2].processes[0], b"x"))
    it.end()


def test_nobody_listens(job):
    """IMPI-250: a lower host that refuses is an error soon."""
    peer = Client(listens=False)
    it = job(1, {0: peer})
    assert it.real.end() == 1
    assert any("cannot connect to host 0 (client 0)" in line for line in it.real.err)
    assert it.server.stream.ended()


def test_nobody_connects(job):
    """IMPI-250: a higher host that never comes is an error after the time that the user allows."""
    it = job(0, {1: Client()}, "-timeout", 1)
    assert it.real.end() == 1
    assert any("host 1 (client 1) has not connected within 1 s" in line for line in it.real.err)


def test_octet_by_octet_and_all_at_once(job):
    """IMPI-252: a packet in single octets, twenty in one write."""
    peer = Client()
    it = job(0, {1: peer}, program=("await", "41", "fini"))
    channel = it.connect(1)
    channel.send(it.to(0, peer.processes[0], b"one", tag=1), 1)
    it.real.says("3 octets .* tag 1$", "out")
    channel.send(b"".join(it.to(0, peer.processes[0], bytes([i]) * i, tag=i) for i in range(2, 22)))
    whole = b"".join(it.to(0, peer.processes[0], bytes([i]) * i, tag=i) for i in range(22, 42))
    channel.send(whole[:1000])
    channel.send(whole[1000:])
    it.real.says("41 octets of 29 from rank 1 tag 41$", "out")
    tags = [int(line.rpartition(" ")[2]) for line in it.real.out if line and "tag" in line]
    assert tags == list(range(1, 42))
    assert [channel.packet()["type"] for _ in range(4)] == [PROTOACK] * 4
    it.end()


@pytest.mark.parametrize("mapped", [True, False])
def test_both_forms_of_an_address(job, mapped):
    """IMPI-008: in the arrays of start-up, and in packets where either form may stand."""
    peer = Client(mapped=mapped)
    it = job(0, {1: peer}, program=("await", "2", "send", "1", "5", "65", "fini"))
    channel = it.connect(1)
    for form in (True, False):
        channel.send(packet(DATA, (host_id(mapped=form), 1000), (host_id(mapped=form), it.own[0][1]), b"x"))
    got = channel.packet()
    assert (got["dest_host"], got["dest_pid"]) == peer.processes[0]
    assert (got["data"], got["tag"]) == (b"AAAAA", 65)
    it.end()


def test_pids_of_all_kinds(job):
    """IMPI-101: identifiers that differ only in their upper half, in their sign, in their host."""
    pids = [1, (1 << 32) + 1, -1, -(1 << 63)]
    here, there = Client(pids=pids, hosts=(4,)), Client(pids=pids, hosts=(4,), address="127.0.0.2")
    it = job(0, {1: here, 2: there}, program=("greet", "await", "8", "fini"))
    for rank, peer, channel in ((1, here, it.connect(1)), (2, there, it.connect(2))):
        for i, process in enumerate(peer.processes):
            got = channel.packet()
            assert (got["dest_host"], got["dest_pid"]) == process
            channel.send(it.to(0, process, b"x" * (1 + 4 * (rank - 1) + i)))
    for rank in range(1, 9):
        it.real.says(f"{rank} octets of 78 from rank {rank} tag 0", "out")
    it.end()


@pytest.mark.parametrize("kind", [PROTOACK, SYNCACK, CANCEL, CANCELYES, CANCELNO])
@pytest.mark.parametrize("length", [0, 128, 1 << 31])
def test_headers_without_data(job, kind, length):
    """IMPI-119, IMPI-120, IMPI-121 to IMPI-123: pk_len of types 2 to 6 means nothing, nor do unused fields."""
    peer = Client()
    it = job(0, {1: peer}, program=("await", "1", "fini"))
    channel = it.connect(1)
    junk = {"drqid": 2**64 - 1, "msglen": 2**64 - 1, "lsrank": -1, "tag": -1, "cid": 2**64 - 1, "seqnum": 2**64 - 1,
            "count": -1, "dtype": 2**64 - 1, "reserved": 2**64 - 1}
    channel.send(packet(kind, peer.processes[0], it.own[0], **{**junk, "len": length}))
    channel.send(it.to(0, peer.processes[0], b"behind", reserved=2**64 - 1))
    it.real.says("6 octets", "out")
    it.end()


@pytest.mark.parametrize("fields", [
    {"len": 128, "msglen": 128}, {name: -1 for name in ("src_pid", "dest_pid", "lsrank")},
    {"src_host": b"\xff" * 16, "dest_host": b"?" * 16, "cid": 2**64 - 1, "len": 1 << 31},
])
def test_fini_with_anything_in_it(job, fields):
    """IMPI-124: only the type counts."""
    peer = Client()
    it = job(0, {1: peer}, program=("fini",))
    channel = it.connect(1)
    assert channel.packet()["type"] == FINI
    channel.send(packet(FINI, **fields))
    assert channel.ended()
    assert it.real.end() == 0


def test_fini_when_all_are_finalized(job):
    """IMPI-089, IMPI-090, IMPI-092: not while one process is active; the channel stays until the other's FINI came."""
    peer = Client(hosts=(1, 1))
    it = job(0, {1: peer}, "-np", 2, program=("only", "0", "fini", "only", "1", "await", "1", "fini"))
    first, second = it.connect(1), it.connect(2)
    assert first.quiet()
    first.send(it.to(1, peer.processes[0], b"go"))
    for stream in (first, second):
        octets = stream.take(128)
        assert octets[:4] == ints(7)
    first.send(FINI_PACKET)
    assert first.ended()
    assert second.quiet() and it.server.stream.quiet(0.1)
    second.send(FINI_PACKET)
    assert second.ended()
    assert it.server.stream.command() == ("FINI", b"")
    assert it.real.end() == 0


def test_acknowledgements_after_fini(job):
    """IMPI-091: packets are read and acknowledged until the other's FINI."""
    peer = Client(x2300=ints(2), x2400=ints(3))
    it = job(0, {1: peer}, program=("fini",))
    channel = it.connect(1)
    assert channel.packet()["type"] == FINI
    for _ in range(3):
        channel.send(it.to(0, peer.processes[0], b"late") * 2)
        got = channel.packet()
        assert (got["type"], got["dest_pid"]) == (PROTOACK, 1000)
    channel.send(FINI_PACKET)
    assert channel.ended()
    assert it.real.end() == 0


def test_acknowledgements_owed_at_fini(job):
    """IMPI-091: what came directly before the other's FINI is acknowledged before the channel is closed."""
    peer = Client(hosts=(2,), x2300=ints(2), x2400=ints(3))
    it = job(0, {1: peer}, "-np", 2, program=("fini",))
    channel = it.connect(1)
    assert channel.packet()["type"] == FINI
    channel.send(b"".join(it.to(to, peer.processes[source], b"late") * 2 for to in (0, 1) for source in (0, 1))
                 + FINI_PACKET)
    got = [channel.packet() for _ in range(4)]
    assert {packet["type"] for packet in got} == {PROTOACK}
    assert {(packet["src_pid"], packet["dest_pid"]) for packet in got} == {
        (own[1], other[1]) for own in it.own for other in peer.processes}
    assert channel.ended()
    assert it.real.end() == 0


def test_process_that_answers_nothing(job):
    """IMPI-091: a finalized process that does not read holds the end up for some seconds, not for ever."""
    peer = Client()
    it = job(0, {1: peer}, program=("raw", FINI_PACKET.hex(), "stop"))
    channel = it.connect(1)
    assert channel.packet()["type"] == FINI
    channel.send(it.to(0, peer.processes[0], b"late") + FINI_PACKET)
    it.real.says("rank 0 could not answer all that host 1 sent before its FINI")
    assert channel.ended()


def test_fini_of_the_other_comes_first(job):
    """IMPI-090: it stays open, and what the real processes still say goes out."""
    peer = Client()
    it = job(0, {1: peer}, program=("await", "1", "send", "1", "3", "9", "fini"))
    channel = it.connect(1)
    channel.send(it.to(0, peer.processes[0], b"x") + FINI_PACKET + FINI_PACKET)
    assert channel.packet()["tag"] == 9
    channel.send(packet(PROTOACK, peer.processes[0], it.own[0]))
    assert channel.packet()["type"] == FINI
    assert channel.ended()
    assert it.real.end() == 0
    assert any("second time" in line for line in it.real.err)


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("cut", [0, 5, 127, 131])
def test_channel_that_breaks(job, cut, reset):
    """IMPI-080, IMPI-253: an end without FINI, in a header, in data: told, nothing delivered, no FINI, status 1."""
    peer = Client()
    it = job(0, {1: peer}, program=("hold",))
    channel = it.connect(1)
    channel.send(it.to(0, peer.processes[0], b"whole"))
    it.real.says("5 octets", "out")
    channel.send(it.to(0, peer.processes[0], b"never whole")[:cut])
    if reset:
        channel.reset()
    else:
        channel.close()
    assert it.server.stream.ended()
    assert it.real.end() == 1
    assert len([line for line in it.real.out if "octets" in line]) == 1
    assert any("host 1 (client 1) ended its channel" in line for line in it.real.err)


@pytest.mark.parametrize("octets, reason", [
    (struct.pack(">I", 8) + bytes(124), "type 8"), (struct.pack(">I", 0x01000000) + bytes(124), "type 16777216"),
    (b"\xff" * 128, "type 4294967295"), (struct.pack(">II", 0, 65537) + bytes(120), "65537 octets"),
    (struct.pack(">II", 0, 1 << 31) + bytes(120), "2147483648 octets"),
    (struct.pack(">II", 1, 0xFFFFFFFF) + bytes(120), "4294967295 octets"),
    (FINI_PACKET + bytes(128), "after its FINI"), (FINI_PACKET + struct.pack(">I", 4) + bytes(124), "after its FINI"),
])
def test_packets_that_end_the_job(job, octets, reason):
    """IMPI-111, IMPI-254, IMPI-255: after these nobody knows where the next packet begins, or whether it is meant."""
    it = job(0, {1: Client()})
    it.connect(1).send(octets)
    assert it.real.end() == 1
    assert any(reason in line for line in it.real.err), it.real.err
    assert it.server.stream.ended()


def test_packets_of_and_to_nobody(job):
    """IMPI-256: unknown or foreign processes in pk_src and pk_dest: dropped and told, the next packet arrives."""
    peers = {1: Client(pids=[1]), 2: Client(pids=[2])}
    it = job(0, peers, program=("await", "1", "fini"))
    channel, _ = it.connect(1), it.connect(2)
    right, nobody = peers[1].processes[0], (host_id("10.9.8.7"), 1)
    for source, target in ((right, nobody), (nobody, it.own[0]), (right, (it.own[0][0], -1)),
                           (right, peers[2].processes[0]), (peers[2].processes[0], it.own[0]),
                           ((b"\0" * 16, 0), (b"\0" * 16, 0)),
                           (right, right),
                           (it.own[0], it.own[0])):
        for kind in (DATA, DATASYNC, PROTOACK, CANCEL):
            channel.send(packet(kind, source, target, b"lost" if kind < 2 else b""))
    channel.send(it.to(0, right, b"found"))
    it.real.says("5 octets beginning", "out")
    it.end()
    assert sum("dropped" in line for line in it.real.err) == 10  # and no more are told


def test_flood(job):
    """IMPI-260: a peer ignores hiwater: what a process does not read is kept up to a bound, then the job is over."""
    peer = Client(x1300=ints(1000), x2300=ints(1), x2400=ints(2))
    it = job(0, {1: peer}, program=("table", "stop"))
    channel = it.connect(1)
    it.real.says("^rank 0", "out")
    with pytest.raises(ConnectionError):
        while True:
            channel.send(it.to(0, peer.processes[0], bytes(1000)))
    it.real.says("host 1 floods rank 0")
    assert it.real.end() == 1


def test_flood_that_reads_nothing(job):
    """IMPI-260: a peer takes no acknowledgement and sends on: what waits for it is bounded, then the job is over."""
    peer = Client(x1300=ints(1000), x2300=ints(1), x2400=ints(2))
    it = job(0, {1: peer}, program=("await", "100000000"))
    with socket.socket() as narrow:
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(("127.0.0.1", it.server.own_ports()[0]))
        channel = Stream(narrow).send(ints(1))
        taken = 0
        with pytest.raises(ConnectionError):
            while taken < 200000:  # never more at once than the process takes, which answers all
                channel.send(it.to(0, peer.processes[0]) * 50)
                taken += 50
                with it.real.changed:
                    it.real.changed.wait_for(
                        lambda seen=taken: len(it.real.out) >= seen or None in it.real.err, DEADLINE)
    it.real.says("host 1 sends and does not read")
    assert it.real.end() == 1


def test_ten_times_hiwater(job):
    """IMPI-260: somewhat more than flow control allows does no harm to a process that reads."""
    peer = Client(x1300=ints(1000))
    it = job(0, {1: peer}, program=("await", "201", "fini"))
    channel = it.connect(1)
    for i in range(200):
        channel.send(it.to(0, peer.processes[0], bytes(1000), tag=i))
        if i % 30 == 29:
            assert [channel.packet()["type"] for _ in range(3)] == [PROTOACK] * 3
    channel.send(it.to(0, peer.processes[0], b"last"))
    it.real.says("4 octets", "out")
    it.end()


@pytest.mark.parametrize("program, status, reason", [
    (("exit", "0"), 1, "without MPI_Finalize"), (("exit", "5"), 5, "exited with status 5"),
    (("die",), 137, "killed by signal 9"), (("raw", "ffffffff" * 32, "hold"), 1, "no packet"),
])
def test_process_that_fails(job, program, status, reason):
    """IMPI-080: told, no FINI for the server, the channels end, the status is the process's."""
    it = job(0, {1: Client()}, "-np", 2, program=("only", "1", *program, "only", "0", "hold"))
    channel = it.connect(1)
    assert channel.ended()
    assert it.server.stream.ended()
    assert it.real.end() == status
    assert any(reason in line for line in it.real.err), it.real.err


def test_status_after_the_end_of_messages(job):
    """IMPI-077, IMPI-080: a process that fails when all is finalized: the hosts part in order, no FINI command."""
    it = job(0, {1: Client()}, program=("fini", "exit", "4"))
    channel = it.connect(1)
    channel.send(FINI_PACKET)
    assert channel.packet()["type"] == FINI
    assert channel.ended()
    assert it.server.stream.ended()
    assert it.real.end() == 4


def test_signal(job):
    """A client that is told to end takes everything with it."""
    it = job(0, {1: Client()}, "-np", 3, "-hosts", 2, program=("table", "hold"))
    channels = [it.connect(2, 0), it.connect(2, 1)]
    for rank in range(3):
        it.real.says(f"^rank {rank}", "out")
    it.real.process.terminate()
    assert all(channel.ended() for channel in channels)
    assert it.real.end() == 128 + 15


def test_pause(job):
    """IMPI-100: a peer that reads nothing before it has sent all, with small buffers; both directions are full."""
    peer = Client(x2400=ints(1000))
    count = 200
    program = [word for i in range(count) for word in ("send", "1", "60000", str(i))]
    it = job(0, {1: peer}, "-hiwater", "1000", program=(*program, "await", str(count), "fini"))
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.connect(("127.0.0.1", it.server.own_ports()[0]))
    channel = it.channels[1] = Stream(sock)
    channel.send(ints(1))
    for i in range(count):
        channel.send(it.to(0, peer.processes[0], bytes([i]) * 60000, tag=i))
    for i in range(count):
        got = channel.packet()
        while got["type"] == PROTOACK:
            got = channel.packet()
        assert (got["tag"], got["data"]) == (i, bytes([i & 0xFF]) * 60000)
    it.real.says(f"tag {count - 1}$", "out")
    it.end()


def test_command_after_start_up(job):
    """IMPI-023: what the server says while the job runs is nobody's business."""
    it = job(0, {1: Client()}, program=("await", "1", "fini"))
    channel = it.connect(1)
    it.server.stream.send(command("HELO", b"still there?") + ints(-1, -1))
    channel.send(it.to(0, it.server.others[1].processes[0], b"x"))
    it.end()


def test_processes_that_a_host_has_left_alone(job):
    """A host that says FINI and closes at once has gone too early: who waits for its message does not wait for ever."""
    peer = Client()
    it = job(0, {1: peer}, "-timeout", "5", program=("await", "1", "fini"))
    it.connect(1).send(FINI_PACKET).close()
    assert it.real.end() == 1
    for said in ("closed its channel before the FINI of this host", "its processes have not finished within 5 seconds"):
        assert any(said in line for line in it.real.err)
