/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages on their way out: each is an item, which waits in a queue until the network has taken all of it. A network's
 * own item begins with a `struct peer_item` and is one piece of memory from calloc.
 */
#ifndef REF_IMPL_NAL_PEER_QUEUE_H
#define REF_IMPL_NAL_PEER_QUEUE_H

#include "ref-impl/nal/peer/arrivals.h"
#include "wire/portals/messages.h"

#include <stdbool.h>
#include <stdint.h>

struct peer_interface;

/* struct peer_item is one message that waits to be sent. */
struct peer_item {
    struct peer_item *next;
    struct peer_interface *interface; /* whose message it is; NULL: it is the network's own, nobody waits for it */
    struct arrivals_port *port;       /* of that interface: who is told that it is sent */
    void *cookie;
    const unsigned char *payload;
    uint64_t payload_octets;
    uint64_t done; /* octets that have left */
    bool answer;   /* an acknowledgement or reply: it was caused by the peer */
    bool complete; /* what `sent` will say */
};

/* struct peer_queue is a list of items in the order of sending. */
struct peer_queue {
    struct peer_item *first, *last;
};

/* peer_item_fill - what an item knows of its message; `item` is zeroed. */
void peer_item_fill(struct peer_item *item, const struct wire_portals_header *header, const void *payload,
                    uint64_t length);

/* peer_queue_append, peer_queue_take - at the end, from the beginning (NULL when empty).
 * peer_queue_withdraw - moves the items of one interface to *finished. */
void peer_queue_append(struct peer_queue *queue, struct peer_item *item);
struct peer_item *peer_queue_take(struct peer_queue *queue);
void peer_queue_withdraw(struct peer_queue *queue, const struct peer_interface *interface, struct peer_queue *finished);

/* peer_items_finish - calls `sent` for every item and frees it; no lock held. */
void peer_items_finish(struct peer_queue *finished);

#endif
