/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of wire/portals/check.h that hears all Portals messages of the capture file that is open.
 */
#include "dissector/portals/checker.h"

#include "dissector/common/wireshark_compat.h"

#include <epan/packet.h>
#include <epan/wmem_scopes.h>

enum { REQUESTS = 16384, SLOTS = 65536, NUMBERS = 16384 };

/* The checker of the capture file that is open; NULL until its first message. */
static struct wire_portals_check *check;

static void checker_reset(void)
{
    check = NULL; /* its memory went with the file */
}

void checker_register(void)
{
    register_init_routine(checker_reset);
}

struct wire_portals_check *checker_of_capture(void)
{
    struct wire_portals_check_tables tables = {.request_count = REQUESTS, .slot_count = SLOTS, .number_count = NUMBERS};

    if (!check) {
        tables.requests = wmem_alloc_array(wmem_file_scope(), struct wire_portals_check_request, REQUESTS);
        tables.slots = wmem_alloc_array(wmem_file_scope(), struct wire_portals_check_slot, SLOTS);
        tables.numbers = wmem_alloc_array(wmem_file_scope(), struct wire_portals_check_number, NUMBERS);
        tables.key[0] = (uint64_t)g_random_int() << 32 | g_random_int();
        tables.key[1] = (uint64_t)g_random_int() << 32 | g_random_int();
        check = wmem_new(wmem_file_scope(), struct wire_portals_check);
        *check = wire_portals_check_begin(&tables);
    }
    return check;
}

bool checker_lacks(void)
{
    return check && check->partial;
}

void checker_missing(void)
{
    checker_of_capture()->partial = true;
}
