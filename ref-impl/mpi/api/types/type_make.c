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

int api_type_finish(struct mpi_call *call, struct mpi_type *type, MPI_Datatype *newtype)
{
    MPI_Datatype handle;

    if (call->code != MPI_SUCCESS) {
        type_release(type);
        return call_end(call);
    }
    if (!type_measure(type)) {
        call_fail(call, MPI_ERR_ARG, "the datatype would be larger than memory");
    } else if (!(handle = handle_new(HANDLE_DATATYPE, type))) {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
    } else {
        type->handle = handle;
        *newtype = handle;
        return MPI_SUCCESS;
    }
    type_release(type);
    return call_end(call);
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
