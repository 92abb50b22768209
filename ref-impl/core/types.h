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
    CORE_OPTIONS = 31 /* all of them */
};

/* A memory descriptor as the application sees it (3.7.1). */
struct core_md {
    void *start;
    uint64_t length;
    int threshold;
    unsigned options;
    void *user_ptr;
    uint64_t eventq; /* handle, or CORE_NONE */
};

enum core_event_kind { CORE_EVENT_GET, CORE_EVENT_PUT, CORE_EVENT_REPLY, CORE_EVENT_ACK, CORE_EVENT_SENT };

/* An event (3.8.2). */
struct core_event {
    enum core_event_kind kind;
    struct wire_portals_id initiator; /* of the operation */
    uint32_t portal;
    uint64_t match_bits;
    uint64_t rlength, mlength;
    uint64_t offset;
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
