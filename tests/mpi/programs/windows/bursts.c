/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Thousands of accumulates, fetches and requests in an epoch, to each process and to the own one, short and long by
 * turns, in two windows: those of one process to one place are done in the order of the calls, and none is lost. First
 * in memory of the program, then in memory that comes with the windows.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANY = 3000, LONG = 6000, CELLS = 64, REQUESTS = 300 };

static int rank, size, wrong;
static long long *cells, *others; /* of the two windows */
static MPI_Win first, second;

static void expect(long long is, long long should)
{
    wrong += is != should;
}

/* Each puts number after number in its own cell of a target, and reads it each time: it finds the one before. */
static void in_order(int target, int epoch_is_lock)
{
    long long *numbers = malloc(MANY * sizeof(*numbers)), *found = malloc(MANY * sizeof(*found));

    for (int i = 0; i < MANY; i++) {
        numbers[i] = i + 1;
        found[i] = -1;
    }
    MPI_Win_fence(0, first);
    for (int i = 0; i < CELLS; i++) {
        cells[i] = 0;
    }
    MPI_Win_fence(epoch_is_lock ? MPI_MODE_NOSUCCEED : 0, first);
    if (epoch_is_lock) {
        MPI_Win_lock(MPI_LOCK_SHARED, target, 0, first);
    }
    for (int i = 0; i < MANY; i++) {
        if (i % 3) {
            MPI_Accumulate(&numbers[i], 1, MPI_LONG_LONG, target, rank, 1, MPI_LONG_LONG, MPI_REPLACE, first);
        } else {
            MPI_Get_accumulate(&numbers[i], 1, MPI_LONG_LONG, &found[i], 1, MPI_LONG_LONG, target, rank, 1,
                               MPI_LONG_LONG, MPI_REPLACE, first);
        }
    }
    if (epoch_is_lock) {
        MPI_Win_unlock(target, first);
    } else {
        MPI_Win_fence(0, first);
    }
    for (int i = 0; i < MANY; i++) {
        expect(found[i], i % 3 ? -1 : i);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    free(numbers);
    free(found);
}

/* All add to the same cells of all, in both windows by turns; in between to many cells at once. */
static void sums(void)
{
    static long long ones[LONG];
    long long one = 1;

    for (int i = 0; i < LONG; i++) {
        others[i] = 0;
        ones[i] = 1;
    }
    for (int i = 0; i < CELLS; i++) {
        cells[i] = 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, first);
    MPI_Win_lock_all(0, second);
    for (int i = 0; i < MANY; i++) {
        MPI_Accumulate(&one, 1, MPI_LONG_LONG, (rank + i) % size, i % CELLS, 1, MPI_LONG_LONG, MPI_SUM, first);
        MPI_Accumulate(&one, 1, MPI_LONG_LONG, i % size, i % 7, 1, MPI_LONG_LONG, MPI_SUM, second);
        if (i % 1000 == 500) {
            MPI_Accumulate(ones, LONG, MPI_LONG_LONG, (rank + 1) % size, 0, LONG, MPI_LONG_LONG, MPI_SUM, second);
        }
    }
    MPI_Win_flush_all(first);
    MPI_Win_unlock_all(second);
    MPI_Win_unlock_all(first);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int cell = 0; cell < CELLS; cell++) {
        int sum = 0;

        for (int from = 0; from < size; from++) {
            for (int i = cell; i < MANY; i += CELLS) {
                sum += (from + i) % size == rank;
            }
        }
        expect(cells[cell], sum);
    }
    for (int cell = 0; cell < LONG; cell++) {
        int sum = MANY / 1000;

        for (int i = cell; i < MANY && cell < 7; i += 7) {
            sum += i % size == rank ? size : 0;
        }
        expect(others[cell], sum);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Requests, which the program waits for in another order than it made them. */
static void requests(void)
{
    MPI_Request under_way[REQUESTS];
    long long numbers[REQUESTS], found[REQUESTS];
    int target = size - 1, sum = 0;

    for (int i = 0; i < CELLS; i++) {
        cells[i] = 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, first);
    for (int i = 0; i < REQUESTS; i++) {
        numbers[i] = i;
        if (i % 2) {
            MPI_Raccumulate(&numbers[i], 1, MPI_LONG_LONG, target, rank, 1, MPI_LONG_LONG, MPI_SUM, first,
                            &under_way[i]);
        } else {
            MPI_Rget_accumulate(&numbers[i], 1, MPI_LONG_LONG, &found[i], 1, MPI_LONG_LONG, target, rank, 1,
                                MPI_LONG_LONG, MPI_SUM, first, &under_way[i]);
        }
    }
    for (int i = REQUESTS - 1; i >= 0; i--) {
        MPI_Wait(&under_way[i], MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(first);
    for (int i = 0; i < REQUESTS; i++) {
        if (i % 2 == 0) {
            expect(found[i], sum);
        }
        sum += i;
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A number is another one again after each MPI_Win_flush_local, which is time enough for what was asked with it. */
static void borrowed(void)
{
    long long number = 0, found = -1, swapped = -1, sum = 0;
    int target = (rank + 1) % size;

    for (int i = 0; i < CELLS; i++) {
        cells[i] = 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, first);
    for (int i = 0; i < MANY; i++) {
        number = i;
        MPI_Accumulate(&number, 1, MPI_LONG_LONG, target, rank, 1, MPI_LONG_LONG, MPI_SUM, first);
        if (i % 2) {
            MPI_Win_flush_local(target, first);
        } else {
            MPI_Win_flush_local_all(first);
        }
        number = -1;
        sum += i;
    }
    MPI_Fetch_and_op(&number, &found, MPI_LONG_LONG, target, rank, MPI_NO_OP, first);
    MPI_Win_flush_local(target, first);
    expect(found, sum);
    number = 5;
    MPI_Compare_and_swap(&number, &found, &swapped, MPI_LONG_LONG, target, rank, first);
    MPI_Win_flush_local(target, first);
    number = 6;
    expect(swapped, sum);
    MPI_Win_flush(target, first);
    MPI_Get(&found, 1, MPI_LONG_LONG, target, rank, 1, MPI_LONG_LONG, first);
    MPI_Win_flush_local_all(first);
    expect(found, 5);
    MPI_Win_unlock_all(first);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* So do numbers that were put, one and many by turns; all of them arrive. */
static void given_back(void)
{
    static long long row[LONG], *room;
    int target = (rank + 1) % size, source = (rank + size - 1) % size;
    MPI_Win win;

    MPI_Win_allocate((MPI_Aint)(LONG * sizeof(*room)), sizeof(*room), MPI_INFO_NULL, MPI_COMM_WORLD, &room, &win);
    for (int round = 1; round <= REQUESTS; round++) {
        int count = round % 10 ? round % 7 + 1 : LONG;

        for (int i = 0; i < count; i++) {
            row[i] = (long long)rank * LONG * REQUESTS + round + i;
        }
        MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
        MPI_Put(row, count, MPI_LONG_LONG, target, 0, count, MPI_LONG_LONG, win);
        MPI_Win_flush_local(target, win);
        for (int i = 0; i < count; i++) {
            row[i] = -1;
        }
        MPI_Win_unlock(target, win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
        for (int i = 0; i < count; i++) {
            expect(room[i], (long long)source * LONG * REQUESTS + round + i);
        }
        MPI_Win_unlock(rank, win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
}

static void all_of_it(void)
{
    for (int by_lock = 0; by_lock < 2; by_lock++) {
        in_order((rank + 1) % size, by_lock);
        in_order(size - 1, by_lock);
        in_order(rank, by_lock);
    }
    sums();
    requests();
    borrowed();
    MPI_Win_free(&second);
    MPI_Win_free(&first);
}

int main(int argc, char **argv)
{
    long long *own;
    int all = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    own = malloc((CELLS + LONG) * sizeof(*own));
    cells = own;
    others = own + CELLS;
    MPI_Win_create(cells, CELLS * sizeof(*cells), sizeof(*cells), MPI_INFO_NULL, MPI_COMM_WORLD, &first);
    MPI_Win_create(others, LONG * sizeof(*others), sizeof(*others), MPI_INFO_NULL, MPI_COMM_WORLD, &second);
    all_of_it();
    free(own);
    MPI_Win_allocate(CELLS * sizeof(*cells), sizeof(*cells), MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&cells, &first);
    MPI_Win_allocate(LONG * sizeof(*others), sizeof(*others), MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&others, &second);
    all_of_it();
    given_back();
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("bursts: %d wrong\n", all);
    }
    MPI_Finalize();
    return 0;
}
