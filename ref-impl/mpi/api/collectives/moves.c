/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The collective functions that only move data, and MPI_Barrier: chapter 4 of MPI, 5.12 of MPI-3. Each checks its
 * arguments, those that matter at this process.
 */
#include <stdint.h>

#include "ref-impl/mpi/api/collectives/collective.h"

/* A block for each rank, all of the same length. */
static struct coll_blocks check_blocks(struct mpi_call *call, const void *buffer, int count, MPI_Datatype datatype,
                                       enum address_use use)
{
    struct coll_blocks blocks = {
        .buffer = (void *)(uintptr_t)buffer, .count = count, .type = call_type(call, datatype)};
    int all = 0;

    call_count(call, count, "count");
    if (call->code == MPI_SUCCESS && __builtin_mul_overflow(count, api_collective_peers(call)->count, &all)) {
        call_fail(call, MPI_ERR_COUNT, "count %d for each rank is more than an int can hold", count);
    }
    call_buffer(call, buffer, all, blocks.type, use);
    return blocks;
}

/* A block for each rank, of a length and at a place of its own. */
static struct coll_blocks check_vector(struct mpi_call *call, const void *buffer, const int *counts, const int *displs,
                                       MPI_Datatype datatype, enum address_use use)
{
    struct coll_blocks blocks = {(void *)(uintptr_t)buffer, true, 0, counts, displs, call_type(call, datatype), NULL};
    int sum;

    api_collective_counts(call, api_collective_peers(call), counts, &sum);
    call_output(call, displs, "displs");
    for (int rank = 0; call->code == MPI_SUCCESS && rank < api_collective_peers(call)->count; rank++) {
        struct coll_data block = coll_block(&blocks, rank);

        call_buffer(call, block.buffer, block.count, block.type, use);
    }
    return blocks;
}

/* What a process sends or receives: with MPI_IN_PLACE its block of `place`, where that is the buffer of all blocks. */
static struct coll_data check_own(struct mpi_call *call, const void *buffer, int count, MPI_Datatype datatype,
                                  enum address_use use, const struct coll_blocks *place)
{
    if (!place || buffer != MPI_IN_PLACE || (call->code == MPI_SUCCESS && call->comm->remote)) {
        return api_collective_data(call, buffer, count, datatype, use);
    }
    return call->code == MPI_SUCCESS ? coll_block(place, call->comm->rank) : (struct coll_data){NULL, 0, NULL};
}

static int barrier(struct mpi_call call)
{
    return api_collective_end(&call, &(struct coll_call){.run = coll_run_barrier});
}

API int MPI_Barrier(MPI_Comm comm)
{
    return barrier(call_on("MPI_Barrier", comm));
}

API int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    return barrier(call_later("MPI_Ibarrier", comm, request));
}

static int bcast(struct mpi_call call, void *buffer, int count, MPI_Datatype datatype, int root)
{
    enum address_use use = api_collective_is_root(&call, root) ? ADDRESS_READ : ADDRESS_WRITE;
    struct coll_data data = {.buffer = NULL};

    call_root(&call, root);
    if (api_collective_is_root(&call, root) || api_collective_is_leaf(&call, root)) {
        data = api_collective_data(&call, buffer, count, datatype, use);
    }
    return api_collective_end(&call, &(struct coll_call){.run = coll_run_bcast, .data = data, .root = root});
}

API int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    return bcast(call_on("MPI_Bcast", comm), buffer, count, datatype, root);
}

API int MPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request)
{
    return bcast(call_later("MPI_Ibcast", comm, request), buffer, count, datatype, root);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
static int gather(struct mpi_call call, const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root)
{
    struct coll_data out = {.buffer = NULL};
    struct coll_blocks in = {.vector = false};

    call_root(&call, root);
    if (api_collective_is_root(&call, root)) {
        in = check_blocks(&call, recvbuf, recvcount, recvtype, ADDRESS_WRITE);
    }
    if (api_collective_is_leaf(&call, root)) {
        out = check_own(&call, sendbuf, sendcount, sendtype, ADDRESS_READ,
                        api_collective_is_root(&call, root) ? &in : NULL);
    }
    return api_collective_end(&call, &(struct coll_call){.run = coll_run_gather, .data = out, .in = in, .root = root});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return gather(call_on("MPI_Gather", comm), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    return gather(call_later("MPI_Igather", comm, request), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                  root);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
static int gatherv(struct mpi_call call, const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const int *recvcounts, const int *displs, MPI_Datatype recvtype, int root)
{
    struct coll_data out = {.buffer = NULL};
    struct coll_blocks in = {.vector = true};

    call_root(&call, root);
    if (api_collective_is_root(&call, root)) {
        in = check_vector(&call, recvbuf, recvcounts, displs, recvtype, ADDRESS_WRITE);
    }
    if (api_collective_is_leaf(&call, root)) {
        out = check_own(&call, sendbuf, sendcount, sendtype, ADDRESS_READ,
                        api_collective_is_root(&call, root) ? &in : NULL);
    }
    return api_collective_end(&call, &(struct coll_call){.run = coll_run_gather, .data = out, .in = in, .root = root});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                    const int *displs, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return gatherv(call_on("MPI_Gatherv", comm), sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                   root);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                     const int *displs, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    return gatherv(call_later("MPI_Igatherv", comm, request), sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                   recvtype, root);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
static int scatter(struct mpi_call call, const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root)
{
    struct coll_data in = {.buffer = NULL};
    struct coll_blocks out = {.vector = false};

    call_root(&call, root);
    if (api_collective_is_root(&call, root)) {
        out = check_blocks(&call, sendbuf, sendcount, sendtype, ADDRESS_READ);
    }
    if (api_collective_is_leaf(&call, root)) {
        in = check_own(&call, recvbuf, recvcount, recvtype, ADDRESS_WRITE,
                       api_collective_is_root(&call, root) ? &out : NULL);
    }
    return api_collective_end(&call,
                              &(struct coll_call){.run = coll_run_scatter, .data = in, .out = out, .root = root});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return scatter(call_on("MPI_Scatter", comm), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    return scatter(call_later("MPI_Iscatter", comm, request), sendbuf, sendcount, sendtype, recvbuf, recvcount,
                   recvtype, root);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
static int scatterv(struct mpi_call call, const void *sendbuf, const int *sendcounts, const int *displs,
                    MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root)
{
    struct coll_data in = {.buffer = NULL};
    struct coll_blocks out = {.vector = true};

    call_root(&call, root);
    if (api_collective_is_root(&call, root)) {
        out = check_vector(&call, sendbuf, sendcounts, displs, sendtype, ADDRESS_READ);
    }
    if (api_collective_is_leaf(&call, root)) {
        in = check_own(&call, recvbuf, recvcount, recvtype, ADDRESS_WRITE,
                       api_collective_is_root(&call, root) ? &out : NULL);
    }
    return api_collective_end(&call,
                              &(struct coll_call){.run = coll_run_scatter, .data = in, .out = out, .root = root});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Scatterv(const void *sendbuf, const int *sendcounts, const int *displs, MPI_Datatype sendtype,
                     void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return scatterv(call_on("MPI_Scatterv", comm), sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                    root);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Iscatterv(const void *sendbuf, const int *sendcounts, const int *displs, MPI_Datatype sendtype,
                      void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                      MPI_Request *request)
{
    return scatterv(call_later("MPI_Iscatterv", comm, request), sendbuf, sendcounts, displs, sendtype, recvbuf,
                    recvcount, recvtype, root);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
static int allgather(struct mpi_call call, const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     int recvcount, MPI_Datatype recvtype)
{
    struct coll_blocks in = check_blocks(&call, recvbuf, recvcount, recvtype, ADDRESS_WRITE);
    struct coll_data out = check_own(&call, sendbuf, sendcount, sendtype, ADDRESS_READ, &in);

    return api_collective_end(&call, &(struct coll_call){.run = coll_run_allgather, .data = out, .in = in});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm)
{
    return allgather(call_on("MPI_Allgather", comm), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return allgather(call_later("MPI_Iallgather", comm, request), sendbuf, sendcount, sendtype, recvbuf, recvcount,
                     recvtype);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
static int allgatherv(struct mpi_call call, const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                      const int *recvcounts, const int *displs, MPI_Datatype recvtype)
{
    struct coll_blocks in = check_vector(&call, recvbuf, recvcounts, displs, recvtype, ADDRESS_WRITE);
    struct coll_data out = check_own(&call, sendbuf, sendcount, sendtype, ADDRESS_READ, &in);

    return api_collective_end(&call, &(struct coll_call){.run = coll_run_allgather, .data = out, .in = in});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                       const int *displs, MPI_Datatype recvtype, MPI_Comm comm)
{
    return allgatherv(call_on("MPI_Allgatherv", comm), sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                      recvtype);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                        const int *displs, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return allgatherv(call_later("MPI_Iallgatherv", comm, request), sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                      displs, recvtype);
}

/* Blocks that are sent from where others come to; nothing else of them is looked at. */
static const struct coll_blocks in_place = {.buffer = MPI_IN_PLACE};

static bool is_in_place(const struct mpi_call *call, const void *sendbuf)
{
    return sendbuf == MPI_IN_PLACE && !(call->code == MPI_SUCCESS && call->comm->remote);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
static int alltoall(struct mpi_call call, const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype)
{
    struct coll_blocks out =
        is_in_place(&call, sendbuf) ? in_place : check_blocks(&call, sendbuf, sendcount, sendtype, ADDRESS_READ);
    struct coll_blocks in = check_blocks(&call, recvbuf, recvcount, recvtype, ADDRESS_WRITE);

    return api_collective_end(&call, &(struct coll_call){.run = coll_run_alltoall, .out = out, .in = in});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                     MPI_Datatype recvtype, MPI_Comm comm)
{
    return alltoall(call_on("MPI_Alltoall", comm), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return alltoall(call_later("MPI_Ialltoall", comm, request), sendbuf, sendcount, sendtype, recvbuf, recvcount,
                    recvtype);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
static int alltoallv(struct mpi_call call, const void *sendbuf, const int *sendcounts, const int *sdispls,
                     MPI_Datatype sendtype, void *recvbuf, const int *recvcounts, const int *rdispls,
                     MPI_Datatype recvtype)
{
    struct coll_blocks out = is_in_place(&call, sendbuf)
                                 ? in_place
                                 : check_vector(&call, sendbuf, sendcounts, sdispls, sendtype, ADDRESS_READ);
    struct coll_blocks in = check_vector(&call, recvbuf, recvcounts, rdispls, recvtype, ADDRESS_WRITE);

    return api_collective_end(&call, &(struct coll_call){.run = coll_run_alltoall, .out = out, .in = in});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Alltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype,
                      void *recvbuf, const int *recvcounts, const int *rdispls, MPI_Datatype recvtype, MPI_Comm comm)
{
    return alltoallv(call_on("MPI_Alltoallv", comm), sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                     rdispls, recvtype);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Ialltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype,
                       void *recvbuf, const int *recvcounts, const int *rdispls, MPI_Datatype recvtype, MPI_Comm comm,
                       MPI_Request *request)
{
    return alltoallv(call_later("MPI_Ialltoallv", comm, request), sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                     recvcounts, rdispls, recvtype);
}
