/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Many short collective operations one after the other, of changing kind, root and length, some octets more than memory
 * of the node takes among them, on communicators of all processes and of some, while processes are late in turn,
 * messages pass and a nonblocking operation is under way. What each process has got in the end is printed.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 1500, WORDS = 150, RANKS_MAX = 16, KINDS = 10, LATE = 61, LATE_US = 300 };

static unsigned sum = 17, seed = 1;
static int got[WORDS * RANKS_MAX], out[WORDS * RANKS_MAX];

/* The same row of numbers at each process. */
static unsigned next(unsigned below)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % below;
}

static void note(const int *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        sum = sum * 31 + (unsigned)numbers[i];
    }
}

/* The last operand that is not negative: associative, not commutative. */
static void last_of(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int *left = in, *right = inout;

    (void)type;
    for (int i = 0; i < *count; i++) {
        right[i] = right[i] < 0 ? left[i] : right[i];
    }
}

/* A block for each process; numbers are received with a gap behind each. */
static void scatter(MPI_Comm comm, int root, int count)
{
    int rank, size;
    MPI_Datatype gaps;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = count; i < count * size; i++) {
        out[i] = out[i % count] + 100 * i;
    }
    if (count % 5 == 0 && rank == root) {
        MPI_Scatter(out, count, MPI_INT, MPI_IN_PLACE, count, MPI_INT, root, comm);
        note(out + root * count, count);
        return;
    }
    MPI_Type_vector(count, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    MPI_Scatter(out, count, MPI_INT, got, 1, gaps, root, comm);
    MPI_Type_free(&gaps);
    note(got, 2 * count);
}

static void alltoall(MPI_Comm comm, int count)
{
    int size;

    MPI_Comm_size(comm, &size);
    for (int i = count; i < count * size; i++) {
        out[i] = out[i % count] + 100 * i;
    }
    MPI_Alltoall(out, count, MPI_INT, got, count, MPI_INT, comm);
    note(got, count * size);
}

static void operation(MPI_Comm comm, int kind, int root, int count, MPI_Op last)
{
    int rank, size;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < count; i++) {
        out[i] = (int)(sum % 1000) + rank * 7 + i;
    }
    for (int i = 0; i < WORDS * RANKS_MAX; i++) {
        got[i] = -1;
    }
    switch (kind) {
    case 0:
        MPI_Barrier(comm);
        break;
    case 1:
        MPI_Bcast(out, count, MPI_INT, root, comm);
        note(out, count);
        break;
    case 2:
        MPI_Reduce(out, got, count, MPI_INT, MPI_SUM, root, comm);
        note(got, rank == root ? count : 0);
        break;
    case 3:
        MPI_Allreduce(out, got, count, MPI_INT, MPI_MAX, comm);
        note(got, count);
        break;
    case 4:
        MPI_Gather(out, count, MPI_INT, got, count, MPI_INT, root, comm);
        note(got, rank == root ? count * size : 0);
        break;
    case 5:
        MPI_Allgather(out, count, MPI_INT, got, count, MPI_INT, comm);
        note(got, count * size);
        break;
    case 6:
        for (int i = 0; i < count; i++) {
            out[i] = (rank + i) % 3 ? out[i] : -1;
        }
        MPI_Allreduce(out, got, count, MPI_INT, last, comm);
        note(got, count);
        break;
    case 7:
        scatter(comm, root, count);
        break;
    case 8:
        alltoall(comm, count);
        break;
    default:
        MPI_Allreduce(MPI_IN_PLACE, out, count, MPI_INT, MPI_BXOR, comm);
        note(out, count);
        break;
    }
}

int main(int argc, char **argv)
{
    int rank, size, number, token = 0;
    unsigned all[RANKS_MAX];
    MPI_Comm half, comm[2];
    MPI_Request request = MPI_REQUEST_NULL, sent;
    MPI_Op last;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Op_create(last_of, 0, &last);
    comm[0] = MPI_COMM_WORLD;
    comm[1] = half;
    for (int round = 0; round < ROUNDS; round++) {
        unsigned which = next(4) == 0;
        int kind = (int)next(KINDS), root = (int)next(3), count = (int)next(round % 10 ? 20 : WORDS), members;

        MPI_Comm_size(comm[which], &members);
        if (round % LATE == rank * 5) {
            (void)usleep(LATE_US);
        }
        if (round % 50 == 0) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            note(&token, 1);
            token += round;
            MPI_Ibcast(&token, 1, MPI_INT, round % size, MPI_COMM_WORLD, &request);
        }
        if (round % 30 == 1) {
            number = round;
            MPI_Isend(&number, 1, MPI_INT, (rank + 1) % size, round, MPI_COMM_WORLD, &sent);
        }
        operation(comm[which], kind, root % members, count, last);
        if (round % 30 == 1) {
            MPI_Recv(got, 1, MPI_INT, (rank + size - 1) % size, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Wait(&sent, MPI_STATUS_IGNORE);
            note(got, 1);
        }
    }
    for (int i = 0; i < 100; i++) { /* one root, ahead of the others as far as it can be */
        number = rank ? -1 : i;
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
        note(&number, 1);
        if (rank == size - 1 && i % 40 == 7) {
            (void)usleep(20 * LATE_US);
        }
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Gather(&sum, 1, MPI_UNSIGNED, all, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    for (int i = 0; i < size && rank == 0; i++) {
        printf("%d: %u\n", i, all[i]);
    }
    MPI_Op_free(&last);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
