/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What programs of today find in objects of MPI-2: names of types, error codes of their own, external32 by hand, an
 * exchange of which each block has its own type, complex numbers of C, communicators by machine.
 */
#include <complex.h>
#include <mpi.h>
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

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME], many[4 * MPI_MAX_OBJECT_NAME];
    int len[4];
    MPI_Datatype type;

    MPI_Type_get_name(MPI_DOUBLE_INT, name, &len[0]);
    len[1] = strcmp(name, "MPI_DOUBLE_INT");
    line("a name that is there", len, 2);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_get_name(type, name, &len[0]);
    MPI_Type_set_name(type, "three");
    MPI_Type_get_name(type, name, &len[1]);
    len[2] = strcmp(name, "three");
    memset(many, 'n', sizeof(many));
    many[40] = 0;
    MPI_Type_set_name(type, many);
    MPI_Type_get_name(type, name, &len[3]);
    line("one of its own", len, 4);
    MPI_Type_free(&type);
    MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 2, &type);
    MPI_Type_size(type, &len[0]);
    MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &type);
    MPI_Type_size(type, &len[1]);
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 4, &type);
    MPI_Type_size(type, &len[2]);
    line("by size", len, 3);
}

static int heard;

static void hear(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    heard = *code;
}

static void errors(void)
{
    char text[MPI_MAX_ERROR_STRING];
    int class, code, found[5], *last, flag;
    MPI_Errhandler handler;

    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Error_string(code, text, &found[0]);
    MPI_Add_error_string(code, "no more wood");
    MPI_Error_string(code, text, &found[1]);
    MPI_Error_class(code, &found[2]);
    found[2] = found[2] == class;
    found[3] = strcmp(text, "no more wood");
    MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_call_errhandler(MPI_COMM_SELF, code);
    found[4] = heard == code;
    line("own error", found, 5);
    MPI_Add_error_code(MPI_ERR_ARG, &code);
    MPI_Error_class(code, &class);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
    line("one of a class that is there", (int[]){class == MPI_ERR_ARG, flag, *last >= class}, 3);
}

static void external(void)
{
    const double in[2] = {1.5, -2};
    char buffer[MOST];
    double out[2] = {0, 0};
    short number = (short)(rank - 300), got = 0;
    MPI_Aint octets, at = 0, from = 0;
    char world[] = "external32";

    MPI_Pack_external_size(world, 2, MPI_DOUBLE, &octets);
    MPI_Pack_external(world, in, 2, MPI_DOUBLE, buffer, MOST, &at);
    MPI_Pack_external(world, &number, 1, MPI_SHORT, buffer, MOST, &at);
    MPI_Unpack_external(world, buffer, at, &from, out, 2, MPI_DOUBLE);
    MPI_Unpack_external(world, buffer, at, &from, &got, 1, MPI_SHORT);
    line("external32", (int[]){(int)octets, (int)at, (int)from, (int)(2 * out[0]), (int)out[1], got, buffer[16]}, 7);
}

/* To each rank a block of another length, as ints or as pairs of ints, at places that are counted in octets. */
static void blocks(void)
{
    int out[MOST], in[MOST], counts[MOST], froms[MOST], displs[MOST], places[MOST];
    MPI_Datatype types[MOST], ints[MOST], pair;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < MOST; i++) {
        out[i] = 100 * rank + i;
        in[i] = -1;
    }
    for (int peer = 0; peer < size; peer++) {
        types[peer] = (rank + peer) % 2 ? pair : MPI_INT;
        counts[peer] = (rank + peer) % 2 ? 1 : 2;
        ints[peer] = MPI_INT;
        froms[peer] = 2;
        displs[peer] = (int)sizeof(int) * 3 * peer;
        places[peer] = (int)sizeof(int) * 2 * (size - 1 - peer);
    }
    MPI_Alltoallw(out, counts, displs, types, in, froms, places, ints, MPI_COMM_WORLD);
    line("blocks", in, 2 * size + 1);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, in, froms, places, ints, MPI_COMM_WORLD);
    line("and back", in, 2 * size + 1);
    MPI_Type_free(&pair);
}

static void numbers(void)
{
    double complex z = rank + 1 + (rank - 2) * I, sum = 0;
    float complex c = (float)rank * I, product = 0;
    long double complex l[2] = {rank + 2 - I, rank * I}, long_product[2], long_sum[2];

    MPI_Allreduce(&z, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&c, &product, 1, MPI_C_FLOAT_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
    line("complex", (int[]){(int)creal(sum), (int)cimag(sum), (int)cimagf(product)}, 3);
    MPI_Allreduce(l, long_product, 2, MPI_C_LONG_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
    MPI_Allreduce(l, long_sum, 2, MPI_C_LONG_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
    line("long", (int[]){(int)creall(long_product[0]), (int)cimagl(long_product[0]), (int)cimagl(long_sum[1])}, 3);
}

static void processes(void)
{
    int counts[2], ranks[2];
    MPI_Comm machine, parent = MPI_COMM_SELF;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &counts[0]);
    MPI_Comm_rank(machine, &ranks[0]);
    MPI_Comm_disconnect(&machine);
    MPI_Comm_split_type(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    ranks[1] = machine == MPI_COMM_NULL;
    if (machine != MPI_COMM_NULL) {
        MPI_Comm_free(&machine);
    }
    MPI_Comm_get_parent(&parent);
    line("machine", (int[]){counts[0], ranks[0], ranks[1], machine == MPI_COMM_NULL, parent == MPI_COMM_NULL}, 5);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    names();
    errors();
    external();
    blocks();
    numbers();
    processes();
    MPI_Finalize();
    return 0;
}
