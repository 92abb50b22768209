/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Begin and end of the collective functions: see collective.h.
 */
#include "ref-impl/mpi/api/collectives/collective.h"

#include <stdint.h>

#include "ref-impl/mpi/api/message.h"
#include "ref-impl/mpi/messages/p2p_request.h"
#include "ref-impl/mpi/nonblocking/operation.h"

struct coll_data api_collective_data(struct mpi_call *call, const void *buffer, int count, MPI_Datatype datatype,
                                     enum address_use use)
{
    /* buffers that an operation only reads are from here on as all others */
    struct coll_data data = {(void *)(uintptr_t)buffer, count, call_type(call, datatype)};

    call_count(call, count, "count");
    call_buffer(call, buffer, count, data.type, use);
    return data;
}

void api_collective_counts(struct mpi_call *call, const struct mpi_group *group, const int *counts, int *sum)
{
    *sum = 0;
    call_output(call, counts, "counts");
    for (int rank = 0; call->code == MPI_SUCCESS && rank < group->count; rank++) {
        if (counts[rank] < 0) {
            call_fail(call, MPI_ERR_COUNT, "counts[%d] is %d, less than 0", rank, counts[rank]);
        } else if (__builtin_add_overflow(*sum, counts[rank], sum)) {
            call_fail(call, MPI_ERR_COUNT, "the sum of counts is more than an int can hold");
        }
    }
}

const struct mpi_group *api_collective_peers(const struct mpi_call *call)
{
    return call->code == MPI_SUCCESS ? comm_peers(call->comm) : NULL;
}

bool api_collective_is_root(const struct mpi_call *call, int root)
{
    return call->code == MPI_SUCCESS && root == (call->comm->remote ? MPI_ROOT : call->comm->rank);
}

bool api_collective_is_leaf(const struct mpi_call *call, int root)
{
    return call->code == MPI_SUCCESS && (!call->comm->remote || root >= 0);
}

static int run_kept(struct mpi_comm *comm, void *arguments)
{
    const struct coll_call *what = arguments;

    return what->run(comm, what);
}

static void release_kept(void *arguments)
{
    coll_call_release(arguments);
}

int api_later_end(struct mpi_call *call, int (*work)(struct mpi_comm *comm, void *arguments),
                  void (*release)(void *arguments), void *arguments)
{
    const struct operation_work operation = {work, release, arguments};
    struct request *request = NULL;
    int code = operation_begin(call->comm, &operation, &request);

    if (code != MPI_SUCCESS) {
        return call_end_with(call, code);
    }
    api_request_name(call, request, call->request);
    if (call->code != MPI_SUCCESS) {
        p2p_abandon(request);
    }
    return call_end(call);
}

int api_collective_end(struct mpi_call *call, const struct coll_call *what)
{
    struct coll_call *kept;

    if (call->code != MPI_SUCCESS) {
        return call_end(call);
    }
    if (!call->request) {
        return call_end_with(call, what->run(call->comm, what));
    }
    kept = coll_call_keep(call->comm, what);
    return kept ? api_later_end(call, run_kept, release_kept, kept) : call_end_with(call, MPI_ERR_OTHER);
}
