/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The collective functions between neighbours in a topology: chapters 7.6 and 7.7 of MPI-3. Blocks for neighbours that
 * are not there, beyond the end of a grid, are not looked at.
 */
#include <stdint.h>

#include "ref-impl/mpi/api/collectives/collective.h"
#include "ref-impl/mpi/collectives/neighbor.h"

enum form {
    FORM_SAME,   /* all blocks are one */
    FORM_ROW,    /* one behind the other, of one length */
    FORM_VECTOR, /* counts and displacements */
    FORM_EACH,   /* counts, displacements in octets, and types */
};

/* What a program says of the blocks that it sends or receives. */
struct wanted {
    enum form form;
    enum address_use use;
    const void *buffer;
    int count;
    MPI_Datatype type;
    const int *counts, *displs;
    const MPI_Aint *far;
    const MPI_Datatype *types;
};

/* Octets from the buffer to a block. */
static ptrdiff_t offset(const struct wanted *wanted, int i, const struct mpi_type *type)
{
    switch (wanted->form) {
    case FORM_SAME:
        return 0;
    case FORM_ROW:
        return (ptrdiff_t)wanted->count * i * type_extent(type);
    case FORM_VECTOR:
        return wanted->displs[i] * type_extent(type);
    case FORM_EACH:
        return wanted->far[i];
    }
    return 0;
}

/* One block, checked, into the plan. */
static void fill(struct mpi_call *call, const struct wanted *wanted, int i, struct neighbor_block *block)
{
    struct mpi_type *type = call_type(call, wanted->form == FORM_EACH ? wanted->types[i] : wanted->type);
    int count = wanted->form < FORM_VECTOR ? wanted->count : wanted->counts[i];

    call_count(call, count, "a count");
    if (call->code == MPI_SUCCESS && type) {
        void *at = (void *)((uintptr_t)wanted->buffer + (uintptr_t)offset(wanted, i, type));

        call_buffer(call, at, count, type, wanted->use);
        type_hold(type);
        block->data = (struct coll_data){at, count, type};
    }
}

/* What is said once for all blocks, of which there are so many. */
static void check(struct mpi_call *call, const struct wanted *wanted, int count)
{
    if (wanted->form != FORM_EACH) {
        (void)call_type(call, wanted->type);
    }
    if (wanted->form < FORM_VECTOR) {
        call_count(call, wanted->count, "count");
    } else if (count > 0) {
        call_output(call, wanted->counts, "counts");
        if (wanted->form == FORM_VECTOR) {
            call_output(call, wanted->displs, "displs");
        } else {
            call_output(call, wanted->far, "displs");
            call_output(call, wanted->types, "types");
        }
    }
}

static void fill_all(struct mpi_call *call, const struct wanted *wanted, int count, struct neighbor_block *blocks)
{
    check(call, wanted, count);
    for (int i = 0; call->code == MPI_SUCCESS && i < count; i++) {
        if (blocks[i].peer != MPI_PROC_NULL) {
            fill(call, wanted, i, &blocks[i]);
        }
    }
}

/* What the function returns. */
static int exchange(struct mpi_call call, const struct wanted *sent, const struct wanted *received)
{
    struct neighbor_plan *plan = NULL;
    int code;

    if (call.code == MPI_SUCCESS && !call.comm->topology) {
        call_fail(&call, MPI_ERR_TOPOLOGY, "comm has no topology");
    } else if (call.code == MPI_SUCCESS && !(plan = neighbor_plan_new(call.comm))) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
    }
    if (!plan) {
        return call_end(&call);
    }
    fill_all(&call, sent, plan->out_count, plan->out);
    fill_all(&call, received, plan->in_count, plan->in);
    if (call.code == MPI_SUCCESS && call.request) {
        return api_later_end(&call, neighbor_exchange, neighbor_plan_release, plan);
    }
    code = call.code == MPI_SUCCESS ? neighbor_exchange(call.comm, plan) : call.code;
    neighbor_plan_release(plan);
    return call.code == MPI_SUCCESS ? call_end_with(&call, code) : call_end(&call);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                               MPI_Datatype recvtype, MPI_Comm comm)
{
    return exchange(call_on("MPI_Neighbor_allgather", comm),
                    &(struct wanted){FORM_SAME, ADDRESS_READ, sendbuf, .count = sendcount, .type = sendtype},
                    &(struct wanted){FORM_ROW, ADDRESS_WRITE, recvbuf, .count = recvcount, .type = recvtype});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                                MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return exchange(call_later("MPI_Ineighbor_allgather", comm, request),
                    &(struct wanted){FORM_SAME, ADDRESS_READ, sendbuf, .count = sendcount, .type = sendtype},
                    &(struct wanted){FORM_ROW, ADDRESS_WRITE, recvbuf, .count = recvcount, .type = recvtype});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                const int *recvcounts, const int *displs, MPI_Datatype recvtype, MPI_Comm comm)
{
    return exchange(call_on("MPI_Neighbor_allgatherv", comm),
                    &(struct wanted){FORM_SAME, ADDRESS_READ, sendbuf, .count = sendcount, .type = sendtype},
                    &(struct wanted){FORM_VECTOR, ADDRESS_WRITE, recvbuf, .type = recvtype, .counts = recvcounts,
                                     .displs = displs});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                 const int *recvcounts, const int *displs, MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Request *request)
{
    return exchange(call_later("MPI_Ineighbor_allgatherv", comm, request),
                    &(struct wanted){FORM_SAME, ADDRESS_READ, sendbuf, .count = sendcount, .type = sendtype},
                    &(struct wanted){FORM_VECTOR, ADDRESS_WRITE, recvbuf, .type = recvtype, .counts = recvcounts,
                                     .displs = displs});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                              MPI_Datatype recvtype, MPI_Comm comm)
{
    return exchange(call_on("MPI_Neighbor_alltoall", comm),
                    &(struct wanted){FORM_ROW, ADDRESS_READ, sendbuf, .count = sendcount, .type = sendtype},
                    &(struct wanted){FORM_ROW, ADDRESS_WRITE, recvbuf, .count = recvcount, .type = recvtype});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                               MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return exchange(call_later("MPI_Ineighbor_alltoall", comm, request),
                    &(struct wanted){FORM_ROW, ADDRESS_READ, sendbuf, .count = sendcount, .type = sendtype},
                    &(struct wanted){FORM_ROW, ADDRESS_WRITE, recvbuf, .count = recvcount, .type = recvtype});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Neighbor_alltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype,
                               void *recvbuf, const int *recvcounts, const int *rdispls, MPI_Datatype recvtype,
                               MPI_Comm comm)
{
    return exchange(
        call_on("MPI_Neighbor_alltoallv", comm),
        &(struct wanted){FORM_VECTOR, ADDRESS_READ, sendbuf, .type = sendtype, .counts = sendcounts, .displs = sdispls},
        &(struct wanted){FORM_VECTOR, ADDRESS_WRITE, recvbuf, .type = recvtype, .counts = recvcounts,
                         .displs = rdispls});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Ineighbor_alltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype,
                                void *recvbuf, const int *recvcounts, const int *rdispls, MPI_Datatype recvtype,
                                MPI_Comm comm, MPI_Request *request)
{
    return exchange(
        call_later("MPI_Ineighbor_alltoallv", comm, request),
        &(struct wanted){FORM_VECTOR, ADDRESS_READ, sendbuf, .type = sendtype, .counts = sendcounts, .displs = sdispls},
        &(struct wanted){FORM_VECTOR, ADDRESS_WRITE, recvbuf, .type = recvtype, .counts = recvcounts,
                         .displs = rdispls});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Neighbor_alltoallw(const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls,
                               const MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts,
                               const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, MPI_Comm comm)
{
    return exchange(
        call_on("MPI_Neighbor_alltoallw", comm),
        &(struct wanted){FORM_EACH, ADDRESS_READ, sendbuf, .counts = sendcounts, .far = sdispls, .types = sendtypes},
        &(struct wanted){FORM_EACH, ADDRESS_WRITE, recvbuf, .counts = recvcounts, .far = rdispls, .types = recvtypes});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Ineighbor_alltoallw(const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls,
                                const MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts,
                                const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, MPI_Comm comm,
                                MPI_Request *request)
{
    return exchange(
        call_later("MPI_Ineighbor_alltoallw", comm, request),
        &(struct wanted){FORM_EACH, ADDRESS_READ, sendbuf, .counts = sendcounts, .far = sdispls, .types = sendtypes},
        &(struct wanted){FORM_EACH, ADDRESS_WRITE, recvbuf, .counts = recvcounts, .far = rdispls, .types = recvtypes});
}
