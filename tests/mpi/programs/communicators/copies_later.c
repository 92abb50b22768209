/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Communicators that are copied beside other work (MPI_Comm_idup): where the processes begin them late, in different
 * orders, and many at once. Nothing here ends where a copy waits for other processes.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANY = 12 };

static int rank, size;

/* Prints what the processes say, in the order of ranks. */
static void say(const char *what, int mine)
{
    int all[64];

    MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s:", what);
        for (int i = 0; i < size; i++) {
            printf(" %d", all[i]);
        }
        printf("\n");
    }
}

static int sum_over(MPI_Comm comm, int mine)
{
    int sum = 0;

    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    return sum;
}

/* The last process begins when all others say that they have. */
static void late(void)
{
    MPI_Comm copy;
    MPI_Request request;

    if (rank == size - 1) {
        for (int other = 0; other < size - 1; other++) {
            MPI_Recv(NULL, 0, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    if (rank != size - 1) {
        MPI_Ssend(NULL, 0, MPI_BYTE, size - 1, 1, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("late", sum_over(copy, rank));
    MPI_Comm_free(&copy);
}

/* Each process has a communicator with the one before it and one with the next, and begins with the latter: in a
 * circle. A message in each copy is for no other, nor for the original. */
static void circle(void)
{
    int before = (rank + size - 1) % size, next = (rank + 1) % size, got[2] = {-1, -1},
        out[2] = {100 + rank, 200 + rank};
    MPI_Comm pair[2], copy[2];
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Group world, part;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int first = 0; first < size; first++) {
        int ranks[2] = {first, (first + 1) % size};

        if (rank == ranks[0] || rank == ranks[1]) {
            MPI_Group_incl(world, 2, ranks, &part);
            MPI_Comm_create_group(MPI_COMM_WORLD, part, first, &pair[rank == first ? 0 : 1]);
            MPI_Group_free(&part);
        }
    }
    MPI_Comm_idup(pair[0], &copy[0], &requests[0]);
    MPI_Comm_idup(pair[1], &copy[1], &requests[1]);
    MPI_Waitall(2, requests, statuses);
    MPI_Irecv(&got[0], 1, MPI_INT, 1, 0, copy[0], &requests[0]);
    MPI_Irecv(&got[1], 1, MPI_INT, 0, 0, copy[1], &requests[1]);
    MPI_Isend(&out[0], 1, MPI_INT, 1, 0, copy[0], &requests[2]);
    MPI_Isend(&out[1], 1, MPI_INT, 0, 0, copy[1], &requests[3]);
    MPI_Waitall(4, requests, statuses);
    say("circle", got[0] == 200 + next && got[1] == 100 + before);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_free(&pair[i]);
        MPI_Comm_free(&copy[i]);
    }
    MPI_Group_free(&world);
}

/* Copies of several communicators, which even and odd processes begin in opposite orders, and a blocking one beside. */
static void many(void)
{
    MPI_Comm one[MANY], copy[2 * MANY], beside;
    MPI_Request requests[2 * MANY];
    MPI_Status statuses[2 * MANY];
    int good = 1;

    for (int i = 0; i < MANY; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? -rank : rank, &one[i]);
    }
    for (int at = 0; at < 2 * MANY; at++) {
        int i = rank % 2 ? 2 * MANY - 1 - at : at;

        MPI_Comm_idup(one[i / 2], &copy[i / 2 * 2 + (rank % 2 ? 1 - i % 2 : i % 2)], &requests[at]);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &beside);
    MPI_Waitall(2 * MANY, requests, statuses);
    for (int i = 0; i < 2 * MANY; i++) {
        int result;

        MPI_Comm_compare(one[i / 2], copy[i], &result);
        good = good && result == MPI_CONGRUENT && sum_over(copy[i], i + rank) == size * i + size * (size - 1) / 2;
    }
    /* What is sent in one arrives in that one, although the receives are begun in another order. */
    for (int i = 0; i < 2 * MANY; i++) {
        int own;

        MPI_Comm_rank(copy[i], &own);
        MPI_Isend(&i, 1, MPI_INT, own, 3, copy[i], &requests[i]);
        MPI_Request_free(&requests[i]);
        MPI_Barrier(beside);
    }
    for (int i = 2 * MANY - 1; i >= 0; i--) {
        int own, got;

        MPI_Comm_rank(copy[i], &own);
        MPI_Recv(&got, 1, MPI_INT, own, 3, copy[i], MPI_STATUS_IGNORE);
        good = good && got == i;
        MPI_Comm_free(&copy[i]);
    }
    for (int i = 0; i < MANY; i++) {
        MPI_Comm_free(&one[i]);
    }
    MPI_Comm_free(&beside);
    say("many", good);
}

/* Of an intercommunicator: each group hears of the other. */
static void between_groups(void)
{
    MPI_Comm half, inter, copy;
    MPI_Request request;
    int others, sum;

    if (size < 2) {
        return;
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &inter);
    MPI_Comm_idup(inter, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_remote_size(copy, &others);
    sum = sum_over(copy, rank);
    say("between groups", 100 * others + sum);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* Attributes are copied by the call, not later. */
static int copy_number(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm;
    (void)key;
    *(void **)out = in;
    *flag = 1;
    ++*(int *)extra;
    return MPI_SUCCESS;
}

static void attributes(void)
{
    static int first = 17, second = 18;
    int key, calls = 0, found, *value;
    MPI_Comm comm, copy;
    MPI_Request request;

    MPI_Comm_create_keyval(copy_number, MPI_COMM_NULL_DELETE_FN, &key, &calls);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_attr(comm, key, &first);
    MPI_Comm_idup(comm, &copy, &request);
    found = calls;
    MPI_Comm_set_attr(comm, key, &second);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_get_attr(copy, key, &value, &calls);
    say("attributes", 100 * found + *value);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&key);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    late();
    if (size > 2) {
        circle();
    }
    many();
    between_groups();
    attributes();
    MPI_Finalize();
    return 0;
}
