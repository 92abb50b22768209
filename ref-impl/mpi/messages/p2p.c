/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages from process to process: see p2p.h. Between the MPI functions and collective operations above, and the
 * engine with its devices below.
 */
#include "ref-impl/mpi/messages/p2p.h"

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/communicators/comm.h"
#include "ref-impl/mpi/messages/engine.h"
#include "ref-impl/mpi/messages/p2p_own.h"
#include "ref-impl/mpi/messages/request.h"

/* A buffered message goes its own way: the request that the program has is done at once. */
static int begin_buffered(struct request *request)
{
    struct request *carrier = request_new(REQUEST_SEND, P2P_BUFFERED, &request->message);
    int code;

    if (!carrier) {
        return MPI_ERR_OTHER;
    }
    code = request_begin(carrier);
    if (code != MPI_SUCCESS) {
        request_free(carrier);
        return code;
    }
    engine_abandon(carrier);
    request->outcome = (struct request_outcome){.source = MPI_PROC_NULL, .lsrank = -1, .tag = MPI_ANY_TAG};
    request->phase = REQUEST_DONE;
    return MPI_SUCCESS;
}

int p2p_begin(struct request *request)
{
    int code;

    engine_lock();
    engine_advance();
    if (request->kind == REQUEST_SEND && request->mode == P2P_BUFFERED) {
        code = begin_buffered(request);
    } else {
        code = request_begin(request);
    }
    request->started = code == MPI_SUCCESS;
    engine_unlock();
    return code;
}

static int start(enum request_kind kind, enum p2p_mode mode, const struct p2p_message *message,
                 struct request **request)
{
    struct request *started = request_new(kind, mode, message);
    int code = started ? p2p_begin(started) : MPI_ERR_OTHER;

    if (code == MPI_SUCCESS) {
        *request = started;
    } else if (started) {
        request_free(started);
    }
    return code;
}

int p2p_start_send(const struct p2p_message *message, enum p2p_mode mode, struct request **request)
{
    return start(REQUEST_SEND, mode, message, request);
}

int p2p_start_receive(const struct p2p_message *message, struct request **request)
{
    return start(REQUEST_RECEIVE, P2P_STANDARD, message, request);
}

int p2p_finish(struct request *request, MPI_Status *status)
{
    int code;

    engine_lock();
    engine_advance();
    while (request->phase != REQUEST_DONE) {
        engine_wait(ENGINE_COMPLETION);
    }
    code = request_retire(request, status);
    engine_unlock();
    return code;
}

/* Whether a request is still to be waited for. Lock held. */
static bool is_open(const struct request *request)
{
    return request && request->phase == REQUEST_ACTIVE;
}

static bool are_all_done(struct request *const *requests, int count, int *from)
{
    while (*from < count && !is_open(requests[*from])) {
        (*from)++; /* what is done stays done, and need not be looked at again */
    }
    return *from == count;
}

bool p2p_is_done(const struct request *request)
{
    bool done;

    engine_lock();
    done = request->phase == REQUEST_DONE;
    engine_unlock();
    return done;
}

static bool is_any_done(struct request *const *requests, int count)
{
    for (int i = 0; i < count; i++) {
        if (requests[i] && requests[i]->phase == REQUEST_DONE) {
            return true;
        }
    }
    return false;
}

bool p2p_await(struct request *const *requests, int count, bool all, bool wait)
{
    int from = 0;
    bool done;

    engine_lock();
    engine_advance();
    while (!(done = all ? are_all_done(requests, count, &from) : is_any_done(requests, count)) && wait) {
        engine_wait(ENGINE_COMPLETION);
    }
    engine_unlock();
    return done;
}

int p2p_wait(struct request *request, MPI_Status *status)
{
    int code = p2p_finish(request, status);

    request_free(request);
    return code;
}

int p2p_send(const struct p2p_message *message, enum p2p_mode mode)
{
    struct request *request;
    int code = p2p_start_send(message, mode, &request);

    return code == MPI_SUCCESS ? p2p_wait(request, NULL) : code;
}

int p2p_receive(const struct p2p_message *message, MPI_Status *status)
{
    struct request *request;
    int code = p2p_start_receive(message, &request);

    return code == MPI_SUCCESS ? p2p_wait(request, status) : code;
}

/* Gives up a receive whose partner could not be begun. */
static void give_up(struct request *request)
{
    p2p_cancel(request);
    p2p_wait(request, NULL);
}

int p2p_exchange(const struct p2p_message *out, const struct p2p_message *in, MPI_Status *status)
{
    struct request *receive, *send;
    int received, sent;
    int code = p2p_start_receive(in, &receive);

    if (code != MPI_SUCCESS) {
        return code;
    }
    code = p2p_start_send(out, P2P_STANDARD, &send);
    if (code != MPI_SUCCESS) {
        give_up(receive);
        return code;
    }
    sent = p2p_wait(send, NULL);
    received = p2p_wait(receive, status);
    return sent != MPI_SUCCESS ? sent : received;
}

void p2p_cancel(struct request *request)
{
    engine_lock();
    engine_advance();
    if (request->kind == REQUEST_SEND) {
        local_cancel_send(request);
        wide_cancel_send(request);
    } else if (request->phase == REQUEST_ACTIVE && request->wide.place != WIDE_FILLING && local_withdraw(request)) {
        wide_withdraw(request);
        request->outcome.cancelled = true;
        request_finish(request);
    }
    engine_unlock();
}

void p2p_abandon(struct request *request)
{
    engine_lock();
    engine_abandon(request);
    engine_advance();
    engine_unlock();
}

/* Looks once. Lock held. */
static bool look(const struct p2p_message *message, struct request_outcome *outcome)
{
    struct request_match match = request_describe(message);
    bool any = match.peer == REQUEST_ANY;
    bool local = any || world_is_native(match.peer);
    bool wide = any ? !message->comm->native : !local;

    return (local && local_probe(&match, outcome)) || (wide && wide_probe(&match, outcome));
}

bool p2p_probe(const struct p2p_message *message, bool wait, MPI_Status *status)
{
    struct request_outcome outcome;
    bool found;

    if (message->peer == MPI_PROC_NULL) {
        request_status_empty(status, MPI_PROC_NULL);
        return true;
    }
    engine_lock();
    engine_advance();
    while (!(found = look(message, &outcome)) && wait) {
        engine_wait(ENGINE_ARRIVAL);
    }
    engine_unlock();
    if (found) {
        request_status(&outcome, message, status);
    }
    return found;
}

bool p2p_open(void)
{
    return engine_open();
}

void p2p_close(void)
{
    engine_close();
}
