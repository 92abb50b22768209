# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A real IMPI client, and a scripted server with scripted other clients: start-up (chapters 2.3.2 to 2.3.6)."""

import contextlib
import socket
import struct

import pytest
from peers import DEADLINE, LABELS, Client, Program, ScriptedServer, Stream, broadcast, command, host_id, ints


@contextlib.contextmanager
def job(client, own=0, others=None, words=(), env=None, program=("table", "fini")):
    """A scripted server with the real client `own` of a job with `others`; gives both."""
    with ScriptedServer(own, others or {}) as server:
        real = client(own, server.place, *words, "--", *program, env=env)
        yield server, real


def alone(server, real):
    """The end of a job of one client, which has no channels."""
    assert server.stream.command() == ("FINI", b"")
    assert server.stream.ended()
    assert real.end() == 0


def test_every_octet_of_a_lone_client(client):
    """IMPI-026, IMPI-040, IMPI-044, IMPI-052, IMPI-053, IMPI-058, IMPI-060, IMPI-063, IMPI-068 to 074, IMPI-138."""
    with job(client, words=("-np", 3, "-hosts", 2)) as (server, real):
        stream = server.accept()
        assert stream.quiet()  # IMPI-043
        stream.send(command("IMPI", ints(1)))
        assert stream.take(20) == b"COLL" + ints(12, 0x1000, 0, 0)
        assert stream.take(16) == b"COLL" + ints(8, 0x1100, 2)
        assert stream.take(16) == b"COLL" + ints(8, 0x1200, 3)
        assert stream.take(16) == b"COLL" + ints(8, 0x1300, 65536)
        assert stream.take(16) == b"COLL" + ints(8, 0x1400, 0x7FFFFFFF)
        assert stream.take(16) == b"COLL" + ints(8, 0x1500, -1)
        assert stream.take(16) == b"COLL" + ints(8, 0x1600, -1)
        here = bytes.fromhex("00000000000000000000ffff7f000001")
        assert stream.take(44) == b"COLL" + ints(36, 0x2000) + here * 2
        assert stream.take(12) == b"COLL" + ints(12, 0x2100)
        ports = struct.unpack(">II", stream.take(8))
        for port in ports:
            socket.create_connection(("127.0.0.1", port), DEADLINE).close()  # IMPI-086
        assert len(set(ports)) == 2
        assert stream.take(20) == b"COLL" + ints(12, 0x2200, 2, 1)
        assert stream.take(20) == b"COLL" + ints(12, 0x2300, 10, 10)
        assert stream.take(20) == b"COLL" + ints(12, 0x2400, 20, 20)
        assert stream.take(60) == b"COLL" + ints(52, 0x3000) + here * 3
        assert stream.take(12) == b"COLL" + ints(28, 0x3100)
        pids = stream.take(24)
        assert len(set(struct.unpack(">3q", pids))) == 3
        assert stream.take(8) == b"DONE" + ints(0)
        assert stream.quiet()
        server.labels = {0x1000: ints(0, 0), 0x1100: ints(2), 0x1200: ints(3), 0x1300: ints(65536),
                         0x1400: ints(0x7FFFFFFF), 0x1500: ints(-1), 0x1600: ints(-1), 0x2000: here * 2,
                         0x2100: ints(*ports), 0x2200: ints(2, 1), 0x2300: ints(10, 10), 0x2400: ints(20, 20),
                         0x3000: here * 3, 0x3100: pids}
        server.tell()
        alone(server, real)
        assert "rank 0 of 3: clients 1 hosts 2 version 0.0" in "\n".join(real.out)


@pytest.mark.parametrize("none, key, mask", [(None, "5678", 2), ("", None, 1), ("0", None, 1), ("1", "5678", 3),
                                            ("", "", 1)])
def test_methods_offered(client, none, key, mask):
    """IMPI-026, IMPI-027: by presence of the one variable, by a value of the other; then the key, or nothing."""
    env = {"IMPI_AUTH_KEY": key} if key is not None else {}
    with ScriptedServer(0, {}) as server:
        real = client(0, server.place, env={**env, **({"IMPI_AUTH_NONE": none} if none is not None else {})},
                      without=("IMPI_AUTH_NONE",) if none is None else ())
        stream = server.stream = Stream(server.listener.accept()[0])
        assert stream.take(12) == b"AUTH" + ints(4, mask)
        assert stream.quiet()
        if mask & 2:
            stream.send(ints(1, 0))
            assert stream.take(8) == bytes.fromhex("000000000000162e")
        else:
            stream.send(ints(0, 0))
        assert stream.take(12) == b"IMPI" + ints(4, 0)
        real.kill()


@pytest.mark.parametrize("key, octets", [
    ("4294967296", "0000000100000000"), ("18446744073709551615", "ffffffffffffffff"), ("0xABCDEF", "0000000000abcdef"),
])
def test_large_keys(client, key, octets):
    """IMPI-030: all 64 bits, no command around them; a server that ends the connection now has not liked the key."""
    with ScriptedServer(0, {}) as server:
        real = client(0, server.place, env={"IMPI_AUTH_KEY": key})
        stream = server.stream = Stream(server.listener.accept()[0])
        assert stream.command() == ("AUTH", ints(3))
        stream.send(ints(1, 0))
        assert stream.take(8) == bytes.fromhex(octets)
        stream.close()
        assert real.end() == 1
        assert any("key" in line for line in real.err)  # IMPI-032


@pytest.mark.parametrize("pieces", [1, 0])
def test_fragments_and_floods(client, pieces):
    """IMPI-025: the server's octets one by one, and all in one segment."""
    with job(client) as (server, real):
        server.accept()
        server.collect()
        octets = b"".join(server.joined(code) for code in LABELS) + command("DONE")
        server.stream.send(octets, pieces)
        alone(server, real)


def test_what_it_does_not_know(client):
    """IMPI-023, IMPI-054: commands and labels that nobody has defined, anywhere."""
    with job(client) as (server, real):
        stream = server.accept()
        stream.send(command("XYZW", b"12345678") + command("WXYZ"))
        server.collect()
        stream.send(broadcast(0x0FFF, 1, b"") + broadcast(-5, 0, b"?"))
        for code in LABELS:
            stream.send(server.joined(code) + broadcast(code + 0x50, 1, bytes(100_000)) + command("HELO", b"you"))
        stream.send(broadcast(0x7FFF0000, 1, b"end") + command("DONE"))
        alone(server, real)


@pytest.mark.parametrize("values, expected", [
    ({"x1300": ints(1000)}, "datalen 1000 "), ({"x1300": ints(1 << 31)}, "datalen 65536 "),
    ({"x1400": ints(40000)}, "tagub 40000 "), ({"x2300": ints(3), "x2400": ints(5)}, "ackmark 3 hiwater 5"),
    ({"x2300": ints(1), "x2400": ints(1)}, "ackmark 1 hiwater 1"),
    ({"x2300": ints(15), "x2400": ints(16)}, "ackmark 10 hiwater 16"),
    ({"x1500": ints(1024), "x1600": ints(4)}, "xsize 1024/1024 maxlinear 4/4 "),  # IMPI-066
    ({"x1000": ints(0, 0, 0, 1, 0, 2)}, "version 0.0 "), ({"x1000": ints(0, 0, 1, 0)}, "version 0.0 "),
])
def test_the_smallest_value_is_in_force(client, values, expected):
    """IMPI-059, IMPI-061, IMPI-062, IMPI-137: what the processes are told."""
    peer = Client(**values)
    with job(client, 0, {1: peer}) as (server, real):
        server.start()
        assert expected in real_table(server, real, peer)


def real_table(server, real, peer):
    """Takes the channel of the one real host, and leaves it in order once its first process has printed the table."""
    channel = Stream.to("127.0.0.1", server.own_ports()[0])
    channel.send(ints(1))
    line = real.says(r"^rank 0 of", "out")
    channel.send(bytes.fromhex("00000007") + bytes(124))
    assert channel.packet()["type"] == 7
    channel.close()
    assert peer.hosts == [1]
    assert server.stream.command() == ("FINI", b"")
    assert real.end() == 0
    return line


@pytest.mark.parametrize("words, env, code, value", [
    (("-xsize", "0"), {}, 0x1500, 0), (("-xsize", "5000"), {}, 0x1500, 5000), ((), {"IMPI_COLL_XSIZE": "8"}, 0x1500, 8),
    (("-maxlinear", "2"), {}, 0x1600, 2), ((), {"IMPI_COLL_MAXLINEAR": "2"}, 0x1600, 2),
    (("-datalen", "1"), {"IMPI_DATALEN": "7"}, 0x1300, 1), ((), {"IMPI_DATALEN": "7"}, 0x1300, 7),
    ((), {"IMPI_TAGUB": "32767"}, 0x1400, 32767), ((), {"IMPI_ACKMARK": "1"}, 0x2300, 1),
    ((), {"IMPI_HIWATER": "5"}, 0x2400, 5), (("-hiwater", "5"), {}, 0x2300, 5), (("-ackmark", "30"), {}, 0x2400, 30),
])
def test_what_the_user_chooses(client, words, env, code, value):
    """IMPI-064, IMPI-138: options and variables reach the labels; a mark that was not given follows the other."""
    with job(client, words=words, env=env) as (server, real):
        server.accept()
        server.collect()
        assert server.labels[code] == ints(value)
        server.tell()
        alone(server, real)


@pytest.mark.parametrize("codes, shown", [
    ((0x1300,), "datalen 65536 "), ((0x1400,), "tagub 2147483647 "), ((0x2300, 0x2400), "ackmark 10 hiwater 20"),
    ((0x2300,), "ackmark 10 hiwater 20"), ((0x2400,), "ackmark 10 hiwater 20"), ((0x1000,), "version 0.0 "),
    ((0x1500, 0x1600), "xsize -1/1024 maxlinear -1/4 "),
])
def test_labels_that_a_client_left_out(client, codes, shown):
    """IMPI-055, IMPI-056: the mask says whose values there are; for the others the manual says what holds."""
    peer = Client()
    with job(client, 0, {1: peer}) as (server, real):
        server.accept()
        server.collect()
        for code in LABELS:
            server.stream.send(server.joined(code, without=(1,) if code in codes else ()))
        server.stream.send(command("DONE"))
        assert shown in real_table(server, real, peer)


@pytest.mark.parametrize("values, reason", [
    ({"x1500": ints(512)}, "IMPI_C_COLL_XSIZE 512"), ({"x1600": ints(8)}, "IMPI_C_COLL_MAXLINEAR 8"),
    ({"x1500": ints(1023)}, "IMPI_C_COLL_XSIZE 1023"), ({"x1500": ints(-2)}, "IMPI_C_COLL_XSIZE -2"),
    ({"x1300": ints(0)}, "IMPI_C_DATALEN 0"), ({"x1400": ints(100)}, "IMPI_C_TAGUB 100"),
    ({"x1400": ints(-1)}, "IMPI_C_TAGUB -1"), ({"x2300": ints(0)}, "IMPI_H_ACKMARK 0"),
    ({"x2300": ints(30)}, "IMPI_H_ACKMARK 30 above IMPI_H_HIWATER 20"), ({"x2400": ints(0)}, "IMPI_H_HIWATER 0"),
    ({"x1100": ints(0)}, "IMPI_C_NHOSTS 0"), ({"x1200": ints(0)}, "IMPI_C_NPROCS 0"),
    ({"x1100": ints(0x7FFFFFFF)}, "IMPI_C_NHOSTS"), ({"x1200": ints(0xFFFFFFFF)}, "IMPI_C_NPROCS"),
    ({"x1100": ints(2)}, "IMPI_H_IPV6"), ({"x1200": ints(2)}, "IMPI_H_NPROCS"), ({"x2200": ints(2)}, "IMPI_H_NPROCS"),
    ({"x2200": ints(0)}, "IMPI_H_NPROCS"), ({"x2100": ints(0)}, "IMPI_H_PORT 0"),
    ({"x2100": ints(65536)}, "IMPI_H_PORT 65536"), ({"x2100": b""}, "IMPI_H_PORT"), ({"x2100": b"abc"}, "IMPI_H_PORT"),
    ({"x3100": bytes(16)}, "IMPI_P_PID"), ({"x1000": ints(0, 1)}, "IMPI_C_VERSION"),
    ({"x1000": ints(0, 0, 0)}, "IMPI_C_VERSION"), ({"x1000": b""}, "IMPI_C_VERSION"),
])
def test_values_that_do_not_fit(client, values, reason):
    """IMPI-057, IMPI-065, IMPI-066, IMPI-139: an error that names client and label; no MPI program runs."""
    with job(client, 0, {1: Client(**values)}) as (server, real):
        server.start()
        assert server.stream.ended()
        assert real.end() == 1
        assert real.out == []
        assert any("the job cannot start" in line and reason in line for line in real.err), real.err


@pytest.mark.parametrize("code, change", [
    (0x1100, lambda own: ints(1)), (0x1200, lambda own: ints(4)), (0x1200, lambda own: ints(2)),
    (0x2100, lambda own: own[4:] + own[:4]), (0x2200, lambda own: ints(1, 2)), (0x3000, lambda own: own[:47] + b"\2"),
    (0x3100, lambda own: own[8:] + own[:8]),
])
def test_server_that_changes_what_was_submitted(client, code, change):
    """IMPI-057, IMPI-249: the client's own hosts and processes are those that it has."""
    with job(client, words=("-np", 3, "-hosts", 2)) as (server, real):
        server.accept()
        server.collect()
        server.labels[code] = change(server.labels[code])
        if code == 0x1100:
            server.labels.update({0x2000: host_id(), 0x2100: server.labels[0x2100][:4], 0x2200: ints(3),
                                  0x2300: ints(10), 0x2400: ints(20)})
        if code == 0x1200:
            count = server.labels[code][3]
            server.labels.update({0x2200: ints(2, count - 2) if count > 2 else ints(1, 1), 0x3000: host_id() * count,
                                  0x3100: (server.labels[0x3100] + bytes(8))[:8 * count]})
        server.tell()
        assert real.end() == 1
        assert real.out == []
        assert any("gives back other hosts or processes" in line for line in real.err), real.err


def test_processes_of_one_name(client):
    """IMPI-102: two processes that nobody could tell apart."""
    others = {1: Client(pids=[7]), 2: Client(pids=[7], mapped=False)}
    with job(client, 0, others) as (server, real):
        server.start()
        assert real.end() == 1
        assert any("same identifiers" in line for line in real.err)


@pytest.mark.parametrize("say, reason", [
    (lambda s: s.stream.send(b"".join(s.joined(code).replace(ints(code, 1), ints(code, 3)) for code in LABELS)
                             + command("DONE")), "IMPI_C_VERSION"),
    (lambda s: s.stream.send(s.joined(0x1000) + b"".join(s.joined(code).replace(ints(code, 1), ints(code, 3))
                                                         for code in LABELS[1:]) + command("DONE")),
     "clients that the job"),
    (lambda s: s.stream.send(command("DONE")), "IMPI_C_NHOSTS"),
    (lambda s: s.stream.send(s.joined(0x1000) * 2), "twice"),
    (lambda s: s.stream.send(b"COLL" + ints(0x7FFFFFFF, 0x1000, 1)), "2147483647 octets"),
    (lambda s: s.stream.send(b"COLL" + ints(-4)), "negative"),
    (lambda s: s.stream.send(b"COLL" + ints(4, 0x1000)), "4 octets"),
    (lambda s: s.stream.send(command("IMPI", ints(1))), "says IMPI"),
    (lambda s: s.stream.send(command("FINI")), "says FINI"),
    (lambda s: s.stream.close(), "labels"), (lambda s: s.stream.reset(), "labels"),
    (lambda s: s.stream.send(s.joined(0x1000) + b"COLL" + ints(8)).close(), "labels"),
])
def test_a_server_that_goes_wrong_while_collecting(client, say, reason):
    """IMPI-057, IMPI-249: the client ends with a message, and runs nothing."""
    with job(client) as (server, real):
        server.accept()
        server.collect()
        say(server)
        assert real.end() == 1
        assert real.out == []
        assert any("the job cannot start" in line and reason in line for line in real.err), real.err


@pytest.mark.parametrize("octets, reason", [
    (b"", "authentication method"), (ints(1, 0), "method 1, which was not offered"), (ints(2, 0), "method 2"),
    (ints(-1, 0), "method -1"), (ints(0, -1), "negative"), (ints(0, 8), "8 octets"), (ints(0), "authentication method"),
    (ints(0, 0), "the server ended"), (ints(0, 0) + command("IMPI", ints(0)), "0 clients"),
    (ints(0, 0) + command("IMPI", ints(33)), "33 clients"), (ints(0, 0) + command("IMPI", ints(-1)), "-1 clients"),
    (ints(0, 0) + command("IMPI", ints(1)) + command("IMPI", ints(1)), "says IMPI"),
    (ints(0, 0) + command("IMPI", ints(1, 1)), "8 octets"), (ints(0, 0) + command("DONE"), "says DONE"),
    (ints(0, 0) + broadcast(0x1000, 1, ints(0, 0)), "says COLL"), (ints(0, 0) + b"IMPI" + ints(-1), "negative"),
])
def test_a_server_that_goes_wrong_early(client, octets, reason):
    """IMPI-037, IMPI-249: in authentication and while joining."""
    with job(client) as (server, real):
        stream = server.stream = Stream(server.listener.accept()[0])
        assert stream.command() == ("AUTH", ints(1))
        stream.send(octets)
        stream.sock.shutdown(socket.SHUT_WR)
        assert real.end() == 1
        assert any("the job cannot start" in line and reason in line for line in real.err), real.err


def test_own_rank_above_the_size(client):
    """IMPI-249: a job that is too small for this client."""
    with job(client, 3, {}) as (server, real):
        server.accept()
        server.stream.send(command("IMPI", ints(3)))
        assert real.end() == 1
        assert any("3 clients, and this is client 3" in line for line in real.err)


def test_no_server(client):
    """IMPI-019: nobody listens there; a name that nobody has."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        for where in ("127.0.0.1:%d" % silent.getsockname()[1], "nobody.invalid:5"):
            real = client(0, where)
            assert real.end() == 1
            assert len(real.err) == 1 and "cannot connect to the IMPI server" in real.err[0]


def test_program_that_cannot_be_run(impirun):
    """The exit status tells, as a shell's does, and no FINI is said."""
    for program, status in (("/no/such/program", 127), ("/etc/passwd", 126)):
        with ScriptedServer(0, {}) as server:
            real = Program([impirun, "-client", 0, server.place, program])
            server.start()
            assert server.stream.ended()
            assert real.end() == status


def test_host_name(client):
    """IMPI-007, IMPI-082: another address of this machine, by which the others find the hosts."""
    with job(client, env={"IMPI_HOST_NAME": "127.0.0.2"}) as (server, real):
        server.accept()
        server.collect()
        assert server.labels[0x2000] == host_id("127.0.0.2")
        socket.create_connection(("127.0.0.2", server.own_ports()[0]), DEADLINE).close()
        server.tell()
        alone(server, real)


def test_server_that_is_lost_while_the_job_runs(client):
    """The job goes on; the exit status and a line tell."""
    with job(client, program=("table", "exit", "0")) as (server, real):
        server.start()
        server.stream.close()
        assert real.end() == 1
