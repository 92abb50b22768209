/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * PTL_SEGV: whether an address may be used (api_readable, api_writable of api.h). A program cannot find that out by
 * itself without being hit by the signal; the system can be asked to copy one octet onto itself, and answers EFAULT.
 *
 * That costs a system call, so what was good is remembered: a few pages for each thread. A page that is unmapped
 * later is then not noticed, which the text of portals.h allows for.
 */
#include <errno.h>
#include <stdint.h>
#include <sys/uio.h>
#include <unistd.h>

#include "ref-impl/api/api.h"

enum { PAGE_SHIFT = 12, REMEMBERED = 4 };

static _Thread_local uintptr_t remembered[REMEMBERED]; /* page numbers, plus 1 */
static _Thread_local unsigned remembered_next;

/* Whether the system can copy one octet from `from` to `to`. When it cannot be asked, it can. */
static bool can_copy(void *to, const void *from)
{
    struct iovec local = {.iov_base = to, .iov_len = 1};
    struct iovec remote = {.iov_base = (void *)(uintptr_t)from, .iov_len = 1};

    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1 || errno != EFAULT;
}

static bool is_writable_octet(uintptr_t address)
{
    uintptr_t page = (address >> PAGE_SHIFT) + 1;

    for (unsigned i = 0; i < REMEMBERED; i++) {
        if (remembered[i] == page) {
            return true;
        }
    }
    if (!can_copy((void *)address, (const void *)address)) {
        return false;
    }
    remembered[remembered_next++ % REMEMBERED] = page;
    return true;
}

bool api_writable(void *address, size_t len)
{
    uintptr_t first = (uintptr_t)address;

    if (!address || len - 1 > UINTPTR_MAX - first) {
        return false;
    }
    return is_writable_octet(first) && is_writable_octet(first + len - 1);
}

bool api_readable(const void *address, size_t len)
{
    uintptr_t first = (uintptr_t)address;
    char octet;

    if (!address || len - 1 > UINTPTR_MAX - first) {
        return false;
    }
    return can_copy(&octet, address) && can_copy(&octet, (const void *)(first + len - 1));
}
