/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is heard of the local device's requests, and waiting for it. Events come from two queues: `done` has those of
 * requests, `arrived` those of messages that nobody has asked for. They are two because a receive is posted on
 * condition that nothing arrives, which must not depend on large messages that are just being sent or received.
 *
 * So the program waits for one of them. Waiting for a request, it must see what arrives only if a receive has no place
 * in the match list. Waiting for an arrival, it must see requests get done only if others wait for that. Then it looks
 * at both in turn.
 */
#include <sched.h>

#include "ref-impl/mpi/local_arrival.h"
#include "ref-impl/mpi/local_cancel.h"
#include "ref-impl/mpi/local_own.h"

static void control(const ptl_event_t *event)
{
    uint32_t with = (uint32_t)event->match_bits;
    int rid = (int)event->initiator.rid;

    switch ((enum local_control)(event->match_bits >> 32)) {
    case LOCAL_WAKE_COMPLETION:
        local_device.waking[0] = false;
        return;
    case LOCAL_CREDIT:
        local_credit(rid, with);
        return;
    case LOCAL_FORGOTTEN:
        local_cancel_answered(rid, with, true);
        return;
    case LOCAL_TOO_LATE:
        local_cancel_answered(rid, with, false);
        return;
    case LOCAL_WAKE_ARRIVAL:
    case LOCAL_CANCEL:
    case LOCAL_STOP:
        return; /* logged in other queues */
    }
}

/* The octets of a long message are here. */
static void fetched(struct request *request)
{
    local_must(PtlMDUnlink(request->local.descriptor));
    request->local.place = LOCAL_NOWHERE;
    request_finish(request);
}

static void note(const ptl_event_t *event)
{
    struct request *request = event->mem_desc.user_ptr;

    if (event->type == PTL_EVENT_PUT && event->portal == LOCAL_CONTROL) {
        control(event);
    } else if (event->type == PTL_EVENT_PUT) {
        local_receive_event(request, event);
        local_receive_deferred();
    } else if (event->type == PTL_EVENT_REPLY) {
        fetched(request);
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
    local_cancel_asks();
}

void local_wait(bool arrivals)
{
    ptl_handle_eq_t queue = arrivals ? local_device.arrived : local_device.done;
    bool in_turn = !TAILQ_EMPTY(&local_device.deferred) || (arrivals && local_device.queued > 0);
    ptl_event_t event;

    engine_sleep(arrivals ? ENGINE_ARRIVAL : ENGINE_COMPLETION);
    if (in_turn) {
        sched_yield();
        engine_awake();
        local_arrivals_note();
        return;
    }
    local_must(PtlEQWait(queue, &event));
    engine_awake();
    if (arrivals) {
        local_arrival_event(&event);
    } else {
        note(&event);
    }
}

void local_wake(bool arrivals)
{
    if (!local_device.waking[arrivals]) {
        local_device.waking[arrivals] = true;
        local_tell((int)local_device.self.rid, arrivals ? LOCAL_WAKE_ARRIVAL : LOCAL_WAKE_COMPLETION, 0);
    }
}
