/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whether an address may be used, so that a wrong one is an error and not a crash: for the functions that programs
 * call, of Portals and of MPI. A program cannot find that out by itself without being hit by a signal; the system can
 * be asked to use the memory, and answers EFAULT.
 *
 * That costs a system call, which is more than a short message does. So pages that were good are remembered, and not
 * asked about again while no other has taken their place in a small table. A page that is unmapped later is then not
 * noticed: using it ends the program by SIGSEGV, as it does in any library that does not look. Portals leaves how far
 * one looks to what the system makes possible, MPI says nothing of it; memory that was never there is found by both.
 */
#ifndef REF_IMPL_ADDRESS_H
#define REF_IMPL_ADDRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a call does with memory. */
enum address_use { ADDRESS_READ, ADDRESS_WRITE };

enum { ADDRESS_PAGE_SHIFT = 12, ADDRESS_PAGES_KEPT = 64 };

/* struct address_pages - pages that were good, by their numbers plus 1: see address.c. */
struct address_pages {
    _Atomic uintptr_t number[ADDRESS_PAGES_KEPT];
};

extern struct address_pages address_pages[ADDRESS_WRITE + 1]; /* for each use */

/* address_ask - address_is_good, where it takes more than a look at the pages that are remembered. */
bool address_ask(const void *address, size_t len, enum address_use use);

/* address_is_good - whether the first and the last of `len` octets, of which there is one at least, can be read, or be
 * written; false for NULL and for what wraps around. Their values stay. What is between them is not looked at. Where
 * the system does not tell, all is there. Any thread. */
static inline bool address_is_good(const void *address, size_t len, enum address_use use)
{
    uintptr_t first = (uintptr_t)address, last = first + len - 1;
    uintptr_t number = (first >> ADDRESS_PAGE_SHIFT) + 1;
    const struct address_pages *pages = &address_pages[use];

    if (last >= first && (last >> ADDRESS_PAGE_SHIFT) + 1 == number &&
        atomic_load_explicit(&pages->number[number % ADDRESS_PAGES_KEPT], memory_order_relaxed) == number) {
        return true;
    }
    return address_ask(address, len, use);
}

#endif
