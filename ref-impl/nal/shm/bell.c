/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How processes wake each other: bits that say where there is something to do, and a futex to sleep on; see
 * segment.h. Who rings sets a bit and then looks whether the owner sleeps; who sleeps says so and then looks at the
 * bits. Whatever the order of the two, one of them sees the other.
 */
#include "ref-impl/nal/shm/segment.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void shm_bell_ring(struct shm_inbox *inbox)
{
    if (atomic_load(&inbox->sleeping) && atomic_exchange(&inbox->sleeping, 0)) {
        atomic_fetch_add(&inbox->bell, 1);
        (void)syscall(SYS_futex, &inbox->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
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

void shm_bell_sleep(struct shm_inbox *inbox, _Atomic uint32_t *wanted, uint32_t words, int timeout_ms)
{
    struct timespec timeout = {timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000};
    uint32_t seen = atomic_load(&inbox->bell);

    atomic_store(&inbox->sleeping, 1);
    if (!atomic_load(wanted) && !shm_bell_pending(inbox, words)) {
        (void)syscall(SYS_futex, &inbox->bell, FUTEX_WAIT, seen, timeout_ms < 0 ? NULL : &timeout, NULL, 0);
    }
    /* Another thread of the owner may sleep here still: at worst somebody rings once for nobody. */
}
