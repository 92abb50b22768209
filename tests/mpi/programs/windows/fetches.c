/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Accesses to windows that fetch what was there, and those with a request: counters, types with gaps, more octets than
 * a question has room for, order, compare and swap as a lock. Rank 0 prints what was wrong at all ranks.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 40, LARGE = 20000, MANY = 64 };

static int rank, size, right;

static void show(const char *name, int wrong)
{
    int sum = 0;

    MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s: %d wrong\n", name, sum);
    }
}

/* Each number is given to one process, and none is left out: by memory of the program's, or of the window's. */
static void tickets(int allocated)
{
    int own[2], *counter = own, one = 1, wrong = 0, *taken = calloc((size_t)(size * ROUNDS), sizeof(int)), last = -1;
    MPI_Win win;

    if (allocated) {
        MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&counter, &win);
    } else {
        MPI_Win_create(own, 2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    }
    counter[0] = counter[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int round = 0; round < ROUNDS; round++) {
        int ticket = -1;

        MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 1, MPI_SUM, win);
        MPI_Win_flush(0, win);
        wrong += ticket <= last || ticket >= size * ROUNDS;
        last = ticket;
        if (ticket >= 0 && ticket < size * ROUNDS) {
            taken[ticket]++;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Fetch_and_op(NULL, &last, MPI_INT, 0, 1, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
    wrong += last != size * ROUNDS;
    MPI_Win_unlock_all(win);
    MPI_Allreduce(MPI_IN_PLACE, taken, size * ROUNDS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < size * ROUNDS; i++) {
        wrong += taken[i] != 1;
    }
    wrong += rank > 0 && counter[1] != 0;
    show("tickets", wrong);
    free(taken);
    MPI_Win_free(&win);
}

/* Octets of the window that are not named stay as they are; what is fetched has gaps on one side alone. */
static void gaps(void)
{
    int there[12], here[4] = {1, 2, 3, 4}, got[8], wrong = 0;
    MPI_Datatype column;
    MPI_Win win;

    for (int i = 0; i < 12; i++) {
        there[i] = 100 * rank + i;
    }
    for (int i = 0; i < 8; i++) {
        got[i] = -i;
    }
    MPI_Type_vector(4, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_create(there, sizeof(there), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Get_accumulate(here, 4, MPI_INT, got, 1, column, right, 2, 1, column, MPI_SUM, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 12; i++) {
        int added = i >= 2 && i <= 8 && i % 2 == 0 ? i / 2 : 0;

        wrong += there[i] != 100 * rank + i + added;
    }
    for (int i = 0; i < 8; i++) {
        wrong += got[i] != (i % 2 ? -i : 100 * right + i + 2);
    }
    MPI_Get_accumulate(NULL, 0, MPI_INT, got, 4, MPI_INT, right, 0, 4, MPI_INT, MPI_NO_OP, win);
    MPI_Get_accumulate(here, 4, MPI_INT, got + 4, 4, MPI_INT, MPI_PROC_NULL, 0, 4, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    wrong += got[0] != 100 * right || got[1] != 100 * right + 1 || got[2] != 100 * right + 3 ||
             got[3] != 100 * right + 3 || got[5] != -5;
    show("gaps", wrong);
    MPI_Type_free(&column);
    MPI_Win_free(&win);
}

static void large(void)
{
    double *there = malloc(LARGE * sizeof(double)), *here = malloc(LARGE * sizeof(double));
    double *got = malloc(LARGE * sizeof(double));
    struct {
        double value;
        int index;
    } best[3] = {{1, 9}, {2, 9}, {3, 9}}, own[3] = {{2, rank}, {2, 1}, {-1, 0}}, before[3];
    int wrong = 0;
    MPI_Win win, pairs;

    for (int i = 0; i < LARGE; i++) {
        there[i] = i;
        here[i] = rank + 1;
        got[i] = -1;
    }
    MPI_Win_create(there, LARGE * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(best, sizeof(best), sizeof(best[0]), MPI_INFO_NULL, MPI_COMM_WORLD, &pairs);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, pairs);
    MPI_Get_accumulate(here, LARGE, MPI_DOUBLE, got, LARGE, MPI_DOUBLE, right, 0, LARGE, MPI_DOUBLE, MPI_PROD, win);
    MPI_Get_accumulate(own, 3, MPI_DOUBLE_INT, before, 3, MPI_DOUBLE_INT, right, 0, 3, MPI_DOUBLE_INT, MPI_MAXLOC,
                       pairs);
    MPI_Win_fence(0, pairs);
    MPI_Win_fence(0, win);
    for (int i = 0; i < LARGE; i++) {
        int left = (rank + size - 1) % size;

        wrong += got[i] != i || there[i] != (double)i * (left + 1);
    }
    wrong += before[0].value != 1 || before[1].index != 9 || before[2].value != 3;
    wrong += best[0].value != 2 || best[1].value != 2 || best[1].index != 1 || best[2].index != 9;
    show("large", wrong);
    MPI_Win_free(&win);
    MPI_Win_free(&pairs);
    free(there);
    free(here);
    free(got);
}

/* More pairs than a question has room for: none is cut in two, whatever its octets are. */
static void many_pairs(void)
{
    struct pair {
        double value;
        int index;
    } *there = calloc(LARGE, sizeof(*there)), *own = calloc(LARGE, sizeof(*own));
    int left = (rank + size - 1) % size, wrong = 0;
    MPI_Win win;

    for (int i = 0; i < LARGE; i++) {
        there[i] = (struct pair){i % 3, -1};
        own[i] = (struct pair){1.5, 1000 * rank + i};
    }
    MPI_Win_create(there, LARGE * (MPI_Aint)sizeof(*there), sizeof(*there), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(own, LARGE, MPI_DOUBLE_INT, right, 0, LARGE, MPI_DOUBLE_INT, MPI_MAXLOC, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < LARGE; i++) {
        bool stays = i % 3 == 2;

        wrong += there[i].value != (stays ? 2 : 1.5) || there[i].index != (stays ? -1 : 1000 * left + i);
    }
    show("many pairs", wrong);
    MPI_Win_free(&win);
    free(there);
    free(own);
}

/* Pairs with a gap, in types that are made of them and differ on each side; what lies between is nobody's. */
static void pairs_of_types(void)
{
    struct pair {
        long double value;
        int index;
    } there[9], own[9], before[9];
    MPI_Datatype strided, backwards, apart;
    int wrong = 0;
    MPI_Win win;

    for (int i = 0; i < 9; i++) {
        there[i].value = own[i].value = before[i].value = i;
        there[i].index = own[i].index = before[i].index = 100 + i;
    }
    MPI_Type_vector(3, 1, 3, MPI_LONG_DOUBLE_INT, &strided);                        /* 0, 3, 6 */
    MPI_Type_vector(3, 1, -1, MPI_LONG_DOUBLE_INT, &backwards);                     /* 8, 7, 6 */
    MPI_Type_indexed(2, (int[]){1, 2}, (int[]){1, 4}, MPI_LONG_DOUBLE_INT, &apart); /* 1, 4, 5 */
    MPI_Type_commit(&strided);
    MPI_Type_commit(&backwards);
    MPI_Type_commit(&apart);
    MPI_Win_create(there, sizeof(there), sizeof(there[0]), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Get_accumulate(&own[8], 1, backwards, before, 1, apart, right, 0, 1, strided, MPI_MAXLOC, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 9; i++) {
        int now = i == 0 ? 8 : i == 3 ? 7 : i; /* of 8 and 0, 7 and 3, 6 and 6 */
        int was = i == 1 ? 0 : i == 4 ? 3 : i == 5 ? 6 : i;

        wrong += there[i].value != now || there[i].index != 100 + now;
        wrong += before[i].value != was || before[i].index != 100 + was;
    }
    MPI_Barrier(MPI_COMM_WORLD); /* all have looked */
    own[0].value = -1;
    own[0].index = 7;
    MPI_Accumulate(own, 1, MPI_LONG_DOUBLE_INT, right, 2, 1, MPI_LONG_DOUBLE_INT, MPI_MINLOC, win);
    MPI_Accumulate(&own[8], 1, backwards, right, 6, 3, MPI_LONG_DOUBLE_INT, MPI_MINLOC, win);
    MPI_Win_fence(0, win);
    wrong += there[2].value != -1 || there[2].index != 7 || there[1].value != 1;
    wrong += there[6].value != 6 || there[7].value != 7 || there[8].value != 6 || there[8].index != 106;
    show("pairs", wrong);
    MPI_Win_free(&win);
    MPI_Type_free(&strided);
    MPI_Type_free(&backwards);
    MPI_Type_free(&apart);
}

/* What one process does to one place is done in the order of its calls, without a flush between them. */
static void order(void)
{
    int there[1] = {0}, got[MANY], put[MANY], wrong = 0;
    MPI_Win win;

    MPI_Win_create(there, sizeof(there), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
    for (int i = 0; i < MANY; i++) {
        put[i] = i + 1;
        if (i % 3 == 2) {
            MPI_Accumulate(&put[i], 1, MPI_INT, right, 0, 1, MPI_INT, MPI_REPLACE, win);
            MPI_Fetch_and_op(NULL, &got[i], MPI_INT, right, 0, MPI_NO_OP, win);
        } else {
            MPI_Fetch_and_op(&put[i], &got[i], MPI_INT, right, 0, MPI_REPLACE, win);
        }
    }
    MPI_Win_unlock(right, win);
    for (int i = 0; i < MANY; i++) {
        wrong += got[i] != (i % 3 == 2 ? i + 1 : i);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    wrong += there[0] != MANY;
    MPI_Win_unlock(rank, win);
    show("order", wrong);
    MPI_Win_free(&win);
}

/* A lock made of one word: a sum that is read and written back under it is not torn. */
static void swaps(int allocated)
{
    long long own[2], *memory = own, free_word = -1, mine = rank, seen, sum;
    int wrong = 0;
    MPI_Win win;

    if (allocated) {
        MPI_Win_allocate(2 * sizeof(*memory), sizeof(*memory), MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&memory, &win);
    } else {
        MPI_Win_create(own, sizeof(own), sizeof(own[0]), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    }
    memory[0] = -1;
    memory[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int round = 0; round < ROUNDS; round++) {
        do {
            seen = 77;
            MPI_Compare_and_swap(&mine, &free_word, &seen, MPI_LONG_LONG_INT, 0, 0, win);
            MPI_Win_flush(0, win);
            wrong += seen < -1 || seen >= size || seen == rank;
        } while (seen != -1);
        MPI_Get(&sum, 1, MPI_LONG_LONG_INT, 0, 1, 1, MPI_LONG_LONG_INT, win);
        MPI_Win_flush(0, win);
        sum++;
        MPI_Put(&sum, 1, MPI_LONG_LONG_INT, 0, 1, 1, MPI_LONG_LONG_INT, win);
        MPI_Win_flush(0, win);
        MPI_Compare_and_swap(&free_word, &mine, &seen, MPI_LONG_LONG_INT, 0, 0, win);
        MPI_Win_flush(0, win);
        wrong += seen != rank;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    wrong += rank == 0 && memory[1] != (long long)size * ROUNDS;
    show("swaps", wrong);
    MPI_Win_free(&win);
}

/* All count in one word, which they read and exchange: no count is lost. */
static void counts(void)
{
    enum { COUNTS = 2000 };
    long long *memory, known = 0, next, seen;
    MPI_Win win;

    MPI_Win_allocate(sizeof(*memory), sizeof(*memory), MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&memory, &win);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int count = 0; count < COUNTS;) {
        next = known + 1;
        MPI_Compare_and_swap(&next, &known, &seen, MPI_LONG_LONG_INT, 0, 0, win);
        MPI_Win_flush(0, win);
        count += seen == known;
        known = seen == known ? next : seen;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    show("counts", rank == 0 && *memory != (long long)size * COUNTS);
    MPI_Win_free(&win);
}

/* Two words that are written one after the other under an exclusive lock: who reads both under a shared one finds them
 * equal. */
static void words(void)
{
    long long own[2] = {0, 0}, written, read[2];
    int wrong = 0;
    MPI_Win win;

    MPI_Win_create(own, sizeof(own), sizeof(own[0]), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int round = 1; round <= 10 * ROUNDS; round++) {
        bool writes = rank == round % size;

        MPI_Win_lock(writes ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 0, 0, win);
        for (int word = 0; word < 2; word++) {
            written = (long long)round * size + rank;
            if (writes) {
                MPI_Put(&written, 1, MPI_LONG_LONG_INT, 0, word, 1, MPI_LONG_LONG_INT, win);
            } else {
                MPI_Get(&read[word], 1, MPI_LONG_LONG_INT, 0, word, 1, MPI_LONG_LONG_INT, win);
            }
            MPI_Win_flush(0, win);
        }
        MPI_Win_unlock(0, win);
        wrong += !writes && read[0] != read[1];
    }
    MPI_Barrier(MPI_COMM_WORLD);
    show("words", wrong);
    MPI_Win_free(&win);
}

/* More of the longest numbers than one question to the target has. */
static void wide(void)
{
    enum { WIDE = 300 };
    long double there[WIDE], mine[WIDE], seen[WIDE];
    int wrong = 0;
    MPI_Win win;

    for (int i = 0; i < WIDE; i++) {
        there[i] = i;
        mine[i] = 0.5L + rank;
    }
    MPI_Win_create(there, sizeof(there), sizeof(there[0]), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Get_accumulate(mine, WIDE, MPI_LONG_DOUBLE, seen, WIDE, MPI_LONG_DOUBLE, (rank + 1) % size, 0, WIDE,
                       MPI_LONG_DOUBLE, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(mine, WIDE, MPI_LONG_DOUBLE, (rank + 1) % size, 0, WIDE, MPI_LONG_DOUBLE, MPI_SUM, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < WIDE; i++) {
        wrong += seen[i] != i || there[i] != i + 2 * (0.5L + (rank + size - 1) % size);
    }
    show("wide", wrong);
    MPI_Win_free(&win);
}

/* Of numbers of each length: one octet that differs is enough to leave them. */
static int compared_in(MPI_Win win, unsigned char *there)
{
    static const MPI_Datatype types[] = {MPI_SIGNED_CHAR, MPI_SHORT, MPI_INT, MPI_LONG_LONG_INT};
    unsigned char other[8], compare[8], seen[8];
    int wrong = 0;

    memset(other, 0x55, sizeof(other));
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    for (int kind = 0; kind < 4; kind++) {
        int octets = 1 << kind;

        for (int differs = 0; differs <= octets; differs++) {
            memset(there, 0x11, 8);
            memset(compare, 0x11, sizeof(compare));
            compare[differs % 8] ^= differs < octets ? 0x80 : 0;
            MPI_Win_sync(win);
            MPI_Compare_and_swap(other, compare, seen, types[kind], rank, 0, win);
            MPI_Win_flush(rank, win);
            wrong += seen[octets - 1] != 0x11 || there[0] != (differs < octets ? 0x11 : 0x55) ||
                     there[octets - 1] != there[0] || (octets < 8 && there[octets] != 0x11);
        }
    }
    MPI_Win_unlock(rank, win);
    return wrong;
}

static void compared(void)
{
    unsigned char own[8], *memory;
    MPI_Win created, allocated;

    MPI_Win_create(own, sizeof(own), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &created);
    MPI_Win_allocate(sizeof(own), 1, MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&memory, &allocated);
    show("compared", compared_in(created, own) + compared_in(allocated, memory));
    MPI_Win_free(&created);
    MPI_Win_free(&allocated);
}

/* A buffer may be used again, and what was got is there, when the request is done; the lock stays. */
static void requests(void)
{
    int *there, here[MANY], got[MANY], before[MANY], wrong = 0, flag = 0;
    MPI_Request request[MANY];
    MPI_Win win;

    MPI_Win_allocate(2 * MANY * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&there, &win);
    for (int i = 0; i < 2 * MANY; i++) {
        there[i] = i;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < MANY; i++) {
        here[i] = 1000 * rank + i;
        MPI_Rput(&here[i], 1, MPI_INT, right, i, 1, MPI_INT, win, &request[i]);
    }
    MPI_Waitall(MANY, request, MPI_STATUSES_IGNORE);
    memset(here, 0, sizeof(here));
    MPI_Win_flush(right, win);
    MPI_Rget(got, MANY, MPI_INT, right, 0, MANY, MPI_INT, win, &request[0]);
    while (!flag) {
        MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < MANY; i++) {
        wrong += got[i] != 1000 * rank + i;
        here[i] = 1;
    }
    MPI_Raccumulate(here, MANY, MPI_INT, right, MANY, MANY, MPI_INT, MPI_SUM, win, &request[0]);
    MPI_Rget_accumulate(here, MANY, MPI_INT, before, MANY, MPI_INT, right, MANY, MANY, MPI_INT, MPI_SUM, win,
                        &request[1]);
    MPI_Rput(here, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &request[2]);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; i++) {
        wrong += before[i] != MANY + i + 1;
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    wrong += there[MANY] != MANY + 2 || there[MANY - 1] != 1000 * ((rank + size - 1) % size) + MANY - 1;
    show("requests", wrong);
    MPI_Win_free(&win);
}

/* A process that waits for a lock goes on with what it has begun before: the holder gives the lock back only when an
 * operation of all is through. */
static void beside(void)
{
    int there[1] = {0}, value[MANY], wrong = 0;
    MPI_Request request;
    MPI_Win win;

    MPI_Win_create(there, sizeof(there), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int round = 0; round < 5; round++) {
        int holder = round % size;

        if (rank == holder) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < MANY; i++) {
            value[i] = rank + i;
        }
        MPI_Iallreduce(MPI_IN_PLACE, value, MANY, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        if (rank == holder) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        }
        MPI_Win_unlock(0, win);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < MANY; i++) {
            wrong += value[i] != size * (size - 1) / 2 + i * size;
        }
    }
    show("beside", wrong);
    MPI_Win_free(&win);
}

/* Floats that begin at any octet add up, and are fetched, as others do. */
static void askew(void)
{
    enum { FLOATS = 9000, TURNS = 20 };
    char *memory, *here = calloc(FLOATS, sizeof(double)), *there = calloc(FLOATS, sizeof(double));
    int wrong = 0;
    MPI_Win win;

    MPI_Win_allocate((MPI_Aint)(FLOATS * sizeof(double)) + 3 + rank, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memset(memory, 0, FLOATS * sizeof(double) + 3 + (size_t)rank);
    for (size_t i = 0; i + 1 < FLOATS; i++) {
        memcpy(here + 1 + i * sizeof(double), &(double){(double)i}, sizeof(double));
    }
    MPI_Win_fence(0, win);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int target = 0; target < size; target++) {
            MPI_Accumulate(here + 1, FLOATS - 1, MPI_DOUBLE, target, 3, FLOATS - 1, MPI_DOUBLE, MPI_SUM, win);
        }
    }
    MPI_Win_fence(0, win);
    MPI_Get_accumulate(here + 1, FLOATS - 1, MPI_DOUBLE, there + 1, FLOATS - 1, MPI_DOUBLE, (rank + 1) % size, 3,
                       FLOATS - 1, MPI_DOUBLE, MPI_NO_OP, win);
    MPI_Win_fence(0, win);
    for (size_t i = 0; i + 1 < FLOATS; i++) {
        double own, got;

        memcpy(&own, memory + 3 + i * sizeof(double), sizeof(own));
        memcpy(&got, there + 1 + i * sizeof(double), sizeof(got));
        wrong += own != (double)i * TURNS * size;
        wrong += got != (double)i * TURNS * size;
    }
    show("askew", wrong);
    MPI_Win_free(&win);
    free(here);
    free(there);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    tickets(0);
    tickets(1);
    gaps();
    large();
    many_pairs();
    pairs_of_types();
    order();
    swaps(0);
    swaps(1);
    counts();
    words();
    askew();
    compared();
    wide();
    requests();
    beside();
    MPI_Finalize();
    return 0;
}
