/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Requests and answers. Several requests may be alike in everything that an answer repeats; since messages between two
 * processes keep their order (chapter 2.1 of the specification), the oldest unanswered one is then the one meant.
 */
#include "dissector/portals/track.h"

#include "dissector/common/kept.h"
#include "dissector/portals/experts.h"
#include "dissector/portals/fields.h"
#include "dissector/portals/judge.h"

#include "wire/octets/keyed_hash.h"

#include <epan/wmem_scopes.h>

#include <string.h>

struct track_exchange {
    uint32_t request_frame;
    uint32_t answer_frame; /* 0 until it comes */
    uint32_t younger;      /* while it waits: the next one that is alike; 0: none */
    int32_t request_nsecs;
    int64_t request_secs;
};

/* All of them. Their numbers here are from 1. */
static struct kept exchanges = {.octets = sizeof(struct track_exchange)};

/* By what an answer finds its request. Compared octet by octet, so without gaps; group and rank are left out, for a
 * requester may not know its target's. A search by the first part alone finds a request whose answer repeats the rest
 * wrongly. */
struct track_key {
    uint64_t hash; /* of what follows */
    uint64_t md;
    uint32_t requester_nid, requester_pid;
    uint32_t server_nid, server_pid;
    uint32_t kind; /* operation of the request */

    uint32_t portal;
    uint64_t match_bits;
    uint64_t offset;
    uint64_t rlength;
};

enum {
    HASHED = offsetof(struct track_key, md),
    WHOLE_OCTETS = sizeof(struct track_key) - HASHED,
    LOOSE_OCTETS = offsetof(struct track_key, portal) - HASHED,
};

_Static_assert(WHOLE_OCTETS % sizeof(uint64_t) == 0, "hashed by words");

/* Requests that are alike and wait, oldest first. */
struct track_queue {
    struct track_key key;
    uint32_t oldest, youngest;
};

/* What is waited for leaves both with its answer: of a long capture that is little at a time. The second one is made
 * for the first answer that repeats no request. */
static wmem_map_t *waiting; /* whole key -> struct track_queue */
static wmem_map_t *latest;  /* first part of the key, in the same struct -> that of the latest request; or NULL */

static guint key_hash(gconstpointer key)
{
    return (guint)((const struct track_key *)key)->hash;
}

static gboolean key_equal(gconstpointer one, gconstpointer other)
{
    return memcmp((const char *)one + HASHED, (const char *)other + HASHED, WHOLE_OCTETS) == 0;
}

static guint loose_hash(gconstpointer key)
{
    return wmem_strong_hash((const guint8 *)key + HASHED, LOOSE_OCTETS);
}

static gboolean loose_equal(gconstpointer one, gconstpointer other)
{
    return memcmp((const char *)one + HASHED, (const char *)other + HASHED, LOOSE_OCTETS) == 0;
}

static struct track_exchange *exchange_at(uint32_t number)
{
    return kept_at(&exchanges, number - 1);
}

/* Its memory goes with the file. */
static void latest_drop(void)
{
    latest = NULL;
}

void track_register(void)
{
    waiting = wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), key_hash, key_equal);
    register_cleanup_routine(latest_drop);
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
    uint64_t words[WHOLE_OCTETS / sizeof(uint64_t)];

    struct track_key key = {
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

    memcpy(words, (const char *)&key + HASHED, sizeof words);
    key.hash = wire_keyed_hash((const uint64_t[2]){0}, words, G_N_ELEMENTS(words));
    return key;
}

static struct track_queue *queue_make(const struct track_key *key)
{
    struct track_queue *queue = wmem_new0(wmem_file_scope(), struct track_queue);

    queue->key = *key;
    return queue;
}

static void latest_forget(const struct track_key *key)
{
    struct track_queue *last = latest ? wmem_map_remove(latest, key) : NULL;

    if (last) {
        wmem_free(wmem_file_scope(), last);
    }
}

/* The queue's youngest request is the latest of all that an answer to it could mean. */
static void latest_note(const struct track_queue *queue)
{
    struct track_queue *last = latest ? queue_make(&queue->key) : NULL;

    if (last) {
        last->youngest = queue->youngest;
        latest_forget(&queue->key);
        wmem_map_insert(latest, &last->key, last);
    }
}

static void latest_compare(gpointer key, gpointer queue, gpointer context)
{
    const struct track_queue *last = wmem_map_lookup(latest, key), *one = queue;

    (void)context;
    if (!last || last->youngest < one->youngest) {
        latest_note(one);
    }
}

static const struct track_queue *latest_of(const struct track_key *key)
{
    if (!latest) {
        latest = wmem_map_new(wmem_file_scope(), loose_hash, loose_equal);
        wmem_map_foreach(waiting, latest_compare, NULL);
    }
    return wmem_map_lookup(latest, key);
}

static void request_remember(struct pdu *pdu, const struct track_key *key)
{
    struct track_exchange *exchange = kept_add(&exchanges, pdu->pinfo->num);
    struct track_queue *queue = wmem_map_lookup(waiting, key);

    exchange->request_secs = pdu->pinfo->abs_ts.secs;
    exchange->request_nsecs = pdu->pinfo->abs_ts.nsecs;
    if (!queue) {
        queue = queue_make(key);
        wmem_map_insert(waiting, &queue->key, queue);
    }
    *(queue->oldest ? &exchange_at(queue->youngest)->younger : &queue->oldest) = exchanges.count;
    queue->youngest = exchanges.count;
    latest_note(queue);
    pdu->note->belongs = exchange;
}

/* 0: none. */
static uint32_t oldest_waiting(const struct track_key *key)
{
    struct track_queue *queue = wmem_map_lookup(waiting, key);
    uint32_t number = queue ? queue->oldest : 0;

    if (number == 0) {
        return 0;
    }
    queue->oldest = exchange_at(number)->younger;
    if (!queue->oldest) {
        wmem_map_remove(waiting, key);
        wmem_free(wmem_file_scope(), queue);
    }
    return number;
}

static void answer_match(struct pdu *pdu, const struct track_key *key)
{
    uint32_t number = oldest_waiting(key);
    const struct track_queue *last = number == 0 || latest ? latest_of(key) : NULL;

    if (number == 0) {
        if (!last) {
            pdu->note->unasked = true;
            return;
        }
        number = last->youngest;
        pdu->note->echo_differs = true;
    }
    if (last && last->youngest == number) {
        latest_forget(key);
    }
    exchange_at(number)->answer_frame = pdu->pinfo->num;
    pdu->note->belongs = exchange_at(number);
}

void track_note(struct pdu *pdu)
{
    bool asks = wants_answer(&pdu->header);
    struct track_key key;

    if (!asks && !is_answer(&pdu->header)) {
        return;
    }
    key = key_of(&pdu->header);
    if (asks) {
        request_remember(pdu, &key);
    } else {
        answer_match(pdu, &key);
    }
}

static nstime_t asked_of(const struct track_exchange *exchange)
{
    return (nstime_t){.secs = exchange->request_secs, .nsecs = exchange->request_nsecs};
}

/* What the message belongs to, or NULL. */
static const struct track_exchange *exchange_of(const struct pdu *pdu)
{
    bool may = wants_answer(&pdu->header) || is_answer(&pdu->header);

    return pdu->note && may ? pdu->note->belongs : NULL;
}

static void show_answer(const struct pdu *pdu, const struct track_exchange *exchange)
{
    const nstime_t asked = asked_of(exchange);
    nstime_t time;
    proto_item *item = proto_tree_add_uint(pdu->tree, fields_own.request_in, pdu->tvb, 0, 0, exchange->request_frame);

    proto_item_set_generated(item);
    nstime_delta(&time, &pdu->pinfo->abs_ts, &asked);
    item = proto_tree_add_time(pdu->tree, fields_own.time, pdu->tvb, 0, 0, &time);
    proto_item_set_generated(item);
}

void track_show(const struct pdu *pdu)
{
    const struct track_exchange *exchange = pdu->tree ? exchange_of(pdu) : NULL;

    if (exchange && is_answer(&pdu->header)) {
        show_answer(pdu, exchange);
    } else if (exchange && exchange->answer_frame) {
        proto_item *item =
            proto_tree_add_uint(pdu->tree, fields_own.response_in, pdu->tvb, 0, 0, exchange->answer_frame);

        proto_item_set_generated(item);
    }
    if (judge_found(pdu) || (pdu->note && pdu->note->answers)) {
        return; /* the checker knows more exactly what is wrong, or that nothing is */
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
    const struct track_exchange *exchange = is_answer(&pdu->header) ? exchange_of(pdu) : NULL;
    nstime_t *asked;

    if (!exchange) {
        return NULL;
    }
    asked = wmem_new(pdu->pinfo->pool, nstime_t);
    *asked = asked_of(exchange);
    return asked;
}
