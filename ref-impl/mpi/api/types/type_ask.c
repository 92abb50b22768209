/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What programs ask of a datatype that is none of MPI-1's questions: how it was made, sizes that no int holds, and the
 * types of Fortran with so many digits. Chapters 4.1.5 to 4.1.13 and 17.1.9 of MPI-3.
 */
#include <float.h>
#include <string.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/api/types/type_make.h"
#include "ref-impl/mpi/common/handle.h"

/* ---- how it was made -------------------------------------------------------------------------------------------- */

/* A type of a program's own has a recipe; a predefined one has at most the two numbers that Fortran asked for. */
static int combiner_of(const struct mpi_type *type)
{
    return type->recipe ? type->recipe->combiner : MPI_COMBINER_NAMED;
}

API int MPI_Type_get_envelope(MPI_Datatype datatype, int *num_integers, int *num_addresses, int *num_datatypes,
                              int *combiner)
{
    struct mpi_call call = call_without("MPI_Type_get_envelope");
    const struct mpi_type *type = call_any_type(&call, datatype);

    call_output(&call, num_integers, "num_integers");
    call_output(&call, num_addresses, "num_addresses");
    call_output(&call, num_datatypes, "num_datatypes");
    call_output(&call, combiner, "combiner");
    if (call.code == MPI_SUCCESS && type) {
        *num_integers = type->recipe ? type->recipe->int_count : 0;
        *num_addresses = type->recipe ? type->recipe->address_count : 0;
        *num_datatypes = type->recipe ? type->recipe->type_count : 0;
        *combiner = combiner_of(type);
    }
    return call_end(&call);
}

/* Gives the program the types of a recipe: predefined ones as they are, of others a new one each, which it frees. */
static void give_types(struct mpi_call *call, const struct type_recipe *recipe, MPI_Datatype *handles)
{
    int given = 0;

    while (given < recipe->type_count && call->code == MPI_SUCCESS) {
        struct mpi_type *type = recipe->types[given];
        struct mpi_type *clone = type->predefined ? NULL : type_clone(type);

        if (type->predefined) {
            handles[given++] = type->handle;
        } else if (!clone) {
            call_fail(call, MPI_ERR_OTHER, "memory is used up");
        } else {
            given += api_type_name(call, clone, &handles[given]) == MPI_SUCCESS;
        }
    }
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes,
                              int *integers, MPI_Aint *addresses, MPI_Datatype *datatypes)
{
    struct mpi_call call = call_without("MPI_Type_get_contents");
    const struct mpi_type *type = call_any_type(&call, datatype);
    const struct type_recipe *recipe = type ? type->recipe : NULL;

    if (!recipe) {
        call_fail(&call, MPI_ERR_TYPE, "a predefined datatype has no contents");
        return call_end(&call);
    }
    if (max_integers < recipe->int_count || max_addresses < recipe->address_count ||
        max_datatypes < recipe->type_count) {
        call_fail(&call, MPI_ERR_ARG, "there is no room for %d integers, %d addresses and %d datatypes",
                  recipe->int_count, recipe->address_count, recipe->type_count);
        return call_end(&call);
    }
    if (recipe->int_count > 0) {
        call_output(&call, integers, "integers");
    }
    if (recipe->address_count > 0) {
        call_output(&call, addresses, "addresses");
    }
    if (recipe->type_count > 0) {
        call_output(&call, datatypes, "datatypes");
    }
    if (call.code == MPI_SUCCESS) {
        for (int i = 0; i < recipe->int_count; i++) {
            integers[i] = recipe->ints[i];
        }
        for (int i = 0; i < recipe->address_count; i++) {
            addresses[i] = recipe->addresses[i];
        }
        give_types(&call, recipe, datatypes);
    }
    return call_end(&call);
}

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

API int MPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint *true_lb, MPI_Aint *true_extent)
{
    struct mpi_call call = call_without("MPI_Type_get_true_extent");
    const struct mpi_type *type = call_any_type(&call, datatype);

    call_output(&call, true_lb, "true_lb");
    call_output(&call, true_extent, "true_extent");
    if (call.code == MPI_SUCCESS && type) {
        *true_lb = type->true_lb;
        *true_extent = type->true_ub - type->true_lb;
    }
    return call_end(&call);
}

API int MPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size)
{
    struct mpi_call call = call_without("MPI_Type_size_x");
    const struct mpi_type *type = call_any_type(&call, datatype);

    call_output(&call, size, "size");
    if (call.code == MPI_SUCCESS && type) {
        *size = (MPI_Count)type->octets[TYPE_NATIVE];
    }
    return call_end(&call);
}

API int MPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    struct mpi_call call = call_without("MPI_Type_get_extent_x");
    const struct mpi_type *type = call_any_type(&call, datatype);

    call_output(&call, lb, "lb");
    call_output(&call, extent, "extent");
    if (call.code == MPI_SUCCESS && type) {
        *lb = type->lb;
        *extent = type_extent(type);
    }
    return call_end(&call);
}

API int MPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent)
{
    struct mpi_call call = call_without("MPI_Type_get_true_extent_x");
    const struct mpi_type *type = call_any_type(&call, datatype);

    call_output(&call, true_lb, "true_lb");
    call_output(&call, true_extent, "true_extent");
    if (call.code == MPI_SUCCESS && type) {
        *true_lb = type->true_lb;
        *true_extent = type->true_ub - type->true_lb;
    }
    return call_end(&call);
}

API MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint disp)
{
    return (MPI_Aint)((size_t)base + (size_t)disp);
}

API MPI_Aint MPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2)
{
    return (MPI_Aint)((size_t)addr1 - (size_t)addr2);
}

/* ---- types of Fortran, by digits -------------------------------------------------------------------------------- */

/* A type that is predefined, as the standard has it, but made when it is asked for first: the same each time. */
static int give_fortran(struct mpi_call *call, MPI_Datatype like, struct type_recipe *recipe, MPI_Datatype *newtype)
{
    size_t place = 0;
    struct mpi_type *type;

    while (recipe && (type = handle_next(HANDLE_DATATYPE, &place))) {
        if (type->predefined && type->recipe && type->recipe->combiner == recipe->combiner &&
            memcmp(type->recipe->ints, recipe->ints, (size_t)recipe->int_count * sizeof(int)) == 0) {
            recipe_release(recipe);
            *newtype = type->handle;
            return MPI_SUCCESS;
        }
    }
    type = recipe ? type_clone(type_find(like)) : NULL;
    if (!type) {
        recipe_release(recipe);
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
        return call_end(call);
    }
    type->recipe = recipe;
    type->committed = true;
    if (api_type_name(call, type, newtype) == MPI_SUCCESS) {
        type->predefined = true;
    }
    return call_end(call);
}

/* The shorter of two types of floating point that has so many decimal digits and such a range; MPI_UNDEFINED is any. */
static MPI_Datatype with_digits(int p, int r, MPI_Datatype shorter, MPI_Datatype longer)
{
    if (p <= FLT_DIG && r <= FLT_MAX_10_EXP - 1) {
        return shorter;
    }
    return p <= DBL_DIG && r <= DBL_MAX_10_EXP - 1 ? longer : MPI_DATATYPE_NULL;
}

/* MPI_Type_create_f90_real and MPI_Type_create_f90_complex. */
static int with_digits_make(const char *function, int combiner, const int *digits, MPI_Datatype like,
                            MPI_Datatype *newtype)
{
    struct mpi_call call = call_without(function);
    struct type_recipe *recipe;

    call_output(&call, newtype, "newtype");
    if (digits[0] == MPI_UNDEFINED && digits[1] == MPI_UNDEFINED) {
        call_fail(&call, MPI_ERR_ARG, "neither digits nor range are given");
    } else if (like == MPI_DATATYPE_NULL) {
        call_fail(&call, MPI_ERR_ARG, "no type has %d decimal digits and a range of %d", digits[0], digits[1]);
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    recipe = recipe_new(combiner, 2, 0, 0);
    recipe_ints(recipe, 2, digits);
    return give_fortran(&call, like, recipe, newtype);
}

API int MPI_Type_create_f90_real(int p, int r, MPI_Datatype *newtype)
{
    return with_digits_make("MPI_Type_create_f90_real", MPI_COMBINER_F90_REAL, (const int[]){p, r},
                            with_digits(p, r, MPI_FLOAT, MPI_DOUBLE), newtype);
}

API int MPI_Type_create_f90_complex(int p, int r, MPI_Datatype *newtype)
{
    return with_digits_make("MPI_Type_create_f90_complex", MPI_COMBINER_F90_COMPLEX, (const int[]){p, r},
                            with_digits(p, r, MPI_COMPLEX, MPI_DOUBLE_COMPLEX), newtype);
}

API int MPI_Type_create_f90_integer(int r, MPI_Datatype *newtype)
{
    static const struct {
        int most;
        MPI_Datatype type;
    } rows[] = {{2, MPI_SIGNED_CHAR}, {4, MPI_SHORT}, {9, MPI_INT}, {18, MPI_LONG_LONG_INT}};
    struct mpi_call call = call_without("MPI_Type_create_f90_integer");
    MPI_Datatype like = MPI_DATATYPE_NULL;
    struct type_recipe *recipe;

    call_output(&call, newtype, "newtype");
    for (size_t i = sizeof(rows) / sizeof(rows[0]); i-- > 0;) {
        like = r <= rows[i].most ? rows[i].type : like;
    }
    if (like == MPI_DATATYPE_NULL || r == MPI_UNDEFINED) {
        call_fail(&call, MPI_ERR_ARG, "no type has a range of %d", r);
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    recipe = recipe_new(MPI_COMBINER_F90_INTEGER, 1, 0, 0);
    recipe_ints(recipe, 1, &r);
    return give_fortran(&call, like, recipe, newtype);
}
