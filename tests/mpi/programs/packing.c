/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages that are packed at one end only: what is sent as MPI_PACKED is received as what it is made of, and the other
 * way round. Every process does so with every process, itself included, in short messages and in long ones; and sends
 * itself numbers as large as a long can hold.
 */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { PACKED_TO_TYPED = 1, TYPED_TO_PACKED, BUFFERED, MOST = 5000 };

static const int counts[] = {1, 7, MOST};

/* What a process packs: a double, and numbers that say who sent them and where they stand. */
static double fraction(int from)
{
    return from + 0.25;
}

static int number(int from, int place)
{
    return 1000000 * (from + 1) + place;
}

/* The same sequence of types, as one datatype. */
static MPI_Datatype type_of(double *first, int *rest, int count)
{
    int lengths[2] = {1, count};
    MPI_Aint places[2];
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT}, made;

    MPI_Address(first, &places[0]);
    MPI_Address(rest, &places[1]);
    MPI_Type_struct(2, lengths, places, types, &made);
    MPI_Type_commit(&made);
    return made;
}

static void send_both(int rank, int to, int count, MPI_Request requests[2], char *packed, int size)
{
    static double first;
    static int rest[MOST];
    int position = 0;
    MPI_Datatype type = type_of(&first, rest, count);

    first = fraction(rank);
    for (int i = 0; i < count; i++) {
        rest[i] = number(rank, i);
    }
    MPI_Pack(&first, 1, MPI_DOUBLE, packed, size, &position, MPI_COMM_WORLD);
    MPI_Pack(rest, count, MPI_INT, packed, size, &position, MPI_COMM_WORLD);
    MPI_Isend(packed, position, MPI_PACKED, to, PACKED_TO_TYPED, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(MPI_BOTTOM, 1, type, to, TYPED_TO_PACKED, MPI_COMM_WORLD, &requests[1]);
    MPI_Type_free(&type);
}

static int wrong(int from, double first, const int *rest, int count)
{
    int found = first != fraction(from);

    for (int i = 0; i < count; i++) {
        found += rest[i] != number(from, i);
    }
    return found;
}

static int receive_both(int from, int count, char *packed, int size)
{
    double first = 0;
    static int rest[MOST];
    int position = 0, came = 0, found;
    MPI_Datatype type = type_of(&first, rest, count);
    MPI_Status status;

    MPI_Recv(MPI_BOTTOM, 1, type, from, PACKED_TO_TYPED, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, type, &came);
    found = (came != 1) + wrong(from, first, rest, count);
    MPI_Recv(packed, size, MPI_PACKED, from, TYPED_TO_PACKED, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_PACKED, &came);
    MPI_Unpack(packed, came, &position, &first, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Unpack(packed, came, &position, rest, count, MPI_INT, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    return found + (position != came) + wrong(from, first, rest, count);
}

/* Everybody with everybody, at a distance that is the same for all. */
static int exchange(int rank, int size, int distance, int count)
{
    int octets = (int)sizeof(double) + MOST * (int)sizeof(int) + 64, found;
    char *out = malloc((size_t)octets), *in = malloc((size_t)octets);
    MPI_Request requests[2];
    MPI_Status statuses[2];

    if (!out || !in) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    send_both(rank, (rank + distance) % size, count, requests, out, octets);
    found = receive_both((rank + size - distance) % size, count, in, octets);
    MPI_Waitall(2, requests, statuses);
    free(out);
    free(in);
    return found;
}

/* A long to oneself, by way of the attached buffer, whose size is as the standard says that it must be. */
static int large_numbers(int rank)
{
    long out[2] = {LONG_MAX, LONG_MIN}, in[2] = {0, 0}, small = rank;
    int size, detached;
    char *buffer;
    MPI_Request request;

    MPI_Pack_size(1, MPI_LONG, MPI_COMM_WORLD, &size);
    size += MPI_BSEND_OVERHEAD;
    buffer = malloc((size_t)size);
    MPI_Buffer_attach(buffer, size);
    MPI_Bsend(&small, 1, MPI_LONG, rank, BUFFERED, MPI_COMM_WORLD);
    MPI_Recv(in, 2, MPI_LONG, rank, BUFFERED, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    small -= in[0];
    MPI_Buffer_detach(&buffer, &detached);
    free(buffer);
    MPI_Isend(out, 2, MPI_LONG, rank, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(in, 2, MPI_LONG, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return (small != 0) + (in[0] != LONG_MAX) + (in[1] != LONG_MIN);
}

int main(int argc, char **argv)
{
    int rank, size, found, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    found = large_numbers(rank);
    for (int distance = 0; distance < size; distance++) {
        for (int i = 0; i < 3; i++) {
            found += exchange(rank, size, distance, counts[i]);
        }
    }
    MPI_Reduce(&found, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d processes, %d values that are not as they were sent\n", size, all);
    }
    MPI_Finalize();
    return 0;
}
