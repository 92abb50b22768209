/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Rows of the table (table.py) that any MPI can give: an ordinary MPI program, compiled with each. One run is one
 * round: a line `name value` for each row, in microseconds, except `rate` (million a second) and `mib_gb` (10^9 octets
 * a second). With more than two ranks only the collective operations are measured. Where there are as many processors
 * as ranks, each rank takes the one of its number. With an argument: `start` does nothing but begin and end, so that
 * who runs it can see how long that takes; `ends` measures no more than a message between the first and the last rank.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* an MPI's own compiler does not */
#endif
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BATCH = 50,
    BATCHES = 40,
    WINDOW = 64,
    WINDOWS = 100,
    LARGE = 1 << 20,
    BURST = 16,
    BURSTS = 4,
    FEW = 4,
    CALLS = 500
};

static int rank, size;
static char *octets;
static MPI_Request requests[100000];
static MPI_Status statuses[WINDOW];

static void say(const char *name, double value)
{
    if (rank == 0) {
        printf("%s %.4f\n", name, value);
    }
}

static void send(int length, int tag)
{
    MPI_Send(octets, length, MPI_BYTE, 1 - rank, tag, MPI_COMM_WORLD);
}

static void receive(int length, int tag)
{
    MPI_Status status;

    MPI_Recv(octets, length, MPI_BYTE, 1 - rank, tag, MPI_COMM_WORLD, &status);
}

static double batch(void)
{
    double begin = MPI_Wtime();

    for (int i = 0; i < BATCH; i++) {
        if (rank == 0) {
            send(8, 0);
        }
        receive(8, 0);
        if (rank == 1) {
            send(8, 0);
        }
    }
    return (MPI_Wtime() - begin) / BATCH / 2 * 1e6;
}

/* Half the round trip of 8 octets, of the quickest of some batches: others use this machine too. */
static double trip(int batches)
{
    double least = batch();

    for (int i = 1; i < batches; i++) {
        double one = batch();

        least = one < least ? one : least;
    }
    return least;
}

static void rate(void)
{
    double begin = MPI_Wtime();

    for (int w = 0; w < WINDOWS; w++) {
        for (int i = 0; i < WINDOW; i++) {
            if (rank == 0) {
                MPI_Isend(octets, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[i]);
            } else {
                MPI_Irecv(octets + 8 * i, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[i]);
            }
        }
        MPI_Waitall(WINDOW, requests, statuses);
        if (rank == 0) {
            receive(0, 1);
        } else {
            send(0, 1);
        }
    }
    say("rate", (double)WINDOWS * WINDOW / (MPI_Wtime() - begin) / 1e6);
}

static void bandwidth(void)
{
    double begin = MPI_Wtime();

    for (int b = 0; b < BURSTS; b++) {
        for (int i = 0; i < BURST; i++) {
            if (rank == 0) {
                MPI_Isend(octets, LARGE, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[i]);
            } else {
                MPI_Irecv(octets, LARGE, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[i]);
            }
        }
        MPI_Waitall(BURST, requests, statuses);
        if (rank == 0) {
            receive(0, 1);
        } else {
            send(0, 1);
        }
    }
    say("mib_gb", (double)BURSTS * BURST * LARGE / (MPI_Wtime() - begin) / 1e9);
}

/* A round trip while so many other receives are posted before it. */
static void posted(int count, const char *name)
{
    static char unused[8];
    MPI_Status status;

    for (int i = 0; i < count; i++) {
        MPI_Irecv(unused, 8, MPI_BYTE, 1 - rank, 1000 + i % 30000, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    say(name, trip(FEW));
    for (int i = 0; i < count; i++) {
        MPI_Send(unused, 8, MPI_BYTE, 1 - rank, 1000 + i % 30000, MPI_COMM_WORLD);
        MPI_Wait(&requests[i], &status);
    }
}

/* What each of so many messages costs that come before their receives and are received in the opposite order. */
static void unexpected(int count, const char *name)
{
    double begin = MPI_Wtime();

    for (int i = 0; i < count && rank == 0; i++) {
        send(8, 1 + i % 30000);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = count; i-- > 0 && rank == 1;) {
        receive(8, 1 + i % 30000);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    say(name, (MPI_Wtime() - begin) / count * 1e6);
}

static void call_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void call_bcast(void)
{
    static int root;

    MPI_Bcast(octets, 8, MPI_BYTE, root, MPI_COMM_WORLD);
    root = (root + 1) % size;
}

static void call_allreduce(void)
{
    long in = 1, out = 0;

    MPI_Allreduce(&in, &out, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}

/* What a call of all ranks takes, of the quickest batch. */
static void collective(const char *name, void (*call)(void))
{
    double least = 1e9;

    for (int b = 0; b < BATCHES / 2; b++) {
        double begin = MPI_Wtime();

        for (int i = 0; i < BATCH; i++) {
            call();
        }
        double one = (MPI_Wtime() - begin) / BATCH * 1e6;
        least = one < least ? one : least;
    }
    say(name, least);
}

static void collectives(void)
{
    collective("barrier", call_barrier);
    collective("bcast", call_bcast);
    collective("allreduce", call_allreduce);
}

#if defined MPI_VERSION && MPI_VERSION >= 3 /* which has MPI_Win_flush */
/* Put and get, each until it is done at the target. */
static void one_sided(void)
{
    char *base = malloc(4096);
    double begin;
    MPI_Win window;

    MPI_Win_create(base, 4096, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    for (int i = 0; i < CALLS && rank == 0; i++) {
        MPI_Put(octets, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, window);
        MPI_Win_flush(1, window);
    }
    say("put_ack", (MPI_Wtime() - begin) / CALLS * 1e6);
    begin = MPI_Wtime();
    for (int i = 0; i < CALLS && rank == 0; i++) {
        MPI_Get(octets, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, window);
        MPI_Win_flush(1, window);
    }
    say("get", (MPI_Wtime() - begin) / CALLS * 1e6);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    free(base);
}
#else
static void one_sided(void)
{
}
#endif

static void pin(void)
{
    cpu_set_t one;

    if (sysconf(_SC_NPROCESSORS_ONLN) >= size) {
        CPU_ZERO(&one);
        CPU_SET((size_t)rank, &one);
        (void)sched_setaffinity(0, sizeof(one), &one);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    MPI_Init(&argc, &argv);
    if (strcmp(what, "start") == 0) {
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    octets = calloc(1, LARGE);
    if (strcmp(what, "ends") == 0) {
        (void)trip(FEW);
        say("trip", trip(BATCHES));
        bandwidth();
        free(octets);
        MPI_Finalize();
        return 0;
    }
    pin();
    MPI_Barrier(MPI_COMM_WORLD);
    if (size == 2) {
        (void)trip(FEW);
        say("trip", trip(BATCHES));
        rate();
        bandwidth();
        posted(1000, "posted_1000");
        posted(10000, "posted_10000");
        unexpected(10000, "unexpected_10000");
        one_sided();
    }
    collectives();
    free(octets);
    MPI_Finalize();
    return 0;
}
