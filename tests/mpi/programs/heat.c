/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Heat spreads in a rod: each process has a piece of it, and trades the ends with its neighbours by persistent
 * requests.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 60, STEPS = 200 };

int main(int argc, char **argv)
{
    int rank, size, left, right;
    double now[CELLS + 2] = {0}, next[CELLS + 2] = {0}, total = 0, change, greatest = 0;
    MPI_Request requests[4];
    MPI_Status statuses[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    if (rank == 0) {
        now[1] = 1000;
    }
    MPI_Recv_init(&now[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&now[CELLS + 1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Send_init(&now[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Send_init(&now[CELLS], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[3]);
    for (int step = 0; step < STEPS; step++) {
        MPI_Startall(4, requests);
        MPI_Waitall(4, requests, statuses);
        if (left == MPI_PROC_NULL) {
            now[0] = now[1];
        }
        if (right == MPI_PROC_NULL) {
            now[CELLS + 1] = now[CELLS];
        }
        change = 0;
        for (int i = 1; i <= CELLS; i++) {
            next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
            change = fmax(change, fabs(next[i] - now[i]));
        }
        for (int i = 1; i <= CELLS; i++) {
            now[i] = next[i];
        }
        MPI_Allreduce(&change, &greatest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 4; i++) {
        MPI_Request_free(&requests[i]);
    }
    change = 0;
    for (int i = 1; i <= CELLS; i++) {
        change += now[i];
    }
    MPI_Reduce(&change, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("after %d steps: heat %.6f, at the end %.6f, last change %.6f\n", STEPS, total, now[1], greatest);
    }
    MPI_Finalize();
    return 0;
}
