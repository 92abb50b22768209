/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The engine's lock: see engine_lock.h. The program waits for events of the local device also when it waits for both,
 * and the wide-area one's thread wakes it by a message to itself; where the local one is idle, it waits for the link.
 *
 * The program's thread takes the lock several times for each message, the local device's helper hardly ever. So the
 * former only says that it is inside, and looks whether others want to be; the latter say that they want to, make all
 * processors have seen that (membarrier), and wait until the program's thread is outside. From then on that one sees
 * them, and takes the mutex like everybody while they are there:
 *
 *      program's thread                    another
 *      inside = true                       others++
 *      others == 0?  yes: it has it        membarrier: now either others has been seen, or inside can be
 *           no: inside = false, mutex      wait until inside is false; mutex
 *
 * Each looks at what the other has written after it has written itself, so one of them sees the other. What usually
 * takes an atomic operation of each takes none of the first, because the second orders the memory of both. Where a
 * thread takes the lock all the time, which that of the wide device does, or where the system knows no such barrier,
 * there is the mutex alone.
 */
#include "ref-impl/mpi/messages/engine_lock.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ref-impl/mpi/messages/device.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum engine_wait waiting; /* guarded by the lock */

static bool always_mutex = true; /* stays as it is while there are other threads */
static _Atomic unsigned others;  /* other threads that have the lock or want it; with always_mutex one more */
static _Atomic bool inside;      /* the program's thread has it without the mutex, or is about to look at `others` */
static bool with_mutex;          /* the program's thread has it with the mutex; its own */

static int barrier(int command)
{
    return (int)syscall(SYS_membarrier, command, 0, 0);
}

void engine_lock_open(bool shared)
{
    int known = shared ? 0 : barrier(MEMBARRIER_CMD_QUERY);

    always_mutex = known < 0 || !(known & MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    atomic_store(&others, always_mutex);
}

static void lock_with_mutex(void)
{
    atomic_store_explicit(&inside, false, memory_order_release);
    pthread_mutex_lock(&lock);
    with_mutex = true;
}

void engine_lock(void)
{
    atomic_store_explicit(&inside, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst); /* the compiler keeps the order, the others' barrier does the rest */
    if (atomic_load_explicit(&others, memory_order_acquire) > 0) {
        lock_with_mutex();
    }
}

void engine_unlock(void)
{
    if (with_mutex) {
        with_mutex = false;
        pthread_mutex_unlock(&lock);
    } else {
        atomic_store_explicit(&inside, false, memory_order_release);
    }
}

/* Waits until the program's thread has either seen that there are others, or is outside. */
static void await_outside(void)
{
    if (barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) < 0) {
        (void)barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); /* the first time */
        (void)barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    }
    while (atomic_load_explicit(&inside, memory_order_acquire)) {
        sched_yield();
    }
}

void engine_lock_beside(void)
{
    atomic_fetch_add(&others, 1);
    if (!always_mutex) {
        await_outside();
    }
    pthread_mutex_lock(&lock);
}

void engine_unlock_beside(void)
{
    pthread_mutex_unlock(&lock);
    atomic_fetch_sub(&others, 1);
}

void engine_sleep(enum engine_wait what)
{
    waiting = what;
    engine_unlock();
}

void engine_awake(void)
{
    engine_lock();
    waiting = ENGINE_NOTHING;
}

enum engine_wait engine_waits_for(void)
{
    return waiting;
}

void engine_wake(void)
{
    if (waiting != ENGINE_NOTHING) {
        device_at(DEVICE_LOCAL)->wake(waiting == ENGINE_ARRIVAL); /* who waits for either looks again and again */
    }
}
