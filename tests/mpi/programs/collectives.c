/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Each collective operation once, with data that tell who sent what; a checksum of what all have received is printed,
 * and what rank 0 has.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

/* Prints what rank 0 has, and the sum over all ranks of position-weighted numbers. */
static void show(const char *name, const int *data, int count)
{
    long sum = 0, total = 0;

    for (int i = 0; i < count; i++) {
        sum = (sum + (long)(i + 1) * data[i] * (rank + 1)) % 1000003;
    }
    MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s:", name);
        for (int i = 0; i < count; i++) {
            printf(" %d", data[i]);
        }
        printf(" | %ld\n", total);
    }
}

static int *numbers(int count, int first)
{
    int *data = malloc((size_t)(count + 1) * sizeof(int));

    for (int i = 0; i < count; i++) {
        data[i] = first + i;
    }
    return data;
}

static void fixed_blocks(void)
{
    int *one = numbers(3, 100 * rank), *all = numbers(3 * size, 0), *many = numbers(2 * size, 1000 * rank);

    for (int root = 0; root<size; root += size> 2 ? 2 : 1) {
        MPI_Bcast(one, 3, MPI_INT, root, MPI_COMM_WORLD);
        show("bcast", one, 3);
        one[1] += rank;
        MPI_Gather(one, 3, MPI_INT, all, 3, MPI_INT, root, MPI_COMM_WORLD);
        show("gather", all, 3 * size);
        MPI_Scatter(all, 3, MPI_INT, one, 3, MPI_INT, root, MPI_COMM_WORLD);
        show("scatter", one, 3);
    }
    MPI_Allgather(one, 3, MPI_INT, all, 3, MPI_INT, MPI_COMM_WORLD);
    show("allgather", all, 3 * size);
    MPI_Alltoall(many, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
    show("alltoall", all, 2 * size);
    free(one);
    free(all);
    free(many);
}

/* Rank r has r numbers, and room for blocks with a gap of one behind each. */
static void free_blocks(void)
{
    int *one = numbers(size, 10 * rank), *all = numbers(size * size + size, -1000);
    int *counts = malloc((size_t)size * sizeof(int)), *displs = malloc((size_t)size * sizeof(int)), next = 0;
    int *mine = malloc((size_t)size * sizeof(int)), *from = malloc((size_t)size * sizeof(int));

    for (int i = 0; i < size; i++) {
        counts[i] = i;
        displs[i] = next;
        next += i + 1;
        mine[i] = rank;
        from[i] = i * (rank + 1);
    }
    MPI_Gatherv(one, rank, MPI_INT, all, counts, displs, MPI_INT, size - 1, MPI_COMM_WORLD);
    show("gatherv", all, next);
    MPI_Scatterv(all, counts, displs, MPI_INT, one, rank, MPI_INT, size - 1, MPI_COMM_WORLD);
    show("scatterv", one, size);
    MPI_Allgatherv(one, rank, MPI_INT, all, counts, displs, MPI_INT, MPI_COMM_WORLD);
    show("allgatherv", all, next);
    /* Every rank sends as many to i as i has, and receives as many from each as it has itself. */
    MPI_Alltoallv(all, counts, displs, MPI_INT, one = realloc(one, (size_t)(size * (size + 1)) * sizeof(int)), mine,
                  from, MPI_INT, MPI_COMM_WORLD);
    show("alltoallv", one, rank > 0 ? rank : 0);
    free(one);
    free(all);
    free(counts);
    free(displs);
    free(mine);
    free(from);
}

/* 2 by 2 matrices: their product depends on the order. */
static void multiply(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int *a = in, *b = inout;

    (void)type;
    for (int i = 0; i < *count; i++, a += 4, b += 4) {
        int c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                    a[2] * b[1] + a[3] * b[3]};

        for (int k = 0; k < 4; k++) {
            b[k] = c[k] % 1000;
        }
    }
}

static void reductions(void)
{
    static const char *const names[] = {"max", "min", "sum", "prod", "land", "band", "lor", "bor", "lxor", "bxor"};
    MPI_Op ops[] = {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR};
    int in[3] = {rank % 3, (rank * 7) % 5 + 1, 1 << rank}, out[3] = {0}, *parts = numbers(size * size, rank);
    int *counts = malloc((size_t)size * sizeof(int));

    for (int i = 0; i < 10; i++) {
        MPI_Allreduce(in, out, 3, MPI_INT, ops[i], MPI_COMM_WORLD);
        show(names[i], out, 3);
        MPI_Scan(in, out, 3, MPI_INT, ops[i], MPI_COMM_WORLD);
        show("scan", out, 3);
    }
    for (int i = 0; i < size; i++) {
        counts[i] = i;
    }
    MPI_Reduce_scatter(parts, parts + size * (size - 1) / 2, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    show("reduce_scatter", parts + size * (size - 1) / 2, rank);
    free(parts);
    free(counts);
}

static void places(void)
{
    struct {
        double value;
        int index;
    } in[2] = {{(double)(rank * 3 % 4), rank}, {7, size - rank}}, out[2];

    MPI_Allreduce(in, out, 2, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    show("maxloc", (int[]){(int)out[0].value, out[0].index, (int)out[1].value, out[1].index}, 4);
    MPI_Allreduce(in, out, 2, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    show("minloc", (int[]){(int)out[0].value, out[0].index, (int)out[1].value, out[1].index}, 4);
}

static void own_operation(void)
{
    int in[8] = {1, rank, 0, 1, rank + 1, 1, 1, 0}, out[8] = {0};
    MPI_Datatype matrix;
    MPI_Op op;

    MPI_Type_contiguous(4, MPI_INT, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op_create(multiply, 0, &op);
    for (int root = 0; root < size; root++) {
        MPI_Reduce(in, out, 2, matrix, op, root, MPI_COMM_WORLD);
        MPI_Bcast(out, 2, matrix, root, MPI_COMM_WORLD);
        show("matrices", out, 8);
    }
    MPI_Scan(in, out, 2, matrix, op, MPI_COMM_WORLD);
    show("scan", out, 8);
    MPI_Op_free(&op);
    MPI_Type_free(&matrix);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fixed_blocks();
    free_blocks();
    reductions();
    places();
    own_operation();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
