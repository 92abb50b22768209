/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Queues of outgoing messages; see queue.h.
 */
#include "ref-impl/nal/peer/queue.h"

#include <stdlib.h>

void peer_item_fill(struct peer_item *item, const struct wire_portals_header *header, const void *payload,
                    uint64_t length)
{
    item->payload = payload;
    item->payload_octets = length;
    item->answer = header->operation == WIRE_PORTALS_ACK || header->operation == WIRE_PORTALS_REPLY ||
                   header->operation == WIRE_PORTALS_ACKNOWLEDGE;
}

void peer_queue_append(struct peer_queue *queue, struct peer_item *item)
{
    item->next = NULL;
    if (queue->last) {
        queue->last->next = item;
    } else {
        queue->first = item;
    }
    queue->last = item;
}

struct peer_item *peer_queue_take(struct peer_queue *queue)
{
    struct peer_item *item = queue->first;

    if (item) {
        queue->first = item->next;
        if (!queue->first) {
            queue->last = NULL;
        }
    }
    return item;
}

void peer_queue_withdraw(struct peer_queue *queue, const struct peer_interface *interface, struct peer_queue *finished)
{
    struct peer_queue kept = {NULL, NULL};

    for (struct peer_item *item; (item = peer_queue_take(queue)) != NULL;) {
        peer_queue_append(item->interface == interface ? finished : &kept, item);
    }
    *queue = kept;
}

void peer_items_finish(struct peer_queue *finished)
{
    for (struct peer_item *item; (item = peer_queue_take(finished)) != NULL;) {
        if (item->cookie) {
            item->port->upcalls.sent(item->port->core, item->cookie, item->complete);
        }
        free(item);
    }
}
