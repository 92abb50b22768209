/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The brief form of a message in a ring: what a put, a get and their answers say, without what both sides know, so that
 * a short one travels in a line of the cache or two.
 *
 *     |<------- struct shm_brief ------->|<- payload ->|<- nothing ->|
 *     +----------------------------------+-------------+-------------+ the next line of the cache
 *
 * It is written as a whole, and head and payload stand in one piece. Messages for which that cannot be have the form of
 * struct shm_record: long ones, those of later revisions, barriers, and what is just at the end of the ring.
 */
#ifndef REF_IMPL_NAL_SHM_BRIEF_H
#define REF_IMPL_NAL_SHM_BRIEF_H

#include "ref-impl/nal/shm/segment.h"
#include "wire/portals/messages.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What the first word of a message in a ring says. */
enum shm_form { SHM_FORM_NONE, SHM_FORM_WHOLE, SHM_FORM_BRIEF };

struct shm_brief {
    uint32_t form; /* SHM_FORM_BRIEF */
    uint16_t operation;
    uint16_t ranked; /* the message names group and rank of its target, which are those of the receiver */
    uint32_t portal;
    uint32_t cookie;
    uint64_t match_bits, offset, md, rlength, mlength;
};

_Static_assert(sizeof(struct shm_brief) <= SHM_LINE, "its head is in one line where it begins with one");

/* shm_brief_names - whether the target is that peer, with its group and rank or with neither. */
static inline bool shm_brief_names(const struct wire_portals_id *target, const struct wire_portals_id *peer)
{
    return wire_portals_is_id(target, peer) ||
           (target->nid == peer->nid && target->pid == peer->pid && target->gid == WIRE_PORTALS_ID_UNKNOWN &&
            target->rid == WIRE_PORTALS_ID_UNKNOWN);
}

/* shm_brief_suits - whether a message from `self` to `peer` has this form. */
static inline bool shm_brief_suits(const struct wire_portals_header *header, const struct wire_portals_id *self,
                                   const struct wire_portals_id *peer)
{
    bool has_form = header->operation == WIRE_PORTALS_PUT || header->operation == WIRE_PORTALS_GET ||
                    header->operation == WIRE_PORTALS_ACK || header->operation == WIRE_PORTALS_REPLY;

    return has_form && !header->tagged && wire_portals_is_id(&header->initiator, self) &&
           shm_brief_names(&header->target, peer);
}

/* What both have from `match_bits` on is laid out the same, and is copied as a whole. */
enum {
    SHM_BRIEF_SAME = offsetof(struct shm_brief, match_bits),
    SHM_HEADER_SAME = offsetof(struct wire_portals_header, match_bits),
    SHM_SAME_OCTETS = sizeof(struct shm_brief) - SHM_BRIEF_SAME,
};

_Static_assert(offsetof(struct shm_brief, mlength) - SHM_BRIEF_SAME ==
                   offsetof(struct wire_portals_header, mlength) - SHM_HEADER_SAME,
               "offset, md, rlength and mlength follow in both");

/* shm_brief_write - writes the head of one that has to the ring, but for its first word, which is to be written last
 * and is what this returns. */
static inline uint64_t shm_brief_write(const struct wire_portals_header *header, unsigned char *place)
{
    struct shm_brief brief = {
        .form = SHM_FORM_BRIEF,
        .operation = (uint16_t)header->operation,
        .ranked = header->target.gid != WIRE_PORTALS_ID_UNKNOWN,
        .portal = header->portal,
        .cookie = header->cookie,
    };
    uint64_t first;

    memcpy(&first, &brief, sizeof first);
    memcpy(place + sizeof first, (const unsigned char *)&brief + sizeof first, SHM_BRIEF_SAME - sizeof first);
    memcpy(place + SHM_BRIEF_SAME, (const unsigned char *)header + SHM_HEADER_SAME, SHM_SAME_OCTETS);
    return first;
}

/* shm_brief_header - writes the header that it stands for, with the ids of sender and receiver. */
static inline void shm_brief_header(const struct shm_brief *brief, const struct wire_portals_id *sender,
                                    const struct wire_portals_id *receiver, struct wire_portals_header *header)
{
    *header = (struct wire_portals_header){
        .operation = brief->operation,
        .initiator = *sender,
        .target = *receiver,
        .portal = brief->portal,
        .cookie = brief->cookie,
    };
    memcpy((unsigned char *)header + SHM_HEADER_SAME, (const unsigned char *)brief + SHM_BRIEF_SAME, SHM_SAME_OCTETS);
    if (!brief->ranked) {
        header->target.gid = WIRE_PORTALS_ID_UNKNOWN;
        header->target.rid = WIRE_PORTALS_ID_UNKNOWN;
    }
}

/* shm_brief_octets - how much of the ring one takes that begins at `position`. */
static inline uint64_t shm_brief_octets(uint64_t position, uint64_t payload_octets)
{
    uint64_t end = position + sizeof(struct shm_brief) + payload_octets;

    return (end + SHM_LINE - 1) / SHM_LINE * SHM_LINE - position;
}

#endif
