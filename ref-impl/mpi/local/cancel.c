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
 * A short message has left before anybody can cancel it, and its request may be done; while its sender has not looked
 * at that, it is asked for back in the same way, by its bits:
 *
 *      CANCEL SHORT bits  --------------------------->  among the messages that wait?
 *      cancelled <------------------ SHORT FORGOTTEN    thrown away
 *      as before <------------------ SHORT TOO LATE     a receive had it
 *
 * There the number counts modulo LOCAL_SEQUENCES, from 1 on: a message stays sent that so many of its kind have
 * followed.
 * One of a blocking send has number 0.
 */
#include "ref-impl/mpi/local/cancel.h"

#include <stdlib.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/local/arrival.h"
#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/local/fetch.h"
#include "ref-impl/mpi/local/offer.h"
#include "ref-impl/mpi/local/send.h"
#include "ref-impl/mpi/messages/engine_lock.h"
#include "ref-impl/nal/thread.h"

static void answer(int rid, ptl_match_bits_t bits)
{
    local_arrivals_note(); /* the message itself came before the wish */
    if (bits & LOCAL_CANCEL_SHORT) {
        bits &= ~LOCAL_CANCEL_SHORT;
        local_tell(rid, local_arrival_forget_short(rid, bits) ? LOCAL_SHORT_FORGOTTEN : LOCAL_SHORT_TOO_LATE,
                   local_bits_number(bits));
    } else if (bits >> 32 == LOCAL_NOTE) {
        local_offer_answer(rid);
    } else {
        local_tell(rid, local_arrival_forget(rid, (uint32_t)bits) ? LOCAL_FORGOTTEN : LOCAL_TOO_LATE, (uint32_t)bits);
    }
}

/* Leaves a question to the program. */
static void leave(int rid, ptl_match_bits_t bits)
{
    struct local_ask *ask = malloc(sizeof(*ask));

    if (!ask) {
        world_abort(1, "there is no memory to note that a message is to be cancelled");
    }
    ask->rid = rid;
    ask->bits = bits;
    TAILQ_INSERT_TAIL(&local_device.asks, ask, link);
    engine_wake();
}

void local_cancel_asks(void)
{
    struct local_ask *ask;

    while ((ask = TAILQ_FIRST(&local_device.asks))) {
        TAILQ_REMOVE(&local_device.asks, ask, link);
        answer(ask->rid, ask->bits);
        free(ask);
    }
}

/* Whether it goes on. */
static bool heed(const ptl_event_t *event)
{
    int rid = (int)event->initiator.rid;

    if (event->type == PTL_EVENT_PUT && event->match_bits >> 32 == LOCAL_STOP) {
        return false;
    }
    if (event->type == PTL_EVENT_REPLY) {
        local_fetched(event->mem_desc.user_ptr);
    } else if (event->type != PTL_EVENT_PUT) {
        local_send_event(event->mem_desc.user_ptr, event); /* of a copy, or a far one */
    } else if (event->match_bits >> 32 == LOCAL_CREDIT) {
        local_credit(rid, (uint32_t)event->match_bits);
    } else if (event->match_bits >> 32 == LOCAL_COUNTED) {
        local_send_noted(rid, (uint32_t)event->match_bits);
    } else if (event->match_bits >> 32 == LOCAL_GOT) {
        local_fetch_said(rid, (uint32_t)event->match_bits);
    } else if (engine_waits_for() == ENGINE_ARRIVAL) {
        leave(rid, event->match_bits);
    } else {
        answer(rid, event->match_bits);
    }
    return true;
}

static void *help(void *unused)
{
    bool goes_on = true;
    ptl_event_t event;

    while (goes_on) {
        local_must(PtlEQWait(local_device.asked, &event));
        engine_lock_beside();
        goes_on = heed(&event);
        while (goes_on && PtlEQGet(local_device.asked, &event) == PTL_OK) {
            goes_on = heed(&event);
        }
        engine_unlock_beside();
    }
    return unused;
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

/* The short message to a process that is being cancelled under a number, or NULL. */
static struct request *asked_short(int rid, uint32_t number)
{
    struct request *at = TAILQ_FIRST(&local_device.asked_back);

    while (at && !(at->local.is_short && local_rid(at->match.peer) == rid &&
                   1 + at->local.sequence % LOCAL_SEQUENCES == number)) {
        at = TAILQ_NEXT(at, local.queue);
    }
    return at;
}

/* Whether its number tells a short message from those that followed it. */
static bool is_known(const struct request *request)
{
    const struct local_peer *peer = &local_device.peer[local_rid(request->match.peer)];

    return peer->sequence - request->local.sequence <= LOCAL_SEQUENCES;
}

/* The end of the cancelling of a long message, which may have been acknowledged or got meanwhile. */
static void settle_long(struct request *request, bool cancelled)
{
    struct local_request *r = &request->local;

    TAILQ_REMOVE(&local_device.asked_back, request, local.queue);
    r->cancelling = false;
    if (cancelled) {
        local_must(PtlMEUnlink(r->entry));
        request->outcome.cancelled = true;
        r->settled = true;
    }
    if (r->settled) {
        local_send_settled(request);
    }
}

/* The end of the cancelling of a short message. */
static void settle_short(struct request *request, bool cancelled)
{
    TAILQ_REMOVE(&local_device.asked_back, request, local.queue);
    request->local.cancelling = false;
    request->outcome.cancelled = cancelled;
    if (request->local.place == LOCAL_ASKED) {
        request->local.place = LOCAL_NOWHERE;
        request_finish(request);
    }
}

/* Asks its receiver for one back. */
static void ask_back(struct request *request)
{
    struct local_request *r = &request->local;
    int rid = local_rid(request->match.peer);

    r->asked = true;
    local_device.asking++;
    if (r->is_long) {
        local_tell(rid, LOCAL_CANCEL, r->number);
    } else {
        local_must(PtlPut(local_device.nothing, PTL_NOACK_REQ, local_process(rid), LOCAL_CONTROL, LOCAL_COOKIE,
                          LOCAL_CANCEL_SHORT | local_bits_sequence(local_bits_message(request), r->sequence), 0));
    }
}

/* Asks for the messages that are being cancelled, as many at a time as there may be. A short one that is not known any
 * more stays sent, and a long one that has been received. */
static void ask_on(void)
{
    struct local_device *d = &local_device;
    struct request *request = TAILQ_FIRST(&d->asked_back), *next;

    for (; request && d->asking < LOCAL_ASKED_MAX; request = next) {
        next = TAILQ_NEXT(request, local.queue);
        if (request->local.asked) {
            continue;
        }
        if (request->local.is_long && request->local.settled) {
            settle_long(request, false);
        } else if (!request->local.is_long && !is_known(request)) {
            settle_short(request, false);
        } else {
            ask_back(request);
        }
    }
}

/* Asks for a short message back, unless it cannot be told from others. A request that is done is active again until
 * the answer comes. */
static void ask_short(struct request *request)
{
    struct local_request *r = &request->local;

    if (r->cancelling || request->outcome.cancelled || !is_known(request) ||
        asked_short(local_rid(request->match.peer), 1 + r->sequence % LOCAL_SEQUENCES)) {
        return;
    }
    r->cancelling = true;
    r->asked = false;
    if (r->place == LOCAL_NOWHERE) {
        r->place = LOCAL_ASKED;
        request->phase = REQUEST_ACTIVE;
    }
    TAILQ_INSERT_TAIL(&local_device.asked_back, request, local.queue);
    ask_on();
}

/* Cancels the copy of a request, which is active until it is known whether that was in time. */
static void cancel_copy(struct request *request)
{
    if (request->phase == REQUEST_DONE) {
        request->phase = REQUEST_ACTIVE;
        local_cancel_send(request->local.twin);
    }
}

void local_cancel_send(struct request *request)
{
    struct local_request *r = &request->local;

    if (r->twin && !r->is_copy) {
        cancel_copy(request);
        return;
    }
    if (r->is_short && r->place != LOCAL_QUEUED) {
        ask_short(request);
        return;
    }

    switch (r->place) {
    case LOCAL_QUEUED:
        request->outcome.cancelled = true;
        local_send_withdraw(request);
        return;
    case LOCAL_MOVING:
        if (r->is_long && !r->settled && !r->cancelling) {
            r->cancelling = true;
            r->asked = false;
            TAILQ_INSERT_TAIL(&local_device.asked_back, request, local.queue);
            ask_on();
        }
        return;
    case LOCAL_NOWHERE:
    case LOCAL_POSTED:
    case LOCAL_LISTED:
    case LOCAL_ASKED:
        return;
    }
}

void local_cancel_answered(int rid, uint32_t number, bool forgotten)
{
    struct request *request = local_offer_find(rid, number);

    if (!request || !request->local.cancelling || !request->local.asked) {
        return;
    }
    local_device.asking--;
    settle_long(request, forgotten);
    ask_on();
}

void local_cancel_answered_short(int rid, uint32_t number, bool forgotten)
{
    struct request *request = asked_short(rid, number);

    if (!request || !request->local.asked) {
        return;
    }
    local_device.asking--;
    settle_short(request, forgotten);
    ask_on();
}
