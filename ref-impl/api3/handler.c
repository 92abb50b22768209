/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Event queues with a handler: see handler.h.
 *
 * Such a queue is followed by another one, which gets the same events (eq_follow). A thread takes them from there and
 * calls the handler, so that it runs without any lock and may call the library. When the queue is freed the thread ends
 * behind the events that were logged until then, when the interface is closed at once.
 */
#include "ref-impl/api3/handler.h"

#include <assert.h>
#include <pthread.h>
#include <revision.h>
#include <stdlib.h>

#include "ref-impl/core/eq.h"

struct handler {
    struct handler *next;
    ptl_eq_handler_t function;
    uint64_t queue, follower;
    pthread_t thread;
};

static struct handler *handlers; /* by the lock */
static pthread_mutex_t handlers_lock = PTHREAD_MUTEX_INITIALIZER;

/* Destroys a follower, unless it went with its interface. */
static void forget(uint64_t follower)
{
    enum core_status status = eq_free(follower);

    assert(status == CORE_OK || status == CORE_BAD_QUEUE);
    (void)status;
}

static void *run(void *argument)
{
    const struct handler *handler = argument;
    ptl_eq_handler_t function = handler->function;
    uint64_t follower = handler->follower; /* `handler` may be freed while the function runs */
    struct core_event logged;
    enum core_status status;

    while ((status = eq_wait(follower, &logged)) == CORE_OK || status == CORE_EVENT_AND_GAP) {
        ptl_event_t event = revision_event(&logged);

        function(&event);
    }
    forget(follower);
    return NULL;
}

/* The handler of a queue, or any one for CORE_NONE; NULL: there is none. */
static struct handler *take(uint64_t queue)
{
    struct handler **link = &handlers, *found;

    pthread_mutex_lock(&handlers_lock);
    while (*link && queue != CORE_NONE && (*link)->queue != queue) {
        link = &(*link)->next;
    }
    found = *link;
    if (found) {
        *link = found->next;
    }
    pthread_mutex_unlock(&handlers_lock);
    return found;
}

enum core_status handler_alloc(uint64_t interface, uint64_t count, ptl_eq_handler_t function, uint64_t *handle)
{
    struct handler *handler = malloc(sizeof(*handler));
    enum core_status status = handler ? eq_alloc(interface, count, &handler->queue) : CORE_NO_SPACE;

    if (status != CORE_OK) {
        goto free_handler;
    }
    status = eq_follow(handler->queue, &handler->follower);
    if (status != CORE_OK) {
        goto free_queue;
    }
    handler->function = function;
    if (pthread_create(&handler->thread, NULL, run, handler) != 0) {
        status = CORE_NO_SPACE;
        goto free_follower;
    }
    *handle = handler->queue;
    pthread_mutex_lock(&handlers_lock);
    handler->next = handlers;
    handlers = handler;
    pthread_mutex_unlock(&handlers_lock);
    return CORE_OK;
free_follower:
    forget(handler->follower);
free_queue:
    if (eq_free(handler->queue) != CORE_OK) {
        status = CORE_BAD_INTERFACE; /* it was closed meanwhile */
    }
free_handler:
    free(handler);
    return status;
}

static void end(struct handler *handler)
{
    if (handler && pthread_equal(handler->thread, pthread_self())) {
        forget(handler->follower); /* it has asked not to be called again */
        pthread_detach(handler->thread);
    } else if (handler) {
        pthread_join(handler->thread, NULL);
    }
    free(handler);
}

enum core_status handler_free(uint64_t handle)
{
    enum core_status status = eq_free(handle);

    if (status == CORE_OK) {
        end(take(handle));
    }
    return status;
}

void handler_join_all(void)
{
    struct handler *handler;

    while ((handler = take(CORE_NONE))) {
        end(handler);
    }
}
