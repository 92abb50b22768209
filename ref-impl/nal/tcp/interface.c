/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The operations of an interface on the TCP network (nal.h): sending, revoking, closing; and opening one.
 */
#include "ref-impl/nal/tcp/net.h"
#include "ref-impl/nal/tcp/tcp.h"

#include <stdio.h>
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

/* Puts an item onto the way to its target: to ourselves, or on the stream to the peer, which is opened where there is
 * none. Called with `lock` held. */
static enum nal_status item_route(struct tcp_interface *interface, const struct wire_portals_header *header,
                                  struct tcp_item *item, struct tcp_queue *finished)
{
    const struct wire_portals_id *target = &header->target;
    struct tcp_net *net = interface->net;
    struct tcp_stream *stream = NULL;
    enum nal_status status = NAL_OK;

    if (target->nid == net->self.nid && target->pid == net->self.pid) {
        tcp_queue_append(&net->self_queue, item);
        tcp_net_wake(net);
        return NAL_OK;
    }
    stream = tcp_route_find(net, interface->config.interface, target->nid, target->pid);
    if (message_numbered(header) && !(stream && stream->numbered)) {
        return NAL_NO_ROUTE; /* PW-30: whoever numbers has to greet first */
    }
    if (!stream) {
        status = tcp_stream_connect(net, interface->config.interface, target, &stream);
    }
    if (status == NAL_OK) {
        tcp_stream_push(stream, item, finished);
    }
    return status;
}

static enum nal_status tcp_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                uint64_t length, void *cookie)
{
    struct tcp_interface *interface = (struct tcp_interface *)nal;
    struct tcp_queue finished = {NULL, NULL};

    if (!address_reachable(&header->target)) {
        return NAL_NO_ROUTE;
    }
    struct tcp_item *item = tcp_item_new(header, payload, length);
    if (!item) {
        return NAL_NO_MEMORY;
    }
    item->interface = interface;
    item->cookie = cookie;
    pthread_mutex_lock(&interface->net->lock);
    enum nal_status status =
        interface->state == TCP_INTERFACE_CLOSED ? NAL_NO_ROUTE : item_route(interface, header, item, &finished);
    pthread_mutex_unlock(&interface->net->lock);
    if (status != NAL_OK) {
        free(item);
    }
    tcp_items_finish(&finished);
    return status;
}

static void tcp_revoke(struct nal *nal, void *token)
{
    landing_revoke(&((struct tcp_interface *)nal)->port, token);
}

/* Hops as far as TCP lets us know them: none to oneself, one inside the node, two to another node. */
//= P30-097
//= P30-098
static double tcp_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    const struct wire_portals_id *self = &((struct tcp_interface *)nal)->net->self;

    if (peer->nid != self->nid) {
        return 2.0;
    }
    return peer->pid == self->pid ? 0.0 : 1.0;
}

static void tcp_end(struct nal *nal)
{
    struct tcp_interface *interface = (struct tcp_interface *)nal;
    struct tcp_net *net = interface->net;

    pthread_mutex_lock(&net->lock);
    if (interface->state == TCP_INTERFACE_OPEN) {
        interface->state = TCP_INTERFACE_FLUSHING;
        interface->next_closing = net->closing;
        net->closing = interface;
        tcp_net_wake(net);
    }
    while (interface->state != TCP_INTERFACE_CLOSED) {
        pthread_cond_wait(&net->quiet, &net->lock);
    }
    pthread_mutex_unlock(&net->lock);
}

static void tcp_close(struct nal *nal)
{
    tcp_end(nal);
    free(nal); /* the first member of the interface */
}

static const struct nal_ops tcp_ops = {
    .name = "tcp",
    .send = tcp_send,
    .revoke = tcp_revoke,
    .distance = tcp_distance,
    .close = tcp_close,
    .end = tcp_end,
};

//= P30-084
enum nal_status tcp_net_open(struct tcp_net *net, const struct nal_config *config, const struct nal_upcalls *upcalls,
                             void *core, struct nal **nal)
{
    if (config->interface >= ARRIVALS_INTERFACES) {
        fprintf(stderr, "portals: network tcp has interfaces 0 to %d, not %u\n", ARRIVALS_INTERFACES - 1,
                (unsigned)config->interface);
        return NAL_NO_DEVICE;
    }
    struct tcp_interface *interface = calloc(1, sizeof *interface);
    struct arrivals_early early;

    if (!interface) {
        return NAL_NO_MEMORY;
    }
    interface->nal.ops = &tcp_ops;
    interface->net = net;
    interface->config = *config;
    interface->port.upcalls = *upcalls;
    interface->port.core = core;
    if (!arrivals_open(&net->arrivals, config->interface, &interface->port, &early)) {
        fprintf(stderr, "portals: network tcp: interface %u is open already\n", (unsigned)config->interface);
        free(interface);
        return NAL_NO_DEVICE;
    }
    *nal = &interface->nal;
    arrivals_deliver(&interface->port, &early);
    return NAL_OK;
}

enum nal_status tcp_net_greet(struct tcp_net *net, uint32_t interface, const struct wire_portals_id *target)
{
    enum nal_status status = NAL_OK;

    if (!address_reachable(target)) {
        return NAL_NO_ROUTE;
    }
    pthread_mutex_lock(&net->lock);
    struct tcp_stream *stream = tcp_route_find(net, interface, target->nid, target->pid);
    bool greeted = stream && stream->greeted;
    bool numbered = stream && stream->numbered;
    struct wire_portals_id peer = stream ? stream->peer : *target;
    if (!stream) {
        status = tcp_stream_connect(net, interface, target, &stream);
    }
    pthread_mutex_unlock(&net->lock);
    if (greeted) {
        net->watch.peer(net->watch.watcher, interface, &peer, numbered ? NETWORK_PEER_NUMBERED : NETWORK_PEER_PLAIN);
    }
    return status;
}
