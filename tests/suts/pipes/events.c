/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Event queues: chapter 3.8 of the document. The newest event is lost where there is no room.
 */
#include "tests/suts/pipes/library.h"

#include <stdlib.h>
#include <string.h>

#define GAP (UINT64_C(1) << 63) /* events were lost right before this one */

void log_event(const struct md *md, ptl_event_kind_t type, const struct message *message, unsigned initiator)
{
    static uint64_t sequence;
    struct eq *eq = object_find(KIND_EQ, VALUE(md->value.eventq));
    ptl_event_t event;

    if (!eq) {
        return;
    }
    if (eq->count == eq->size) {
        eq->lost = true;
        return;
    }
    memset(&event, 0, sizeof event);
    event.sequence = ++sequence | (eq->lost ? GAP : 0);
    eq->lost = false;
    event.type = type;
    event.initiator = identity_of(initiator);
    event.portal = (ptl_pt_index_t)message->portal;
    event.match_bits = message->bits;
    event.rlength = (ptl_size_t)message->wanted;
    event.mlength = (ptl_size_t)message->moved;
    event.offset = (ptl_size_t)message->offset;
    event.mem_desc = md->value;
    size_t place = (eq->first + eq->count++) % eq->size;
    eq->events[place] = event;
    eq->seen_ms[place] = LATE_MS ? now_ms() + LATE_MS : 0;
    wake();
}

void queue_end(struct eq *eq)
{
    free(eq->events);
    free(eq->seen_ms);
    object_end(eq);
}

int PtlEQAlloc(ptl_handle_ni_t interface, ptl_size_t count, ptl_handle_eq_t *handle)
{
    int code = PTL_OK;

    enter();
    struct ni *ni = object_find(KIND_NI, VALUE(interface));
    if (!library.up) {
        code = PTL_NOINIT;
    } else if (!handle || !memory_is_there(handle, sizeof *handle)) {
        code = PTL_SEGV;
    } else if (!ni) {
        code = PTL_INV_NI;
    } else if (count == 0 || count > EVENTS_MAX) {
        code = PTL_NOSPACE;
    } else {
        struct eq *eq = object_new(KIND_EQ, sizeof *eq, ni);
        if (!eq) {
            return leave(PTL_NOSPACE);
        }
        eq->events = calloc((size_t)count, sizeof *eq->events);
        eq->seen_ms = calloc((size_t)count, sizeof *eq->seen_ms);
        if (!eq->events || !eq->seen_ms) {
            queue_end(eq);
            return leave(PTL_NOSPACE);
        }
        eq->size = (size_t)count;
        *handle = HANDLE(ptl_handle_eq_t, eq);
    }
    return leave(code);
}

int PtlEQFree(ptl_handle_eq_t eventq)
{
    enter();
    struct eq *eq = object_find(KIND_EQ, VALUE(eventq));
    int code = !library.up ? PTL_NOINIT : eq ? PTL_OK : PTL_INV_EQ;

    if (code == PTL_OK) {
        queue_end(eq);
        wake();
    }
    return leave(code);
}

/* How many events may be seen by now. */
static size_t visible(const struct eq *eq)
{
    int64_t now = now_ms();
    size_t count = 0;

    while (count < eq->count && eq->seen_ms[(eq->first + count) % eq->size] <= now) {
        count++;
    }
    return count;
}

int PtlEQCount(ptl_handle_eq_t eventq, ptl_size_t *count)
{
    int code = PTL_OK;

    enter();
    const struct eq *eq = object_find(KIND_EQ, VALUE(eventq));
    if (!library.up) {
        code = PTL_NOINIT;
    } else if (!count || !memory_is_there(count, sizeof *count)) {
        code = PTL_SEGV;
    } else if (!eq) {
        code = PTL_INV_EQ;
    } else {
        *count = (ptl_size_t)visible(eq);
    }
    return leave(code);
}

/* Takes the oldest event, if there is one. */
static int take(ptl_handle_eq_t eventq, ptl_event_t *event)
{
    struct eq *eq = object_find(KIND_EQ, VALUE(eventq));

    if (!library.up || !event || !memory_is_there(event, sizeof *event) || !eq) {
        return !library.up ? PTL_NOINIT : !eq && event ? PTL_INV_EQ : PTL_SEGV;
    }
    if (visible(eq) == 0) {
        return PTL_EQ_EMPTY;
    }
    *event = eq->events[eq->first];
    eq->first = (eq->first + 1) % eq->size;
    eq->count--;
    bool behind_gap = event->sequence & GAP;
    event->sequence &= ~GAP;
    return behind_gap ? PTL_EQ_DROPPED : PTL_OK;
}

int PtlEQGet(ptl_handle_eq_t eventq, ptl_event_t *event)
{
    enter();
    return leave(take(eventq, event));
}

int PtlEQWait(ptl_handle_eq_t eventq, ptl_event_t *event)
{
    int code;

    enter();
    while ((code = take(eventq, event)) == PTL_EQ_EMPTY) {
        wait_for_progress();
    }
    return leave(code);
}
