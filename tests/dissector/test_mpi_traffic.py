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


@pytest.mark.parametrize("device", SAID)
def test_messages_of_a_job(tshark, bin_dir, tmp_path, device):
    """Tag, sender and protocol of each message are in the packets that a trace has of it."""
    layout, names, expected = SAID[device]
    source, program, trace = tmp_path / "program.c", tmp_path / "program", tshark.folder / f"{device}.pcapng"
    source.write_text(PROGRAM)
    subprocess.run([bin_dir / "assay-mpicc", "-o", program, source], check=True, timeout=300)
    subprocess.run([bin_dir / "portalsrun", "-np", "2", "--nal", "tcp", "--trace", trace, program], check=True,
                   timeout=300, env={**os.environ, "ASSAY_MPI": device})
    trace.chmod(0o644)
    fields = ["portals.operation", "portals.portal", *(f"portals.match_bits.{name}" for name in ("tag", *names))]
    packets = tshark.fields(trace, *fields, arguments=(*DECODE_AS, "-o", f"portals.match_bits:{layout}"))
    said = {}
    for operations, portals, tags, *values in packets:
        if portals[:1] == ["0"] and len(operations) == 1 and tags and tags[0] in expected:
            said.setdefault(tags[0], [value[0] for value in values])
    assert said == expected
