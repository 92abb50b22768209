# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A real IMPI server, and clients that behave: what it says to whom, and when (chapters 2.2.1 and 2.3.3 to 2.3.7)."""

import socket
import struct
import subprocess
import threading

import pytest
from peers import DEADLINE, command, ints, label, reserved_port


def memory(job):
    """Resident octets of the server."""
    with open(f"/proc/{job.process.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def finish(streams):
    """DONE and FINI for everybody."""
    for stream in streams:
        stream.send(command("DONE"))
    for stream in streams:
        assert stream.command() == ("DONE", b"")
    for stream in streams:
        stream.send(command("FINI"))


@pytest.mark.parametrize("count", [1, 2, 3, 5, 32])
def test_size_is_told_when_all_are_there(server, count):
    """IMPI-009, IMPI-041, IMPI-042: nothing before the last rank, then the number to each."""
    job = server(count)
    streams = [job.client(rank) for rank in reversed(range(1, count))]
    assert all(stream.quiet(0.05) for stream in streams)
    streams.append(job.client(0))
    for stream in streams:
        assert stream.take(12) == b"IMPI" + ints(4, count)
    finish(streams)
    assert job.end() == 0
    assert len(job.out) == 1


def test_the_example_of_the_document(server):
    """IMPI-021, IMPI-044, IMPI-045: the octets of figures 2.1 to 2.3 and of the version example, as printed."""
    job = server(3)
    streams = job.clients(3)
    versions = [ints(0, 0, 0, 1), ints(0, 0, 0, 1, 0, 2), ints(0, 0)]
    hosts = [3, 2, 2]
    lengths = [8000, 4000, 4000]
    ports = [(5001, 5002, 5003), (6001, 6002), (7001, 7002)]
    for rank in (2, 0, 1):
        streams[rank].send(label(0x1000, versions[rank]) + label(0x1100, ints(hosts[rank])))
        streams[rank].send(label(0x1300, ints(lengths[rank])) + label(0x2100, ints(*ports[rank])))
    for stream in streams:
        assert stream.take(8 + 56) == b"COLL" + ints(56, 0x1000, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0)
        assert stream.take(8 + 20) == b"COLL" + ints(20, 0x1100, 7, 3, 2, 2)
        assert stream.take(8 + 20) == b"COLL" + ints(20, 0x1300, 7, 8000, 4000, 4000)
        assert stream.take(8 + 36) == b"COLL" + ints(36, 0x2100, 7, 5001, 5002, 5003, 6001, 6002, 7001, 7002)
    finish(streams)
    assert job.end() == 0


def test_a_client_without_the_label(server):
    """IMPI-046, IMPI-047, IMPI-049: the document's second form of the data length, without client 1."""
    job = server(3)
    streams = job.clients(3)
    streams[0].send(label(0x1300, ints(8000)))
    streams[2].send(label(0x1300, ints(4000)))
    assert streams[0].quiet()
    streams[1].send(label(0x1400, ints(99999)))
    for stream in streams:
        assert stream.take(8 + 16) == b"COLL" + ints(16, 0x1300, 5, 8000, 4000)
    streams[1].send(command("DONE"))
    streams[0].send(command("DONE"))
    assert streams[0].quiet()
    streams[2].send(command("DONE"))
    for stream in streams:
        assert stream.command() == ("COLL", ints(0x1400, 2, 99999))
        assert stream.command() == ("DONE", b"")
        stream.send(command("FINI"))
    assert job.end() == 0


def test_opaque_labels(server):
    """IMPI-048, IMPI-050: labels that nobody has defined, values of 1, 0 and 7 octets, each when it is complete."""
    job = server(3)
    streams = job.clients(3)
    for stream, values in zip(streams, (b"a", b"", b"seven!!")):
        stream.send(label(0x1250, values))
    for stream in streams:
        assert stream.command() == ("COLL", ints(0x1250, 7) + b"aseven!!")
    streams[1].send(label(0x7FFF0000, b"only me"))
    finish_one = command("DONE")
    for stream in streams:
        stream.send(finish_one)
    for stream in streams:
        assert stream.command() == ("COLL", ints(0x7FFF0000, 2) + b"only me")
        assert stream.command() == ("DONE", b"")
        stream.send(command("FINI"))
    assert job.end() == 0


def test_octet_by_octet_and_all_at_once(server):
    """IMPI-024: every octet in a segment of its own; the whole start-up of a client in one write."""
    job = server(2)
    first, second = job.connect(), job.connect()
    first.send(command("AUTH", ints(1)) + command("IMPI", ints(0)) + label(0x1000, ints(0, 0)) + command("DONE"))
    second.send(command("AUTH", ints(1)) + command("IMPI", ints(1)) + label(0x1000, ints(0, 0)) + command("DONE"), 1)
    for stream in (first, second):
        assert stream.take(8) == ints(0, 0)
        assert stream.command() == ("IMPI", ints(2))
        assert stream.command() == ("COLL", ints(0x1000, 3, 0, 0, 0, 0))
        assert stream.command() == ("DONE", b"")
    first.send(command("FINI"), 1)
    second.send(command("FINI"))
    assert job.end() == 0


def test_end_after_the_last_fini(server):
    """IMPI-075, IMPI-078, IMPI-079: alive while one client has not said FINI, silent afterwards, then status 0."""
    job = server(2)
    streams = job.clients(2)
    for stream in streams:
        stream.send(command("DONE"))
    for stream in streams:
        assert stream.command() == ("DONE", b"")
    streams[0].send(command("FINI"))
    streams[0].close()
    assert streams[1].quiet()
    assert job.process.poll() is None
    streams[1].send(command("FINI"))
    assert streams[1].ended()
    assert job.end() == 0
    assert [line for line in job.err if "client" in line] == []


@pytest.mark.parametrize("words, mask, method", [
    ((), 3, 1), ((), 1, 0), ((), 2, 1), ((), 0xFFFFFFFF, 1),
    (("-auth", "0,1"), 3, 0), (("-auth", "1,0"), 3, 1), (("-auth", "1-0"), 3, 1), (("-auth", "0-1"), 3, 0),
    (("-auth", "3,1-0"), 3, 1), (("-auth", "31-0"), 3, 1), (("-auth", "0"), 2, 1), (("-auth", "7"), 1, 0),
])
def test_choice_of_the_method(server, words, mask, method):
    """IMPI-014, IMPI-015, IMPI-016, IMPI-029, IMPI-034, IMPI-035: the most preferred one that both sides have."""
    job = server(1, *words, env={"IMPI_AUTH_KEY": "5678"})
    stream = job.connect()
    stream.send(command("AUTH", ints(mask)))
    assert stream.take(8) == ints(method, 0)
    if method == 1:
        stream.send(bytes.fromhex("000000000000162e"))
    stream.send(command("IMPI", ints(0)))
    assert stream.command() == ("IMPI", ints(1))
    finish([stream])
    assert job.end() == 0


@pytest.mark.parametrize("key", ["5678", "4294967296", "18446744073709551615", "0x162e"])
def test_right_and_wrong_keys(server, key):
    """IMPI-030, IMPI-031: a wrong key ends the connection and takes no rank, a right one gets no answer."""
    job = server(2, env={"IMPI_AUTH_KEY": key})
    right = int(key, 0)
    for wrong in ((right + 1) % 2**64, right ^ 1 << 63, 0):
        stream = job.connect()
        stream.send(command("AUTH", ints(2)))
        assert stream.take(8) == ints(1, 0)
        stream.send(struct.pack(">Q", wrong) + command("IMPI", ints(0)))
        assert stream.ended()
    job.says("wrong authentication key")
    streams = [job.client(0, right)]
    assert streams[0].quiet()
    streams.append(job.client(1, right))
    for stream in streams:
        assert stream.command() == ("IMPI", ints(2))
    finish(streams)
    assert job.end() == 0


def test_no_common_method(impirun, server):
    """IMPI-028, IMPI-033: told on both sides of the user's life; a server without any method does not start."""
    job = server(1)
    for mask in (2, 0xFFFFFFFC, 0):
        stream = job.connect()
        stream.send(command("AUTH", ints(mask)))
        assert stream.ended()
    job.says("no common authentication method")
    # several masks: only the first one has methods that exist (IMPI-036)
    stream = job.connect()
    stream.send(command("AUTH", ints(0, 1)))
    assert stream.ended()
    stream = job.connect()
    stream.send(command("AUTH", ints(1, 0)))
    assert stream.take(8) == ints(0, 0)
    none = subprocess.run([impirun, "-server", "1"], capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert none.returncode == 2 and none.stdout == "" and "no authentication method" in none.stderr


def test_warning_about_none(server):
    """IMPI-039: on standard error, with the client's address."""
    job = server(1)
    stream = job.client(0)
    port = stream.sock.getsockname()[1]
    job.says(rf"127\.0\.0\.1:{port}.*IMPI_AUTH_NONE")
    finish([stream.command() and stream])
    assert job.end() == 0


def test_port(impirun, server):
    """IMPI-010, IMPI-012, IMPI-020: the port asked for is the one printed; a port that is taken is an error."""
    with reserved_port() as port:
        with socket.create_server(("127.0.0.1", port)):
            busy = subprocess.run([impirun, "-server", "1", "-port", str(port), "-address", "127.0.0.1"],
                                  capture_output=True, text=True, timeout=DEADLINE, check=False,
                                  env={"IMPI_AUTH_NONE": ""})
        assert (busy.returncode, busy.stdout) == (1, "")
        assert str(port) in busy.stderr
        job = server(1, "-port", port)
    assert job.port == port
    assert server(1).port != job.port


def test_printed_address_is_numeric(impirun):
    """IMPI-010: without -address it is one of the machine's, in dotted form, and answers at once."""
    process = subprocess.Popen([impirun, "-server", "1"], stdout=subprocess.PIPE, text=True, env={"IMPI_AUTH_NONE": ""})
    try:
        address, port = process.stdout.readline().strip().split(":")
        socket.inet_aton(address)
        socket.create_connection((address, int(port)), DEADLINE).close()
    finally:
        process.kill()
        process.wait(DEADLINE)


def test_ipv6(impirun):
    """An address of the other kind stands in brackets, and answers."""
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
    process = subprocess.Popen([impirun, "-server", "1", "-address", "::1"], stdout=subprocess.PIPE, text=True,
                               env={"IMPI_AUTH_NONE": ""})
    try:
        place = process.stdout.readline().strip()
        assert place.startswith("[::1]:")
        socket.create_connection(("::1", int(place.rpartition(":")[2])), DEADLINE).close()
    finally:
        process.kill()
        process.wait(DEADLINE)


def test_reader_that_goes_away(impirun):
    """IMPI-011: the line comes unbuffered, and a reader that ends after it does no harm."""
    process = subprocess.Popen([impirun, "-server", "1", "-address", "127.0.0.1"], stdout=subprocess.PIPE, text=True,
                               env={"IMPI_AUTH_NONE": ""})
    port = int(process.stdout.readline().rpartition(":")[2])
    process.stdout.close()
    with socket.create_connection(("127.0.0.1", port), DEADLINE) as sock:
        sock.sendall(command("AUTH", ints(1)) + command("IMPI", ints(0)) + command("DONE"))
        assert sock.recv(20, socket.MSG_WAITALL) == ints(0, 0) + command("IMPI", ints(1))
        assert sock.recv(8, socket.MSG_WAITALL) == command("DONE")
        sock.sendall(command("FINI"))
        assert process.wait(DEADLINE) == 0


@pytest.mark.parametrize("words", [
    (), ("-server",), ("-server", "0"), ("-server", "-1"), ("-server", "two"), ("-server", "33"), ("-server", ""),
    ("-server", "1x"), ("-server", "1", "-port", "0"), ("-server", "1", "-port", "65536"),
    ("-server", "1", "-auth", "1,"),
    ("-server", "1", "-auth", "a"), ("-server", "1", "-auth", "1-"), ("-server", "1", "-auth", ""),
    ("-server", "1", "-client", "0", "h:1"), ("-server", "1", "program"), ("-nothing",), ("-client",), ("-client", "0"),
    ("-client", "x", "h:1", "true"), ("-client", "-1", "h:1", "true"), ("-client", "0", "nocolon", "true"),
    ("-client", "0", "h:", "true"), ("-client", "0", ":5", "true"), ("-client", "0", "h:99999", "true"),
    ("-client", "0", "h:1"), ("-client", "0", "h:1", "-np", "0", "true"),
    ("-client", "0", "h:1", "-hosts", "2", "true"),
    ("-client", "0", "h:1", "-ackmark", "9", "-hiwater", "8", "true"), ("-client", "0", "h:1", "-tagub", "1", "true"),
])
def test_wrong_usage(impirun, words):
    """IMPI-013, IMPI-019: a line that says what is wrong, status 2, nothing on standard output."""
    done = subprocess.run([impirun, *words], capture_output=True, text=True, timeout=DEADLINE, check=False,
                          env={"IMPI_AUTH_NONE": ""})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("impirun: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("variable, value", [
    ("IMPI_AUTH_KEY", "secret"), ("IMPI_AUTH_KEY", "18446744073709551616"), ("IMPI_AUTH_KEY", "-1"),
    ("IMPI_DATALEN", "0"), ("IMPI_TAGUB", "32766"), ("IMPI_ACKMARK", "many"), ("IMPI_COLL_XSIZE", "-2"),
])
def test_wrong_environment(impirun, variable, value):
    """A variable that says nonsense is an error that names it."""
    done = subprocess.run([impirun, "-client", "0", "localhost:1", "true"], capture_output=True, text=True,
                          timeout=DEADLINE, check=False, env={"IMPI_AUTH_NONE": "", variable: value})
    assert done.returncode == 2 and variable in done.stderr


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("-server", "2", "--help"),
                                   ("-client", "0", "h:1", "--version")])
def test_help_whatever_the_environment_says(impirun, words):
    """Who has set a variable to nonsense is told how it is set."""
    done = subprocess.run([impirun, *words], capture_output=True, text=True, timeout=DEADLINE, check=False,
                          env={"IMPI_TAGUB": "nonsense", "IMPI_AUTH_KEY": "secret"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "impirun" in done.stdout


def test_help_of_the_program(impirun):
    """Behind the program's name and behind -- an option is the program's."""
    for words in (("prog", "--help"), ("--", "--help")):
        done = subprocess.run([impirun, "-client", "0", "nowhere.invalid:1", *words], capture_output=True, text=True,
                              timeout=DEADLINE, check=False, env={"IMPI_AUTH_NONE": ""})
        assert done.returncode != 0 and done.stdout == ""


def test_broadcast_to_slow_readers(server, variant):
    """IMPI-047: a client that reads late gets everything; meanwhile the server holds no more than it must."""
    job = server(2)
    streams = job.clients(2)
    values = bytes(1 << 20)
    names = range(0x1000, 0x1040)
    most = 64 << 20 if variant == "release" else 1 << 30  # a sanitizer keeps what was freed
    seen = []
    senders = [threading.Thread(target=lambda: [streams[0].send(label(name, values)) for name in names]),
               threading.Thread(target=lambda: [streams[1].send(label(name, b"x")) for name in names])]
    for sender in senders:
        sender.start()
    assert streams[0].command() == ("COLL", ints(0x1000, 3) + values + b"x")
    # Client 1 reads nothing of 64 MiB, which stops the others sooner or later: the server's memory is bounded.
    assert memory(job) < most
    late = threading.Thread(target=lambda: seen.extend(streams[1].command() for _ in names))
    late.start()
    for name in names[1:]:
        assert streams[0].command() == ("COLL", ints(name, 3) + values + b"x")
    late.join(DEADLINE)
    assert seen == [("COLL", ints(name, 3) + values + b"x") for name in names]
    assert memory(job) < most
    for sender in senders:
        sender.join(DEADLINE)
    finish(streams)
    assert job.end() == 0
