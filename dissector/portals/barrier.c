/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Barriers of a group. How large the group is and which interface a stream belongs to stands in the sender's HELLO;
 * where the capture lacks it, messages are counted but not judged.
 */
#include "dissector/portals/barrier.h"

#include "dissector/portals/experts.h"
#include "dissector/portals/fields.h"
#include "dissector/portals/judge.h"
#include "dissector/portals/note.h"
#include "dissector/portals/stream.h"

#include <epan/wmem_scopes.h>

#include <string.h>

/* One barrier of one interface of one group. Compared octet by octet, so without gaps. */
struct barrier_key {
    uint64_t sequence;
    uint32_t gid;
    uint32_t interface;
};

struct barrier {
    uint32_t messages;
    uint32_t first_frame;
    nstime_t first_time;
};

struct barrier_place {
    const struct barrier *barrier;
    uint32_t number; /* of the message among the barrier's, from 1 */
};

static wmem_map_t *barriers;

static guint key_hash(gconstpointer key)
{
    return wmem_strong_hash(key, sizeof(struct barrier_key));
}

static gboolean key_equal(gconstpointer one, gconstpointer other)
{
    return memcmp(one, other, sizeof(struct barrier_key)) == 0;
}

void barrier_register(void)
{
    barriers = wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), key_hash, key_equal);
}

void barrier_note(struct pdu *pdu)
{
    struct barrier_key key = {pdu->header.sequence, pdu->header.initiator.gid,
                              pdu->way->greeted ? pdu->way->hello.interface : 0};
    struct barrier *barrier;
    struct barrier_place *place;

    if (pdu->header.operation != WIRE_PORTALS_BARRIER) {
        return;
    }
    barrier = wmem_map_lookup(barriers, &key);
    if (!barrier) {
        barrier = wmem_new0(wmem_file_scope(), struct barrier);
        barrier->first_frame = pdu->pinfo->num;
        barrier->first_time = pdu->pinfo->abs_ts;
        wmem_map_insert(barriers, wmem_memdup(wmem_file_scope(), &key, sizeof key), barrier);
    }
    barrier->messages++;
    place = wmem_new(wmem_file_scope(), struct barrier_place);
    *place = (struct barrier_place){barrier, barrier->messages};
    note_extend(pdu->note)->place = place;
}

/* Doublings that it takes to get from 1 to `size` or beyond. */
static uint32_t rounds_of(uint32_t size)
{
    uint32_t rounds = 0;

    while (rounds < 32 && (uint64_t)1 << rounds < size) {
        rounds++;
    }
    return rounds;
}

static void judge(const struct pdu *pdu, uint32_t size)
{
    const struct wire_portals_header *header = &pdu->header;

    if (header->round >= rounds_of(size)) {
        expert_add_info(pdu->pinfo, pdu->item, &experts_own.barrier_round);
    } else if (header->target.rid != ((uint64_t)header->initiator.rid + ((uint64_t)1 << header->round)) % size) {
        expert_add_info(pdu->pinfo, pdu->item, &experts_own.barrier_partner);
    }
}

static void show_place(const struct pdu *pdu, const struct barrier_place *place)
{
    nstime_t time;
    proto_item *item = proto_tree_add_uint(pdu->tree, fields_own.barrier_message, pdu->tvb, 0, 0, place->number);

    proto_item_set_generated(item);
    item = proto_tree_add_uint(pdu->tree, fields_own.barrier_first, pdu->tvb, 0, 0, place->barrier->first_frame);
    proto_item_set_generated(item);
    nstime_delta(&time, &pdu->pinfo->abs_ts, &place->barrier->first_time);
    item = proto_tree_add_time(pdu->tree, fields_own.barrier_time, pdu->tvb, 0, 0, &time);
    proto_item_set_generated(item);
}

void barrier_show(const struct pdu *pdu)
{
    uint32_t size = pdu->way->greeted ? pdu->way->hello.group_size : 0;
    const struct barrier_place *place =
        pdu->header.operation == WIRE_PORTALS_BARRIER ? note_more(pdu->note).place : NULL;

    if (!place) {
        return;
    }
    show_place(pdu, place);
    if (size) {
        proto_item *item = proto_tree_add_uint64(pdu->tree, fields_own.barrier_total, pdu->tvb, 0, 0,
                                                 (uint64_t)size * rounds_of(size));

        proto_item_set_generated(item);
        if (!judge_found(pdu)) {
            judge(pdu, size);
        }
    }
}
