/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The product of two matrices: rank 0 deals out the rows of one, all have the other, rank 0 collects the rows of the
 * result, of which some processes have more than others.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 37, INNER = 23, COLUMNS = 19 };

static double left[ROWS][INNER], right[INNER][COLUMNS], product[ROWS][COLUMNS];

/* How many rows each process has, and where they begin, counted in numbers. */
static void deal(int size, int width, int *counts, int *displs)
{
    int next = 0;

    for (int rank = 0; rank < size; rank++) {
        counts[rank] = (ROWS / size + (rank < ROWS % size)) * width;
        displs[rank] = next;
        next += counts[rank];
    }
}

static void fill(void)
{
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < INNER; k++) {
            left[i][k] = i - 2 * k;
        }
    }
    for (int k = 0; k < INNER; k++) {
        for (int j = 0; j < COLUMNS; j++) {
            right[k][j] = (k * j) % 7;
        }
    }
}

static void multiply(int rows, double a[][INNER], double c[][COLUMNS])
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            c[i][j] = 0;
            for (int k = 0; k < INNER; k++) {
                c[i][j] += a[i][k] * right[k][j];
            }
        }
    }
}

int main(int argc, char **argv)
{
    static double my_left[ROWS][INNER], my_product[ROWS][COLUMNS];
    int rank, size, *in_counts, *in_displs, *out_counts, *out_displs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    in_counts = malloc(4 * (size_t)size * sizeof(int));
    in_displs = in_counts + size;
    out_counts = in_displs + size;
    out_displs = out_counts + size;
    deal(size, INNER, in_counts, in_displs);
    deal(size, COLUMNS, out_counts, out_displs);
    if (rank == 0) {
        fill();
    }
    MPI_Scatterv(left, in_counts, in_displs, MPI_DOUBLE, my_left, in_counts[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(right, INNER * COLUMNS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    multiply(in_counts[rank] / INNER, my_left, my_product);
    MPI_Gatherv(my_product, out_counts[rank], MPI_DOUBLE, product, out_counts, out_displs, MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
    if (rank == 0) {
        double trace = 0, all = 0;

        for (int i = 0; i < ROWS; i++) {
            trace += i < COLUMNS ? product[i][i] : 0;
            for (int j = 0; j < COLUMNS; j++) {
                all += product[i][j];
            }
        }
        printf("trace %.0f, sum %.0f, corner %.0f\n", trace, all, product[ROWS - 1][COLUMNS - 1]);
    }
    free(in_counts);
    MPI_Finalize();
    return 0;
}
