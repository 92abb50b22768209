/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations that only begin: each of them beside its blocking form, several at once, with messages and
 * blocking operations in between, on communicators, types and operations that are freed meanwhile.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 16, MOST = 20000 };

static int rank, size;

/* A number of what is in memory, the same in every process order. */
static unsigned sum_of(const int *numbers, int count)
{
    unsigned sum = 17;

    for (int i = 0; i < count; i++) {
        sum = sum * 31 + (unsigned)numbers[i];
    }
    return sum;
}

/* Prints what the processes say, in the order of ranks. */
static void say(const char *what, unsigned mine)
{
    unsigned all[RANKS_MAX];

    MPI_Gather(&mine, 1, MPI_UNSIGNED, all, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s:", what);
        for (int i = 0; i < size; i++) {
            printf(" %u", all[i]);
        }
        printf("\n");
    }
}

/* Ends a request in one of the ways that there are. */
static void end(MPI_Request *request, int way)
{
    MPI_Status status;
    int flag = 0, index;

    switch (way % 4) {
    case 0:
        MPI_Wait(request, MPI_STATUS_IGNORE);
        break;
    case 1:
        while (!flag) {
            MPI_Test(request, &flag, &status);
        }
        break;
    case 2:
        MPI_Waitany(1, request, &index, &status);
        break;
    default:
        while (!flag) {
            MPI_Request_get_status(*request, &flag, MPI_STATUS_IGNORE);
        }
        MPI_Waitall(1, request, &status);
    }
    if (*request != MPI_REQUEST_NULL) {
        printf("a request is left\n");
    }
}

/* Room for blocks of all processes: what goes out, what comes in, and what should. */
static int *out, *in, *expected;

static void fill(int count)
{
    for (int i = 0; i < count; i++) {
        out[i] = 1000 * rank + 7 * i;
        in[i] = expected[i] = -1;
    }
}

static void check(const char *what, int count, int way, MPI_Request *request)
{
    char line[64];

    end(request, way);
    (void)snprintf(line, sizeof(line), "%s %d", what, count);
    say(line, memcmp(in, expected, (size_t)count * sizeof(int)) == 0 ? sum_of(in, count) : 0);
}

static void moves(int count, int way)
{
    const int all = count * size, root = way % size;
    int counts[RANKS_MAX], displs[RANKS_MAX];
    MPI_Request request;

    for (int i = 0; i < size; i++) {
        counts[i] = count > i ? count - i : 0;
        displs[i] = i * count;
    }
    fill(all);
    for (int i = 0; rank == root && i < count; i++) {
        in[i] = expected[i] = i * i;
    }
    MPI_Ibcast(in, count, MPI_INT, root, MPI_COMM_WORLD, &request);
    MPI_Bcast(expected, count, MPI_INT, root, MPI_COMM_WORLD);
    check("bcast", count, way, &request);
    fill(all);
    MPI_Igather(out, count, MPI_INT, in, count, MPI_INT, root, MPI_COMM_WORLD, &request);
    MPI_Gather(out, count, MPI_INT, expected, count, MPI_INT, root, MPI_COMM_WORLD);
    check("gather", all, way, &request);
    fill(all);
    MPI_Igatherv(out, counts[rank], MPI_INT, in, counts, displs, MPI_INT, root, MPI_COMM_WORLD, &request);
    MPI_Gatherv(out, counts[rank], MPI_INT, expected, counts, displs, MPI_INT, root, MPI_COMM_WORLD);
    check("gatherv", all, way, &request);
    fill(all);
    MPI_Iscatter(out, count, MPI_INT, in, count, MPI_INT, root, MPI_COMM_WORLD, &request);
    MPI_Scatter(out, count, MPI_INT, expected, count, MPI_INT, root, MPI_COMM_WORLD);
    check("scatter", count, way, &request);
    fill(all);
    MPI_Iscatterv(out, counts, displs, MPI_INT, in, counts[rank], MPI_INT, root, MPI_COMM_WORLD, &request);
    MPI_Scatterv(out, counts, displs, MPI_INT, expected, counts[rank], MPI_INT, root, MPI_COMM_WORLD);
    check("scatterv", count, way, &request);
    fill(all);
    MPI_Iallgather(out, count, MPI_INT, in, count, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Allgather(out, count, MPI_INT, expected, count, MPI_INT, MPI_COMM_WORLD);
    check("allgather", all, way, &request);
    fill(all);
    MPI_Iallgatherv(out, counts[rank], MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Allgatherv(out, counts[rank], MPI_INT, expected, counts, displs, MPI_INT, MPI_COMM_WORLD);
    check("allgatherv", all, way, &request);
}

static void exchanges(int count, int way)
{
    const int all = count * size;
    int sends[RANKS_MAX], receives[RANKS_MAX], displs[RANKS_MAX], octets[RANKS_MAX];
    MPI_Datatype types[RANKS_MAX], number;
    MPI_Request request;

    for (int i = 0; i < size; i++) {
        sends[i] = (rank + i) % (count + 1);
        receives[i] = (i + rank) % (count + 1);
        displs[i] = i * count;
        octets[i] = displs[i] * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    fill(all);
    MPI_Ialltoall(out, count, MPI_INT, in, count, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Alltoall(out, count, MPI_INT, expected, count, MPI_INT, MPI_COMM_WORLD);
    check("alltoall", all, way, &request);
    fill(all);
    memcpy(in, out, (size_t)all * sizeof(int));
    MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, count, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Alltoall(out, count, MPI_INT, expected, count, MPI_INT, MPI_COMM_WORLD);
    check("alltoall in place", all, way, &request);
    fill(all);
    MPI_Ialltoallv(out, sends, displs, MPI_INT, in, receives, displs, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Alltoallv(out, sends, displs, MPI_INT, expected, receives, displs, MPI_INT, MPI_COMM_WORLD);
    check("alltoallv", all, way, &request);
    fill(all);
    MPI_Type_contiguous(1, MPI_INT, &number);
    MPI_Type_commit(&number);
    types[0] = number;
    MPI_Ialltoallw(out, sends, octets, types, in, receives, octets, types, MPI_COMM_WORLD, &request);
    MPI_Alltoallw(out, sends, octets, types, expected, receives, octets, types, MPI_COMM_WORLD);
    MPI_Type_free(&number);
    check("alltoallw", all, way, &request);
}

/* First the lower ranks' operand: a1 x + b1, then a2 x + b2, modulo a prime. */
static void compose(void *first, void *second, int *count, MPI_Datatype *datatype)
{
    const int *a = first;
    int *b = second;

    (void)datatype;
    for (int i = 0; i < *count; i++) {
        int factor = b[2 * i] % 251;

        b[2 * i + 1] = (a[2 * i + 1] % 251 * factor + b[2 * i + 1]) % 251;
        b[2 * i] = a[2 * i] % 251 * factor % 251;
    }
}

static void reductions(int count, int way)
{
    const int root = (way + 1) % size;
    int counts[RANKS_MAX];
    MPI_Request request;
    MPI_Datatype pair;
    MPI_Op op;

    for (int i = 0; i < size; i++) {
        counts[i] = count - i > 0 ? count - i : 0;
    }
    fill(count * size);
    MPI_Ireduce(out, in, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD, &request);
    MPI_Reduce(out, expected, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    check("reduce", count, way, &request);
    fill(count * size);
    memcpy(in, out, (size_t)count * sizeof(int));
    MPI_Iallreduce(MPI_IN_PLACE, in, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    MPI_Allreduce(out, expected, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    check("allreduce", count, way, &request);
    fill(count * size);
    MPI_Iscan(out, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Scan(out, expected, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check("scan", count, way, &request);
    fill(count * size);
    MPI_Iexscan(out, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Exscan(out, expected, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check("exscan", count, way, &request);
    fill(count * size);
    MPI_Ireduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Reduce_scatter(out, expected, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check("reduce_scatter", count, way, &request);
    fill(count * size);
    MPI_Ireduce_scatter_block(out, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Reduce_scatter_block(out, expected, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check("reduce_scatter_block", count, way, &request);

    /* Type and operation are the program's own, and freed at once. */
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(compose, 0, &op);
    fill(2 * count);
    MPI_Allreduce(out, expected, count, pair, op, MPI_COMM_WORLD);
    MPI_Iallreduce(out, in, count, pair, op, MPI_COMM_WORLD, &request);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
    check("own operation", 2 * count, way, &request);
}

/* Many at once on one communicator, ended in another order. */
static void several(void)
{
    enum { MANY = 40 };
    MPI_Request requests[MANY];
    MPI_Status statuses[MANY];
    int sent[MANY], sums[MANY], last = -1, done = 0, indices[MANY], some;

    for (int i = 0; i < MANY; i++) {
        sent[i] = rank + i;
        sums[i] = i;
        if (i % 3 == 0) {
            MPI_Iallreduce(&sent[i], &sums[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[i]);
        } else if (i % 3 == 1) {
            MPI_Ibcast(&sums[i], 1, MPI_INT, i % size, MPI_COMM_WORLD, &requests[i]);
        } else {
            MPI_Ibarrier(MPI_COMM_WORLD, &requests[i]);
        }
    }
    MPI_Allreduce(&rank, &last, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Wait(&requests[MANY - 1], MPI_STATUS_IGNORE);
    while (done < MANY - 1) {
        MPI_Waitsome(MANY, requests, &some, indices, statuses);
        done += some;
    }
    say("several", sum_of(sums, MANY) + (unsigned)last);
}

/* One on each of several communicators, which are freed at once, beside messages around a ring. The communicators do
 * not wait for each other: every process begins with another one. */
static void communicators(void)
{
    enum { COMMS = 4 };
    MPI_Comm comms[COMMS];
    MPI_Request requests[COMMS + 2];
    MPI_Status statuses[COMMS + 2];
    int sums[COMMS], token = rank, got = -1, before = (rank + size - 1) % size, behind = (rank + 1) % size;

    for (int i = 0; i < COMMS; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    }
    for (int i = 0; i < COMMS; i++) {
        int c = (rank + i) % COMMS;

        MPI_Iallreduce(&rank, &sums[c], 1, MPI_INT, MPI_SUM, comms[c], &requests[c]);
    }
    MPI_Irecv(&got, 1, MPI_INT, before, 5, comms[0], &requests[COMMS]);
    MPI_Isend(&token, 1, MPI_INT, behind, 5, comms[0], &requests[COMMS + 1]);
    for (int i = 0; i < COMMS; i++) {
        MPI_Comm_free(&comms[i]);
    }
    MPI_Waitall(COMMS + 2, requests, statuses);
    say("communicators", sum_of(sums, COMMS) + (unsigned)got);
}

/* The end of a barrier depends on processes that wait in all sorts of calls meanwhile. */
static void progress(void)
{
    MPI_Request request;
    MPI_Status status;
    int flag = 0, number = rank, got = -1, next = (rank + 1) % size, before = (rank + size - 1) % size;

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    if (rank == 0) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int to = 1; to < size; to++) {
            MPI_Send(&number, 1, MPI_INT, to, 9, MPI_COMM_WORLD);
        }
    } else {
        if (rank % 3 == 1) {
            MPI_Probe(0, 9, MPI_COMM_WORLD, &status);
        } else if (rank % 3 == 2) {
            while (!flag) {
                MPI_Iprobe(0, 9, MPI_COMM_WORLD, &flag, &status);
            }
        }
        MPI_Recv(&got, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &status);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    say("barrier", (unsigned)(got + 1));
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Sendrecv(&number, 1, MPI_INT, next, 3, &got, 1, MPI_INT, before, 3, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("ring", (unsigned)got);
}

/* As programs find out who sends to them: messages are acknowledged by their receivers, then all meet in a barrier that
 * each process begins when its own have been received. */
static void consensus(void)
{
    MPI_Request sends[2], barrier = MPI_REQUEST_NULL;
    MPI_Status status, statuses[2];
    int data[2] = {100 + rank, 200 + rank}, sum = 0, begun = 0, done = 0, flag, got;

    MPI_Issend(&data[0], 1, MPI_INT, (rank * 2 + 1) % size, 7, MPI_COMM_WORLD, &sends[0]);
    MPI_Issend(&data[1], 1, MPI_INT, (rank * 3) % size, 7, MPI_COMM_WORLD, &sends[1]);
    while (!done) {
        MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, &status);
        if (flag) {
            MPI_Recv(&got, 1, MPI_INT, status.MPI_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += got;
        }
        if (begun) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        } else {
            MPI_Testall(2, sends, &flag, statuses);
            if (flag) {
                MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
                begun = 1;
            }
        }
    }
    say("consensus", (unsigned)sum);
}

int main(int argc, char **argv)
{
    const int counts[] = {0, 1, 100, MOST};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    out = malloc((size_t)MOST * (size_t)(size + 1) * sizeof(int));
    in = malloc((size_t)MOST * (size_t)(size + 1) * sizeof(int));
    expected = malloc((size_t)MOST * (size_t)(size + 1) * sizeof(int));
    for (int i = 0; i < 4; i++) {
        moves(counts[i], i);
        exchanges(counts[i], i + 1);
        reductions(counts[i], i + 2);
    }
    several();
    communicators();
    progress();
    consensus();
    free(out);
    free(in);
    free(expected);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
