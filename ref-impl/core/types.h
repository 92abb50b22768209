/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The values that cross the border between the front door and the core: what a memory descriptor says, what an event
 * says, which processes a criterion admits. They hold what all revisions of the interface have in common, so that each
 * revision's own structs can be made from them.
 */
#ifndef REF_IMPL_CORE_TYPES_H
#define REF_IMPL_CORE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/portals/messages.h"

/* The handle of nothing. */
#define CORE_NONE UINT64_MAX
/* Any id, in a criterion. */
#define CORE_ANY_ID UINT32_MAX
/* Any portal, in an access control entry. */
#define CORE_ANY_PORTAL UINT32_MAX
/* The threshold that never ends. */
#define CORE_ENDLESS (-1)

/* Options of a memory descriptor (3.7.1). */
enum {
    CORE_SERVES_PUT = 1,
    CORE_SERVES_GET = 2,
    CORE_REMOTE_OFFSET = 4,
    CORE_TRUNCATES = 8,
    CORE_NO_ACK = 16,
    CORE_OPTIONS = 31,       /* all of Portals 3.0 */
    CORE_SCATTERED = 32,     /* the region is in pieces: 3.3 */
    CORE_KEEPS_ROOM = 64,    /* core_md.room counts: 3.3 */
    CORE_NO_START = 128,     /* no event when an operation begins: 3.3 */
    CORE_NO_END = 256,       /* no event when it ends: 3.3 */
    CORE_OPTIONS_LATER = 511 /* all of Portals 3.3 */
};

/* A piece of a scattered region. */
struct core_piece {
    void *start;
    uint64_t length;
};

/* A memory descriptor as the application sees it (3.7.1). With CORE_SCATTERED `start` is the program's array of pieces;
 * `length` is how many they are when a program gives it, and that of their octets afterwards: region_make. */
struct core_md {
    void *start;
    uint64_t length;
    int threshold;
    unsigned options;
    void *user_ptr;
    uint64_t eventq; /* handle, or CORE_NONE */

    /* What later revisions add. All zero is what 3.0 means. */
    uint64_t room;      /* with a local offset: inactive when fewer octets than these are left behind it */
    uint64_t bound;     /* by which the program said so; comes back as it was */
    uint32_t pieces;    /* of a scattered region */
    bool unlinks_bound; /* of one in no list: unlinked when its threshold is exhausted */
    bool unlinks_unfit; /* unlinked by a request that does not fit and may not be cut */
};

enum core_event_kind {
    CORE_EVENT_GET,
    CORE_EVENT_PUT,
    CORE_EVENT_REPLY,
    CORE_EVENT_ACK,
    CORE_EVENT_SENT,
    CORE_EVENT_EXCHANGE, /* a getput, at its target */
    CORE_EVENT_UNLINK    /* the library has unlinked the descriptor by itself */
};

/* An event (3.8.2). */
struct core_event {
    enum core_event_kind kind;
    bool begins;                      /* the operation has begun; it ends with an event of its own */
    bool failed;                      /* the network took none of it */
    struct wire_portals_id initiator; /* of the operation */
    uint32_t portal;
    uint64_t match_bits;
    uint64_t rlength, mlength;
    uint64_t offset;
    uint64_t hdr_data;
    uint64_t link;       /* number of the event with which the operation began; 0: that was not logged */
    uint64_t sequence;   /* number of this event in its queue, from 1 */
    uint64_t descriptor; /* its handle */
    uint32_t uid;        /* user of the initiator */
    struct core_md md;
};

/* core_admits - whether a process fits a criterion: every id of the criterion is CORE_ANY_ID or equal. An address
 * kind of the interface that names one pair of ids only leaves the other pair at CORE_ANY_ID. */
static inline bool core_admits(const struct wire_portals_id *criterion, const struct wire_portals_id *process)
{
    //= P30-032
    //= P30-108
    //= P30-109
    //= P30-110
    return (criterion->nid == CORE_ANY_ID || criterion->nid == process->nid) &&
           (criterion->pid == CORE_ANY_ID || criterion->pid == process->pid) &&
           (criterion->gid == CORE_ANY_ID || criterion->gid == process->gid) &&
           (criterion->rid == CORE_ANY_ID || criterion->rid == process->rid);
}

#endif
