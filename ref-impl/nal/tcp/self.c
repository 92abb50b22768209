/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages of a process to itself: they do not use the wire, but are judged, announced and stored like any other, by
 * the progress thread and in the order in which they were sent.
 */
#include "ref-impl/nal/tcp/net.h"
#include "wire/portals/rules.h"

/* Messages before the connections have their turn. */
enum { MESSAGES_A_TURN = 64 };

/* Stores the payload piece by piece, so that a revocation need not wait for all of it. */
static void self_store(struct tcp_net *net, const struct tcp_item *item)
{
    struct landing *landing = &net->self_landing;
    const unsigned char *from = item->base.payload;

    while (landing->remaining > 0) {
        size_t piece = landing->remaining < ARRIVALS_PIECE ? (size_t)landing->remaining : ARRIVALS_PIECE;

        from += landing_store(&net->arrivals, landing, from, piece);
        (void)landing_settle(&net->arrivals, landing);
    }
}

static void self_receive(struct tcp_net *net, struct tcp_item *item)
{
    uint32_t number = item->base.interface->config.interface;
    struct wire_portals_header header;
    struct peer_queue finished = {NULL, NULL};

    net->self_landing.remaining = 0;
    if (wire_portals_decode(item->header, item->header_octets, &header, NULL, NULL) != WIRE_OK ||
        wire_portals_validate(&header, &net->self, &net->self) != WIRE_PORTALS_LEGAL ||
        !landing_begin(&net->arrivals, &net->self_landing, number, &header, item->base.payload_octets)) {
        arrivals_count_drop(&net->arrivals, number);
    }
    self_store(net, item);
    item->base.complete = true;
    peer_queue_append(&finished, &item->base);
    peer_items_finish(&finished);
    landing_end(&net->arrivals, &net->self_landing, true);
}

void tcp_self_deliver(struct tcp_net *net)
{
    for (int i = 0; i < MESSAGES_A_TURN; i++) {
        lock_take(&net->lock);
        struct peer_item *item = peer_queue_take(&net->self_queue);
        lock_give(&net->lock);
        if (!item) {
            return;
        }
        self_receive(net, tcp_item_of(item));
    }
    lock_take(&net->lock);
    if (net->self_queue.first) {
        tcp_net_wake(net);
    }
    lock_give(&net->lock);
}
