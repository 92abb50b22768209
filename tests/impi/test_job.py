# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Whole jobs: real server, real clients, processes that speak the link; large ones, broken ones, nothing is left."""

import re
import socket

import pytest

from waiting import ended, named
from peers import DEADLINE

GREET = ("greet", "greeted", "fini")


def greeted(programs):
    """What all processes say about those who greeted them, by rank."""
    lines = [line for program in programs for line in program.out if "greeted by" in line]
    return {int(line.split()[1].rstrip(":")): line.partition(": ")[2] for line in lines}


def expected(sizes):
    """The same, computed: of each rank how many others there are in other clients, and the sum of their ranks."""
    total = sum(sizes)
    result, first = {}, 0
    for size in sizes:
        own = range(first, first + size)
        others = [rank for rank in range(total) if rank not in own]
        for rank in own:
            result[rank] = f"greeted by {len(others)} processes, sum {sum(others)}"
        first += size
    return result


@pytest.mark.parametrize("layout", [
    [(1, 1)], [(1, 1), (1, 1)], [(6, 3), (6, 2), (8, 2)], [(3, 1), (2, 2)], [(5, 2), (1, 1), (4, 3), (7, 7), (2, 1)],
])
def test_all_pairs(server, client, layout):
    """IMPI-018, IMPI-070, IMPI-073, IMPI-099: every process hears from every one of the other clients."""
    job = server(len(layout), env={"IMPI_AUTH_KEY": "5678"})
    programs = [client(rank, job.place, "-np", np, "-hosts", hosts, "--", *GREET, env={"IMPI_AUTH_KEY": "5678"},
                       without=("IMPI_AUTH_NONE",))
                for rank, (np, hosts) in reversed(list(enumerate(layout)))]
    assert [program.end() for program in programs] == [0] * len(layout)
    assert job.end() == 0
    assert greeted(programs) == expected([np for np, _ in layout])
    assert [line for program in programs for line in program.err] == []


@pytest.mark.long
def test_a_crowd(server, client):
    """IMPI-042, IMPI-099: 32 clients, 64 hosts, 256 processes on one machine."""
    job = server(32)
    programs = [client(rank, job.place, "-np", 8, "-hosts", 2, "--", *GREET) for rank in range(32)]
    assert [program.end() for program in programs] == [0] * 32
    assert job.end() == 0
    assert greeted(programs) == expected([8] * 32)


def test_bulk_over_two_hops(server, client):
    """IMPI-100, IMPI-111: many large packets both ways at once."""
    count = 300
    job = server(2)
    words = ("-np", 1, "-hiwater", 400, "-ackmark", 1)
    sends = [word for i in range(count) for word in ("send", "{}", "65536", str(i))]
    programs = [client(rank, job.place, *words, "--", *[word.format(1 - rank) for word in sends], "await", count,
                       "fini")
                for rank in (0, 1)]
    assert [program.end() for program in programs] == [0, 0]
    for rank, program in enumerate(programs):
        got = [line for line in program.out if "octets" in line]
        assert got == [f"rank {rank}: 65536 octets of {i & 255:02x} from rank {1 - rank} tag {i}" for i in range(count)]
    assert job.end() == 0


@pytest.mark.parametrize("program, status", [(("exit", "6"), 6), (("die",), 137), (("exit", "0"), 1)])
def test_death_is_everybodys(server, client, program, status):
    """IMPI-080, IMPI-081, IMPI-248, IMPI-253: each client ends, each says why, the server too; no process is left."""
    job = server(3)
    mark = f"4294967295{job.port}"  # a rank that nobody has: the processes bear it in their arguments
    dying = client(1, job.place, "-np", 2, "--", "only", mark, "only", "3", *program, "all", "hold", "fini")
    others = [client(rank, job.place, "-np", 2, "--", "only", mark, "all", "hold", "fini") for rank in (0, 2)]
    assert dying.end() == status
    for other in others:
        assert other.end() == 1
        assert any("ended its channel" in line for line in other.err), other.err
    assert job.end() == 1
    assert any(re.search(r"client \d .* before it said FINI", line) for line in job.err)  # whichever was faster
    assert not named(mark)


def test_wrong_key_of_one_client(server, client):
    """IMPI-031, IMPI-032: the document's second client; the job waits for a right one."""
    job = server(2, env={"IMPI_AUTH_KEY": "5678"})
    wrong = client(1, job.place, env={"IMPI_AUTH_KEY": "1234"})
    assert wrong.end() == 1
    assert wrong.out == [] and any("key" in line for line in wrong.err)
    programs = [client(rank, job.place, "--", *GREET, env={"IMPI_AUTH_KEY": "5678"}) for rank in (0, 1)]
    assert [program.end() for program in programs] == [0, 0]
    assert job.end() == 0


def test_different_values(server, client):
    """IMPI-065: no program runs, and everybody is told."""
    job = server(2)
    programs = [client(0, job.place, "-xsize", 100), client(1, job.place, "-xsize", 200)]
    assert [program.end() for program in programs] == [1, 1]
    assert all(program.out == [] and "IMPI_C_COLL_XSIZE" in program.err[0] for program in programs)
    assert job.end() == 1


def test_same_rank_twice(server, client):
    """IMPI-244: the second one is refused, and says so."""
    job = server(2)
    first = job.client(0)
    assert job.client(0).ended()  # so the rank is taken
    second = client(0, job.place)
    assert second.end() == 1
    assert any("is the rank taken" in line for line in second.err)
    first.close()
    job.says("client 0 .* ended its connection")
    programs = [client(rank, job.place, "--", *GREET) for rank in (0, 1)]
    assert [program.end() for program in programs] == [0, 0]
    assert job.end() == 0


def test_ipv6_between_hosts(server, client):
    """IMPI-007: hosts whose address is one of IPv6."""
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
    job = server(2)
    programs = [client(0, job.place, "-np", 2, "--", *GREET, env={"IMPI_HOST_NAME": "::1"}),
                client(1, job.place, "-np", 2, "-hosts", 2, "--", *GREET, env={"IMPI_HOST_NAME": "::1"})]
    assert [program.end() for program in programs] == [0, 0]
    assert greeted(programs) == expected([2, 2])


def test_launcher_that_is_killed(server, client):
    """Nobody outlives a launcher that could not say goodbye: its agents, its processes, the other client."""
    job = server(2)
    mark = f"4294967294{job.port}"
    killed, other = (client(rank, job.place, "-np", 2, "-hosts", 2, "--", "only", mark, "all", "table", "hold")
                     for rank in (0, 1))
    for rank, program in ((0, killed), (1, killed), (2, other), (3, other)):
        program.says(f"^rank {rank} of 4", "out")
    processes = [pid for pid in named(mark) if pid not in (killed.process.pid, other.process.pid)]
    assert len(processes) >= 4
    killed.process.kill()
    assert other.end() == 1
    assert job.end() == 1
    assert ended(processes, DEADLINE)
