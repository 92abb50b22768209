/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * MPI_Reduce with MPI_IN_PLACE at every root, of short rows, and of long ones, which go another way.
 */
#include <mpi.h>
#include <stdio.h>

enum { MOST = 70001 };

static int own[MOST], other[MOST];

int main(int argc, char **argv)
{
    static const int counts[] = {0, 1, 511, 8191, 8192, 16384, 16385, MOST};
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        for (int root = 0; root < size; root++) {
            long wrong = 0;

            for (int at = 0; at < counts[i]; at++) {
                own[at] = at * (rank + 1) + root;
                other[at] = -1;
            }
            MPI_Reduce(rank == root ? MPI_IN_PLACE : own, rank == root ? own : other, counts[i], MPI_INT, MPI_SUM, root,
                       MPI_COMM_WORLD);
            for (int at = 0; at < counts[i]; at++) {
                wrong += rank == root ? own[at] != at * (size * (size + 1) / 2) + root * size
                                      : own[at] != at * (rank + 1) + root || other[at] != -1;
            }
            MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &wrong, &wrong, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
            if (rank == 0) {
                printf("%d numbers at %d: %ld wrong\n", counts[i], root, wrong);
            }
        }
    }
    MPI_Finalize();
    return 0;
}
