/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What puts and gets have in common: see message.h. Chapters 3.10 and 4.
 */
#include "ref-impl/core/messages/message.h"

#include "ref-impl/core/eq.h"
#include "ref-impl/core/matching/accept.h"
#include "ref-impl/core/md_object.h"
#include "ref-impl/core/ni_object.h"
#include "ref-impl/core/operation.h"
#include "ref-impl/core/unlink.h"

void message_begin_answer(const struct ni *ni, const struct operation_request *request, uint32_t operation,
                          uint64_t mlength, struct wire_portals_header *answer)
{
    *answer = (struct wire_portals_header){
        .operation = operation,
        .initiator = ni->config.self,      //= P30-288 P30-301
        .target = request->initiator,      //= P30-288 P30-301
        .portal = request->portal,         //= P30-289 P30-302
        .match_bits = request->match_bits, //= P30-290 P30-302
        .offset = request->offset,         //= P30-291 P30-302
        .md = request->md,                 //= P30-292 P30-302
        .rlength = request->rlength,       //= P30-293 P30-302
        .mlength = mlength,                //= P30-294 P30-303
    };
}

void message_begin_request(const struct ni *ni, uint32_t operation, const struct message_address *address,
                           struct wire_portals_header *request)
{
    *request = (struct wire_portals_header){
        .operation = operation,
        .initiator = ni->config.self,      //= P30-072 P30-277 P30-296
        .target = address->target,         //= P30-278 P30-296
        .portal = address->portal,         //= P30-279 P30-296
        .cookie = address->cookie,         //= P30-280 P30-296
        .match_bits = address->match_bits, //= P30-281 P30-296
        .offset = address->offset,         //= P30-282 P30-296
    };
}

struct operation *message_accept(struct ni *ni, struct md *md, const struct wire_portals_header *request,
                                 const struct accept_part *part)
{
    enum operation_kind kind = request->operation == WIRE_PORTALS_PUT ? OPERATION_PUT_SERVED : OPERATION_GET_SERVED;
    struct operation *operation = operation_new(ni, kind, md, request);
    struct eq *eq;

    if (!operation) {
        return NULL;
    }
    operation->offset = part->offset;
    operation->mlength = part->length;
    eq = eq_find(ni, md->value.eventq);
    if (eq && eq_has_room(eq)) {
        eq_reserve(eq, operation); //= P30-026 P30-213
    } else if (eq) {
        eq->gap = true; /* only where the policy lets a request be served although its event has no room */
    }
    if (accept_account(md, part)) {
        unlink_exhausted(ni, md); //= P30-025
    }
    operation->value = md->value;
    return operation;
}
