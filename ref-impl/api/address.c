/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * PTL_SEGV: whether an address may be used (api_readable, api_writable of api.h). A program cannot find that out by
 * itself without being hit by the signal; the system can be asked to copy octets onto themselves, and answers EFAULT.
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

/* The first and the last octet of a range that does not wrap around. */
struct ends {
    struct iovec octet[2];
};

static bool find_ends(const void *address, size_t len, struct ends *ends)
{
    uintptr_t first = (uintptr_t)address;

    if (!address || len - 1 > UINTPTR_MAX - first) {
        return false;
    }
    ends->octet[0] = (struct iovec){.iov_base = (void *)first, .iov_len = 1};
    ends->octet[1] = (struct iovec){.iov_base = (void *)(first + len - 1), .iov_len = 1};
    return true;
}

/* Whether the system can copy two octets. When it cannot be asked, it can. */
static bool can_copy(const struct iovec *to, unsigned long to_count, const struct ends *from)
{
    ssize_t copied = process_vm_readv(getpid(), to, to_count, from->octet, 2, 0);

    return copied == 2 || (copied < 0 && errno != EFAULT);
}

static bool is_remembered(const struct iovec *octet)
{
    for (unsigned i = 0; i < REMEMBERED; i++) {
        if (remembered[i] == ((uintptr_t)octet->iov_base >> PAGE_SHIFT) + 1) {
            return true;
        }
    }
    return false;
}

static void remember(const struct iovec *octet)
{
    if (!is_remembered(octet)) {
        remembered[remembered_next++ % REMEMBERED] = ((uintptr_t)octet->iov_base >> PAGE_SHIFT) + 1;
    }
}

bool api_writable(void *address, size_t len)
{
    struct ends ends;

    if (!find_ends(address, len, &ends)) {
        return false;
    }
    if (is_remembered(&ends.octet[0]) && is_remembered(&ends.octet[1])) {
        return true;
    }
    if (!can_copy(ends.octet, 2, &ends)) {
        return false;
    }
    remember(&ends.octet[0]);
    remember(&ends.octet[1]);
    return true;
}

bool api_readable(const void *address, size_t len)
{
    char octets[2];
    struct iovec to = {.iov_base = octets, .iov_len = sizeof(octets)};
    struct ends ends;

    return find_ends(address, len, &ends) && can_copy(&to, 1, &ends);
}
