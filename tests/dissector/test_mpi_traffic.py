# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""An MPI message is followed from the call to the packet, in both local devices of the MPI library."""

import os
import subprocess

import pytest

from wireshark import DECODE_AS

#= PUMA-033
#= PUMA-034
PROGRAM = r"""
#include <mpi.h>
static char octets[5000];
int main(void)
{
    int rank;
    MPI_Request request;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(octets, 3, MPI_CHAR, 0, 12345, MPI_COMM_WORLD);
        MPI_Isend(octets, 5000, MPI_CHAR, 0, 54321, MPI_COMM_WORLD, &request);
        MPI_Send(octets, 0, MPI_CHAR, 0, 7, MPI_COMM_WORLD);
        MPI_Recv(octets, 1, MPI_CHAR, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Rsend(octets, 9, MPI_CHAR, 0, 99, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(octets, 0, MPI_CHAR, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(octets, 9, MPI_CHAR, 1, 99, MPI_COMM_WORLD, &request);
        MPI_Send(octets, 1, MPI_CHAR, 1, 8, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Recv(octets, 3, MPI_CHAR, 1, 12345, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(octets, 5000, MPI_CHAR, 1, 54321, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return MPI_Finalize();
}
"""
# Each message that rank 1 sends: its tag, and what its type is, as both layouts name it.
SAID = {
    "puma": ("puma-mpi", ("rank", "ready", "long"), {
        "12345": ["1", "0", "0"], "54321": ["1", "0", "1"], "7": ["1", "0", "0"], "99": ["1", "1", "0"]}),
    "assay": ("assay-mpi", ("protocol",), {"12345": ["0"], "54321": ["1"], "7": ["0"], "99": ["0"]}),
}


PUT, ACK, GET, REPLY = "0x00000001", "0x00000002", "0x00000003", "0x00000004"
TAGS = {"1001", "1002", "1003", "1004", "1005", "1006"}


def traced(tshark, bin_dir, tmp_path, text, device, name, size=2):
    """The trace of a job of some processes with a device, where collective operations go by messages."""
    source, program, trace = tmp_path / "program.c", tmp_path / "program", tshark.folder / f"{name}.pcapng"
    source.write_text(text)
    subprocess.run([bin_dir / "assay-mpicc", "-o", program, source], check=True, timeout=300)
    subprocess.run([bin_dir / "portalsrun", "-np", str(size), "--nal", "tcp", "--trace", trace, program], check=True,
                   timeout=300, env={**os.environ, "ASSAY_MPI": device, "ASSAY_COLLECTIVES": "messages"})
    trace.chmod(0o644)
    return trace


@pytest.mark.parametrize("device", SAID)
def test_messages_of_a_job(tshark, bin_dir, tmp_path, device):
    """Tag, sender and protocol of each message are in the packets that a trace has of it."""
    layout, names, expected = SAID[device]
    trace = traced(tshark, bin_dir, tmp_path, PROGRAM, device, device)
    fields = ["portals.operation", "portals.portal", *(f"portals.match_bits.{name}" for name in ("tag", *names))]
    packets = tshark.fields(trace, *fields, arguments=(*DECODE_AS, "-o", f"portals.match_bits:{layout}"))
    said = {}
    for operations, portals, tags, *values in packets:
        if portals[:1] == ["0"] and len(operations) == 1 and tags and tags[0] in expected:
            said.setdefault(tags[0], [value[0] for value in values])
    assert said == expected


# Rank 1 sends a short and a long message to receives that are posted, then the same to none, and one in synchronous
# mode; rank 0 looks at the messages only when all have come.
BOTH_WAYS = r"""
#include <mpi.h>
static char sent[5000], came[5000];
int main(void)
{
    int rank;
    MPI_Request request[2];
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(came, 100, MPI_CHAR, 1, 1001, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(came + 100, 4800, MPI_CHAR, 1, 1002, MPI_COMM_WORLD, &request[1]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Send(sent, 100, MPI_CHAR, 0, 1001, MPI_COMM_WORLD);
        MPI_Send(sent, 4800, MPI_CHAR, 0, 1002, MPI_COMM_WORLD);
        MPI_Send(sent, 101, MPI_CHAR, 0, 1003, MPI_COMM_WORLD);
        MPI_Isend(sent, 4801, MPI_CHAR, 0, 1004, MPI_COMM_WORLD, &request[0]);
        MPI_Issend(sent, 102, MPI_CHAR, 0, 1005, MPI_COMM_WORLD, &request[1]);
        MPI_Send(sent, 0, MPI_CHAR, 0, 1006, MPI_COMM_WORLD);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else {
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        MPI_Recv(came, 0, MPI_CHAR, 1, 1006, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(came, 102, MPI_CHAR, 1, 1005, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(came, 4801, MPI_CHAR, 1, 1004, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(came, 101, MPI_CHAR, 1, 1003, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return MPI_Finalize();
}
"""


#= PUMA-009
#= PUMA-054
#= PUMA-056
#= PUMA-057
#= PUMA-058
#= PUMA-059
#= PUMA-063
#= PUMA-067
#= PUMA-070
#= PUMA-073
#= PUMA-074
#= PUMA-130
#= PUMA-131
#= PUMA-139
#= PUMA-150
@pytest.mark.parametrize("device", SAID)
def test_protocols_of_a_job(tshark, bin_dir, tmp_path, device):
    """A short message is one put; a long one is put whole and acknowledged, or else got; so is a synchronous one."""
    layout = SAID[device][0]
    trace = traced(tshark, bin_dir, tmp_path, BOTH_WAYS, device, f"{device}-both")
    fields = ["portals.operation", "portals.portal", "portals.rlength", "portals.match_bits.tag"]
    messages = []
    for packet in tshark.fields(trace, *fields, arguments=(*DECODE_AS, "-o", f"portals.match_bits:{layout}")):
        if len(packet[0]) == 1:
            messages.append([cells[0] if cells else "" for cells in packet])
    puts = {tag: length for what, portal, length, tag in messages if what == PUT and portal == "0" and tag in TAGS}
    assert puts == {"1001": "100", "1002": "4800", "1003": "101", "1004": "4801", "1005": "102", "1006": "0"}
    assert sum(tag in TAGS for what, portal, _, tag in messages if what == PUT and portal == "0") == len(TAGS)
    assert [tag for what, _, _, tag in messages if what == ACK and tag in TAGS] == ["1002"]
    # What nobody had asked for is got in the order in which it is received, and once.
    gets = [length for what, portal, length, _ in messages if what == GET and portal == "1"]
    assert gets == ["102", "4801"]
    assert sum(what == REPLY for what, *_ in messages) == 2


RING = r"""
#include <mpi.h>
static char own[30000], all[4 * 30000];
int main(void)
{
    int rank;

    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) { /* goes on at once, while the next one in the ring is kept busy */
        MPI_Send(own, 0, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
    } else if (rank < 3) {
        if (rank == 1) {
            MPI_Recv(all, 0, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < 200; i++) {
            MPI_Sendrecv(own, 1, MPI_CHAR, 3 - rank, 2, all, 1, MPI_CHAR, 3 - rank, 2, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
        }
    }
    MPI_Allgather(own, 30000, MPI_CHAR, all, 30000, MPI_CHAR, MPI_COMM_WORLD);
    return MPI_Finalize();
}
"""
READY, PIECE = "210", "220"  # tags of collective operations


#= PUMA-094
#= PUMA-095
#= PUMA-096
#= PUMA-099
#= PUMA-100
#= PUMA-107
@pytest.mark.parametrize("device", SAID)
def test_ring_of_a_job(tshark, bin_dir, tmp_path, device):
    """In a ring each process tells the one before it that it is ready, by a message of no octets that its tag tells
    from others; then come the pieces to the portal of all messages, each into a receive of its own: nobody gets what
    was put to where no receive was, also where a process comes late, nor says anything in between."""
    layout, size = SAID[device][0], 4
    trace = traced(tshark, bin_dir, tmp_path, RING, device, f"{device}-ring", size)
    names = ("operation", "portal", "initiator.rid", "target.rid", "rlength", "match_bits.tag")
    packets = tshark.fields(trace, *(f"portals.{name}" for name in names),
                            arguments=(*DECODE_AS, "-o", f"portals.match_bits:{layout}"))
    messages = [[cells[0] if cells else "" for cells in packet] for packet in packets if len(packet[0]) == 1]
    puts = [message[1:] for message in messages if message[0] == PUT and message[-1] in (READY, PIECE)]
    assert sorted(puts) == sorted(
        [["0", str(rank), str((rank - 1) % size), "0", READY] for rank in range(size)] +
        [["0", str(rank), str((rank + 1) % size), "30000", PIECE] for rank in range(size)] * (size - 1))
    assert all(what != GET for what, *_ in messages)
    for rank in range(size):
        assert [m[-1] for m in puts if m[1] == str(rank)] == [READY, PIECE, PIECE, PIECE]
