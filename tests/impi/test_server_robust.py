# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A real IMPI server, and clients that misbehave or die: told to the user, nobody else is harmed, nothing hangs."""

import os
import random
import resource
import time

import pytest
from peers import DEADLINE, busy_seconds, command, ints, label, tighten


def whole_job(job, count=1):
    """A proper job, which the server must still serve."""
    streams = job.clients(count)
    for stream in streams:
        stream.send(label(0x1000, ints(0, 0)) + command("DONE"))
    for stream in streams:
        assert stream.command() == ("COLL", ints(0x1000, (1 << count) - 1) + ints(0, 0) * count)
        assert stream.command() == ("DONE", b"")
    for stream in streams:
        stream.send(command("FINI"))
    assert job.end() == 0


AUTH = command("AUTH", ints(1))
JOINED = AUTH + command("IMPI", ints(0))


@pytest.mark.parametrize("where", [AUTH, JOINED])
@pytest.mark.parametrize("size", [0, 13, 2_000_000, 64 << 20])
def test_unknown_command(server, where, size):
    """IMPI-022: skipped with its payload, whatever its size; memory does not grow."""
    job = server(1)
    stream = job.connect()
    stream.send(where + b"XYZW" + ints(size))
    chunk = bytes(1 << 16)
    left = size
    while left:
        left -= len(stream.send(chunk[:left]) and chunk[:left])
    stream.send(command("IMPI", ints(0)) if where == AUTH else b"")
    assert stream.take(8) == ints(0, 0)
    assert stream.command() == ("IMPI", ints(1))
    job.says("XYZW")
    with open(f"/proc/{job.process.pid}/status", encoding="ascii") as file:
        peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
    assert peak < 200_000  # kB; a sanitizer's own memory included
    stream.send(command("DONE"))
    assert stream.command() == ("DONE", b"")
    stream.send(command("FINI"))
    assert job.end() == 0


@pytest.mark.parametrize("octets, reason", [
    (command("IMPI", ints(0)), "must be AUTH"),
    (command("XYZW"), "must be AUTH"),
    (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "must be AUTH"),
    (b"AUTH" + ints(0), "0 octets"), (b"AUTH" + ints(3) + b"abc", "3 octets"),
    (b"AUTH" + ints(5) + bytes(5), "5 octets"), (b"AUTH" + ints(0x7FFFFFFF), "2147483647 octets"),
    (b"AUTH" + ints(-1), "negative"), (b"AUTH" + ints(-4), "negative"),
    (AUTH + b"IMPI" + ints(0), "0 octets"), (AUTH + b"IMPI" + ints(8) + bytes(8), "8 octets"),
    (AUTH + b"IMPI" + ints(0x7FFFFFFF), "2147483647 octets"), (AUTH + b"IMPI" + ints(-1), "negative"),
    (AUTH + command("COLL", ints(1)), "must be IMPI"), (AUTH + command("FINI"), "must be IMPI"),
    (AUTH + AUTH, "must be IMPI"), (AUTH + b"\xff\xfe\x00\x01" + ints(-2), "negative"),
    (JOINED + b"COLL" + ints(0), "0 octets"), (JOINED + b"COLL" + ints(3) + b"abc", "3 octets"),
    (JOINED + b"COLL" + ints(0x7FFFFFFF), "2147483647 octets"), (JOINED + b"COLL" + ints(-8), "negative"),
    (JOINED + command("IMPI", ints(0)), "second time"), (JOINED + AUTH, "second time"),
    (JOINED + command("FINI"), "FINI before DONE"), (JOINED + b"DONE" + ints(-1), "negative"),
    (AUTH + command("IMPI", ints(-1)), "client -1"), (AUTH + command("IMPI", ints(2)), "client 2"),
    (AUTH + command("IMPI", ints(0x7FFFFFFF)), "2147483647"),
])
def test_refused_without_harm(server, octets, reason):
    """IMPI-038, IMPI-242, IMPI-243, IMPI-245, IMPI-247: the connection is ended and reported, the next one served."""
    job = server(2)
    stream = job.connect()
    stream.send(octets)
    if octets.startswith(AUTH):
        assert stream.take(8) == ints(0, 0)
    assert stream.ended()
    job.says(reason)
    whole_job(job, 2)


def test_second_client_of_a_rank(server):
    """IMPI-244, IMPI-245: the first holder keeps the rank, also when the job is complete."""
    job = server(2)
    first = job.client(0)
    assert job.client(0).ended()
    second = job.client(1)
    assert first.command() == second.command() == ("IMPI", ints(2))
    for rank in (0, 1):
        assert job.client(rank).ended()
    for stream in (first, second):
        stream.send(command("DONE"))
    for stream in (first, second):
        assert stream.command() == ("DONE", b"")
        stream.send(command("FINI"))
    assert job.end() == 0


def test_labels_out_of_turn(server):
    """IMPI-051: out of order, repeated, after DONE: ignored and told, no data doubled."""
    job = server(2)
    bad, good = job.clients(2)
    bad.send(label(0x1300, b"A") + label(0x1200, b"B") + label(0x1300, b"C") + command("DONE") + label(0x1400, b"D"))
    bad.send(command("DONE"))
    good.send(label(0x1200, b"b") + label(0x1300, b"a") + label(0x1400, b"d") + command("DONE"))
    for stream in (bad, good):
        assert stream.command() == ("COLL", ints(0x1200, 2) + b"b")
        assert stream.command() == ("COLL", ints(0x1300, 3) + b"Aa")
        assert stream.command() == ("COLL", ints(0x1400, 2) + b"d")
        assert stream.command() == ("DONE", b"")
        stream.send(command("FINI"))
    assert job.end() == 0
    assert len([line for line in job.err if "ignored" in line]) == 4


def test_payload_of_done_and_fini(server):
    """IMPI-074, IMPI-077: octets where there should be none do not disturb what follows."""
    job = server(1)
    stream = job.clients(1)[0]
    stream.send(command("DONE", b"12345"))
    assert stream.command() == ("DONE", b"")
    stream.send(command("FINI", b"1"))
    assert job.end() == 0


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("octets", [
    b"", b"A", b"AUTH\0\0\0", b"AUTH" + ints(4) + b"\0", AUTH, AUTH + b"IMPI", AUTH + b"IMPI" + ints(4) + b"\0",
    JOINED, JOINED + b"COLL" + ints(9) + b"\0", JOINED + b"COLL" + ints(100) + ints(0x1000) + b"half",
    JOINED + command("DONE"),
])
def test_death_before_the_job_is_complete(server, octets, reset):
    """IMPI-241, IMPI-248: reported; its rank is free for another one, and the job completes."""
    job = server(3)
    others = [job.client(rank) for rank in (1,)]
    stream = job.connect()
    stream.send(octets)
    if octets.startswith(AUTH):
        assert stream.take(8) == ints(0, 0)
    if octets.startswith(JOINED):
        assert job.client(0).ended()  # so the server has heard of the rank
    if reset:
        stream.reset()
    else:
        stream.close()
    job.says("before it")
    others += [job.client(rank) for rank in (0, 2)]
    for stream in others:
        assert stream.command() == ("IMPI", ints(3))
        stream.send(command("DONE"))
    for stream in others:
        assert stream.command() == ("DONE", b"")
        stream.send(command("FINI"))
    assert job.end() == 0


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("phase", ["labels", "within a label", "done", "running"])
def test_death_in_a_complete_job(server, phase, reset):
    """IMPI-081, IMPI-248: the user is told which client, the others by the end of their connections."""
    job = server(3)
    victim, *others = job.clients(3)
    if phase != "labels":
        victim.send(b"COLL" + ints(100) + ints(0x1000) if phase == "within a label" else command("DONE"))
    if phase == "running":
        for stream in others:
            stream.send(command("DONE"))
        for stream in (victim, *others):
            assert stream.command() == ("DONE", b"")
        others[0].send(command("FINI"))
    else:
        assert others[0].quiet(0.05)
    if reset:
        victim.reset()
    else:
        victim.close()
    for stream in others:
        assert stream.ended()
    assert job.end() == 1
    assert any("client 0" in line and "before it" in line for line in job.err)


def test_fini_before_all_are_done(server):
    """IMPI-075: FINI is for a job that runs; earlier it is the end of it."""
    job = server(2)
    first, second = job.clients(2)
    first.send(command("DONE") + command("FINI"))
    assert second.ended()
    assert job.end() == 1


@pytest.mark.parametrize("leaves", ["at once", "in order"])
def test_rank_of_a_client_that_has_finished(server, leaves):
    """IMPI-079, IMPI-245: nobody becomes a client that has left: neither its end nor its FINI touches the job."""
    job = server(2)
    first, second = job.clients(2)
    for stream in (first, second):
        stream.send(command("DONE"))
    for stream in (first, second):
        assert stream.command() == ("DONE", b"")
    first.send(command("FINI"))
    first.close()
    late = job.client(0)
    if leaves == "in order":
        late.send(command("DONE") + command("FINI"))
    assert late.ended()
    job.says("has finished")
    assert second.quiet(0.05)
    second.send(command("FINI"))
    assert job.end() == 0


def test_labels_without_values(server):
    """A client that submits without end what costs it nothing is not heard any more before the server's memory goes."""
    job = server(2)
    fast, slow = job.clients(2)
    fast.sock.settimeout(2)
    sent, number = 0, 0x10000
    try:
        while sent < 64 << 20:
            octets = b"".join(label(number + i, b"") for i in range(5000))
            fast.sock.sendall(octets)
            sent, number = sent + len(octets), number + 5000
    except TimeoutError:
        pass
    assert sent < 64 << 20, "the server has taken everything"
    with open(f"/proc/{job.process.pid}/status", encoding="ascii") as file:
        peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
    assert peak < 200_000  # kB; a sanitizer's own memory included
    slow.close()
    assert job.end() == 1


def test_silent_connections(server):
    """IMPI-246: silent, stuck in a head, stuck in a key, reading nothing: a proper job does not notice."""
    job = server(2, env={"IMPI_AUTH_KEY": "9"})
    stuck = [job.connect() for _ in range(3)]
    stuck.append(job.connect().send(b"AUTH\0"))
    key = job.connect().send(command("AUTH", ints(2)))
    assert key.take(8) == ints(1, 0)
    stuck.append(key.send(b"\0\0\0"))
    unread = job.connect()
    unread.send(AUTH + b"JUNK" + ints(0x7FFFFFFF) + bytes(100_000))
    stuck.append(unread)
    whole_job(job, 2)


def test_many_outsiders(server):
    """More connections than anybody needs: the oldest give way, a proper job goes on."""
    job = server(1)
    outsiders = [job.connect() for _ in range(300)]
    assert outsiders[0].ended()
    whole_job(job)


def test_no_descriptor_for_another_client(server):
    """It is told, the server waits without asking again and again, and goes on when there is one."""
    job = server(2)
    first = job.client(0)
    used = len(os.listdir(f"/proc/{job.process.pid}/fd"))
    assert job.client(0).ended()  # so the server has heard of the first one's rank
    late = time.monotonic() + DEADLINE
    while len(os.listdir(f"/proc/{job.process.pid}/fd")) > used:  # it lets the other one read to its end
        assert time.monotonic() < late
    limits = tighten(job.process.pid)
    waiting = job.connect()
    job.says(r"cannot take another connection: Too many open files; raise the limit \(ulimit -n\)")
    busy = busy_seconds(job.process.pid)
    assert first.quiet(2)
    assert busy_seconds(job.process.pid) - busy < 0.2
    resource.prlimit(job.process.pid, resource.RLIMIT_NOFILE, limits)
    waiting.close()
    second = job.client(1)
    for stream in (first, second):
        assert stream.command() == ("IMPI", ints(2))
        stream.send(command("DONE"))
    for stream in (first, second):
        assert stream.command() == ("DONE", b"")
        stream.send(command("FINI"))
    assert job.end() == 0


@pytest.mark.parametrize("seed", range(20))
def test_random_octets(server, seed):
    """IMPI-247: whatever comes, the server lives and serves."""
    rng = random.Random(seed)
    job = server(1)
    for _ in range(20):
        stream = job.connect()
        octets = rng.randbytes(rng.randrange(1, 1024))
        if rng.random() < 0.5:
            octets = AUTH + rng.choice([b"COLL", b"IMPI", b"DONE", b"FINI", b"AUTH"]) + octets
        try:
            stream.send(octets, rng.choice([0, 1, 7]))
        except ConnectionError:
            pass
        if rng.random() < 0.5:
            stream.reset()
        else:
            stream.close()
    while True:
        # random octets can spell a rank, though hardly ever
        stream = job.client(0)
        if stream.command() == ("IMPI", ints(1)):
            break
    stream.send(command("DONE"))
    assert stream.command() == ("DONE", b"")
    stream.send(command("FINI"))
    assert job.end() == 0
