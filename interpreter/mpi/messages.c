/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Point-to-point messages: the sends in their four modes and three forms, receives, probes. Sections 3.2, 3.4, 3.6, 3.7
 * (starting), 3.8, 3.9 and 3.10 of the MPI-1.1 standard.
 */
#include <string.h>

#include "verbs.h"

/* struct message is what one send or receive is told. */
struct message {
    void *buf;
    int count, peer, tag;
    MPI_Datatype type;
    MPI_Comm comm;
};

/* read_message reads a message; `peer` is the pair dest or source. False when something is wrong. */
static bool read_message(struct call *call, const char *peer, struct message *message)
{
    message->buf = call_buffer(call, "buf");
    message->count = call_number(call, "count");
    message->type = call_type(call, "datatype");
    message->peer = call_number(call, peer);
    message->tag = call_number(call, "tag");
    message->comm = call_comm(call, "comm");
    return !call_failed(call);
}

/* read_request does so for the forms that give a request. */
static bool read_request(struct call *call, const char *peer, struct message *message, MPI_Request *request)
{
    memset(request, 0, sizeof *request);
    call_new(call, "request");
    return read_message(call, peer, message);
}

/* finish_request tells how a form that gives a request went. */
static void finish_request(struct call *call, int code, const MPI_Request *request)
{
    if (result_code(call, code))
        result_object(call, "request", KIND_REQUEST, request);
}

static void run_send(struct call *call)
{
    struct message m;

    if (read_message(call, "dest", &m))
        result_code(call, CALLED(call, MPI_Send(m.buf, m.count, m.type, m.peer, m.tag, m.comm)));
}

static void run_bsend(struct call *call)
{
    struct message m;

    if (read_message(call, "dest", &m))
        result_code(call, CALLED(call, MPI_Bsend(m.buf, m.count, m.type, m.peer, m.tag, m.comm)));
}

static void run_ssend(struct call *call)
{
    struct message m;

    if (read_message(call, "dest", &m))
        result_code(call, CALLED(call, MPI_Ssend(m.buf, m.count, m.type, m.peer, m.tag, m.comm)));
}

static void run_rsend(struct call *call)
{
    struct message m;

    if (read_message(call, "dest", &m))
        result_code(call, CALLED(call, MPI_Rsend(m.buf, m.count, m.type, m.peer, m.tag, m.comm)));
}

static void run_isend(struct call *call)
{
    struct message m;
    MPI_Request r;

    if (read_request(call, "dest", &m, &r))
        finish_request(call, CALLED(call, MPI_Isend(m.buf, m.count, m.type, m.peer, m.tag, m.comm, &r)), &r);
}

static void run_ibsend(struct call *call)
{
    struct message m;
    MPI_Request r;

    if (read_request(call, "dest", &m, &r))
        finish_request(call, CALLED(call, MPI_Ibsend(m.buf, m.count, m.type, m.peer, m.tag, m.comm, &r)), &r);
}

static void run_issend(struct call *call)
{
    struct message m;
    MPI_Request r;

    if (read_request(call, "dest", &m, &r))
        finish_request(call, CALLED(call, MPI_Issend(m.buf, m.count, m.type, m.peer, m.tag, m.comm, &r)), &r);
}

static void run_irsend(struct call *call)
{
    struct message m;
    MPI_Request r;

    if (read_request(call, "dest", &m, &r))
        finish_request(call, CALLED(call, MPI_Irsend(m.buf, m.count, m.type, m.peer, m.tag, m.comm, &r)), &r);
}

static void run_send_init(struct call *call)
{
    struct message m;
    MPI_Request r;

    if (read_request(call, "dest", &m, &r))
        finish_request(call, CALLED(call, MPI_Send_init(m.buf, m.count, m.type, m.peer, m.tag, m.comm, &r)), &r);
}

static void run_bsend_init(struct call *call)
{
    struct message m;
    MPI_Request r;

    if (read_request(call, "dest", &m, &r))
        finish_request(call, CALLED(call, MPI_Bsend_init(m.buf, m.count, m.type, m.peer, m.tag, m.comm, &r)), &r);
}

static void run_ssend_init(struct call *call)
{
    struct message m;
    MPI_Request r;

    if (read_request(call, "dest", &m, &r))
        finish_request(call, CALLED(call, MPI_Ssend_init(m.buf, m.count, m.type, m.peer, m.tag, m.comm, &r)), &r);
}

static void run_rsend_init(struct call *call)
{
    struct message m;
    MPI_Request r;

    if (read_request(call, "dest", &m, &r))
        finish_request(call, CALLED(call, MPI_Rsend_init(m.buf, m.count, m.type, m.peer, m.tag, m.comm, &r)), &r);
}

static void run_irecv(struct call *call)
{
    struct message m;
    MPI_Request r;

    if (read_request(call, "source", &m, &r))
        finish_request(call, CALLED(call, MPI_Irecv(m.buf, m.count, m.type, m.peer, m.tag, m.comm, &r)), &r);
}

static void run_recv_init(struct call *call)
{
    struct message m;
    MPI_Request r;

    if (read_request(call, "source", &m, &r))
        finish_request(call, CALLED(call, MPI_Recv_init(m.buf, m.count, m.type, m.peer, m.tag, m.comm, &r)), &r);
}

static void run_recv(struct call *call)
{
    struct message m;
    MPI_Status status;

    call_unwritten(&status, sizeof status);
    call_new_status(call);
    if (read_message(call, "source", &m) &&
        result_code(call, CALLED(call, MPI_Recv(m.buf, m.count, m.type, m.peer, m.tag, m.comm, &status))))
        result_status(call, &status);
}

const struct verb mpi_messages[] = {
    {"MPI_Send", "buf count datatype dest tag comm", run_send, false},
    {"MPI_Bsend", "buf count datatype dest tag comm", run_bsend, false},
    {"MPI_Ssend", "buf count datatype dest tag comm", run_ssend, false},
    {"MPI_Rsend", "buf count datatype dest tag comm", run_rsend, false},
    {"MPI_Recv", "buf count datatype source tag comm [status]", run_recv, false},
    {"MPI_Isend", "buf count datatype dest tag comm request", run_isend, false},
    {"MPI_Ibsend", "buf count datatype dest tag comm request", run_ibsend, false},
    {"MPI_Issend", "buf count datatype dest tag comm request", run_issend, false},
    {"MPI_Irsend", "buf count datatype dest tag comm request", run_irsend, false},
    {"MPI_Send_init", "buf count datatype dest tag comm request", run_send_init, false},
    {"MPI_Bsend_init", "buf count datatype dest tag comm request", run_bsend_init, false},
    {"MPI_Ssend_init", "buf count datatype dest tag comm request", run_ssend_init, false},
    {"MPI_Rsend_init", "buf count datatype dest tag comm request", run_rsend_init, false},
    {"MPI_Irecv", "buf count datatype source tag comm request", run_irecv, false},
    {"MPI_Recv_init", "buf count datatype source tag comm request", run_recv_init, false},
    {NULL, NULL, NULL, false},
};
