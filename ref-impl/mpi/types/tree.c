/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of datatypes, the predefined ones, and what can be asked of one. Chapter 3.12 of MPI; api/type.c makes the
 * derived ones, types/measure.c knows their sizes, types/walk.c what is in them, types/pack.c moves it.
 */
#include "ref-impl/mpi/types/tree.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "ref-impl/mpi/common/handle.h"

/* The basic types: handle, external32 type, alignment in memory. */
struct basic_row {
    MPI_Datatype handle;
    enum wire_external32 basic;
    size_t alignment;
};

static const struct basic_row basic_rows[] = {
    {MPI_CHAR, WIRE_EXTERNAL32_CHAR, _Alignof(char)},
    {MPI_UNSIGNED_CHAR, WIRE_EXTERNAL32_UNSIGNED_CHAR, _Alignof(unsigned char)},
    {MPI_SIGNED_CHAR, WIRE_EXTERNAL32_CHAR, _Alignof(signed char)},
    {MPI_BYTE, WIRE_EXTERNAL32_BYTE, 1},
    {MPI_SHORT, WIRE_EXTERNAL32_SHORT, _Alignof(short)},
    {MPI_UNSIGNED_SHORT, WIRE_EXTERNAL32_UNSIGNED_SHORT, _Alignof(unsigned short)},
    {MPI_INT, WIRE_EXTERNAL32_INT, _Alignof(int)},
    {MPI_UNSIGNED, WIRE_EXTERNAL32_UNSIGNED, _Alignof(unsigned)},
    {MPI_LONG, WIRE_EXTERNAL32_LONG, _Alignof(long)},
    {MPI_UNSIGNED_LONG, WIRE_EXTERNAL32_UNSIGNED_LONG, _Alignof(unsigned long)},
    {MPI_FLOAT, WIRE_EXTERNAL32_FLOAT, _Alignof(float)},
    {MPI_DOUBLE, WIRE_EXTERNAL32_DOUBLE, _Alignof(double)},
    {MPI_LONG_DOUBLE, WIRE_EXTERNAL32_LONG_DOUBLE, _Alignof(long double)},
    {MPI_LONG_LONG_INT, WIRE_EXTERNAL32_LONG_LONG, _Alignof(long long)},
    {MPI_UNSIGNED_LONG_LONG, WIRE_EXTERNAL32_UNSIGNED_LONG_LONG, _Alignof(unsigned long long)},
    {MPI_PACKED, WIRE_EXTERNAL32_BYTE, 1},
    {MPI_LOGICAL, WIRE_EXTERNAL32_INT, _Alignof(int)},
    {MPI_WCHAR, WIRE_EXTERNAL32_WCHAR, _Alignof(wchar_t)},
    {MPI_C_BOOL, WIRE_EXTERNAL32_UNSIGNED_CHAR, _Alignof(bool)},
};

/* The types of two elements: the pairs for MPI_MAXLOC and MPI_MINLOC, which are a value and an index behind it where C
 * puts it, or Fortran, where both are alike; and complex numbers. */
struct pair_row {
    MPI_Datatype handle, first, second;
    ptrdiff_t at; /* octets before the second one */
};

/* Where the int of a pair stands. */
#define PAIR_INDEX(type)                                                                                               \
    offsetof(                                                                                                          \
        struct {                                                                                                       \
            type value;                                                                                                \
            int index;                                                                                                 \
        },                                                                                                             \
        index)

static const struct pair_row pair_rows[] = {
    {MPI_FLOAT_INT, MPI_FLOAT, MPI_INT, PAIR_INDEX(float)},
    {MPI_DOUBLE_INT, MPI_DOUBLE, MPI_INT, PAIR_INDEX(double)},
    {MPI_LONG_INT, MPI_LONG, MPI_INT, PAIR_INDEX(long)},
    {MPI_2INT, MPI_INT, MPI_INT, PAIR_INDEX(int)},
    {MPI_SHORT_INT, MPI_SHORT, MPI_INT, PAIR_INDEX(short)},
    {MPI_LONG_DOUBLE_INT, MPI_LONG_DOUBLE, MPI_INT, PAIR_INDEX(long double)},
    {MPI_COMPLEX, MPI_FLOAT, MPI_FLOAT, sizeof(float)},
    {MPI_DOUBLE_COMPLEX, MPI_DOUBLE, MPI_DOUBLE, sizeof(double)},
    {MPI_2REAL, MPI_FLOAT, MPI_FLOAT, sizeof(float)},
    {MPI_2DOUBLE_PRECISION, MPI_DOUBLE, MPI_DOUBLE, sizeof(double)},
    {MPI_C_LONG_DOUBLE_COMPLEX, MPI_LONG_DOUBLE, MPI_LONG_DOUBLE, sizeof(long double)},
};

/* Types that have the elements of another one: those of exact width, of Fortran, and of C++. An address is as long as a
 * long long, which external32 has room for. */
static const struct like_row {
    MPI_Datatype handle, like;
} like_rows[] = {
    {MPI_INT8_T, MPI_SIGNED_CHAR},
    {MPI_INT16_T, MPI_SHORT},
    {MPI_INT32_T, MPI_INT},
    {MPI_INT64_T, MPI_LONG_LONG_INT},
    {MPI_UINT8_T, MPI_UNSIGNED_CHAR},
    {MPI_UINT16_T, MPI_UNSIGNED_SHORT},
    {MPI_UINT32_T, MPI_UNSIGNED},
    {MPI_UINT64_T, MPI_UNSIGNED_LONG_LONG},
    {MPI_AINT, MPI_LONG_LONG_INT},
    {MPI_OFFSET, MPI_LONG_LONG_INT},
    {MPI_COUNT, MPI_LONG_LONG_INT},
    {MPI_INTEGER, MPI_INT},
    {MPI_REAL, MPI_FLOAT},
    {MPI_DOUBLE_PRECISION, MPI_DOUBLE},
    {MPI_CHARACTER, MPI_CHAR},
    {MPI_2INTEGER, MPI_2INT},
    {MPI_INTEGER1, MPI_SIGNED_CHAR},
    {MPI_INTEGER2, MPI_SHORT},
    {MPI_INTEGER4, MPI_INT},
    {MPI_INTEGER8, MPI_LONG_LONG_INT},
    {MPI_REAL4, MPI_FLOAT},
    {MPI_REAL8, MPI_DOUBLE},
    {MPI_COMPLEX8, MPI_COMPLEX},
    {MPI_COMPLEX16, MPI_DOUBLE_COMPLEX},
    {MPI_C_COMPLEX, MPI_COMPLEX},
    {MPI_C_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX},
    {MPI_CXX_BOOL, MPI_C_BOOL},
    {MPI_CXX_FLOAT_COMPLEX, MPI_COMPLEX},
    {MPI_CXX_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX},
    {MPI_CXX_LONG_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX},
};

struct mpi_type *type_new(size_t block_count)
{
    struct mpi_type *type;

    if (block_count > (SIZE_MAX / 2 - sizeof(*type)) / sizeof(type->block[0])) {
        return NULL;
    }
    type = calloc(1, sizeof(*type) + block_count * sizeof(type->block[0]));
    if (type) {
        type->holders = 1;
        type->handle = MPI_DATATYPE_NULL;
        type->repeat = 1;
        type->block_count = block_count;
    }
    return type;
}

struct mpi_type *type_clone(const struct mpi_type *type)
{
    struct mpi_type *clone = type_new(type->block_count);

    if (!clone) {
        return NULL;
    }
    memcpy(clone, type, sizeof(*type) + type->block_count * sizeof(type->block[0]));
    clone->holders = 1;
    clone->handle = MPI_DATATYPE_NULL;
    clone->predefined = false;
    clone->name = NULL;
    clone->attributes = (struct attr_list){NULL, 0};
    recipe_hold(clone->recipe);
    for (size_t i = 0; i < clone->block_count; i++) {
        type_hold(clone->block[i].of);
    }
    return clone;
}

/* Names a new predefined type; takes it away again when that fails. */
static bool name_predefined(struct mpi_type *type, MPI_Datatype handle)
{
    if (!type || !handle_set(HANDLE_DATATYPE, handle, type)) {
        free(type);
        return false;
    }
    type->handle = type->named = handle;
    type->predefined = true;
    return true;
}

static bool make_basic(const struct basic_row *row)
{
    struct mpi_type *type = type_new(0);

    if (!name_predefined(type, row->handle)) {
        return false;
    }
    type->basics = 1;
    type->octets[TYPE_NATIVE] = wire_external32_native_octets(row->basic);
    type->octets[TYPE_EXTERNAL] = wire_external32_octets(row->basic);
    type->ub = type->true_ub = (ptrdiff_t)type->octets[TYPE_NATIVE];
    type->alignment = row->alignment;
    type->uniform = type->contiguous = type->dense = true;
    type->basic = row->basic;
    return true;
}

static bool make_marker(MPI_Datatype handle)
{
    struct mpi_type *type = type_new(0);

    if (!name_predefined(type, handle)) {
        return false;
    }
    type->has_lb = handle == MPI_LB;
    type->has_ub = handle == MPI_UB;
    type->alignment = 1;
    return true;
}

static bool make_pair(const struct pair_row *row)
{
    struct mpi_type *type = type_new(2);

    if (!name_predefined(type, row->handle)) {
        return false;
    }
    type->block[0] = (struct type_block){0, 1, type_find(row->first)};
    type->block[1] = (struct type_block){row->at, 1, type_find(row->second)};
    return type_measure(type);
}

static bool make_like(const struct like_row *row)
{
    const struct mpi_type *like = type_find(row->like);
    struct mpi_type *type = type_clone(like);

    if (!name_predefined(type, row->handle)) {
        return false;
    }
    type->named = like->named;
    return true;
}

bool type_open(void)
{
    bool good = true;

    for (size_t i = 0; good && i < sizeof(basic_rows) / sizeof(basic_rows[0]); i++) {
        good = make_basic(&basic_rows[i]);
    }
    good = good && make_marker(MPI_LB) && make_marker(MPI_UB);
    for (size_t i = 0; good && i < sizeof(pair_rows) / sizeof(pair_rows[0]); i++) {
        good = make_pair(&pair_rows[i]);
    }
    for (size_t i = 0; good && i < sizeof(like_rows) / sizeof(like_rows[0]); i++) {
        good = make_like(&like_rows[i]);
    }
    if (!good) {
        type_close();
    }
    return good;
}

void type_close(void)
{
    struct mpi_type *type;
    size_t place = 0;

    while ((type = handle_next(HANDLE_DATATYPE, &place))) {
        if (!type->predefined) {
            handle_free(HANDLE_DATATYPE, type->handle); /* the second round must not look at it */
            type_release(type);
        }
    }
    place = 0;
    while ((type = handle_next(HANDLE_DATATYPE, &place))) {
        if (type->predefined) {
            attribute_drop(&type->attributes);
            recipe_release(type->recipe);
            free(type->name);
            free(type);
        }
    }
    handle_close(HANDLE_DATATYPE);
}

struct mpi_type *type_find(MPI_Datatype handle)
{
    return handle_find(HANDLE_DATATYPE, handle);
}

MPI_Datatype type_handle(const struct mpi_type *type)
{
    return type->handle;
}

MPI_Datatype type_named_handle(const struct mpi_type *type)
{
    return type->named;
}

void type_hold(struct mpi_type *type)
{
    type->holders++;
}

void type_release(struct mpi_type *type)
{
    if (!type || type->predefined || --type->holders > 0) {
        return;
    }
    for (size_t i = 0; i < type->block_count; i++) {
        type_release(type->block[i].of);
    }
    attribute_drop(&type->attributes);
    recipe_release(type->recipe);
    free(type->name);
    free(type);
}

bool type_is_predefined(const struct mpi_type *type)
{
    return type->predefined;
}

bool type_is_committed(const struct mpi_type *type)
{
    return type->predefined || type->committed;
}

ptrdiff_t type_extent(const struct mpi_type *type)
{
    return type->ub - type->lb;
}

size_t type_octets(const struct mpi_type *type, size_t count, enum type_form form)
{
    size_t octets;

    return __builtin_mul_overflow(count, type->octets[form], &octets) ? SIZE_MAX : octets;
}

/* Whether its octets are the same in both forms. */
static bool is_opaque(const struct mpi_type *type)
{
    return type->uniform && wire_external32_octets(type->basic) == 1;
}

bool type_as_is(const struct mpi_type *type, size_t count, enum type_form form, ptrdiff_t *offset)
{
    if (count == 0 || type->basics == 0) {
        *offset = 0;
        return true;
    }
    if (!(type->dense || (type->contiguous && count == 1)) || (form == TYPE_EXTERNAL && !is_opaque(type))) {
        return false;
    }
    *offset = type->true_lb;
    return true;
}

bool type_basic(const struct mpi_type *type, enum wire_external32 *basic)
{
    if (type->uniform) {
        *basic = type->basic;
    }
    return type->uniform;
}
