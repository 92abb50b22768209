/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What one message of MPI costs, for tests/scenario/test_message_cost.py: as cost_portals.c. Whoever receives begins
 * when all has come, or has begun before anything was sent, so that no instruction is spent on waiting.
 */
#include "tests/bench/counted.h"

#include <mpi.h>

enum { MESSAGES = 512 };

static int rank;
static char octets[8 * MESSAGES];
static MPI_Request requests[MESSAGES];
static MPI_Status statuses[MESSAGES];

/* Messages that nobody has asked for. */
static void unexpected(void)
{
    for (int i = 0; i < MESSAGES && rank == 0; i++) {
        MPI_Send(octets, 8, MPI_BYTE, 1, i, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < MESSAGES && rank == 1; i++) {
        MPI_Recv(octets, 8, MPI_BYTE, 0, i, MPI_COMM_WORLD, &statuses[0]);
    }
}

/* Messages that somebody waits for. */
static void expected(void)
{
    for (int i = 0; i < MESSAGES && rank == 1; i++) {
        MPI_Irecv(octets + (size_t)8 * (size_t)i, 8, MPI_BYTE, 0, i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < MESSAGES && rank == 0; i++) {
        MPI_Isend(octets, 8, MPI_BYTE, 1, i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(MESSAGES, requests, statuses);
}

static void kind(const char *name, void (*messages)(void))
{
    MPI_Barrier(MPI_COMM_WORLD);
    counted_begin();
    messages();
    counted_end(name, (unsigned)rank, MESSAGES);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    kind("unexpected", unexpected);
    for (int i = 0; i < MESSAGES; i++) {
        requests[i] = MPI_REQUEST_NULL;
    }
    kind("expected", expected);
    MPI_Finalize();
    return 0;
}
