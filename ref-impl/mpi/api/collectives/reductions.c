/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The collective functions that combine data: chapter 4.9 of MPI, 5.12 of MPI-3. Each checks its arguments, those that
 * matter at this process.
 */
#include "ref-impl/mpi/api/collectives/collective.h"

/* Where the operand of a process is: with MPI_IN_PLACE where its result comes to, if it has one. The root of an
 * intercommunicator has none. */
static const void *operand(const struct mpi_call *call, const void *sendbuf, const void *recvbuf, bool has_result)
{
    if (call->code == MPI_SUCCESS && call->comm->remote) {
        return sendbuf;
    }
    return has_result && sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
}

/* What all reductions check; `out` only where there is a result. */
static struct coll_reduction check_reduction(struct mpi_call *call, const void *sendbuf, int count,
                                             MPI_Datatype datatype, MPI_Op op)
{
    struct coll_data in = api_collective_data(call, sendbuf, count, datatype, ADDRESS_READ);

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

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
static int reduce(struct mpi_call call, const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  int root)
{
    bool has_result = api_collective_is_root(&call, root), alone = has_result && call.comm->remote;
    struct coll_reduction reduction = {.in = NULL};

    call_root(&call, root);
    if (has_result || api_collective_is_leaf(&call, root)) {
        const void *in = alone ? recvbuf : operand(&call, sendbuf, recvbuf, has_result);

        reduction = check_reduction(&call, in, count, datatype, op);
    }
    if (has_result) {
        check_result(&call, &reduction, alone ? NULL : sendbuf, recvbuf, count);
    }
    return api_collective_end(&call, &(struct coll_call){.run = coll_run_reduce, .reduction = reduction, .root = root});
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                   MPI_Comm comm)
{
    return reduce(call_on("MPI_Reduce", comm), sendbuf, recvbuf, count, datatype, op, root);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                    MPI_Comm comm, MPI_Request *request)
{
    return reduce(call_later("MPI_Ireduce", comm, request), sendbuf, recvbuf, count, datatype, op, root);
}

static int allreduce(struct mpi_call call, const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op)
{
    struct coll_reduction reduction =
        check_reduction(&call, operand(&call, sendbuf, recvbuf, true), count, datatype, op);

    check_result(&call, &reduction, sendbuf, recvbuf, count);
    return api_collective_end(&call, &(struct coll_call){.run = coll_run_allreduce, .reduction = reduction});
}

API int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return allreduce(call_on("MPI_Allreduce", comm), sendbuf, recvbuf, count, datatype, op);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                       MPI_Request *request)
{
    return allreduce(call_later("MPI_Iallreduce", comm, request), sendbuf, recvbuf, count, datatype, op);
}

static int scan(struct mpi_call call, const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op)
{
    call_intra(&call);
    struct coll_reduction reduction =
        check_reduction(&call, operand(&call, sendbuf, recvbuf, true), count, datatype, op);

    check_result(&call, &reduction, sendbuf, recvbuf, count);
    return api_collective_end(&call, &(struct coll_call){.run = coll_run_scan, .reduction = reduction});
}

API int MPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return scan(call_on("MPI_Scan", comm), sendbuf, recvbuf, count, datatype, op);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                  MPI_Request *request)
{
    return scan(call_later("MPI_Iscan", comm, request), sendbuf, recvbuf, count, datatype, op);
}

static int exscan(struct mpi_call call, const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op)
{
    call_intra(&call);
    struct coll_reduction reduction =
        check_reduction(&call, operand(&call, sendbuf, recvbuf, true), count, datatype, op);

    if (call.code == MPI_SUCCESS && call.comm->rank > 0) {
        check_result(&call, &reduction, sendbuf, recvbuf, count);
    }
    return api_collective_end(&call, &(struct coll_call){.run = coll_run_exscan, .reduction = reduction});
}

API int MPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return exscan(call_on("MPI_Exscan", comm), sendbuf, recvbuf, count, datatype, op);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    MPI_Request *request)
{
    return exscan(call_later("MPI_Iexscan", comm, request), sendbuf, recvbuf, count, datatype, op);
}

static int reduce_scatter(struct mpi_call call, const void *sendbuf, void *recvbuf, const int *recvcounts,
                          MPI_Datatype datatype, MPI_Op op)
{
    struct coll_reduction reduction = check_reduction(&call, operand(&call, sendbuf, recvbuf, true), 0, datatype, op);

    api_collective_counts(&call, call.comm ? call.comm->local : NULL, recvcounts, &reduction.count);
    call_buffer(&call, reduction.in, reduction.count, reduction.type, ADDRESS_READ);
    if (call.code == MPI_SUCCESS) {
        check_result(&call, &reduction, sendbuf, recvbuf, recvcounts[call.comm->rank]);
    }
    return api_collective_end(
        &call, &(struct coll_call){.run = coll_run_reduce_scatter, .reduction = reduction, .counts = recvcounts});
}

API int MPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int *recvcounts, MPI_Datatype datatype, MPI_Op op,
                           MPI_Comm comm)
{
    return reduce_scatter(call_on("MPI_Reduce_scatter", comm), sendbuf, recvbuf, recvcounts, datatype, op);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int *recvcounts, MPI_Datatype datatype, MPI_Op op,
                            MPI_Comm comm, MPI_Request *request)
{
    return reduce_scatter(call_later("MPI_Ireduce_scatter", comm, request), sendbuf, recvbuf, recvcounts, datatype, op);
}

static int reduce_scatter_block(struct mpi_call call, const void *sendbuf, void *recvbuf, int recvcount,
                                MPI_Datatype datatype, MPI_Op op)
{
    struct coll_reduction reduction = check_reduction(&call, operand(&call, sendbuf, recvbuf, true), 0, datatype, op);

    call_count(&call, recvcount, "recvcount");
    if (call.code == MPI_SUCCESS && __builtin_mul_overflow(recvcount, call.comm->local->count, &reduction.count)) {
        call_fail(&call, MPI_ERR_COUNT, "recvcount %d for each rank is more than an int can hold", recvcount);
    }
    call_buffer(&call, reduction.in, reduction.count, reduction.type, ADDRESS_READ);
    check_result(&call, &reduction, sendbuf, recvbuf, recvcount);
    return api_collective_end(&call, &(struct coll_call){.run = coll_run_reduce_scatter, .reduction = reduction});
}

API int MPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                 MPI_Comm comm)
{
    return reduce_scatter_block(call_on("MPI_Reduce_scatter_block", comm), sendbuf, recvbuf, recvcount, datatype, op);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                  MPI_Comm comm, MPI_Request *request)
{
    return reduce_scatter_block(call_later("MPI_Ireduce_scatter_block", comm, request), sendbuf, recvbuf, recvcount,
                                datatype, op);
}

API int MPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op)
{
    struct mpi_call call = call_without("MPI_Reduce_local");
    struct coll_data in = api_collective_data(&call, inbuf, count, datatype, ADDRESS_READ);
    struct mpi_op *operation = call_op(&call, op, in.type);

    call_buffer(&call, inoutbuf, count, in.type, ADDRESS_WRITE);
    if (call.code == MPI_SUCCESS) {
        op_apply(operation, in.type, count, in.buffer, inoutbuf);
    }
    return call_end(&call);
}
