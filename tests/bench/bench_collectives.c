/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations, and one-sided communication, that any MPI can measure: an ordinary MPI program, compiled with
 * each. A line `name octets us` for each operation, at 8 octets and at a MiB: the median of batches, by the clock of
 * rank 0 between two barriers. A MiB is the longest buffer of a process, so that a block of eight processes has an
 * eighth of it. Some operations are measured as loops of messages, too. With the argument `collectives` one-sided
 * communication is left out, as between clients.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 8, MANY = 1 << 20, BATCHES = 5, CALLS_OF_FEW = 20, CALLS_OF_MANY = 2, ACCUMULATES = 1000 };

static int rank, size;
static char *in, *out;
static int *counts, *displacements; /* one of each for each process */
static MPI_Win win;
static double *room;          /* of operands that have come */
static MPI_Request *requests; /* two for each process */

static void barrier(int octets)
{
    (void)octets;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(int octets)
{
    MPI_Bcast(in, octets, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* Octets of a block, where there is one for each process. */
static int block(int octets)
{
    return octets == FEW ? FEW : octets / size;
}

static void gather(int octets)
{
    MPI_Gather(in, block(octets), MPI_BYTE, out, block(octets), MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void scatter(int octets)
{
    MPI_Scatter(in, block(octets), MPI_BYTE, out, block(octets), MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void allgather(int octets)
{
    MPI_Allgather(in, block(octets), MPI_BYTE, out, block(octets), MPI_BYTE, MPI_COMM_WORLD);
}

static void alltoall(int octets)
{
    MPI_Alltoall(in, block(octets), MPI_BYTE, out, block(octets), MPI_BYTE, MPI_COMM_WORLD);
}

static void reduce(int octets)
{
    MPI_Reduce(in, out, octets / 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(int octets)
{
    MPI_Allreduce(in, out, octets / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce_scatter_block(int octets)
{
    MPI_Reduce_scatter_block(in, out, block(octets) / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* The forms with counts: every process has the block that it has in the others, so that the two can be compared. Counts
 * are of `unit` octets. */
static void counts_fill(int octets, int unit)
{
    for (int i = 0; i < size; i++) {
        counts[i] = block(octets) / unit;
        displacements[i] = i * counts[i];
    }
}

static void gatherv(int octets)
{
    counts_fill(octets, 1);
    MPI_Gatherv(in, counts[rank], MPI_BYTE, out, counts, displacements, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void scatterv(int octets)
{
    counts_fill(octets, 1);
    MPI_Scatterv(in, counts, displacements, MPI_BYTE, out, counts[rank], MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void allgatherv(int octets)
{
    counts_fill(octets, 1);
    MPI_Allgatherv(in, counts[rank], MPI_BYTE, out, counts, displacements, MPI_BYTE, MPI_COMM_WORLD);
}

static void alltoallv(int octets)
{
    counts_fill(octets, 1);
    MPI_Alltoallv(in, counts, displacements, MPI_BYTE, out, counts, displacements, MPI_BYTE, MPI_COMM_WORLD);
}

static void reduce_scatter(int octets)
{
    counts_fill(octets, 8);
    MPI_Reduce_scatter(in, out, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void scan(int octets)
{
    MPI_Scan(in, out, octets / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* What a program without collective operations would do: each process sends one block to each other one, or its own of
 * several, all at once. */
static void exchange(int octets, int several)
{
    int n = 0;

    for (int peer = 0; peer < size; peer++) {
        size_t at = (size_t)peer * (size_t)octets;

        if (peer != rank) {
            MPI_Irecv(out + at, octets, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &requests[n++]);
            MPI_Isend(in + (several ? at : 0), octets, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &requests[n++]);
        }
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

static void bcast_loop(int octets)
{
    if (rank == 0) {
        for (int peer = 1; peer < size; peer++) {
            MPI_Send(in, octets, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
        }
    } else {
        MPI_Recv(in, octets, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void allgather_loop(int octets)
{
    exchange(block(octets), 0);
}

static void alltoall_loop(int octets)
{
    exchange(block(octets), 1);
}

static void allreduce_loop(int octets)
{
    double *sum = (double *)(void *)out;

    if (rank == 0) {
        memcpy(sum, in, (size_t)octets);
        for (int peer = 1; peer < size; peer++) {
            MPI_Recv(room, octets, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 0; i < octets / 8; i++) {
                sum[i] += room[i];
            }
        }
    } else {
        MPI_Send(in, octets, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    bcast_loop(octets);
}

/* One-sided: every process accesses the next one's window, and waits for the access alone. */
static int next(void)
{
    return (rank + 1) % size;
}

static void put(int octets)
{
    MPI_Put(in, octets, MPI_BYTE, next(), 0, octets, MPI_BYTE, win);
    MPI_Win_flush(next(), win);
}

static void get(int octets)
{
    MPI_Get(in, octets, MPI_BYTE, next(), 0, octets, MPI_BYTE, win);
    MPI_Win_flush(next(), win);
}

static void accumulate(int octets)
{
    MPI_Accumulate(in, octets / 8, MPI_DOUBLE, next(), 0, octets / 8, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_flush(next(), win);
}

/* Many short ones one behind the other, waited for together. */
static void accumulates(int octets)
{
    for (int i = 0; i < ACCUMULATES; i++) {
        MPI_Accumulate(in, octets / 8, MPI_DOUBLE, next(), i, octets / 8, MPI_DOUBLE, MPI_SUM, win);
    }
    MPI_Win_flush(next(), win);
}

static void fetch_and_op(int octets)
{
    (void)octets;
    MPI_Fetch_and_op(in, out, MPI_DOUBLE, next(), 0, MPI_SUM, win);
    MPI_Win_flush(next(), win);
}

struct operation {
    const char *name;
    void (*call)(int octets);
    int few_only;
};

static const struct operation collectives[] = {
    {"barrier", barrier, 1},
    {"bcast", bcast, 0},
    {"gather", gather, 0},
    {"scatter", scatter, 0},
    {"allgather", allgather, 0},
    {"alltoall", alltoall, 0},
    {"reduce", reduce, 0},
    {"allreduce", allreduce, 0},
    {"reduce_scatter_block", reduce_scatter_block, 0},
    {"gatherv", gatherv, 0},
    {"scatterv", scatterv, 0},
    {"allgatherv", allgatherv, 0},
    {"alltoallv", alltoallv, 0},
    {"reduce_scatter", reduce_scatter, 0},
    {"scan", scan, 0},
    {"bcast_by_loop", bcast_loop, 0},
    {"allgather_by_loop", allgather_loop, 0},
    {"alltoall_by_loop", alltoall_loop, 0},
    {"allreduce_by_loop", allreduce_loop, 0},
    {NULL, NULL, 0},
};

static const struct operation one_sided[] = {
    {"put", put, 0},
    {"get", get, 0},
    {"accumulate", accumulate, 0},
    {"1000_accumulates", accumulates, 1},
    {"fetch_and_op", fetch_and_op, 1},
    {NULL, NULL, 0},
};

static int compare(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

static void measure(const struct operation *operation, int octets)
{
    int calls = octets == FEW ? CALLS_OF_FEW : CALLS_OF_MANY;
    double times[BATCHES];

    operation->call(octets);
    for (int batch = 0; batch < BATCHES; batch++) {
        double begin;

        MPI_Barrier(MPI_COMM_WORLD);
        begin = MPI_Wtime();
        for (int i = 0; i < calls; i++) {
            operation->call(octets);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        times[batch] = (MPI_Wtime() - begin) / calls * 1e6;
    }
    qsort(times, BATCHES, sizeof(times[0]), compare);
    if (rank == 0) {
        printf("%s %d %.2f\n", operation->name, octets, times[BATCHES / 2]);
        fflush(stdout);
    }
}

static void measure_all(const struct operation *operation)
{
    for (; operation->name; operation++) {
        measure(operation, FEW);
        if (!operation->few_only) {
            measure(operation, MANY);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    in = calloc(1, MANY);
    out = calloc(1, MANY);
    counts = calloc((size_t)size, sizeof *counts);
    displacements = calloc((size_t)size, sizeof *displacements);
    room = calloc(1, MANY);
    requests = calloc(2 * (size_t)size, sizeof(MPI_Request));
    if (!in || !out || !counts || !displacements || !room || !requests) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    measure_all(collectives);
    if (argc < 2 || strcmp(argv[1], "collectives") != 0) {
        void *memory;

        MPI_Win_allocate(MANY, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
        memset(memory, 0, MANY);
        MPI_Win_lock_all(0, win);
        measure_all(one_sided);
        MPI_Win_unlock_all(win);
        MPI_Win_free(&win);
    }
    free(in);
    free(out);
    free(counts);
    free(displacements);
    free(room);
    free(requests);
    MPI_Finalize();
    return 0;
}
