/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * An interface on the Intercept network: sending, messages to oneself, and its end. The thesis's names (3.3, 5.3):
 * `forward` takes a call across the border to the driver's side; by `jump_table` the library calls the network. The
 * rest of nal.h is in ../peer/interface.h. The card has no way back to its own node (5.2.2), so what a process sends to
 * itself never reaches it.
 */
#include "ref-impl/nal/intercept/net.h"
#include "wire/portals/rules.h"

#include <stdlib.h>

static struct intercept_item *item_of(struct peer_item *base)
{
    return (struct intercept_item *)(void *)base; /* its first member */
}

/* Whether a process can be reached: a member of the job by its whole name; of another node, which may have processes of
 * other jobs, nothing is known but that its address is one (D7). */
static bool is_reachable(const struct intercept_net *net, const struct wire_portals_id *target)
{
    bool is_foreign = target->nid <= UINT16_MAX;

    for (uint32_t rank = 0; rank < net->size; rank++) {
        if (net->members[rank].nid == target->nid) {
            is_foreign = false;
            if (net->members[rank].pid == target->pid) {
                return true;
            }
        }
    }
    return is_foreign;
}

//= ICPT-224
//= ICPT-137
//= ICPT-215
static struct intercept_item *item_new(struct peer_interface *interface, const struct wire_portals_header *header,
                                       const void *payload, uint64_t length)
{
    struct intercept_item *item = calloc(1, sizeof *item);
    size_t len = 0;

    if (!item || wire_portals_encode(header, item->send.header, sizeof item->send.header, &len) != WIRE_OK) {
        free(item);
        return NULL;
    }
    peer_item_fill(&item->base, header, payload, length);
    item->base.interface = interface;
    item->base.port = &interface->port;
    item->send.destination = (uint16_t)header->target.nid;
    item->send.vnic = (uint8_t)(interface->config.interface + 1);
    item->send.is_short = interface->config.interface != 0; /* a TRY_MATCH does not say for which interface it is */
    item->send.data = payload;
    item->send.length = length;
    return item;
}

/* From the side of the program to that of the driver, whose thread wakes. */
//= ICPT-131
//= ICPT-192
//= ICPT-213
static enum nal_status forward(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                               uint64_t length, void *cookie)
{
    struct peer_interface *interface = (struct peer_interface *)nal;
    struct intercept_net *net = interface->network->net;
    enum nal_status status = NAL_OK;

    if (!is_reachable(net, &header->target) || header->number != 0 || header->operation == WIRE_PORTALS_ACKNOWLEDGE) {
        return NAL_NO_ROUTE;
    }
    struct intercept_item *item = item_new(interface, header, payload, length);
    if (!item) {
        return NAL_NO_MEMORY;
    }
    item->base.cookie = cookie;
    lock_take(&net->lock);
    if (interface->state == PEER_INTERFACE_CLOSED) {
        status = NAL_NO_ROUTE;
    } else {
        peer_queue_append(header->target.nid == net->iuca ? &net->self_queue : &net->outgoing, &item->base);
        intercept_net_wake(net);
    }
    lock_give(&net->lock);
    if (status != NAL_OK) {
        free(item);
    }
    return status;
}

//= ICPT-212
//= ICPT-194
//= ICPT-196
//= ICPT-273
static const struct nal_ops jump_table = {
    .name = "intercept",
    .send = forward,
    .revoke = peer_interface_revoke,
    .distance = peer_interface_distance,
    .close = peer_interface_close,
    .end = peer_interface_end,
};

enum nal_status intercept_net_open(struct intercept_net *net, const struct nal_config *config,
                                   const struct nal_upcalls *upcalls, void *core, struct nal **nal)
{
    return peer_interface_open(&net->interfaces, &jump_table, config, upcalls, core, nal);
}

/* ---- messages to oneself ---- */

//= ICPT-108
//= ICPT-110
static void self_receive(struct intercept_net *net, struct intercept_item *item)
{
    uint32_t number = item->base.interface->config.interface;
    const unsigned char *from = item->base.payload;
    struct wire_portals_header header;

    net->self_landing.remaining = 0;
    if (wire_portals_decode(item->send.header, sizeof item->send.header, &header, NULL, NULL) != WIRE_OK ||
        wire_portals_validate(&header, &net->self, &net->self) != WIRE_PORTALS_LEGAL ||
        !landing_begin(&net->arrivals, &net->self_landing, number, &header, item->base.payload_octets)) {
        arrivals_count_drop(&net->arrivals, number);
    }
    while (net->self_landing.remaining > 0) {
        uint64_t left = net->self_landing.remaining;

        from += landing_store(&net->arrivals, &net->self_landing, from, left < ARRIVALS_PIECE ? left : ARRIVALS_PIECE);
        (void)landing_settle(&net->arrivals, &net->self_landing);
    }
    item->base.complete = true;
    peer_queue_append(&net->finished, &item->base);
    peer_items_finish(&net->finished);
    landing_end(&net->arrivals, &net->self_landing, true);
}

void intercept_net_self_deliver(struct intercept_net *net)
{
    for (;;) {
        lock_take(&net->lock);
        struct peer_item *item = peer_queue_take(&net->self_queue);
        lock_give(&net->lock);
        if (!item) {
            return;
        }
        self_receive(net, item_of(item));
    }
}

/* ---- the end of an interface ---- */

static struct intercept_net *net_of(const struct peer_interface *interface)
{
    return interface->network->net;
}

static void self_withdraw(struct peer_interface *interface, struct peer_queue *finished)
{
    peer_queue_withdraw(&net_of(interface)->self_queue, interface, finished);
}

//= P30-089
static void landings_end(struct peer_interface *interface)
{
    struct intercept_net *net = net_of(interface);

    for (struct intercept_landing *landing = net->landings; landing; landing = landing->next) {
        if (landing->landing.port == &interface->port) {
            landing_end(&net->arrivals, &landing->landing, false);
        }
    }
}

static bool interface_pending(const struct peer_interface *interface)
{
    const struct intercept_net *net = net_of(interface);

    for (const struct peer_item *item = net->outgoing.first; item; item = item->next) {
        if (item->interface == interface) {
            return true;
        }
    }
    for (const struct intercept_item *item = net->items; item; item = item->next) {
        if (item->base.interface == interface) {
            return true;
        }
    }
    return false;
}

static void interface_give_up(struct peer_interface *interface, struct peer_queue *finished)
{
    struct intercept_net *net = net_of(interface);
    struct intercept_item *kept = NULL;
    struct intercept_item *next;

    peer_queue_withdraw(&net->outgoing, interface, finished);
    for (struct intercept_item *item = net->items; item; item = next) {
        next = item->next;
        if (item->base.interface == interface) {
            intercept_node_abandon(&net->node, &item->send);
            peer_queue_append(finished, &item->base);
        } else {
            item->prev = NULL;
            item->next = kept;
            if (kept) {
                kept->prev = item;
            }
            kept = item;
        }
    }
    net->items = kept;
}

void intercept_net_closing_begin(struct intercept_net *net)
{
    net->interfaces = (struct peer_network){
        .name = "intercept",
        .numbers = INTERCEPT_INTERFACES,
        .arrivals = &net->arrivals,
        .net = net,
        .withdraw = self_withdraw,
        .land = landings_end,
        .pending = interface_pending,
        .give_up = interface_give_up,
    };
}
