/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * MPI_Dims_create: how many processes go into each dimension of a grid. Chapter 6.5.2 of MPI, which wants lengths as
 * close to each other as possible, the largest first.
 */
#include <stdlib.h>

#include "ref-impl/mpi/api/call.h"

/* Whether base to the power of `exponent` is at least `least`. */
static bool reaches(int base, int exponent, int least)
{
    long power = 1;

    for (int i = 0; i < exponent && power < least; i++) {
        power *= base;
    }
    return power >= least;
}

/* Splits `nodes` into `count` lengths of at most `most`, the largest first, which is as small as it can be. */
static bool split(int nodes, int count, int most, int *lengths)
{
    if (count == 0) {
        return nodes == 1;
    }
    for (int length = 1; length <= most && length <= nodes; length++) {
        /* Divisors beyond the root are found by what they leave. */
        if (length > nodes / length) {
            length = nodes / (nodes / length);
        }
        if (length <= most && nodes % length == 0 && reaches(length, count, nodes) &&
            split(nodes / length, count - 1, length, lengths + 1)) {
            lengths[0] = length;
            return true;
        }
    }
    return false;
}

/* How many nodes are left for the dimensions that are to be chosen; stores how many of these there are. */
static int left_over(struct mpi_call *call, int nodes, int count, const int *dims, int *open)
{
    *open = 0;
    for (int i = 0; call->code == MPI_SUCCESS && i < count; i++) {
        if (dims[i] < 0) {
            call_fail(call, MPI_ERR_DIMS, "dims[%d] is %d, less than 0", i, dims[i]);
        } else if (dims[i] == 0) {
            ++*open;
        } else if (nodes % dims[i]) {
            call_fail(call, MPI_ERR_DIMS, "what is left of nnodes, %d, is no multiple of dims[%d], %d", nodes, i,
                      dims[i]);
        } else {
            nodes /= dims[i];
        }
    }
    if (call->code == MPI_SUCCESS && *open == 0 && nodes != 1) {
        call_fail(call, MPI_ERR_DIMS, "the product of dims is not nnodes");
    }
    return nodes;
}

API int MPI_Dims_create(int nnodes, int ndims, int *dims)
{
    struct mpi_call call = call_without("MPI_Dims_create");
    int open, left, *lengths;

    call_count(&call, ndims, "ndims");
    if (nnodes <= 0) {
        call_fail(&call, MPI_ERR_ARG, "nnodes is %d, not above 0", nnodes);
    }
    if (ndims > 0) {
        call_output(&call, dims, "dims");
    }
    left = left_over(&call, nnodes, ndims, dims, &open);
    lengths = call.code == MPI_SUCCESS ? malloc((size_t)(open + 1) * sizeof(*lengths)) : NULL;
    if (!lengths) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
        return call_end(&call);
    }
    if (open > 0) {
        split(left, open, left, lengths);
    }
    for (int i = 0, next = 0; i < ndims; i++) {
        if (dims[i] == 0) {
            dims[i] = lengths[next++];
        }
    }
    free(lengths);
    return MPI_SUCCESS;
}
