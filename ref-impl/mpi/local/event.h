/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is heard of the local device's requests, and waiting for it: see event.c. Engine's lock held throughout.
 */
#ifndef REF_IMPL_MPI_LOCAL_EVENT_H
#define REF_IMPL_MPI_LOCAL_EVENT_H

#include <stdbool.h>

#include "ref-impl/mpi/messages/engine_waits.h"
#include "ref-impl/short_path.h"

/* local_advance - takes note of all events that have come. May give the lock away as local_receive does, when it posts
 * receives that had to wait. The program's thread. */
ASIDE void local_advance(void);

/* local_wait - gives the lock away until an event has come, of an arrival, of a request, or of either, and takes
 * note of it.
 * Returns at once where only looking again and again would notice everything. The program's thread. */
void local_wait(enum engine_wait what);

/* local_idle - whether nothing is under way of which local_wait could hear. */
bool local_idle(void);

/* local_await_left - waits until what local_send_now has sent has left. The program's thread. */
ASIDE void local_await_left(void);

/* local_wake - makes local_wait return. Any thread but the program's. */
void local_wake(bool arrivals);

#endif
