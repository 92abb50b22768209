/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From memory to a row of octets and back, in either form; and how much a row of octets is. Chapters 3.12.5 and 3.13 of
 * MPI, 1.2.2 and 4.1 of IMPI. Each function is one walk (types/walk.c) with something to do at every run of elements.
 */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "ref-impl/mpi/types/tree.h"

/* Octets on their way between memory and a packed row, or between two places in memory. */
struct transfer {
    enum type_form form;
    uintptr_t from, to; /* where the buffer begins, or where in the row the walk is */
    size_t left;        /* of the row, in octets */
    int code;
};

static size_t element_octets(enum type_form form, enum wire_external32 basic)
{
    return form == TYPE_NATIVE ? wire_external32_native_octets(basic) : wire_external32_octets(basic);
}

/* The place at an offset from another; a buffer may be MPI_BOTTOM, so offsets are added to numbers. */
static void *at(uintptr_t base, ptrdiff_t offset)
{
    return (void *)(base + (uintptr_t)offset);
}

static bool pack_run(void *context, ptrdiff_t offset, enum wire_external32 basic, size_t count)
{
    struct transfer *transfer = context;
    size_t octets = count * element_octets(transfer->form, basic);
    enum wire_status status = WIRE_OK;

    if (octets > transfer->left) {
        transfer->code = MPI_ERR_TRUNCATE;
        return false;
    }
    if (transfer->form == TYPE_NATIVE) {
        memcpy(at(transfer->to, 0), at(transfer->from, offset), octets);
    } else {
        //= IMPI-002
        //= IMPI-005
        status = wire_external32_pack(basic, at(transfer->from, offset), count, at(transfer->to, 0), octets, NULL);
    }
    transfer->to += octets;
    transfer->left -= octets;
    transfer->code = status == WIRE_OK ? MPI_SUCCESS : MPI_ERR_TYPE;
    return status == WIRE_OK;
}

int type_pack(const struct mpi_type *type, size_t count, enum type_form form, const void *buffer, void *out, size_t cap)
{
    struct transfer transfer = {form, (uintptr_t)buffer, (uintptr_t)out, cap, MPI_SUCCESS};

    type_walk(type, count, pack_run, &transfer);
    return transfer.code;
}

static bool unpack_run(void *context, ptrdiff_t offset, enum wire_external32 basic, size_t count)
{
    struct transfer *transfer = context;
    size_t element = element_octets(transfer->form, basic);
    size_t whole = transfer->left / element < count ? transfer->left / element : count;
    enum wire_status status = WIRE_OK;

    if (transfer->form == TYPE_NATIVE) {
        memcpy(at(transfer->to, offset), at(transfer->from, 0), whole * element);
    } else {
        //= IMPI-003
        status = wire_external32_unpack(basic, at(transfer->from, 0), whole * element, at(transfer->to, offset), NULL);
    }
    transfer->from += whole * element;
    transfer->left -= whole * element;
    transfer->code = status == WIRE_OK ? MPI_SUCCESS : MPI_ERR_TYPE;
    return status == WIRE_OK && whole == count;
}

int type_unpack(const struct mpi_type *type, size_t count, enum type_form form, const void *packed, size_t len,
                void *buffer)
{
    struct transfer transfer = {form, (uintptr_t)packed, (uintptr_t)buffer, len, MPI_SUCCESS};
    bool whole = len == 0 || type_walk(type, count, unpack_run, &transfer);

    if (transfer.code == MPI_SUCCESS && whole && transfer.left > 0) {
        return MPI_ERR_TRUNCATE;
    }
    return transfer.code;
}

static bool copy_run(void *context, ptrdiff_t offset, enum wire_external32 basic, size_t count)
{
    struct transfer *transfer = context;

    memcpy(at(transfer->to, offset), at(transfer->from, offset), count * wire_external32_native_octets(basic));
    return true;
}

void type_copy(const struct mpi_type *type, size_t count, const void *from, void *to)
{
    struct transfer transfer = {TYPE_NATIVE, (uintptr_t)from, (uintptr_t)to, 0, MPI_SUCCESS};

    type_walk(type, count, copy_run, &transfer);
}

int type_count(const struct mpi_type *type, enum type_form form, size_t octets)
{
    size_t each = type->octets[form];

    if (each == 0) {
        return octets == 0 ? 0 : MPI_UNDEFINED;
    }
    return octets % each == 0 && octets / each <= INT_MAX ? (int)(octets / each) : MPI_UNDEFINED;
}

/* Octets that are counted as basic elements. */
struct census {
    enum type_form form;
    size_t left;
    size_t basics;
};

static bool count_run(void *context, ptrdiff_t offset, enum wire_external32 basic, size_t count)
{
    struct census *census = context;
    size_t element = element_octets(census->form, basic);
    size_t whole = census->left / element < count ? census->left / element : count;

    (void)offset;
    census->basics += whole;
    census->left -= whole * element;
    return whole == count;
}

MPI_Count type_elements(const struct mpi_type *type, enum type_form form, size_t octets)
{
    size_t each = type->octets[form];
    struct census census = {form, each ? octets % each : octets, 0};
    size_t basics;

    if (each > 0) {
        type_walk(type, 1, count_run, &census);
    }
    if (census.left > 0 || __builtin_mul_overflow(each ? octets / each : 0, type->basics, &basics) ||
        __builtin_add_overflow(basics, census.basics, &basics) || basics > LLONG_MAX) {
        return MPI_UNDEFINED;
    }
    return (MPI_Count)basics;
}

/* Basic elements that are counted in octets. */
static bool measure_run(void *context, ptrdiff_t offset, enum wire_external32 basic, size_t count)
{
    struct census *census = context;
    size_t whole = census->basics < count ? census->basics : count;

    (void)offset;
    census->basics -= whole;
    census->left += whole * element_octets(census->form, basic);
    return census->basics > 0;
}

size_t type_elements_octets(const struct mpi_type *type, size_t basics)
{
    struct census census = {TYPE_NATIVE, 0, type->basics ? basics % type->basics : 0};
    size_t octets;

    if (census.basics > 0) {
        type_walk(type, 1, measure_run, &census);
    }
    octets = type->basics ? type_octets(type, basics / type->basics, TYPE_NATIVE) : 0;
    return __builtin_add_overflow(octets, census.left, &octets) ? SIZE_MAX : octets;
}
