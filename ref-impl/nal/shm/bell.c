/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How processes wake each other: bits that say where there is something to do, and a futex to sleep on; see
 * segment.h. Who rings sets a bit and then looks whether the owner sleeps; who sleeps says so and then looks at the
 * bits. Whatever the order of the two, one of them sees the other.
 *
 *       31                        8 7             0
 *      +---------------------------+---------------+
 *      |   how often it has rung   |   sleepers    |   the bell: one word, so that nobody rings for those who are awake
 *      +---------------------------+---------------+
 *
 * Ringing wakes all who sleep and counts them out; who wakes of itself counts itself out, unless it has rung since.
 */
#include "ref-impl/nal/shm/segment.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BELL_SLEEPERS = 0xff, BELL_RING = 0x100 };

static uint32_t rings_of(uint32_t bell)
{
    return bell / BELL_RING;
}

void shm_bell_ring(struct shm_inbox *inbox)
{
    uint32_t bell = atomic_load(&inbox->bell);

    while (bell & BELL_SLEEPERS) {
        if (atomic_compare_exchange_weak(&inbox->bell, &bell, (rings_of(bell) + 1) * BELL_RING)) {
            (void)syscall(SYS_futex, &inbox->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
            return;
        }
    }
}

/* Counts itself out. */
static void bell_leave(struct shm_inbox *inbox, uint32_t since)
{
    uint32_t bell = atomic_load(&inbox->bell);

    while (rings_of(bell) == rings_of(since) && (bell & BELL_SLEEPERS) &&
           !atomic_compare_exchange_weak(&inbox->bell, &bell, bell - 1)) {
    }
}

void shm_bell_mark(struct shm_inbox *inbox, uint32_t rank, uint32_t interface)
{
    uint32_t bit = rank * SHM_INTERFACES + interface;
    uint64_t mask = (uint64_t)1 << (bit % SHM_PENDING_BITS);

    atomic_fetch_or(&inbox->pending[bit / SHM_PENDING_BITS], mask);
    shm_bell_ring(inbox);
}

bool shm_bell_pending(struct shm_inbox *inbox, uint32_t words)
{
    for (uint32_t word = 0; word < words; word++) {
        if (atomic_load(&inbox->pending[word]) != 0) {
            return true;
        }
    }
    return false;
}

bool shm_bell_sleepers(struct shm_inbox *inbox)
{
    return atomic_load(&inbox->bell) & BELL_SLEEPERS;
}

void shm_bell_sleep(struct shm_inbox *inbox, _Atomic uint32_t *wanted, _Atomic bool *watched, uint32_t words,
                    int timeout_ms)
{
    struct timespec timeout = {timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000};
    uint32_t since = atomic_fetch_add(&inbox->bell, 1) + 1;

    if (!atomic_load(wanted) && !atomic_load(watched) && !shm_bell_pending(inbox, words)) {
        (void)syscall(SYS_futex, &inbox->bell, FUTEX_WAIT, since, timeout_ms < 0 ? NULL : &timeout, NULL, 0);
    }
    bell_leave(inbox, since);
}
