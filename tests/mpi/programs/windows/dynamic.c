/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Dynamic windows: memory that comes and goes while others access it by its addresses; a list whose elements lie at
 * several processes; what is refused. Rank 0 prints what was wrong at all ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 1000, ELEMENTS = 20, RANKS_MAX = 16 };

struct element {
    MPI_Aint next; /* its address, or 0 */
    long rank, value;
};

static int rank, size;

static void show(const char *name, int wrong)
{
    int sum = 0;

    MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s: %d wrong\n", name, sum);
    }
}

/* Two pieces of memory of each process are written by its neighbour, and read by all. */
static void pieces(MPI_Win win)
{
    int *first = calloc(WORDS, sizeof(int)), *second = calloc(WORDS, sizeof(int)), *got = calloc(WORDS, sizeof(int));
    int right = (rank + 1) % size, left = (rank + size - 1) % size, wrong = 0;
    MPI_Aint place[2], all[RANKS_MAX][2];

    MPI_Win_attach(win, first, WORDS * sizeof(int));
    MPI_Win_attach(win, second, WORDS * sizeof(int));
    MPI_Get_address(first, &place[0]);
    MPI_Get_address(second, &place[1]);
    MPI_Allgather(place, 2, MPI_AINT, all, 2, MPI_AINT, MPI_COMM_WORLD);
    for (int i = 0; i < WORDS; i++) {
        got[i] = 1000 * rank + i;
    }
    MPI_Win_lock_all(0, win);
    MPI_Put(got, WORDS, MPI_INT, right, all[right][0], WORDS, MPI_INT, win);
    MPI_Accumulate(got, WORDS / 2, MPI_INT, right, all[right][1] + (MPI_Aint)(WORDS / 2 * sizeof(int)), WORDS / 2,
                   MPI_INT, MPI_SUM, win);
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < WORDS; i++) {
        wrong += first[i] != 1000 * left + i;
        wrong += second[i] != (i < WORDS / 2 ? 0 : 1000 * left + i - WORDS / 2);
    }
    MPI_Get(got, WORDS, MPI_INT, left, all[left][0], WORDS, MPI_INT, win);
    MPI_Win_flush(left, win);
    for (int i = 0; i < WORDS; i++) {
        wrong += got[i] != 1000 * ((left + size - 1) % size) + i;
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, first);
    MPI_Win_detach(win, second);
    show("pieces", wrong);
    free(first);
    free(second);
    free(got);
}

/* Memory that is attached in parts, which an access need not know. */
static void parts(MPI_Win win)
{
    int left = (rank + size - 1) % size, right = (rank + 1) % size, wrong = 0;
    int *whole = calloc(3 * WORDS, sizeof(int)), *got = malloc(3 * WORDS * sizeof(int));
    MPI_Aint place, all[RANKS_MAX];

    for (int part = 2; part >= 0; part--) {
        MPI_Win_attach(win, whole + part * WORDS, WORDS * sizeof(int));
    }
    MPI_Get_address(whole, &place);
    MPI_Allgather(&place, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD);
    for (int i = 0; i < 3 * WORDS; i++) {
        got[i] = 1000 * rank + i;
    }
    MPI_Win_lock_all(0, win);
    MPI_Put(got, 3 * WORDS, MPI_INT, right, all[right], 3 * WORDS, MPI_INT, win);
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Get(got, 3 * WORDS - 2, MPI_INT, left, all[left] + (MPI_Aint)sizeof(int), 3 * WORDS - 2, MPI_INT, win);
    MPI_Win_unlock_all(win);
    for (int i = 0; i < 3 * WORDS; i++) {
        wrong += whole[i] != 1000 * left + i;
        wrong += i < 3 * WORDS - 2 && got[i] != 1000 * ((left + size - 1) % size) + i + 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int part = 0; part < 3; part++) {
        MPI_Win_detach(win, whole + part * WORDS);
    }
    show("parts", wrong);
    free(whole);
    free(got);
}

/* A list that goes round all processes, which each one follows. */
static void list(MPI_Win win)
{
    struct element *own = calloc(ELEMENTS, sizeof(*own)), at;
    MPI_Aint place, all[RANKS_MAX];
    int wrong = 0, seen = 0;

    MPI_Win_attach(win, own, ELEMENTS * sizeof(*own));
    MPI_Get_address(own, &place);
    MPI_Allgather(&place, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD);
    for (int i = 0; i < ELEMENTS; i++) {
        int next = rank + 1 < size ? rank + 1 : 0, index = rank + 1 < size ? i : i + 1;

        own[i].next = index < ELEMENTS ? all[next] + (MPI_Aint)((size_t)index * sizeof(*own)) : 0;
        own[i].rank = next;
        own[i].value = i * size + rank;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    at = (struct element){.next = all[0], .rank = 0};
    while (at.next != 0 && seen <= ELEMENTS * size) {
        long from = at.rank;
        MPI_Aint next = at.next;

        MPI_Get(&at, sizeof(at), MPI_BYTE, (int)from, next, sizeof(at), MPI_BYTE, win);
        MPI_Win_flush((int)from, win);
        wrong += at.value != seen++;
    }
    wrong += seen != ELEMENTS * size;
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, own);
    show("list", wrong);
    free(own);
}

static void kinds(MPI_Win win)
{
    int *flavor = NULL, flag = 0;
    void *base = &flag;

    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
    show("flavor", !flag || *flavor != MPI_WIN_FLAVOR_DYNAMIC);
    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
    show("base", !flag || base != MPI_BOTTOM);
}

int main(int argc, char **argv)
{
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    kinds(win);
    pieces(win);
    parts(win);
    list(win);
    pieces(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
