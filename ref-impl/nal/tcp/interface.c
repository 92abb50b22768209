/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * An interface on the TCP network: sending, opening; the rest of nal.h is in ../peer/interface.h.
 */
#include "ref-impl/nal/tcp/net.h"
#include "ref-impl/nal/tcp/tcp.h"

#include <stdlib.h>

/* Whether messages to this address can be handed to TCP at all. */
static bool address_reachable(const struct wire_portals_id *target)
{
    return target->pid > 0 && target->pid <= UINT16_MAX && target->nid >> 24 != 0 && target->nid >> 28 < 0xe;
}

/* Whether only a peer that has said version 1.1 may get the message. */
static bool message_numbered(const struct wire_portals_header *header)
{
    return header->number != 0 || header->operation == WIRE_PORTALS_ACKNOWLEDGE;
}

/* Puts an item onto the way to its target: to ourselves, or on the connection to the peer, which is opened where there
 * is none. Called with `lock` held. */
static enum nal_status item_route(struct peer_interface *interface, const struct wire_portals_header *header,
                                  struct peer_item *item, struct peer_queue *finished)
{
    const struct wire_portals_id *target = &header->target;
    struct tcp_net *net = interface->network->net;
    struct tcp_connection *connection = NULL;
    enum nal_status status = NAL_OK;

    if (target->nid == net->self.nid && target->pid == net->self.pid) {
        peer_queue_append(&net->self_queue, item);
        tcp_net_wake(net);
        return NAL_OK;
    }
    connection = tcp_route_find(net, interface->config.interface, target->nid, target->pid);
    if (message_numbered(header) && !(connection && connection->numbered)) {
        return NAL_NO_ROUTE; /* PW-30: whoever numbers has to greet first */
    }
    if (!connection) {
        status = tcp_connection_connect(net, interface->config.interface, target, &connection);
    }
    if (status == NAL_OK) {
        tcp_connection_push(connection, item, finished);
    }
    return status;
}

/* An item for a message of an interface; NULL without memory. */
static struct tcp_item *item_for(struct peer_interface *interface, const struct wire_portals_header *header,
                                 const void *payload, uint64_t length, bool is_copy)
{
    struct tcp_item *item = tcp_item_new(header, payload, length, is_copy);

    if (item) {
        item->base.interface = interface;
        item->base.port = &interface->port;
    }
    return item;
}

/* Only on a way that is there already, and which holds nothing of which anybody has to be told. */
static enum nal_status tcp_send_now(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                    uint64_t length)
{
    struct peer_interface *interface = (struct peer_interface *)nal;
    const struct wire_portals_id *target = &header->target;
    struct tcp_net *net = interface->network->net;
    struct peer_queue finished = {NULL, NULL};

    if (length > TCP_HELD_OCTETS || message_numbered(header)) {
        return NAL_NOT_NOW;
    }
    lock_take(&net->lock);
    struct tcp_connection *connection =
        interface->state == PEER_INTERFACE_CLOSED
            ? NULL
            : tcp_route_find(net, interface->config.interface, target->nid, target->pid);
    struct tcp_item *item =
        connection && tcp_connection_takes_copy(connection) ? item_for(interface, header, payload, length, true) : NULL;
    if (item) {
        tcp_connection_push(connection, &item->base, &finished);
    }
    lock_give(&net->lock);
    peer_items_finish(&finished);
    return item ? NAL_OK : NAL_NOT_NOW;
}

static enum nal_status tcp_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                uint64_t length, void *cookie)
{
    struct peer_interface *interface = (struct peer_interface *)nal;
    struct tcp_net *net = interface->network->net;
    struct peer_queue finished = {NULL, NULL};

    if (!address_reachable(&header->target)) {
        return NAL_NO_ROUTE;
    }
    struct tcp_item *item = item_for(interface, header, payload, length, false);
    if (!item) {
        return NAL_NO_MEMORY;
    }
    item->base.cookie = cookie;
    lock_take(&net->lock);
    enum nal_status status = interface->state == PEER_INTERFACE_CLOSED
                                 ? NAL_NO_ROUTE
                                 : item_route(interface, header, &item->base, &finished);
    lock_give(&net->lock);
    if (status != NAL_OK) {
        free(item);
    }
    peer_items_finish(&finished);
    return status;
}

static const struct nal_ops tcp_ops = {
    .name = "tcp",
    .send = tcp_send,
    .send_now = tcp_send_now,
    .revoke = peer_interface_revoke,
    .distance = peer_interface_distance,
    .close = peer_interface_close,
    .end = peer_interface_end,
    .driving = &tcp_driving,
};

enum nal_status tcp_net_open(struct tcp_net *net, const struct nal_config *config, const struct nal_upcalls *upcalls,
                             void *core, struct nal **nal)
{
    return peer_interface_open(&net->interfaces, &tcp_ops, config, upcalls, core, nal);
}

enum nal_status tcp_net_greet(struct tcp_net *net, uint32_t interface, const struct wire_portals_id *target)
{
    enum nal_status status = NAL_OK;

    if (!address_reachable(target)) {
        return NAL_NO_ROUTE;
    }
    lock_take(&net->lock);
    struct tcp_connection *connection = tcp_route_find(net, interface, target->nid, target->pid);
    bool greeted = connection && connection->greeted;
    bool numbered = connection && connection->numbered;
    struct wire_portals_id peer = connection ? connection->peer : *target;
    if (!connection) {
        status = tcp_connection_connect(net, interface, target, &connection);
    }
    lock_give(&net->lock);
    if (greeted) {
        net->watch.peer(net->watch.watcher, interface, &peer, numbered ? NETWORK_PEER_NUMBERED : NETWORK_PEER_PLAIN);
    }
    return status;
}
