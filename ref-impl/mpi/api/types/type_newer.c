/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Constructors of datatypes that came with MPI-2 and are none of MPI-1 under another name. Chapter 4 of MPI-2.
 */
#include "ref-impl/mpi/api/attr.h"
#include "ref-impl/mpi/api/types/type_make.h"

API int MPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_create_resized");
    struct mpi_type *of = call_any_type(&call, oldtype);
    struct type_recipe *recipe = NULL;
    struct mpi_type *type;
    ptrdiff_t ub;
    int code;

    call_output(&call, newtype, "newtype");
    if (__builtin_add_overflow(lb, extent, &ub)) {
        call_fail(&call, MPI_ERR_ARG, "lb and extent are larger than memory");
    }
    type = api_type_repeated(&call, of, 0, 1, 0);
    if (call.code == MPI_SUCCESS) {
        recipe = recipe_new(MPI_COMBINER_RESIZED, 0, 2, 1);
        recipe_addresses(recipe, 2, (const MPI_Aint[]){lb, extent});
        recipe_type(recipe, of);
    }
    code = api_type_finish(&call, type, recipe, newtype);
    if (code == MPI_SUCCESS && type) {
        type_resize(type, lb, ub);
    }
    return code;
}

API int MPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_dup");
    struct mpi_type *of = call_any_type(&call, oldtype);
    struct type_recipe *recipe = NULL;
    struct attr_owner owner;
    struct mpi_type *type;
    MPI_Datatype made;
    int code;

    call_output(&call, newtype, "newtype");
    type = api_type_repeated(&call, of, 0, 1, 0);
    if (call.code == MPI_SUCCESS) {
        recipe = recipe_new(MPI_COMBINER_DUP, 0, 0, 1);
        recipe_type(recipe, of);
    }
    code = api_type_finish(&call, type, recipe, &made);
    if (code != MPI_SUCCESS || !type) {
        return code;
    }
    type->committed = type_is_committed(of);
    owner = attributes_of_type(of);
    code = attr_copy_all(&owner, &type->attributes);
    if (code != MPI_SUCCESS) {
        (void)MPI_Type_free(&made);
        call_fail(&call, code, "a copy function of an attribute failed");
    } else {
        *newtype = made;
    }
    return call_end(&call);
}

API int MPI_Type_create_indexed_block(int count, int blocklength, const int *displacements, MPI_Datatype oldtype,
                                      MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_create_indexed_block");
    struct mpi_type *of = call_any_type(&call, oldtype);
    struct type_recipe *recipe = NULL;
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
    if (call.code == MPI_SUCCESS) {
        recipe = recipe_new(MPI_COMBINER_INDEXED_BLOCK, 2 + count, 0, 1);
        recipe_ints(recipe, 2, (const int[]){count, blocklength});
        recipe_ints(recipe, count, displacements);
        recipe_type(recipe, of);
    }
    return api_type_finish(&call, type, recipe, newtype);
}

API int MPI_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint *displacements, MPI_Datatype oldtype,
                                       MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_create_hindexed_block");
    struct mpi_type *of = call_any_type(&call, oldtype);
    struct type_recipe *recipe = NULL;
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
    if (call.code == MPI_SUCCESS) {
        recipe = recipe_new(MPI_COMBINER_HINDEXED_BLOCK, 2, count, 1);
        recipe_ints(recipe, 2, (const int[]){count, blocklength});
        recipe_addresses(recipe, count, displacements);
        recipe_type(recipe, of);
    }
    return api_type_finish(&call, type, recipe, newtype);
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
        {MPI_TYPECLASS_COMPLEX, 2 * sizeof(long double), MPI_C_LONG_DOUBLE_COMPLEX},
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
