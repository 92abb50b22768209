/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Numbered messages; see number.h. Epochs are times in nanoseconds, or as good as that, so an epoch alone names the
 * counting of one process for one peer.
 */
#include "dissector/portals/number.h"

#include "dissector/portals/note.h"
#include "dissector/portals/stream.h"

#include <epan/wmem_scopes.h>
#include <wsutil/wmem/wmem.h>

/* From an epoch to the largest number that was seen of it. */
static wmem_map_t *largest;

static guint epoch_hash(gconstpointer epoch)
{
    return wmem_strong_hash(epoch, sizeof(uint64_t));
}

void number_register(void)
{
    largest = wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), epoch_hash, g_int64_equal);
}

void number_note(struct pdu *pdu)
{
    if (pdu->header.operation != WIRE_PORTALS_NUMBER) {
        pdu->note->again = pdu->way->again;
        pdu->note->early = pdu->way->early;
        pdu->way->again = pdu->way->early = false;
        return;
    }
    uint64_t *seen = wmem_map_lookup(largest, &pdu->header.epoch);
    if (!seen) {
        uint64_t *epoch = wmem_new(wmem_file_scope(), uint64_t);

        *epoch = pdu->header.epoch;
        seen = wmem_new0(wmem_file_scope(), uint64_t);
        wmem_map_insert(largest, epoch, seen);
    }
    /* A capture may have begun late: then the first number seen is as good as 1. */
    pdu->way->again = pdu->header.number <= *seen;
    pdu->way->early = *seen != 0 && pdu->header.number > *seen + 1;
    if (!pdu->way->again && !pdu->way->early) {
        *seen = pdu->header.number;
    }
}
