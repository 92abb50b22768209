/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A SYN that comes again (wire/follow/again.h).
 */
#include "wire/follow/again.h"

#include "wire/follow/kept.h"

#include <string.h>

enum {
    HEAD = 512,       /* octets of a direction by which connections are told apart */
    SEGMENTS = 64,    /* that are kept since a SYN came again, */
    OCTETS = 1 << 16, /* with so many octets, and the last one's */
};

struct wire_reassembly_head {
    size_t len;
    unsigned char octets[HEAD];
};

void wire_again_remember(const struct wire_memory *memory, struct wire_reassembly_way *way, const unsigned char *octets,
                         size_t len)
{
    uint32_t place = way->next - way->first;
    size_t room = place < HEAD ? HEAD - place : 0;
    size_t part = len < room ? len : room;

    if (!way->whole || part == 0 || place != (way->head ? way->head->len : 0)) {
        return; /* what comes behind a gap is not remembered */
    }
    if (!way->head) {
        way->head = memory->take(memory->context, sizeof *way->head);
    }
    memcpy(way->head->octets + place, octets, part);
    way->head->len += part;
}

/* Whether the segment has other octets than the direction had at that place. */
static bool differs(const struct wire_reassembly_way *way, const struct wire_segment *segment)
{
    uint32_t place = segment->seq + !!(segment->flags & WIRE_TCP_SYN) - way->first;
    size_t had = way->head && place < way->head->len ? way->head->len - place : 0;
    size_t part = segment->len < had ? segment->len : had;

    return part > 0 && segment->checksum != WIRE_CHECKSUM_WRONG &&
           memcmp(way->head->octets + place, segment->data, part) != 0;
}

static void since_drop(const struct wire_memory *memory, struct wire_reassembly_connection *connection)
{
    while (connection->since) {
        struct wire_reassembly_held *first = connection->since;

        connection->since = first->next;
        memory->give(memory->context, first);
    }
    connection->since_count = 0;
    connection->since_octets = 0;
}

bool wire_again_is_other(const struct wire_memory *memory, struct wire_reassembly_connection *connection,
                         const struct wire_segment *segment, const struct wire_packet *packet, unsigned side)
{
    bool opens = (segment->flags & (WIRE_TCP_SYN | WIRE_TCP_ACK)) == WIRE_TCP_SYN;
    struct wire_reassembly_held *kept;

    if (opens && side == 0 && connection->ways[0].head) {
        since_drop(memory, connection);
    } else if (!connection->since) {
        return false;
    }
    if (connection->since_count == SEGMENTS || connection->since_octets > OCTETS) {
        since_drop(memory, connection);
        return false;
    }
    kept = wire_kept_make(memory, segment, packet);
    *(connection->since ? &connection->since_last->next : &connection->since) = kept;
    connection->since_last = kept;
    connection->since_count++;
    connection->since_octets += segment->len;
    return differs(&connection->ways[side], segment);
}

struct wire_reassembly_held *wire_again_take(struct wire_reassembly_connection *connection)
{
    struct wire_reassembly_held *since = connection->since;

    connection->since = NULL;
    connection->since_count = 0;
    connection->since_octets = 0;
    return since;
}

void wire_again_drop(const struct wire_memory *memory, struct wire_reassembly_connection *connection)
{
    since_drop(memory, connection);
    for (unsigned side = 0; side < 2; side++) {
        if (connection->ways[side].head) {
            memory->give(memory->context, connection->ways[side].head);
            connection->ways[side].head = NULL;
        }
    }
}
