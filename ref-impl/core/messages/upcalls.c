/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What arrives, and what the network reports about what goes: sorted by kind, for messages/put.c and messages/get.c.
 * Chapter 4.2; see message.h for the picture.
 */
#include "ref-impl/core/messages/upcalls.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/core/barrier.h"
#include "ref-impl/core/eq.h"
#include "ref-impl/core/md_object.h"
#include "ref-impl/core/messages/early_ack.h"
#include "ref-impl/core/messages/exchange.h"
#include "ref-impl/core/messages/get.h"
#include "ref-impl/core/messages/put.h"
#include "ref-impl/core/ni_object.h"
#include "ref-impl/core/operation.h"
#include "ref-impl/core/region.h"
#include "ref-impl/short_path.h"

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

/* Whether the sender can be who it says: a program may use the rank of a member of its own group as an index. */
static bool sender_is_possible(const struct ni *ni, const struct wire_portals_header *header)
{
    return header->initiator.rid < ni->config.group_size || header->initiator.gid != ni->config.self.gid;
}

/* Where the region is scattered: finds where the octets go, to a piece or to where land() scatters them from. */
static bool find_room(struct ni *ni, struct nal_sink *sink)
{
    struct operation *operation = sink->token;
    const struct region *region = operation->md->region;

    if (!region || region_room(region, operation->offset, sink->length, &sink->start, &operation->bounce)) {
        return true;
    }
    operation_stop_writing(operation);
    eq_settle(ni, operation, false);
    *sink = (struct nal_sink){NULL, 0, NULL};
    return false;
}

/* Gives a message to whom it concerns; false when it is discarded. */
static bool take(struct ni *ni, const struct wire_portals_header *header, struct nal_sink *sink)
{
    if (!is_for_us(ni, header) || !sender_is_possible(ni, header)) {
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
        return message_put_arrive(ni, header, sink) && find_room(ni, sink);
    case WIRE_PORTALS_GET:
        return message_get_arrive(ni, header);
    case WIRE_PORTALS_GETPUT:
        return message_exchange_arrive(ni, header, sink);
    case WIRE_PORTALS_ACK: /* no access control, no translation: P30-012 */
        return early_ack_keep(ni, header) || message_ack_arrive(ni, header); //= P30-012 P30-013
    case WIRE_PORTALS_REPLY:
        return message_reply_arrive(ni, header, sink) && find_room(ni, sink); //= P30-012 P30-013
    default:
        return false; //= P30-328
    }
}

static void upcall_arrive(void *core, const struct wire_portals_header *header, struct nal_sink *sink)
{
    struct ni *ni = core;

    lock_take(&ni->lock);
    ni->whole = false;
    if (!take(ni, header, sink)) {
        ni_drop(ni); //= P30-321 P30-329
    }
    eq_log_unlinked(ni);
    lock_give(&ni->lock);
}

/* Lock held. */
static void land(struct ni *ni, struct operation *operation)
{
    operation_stop_writing(operation);
    if (operation->bounce) {
        region_write(operation->md->region, operation->offset, operation->bounce, operation->mlength);
    }
    if (operation->kind == OPERATION_PUT_SERVED) {
        message_put_landed(ni, operation);
    } else if (operation->kind == OPERATION_EXCHANGE_SERVED) {
        message_exchange_landed(ni, operation);
    } else {
        message_reply_landed(ni, operation);
    }
}

/* Under one lock: nobody can take the memory away between the decision and the last octet. */
SHORT_PATH static void upcall_whole(void *core, const struct wire_portals_header *header, const void *payload,
                                    uint64_t length)
{
    struct nal_sink sink = {NULL, 0, NULL};
    struct ni *ni = core;

    lock_take(&ni->lock);
    ni->whole = true;
    if (!take(ni, header, &sink)) {
        ni_drop(ni); //= P30-321 P30-329
    }
    if (sink.start && length > 0) {
        memcpy(sink.start, payload, (size_t)(sink.length < length ? sink.length : length));
    }
    if (sink.token) {
        land(ni, sink.token);
    }
    eq_log_unlinked(ni);
    lock_give(&ni->lock);
}

/* The rest of a message did not come, or its memory was taken away: it counts as discarded, there is no event. */
static void cut_off(struct ni *ni, struct operation *operation)
{
    ni_drop(ni);
    eq_settle(ni, operation, false);
}

/* Whether what has come may be put where it belongs: what waits elsewhere not, once the memory was taken away. */
static bool may_land(const struct operation *operation)
{
    bool waits = operation->bounce || operation->kind == OPERATION_EXCHANGE_SERVED;

    return !waits || !operation->revoked;
}

static void upcall_landed(void *core, void *token, bool complete)
{
    struct ni *ni = core;
    struct operation *operation = token;

    lock_take(&ni->lock);
    if (complete && may_land(operation)) {
        land(ni, operation);
    } else {
        operation_stop_writing(operation);
        cut_off(ni, operation);
    }
    eq_log_unlinked(ni);
    lock_give(&ni->lock);
}

/* A put has left, and its acknowledgement may have come before. */
static void put_left(struct ni *ni, struct operation *operation)
{
    struct wire_portals_header *ack = early_ack_take(operation);

    message_put_sent(ni, operation);
    if (ack && !message_ack_arrive(ni, ack)) {
        ni_drop(ni);
    }
    free(ack);
}

static void upcall_sent(void *core, void *cookie, bool complete)
{
    struct ni *ni = core;
    struct operation *operation = cookie;

    lock_take(&ni->lock);
    switch (operation->kind) {
    case OPERATION_PUT_SENT:
        put_left(ni, operation);
        break;
    case OPERATION_PUT_SERVED:
        message_put_answered(ni, operation);
        break;
    case OPERATION_GET_SERVED:
    case OPERATION_EXCHANGE_SERVED:
        message_get_answered(ni, operation, complete);
        break;
    case OPERATION_EXCHANGE_SENT:
        operation_end(ni, operation);
        break;
    case OPERATION_REPLY_TAKEN:
        break; /* nothing is sent for a reply */
    }
    eq_log_unlinked(ni);
    lock_give(&ni->lock);
}

static void upcall_dropped(void *core)
{
    struct ni *ni = core;

    lock_take(&ni->lock);
    ni_drop(ni);
    lock_give(&ni->lock);
}

const struct nal_upcalls message_upcalls = {
    .arrive = upcall_arrive,
    .landed = upcall_landed,
    .whole = upcall_whole,
    .sent = upcall_sent,
    .dropped = upcall_dropped,
};
