/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Putting fragments of IP packets together (fragments.h). A packet that is complete keeps its place until it is needed,
 * so that fragments which were captured twice are known for what they are: all of them make the packet once more.
 */
#include "tester/capture/fragments.h"

#include "tester/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { PACKETS = 64, UNIT = 8, PACKET_MAX = 65535, UNITS = (PACKET_MAX + UNIT) / UNIT };

struct packet {
    uint64_t touched; /* when a fragment came last, counted in fragments; 0: never */
    struct capture_fragment about;
    uint64_t pieces; /* that have come and made no packet */
    bool is_done, is_broken;
    size_t len;        /* of the whole, once its last fragment is there, else 0 */
    size_t top, units; /* the end of the hindmost octets that have come; units that have, since it was complete */
    uint8_t seen[(UNITS + 7) / 8];
    unsigned char octets[PACKET_MAX + UNIT];
};

struct capture_fragments {
    uint64_t taken, dropped; /* dropped: fragments of packets that lost their place */
    struct packet *packets[PACKETS];
};

struct capture_fragments *capture_fragments_open(void)
{
    return memory_zero(sizeof(struct capture_fragments));
}

void capture_fragments_close(struct capture_fragments *fragments)
{
    for (int i = 0; fragments && i < PACKETS; i++) {
        free(fragments->packets[i]);
    }
    free(fragments);
}

uint64_t capture_fragments_left(const struct capture_fragments *fragments)
{
    uint64_t left = fragments->dropped;

    for (int i = 0; i < PACKETS; i++) {
        left += fragments->packets[i] ? fragments->packets[i]->pieces : 0;
    }
    return left;
}

static bool is_of(const struct packet *packet, const struct capture_fragment *piece)
{
    return packet->touched && packet->about.number == piece->number && packet->about.is_ipv6 == piece->is_ipv6 &&
           (piece->is_ipv6 || packet->about.protocol == piece->protocol) &&
           memcmp(packet->about.addresses, piece->addresses, sizeof piece->addresses) == 0;
}

static void begin(struct capture_fragments *fragments, struct packet *packet, const struct capture_fragment *piece)
{
    fragments->dropped += packet->pieces;
    packet->about = *piece;
    packet->pieces = 0;
    packet->is_done = packet->is_broken = false;
    packet->len = packet->top = packet->units = 0;
    memset(packet->seen, 0, sizeof packet->seen);
}

/* The packet to which the fragment belongs; a new one takes the place of that which has waited longest. */
static struct packet *packet_of(struct capture_fragments *fragments, const struct capture_fragment *piece)
{
    int oldest = 0;

    for (int i = 0; i < PACKETS; i++) {
        if (!fragments->packets[i]) {
            fragments->packets[i] = memory_zero(sizeof(struct packet));
            oldest = i;
            break;
        }
        if (is_of(fragments->packets[i], piece)) {
            return fragments->packets[i];
        }
        oldest = fragments->packets[i]->touched < fragments->packets[oldest]->touched ? i : oldest;
    }
    begin(fragments, fragments->packets[oldest], piece);
    return fragments->packets[oldest];
}

/* Whether the fragment says what others have said; of octets that have not come yet anything may be said. */
static bool agrees(const struct packet *packet, const struct capture_fragment *piece)
{
    size_t end = piece->offset + piece->len;

    if ((packet->len && (end > packet->len || (!piece->more && end != packet->len))) ||
        (!piece->more && packet->top > end)) {
        return false;
    }
    for (size_t at = 0; at < piece->len; at += UNIT) {
        size_t unit = (piece->offset + at) / UNIT, here = piece->len - at < UNIT ? piece->len - at : UNIT;

        if ((packet->seen[unit / 8] >> unit % 8 & 1) &&
            memcmp(packet->octets + unit * UNIT, piece->octets + at, here) != 0) {
            return false;
        }
    }
    return true;
}

/* Whether the fragment is one of a packet that is complete, once more. */
static bool repeats(const struct packet *packet, const struct capture_fragment *piece)
{
    size_t end = piece->offset + piece->len;

    return (piece->more ? end <= packet->len : end == packet->len) &&
           memcmp(packet->octets + piece->offset, piece->octets, piece->len) == 0;
}

static void mark(struct packet *packet, const struct capture_fragment *piece)
{
    for (size_t at = 0; at < piece->len; at += UNIT) {
        size_t unit = (piece->offset + at) / UNIT;

        packet->units += !(packet->seen[unit / 8] >> unit % 8 & 1);
        packet->seen[unit / 8] |= (uint8_t)(1u << unit % 8);
    }
}

static void fill(struct packet *packet, const struct capture_fragment *piece)
{
    memcpy(packet->octets + piece->offset, piece->octets, piece->len);
    packet->top = piece->offset + piece->len > packet->top ? piece->offset + piece->len : packet->top;
    packet->len = piece->more ? packet->len : piece->offset + piece->len;
    packet->about.protocol = piece->offset ? packet->about.protocol : piece->protocol;
}

bool capture_fragments_take(struct capture_fragments *fragments, const struct capture_fragment *piece,
                            struct wire_reader *whole, unsigned *protocol)
{
    struct packet *packet;

    if (piece->len == 0 || piece->offset % UNIT || piece->offset + piece->len > PACKET_MAX ||
        (piece->more && piece->len % UNIT)) {
        fragments->dropped++;
        return false;
    }
    packet = packet_of(fragments, piece);
    packet->touched = ++fragments->taken;
    if (packet->is_done && !repeats(packet, piece)) { /* the number is used again */
        begin(fragments, packet, piece);
    }
    packet->pieces += !packet->is_done;
    packet->is_broken = packet->is_broken || !agrees(packet, piece);
    if (packet->is_broken) {
        return false;
    }
    fill(packet, piece);
    mark(packet, piece);
    if (packet->len == 0 || packet->units != (packet->len + UNIT - 1) / UNIT) {
        return false;
    }
    packet->is_done = true;
    packet->pieces = packet->units = 0;
    memset(packet->seen, 0, sizeof packet->seen);
    *whole = wire_reader_over(packet->octets, packet->len);
    *protocol = packet->about.protocol;
    return true;
}
