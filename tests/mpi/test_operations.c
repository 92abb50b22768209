/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Operations: which have a meaning for which types, what they do, and those of programs. Chapter 4.9 of MPI.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "ref-impl/mpi/collectives/op.h"
#include "tests/mpi/play.h"
#include "tests/unit/tap.h"

/* The operations in the order of mpi.h. */
static const MPI_Op ops[12] = {MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                               MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};

/* The operations that each type has, "x" being one that it has. */
static const struct {
    MPI_Datatype type;
    const char *has, *name;
} table[] = {
    {MPI_CHAR, "xxxxxxxxxx..", "MPI_CHAR"},
    {MPI_UNSIGNED_CHAR, "xxxxxxxxxx..", "MPI_UNSIGNED_CHAR"},
    {MPI_SIGNED_CHAR, "xxxxxxxxxx..", "MPI_SIGNED_CHAR"},
    {MPI_BYTE, ".....x.x.x..", "MPI_BYTE"},
    {MPI_SHORT, "xxxxxxxxxx..", "MPI_SHORT"},
    {MPI_UNSIGNED_SHORT, "xxxxxxxxxx..", "MPI_UNSIGNED_SHORT"},
    {MPI_INT, "xxxxxxxxxx..", "MPI_INT"},
    {MPI_UNSIGNED, "xxxxxxxxxx..", "MPI_UNSIGNED"},
    {MPI_LONG, "xxxxxxxxxx..", "MPI_LONG"},
    {MPI_UNSIGNED_LONG, "xxxxxxxxxx..", "MPI_UNSIGNED_LONG"},
    {MPI_FLOAT, "xxxx........", "MPI_FLOAT"},
    {MPI_DOUBLE, "xxxx........", "MPI_DOUBLE"},
    {MPI_LONG_DOUBLE, "xxxx........", "MPI_LONG_DOUBLE"},
    {MPI_LONG_LONG_INT, "xxxxxxxxxx..", "MPI_LONG_LONG_INT"},
    {MPI_UNSIGNED_LONG_LONG, "xxxxxxxxxx..", "MPI_UNSIGNED_LONG_LONG"},
    {MPI_PACKED, "............", "MPI_PACKED"},
    {MPI_FLOAT_INT, "..........xx", "MPI_FLOAT_INT"},
    {MPI_DOUBLE_INT, "..........xx", "MPI_DOUBLE_INT"},
    {MPI_LONG_INT, "..........xx", "MPI_LONG_INT"},
    {MPI_2INT, "..........xx", "MPI_2INT"},
    {MPI_SHORT_INT, "..........xx", "MPI_SHORT_INT"},
    {MPI_LONG_DOUBLE_INT, "..........xx", "MPI_LONG_DOUBLE_INT"},
};

static void meanings(void)
{
    MPI_Datatype derived;

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        char has[13] = "............";

        for (int k = 0; k < 12; k++) {
            if (op_takes(op_find(ops[k]), type_find(table[i].type))) {
                has[k] = 'x';
            }
        }
        CHECK(strcmp(has, table[i].has) == 0, "%s has %s (is %s)", table[i].name, table[i].has, has);
    }
    MPI_Type_contiguous(1, MPI_INT, &derived);
    CHECK(!op_takes(op_find(MPI_SUM), type_find(derived)), "derived types have none of the predefined ones");
    MPI_Type_free(&derived);
}

/* inout = in op inout, for one element. */
static void apply(MPI_Op op, MPI_Datatype type, const void *in, void *inout)
{
    op_apply(op_find(op), type_find(type), 1, (void *)(uintptr_t)in, inout);
}

/* Every operation of a whole type on the same two numbers: 12 and 10. */
#define WHOLE(type, handle)                                                                                            \
    do {                                                                                                               \
        static const type expected[10] = {12, 10, 22, 120, 1, 8, 1, 14, 0, 6};                                         \
        for (int k = 0; k < 10; k++) {                                                                                 \
            type in = 12, inout = 10;                                                                                  \
            apply(ops[k], handle, &in, &inout);                                                                        \
            CHECK(inout == expected[k], #handle ", operation %d", k);                                                  \
        }                                                                                                              \
    } while (0)

#define FRACTION(type, handle)                                                                                         \
    do {                                                                                                               \
        static const type expected[4] = {1.5, -0.25, 1.25, -0.375};                                                    \
        for (int k = 0; k < 4; k++) {                                                                                  \
            type in = 1.5, inout = -0.25;                                                                              \
            apply(ops[k], handle, &in, &inout);                                                                        \
            CHECK(fabsl((long double)(inout - expected[k])) < 1e-9L, #handle ", operation %d", k);                     \
        }                                                                                                              \
    } while (0)

static void numbers(void)
{
    WHOLE(unsigned char, MPI_UNSIGNED_CHAR);
    WHOLE(signed char, MPI_SIGNED_CHAR);
    WHOLE(short, MPI_SHORT);
    WHOLE(unsigned short, MPI_UNSIGNED_SHORT);
    WHOLE(int, MPI_INT);
    WHOLE(unsigned, MPI_UNSIGNED);
    WHOLE(long, MPI_LONG);
    WHOLE(unsigned long, MPI_UNSIGNED_LONG);
    WHOLE(long long, MPI_LONG_LONG_INT);
    WHOLE(unsigned long long, MPI_UNSIGNED_LONG_LONG);
    FRACTION(float, MPI_FLOAT);
    FRACTION(double, MPI_DOUBLE);
    FRACTION(long double, MPI_LONG_DOUBLE);
}

static void logic(void)
{
    static const int in[4] = {0, 0, 5, 5}, other[4] = {0, 8, 0, 8};
    static const int and[4] = {0, 0, 0, 1}, or [4] = {0, 1, 1, 1},
                     xor[4] = {
                         0, 1, 1, 0};

    for (int i = 0; i < 4; i++) {
        int a = other[i], b = other[i], c = other[i];

        apply(MPI_LAND, MPI_INT, &in[i], &a);
        apply(MPI_LOR, MPI_INT, &in[i], &b);
        apply(MPI_LXOR, MPI_INT, &in[i], &c);
        CHECK(a == and[i] && b == or [i] && c == xor[i], "%d and, or, xor %d", in[i], other[i]);
    }
}

static void extremes(void)
{
    int in = INT_MAX, inout = 1;
    short small = SHRT_MIN, other = -1;

    apply(MPI_SUM, MPI_INT, &in, &inout);
    CHECK(inout == INT_MIN, "sums go round");
    apply(MPI_PROD, MPI_SHORT, &small, &other);
    CHECK(other == SHRT_MIN, "products too");
    in = -1;
    inout = 1;
    apply(MPI_MAX, MPI_INT, &in, &inout);
    CHECK(inout == 1, "-1 is less than 1");
    in = -1;
    inout = 1;
    apply(MPI_MAX, MPI_UNSIGNED, &in, &inout);
    CHECK(inout == -1, "but not without sign");
}

static void places(void)
{
    struct {
        double value;
        int index;
    } in[3] = {{2, 7}, {2, 3}, {1, 1}}, most[3] = {{2, 5}, {2, 5}, {2, 5}}, least[3] = {{2, 5}, {2, 5}, {2, 5}};

    op_apply(op_find(MPI_MAXLOC), type_find(MPI_DOUBLE_INT), 3, in, most);
    op_apply(op_find(MPI_MINLOC), type_find(MPI_DOUBLE_INT), 3, in, least);
    CHECK(most[0].index == 5 && most[1].index == 3 && most[2].index == 5, "MPI_MAXLOC: of equals the lower index");
    CHECK(least[0].index == 5 && least[1].index == 3 && least[2].index == 1, "MPI_MINLOC: the same");
    CHECK(most[2].value == 2.0 && least[2].value == 1.0, "and the values");
}

static MPI_Datatype seen_type;
static int seen_count;

static void own(void *in, void *inout, int *count, MPI_Datatype *type)
{
    seen_type = *type;
    seen_count = *count;
    *(int *)inout -= *(int *)in;
}

static void of_programs(void)
{
    MPI_Op op, stale, predefined = MPI_SUM;
    int in = 3, inout = 10;

    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Op_create(own, 0, &op), MPI_SUCCESS, "MPI_Op_create");
    CHECK(!op_commutes(op_find(op)) && op_commutes(op_find(MPI_SUM)), "it does not commute, sums do");
    CHECK(op_takes(op_find(op), type_find(MPI_PACKED)), "it takes all types");
    apply(op, MPI_INT, &in, &inout);
    CHECK(inout == 7 && seen_type == MPI_INT && seen_count == 1, "it is called with count and type");
    stale = op;
    CHECK(MPI_Op_free(&op) == MPI_SUCCESS && op == MPI_OP_NULL, "MPI_Op_free");
    CHECK_EQ(MPI_Op_free(&stale), MPI_ERR_OP, "a second time");
    CHECK_EQ(MPI_Op_free(&predefined), MPI_ERR_OP, "MPI_SUM stays");
    CHECK_EQ(MPI_Op_create(NULL, 1, &op), MPI_ERR_ARG, "no function");
    CHECK_EQ(MPI_Allreduce(&in, &inout, 1, MPI_INT, stale, MPI_COMM_WORLD), MPI_ERR_OP, "a stale operation");
    CHECK_EQ(MPI_Allreduce(&in, &inout, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD), MPI_ERR_OP, "bits of a double");
    CHECK_EQ(MPI_Allreduce(&in, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER, "one buffer for both");
}

int main(void)
{
    play_open(0, "0", "0");
    TAP_RUN(meanings);
    TAP_RUN(numbers);
    TAP_RUN(logic);
    TAP_RUN(extremes);
    TAP_RUN(places);
    TAP_RUN(of_programs);
    play_close();
    return tap_done();
}
