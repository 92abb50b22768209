# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A whole IMPI job through launch agents: a server, two clients, interpreters in all processes (section 5 and 7)."""

import pytest

from conftest import Job

WORLD = "MPI_COMM_WORLD"
OK = {"rc": "MPI_SUCCESS"}
JOB_TOKEN = "job-token_0123456789"
METHODS = dict(env__IMPI_AUTH_NONE="", unset__IMPI_AUTH_KEY="")


def ended(peer, job):
    return peer.take(lambda words: words[:3] == ["!", "ended", f"job={job}"])[3]


@pytest.fixture
def world(agent, manager, bin_dir):
    """world(sizes): starts a server and a client for each size through agents; (server's peer, clients' peer, Job)."""
    def start(*sizes, **environment):
        _, server = agent(bin_dir / "impirun", "-server", "{clients}", "{options}")
        _, clients = agent(bin_dir / "impirun", "-client", "{client}", "{server}", "-np", "{np}", "-hosts", "{hosts}",
                           bin_dir / "interp-mpi", "{args}")
        server.do("start", job=1, clients=len(sizes), options="-auth%200", **METHODS)
        said = server.take(lambda words: words[:2] == ["!", "output"] and words[3] == "stream=stdout")
        address = said[4].removeprefix("text=")
        for rank, size in enumerate(sizes):
            clients.do("start", job=rank + 1, client=rank, server=address, np=size, hosts=min(size, 2),
                       token=JOB_TOKEN, **METHODS, **environment)
        job = Job(None, [manager.accept() for _ in range(sum(sizes))])
        return server, clients, job.init()
    return start


def test_messages_between_clients(world):
    server, clients, job = world(2, 1, env__IMPI_DATALEN=4096, env__IMPI_ACKMARK=2, env__IMPI_HIWATER=3)
    assert [reply["size"] for reply in job.all("MPI_Comm_size", comm=WORLD)] == ["3"] * 3
    colors = [reply["attribute_val"] for reply in job.all("MPI_Attr_get", comm=WORLD, keyval="IMPI_CLIENT_COLOR")]
    assert colors == ["0", "0", "1"]
    hosts = [reply["attribute_val"] for reply in job.all("MPI_Attr_get", comm=WORLD, keyval="IMPI_HOST_COLOR")]
    assert hosts == ["0", "1", "2"]
    job.all("alloc", name="buf", octets=100000)
    job[0].do("fill", name="buf", offset=0, octets=100000, pattern="mix/9")
    number = job[2].start("MPI_Recv", buf="buf", count=100000, datatype="MPI_BYTE", source="MPI_ANY_SOURCE", tag=7,
                          comm=WORLD)
    assert job[0].do("MPI_Ssend", buf="buf", count=100000, datatype="MPI_BYTE", dest=2, tag=7, comm=WORLD) == OK
    assert job[2].reply(number) == {**OK, "status.source": "0", "status.tag": "7"}
    assert job[2].do("compare", name="buf", offset=0, octets=100000, pattern="mix/9") == {"equal": "true"}
    line = f"buf=buf count=10 datatype=MPI_INT tag=1 comm={WORLD}"
    number = job[1].start_batch(50, [f"MPI_Recv source=2 {line}"])
    assert job[2].batch(50, f"MPI_Send dest=1 {line}") == {"runs": "50", "line": "0"}
    assert job[1].reply(number) == {"runs": "50", "line": "0"}
    assert job.all("MPI_Barrier", comm=WORLD) == [OK] * 3
    assert job.all("MPI_Finalize") == [OK] * 3
    job.all("quit")
    assert [ended(clients, 1), ended(clients, 2), ended(server, 1)] == ["status=0"] * 3


def test_a_process_that_dies(world):
    """A process that leaves without MPI_Finalize ends the job, and nobody says that all was well."""
    server, clients, job = world(1, 1)
    assert job[0].do("abandon", status=3) == {}
    assert ended(clients, 1) != "status=0"
    assert ended(clients, 2) != "status=0"
    assert ended(server, 1) != "status=0"
