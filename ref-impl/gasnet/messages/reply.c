/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Replies: see reply.h.
 */
#include "ref-impl/gasnet/messages/reply.h"

#include <stdatomic.h>

#include "ref-impl/gasnet/base/bits.h"
#include "ref-impl/gasnet/base/chunks.h"
#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/hand.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/poll.h"
#include "ref-impl/gasnet/base/segment.h"
#include "ref-impl/gasnet/base/tickets.h"
#include "ref-impl/gasnet/messages/credits.h"
#include "ref-impl/gasnet/messages/invoke.h"

static ptl_handle_md_t store;
static ptl_handle_eq_t data_queue;
static _Atomic uint32_t numbers;

static void take(const ptl_event_t *event)
{
    if (event->type == PTL_EVENT_SEND_END) { //= GASN-061 GASN-112
        chunks_give(STORE_REPLIES, bits_offset(event->match_bits));
        tickets_give(TICKET_MESSAGE, 1);
    }
}

static const struct poll_sink sink = {take};

void reply_open(void)
{
    size_t octets;
    ptl_md_t md = {.threshold = PTL_MD_THRESH_INF,
                   .options = PTL_MD_EVENT_START_DISABLE,
                   .user_ptr = (void *)(uintptr_t)&sink,
                   .eq_handle = poll_queue(QUEUE_SAFE)};

    md.start = chunks_region(STORE_REPLIES, &octets);
    md.length = octets;
    fatal_portals(PtlMDBind(nodes_interface(), md, PTL_RETAIN, &store), "PtlMDBind");                //= GASN-062
    fatal_portals(PtlEQAlloc(nodes_interface(), 2, PTL_EQ_HANDLER_NONE, &data_queue), "PtlEQAlloc"); //= GASN-076
}

/* Sends the data of a long reply, and waits until it has gone: a handler cannot poll, but it can wait for this. */
static void send_data(const struct message *message)
{
    const ptl_md_t md = {.start = message->payload,
                         .length = message->octets,
                         .threshold = PTL_MD_THRESH_INF,
                         .options = PTL_MD_EVENT_START_DISABLE,
                         .eq_handle = data_queue};
    ptl_handle_md_t handle;
    ptl_event_t event;
    uint64_t offset = 0;

    (void)segment_offset(message->node, (void *)(uintptr_t)message->destination, message->octets, &offset);
    hand_temporary();
    hand_message();
    fatal_portals(PtlMDBind(nodes_interface(), md, PTL_RETAIN, &handle), "PtlMDBind");
    fatal_portals(PtlPut(handle, PTL_NOACK_REQ, nodes_process(message->node), PORTAL_SEGMENT, 0,
                         bits_transfer(TO_RARSRC, KIND_DATA, 0, 0), offset, message->number),
                  "PtlPut");
    do {
        fatal_portals(PtlEQWait(data_queue, &event), "PtlEQWait");
    } while (event.type != PTL_EVENT_SEND_END);
    fatal_portals(PtlMDUnlink(handle), "PtlMDUnlink");
    tickets_give(TICKET_MESSAGE, 1);
    tickets_give(TICKET_TEMPORARY, 1);
}

/* Sends a reply to the request of the token. */
static void send(struct gasnet_token *token, struct message *message) //= GASN-143 GASN-145 GASN-146
{
    uint64_t octets = message_body_octets(message);

    token->replied = true;
    message->credits = token->credits;
    if (!message->packed) {
        message->number = ++numbers & 0xffffff;
        send_data(message);
    }
    message->chunk = hand_chunk();
    hand_message();
    message_write(message, chunks_at(STORE_REPLIES, message->chunk));
    fatal_portals(PtlPutRegion(store, message->chunk, octets, PTL_NOACK_REQ, nodes_process(message->node),
                               PORTAL_MESSAGES, 0, message_bits(message), token->message->chunk,
                               message_header(message)),
                  "PtlPutRegion");
}

int gasnetc_reply(gasnet_token_t token, enum gasnetc_kind kind, const struct gasnetc_arguments *arguments,
                  const struct gasnetc_payload *payload)
{
    struct message message;

    if (!invoke_running() || !token->message->request || token->replied) {
        return GASNET_ERR_RESOURCE;
    }
    if (!message_make(token->message->node, false, kind, arguments, payload, &message)) {
        return GASNET_ERR_BAD_ARG;
    }
    send(token, &message);
    return GASNET_OK;
}

void reply_request(const struct message *message)
{
    struct gasnet_token token = {message, credits_serve(message->node, message->credits), false};
    struct message nothing = {.node = message->node, .packed = true, .kind = GASNETC_SHORT, .handler = HANDLER_NONE};

    invoke_handler(&token);
    if (!token.replied) {
        send(&token, &nothing);
    }
}
