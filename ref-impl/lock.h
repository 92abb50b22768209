/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A lock that favours the thread which uses it: an interface's, and a network's. Mostly one thread calls, and does the
 * network's work besides, so that it takes the lock several times for a message, and no other ever does. A mutex makes
 * it take memory from all others each time and give it back, which costs as much as the rest of the message.
 *
 * So who has taken the mutex many times, one behind the other, with nobody in between, is favoured: it only says that
 * it is inside, and looks whether it is still favoured. Whoever else comes takes the mutex, says that nobody is
 * favoured, makes all processors have seen that (membarrier), and waits until the favoured thread is outside:
 *
 *      the favoured thread                     another, with the mutex
 *      inside = true                           favours = false
 *      favours?  yes: it has the lock          membarrier: now either that has been seen, or inside can be
 *           no: inside = false, mutex          wait until inside is false: it has the lock
 *
 * Each looks at what the other has written after it has written itself, so one of them sees the other. What takes an
 * atomic operation of each elsewhere takes none of the first, because the second orders the memory of both. From then
 * on all take the mutex, until the favoured thread has been alone again for as long.
 *
 * A lock favours one thread in its life: nobody else ever writes that it is inside.
 */
#ifndef REF_IMPL_LOCK_H
#define REF_IMPL_LOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct lock {
    pthread_mutex_t mutex;
    _Atomic(const void *) favoured; /* the thread that is favoured, or has been; NULL: none yet */
    _Atomic bool favours;           /* it may go in without the mutex; changes with the mutex only */
    _Atomic bool inside;            /* it has gone in without the mutex, or is about to look whether it may */

    /* Guarded by the mutex. */
    const void *last; /* the thread that took it last */
    unsigned times;   /* how often in a row, but for the first time */
};

/* lock_init - makes one in memory whose content does not matter.
 * lock_destroy - ends one that nobody has. */
void lock_init(struct lock *lock);
void lock_destroy(struct lock *lock);

/* lock_wait - gives the lock away until `changed` is signalled, or for a moment: the caller looks again. */
void lock_wait(struct lock *lock, pthread_cond_t *changed);

/* lock_take_mutex - lock_take of a thread that may not go in without the mutex. */
void lock_take_mutex(struct lock *lock);

/* lock_thread - what no two threads have in common that live at the same time. */
static inline const void *lock_thread(void)
{
    return __builtin_thread_pointer();
}

/* lock_is_favoured - whether the caller is, or has been, favoured. */
static inline bool lock_is_favoured(struct lock *lock)
{
    return atomic_load_explicit(&lock->favoured, memory_order_relaxed) == lock_thread();
}

/* lock_take - takes the lock, which the caller has not got. */
static inline __attribute__((always_inline)) void lock_take(struct lock *lock)
{
    if (lock_is_favoured(lock)) {
        atomic_store_explicit(&lock->inside, true, memory_order_relaxed);
        atomic_signal_fence(memory_order_seq_cst); /* the compiler keeps the order, the others' barrier does the rest */
        if (atomic_load_explicit(&lock->favours, memory_order_acquire)) {
            return;
        }
        atomic_store_explicit(&lock->inside, false, memory_order_release);
    }
    lock_take_mutex(lock);
}

/* lock_give - gives it back. */
static inline __attribute__((always_inline)) void lock_give(struct lock *lock)
{
    if (lock_is_favoured(lock) && atomic_load_explicit(&lock->inside, memory_order_relaxed)) {
        atomic_store_explicit(&lock->inside, false, memory_order_release);
    } else {
        pthread_mutex_unlock(&lock->mutex);
    }
}

#endif
