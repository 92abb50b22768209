/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whether memory is there: see memory.h. A program cannot find that out by itself without being hit by a signal; the
 * system can be asked to use it, and answers EFAULT. call.c asks before anything is sent or received, so the questions
 * are those that cost the system least: to read a mask of signals for a purpose that there is not, and to add nothing
 * to a word on which nobody sleeps.
 */
#include "ref-impl/mpi/common/memory.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE_SHIFT = 12, NO_PURPOSE = -1, MASK_OCTETS = 8 };

/* Whether what holds this octet, and is aligned, can be read. */
static bool can_read(uintptr_t octet)
{
    uintptr_t mask = octet / MASK_OCTETS * MASK_OCTETS;

    return syscall(SYS_rt_sigprocmask, NO_PURPOSE, mask, NULL, (size_t)MASK_OCTETS) == 0 || errno != EFAULT;
}

/* The same for writing. */
static bool can_write(uintptr_t octet)
{
    uint32_t nobody = 0;
    uintptr_t word = octet / sizeof nobody * sizeof nobody;
    int add_nothing = FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0);

    return syscall(SYS_futex, &nobody, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 0, NULL, word, add_nothing) >= 0 ||
           errno != EFAULT;
}

bool memory_is_there(const void *address, size_t len, enum memory_use use)
{
    bool (*can)(uintptr_t) = use == MEMORY_WRITE ? can_write : can_read;
    uintptr_t first = (uintptr_t)address;
    uintptr_t last = first + len - 1;

    if (len == 0 || last < first) {
        return false;
    }
    return can(first) && (first >> PAGE_SHIFT == last >> PAGE_SHIFT || can(last));
}
