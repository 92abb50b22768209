/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Event queues (3.13 of the document of 3.3): logging, fetching, waiting, and the thread that calls handlers.
 */
#include "tests/suts/onesided/library.h"

#include <errno.h>
#include <time.h>

static pthread_t caller;
static bool calls, stops;

static bool is_start(ptl_event_kind_t kind)
{
    return kind == PTL_EVENT_SEND_START || kind == PTL_EVENT_REPLY_START || kind == PTL_EVENT_PUT_START ||
           kind == PTL_EVENT_GET_START || kind == PTL_EVENT_GETPUT_START;
}

static bool is_wanted(const struct md *md, ptl_event_kind_t kind)
{
    if (kind == PTL_EVENT_ACK || kind == PTL_EVENT_UNLINK) {
        return true;
    }
    return !(md->value.options & (is_start(kind) ? PTL_MD_EVENT_START_DISABLE : PTL_MD_EVENT_END_DISABLE));
}

/* The queue of another process's descriptor stands in that process's table. */
static struct eq *queue_of(const struct note *note)
{
    const ptl_handle_eq_t handle = note->md->value.eq_handle;

    for (unsigned i = 0; i < QUEUES; i++) {
        struct eq *eq = &note->rank->queues[i];
        if (eq->place.used && handle_of(KIND_EQ, eq) == handle) {
            return eq;
        }
    }
    return NULL;
}

void note_log(const struct note *note, ptl_event_kind_t kind)
{
    struct eq *eq = queue_of(note);

    if (!eq || !is_wanted(note->md, kind)) {
        return;
    }
    ptl_event_t *event = &eq->ring[eq->logged % RING];
    *event = note->event;
    event->type = kind;
    event->sequence = (ptl_seq_t)(NUMBERS_FROM + eq->logged++);
    event->link = NUMBERS_FROM + note->link;
    event->md_handle = handle_of(KIND_MD, note->md);
    event->md = note->md->value;
    if (eq->logged - eq->taken > eq->size) { /* the oldest goes */
        eq->taken++;
        eq->lost = true;
    }
    pthread_cond_broadcast(&job->news);
}

bool is_full(const struct md *md)
{
    const ptl_md_t *value = &md->value;

    return value->options & PTL_MD_MAX_SIZE && !(value->options & PTL_MD_MANAGE_REMOTE) &&
           (value->length < md->offset || value->length - md->offset < value->max_size);
}

void count_down(struct note *note)
{
    struct md *md = note->md;

    if (md->value.threshold > 0 && --md->value.threshold == 0) {
        md->spent = true;
    }
}

void settle(const struct note *note)
{
    struct md *md = note->md;

    if ((md->spent || is_full(md)) && md->unlink == PTL_UNLINK) {
        note_log(note, PTL_EVENT_UNLINK);
        descriptor_end(note->rank, md);
    }
}

/* One event that a handler of this process has not been called for. */
static bool next_call(ptl_eq_handler_t *handler, ptl_event_t *event)
{
    for (unsigned i = 0; i < QUEUES; i++) {
        struct eq *eq = &self->queues[i];
        if (eq->place.used && eq->handler && eq->told < eq->logged) {
            *handler = eq->handler;
            *event = eq->ring[eq->told++ % RING];
            return true;
        }
    }
    return false;
}

static void *call_handlers(void *unused)
{
    ptl_eq_handler_t handler;
    ptl_event_t event;

    (void)unused;
    lock();
    while (!stops) {
        if (next_call(&handler, &event)) {
            leave(PTL_OK);
            handler(&event);
            lock();
        } else {
            pthread_cond_wait(&job->news, &job->lock);
        }
    }
    leave(PTL_OK);
    return NULL;
}

void handlers_stop(void)
{
    lock();
    const bool ends = calls && !pthread_equal(caller, pthread_self());
    stops = true;
    pthread_cond_broadcast(&job->news);
    leave(PTL_OK);
    if (ends) {
        pthread_join(caller, NULL);
        calls = false;
    }
}

int PtlEQAlloc(ptl_handle_ni_t ni, ptl_size_t count, ptl_eq_handler_t handler, ptl_handle_eq_t *handle)
{
    ENTER;
    if (!ni_of(ni)) {
        return leave(PTL_NI_INVALID);
    }
    if (!handle) {
        return leave(PTL_SEGV);
    }
    if (NOTHING_NONE && count == 0) {
        *handle = PTL_EQ_NONE;
        return leave(PTL_OK);
    }
    struct eq *eq = count > EVENTS || (NOTHING_REFUSED && count == 0) ? NULL : eq_new();
    if (!eq) {
        return leave(PTL_NO_SPACE);
    }
    eq->size = count ? (unsigned)count : 1;
    eq->handler = handler;
    if (handler && !calls) {
        stops = false;
        calls = pthread_create(&caller, NULL, call_handlers, NULL) == 0;
    }
    *handle = handle_of(KIND_EQ, eq);
    return leave(PTL_OK);
}

int PtlEQFree(ptl_handle_eq_t handle)
{
    ENTER;
    struct eq *eq = eq_of(handle);
    if (!eq) {
        return leave(PTL_EQ_INVALID);
    }
    eq->place.used = false;
    pthread_cond_broadcast(&job->news);
    return leave(PTL_OK);
}

static int fetch(struct eq *eq, ptl_event_t *event)
{
    if (!eq) {
        return PTL_EQ_INVALID;
    }
    if (eq->taken == eq->logged) {
        return PTL_EQ_EMPTY;
    }
    const bool lost = eq->lost;
    *event = eq->ring[eq->taken++ % RING];
    eq->lost = false;
    return lost ? PTL_EQ_DROPPED : PTL_OK;
}

int PtlEQGet(ptl_handle_eq_t handle, ptl_event_t *event)
{
    ENTER;
    if (eq_of(handle) && !event) {
        return leave(PTL_SEGV);
    }
    return leave(fetch(eq_of(handle), event));
}

int PtlEQWait(ptl_handle_eq_t handle, ptl_event_t *event)
{
    int code;

    ENTER;
    if (eq_of(handle) && !event) {
        return leave(PTL_SEGV);
    }
    while ((code = fetch(eq_of(handle), event)) == PTL_EQ_EMPTY) {
        pthread_cond_wait(&job->news, &job->lock);
    }
    return leave(code);
}

/* The first of the queues, beginning behind the one that had something last, that has an event. */
static int fetch_any(const ptl_handle_eq_t *handles, int size, ptl_event_t *event, int *which)
{
    static int next;

    for (int i = 0; i < size; i++) {
        if (!eq_of(handles[i])) {
            return PTL_EQ_INVALID;
        }
    }
    for (int i = 0; i < size; i++) {
        const int at = (IN_ORDER ? i : next + i) % size, code = fetch(eq_of(handles[at]), event);
        if (code != PTL_EQ_EMPTY) {
            *which = at;
            next = at + 1;
            return code;
        }
    }
    return PTL_EQ_EMPTY;
}

static struct timespec in_ms(ptl_time_t ms)
{
    struct timespec end;

    clock_gettime(CLOCK_MONOTONIC, &end);
    const long ns = end.tv_nsec + (long)(ms % 1000) * 1000000;
    return (struct timespec){end.tv_sec + (time_t)(ms / 1000) + ns / 1000000000, ns % 1000000000};
}

int PtlEQPoll(ptl_handle_eq_t *handles, int size, ptl_time_t timeout, ptl_event_t *event, int *which)
{
    int code;
    bool late = timeout == 0;

    ENTER;
    if (!handles || !event || !which) {
        return leave(PTL_SEGV);
    }
    const struct timespec end = in_ms(timeout);
    while ((code = fetch_any(handles, size, event, which)) == PTL_EQ_EMPTY && !late) {
        if (timeout == PTL_TIME_FOREVER) {
            pthread_cond_wait(&job->news, &job->lock);
        } else {
            late = pthread_cond_timedwait(&job->news, &job->lock, &end) == ETIMEDOUT;
        }
    }
    return leave(code);
}
