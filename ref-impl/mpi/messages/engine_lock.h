/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The one lock under which requests move, and what the program waits for. engine.h draws the threads.
 */
#ifndef REF_IMPL_MPI_MESSAGES_ENGINE_LOCK_H
#define REF_IMPL_MPI_MESSAGES_ENGINE_LOCK_H

#include <stdbool.h>

#include "ref-impl/mpi/messages/engine_waits.h"

/* engine_lock_open - makes the lock ready, before any other thread is there. `shared`: one will take it often.
 * engine_lock, engine_unlock - guard all that requests and devices share. For the program's thread, of which one at a
 * time is in MPI. Not recursive; held for short times only.
 * engine_lock_beside, engine_unlock_beside - the same for every other thread. */
void engine_lock_open(bool shared);
void engine_lock(void);
void engine_unlock(void);
void engine_lock_beside(void);
void engine_unlock_beside(void);

/* engine_sleep, engine_awake - what a device does around blocking: gives the lock away, and takes it again; in
 * between engine_wake is heard. */
void engine_sleep(enum engine_wait what);
void engine_awake(void);

/* engine_waits_for - what the program's thread waits for at this time. Lock held. */
enum engine_wait engine_waits_for(void);

/* engine_wake - makes a waiting engine_wait return. Lock held, any thread but the program's. */
void engine_wake(void);

#endif
