/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The arguments of chapter 3 of MPI, and its requests, checked: see api/message.h.
 */
#include "ref-impl/mpi/api/message.h"

#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/common/world.h"

static void check_tag(struct mpi_call *call, int tag, bool any)
{
    if (call->code != MPI_SUCCESS || (any && tag == MPI_ANY_TAG)) {
        return;
    }
    if (tag < 0 || tag > world_now()->tag_ub) { //= IMPI-107
        call_fail(call, MPI_ERR_TAG, "tag %d is not in 0 .. %d", tag, world_now()->tag_ub);
    }
}

static void check_peer(struct mpi_call *call, int peer, bool any)
{
    if (call->code != MPI_SUCCESS || peer == MPI_PROC_NULL || (any && peer == MPI_ANY_SOURCE)) {
        return;
    }
    if (peer < 0 || peer >= comm_peers(call->comm)->count) {
        call_fail(call, MPI_ERR_RANK, "rank %d is not in 0 .. %d", peer, comm_peers(call->comm)->count - 1);
    }
}

static struct p2p_message check(struct mpi_call *call, const struct api_message *message, bool receive)
{
    struct mpi_type *type = call_type(call, message->datatype);

    call_count(call, message->count, "count");
    check_tag(call, message->tag, receive);
    check_peer(call, message->peer, receive);
    if (message->peer != MPI_PROC_NULL) {
        call_buffer(call, message->buffer, message->count, type, receive ? ADDRESS_WRITE : ADDRESS_READ);
    }
    return (struct p2p_message){
        .comm = call->comm,
        .peer = message->peer,
        .tag = message->tag,
        .buffer = (void *)message->buffer, /* what is sent is only read */
        .count = message->count,
        .type = type,
    };
}

struct p2p_message api_message_send(struct mpi_call *call, const struct api_message *message)
{
    return check(call, message, false);
}

struct p2p_message api_message_receive(struct mpi_call *call, const struct api_message *message)
{
    return check(call, message, true);
}

struct p2p_message api_message_probe(struct mpi_call *call, int source, int tag)
{
    check_tag(call, tag, true);
    check_peer(call, source, true);
    return (struct p2p_message){.comm = call->comm, .peer = source, .tag = tag};
}

static const char *reason(int code)
{
    switch (code) {
    case MPI_ERR_TRUNCATE:
        return "the message is longer than the receive has room for";
    case MPI_ERR_BUFFER:
        return "the attached buffer has no room for the message";
    case MPI_ERR_ARG:
        return "a number does not fit its type in external32, or in memory";
    case MPI_ERR_OTHER:
        return "memory is used up";
    default:
        return "the message failed";
    }
}

int api_message_end(struct mpi_call *call, int code)
{
    if (code != MPI_SUCCESS) {
        call_fail(call, code, "%s", reason(code));
    }
    return call_end(call);
}

void api_request_name(struct mpi_call *call, struct request *request, MPI_Request *handle)
{
    request->handle = handle_new(HANDLE_REQUEST, request);
    if (!request->handle) {
        request->handle = MPI_REQUEST_NULL;
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
        return;
    }
    *handle = request->handle;
}

struct request *api_request_find(struct mpi_call *call, const MPI_Request *handle)
{
    struct request *request = NULL;

    call_output(call, handle, "request");
    if (call->code != MPI_SUCCESS || *handle == MPI_REQUEST_NULL) {
        return NULL;
    }
    request = handle_find(HANDLE_REQUEST, *handle);
    if (!request) {
        call_fail(call, MPI_ERR_REQUEST, "the request is none, or has been freed");
    } else {
        call->comm = request->message.comm;
    }
    return request;
}
