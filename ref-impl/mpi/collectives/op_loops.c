/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the predefined operations do with elements of each type: chapters 4.9.2 and 4.9.3 of MPI. Builders make a
 * function for each operation and type, which is one tight loop, and the rows of the table that op.c looks into.
 */
#include "ref-impl/mpi/collectives/op_loops.h"

#include <stdbool.h>

/* One function: `a` is an element of in, `b` one of inout. */
#define LOOP(name, type, expression)                                                                                   \
    static void name(size_t count, const void *from, void *to)                                                         \
    {                                                                                                                  \
        const type *in = from;                                                                                         \
        type *inout = to;                                                                                              \
                                                                                                                       \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const type a = in[i], b = inout[i];                                                                        \
                                                                                                                       \
            inout[i] = expression;                                                                                     \
        }                                                                                                              \
    }

/* Sums and products of whole numbers are computed modulo, in the unsigned type `wide`, so that nothing overflows. */
#define ARITHMETIC(name, type, wide)                                                                                   \
    LOOP(name##_max, type, a > b ? a : b)                                                                              \
    LOOP(name##_min, type, a < b ? a : b)                                                                              \
    LOOP(name##_sum, type, (type)((wide)a + (wide)b))                                                                  \
    LOOP(name##_prod, type, (type)((wide)a * (wide)b))

#define LOGIC(name, type)                                                                                              \
    LOOP(name##_land, type, a &&b)                                                                                     \
    LOOP(name##_lor, type, a || b)                                                                                     \
    LOOP(name##_lxor, type, !a != !b)

#define BITS(name, type)                                                                                               \
    LOOP(name##_band, type, a &b)                                                                                      \
    LOOP(name##_bor, type, a | b)                                                                                      \
    LOOP(name##_bxor, type, a ^ b)

#define WHOLE(name, type, wide)                                                                                        \
    ARITHMETIC(name, type, wide)                                                                                       \
    LOGIC(name, type)                                                                                                  \
    BITS(name, type)

/* A value and its index: of equal values the one with the lower index is taken. */
#define PAIR(name, type, index_type)                                                                                   \
    struct name {                                                                                                      \
        type value;                                                                                                    \
        index_type index;                                                                                              \
    };                                                                                                                 \
    LOOP(name##_maxloc, struct name, a.value > b.value || (!(a.value < b.value) && a.index < b.index) ? a : b)         \
    LOOP(name##_minloc, struct name, a.value < b.value || (!(a.value > b.value) && a.index < b.index) ? a : b)

WHOLE(unsigned_char, unsigned char, unsigned)
WHOLE(signed_char, signed char, unsigned)
WHOLE(char, char, unsigned)
WHOLE(short, short, unsigned)
WHOLE(unsigned_short, unsigned short, unsigned)
WHOLE(int, int, unsigned)
WHOLE(unsigned, unsigned, unsigned)
WHOLE(long, long, unsigned long)
WHOLE(unsigned_long, unsigned long, unsigned long)
WHOLE(long_long, long long, unsigned long long)
WHOLE(unsigned_long_long, unsigned long long, unsigned long long)
ARITHMETIC(float, float, float)
ARITHMETIC(double, double, double)
ARITHMETIC(long_double, long double, long double)
PAIR(float_int, float, int)
PAIR(double_int, double, int)
PAIR(long_int, long, int)
PAIR(two_int, int, int)
PAIR(short_int, short, int)
PAIR(long_double_int, long double, int)
PAIR(two_float, float, float)
PAIR(two_double, double, double)
LOGIC(logical, int)
LOGIC(c_bool, bool)
LOOP(complex_sum, float _Complex, a + b)
LOOP(complex_prod, float _Complex, a *b)
LOOP(double_complex_sum, double _Complex, a + b)
LOOP(double_complex_prod, double _Complex, a *b)
LOOP(long_double_complex_sum, long double _Complex, a + b)
LOOP(long_double_complex_prod, long double _Complex, a *b)

#define ROW_ARITHMETIC(name)                                                                                           \
    [OP_MAX] = name##_max, [OP_MIN] = name##_min, [OP_SUM] = name##_sum, [OP_PROD] = name##_prod
#define ROW_LOGIC(name) [OP_LAND] = name##_land, [OP_LOR] = name##_lor, [OP_LXOR] = name##_lxor
#define ROW_BITS(name)  [OP_BAND] = name##_band, [OP_BOR] = name##_bor, [OP_BXOR] = name##_bxor
#define ROW_WHOLE(name) ROW_ARITHMETIC(name), ROW_LOGIC(name), ROW_BITS(name)
#define ROW_PAIR(name)  [OP_MAXLOC] = name##_maxloc, [OP_MINLOC] = name##_minloc

static const struct loop_row {
    MPI_Datatype type;
    size_t element;          /* octets in memory */
    op_loop *loop[OP_KINDS]; /* NULL: no meaning */
} rows[] = {
    {MPI_UNSIGNED_CHAR, sizeof(unsigned char), {ROW_WHOLE(unsigned_char)}},
    {MPI_SIGNED_CHAR, sizeof(signed char), {ROW_WHOLE(signed_char)}},
    {MPI_CHAR, sizeof(char), {ROW_WHOLE(char)}},
    {MPI_BYTE, sizeof(unsigned char), {ROW_BITS(unsigned_char)}},
    {MPI_SHORT, sizeof(short), {ROW_WHOLE(short)}},
    {MPI_UNSIGNED_SHORT, sizeof(unsigned short), {ROW_WHOLE(unsigned_short)}},
    {MPI_INT, sizeof(int), {ROW_WHOLE(int)}},
    {MPI_UNSIGNED, sizeof(unsigned), {ROW_WHOLE(unsigned)}},
    {MPI_LONG, sizeof(long), {ROW_WHOLE(long)}},
    {MPI_UNSIGNED_LONG, sizeof(unsigned long), {ROW_WHOLE(unsigned_long)}},
    {MPI_LONG_LONG_INT, sizeof(long long), {ROW_WHOLE(long_long)}},
    {MPI_UNSIGNED_LONG_LONG, sizeof(unsigned long long), {ROW_WHOLE(unsigned_long_long)}},
    {MPI_FLOAT, sizeof(float), {ROW_ARITHMETIC(float)}},
    {MPI_DOUBLE, sizeof(double), {ROW_ARITHMETIC(double)}},
    {MPI_LONG_DOUBLE, sizeof(long double), {ROW_ARITHMETIC(long_double)}},
    {MPI_FLOAT_INT, sizeof(struct float_int), {ROW_PAIR(float_int)}},
    {MPI_DOUBLE_INT, sizeof(struct double_int), {ROW_PAIR(double_int)}},
    {MPI_LONG_INT, sizeof(struct long_int), {ROW_PAIR(long_int)}},
    {MPI_2INT, sizeof(struct two_int), {ROW_PAIR(two_int)}},
    {MPI_SHORT_INT, sizeof(struct short_int), {ROW_PAIR(short_int)}},
    {MPI_LONG_DOUBLE_INT, sizeof(struct long_double_int), {ROW_PAIR(long_double_int)}},
    {MPI_2REAL, sizeof(struct two_float), {ROW_PAIR(two_float)}},
    {MPI_2DOUBLE_PRECISION, sizeof(struct two_double), {ROW_PAIR(two_double)}},
    {MPI_LOGICAL, sizeof(int), {ROW_LOGIC(logical)}},
    {MPI_C_BOOL, sizeof(bool), {ROW_LOGIC(c_bool)}},
    {MPI_COMPLEX, sizeof(float _Complex), {[OP_SUM] = complex_sum, [OP_PROD] = complex_prod}},
    {MPI_DOUBLE_COMPLEX, sizeof(double _Complex), {[OP_SUM] = double_complex_sum, [OP_PROD] = double_complex_prod}},
    {MPI_C_LONG_DOUBLE_COMPLEX,
     sizeof(long double _Complex),
     {[OP_SUM] = long_double_complex_sum, [OP_PROD] = long_double_complex_prod}},
};

int op_loops_row(const struct mpi_type *type)
{
    if (!type_is_predefined(type)) {
        return -1;
    }
    for (int i = 0; i < (int)(sizeof(rows) / sizeof(rows[0])); i++) {
        if (rows[i].type == type_named_handle(type)) {
            return i;
        }
    }
    return -1;
}

size_t op_loops_element(int row)
{
    return row >= 0 && row < (int)(sizeof(rows) / sizeof(rows[0])) ? rows[row].element : 0;
}

op_loop *op_loops_at(enum op_kind kind, int row)
{
    return op_loops_element(row) > 0 ? rows[row].loop[kind] : NULL;
}
