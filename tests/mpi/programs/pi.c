/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Pi, as the sum of many rectangles under a curve; each process adds up some of them.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, count = 0;
    double width, sum = 0, pi = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        count = 100000;
    }
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    width = 1.0 / count;
    for (int i = rank; i < count; i += size) {
        double x = width * (i + 0.5);

        sum += 4.0 / (1.0 + x * x);
    }
    sum *= width;
    MPI_Reduce(&sum, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("pi is about %.8f, within 1e-8: %s\n", pi, fabs(pi - 3.14159265358979) < 1e-8 ? "yes" : "no");
    }
    MPI_Finalize();
    return 0;
}
