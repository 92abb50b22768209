/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Tickets: see tickets.h.
 */
#include "ref-impl/gasnet/base/tickets.h"

#include <stdatomic.h>

static _Atomic uint32_t left[TICKET_KINDS];

void tickets_open(enum ticket kind, uint32_t count)
{
    left[kind] = count;
}

bool tickets_take(enum ticket kind, uint32_t count) //= GASN-113
{
    uint32_t seen = left[kind];

    while (seen >= count) {
        if (atomic_compare_exchange_weak(&left[kind], &seen, seen - count)) {
            return true;
        }
    }
    return false;
}

void tickets_give(enum ticket kind, uint32_t count)
{
    left[kind] += count;
}
