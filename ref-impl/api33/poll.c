/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Waiting for one of several event queues: PtlEQPoll, and PtlEQWait_timeout by it.
 *
 * One queue without a limit of time is waited for as PtlEQWait does. Otherwise the queues are looked at in turn, and
 * between two rounds the caller sleeps a little: each look drives the network, and its own thread goes on meanwhile.
 */
#include <sched.h>
#include <stdint.h>

#include "ref-impl/api3/later.h"
#include "ref-impl/clock.h"
#include "ref-impl/core/eq.h"

enum { ROUNDS_AWAKE = 200, SLEEP_NS = 50000 };

/* With which queue this thread's next round begins, so that none of them starves. */
static _Thread_local unsigned turn;

/* Looks at each queue once. */
static enum core_status look(const ptl_handle_eq_t *queues, unsigned count, struct core_event *event, unsigned *which)
{
    enum core_status status = CORE_EMPTY;
    unsigned first = turn++;

    for (unsigned i = 0; i < count && status == CORE_EMPTY; i++) {
        *which = (first + i) % count;
        status = eq_get(queues[*which], event);
    }
    return status;
}

/* Whether all of them are queues: a look ends at the first that has an event. */
static bool all_live(const ptl_handle_eq_t *queues, unsigned count)
{
    uint64_t held;

    for (unsigned i = 0; i < count; i++) {
        if (eq_count(queues[i], &held) != CORE_OK) {
            return false;
        }
    }
    return true;
}

static enum core_status poll_until(const ptl_handle_eq_t *queues, unsigned count, ptl_time_t timeout,
                                   struct core_event *event, unsigned *which)
{
    uint64_t deadline = timeout == PTL_TIME_FOREVER ? UINT64_MAX : clock_now_ms() + timeout;
    enum core_status status;
    unsigned rounds = 0;

    while ((status = look(queues, count, event, which)) == CORE_EMPTY && clock_now_ms() < deadline) {
        if (rounds < ROUNDS_AWAKE) {
            rounds++;
            sched_yield();
        } else {
            nanosleep(&(struct timespec){0, SLEEP_NS}, NULL);
        }
    }
    return status;
}

API int PtlEQPoll(ptl_handle_eq_t *eq_handles, int size, ptl_time_t timeout, ptl_event_t *event, int *which_eq)
{
    int code = api3_ready(event, sizeof(*event));
    struct core_event logged;
    enum core_status status;
    unsigned which = 0;

    if (code == PTL_OK) {
        code = api3_ready(which_eq, sizeof(*which_eq));
    }
    if (code != PTL_OK) {
        return code;
    }
    if (size < 1 || !address_is_good(eq_handles, (size_t)size * sizeof(*eq_handles), ADDRESS_READ)) {
        return size < 1 ? api3_code(CORE_BAD_QUEUE) : PTL_SEGV;
    }
    if (!all_live(eq_handles, (unsigned)size)) {
        return api3_code(CORE_BAD_QUEUE);
    }
    if (size == 1 && timeout == PTL_TIME_FOREVER) {
        status = eq_wait(eq_handles[0], &logged);
    } else {
        status = poll_until(eq_handles, (unsigned)size, timeout, &logged, &which);
    }
    code = api3_event(status, &logged, event);
    if (status == CORE_OK || status == CORE_EVENT_AND_GAP) {
        *which_eq = (int)which;
    }
    return code;
}

API int PtlEQWait_timeout(ptl_handle_eq_t eq_handle, ptl_event_t *event, int timeout)
{
    const uint32_t longest = PTL_TIME_FOREVER / 1000 - 1;
    uint32_t seconds = timeout > 0 ? (uint32_t)timeout : 0;
    int which;

    return PtlEQPoll(&eq_handle, 1, (seconds < longest ? seconds : longest) * 1000, event, &which);
}
