/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Constructors of datatypes that came with MPI-2 and are none of MPI-1 under another name. Chapter 4 of MPI-2.
 */
#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/api/types/type_make.h"

/* One element of a type at a place, repeated at a stride. */
static struct mpi_type *repeated(struct mpi_call *call, struct mpi_type *of, ptrdiff_t at, int times, ptrdiff_t stride)
{
    struct mpi_type *type = api_type_begin(call, 1);

    if (type) {
        type->repeat = (size_t)times;
        type->stride = stride;
        type_set_block(type, 0, at, 1, of);
    }
    return type;
}

API int MPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_create_resized");
    struct mpi_type *of = call_any_type(&call, oldtype);
    struct mpi_type *type;
    ptrdiff_t ub;
    int code;

    call_output(&call, newtype, "newtype");
    if (__builtin_add_overflow(lb, extent, &ub)) {
        call_fail(&call, MPI_ERR_ARG, "lb and extent are larger than memory");
    }
    type = repeated(&call, of, 0, 1, 0);
    code = api_type_finish(&call, type, newtype);
    if (code == MPI_SUCCESS && type) {
        type_resize(type, lb, ub);
    }
    return code;
}

API int MPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_dup");
    struct mpi_type *of = call_any_type(&call, oldtype);
    struct mpi_type *type;
    int code;

    call_output(&call, newtype, "newtype");
    type = repeated(&call, of, 0, 1, 0);
    code = api_type_finish(&call, type, newtype);
    if (code == MPI_SUCCESS && type) {
        type->committed = type_is_committed(of);
    }
    return code;
}

API int MPI_Type_create_indexed_block(int count, int blocklength, const int *displacements, MPI_Datatype oldtype,
                                      MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_create_indexed_block");
    struct mpi_type *of = call_any_type(&call, oldtype);
    struct mpi_type *type;
    ptrdiff_t octets;

    call_output(&call, newtype, "newtype");
    call_count(&call, count, "count");
    call_count(&call, blocklength, "blocklength");
    if (count > 0) {
        call_output(&call, displacements, "displacements");
    }
    type = api_type_begin(&call, count);
    for (int i = 0; type && i < count && call.code == MPI_SUCCESS; i++) {
        if (__builtin_mul_overflow((ptrdiff_t)displacements[i], type_extent(of), &octets)) {
            call_fail(&call, MPI_ERR_ARG, "displacements[%d] is %d, larger than memory", i, displacements[i]);
        } else {
            type_set_block(type, i, octets, blocklength, of);
        }
    }
    return api_type_finish(&call, type, newtype);
}

API int MPI_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint *displacements, MPI_Datatype oldtype,
                                       MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_create_hindexed_block");
    struct mpi_type *of = call_any_type(&call, oldtype);
    struct mpi_type *type;

    call_output(&call, newtype, "newtype");
    call_count(&call, count, "count");
    call_count(&call, blocklength, "blocklength");
    if (count > 0) {
        call_output(&call, displacements, "displacements");
    }
    type = api_type_begin(&call, count);
    for (int i = 0; type && i < count; i++) {
        type_set_block(type, i, displacements[i], blocklength, of);
    }
    return api_type_finish(&call, type, newtype);
}

/* ---- a part of an array ----------------------------------------------------------------------------------------- */

struct part {
    int ndims, order;
    const int *sizes, *subsizes, *starts;
};

static void check_part(struct mpi_call *call, const struct part *part)
{
    if (part->ndims < 1) {
        call_fail(call, MPI_ERR_ARG, "ndims is %d, less than 1", part->ndims);
    }
    if (part->order != MPI_ORDER_C && part->order != MPI_ORDER_FORTRAN) {
        call_fail(call, MPI_ERR_ARG, "order is %d, neither MPI_ORDER_C nor MPI_ORDER_FORTRAN", part->order);
    }
    call_output(call, part->sizes, "sizes");
    call_output(call, part->subsizes, "subsizes");
    call_output(call, part->starts, "starts");
    for (int i = 0; call->code == MPI_SUCCESS && i < part->ndims; i++) {
        if (part->sizes[i] < 1 || part->subsizes[i] < 1 || part->starts[i] < 0 || part->subsizes[i] > part->sizes[i] ||
            part->starts[i] > part->sizes[i] - part->subsizes[i]) {
            call_fail(call, MPI_ERR_ARG, "dimension %d has size %d, subsize %d, start %d", i, part->sizes[i],
                      part->subsizes[i], part->starts[i]);
        }
    }
}

/* Repeats a type, which it takes, along a dimension; `*stride` octets lie between neighbours there, and become those of
 * the next dimension. NULL: the call has failed. */
static struct mpi_type *along(struct mpi_call *call, const struct part *part, int dimension, struct mpi_type *of,
                              ptrdiff_t *stride)
{
    struct mpi_type *type = NULL;
    ptrdiff_t at;

    if (__builtin_mul_overflow((ptrdiff_t)part->starts[dimension], *stride, &at)) {
        call_fail(call, MPI_ERR_ARG, "the array would be larger than memory");
    } else {
        type = repeated(call, of, at, part->subsizes[dimension], *stride);
    }
    type_release(of);
    if (type && (!type_measure(type) || __builtin_mul_overflow(*stride, (ptrdiff_t)part->sizes[dimension], stride))) {
        call_fail(call, MPI_ERR_ARG, "the array would be larger than memory");
        type_release(type);
        type = NULL;
    }
    return type;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Type_create_subarray(int ndims, const int *sizes, const int *subsizes, const int *starts, int order,
                                 MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_create_subarray");
    const struct part part = {ndims, order, sizes, subsizes, starts};
    struct mpi_type *type = call_any_type(&call, oldtype);
    ptrdiff_t stride = type ? type_extent(type) : 0;
    int code;

    call_output(&call, newtype, "newtype");
    check_part(&call, &part);
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    type_hold(type);
    for (int i = 0; type && i < ndims; i++) {
        type = along(&call, &part, order == MPI_ORDER_C ? ndims - 1 - i : i, type, &stride);
    }
    code = api_type_finish(&call, type, newtype);
    if (code == MPI_SUCCESS && type) {
        type_resize(type, 0, stride);
    }
    return code;
}

API int MPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint *true_lb, MPI_Aint *true_extent)
{
    struct mpi_call call = call_without("MPI_Type_get_true_extent");
    const struct mpi_type *type = call_any_type(&call, datatype);

    call_output(&call, true_lb, "true_lb");
    call_output(&call, true_extent, "true_extent");
    if (call.code == MPI_SUCCESS) {
        *true_lb = type->true_lb;
        *true_extent = type->true_ub - type->true_lb;
    }
    return call_end(&call);
}

API int MPI_Type_match_size(int typeclass, int size, MPI_Datatype *datatype)
{
    static const struct {
        int typeclass, size;
        MPI_Datatype type;
    } rows[] = {
        {MPI_TYPECLASS_REAL, sizeof(float), MPI_FLOAT},
        {MPI_TYPECLASS_REAL, sizeof(double), MPI_DOUBLE},
        {MPI_TYPECLASS_REAL, sizeof(long double), MPI_LONG_DOUBLE},
        {MPI_TYPECLASS_INTEGER, sizeof(signed char), MPI_SIGNED_CHAR},
        {MPI_TYPECLASS_INTEGER, sizeof(short), MPI_SHORT},
        {MPI_TYPECLASS_INTEGER, sizeof(int), MPI_INT},
        {MPI_TYPECLASS_INTEGER, sizeof(long long), MPI_LONG_LONG_INT},
        {MPI_TYPECLASS_COMPLEX, 2 * sizeof(float), MPI_COMPLEX},
        {MPI_TYPECLASS_COMPLEX, 2 * sizeof(double), MPI_DOUBLE_COMPLEX},
    };
    struct mpi_call call = call_without("MPI_Type_match_size");
    MPI_Datatype found = MPI_DATATYPE_NULL;

    call_output(&call, datatype, "datatype");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].typeclass == typeclass && rows[i].size == size) {
            found = rows[i].type;
        }
    }
    if (found == MPI_DATATYPE_NULL) {
        call_fail(&call, MPI_ERR_ARG, "no type of class %d has %d octets", typeclass, size);
    }
    if (call.code == MPI_SUCCESS) {
        *datatype = found;
    }
    return call_end(&call);
}
