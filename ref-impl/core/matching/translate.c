/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Address translation: figure 4 of the specification.
 *
 *      request --> portal index ok? --> access control ok? --> first entry
 *                       | no                 | no                  |
 *                       v                    v                     v            yes
 *                    discard              discard         criteria match? and first descriptor accepts? ---> serve
 *                                                                  | no        ^
 *                                                                  v           |
 *                                                             next entry? -----+
 *                                                                  | none
 *                                                                  v
 *                                                               discard
 */
#include "ref-impl/core/matching/translate.h"

#include "ref-impl/core/eq.h"
#include "ref-impl/core/matching/index.h"
#include "ref-impl/core/md_object.h"
#include "ref-impl/core/me_object.h"
#include "ref-impl/core/ni_object.h"
#include "ref-impl/core/unlink.h"

/* The first descriptor of an entry, or NULL: the others are not considered. */
static struct md *considered_descriptor(const struct me *me)
{
    //= P30-017
    //= P30-020
    //= P30-192
    return list_is_empty(&me->descriptors) ? NULL : LIST_OWNER(me->descriptors.next, struct md, link);
}

struct md *translate_request(struct ni *ni, const struct wire_portals_header *request, struct accept_part *part)
{
    const struct match_list *list;
    struct match_search search;

    if (request->portal >= ni->config.portals) {
        return NULL; //= P30-316
    }
    if (!acl_admits(&ni->acl, request->cookie, &request->initiator, request->uid, request->portal)) {
        return NULL;
    }
    list = &ni->portals[request->portal]; //= P30-005 P30-014
search:
    //= P30-015
    //= P30-018
    //= P30-019
    //= P30-315
    for (const struct me *me = match_first(&search, list, request); me; me = match_next(&search)) {
        struct md *md;

        if (!me_matches(ni, me, request)) {
            continue;
        }
        md = considered_descriptor(me);
        if (md && accept_decide(ni, md, request, part)) {
            return md; //= P30-016
        }
        /* What it refuses goes on to the next entry. */ //= GASN-011
        if (md && accept_is_unfit(md, request)) {
            unlink_exhausted(ni, md);
            eq_log_unlinked(ni);
            goto search; /* the list is another one now */
        }
    }
    return NULL; //= P30-021 P30-320
}
