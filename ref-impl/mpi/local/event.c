/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is heard of the local device's requests, and waiting for it. Events come from two queues: `done` has those of
 * requests, `arrived` those of messages that nobody has asked for. They are two because a receive is posted on
 * condition that nothing arrives, which must not depend on large messages that are just being sent or received.
 *
 * So the program waits for one of them. Waiting for a listed receive, or for an arrival, it must see requests get done
 * only if sends wait for that. Waiting for another request, it must see what arrives only if a receive is listed: these
 * are posted first, so only if the match list has no room. Then it looks at both in turn, since PtlEQWait knows one
 * queue: without a pause as long as anything happens, then after pauses that grow up to PAUSE_MOST_US. So late at most
 * it is what is waited for here, and so little it costs to wait for long. No other thread can wait in its place: a
 * message that it had taken from `arrived` and not noted yet would be one that PtlMDUpdate does not see.
 */
#include "ref-impl/mpi/local/event.h"

#include <sched.h>
#include <time.h>

#include "ref-impl/mpi/local/arrival.h"
#include "ref-impl/mpi/local/cancel.h"
#include "ref-impl/mpi/local/expected.h"
#include "ref-impl/mpi/local/fetch.h"
#include "ref-impl/mpi/local/receive.h"
#include "ref-impl/mpi/local/send.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/local/tiny.h"
#include "ref-impl/mpi/messages/engine_lock.h"

enum {
    TURNS_AT_ONCE = 64,   /* without any event, before there are pauses */
    PAUSE_STEP_US = 10,   /* by which each is longer than the one before */
    PAUSE_MOST_US = 1000, /* looking takes a few microseconds: next to nothing */
};

static void control(const ptl_event_t *event)
{
    uint32_t with = (uint32_t)event->match_bits;
    int rid = (int)event->initiator.rid;

    switch ((enum local_control)(event->match_bits >> 32)) {
    case LOCAL_WAKE_COMPLETION:
        local_device.waking[0] = false;
        return;
    case LOCAL_FORGOTTEN:
        local_cancel_answered(rid, with, true);
        return;
    case LOCAL_TOO_LATE:
        local_cancel_answered(rid, with, false);
        return;
    case LOCAL_SHORT_FORGOTTEN:
        local_cancel_answered_short(rid, with, true);
        return;
    case LOCAL_SHORT_TOO_LATE:
        local_cancel_answered_short(rid, with, false);
        return;
    case LOCAL_WAKE_ARRIVAL:
    case LOCAL_CREDIT:
    case LOCAL_CANCEL:
    case LOCAL_STOP:
    case LOCAL_UPPER:
    case LOCAL_NOTE:
    case LOCAL_COUNTED:
    case LOCAL_GOT:
        return; /* logged in other queues */
    }
}

static void note(const ptl_event_t *event)
{
    struct request *request = event->mem_desc.user_ptr;

    local_device.idle_turns = 0;
    if (event->type == PTL_EVENT_PUT && event->portal == LOCAL_CONTROL) {
        control(event);
    } else if (event->type == PTL_EVENT_PUT) {
        local_receive_event(request, event);
        local_receive_post_large();
    } else if (event->type == PTL_EVENT_REPLY) {
        local_fetched(request);
    } else if (!request) {
        local_device.leaving = local_tiny_left(event->mem_desc.start) && local_device.leaving;
    } else {
        local_send_event(request, event);
    }
}

void local_advance(void)
{
    ptl_event_t event;
    int code;

    while ((code = PtlEQGet(local_device.done, &event)) != PTL_EQ_EMPTY) {
        local_must_(code, "PtlEQGet of requests");
        note(&event);
    }
    if (local_expected_any()) {
        local_arrivals_note();
    }
    local_cancel_asks();
}

/* Gives the processor away for a time that is the longer, the more turns there have been without any event. */
static void pause_between(unsigned idle_turns)
{
    unsigned us = idle_turns > TURNS_AT_ONCE ? (idle_turns - TURNS_AT_ONCE) * PAUSE_STEP_US : 0;
    struct timespec time = {0, (us < PAUSE_MOST_US ? us : PAUSE_MOST_US) * 1000L};

    if (us > 0) {
        (void)nanosleep(&time, NULL);
    } else {
        sched_yield();
    }
}

/* Waits a moment, and takes note of all that has happened. Lock held, and left meanwhile. */
static void wait_in_turn(enum engine_wait what)
{
    unsigned idle_turns;

    if (local_device.finishes != request_finishes()) { /* whoever has heard of it */
        local_device.finishes = request_finishes();
        local_device.idle_turns = 0;
    }
    idle_turns = local_device.idle_turns;
    local_device.idle_turns += idle_turns < PAUSE_MOST_US;
    engine_sleep(what);
    pause_between(idle_turns);
    engine_awake();
    local_arrivals_note();
    local_advance();
}

/* Waits for an event of one queue, and takes note of it. Lock held, and left meanwhile. */
static void wait_for_one(bool arrivals)
{
    ptl_event_t event;

    engine_sleep(arrivals ? ENGINE_ARRIVAL : ENGINE_COMPLETION);
    local_must(local_device.wait(arrivals ? local_device.arrived : local_device.done, &event));
    engine_awake();
    if (arrivals) {
        local_arrival_event(&event);
    } else {
        note(&event);
    }
    local_cancel_asks();
}

void local_wait(enum engine_wait what)
{
    bool arrivals = what == ENGINE_ARRIVAL;

    if (!arrivals && local_receive_post_listed()) {
        return; /* one may have got its message */
    }
    if (what == ENGINE_EITHER || (arrivals ? local_device.queued > 0 : local_expected_any())) {
        wait_in_turn(what);
    } else {
        wait_for_one(arrivals);
    }
}

bool local_idle(void)
{
    const struct local_device *d = &local_device;

    return d->posted == 0 && d->fetching == 0 && d->sending == 0 && d->far == 0 && d->queued == 0 && d->asking == 0 &&
           !d->leaving && !local_expected_any();
}

void local_await_left(void)
{
    ptl_event_t event;

    while (local_device.leaving) {
        int code = PtlEQGet(local_device.done, &event);

        if (code == PTL_EQ_EMPTY) {
            wait_for_one(false); /* for what comes whatever others do */
        } else {
            local_must_(code, "PtlEQGet of requests");
            note(&event);
        }
    }
}

void local_wake(bool arrivals)
{
    if (!local_device.waking[arrivals]) {
        local_device.waking[arrivals] = true;
        local_tell((int)local_device.self.rid, arrivals ? LOCAL_WAKE_ARRIVAL : LOCAL_WAKE_COMPLETION, 0);
    }
}
