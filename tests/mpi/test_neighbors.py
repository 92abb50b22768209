# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Distributed graphs, neighbours and windows of shared memory: what is refused, and by which class of error.

What they do when they are used well show programs/neighbors and programs/windows/shared.c (test_programs.py).
"""

import subprocess

import pytest

DEADLINE = 120
PROGRAM = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{{
    int rank, size, code, expected, unit, ring = 1;
    int here[8] = {{0}}, there[8], out = 7, minus[2] = {{-1, -1}}, zero[2] = {{0, 0}};
    MPI_Comm world, grid, graph, made = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Win win;
    MPI_Aint octets, far[2] = {{0, 4}};
    void *base;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Cart_create(world, 1, &size, &ring, 0, &grid);
    MPI_Dist_graph_create_adjacent(world, 1, &rank, MPI_UNWEIGHTED, 1, &rank, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Win_create(there, sizeof(there), 1, MPI_INFO_NULL, world, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    (void)unit, (void)out, (void)minus, (void)zero, (void)octets, (void)far, (void)base, (void)here, (void)made;
    switch (atoi(argv[1])) {{
{calls}    default:
        return 2;
    }}
    printf("%d\\n", code == MPI_SUCCESS ? MPI_SUCCESS : code == expected);
    if (request != MPI_REQUEST_NULL)
        printf("a request\\n");
    MPI_Barrier(world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}}
"""


def adjacent(in_count=1, sources="&rank", in_weights="MPI_UNWEIGHTED", out_weights="MPI_UNWEIGHTED"):
    """A distributed graph with something wrong."""
    return (f"MPI_Dist_graph_create_adjacent(world, {in_count}, {sources}, {in_weights}, 1, &rank, {out_weights}, "
            "MPI_INFO_NULL, 0, &made)")


REFUSED = [  # the call, and the code that it returns
    ("MPI_Neighbor_allgather(here, 1, MPI_INT, there, 1, MPI_INT, world)", "MPI_ERR_TOPOLOGY"),
    ("MPI_Ineighbor_alltoall(here, 1, MPI_INT, there, 1, MPI_INT, world, &request)", "MPI_ERR_TOPOLOGY"),
    ("MPI_Neighbor_alltoall(here, -1, MPI_INT, there, 1, MPI_INT, grid)", "MPI_ERR_COUNT"),
    ("MPI_Neighbor_alltoall(here, 1, MPI_DATATYPE_NULL, there, 1, MPI_INT, grid)", "MPI_ERR_TYPE"),
    ("MPI_Neighbor_alltoall(here, 1, MPI_INT, NULL, 1, MPI_INT, grid)", "MPI_ERR_BUFFER"),
    ("MPI_Ineighbor_alltoallv(here, minus, zero, MPI_INT, there, zero, zero, MPI_INT, grid, &request)",
     "MPI_ERR_COUNT"),
    ("MPI_Neighbor_allgather(here, 2, MPI_INT, there, 1, MPI_INT, graph)", "MPI_ERR_TRUNCATE"),
    ("MPI_Neighbor_alltoallv(here, NULL, zero, MPI_INT, there, zero, zero, MPI_INT, grid)", "MPI_ERR_ARG"),
    ("MPI_Neighbor_allgatherv(here, 0, MPI_INT, there, zero, NULL, MPI_INT, graph)", "MPI_ERR_ARG"),
    ("MPI_Neighbor_alltoallw(here, zero, far, NULL, there, zero, far, NULL, grid)", "MPI_ERR_ARG"),
    (adjacent(in_count=-1), "MPI_ERR_COUNT"),
    (adjacent(sources="&size"), "MPI_ERR_RANK"),
    (adjacent(sources="NULL"), "MPI_ERR_ARG"),
    (adjacent(in_weights="&rank"), "MPI_ERR_ARG"),
    (adjacent(in_weights="MPI_WEIGHTS_EMPTY", out_weights="&rank"), "MPI_ERR_ARG"),
    (adjacent(in_weights="minus", out_weights="&rank"), "MPI_ERR_ARG"),
    ("MPI_Dist_graph_create(world, 1, &rank, minus, &rank, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made)", "MPI_ERR_ARG"),
    ("MPI_Dist_graph_create(world, 1, &rank, &ring, minus, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made)", "MPI_ERR_RANK"),
    ("MPI_Dist_graph_neighbors_count(grid, &out, &out, &out)", "MPI_ERR_TOPOLOGY"),
    ("MPI_Dist_graph_neighbors(graph, 1, NULL, MPI_UNWEIGHTED, 1, here, MPI_UNWEIGHTED)", "MPI_ERR_ARG"),
    ("MPI_Graph_neighbors_count(graph, 0, &out)", "MPI_ERR_TOPOLOGY"),
    ("MPI_Win_allocate_shared(-1, 1, MPI_INFO_NULL, world, &base, &win)", "MPI_ERR_SIZE"),
    ("MPI_Win_allocate_shared(8, 0, MPI_INFO_NULL, world, &base, &win)", "MPI_ERR_DISP"),
    ("MPI_Win_allocate_shared((MPI_Aint)1 << 61, 1, MPI_INFO_NULL, world, &base, &win)", "MPI_ERR_NO_MEM"),
    ("MPI_Win_allocate_shared((MPI_Aint)1 << 62, 1, MPI_INFO_NULL, world, &base, &win)", "MPI_ERR_NO_MEM"),
    ("MPI_Win_shared_query(win, 0, &octets, &unit, &base)", "MPI_ERR_RMA_FLAVOR"),
]


@pytest.fixture(name="refusing", scope="module")
def fixture_refusing(bin_dir, tmp_path_factory):
    """A program that makes the call of REFUSED whose number it is given."""
    folder = tmp_path_factory.mktemp("refused")
    source, program = folder / "refused.c", folder / "refused"
    source.write_text(PROGRAM.format(calls="".join(
        f"    case {number}:\n        code = {call};\n        expected = {code};\n        break;\n"
        for number, (call, code) in enumerate(REFUSED))), encoding="ascii")
    subprocess.run([bin_dir / "assay-mpicc", "-w", "-o", program, source], check=True, timeout=DEADLINE)
    return program


@pytest.mark.parametrize("number", range(len(REFUSED)), ids=[call.split("(")[0] for call, _ in REFUSED])
def test_refused(bin_dir, refusing, number):
    """The class of the error at both processes; no request is begun, and both go on."""
    done = subprocess.run([bin_dir / "portalsrun", "-np", "2", refusing, str(number)], capture_output=True, text=True,
                          timeout=DEADLINE, check=False)
    assert (done.stdout, done.returncode, done.stderr) == ("1\n1\n", 0, ""), REFUSED[number]
