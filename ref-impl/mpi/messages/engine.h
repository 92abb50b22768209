/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The engine: what holds the two devices together. It has the one lock under which requests move, and the one place at
 * which a program waits.
 *
 *      the program's thread         calls MPI; posts, packs, unpacks; takes the events of the local device; waits
 *      the local device's helper    answers those who want to cancel what they have sent (local/cancel.c)
 *      the wide device's thread     reads and writes the link to the host agent (wide/link.c); while the program's
 *                                   thread waits for nothing else, that one does
 *
 * The network under Portals matches and moves messages by itself and needs none of them.
 */
#ifndef REF_IMPL_MPI_MESSAGES_ENGINE_H
#define REF_IMPL_MPI_MESSAGES_ENGINE_H

#include <stdbool.h>

#include "ref-impl/mpi/messages/engine_lock.h"

/* engine_open, engine_close - make and take away both devices; the world is open. False, and a line on stderr. */
bool engine_open(void);
void engine_close(void);

/* engine_advance - takes note of all that has happened, lets fibers go on, and frees abandoned requests that are done.
 * The program's thread, lock held; waits for no call of another process, but may give the lock away as local_advance
 * does. */
void engine_advance(void);

/* engine_wait - blocks, without the lock, until something has happened that may be what is waited for, and takes note
 * of it; meanwhile fibers go on. In a fiber: gives way instead. The program's thread, lock held before and after. */
void engine_wait(enum engine_wait what);

#endif
