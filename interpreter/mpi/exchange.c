/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What stands beside sends and receives: both at once, looking before receiving, statuses, and the buffer of buffered
 * sends. Sections 3.2.5, 3.6.1, 3.8, 3.10 and 3.12.5 of the MPI-1.1 standard.
 */
#include <stdint.h>
#include <string.h>

#include "verbs.h"

/* struct end is one half of an exchange. */
struct end {
    void *buf;
    int count, peer, tag;
    MPI_Datatype type;
};

static void run_sendrecv(struct call *call)
{
    struct end s = {call_buffer(call, "sendbuf"), call_number(call, "sendcount"), call_number(call, "dest"),
                    call_number(call, "sendtag"), call_type(call, "sendtype")};
    struct end r = {call_buffer(call, "recvbuf"), call_number(call, "recvcount"), call_number(call, "source"),
                    call_number(call, "recvtag"), call_type(call, "recvtype")};
    MPI_Comm comm = call_comm(call, "comm");
    MPI_Status status;

    call_unwritten(&status, sizeof status);
    call_new_status(call);
    if (!call_failed(call) &&
        result_code(call, CALLED(call, MPI_Sendrecv(s.buf, s.count, s.type, s.peer, s.tag, r.buf, r.count, r.type,
                                                    r.peer, r.tag, comm, &status))))
        result_status(call, &status);
}

static void run_sendrecv_replace(struct call *call)
{
    struct end s = {call_buffer(call, "buf"), call_number(call, "count"), call_number(call, "dest"),
                    call_number(call, "sendtag"), call_type(call, "datatype")};
    int source = call_number(call, "source"), tag = call_number(call, "recvtag");
    MPI_Comm comm = call_comm(call, "comm");
    MPI_Status status;

    call_unwritten(&status, sizeof status);
    call_new_status(call);
    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Sendrecv_replace(s.buf, s.count, s.type, s.peer, s.tag,
                                                                                  source, tag, comm, &status))))
        result_status(call, &status);
}

static void run_probe(struct call *call)
{
    int source = call_number(call, "source"), tag = call_number(call, "tag");
    MPI_Comm comm = call_comm(call, "comm");
    MPI_Status status;

    call_unwritten(&status, sizeof status);
    call_new_status(call);
    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Probe(source, tag, comm, &status))))
        result_status(call, &status);
}

static void run_iprobe(struct call *call)
{
    int source = call_number(call, "source"), tag = call_number(call, "tag"), flag = 0;
    MPI_Comm comm = call_comm(call, "comm");
    MPI_Status status;

    call_unwritten(&status, sizeof status);
    call_new_status(call);
    if (call_failed(call) || !result_code(call, CALLED(call, MPI_Iprobe(source, tag, comm, &flag, &status))))
        return;
    result_bool(call, "flag", flag != 0);
    if (flag)
        result_status(call, &status);
}

static void run_test_cancelled(struct call *call)
{
    MPI_Status status;
    int flag = 0;

    call_object(call, "status", KIND_STATUS, &status);
    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Test_cancelled(&status, &flag))))
        result_bool(call, "flag", flag != 0);
}

static void run_get_count(struct call *call)
{
    MPI_Datatype type = call_type(call, "datatype");
    MPI_Status status;
    int count = 0;

    call_object(call, "status", KIND_STATUS, &status);
    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Get_count(&status, type, &count))))
        result_number(call, "count", NUMBER_UNDEFINED, count);
}

static void run_get_elements(struct call *call)
{
    MPI_Datatype type = call_type(call, "datatype");
    MPI_Status status;
    int count = 0;

    call_object(call, "status", KIND_STATUS, &status);
    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Get_elements(&status, type, &count))))
        result_number(call, "count", NUMBER_UNDEFINED, count);
}

static void run_buffer_attach(struct call *call)
{
    void *buffer = call_buffer(call, "buffer");
    int size = call_number(call, "size");

    if (!call_failed(call))
        result_code(call, CALLED(call, MPI_Buffer_attach(buffer, size)));
}

static void run_buffer_detach(struct call *call)
{
    void *buffer = NULL;
    int size = 0;

    if (!result_code(call, CALLED(call, MPI_Buffer_detach(&buffer, &size))))
        return;
    line_add(&call->result, " buffer_addr=");
    if (!buffer)
        line_add(&call->result, "null");
    else if (!names_add_address(&call->result, buffer))
        line_add(&call->result, "0x%llx", (unsigned long long)(uintptr_t)buffer);
    line_add(&call->result, " size=%d", size);
}

#define BOTH "sendbuf sendcount sendtype dest sendtag recvbuf recvcount recvtype source recvtag comm [status]"

const struct verb mpi_exchange[] = {
    {"MPI_Sendrecv", BOTH, run_sendrecv, false},
    {"MPI_Sendrecv_replace", "buf count datatype dest sendtag source recvtag comm [status]", run_sendrecv_replace,
     false},
    {"MPI_Probe", "source tag comm [status]", run_probe, false},
    {"MPI_Iprobe", "source tag comm [status]", run_iprobe, false},
    {"MPI_Test_cancelled", "status", run_test_cancelled, false},
    {"MPI_Get_count", "status datatype", run_get_count, false},
    {"MPI_Get_elements", "status datatype", run_get_elements, false},
    {"MPI_Buffer_attach", "buffer size", run_buffer_attach, false},
    {"MPI_Buffer_detach", "", run_buffer_detach, false},
    {NULL, NULL, NULL, false},
};
