/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of a put, from both ends (chapters 3.10.1, 4.1, 4.2); each name is a function message_... here.
 *
 *          initiator                                           target
 *      put_start     ------ PUT, length, data -------------->  put_arrive: translate, accept, reserve the event's room
 *      put_sent: SENT event                                    put_landed: all data is in memory
 *      ack_arrive: ACK event  <----------- ACK --------------      if an acknowledgement is wanted and allowed
 *                                                              put_answered: PUT event
 */
#include "ref-impl/core/messages/put.h"

#include "ref-impl/core/eq.h"
#include "ref-impl/core/matching/accept.h"
#include "ref-impl/core/matching/translate.h"
#include "ref-impl/core/md_object.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/core/operation.h"
#include "ref-impl/core/region.h"

/* Announces the SENT event of a put to the queue where it will be logged, or takes that back. */
static void announce_sent(const struct ni *ni, const struct operation *operation, bool coming)
{
    struct eq *eq = eq_find(ni, operation->value.eventq);

    if (eq && coming) {
        eq->sending++;
    } else if (eq) {
        eq->sending--;
    }
}

/* Comes also when the network gave up: the memory may be used again, and nobody shall wait for that for ever. */
void message_put_sent(struct ni *ni, struct operation *operation)
{
    struct eq *eq = eq_find(ni, operation->value.eventq);
    struct core_event event;

    announce_sent(ni, operation, false);
    if (!operation_ends_logged(&operation->value)) {
        eq = NULL;
    }
    if (eq) {
        operation_describe(ni, operation, &event);
        eq_log(eq, &event); //= P30-221 P30-222 P30-224 P30-261
        operation->md->last = eq->sequence;
    }
    operation_end(ni, operation); //= P30-263
}

/* A put of which no event tells, and which the network takes at once: nothing of it has to be kept in mind. Not one
 * from a scattered region, which may need a bounce buffer. */
static bool put_unseen(struct ni *ni, struct md *md, const struct wire_portals_header *header, const void *start)
{
    if (md->value.eventq != CORE_NONE || md->region ||
        nal_send_now(ni->nal, header, start, header->rlength) != NAL_OK) {
        return false;
    }
    message_spend(ni, md);
    eq_log_unlinked(ni);
    return true;
}

/* Ends a put that the network did not take. What was logged to begin ends with an event that says so. */
static void abandon(struct ni *ni, struct operation *operation)
{
    if (ni->config.policy->logs_both_ends) {
        operation->failed = true;
        message_put_sent(ni, operation);
        return;
    }
    announce_sent(ni, operation, false);
    operation_end(ni, operation);
}

/* Begins the operation of a put; of a scattered region, *start becomes where its octets are together. NULL: no
 * memory. */
static struct operation *begin(struct ni *ni, struct md *md, const struct wire_portals_header *header,
                               const void **start)
{
    struct operation *operation = operation_new(ni, OPERATION_PUT_SENT, md, header); //= P30-150 P30-268

    if (operation && md->region &&
        !region_gather(md->region, header->local_offset, header->rlength, start, &operation->bounce)) {
        operation_end(ni, operation);
        return NULL;
    }
    return operation;
}

enum core_status message_put_start(uint64_t md_handle, bool want_ack, const struct message_address *address)
{
    struct wire_portals_header header;
    struct operation *operation;
    enum nal_status status;
    const void *start;
    struct ni *ni;
    struct md *md = md_enter(md_handle, &ni);
    enum core_status refused;
    bool asked = want_ack;

    if (!md) {
        return CORE_BAD_DESCRIPTOR; //= P30-264
    }
    message_begin_request(ni, WIRE_PORTALS_PUT, address, &header); //= P30-276
    header.rlength = md->value.length;                             //= P30-255 P30-286
    refused = message_choose_part(ni, md, address, &header);
    if (refused != CORE_OK) {
        ni_leave(ni);
        return refused;
    }
    /* Without a queue nobody could see the acknowledgement. */
    want_ack = want_ack && md->value.eventq != CORE_NONE;    //= P30-259
    header.md = want_ack ? md_handle : WIRE_PORTALS_MD_NONE; //= P30-257 P30-258 P30-283
    if (asked && ni->config.policy->acks_without_queue) {
        header.md = md_handle;
    }
    start = md->value.start;
    start = header.local_offset ? (const char *)start + header.local_offset : start;
    if (put_unseen(ni, md, &header, start)) {
        ni_leave(ni);
        return CORE_OK;
    }
    operation = begin(ni, md, &header, &start);
    if (!operation) {
        ni_leave(ni);
        return CORE_NO_SPACE;
    }
    operation->offset = header.offset;
    operation->mlength = header.rlength;
    announce_sent(ni, operation, true);
    message_log_begin(ni, operation);
    message_spend(ni, md);
    if (nal_send_now(ni->nal, &header, start, header.rlength) == NAL_OK) { //= P30-009 P30-256
        message_put_sent(ni, operation);
        eq_log_unlinked(ni);
        ni_leave(ni);
        return CORE_OK;
    }
    lock_give(&ni->lock);
    status = nal_send(ni->nal, &header, start, header.rlength, operation); //= P30-009 P30-256
    lock_take(&ni->lock);
    if (status != NAL_OK) {
        abandon(ni, operation);
    }
    eq_log_unlinked(ni);
    ni_leave(ni);
    return status == NAL_OK ? CORE_OK : status == NAL_NO_MEMORY ? CORE_NO_SPACE : CORE_BAD_PROCESS;
}

bool message_put_arrive(struct ni *ni, const struct wire_portals_header *request, struct nal_sink *sink)
{
    struct accept_part part;
    struct md *md = translate_request(ni, request, &part);
    struct operation *operation;

    if (!md) {
        return false; //= P30-004
    }
    operation = message_accept(ni, md, request, &part);
    if (!operation) {
        return false;
    }
    operation_start_writing(operation);
    sink->start = part.length ? (char *)operation->value.start + part.offset : NULL; //= P30-138 P30-139
    sink->length = part.length;                                                      //= P30-140
    sink->token = operation;
    return true;
}

/* Whether this put is to be acknowledged: its initiator asks for it and the descriptor does not forbid it. */
static bool wants_ack(const struct operation *operation)
{
    //= P30-170
    //= P30-171
    //= P30-260
    //= P30-284
    //= P30-285
    return operation->request.md != WIRE_PORTALS_MD_NONE && !(operation->value.options & CORE_NO_ACK);
}

void message_put_landed(struct ni *ni, struct operation *operation)
{
    struct wire_portals_header ack;
    enum nal_status status;

    if (!wants_ack(operation)) {
        eq_settle(ni, operation, true); //= P30-217
        return;
    }
    message_begin_answer(ni, &operation->request, WIRE_PORTALS_ACK, operation->mlength, &ack); //= P30-287
    if (nal_send_now(ni->nal, &ack, NULL, 0) == NAL_OK) {                                      //= P30-010 P30-295
        message_put_answered(ni, operation);
        return;
    }
    lock_give(&ni->lock);
    status = nal_send(ni->nal, &ack, NULL, 0, operation); //= P30-010 P30-295
    lock_take(&ni->lock);
    if (status != NAL_OK) {
        /* The data is there; that the initiator cannot be told does not change it. */
        eq_settle(ni, operation, true);
    }
}

void message_put_answered(struct ni *ni, struct operation *operation)
{
    eq_settle(ni, operation, true); //= P30-218
}

/* Whether an acknowledgement is logged. One that was asked for without a queue, or for a descriptor that logs neither
 * beginnings nor ends, is taken in silence. */
static bool shows_ack(const struct ni *ni, const struct md *md)
{
    const unsigned silent = CORE_NO_START | CORE_NO_END;

    return (md->value.eventq != CORE_NONE || !ni->config.policy->acks_without_queue) &&
           (md->value.options & silent) != silent;
}

bool message_ack_arrive(struct ni *ni, const struct wire_portals_header *ack)
{
    struct md *md = md_find(ni, ack->md);
    struct core_event event;
    struct eq *eq;

    if (!md) {
        return false; //= P30-308
    }
    /* Table 7 sends the handle of the descriptor, which names the queue. */
    if (!message_may_use(ni, md)) {
        return false;
    }
    if (!shows_ack(ni, md)) {
        message_spend(ni, md);
        return true;
    }
    eq = eq_find(ni, md->value.eventq);
    if (!eq || !eq_has_room(eq)) {
        return false; //= P30-308 P30-309
    }
    message_spend(ni, md);
    event = (struct core_event){
        //= P30-310
        .kind = CORE_EVENT_ACK,  .initiator = ni->config.self, .portal = ack->portal, .match_bits = ack->match_bits,
        .rlength = ack->rlength, .mlength = ack->mlength,      .offset = ack->offset, .md = md->value,
    };
    event.hdr_data = ack->hdr_data;
    event.descriptor = md->handle;
    event.uid = ni->config.uid;
    eq_log(eq, &event); //= P30-220 P30-262
    md->last = eq->sequence;
    return true;
}
