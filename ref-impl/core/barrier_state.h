/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What an interface keeps of the barriers of its group; barrier.h says what for.
 */
#ifndef REF_IMPL_CORE_BARRIER_STATE_H
#define REF_IMPL_CORE_BARRIER_STATE_H

#include "ref-impl/core/gate.h"
#include <pthread.h>

#include <stdbool.h>
#include <stdint.h>

enum { BARRIER_ROUNDS = 32 }; /* enough for any number of ranks */

/* struct barrier is guarded by the lock of its interface. All zero but for the condition is one that nobody has called
 * yet. */
struct barrier {
    struct gate arrived; /* `heard` or `busy` changed */
    uint64_t sequence;   /* barriers begun by this process */
    bool busy;           /* a thread is in the barrier; the next one waits for its own turn */
    uint64_t heard[BARRIER_ROUNDS];
};

#endif
