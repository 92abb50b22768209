/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Requests and answers. Several requests may be alike in everything that an answer repeats; since messages between two
 * processes keep their order (chapter 2.1 of the specification), the oldest unanswered one is then the one meant.
 */
#include "dissector/portals/track.h"

#include "dissector/common/follower.h"
#include "dissector/portals/experts.h"
#include "dissector/portals/fields.h"
#include "dissector/portals/judge.h"
#include "dissector/portals/note.h"

#include <epan/wmem_scopes.h>

#include <string.h>

/* A request that waits for its answer. */
struct track_request {
    struct pdu_note *note;
    struct track_request *younger; /* the next one that is alike, or NULL */
    nstime_t when;
};

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
    SHORT_WAIT_S = 3, /* and less than a second: so many nanoseconds have 32 bits */
    NS_PER_S = 1000000000,
    HASHED = offsetof(struct track_key, md),
    WHOLE_OCTETS = sizeof(struct track_key) - HASHED,
    LOOSE_OCTETS = offsetof(struct track_key, portal) - HASHED,
};

_Static_assert(WHOLE_OCTETS % sizeof(uint64_t) == 0, "hashed by words");

/* Requests that are alike and wait, oldest first. */
struct track_queue {
    struct track_key key;
    struct track_request *oldest, *youngest;
    struct track_queue *spare; /* the next one that is not in use */
};

/* Those whose answers have come, to be used again: where so many small ones are freed, Wireshark's allocator looks for
 * a long time. */
static struct track_request *spare_requests;
static struct track_queue *spare_queues;

/* What is waited for leaves both with its answer: of a long capture that is little at a time. The second one is made
 * for the first answer that repeats no request. */
static GHashTable *waiting; /* whole key -> struct track_queue; or NULL, where nothing has waited so far */
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

/* The rest of their memory goes with the file. */
static void drop(void)
{
    if (waiting) {
        g_hash_table_destroy(waiting);
    }
    waiting = NULL;
    latest = NULL;
    spare_requests = NULL;
    spare_queues = NULL;
}

void track_register(void)
{
    register_cleanup_routine(drop);
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
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) { /* for every message: no better hash than it takes */
        key.hash = (key.hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        key.hash ^= key.hash >> 32;
    }
    return key;
}

static struct track_queue *queue_make(const struct track_key *key)
{
    struct track_queue *queue = spare_queues;

    spare_queues = queue ? queue->spare : NULL;
    queue = queue ? queue : wmem_new(wmem_file_scope(), struct track_queue);
    *queue = (struct track_queue){.key = *key};
    return queue;
}

static void queue_drop(struct track_queue *queue)
{
    queue->spare = spare_queues;
    spare_queues = queue;
}

static void latest_forget(const struct track_key *key)
{
    struct track_queue *last = latest ? wmem_map_remove(latest, key) : NULL;

    if (last) {
        queue_drop(last);
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
    if (!last || last->youngest->note->packet < one->youngest->note->packet) {
        latest_note(one);
    }
}

static const struct track_queue *latest_of(const struct track_key *key)
{
    if (!latest) {
        latest = wmem_map_new(wmem_file_scope(), loose_hash, loose_equal);
        if (waiting) {
            g_hash_table_foreach(waiting, latest_compare, NULL);
        }
    }
    return wmem_map_lookup(latest, key);
}

static void request_remember(const struct pdu *pdu, const struct track_key *key)
{
    struct track_request *request = spare_requests;
    struct track_queue *queue;

    waiting = waiting ? waiting : g_hash_table_new(key_hash, key_equal);
    queue = g_hash_table_lookup(waiting, key);
    spare_requests = request ? request->younger : NULL;
    request = request ? request : wmem_new(wmem_file_scope(), struct track_request);
    *request = (struct track_request){.note = pdu->note, .when = pdu->pinfo->abs_ts};
    if (!queue) {
        queue = queue_make(key);
        g_hash_table_insert(waiting, &queue->key, queue);
    }
    *(queue->oldest ? &queue->youngest->younger : &queue->oldest) = request;
    queue->youngest = request;
    latest_note(queue);
}

/* Takes it out of its queue; NULL: none. */
static struct track_request *oldest_take(const struct track_key *key)
{
    struct track_queue *queue = waiting ? g_hash_table_lookup(waiting, key) : NULL;
    struct track_request *request = queue ? queue->oldest : NULL;

    if (!request) {
        return NULL;
    }
    queue->oldest = request->younger;
    if (!queue->oldest) {
        g_hash_table_remove(waiting, key);
        queue_drop(queue);
    }
    return request;
}

/* How long the message waited, as far as that goes into its note. */
static uint32_t waited(const nstime_t *when, const nstime_t *now)
{
    nstime_t time;
    uint64_t ns;

    nstime_delta(&time, now, when);
    ns = (uint64_t)time.secs * NS_PER_S + (uint64_t)time.nsecs;
    return time.secs >= 0 && time.secs <= SHORT_WAIT_S && time.nsecs >= 0 ? (uint32_t)ns : NOTE_LONG_WAIT;
}

static void relate(const struct pdu *pdu, const struct track_request *request)
{
    pdu->note->waited_ns = waited(&request->when, &pdu->pinfo->abs_ts);
    if (pdu->note->waited_ns == NOTE_LONG_WAIT) {
        note_extend(pdu->note)->asked = request->when;
    }
    pdu->note->other = request->note->packet;
    request->note->other = pdu->pinfo->num;
}

static void answer_match(const struct pdu *pdu, const struct track_key *key)
{
    struct track_request *request = oldest_take(key);
    const struct track_queue *last = !request || latest ? latest_of(key) : NULL;

    if (request) {
        relate(pdu, request);
        if (last && last->youngest == request) {
            latest_forget(key);
        }
        request->younger = spare_requests;
        spare_requests = request;
    } else if (last) { /* which waits on for an answer that repeats all of it */
        relate(pdu, last->youngest);
        pdu->note->echo_differs = true;
        latest_forget(key);
    } else {
        pdu->note->unasked = true;
    }
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

static void show_frame(const struct pdu *pdu, int field, uint32_t frame)
{
    proto_item_set_generated(proto_tree_add_uint(pdu->tree, field, pdu->tvb, 0, 0, frame));
}

static void show_answer(const struct pdu *pdu)
{
    const nstime_t *asked = track_asked(pdu);
    nstime_t time;

    show_frame(pdu, fields_own.request_in, pdu->note->other);
    nstime_delta(&time, &pdu->pinfo->abs_ts, asked);
    proto_item_set_generated(proto_tree_add_time(pdu->tree, fields_own.time, pdu->tvb, 0, 0, &time));
}

void track_show(const struct pdu *pdu)
{
    const struct pdu_note *note = pdu->note;

    if (!note) {
        return;
    }
    if (pdu->tree && note->other && is_answer(&pdu->header)) {
        show_answer(pdu);
    } else if (pdu->tree && note->other) {
        show_frame(pdu, fields_own.response_in, note->other);
    }
    if (judge_found(pdu) || note->answers || follower_asks_later(pdu->pinfo)) {
        return; /* the checker knows more exactly what is wrong, or that nothing is */
    }
    if (note->echo_differs) {
        expert_add_info(pdu->pinfo, pdu->item, &experts_own.echo_differs);
    }
    if (note->unasked) {
        expert_add_info(pdu->pinfo, pdu->item, &experts_own.unasked);
    }
}

const nstime_t *track_asked(const struct pdu *pdu)
{
    const struct pdu_note *note = pdu->note;
    nstime_t *asked, time;

    if (!note || !note->other || !is_answer(&pdu->header)) {
        return NULL;
    }
    asked = wmem_new(pdu->pinfo->pool, nstime_t);
    time = (nstime_t){.secs = note->waited_ns / NS_PER_S, .nsecs = (int)(note->waited_ns % NS_PER_S)};
    nstime_delta(asked, &pdu->pinfo->abs_ts, &time);
    if (note->waited_ns == NOTE_LONG_WAIT) {
        *asked = note_more(note).asked;
    }
    return asked;
}
