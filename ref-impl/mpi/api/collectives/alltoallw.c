/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * MPI_Alltoallw and MPI_Ialltoallw: each block has a count, a displacement in octets and a datatype of its own.
 * Chapter 7.3.5 of MPI-2.
 */
#include <stdint.h>
#include <stdlib.h>

#include "ref-impl/mpi/api/collectives/collective.h"

/* What a program says of its blocks. */
struct wanted {
    const void *buffer;
    const int *counts, *displs;
    const MPI_Datatype *types;
    enum address_use use;
};

/* The same, checked; `types` has room for each rank's. */
static struct coll_blocks check(struct mpi_call *call, const struct wanted *wanted, struct mpi_type **types)
{
    call_output(call, wanted->counts, "counts");
    call_output(call, wanted->displs, "displs");
    call_output(call, wanted->types, "types");
    for (int rank = 0; call->code == MPI_SUCCESS && rank < api_collective_peers(call)->count; rank++) {
        const void *at = (const void *)((uintptr_t)wanted->buffer + (uintptr_t)(intptr_t)wanted->displs[rank]);

        types[rank] = call_type(call, wanted->types[rank]);
        call_count(call, wanted->counts[rank], "a count");
        call_buffer(call, at, wanted->counts[rank], types[rank], wanted->use);
    }
    return (struct coll_blocks){
        (void *)(uintptr_t)wanted->buffer, true, 0, wanted->counts, wanted->displs, types[0], types};
}

static int alltoallw(struct mpi_call call, const struct wanted *sent, const struct wanted *received)
{
    struct coll_call what = {.run = coll_run_alltoall, .out = {.vector = true}, .in = {.vector = true}};
    size_t size = call.code == MPI_SUCCESS ? (size_t)api_collective_peers(&call)->count : 0;
    struct mpi_type **types = calloc(2 * size + 1, sizeof(struct mpi_type *));
    int code;

    if (!types) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
    }
    if (call.code == MPI_SUCCESS) {
        what.in = check(&call, received, types);
    }
    if (call.code == MPI_SUCCESS && sent->buffer == MPI_IN_PLACE && !call.comm->remote) {
        what.out = (struct coll_blocks){.buffer = MPI_IN_PLACE};
    } else if (call.code == MPI_SUCCESS) {
        what.out = check(&call, sent, types + size);
    }
    code = api_collective_end(&call, &what);
    free(types);
    return code;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Alltoallw(const void *sendbuf, const int *sendcounts, const int *sdispls, const MPI_Datatype *sendtypes,
                      void *recvbuf, const int *recvcounts, const int *rdispls, const MPI_Datatype *recvtypes,
                      MPI_Comm comm)
{
    return alltoallw(call_on("MPI_Alltoallw", comm),
                     &(struct wanted){sendbuf, sendcounts, sdispls, sendtypes, ADDRESS_READ},
                     &(struct wanted){recvbuf, recvcounts, rdispls, recvtypes, ADDRESS_WRITE});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Ialltoallw(const void *sendbuf, const int *sendcounts, const int *sdispls, const MPI_Datatype *sendtypes,
                       void *recvbuf, const int *recvcounts, const int *rdispls, const MPI_Datatype *recvtypes,
                       MPI_Comm comm, MPI_Request *request)
{
    return alltoallw(call_later("MPI_Ialltoallw", comm, request),
                     &(struct wanted){sendbuf, sendcounts, sdispls, sendtypes, ADDRESS_READ},
                     &(struct wanted){recvbuf, recvcounts, rdispls, recvtypes, ADDRESS_WRITE});
}
