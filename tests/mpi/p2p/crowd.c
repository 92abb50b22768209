/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A large job: everybody exchanges messages with ranks far and near, then one rank hears from all others at once, and
 * all leave together.
 */
#include "tests/mpi/p2p/p2p.h"

enum { SHIFT = 1, ALL = 2, STRIDE = 37 };

static void shift(int by)
{
    int to = (p2p_rank + by) % p2p_size, from = (p2p_rank + p2p_size - by) % p2p_size, got = -1;
    MPI_Status status;

    MPI_Sendrecv(&p2p_rank, 1, MPI_INT, to, SHIFT, &got, 1, MPI_INT, from, SHIFT, MPI_COMM_WORLD, &status);
    MUST(got == from && status.MPI_SOURCE == from, "%d came from %d", got, from);
}

static void gather(void)
{
    long long sum = 0;

    if (p2p_rank > 0) {
        MPI_Send(&p2p_rank, 1, MPI_INT, 0, ALL, MPI_COMM_WORLD);
        return;
    }
    for (int i = 1; i < p2p_size; i++) {
        MPI_Status status;
        int got;

        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, ALL, MPI_COMM_WORLD, &status);
        MUST(got == status.MPI_SOURCE, "%d came from %d", got, status.MPI_SOURCE);
        sum += got;
    }
    MUST(sum == (long long)p2p_size * (p2p_size - 1) / 2, "the sum is %lld", sum);
}

int main(int argc, char **argv)
{
    p2p_begin(&argc, &argv);
    for (int by = 1; by < p2p_size; by += STRIDE) {
        shift(by);
    }
    gather();
    return p2p_end();
}
