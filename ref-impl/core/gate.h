/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where calls wait for something that comes over the network: an event in a queue, the others in a barrier. Whoever
 * waits drives the network itself where that is possible (nal/drive.h): where nobody else does, or where the one who
 * does sleeps and gives way. The others sleep until they are told.
 */
#ifndef REF_IMPL_CORE_GATE_H
#define REF_IMPL_CORE_GATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct lock;
struct nal;

/* struct gate is guarded by the lock of its interface; `told` is also read without. */
struct gate {
    struct lock *lock;
    struct nal **nal; /* the interface's, while it is open */
    pthread_cond_t changed;
    _Atomic unsigned told; /* how often something has changed */
    unsigned sleeping;     /* threads that wait for `changed` */
    unsigned driving;      /* threads that drive the network meanwhile, or are about to */
};

/* gate_init - makes a gate in memory whose content does not matter.
 * gate_destroy - ends one at which nobody waits. */
void gate_init(struct gate *gate, struct lock *lock, struct nal **nal);
void gate_destroy(struct gate *gate);

/* gate_await - waits until something may have changed, also when it has not: the caller looks again. `first`: this is
 * the first time, and the caller may take the place of one who sleeps while it drives; later times not, or two would
 * wake each other. Gives the lock back meanwhile.
 * gate_poll - does what has come over the network, if nobody else is about it. Gives the lock back meanwhile.
 * gate_tell - something has changed for one of those who wait.
 * gate_tell_all - something has changed for all. Lock held, as for all here. */
void gate_await(struct gate *gate, bool first);
void gate_poll(struct gate *gate);
void gate_tell(struct gate *gate);
void gate_tell_all(struct gate *gate);

#endif
