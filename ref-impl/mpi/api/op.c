/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Operations of programs: chapter 4.9 of MPI, MPI_Op_create and MPI_Op_free; of MPI-2, MPI_Op_commutative.
 */
#include "ref-impl/mpi/api/call.h"

API int MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op)
{
    struct mpi_call call = call_without("MPI_Op_create");
    MPI_Op handle;

    call_output(&call, op, "op");
    if (!function) {
        call_fail(&call, MPI_ERR_ARG, "function is NULL");
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    handle = op_new(function, commute != 0);
    if (!handle) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
        return call_end(&call);
    }
    *op = handle;
    return MPI_SUCCESS;
}

API int MPI_Op_free(MPI_Op *op)
{
    struct mpi_call call = call_without("MPI_Op_free");
    struct mpi_op *found;

    call_output(&call, op, "op");
    found = call.code == MPI_SUCCESS ? op_find(*op) : NULL;
    if (!found) {
        call_fail(&call, MPI_ERR_OP, "the operation is none, or has been freed");
    } else if (op_is_predefined(found)) {
        call_fail(&call, MPI_ERR_OP, "a predefined operation cannot be freed");
    }
    if (call.code == MPI_SUCCESS) {
        op_free(*op);
        *op = MPI_OP_NULL;
    }
    return call_end(&call);
}

API int MPI_Op_commutative(MPI_Op op, int *commute)
{
    struct mpi_call call = call_without("MPI_Op_commutative");
    const struct mpi_op *found = op_find(op);

    call_output(&call, commute, "commute");
    if (!found) {
        call_fail(&call, MPI_ERR_OP, "the operation is none, or has been freed");
    }
    if (call.code == MPI_SUCCESS) {
        *commute = op_commutes(found);
    }
    return call_end(&call);
}
