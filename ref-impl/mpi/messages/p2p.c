/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages from process to process: see p2p.h. Between the MPI functions and collective operations above, and the
 * engine with its devices below.
 */
#include "ref-impl/mpi/messages/p2p.h"

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/communicators/comm.h"
#include "ref-impl/mpi/messages/device.h"
#include "ref-impl/mpi/messages/engine.h"
#include "ref-impl/mpi/messages/fiber.h"
#include "ref-impl/mpi/messages/p2p_request.h"
#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/mpi/messages/request_transfer.h"

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

int p2p_wait(struct request *request, MPI_Status *status)
{
    int code = p2p_finish(request, status);

    request_free(request);
    return code;
}

int p2p_send(const struct p2p_message *message, enum p2p_mode mode)
{
    struct request *request;
    int code;

    if ((mode == P2P_STANDARD || mode == P2P_READY) && request_send_now(message)) {
        return MPI_SUCCESS;
    }
    code = p2p_start_send(message, mode, &request);
    return code == MPI_SUCCESS ? p2p_wait(request, NULL) : code;
}

int p2p_receive(const struct p2p_message *message, MPI_Status *status)
{
    struct request request;

    request_init(&request, REQUEST_RECEIVE, P2P_STANDARD, message);
    return p2p_complete(&request, status);
}

/* Gives up a receive whose partner could not be begun. */
static void give_up(struct request *request)
{
    p2p_cancel(request);
    p2p_wait(request, NULL);
}

/* Sends and receives at the same time. */
static int exchange(const struct p2p_message *out, const struct p2p_message *in, MPI_Status *status)
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
    received = p2p_wait(receive, status);
    sent = p2p_wait(send, NULL);
    return sent != MPI_SUCCESS ? sent : received;
}

/* A short message that can leave at once waits for nobody, so the receive may begin after it. */
int p2p_exchange(const struct p2p_message *out, const struct p2p_message *in, MPI_Status *status)
{
    return request_send_now(out) ? p2p_receive(in, status) : exchange(out, in, status);
}

/* Looks once. Lock held. */
static bool look(const struct p2p_message *message, struct request_outcome *outcome)
{
    struct request_match match = request_describe(message);
    bool any = match.peer == REQUEST_ANY;
    bool local = any || world_is_native(match.peer);
    bool wide = any ? !message->comm->native : !local;

    return (local && device_at(DEVICE_LOCAL)->probe(&match, outcome)) ||
           (wide && device_at(DEVICE_WIDE)->probe(&match, outcome));
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

void p2p_progress(void)
{
    engine_lock();
    engine_advance();
    engine_unlock();
}

void p2p_await_turn(const struct mpi_comm *comm)
{
    if (TAILQ_EMPTY(&comm->operations) || fiber_is_running()) {
        return;
    }
    engine_lock();
    while (!TAILQ_EMPTY(&comm->operations)) {
        engine_wait(ENGINE_COMPLETION);
    }
    engine_unlock();
}

bool p2p_open(void)
{
    return engine_open();
}

void p2p_close(void)
{
    engine_close();
}
