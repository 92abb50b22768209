/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One-sided communication: what is put, got and accumulated in each kind of epoch, with types that have gaps, more
 * messages than are under way at a time, and targets that do not call. Rank 0 prints sums over all ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 300000, MANY = 6000, ROUNDS = 50 };

static int rank, size, left, right;

static void show(const char *name, long own)
{
    long sum = 0;

    MPI_Reduce(&own, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s: %ld\n", name, sum);
    }
}

/* Numbers that depend on their place. */
static long checksum(const int *data, int count)
{
    long sum = 0;

    for (int i = 0; i < count; i++) {
        sum = (sum + (long)(i + 1) * (data[i] + 7)) % 1000003;
    }
    return sum * (rank + 1);
}

//= PUMA-111
//= PUMA-116
static void fences(void)
{
    int there[4] = {-1, -1, -1, -1}, here[2] = {rank * 10, rank * 10 + 1}, got[2] = {0, 0};
    MPI_Win win;

    MPI_Win_create(there, sizeof(there), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(here, 2, MPI_INT, right, 1, 2, MPI_INT, win);
    MPI_Put(here, 2, MPI_INT, MPI_PROC_NULL, 1, 2, MPI_INT, win);
    MPI_Put(here, 0, MPI_INT, right, 0, 0, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Get(got, 2, MPI_INT, left, 1, 2, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    show("put", checksum(there, 4));
    show("get", checksum(got, 2));
    MPI_Win_free(&win);
    if (win != MPI_WIN_NULL) {
        printf("the handle of a window stays after it was freed\n");
    }
}

/* A column of a matrix is put into a row's place, and a row got into a column. */
//= PUMA-125
static void gaps(void)
{
    int matrix[5][4], there[5][4], got[5][4];
    MPI_Datatype column;
    MPI_Win win;

    for (int i = 0; i < 20; i++) {
        matrix[i / 4][i % 4] = 100 * rank + i;
        there[i / 4][i % 4] = got[i / 4][i % 4] = -i;
    }
    MPI_Type_vector(5, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_create(there, sizeof(there), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&matrix[0][1], 1, column, right, 2 * (MPI_Aint)sizeof(int), 1, column, win);
    MPI_Put(&matrix[0][3], 1, column, left, 0, 1, column, win);
    MPI_Win_fence(0, win);
    MPI_Get(&got[0][0], 1, column, right, 4 * (MPI_Aint)sizeof(int), 5, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(&matrix[0][0], 1, column, right, 0, 1, column, MPI_SUM, win);
    MPI_Win_fence(0, win);
    show("column to column", checksum(&there[0][0], 20));
    show("row to column", checksum(&got[0][0], 20));
    MPI_Win_free(&win);
    MPI_Type_free(&column);
}

static void large(void)
{
    int *there = malloc(LARGE * sizeof(int)), *here = malloc(LARGE * sizeof(int)), *got = calloc(LARGE, sizeof(int));
    MPI_Win win;

    for (int i = 0; i < LARGE; i++) {
        here[i] = rank + i;
        there[i] = 1;
    }
    MPI_Win_create(there, LARGE * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(here, LARGE, MPI_INT, right, 0, LARGE, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(here, LARGE, MPI_INT, left, 0, LARGE, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Get(got, LARGE, MPI_INT, right, 0, LARGE, MPI_INT, win);
    MPI_Win_fence(0, win);
    show("large", checksum(got, LARGE));
    for (int i = 0; i < MANY; i++) {
        MPI_Put(&here[i], 1, MPI_INT, right, MANY - i, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    show("many", checksum(there, LARGE));
    MPI_Win_free(&win);
    free(there);
    free(here);
    free(got);
}

static void accumulates(void)
{
    static const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_BOR, MPI_BXOR, MPI_LAND, MPI_PROD};
    int numbers[8] = {1, 0, 100, 0, 0, 1, 1, 0}, mine = rank + 1;
    struct {
        double value;
        int index;
    } best = {-1, -1}, own = {(double)(rank * 5 % 3), rank};
    double sums[2] = {0, 0}, parts[2] = {0.5, (double)rank};
    MPI_Win win, pairs, doubles;

    MPI_Win_create(numbers, sizeof(numbers), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(&best, sizeof(best), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &pairs);
    MPI_Win_create(sums, sizeof(sums), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &doubles);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, pairs);
    MPI_Win_fence(0, doubles);
    for (int i = 0; i < 7; i++) {
        for (int to = 0; to < size; to++) {
            MPI_Accumulate(&mine, 1, MPI_INT, to, i, 1, MPI_INT, ops[i], win);
        }
    }
    MPI_Accumulate(&mine, 1, MPI_INT, right, 7, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Accumulate(&own, 1, MPI_DOUBLE_INT, 0, 0, 1, MPI_DOUBLE_INT, MPI_MAXLOC, pairs);
    MPI_Accumulate(parts, 2, MPI_DOUBLE, 0, 0, 2, MPI_DOUBLE, MPI_SUM, doubles);
    MPI_Win_fence(0, doubles);
    MPI_Win_fence(0, pairs);
    MPI_Win_fence(0, win);
    show("accumulate", checksum(numbers, 8));
    if (rank == 0) {
        printf("maxloc: %g at %d; sums %g %g\n", best.value, best.index, sums[0], sums[1]);
    }
    MPI_Win_free(&win);
    MPI_Win_free(&pairs);
    MPI_Win_free(&doubles);
}

/* Each is written by both of its neighbours, and writes to them. */
static void posts(void)
{
    int there[2] = {-1, -1}, neighbours[2] = {left, right}, flag = 0;
    MPI_Group all, near;
    MPI_Win win;

    MPI_Win_create(there, sizeof(there), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, left == right ? 1 : 2, neighbours, &near);
    for (int round = 0; round < ROUNDS; round++) {
        int to_right = rank * 1000 + round, to_left = -to_right;

        MPI_Win_post(near, 0, win);
        MPI_Win_start(near, 0, win);
        MPI_Put(&to_right, 1, MPI_INT, right, 0, 1, MPI_INT, win);
        MPI_Put(&to_left, 1, MPI_INT, left, 1, 1, MPI_INT, win);
        MPI_Win_complete(win);
        if (round % 2) {
            MPI_Win_wait(win);
        } else {
            for (flag = 0; !flag;) {
                MPI_Win_test(win, &flag);
            }
        }
        if (there[0] != left * 1000 + round || there[1] != -(right * 1000 + round)) {
            printf("rank %d, round %d: %d %d\n", rank, round, there[0], there[1]);
        }
    }
    show("post", checksum(there, 2));
    MPI_Group_free(&all);
    MPI_Group_free(&near);
    MPI_Win_free(&win);
}

/* Counters at rank 0, which waits for a message and calls nothing of windows. */
static void locks(void)
{
    int there[3] = {0, 0, 0}, one = 1, token = 0;
    MPI_Win win;

    MPI_Win_create(there, rank == 0 ? sizeof(there) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int round = 0; rank > 0 && round < ROUNDS; round++) {
        int seen = -1;

        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_unlock(0, win);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&one, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    if (rank > 0) {
        MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    for (int i = 1; rank == 0 && i < size; i++) {
        MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Win_unlock(0, win);
    show("locks", checksum(there, 3));
    MPI_Win_free(&win);
}

/* Rank 2 accesses what rank 1 has locked: at once if both share it, else behind the end of the lock. Whether it was so,
 * as far as a tenth of a second shows. */
static int waits(int held, int wanted, MPI_Win win)
{
    int both = held == MPI_LOCK_SHARED && wanted == MPI_LOCK_SHARED, seen = 0, early = 0, token = 0;

    if (rank == 1) {
        MPI_Win_lock(held, 0, 0, win);
        MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Send(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        if (both) {
            MPI_Probe(2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (double until = MPI_Wtime() + 0.1; !both && !early && MPI_Wtime() < until;) {
            MPI_Iprobe(2, 0, MPI_COMM_WORLD, &early, MPI_STATUS_IGNORE);
        }
        MPI_Win_unlock(0, win);
        MPI_Recv(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(wanted, 0, 0, win);
        MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    return !early && seen == (rank == 1 || rank == 2);
}

static void locks_beside_each_other(void)
{
    int there = 1, good = 1;
    MPI_Win win;

    if (size < 3) {
        return;
    }
    MPI_Win_create(&there, rank == 0 ? sizeof(there) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    good &= waits(MPI_LOCK_SHARED, MPI_LOCK_SHARED, win);
    good &= waits(MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE, win);
    good &= waits(MPI_LOCK_EXCLUSIVE, MPI_LOCK_SHARED, win);
    good &= waits(MPI_LOCK_EXCLUSIVE, MPI_LOCK_EXCLUSIVE, win);
    MPI_Barrier(MPI_COMM_WORLD);
    show("locks beside each other", good);
    MPI_Win_free(&win);
}

static int heard;

static void hear(MPI_Win *win, int *code, ...)
{
    (void)win;
    heard = *code;
}

static void questions(void)
{
    double *memory, *base;
    MPI_Aint *octets;
    int *unit, flag[3];
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Errhandler handler;
    MPI_Win win;

    MPI_Alloc_mem(5 * sizeof(double), MPI_INFO_NULL, &memory);
    MPI_Win_create(memory, 5 * sizeof(double), 2 * sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag[0]);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &octets, &flag[1]);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag[2]);
    show("attributes", flag[0] + flag[1] + flag[2] + (base == memory) + (long)*octets + *unit);
    MPI_Win_set_name(win, "memory");
    MPI_Win_get_name(win, name, &flag[0]);
    show("name", flag[0] + strcmp(name, "memory"));
    MPI_Win_create_errhandler(hear, &handler);
    MPI_Win_set_errhandler(win, handler);
    MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
    show("heard", heard == MPI_ERR_OTHER);
    MPI_Errhandler_free(&handler);
    MPI_Win_free(&win);
    MPI_Free_mem(memory);
}

/* Accesses completed one by one, while all parts are locked: what was put is there, and so are the sums in the end. */
static void flushed(void)
{
    int self, count, one = 1, wrong = 0, sum, *memory;
    MPI_Win win;

    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Win_allocate((count + 1) * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[count] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 20 * count; i++) {
        int to = (self + i) % count, put = 100 * i + self, got = -1;

        MPI_Put(&put, 1, MPI_INT, to, self, 1, MPI_INT, win);
        MPI_Win_flush(to, win);
        MPI_Get(&got, 1, MPI_INT, to, self, 1, MPI_INT, win);
        MPI_Win_flush_local(to, win);
        wrong += got != put;
        MPI_Accumulate(&one, 1, MPI_INT, to, count, 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    sum = memory[count] - 20 * count;
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    /* All is what is locked, be it one. */
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Accumulate(&one, 1, MPI_INT, 0, count, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_flush_local_all(win);
    MPI_Win_unlock(0, win);
    sum += self == 0 ? memory[count] - 21 * count : 0;
    MPI_Win_free(&win);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (self == 0) {
        printf("flushed: %d wrong, sums %d off\n", wrong, sum);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    fences();
    gaps();
    large();
    accumulates();
    posts();
    locks();
    locks_beside_each_other();
    questions();
    flushed();
    MPI_Finalize();
    return 0;
}
