/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The constructors of datatypes and what programs ask of one. Chapters 3.12.1 to 3.12.4 of MPI; each constructor fills
 * in blocks (types/tree.h) and has the result measured.
 */
#include <limits.h>

#include "ref-impl/mpi/api/attr.h"
#include "ref-impl/mpi/api/types/type_make.h"
#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/types/tree.h"

/* A pattern of one block of so many elements, repeated at a stride of so many octets. */
struct repeated {
    int count, length;
    MPI_Aint stride;
    struct mpi_type *of;
};

static int make_repeated(struct mpi_call *call, const struct repeated *r, struct type_recipe *recipe,
                         MPI_Datatype *newtype)
{
    struct mpi_type *type = api_type_begin(call, 1);

    if (type) {
        type->repeat = (size_t)r->count;
        type->stride = r->stride;
        type_set_block(type, 0, 0, r->length, r->of);
    }
    return api_type_finish(call, type, recipe, newtype);
}

/* The checks of the two kinds of vector; the type of their elements. */
static struct mpi_type *check_vector(struct mpi_call *call, int count, int length, MPI_Datatype oldtype,
                                     MPI_Datatype *newtype)
{
    struct mpi_type *of = call_any_type(call, oldtype);

    call_count(call, count, "count");
    call_output(call, newtype, "newtype");
    if (length < 0) {
        call_fail(call, MPI_ERR_ARG, "blocklength is %d, less than 0", length);
    }
    return of;
}

API int MPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_contiguous");
    struct mpi_type *of = check_vector(&call, count, 0, oldtype, newtype);
    struct type_recipe *recipe = NULL;

    if (call.code == MPI_SUCCESS) {
        recipe = recipe_new(MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
        recipe_ints(recipe, 1, &count);
        recipe_type(recipe, of);
    }
    return make_repeated(&call, &(struct repeated){1, count, 0, of}, recipe, newtype);
}

API int MPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_vector");
    struct mpi_type *of = check_vector(&call, count, blocklength, oldtype, newtype);
    struct type_recipe *recipe = NULL;
    ptrdiff_t octets = 0;

    if (of && __builtin_mul_overflow((ptrdiff_t)stride, type_extent(of), &octets)) {
        call_fail(&call, MPI_ERR_ARG, "stride %d is larger than memory", stride);
    }
    if (call.code == MPI_SUCCESS) {
        recipe = recipe_new(MPI_COMBINER_VECTOR, 3, 0, 1);
        recipe_ints(recipe, 3, (const int[]){count, blocklength, stride});
        recipe_type(recipe, of);
    }
    return make_repeated(&call, &(struct repeated){count, blocklength, octets, of}, recipe, newtype);
}

API int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_hvector");
    struct mpi_type *of = check_vector(&call, count, blocklength, oldtype, newtype);
    struct type_recipe *recipe = NULL;

    if (call.code == MPI_SUCCESS) {
        recipe = recipe_new(MPI_COMBINER_HVECTOR, 2, 1, 1);
        recipe_ints(recipe, 2, (const int[]){count, blocklength});
        recipe_addresses(recipe, 1, &stride);
        recipe_type(recipe, of);
    }
    return make_repeated(&call, &(struct repeated){count, blocklength, stride, of}, recipe, newtype);
}

API int MPI_Type_indexed(int count, const int *blocklengths, const int *displacements, MPI_Datatype oldtype,
                         MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_indexed");
    struct mpi_type *of = call_any_type(&call, oldtype);
    struct type_recipe *recipe = NULL;
    struct mpi_type *type;

    call_output(&call, newtype, "newtype");
    api_type_blocks(&call, count, blocklengths, displacements);
    type = api_type_begin(&call, count);
    if (type && !type_index_blocks(type, count, blocklengths, displacements, of)) {
        call_fail(&call, MPI_ERR_ARG, "a displacement is larger than memory");
    }
    if (call.code == MPI_SUCCESS) {
        recipe = api_type_block_recipe(MPI_COMBINER_INDEXED, count, blocklengths, count);
        recipe_ints(recipe, count, displacements);
        recipe_type(recipe, of);
    }
    return api_type_finish(&call, type, recipe, newtype);
}

API int MPI_Type_hindexed(int count, const int *blocklengths, const MPI_Aint *displacements, MPI_Datatype oldtype,
                          MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_hindexed");
    struct mpi_type *of = call_any_type(&call, oldtype);
    struct type_recipe *recipe = NULL;
    struct mpi_type *type;

    call_output(&call, newtype, "newtype");
    api_type_blocks(&call, count, blocklengths, displacements);
    type = api_type_begin(&call, count);
    for (int i = 0; type && i < count; i++) {
        type_set_block(type, i, displacements[i], blocklengths[i], of);
    }
    if (call.code == MPI_SUCCESS) {
        recipe = api_type_block_recipe(MPI_COMBINER_HINDEXED, count, blocklengths, 0);
        recipe_addresses(recipe, count, displacements);
        recipe_type(recipe, of);
    }
    return api_type_finish(&call, type, recipe, newtype);
}

API int MPI_Type_struct(int count, const int *blocklengths, const MPI_Aint *displacements, const MPI_Datatype *types,
                        MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_struct");
    struct type_recipe *recipe = NULL;
    struct mpi_type *type;

    call_output(&call, newtype, "newtype");
    api_type_blocks(&call, count, blocklengths, displacements);
    if (call.code == MPI_SUCCESS && count > 0) {
        call_output(&call, types, "types");
    }
    type = api_type_begin(&call, count);
    for (int i = 0; call.code == MPI_SUCCESS && i < count; i++) {
        struct mpi_type *of = call_any_type(&call, types[i]);

        if (of) {
            type_set_block(type, i, displacements[i], blocklengths[i], of);
        }
    }
    if (call.code == MPI_SUCCESS && type) {
        recipe = api_type_block_recipe(MPI_COMBINER_STRUCT, count, blocklengths, 0);
        recipe_addresses(recipe, count, displacements);
        for (int i = 0; i < count; i++) {
            recipe_type(recipe, type->block[i].of);
        }
    }
    return api_type_finish(&call, type, recipe, newtype);
}

API int MPI_Type_commit(MPI_Datatype *datatype)
{
    struct mpi_call call = call_without("MPI_Type_commit");
    struct mpi_type *type;

    call_output(&call, datatype, "datatype");
    type = call.code == MPI_SUCCESS ? call_any_type(&call, *datatype) : NULL;
    if (type) {
        type->committed = true;
    }
    return call_end(&call);
}

API int MPI_Type_free(MPI_Datatype *datatype)
{
    struct mpi_call call = call_without("MPI_Type_free");
    struct mpi_type *type;

    call_output(&call, datatype, "datatype");
    type = call.code == MPI_SUCCESS ? call_any_type(&call, *datatype) : NULL;
    if (type && type->predefined) {
        call_fail(&call, MPI_ERR_TYPE, "a predefined datatype cannot be freed");
    } else if (type) {
        struct attr_owner attributes = attributes_of_type(type);
        int code = attr_delete_all(&attributes);

        if (code != MPI_SUCCESS) {
            call_fail(&call, code, "a delete function of an attribute failed");
        }
    }
    if (call.code == MPI_SUCCESS) {
        handle_free(HANDLE_DATATYPE, *datatype);
        type_release(type);
        *datatype = MPI_DATATYPE_NULL;
    }
    return call_end(&call);
}

/* The checks of the functions that ask for one number of a type. */
static const struct mpi_type *check_question(struct mpi_call *call, MPI_Datatype datatype, const void *output,
                                             const char *name)
{
    struct mpi_type *type = call_any_type(call, datatype);

    call_output(call, output, name);
    return call->code == MPI_SUCCESS ? type : NULL;
}

API int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent)
{
    struct mpi_call call = call_without("MPI_Type_extent");
    const struct mpi_type *type = check_question(&call, datatype, extent, "extent");

    if (type) {
        *extent = type_extent(type);
    }
    return call_end(&call);
}

API int MPI_Type_size(MPI_Datatype datatype, int *size)
{
    struct mpi_call call = call_without("MPI_Type_size");
    const struct mpi_type *type = check_question(&call, datatype, size, "size");

    if (type) {
        *size = type->octets[TYPE_NATIVE] <= INT_MAX ? (int)type->octets[TYPE_NATIVE] : MPI_UNDEFINED;
    }
    return call_end(&call);
}

API int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement)
{
    struct mpi_call call = call_without("MPI_Type_lb");
    const struct mpi_type *type = check_question(&call, datatype, displacement, "displacement");

    if (type) {
        *displacement = type->lb;
    }
    return call_end(&call);
}

API int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement)
{
    struct mpi_call call = call_without("MPI_Type_ub");
    const struct mpi_type *type = check_question(&call, datatype, displacement, "displacement");

    if (type) {
        *displacement = type->ub;
    }
    return call_end(&call);
}

API int MPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent)
{
    struct mpi_call call = call_without("MPI_Type_get_extent");
    const struct mpi_type *type = check_question(&call, datatype, lb, "lb");

    call_output(&call, extent, "extent");
    if (call.code == MPI_SUCCESS && type) {
        *lb = type->lb;
        *extent = type_extent(type);
    }
    return call_end(&call);
}

API int MPI_Address(const void *location, MPI_Aint *address)
{
    struct mpi_call call = call_without("MPI_Address");

    call_output(&call, address, "address");
    if (call.code == MPI_SUCCESS) {
        *address = (MPI_Aint)location;
    }
    return call_end(&call);
}

RENAMED(MPI_Type_create_hvector, MPI_Type_hvector);
RENAMED(MPI_Type_create_hindexed, MPI_Type_hindexed);
RENAMED(MPI_Type_create_struct, MPI_Type_struct);
RENAMED(MPI_Get_address, MPI_Address);
