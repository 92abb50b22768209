/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cancelling what the local device has sent. The standard wants MPI_Wait to return after MPI_Cancel whatever the
 * receiver does (3.8), so a long message that nobody wants must be taken back without the receiving program, and in
 * such a way that the receiver knows: it would get octets that are no longer there. A helper thread at the receiver
 * answers.
 *
 *      sender                                           receiver
 *      CANCEL number  ------------------------------->  the helper notes what has arrived, and looks for the message
 *      cancelled <------------------------ FORGOTTEN    it was waiting, and is thrown away
 *      goes on   <------------------------ TOO LATE     a receive has it
 *
 * While the program waits for arrivals, one may be in its hands already: then the helper leaves the question to it.
 * Short messages are on their way before anybody can cancel them: they are done, and stay sent.
 */
#include "ref-impl/mpi/local/cancel.h"

#include <stdlib.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/local/arrival.h"
#include "ref-impl/mpi/local/send.h"
#include "ref-impl/mpi/messages/engine_lock.h"
#include "ref-impl/nal/thread.h"

static void answer(int rid, uint8_t number)
{
    bool forgotten;

    local_arrivals_note(); /* the message itself came before the wish */
    forgotten = local_arrival_forget(rid, number);
    local_tell(rid, forgotten ? LOCAL_FORGOTTEN : LOCAL_TOO_LATE, number);
}

/* Leaves a question to the program. */
static void leave(int rid, uint8_t number)
{
    struct local_ask *ask = malloc(sizeof(*ask));

    if (!ask) {
        world_abort(1, "there is no memory to note that a message is to be cancelled");
    }
    ask->rid = rid;
    ask->number = number;
    TAILQ_INSERT_TAIL(&local_device.asks, ask, link);
    engine_wake();
}

void local_cancel_asks(void)
{
    struct local_ask *ask;

    while ((ask = TAILQ_FIRST(&local_device.asks))) {
        TAILQ_REMOVE(&local_device.asks, ask, link);
        answer(ask->rid, ask->number);
        free(ask);
    }
}

static void *help(void *unused)
{
    ptl_event_t event;

    for (;;) {
        local_must(PtlEQWait(local_device.asked, &event));
        if (event.match_bits >> 32 == LOCAL_STOP) {
            return unused;
        }
        engine_lock();
        if (engine_waits_for() == ENGINE_ARRIVAL) {
            leave((int)event.initiator.rid, (uint8_t)event.match_bits);
        } else {
            answer((int)event.initiator.rid, (uint8_t)event.match_bits);
        }
        engine_unlock();
    }
}

bool local_helper_open(void)
{
    TAILQ_INIT(&local_device.asks);
    return thread_start(&local_device.helper, help, NULL) == 0;
}

void local_helper_close(void)
{
    local_tell((int)local_device.self.rid, LOCAL_STOP, 0);
    pthread_join(local_device.helper, NULL);
    while (!TAILQ_EMPTY(&local_device.asks)) {
        struct local_ask *ask = TAILQ_FIRST(&local_device.asks);

        TAILQ_REMOVE(&local_device.asks, ask, link);
        free(ask);
    }
}

void local_cancel_send(struct request *request)
{
    struct local_request *r = &request->local;

    switch (r->place) {
    case LOCAL_QUEUED:
        local_send_withdraw(request);
        request->outcome.cancelled = true;
        request_finish(request);
        return;
    case LOCAL_MOVING:
        if (r->is_long && !r->settled && !r->cancelling) {
            r->cancelling = true;
            local_tell(local_rid(request->match.peer), LOCAL_CANCEL, r->number);
        }
        return;
    case LOCAL_NOWHERE:
    case LOCAL_POSTED:
    case LOCAL_AWAITED:
        return;
    }
}

void local_cancel_answered(int rid, uint32_t number, bool forgotten)
{
    struct request *request = local_send_number(rid, number);

    if (!request || !request->local.cancelling) {
        return;
    }
    request->local.cancelling = false;
    if (forgotten) {
        local_must(PtlMEUnlink(request->local.entry));
        request->outcome.cancelled = true;
        request->local.settled = true;
    }
    if (request->local.settled) {
        local_send_settled(request);
    }
}
