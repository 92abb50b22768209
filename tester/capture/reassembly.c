/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * TCP connections out of segments (reassembly.h). Sequence numbers are compared by their distance, as TCP does (RFC
 * 9293, section 3.4): what lies less than 2^31 behind is old, what lies ahead is early.
 */
#include "tester/capture/reassembly.h"

#include "tester/base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { BUCKETS = 4096, END_WORDS = 5 /* of 32 bits: an address, and port and family */, KEYS = 2 * END_WORDS };

struct reassembly_early {
    struct reassembly_early *next;
    uint32_t seq;
    size_t len;
    unsigned char octets[];
};

struct reassembly {
    const struct reassembly_listener *listener;
    uint64_t keys[KEYS]; /* random: whoever makes a capture cannot choose connections that share a bucket */
    struct reassembly_connection *buckets[BUCKETS];
    struct reassembly_connection *oldest, *newest;
    unsigned connections;
    size_t early_octets;
    uint64_t ignored;
};

/* A segment on its way to a connection. */
struct arrival {
    struct reassembly *reassembly;
    struct reassembly_connection *connection;
    struct reassembly_way *way;
    unsigned side;
    const struct capture_packet *packet;
};

struct reassembly *reassembly_open(const struct reassembly_listener *listener)
{
    struct reassembly *reassembly = memory_zero(sizeof *reassembly);

    reassembly->listener = listener;
    (void)!getrandom(reassembly->keys, sizeof reassembly->keys, 0); /* so few octets are had at once, whole */
    for (unsigned i = 0; i < KEYS; i++) {
        reassembly->keys[i] |= 1;
    }
    return reassembly;
}

static void drop_early(struct reassembly *reassembly, struct reassembly_way *way)
{
    while (way->early) {
        struct reassembly_early *first = way->early;
        way->early = first->next;
        free(first);
    }
    reassembly->early_octets -= way->early_octets;
    way->early_octets = way->early_count = 0;
}

static void connection_clear(struct reassembly *reassembly, struct reassembly_connection *connection)
{
    drop_early(reassembly, &connection->ways[0]);
    drop_early(reassembly, &connection->ways[1]);
    reassembly->listener->gone(reassembly->listener->context, connection);
}

void reassembly_close(struct reassembly *reassembly)
{
    while (reassembly->oldest) {
        struct reassembly_connection *first = reassembly->oldest;
        reassembly->oldest = first->younger;
        connection_clear(reassembly, first);
        free(first);
    }
    free(reassembly);
}

uint64_t reassembly_ignored(const struct reassembly *reassembly)
{
    return reassembly->ignored;
}

/* The sum of an end's words, each times a key of its own. */
static uint64_t hash_end(const struct capture_end *end, const uint64_t *keys)
{
    uint32_t words[END_WORDS] = {0};
    uint64_t hash = 0;

    memcpy(words, end->address, sizeof end->address);
    words[END_WORDS - 1] = (uint32_t)end->family << 16 | end->port;
    for (unsigned i = 0; i < END_WORDS; i++) {
        hash += keys[i] * words[i];
    }
    return hash;
}

/* Both directions of a connection are in one bucket: its ends are taken in their own order. */
static unsigned bucket_of(const struct reassembly *reassembly, const struct capture_segment *segment)
{
    int order = memcmp(segment->from.address, segment->to.address, sizeof segment->from.address);
    bool turned = order > 0 || (order == 0 && segment->from.port > segment->to.port);
    const struct capture_end *first = turned ? &segment->to : &segment->from;
    const struct capture_end *second = turned ? &segment->from : &segment->to;
    uint64_t hash = hash_end(first, reassembly->keys) + hash_end(second, reassembly->keys + END_WORDS);

    return (unsigned)((hash >> 32) % BUCKETS);
}

static bool connection_is(const struct reassembly_connection *connection, const struct capture_segment *segment,
                          unsigned *side)
{
    *side = capture_end_same(&connection->ends[0], &segment->from) ? 0 : 1;
    return capture_end_same(&connection->ends[*side], &segment->from) &&
           capture_end_same(&connection->ends[!*side], &segment->to);
}

static bool opens(const struct capture_segment *segment)
{
    return (segment->flags & CAPTURE_SYN) && !(segment->flags & CAPTURE_ACK);
}

/* Whether the segment begins a new connection between ends that had one. */
static bool reopens(const struct reassembly_connection *connection, const struct capture_segment *segment,
                    unsigned side)
{
    const struct reassembly_way *way = &connection->ways[side];

    return opens(segment) && way->begun && (connection->closed || segment->seq + 1 != way->next);
}

static void connection_begin(struct arrival *arrival, const struct capture_segment *segment)
{
    bool answer = (segment->flags & CAPTURE_SYN) && (segment->flags & CAPTURE_ACK);

    *arrival->connection = (struct reassembly_connection){
        .ends = {answer ? segment->to : segment->from, answer ? segment->from : segment->to},
        .joined = !(segment->flags & CAPTURE_SYN),
        .next = arrival->connection->next,
        .younger = arrival->connection->younger};
    arrival->side = answer;
    arrival->reassembly->listener->opened(arrival->reassembly->listener->context, arrival->connection, arrival->packet);
}

/* Finds or makes the connection; false when there are too many. */
static bool connection_find(struct arrival *arrival, const struct capture_segment *segment)
{
    struct reassembly *reassembly = arrival->reassembly;
    struct reassembly_connection **bucket = &reassembly->buckets[bucket_of(reassembly, segment)];

    for (struct reassembly_connection *at = *bucket; at; at = at->next) {
        if (connection_is(at, segment, &arrival->side)) {
            arrival->connection = at;
            if (reopens(at, segment, arrival->side)) {
                connection_clear(reassembly, at);
                connection_begin(arrival, segment);
            }
            return true;
        }
    }
    if (reassembly->connections == REASSEMBLY_CONNECTIONS_MAX) {
        reassembly->ignored++;
        return false;
    }
    reassembly->connections++;
    arrival->connection = memory_zero(sizeof *arrival->connection);
    arrival->connection->next = *bucket;
    *bucket = arrival->connection;
    *(reassembly->newest ? &reassembly->newest->younger : &reassembly->oldest) = arrival->connection;
    reassembly->newest = arrival->connection;
    connection_begin(arrival, segment);
    return true;
}

static void way_lose(struct arrival *arrival, unsigned side)
{
    struct reassembly_way *way = &arrival->connection->ways[side];

    if (!way->lost && !way->finished) {
        way->lost = true;
        drop_early(arrival->reassembly, way);
        arrival->reassembly->listener->lost(arrival->reassembly->listener->context, arrival->connection, side,
                                            arrival->packet);
    }
}

static void way_deliver(struct arrival *arrival, const unsigned char *octets, size_t len)
{
    const struct reassembly_listener *listener = arrival->reassembly->listener;

    arrival->way->next += (uint32_t)len;
    if (len) {
        listener->octets(listener->context, arrival->connection, arrival->side, octets, len, arrival->packet);
    }
}

/* How far a sequence number lies ahead of what is due; negative: behind. */
static int32_t ahead(const struct reassembly_way *way, uint32_t seq)
{
    return (int32_t)(seq - way->next);
}

/* Delivers what is new in octets that are due or overdue. */
static void way_overlap(struct arrival *arrival, uint32_t seq, const unsigned char *octets, size_t len)
{
    size_t old = (size_t) - (int64_t)ahead(arrival->way, seq);

    if (old < len) {
        way_deliver(arrival, octets + old, len - old);
    }
}

static void way_keep(struct arrival *arrival, uint32_t seq, const unsigned char *octets, size_t len)
{
    struct reassembly_way *way = arrival->way;
    struct reassembly_early **at = &way->early;

    if (len > REASSEMBLY_EARLY_MAX - way->early_octets || way->early_count == REASSEMBLY_SEGMENTS_MAX ||
        len > REASSEMBLY_ALL_EARLY_MAX - arrival->reassembly->early_octets) {
        way_lose(arrival, arrival->side);
        return;
    }
    if (way->early && ahead(way, way->early_last->seq) <= ahead(way, seq)) {
        at = &way->early_last->next; /* behind a gap segments mostly come in their order */
    }
    while (*at && ahead(way, (*at)->seq) <= ahead(way, seq)) {
        at = &(*at)->next;
    }
    struct reassembly_early *early = memory_zero(sizeof *early + len);
    early->seq = seq;
    early->len = len;
    memcpy(early->octets, octets, len);
    early->next = *at;
    *at = early;
    way->early_last = early->next ? way->early_last : early;
    way->early_count++;
    way->early_octets += len;
    arrival->reassembly->early_octets += len;
}

static void way_catch_up(struct arrival *arrival)
{
    struct reassembly_way *way = arrival->way;

    while (way->early && ahead(way, way->early->seq) <= 0) {
        struct reassembly_early *early = way->early;
        way->early = early->next;
        way->early_count--;
        way->early_octets -= early->len;
        arrival->reassembly->early_octets -= early->len;
        way_overlap(arrival, early->seq, early->octets, early->len);
        free(early);
    }
}

static void way_data(struct arrival *arrival, const struct capture_segment *segment)
{
    uint32_t seq = segment->seq + (segment->flags & CAPTURE_SYN ? 1 : 0);

    if (segment->len && ahead(arrival->way, seq) > 0) {
        way_keep(arrival, seq, segment->data, segment->len);
    } else if (segment->len) {
        way_overlap(arrival, seq, segment->data, segment->len);
        way_catch_up(arrival);
    }
    if (segment->missing && ahead(arrival->way, seq + (uint32_t)(segment->len + segment->missing)) > 0) {
        way_lose(arrival, arrival->side); /* the capture has only a part of the packet */
    }
}

static void way_end(struct arrival *arrival, const struct capture_segment *segment)
{
    const struct reassembly_listener *listener = arrival->reassembly->listener;
    struct reassembly_way *way = arrival->way;

    if (segment->flags & CAPTURE_FIN) {
        way->fin = true;
        way->fin_at = segment->seq + (uint32_t)(segment->len + segment->missing);
    }
    if (segment->flags & CAPTURE_RST && !arrival->connection->closed) {
        arrival->connection->closed = true;
        listener->ended(listener->context, arrival->connection, arrival->side, true, arrival->packet);
    } else if (way->fin && !way->finished && (way->lost || ahead(way, way->fin_at) <= 0)) {
        way->finished = true;
        way->next = way->fin_at + 1;
        arrival->connection->closed = true;
        listener->ended(listener->context, arrival->connection, arrival->side, false, arrival->packet);
    }
}

void reassembly_take(struct reassembly *reassembly, const struct capture_segment *segment,
                     const struct capture_packet *packet)
{
    struct arrival arrival = {.reassembly = reassembly, .packet = packet};

    if (!connection_find(&arrival, segment)) {
        return;
    }
    struct reassembly_way *back = &arrival.connection->ways[!arrival.side];
    arrival.way = &arrival.connection->ways[arrival.side];
    if (!arrival.way->begun && !(segment->flags & CAPTURE_RST)) {
        arrival.way->begun = true;
        arrival.way->next = segment->seq + (segment->flags & CAPTURE_SYN ? 1 : 0);
    }
    if (segment->flags & CAPTURE_ACK && back->begun && !back->lost && ahead(back, segment->ack) > 0 &&
        !(segment->flags & CAPTURE_RST)) {
        way_lose(&arrival, !arrival.side); /* the other side has got octets that the capture has not */
    }
    if (!arrival.way->lost && !arrival.way->finished) {
        way_data(&arrival, segment);
    }
    way_end(&arrival, segment);
}
