/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The engine: see engine.h.
 */
#include "ref-impl/mpi/messages/engine.h"

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/messages/device.h"
#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/mpi/messages/request_transfer.h"

bool engine_open(void)
{
    request_abandon_none();
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
    while ((request = request_abandoned_any())) { /* what nobody has received */
        device_at(DEVICE_WIDE)->release(request);
        request_free(request);
    }
    request_spares_free();
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

void engine_advance(void)
{
    device_at(DEVICE_LOCAL)->advance();
    abandoned_free();
}

void engine_wait(enum engine_wait what)
{
    device_at(DEVICE_LOCAL)->wait(what == ENGINE_ARRIVAL);
    abandoned_free();
}
