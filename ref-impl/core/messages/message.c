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
        .tagged = request->tagged,
        .uid = ni->config.uid,
        .hdr_data = request->hdr_data,
        .local_offset = request->local_offset,
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
    request->tagged = ni->config.policy->tags_messages;
    request->uid = ni->config.uid;
    request->hdr_data = address->hdr_data;
}

void message_log_begin(struct ni *ni, struct operation *operation)
{
    struct core_event event;
    struct eq *eq;

    if (!ni->config.policy->logs_both_ends) {
        return;
    }
    eq = eq_find(ni, operation->value.eventq);
    if (eq && operation_begin_event(ni, operation, &event)) {
        /* The event names itself: it is the first of the two. */
        event.link = operation->number = eq->sequence + 1;
        eq_log(eq, &event);
    }
}

bool message_may_use(const struct ni *ni, const struct md *md)
{
    return !ni->config.policy->threshold_counts_all || md->value.threshold != 0;
}

/* Lowers the threshold; true when the descriptor is to go now. */
static bool lower(const struct ni *ni, struct md *md)
{
    if (!ni->config.policy->threshold_counts_all || md->value.threshold == CORE_ENDLESS || md->value.threshold == 0) {
        return false;
    }
    md->value.threshold--;
    return md->value.threshold == 0 && md->unlinks;
}

void message_spend(struct ni *ni, struct md *md)
{
    if (lower(ni, md)) {
        unlink_exhausted(ni, md);
    }
}

enum core_status message_choose_part(const struct ni *ni, const struct md *md, const struct message_address *address,
                                     struct wire_portals_header *request)
{
    uint64_t length = md->value.length;

    if (!message_may_use(ni, md)) {
        return CORE_BAD_DESCRIPTOR;
    }
    if (!address->partial) {
        return CORE_OK;
    }
    if (address->local_offset > length || address->length > length - address->local_offset) {
        return CORE_ILLEGAL;
    }
    request->local_offset = address->local_offset;
    request->rlength = address->length;
    return CORE_OK;
}

static enum operation_kind kind_of(const struct wire_portals_header *request)
{
    switch (request->operation) {
    case WIRE_PORTALS_PUT:
        return OPERATION_PUT_SERVED;
    case WIRE_PORTALS_GETPUT:
        return OPERATION_EXCHANGE_SERVED;
    default:
        return OPERATION_GET_SERVED;
    }
}

/* Unlinks a descriptor whose local offset has come too far for it to serve anything. */
static void unlink_closed(struct ni *ni, struct md *md)
{
    if (md->unlinks && !md->exhausted && accept_is_closed(md)) {
        unlink_exhausted(ni, md);
    }
}

/* Whether nobody but who handles it now will see an operation: all of it is here, nothing has to be sent for it, and
 * its event waits for no earlier one. */
static bool will_pass(const struct ni *ni, const struct wire_portals_header *request, const struct eq *eq)
{
    return ni->whole && request->operation == WIRE_PORTALS_PUT && request->md == WIRE_PORTALS_MD_NONE &&
           (!eq || eq->reserved_count == 0);
}

struct operation *message_accept(struct ni *ni, struct md *md, const struct wire_portals_header *request,
                                 const struct accept_part *part)
{
    enum operation_kind kind = kind_of(request);
    struct operation *operation;
    struct eq *eq;

    eq = eq_find(ni, md->value.eventq);
    if (!operation_ends_logged(&md->value)) {
        eq = NULL;
    }
    operation = will_pass(ni, request, eq) ? operation_pass(ni, md, request) : operation_new(ni, kind, md, request);
    if (!operation) {
        return NULL;
    }
    operation->offset = part->offset;
    operation->mlength = part->length;
    if (eq && eq_has_room(eq)) {
        eq_reserve(eq, operation); //= P30-026 P30-213
    }
    if (accept_account(md, part)) {
        unlink_exhausted(ni, md); //= P30-025
    }
    operation->value = md->value;
    unlink_closed(ni, md);
    message_log_begin(ni, operation);
    return operation;
}
