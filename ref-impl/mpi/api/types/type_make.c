/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the constructors of datatypes have in common: see type_make.h.
 */
#include "ref-impl/mpi/api/types/type_make.h"

#include "ref-impl/mpi/common/handle.h"

struct mpi_type *api_type_begin(struct mpi_call *call, int blocks)
{
    struct mpi_type *type = call->code == MPI_SUCCESS ? type_new((size_t)blocks) : NULL;

    if (!type) {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
    }
    return type;
}

struct mpi_type *api_type_repeated(struct mpi_call *call, struct mpi_type *of, ptrdiff_t at, int times,
                                   ptrdiff_t stride)
{
    struct mpi_type *type = api_type_begin(call, 1);

    if (type) {
        type->repeat = (size_t)times;
        type->stride = stride;
        type_set_block(type, 0, at, 1, of);
    }
    return type;
}

int api_type_name(struct mpi_call *call, struct mpi_type *type, MPI_Datatype *newtype)
{
    MPI_Datatype handle = call->code == MPI_SUCCESS ? handle_new(HANDLE_DATATYPE, type) : NULL;

    if (!handle) {
        type_release(type);
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
        return call_end(call);
    }
    type->handle = handle;
    *newtype = handle;
    return MPI_SUCCESS;
}

int api_type_finish(struct mpi_call *call, struct mpi_type *type, struct type_recipe *recipe, MPI_Datatype *newtype)
{
    if (call->code != MPI_SUCCESS || !type) {
        recipe_release(recipe);
        type_release(type);
        return call_end(call);
    }
    type->recipe = recipe;
    if (!recipe) {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
    } else if (!type_measure(type)) {
        call_fail(call, MPI_ERR_ARG, "the datatype would be larger than memory");
    }
    return api_type_name(call, type, newtype);
}

struct type_recipe *api_type_block_recipe(int combiner, int count, const int *lengths, int ints)
{
    struct type_recipe *recipe = recipe_new(combiner, 1 + count + ints, count, count + 1);

    recipe_ints(recipe, 1, &count);
    recipe_ints(recipe, count, lengths);
    return recipe;
}

void api_type_blocks(struct mpi_call *call, int count, const int *lengths, const void *displacements)
{
    call_count(call, count, "count");
    if (call->code == MPI_SUCCESS && count > 0) {
        call_output(call, lengths, "blocklengths");
        call_output(call, displacements, "displacements");
    }
    for (int i = 0; call->code == MPI_SUCCESS && i < count; i++) {
        if (lengths[i] < 0) {
            call_fail(call, MPI_ERR_ARG, "blocklengths[%d] is %d, less than 0", i, lengths[i]);
        }
    }
}
