/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The engine's lock: see engine_lock.h. The program waits for events of the local device even when it waits for the
 * wide-area one, whose thread wakes it by a message to itself. So there is one place at which it waits.
 */
#include "ref-impl/mpi/messages/engine_lock.h"

#include <pthread.h>

#include "ref-impl/mpi/messages/device.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum engine_wait waiting; /* guarded by the lock */

void engine_lock(void)
{
    pthread_mutex_lock(&lock);
}

void engine_unlock(void)
{
    pthread_mutex_unlock(&lock);
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
        device_at(DEVICE_LOCAL)->wake(waiting == ENGINE_ARRIVAL); /* who waits for either looks again and again */
    }
}
