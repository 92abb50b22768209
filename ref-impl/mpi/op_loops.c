/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the predefined operations do with elements of each type: chapters 4.9.2 and 4.9.3 of MPI. A builder makes one
 * function a type, a switch over the operations with a loop in each, so that the loops are tight; op.c calls them.
 */
#include "ref-impl/mpi/op_loops.h"

/* One case of a switch. */
#define COMBINE(expression)                                                                                            \
    for (size_t i = 0; i < count; i++) {                                                                               \
        inout[i] = (expression);                                                                                       \
    }                                                                                                                  \
    break

/* Whole numbers. Sums and products are computed modulo, in the unsigned type `wide`, so that nothing overflows. */
#define WHOLE(name, type, wide)                                                                                        \
    static void name(enum op_kind kind, size_t count, const void *from, void *to)                                      \
    {                                                                                                                  \
        const type *in = from;                                                                                         \
        type *inout = to;                                                                                              \
                                                                                                                       \
        switch (kind) {                                                                                                \
        case OP_MAX:                                                                                                   \
            COMBINE(in[i] > inout[i] ? in[i] : inout[i]);                                                              \
        case OP_MIN:                                                                                                   \
            COMBINE(in[i] < inout[i] ? in[i] : inout[i]);                                                              \
        case OP_SUM:                                                                                                   \
            COMBINE((type)((wide)in[i] + (wide)inout[i]));                                                             \
        case OP_PROD:                                                                                                  \
            COMBINE((type)((wide)in[i] * (wide)inout[i]));                                                             \
        case OP_LAND:                                                                                                  \
            COMBINE(in[i] && inout[i]);                                                                                \
        case OP_BAND:                                                                                                  \
            COMBINE((type)(in[i] & inout[i]));                                                                         \
        case OP_LOR:                                                                                                   \
            COMBINE(in[i] || inout[i]);                                                                                \
        case OP_BOR:                                                                                                   \
            COMBINE((type)(in[i] | inout[i]));                                                                         \
        case OP_LXOR:                                                                                                  \
            COMBINE(!in[i] != !inout[i]);                                                                              \
        case OP_BXOR:                                                                                                  \
            COMBINE((type)(in[i] ^ inout[i]));                                                                         \
        case OP_MAXLOC:                                                                                                \
        case OP_MINLOC:                                                                                                \
            break;                                                                                                     \
        }                                                                                                              \
    }

/* Numbers with a fraction. */
#define FRACTION(name, type)                                                                                           \
    static void name(enum op_kind kind, size_t count, const void *from, void *to)                                      \
    {                                                                                                                  \
        const type *in = from;                                                                                         \
        type *inout = to;                                                                                              \
                                                                                                                       \
        if (kind == OP_MAX) {                                                                                          \
            for (size_t i = 0; i < count; i++) {                                                                       \
                inout[i] = in[i] > inout[i] ? in[i] : inout[i];                                                        \
            }                                                                                                          \
        } else if (kind == OP_MIN) {                                                                                   \
            for (size_t i = 0; i < count; i++) {                                                                       \
                inout[i] = in[i] < inout[i] ? in[i] : inout[i];                                                        \
            }                                                                                                          \
        } else if (kind == OP_SUM) {                                                                                   \
            for (size_t i = 0; i < count; i++) {                                                                       \
                inout[i] = in[i] + inout[i];                                                                           \
            }                                                                                                          \
        } else {                                                                                                       \
            for (size_t i = 0; i < count; i++) {                                                                       \
                inout[i] = in[i] * inout[i];                                                                           \
            }                                                                                                          \
        }                                                                                                              \
    }

/* A value and its index: of equal values the one with the lower index is taken. */
#define PAIR(name, type)                                                                                               \
    static void name(enum op_kind kind, size_t count, const void *from, void *to)                                      \
    {                                                                                                                  \
        const struct pair {                                                                                            \
            type value;                                                                                                \
            int index;                                                                                                 \
        } *in = from;                                                                                                  \
        struct pair *inout = to;                                                                                       \
                                                                                                                       \
        for (size_t i = 0; i < count; i++) {                                                                           \
            bool better = kind == OP_MAXLOC ? in[i].value > inout[i].value : in[i].value < inout[i].value;             \
            bool worse = kind == OP_MAXLOC ? in[i].value < inout[i].value : in[i].value > inout[i].value;              \
                                                                                                                       \
            if (better || (!worse && in[i].index < inout[i].index)) {                                                  \
                inout[i] = in[i];                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

WHOLE(unsigned_chars, unsigned char, unsigned)
WHOLE(shorts, short, unsigned)
WHOLE(unsigned_shorts, unsigned short, unsigned)
WHOLE(ints, int, unsigned)
WHOLE(unsigneds, unsigned, unsigned)
WHOLE(longs, long, unsigned long)
WHOLE(unsigned_longs, unsigned long, unsigned long)
WHOLE(long_longs, long long, unsigned long long)
WHOLE(unsigned_long_longs, unsigned long long, unsigned long long)
FRACTION(floats, float)
FRACTION(doubles, double)
FRACTION(long_doubles, long double)
PAIR(float_pairs, float)
PAIR(double_pairs, double)
PAIR(long_pairs, long)
PAIR(int_pairs, int)
PAIR(short_pairs, short)
PAIR(long_double_pairs, long double)

#define BIT(kind)  (1u << (kind))
#define ORDERED    (BIT(OP_MAX) | BIT(OP_MIN))
#define ARITHMETIC (BIT(OP_SUM) | BIT(OP_PROD))
#define LOGICAL    (BIT(OP_LAND) | BIT(OP_LOR) | BIT(OP_LXOR))
#define BITWISE    (BIT(OP_BAND) | BIT(OP_BOR) | BIT(OP_BXOR))
#define OF_WHOLE   (ORDERED | ARITHMETIC | LOGICAL | BITWISE)
#define OF_PAIRS   (BIT(OP_MAXLOC) | BIT(OP_MINLOC))

static const struct loop_row {
    MPI_Datatype type;
    unsigned kinds;
    op_loop *loop;
} rows[] = {
    {MPI_UNSIGNED_CHAR, OF_WHOLE, unsigned_chars},
    {MPI_BYTE, BITWISE, unsigned_chars},
    {MPI_SHORT, OF_WHOLE, shorts},
    {MPI_UNSIGNED_SHORT, OF_WHOLE, unsigned_shorts},
    {MPI_INT, OF_WHOLE, ints},
    {MPI_UNSIGNED, OF_WHOLE, unsigneds},
    {MPI_LONG, OF_WHOLE, longs},
    {MPI_UNSIGNED_LONG, OF_WHOLE, unsigned_longs},
    {MPI_LONG_LONG_INT, OF_WHOLE, long_longs},
    {MPI_UNSIGNED_LONG_LONG, OF_WHOLE, unsigned_long_longs},
    {MPI_FLOAT, ORDERED | ARITHMETIC, floats},
    {MPI_DOUBLE, ORDERED | ARITHMETIC, doubles},
    {MPI_LONG_DOUBLE, ORDERED | ARITHMETIC, long_doubles},
    {MPI_FLOAT_INT, OF_PAIRS, float_pairs},
    {MPI_DOUBLE_INT, OF_PAIRS, double_pairs},
    {MPI_LONG_INT, OF_PAIRS, long_pairs},
    {MPI_2INT, OF_PAIRS, int_pairs},
    {MPI_SHORT_INT, OF_PAIRS, short_pairs},
    {MPI_LONG_DOUBLE_INT, OF_PAIRS, long_double_pairs},
};

op_loop *op_loops_find(enum op_kind kind, const struct mpi_type *type)
{
    if (!type_is_predefined(type)) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].type == type_handle(type)) {
            return rows[i].kinds & BIT(kind) ? rows[i].loop : NULL;
        }
    }
    return NULL;
}
