/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Events and event queues: chapter 3.8, the PtlEQ functions.
 */
#include "ref-impl/core/eq.h"

#include "ref-impl/api/api.h"
#include "ref-impl/short_path.h"

static ptl_event_kind_t kind_out(enum core_event_kind kind)
{
    switch (kind) {
    case CORE_EVENT_GET:
        return PTL_EVENT_GET;
    case CORE_EVENT_PUT:
        return PTL_EVENT_PUT;
    case CORE_EVENT_REPLY:
        return PTL_EVENT_REPLY;
    case CORE_EVENT_ACK:
        return PTL_EVENT_ACK;
    case CORE_EVENT_SENT:
    case CORE_EVENT_EXCHANGE: /* of later revisions only, like the next */
    case CORE_EVENT_UNLINK:
        break;
    }
    return PTL_EVENT_SENT;
}

/* Gives an event to the application if the core gave one. */
static int hand_out(enum core_status status, const struct core_event *logged, ptl_event_t *event)
{
    if (status == CORE_OK || status == CORE_EVENT_AND_GAP) {
        *event = (ptl_event_t){
            .type = kind_out(logged->kind),
            .initiator = api_process(&logged->initiator),
            .portal = logged->portal,
            .match_bits = logged->match_bits,
            .rlength = logged->rlength,
            .mlength = logged->mlength,
            .offset = logged->offset,
            .mem_desc = api_md_out(&logged->md),
        };
    }
    return api_code(status);
}

API int PtlEQAlloc(ptl_handle_ni_t interface, ptl_size_t count, ptl_handle_eq_t *handle)
{
    enum core_status status;
    uint64_t made;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_writable(handle, sizeof(*handle))) {
        return PTL_SEGV; //= P30-237
    }
    status = eq_alloc(interface.value, count, &made);
    if (status == CORE_OK) {
        handle->value = made;
    }
    return api_code(status); //= P30-237
}

API int PtlEQFree(ptl_handle_eq_t eventq)
{
    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    return api_code(eq_free(eventq.value)); //= P30-238
}

API int PtlEQCount(ptl_handle_eq_t eventq, ptl_size_t *count)
{
    enum core_status status;
    uint64_t held;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_writable(count, sizeof(*count))) {
        return PTL_SEGV; //= P30-242
    }
    status = eq_count(eventq.value, &held);
    if (status == CORE_OK) {
        *count = held;
    }
    return api_code(status); //= P30-242
}

SHORT_PATH API int PtlEQGet(ptl_handle_eq_t eventq, ptl_event_t *event)
{
    struct core_event logged;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_writable(event, sizeof(*event))) {
        return PTL_SEGV; //= P30-248
    }
    return hand_out(eq_get(eventq.value, &logged), &logged, event); //= P30-248
}

SHORT_PATH API int PtlEQWait(ptl_handle_eq_t eventq, ptl_event_t *event)
{
    struct core_event logged;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_writable(event, sizeof(*event))) {
        return PTL_SEGV; //= P30-253
    }
    return hand_out(eq_wait(eventq.value, &logged), &logged, event); //= P30-253
}
