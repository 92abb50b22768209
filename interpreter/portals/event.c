/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Event queues, the document's section 3.8, and waiting for events with a limit, which the document lacks.
 */
#include "verbs.h"

#include <stdio.h>
#include <string.h>

#include "../common/times.h"

enum { COLLECT_MOST = 256, PAUSE_LEAST_US = 20, PAUSE_MOST_US = 1000 };

static void run_alloc(struct call *call)
{
    ptl_size_t count = (ptl_size_t)call_bits(call, "count", sizeof count, NULL, 0);
    ptl_handle_eq_t handle, *handle_at = call_output(call, "handle", &handle);
    ptl_handle_ni_t interface;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    if (call_failed(call))
        return;
    memset(&handle, 0, sizeof handle);
    call_enter(call, "PtlEQAlloc");
    code = vendor_eq_alloc(interface, count, handle_at);
    call_leave(call);
    if (result_code(call, code))
        call_keep(call, "handle", KIND_EQ, &handle, false);
}

static void run_free(struct call *call)
{
    ptl_handle_eq_t queue;
    int code;

    call_handle(call, "eventq", KIND_EQ, &queue);
    if (call_failed(call))
        return;
    call_enter(call, "PtlEQFree");
    code = PtlEQFree(queue);
    call_leave(call);
    result_code(call, code);
}

bool has_event(int code)
{
    return code == PTL_OK || code == PTL_EQ_DROPPED;
}

void result_event(struct call *call, int code, const ptl_event_t *event)
{
    result_code(call, code);
    if (has_event(code))
        result_add_event(&call->result, "event.", event);
}

/* run_taking is for PtlEQGet and PtlEQWait, which differ only in patience. What a library has as a macro has no
 * address: hence functions of our own around them. */
static void run_taking(struct call *call, int (*function)(ptl_handle_eq_t eventq, ptl_event_t *event))
{
    ptl_event_t event, *event_at = call_report(call, "event", &event);
    ptl_handle_eq_t queue;
    int code;

    call_handle(call, "eventq", KIND_EQ, &queue);
    if (call_failed(call))
        return;
    call_unwritten(&event, sizeof event);
    call_enter(call, call->command.verb);
    code = function(queue, event_at);
    call_leave(call);
    if (event_at == &event)
        result_event(call, code, &event);
    else
        result_code(call, code);
}

static int take_or_not(ptl_handle_eq_t eventq, ptl_event_t *event)
{
    return PtlEQGet(eventq, event);
}

static void run_get(struct call *call)
{
    run_taking(call, take_or_not);
}

static int take_or_wait(ptl_handle_eq_t eventq, ptl_event_t *event)
{
    return PtlEQWait(eventq, event);
}

static void run_eqwait(struct call *call)
{
    run_taking(call, take_or_wait);
}

/* take_until calls PtlEQGet until the queue gives an event or an error, or the time has come; then PTL_EQ_EMPTY. */
static int take_until(struct call *call, ptl_handle_eq_t queue, long long until_ms, ptl_event_t *event)
{
    long pause_us = PAUSE_LEAST_US;
    int code;

    call_unwritten(event, sizeof *event);
    for (;;) {
        call_enter(call, "PtlEQGet");
        code = PtlEQGet(queue, event);
        call_leave(call);
        if (code != PTL_EQ_EMPTY || times_now_ms() >= until_ms)
            return code;
        times_sleep_us(pause_us);
        if (pause_us < PAUSE_MOST_US)
            pause_us *= 2;
    }
}

/* wait_for_event is what wait and quiet have in common; it gives the return code, PTL_OK when the call has failed. */
static int wait_for_event(struct call *call)
{
    long long until = call_until(call);
    ptl_handle_eq_t queue;
    ptl_event_t event;
    int code;

    call_handle(call, "eventq", KIND_EQ, &queue);
    if (call_failed(call))
        return PTL_OK;
    code = take_until(call, queue, until, &event);
    result_event(call, code, &event);
    return code;
}

static void run_wait(struct call *call)
{
    wait_for_event(call);
}

/* run_quiet has the opposite hope: a batch goes on when nothing came. */
static void run_quiet(struct call *call)
{
    call->stop = wait_for_event(call) != PTL_EQ_EMPTY;
}

/* add_collected writes one event of many. */
static void add_collected(struct line *line, unsigned index, int code, const ptl_event_t *event)
{
    char prefix[16];

    snprintf(prefix, sizeof prefix, "e%u.", index);
    line_add(line, " %src=", prefix);
    result_add_code(line, code);
    result_add_event(line, prefix, event);
}

static void run_collect(struct call *call)
{
    unsigned wanted = (unsigned)call_count(call, "count", 1, COLLECT_MOST), events = 0;
    long long until = call_until(call);
    struct line collected = {0};
    ptl_handle_eq_t queue;
    int code = PTL_OK;

    call_handle(call, "eventq", KIND_EQ, &queue);
    if (call_failed(call))
        return;
    while (events < wanted) {
        ptl_event_t event;
        code = take_until(call, queue, until, &event);
        if (!has_event(code))
            break;
        add_collected(&collected, events++, code, &event);
    }
    result_code(call, code);
    line_add(&call->result, " events=%u", events);
    line_add_text(&call->result, collected.text ? collected.text : "", collected.len);
    call->result.failed |= collected.failed;
    line_release(&collected);
}

const struct verb portals_event[] = {
    {"PtlEQAlloc", "interface count handle", run_alloc, false},
    {"PtlEQFree", "eventq", run_free, false},
    {"PtlEQGet", "eventq event", run_get, false},
    {"PtlEQWait", "eventq event", run_eqwait, false},
    {"wait", "eventq ms", run_wait, false},
    {"collect", "eventq count ms", run_collect, false},
    {"quiet", "eventq ms", run_quiet, false},
    {NULL, NULL, NULL, false},
};
