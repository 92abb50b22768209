/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Rank 0 gives out work to whoever asks, by probing for any source and any tag; answers are as long as they happen to
 * be.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TASKS = 100, TAG_ASK = 1, TAG_ANSWER = 2, TAG_WORK = 3, TAG_STOP = 4 };

/* The divisors of a number; how many. */
static int divide(int number, int *divisors)
{
    int count = 0;

    for (int i = 1; i <= number; i++) {
        if (number % i == 0) {
            divisors[count++] = i;
        }
    }
    return count;
}

static void work(void)
{
    MPI_Status status;
    int number, divisors[TASKS];

    MPI_Send(NULL, 0, MPI_INT, 0, TAG_ASK, MPI_COMM_WORLD);
    for (;;) {
        MPI_Recv(&number, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == TAG_STOP) {
            return;
        }
        MPI_Send(divisors, divide(number, divisors), MPI_INT, 0, TAG_ANSWER, MPI_COMM_WORLD);
    }
}

/* Takes one answer or question of anybody; who it was. */
static int take(long *sum, int *answers)
{
    MPI_Status status;
    int count, *numbers;

    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    numbers = malloc((size_t)(count + 1) * sizeof(int));
    MPI_Recv(numbers, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    for (int i = 0; i < count; i++) {
        *sum += numbers[i];
    }
    *answers += status.MPI_TAG == TAG_ANSWER;
    free(numbers);
    return status.MPI_SOURCE;
}

static void direct(int size)
{
    int next = 1, stopped = 0, answers = 0;
    long sum = 0;

    while (stopped < size - 1) {
        int worker = take(&sum, &answers);

        if (next <= TASKS) {
            MPI_Send(&next, 1, MPI_INT, worker, TAG_WORK, MPI_COMM_WORLD);
            next++;
        } else {
            MPI_Send(NULL, 0, MPI_INT, worker, TAG_STOP, MPI_COMM_WORLD);
            stopped++;
        }
    }
    printf("%d answers, sum of all divisors up to %d: %ld\n", answers, TASKS, sum);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        direct(size);
    } else {
        work();
    }
    MPI_Finalize();
    return 0;
}
