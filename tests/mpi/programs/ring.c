/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A number goes round the ring of processes, and each adds its rank.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Status status;
    int rank, size, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 50; round++) {
        int left = (rank + size - 1) % size, right = (rank + 1) % size;

        if (rank == 0) {
            MPI_Sendrecv_replace(&sum, 1, MPI_INT, right, round, left, round, MPI_COMM_WORLD, &status);
        } else {
            MPI_Recv(&sum, 1, MPI_INT, left, round, MPI_COMM_WORLD, &status);
            sum += rank;
            MPI_Send(&sum, 1, MPI_INT, right, round, MPI_COMM_WORLD);
        }
    }
    if (rank == 0) {
        printf("after 50 rounds of %d processes: %d\n", size, sum);
    }
    MPI_Finalize();
    return 0;
}
