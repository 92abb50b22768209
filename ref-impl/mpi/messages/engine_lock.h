/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The one lock under which requests move, and what the program waits for. engine.h draws the threads.
 */
#ifndef REF_IMPL_MPI_MESSAGES_ENGINE_LOCK_H
#define REF_IMPL_MPI_MESSAGES_ENGINE_LOCK_H

#include "ref-impl/mpi/messages/engine_waits.h"

/* engine_lock, engine_unlock - guard all that requests and devices share. Not recursive; held for short times only. */
void engine_lock(void);
void engine_unlock(void);

/* engine_sleep, engine_awake - what a device does around blocking: gives the lock away, and takes it again; in
 * between engine_wake is heard. */
void engine_sleep(enum engine_wait what);
void engine_awake(void);

/* engine_waits_for - what the program's thread waits for at this time. Lock held. */
enum engine_wait engine_waits_for(void);

/* engine_wake - makes a waiting engine_wait return. Lock held, any thread but the program's. */
void engine_wake(void);

#endif
