/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The engine: see engine.h. The program waits for events of the local device even when it waits for the wide one: the
 * wide device's thread wakes it by a message to itself. So there is one place at which it waits.
 */
#include "ref-impl/mpi/messages/engine.h"

#include <pthread.h>

#include "ref-impl/mpi/common/world.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum engine_wait waiting;      /* guarded by the lock, like the next */
static struct request_list orphans;   /* requests that nobody will ask for */
static struct request_list abandoned; /* ... which are done */

bool engine_open(void)
{
    waiting = ENGINE_NOTHING;
    TAILQ_INIT(&orphans);
    TAILQ_INIT(&abandoned);
    return local_open() && (!world_now()->wide || wide_open());
}

static void free_all(struct request_list *list)
{
    struct request *request;

    while ((request = TAILQ_FIRST(list))) {
        TAILQ_REMOVE(list, request, finished);
        wide_release(request);
        request_free(request);
    }
}

void engine_close(void)
{
    if (world_now()->wide) {
        wide_close();
    }
    engine_lock();
    engine_advance();
    engine_unlock();
    local_close();
    free_all(&orphans); /* what nobody has received */
    free_all(&abandoned);
}

void engine_lock(void)
{
    pthread_mutex_lock(&lock);
}

void engine_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void engine_abandon(struct request *request)
{
    request->abandoned = true;
    TAILQ_INSERT_TAIL(&orphans, request, finished);
    if (request->phase == REQUEST_DONE) {
        engine_abandoned(request);
    }
}

void engine_abandoned(struct request *request)
{
    TAILQ_REMOVE(&orphans, request, finished);
    TAILQ_INSERT_TAIL(&abandoned, request, finished);
}

void engine_advance(void)
{
    struct request *request;

    local_advance();
    while ((request = TAILQ_FIRST(&abandoned))) {
        TAILQ_REMOVE(&abandoned, request, finished);
        request_retire(request, NULL);
        request_free(request);
    }
}

void engine_wait(enum engine_wait what)
{
    local_wait(what == ENGINE_ARRIVAL);
    engine_advance();
}

void engine_sleep(enum engine_wait what)
{
    waiting = what;
    engine_unlock();
}

void engine_awake(void)
{
    engine_lock();
    waiting = ENGINE_NOTHING;
}

enum engine_wait engine_waits_for(void)
{
    return waiting;
}

void engine_wake(void)
{
    if (waiting != ENGINE_NOTHING) {
        local_wake(waiting == ENGINE_ARRIVAL);
    }
}
