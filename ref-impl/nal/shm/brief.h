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
    bool ranked = target->gid == peer->gid && target->rid == peer->rid;
    bool unranked = target->gid == WIRE_PORTALS_ID_UNKNOWN && target->rid == WIRE_PORTALS_ID_UNKNOWN;

    return target->nid == peer->nid && target->pid == peer->pid && (ranked || unranked);
}

/* shm_brief_suits - whether a message from `self` to `peer` has this form. */
static inline bool shm_brief_suits(const struct wire_portals_header *header, const struct wire_portals_id *self,
                                   const struct wire_portals_id *peer)
{
    const struct wire_portals_id *initiator = &header->initiator;
    bool own = initiator->nid == self->nid && initiator->pid == self->pid && initiator->gid == self->gid &&
               initiator->rid == self->rid;
    bool has_form = header->operation == WIRE_PORTALS_PUT || header->operation == WIRE_PORTALS_GET ||
                    header->operation == WIRE_PORTALS_ACK || header->operation == WIRE_PORTALS_REPLY;

    return has_form && !header->tagged && own && shm_brief_names(&header->target, peer);
}

/* shm_brief_make - the head of one that has. */
static inline struct shm_brief shm_brief_make(const struct wire_portals_header *header)
{
    return (struct shm_brief){
        .form = SHM_FORM_BRIEF,
        .operation = (uint16_t)header->operation,
        .ranked = header->target.gid != WIRE_PORTALS_ID_UNKNOWN,
        .portal = header->portal,
        .cookie = header->cookie,
        .match_bits = header->match_bits,
        .offset = header->offset,
        .md = header->md,
        .rlength = header->rlength,
        .mlength = header->mlength,
    };
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
        .match_bits = brief->match_bits,
        .offset = brief->offset,
        .md = brief->md,
        .rlength = brief->rlength,
        .mlength = brief->mlength,
    };

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
