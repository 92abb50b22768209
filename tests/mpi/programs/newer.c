/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Names of MPI-2 that programs of today use: MPI_IN_PLACE, MPI_Init_thread, MPI_Info, and what replaced older ones.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size;

/* Prints, in the order of world ranks, as many numbers of each. */
static void say(const char *what, const int *mine, int count)
{
    int all[64 * 16];

    MPI_Gather(mine, count, MPI_INT, all, count, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s:", what);
        for (int i = 0; i < size * count; i++) {
            printf(i % count ? " %d" : " (%d", all[i]);
            printf(i % count == count - 1 ? ")" : "");
        }
        printf("\n");
    }
}

/* Fills what is not this process's own with -1. */
static void only_own(int *all, int own)
{
    for (int i = 0; i < size; i++) {
        all[i] = i == rank ? own : -1;
    }
}

static void blocks_in_place(void)
{
    int all[16], counts[16], displs[16], got = -1;

    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        displs[i] = size - 1 - i;
    }
    for (int root = 0; root<size; root += size> 1 ? size - 1 : 1) {
        only_own(all, 10 + rank);
        MPI_Gather(rank == root ? MPI_IN_PLACE : &all[rank], 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD);
        say("gather", all, size);
        memset(all, 0, sizeof(all));
        all[rank == root ? displs[rank] : rank] = 20 + rank;
        MPI_Gatherv(rank == root ? MPI_IN_PLACE : &all[rank], 1, MPI_INT, all, counts, displs, MPI_INT, root,
                    MPI_COMM_WORLD);
        say("gatherv", all, size);
        for (int i = 0; i < size; i++) {
            all[i] = 100 * rank + i;
        }
        MPI_Scatter(all, 1, MPI_INT, rank == root ? MPI_IN_PLACE : (void *)&got, 1, MPI_INT, root, MPI_COMM_WORLD);
        MPI_Scatterv(all, counts, displs, MPI_INT, rank == root ? MPI_IN_PLACE : (void *)&all[0], 1, MPI_INT, root,
                     MPI_COMM_WORLD);
        say("scatter", (int[]){rank == root ? all[rank] : got, all[0]}, 2);
    }
    only_own(all, 30 + rank);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    say("allgather", all, size);
    memset(all, 0, sizeof(all));
    all[displs[rank]] = 40 + rank;
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, displs, MPI_INT, MPI_COMM_WORLD);
    say("allgatherv", all, size);
}

/* Blocks whose lengths differ from pair to pair, each of which takes the place of the one that left. */
static void exchanges_in_place(void)
{
    int all[48], counts[16], displs[16];
    MPI_Datatype pair;

    for (int i = 0; i < 3 * size; i++) {
        all[i] = 100 * rank + i;
    }
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 3, MPI_INT, MPI_COMM_WORLD);
    say("alltoall", all, 3 * size);
    for (int i = 0; i < size; i++) {
        counts[i] = (i + rank) % 2;
        displs[i] = size - 1 - i;
    }
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair); /* of its three numbers the one in the middle stays */
    MPI_Type_commit(&pair);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, all, counts, displs, pair, MPI_COMM_WORLD);
    say("alltoallv", all, 3 * size);
    MPI_Type_free(&pair);
}

static void reductions_in_place(void)
{
    int two[2] = {rank + 1, -rank}, all[16], counts[16];

    for (int root = 0; root<size; root += size> 1 ? size - 1 : 1) {
        int sum[2] = {rank + 1, -rank};

        MPI_Reduce(rank == root ? MPI_IN_PLACE : two, sum, 2, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        say("reduce", sum, 2);
    }
    MPI_Allreduce(MPI_IN_PLACE, two, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    say("allreduce", two, 2);
    two[0] = two[1] = rank + 1;
    MPI_Scan(MPI_IN_PLACE, two, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("scan", two, 2);
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        all[i] = rank + i;
    }
    MPI_Reduce_scatter(MPI_IN_PLACE, all, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("reduce_scatter", all, 1);
}

static void types(void)
{
    struct pair {
        char letter;
        double number;
    } pairs[2] = {{'a', 1.5}, {'b', 2.5}};
    MPI_Datatype pair, column, places;
    MPI_Aint begin, at, lb, extent, columns, last;

    MPI_Get_address(&pairs[0], &begin);
    MPI_Get_address(&pairs[0].number, &at);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, at - begin}, (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE},
                           &pair);
    MPI_Type_create_hvector(3, 1, 8, MPI_INT, &column);
    MPI_Type_create_hindexed(2, (int[]){1, 2}, (MPI_Aint[]){16, 0}, MPI_INT, &places);
    MPI_Type_get_extent(pair, &lb, &extent);
    MPI_Type_get_extent(column, &lb, &columns);
    MPI_Type_get_extent(places, &lb, &last);
    say("extents", (int[]){(int)extent, (int)columns, (int)last, (int)lb}, 4);
    MPI_Type_free(&pair);
    MPI_Type_free(&column);
    MPI_Type_free(&places);
}

static int deleted;

static int count_deletes(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    deleted++;
    return MPI_SUCCESS;
}

static void attributes(void)
{
    int key, flag = 0, gone = 1, mine = 5, *found = NULL;
    MPI_Errhandler handler;
    MPI_Comm copy;

    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, count_deletes, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &mine);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_get_attr(copy, key, &found, &flag);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &found, &gone);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&copy);
    say("attributes", (int[]){flag, gone, deleted, key == MPI_KEYVAL_INVALID, handler == MPI_ERRORS_ARE_FATAL}, 5);
}

static int say_the_end(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int self = MPI_UNEQUAL;

    (void)keyval, (void)extra;
    MPI_Comm_compare(comm, MPI_COMM_SELF, &self);
    if (rank == 0) {
        printf("the end: %s %d\n", (const char *)value, self == MPI_IDENT);
        fflush(stdout);
    }
    return MPI_SUCCESS;
}

/* What is attached to MPI_COMM_SELF is deleted by MPI_Finalize. */
static void last_wish(void)
{
    static char wish[] = "well";
    int key;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, say_the_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, wish);
}

static void hints(void)
{
    char value[16], key[MPI_MAX_INFO_KEY + 1];
    int flag, none, len = 0, count;
    MPI_Info info, copy;

    MPI_Info_create(&info);
    MPI_Info_set(info, "where", "here");
    MPI_Info_set(info, "when", "now");
    MPI_Info_set(info, "when", "later");
    MPI_Info_dup(info, &copy);
    MPI_Info_delete(info, "where");
    MPI_Info_get_nkeys(info, &count);
    MPI_Info_get_nthkey(info, 0, key);
    MPI_Info_get(info, "where", 15, value, &none);
    MPI_Info_get(copy, "when", 15, value, &flag);
    MPI_Info_get_valuelen(copy, "when", &len, &flag);
    if (rank == 0) {
        printf("hints: %d %s %d %d %s %d\n", count, key, none, flag, value, len);
    }
    MPI_Info_free(&info);
    MPI_Info_free(&copy);
    say("freed", (int[]){info == MPI_INFO_NULL}, 1);
}

int main(int argc, char **argv)
{
    int provided, main_thread, ended;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Is_thread_main(&main_thread);
    MPI_Finalized(&ended);
    say("threads", (int[]){provided >= MPI_THREAD_SERIALIZED, main_thread, ended}, 3);
    blocks_in_place();
    exchanges_in_place();
    reductions_in_place();
    types();
    attributes();
    hints();
    last_wish();
    MPI_Finalize();
    MPI_Finalized(&ended);
    return ended ? 0 : 1;
}
