/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A memory descriptor's answer to a request: see accept.h. Chapters 3.7.1 and 4.2.
 *
 *      start                offset                                  start + length
 *        |--------------------|----------------------------------------|
 *                             |<------------- available -------------->|
 *                             |<-- request ->|                                fits
 *                             |<-- request ----------------------------->|    too long: rejected, or truncated
 *                                                                             to what is available
 */
#include "ref-impl/core/matching/accept.h"

#include "ref-impl/core/eq.h"
#include "ref-impl/core/md_object.h"
#include "ref-impl/core/ni_object.h"

static bool serves(const struct md *md, uint32_t operation)
{
    unsigned option = operation == WIRE_PORTALS_PUT ? CORE_SERVES_PUT : CORE_SERVES_GET;

    if (operation == WIRE_PORTALS_GETPUT) {
        option = CORE_SERVES_PUT | CORE_SERVES_GET;
        return (md->value.options & option) == option;
    }
    //= P30-151 P30-153
    //= P30-152 P30-154
    //= P30-155 P30-156
    //= P30-324
    return md->value.options & option;
}

/* Where the operation begins and how many octets of it fit. */
static bool choose_part(const struct md *md, const struct wire_portals_header *request, struct accept_part *part)
{
    bool remote = md->value.options & CORE_REMOTE_OFFSET;
    uint64_t offset = remote ? request->offset : md->offset; //= P30-159 P30-162 P30-163 P30-267 P30-273
    uint64_t available;

    if (offset > md->value.length) {
        return false; //= P30-168
    }
    available = md->value.length - offset; //= P30-164
    if (request->rlength > available && !(md->value.options & CORE_TRUNCATES)) {
        return false; //= P30-165 P30-325
    }
    part->offset = offset;
    //= P30-137 P30-332 P30-333
    part->length = request->rlength < available ? request->rlength : available; //= P30-166 P30-167 P30-232
    return true;
}

/* Whether the event of the operation, if it has one, would find room. */
static bool event_fits(const struct ni *ni, const struct md *md)
{
    const struct eq *eq;

    if (md->value.eventq == CORE_NONE || !ni->config.policy->full_queue_rejects) {
        return true; //= P30-027 P30-174 P30-327
    }
    eq = eq_find(ni, md->value.eventq);
    return eq && eq_has_room(eq); //= P30-326 P30-239
}

bool accept_is_closed(const struct md *md)
{
    return md->value.room > 0 && !(md->value.options & CORE_REMOTE_OFFSET) &&
           (md->offset > md->value.length || md->value.length - md->offset < md->value.room);
}

bool accept_is_unfit(const struct md *md, const struct wire_portals_header *request)
{
    struct accept_part part;

    return md->value.unlinks_unfit && md->value.threshold != 0 && serves(md, request->operation) &&
           !choose_part(md, request, &part);
}

bool accept_decide(const struct ni *ni, const struct md *md, const struct wire_portals_header *request,
                   struct accept_part *part)
{
    struct accept_part chosen;

    if (md->value.threshold == 0 || !serves(md, request->operation)) {
        return false; //= P30-145
    }
    if (accept_is_closed(md)) {
        return false;
    }
    if (!choose_part(md, request, &chosen) || !event_fits(ni, md)) {
        return false;
    }
    *part = chosen; /* nothing has changed, so a rejected request leaves no trace: P30-144 */
    return true;
}

bool accept_account(struct md *md, const struct accept_part *part)
{
    if (!(md->value.options & CORE_REMOTE_OFFSET)) {
        md->offset = part->offset + part->length; //= P30-158 P30-160 P30-161
    }
    if (md->value.threshold == CORE_ENDLESS) {
        return false; //= P30-147
    }
    md->value.threshold--;                          //= P30-141 P30-142 P30-143
    return md->value.threshold == 0 && md->unlinks; //= P30-179 P30-180
}
