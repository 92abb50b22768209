/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where am I? Every process tells rank 0 in which client and on which host of the job it is, by the attributes that
 * IMPI 0.0 adds to every communicator (section 2.5). three_clients.py runs it in the document's own example of a job:
 *
 *   assay-mpicc -o greet greet.c && impirun -client 0 ADDRESS:PORT -np 6 -hosts 3 ./greet
 */
#include <mpi.h>
#include <stdio.h>

enum { WORDS = 4, TAG = 1 };

/* The value of an attribute, or -1 where the MPI knows nothing of IMPI. */
static int attribute(int key)
{
    int *value, found;

    MPI_Attr_get(MPI_COMM_WORLD, key, &value, &found);
    return found ? *value : -1;
}

int main(int argc, char **argv)
{
    int rank, size, place[WORDS];
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    place[0] = attribute(IMPI_CLIENT_COLOR);
    place[1] = attribute(IMPI_CLIENT_SIZE);
    place[2] = attribute(IMPI_HOST_COLOR);
    place[3] = attribute(IMPI_HOST_SIZE);
    if (rank != 0) {
        MPI_Send(place, WORDS, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    }
    for (int from = 0; rank == 0 && from < size; from++) {
        if (from > 0) {
            MPI_Recv(place, WORDS, MPI_INT, from, TAG, MPI_COMM_WORLD, &status);
        }
        printf("rank %2d of %d: client %d of %d, host %d of %d\n", from, size, place[0], place[1], place[2], place[3]);
    }
    MPI_Finalize();
    return 0;
}
