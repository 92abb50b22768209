/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The collective operations as programs call them: chapter 4 of MPI. Checks arguments, those that matter at this
 * process, and hands them to coll*.c.
 */
#include <limits.h>
#include <stdint.h>

#include <stdlib.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/collectives/coll.h"

/* Buffers that an operation only reads, from here on as all others. */
static void *unconst(const void *buffer)
{
    return (void *)(uintptr_t)buffer;
}

static struct coll_data check_data(struct mpi_call *call, const void *buffer, int count, MPI_Datatype datatype,
                                   enum address_use use)
{
    struct coll_data data = {unconst(buffer), count, call_type(call, datatype)};

    call_count(call, count, "count");
    call_buffer(call, buffer, count, data.type, use);
    return data;
}

/* A block for each rank, all of the same length. */
static struct coll_blocks check_blocks(struct mpi_call *call, const void *buffer, int count, MPI_Datatype datatype,
                                       enum address_use use)
{
    struct coll_blocks blocks = {.buffer = unconst(buffer), .count = count, .type = call_type(call, datatype)};
    int all = 0;

    call_count(call, count, "count");
    if (call->code == MPI_SUCCESS && __builtin_mul_overflow(count, call->comm->local->count, &all)) {
        call_fail(call, MPI_ERR_COUNT, "count %d for each rank is more than an int can hold", count);
    }
    call_buffer(call, buffer, all, blocks.type, use);
    return blocks;
}

/* Counts of so many blocks; stores their sum. */
static void check_counts(struct mpi_call *call, const int *counts, int *sum)
{
    *sum = 0;
    call_output(call, counts, "counts");
    for (int rank = 0; call->code == MPI_SUCCESS && rank < call->comm->local->count; rank++) {
        if (counts[rank] < 0) {
            call_fail(call, MPI_ERR_COUNT, "counts[%d] is %d, less than 0", rank, counts[rank]);
        } else if (__builtin_add_overflow(*sum, counts[rank], sum)) {
            call_fail(call, MPI_ERR_COUNT, "the sum of counts is more than an int can hold");
        }
    }
}

/* A block for each rank, of a length and at a place of its own. */
static struct coll_blocks check_vector(struct mpi_call *call, const void *buffer, const int *counts, const int *displs,
                                       MPI_Datatype datatype, enum address_use use)
{
    struct coll_blocks blocks = {unconst(buffer), true, 0, counts, displs, call_type(call, datatype), NULL};
    int sum;

    check_counts(call, counts, &sum);
    call_output(call, displs, "displs");
    for (int rank = 0; call->code == MPI_SUCCESS && rank < call->comm->local->count; rank++) {
        struct coll_data block = coll_block(&blocks, rank);

        call_buffer(call, block.buffer, block.count, block.type, use);
    }
    return blocks;
}

/* What a process sends or receives: with MPI_IN_PLACE its block of `place`, where that is the buffer of all blocks. */
static struct coll_data check_own(struct mpi_call *call, const void *buffer, int count, MPI_Datatype datatype,
                                  enum address_use use, const struct coll_blocks *place)
{
    if (!place || buffer != MPI_IN_PLACE) {
        return check_data(call, buffer, count, datatype, use);
    }
    return call->code == MPI_SUCCESS ? coll_block(place, call->comm->rank) : (struct coll_data){NULL, 0, NULL};
}

/* Whether this process is the root of a call that is good so far. */
static bool is_root(const struct mpi_call *call, int root)
{
    return call->code == MPI_SUCCESS && call->comm->rank == root;
}

API int MPI_Barrier(MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Barrier", comm);

    call_intra(&call);
    return call.code == MPI_SUCCESS ? call_end_with(&call, coll_barrier(call.comm)) : call_end(&call);
}

API int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Bcast", comm);
    enum address_use use = is_root(&call, root) ? ADDRESS_READ : ADDRESS_WRITE;
    struct coll_data data = check_data(&call, buffer, count, datatype, use);

    call_intra(&call);
    call_root(&call, root);
    return call.code == MPI_SUCCESS ? call_end_with(&call, coll_bcast(call.comm, &data, root)) : call_end(&call);
}

/* The end of both gathers. */
static int gather(struct mpi_call *call, const struct coll_data *out, const struct coll_blocks *in, int root)
{
    return call->code == MPI_SUCCESS ? call_end_with(call, coll_gather(call->comm, out, in, root)) : call_end(call);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Gather", comm);
    struct coll_data out;
    struct coll_blocks in = {.vector = false};

    call_intra(&call);
    call_root(&call, root);
    if (is_root(&call, root)) {
        in = check_blocks(&call, recvbuf, recvcount, recvtype, ADDRESS_WRITE);
    }
    out = check_own(&call, sendbuf, sendcount, sendtype, ADDRESS_READ, is_root(&call, root) ? &in : NULL);
    return gather(&call, &out, &in, root);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                    const int *displs, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Gatherv", comm);
    struct coll_data out;
    struct coll_blocks in = {.vector = true};

    call_intra(&call);
    call_root(&call, root);
    if (is_root(&call, root)) {
        in = check_vector(&call, recvbuf, recvcounts, displs, recvtype, ADDRESS_WRITE);
    }
    out = check_own(&call, sendbuf, sendcount, sendtype, ADDRESS_READ, is_root(&call, root) ? &in : NULL);
    return gather(&call, &out, &in, root);
}

/* The end of both scatters. */
static int scatter(struct mpi_call *call, const struct coll_blocks *out, const struct coll_data *in, int root)
{
    return call->code == MPI_SUCCESS ? call_end_with(call, coll_scatter(call->comm, out, in, root)) : call_end(call);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Scatter", comm);
    struct coll_data in;
    struct coll_blocks out = {.vector = false};

    call_intra(&call);
    call_root(&call, root);
    if (is_root(&call, root)) {
        out = check_blocks(&call, sendbuf, sendcount, sendtype, ADDRESS_READ);
    }
    in = check_own(&call, recvbuf, recvcount, recvtype, ADDRESS_WRITE, is_root(&call, root) ? &out : NULL);
    return scatter(&call, &out, &in, root);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Scatterv(const void *sendbuf, const int *sendcounts, const int *displs, MPI_Datatype sendtype,
                     void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Scatterv", comm);
    struct coll_data in;
    struct coll_blocks out = {.vector = true};

    call_intra(&call);
    call_root(&call, root);
    if (is_root(&call, root)) {
        out = check_vector(&call, sendbuf, sendcounts, displs, sendtype, ADDRESS_READ);
    }
    in = check_own(&call, recvbuf, recvcount, recvtype, ADDRESS_WRITE, is_root(&call, root) ? &out : NULL);
    return scatter(&call, &out, &in, root);
}

/* The end of both allgathers. */
static int allgather(struct mpi_call *call, const struct coll_data *out, const struct coll_blocks *in)
{
    return call->code == MPI_SUCCESS ? call_end_with(call, coll_allgather(call->comm, out, in)) : call_end(call);
}

API int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Allgather", comm);
    struct coll_blocks in = check_blocks(&call, recvbuf, recvcount, recvtype, ADDRESS_WRITE);
    struct coll_data out = check_own(&call, sendbuf, sendcount, sendtype, ADDRESS_READ, &in);

    call_intra(&call);
    return allgather(&call, &out, &in);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                       const int *displs, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Allgatherv", comm);
    struct coll_blocks in = check_vector(&call, recvbuf, recvcounts, displs, recvtype, ADDRESS_WRITE);
    struct coll_data out = check_own(&call, sendbuf, sendcount, sendtype, ADDRESS_READ, &in);

    call_intra(&call);
    return allgather(&call, &out, &in);
}

/* Blocks that are sent from where others come to; nothing else of them is looked at. */
static const struct coll_blocks in_place = {.buffer = MPI_IN_PLACE};

/* The end of both alltoalls. */
static int alltoall(struct mpi_call *call, const struct coll_blocks *out, const struct coll_blocks *in)
{
    if (call->code != MPI_SUCCESS) {
        return call_end(call);
    }
    return call_end_with(call, out->buffer == MPI_IN_PLACE ? coll_alltoall_in_place(call->comm, in)
                                                           : coll_alltoall(call->comm, out, in));
}

API int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                     MPI_Datatype recvtype, MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Alltoall", comm);
    struct coll_blocks out =
        sendbuf == MPI_IN_PLACE ? in_place : check_blocks(&call, sendbuf, sendcount, sendtype, ADDRESS_READ);
    struct coll_blocks in = check_blocks(&call, recvbuf, recvcount, recvtype, ADDRESS_WRITE);

    call_intra(&call);
    return alltoall(&call, &out, &in);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Alltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype,
                      void *recvbuf, const int *recvcounts, const int *rdispls, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Alltoallv", comm);
    struct coll_blocks out =
        sendbuf == MPI_IN_PLACE ? in_place : check_vector(&call, sendbuf, sendcounts, sdispls, sendtype, ADDRESS_READ);
    struct coll_blocks in = check_vector(&call, recvbuf, recvcounts, rdispls, recvtype, ADDRESS_WRITE);

    call_intra(&call);
    return alltoall(&call, &out, &in);
}

/* Where the operand of a process is: with MPI_IN_PLACE where its result comes to, if it has one. */
static const void *operand(const void *sendbuf, const void *recvbuf, bool has_result)
{
    return has_result && sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
}

/* What all reductions check; `out` only where there is a result. */
static struct coll_reduction check_reduction(struct mpi_call *call, const void *sendbuf, int count,
                                             MPI_Datatype datatype, MPI_Op op)
{
    struct coll_data in = check_data(call, sendbuf, count, datatype, ADDRESS_READ);

    call_intra(call);
    return (struct coll_reduction){in.buffer, NULL, count, in.type, call_op(call, op, in.type)};
}

/* Gives a reduction the place of its result. */
static void check_result(struct mpi_call *call, struct coll_reduction *reduction, const void *sendbuf, void *recvbuf,
                         int count)
{
    call_buffer(call, recvbuf, count, reduction->type, ADDRESS_WRITE);
    if (call->code == MPI_SUCCESS && count > 0 && recvbuf == sendbuf) {
        call_fail(call, MPI_ERR_BUFFER, "sendbuf and recvbuf are the same; MPI_IN_PLACE says so");
    }
    reduction->out = recvbuf;
}

API int MPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                   MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Reduce", comm);
    struct coll_reduction reduction =
        check_reduction(&call, operand(sendbuf, recvbuf, is_root(&call, root)), count, datatype, op);

    call_root(&call, root);
    if (is_root(&call, root)) {
        check_result(&call, &reduction, sendbuf, recvbuf, count);
    }
    return call.code == MPI_SUCCESS ? call_end_with(&call, coll_reduce(call.comm, &reduction, root)) : call_end(&call);
}

API int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Allreduce", comm);
    struct coll_reduction reduction = check_reduction(&call, operand(sendbuf, recvbuf, true), count, datatype, op);

    check_result(&call, &reduction, sendbuf, recvbuf, count);
    return call.code == MPI_SUCCESS ? call_end_with(&call, coll_allreduce(call.comm, &reduction)) : call_end(&call);
}

API int MPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Scan", comm);
    struct coll_reduction reduction = check_reduction(&call, operand(sendbuf, recvbuf, true), count, datatype, op);

    check_result(&call, &reduction, sendbuf, recvbuf, count);
    return call.code == MPI_SUCCESS ? call_end_with(&call, coll_scan(call.comm, &reduction)) : call_end(&call);
}

API int MPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Exscan", comm);
    struct coll_reduction reduction = check_reduction(&call, operand(sendbuf, recvbuf, true), count, datatype, op);

    if (call.code == MPI_SUCCESS && call.comm->rank > 0) {
        check_result(&call, &reduction, sendbuf, recvbuf, count);
    }
    return call.code == MPI_SUCCESS ? call_end_with(&call, coll_exscan(call.comm, &reduction)) : call_end(&call);
}

API int MPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int *recvcounts, MPI_Datatype datatype, MPI_Op op,
                           MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Reduce_scatter", comm);
    struct coll_reduction reduction = check_reduction(&call, operand(sendbuf, recvbuf, true), 0, datatype, op);

    check_counts(&call, recvcounts, &reduction.count);
    call_buffer(&call, reduction.in, reduction.count, reduction.type, ADDRESS_READ);
    if (call.code == MPI_SUCCESS) {
        check_result(&call, &reduction, sendbuf, recvbuf, recvcounts[call.comm->rank]);
    }
    return call.code == MPI_SUCCESS ? call_end_with(&call, coll_reduce_scatter(call.comm, &reduction, recvcounts))
                                    : call_end(&call);
}

API int MPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                 MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Reduce_scatter_block", comm);
    int size = call.code == MPI_SUCCESS ? call.comm->local->count : 0;
    int *counts = calloc((size_t)size + 1, sizeof(*counts));
    int code;

    if (!counts) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
        return call_end(&call);
    }
    for (int rank = 0; rank < size; rank++) {
        counts[rank] = recvcount;
    }
    code =
        call.code == MPI_SUCCESS ? MPI_Reduce_scatter(sendbuf, recvbuf, counts, datatype, op, comm) : call_end(&call);
    free(counts);
    return code;
}

API int MPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op)
{
    struct mpi_call call = call_without("MPI_Reduce_local");
    struct coll_data in = check_data(&call, inbuf, count, datatype, ADDRESS_READ);
    struct mpi_op *operation = call_op(&call, op, in.type);

    call_buffer(&call, inoutbuf, count, in.type, ADDRESS_WRITE);
    if (call.code == MPI_SUCCESS) {
        op_apply(operation, in.type, count, in.buffer, inoutbuf);
    }
    return call_end(&call);
}
