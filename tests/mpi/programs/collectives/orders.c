/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reductions with operations of the program's own that do not commute, short and long, at every root: products of
 * matrices, and compositions of affine functions modulo a prime.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONG = 5000, PRIME = 9973 };

static int rank, size;

static void multiply(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const double *a = in;
    double *b = inout;

    (void)type;
    for (int i = 0; i < *count; i++, a += 4, b += 4) {
        double b0 = b[0], b1 = b[1];

        b[0] = a[0] * b0 + a[1] * b[2];
        b[1] = a[0] * b1 + a[1] * b[3];
        b[2] = a[2] * b0 + a[3] * b[2];
        b[3] = a[2] * b1 + a[3] * b[3];
    }
}

static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const long *a = in;
    long *b = inout;

    (void)type;
    for (int i = 0; i < *count; i++, a += 2, b += 2) {
        b[1] = (a[1] * b[0] + b[1]) % PRIME;
        b[0] = a[0] * b[0] % PRIME;
    }
}

static void matrices(void)
{
    double mine[3][4], got[3][4], all[64][4];
    MPI_Datatype matrix;
    MPI_Op product;

    MPI_Type_contiguous(4, MPI_DOUBLE, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op_create(multiply, 0, &product);
    for (int i = 0; i < 3; i++) {
        mine[i][0] = mine[i][3] = 1;
        mine[i][1] = rank + i;
        mine[i][2] = rank % 2;
    }
    for (int root = 0; root < size; root++) {
        MPI_Reduce(mine, got, 3, matrix, product, root, MPI_COMM_WORLD);
        MPI_Bcast(got, 3, matrix, root, MPI_COMM_WORLD);
        if (rank == 0) {
            printf("root %d: %g %g %g %g\n", root, got[2][0], got[2][1], got[2][2], got[2][3]);
        }
    }
    MPI_Allreduce(mine, got, 3, matrix, product, MPI_COMM_WORLD);
    MPI_Gather(got[0], 1, matrix, all, 1, matrix, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++) {
        printf("all %d: %g %g\n", i, all[i][1], all[i][2]);
    }
    MPI_Scan(mine, got, 3, matrix, product, MPI_COMM_WORLD);
    MPI_Gather(got[1], 1, matrix, all, 1, matrix, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++) {
        printf("scan %d: %g %g %g %g\n", i, all[i][0], all[i][1], all[i][2], all[i][3]);
    }
    MPI_Op_free(&product);
    MPI_Type_free(&matrix);
}

/* One number for many, of all processes. */
static void say(const char *what, const long *numbers, int count)
{
    long hash = 0, all;

    for (int i = 0; i < count; i++) {
        hash = (hash * 31 + numbers[i]) % 1000003;
    }
    hash *= rank + 1;
    MPI_Reduce(&hash, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s: %ld\n", what, all);
    }
}

static void functions(void)
{
    static long mine[2 * LONG], got[2 * LONG];
    int counts[64];
    MPI_Datatype pair;
    MPI_Op composition;

    MPI_Type_contiguous(2, MPI_LONG, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(compose, 0, &composition);
    for (int i = 0; i < LONG; i++) {
        mine[2 * i] = (i + 7 * rank) % 97 + 1;
        mine[2 * i + 1] = rank + i;
    }
    MPI_Allreduce(mine, got, LONG, pair, composition, MPI_COMM_WORLD);
    say("allreduce", got, 2 * LONG);
    for (int i = 0; i < size; i++) {
        counts[i] = LONG / size + (i == size - 1 ? LONG % size : 0);
    }
    MPI_Reduce_scatter(mine, got, counts, pair, composition, MPI_COMM_WORLD);
    say("reduce_scatter", got, 2 * counts[rank]);
    MPI_Exscan(mine, got, LONG, pair, composition, MPI_COMM_WORLD);
    say("exscan", got, rank > 0 ? 2 * LONG : 0);
    MPI_Op_free(&composition);
    MPI_Type_free(&pair);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    matrices();
    functions();
    MPI_Finalize();
    return 0;
}
