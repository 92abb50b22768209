/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reductions: sections 4.9 to 4.11 of the MPI-1.1 standard.
 */
#include "verbs.h"

/* struct reduction is what all of them have. */
struct reduction {
    void *send, *receive;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Comm comm;
};

static struct reduction read_reduction(struct call *call)
{
    struct reduction reduction = {call_buffer(call, "sendbuf"), call_buffer(call, "recvbuf"),
                                  call_type(call, "datatype"), call_op(call, "op"), call_comm(call, "comm")};

    return reduction;
}

static void run_reduce(struct call *call)
{
    struct reduction r = read_reduction(call);
    int count = call_number(call, "count"), root = call_number(call, "root");

    if (!call_failed(call))
        result_code(call, CALLED(call, MPI_Reduce(r.send, r.receive, count, r.type, r.op, root, r.comm)));
}

static void run_allreduce(struct call *call)
{
    struct reduction r = read_reduction(call);
    int count = call_number(call, "count");

    if (!call_failed(call))
        result_code(call, CALLED(call, MPI_Allreduce(r.send, r.receive, count, r.type, r.op, r.comm)));
}

static void run_scan(struct call *call)
{
    struct reduction r = read_reduction(call);
    int count = call_number(call, "count");

    if (!call_failed(call))
        result_code(call, CALLED(call, MPI_Scan(r.send, r.receive, count, r.type, r.op, r.comm)));
}

static void run_reduce_scatter(struct call *call)
{
    struct reduction r = read_reduction(call);
    size_t len;
    int *counts = call_numbers(call, "recvcounts", &len);

    if (!call_failed(call))
        result_code(call, CALLED(call, MPI_Reduce_scatter(r.send, r.receive, counts, r.type, r.op, r.comm)));
}

const struct verb mpi_reductions[] = {
    {"MPI_Reduce", "sendbuf recvbuf count datatype op root comm", run_reduce, false},
    {"MPI_Allreduce", "sendbuf recvbuf count datatype op comm", run_allreduce, false},
    {"MPI_Scan", "sendbuf recvbuf count datatype op comm", run_scan, false},
    {"MPI_Reduce_scatter", "sendbuf recvbuf recvcounts datatype op comm", run_reduce_scatter, false},
    {NULL, NULL, NULL, false},
};
