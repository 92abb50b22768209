/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What arrives, and what the network reports about what goes: sorted by kind, for message_put.c and message_get.c.
 * Chapter 4.2; see message.h for the picture.
 */
#include "ref-impl/core/message.h"

#include "ref-impl/core/accept.h"
#include "ref-impl/core/eq.h"
#include "ref-impl/core/md.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/core/operation.h"

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
        md_exhaust(ni, md); //= P30-025
    }
    operation->value = md->value;
    return operation;
}

/* Whether a message is for this process. The NAL looks too, but what it may rely on is the binding's business. */
static bool is_for_us(const struct ni *ni, const struct wire_portals_header *header)
{
    const struct wire_portals_id *self = &ni->config.self;
    const struct wire_portals_id *target = &header->target;

    //= P30-305
    //= P30-307
    return target->nid == self->nid && target->pid == self->pid &&
           (target->gid == self->gid || target->gid == WIRE_PORTALS_ID_UNKNOWN) &&
           (target->rid == self->rid || target->rid == WIRE_PORTALS_ID_UNKNOWN);
}

/* Gives a message to whom it concerns; false when it is discarded. */
static bool take(struct ni *ni, const struct wire_portals_header *header, struct nal_sink *sink)
{
    if (!is_for_us(ni, header)) {
        return false;
    }
    if (header->operation == WIRE_PORTALS_BARRIER) {
        return barrier_hear(ni, header);
    }
    if (ni->state != NI_OPEN) {
        return false; //= P30-306
    }
    switch (header->operation) {
    case WIRE_PORTALS_PUT:
        return message_put_arrive(ni, header, sink);
    case WIRE_PORTALS_GET:
        return message_get_arrive(ni, header);
    case WIRE_PORTALS_ACK:                     /* no access control, no translation: P30-012 */
        return message_ack_arrive(ni, header); //= P30-012 P30-013
    case WIRE_PORTALS_REPLY:
        return message_reply_arrive(ni, header, sink); //= P30-012 P30-013
    default:
        return false; //= P30-328
    }
}

static void upcall_arrive(void *core, const struct wire_portals_header *header, struct nal_sink *sink)
{
    struct ni *ni = core;

    ni_lock(ni);
    if (!take(ni, header, sink)) {
        ni_drop(ni); //= P30-321 P30-329
    }
    pthread_mutex_unlock(&ni->lock);
}

/* The rest of a message did not come, or its memory was taken away: it counts as discarded, there is no event. */
static void cut_off(struct ni *ni, struct operation *operation)
{
    ni_drop(ni);
    eq_settle(ni, operation, false);
}

static void upcall_landed(void *core, void *token, bool complete)
{
    struct ni *ni = core;
    struct operation *operation = token;

    pthread_mutex_lock(&ni->lock);
    operation_stop_writing(operation);
    if (!complete) {
        cut_off(ni, operation);
    } else if (operation->kind == OPERATION_PUT_SERVED) {
        message_put_landed(ni, operation);
    } else {
        message_reply_landed(ni, operation);
    }
    pthread_mutex_unlock(&ni->lock);
}

static void upcall_sent(void *core, void *cookie, bool complete)
{
    struct ni *ni = core;
    struct operation *operation = cookie;

    pthread_mutex_lock(&ni->lock);
    switch (operation->kind) {
    case OPERATION_PUT_SENT:
        message_put_sent(ni, operation);
        break;
    case OPERATION_PUT_SERVED:
        message_put_answered(ni, operation);
        break;
    case OPERATION_GET_SERVED:
        message_get_answered(ni, operation, complete);
        break;
    case OPERATION_REPLY_TAKEN:
        break; /* nothing is sent for a reply */
    }
    pthread_mutex_unlock(&ni->lock);
}

static void upcall_dropped(void *core)
{
    struct ni *ni = core;

    pthread_mutex_lock(&ni->lock);
    ni_drop(ni);
    pthread_mutex_unlock(&ni->lock);
}

const struct nal_upcalls message_upcalls = {
    .arrive = upcall_arrive,
    .landed = upcall_landed,
    .sent = upcall_sent,
    .dropped = upcall_dropped,
};
