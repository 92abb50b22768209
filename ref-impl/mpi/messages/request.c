/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Requests: see request.h. request_transfer.c moves their octets. Chapters 3.2 to 3.8 of MPI.
 */
#include "ref-impl/mpi/messages/request.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/common/pool.h"
#include "ref-impl/mpi/communicators/comm.h"
#include "ref-impl/mpi/messages/bsend.h"
#include "ref-impl/mpi/messages/engine_lock.h"
#include "ref-impl/mpi/types/type.h"

static struct request_list orphans;   /* abandoned, and a device has them; guarded by the lock, like the next */
static struct request_list abandoned; /* ... which are done */

static unsigned long finishes; /* guarded by the lock too */

static struct pool requests = POOL_OF(sizeof(struct request)); /* of the program's thread */

void request_close(void)
{
    pool_close(&requests);
}

void request_init(struct request *request, enum request_kind kind, enum p2p_mode mode,
                  const struct p2p_message *message)
{
    memset(request, 0, sizeof *request); /* in place: the compiler would make a whole one elsewhere, and copy it */
    request->kind = kind;
    request->mode = mode;
    request->message = *message;
    request->handle = MPI_REQUEST_NULL;
}

struct request *request_new(enum request_kind kind, enum p2p_mode mode, const struct p2p_message *message)
{
    struct request *request = pool_take(&requests);

    if (request) {
        request_init(request, kind, mode, message);
        comm_hold(message->comm);
        type_hold(message->type);
    }
    return request;
}

void request_free(struct request *request)
{
    if (request->handle != MPI_REQUEST_NULL) {
        handle_free(HANDLE_REQUEST, request->handle);
    }
    free(request->staging);
    comm_release(request->message.comm);
    type_release(request->message.type);
    pool_give(&requests, request);
}

struct request_match request_describe(const struct p2p_message *message)
{
    return (struct request_match){
        .cid = message->comm->context.cid + (message->collective ? 1 : 0), //= IMPI-186
        .slot = message->comm->context.slot + (message->collective ? 1 : 0),
        .peer = message->peer < 0 ? REQUEST_ANY : comm_peers(message->comm)->world[message->peer],
        .tag = message->tag == MPI_ANY_TAG ? REQUEST_ANY : message->tag,
        .origin = message->agreement ? REQUEST_OF_AGREEMENT : REQUEST_OF_CALL,
    };
}

static void set_done(struct request *request)
{
    request->phase = REQUEST_DONE;
    finishes++;
    if (request->abandoned) {
        TAILQ_REMOVE(&orphans, request, finished);
        TAILQ_INSERT_TAIL(&abandoned, request, finished);
    }
}

void request_finish(struct request *request)
{
    struct request *carried = request->carried;

    bsend_give_back(request->attached);
    request->attached = NULL;
    set_done(request);
    if (carried && carried->phase == REQUEST_ACTIVE) { /* it is being cancelled */
        carried->outcome.cancelled = request->outcome.cancelled;
        set_done(carried);
    }
    engine_wake();
}

unsigned long request_finishes(void)
{
    return finishes;
}

void request_let_go(struct request *request)
{
    if (request->carrier) {
        request->carrier->carried = NULL;
        request_abandon(request->carrier);
        request->carrier = NULL;
    }
}

void request_abandon(struct request *request)
{
    request->abandoned = true;
    if (request->phase == REQUEST_DONE) {
        TAILQ_INSERT_TAIL(&abandoned, request, finished);
    } else {
        TAILQ_INSERT_TAIL(&orphans, request, finished);
    }
}

static struct request *take_first(struct request_list *list)
{
    struct request *request = TAILQ_FIRST(list);

    if (request) {
        TAILQ_REMOVE(list, request, finished);
    }
    return request;
}

struct request *request_abandoned_done(void)
{
    return take_first(&abandoned);
}

struct request *request_abandoned_any(void)
{
    struct request *request = take_first(&abandoned);

    return request ? request : take_first(&orphans);
}

void request_abandon_none(void)
{
    TAILQ_INIT(&orphans);
    TAILQ_INIT(&abandoned);
}

/* The rank that MPI shows for who sent a message. */
static int source_of(const struct request_outcome *outcome, const struct p2p_message *message)
{
    const struct mpi_group *peers = comm_peers(message->comm);

    if (outcome->source == MPI_PROC_NULL) {
        return MPI_PROC_NULL;
    }
    if (message->peer >= 0) {
        return message->peer;
    }
    //= IMPI-116
    //= IMPI-259
    if (outcome->lsrank >= 0 && outcome->lsrank < peers->count) {
        return outcome->lsrank;
    }
    return group_rank_of(peers, outcome->source);
}

void request_status(const struct request_outcome *outcome, const struct p2p_message *message, MPI_Status *status)
{
    status->MPI_SOURCE = source_of(outcome, message);
    status->MPI_TAG = outcome->tag;
    status->assay_external = outcome->external;
    status->assay_cancelled = outcome->cancelled;
    status->assay_octets = outcome->msglen;
}

void request_status_empty(MPI_Status *status, int source)
{
    status->MPI_SOURCE = source;
    status->MPI_TAG = MPI_ANY_TAG;
    status->assay_external = 0;
    status->assay_cancelled = 0;
    status->assay_octets = 0;
}
