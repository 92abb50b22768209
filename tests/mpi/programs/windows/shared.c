/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Windows of shared memory: stores that the others load, parts one behind the other, one part for all, and the
 * operations of other windows on them.
 */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { COUNT = 999 }; /* parts that end nowhere in particular */

static int rank, size, wrong;
static MPI_Comm node;

static void expect(long got, long wanted, const char *what)
{
    if (got != wanted && wrong++ < 5) {
        printf("rank %d: %s: %ld, not %ld\n", rank, what, got, wanted);
    }
}

static void say(const char *what)
{
    int all;

    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, node);
    if (rank == 0) {
        printf("%s: %d wrong\n", what, all);
    }
    wrong = 0;
}

/* Each stores in its own part and loads from the next one's. */
static void stores(void)
{
    long *own, *other, *whole;
    int unit, next = (rank + 1) % size, own_unit = rank % 2 ? 1 : (int)sizeof(long);
    MPI_Aint octets;
    MPI_Win win;
    int *flavor, found;
    void *base;

    MPI_Win_allocate_shared((rank + 1) * COUNT * (MPI_Aint)sizeof(long), own_unit, MPI_INFO_NULL, node, &own, &win);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &found);
    expect(found && *flavor == MPI_WIN_FLAVOR_SHARED, 1, "flavor");
    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &found);
    expect(base == own, 1, "base");
    for (int i = 0; i < (rank + 1) * COUNT; i++) {
        own[i] = rank * 100000L + i;
    }
    MPI_Win_fence(0, win);
    MPI_Win_shared_query(win, next, &octets, &unit, &other);
    expect(octets, (next + 1) * COUNT * (MPI_Aint)sizeof(long), "size");
    expect(unit, next % 2 ? 1 : (int)sizeof(long), "disp_unit");
    for (int i = 0; i < (next + 1) * COUNT; i++) {
        expect(other[i], next * 100000L + i, "load");
    }
    MPI_Win_shared_query(win, MPI_PROC_NULL, &octets, &unit, &whole);
    expect(octets, COUNT * (MPI_Aint)sizeof(long), "size of the first");
    expect((long)((uintptr_t)whole % _Alignof(max_align_t)), 0, "alignment of the first");
    for (int i = 0, at = 0; i < size; at += (i + 1) * COUNT, i++) {
        expect(whole[at], i * 100000L, "one behind the other");
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    say("stores");
}

/* The last process has all the memory; locks and MPI_Win_sync around barriers, as programs do. */
static void one_part(void)
{
    int *own, *table, unit;
    MPI_Aint octets;
    MPI_Win win;

    MPI_Win_allocate_shared(rank == size - 1 ? size * (MPI_Aint)sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, node, &own,
                            &win);
    MPI_Win_shared_query(win, MPI_PROC_NULL, &octets, &unit, &table);
    expect(octets, size * (MPI_Aint)sizeof(int), "size");
    MPI_Win_shared_query(win, 0, &octets, &unit, &own);
    expect(octets == 0 && own == NULL, size > 1, "no memory");
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int round = 0; round < 50; round++) {
        table[rank] = round * 1000 + rank;
        MPI_Win_sync(win);
        MPI_Barrier(node);
        MPI_Win_sync(win);
        for (int i = 0; i < size; i++) {
            expect(table[i], round * 1000 + i, "round");
        }
        MPI_Barrier(node);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    say("one part");
}

/* Puts, gets and sums, seen by loads. */
static void accesses(void)
{
    int *own, unit, *first, next = (rank + 1) % size, got = -1, one = 1, before;
    MPI_Aint octets;
    MPI_Win win;

    MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, node, &own, &win);
    for (int i = 0; i < 4; i++) {
        own[i] = 0;
    }
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, next, 1, 1, MPI_INT, win);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Get(&got, 1, MPI_INT, next, 1, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    expect(own[1], (rank + size - 1) % size, "put");
    expect(got, rank, "get");
    MPI_Win_shared_query(win, 0, &octets, &unit, &first);
    expect(first[2], size, "sum");
    MPI_Barrier(node);
    MPI_Win_lock_all(0, win);
    MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 3, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    expect(before >= 0 && before < size, 1, "fetched");
    MPI_Barrier(node);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    expect(first[3], size, "all fetched");
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    say("accesses");
}

/* The pages of this process, as Linux tells. */
static long pages(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long count = 0;

    if (file) {
        (void)!fscanf(file, "%ld", &count);
        (void)fclose(file);
    }
    return count;
}

/* The lowest descriptor that is free. */
static int descriptor(void)
{
    int free = dup(STDOUT_FILENO);

    (void)close(free);
    return free;
}

/* Nobody has memory; and many are made one after the other, of which none leaves memory or descriptors behind. */
static void little(void)
{
    char *own;
    MPI_Win win;
    long pages_before = pages();
    int descriptor_before = descriptor();

    MPI_Win_allocate_shared(0, 1, MPI_INFO_NULL, node, &own, &win);
    MPI_Win_free(&win);
    for (int i = 0; i < 100; i++) {
        MPI_Win_allocate_shared(100000, 1, MPI_INFO_NULL, node, &own, &win);
        own[99999] = (char)i;
        MPI_Win_free(&win);
    }
    expect((pages() - pages_before) * sysconf(_SC_PAGESIZE) > 50L * 100000 * size, 0, "memory is left behind");
    expect(descriptor() - descriptor_before > 50, 0, "descriptors are left behind");
    say("little");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &size);
    stores();
    one_part();
    accesses();
    little();
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
