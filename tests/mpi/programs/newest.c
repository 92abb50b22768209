/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * More names of later versions of MPI that programs of today use: types with bounds of their own, parts of arrays,
 * exclusive scans, names of communicators.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

static int rank, size;

/* Prints, in the order of world ranks, as many numbers of each. */
static void line(const char *what, const int *mine, int count)
{
    int all[64 * MOST];

    MPI_Gather(mine, count, MPI_INT, all, count, MPI_INT, 0, MPI_COMM_WORLD);
    for (int from = 0; rank == 0 && from < size; from++) {
        printf("%s %d:", what, from);
        for (int i = 0; i < count; i++) {
            printf(" %d", all[from * count + i]);
        }
        printf("\n");
    }
}

/* What a type takes out of an array that counts, and its bounds. */
static void show_type(const char *what, MPI_Datatype type, int count)
{
    int in[MOST], out[MOST + 3] = {0}, octets;
    MPI_Aint lb, extent, true_lb, true_extent;
    MPI_Status status;

    for (int i = 0; i < MOST; i++) {
        in[i] = 100 * rank + i;
    }
    MPI_Type_commit(&type);
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_get_true_extent(type, &true_lb, &true_extent);
    MPI_Type_size(type, &octets);
    MPI_Sendrecv(in, count, type, (rank + 1) % size, 1, out, MOST, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, MPI_INT, &out[MOST]);
    line(what, out, out[MOST]);
    memset(out, 0, sizeof(out));
    MPI_Sendrecv(in, octets / (int)sizeof(int) * count, MPI_INT, (rank + 1) % size, 2, out, count, type,
                 (rank + size - 1) % size, 2, MPI_COMM_WORLD, &status);
    line(what, out, 40);
    line("bounds", (int[]){(int)lb, (int)extent, (int)true_lb, (int)true_extent, octets}, 5);
    MPI_Type_free(&type);
}

static void types(void)
{
    const int at[] = {7, 1, 4}, sizes[] = {4, 5}, some[] = {2, 3}, starts[] = {1, 1};
    const MPI_Aint octets[] = {28, 8};
    MPI_Datatype type, made;

    MPI_Type_vector(3, 1, 5, MPI_INT, &type);
    MPI_Type_create_resized(type, 0, sizeof(int), &made);
    show_type("column", made, 2);
    MPI_Type_create_resized(type, -8, 44, &made);
    MPI_Type_free(&type);
    MPI_Type_create_resized(made, 0, 60, &type);
    show_type("resized twice", type, 1);
    MPI_Type_free(&made);
    MPI_Type_create_indexed_block(3, 2, at, MPI_INT, &made);
    show_type("indexed block", made, 1);
    MPI_Type_create_hindexed_block(2, 3, octets, MPI_INT, &made);
    show_type("hindexed block", made, 2);
    MPI_Type_create_subarray(2, sizes, some, starts, MPI_ORDER_C, MPI_INT, &made);
    show_type("part in C", made, 2);
    MPI_Type_create_subarray(2, sizes, some, starts, MPI_ORDER_FORTRAN, MPI_INT, &made);
    MPI_Type_dup(made, &type);
    show_type("part in Fortran", made, 2);
    show_type("the same", type, 1);
    MPI_Type_dup(MPI_INT, &type);
    show_type("a dup", type, 3);
}

/* Not commutative: a pair (a, b) stands for x -> a x + b, modulo 97. */
static void compose(void *in, void *inout, int *len, MPI_Datatype *type)
{
    int *first = in, *second = inout;

    (void)type;
    for (int i = 0; i < *len; i++) {
        int a = first[2 * i] * second[2 * i] % 97, b = (second[2 * i] * first[2 * i + 1] + second[2 * i + 1]) % 97;

        second[2 * i] = a;
        second[2 * i + 1] = b;
    }
}

static void reductions(void)
{
    int mine[2] = {rank + 2, 3 * rank + 1}, got[2] = {-1, -2}, many[64], commutes[2];
    MPI_Datatype pair;
    MPI_Op op;

    MPI_Exscan(mine, got, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        got[0] = got[1] = -1; /* not defined there */
    }
    line("exscan", got, 2);
    memcpy(got, mine, sizeof(got));
    MPI_Exscan(MPI_IN_PLACE, got, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank > 0) {
        line("in place", got, 2);
    } else {
        line("in place", mine, 2);
    }
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(compose, 0, &op);
    MPI_Exscan(mine, got, 1, pair, op, MPI_COMM_WORLD);
    if (rank == 0) {
        memcpy(got, mine, sizeof(got));
    }
    line("in order", got, 2);
    MPI_Op_commutative(op, &commutes[0]);
    MPI_Op_commutative(MPI_SUM, &commutes[1]);
    line("commutes", commutes, 2);
    MPI_Reduce_local(mine, got, 2, MPI_INT, MPI_PROD);
    line("local", got, 2);
    for (int i = 0; i < size; i++) {
        many[i] = i * 10 + rank;
    }
    MPI_Reduce_scatter_block(many, got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    line("block", got, 1);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
}

static int errors_heard;

static void hear(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    errors_heard += *code == MPI_ERR_OTHER;
}

static void objects(void)
{
    char name[MPI_MAX_OBJECT_NAME], version[MPI_MAX_LIBRARY_VERSION_STRING];
    int len, flag[3], value = rank;
    MPI_Request request;
    MPI_Status status;
    MPI_Errhandler handler;
    MPI_Comm comm;

    MPI_Comm_get_name(MPI_COMM_WORLD, name, &len);
    line("world", (int[]){len, strcmp(name, "MPI_COMM_WORLD")}, 2);
    MPI_Comm_get_name(MPI_COMM_SELF, name, &len);
    line("self", (int[]){len, strcmp(name, "MPI_COMM_SELF")}, 2);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    MPI_Comm_get_name(comm, name, &len);
    line("no name", (int[]){len, name[0]}, 2);
    MPI_Comm_set_name(comm, "the other way round");
    MPI_Comm_get_name(comm, name, &len);
    line("name", (int[]){len, strcmp(name, "the other way round")}, 2);
    MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    line("heard", &errors_heard, 1);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);

    MPI_Irecv(&value, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &request);
    MPI_Request_get_status(request, &flag[0], &status);
    MPI_Send(&rank, 1, MPI_INT, rank, 5, MPI_COMM_WORLD);
    do {
        MPI_Request_get_status(request, &flag[1], &status);
    } while (!flag[1]);
    MPI_Get_count(&status, MPI_INT, &len);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_get_status(request, &flag[2], &status);
    line("status", (int[]){flag[0], flag[1], len, request == MPI_REQUEST_NULL, flag[2]}, 5);
    MPI_Get_library_version(version, &len);
    line("version", (int[]){len > 0}, 1);
}

static void stdint(void)
{
    int64_t longs = (int64_t)1 << (40 + rank % 8), sum;
    int32_t ints = rank, most;
    uint8_t octet = (uint8_t)(1 << rank % 8), all;
    MPI_Aint address = rank, last;

    MPI_Allreduce(&longs, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&ints, &most, 1, MPI_INT32_T, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&octet, &all, 1, MPI_UINT8_T, MPI_BOR, MPI_COMM_WORLD);
    MPI_Allreduce(&address, &last, 1, MPI_AINT, MPI_MAX, MPI_COMM_WORLD);
    line("stdint", (int[]){(int)(sum >> 40), most, all, (int)last}, 4);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    types();
    reductions();
    objects();
    stdint();
    MPI_Finalize();
    return 0;
}
