/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages sent and received at once by a call that does not wait: around a ring, to MPI_PROC_NULL, in place, longer
 * than what is sent without the receiver, beside a barrier that only begins. Rank 0 prints how much
 * was wrong at all ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONG = 200000 };

static int rank, size, left, right;

static void show(const char *name, int wrong)
{
    int sum = 0;

    MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s: %d wrong\n", name, sum);
    }
}

static void ring(int count)
{
    int *out = calloc((size_t)count, sizeof(int)), *in = calloc((size_t)count, sizeof(int)), got = 0;
    int wrong;
    MPI_Request request;
    MPI_Status status;

    for (int i = 0; i < count; i++) {
        out[i] = rank * 7 + i;
        in[i] = -1;
    }
    MPI_Isendrecv(out, count, MPI_INT, right, 3, in, count, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &got);
    wrong = (got != count) + (status.MPI_TAG != 3) + (status.MPI_SOURCE != left);
    for (int i = 0; i < count; i++) {
        wrong += in[i] != left * 7 + i;
    }
    show("ring", wrong);
    MPI_Isendrecv_replace(out, count, MPI_INT, left, 4, right, 4, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wrong = 0;
    for (int i = 0; i < count; i++) {
        wrong += out[i] != right * 7 + i;
    }
    show("replaced", wrong);
    free(out);
    free(in);
}

/* The first and the last have a neighbour on one side alone. */
static void line(void)
{
    int out[2] = {rank, -rank}, in[2] = {-5, -6}, flag = 0;
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL, behind = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Request request[2];

    MPI_Isendrecv(&out[0], 1, MPI_INT, behind, 1, &in[0], 1, MPI_INT, before, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Isendrecv(&out[1], 1, MPI_INT, before, 2, &in[1], 1, MPI_INT, behind, 2, MPI_COMM_WORLD, &request[1]);
    while (!flag) {
        MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
    }
    show("line", (in[0] != (rank > 0 ? rank - 1 : -5)) + (in[1] != (rank + 1 < size ? -(rank + 1) : -6)));
    in[0] = rank + 100;
    MPI_Isendrecv_replace(in, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, MPI_COMM_WORLD, request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    show("nobody", in[0] != rank + 100);
}

/* An operation of all that is begun at some processes before the exchange, at others behind it. */
static void beside(void)
{
    int out = rank + 1, in = 0;
    MPI_Request request[2];

    if (rank % 2) {
        MPI_Ibarrier(MPI_COMM_WORLD, &request[0]);
        MPI_Isendrecv(&out, 1, MPI_INT, right, 9, &in, 1, MPI_INT, left, 9, MPI_COMM_WORLD, &request[1]);
        MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    } else {
        MPI_Isendrecv(&out, 1, MPI_INT, right, 9, &in, 1, MPI_INT, left, 9, MPI_COMM_WORLD, &request[1]);
        MPI_Wait(&request[1], MPI_STATUS_IGNORE);
        MPI_Ibarrier(MPI_COMM_WORLD, &request[0]);
    }
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    show("beside", in != left + 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    ring(5);
    ring(LONG);
    line();
    beside();
    MPI_Finalize();
    return 0;
}
