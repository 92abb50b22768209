/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending requests. One needs credits of the target, tickets, and a chunk, which it holds until its reply has come; the
 * caller polls until it has them all.
 */
#include <gasnet.h>
#include <stdatomic.h>

#include "ref-impl/gasnet/base/bits.h"
#include "ref-impl/gasnet/base/chunks.h"
#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/poll.h"
#include "ref-impl/gasnet/base/segment.h"
#include "ref-impl/gasnet/base/tickets.h"
#include "ref-impl/gasnet/messages/credits.h"
#include "ref-impl/gasnet/messages/invoke.h"
#include "ref-impl/gasnet/messages/message.h"
#include "ref-impl/gasnet/transfers/ops.h"
#include "ref-impl/gasnet/transfers/transfer.h"

/* What a request needs. */
struct needs {
    uint32_t credits, messages, temporaries;
};

static _Atomic uint32_t numbers;

static struct needs needs_of(const struct message *message) //= GASN-142
{
    struct needs needs = {credits_of(message_body_octets(message)), 1, 0};

    if (!message->packed) {
        needs.credits = 2; /* its data logs an event too */
        needs.messages = 2;
        needs.temporaries = transfer_needs_temporary(message->payload, message->octets);
    }
    return needs;
}

/* Takes all that is needed, or nothing. */
static bool take_all(const struct needs *needs, struct message *message) //= GASN-140
{
    if (!tickets_take(TICKET_MESSAGE, needs->messages)) {
        return false;
    }
    if (!tickets_take(TICKET_TEMPORARY, needs->temporaries)) {
        goto give_messages;
    }
    if (!chunks_take(STORE_REQUESTS, &message->chunk)) {
        goto give_temporaries;
    }
    if (credits_take(message->node, needs->credits, &message->credits)) {
        return true;
    }
    chunks_give(STORE_REQUESTS, message->chunk);
give_temporaries:
    tickets_give(TICKET_TEMPORARY, needs->temporaries);
give_messages:
    tickets_give(TICKET_MESSAGE, needs->messages);
    return false;
}

static void send_message(const struct message *message) //= GASN-143
{
    message_write(message, chunks_at(STORE_REQUESTS, message->chunk));
    fatal_portals(PtlPutRegion(transfer_store(), message->chunk, message_body_octets(message), PTL_NOACK_REQ,
                               nodes_process(message->node), PORTAL_MESSAGES, 0, message_bits(message), 0,
                               message_header(message)),
                  "PtlPutRegion");
}

/* Sends the data of a long request; unless it is asynchronous, its memory may be used again on return. */
static void send_data(const struct message *message)
{
    struct gasnet_op *op = message->kind == GASNETC_LONG ? ops_new() : NULL;
    struct transfer_data data = {
        .node = message->node, .source = message->payload, .octets = message->octets, .number = message->number};

    (void)segment_offset(message->node, (void *)(uintptr_t)message->destination, message->octets, &data.offset);
    transfer_data(op, &data);
    if (op) {
        while (!ops_done(op)) {
            poll_wait();
        }
        ops_free(op);
    }
}

//= GASN-136
int gasnetc_request(gasnet_node_t node, enum gasnetc_kind kind, const struct gasnetc_arguments *arguments,
                    const struct gasnetc_payload *payload)
{
    struct message message;
    struct needs needs;

    if (invoke_running()) {
        fatal_end("a handler sends a request: it may only reply");
    }
    if (node >= nodes_count() || !message_make(node, true, kind, arguments, payload, &message)) {
        return GASNET_ERR_BAD_ARG;
    }
    needs = needs_of(&message);
    while (!take_all(&needs, &message)) { //= GASN-116
        poll_wait();
    }
    if (!message.packed) {
        message.number = ++numbers & 0xffffff;
    }
    send_message(&message);
    if (!message.packed) {
        send_data(&message);
    }
    return GASNET_OK;
}
