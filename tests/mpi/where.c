/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where the processes of an IMPI job are, by the attributes of chapter 2.5: of the world, of a communicator without
 * rank 0, and of the parts into which the colour of the client splits the world.
 */
#include <mpi.h>
#include <stdio.h>

static const int keys[4] = {IMPI_CLIENT_SIZE, IMPI_CLIENT_COLOR, IMPI_HOST_SIZE, IMPI_HOST_COLOR};

/* Reads the four attributes of a communicator. */
static void read_all(MPI_Comm comm, int values[4])
{
    for (int i = 0; i < 4; i++) {
        int *value, flag = 0;

        MPI_Attr_get(comm, keys[i], &value, &flag);
        values[i] = flag ? *value : -1;
    }
}

/* Prints at rank 0 what each rank has. */
static void show(const char *what, int values[4])
{
    int rank, size, all[4 * 64];

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Gather(values, 4, MPI_INT, all, 4, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++) {
        printf("%s %d: %d %d %d %d\n", what, i, all[4 * i], all[4 * i + 1], all[4 * i + 2], all[4 * i + 3]);
    }
}

int main(int argc, char **argv)
{
    int rank, size, values[4], none[4] = {0};
    MPI_Comm part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    read_all(MPI_COMM_WORLD, values);
    show("world", values);
    MPI_Comm_split(MPI_COMM_WORLD, values[1], 0, &part);
    read_all(part, values);
    show("client", values);
    MPI_Comm_free(&part);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, -rank, &part);
    if (part != MPI_COMM_NULL) {
        read_all(part, values);
    }
    show("rest", part != MPI_COMM_NULL ? values : none);
    if (part != MPI_COMM_NULL) {
        MPI_Comm_free(&part);
    }
    MPI_Finalize();
    return 0;
}
