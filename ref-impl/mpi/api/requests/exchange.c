/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending and receiving at once, only begun: MPI_Isendrecv, MPI_Isendrecv_replace. Chapter 3.10 of MPI-4.
 *
 * They are two messages with a request for both. A fiber waits for them, and then completes that request as the receive
 * would be.
 */
#include <stdint.h>
#include <stdlib.h>

#include "ref-impl/mpi/api/message.h"
#include "ref-impl/mpi/messages/p2p_request.h"

/* The arguments of a call, checked. */
struct exchange {
    struct p2p_message out, in;
};

/* Both messages on their way. */
struct under_way {
    struct request *out, *in;
    struct request *both;
    void *copy; /* of what is sent, or NULL */
};

/* Has a copy of the buffer sent, while the buffer is received into; the copy is the caller's. Where nothing is sent,
 * nobody has said that there is anything in the buffer. False: memory is used up. */
static bool send_copy(struct exchange *exchange, void **copy)
{
    struct p2p_message *out = &exchange->out;
    ptrdiff_t from = 0, to = 0;

    *copy = NULL;
    if (out->peer == MPI_PROC_NULL) {
        return true;
    }
    if (!type_range(out->type, (size_t)out->count, &from, &to) ||
        !(*copy = malloc(to > from ? (size_t)(to - from) : 1))) {
        return false;
    }
    out->buffer = (void *)((uintptr_t)*copy - (uintptr_t)from);
    type_copy(out->type, (size_t)out->count, exchange->in.buffer, out->buffer);
    return true;
}

/* A fiber: waits for both. Begins, gives way and ends with the lock held. */
static void finish_both(void *argument)
{
    struct under_way *way = argument;
    struct request_outcome outcome;
    int sent, received;

    engine_unlock();
    sent = p2p_wait(way->out, NULL);
    (void)p2p_await(&way->in, 1, true, true);
    outcome = way->in->outcome;
    received = p2p_wait(way->in, NULL);
    engine_lock();
    way->both->outcome = outcome;
    way->both->outcome.error = received != MPI_SUCCESS ? received : sent;
    request_finish(way->both);
    free(way->copy);
    free(way);
}

/* Takes away what could not all be begun. Nobody has heard of a message that was not. */
static int give_up(struct under_way *way, int code)
{
    if (way->both) {
        request_free(way->both);
    }
    free(way->copy);
    free(way);
    return code;
}

static int begin_both(struct exchange *exchange, struct under_way *way, struct request **request)
{
    bool begun;
    int code;

    way->both = request_new(REQUEST_OPERATION, P2P_STANDARD, &exchange->in);
    if (!way->both) {
        return give_up(way, MPI_ERR_OTHER);
    }
    code = p2p_start_receive(&exchange->in, &way->in);
    if (code != MPI_SUCCESS) {
        return give_up(way, code);
    }
    code = p2p_start_send(&exchange->out, P2P_STANDARD, &way->out);
    if (code != MPI_SUCCESS) {
        p2p_cancel(way->in);
        (void)p2p_wait(way->in, NULL);
        return give_up(way, code);
    }
    way->both->phase = REQUEST_ACTIVE;
    way->both->started = true;
    *request = way->both;
    engine_lock();
    begun = fiber_begin(finish_both, way);
    engine_unlock();
    if (!begun) { /* the messages are on their way all the same: they are waited for here */
        engine_lock();
        finish_both(way);
        engine_unlock();
    }
    return MPI_SUCCESS;
}

static int exchange_later(struct mpi_call *call, struct exchange *exchange, bool replace)
{
    struct under_way *way = call->code == MPI_SUCCESS ? calloc(1, sizeof(*way)) : NULL;
    struct request *request = NULL;
    int code = MPI_ERR_OTHER;

    if (call->code != MPI_SUCCESS) {
        return call_end(call);
    }
    if (way && replace && !send_copy(exchange, &way->copy)) {
        free(way);
        way = NULL;
    }
    if (way) {
        code = begin_both(exchange, way, &request);
    }
    if (code == MPI_SUCCESS && request) {
        api_request_name(call, request, call->request);
        if (call->code != MPI_SUCCESS) {
            p2p_abandon(request);
        }
    }
    return api_message_end(call, code);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                      int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                      MPI_Request *request)
{
    struct api_message sent = {sendbuf, sendcount, sendtype, dest, sendtag};
    struct api_message received = {recvbuf, recvcount, recvtype, source, recvtag};
    struct mpi_call call = call_later("MPI_Isendrecv", comm, request);
    struct exchange exchange = {api_message_send(&call, &sent), api_message_receive(&call, &received)};

    return exchange_later(&call, &exchange, false);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
                              int recvtag, MPI_Comm comm, MPI_Request *request)
{
    struct api_message sent = {buf, count, datatype, dest, sendtag};
    struct api_message received = {buf, count, datatype, source, recvtag};
    struct mpi_call call = call_later("MPI_Isendrecv_replace", comm, request);
    struct exchange exchange = {api_message_send(&call, &sent), api_message_receive(&call, &received)};

    return exchange_later(&call, &exchange, true);
}
