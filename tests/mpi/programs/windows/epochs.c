/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What an epoch promises where processes differ: in their units of displacement, in how late they are, in what they do
 * under a lock. Rank 0 prints what was wrong at all ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGE = 300000, ROUNDS = 30 };

static int rank, size, left, right;

static void show(const char *name, int wrong)
{
    int sum = 0;

    MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s: %d wrong\n", name, sum);
    }
}

/* A displacement counts in the target's unit, which is another one at each rank. */
static void units(void)
{
    int *there = calloc((size_t)size * 4, sizeof(int)), mine = 100 + rank, got = -1, wrong = 0;
    MPI_Win win;

    MPI_Win_create(there, size * 4 * (MPI_Aint)sizeof(int), (rank + 1) * (int)sizeof(int), MPI_INFO_NULL,
                   MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&mine, 1, MPI_INT, right, 2, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(&mine, 1, MPI_INT, right, 2, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Get(&got, 1, MPI_INT, right, 2, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    for (int i = 0; i < size * 4; i++) {
        wrong += there[i] != (i == 2 * (rank + 1) ? 2 * (100 + left) : 0);
    }
    show("units", wrong + (got != 2 * mine));
    MPI_Win_free(&win);
    free(there);
}

/* What was got is there when the accesses are complete at the origin. */
static void completes(void)
{
    int *there = malloc(LARGE * sizeof(int)), *got = malloc(LARGE * sizeof(int)), wrong = 0;
    MPI_Group all, to, from;
    MPI_Win win;

    for (int i = 0; i < LARGE; i++) {
        there[i] = rank + i;
    }
    MPI_Win_create(there, LARGE * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &right, &to);
    MPI_Group_incl(all, 1, &left, &from);
    for (int round = 0; round < ROUNDS; round++) {
        got[0] = got[LARGE - 1] = -1;
        MPI_Win_post(from, 0, win);
        MPI_Win_start(to, 0, win);
        MPI_Get(got, LARGE, MPI_INT, right, 0, LARGE, MPI_INT, win);
        MPI_Win_complete(win);
        wrong += got[0] != right || got[LARGE - 1] != right + LARGE - 1;
        MPI_Win_wait(win);
    }
    show("complete", wrong);
    MPI_Group_free(&all);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    MPI_Win_free(&win);
    free(there);
    free(got);
}

/* One process in turn accesses late; nobody is through the last fence before it. */
static void last_fences(void)
{
    int *here = malloc(LARGE * sizeof(int)), *there = malloc(LARGE * sizeof(int)), wrong = 0;
    MPI_Win win;

    MPI_Win_create(there, LARGE * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int round = 0; round < ROUNDS; round++) {
        there[LARGE - 1] = -1;
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
        for (int i = 0; i < (round % size == rank ? LARGE : 0); i++) {
            here[i] = i % (round + 2);
        }
        here[LARGE - 1] = rank * ROUNDS + round;
        MPI_Put(here, LARGE, MPI_INT, right, 0, LARGE, MPI_INT, win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        wrong += there[LARGE - 1] != left * ROUNDS + round;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    show("last fence", wrong);
    MPI_Win_free(&win);
    free(here);
    free(there);
}

/* Two numbers are always equal but for who holds the lock alone. */
static void alone(void)
{
    int there[2] = {0, 0}, wrong = 0;
    MPI_Win win;

    MPI_Win_create(there, sizeof(there), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) {
        int writes = (round + rank) % 2, mine = rank * ROUNDS + round, got[2] = {0, 0};

        MPI_Win_lock(writes ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 0, 0, win);
        for (int i = 0; i < 2; i++) {
            if (writes) {
                MPI_Put(&mine, 1, MPI_INT, 0, i, 1, MPI_INT, win);
            } else {
                MPI_Get(&got[i], 1, MPI_INT, 0, i, 1, MPI_INT, win);
            }
            MPI_Win_flush(0, win);
        }
        MPI_Win_unlock(0, win);
        wrong += got[0] != got[1];
    }
    show("alone", wrong);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    units();
    completes();
    last_fences();
    alone();
    MPI_Finalize();
    return 0;
}
