/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Requests of one-sided communication: see windows/request.h.
 */
#include "ref-impl/mpi/windows/request.h"

#include "ref-impl/mpi/communicators/comm.h"
#include "ref-impl/mpi/messages/engine_lock.h"
#include "ref-impl/mpi/messages/fiber.h"
#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/mpi/types/type.h"
#include "ref-impl/mpi/windows/window.h"

static unsigned active; /* requests that are not done */
static bool is_watched; /* there is a fiber that looks */
static void (*looks)(void);

/* A fiber. Begins, gives way and ends with the lock held. */
static void watch(void *unused)
{
    (void)unused;
    for (;;) {
        engine_unlock();
        looks();
        engine_lock();
        if (active == 0) {
            is_watched = false;
            return;
        }
        fiber_yield_to_look();
    }
}

static bool begin_watch(void)
{
    if (!is_watched) {
        is_watched = true;
        is_watched = fiber_begin(watch, NULL);
    }
    return is_watched;
}

struct request *windows_request_new(struct mpi_win *win, void (*look)(void))
{
    struct p2p_message nothing = {
        .comm = win->comm, .peer = MPI_PROC_NULL, .tag = MPI_ANY_TAG, .type = type_find(MPI_BYTE)};
    struct request *request = request_new(REQUEST_OPERATION, P2P_STANDARD, &nothing);
    bool watched;

    if (!request) {
        return NULL;
    }
    request->phase = REQUEST_ACTIVE;
    request->started = true;
    request->outcome = (struct request_outcome){.source = MPI_PROC_NULL, .lsrank = -1, .tag = MPI_ANY_TAG};
    engine_lock();
    active++;
    looks = look;
    watched = begin_watch();
    engine_unlock();
    if (!watched) {
        windows_request_drop(request);
        return NULL;
    }
    return request;
}

void windows_request_done(struct request *request)
{
    if (request) {
        engine_lock();
        active--;
        request_finish(request);
        engine_unlock();
    }
}

void windows_request_drop(struct request *request)
{
    if (request) {
        engine_lock();
        active--;
        engine_unlock();
        request_free(request);
    }
}
