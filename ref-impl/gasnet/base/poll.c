/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Looking into the event queues: see poll.h.
 */
#include "ref-impl/gasnet/base/poll.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/hand.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/settings.h"

enum { ROUNDS_AWAKE = 100, SLEEP_MS = 10 };

static ptl_handle_eq_t queues[QUEUES]; //= GASN-071 GASN-072
static _Atomic bool never_sleeps;
static _Thread_local unsigned idle_rounds;

void poll_open(enum poll_queue queue, ptl_size_t events) //= GASN-081
{
    fatal_portals(PtlEQAlloc(nodes_interface(), events, PTL_EQ_HANDLER_NONE, &queues[queue]), "PtlEQAlloc");
}

ptl_handle_eq_t poll_queue(enum poll_queue queue)
{
    return queues[queue];
}

void poll_spins(bool always)
{
    never_sleeps = always;
}

/* Whether there was an event; it has been handled. */
static bool handle(int code, const ptl_event_t *event)
{
    const struct poll_sink *sink;

    if (code == PTL_EQ_EMPTY) {
        return false;
    }
    if (code == PTL_EQ_DROPPED) {
        fatal_end("an event queue was too small: is GASNET_PORTAL_FLOW_CONTROL off?");
    }
    fatal_portals(code, "PtlEQGet");
    if (event->ni_fail_type != PTL_NI_OK) {
        fatal_end("an operation has failed: %s", PtlNIFailStr(nodes_interface(), event->ni_fail_type));
    }
    sink = event->md.user_ptr; //= GASN-020
    sink->take(event);
    return true;
}

static bool take_one(enum poll_queue queue)
{
    ptl_event_t event;
    int code = PtlEQGet(queues[queue], &event);

    return handle(code, &event);
}

/* Takes up to so many events; how many there were. */
static uint64_t take(enum poll_queue queue, uint64_t limit)
{
    uint64_t taken = 0;

    while (taken < limit && take_one(queue)) {
        taken++;
    }
    return taken;
}

static uint64_t take_requests(uint64_t limit)
{
    uint64_t taken = 0;

    if (!hand_turn()) {
        return 0;
    }
    while (taken < limit && hand_fill() && take_one(QUEUE_AM)) {
        taken++;
    }
    hand_pass();
    return taken;
}

bool poll_once(void) //= GASN-073 GASN-075
{
    const struct settings *settings = settings_get();
    uint64_t taken = take(QUEUE_SYSTEM, settings->system_events ? settings->system_events : UINT64_MAX);

    taken += take(QUEUE_SAFE, settings->safe_events);
    taken += take_requests(settings->request_events);
    return taken > 0;
}

/* Waits for a moment until there is an event in one of the queues that this thread may look into. */
static void sleep_a_little(void) //= GASN-080
{
    bool turn = hand_turn();
    bool filled = turn && hand_fill();
    ptl_event_t event;
    int which;

    (void)handle(PtlEQPoll(queues, filled ? QUEUES : QUEUE_AM, SLEEP_MS, &event, &which), &event);
    if (turn) {
        hand_pass();
    }
}

void poll_wait(void)
{
    if (poll_once()) {
        idle_rounds = 0;
    } else if (idle_rounds < ROUNDS_AWAKE || never_sleeps) {
        idle_rounds++;
        sched_yield();
    } else {
        sleep_a_little();
    }
}
