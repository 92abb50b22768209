/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Beginning, waiting for, cancelling and giving up requests: see p2p_request.h. Chapters 3.6 to 3.8 of MPI.
 */
#include "ref-impl/mpi/messages/p2p_request.h"

#include "ref-impl/mpi/messages/device.h"
#include "ref-impl/mpi/messages/engine.h"
#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/mpi/messages/request_transfer.h"

/* A buffered message goes its own way: the request that the program has is done at once, and cancels by its carrier. */
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
    carrier->carried = request;
    request->carrier = carrier;
    request->outcome = (struct request_outcome){.source = MPI_PROC_NULL, .lsrank = -1, .tag = MPI_ANY_TAG};
    request->phase = REQUEST_DONE;
    return MPI_SUCCESS;
}

int p2p_begin(struct request *request)
{
    int code;

    engine_lock();
    if (request->kind == REQUEST_SEND && request->mode == P2P_BUFFERED) {
        engine_advance(); /* there may be room in the attached buffer again */
        code = begin_buffered(request);
    } else {
        code = request_begin(request);
    }
    request->started = code == MPI_SUCCESS;
    engine_unlock();
    return code;
}

int p2p_finish(struct request *request, MPI_Status *status)
{
    int code;

    engine_lock();
    while (request->phase != REQUEST_DONE) {
        engine_wait(request_awaits(request));
    }
    code = request_retire(request, status);
    engine_unlock();
    return code;
}

int p2p_complete(struct request *request, MPI_Status *status)
{
    int code;

    engine_lock();
    code = request_begin(request);
    if (code == MPI_SUCCESS) {
        while (request->phase != REQUEST_DONE) {
            engine_wait(request_awaits(request));
        }
        code = request_retire(request, status);
    }
    engine_unlock();
    return code;
}

/* Whether a request is still to be waited for. Lock held. */
static bool is_open(const struct request *request)
{
    return request && request->phase == REQUEST_ACTIVE;
}

static bool are_all_done(struct request *const *requests, int count)
{
    int done = 0;

    while (done < count && !is_open(requests[done])) {
        done++;
    }
    return done == count;
}

/* Waits for each of those requests for which one waits like this. Lock held. */
static void await_each(struct request *const *requests, int count, enum engine_wait what)
{
    for (int i = 0; i < count; i++) {
        while (is_open(requests[i]) && request_awaits(requests[i]) == what) {
            engine_wait(what);
        }
    }
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

/* What to wait for until any is done. Lock held. */
static enum engine_wait any_awaits(struct request *const *requests, int count)
{
    enum engine_wait what = ENGINE_ARRIVAL;

    for (int i = 0; i < count && what == ENGINE_ARRIVAL; i++) {
        what = is_open(requests[i]) ? request_awaits(requests[i]) : what;
    }
    return what;
}

bool p2p_await(struct request *const *requests, int count, bool all, bool wait)
{
    bool done;

    engine_lock();
    engine_advance();
    if (all && wait) {
        /* In this order: while it waits for arrivals, nothing is posted for those that are listed. */
        await_each(requests, count, ENGINE_ARRIVAL);
        await_each(requests, count, ENGINE_COMPLETION);
    }
    while (!(done = all ? are_all_done(requests, count) : is_any_done(requests, count)) && wait) {
        engine_wait(any_awaits(requests, count));
    }
    engine_unlock();
    return done;
}

static void cancel_send(struct request *request)
{
    device_at(DEVICE_LOCAL)->cancel(request);
    device_at(DEVICE_WIDE)->cancel(request);
}

/* A buffered send is done before its message has left: it is active again while it is being asked whether that can be
 * taken back. */
static void cancel_carrier(struct request *request)
{
    struct request *carrier = request->carrier;

    request->phase = REQUEST_ACTIVE;
    cancel_send(carrier);
    if (carrier->phase == REQUEST_DONE || !(carrier->local.cancelling || carrier->wide.cancelling)) {
        request->outcome.cancelled = carrier->outcome.cancelled;
        request->phase = REQUEST_DONE;
    }
}

void p2p_cancel(struct request *request)
{
    engine_lock();
    engine_advance();
    if (request->carrier) {
        cancel_carrier(request);
    } else if (request->kind == REQUEST_SEND) {
        cancel_send(request);
    } else if (request->phase == REQUEST_ACTIVE && request->wide.place != WIDE_FILLING &&
               device_at(DEVICE_LOCAL)->withdraw(request)) {
        device_at(DEVICE_WIDE)->withdraw(request);
        request->outcome.cancelled = true;
        request_finish(request);
    }
    engine_unlock();
}

void p2p_abandon(struct request *request)
{
    engine_lock();
    request_abandon(request);
    engine_advance();
    engine_unlock();
}
