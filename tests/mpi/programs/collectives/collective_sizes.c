/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations at lengths from nothing to far beyond every threshold, from and to every root, with types that
 * differ between processes, operations that do not commute, and many operations in a row of which some processes are
 * late. Rank 0 prints sums over all ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 70001, ROW = 60 };

static const int lengths[] = {0, 1, 7, 500, 513, 2049, 16384, MOST};
enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

static int rank, size;
static int *one, *all, *other;

static long checksum(const int *data, int count)
{
    long sum = 0;

    for (int i = 0; i < count; i++) {
        sum = (sum + (long)(i % 1000 + 1) * (data[i] % 100003)) % 1000003;
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

static void fill(int *data, int count, int first)
{
    for (int i = 0; i < count; i++) {
        data[i] = first + i % 977;
    }
}

/* The root has numbers with gaps, the others have them in a row. */
//= PUMA-088
//= PUMA-092
static void bcasts(int count)
{
    MPI_Datatype gaps;
    long sum = 0;

    MPI_Type_vector(count, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    for (int root = 0; root < size; root++) {
        fill(one, count, rank);
        MPI_Bcast(one, count, MPI_INT, root, MPI_COMM_WORLD);
        sum += checksum(one, count);
        fill(all, 2 * count, 3 * rank);
        if (rank == root) {
            MPI_Bcast(all, 1, gaps, root, MPI_COMM_WORLD);
        } else {
            MPI_Bcast(one, count, MPI_INT, root, MPI_COMM_WORLD);
            sum += checksum(one, count);
        }
    }
    MPI_Type_free(&gaps);
    show("bcast", count, sum);
}

//= PUMA-089
//= PUMA-091
static void moves(int count)
{
    int part = count / size;
    long sum = 0;

    for (int root = 0; root < size; root++) {
        fill(one, part, 7 * rank);
        fill(all, part * size, -rank);
        MPI_Gather(one, part, MPI_INT, all, part, MPI_INT, root, MPI_COMM_WORLD);
        sum += checksum(all, part * size);
        fill(all, part * size, root);
        MPI_Scatter(all, part, MPI_INT, rank == root ? MPI_IN_PLACE : one, part, MPI_INT, root, MPI_COMM_WORLD);
        sum += checksum(rank == root ? all + root * part : one, part);
    }
    show("gather and scatter", part, sum);
    fill(one, part, 5 * rank);
    MPI_Allgather(one, part, MPI_INT, all, part, MPI_INT, MPI_COMM_WORLD);
    show("allgather", part, checksum(all, part * size));
}

/* So many numbers that begin behind the place that is named. */
static MPI_Datatype numbers_behind(int count)
{
    const int behind = 5;
    MPI_Datatype type;

    MPI_Type_create_indexed_block(1, count, &behind, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

static void displaced(int count)
{
    int part = count / size, root = size - 1;
    MPI_Datatype whole = numbers_behind(count), block = numbers_behind(part);
    long sum = 0;

    fill(one, count + 5, rank);
    MPI_Bcast(one, 1, whole, root, MPI_COMM_WORLD);
    sum += checksum(one, count + 5);
    fill(all, part * size + 5, -rank);
    MPI_Gather(one, 1, block, all, 1, block, root, MPI_COMM_WORLD);
    sum += checksum(all, part * size + 5);
    MPI_Scatter(all, 1, block, one, 1, block, root, MPI_COMM_WORLD);
    sum += checksum(one, part + 5);
    MPI_Allgather(one, 1, block, all, 1, block, MPI_COMM_WORLD);
    sum += checksum(all, part * size + 5);
    MPI_Alltoall(all, 1, block, other, 1, block, MPI_COMM_WORLD);
    sum += checksum(other + 5, part * size);
    MPI_Type_free(&whole);
    MPI_Type_free(&block);
    show("displaced", count, sum);
}

/* Rank r has as many as it is high, but 0 has a single one and 2 has none; and a gap of one behind. */
//= PUMA-093
static void vectors(int count)
{
    int *counts = malloc((size_t)size * sizeof(int)), *displs = malloc((size_t)size * sizeof(int)), next = 0;

    for (int i = 0; i < size; i++) {
        counts[i] = i == 0 ? count > 0 : i == 2 ? 0 : count / (size * size) * i;
        displs[i] = next;
        next += counts[i] + 1;
    }
    fill(one, counts[rank], rank);
    fill(all, next, 1);
    MPI_Allgatherv(one, counts[rank], MPI_INT, all, counts, displs, MPI_INT, MPI_COMM_WORLD);
    show("allgatherv", counts[size - 1], checksum(all, next));
    next = 0;
    for (int i = 0; i < size; i++) {
        next += counts[i];
    }
    fill(one, next, 3 * rank);
    MPI_Reduce_scatter(one, other, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    show("reduce_scatter", counts[size - 1], checksum(other, counts[rank]));
    free(counts);
    free(displs);
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

static void reductions(int count)
{
    MPI_Datatype map;
    MPI_Op composed;
    long sum = 0, maps = 0;

    MPI_Type_contiguous(2, MPI_INT, &map);
    MPI_Type_commit(&map);
    MPI_Op_create(compose, 0, &composed);
    for (int root = 0; root < size; root++) {
        fill(one, count, rank);
        fill(all, count, 1);
        MPI_Reduce(one, all, count, MPI_INT, root % 2 ? MPI_SUM : MPI_MAX, root, MPI_COMM_WORLD);
        sum += rank == root ? checksum(all, count) : 0;
        MPI_Reduce(one, other, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        sum += rank == root ? checksum(other, count) : 0;
        fill(one, count, 2 + rank);
        MPI_Reduce(one, all, count / 2, map, composed, root, MPI_COMM_WORLD);
        maps += rank == root ? checksum(all, count / 2 * 2) : 0;
    }
    show("reduce", count, sum);
    show("compose", count / 2, maps);
    fill(one, count, rank);
    MPI_Allreduce(one, all, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    show("allreduce", count, checksum(all, count));
    MPI_Allreduce(MPI_IN_PLACE, one, count, MPI_INT, MPI_BXOR, MPI_COMM_WORLD);
    show("allreduce in place", count, checksum(one, count));
    fill(one, count, 2 + rank);
    MPI_Allreduce(one, all, count / 2, map, composed, MPI_COMM_WORLD);
    show("compose for all", count / 2, checksum(all, count / 2 * 2));
    MPI_Op_free(&composed);
    MPI_Type_free(&map);
}

/* Leaves go on to the next operation while others are still in one before. */
//= PUMA-086
//= PUMA-097
//= PUMA-103
static void in_a_row(void)
{
    volatile double late = 0;
    long sum = 0;

    for (int i = 0; i < ROW; i++) {
        int number = rank + i;

        for (int k = 0; (i + rank) % 5 == 0 && k < 20000; k++) {
            late += k;
        }
        MPI_Gather(&number, 1, MPI_INT, all, 1, MPI_INT, i % size, MPI_COMM_WORLD);
        sum += rank == i % size ? checksum(all, size) : 0;
        MPI_Bcast(&number, 1, MPI_INT, (i + 1) % size, MPI_COMM_WORLD);
        sum += number;
    }
    show("in a row", ROW, sum);
    sum = 0;
    for (int i = 0; i < 20; i++) {
        fill(one, 20000, rank + i);
        MPI_Allreduce(one, all, 20000, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        sum += checksum(all, 20000);
        MPI_Allgather(one, 20000 / size, MPI_INT, all, 20000 / size, MPI_INT, MPI_COMM_WORLD);
        sum += checksum(all, 20000 / size * size);
    }
    show("long ones in a row", 20, sum);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    one = calloc(2 * MOST + 64, sizeof(int));
    all = calloc(2 * MOST + 64, sizeof(int));
    other = calloc(2 * MOST + 64, sizeof(int));
    for (int i = 0; i < LENGTHS; i++) {
        bcasts(lengths[i]);
        moves(lengths[i]);
        displaced(lengths[i]);
        vectors(lengths[i]);
        reductions(lengths[i]);
    }
    in_a_row();
    free(one);
    free(all);
    free(other);
    MPI_Finalize();
    return 0;
}
