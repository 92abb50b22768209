/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Requests and answers. Several requests may be alike in everything that an answer repeats; since messages between two
 * processes keep their order (chapter 2.1 of the specification), the oldest unanswered one is then the one meant.
 */
#include "dissector/portals/track.h"

#include "dissector/portals/experts.h"
#include "dissector/portals/fields.h"
#include "dissector/portals/judge.h"

#include <epan/wmem_scopes.h>

#include <string.h>

struct track_exchange {
    uint32_t request_frame;
    uint32_t answer_frame; /* 0 until it comes */
    nstime_t request_time;
    nstime_t answer_time;
    struct track_exchange *younger; /* while it waits: the next one that is alike */
};

/* By what an answer finds its request. Compared octet by octet, so without gaps; group and rank are left out, for a
 * requester may not know its target's. A search by the first part alone finds a request whose answer repeats the rest
 * wrongly. */
struct track_key {
    uint64_t md;
    uint32_t requester_nid, requester_pid;
    uint32_t server_nid, server_pid;
    uint32_t kind; /* operation of the request */

    uint32_t portal;
    uint64_t match_bits;
    uint64_t offset;
    uint64_t rlength;
};

enum { LOOSE_OCTETS = offsetof(struct track_key, portal) };

/* Requests that are alike and wait, oldest first. */
struct track_queue {
    struct track_key key;
    struct track_exchange *oldest, *youngest;
};

/* What is waited for is kept in both, and leaves them with its answer: of a long capture that is little at a time. */
static wmem_map_t *waiting; /* whole key -> struct track_queue */
static wmem_map_t *latest;  /* first part of the key, in the same struct -> that of the latest request */

static guint key_hash(gconstpointer key)
{
    return wmem_strong_hash(key, sizeof(struct track_key));
}

static gboolean key_equal(gconstpointer one, gconstpointer other)
{
    return memcmp(one, other, sizeof(struct track_key)) == 0;
}

static guint loose_hash(gconstpointer key)
{
    return wmem_strong_hash(key, LOOSE_OCTETS);
}

static gboolean loose_equal(gconstpointer one, gconstpointer other)
{
    return memcmp(one, other, LOOSE_OCTETS) == 0;
}

void track_register(void)
{
    waiting = wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), key_hash, key_equal);
    latest = wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), loose_hash, loose_equal);
}

static bool is_answer(const struct wire_portals_header *header)
{
    return header->operation == WIRE_PORTALS_ACK || header->operation == WIRE_PORTALS_REPLY;
}

/* A put without memory descriptor wants no acknowledgement. */
static bool wants_answer(const struct wire_portals_header *header)
{
    bool asks = header->operation == WIRE_PORTALS_PUT || header->operation == WIRE_PORTALS_GET ||
                header->operation == WIRE_PORTALS_GETPUT;

    return asks && header->md != WIRE_PORTALS_MD_NONE;
}

static struct track_key key_of(const struct wire_portals_header *header)
{
    const struct wire_portals_id *requester = is_answer(header) ? &header->target : &header->initiator;
    const struct wire_portals_id *server = is_answer(header) ? &header->initiator : &header->target;
    bool put = header->operation == WIRE_PORTALS_PUT || header->operation == WIRE_PORTALS_ACK;

    return (struct track_key){
        .md = header->md,
        .requester_nid = requester->nid,
        .requester_pid = requester->pid,
        .server_nid = server->nid,
        .server_pid = server->pid,
        .kind = put ? WIRE_PORTALS_PUT : WIRE_PORTALS_GET,
        .portal = header->portal,
        .match_bits = header->match_bits,
        .offset = header->offset,
        .rlength = header->rlength,
    };
}

static struct track_queue *queue_make(const struct track_key *key)
{
    struct track_queue *queue = wmem_new0(wmem_file_scope(), struct track_queue);

    queue->key = *key;
    return queue;
}

static void latest_forget(const struct track_key *key)
{
    struct track_queue *last = wmem_map_remove(latest, key);

    if (last) {
        wmem_free(wmem_file_scope(), last);
    }
}

static void request_remember(struct pdu *pdu, const struct track_key *key)
{
    struct track_exchange *exchange = wmem_new0(wmem_file_scope(), struct track_exchange);
    struct track_queue *queue = wmem_map_lookup(waiting, key);
    struct track_queue *last = queue_make(key);

    exchange->request_frame = pdu->pinfo->num;
    exchange->request_time = pdu->pinfo->abs_ts;
    if (!queue) {
        queue = queue_make(key);
        wmem_map_insert(waiting, &queue->key, queue);
    }
    *(queue->oldest ? &queue->youngest->younger : &queue->oldest) = exchange;
    queue->youngest = exchange;
    latest_forget(key);
    last->youngest = exchange;
    wmem_map_insert(latest, &last->key, last);
    pdu->note->exchange = exchange;
}

static struct track_exchange *oldest_waiting(const struct track_key *key)
{
    struct track_queue *queue = wmem_map_lookup(waiting, key);
    struct track_exchange *exchange = queue ? queue->oldest : NULL;

    if (!exchange) {
        return NULL;
    }
    queue->oldest = exchange->younger;
    if (!queue->oldest) {
        wmem_map_remove(waiting, key);
        wmem_free(wmem_file_scope(), queue);
    }
    return exchange;
}

static void answer_match(struct pdu *pdu, const struct track_key *key)
{
    struct track_exchange *exchange = oldest_waiting(key);
    const struct track_queue *last = wmem_map_lookup(latest, key);

    if (!exchange) {
        if (!last) {
            pdu->note->unasked = true;
            return;
        }
        exchange = last->youngest;
        pdu->note->echo_differs = true;
    }
    if (last && last->youngest == exchange) {
        latest_forget(key);
    }
    exchange->answer_frame = pdu->pinfo->num;
    exchange->answer_time = pdu->pinfo->abs_ts;
    pdu->note->exchange = exchange;
}

void track_note(struct pdu *pdu)
{
    struct track_key key = key_of(&pdu->header);

    if (wants_answer(&pdu->header)) {
        request_remember(pdu, &key);
    } else if (is_answer(&pdu->header)) {
        answer_match(pdu, &key);
    }
}

static void show_answer(const struct pdu *pdu, const struct track_exchange *exchange)
{
    nstime_t time;
    proto_item *item = proto_tree_add_uint(pdu->tree, fields_own.request_in, pdu->tvb, 0, 0, exchange->request_frame);

    proto_item_set_generated(item);
    nstime_delta(&time, &exchange->answer_time, &exchange->request_time);
    item = proto_tree_add_time(pdu->tree, fields_own.time, pdu->tvb, 0, 0, &time);
    proto_item_set_generated(item);
}

void track_show(const struct pdu *pdu)
{
    const struct track_exchange *exchange = pdu->note ? pdu->note->exchange : NULL;

    if (exchange && is_answer(&pdu->header)) {
        show_answer(pdu, exchange);
    } else if (exchange && exchange->answer_frame) {
        proto_item *item =
            proto_tree_add_uint(pdu->tree, fields_own.response_in, pdu->tvb, 0, 0, exchange->answer_frame);

        proto_item_set_generated(item);
    }
    if (judge_found(pdu)) {
        return; /* the checker knows more exactly what is wrong */
    }
    if (pdu->note && pdu->note->echo_differs) {
        expert_add_info(pdu->pinfo, pdu->item, &experts_own.echo_differs);
    }
    if (pdu->note && pdu->note->unasked) {
        expert_add_info(pdu->pinfo, pdu->item, &experts_own.unasked);
    }
}

const nstime_t *track_asked(const struct pdu *pdu)
{
    const struct track_exchange *exchange = pdu->note ? pdu->note->exchange : NULL;

    return exchange && is_answer(&pdu->header) ? &exchange->request_time : NULL;
}
