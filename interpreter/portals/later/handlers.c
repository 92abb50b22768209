/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Event queues with a handler: see handlers.h, and specs/interpreter.md, section 8.
 *
 * A handler gets an event and nothing that says of which queue, so each queue has a function of its own. The library
 * may call it on any thread, with locks of its own held: it copies the event, and calls nothing of the library.
 */
#include "handlers.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "../../common/times.h"

#if PORTALS_LATER >= 33

enum { HANDLERS_MOST = 4, KEPT_MOST = 1024, TOLD_MOST = 256, PAUSE_US = 200 };

/* struct handled belongs to the last queue that was made under this name, also when it has been freed. */
struct handled {
    char name[NAME_OCTETS];
    unsigned long long calls; /* all that there were, with an event or without */
    unsigned kept;
    ptl_event_t events[KEPT_MOST];
};

static struct handled queues[HANDLERS_MOST];
static pthread_mutex_t queues_lock = PTHREAD_MUTEX_INITIALIZER;

static void keep(struct handled *queue, const ptl_event_t *event)
{
    pthread_mutex_lock(&queues_lock);
    queue->calls++;
    if (event && queue->kept < KEPT_MOST)
        queue->events[queue->kept++] = *event;
    pthread_mutex_unlock(&queues_lock);
}

#define HANDLER(index)                                                                                                 \
    static void handler_##index(ptl_event_t *event)                                                                    \
    {                                                                                                                  \
        keep(&queues[index], event);                                                                                   \
    }
HANDLER(0)
HANDLER(1)
HANDLER(2)
HANDLER(3)

static void (*const functions[HANDLERS_MOST])(ptl_event_t *) = {handler_0, handler_1, handler_2, handler_3};

/* find gives the place of that name, HANDLERS_MOST when there is none; "" is a place that is free. With the lock. */
static unsigned find(const char *name)
{
    unsigned place = 0;

    while (place < HANDLERS_MOST && strcmp(queues[place].name, name) != 0)
        place++;
    return place;
}

/* read_queue reads the name of a queue with a handler. */
static struct handled *read_queue(struct call *call, const char *key)
{
    const char *name = call_value(call, key);
    unsigned place;

    pthread_mutex_lock(&queues_lock);
    place = name[0] ? find(name) : HANDLERS_MOST;
    pthread_mutex_unlock(&queues_lock);
    if (place < HANDLERS_MOST)
        return &queues[place];
    failure_set(&call->failure, "unknown-name", "%s: no queue with a handler is called %.40s", key, name);
    return NULL;
}

/* take finds a place for a queue of that name and empties it. */
static unsigned take(const char *name)
{
    unsigned place;

    pthread_mutex_lock(&queues_lock);
    place = find(name);
    if (place == HANDLERS_MOST)
        place = find("");
    if (place < HANDLERS_MOST) {
        snprintf(queues[place].name, sizeof queues[place].name, "%s", name);
        queues[place].calls = queues[place].kept = 0;
    }
    pthread_mutex_unlock(&queues_lock);
    return place;
}

void run_handler_alloc(struct call *call)
{
    ptl_size_t count = (ptl_size_t)call_bits(call, "count", sizeof count, NULL, 0);
    ptl_handle_eq_t handle, *handle_at = call_output(call, "handle", &handle);
    ptl_handle_ni_t interface;
    unsigned place;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    if (call_failed(call))
        return;
    place = take(call_value(call, "handle"));
    if (place == HANDLERS_MOST) {
        failure_set(&call->failure, "no-memory", "there are %d queues with a handler already", HANDLERS_MOST);
        return;
    }
    memset(&handle, 0, sizeof handle);
    call_enter(call, "PtlEQAlloc");
    code = PtlEQAlloc(interface, count, functions[place], handle_at);
    call_leave(call);
    if (result_code(call, code))
        call_keep(call, "handle", KIND_EQ, &handle, false);
}

/* give_first moves up to `wanted` of the events that are kept to `events`, the oldest first. */
static unsigned give_first(struct handled *queue, ptl_event_t *events, unsigned wanted, unsigned long long *calls)
{
    unsigned given;

    pthread_mutex_lock(&queues_lock);
    given = queue->kept < wanted ? queue->kept : wanted;
    memcpy(events, queue->events, given * sizeof *events);
    queue->kept -= given;
    memmove(queue->events, queue->events + given, queue->kept * sizeof *events);
    *calls = queue->calls;
    pthread_mutex_unlock(&queues_lock);
    return given;
}

void run_handled(struct call *call)
{
    unsigned wanted = (unsigned)call_count(call, "count", 1, TOLD_MOST), given = 0;
    ptl_event_t *events = call_memory(call, TOLD_MOST * sizeof *events);
    struct handled *queue = read_queue(call, "eventq");
    long long until = call_until(call);
    unsigned long long calls = 0;

    if (!queue || !events || call_failed(call))
        return;
    for (;;) {
        given += give_first(queue, events + given, wanted - given, &calls);
        if (given == wanted || times_now_ms() >= until)
            break;
        times_sleep_us(PAUSE_US);
    }
    line_add(&call->result, " calls=%llu events=%u", calls, given);
    for (unsigned i = 0; i < given; i++) {
        char prefix[16];
        snprintf(prefix, sizeof prefix, "e%u.", i);
        result_add_event(&call->result, prefix, &events[i]);
    }
}

#endif
