/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A lock that favours the thread which uses it: see lock.h.
 */
#include "ref-impl/lock.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ref-impl/short_path.h"

/* How often a thread takes the mutex before it is favoured. Taking that back costs a hundred times what it spares the
 * thread once. */
enum { TIMES_ALONE = 256 };

static bool may_favour; /* whether the system knows such a barrier; stays as it is */

static bool barrier(int command)
{
    return syscall(SYS_membarrier, command, 0, 0) == 0;
}

/* While there is no other thread: later this takes long. */
__attribute__((constructor)) static void barrier_prepare(void)
{
    may_favour = barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

void lock_init(struct lock *lock)
{
    *lock = (struct lock){.last = NULL};
    pthread_mutex_init(&lock->mutex, NULL);
}

void lock_destroy(struct lock *lock)
{
    pthread_mutex_destroy(&lock->mutex);
}

/* Nobody is favoured any more. Returns when whoever was is outside. */
static void favour_nobody(struct lock *lock)
{
    atomic_store_explicit(&lock->favours, false, memory_order_relaxed);
    (void)barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    while (atomic_load_explicit(&lock->inside, memory_order_acquire)) {
        sched_yield();
    }
}

/* The calling thread may be favoured from now on; it has the mutex until it gives it back. */
static void favour(struct lock *lock, const void *thread)
{
    const void *favoured = atomic_load_explicit(&lock->favoured, memory_order_relaxed);

    if (may_favour && (!favoured || favoured == thread)) {
        atomic_store_explicit(&lock->favoured, thread, memory_order_relaxed);
        atomic_store_explicit(&lock->favours, true, memory_order_release);
    }
}

/* The calling thread has just got the mutex. */
static void enter(struct lock *lock)
{
    const void *thread = lock_thread();

    if (lock->last == thread) {
        if (++lock->times == TIMES_ALONE) {
            favour(lock, thread);
        }
        return;
    }
    if (atomic_load_explicit(&lock->favours, memory_order_relaxed)) {
        favour_nobody(lock);
    }
    lock->last = thread;
    lock->times = 0;
}

ASIDE void lock_take_mutex(struct lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    enter(lock);
}

/* Who has no mutex takes it before it can sleep on it; what has changed in between, nobody may have signalled. */
void lock_wait(struct lock *lock, pthread_cond_t *changed)
{
    if (lock_is_favoured(lock) && atomic_load_explicit(&lock->inside, memory_order_relaxed)) {
        lock_give(lock);
        lock_take_mutex(lock);
        return;
    }
    pthread_cond_wait(changed, &lock->mutex);
    enter(lock);
}
