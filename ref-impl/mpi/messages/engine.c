/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The engine: see engine.h.
 */
#include "ref-impl/mpi/messages/engine.h"

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/messages/beside.h"
#include "ref-impl/mpi/messages/device.h"
#include "ref-impl/mpi/messages/fiber.h"
#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/mpi/messages/request_transfer.h"

bool engine_open(void)
{
    request_abandon_none();
    engine_lock_open(world_now()->wide);
    if (!mpi_devices_choose() || !device_at(DEVICE_LOCAL)->open()) {
        return false;
    }
    return !world_now()->wide || device_at(DEVICE_WIDE)->open();
}

void engine_close(void)
{
    struct request *request;

    if (world_now()->wide) {
        device_at(DEVICE_WIDE)->close();
    }
    engine_lock();
    engine_advance();
    engine_unlock();
    device_at(DEVICE_LOCAL)->close();
    fiber_close();
    while ((request = request_abandoned_any())) { /* what nobody has received */
        device_at(DEVICE_WIDE)->release(request);
        request_let_go(request);
        request_free(request);
    }
    request_close();
}

/* Frees the abandoned requests that are done. */
static void abandoned_free(void)
{
    struct request *request;

    while ((request = request_abandoned_done())) {
        request_retire(request, NULL);
        request_free(request);
    }
}

/* Resumes the fibers, until none of them has anything to go on with: each has looked since the last request got done.
 * Whether any request got done meanwhile. */
static bool fibers_go_on(void)
{
    unsigned long before = request_finishes(), seen;

    do {
        seen = request_finishes();
        fiber_run();
    } while (request_finishes() != seen);
    return seen != before;
}

void engine_advance(void)
{
    device_at(DEVICE_LOCAL)->advance();
    beside_look();
    if (fiber_any() && !fiber_is_running()) {
        (void)fibers_go_on();
    }
    abandoned_free();
}

/* Waits for a request of another client where nothing else is under way: its octets wake the program themselves. */
static bool wait_wide(void)
{
    const struct device *local = device_at(DEVICE_LOCAL), *wide = device_at(DEVICE_WIDE);

    return wide && wide->wait_alone && local->idle && local->idle() && wide->wait_alone();
}

void engine_wait(enum engine_wait what)
{
    if (fiber_is_running()) {
        fiber_yield();
        return;
    }
    /* What the fibers do may be what is waited for; and they may wait for the other kind of event. */
    if (!fiber_any() || !fibers_go_on()) {
        if (what == ENGINE_COMPLETION && !fiber_any() && wait_wide()) {
            abandoned_free();
            return;
        }
        device_at(DEVICE_LOCAL)->wait(fiber_looks() || (fiber_any() && what == ENGINE_ARRIVAL) ? ENGINE_EITHER : what);
    }
    abandoned_free();
}
