/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Notes of messages, and apart from them what few have; see note.h.
 */
#include "dissector/portals/note.h"

#include "dissector/common/kept.h"

#include <epan/wmem_scopes.h>

static struct kept notes = {.octets = sizeof(struct pdu_note)};
static wmem_map_t *mores; /* note -> struct pdu_more */

void note_register(void)
{
    mores = wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), g_direct_hash, g_direct_equal);
}

struct pdu_note *note_add(uint32_t packet)
{
    return kept_add(&notes, packet);
}

struct pdu_note *note_find(uint32_t packet, uint32_t number)
{
    return kept_find(&notes, packet, number);
}

struct pdu_more note_more(const struct pdu_note *note)
{
    return note && note->extended ? *(struct pdu_more *)wmem_map_lookup(mores, note)
                                  : (struct pdu_more){NULL, NULL, {0, 0}};
}

struct pdu_more *note_extend(struct pdu_note *note)
{
    if (!note->extended) {
        wmem_map_insert(mores, note, wmem_new0(wmem_file_scope(), struct pdu_more));
        note->extended = true;
    }
    return wmem_map_lookup(mores, note);
}
