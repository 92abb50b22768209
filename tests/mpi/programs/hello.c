/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Everybody greets rank 0, which prints the greetings in the order of ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size;
    char text[64];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank != 0) {
        sprintf(text, "Hello from %d of %d", rank, size);
        MPI_Send(text, (int)strlen(text) + 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    } else {
        printf("Hello from 0 of %d\n", size);
        for (int from = 1; from < size; from++) {
            MPI_Status status;
            int count;

            MPI_Recv(text, sizeof(text), MPI_CHAR, from, 0, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_CHAR, &count);
            printf("%s, %d characters\n", text, count - 1);
        }
    }
    MPI_Finalize();
    return 0;
}
