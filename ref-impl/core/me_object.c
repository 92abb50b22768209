/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Finding match entries, and what matches: see me_object.h. Chapters 3.6 and 2.2.
 */
#include "ref-impl/core/me_object.h"

#include "ref-impl/core/ni.h"

struct me *me_enter(uint64_t handle, struct ni **ni)
{
    struct me *me;

    *ni = ni_enter(handle);
    if (!*ni) {
        return NULL;
    }
    me = handle_find(&(*ni)->objects, HANDLE_ENTRY, handle);
    if (!me) {
        ni_leave(*ni);
    }
    return me;
}

bool me_matches(const struct ni *ni, const struct me *me, const struct wire_portals_header *request)
{
    uint64_t compared = ~me->criteria.ignore_bits; //= P30-111 P30-113
    uint64_t wanted = me->criteria.match_bits;

    if (ni->config.policy->ignore_masks_both_sides) {
        wanted &= compared; //= P30-114
    }
    //= P30-006
    //= P30-007
    //= P30-105
    //= P30-112
    return core_admits(&me->criteria.process, &request->initiator) && (request->match_bits & compared) == wanted;
}
