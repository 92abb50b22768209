/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Arrays that grow by chunks, so that what is in them stays where it is; see kept.h.
 */
#include "dissector/common/kept.h"

#include "dissector/common/wireshark_compat.h"

#include <epan/wmem_scopes.h>

#include <string.h>

enum { CHUNK_THINGS = 512 };

static ws_bool forget(wmem_allocator_t *scope, wmem_cb_event_t event, void *kept)
{
    (void)scope;
    (void)event;
    *(struct kept *)kept = (struct kept){.octets = ((struct kept *)kept)->octets};
    return FALSE;
}

static void chunk_add(struct kept *kept)
{
    uint32_t number = kept->count / CHUNK_THINGS;

    if (!kept->chunks) {
        wmem_register_callback(wmem_file_scope(), forget, kept);
    }
    if (number == kept->room) {
        kept->room = kept->room ? 2 * kept->room : 64;
        kept->chunks = wmem_realloc(wmem_file_scope(), kept->chunks, kept->room * sizeof *kept->chunks);
    }
    kept->chunks[number] = wmem_alloc0(wmem_file_scope(), CHUNK_THINGS * kept->octets);
}

void *kept_at(const struct kept *kept, uint32_t number)
{
    return kept->chunks[number / CHUNK_THINGS] + number % CHUNK_THINGS * kept->octets;
}

static uint32_t packet_at(const struct kept *kept, uint32_t number)
{
    uint32_t packet;

    memcpy(&packet, kept_at(kept, number), sizeof packet);
    return packet;
}

void *kept_add(struct kept *kept, uint32_t packet)
{
    void *thing;

    DISSECTOR_ASSERT(kept->count == 0 || packet_at(kept, kept->count - 1) <= packet);
    if (kept->count % CHUNK_THINGS == 0) {
        chunk_add(kept);
    }
    thing = kept_at(kept, kept->count++);
    memcpy(thing, &packet, sizeof packet);
    return thing;
}

void *kept_find(const struct kept *kept, uint32_t packet, uint32_t number)
{
    uint32_t from = 0, to = kept->count;

    while (from < to) {
        uint32_t middle = from + (to - from) / 2;

        if (packet_at(kept, middle) < packet) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    if (number >= kept->count - from || packet_at(kept, from + number) != packet) {
        return NULL;
    }
    return kept_at(kept, from + number);
}
