/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of a get, from both ends (chapters 3.10.2, 4.1, 4.2); each name is a function message_... here.
 *
 *          initiator                                           target
 *      get_start     ------ GET, length -------------------->  get_arrive: translate, accept, reserve the event's room
 *      reply_arrive  <----- REPLY, length, data -------------      and reply at once
 *      reply_landed: REPLY event                               get_answered: GET event
 *
 * The initiator keeps nothing: the handle of its descriptor travels with the messages.
 */
#include "ref-impl/core/messages/get.h"

#include "ref-impl/core/eq.h"
#include "ref-impl/core/matching/accept.h"
#include "ref-impl/core/matching/translate.h"
#include "ref-impl/core/md_object.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/core/operation.h"
#include "ref-impl/core/region.h"

enum core_status message_get_start(uint64_t md_handle, const struct message_address *address)
{
    struct wire_portals_header header;
    enum nal_status status;
    struct ni *ni;
    struct md *md = md_enter(md_handle, &ni);
    enum core_status refused;

    if (!md) {
        return CORE_BAD_DESCRIPTOR; //= P30-274
    }
    message_begin_request(ni, WIRE_PORTALS_GET, address, &header); //= P30-296
    header.rlength = md->value.length;                             //= P30-270 P30-298
    refused = message_choose_part(ni, md, address, &header);
    if (refused != CORE_OK) {
        ni_leave(ni);
        return refused;
    }
    header.md = md_handle;                            //= P30-297
    status = nal_send_now(ni->nal, &header, NULL, 0); //= P30-223 P30-299
    if (status != NAL_OK) {
        lock_give(&ni->lock);
        status = nal_send(ni->nal, &header, NULL, 0, NULL); //= P30-223 P30-299
        lock_take(&ni->lock);
    }
    ni_leave(ni);
    if (status == NAL_OK) {
        return CORE_OK;
    }
    return status == NAL_NO_MEMORY ? CORE_NO_SPACE : CORE_BAD_PROCESS;
}

bool message_get_arrive(struct ni *ni, const struct wire_portals_header *request)
{
    struct wire_portals_header reply;
    struct accept_part part;
    struct md *md = translate_request(ni, request, &part);
    struct operation *operation;
    enum nal_status status;
    const void *start;

    if (!md) {
        return false;
    }
    operation = message_accept(ni, md, request, &part);
    if (!operation) {
        return false;
    }
    start = part.length ? (const char *)operation->value.start + part.offset : NULL;
    if (md->region && !region_gather(md->region, part.offset, part.length, &start, &operation->bounce)) {
        eq_settle(ni, operation, false);
        return false;
    }
    message_begin_answer(ni, &operation->request, WIRE_PORTALS_REPLY, part.length, &reply); //= P30-169 P30-300
    if (nal_send_now(ni->nal, &reply, start, part.length) == NAL_OK) {                      //= P30-011 P30-172 P30-303
        message_get_answered(ni, operation, true);
        return true;
    }
    lock_give(&ni->lock);
    status = nal_send(ni->nal, &reply, start, part.length, operation); //= P30-011 P30-172 P30-303
    lock_take(&ni->lock);
    if (status != NAL_OK) {
        eq_settle(ni, operation, false);
        return false;
    }
    return true;
}

void message_get_answered(struct ni *ni, struct operation *operation, bool complete)
{
    if (!complete) {
        ni_drop(ni);
    }
    eq_settle(ni, operation, complete); //= P30-215
}

/* How many octets of a reply the descriptor takes, behind the local offset of a get of a part of the region; false when
 * it takes none of it. */
static bool choose_length(const struct ni *ni, const struct md *md, const struct wire_portals_header *reply,
                          uint64_t *length)
{
    bool cuts = ni->config.policy->replies_always_fit || (md->value.options & CORE_TRUNCATES);
    uint64_t room;

    if (reply->local_offset > md->value.length) {
        return false; /* no get that was sent from here had said so */
    }
    room = md->value.length - reply->local_offset;
    if (reply->mlength > room && !cuts) {
        return false;
    }
    *length = reply->mlength < room ? reply->mlength : room; //= P30-313
    return true;
}

bool message_reply_arrive(struct ni *ni, const struct wire_portals_header *reply, struct nal_sink *sink)
{
    struct md *md = md_find(ni, reply->md);
    struct operation *operation;
    struct eq *eq = NULL;
    uint64_t length;

    if (!md) {
        return false; //= P30-304 P30-311
    }
    if (!message_may_use(ni, md)) {
        return false;
    }
    if (md->value.eventq != CORE_NONE) {
        eq = eq_find(ni, md->value.eventq);
        if (!eq || !eq_has_room(eq)) {
            return false; //= P30-312
        }
    }
    if (!choose_length(ni, md, reply, &length)) {
        return false;
    }
    if (!operation_ends_logged(&md->value)) {
        eq = NULL;
    }
    operation = operation_new(ni, OPERATION_REPLY_TAKEN, md, reply); //= P30-149 P30-157 P30-314
    if (!operation) {
        return false;
    }
    operation->mlength = length;
    if (eq) {
        eq_reserve(eq, operation);
    }
    operation->offset = reply->local_offset;
    message_log_begin(ni, operation);
    operation_start_writing(operation);
    sink->start = length ? md->value.start : NULL; //= P30-271
    sink->length = length;
    sink->token = operation;
    if (length > 0) {
        sink->start = (char *)sink->start + operation->offset;
    }
    message_spend(ni, md);
    return true;
}

void message_reply_landed(struct ni *ni, struct operation *operation)
{
    eq_settle(ni, operation, true); //= P30-219 P30-272
}
