/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whether memory is there: see memory.h. A program cannot find that out by itself without being hit by a signal; the
 * system can be asked to copy octets, onto themselves to see whether they may be written, and answers EFAULT. call.c
 * asks before anything is sent or received.
 */
#include "ref-impl/mpi/common/memory.h"

#include <errno.h>
#include <stdint.h>
#include <sys/uio.h>
#include <unistd.h>

bool memory_is_there(const void *address, size_t len, enum memory_use use)
{
    uintptr_t first = (uintptr_t)address;
    struct iovec ends[2] = {{(void *)first, 1}, {(void *)(first + len - 1), 1}};
    char octets[2];
    struct iovec copies[2] = {{&octets[0], 1}, {&octets[1], 1}};
    ssize_t copied;

    if (len == 0 || len - 1 > UINTPTR_MAX - first) {
        return false;
    }
    copied = process_vm_readv(getpid(), use == MEMORY_WRITE ? ends : copies, 2, ends, 2, 0);
    return copied == 2 || (copied < 0 && errno != EFAULT);
}
