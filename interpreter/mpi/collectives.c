/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective movement of data: sections 4.3 to 4.8 of the MPI-1.1 standard.
 */
#include "verbs.h"

/* struct half is what a process sends or receives in a collective function: so many for everybody, or a list of counts
 * and one of displacements. */
struct half {
    void *buf;
    int count;
    int *counts, *displs;
    MPI_Datatype type;
};

static struct half read_half(struct call *call, const char *buf, const char *count, const char *type)
{
    struct half half = {.buf = call_buffer(call, buf), .type = call_type(call, type)};

    half.count = call_number(call, count);
    return half;
}

static struct half read_lists(struct call *call, const char *const keys[4])
{
    struct half half = {.buf = call_buffer(call, keys[0]), .type = call_type(call, keys[3])};
    size_t counts, displs;

    half.counts = call_numbers(call, keys[1], &counts);
    half.displs = call_numbers(call, keys[2], &displs);
    if (counts != displs)
        failure_set(&call->failure, "bad-value", "%s has %u values, but %s has %u", keys[1], (unsigned)counts, keys[2],
                    (unsigned)displs);
    return half;
}

static struct half read_send(struct call *call)
{
    return read_half(call, "sendbuf", "sendcount", "sendtype");
}

static struct half read_receive(struct call *call)
{
    return read_half(call, "recvbuf", "recvcount", "recvtype");
}

static const char *const receive_lists[4] = {"recvbuf", "recvcounts", "displs", "recvtype"};

static void run_barrier(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call))
        result_code(call, CALLED(call, MPI_Barrier(comm)));
}

static void run_bcast(struct call *call)
{
    struct half b = read_half(call, "buffer", "count", "datatype");
    int root = call_number(call, "root");
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call))
        result_code(call, CALLED(call, MPI_Bcast(b.buf, b.count, b.type, root, comm)));
}

static void run_gather(struct call *call)
{
    struct half s = read_send(call), r = read_receive(call);
    int root = call_number(call, "root");
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call))
        result_code(call, CALLED(call, MPI_Gather(s.buf, s.count, s.type, r.buf, r.count, r.type, root, comm)));
}

static void run_gatherv(struct call *call)
{
    struct half s = read_send(call), r = read_lists(call, receive_lists);
    int root = call_number(call, "root");
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call))
        result_code(call,
                    CALLED(call, MPI_Gatherv(s.buf, s.count, s.type, r.buf, r.counts, r.displs, r.type, root, comm)));
}

static void run_scatter(struct call *call)
{
    struct half s = read_send(call), r = read_receive(call);
    int root = call_number(call, "root");
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call))
        result_code(call, CALLED(call, MPI_Scatter(s.buf, s.count, s.type, r.buf, r.count, r.type, root, comm)));
}

static void run_scatterv(struct call *call)
{
    static const char *const lists[4] = {"sendbuf", "sendcounts", "displs", "sendtype"};
    struct half s = read_lists(call, lists), r = read_receive(call);
    int root = call_number(call, "root");
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call))
        result_code(call,
                    CALLED(call, MPI_Scatterv(s.buf, s.counts, s.displs, s.type, r.buf, r.count, r.type, root, comm)));
}

static void run_allgather(struct call *call)
{
    struct half s = read_send(call), r = read_receive(call);
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call))
        result_code(call, CALLED(call, MPI_Allgather(s.buf, s.count, s.type, r.buf, r.count, r.type, comm)));
}

static void run_allgatherv(struct call *call)
{
    struct half s = read_send(call), r = read_lists(call, receive_lists);
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call))
        result_code(call,
                    CALLED(call, MPI_Allgatherv(s.buf, s.count, s.type, r.buf, r.counts, r.displs, r.type, comm)));
}

static void run_alltoall(struct call *call)
{
    struct half s = read_send(call), r = read_receive(call);
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call))
        result_code(call, CALLED(call, MPI_Alltoall(s.buf, s.count, s.type, r.buf, r.count, r.type, comm)));
}

static void run_alltoallv(struct call *call)
{
    static const char *const send[4] = {"sendbuf", "sendcounts", "sdispls", "sendtype"};
    static const char *const receive[4] = {"recvbuf", "recvcounts", "rdispls", "recvtype"};
    struct half s = read_lists(call, send), r = read_lists(call, receive);
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call))
        result_code(call, CALLED(call, MPI_Alltoallv(s.buf, s.counts, s.displs, s.type, r.buf, r.counts, r.displs,
                                                     r.type, comm)));
}

#define EQUAL "sendbuf sendcount sendtype recvbuf recvcount recvtype"
#define LISTS "sendbuf sendcount sendtype recvbuf recvcounts displs recvtype"

const struct verb mpi_collectives[] = {
    {"MPI_Barrier", "comm", run_barrier, false},
    {"MPI_Bcast", "buffer count datatype root comm", run_bcast, false},
    {"MPI_Gather", EQUAL " root comm", run_gather, false},
    {"MPI_Gatherv", LISTS " root comm", run_gatherv, false},
    {"MPI_Scatter", EQUAL " root comm", run_scatter, false},
    {"MPI_Scatterv", "sendbuf sendcounts displs sendtype recvbuf recvcount recvtype root comm", run_scatterv, false},
    {"MPI_Allgather", EQUAL " comm", run_allgather, false},
    {"MPI_Allgatherv", LISTS " comm", run_allgatherv, false},
    {"MPI_Alltoall", EQUAL " comm", run_alltoall, false},
    {"MPI_Alltoallv", "sendbuf sendcounts sdispls sendtype recvbuf recvcounts rdispls recvtype comm", run_alltoallv,
     false},
    {NULL, NULL, NULL, false},
};
