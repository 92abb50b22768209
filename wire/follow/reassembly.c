/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * TCP connections out of segments (wire/follow/reassembly.h): which connection a segment belongs to, and how far it
 * is. What a direction does with octets is in wire/follow/direction.c.
 */
#include "wire/follow/reassembly.h"

#include "wire/follow/again.h"
#include "wire/follow/direction.h"
#include "wire/follow/kept.h"

#include <string.h>

enum {
    END_WORDS = 5,       /* of 32 bits: an address, and port and family */
    AGAIN_LEAST = 3,     /* segments that came before, */
    AGAIN_PART = 4,      /* and at least one of so many: the connection was captured at both of its ends */
    AGAIN_OPENINGS = 2,  /* of these at most so many SYN, or answers to it */
    LATE_MOST = 1 << 16, /* octets that came before their SYN, or its answer, was captured */
    OPENINGS = 1024,     /* sequence numbers of the latest openings by which a copy is known */
    HELD = 64,           /* segments with a wrong checksum that are kept, a direction */
    CHOSEN = 1 << 20,    /* hardly any system begins below: it chooses its first sequence number at random */
    NEAR = 1 << 24,      /* octets beyond what is known of a connection, either way, that are still its own */
    LEAP = 1 << 29,      /* as many ahead in both directions may be missing */
    KNOWN = 1 << 30,     /* octets that are remembered as having come */
    ALIKE = 4,           /* connections between the same ends that are kept */
};

_Static_assert(WIRE_REASSEMBLY_KEYS == 2 * END_WORDS, "a key for each word of both ends");

struct wire_reassembly {
    struct wire_direction_host host;
    uint64_t keys[WIRE_REASSEMBLY_KEYS];
    struct wire_reassembly_connection *buckets[WIRE_REASSEMBLY_BUCKETS];
    struct wire_reassembly_connection *oldest, *newest;
    struct wire_reassembly_connection *openings[OPENINGS]; /* those that began last, by sequence number */
    unsigned connections;
    uint32_t apart; /* the latest of such numbers */
    bool twice;     /* some connection was captured at both of its ends */
    uint64_t ignored;
};

bool wire_end_same(const struct wire_end *one, const struct wire_end *other)
{
    return one->family == other->family && one->port == other->port &&
           memcmp(one->address, other->address, sizeof one->address) == 0;
}

struct wire_reassembly *wire_reassembly_open(const struct wire_reassembly_listener *listener,
                                             const struct wire_memory *memory,
                                             const uint64_t keys[WIRE_REASSEMBLY_KEYS])
{
    struct wire_reassembly *reassembly = memory->take(memory->context, sizeof *reassembly);

    reassembly->host = (struct wire_direction_host){.listener = listener, .memory = memory};
    for (unsigned i = 0; i < WIRE_REASSEMBLY_KEYS; i++) {
        reassembly->keys[i] = keys[i] | 1;
    }
    return reassembly;
}

static uint32_t end_of(const struct wire_segment *segment)
{
    return segment->seq + (uint32_t)(segment->len + segment->missing) + !!(segment->flags & WIRE_TCP_FIN);
}

static bool is_wrong(const struct wire_segment *segment)
{
    return segment->checksum == WIRE_CHECKSUM_WRONG || segment->checksum == WIRE_CHECKSUM_ABSENT;
}

/* Whether the checksum is wrong where those of the segment's side mostly are right: it was damaged on its way, and its
 * receiver discards it; or what has edited the capture has left the checksum as it was, or a disk has lost it. */
static bool is_doubtful(const struct wire_reassembly_way *way, const struct wire_segment *segment)
{
    return is_wrong(segment) && way->wrong < way->right;
}

/* Keeps such a segment until its receiver has said that it has got the octets. */
static void hold(const struct wire_memory *memory, struct wire_reassembly_way *way, const struct wire_segment *segment,
                 const struct wire_packet *packet)
{
    struct wire_reassembly_held *held;

    way->wrong++;
    if (way->held_count == HELD) {
        return;
    }
    held = wire_kept_make(memory, segment, packet);
    *(way->held ? &way->held_last->next : &way->held) = held;
    way->held_last = held;
    way->held_count++;
}

/* Takes the first one that is held away; its octets have their turn unless they are `dropped`, or have come whole. */
static void release(const struct wire_direction *at, bool dropped)
{
    const struct wire_memory *memory = at->host->memory;
    struct wire_reassembly_held *held = at->way->held;

    at->way->held = held->next;
    at->way->held_count--;
    if (!dropped && (int32_t)(end_of(&held->segment) - at->way->next) > 0) {
        struct wire_direction then = *at, back = *at;

        back.side = !at->side;
        back.way = &at->connection->ways[back.side];
        then.packet = &held->packet;
        back.packet = &held->packet;
        wire_direction_acknowledge(&back, &held->segment);
        wire_direction_take(&then, &held->segment);
    }
    memory->give(memory->context, held);
}

static void release_acknowledged(const struct wire_direction *at, const struct wire_segment *segment)
{
    while (at->way->held && (segment->flags & WIRE_TCP_ACK) &&
           (int32_t)(segment->ack - end_of(&at->way->held->segment)) >= 0) {
        release(at, false);
    }
}

/* All of them: where nothing of their receiver was captured they have their turn. */
static void release_all(const struct wire_direction *at, bool dropped)
{
    while (at->way->held) {
        release(at, dropped);
    }
}

static void connection_clear(struct wire_reassembly *reassembly, struct wire_reassembly_connection *connection)
{
    const struct wire_reassembly_listener *listener = reassembly->host.listener;

    for (unsigned side = 0; side < 2; side++) {
        release_all(&(struct wire_direction){.host = &reassembly->host, .way = &connection->ways[side]}, true);
        wire_direction_drop(&reassembly->host, &connection->ways[side]);
    }
    wire_again_drop(reassembly->host.memory, connection);
    if (listener->gone && !connection->copy) {
        listener->gone(listener->context, connection);
    }
}

void wire_reassembly_close(struct wire_reassembly *reassembly)
{
    const struct wire_memory *memory = reassembly->host.memory;

    while (reassembly->oldest) {
        struct wire_reassembly_connection *first = reassembly->oldest;

        reassembly->oldest = first->younger;
        connection_clear(reassembly, first);
        memory->give(memory->context, first);
    }
    memory->give(memory->context, reassembly);
}

void wire_reassembly_finish(struct wire_reassembly *reassembly)
{
    for (struct wire_reassembly_connection *at = reassembly->oldest; at; at = at->younger) {
        for (unsigned side = 0; side < 2; side++) {
            struct wire_direction last = {&reassembly->host, at, &at->ways[side], side, &at->ways[side].late};

            release_all(&last, at->ways[!side].begun);
            wire_direction_finish(&last);
        }
    }
}

uint64_t wire_reassembly_ignored(const struct wire_reassembly *reassembly)
{
    return reassembly->ignored;
}

/* The sum of an end's words, each times a key of its own. */
static uint64_t hash_end(const struct wire_end *end, const uint64_t *keys)
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
static unsigned bucket_of(const struct wire_reassembly *reassembly, const struct wire_end *from,
                          const struct wire_end *to)
{
    int order = memcmp(from->address, to->address, sizeof from->address);
    bool turned = order > 0 || (order == 0 && from->port > to->port);
    const struct wire_end *first = turned ? to : from;
    const struct wire_end *second = turned ? from : to;
    uint64_t hash = hash_end(first, reassembly->keys) + hash_end(second, reassembly->keys + END_WORDS);

    return (unsigned)((hash >> 32) % WIRE_REASSEMBLY_BUCKETS);
}

/* How far a number lies from those that have come, or of which the other side says so. */
static uint32_t distance_of(const struct wire_reassembly_way *way, uint32_t number)
{
    uint32_t high = way->confirmed && (int32_t)(way->acked - way->next) > 0 ? way->acked : way->next;
    uint32_t ahead = number - high, behind = way->low - number;

    if (number - way->low <= high - way->low) {
        return 0;
    }
    return ahead < behind ? ahead : behind;
}

/* Whether it lies ahead by what may be missing. */
static bool leaps(const struct wire_reassembly_way *way, uint32_t number)
{
    return number - way->next <= LEAP;
}

/* Whether a SYN, or the answer to one, is that of the connection. */
static bool opens(const struct wire_reassembly_way *way, const struct wire_segment *segment)
{
    uint32_t later = way->first - (segment->seq + 1);

    return later == 0 || (!way->whole && later <= LATE_MOST);
}

/* How far from what is known of the connection the segment lies: beyond NEAR it is another one's. One of its two
 * numbers suffices, for a lot of the other direction may be missing. */
static uint32_t connection_distance(const struct wire_reassembly_connection *connection,
                                    const struct wire_segment *segment, unsigned side)
{
    const struct wire_reassembly_way *way = &connection->ways[side], *back = &connection->ways[!side];
    bool answers = (segment->flags & WIRE_TCP_ACK) && back->begun;
    uint32_t sent = way->begun ? distance_of(way, segment->seq) : UINT32_MAX;
    uint32_t heard = answers ? distance_of(back, segment->ack) : UINT32_MAX;
    uint32_t nearer = sent < heard ? sent : heard;

    if (connection->over) {
        return UINT32_MAX;
    }
    if ((segment->flags & WIRE_TCP_SYN) && way->begun) {
        return opens(way, segment) ? 0 : UINT32_MAX;
    }
    if (connection->copy || (!way->begun && !answers)) {
        return 0;
    }
    if (nearer > NEAR && (!way->begun || leaps(way, segment->seq)) && (!answers || leaps(back, segment->ack))) {
        return NEAR;
    }
    return nearer;
}

/* Of the connections between the segment's ends the one that is nearest to it, of several the latest, with the side
 * that sent it; NULL when there is none. */
static struct wire_reassembly_connection *
nearest(struct wire_reassembly *reassembly, const struct wire_segment *segment, unsigned *side, uint32_t *distance)
{
    struct wire_reassembly_connection *found = NULL;
    unsigned bucket = bucket_of(reassembly, &segment->from, &segment->to);

    for (struct wire_reassembly_connection *at = reassembly->buckets[bucket]; at; at = at->next) {
        for (unsigned i = 0; i < 2; i++) {
            if (wire_end_same(&at->ends[i], &segment->from) && wire_end_same(&at->ends[!i], &segment->to)) {
                uint32_t far = connection_distance(at, segment, i);

                if (!found || far < *distance) {
                    found = at;
                    *side = i;
                    *distance = far;
                }
            }
        }
    }
    return found;
}

/* Whether a SYN with the very number of a connection that is over begins a new one; where the capture holds connections
 * from both of their ends it is the same again. */
static bool reopens(const struct wire_reassembly *reassembly, const struct wire_reassembly_connection *connection,
                    const struct wire_segment *segment, unsigned side)
{
    return (segment->flags & (WIRE_TCP_SYN | WIRE_TCP_ACK)) == WIRE_TCP_SYN && connection->ways[side].begun &&
           connection->closed && !reassembly->twice;
}

static void tell_twice(struct wire_reassembly *reassembly, struct wire_reassembly_connection *connection,
                       const struct wire_packet *copy)
{
    const struct wire_reassembly_listener *listener = reassembly->host.listener;

    reassembly->twice = connection->twice = true;
    if (listener->twice) {
        listener->twice(listener->context, connection, copy);
    }
}

/* Segments that came before. Some are sent again, or captured twice; where many are, the connection was captured at
 * both of its ends. What looks like one octet may be there to keep a connection alive, or to probe a window. */
static void look_twice(struct wire_reassembly *reassembly, struct wire_reassembly_connection *connection,
                       const struct wire_segment *segment, unsigned side)
{
    const struct wire_reassembly_way *way = &connection->ways[side];
    uint32_t len = (uint32_t)(segment->len + segment->missing);
    bool opens = segment->flags & WIRE_TCP_SYN;
    bool came = way->begun && (int32_t)(segment->seq + len + opens - way->next) <= 0;

    if (len <= 1 && !opens) {
        return;
    }
    connection->segments++;
    connection->again += came && (!opens || connection->again < AGAIN_OPENINGS);
    if (!connection->twice && connection->again >= AGAIN_LEAST &&
        connection->segments <= connection->again * AGAIN_PART) {
        tell_twice(reassembly, connection, NULL);
    }
}

/* The connection of which this opening is a copy: a router between two places of capture gives it other addresses, but
 * leaves the sequence numbers, which real systems choose at random. Captures that are written by hand begin with small
 * ones, or lack options. */
static struct wire_reassembly_connection *original_of(struct wire_reassembly *reassembly,
                                                      struct wire_reassembly_connection *connection,
                                                      const struct wire_segment *segment)
{
    uint32_t first = segment->flags & WIRE_TCP_ACK ? segment->ack : segment->seq + 1;
    struct wire_reassembly_connection **place = &reassembly->openings[first % OPENINGS], *at = *place;

    if (!(segment->flags & WIRE_TCP_SYN) || !segment->has_options || first < CHOSEN) {
        return NULL;
    }
    if (at && at != connection && at->ways[0].whole && at->ways[0].first == first) {
        return at;
    }
    *place = connection;
    return NULL;
}

static void connection_begin(struct wire_reassembly *reassembly, struct wire_reassembly_connection *connection,
                             const struct wire_segment *segment, const struct wire_packet *packet)
{
    const struct wire_reassembly_listener *listener = reassembly->host.listener;
    bool answer = (segment->flags & WIRE_TCP_SYN) && (segment->flags & WIRE_TCP_ACK);
    struct wire_reassembly_connection *original = original_of(reassembly, connection, segment);

    *connection = (struct wire_reassembly_connection){
        .ends = {answer ? segment->to : segment->from, answer ? segment->from : segment->to},
        .joined = !(segment->flags & WIRE_TCP_SYN) || segment->path.opens,
        .further = segment->path.opens,
        .copy = original != NULL,
        .next = connection->next,
        .younger = connection->younger};
    if (original) {
        connection->ways[0] = (struct wire_reassembly_way){
            .begun = true, .whole = true, .first = original->ways[0].first, .next = original->ways[0].first};
        tell_twice(reassembly, original, packet);
    } else if (listener->opened) {
        listener->opened(listener->context, connection, packet);
    }
}

/* The oldest connection between these ends where as many are kept as may be; else NULL. */
static struct wire_reassembly_connection *oldest_alike(const struct wire_reassembly *reassembly,
                                                       const struct wire_segment *segment)
{
    struct wire_reassembly_connection *oldest = NULL;
    unsigned count = 0;

    for (struct wire_reassembly_connection *at =
             reassembly->buckets[bucket_of(reassembly, &segment->from, &segment->to)];
         at; at = at->next) {
        bool turned = wire_end_same(&at->ends[1], &segment->from) && wire_end_same(&at->ends[0], &segment->to);

        if (turned || (wire_end_same(&at->ends[0], &segment->from) && wire_end_same(&at->ends[1], &segment->to))) {
            oldest = at;
            count++;
        }
    }
    return count < ALIKE ? NULL : oldest;
}

/* A new connection; NULL when there are too many. */
static struct wire_reassembly_connection *connection_make(struct wire_reassembly *reassembly,
                                                          const struct wire_segment *segment,
                                                          const struct wire_packet *packet)
{
    const struct wire_memory *memory = reassembly->host.memory;
    struct wire_reassembly_connection **bucket =
        &reassembly->buckets[bucket_of(reassembly, &segment->from, &segment->to)];
    struct wire_reassembly_connection *made = oldest_alike(reassembly, segment);

    if (made) {
        connection_clear(reassembly, made);
        connection_begin(reassembly, made, segment, packet);
        return made;
    }
    if (reassembly->connections == WIRE_REASSEMBLY_CONNECTIONS_MAX) {
        reassembly->ignored++;
        return NULL;
    }
    reassembly->connections++;
    made = memory->take(memory->context, sizeof *made);
    made->next = *bucket;
    *bucket = made;
    *(reassembly->newest ? &reassembly->newest->younger : &reassembly->oldest) = made;
    reassembly->newest = made;
    connection_begin(reassembly, made, segment, packet);
    return made;
}

static void tell_beside(struct wire_reassembly *reassembly, struct wire_reassembly_connection *connection,
                        const struct wire_packet *packet)
{
    const struct wire_reassembly_listener *listener = reassembly->host.listener;

    if (!connection->beside && listener->beside) {
        listener->beside(listener->context, connection, packet);
    }
    connection->beside = true;
}

/* The segment is of another connection between the ends of this one, which is over where the other is opened. A reset
 * that lies far off is nobody's: its receiver does not heed it. */
static struct wire_reassembly_connection *connection_other(struct wire_reassembly *reassembly,
                                                           struct wire_reassembly_connection *connection,
                                                           const struct wire_segment *segment,
                                                           const struct wire_packet *packet)
{
    const struct wire_reassembly_listener *listener = reassembly->host.listener;
    bool went_on = !connection->closed && !wire_reassembly_is_silent(connection);
    struct wire_reassembly_connection *made;

    if (segment->flags & WIRE_TCP_RST) {
        return NULL;
    }
    if (!(segment->flags & WIRE_TCP_SYN)) {
        if (!connection->closed) {
            tell_beside(reassembly, connection, packet);
        }
    } else if (!connection->copy && listener->replaced) {
        listener->replaced(listener->context, connection);
    }
    connection->replaced = true;
    made = connection_make(reassembly, segment, packet);
    if (made && went_on) {
        made->apart = ++reassembly->apart;
    }
    return made;
}

static void connection_take(struct wire_reassembly *reassembly, struct wire_reassembly_connection *connection,
                            const struct wire_segment *segment, const struct wire_packet *packet, unsigned side)
{
    struct wire_direction at = {&reassembly->host, connection, &connection->ways[side], side, packet};
    struct wire_direction back = {&reassembly->host, connection, &connection->ways[!side], !side, packet};

    at.way->right += segment->checksum == WIRE_CHECKSUM_RIGHT;
    at.way->wrong += is_wrong(segment);
    release_acknowledged(&back, segment);
    wire_direction_acknowledge(&back, segment);
    wire_direction_take(&at, segment);
    if (at.way->next - at.way->low > KNOWN) {
        at.way->low = at.way->next - KNOWN;
    }
}

/* The SYN that came again opened another connection: what came since is that one's. */
static void connection_part(struct wire_reassembly *reassembly, struct wire_reassembly_connection *connection)
{
    const struct wire_memory *memory = reassembly->host.memory;
    struct wire_reassembly_held *since = wire_again_take(connection);
    struct wire_reassembly_connection *made;

    connection->over = true;
    reassembly->openings[connection->ways[0].first % OPENINGS] = NULL; /* the other one is no copy of it */
    made = connection_other(reassembly, connection, &since->segment, &since->packet);
    while (since) {
        struct wire_reassembly_held *first = since;

        if (made) {
            connection_take(reassembly, made, &first->segment, &first->packet,
                            wire_end_same(&made->ends[0], &first->segment.from) ? 0 : 1);
        }
        since = first->next;
        memory->give(memory->context, first);
    }
}

/* The same connection goes on, also where another one was opened after it. */
static void connection_continue(struct wire_reassembly *reassembly, struct wire_reassembly_connection *connection,
                                const struct wire_segment *segment, const struct wire_packet *packet, unsigned side)
{
    const struct wire_reassembly_way *way = &connection->ways[side];

    look_twice(reassembly, connection, segment, side);
    if (connection->replaced && segment->len && !way->finished && (int32_t)(end_of(segment) - way->next) > 0) {
        tell_beside(reassembly, connection, packet);
    }
}

/* Finds or makes the connection; NULL when there are too many, or when the segment is held or is nobody's. */
static struct wire_reassembly_connection *connection_of(struct wire_reassembly *reassembly,
                                                        const struct wire_segment *segment,
                                                        const struct wire_packet *packet, unsigned *side)
{
    uint32_t distance = 0;
    struct wire_reassembly_connection *found = nearest(reassembly, segment, side, &distance);

    if (found && is_doubtful(&found->ways[*side], segment)) {
        hold(reassembly->host.memory, &found->ways[*side], segment, packet);
        return NULL;
    }
    if (!found) {
        found = connection_make(reassembly, segment, packet);
    } else if (distance > NEAR) {
        found = connection_other(reassembly, found, segment, packet);
    } else if (reopens(reassembly, found, segment, *side)) {
        connection_clear(reassembly, found);
        connection_begin(reassembly, found, segment, packet);
    } else if (!found->copy) {
        connection_continue(reassembly, found, segment, packet, *side);
    }
    if (found) {
        *side = wire_end_same(&found->ends[0], &segment->from) ? 0 : 1;
    }
    return found;
}

void wire_reassembly_take(struct wire_reassembly *reassembly, const struct wire_segment *segment,
                          const struct wire_packet *packet)
{
    unsigned side = 0;
    struct wire_reassembly_connection *connection = connection_of(reassembly, segment, packet, &side);

    if (!connection || connection->copy) {
        return;
    }
    if (wire_again_is_other(reassembly->host.memory, connection, segment, packet, side)) {
        connection_part(reassembly, connection);
    } else {
        connection_take(reassembly, connection, segment, packet, side);
    }
}
