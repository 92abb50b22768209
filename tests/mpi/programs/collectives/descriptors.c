/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A program's own files stay open whatever the library shares between processes: each process has opened a different
 * number of them, and short collective operations on new communicators come behind that.
 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST = 40 };

int main(int argc, char **argv)
{
    int rank, size, own[MOST], count, lost = 0, all, sum;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    count = MOST * rank / size;
    for (int i = 0; i < count; i++) {
        own[i] = open("/dev/null", O_WRONLY);
    }
    for (int turn = 0; turn < 3; turn++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int i = 0; i < 20; i++) {
            MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
            MPI_Bcast(&sum, 1, MPI_INT, 0, comm);
            MPI_Barrier(comm);
        }
        MPI_Comm_free(&comm);
    }
    for (int i = 0; i < count; i++) {
        lost += write(own[i], "x", 1) != 1;
        close(own[i]);
    }
    MPI_Reduce(&lost, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("lost: %d\n", all);
    }
    MPI_Finalize();
    return 0;
}
