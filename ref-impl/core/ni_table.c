/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The interfaces of this process: see ni_table.h. They are made when the library is loaded: each call looks for one.
 */
#include "ref-impl/core/ni_table.h"

#include "ref-impl/core/limits.h"

//= P30-037
//= P30-074
static struct ni interfaces[LIMIT_INTERFACES];

__attribute__((constructor)) static void interfaces_init(void)
{
    for (uint32_t i = 0; i < LIMIT_INTERFACES; i++) {
        ni_init(&interfaces[i], i);
    }
}

struct ni *ni_table_at(uint32_t number)
{
    return number < LIMIT_INTERFACES ? &interfaces[number] : NULL;
}
