/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What collective_sizes.c leaves out: exchanges of all with all, vectors from and to every root, scans, also of an
 * operation that does not commute, each with buffers of its own and in place. Rank 0 prints sums over all ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 20000, RANKS = 64 };

static const int lengths[] = {0, 1, 3, 257, 1025, MOST};
enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

static int rank, size;
static int *one, *all;
static int counts[RANKS], displs[RANKS];

static long checksum(const int *data, int count)
{
    long sum = 0;

    for (int i = 0; i < count; i++) {
        sum = (sum + (long)(i % 997 + 1) * (data[i] % 100003)) % 1000003;
    }
    return sum * (rank + 1);
}

static void show(const char *name, int count, long own)
{
    long sum = 0;

    MPI_Reduce(&own, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s %d: %ld\n", name, count, sum);
    }
}

static void fill(int count)
{
    for (int i = 0; i < count; i++) {
        one[i] = rank * 31 + i % 1009;
        all[i] = -1;
    }
}

/* Blocks of two lengths, the same between two ranks in both directions. */
static void exchanges(int count)
{
    int whole = count * size;

    fill(whole);
    MPI_Alltoall(one, count, MPI_INT, all, count, MPI_INT, MPI_COMM_WORLD);
    show("alltoall", count, checksum(all, whole));
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, one, count, MPI_INT, MPI_COMM_WORLD);
    show("alltoall in place", count, checksum(one, whole));
    for (int i = 0; i < size; i++) {
        counts[i] = (i + rank) % 2 ? count : count / 2;
        displs[i] = count * (size - 1 - i);
    }
    fill(whole);
    MPI_Alltoallv(one, counts, displs, MPI_INT, all, counts, displs, MPI_INT, MPI_COMM_WORLD);
    show("alltoallv", count, checksum(all, whole));
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, one, counts, displs, MPI_INT, MPI_COMM_WORLD);
    show("alltoallv in place", count, checksum(one, whole));
}

static void vectors(int count)
{
    long gathered = 0, scattered = 0;
    int next = 0;

    for (int i = 0; i < size; i++) {
        counts[i] = count * (i + 1) / size;
        displs[i] = next;
        next += counts[i];
    }
    for (int root = 0; root < size; root++) {
        fill(next);
        MPI_Gatherv(rank == root && root % 2 ? MPI_IN_PLACE : one, counts[rank], MPI_INT, all, counts, displs, MPI_INT,
                    root, MPI_COMM_WORLD);
        gathered += checksum(all, next);
        fill(next);
        MPI_Scatterv(one, counts, displs, MPI_INT, rank == root && root % 2 ? MPI_IN_PLACE : all, counts[rank], MPI_INT,
                     root, MPI_COMM_WORLD);
        scattered += checksum(all, counts[rank]);
    }
    show("gatherv", count, gathered);
    show("scatterv", count, scattered);
}

/* Affine maps, one behind the other: x -> a x + b, two numbers each; the order matters. */
static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int *f = in, *g = inout;

    (void)type;
    for (int i = 0; i < *count; i++, f += 2, g += 2) {
        int a = f[0] * g[0] % 1009, b = (f[0] * g[1] + f[1]) % 1009;

        g[0] = a;
        g[1] = b;
    }
}

static void scans(int count)
{
    MPI_Datatype map;
    MPI_Op composed;

    MPI_Type_contiguous(2, MPI_INT, &map);
    MPI_Type_commit(&map);
    MPI_Op_create(compose, 0, &composed);
    fill(2 * count);
    MPI_Scan(one, all, count, map, composed, MPI_COMM_WORLD);
    show("scan", count, checksum(all, 2 * count));
    MPI_Exscan(one, all, count, map, composed, MPI_COMM_WORLD);
    show("exscan", count, checksum(all, 2 * count));
    MPI_Scan(MPI_IN_PLACE, one, 2 * count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    show("scan in place", count, checksum(one, 2 * count));
    fill(count * size);
    MPI_Reduce_scatter_block(one, all, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    show("reduce_scatter_block", count, checksum(all, count));
    MPI_Op_free(&composed);
    MPI_Type_free(&map);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    one = calloc((size_t)MOST * (size_t)(size + 1), sizeof(int));
    all = calloc((size_t)MOST * (size_t)(size + 1), sizeof(int));
    for (int i = 0; i < LENGTHS; i++) {
        exchanges(lengths[i]);
        vectors(lengths[i]);
        scans(lengths[i]);
    }
    free(one);
    free(all);
    MPI_Finalize();
    return 0;
}
