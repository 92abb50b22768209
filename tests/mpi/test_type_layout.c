/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where the elements of datatypes are: sizes, bounds and extents, computed by hand from the formulas of chapter 3.12.3
 * of MPI, for a machine with int of 4, double of 8 octets.
 */
#include <limits.h>
#include <stddef.h>

#include "tests/mpi/play.h"
#include "tests/unit/tap.h"

/* Checks the four numbers of a type. */
static void is(MPI_Datatype type, int size, MPI_Aint lb, MPI_Aint ub, const char *what)
{
    MPI_Aint got_lb = -1, got_ub = -1, extent = -1;
    int got_size = -1;

    CHECK(MPI_Type_size(type, &got_size) == MPI_SUCCESS && got_size == size, "%s: size %d, is %d", what, size,
          got_size);
    CHECK(MPI_Type_lb(type, &got_lb) == MPI_SUCCESS && got_lb == lb, "%s: lower bound %td, is %td", what, lb, got_lb);
    CHECK(MPI_Type_ub(type, &got_ub) == MPI_SUCCESS && got_ub == ub, "%s: upper bound %td, is %td", what, ub, got_ub);
    CHECK(MPI_Type_extent(type, &extent) == MPI_SUCCESS && extent == ub - lb, "%s: extent", what);
}

static void done(MPI_Datatype *type)
{
    CHECK(MPI_Type_free(type) == MPI_SUCCESS && *type == MPI_DATATYPE_NULL, "freed");
}

static void basic_types(void)
{
    is(MPI_CHAR, 1, 0, 1, "MPI_CHAR");
    is(MPI_SHORT, 2, 0, 2, "MPI_SHORT");
    is(MPI_INT, 4, 0, 4, "MPI_INT");
    is(MPI_LONG, (int)sizeof(long), 0, sizeof(long), "MPI_LONG");
    is(MPI_FLOAT, 4, 0, 4, "MPI_FLOAT");
    is(MPI_DOUBLE, 8, 0, 8, "MPI_DOUBLE");
    is(MPI_LONG_DOUBLE, (int)sizeof(long double), 0, sizeof(long double), "MPI_LONG_DOUBLE");
    is(MPI_BYTE, 1, 0, 1, "MPI_BYTE");
    is(MPI_PACKED, 1, 0, 1, "MPI_PACKED");
    is(MPI_UB, 0, 0, 0, "MPI_UB");
    is(MPI_LB, 0, 0, 0, "MPI_LB");
}

static void pairs(void)
{
    is(MPI_2INT, 8, 0, 8, "MPI_2INT");
    is(MPI_FLOAT_INT, 8, 0, 8, "MPI_FLOAT_INT");
    is(MPI_DOUBLE_INT, 12, 0, 16, "MPI_DOUBLE_INT");
    is(MPI_SHORT_INT, 6, 0, 8, "MPI_SHORT_INT");
    is(MPI_LONG_INT, (int)(sizeof(long) + 4), 0, 2 * sizeof(long), "MPI_LONG_INT");
}

static void vectors(void)
{
    MPI_Datatype type, row, matrix;

    MPI_Type_contiguous(3, MPI_INT, &type);
    is(type, 12, 0, 12, "3 ints");
    done(&type);
    /* blocks at 0, 16, 32; each of 2 ints */
    MPI_Type_vector(3, 2, 4, MPI_INT, &type);
    is(type, 24, 0, 40, "3 blocks of 2 of 4 ints");
    done(&type);
    /* blocks at 0, -16, -32 */
    MPI_Type_vector(3, 2, -4, MPI_INT, &type);
    is(type, 24, -32, 8, "the same backwards");
    done(&type);
    MPI_Type_hvector(2, 1, 20, MPI_INT, &row);
    is(row, 8, 0, 24, "ints 20 octets apart");
    MPI_Type_hvector(2, 1, 4, row, &matrix);
    is(matrix, 16, 0, 28, "two of those 4 octets apart");
    done(&matrix);
    done(&row);
    /* The last octet is at 4 + 5; rounded up to the alignment of int. */
    MPI_Type_hvector(2, 1, 5, MPI_INT, &type);
    is(type, 8, 0, 12, "ints 5 octets apart");
    done(&type);
    MPI_Type_contiguous(0, MPI_INT, &type);
    is(type, 0, 0, 0, "no ints");
    done(&type);
}

static void indexed_types(void)
{
    MPI_Datatype type;

    MPI_Type_indexed(3, (int[]){2, 1, 3}, (int[]){5, 0, 8}, MPI_INT, &type);
    is(type, 24, 0, 44, "indexed");
    done(&type);
    MPI_Type_indexed(2, (int[]){1, 2}, (int[]){-3, 2}, MPI_DOUBLE, &type);
    is(type, 24, -24, 32, "indexed from below");
    done(&type);
    MPI_Type_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){3, 9}, MPI_CHAR, &type);
    is(type, 2, 3, 10, "hindexed");
    done(&type);
    /* A block without elements is nowhere. */
    MPI_Type_indexed(2, (int[]){0, 1}, (int[]){100, 1}, MPI_INT, &type);
    is(type, 4, 4, 8, "an empty block");
    done(&type);
}

static void structs(void)
{
    MPI_Datatype type, outer;
    struct mixed {
        double d;
        char c;
    };

    /* The example of 3.12.3: a double and a char; 9 octets that are 16 apart. */
    MPI_Type_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_CHAR}, &type);
    is(type, 9, 0, sizeof(struct mixed), "double, char");
    MPI_Type_contiguous(3, type, &outer);
    is(outer, 27, 0, 48, "3 of those");
    done(&outer);
    done(&type);
    MPI_Type_struct(3, (int[]){2, 1, 3}, (MPI_Aint[]){0, 16, 26}, (MPI_Datatype[]){MPI_FLOAT, MPI_INT, MPI_CHAR},
                    &type);
    is(type, 15, 0, 32, "2 floats, int, 3 chars");
    done(&type);
    /* From 4 to 4 + 5, 8 octets when rounded up. */
    MPI_Type_struct(2, (int[]){1, 1}, (MPI_Aint[]){4, 8}, (MPI_Datatype[]){MPI_INT, MPI_CHAR}, &type);
    is(type, 5, 4, 12, "from 4 on");
    done(&type);
}

static void markers(void)
{
    MPI_Datatype type, outer;

    MPI_Type_struct(3, (int[]){1, 1, 1}, (MPI_Aint[]){-3, 0, 6}, (MPI_Datatype[]){MPI_LB, MPI_INT, MPI_UB}, &type);
    is(type, 4, -3, 6, "an int with room around it");
    /* The standard's own: two of those begin at 0 and 9; the markers of the second are at 6 and 15. */
    MPI_Type_contiguous(2, type, &outer);
    is(outer, 8, -3, 15, "2 of those");
    done(&outer);
    /* Markers of parts hide what is beyond them. */
    MPI_Type_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 100}, (MPI_Datatype[]){type, MPI_CHAR}, &outer);
    is(outer, 5, -3, 6, "a char beyond the marker");
    done(&outer);
    done(&type);
    MPI_Type_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 40}, (MPI_Datatype[]){MPI_CHAR, MPI_UB}, &type);
    is(type, 1, 0, 40, "a char that takes 40 octets");
    MPI_Type_vector(2, 1, 3, type, &outer);
    is(outer, 2, 0, 160, "a vector of those");
    done(&outer);
    done(&type);
    MPI_Type_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, -8}, (MPI_Datatype[]){MPI_INT, MPI_LB}, &type);
    is(type, 4, -8, 4, "an int that begins 8 octets before");
    done(&type);
    /* An extent below 0 puts the second element before the first. */
    MPI_Type_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, -4}, (MPI_Datatype[]){MPI_INT, MPI_UB}, &type);
    is(type, 4, 0, -4, "an int with an extent of -4");
    MPI_Type_contiguous(3, type, &outer);
    is(outer, 12, -8, -4, "3 of those");
    done(&outer);
    done(&type);
}

static void survivors(void)
{
    MPI_Datatype inner, outer;

    MPI_Type_vector(2, 1, 2, MPI_INT, &inner);
    MPI_Type_contiguous(2, inner, &outer);
    done(&inner);
    is(outer, 16, 0, 24, "of a type that has been freed");
    done(&outer);
}

static void refusals(void)
{
    MPI_Datatype type = MPI_DATATYPE_NULL, stale, huge;
    MPI_Aint extent = 77;
    int size = 77;

    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Type_contiguous(-1, MPI_INT, &type), MPI_ERR_COUNT, "a negative count");
    CHECK_EQ(MPI_Type_vector(1, -1, 1, MPI_INT, &type), MPI_ERR_ARG, "a negative block length");
    CHECK_EQ(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &type), MPI_ERR_TYPE, "the null datatype");
    CHECK_EQ(MPI_Type_contiguous(1, (MPI_Datatype)MPI_COMM_WORLD, &type), MPI_ERR_TYPE, "a communicator");
    CHECK_EQ(MPI_Type_contiguous(1, MPI_INT, NULL), MPI_ERR_ARG, "nowhere to store");
    CHECK_EQ(MPI_Type_indexed(1, NULL, (int[]){0}, MPI_INT, &type), MPI_ERR_ARG, "no block lengths");
    CHECK_EQ(MPI_Type_indexed(2, (int[]){1, -2}, (int[]){0, 1}, MPI_INT, &type), MPI_ERR_ARG, "one negative length");
    CHECK_EQ(MPI_Type_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_INT, MPI_DATATYPE_NULL}, &type),
             MPI_ERR_TYPE, "the null datatype in a struct");
    CHECK(type == MPI_DATATYPE_NULL, "nothing was stored");
    CHECK_EQ(MPI_Type_free(&(MPI_Datatype){MPI_INT}), MPI_ERR_TYPE, "MPI_INT cannot be freed");
    MPI_Type_contiguous(1, MPI_INT, &type);
    stale = type;
    done(&type);
    CHECK_EQ(MPI_Type_extent(stale, &extent), MPI_ERR_TYPE, "a type that has been freed");
    CHECK_EQ(MPI_Type_commit(&stale), MPI_ERR_TYPE, "and committed");
    CHECK(extent == 77, "no extent");
    MPI_Type_contiguous(INT_MAX, MPI_DOUBLE, &type);
    CHECK(MPI_Type_size(type, &size) == MPI_SUCCESS && size == MPI_UNDEFINED, "a size that no int can hold");
    CHECK_EQ(MPI_Type_contiguous(INT_MAX, type, &huge), MPI_ERR_ARG, "a type larger than memory");
    CHECK_EQ(MPI_Type_vector(2, 1, INT_MAX, type, &huge), MPI_ERR_ARG, "a stride larger than memory");
    CHECK_EQ(MPI_Type_vector(2, 1, 100, type, &huge), MPI_SUCCESS, "one that is just long");
    done(&huge);
    done(&type);
}

/* Sums and products of large numbers: what is beyond memory is refused, and what is not is computed without a detour
 * that is. */
static void far_apart(void)
{
    const MPI_Aint far = (MPI_Aint)1 << 62, octets = (MPI_Aint)1 << 61;
    MPI_Datatype part, large, type;
    char in = 0, out = 0;

    MPI_Type_contiguous(1 << 30, MPI_DOUBLE, &part);
    MPI_Type_contiguous(1 << 28, part, &large);
    MPI_Type_hindexed(3, (int[]){1, 1, 1}, (MPI_Aint[]){far, far, far}, large, &type);
    is(type, MPI_UNDEFINED, far, far + octets, "three large blocks one upon the other, far away");
    done(&type);
    done(&large);
    done(&part);
    MPI_Type_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, far}, (MPI_Datatype[]){MPI_CHAR, MPI_UB}, &type);
    MPI_Type_commit(&type);
    MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Allgatherv(&in, 1, MPI_CHAR, &out, (int[]){1}, (int[]){3}, type, MPI_COMM_SELF), MPI_ERR_BUFFER,
             "a block that lies beyond memory");
    done(&type);
}

int main(void)
{
    play_open(0, "0", "0");
    TAP_RUN(basic_types);
    TAP_RUN(pairs);
    TAP_RUN(vectors);
    TAP_RUN(indexed_types);
    TAP_RUN(structs);
    TAP_RUN(markers);
    TAP_RUN(survivors);
    TAP_RUN(refusals);
    TAP_RUN(far_apart);
    play_close();
    return tap_done();
}
