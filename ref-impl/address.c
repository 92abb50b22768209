/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whether an address may be used: see address.h. The questions are those that cost the system least: to read a mask of
 * signals for a purpose that there is not, and to add nothing to a word on which nobody sleeps. Adding is atomic, so
 * that another thread's value is not lost.
 */
#include "ref-impl/address.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NO_PURPOSE = -1, MASK_OCTETS = 8 };

/* Pages that were good: their numbers, plus 1. Each has two places; the one that has been in its first place makes room
 * for a new one there by going to its second, so that a few pages do not drive each other out all the time. Threads
 * that store at once lose no more than a page to be asked about again. */
struct address_pages address_pages[ADDRESS_WRITE + 1];

static uintptr_t first_place(uintptr_t number)
{
    return number % ADDRESS_PAGES_KEPT;
}

static uintptr_t second_place(uintptr_t number)
{
    return number / ADDRESS_PAGES_KEPT % ADDRESS_PAGES_KEPT;
}

static bool is_kept(struct address_pages *table, uintptr_t number)
{
    return atomic_load_explicit(&table->number[first_place(number)], memory_order_relaxed) == number ||
           atomic_load_explicit(&table->number[second_place(number)], memory_order_relaxed) == number;
}

static void keep(struct address_pages *table, uintptr_t number)
{
    uintptr_t before = atomic_load_explicit(&table->number[first_place(number)], memory_order_relaxed);

    if (before != 0) {
        atomic_store_explicit(&table->number[second_place(before)], before, memory_order_relaxed);
    }
    atomic_store_explicit(&table->number[first_place(number)], number, memory_order_relaxed);
}

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

static bool octet_is_good(uintptr_t octet, enum address_use use)
{
    uintptr_t number = (octet >> ADDRESS_PAGE_SHIFT) + 1;

    if (is_kept(&address_pages[use], number)) {
        return true;
    }
    if (use == ADDRESS_WRITE ? !can_write(octet) : !can_read(octet)) {
        return false;
    }
    keep(&address_pages[use], number);
    return true;
}

bool address_ask(const void *address, size_t len, enum address_use use)
{
    uintptr_t first = (uintptr_t)address;
    uintptr_t last = first + len - 1;

    if (!address || len == 0 || last < first) {
        return false;
    }
    return octet_is_good(first, use) &&
           (first >> ADDRESS_PAGE_SHIFT == last >> ADDRESS_PAGE_SHIFT || octet_is_good(last, use));
}
