/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What comes of active messages: see arrive.h.
 */
#include "ref-impl/gasnet/messages/arrive.h"

#include <string.h>

#include "ref-impl/gasnet/base/chunks.h"
#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/segment.h"
#include "ref-impl/gasnet/base/tickets.h"
#include "ref-impl/gasnet/messages/credits.h"
#include "ref-impl/gasnet/messages/invoke.h"
#include "ref-impl/gasnet/messages/joins.h"
#include "ref-impl/gasnet/messages/reply.h"

/* Brings the data of a packed long message to its place. */
static void unpack(const struct message *message)
{
    void *memory = (void *)(uintptr_t)message->destination;
    uint64_t offset;

    if (message->kind != GASNETC_LONG || message->octets == 0) {
        return;
    }
    if (!segment_offset(nodes_self(), memory, message->octets, &offset)) {
        fatal_end("node %u sends a long message of %llu octets to %p, which is not in the segment", message->node,
                  (unsigned long long)message->octets, memory);
    }
    memcpy(memory, message->payload, message->octets);
}

/* Whether all of a message is here; then it is where it belongs. */
static bool is_whole(const struct message *message)
{
    if (!message->packed) {
        return joins_message(message);
    }
    unpack(message);
    return true;
}

/* The message of an event; false for one of a process that is not in the job. */
static bool read(const ptl_event_t *event, bool request, struct message *message)
{
    uint32_t node;

    if (!nodes_find(event->initiator, &node)) {
        return false;
    }
    if (!message_read(event, message) || message->request != request) {
        fatal_end("node %u sends an active message of %llu octets that makes no sense (bits %llx)", node,
                  (unsigned long long)event->mlength, (unsigned long long)event->match_bits);
    }
    return true;
}

void arrive_request(const ptl_event_t *event)
{
    struct message message;

    if (read(event, true, &message) && is_whole(&message)) {
        reply_request(&message);
    }
}

static void handle_reply(const struct message *message)
{
    struct gasnet_token token = {message, 0, true};

    invoke_handler(&token);
}

static void reply_came(const ptl_event_t *event) //= GASN-110 GASN-146
{
    struct message message;

    if (!read(event, false, &message)) {
        return;
    }
    if (is_whole(&message)) {
        handle_reply(&message);
    }
    credits_returned(message.node, message.credits);
    chunks_give(STORE_REQUESTS, (uint32_t)event->offset);
}

static void take_message(const ptl_event_t *event)
{
    if (event->type == PTL_EVENT_SEND_END) {
        tickets_give(TICKET_MESSAGE, 1);
    } else if (event->type == PTL_EVENT_PUT_END) {
        reply_came(event);
    }
}

static void take_data(const ptl_event_t *event, bool request)
{
    struct message message;
    uint32_t node;

    if (event->type == PTL_EVENT_PUT_END && nodes_find(event->initiator, &node) &&
        joins_data(node, request, (uint32_t)event->hdr_data, &message)) {
        if (request) {
            reply_request(&message);
        } else {
            handle_reply(&message);
        }
    }
}

static void take_request_data(const ptl_event_t *event)
{
    take_data(event, true);
}

static void take_reply_data(const ptl_event_t *event)
{
    take_data(event, false);
}

static const struct poll_sink of_messages = {take_message}, of_request_data = {take_request_data},
                              of_reply_data = {take_reply_data};

const struct poll_sink *arrive_messages(void)
{
    return &of_messages;
}

const struct poll_sink *arrive_request_data(void)
{
    return &of_request_data;
}

const struct poll_sink *arrive_reply_data(void)
{
    return &of_reply_data;
}
